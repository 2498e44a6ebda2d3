package array

import (
	"encoding/binary"
	"math"
	"slices"
	"strings"
)

// Ints is an immutable list of integers that can be compared with == and used in a map key. The fields of primitives
// hold axes, sizes and permutations in it, so that two equations are equal exactly when they mean the same.
// The zero value is the empty list.
type Ints struct{ s string } // eight bytes an element, little-endian

// MakeInts makes a list of its arguments.
func MakeInts(v ...int) Ints {
	b := make([]byte, 0, 8*len(v))
	for _, x := range v {
		b = binary.LittleEndian.AppendUint64(b, uint64(x))
	}
	return Ints{string(b)}
}

// Len is the number of elements.
func (l Ints) Len() int { return len(l.s) / 8 }

// At is element i.
func (l Ints) At(i int) int {
	var v uint64
	for k := 7; k >= 0; k-- {
		v = v<<8 | uint64(l.s[8*i+k])
	}
	return int(v)
}

// Slice returns a copy as a Go slice.
func (l Ints) Slice() []int {
	v := make([]int, l.Len())
	for i := range v {
		v[i] = l.At(i)
	}
	return v
}

// Shape returns a copy as a shape.
func (l Ints) Shape() Shape { return l.Slice() }

// Contains reports whether x is an element.
func (l Ints) Contains(x int) bool { return l.Index(x) >= 0 }

// Index is the first position of x, or -1.
func (l Ints) Index(x int) int { return slices.Index(l.Slice(), x) }

// Append returns the list with v behind it.
func (l Ints) Append(v ...int) Ints { return Ints{l.s + MakeInts(v...).s} }

// Map returns the list of f(x) of each element x.
func (l Ints) Map(f func(int) int) Ints {
	v := l.Slice()
	for i := range v {
		v[i] = f(v[i])
	}
	return MakeInts(v...)
}

// Invert returns the inverse of a permutation: l.Invert().At(l.At(i)) == i.
func (l Ints) Invert() Ints {
	v := make([]int, l.Len())
	for i := range v {
		v[l.At(i)] = i
	}
	return MakeInts(v...)
}

// String prints as JAX prints a tuple of parameters: (0, 2), and (1,) for one element.
func (l Ints) String() string {
	if l.Len() == 1 {
		return "(" + Shape(l.Slice()).String()[1:len(Shape(l.Slice()).String())-1] + ",)"
	}
	s := Shape(l.Slice()).String()
	return "(" + strings.ReplaceAll(s[1:len(s)-1], ",", ", ") + ")"
}

// F64Bits holds a float64 by its bits: NaN equals itself and 0.0 differs from -0.0, so that parameters compare by
// what they mean.
type F64Bits uint64

// F64 stores v.
func F64(v float64) F64Bits { return F64Bits(math.Float64bits(v)) }

// Float returns the number.
func (b F64Bits) Float() float64 { return math.Float64frombits(uint64(b)) }
