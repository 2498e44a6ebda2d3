package linalg

import (
	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/np"
)

// The products and parts of matrices that numpy.linalg repeats, over the last axes.

// Cross is the vector product along the last axis, or the one of Axis, which has 3 elements.
func Cross(x, y any, opts ...Option) *array.Array {
	s := gather("Cross", opts, "Axis")
	axis := -1
	if len(s.axes) > 0 {
		axis = s.axes[0]
	}
	for _, v := range []any{x, y} {
		a := array.MustValue("linalg.Cross", v)
		at, err := array.NormalAxis(axis, a.Rank())
		if err != nil {
			fail("Cross", err)
		}
		if a.Shape()[at] != 3 {
			fail("Cross", array.ShapeErrorf("takes vectors of 3 elements, got %d along axis %d of %s", a.Shape()[at], axis, a.Shape()))
		}
	}
	return np.Cross(x, y, np.Axis(axis))
}

// Outer is the matrix of all products of an element of the vector x with one of y.
func Outer(x, y any) *array.Array {
	for _, v := range []any{x, y} {
		if a := array.MustValue("linalg.Outer", v); a.Rank() != 1 {
			fail("Outer", array.ShapeErrorf("takes vectors, got shape %s", a.Shape()))
		}
	}
	return np.Outer(x, y)
}

// Trace is the sum of a diagonal of the last two axes, the offset-th above the main one.
func Trace(x any, offset int) *array.Array { return np.Trace(x, offset, np.Axis(-2, -1)) }

// Diagonal is a diagonal of the last two axes, the offset-th above the main one.
func Diagonal(x any, offset int) *array.Array { return np.Diagonal(x, offset, np.Axis(-2, -1)) }
