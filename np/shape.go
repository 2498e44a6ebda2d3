package np

import (
	"slices"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/primitive"
)

// Size is the number of elements.
func Size(x any) int { return arr("size", x).Size() }

// Ndim is the number of axes.
func Ndim(x any) int { return arr("ndim", x).Rank() }

// Reshape gives x another shape of as many elements, in row-major order; one size may be -1.
func Reshape(x any, sizes ...int) *Array { return arr("reshape", x).Reshape(sizes...) }

// ReshapeF is Reshape in column-major order: NumPy's order="F".
func ReshapeF(x any, sizes ...int) *Array {
	a := arr("reshape", x)
	s, err := Shape(sizes).Resolve(a.Size())
	if err != nil {
		fail("reshape", err)
	}
	slices.Reverse(s)
	return a.T().Reshape(s...).T()
}

// Ravel is x as a vector in row-major order.
func Ravel(x any) *Array { return arr("ravel", x).Ravel() }

// RavelF is x as a vector in column-major order.
func RavelF(x any) *Array { return arr("ravel", x).T().Ravel() }

// Transpose permutes the axes: axis i of the result is axis axes[i] of x; without axes it reverses them.
func Transpose(x any, axes ...int) *Array { return arr("transpose", x).Transpose(axes...) }

// PermuteDims is Transpose.
func PermuteDims(x any, axes ...int) *Array { return Transpose(x, axes...) }

// MatrixTranspose exchanges the last two axes.
func MatrixTranspose(x any) *Array {
	a := arr("matrix_transpose", x)
	atLeast("matrix_transpose", a, 2)
	return a.Swapaxes(-1, -2)
}

// Swapaxes exchanges two axes.
func Swapaxes(x any, a, b int) *Array { return arr("swapaxes", x).Swapaxes(a, b) }

// Moveaxis moves the axes at positions from to positions to; the others keep their order.
func Moveaxis(x any, from, to []int) *Array {
	a := arr("moveaxis", x)
	src, err := array.NormalAxes(from, a.Rank())
	if err != nil {
		fail("moveaxis", err)
	}
	dst, err := array.NormalAxes(to, a.Rank())
	if err != nil {
		fail("moveaxis", err)
	}
	if len(src) != len(dst) {
		fail("moveaxis", array.AxisErrorf("%d axes are moved to %d places", len(src), len(dst)))
	}
	perm := make([]int, a.Rank())
	for i := range perm {
		perm[i] = -1
	}
	for i, d := range dst {
		perm[d] = src[i]
	}
	next := 0
	for i := range perm {
		if perm[i] >= 0 {
			continue
		}
		for slices.Contains(src, next) {
			next++
		}
		perm[i] = next
		next++
	}
	return permute(a, perm)
}

// permute is Transpose that leaves the identity alone.
func permute(a *Array, perm []int) *Array {
	if slices.IsSorted(perm) {
		return a
	}
	return a.Transpose(perm...)
}

// Rollaxis moves an axis before the axis at position start.
func Rollaxis(x any, axis, start int) *Array {
	a := arr("rollaxis", x)
	axis = normalAxis("rollaxis", axis, a.Rank())
	if start < 0 {
		start += a.Rank()
	}
	if start < 0 || start > a.Rank() {
		fail("rollaxis", array.AxisErrorf("start %d is out of range for %d axes", start, a.Rank()))
	}
	if start > axis {
		start--
	}
	return Moveaxis(a, []int{axis}, []int{start})
}

// Squeeze leaves out axes of size 1: the given ones, or all where none is given.
func Squeeze(x any, axes ...int) *Array { return arr("squeeze", x).Squeeze(axes...) }

// ExpandDims inserts axes of size 1, which have these positions in the result.
func ExpandDims(x any, axes ...int) *Array {
	a := arr("expand_dims", x)
	at, err := array.NormalAxes(axes, a.Rank()+len(axes))
	if err != nil {
		fail("expand_dims", err)
	}
	slices.Sort(at)
	s := a.Shape().Clone()
	for _, i := range at {
		s = s.Insert(i, 1)
	}
	return a.Reshape(s...)
}

// BroadcastTo repeats x to a shape by NumPy's rule: aligned at the last axis, sizes of 1 repeat.
func BroadcastTo(x any, shape ...int) *Array { return arr("broadcast_to", x).BroadcastTo(shape...) }

// BroadcastArrays repeats arrays to their common shape.
func BroadcastArrays(xs ...*Array) []*Array { return broadcast("broadcast_arrays", xs...) }

// BroadcastShapes is the common shape of arrays of these shapes. It panics with a ShapeError where there is none.
func BroadcastShapes(shapes ...Shape) Shape {
	s, err := array.Broadcast(shapes...)
	if err != nil {
		fail("broadcast_shapes", err)
	}
	return s
}

// Atleast1d gives a scalar one axis.
func Atleast1d(x any) *Array {
	a := arr("atleast_1d", x)
	if a.Rank() == 0 {
		return a.Reshape(1)
	}
	return a
}

// Atleast2d gives a scalar or vector two axes, the vector as a row.
func Atleast2d(x any) *Array {
	a := Atleast1d(x)
	if a.Rank() == 1 {
		return a.ExpandDims(0)
	}
	return a
}

// Atleast3d gives x three axes: [n] becomes [1, n, 1], [m, n] becomes [m, n, 1].
func Atleast3d(x any) *Array {
	a := Atleast2d(x)
	if a.Rank() == 2 {
		return a.ExpandDims(2)
	}
	return a
}

// Flip reverses the given axes, or all where none is given.
func Flip(x any, axes ...int) *Array {
	a := arr("flip", x)
	list := allAxes(a.Rank())
	if len(axes) > 0 {
		var err error
		if list, err = array.NormalAxes(axes, a.Rank()); err != nil {
			fail("flip", err)
		}
	}
	if len(list) == 0 {
		return a
	}
	return primitive.Rev(a, list...)
}

// Fliplr reverses the second axis.
func Fliplr(x any) *Array {
	atLeast("fliplr", arr("fliplr", x), 2)
	return Flip(x, 1)
}

// Flipud reverses the first axis.
func Flipud(x any) *Array {
	atLeast("flipud", arr("flipud", x), 1)
	return Flip(x, 0)
}

// Rot90 turns the plane of two axes k times by 90 degrees from the first towards the second.
func Rot90(x any, k, from, to int) *Array {
	a := arr("rot90", x)
	axes, err := array.NormalAxes([]int{from, to}, a.Rank())
	if err != nil {
		fail("rot90", err)
	}
	switch (k%4 + 4) % 4 {
	case 1:
		return Flip(a, axes[1]).Swapaxes(axes[0], axes[1])
	case 2:
		return Flip(a, axes...)
	case 3:
		return Flip(a.Swapaxes(axes[0], axes[1]), axes[1])
	}
	return a
}

// Roll shifts elements along axes by as many places, those that leave at one end come in at the other. shift is an int
// or an integer scalar, also traced, for each of the axes, or for the flattened array where no Axis is given.
func Roll(x any, shift any, opts ...Option) *Array {
	a := arr("roll", x)
	s := gather("roll", opts, optAxis)
	if !s.has(optAxis) {
		return Roll(a.Ravel(), shift, Axis(0)).Reshape(a.Shape()...)
	}
	axes := s.axes
	shifts := arr("roll", shift)
	if shifts.Rank() > 1 {
		fail("roll", array.ShapeErrorf("shifts must be a scalar or a vector, got shape %s", shifts.Shape()))
	}
	for i, ax := range axes {
		ax = normalAxis("roll", ax, a.Rank())
		n := a.Shape()[ax]
		if n == 0 {
			continue
		}
		by := shifts
		if shifts.Rank() == 1 {
			if len(axes) != shifts.Size() && shifts.Size() != 1 {
				fail("roll", array.ArgumentErrorf("%d shifts for %d axes", shifts.Size(), len(axes)))
			}
			by = shifts.At(min(i, shifts.Size()-1)).Get()
		}
		if by.IsConcrete() {
			if k := ((by.Int() % n) + n) % n; k != 0 {
				a = Concatenate([]*Array{sliceAxis(a, ax, n-k, n), sliceAxis(a, ax, 0, n-k)}, Axis(ax))
			}
			continue
		}
		a = Take(a, Mod(Arange(n).Sub(by), n), Axis(ax))
	}
	return a
}

// Resize repeats the elements of x, in row-major order, to fill a shape.
func Resize(x any, shape ...int) *Array {
	a := arr("resize", x).Ravel()
	n := checkShape("resize", shape).Size()
	if n == 0 || a.Size() == 0 {
		return Zeros(shape, a.DType())
	}
	times := (n + a.Size() - 1) / a.Size()
	return sliceAxis(Tile(a, times), 0, 0, n).Reshape(shape...)
}

// sliceAxis is x[start:stop] along one axis.
func sliceAxis(x *Array, axis, start, stop int) *Array { return sliceStep(x, axis, start, stop, 1) }

func sliceStep(x *Array, axis, start, stop, step int) *Array {
	idx := make([]any, axis+1)
	for i := range axis {
		idx[i] = Slice{Stop: End}
	}
	idx[axis] = Slice{Start: start, Stop: stop, Step: step}
	return x.At(idx...).Get()
}
