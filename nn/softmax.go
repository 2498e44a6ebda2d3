package nn

import (
	"math"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/np"
	"github.com/pantograph-go/pantograph/vjp"
)

// Softmax is eˣ / Σ eˣ over an axis, the last by default. The largest element is taken off first, so nothing
// overflows.
//
//	x [...] floating point   →   [...] same dtype
func Softmax(x any, axis ...int) *array.Array {
	e := np.Exp(shifted(x, axis))
	return e.Div(np.Sum(e, along(axis), np.KeepDims()))
}

// LogSoftmax is log(Softmax(x)), computed without forming the quotient.
func LogSoftmax(x any, axis ...int) *array.Array {
	s := shifted(x, axis)
	return s.Sub(np.Log(np.Sum(np.Exp(s), along(axis), np.KeepDims())))
}

// shifted is x minus its largest element along the axis, which has no part in the derivative.
func shifted(x any, axis []int) *array.Array {
	v := inexact(x)
	return v.Sub(np.Max(vjp.StopGradient(v), along(axis), np.KeepDims()))
}

// Logsumexp is log Σ eˣ over axes, all of them by default, which are removed. An axis of infinities gives that
// infinity.
func Logsumexp(x any, axes ...int) *array.Array {
	v := inexact(x)
	var opts []np.Option
	if len(axes) > 0 {
		opts = append(opts, np.Axis(axes...))
	}
	top := np.Max(vjp.StopGradient(v), append(opts, np.KeepDims())...)
	top = np.Where(np.IsFinite(top), top, 0.0)
	sum := np.Sum(np.Exp(v.Sub(top)), opts...)
	return np.Log(sum).Add(top.Reshape(sum.Shape()...))
}

// Logmeanexp is log of the mean of eˣ over axes, all of them by default.
func Logmeanexp(x any, axes ...int) *array.Array {
	v := inexact(x)
	y := Logsumexp(v, axes...)
	return y.Sub(math.Log(float64(v.Size()) / float64(max(y.Size(), 1))))
}

// OneHot turns class numbers into rows of n zeros with a one at the class; a number outside 0 … n-1 gives zeros.
//
//	x [...] integer   →   [..., n] float64, or the dtype that follows
func OneHot(x any, n int, dtype ...array.DType) *array.Array {
	d := np.Float64
	if len(dtype) > 0 {
		d = dtype[0]
	}
	v := np.Asarray(x)
	return v.ExpandDims(-1).Equal(np.Arange(n).AsType(v.DType())).AsType(d)
}

// Standardize takes the mean off and divides by the standard deviation √(variance + eps), over an axis, the last by
// default.
func Standardize(x any, eps float64, axis ...int) *array.Array {
	v := inexact(x)
	mean := np.Mean(v, along(axis), np.KeepDims())
	variance := np.Maximum(np.Mean(v.Mul(v), along(axis), np.KeepDims()).Sub(mean.Mul(mean)), 0.0)
	return v.Sub(mean).Div(np.Sqrt(variance.Add(eps)))
}

func along(axis []int) np.Option {
	if len(axis) == 0 {
		return np.Axis(-1)
	}
	return np.Axis(axis...)
}
