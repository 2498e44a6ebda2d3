package array

import (
	"slices"
	"strconv"
	"strings"
)

// Shape is the list of an array's sizes, outermost first. A scalar has the empty shape.
type Shape []int

// Rank is the number of axes.
func (s Shape) Rank() int { return len(s) }

// Size is the number of elements: the product of the sizes, 1 for a scalar.
func (s Shape) Size() int {
	n := 1
	for _, d := range s {
		n *= d
	}
	return n
}

// Equal reports the same sizes in the same order.
func (s Shape) Equal(t Shape) bool { return slices.Equal(s, t) }

// Clone returns a copy that shares no memory with s.
func (s Shape) Clone() Shape { return append(Shape{}, s...) }

// Strides are the row-major steps of each axis, in elements.
func (s Shape) Strides() []int {
	st := make([]int, len(s))
	n := 1
	for i := len(s) - 1; i >= 0; i-- {
		st[i] = n
		n *= s[i]
	}
	return st
}

// Without returns the shape with the given axes left out.
func (s Shape) Without(axes ...int) Shape {
	t := make(Shape, 0, len(s))
	for i, d := range s {
		if !slices.Contains(axes, i) {
			t = append(t, d)
		}
	}
	return t
}

// Insert returns the shape with size put at axis: Shape{2, 3}.Insert(1, 5) is [2,5,3].
func (s Shape) Insert(axis, size int) Shape { return slices.Insert(s.Clone(), axis, size) }

// String prints as JAX does: [2,3], and [] for a scalar.
func (s Shape) String() string {
	var b strings.Builder
	b.WriteByte('[')
	for i, d := range s {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(strconv.Itoa(d))
	}
	b.WriteByte(']')
	return b.String()
}
