package primitive

import "github.com/pantograph-go/pantograph/array"

// alongAxis counts an axis from the beginning.
func alongAxis(op string, x *array.Array, axis int) int {
	if axis < -x.Rank() || axis >= x.Rank() {
		panic(array.Wrap(op, array.AxisErrorf("axis %d is out of range for %s", axis, x.Aval())))
	}
	if axis < 0 {
		axis += x.Rank()
	}
	return axis
}

// SliceInDim is Slice of one axis, the others whole. A negative start or limit counts from the end.
//
//	x [..., n, ...]   →   [..., (limit-start)/stride rounded up, ...]
func SliceInDim(x *array.Array, start, limit, stride, axis int) *array.Array {
	axis = alongAxis("slice_in_dim", x, axis)
	n := x.Shape()[axis]
	lo, hi, by := make([]int, x.Rank()), x.Shape().Clone(), make([]int, x.Rank())
	for i := range by {
		by[i] = 1
	}
	for _, v := range []*int{&start, &limit} {
		if *v < 0 {
			*v += n
		}
	}
	lo[axis], hi[axis], by[axis] = start, limit, stride
	return Slice(x, lo, hi, by)
}

// IndexInDim is element i of an axis, which is dropped unless it is kept with size 1. A negative i counts from the end.
func IndexInDim(x *array.Array, i, axis int, keep bool) *array.Array {
	axis = alongAxis("index_in_dim", x, axis)
	n := x.Shape()[axis]
	if i < -n || i >= n {
		panic(array.Wrap("index_in_dim", array.ArgumentErrorf("index %d is out of range for axis %d of %s", i, axis, x.Aval())))
	}
	if i < 0 {
		i += n
	}
	y := SliceInDim(x, i, i+1, 1, axis)
	if keep {
		return y
	}
	return Squeeze(y, axis)
}

// startsAt are the starts of a dynamic slice that is whole but along an axis. A negative start counts from the end.
func startsAt(x, start *array.Array, axis int) []*array.Array {
	if start.DType().Kind() == array.KindInt {
		n := like(start, float64(x.Shape()[axis]))
		start = Select(Lt(start, like(start, 0)), Add(start, n), start)
	}
	out := make([]*array.Array, x.Rank())
	for i := range out {
		out[i] = like(start, 0)
	}
	out[axis] = start
	return out
}

// DynamicSliceInDim is DynamicSlice of one axis, the others whole. A negative start counts from the end; what then lies
// outside is moved inside.
//
//	x [..., n, ...], start integer scalar   →   [..., size, ...]
func DynamicSliceInDim(x, start *array.Array, size, axis int) *array.Array {
	axis = alongAxis("dynamic_slice_in_dim", x, axis)
	sizes := x.Shape().Clone()
	sizes[axis] = size
	return DynamicSlice(x, startsAt(x, start, axis), sizes)
}

// DynamicIndexInDim is element i of an axis, which is dropped unless it is kept with size 1.
func DynamicIndexInDim(x, i *array.Array, axis int, keep bool) *array.Array {
	axis = alongAxis("dynamic_index_in_dim", x, axis)
	y := DynamicSliceInDim(x, i, 1, axis)
	if keep {
		return y
	}
	return Squeeze(y, axis)
}

// DynamicUpdateSliceInDim is DynamicUpdateSlice along one axis, from 0 in the others.
func DynamicUpdateSliceInDim(x, update, start *array.Array, axis int) *array.Array {
	return DynamicUpdateSlice(x, update, startsAt(x, start, alongAxis("dynamic_update_slice_in_dim", x, axis)))
}

// DynamicUpdateIndexInDim replaces element i of an axis by update, which may lack that axis.
func DynamicUpdateIndexInDim(x, update, i *array.Array, axis int) *array.Array {
	axis = alongAxis("dynamic_update_index_in_dim", x, axis)
	if update.Rank() < x.Rank() {
		update = ExpandDims(update, axis)
	}
	return DynamicUpdateSliceInDim(x, update, i, axis)
}

// Split cuts x along an axis into parts of the given sizes, which add up to that of the axis.
func Split(x *array.Array, sizes []int, axis int) []*array.Array {
	axis = alongAxis("split", x, axis)
	total := 0
	for _, n := range sizes {
		if n < 0 {
			panic(array.Wrap("split", array.ArgumentErrorf("the size %d is negative", n)))
		}
		total += n
	}
	if total != x.Shape()[axis] {
		panic(array.Wrap("split", array.ShapeErrorf("the sizes %v add up to %d, axis %d of %s has %d", sizes, total, axis, x.Aval(), x.Shape()[axis])))
	}
	out, at := make([]*array.Array, len(sizes)), 0
	for i, n := range sizes {
		out[i] = SliceInDim(x, at, at+n, 1, axis)
		at += n
	}
	return out
}

// Unstack are the elements of an axis, which is dropped.
func Unstack(x *array.Array, axis int) []*array.Array {
	axis = alongAxis("unstack", x, axis)
	out := make([]*array.Array, x.Shape()[axis])
	for i := range out {
		out[i] = IndexInDim(x, i, axis, false)
	}
	return out
}

// Tile repeats x along each of its axes.
//
//	x [n0, n1, ...]   →   [reps0 n0, reps1 n1, ...]
func Tile(x *array.Array, reps ...int) *array.Array {
	if len(reps) != x.Rank() {
		panic(array.Wrap("tile", array.ArgumentErrorf("%d repetitions for %s; give one for each axis", len(reps), x.Aval())))
	}
	var wide, flat array.Shape
	var at []int
	for i, n := range x.Shape() {
		if reps[i] < 0 {
			panic(array.Wrap("tile", array.ArgumentErrorf("the repetition %d is negative", reps[i])))
		}
		wide, flat, at = append(wide, reps[i], n), append(flat, reps[i]*n), append(at, 2*i+1)
	}
	return Reshape(BroadcastInDim(x, wide, at), flat)
}
