package np

import (
	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/primitive"
)

// pairs reads one int, a pair, or a pair for each axis.
func pairs(op, name string, v any, rank int) [][2]int {
	x := arr(op, v)
	if !x.DType().IsInteger() {
		fail(op, array.DTypeErrorf("%s must be integers, got %s", name, x.DType()))
	}
	out := make([][2]int, rank)
	w := x.BroadcastTo(BroadcastShapes(x.Shape(), Shape{rank, 2})...)
	if !w.Shape().Equal(Shape{rank, 2}) {
		fail(op, array.ShapeErrorf("%s must be one number, a pair, or a pair for each of %d axes, got shape %s", name, rank, x.Shape()))
	}
	for i, n := range w.Ints() {
		out[i/2][i%2] = n
	}
	return out
}

// Pad puts elements before and behind x. widths is one int for all ends, a pair (before, behind) for all axes, or a pair
// for each axis. Mode chooses what they are:
//
//	constant (the default)   zeros, or FillValue: one value, a pair, or a pair for each axis
//	edge                     the outermost element
//	reflect, symmetric       the array mirrored, without and with its outermost element; Method("odd") turns the values too
//	wrap                     the array repeated
//	linear_ramp              a ramp down to 0, or to FillValue
//	maximum, minimum, mean, median   of the axis, or of the Length (or Lengths) elements next to the edge
//	empty                    zeros
//
// It takes Mode, FillValue, Method, Length and Lengths. Negative widths are an ArgumentError.
func Pad(x any, widths any, opts ...Option) *Array {
	s := gather("pad", opts, optMode|optFill|optMethod|optSize|optSizes)
	a := arr("pad", x)
	w := pairs("pad", "widths", widths, a.Rank())
	for _, p := range w {
		if p[0] < 0 || p[1] < 0 {
			fail("pad", array.ArgumentErrorf("widths %v are negative; index to cut", p))
		}
	}
	if s.mode == "" || s.mode == "constant" || s.mode == "empty" {
		return padConstant(a, w, s)
	}
	if s.has(optMethod) && s.method != "even" && s.method != "odd" {
		fail("pad", array.ArgumentErrorf("method %q is neither even nor odd", s.method))
	}
	for axis, p := range w {
		if p == [2]int{} {
			continue
		}
		if a.Shape()[axis] == 0 {
			fail("pad", array.ShapeErrorf("axis %d is empty and cannot be padded by mode %s", axis, s.mode))
		}
		lo, hi := padAxis(a, axis, p, s)
		parts := []*Array{a}
		if p[0] > 0 {
			parts = []*Array{lo, a}
		}
		if p[1] > 0 {
			parts = append(parts, hi)
		}
		a = Concatenate(parts, Axis(axis))
	}
	return a
}

func padConstant(a *Array, w [][2]int, s *settings) *Array {
	value := like(a, 0)
	if s.has(optFill) {
		value = convert(arr("pad", s.fill), a.DType(), a.Aval().Weak)
	}
	if value.Rank() == 0 {
		dims := make([]primitive.PadDim, len(w))
		for i, p := range w {
			dims[i] = primitive.PadDim{Lo: p[0], Hi: p[1]}
		}
		return primitive.Pad(a, value, dims)
	}
	value = value.BroadcastTo(a.Rank(), 2)
	for axis, p := range w {
		for end, n := range p {
			dims := make([]primitive.PadDim, len(w))
			if dims[axis].Lo = n; end == 1 {
				dims[axis] = primitive.PadDim{Hi: n}
			}
			if n > 0 {
				a = primitive.Pad(a, value.At(axis, end).Get(), dims)
			}
		}
	}
	return a
}

// padAxis gives what stands before and behind a along an axis.
func padAxis(a *Array, axis int, p [2]int, s *settings) (lo, hi *Array) {
	n := a.Shape()[axis]
	repeat := func(edge *Array, times int) *Array {
		shape := a.Shape().Clone()
		shape[axis] = times
		return edge.BroadcastTo(shape...)
	}
	first, last := sliceAxis(a, axis, 0, 1), sliceAxis(a, axis, n-1, n)
	switch s.mode {
	case "edge":
		return repeat(first, p[0]), repeat(last, p[1])
	case "wrap", "reflect", "symmetric":
		return mirrored(a, axis, p, s)
	case "linear_ramp":
		ends := like(a, 0)
		if s.has(optFill) {
			ends = convert(arr("pad", s.fill), a.DType(), false)
		}
		ends = ends.BroadcastTo(a.Rank(), 2)
		ramp := func(edge *Array, end, times int) *Array {
			from := ends.At(axis, end).Get()
			return Linspace(from, edge.Squeeze(axis), times, NoEndpoint(), As(a.DType()), Axis(axis))
		}
		return ramp(first, 0, p[0]), Flip(ramp(last, 1, p[1]), axis)
	case "maximum", "minimum", "mean", "median":
		stat := map[string]func(any, ...Option) *Array{"maximum": Max, "minimum": Min, "mean": Mean, "median": Median}[s.mode]
		of := func(part *Array) *Array {
			v := stat(part, Axis(axis), KeepDims())
			if a.DType().IsInteger() && v.DType().IsInexact() {
				v = primitive.RoundNearestEven(v)
			}
			return convert(v, a.DType(), false)
		}
		before, behind := a, a
		if s.has(optSize | optSizes) {
			lengths := [2]int{s.size, s.size}
			if s.has(optSizes) {
				lengths = pairs("pad", "lengths", s.sizes, a.Rank())[axis]
			}
			if min(lengths[0], lengths[1]) <= 0 {
				fail("pad", array.ArgumentErrorf("lengths of %v give no value", lengths))
			}
			before, behind = sliceAxis(a, axis, 0, min(lengths[0], n)), sliceAxis(a, axis, max(n-lengths[1], 0), n)
		}
		return repeat(of(before), p[0]), repeat(of(behind), p[1])
	}
	fail("pad", array.ArgumentErrorf("mode %q is none of constant, edge, reflect, symmetric, wrap, linear_ramp, maximum, minimum, mean, median, empty", s.mode))
	return nil, nil
}

// mirrored gathers the elements that wrap, reflect and symmetric put around an axis.
func mirrored(a *Array, axis int, p [2]int, s *settings) (lo, hi *Array) {
	n := a.Shape()[axis]
	period := n
	if s.mode == "reflect" && n > 1 {
		period = n - 1
	}
	at := func(i int) (place, cycle int) { // of position i; it lies in the cycle-th repetition of the axis
		cycle = floorDiv(i, period)
		place = i - cycle*period
		if s.mode != "wrap" && cycle%2 != 0 {
			place = n - 1 - place
		}
		return place, cycle
	}
	take := func(from, to int) *Array {
		var where, cycles []int
		for i := from; i < to; i++ {
			place, cycle := at(i)
			where, cycles = append(where, place), append(cycles, cycle)
		}
		y := Take(a, where, Axis(axis), Mode("promise_in_bounds"))
		if s.method == "odd" && s.mode != "wrap" {
			return oddReflection(a, y, axis, cycles)
		}
		return y
	}
	if p[0] > 0 {
		lo = take(-p[0], 0)
	}
	if p[1] > 0 {
		hi = take(n, n+p[1])
	}
	return lo, hi
}

// oddReflection turns mirrored elements about the edges: in cycle c they are shifted by c (last - first), and in odd
// cycles turned about the middle of the ends.
func oddReflection(a, y *Array, axis int, cycles []int) *Array {
	n := a.Shape()[axis]
	first, last := sliceAxis(a, axis, 0, 1), sliceAxis(a, axis, n-1, n)
	shape := ones(a.Rank())
	shape[axis] = len(cycles)
	shift, sign := make([]int, len(cycles)), make([]int, len(cycles))
	mid := make([]int, len(cycles))
	for i, c := range cycles {
		shift[i], sign[i] = c, 1
		if c%2 != 0 {
			sign[i], mid[i] = -1, 1
		}
	}
	vec := func(v []int) *Array { return convert(Of(v).Reshape(shape...), a.DType(), false) }
	return y.Mul(vec(sign)).Add(last.Sub(first).Mul(vec(shift))).Add(first.Add(last).Mul(vec(mid)))
}

func floorDiv(a, b int) int {
	q := a / b
	if a%b != 0 && (a < 0) != (b < 0) {
		q--
	}
	return q
}
