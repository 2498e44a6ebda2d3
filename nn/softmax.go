package nn

import (
	"math"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/np"
	"github.com/pantograph-go/pantograph/primitive"
	"github.com/pantograph-go/pantograph/vjp"
)

// Softmax is eˣ / Σ eˣ over an axis or several together, the last by default. The largest element is taken off first, so
// nothing overflows; an infinity makes NaN of its vector.
//
//	x [...] floating point   →   [...] same dtype
func Softmax(x any, axis ...int) *array.Array {
	e := np.Exp(shifted(inexact(x), along(axis)))
	return e.Div(np.Sum(e, along(axis), np.KeepDims()))
}

// SoftmaxMasked is Softmax of the elements where mask is true; the others are 0 in the result.
//
//	x [...] floating point, mask bool that broadcasts to it   →   [...] x's dtype
func SoftmaxMasked(x, mask any, axis ...int) *array.Array {
	v := np.Where(mask, inexact(x), math.Inf(-1))
	e := np.Exp(shifted(v, along(axis)))
	return np.Where(mask, e.Div(np.Sum(e, along(axis), np.KeepDims(), np.Masked(mask))), 0.0)
}

// LogSoftmax is log(Softmax(x)), computed without forming the quotient.
//
//	x [...] floating point   →   [...] same dtype
func LogSoftmax(x any, axis ...int) *array.Array {
	s := shifted(inexact(x), along(axis))
	return s.Sub(np.Log(np.Sum(np.Exp(s), along(axis), np.KeepDims())))
}

// LogSoftmaxMasked is LogSoftmax of the elements where mask is true; the others are -Inf in the result.
//
//	x [...] floating point, mask bool that broadcasts to it   →   [...] x's dtype
func LogSoftmaxMasked(x, mask any, axis ...int) *array.Array {
	s := shifted(np.Where(mask, inexact(x), math.Inf(-1)), along(axis))
	log := np.Log(np.Sum(np.Exp(s), along(axis), np.KeepDims(), np.Masked(mask)))
	return np.Where(mask, s.Sub(log), math.Inf(-1))
}

// shifted is x minus its largest element along the axis, which has no part in the derivative.
func shifted(x *array.Array, axis np.Option) *array.Array {
	return x.Sub(np.Max(vjp.StopGradient(x), axis, np.KeepDims(), np.Initial(math.Inf(-1))))
}

// Logsumexp is log Σ eˣ over all axes, or with np's options Axis, KeepDims, Masked, Weights. An axis of infinities gives
// that infinity, nothing at all -Inf, a negative sum NaN: see LogsumexpSign.
//
//	x [...] floating point or complex   →   the axes that are left, same dtype
func Logsumexp(x any, opts ...np.Option) *array.Array { return np.LogSumExp(x, opts...) }

// LogsumexpSign gives log |Σ b eˣ| and the sign of that sum (for complex numbers its direction), over all axes or with np's
// options Axis, KeepDims, Masked.
//
//	x, b [...] floating point or complex   →   logarithm, real, and sign, the axes that are left
func LogsumexpSign(x, b any, opts ...np.Option) (log, sign *array.Array) {
	xb := primitive.PromoteInexact(x, b)
	v := np.Where(np.NotEqual(xb[1], 0), xb[0], math.Inf(-1)) // what has no weight must not set the scale
	keep := append(append([]np.Option{}, opts...), np.KeepDims())
	top := np.Max(vjp.StopGradient(v.Real()), append(keep, np.Initial(math.Inf(-1)))...)
	top = np.Where(np.IsFinite(top), top, 0.0)
	sum := np.Sum(np.Exp(v.Sub(top)).Mul(xb[1]), opts...)
	return np.Log(sum.Abs()).Add(top.Reshape(sum.Shape()...)), np.Sign(sum)
}

// Logmeanexp is the logarithm of the mean of eˣ over all axes, or with np's options Axis, KeepDims, Masked.
//
//	x [...] floating point   →   the axes that are left, same dtype
func Logmeanexp(x any, opts ...np.Option) *array.Array {
	v := inexact(x)
	count := np.Sum(np.OnesLike(v), opts...)
	return np.LogSumExp(v, opts...).Sub(np.Log(count))
}

// OneHot turns class numbers into vectors of n zeros with a one at the class; a number outside 0 … n-1 gives zeros.
//
//	x [...] integer   →   [..., n] float64, or the dtype that follows
func OneHot(x any, n int, dtype ...array.DType) *array.Array { return OneHotAt(x, n, -1, dtype...) }

// OneHotAt is OneHot with the vectors along an axis of the result.
func OneHotAt(x any, n, axis int, dtype ...array.DType) *array.Array {
	const op = "nn.OneHotAt"
	d := np.Float64
	if len(dtype) > 0 {
		d = dtype[0]
	}
	v := np.Asarray(x)
	at, err := array.NormalAxis(axis, v.Rank()+1)
	if err != nil {
		panic(array.Wrap(op, err))
	}
	if n < 0 {
		panic(array.Wrap(op, array.ArgumentErrorf("vectors of %d classes", n)))
	}
	v = v.ExpandDims(at)
	shape := make(array.Shape, v.Rank())
	for i := range shape {
		shape[i] = 1
	}
	shape[at] = n
	return v.Equal(primitive.Iota(v.DType(), shape, at)).AsType(d)
}

// Standardize takes the mean off and divides by the standard deviation √(variance + eps), over an axis or several
// together, the last by default. The variance is that of all elements, E[x²] - E[x]².
//
//	x [...] floating point   →   [...] same dtype
func Standardize(x any, eps float64, axis ...int) *array.Array {
	v := inexact(x)
	mean, variance := moments(v, along(axis))
	return Normalize(v, mean, variance, eps)
}

// StandardizeMasked is Standardize with the mean and the variance of the elements where mask is true.
func StandardizeMasked(x, mask any, eps float64, axis ...int) *array.Array {
	v := inexact(x)
	mean, variance := moments(v, along(axis), np.Masked(mask))
	return Normalize(v, mean, variance, eps)
}

// Normalize is (x - mean)/√(variance + eps), all of which broadcast.
func Normalize(x, mean, variance any, eps float64) *array.Array {
	v := inexact(variance)
	return inexact(x).Sub(mean).Mul(primitive.Rsqrt(v.Add(eps)))
}

// moments are mean and variance, the axes kept.
func moments(x *array.Array, opts ...np.Option) (mean, variance *array.Array) {
	opts = append(opts, np.KeepDims())
	mean = np.Mean(x, opts...)
	return mean, np.Maximum(np.Mean(x.Mul(x), opts...).Sub(mean.Mul(mean)), 0.0)
}

func along(axis []int) np.Option {
	if len(axis) == 0 {
		return np.Axis(-1)
	}
	return np.Axis(axis...)
}
