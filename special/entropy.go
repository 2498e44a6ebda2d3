package special

import (
	"github.com/pantograph-go/pantograph/np"
	"github.com/pantograph-go/pantograph/primitive"
	"github.com/pantograph-go/pantograph/vjp"
)

// Expit is the logistic function 1/(1 + e^-x).
func Expit(x any) arr { return unary("expit", primitive.Logistic, x) }

// Logit is log(x/(1-x)), the inverse of Expit.
func Logit(x any) arr { return logit.Call(operands("logit", x)[0]) }

var logit = withSlope(
	func(x arr) arr { return primitive.Log(x.Div(like(x, 1).Sub(x))) },
	func(x, _ arr) arr { return like(x, 1).Div(x.Mul(like(x, 1).Sub(x))) },
)

// XLogY is x log y, 0 where x is 0 unless y is NaN. Its derivative is log y dx + x/y dy also there.
func XLogY(x, y any) arr {
	xs := operands("xlogy", x, y)
	return xlogy.Call(xs[0], xs[1])
}

var xlogy = withSlopes(
	func(x, y arr) arr { return timesLog(x, y, primitive.Log(y)) },
	func(x, y, _ arr) (arr, arr) { return primitive.Log(y), x.Div(y) },
)

func timesLog(x, y, log arr) arr {
	return np.Where(x.NotEqual(0).Or(np.IsNaN(y)), x.Mul(log), like(x, 0))
}

// XLog1pY is x log(1+y), 0 where x is 0 unless y is NaN. Its derivative is log(1+y) dx + x/(1+y) dy also there.
func XLog1pY(x, y any) arr {
	xs := operands("xlog1py", x, y)
	return xlog1py.Call(xs[0], xs[1])
}

var xlog1py = withSlopes(
	func(x, y arr) arr { return timesLog(x, y, primitive.Log1p(y)) },
	func(x, y, _ arr) (arr, arr) { return primitive.Log1p(y), x.Div(y.Add(1)) },
)

// xlogx is x log x with the derivative log x + 1.
var xlogx = withSlope(
	func(x arr) arr { return timesLog(x, x, primitive.Log(x)) },
	func(x, _ arr) arr { return primitive.Log(x).Add(1) },
)

// Entr is -x log x, 0 at 0 and -∞ for negative x.
func Entr(x any) arr {
	v := operands("entr", x)[0]
	return np.Where(v.Less(0), like(v, -inf), xlogx.Call(v).Neg())
}

// RelEntr is p log(p/q) for positive p and q, 0 for p = 0 ≤ q and ∞ elsewhere.
func RelEntr(p, q any) arr {
	xs := operands("rel_entr", p, q)
	a, b := xs[0], xs[1]
	both := a.Greater(0).And(b.Greater(0))
	safeA, safeB := within(both, a, 1), within(both, b, 1)
	y := xlogx.Call(safeA).Sub(XLogY(safeA, safeB))
	edge := np.Where(a.Equal(0).And(b.GreaterEqual(0)), like(a, 0), like(a, inf))
	return np.Where(both, y, edge)
}

// KLDiv is RelEntr(p, q) - p + q.
func KLDiv(p, q any) arr {
	xs := operands("kl_div", p, q)
	return RelEntr(xs[0], xs[1]).Sub(xs[0]).Add(xs[1])
}

// BoxCox is (x^λ - 1)/λ, and log x for λ = 0; x > 0.
func BoxCox(x, lambda any) arr {
	xs := operands("boxcox", x, lambda)
	return power(primitive.Log(xs[0]), xs[1])
}

// BoxCox1p is BoxCox of 1 + x, exact also for small x.
func BoxCox1p(x, lambda any) arr {
	xs := operands("boxcox1p", x, lambda)
	return power(primitive.Log1p(xs[0]), xs[1])
}

// power is (e^λl - 1)/λ for the logarithm l.
func power(log, lambda arr) arr {
	zero := lambda.Equal(0)
	safe := within(zero.Not(), lambda, 1)
	return np.Where(zero, log, primitive.Expm1(safe.Mul(log)).Div(safe))
}

// Softmax is e^x over its sum along all axes, or along those given.
func Softmax(x any, axes ...int) arr {
	v := operands("softmax", x)[0]
	e := primitive.Exp(v.Sub(top(v, axes)))
	return e.Div(np.Sum(e, over(axes)...))
}

// LogSoftmax is the logarithm of Softmax.
func LogSoftmax(x any, axes ...int) arr {
	v := operands("log_softmax", x)[0]
	v = v.Sub(top(v, axes))
	return v.Sub(primitive.Log(np.Sum(primitive.Exp(v), over(axes)...)))
}

// top is the largest element, as a constant.
func top(v arr, axes []int) arr {
	return vjp.StopGradient(np.Max(v, over(axes)...))
}

func over(axes []int) []np.Option {
	opts := []np.Option{np.KeepDims()}
	if len(axes) > 0 {
		opts = append(opts, np.Axis(axes...))
	}
	return opts
}

// LogSumExp is the logarithm of the sum of e^x, with np.Weights w of the sum of w e^x. See np.LogSumExp.
func LogSumExp(x any, opts ...np.Option) arr { return np.LogSumExp(x, opts...) }

// LogSumExpSign is the logarithm of the absolute value of the sum of w e^x along all axes, or along those given, and the
// sign of that sum. The weights broadcast against x.
func LogSumExpSign(x, weights any, axes ...int) (log, sign arr) {
	xs := operands("logsumexp", x, weights)
	v, w := xs[0], xs[1]
	shift := np.Max(np.Where(w.Equal(0), like(v, -inf), v), over(axes)...)
	shift = vjp.StopGradient(np.Where(np.IsFinite(shift), shift, like(shift, 0)))
	sum := []np.Option{}
	if len(axes) > 0 {
		sum = append(sum, np.Axis(axes...))
	}
	total := np.Sum(w.Mul(primitive.Exp(v.Sub(shift))), sum...)
	return primitive.Log(total.Abs()).Add(shift.Reshape(total.Shape()...)), primitive.Sign(total)
}
