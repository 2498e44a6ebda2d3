package np

import (
	"github.com/pantograph-go/pantograph/array"
)

// bitWeights are the shifts of the bits of a byte, the highest first unless Mode("little").
func bitWeights(op string, s *settings) *Array {
	switch s.mode {
	case "", "big":
		return Arange(7, -1, -1, Uint8)
	case "little":
		return Arange(8, Uint8)
	}
	fail(op, array.ArgumentErrorf("mode %q is neither big nor little", s.mode))
	return nil
}

// Packbits puts eight values each, zero or not, along Axis or of the flattened array, into the bits of a uint8, the first
// into the highest, or with Mode("little") into the lowest bit. Missing ones at the end are zeros.
func Packbits(x any, opts ...Option) *Array {
	s := gather("packbits", opts, optAxis|optMode)
	a := arr("packbits", x)
	if a.DType() != Bool && !a.DType().IsInteger() {
		fail("packbits", array.DTypeErrorf("takes integers or bools, got %s", a.DType()))
	}
	if !s.has(optAxis) {
		a = a.Ravel()
	}
	axis := s.axis("packbits", a.Rank(), 0)
	b := Moveaxis(mask("packbits", a).AsType(Uint8), []int{axis}, []int{-1})
	n := b.Shape()[b.Rank()-1]
	width := make([][2]int, b.Rank())
	width[b.Rank()-1][1] = (8 - n%8) % 8
	b = Pad(b, width)
	b = b.Reshape(append(b.Shape()[:b.Rank()-1].Clone(), (n+7)/8, 8)...)
	return Moveaxis(b.ShiftLeft(bitWeights("packbits", s)).Sum(-1).AsType(Uint8), []int{-1}, []int{axis})
}

// Unpackbits is the inverse of Packbits: the bits of uint8 along Axis or of the flattened array, in the order of Mode;
// Length cuts or fills the result with zeros.
func Unpackbits(x any, opts ...Option) *Array {
	s := gather("unpackbits", opts, optAxis|optMode|optSize)
	a := arr("unpackbits", x)
	if a.DType() != Uint8 {
		fail("unpackbits", array.DTypeErrorf("takes uint8, got %s", a.DType()))
	}
	if !s.has(optAxis) {
		a = a.Ravel()
	}
	axis := s.axis("unpackbits", a.Rank(), 0)
	a = Moveaxis(a, []int{axis}, []int{-1})
	bits := a.ExpandDims(-1).ShiftRight(bitWeights("unpackbits", s)).And(Of(1, Uint8))
	bits = bits.Reshape(append(a.Shape()[:a.Rank()-1].Clone(), -1)...)
	if s.has(optSize) {
		n := bits.Shape()[bits.Rank()-1]
		width := make([][2]int, bits.Rank())
		width[bits.Rank()-1][1] = max(0, s.size-n)
		bits = sliceAxis(Pad(bits, width), bits.Rank()-1, 0, s.size)
	}
	return Moveaxis(bits, []int{-1}, []int{axis})
}
