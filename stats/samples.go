package stats

import (
	"math"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/np"
	"github.com/pantograph-go/pantograph/primitive"
)

// SEM is the standard error of the mean along an axis: the standard deviation, with one degree of freedom taken by the mean,
// over √n.
//
//	x [..., n, ...]   →   [...] float
func SEM(x any, axis int) arr {
	v := operands("sem", x)[0]
	n := v.Shape()[normalAxis("sem", axis, v.Rank())]
	return np.Std(v, np.Axis(axis), np.DDof(1)).Div(math.Sqrt(float64(n)))
}

func normalAxis(op string, axis, rank int) int {
	if axis < -rank || axis >= rank {
		panic(array.Wrap(op, array.AxisErrorf("axis %d is out of range for an array of rank %d", axis, rank)))
	}
	if axis < 0 {
		axis += rank
	}
	return axis
}

// runs are the runs of equal elements of sorted x along its last axis, NaNs equal: for each element where its run begins and
// ends, and its own place.
func runs(x arr) (first, last, place, fresh arr) {
	axis := x.Rank() - 1
	n := x.Shape()[axis]
	place = primitive.Iota(array.Int32, x.Shape(), axis)
	edge := like(primitive.Iota(array.Int32, x.Shape().Without(axis).Insert(axis, 1), axis), 1).Equal(1)
	part := func(from, to int) arr { return np.Take(x, np.Arange(from, to), np.Axis(axis)) }
	fresh = edge
	ends := edge
	if n > 1 {
		before, after := part(0, n-1), part(1, n)
		differ := before.NotEqual(after)
		if x.DType().IsFloat() {
			differ = differ.And(np.IsNaN(before).And(np.IsNaN(after)).Not())
		}
		fresh = primitive.Concatenate(axis, edge, differ)
		ends = primitive.Concatenate(axis, differ, edge)
	}
	first = primitive.CumMax(np.Where(fresh, place, like(place, 0)), axis, false)
	last = primitive.CumMin(np.Where(ends, place, like(place, float64(n))), axis, true)
	return first, last, place, fresh
}

// RankData are the ranks of x along the axes, from 1: all elements, or those along axis. Equal elements get, by method, the
// "average", "min" or "max" of their ranks, "dense" ranks without gaps, or "ordinal" ones in their order. A NaN makes all
// ranks NaN.
//
//	x [n] or [..., n, ...]   →   float64, [n] of all elements or the shape of x
func RankData(x any, method string, axis ...int) arr {
	v := array.MustValue("rankdata", x)
	if len(axis) == 0 {
		return ranks(v.Ravel(), method)
	}
	a := normalAxis("rankdata", axis[0], v.Rank())
	return np.Moveaxis(ranks(np.Moveaxis(v, []int{a}, []int{-1}), method), []int{-1}, []int{a})
}

func ranks(x arr, method string) arr {
	axis := x.Rank() - 1
	if x.Size() == 0 {
		return primitive.Convert(x, array.Float64)
	}
	sorted := primitive.Sort(axis, 1, x, primitive.Iota(array.Int32, x.Shape(), axis))
	first, last, place, fresh := runs(sorted[0])
	asFloat := func(v arr) arr { return primitive.Convert(v, array.Float64) }
	var rank arr
	switch method {
	case "average":
		rank = asFloat(first.Add(last)).Mul(0.5).Add(1)
	case "min":
		rank = asFloat(first.Add(1))
	case "max":
		rank = asFloat(last.Add(1))
	case "dense":
		rank = asFloat(primitive.CumSum(primitive.Convert(fresh, array.Int32), axis, false))
	case "ordinal":
		rank = asFloat(place.Add(1))
	default:
		panic(array.Wrap("rankdata", array.ArgumentErrorf("the method is %q; it is average, min, max, dense or ordinal", method)))
	}
	y := primitive.Sort(axis, 1, sorted[1], rank)[1]
	if x.DType().IsFloat() {
		y = np.Where(np.Any(np.IsNaN(x), np.Axis(axis), np.KeepDims()), like(y, nan), y)
	}
	return y
}

// Mode is the most frequent element along an axis, the smallest of several, and how often it comes.
//
//	x [..., n, ...], n ≥ 1   →   [...] same dtype, [...] int32
func Mode(x any, axis int) (value, count arr) {
	v := array.MustValue("mode", x)
	a := normalAxis("mode", axis, v.Rank())
	if v.Shape()[a] == 0 {
		panic(array.Wrap("mode", array.ShapeErrorf("axis %d of %s is empty: it has no mode", a, v.Aval())))
	}
	v = np.Moveaxis(v, []int{a}, []int{-1})
	sorted := primitive.Sort(v.Rank()-1, 1, v)[0]
	first, _, place, _ := runs(sorted)
	soFar := place.Sub(first).Add(1)
	at := np.Argmax(soFar, np.Axis(-1), np.KeepDims()) // the end of the first of the longest runs
	return np.Squeeze(np.TakeAlongAxis(sorted, at, np.Axis(-1)), -1), np.Max(soFar, np.Axis(-1))
}
