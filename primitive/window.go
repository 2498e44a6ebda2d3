package primitive

import (
	"slices"

	"github.com/pantograph-go/pantograph/array"
)

// Window is a sliding window over all axes of an array. Lists have an element for each axis; an empty list is ones
// (strides, dilations) or zeros (padding).
type Window struct {
	Size         array.Ints // extent of the window
	Strides      array.Ints // its steps
	PadLo, PadHi array.Ints // identity elements put before and behind; negative ones cut
	BaseDilation array.Ints // the array's elements are that far apart, with identity elements between
	Dilation     array.Ints // the window's elements are that far apart
}

func (w Window) canonical() Window {
	for _, l := range []struct {
		v    *array.Ints
		fill int
	}{{&w.Strides, 1}, {&w.PadLo, 0}, {&w.PadHi, 0}, {&w.BaseDilation, 1}, {&w.Dilation, 1}} {
		if l.v.Len() == 0 {
			*l.v = array.MakeInts(slices.Repeat([]int{l.fill}, w.Size.Len())...)
		}
	}
	return w
}

// shape is the shape of all positions of w over an array x. w is canonical.
func (w Window) shape(x array.Aval) (array.Shape, error) {
	for _, l := range []struct {
		name string
		v    array.Ints
		min  int
	}{{"window dimensions", w.Size, 1}, {"window strides", w.Strides, 1}, {"low padding", w.PadLo, -1 << 62}, {"high padding", w.PadHi, -1 << 62},
		{"base dilation", w.BaseDilation, 1}, {"window dilation", w.Dilation, 1}} {
		if l.v.Len() != x.Shape.Rank() {
			return nil, array.ArgumentErrorf("%s %s must have an element for each of the %d axes of %s", l.name, l.v, x.Shape.Rank(), x)
		}
		for _, v := range l.v.Slice() {
			if v < l.min {
				return nil, array.ArgumentErrorf("%s %s must be at least %d", l.name, l.v, l.min)
			}
		}
	}
	out := make(array.Shape, x.Shape.Rank())
	for i, n := range x.Shape {
		padded := dilated(n, w.BaseDilation.At(i)) + w.PadLo.At(i) + w.PadHi.At(i)
		if padded < 0 {
			return nil, array.ShapeErrorf("padding %d, %d cuts more than axis %d of %s has", w.PadLo.At(i), w.PadHi.At(i), i, x)
		}
		out[i] = windows(padded, dilated(w.Size.At(i), w.Dilation.At(i)), w.Strides.At(i))
	}
	return out, nil
}

// ReduceWindowP combines the elements in every position of a window: pooling. Its names are reduce_window_sum,
// reduce_window_prod, reduce_window_max and reduce_window_min.
//
//	x [...]   →   [...] one element for each position, same dtype
//
// JVP: sum is linear; max and min take the tangent of the element found, the first of equals.
type ReduceWindowP struct {
	Op     Combine
	Window Window
}

// Name implements Primitive.
func (p ReduceWindowP) Name() string { return "reduce_window_" + combineNames[p.Op] }

// Shape implements Primitive.
func (p ReduceWindowP) Shape(in []array.Aval) ([]array.Aval, error) {
	x, err := oneOperand(in)
	if err != nil {
		return nil, err
	}
	if err := p.Op.accepts(x.DType); err != nil {
		return nil, err
	}
	s, err := p.Window.canonical().shape(x)
	if err != nil {
		return nil, err
	}
	return []array.Aval{x.WithShape(s)}, nil
}

// ReduceWindowSum sums the elements in every position of w. See ReduceWindowP.
func ReduceWindowSum(x *array.Array, w Window) *array.Array {
	return Bind(ReduceWindowP{CombineAdd, w.canonical()}, x)
}

// ReduceWindowProd multiplies the elements in every position of w. See ReduceWindowP.
func ReduceWindowProd(x *array.Array, w Window) *array.Array {
	return Bind(ReduceWindowP{CombineMul, w.canonical()}, x)
}

// ReduceWindowMax takes the largest element in every position of w. See ReduceWindowP.
func ReduceWindowMax(x *array.Array, w Window) *array.Array {
	return Bind(ReduceWindowP{CombineMax, w.canonical()}, x)
}

// ReduceWindowMin takes the smallest element in every position of w. See ReduceWindowP.
func ReduceWindowMin(x *array.Array, w Window) *array.Array {
	return Bind(ReduceWindowP{CombineMin, w.canonical()}, x)
}
