package main

import (
	"fmt"
	"math"

	"github.com/pantograph-go/pantograph/array"
)

// A comparison reports nil where two arrays of one type agree, else the worst or first element that does not.
type comparison func(got, want *array.Buffer) error

// sameType refuses arrays of different types.
func sameType(got, want *array.Buffer) error {
	if g, w := got.Aval(), want.Aval(); g.DType != w.DType || !g.Shape.Equal(w.Shape) {
		return fmt.Errorf("got %s, want %s", g, w)
	}
	return nil
}

// equal asks for equal elements: floats by IEEE ==, so that a NaN never equals and the zeros do.
func equal(got, want *array.Buffer) error {
	if err := sameType(got, want); err != nil {
		return err
	}
	bad, first := 0, -1
	for i := range got.Len() {
		if !equalElement(got, want, i) {
			if bad++; first < 0 {
				first = i
			}
		}
	}
	if bad == 0 {
		return nil
	}
	return fmt.Errorf("%d of %d elements differ, first %d: got %s, want %s", bad, got.Len(), first, element(got, first), element(want, first))
}

func equalElement(a, b *array.Buffer, i int) bool {
	switch d := a.DType(); {
	case d.IsComplex():
		return a.Complex(i) == b.Complex(i)
	case d.IsFloat():
		return a.Float(i) == b.Float(i)
	case d == array.Bool:
		return a.Bool(i) == b.Bool(i)
	}
	return a.Int(i) == b.Int(i)
}

// element prints one element.
func element(b *array.Buffer, i int) string {
	switch d := b.DType(); {
	case d.IsComplex():
		return fmt.Sprint(b.Complex(i))
	case d.IsFloat():
		return fmt.Sprint(b.Float(i))
	case d == array.Bool:
		return fmt.Sprint(b.Bool(i))
	case d.Kind() == array.KindUint:
		return fmt.Sprint(b.Uint(i))
	}
	return fmt.Sprint(b.Int(i))
}

// within asks for an absolute difference of at most tolerance; equal values and two NaNs pass, complex numbers part by
// part.
func within(tolerance float64) comparison {
	return func(got, want *array.Buffer) error {
		if err := sameType(got, want); err != nil {
			return err
		}
		bad, worst, at := 0, -1.0, 0
		for i := range got.Len() {
			g, w := got.Complex(i), want.Complex(i)
			d := max(difference(real(g), real(w)), difference(imag(g), imag(w)))
			if d > tolerance {
				bad++
			}
			if d > worst {
				worst, at = d, i
			}
		}
		if bad == 0 {
			return nil
		}
		return fmt.Errorf("%d of %d elements differ by more than %g, most %g at %d: got %s, want %s", bad, got.Len(), tolerance, worst, at, element(got, at), element(want, at))
	}
}

func difference(x, y float64) float64 {
	switch {
	case x == y || x != x && y != y:
		return 0
	case x-x != 0 || y-y != 0:
		return math.Inf(1)
	}
	return math.Abs(x - y)
}

// ulps asks for a distance between low and high units in the last place; complex numbers by the larger of their parts.
func ulps(low, high uint64) comparison {
	return func(got, want *array.Buffer) error {
		if err := sameType(got, want); err != nil {
			return err
		}
		d := got.DType()
		if !d.IsInexact() {
			return fmt.Errorf("a distance in ulps of %s", d)
		}
		bits := d.Bits()
		if d.IsComplex() {
			bits /= 2
		}
		bad, worst, at := 0, uint64(0), 0
		for i := range got.Len() * d.Bits() / bits {
			u := ulpDistance(rawBits(got, bits, i), rawBits(want, bits, i), d)
			if u < low || u > high {
				bad++
			}
			if u > worst {
				worst, at = u, i*bits/d.Bits()
			}
		}
		if bad == 0 {
			return nil
		}
		return fmt.Errorf("%d of %d parts differ by more than %d ulp, most %d at %d: got %s, want %s", bad, got.Len()*d.Bits()/bits, high, worst, at, element(got, at), element(want, at))
	}
}

// rawBits reads number i of a width from the storage.
func rawBits(b *array.Buffer, bits, i int) uint64 {
	switch bits {
	case 64:
		return array.View[uint64](b)[i]
	case 32:
		return uint64(array.View[uint32](b)[i])
	case 16:
		return uint64(array.View[uint16](b)[i])
	}
	return uint64(b.Bytes()[i])
}

// ulpDistance is the distance of two floats, given by their bits, in representable numbers between them.
func ulpDistance(a, b uint64, d array.DType) uint64 {
	if a == b {
		return 0
	}
	ka, ma := classify(a, d)
	kb, mb := classify(b, d)
	switch {
	case ka == isNaN && kb == isNaN:
		return 0
	case ka != isFinite || kb != isFinite:
		return math.MaxUint64
	}
	sign := uint64(1) << (floatBits(d) - 1)
	if (a^b)&sign != 0 {
		return ma + mb
	}
	return max(ma, mb) - min(ma, mb)
}

const (
	isFinite = iota
	isInfinite
	isNaN
)

func floatBits(d array.DType) int {
	if d.IsComplex() {
		return d.Bits() / 2
	}
	return d.Bits()
}

// classify tells finite numbers from others and gives the magnitude's bit pattern.
func classify(bits uint64, d array.DType) (kind int, magnitude uint64) {
	magnitude = bits &^ (1 << (floatBits(d) - 1))
	var v float64
	switch d {
	case array.Float64, array.Complex128:
		v = math.Float64frombits(bits)
	case array.Float32, array.Complex64:
		v = float64(math.Float32frombits(uint32(bits)))
	default:
		raw := []byte{byte(bits), byte(bits >> 8)}[:d.Size()]
		b := array.NewBuffer(d, nil)
		copy(b.Bytes(), raw)
		v = b.Float(0)
	}
	switch {
	case v != v:
		return isNaN, magnitude
	case v-v != 0:
		return isInfinite, magnitude
	}
	return isFinite, magnitude
}
