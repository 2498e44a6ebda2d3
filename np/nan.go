package np

import (
	"math"

	"github.com/pantograph-go/pantograph/primitive"
)

// The functions of this file leave NaN out. They take the options of the function they are named after.

// withoutNaN is x with NaN replaced by v, and the bool array that says where it was; nil for integers.
func withoutNaN(op string, x any, v func(DType) *Array) (a, nan *Array) {
	a = arr(op, x)
	if !a.DType().IsInexact() {
		return a, nil
	}
	nan = IsNaN(a)
	return Where(nan, v(a.DType()), a), nan
}

func onlyAxes(s *settings) []Option {
	var over []Option
	if s.has(optAxis) {
		over = append(over, Axis(s.axes...))
	}
	if s.keepDims {
		over = append(over, KeepDims())
	}
	return over
}

// NaNSum is Sum without NaN; 0 where there are only NaN.
func NaNSum(x any, opts ...Option) *Array {
	a, _ := withoutNaN("nansum", x, sumOf.identity)
	return Sum(a, opts...)
}

// NaNProd is Prod without NaN; 1 where there are only NaN.
func NaNProd(x any, opts ...Option) *Array {
	a, _ := withoutNaN("nanprod", x, prodOf.identity)
	return Prod(a, opts...)
}

// NaNMax is Max without NaN; NaN where there are only NaN.
func NaNMax(x any, opts ...Option) *Array { return nanExtreme("nanmax", x, maxOf, opts) }

// NaNMin is Min without NaN; NaN where there are only NaN.
func NaNMin(x any, opts ...Option) *Array { return nanExtreme("nanmin", x, minOf, opts) }

func nanExtreme(op string, x any, r reduction, opts []Option) *Array {
	s := gather(op, opts, optAxis|optKeepDims|optInitial|optWhere)
	a, nan := withoutNaN(op, x, r.identity)
	y := r.of(a, opts)
	if nan == nil || s.has(optInitial) {
		return y
	}
	return Where(All(nan, onlyAxes(s)...), like(y, math.NaN()), y)
}

// NaNMean is Mean without NaN.
func NaNMean(x any, opts ...Option) *Array {
	s := gather("nanmean", opts, optAxis|optKeepDims|optDType|optWhere)
	a, nan := withoutNaN("nanmean", x, sumOf.identity)
	if nan == nil {
		return Mean(a, opts...)
	}
	d := a.DType()
	if s.has(optDType) {
		d = s.dtype
	}
	opts = append(opts, As(d))
	return Sum(a, opts...).Div(Sum(nan.Not(), opts...))
}

// NaNVar is Var without NaN.
func NaNVar(x any, opts ...Option) *Array {
	s := gather("nanvar", opts, optAxis|optKeepDims|optDType|optDDof|optWhere)
	a := arr("nanvar", x)
	comp, result := varTypes("nanvar", a.DType(), s)
	a = convert(a, comp, false)
	axes := s.axesOf("nanvar", a.Rank())
	over := []Option{Axis(axes...)}
	if s.has(optWhere) {
		over = append(over, Masked(s.where))
	}
	mean := NaNMean(a, append(over, As(comp), KeepDims())...)
	nan := IsNaN(a)
	d := squaredDistance(Where(nan, like(a, 0), a.Sub(mean)))
	if s.keepDims {
		over = append(over, KeepDims())
	}
	n := Sum(nan.Not(), append(over, As(d.DType()))...).Sub(scalar(d.DType(), s.ddof))
	none := n.LessEqual(0)
	v := Sum(d, over...).Div(Where(none, like(n, 1), n))
	return convert(Where(none, like(v, math.NaN()), v), result, false)
}

// NaNStd is the square root of NaNVar.
func NaNStd(x any, opts ...Option) *Array { return Sqrt(NaNVar(x, opts...)) }

// NaNArgmax is Argmax without NaN; -1 where there are only NaN.
func NaNArgmax(x any, opts ...Option) *Array {
	return nanArg("nanargmax", x, Argmax, lowest, opts)
}

// NaNArgmin is Argmin without NaN; -1 where there are only NaN.
func NaNArgmin(x any, opts ...Option) *Array {
	return nanArg("nanargmin", x, Argmin, highest, opts)
}

func nanArg(op string, x any, find func(any, ...Option) *Array, v func(DType) *Array, opts []Option) *Array {
	s := gather(op, opts, optAxis|optKeepDims)
	a, nan := withoutNaN(op, x, v)
	y := find(a, opts...)
	if nan == nil {
		return y
	}
	return Where(All(nan, onlyAxes(s)...), like(y, -1), y)
}

// NaNCumsum is Cumsum with NaN as 0.
func NaNCumsum(x any, opts ...Option) *Array {
	a, _ := withoutNaN("nancumsum", x, sumOf.identity)
	return Cumsum(a, opts...)
}

// NaNCumprod is Cumprod with NaN as 1.
func NaNCumprod(x any, opts ...Option) *Array {
	a, _ := withoutNaN("nancumprod", x, prodOf.identity)
	return Cumprod(a, opts...)
}

// Cumsum is the running sum along Axis, or of the flattened array. It takes Axis and As.
func Cumsum(x any, opts ...Option) *Array { return cumulative("cumsum", x, primitive.CumSum, opts) }

// Cumprod is the running product; see Cumsum.
func Cumprod(x any, opts ...Option) *Array { return cumulative("cumprod", x, primitive.CumProd, opts) }

func cumulative(op string, x any, f func(*Array, int, bool) *Array, opts []Option) *Array {
	s := gather(op, opts, optAxis|optDType)
	a := arr(op, x)
	if !s.has(optAxis) || a.Rank() == 0 {
		a = a.Ravel()
		s.given &^= optAxis
	}
	axis := s.axis(op, a.Rank(), 0)
	d := a.DType()
	if d == Bool {
		d = Int64
	}
	if s.has(optDType) {
		d = s.dtype
	}
	comp := d
	if d == Bool {
		a, comp = mask(op, a), Int64
	}
	return convert(f(convert(a, comp, false), axis, false), d, false)
}

// CumulativeSum is the running sum along Axis, which vectors may leave out, with integers summed in 64 bits;
// withInitial begins it with 0. It takes Axis and As.
func CumulativeSum(x any, withInitial bool, opts ...Option) *Array {
	a := arr("cumulative_sum", x)
	s := gather("cumulative_sum", opts, optAxis|optDType)
	if !s.has(optDType) {
		opts = append(opts, As(summedType(a.DType())))
	}
	return cumulativeFrom("cumulative_sum", a, 0, withInitial, Cumsum, s, opts)
}

// CumulativeProd is the running product; withInitial begins it with 1. See CumulativeSum.
func CumulativeProd(x any, withInitial bool, opts ...Option) *Array {
	s := gather("cumulative_prod", opts, optAxis|optDType)
	return cumulativeFrom("cumulative_prod", arr("cumulative_prod", x), 1, withInitial, Cumprod, s, opts)
}

func cumulativeFrom(op string, a *Array, first float64, withInitial bool, f func(any, ...Option) *Array, s *settings, opts []Option) *Array {
	atLeast(op, a, 1)
	if !s.has(optAxis) {
		if a.Rank() > 1 {
			fail(op, axisNeeded(a))
		}
		opts = append(opts, Axis(0))
	}
	axis := s.axis(op, a.Rank(), 0)
	y := f(a, opts...)
	if !withInitial {
		return y
	}
	shape := a.Shape().Clone()
	shape[axis] = 1
	return Concatenate([]*Array{filled(shape, y.DType(), first), y}, Axis(axis))
}
