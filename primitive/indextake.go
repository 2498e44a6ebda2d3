package primitive

import (
	"slices"

	"github.com/pantograph-go/pantograph/array"
)

// IndexTake takes slices of size 1 of some axes at integer indices, one vector [k] for each of these axes; they are
// dropped and k comes first. A negative index counts from the end; what lies outside gives NaN, of integers the smallest,
// as Gather does under FillOrDrop.
//
//	x [...], indices [k]   →   [k, ... without axes]
func IndexTake(x *array.Array, indices []*array.Array, axes []int) *array.Array {
	if len(indices) != len(axes) || len(axes) == 0 {
		panic(array.Wrap("index_take", array.ArgumentErrorf("%d index vectors for %d axes", len(indices), len(axes))))
	}
	sizes := x.Shape().Clone()
	axes = slices.Clone(axes)
	columns := make([]*array.Array, len(indices))
	for k, idx := range indices {
		axes[k] = alongAxis("index_take", x, axes[k])
		if idx.DType().Kind() == array.KindInt {
			idx = Select(Lt(idx, like(idx, 0)), Add(idx, like(idx, float64(x.Shape()[axes[k]]))), idx)
		}
		columns[k], sizes[axes[k]] = ExpandDims(idx, idx.Rank()), 1
	}
	window := make([]int, x.Rank()-len(axes))
	for i := range window {
		window[i] = i + 1
	}
	dims := GatherDims{Offset: array.MakeInts(window...), CollapsedSlice: array.MakeInts(slices.Sorted(slices.Values(axes))...), StartIndexMap: array.MakeInts(axes...)}
	return Gather(x, Concatenate(columns[0].Rank()-1, columns...), dims, sizes, FillOrDrop)
}

// ScatterApply replaces the elements of x that a scatter of updates of a shape would write by f of them. f works element
// by element, and no two index vectors may name one element.
func ScatterApply(x, indices *array.Array, f func(*array.Array) *array.Array, updates array.Shape, dims ScatterDims, mode IndexMode) *array.Array {
	sizes := x.Shape().Clone()
	window := dims.UpdateWindow.Slice()
	for axis := range sizes {
		if dims.InsertedWindow.Contains(axis) || dims.OperandBatching.Contains(axis) {
			sizes[axis] = 1
			continue
		}
		if len(window) == 0 || window[0] >= len(updates) {
			panic(array.Wrap("scatter_apply", array.ShapeErrorf("updates of shape %s have no window for axis %d of %s", updates, axis, x.Aval())))
		}
		sizes[axis], window = updates[window[0]], window[1:]
	}
	read := mode
	if mode == FillOrDrop { // what is dropped anyway must not be NaN on the way
		read = Clip
	}
	return Scatter(x, indices, f(Gather(x, indices, dims.gather(), sizes, read)), dims, mode)
}

// ApproxMaxK are the k largest elements of the last axis and their indices, as TopK gives them: this one is exact, which
// any recall target allows.
func ApproxMaxK(x *array.Array, k int) (values, indices *array.Array) { return TopK(x, k) }

// ApproxMinK are the k smallest elements of the last axis in ascending order, and their indices.
func ApproxMinK(x *array.Array, k int) (values, indices *array.Array) {
	values, indices = TopK(Neg(x), k)
	return Neg(values), indices
}

// RaggedDot multiplies groups of rows of x, one after the other and of the given sizes, each with its own matrix. Rows past
// the last group give 0.
//
//	x [m, k], w [g, k, n], sizes [g] integer   →   [m, n]
func RaggedDot(x, w, sizes *array.Array) *array.Array {
	if x.Rank() != 2 || w.Rank() != 3 || sizes.Rank() != 1 || x.Shape()[1] != w.Shape()[1] || sizes.Shape()[0] != w.Shape()[0] || !sizes.DType().IsInteger() {
		panic(array.Wrap("ragged_dot", array.ShapeErrorf("operands are %s, %s and %s; they must be [m, k], [g, k, n] and g integers", x.Aval(), w.Aval(), sizes.Aval())))
	}
	m, k, g := x.Shape()[0], x.Shape()[1], w.Shape()[0]
	ends := CumSum(sizes, 0, false)
	spread := func(v *array.Array) *array.Array { return BroadcastInDim(v, array.Shape{g, m}, []int{0}) }
	row := Iota(sizes.DType(), array.Shape{g, m}, 1)
	in := And(Ge(row, spread(Sub(ends, sizes))), Lt(row, spread(ends)))
	full := array.Shape{g, m, k}
	rows := Select(BroadcastInDim(in, full, []int{0, 1}), BroadcastInDim(x, full, []int{1, 2}), Full(array.Aval{Shape: full, DType: x.DType()}, 0))
	return DotGeneral(rows, w, Contract([]int{0, 2}, []int{0, 1}), array.Invalid)
}
