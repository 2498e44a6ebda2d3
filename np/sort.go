package np

import (
	"math/bits"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/primitive"
)

// sortAxis flattens x where no axis is wanted (no Axis given to a function whose default is the last: that one).
func sortAxis(op string, x any, s *settings) (*Array, int) {
	a := arr(op, x)
	if s.has(optAxis) && len(s.axes) == 0 {
		return a.Ravel(), 0
	}
	if a.Rank() == 0 {
		fail(op, array.AxisErrorf("a scalar has no axis to sort along"))
	}
	return a, s.axis(op, a.Rank(), -1)
}

// Sort sorts along an axis, the last or Axis; Axis() with no axis sorts the flattened array. NaN come last. It takes Axis
// and Descending.
func Sort(x any, opts ...Option) *Array {
	s := gather("sort", opts, optAxis|optDescending)
	a, axis := sortAxis("sort", x, s)
	y := primitive.Sort(axis, 1, a)[0]
	if s.descending {
		y = Flip(y, axis)
	}
	return y
}

// Argsort gives the positions, int64, that would sort x; equal elements keep their order. It takes Axis and Descending;
// see Sort.
func Argsort(x any, opts ...Option) *Array {
	s := gather("argsort", opts, optAxis|optDescending)
	a, axis := sortAxis("argsort", x, s)
	i := primitive.Iota(Int64, a.Shape(), axis)
	if s.descending { // backwards in, so that equal elements keep their order when the result is turned round
		a, i = Flip(a, axis), Flip(i, axis)
	}
	y := primitive.Sort(axis, 1, a, i)[1]
	if s.descending {
		y = Flip(y, axis)
	}
	return y
}

// SortComplex sorts along the last axis, by real and then imaginary parts, and gives complex numbers.
func SortComplex(x any) *Array {
	y := Sort(x)
	return convert(y, toInexact(y.DType()).Complex(), false)
}

// Lexsort gives the positions that sort by several keys of one shape, the last key first. It takes Axis, the last if
// absent.
func Lexsort(keys []*Array, opts ...Option) *Array {
	s := gather("lexsort", opts, optAxis)
	if len(keys) == 0 {
		fail("lexsort", array.ArgumentErrorf("needs at least one key"))
	}
	if keys[0].Rank() == 0 {
		return Of(0, Int64)
	}
	axis := s.axis("lexsort", keys[0].Rank(), -1)
	operands := make([]*Array, 0, len(keys)+1)
	for i := len(keys) - 1; i >= 0; i-- {
		operands = append(operands, keys[i])
	}
	operands = append(operands, primitive.Iota(Int64, keys[0].Shape(), axis))
	return primitive.Sort(axis, len(keys), operands...)[len(keys)]
}

// Partition puts the element that is kth in order at its place along an axis, the smaller ones before it. It takes Axis,
// the last if absent.
func Partition(x any, kth int, opts ...Option) *Array {
	s := gather("partition", opts, optAxis)
	a, axis := sortAxis("partition", x, s)
	kth = normalAxis("partition", kth, a.Shape()[axis])
	sorted := primitive.Sort(axis, 1, a)[0]
	return Concatenate([]*Array{sliceAxis(sorted, axis, 0, kth+1), Flip(sliceAxis(sorted, axis, kth+1, End), axis)}, Axis(axis))
}

// Argpartition gives the positions of Partition.
func Argpartition(x any, kth int, opts ...Option) *Array {
	s := gather("argpartition", opts, optAxis)
	a, axis := sortAxis("argpartition", x, s)
	kth = normalAxis("argpartition", kth, a.Shape()[axis])
	order := Argsort(a, Axis(axis))
	rest := primitive.Sort(axis, 1, sliceAxis(order, axis, kth+1, End))[0]
	return Concatenate([]*Array{sliceAxis(order, axis, 0, kth+1), rest}, Axis(axis))
}

// Searchsorted gives for each v the position, int64, in the ascending vector x where it can be put so that x stays in
// order: before equal elements, or with Right behind them. NaN counts as the largest number. The search takes log₂ of
// the length of x steps.
func Searchsorted(x, v any, opts ...Option) *Array {
	s := gather("searchsorted", opts, optRight)
	xv := promote("searchsorted", x, v)
	a, q := xv[0], xv[1]
	if a.Rank() != 1 {
		fail("searchsorted", array.ShapeErrorf("searches in a vector, got shape %s", a.Shape()))
	}
	n := a.Shape()[0]
	lo, hi := filled(q.Shape(), Int64, 0), filled(q.Shape(), Int64, float64(n))
	if n == 0 {
		return lo
	}
	for range bits.Len(uint(n)) {
		mid := lo.Add(hi).ShiftRight(1)
		at := a.At(mid).Mode(array.ClipMode).Get()
		left := before(q, at)
		if !s.right {
			left = before(at, q).Not()
		}
		lo, hi = Where(left, lo, Where(lo.Less(hi), mid.Add(1), lo)), Where(left, mid, hi)
	}
	return hi
}

// before reports x < y with NaN behind all numbers.
func before(x, y *Array) *Array {
	less := x.Less(y)
	if x.DType().IsInexact() {
		less = less.Or(IsNaN(y).And(IsNaN(x).Not()))
	}
	return less
}

// Digitize gives the number of the interval between the edges, a monotonic vector, that each x lies in: 0 before the
// first. Intervals contain their left edge, with Right the right one.
func Digitize(x, edges any, opts ...Option) *Array {
	s := gather("digitize", opts, optRight)
	a, e := arr("digitize", x), arr("digitize", edges)
	if e.Rank() != 1 {
		fail("digitize", array.ShapeErrorf("edges must be a vector, got shape %s", e.Shape()))
	}
	n := e.Size()
	if n == 0 {
		return filled(a.Shape(), Int64, 0)
	}
	var side []Option
	if !s.right {
		side = append(side, Right())
	}
	ascending := e.At(-1).Get().GreaterEqual(e.At(0).Get())
	return Where(ascending, Searchsorted(e, a, side...), Searchsorted(Flip(e), a, side...).Neg().Add(n))
}
