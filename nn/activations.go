package nn

import (
	"math"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/np"
	"github.com/pantograph-go/pantograph/primitive"
	"github.com/pantograph-go/pantograph/vjp"
)

// All activations are elementwise:
//
//	x [...] floating point (integers become float64)   →   [...] same dtype

// Relu is max(x, 0). Its derivative at 0 is 0.
func Relu(x any) *array.Array { return relu.Call(x) }

var relu = vjp.CustomJVP(
	func(x *array.Array) *array.Array { return x.Maximum(0) },
	func(x, dx *array.Array) (y, dy *array.Array) {
		return x.Maximum(0), primitive.Select(x.Greater(0), dx, primitive.Full(dx.Aval(), 0))
	})

// Relu6 is min(max(x, 0), 6), of integers too a floating-point number. Its derivative at 0 and 6 is 0.
func Relu6(x any) *array.Array { return relu6.Call(inexact(x)) }

var relu6 = vjp.CustomJVP(
	func(x *array.Array) *array.Array { return x.Maximum(0).Minimum(6) },
	func(x, dx *array.Array) (y, dy *array.Array) {
		return x.Maximum(0).Minimum(6), primitive.Select(x.Greater(0).And(x.Less(6)), dx, primitive.Full(dx.Aval(), 0))
	})

// Sigmoid is 1/(1 + e⁻ˣ).
func Sigmoid(x any) *array.Array { return primitive.Logistic(inexact(x)) }

// LogSigmoid is log(sigmoid(x)) = -softplus(-x).
func LogSigmoid(x any) *array.Array { return Softplus(inexact(x).Neg()).Neg() }

// Softplus is log(1 + eˣ). Its derivative is Sigmoid, also where x is NaN.
func Softplus(x any) *array.Array {
	v := inexact(x)
	if v.DType().IsComplex() {
		return np.Logaddexp(v, 0.0)
	}
	return softplus.Call(v)
}

var softplus = vjp.CustomJVP(
	func(x *array.Array) *array.Array { return np.Logaddexp(x, 0.0) },
	func(x, dx *array.Array) (y, dy *array.Array) {
		return np.Logaddexp(x, 0.0), dx.Mul(primitive.Logistic(x))
	})

// SoftSign is x/(1 + |x|).
func SoftSign(x any) *array.Array {
	v := inexact(x)
	return v.Div(v.Abs().Add(1))
}

// Silu is x sigmoid(x), also called swish.
func Silu(x any) *array.Array {
	v := inexact(x)
	return v.Mul(Sigmoid(v))
}

// Swish is Silu.
func Swish(x any) *array.Array { return Silu(x) }

// Mish is x tanh(softplus(x)) (Misra, arXiv:1908.08681).
func Mish(x any) *array.Array {
	v := inexact(x)
	return v.Mul(np.Tanh(Softplus(v)))
}

// Tanh is the hyperbolic tangent.
func Tanh(x any) *array.Array { return np.Tanh(x) }

// Identity returns x.
func Identity(x any) *array.Array { return np.Asarray(x) }

// Gelu is the Gaussian error linear unit x Φ(x) (Hendrycks and Gimpel, arXiv:1606.08415), in its approximation by tanh,
// x/2 (1 + tanh(√(2/π)(x + 0.044715 x³))). GeluExact computes Φ itself.
func Gelu(x any) *array.Array {
	v := inexact(x)
	inner := v.Add(v.Mul(v).Mul(v).Mul(0.044715)).Mul(math.Sqrt(2 / math.Pi))
	return v.Mul(np.Tanh(inner).Add(1.0).Mul(0.5))
}

// GeluExact is x Φ(x), with Φ the distribution function of the standard normal distribution.
func GeluExact(x any) *array.Array {
	v := inexact(x)
	return v.Mul(primitive.Erfc(v.Mul(-math.Sqrt(0.5)))).Mul(0.5)
}

// Elu is x above 0 and α(eˣ - 1) below (Clevert et al., arXiv:1511.07289).
func Elu(x any, alpha float64) *array.Array {
	v := inexact(x)
	safe := np.Where(v.Greater(0), 0.0, v)
	return np.Where(v.Greater(0), v, np.Expm1(safe).Mul(alpha))
}

// Celu is max(x, 0) + min(0, α(e^(x/α) - 1)) (Barron, arXiv:1704.07483).
func Celu(x any, alpha float64) *array.Array {
	v := inexact(x)
	safe := np.Where(v.Greater(0), 0.0, v)
	return np.Where(v.Greater(0), v, np.Expm1(safe.Div(alpha)).Mul(alpha))
}

// Selu is the self-normalising λ Elu(x, α) (Klambauer et al., arXiv:1706.02515).
func Selu(x any) *array.Array {
	const alpha, scale = 1.6732632423543772848170429916717, 1.0507009873554804934193349852946
	return Elu(x, alpha).Mul(scale)
}

// LeakyRelu is x above 0 and slope·x below; 0.01 is a common slope.
func LeakyRelu(x any, slope float64) *array.Array {
	v := inexact(x)
	return np.Where(v.GreaterEqual(0), v, v.Mul(slope))
}

// HardTanh is x cut to [-1, 1].
func HardTanh(x any) *array.Array {
	v := inexact(x)
	return np.Where(v.Greater(1), 1.0, np.Where(v.Less(-1), -1.0, v))
}

// HardSigmoid is relu6(x + 3)/6.
func HardSigmoid(x any) *array.Array { return Relu6(inexact(x).Add(3)).Div(6) }

// HardSilu is x HardSigmoid(x), also called hard swish.
func HardSilu(x any) *array.Array {
	v := inexact(x)
	return v.Mul(HardSigmoid(v))
}

// HardSwish is HardSilu.
func HardSwish(x any) *array.Array { return HardSilu(x) }

// Squareplus is (x + √(x² + b))/2 (Barron, arXiv:2112.11687); b = 4 gives 1 at 0.
func Squareplus(x any, b float64) *array.Array {
	v := inexact(x)
	return v.Add(np.Sqrt(v.Mul(v).Add(b))).Div(2)
}

// SparsePlus is 0 below -1, x above 1, and (x + 1)²/4 between.
func SparsePlus(x any) *array.Array {
	v := inexact(x)
	middle := v.Add(1).Mul(v.Add(1)).Div(4)
	return np.Where(v.LessEqual(-1), 0.0, np.Where(v.GreaterEqual(1), v, middle))
}

// SparseSigmoid is the derivative of SparsePlus: (x + 1)/2 cut to [0, 1].
func SparseSigmoid(x any) *array.Array {
	return np.Clip(inexact(x).Add(1.0).Mul(0.5), 0.0, 1.0)
}

// Log1mexp is log(1 - e⁻ˣ) for x > 0, computed so that it is accurate both near 0 and far from it (Mächler, Accurately
// computing log(1 - exp(-|a|)), 2012).
func Log1mexp(x any) *array.Array { return log1mexp.Call(inexact(x)) }

var log1mexp = vjp.CustomJVP(
	func(x *array.Array) *array.Array { return log1mexpOf(x) },
	func(x, dx *array.Array) (y, dy *array.Array) { return log1mexpOf(x), dx.Div(np.Expm1(x)) })

func log1mexpOf(x *array.Array) *array.Array {
	near := np.Log(np.Expm1(x.Neg()).Neg())
	far := np.Log1p(np.Exp(x.Neg()).Neg())
	return np.Where(x.Less(math.Ln2), near, far)
}

// Glu is the gated linear unit: the first half of axis times the sigmoid of the second.
func Glu(x any, axis int) *array.Array {
	v := inexact(x)
	halves := np.Split(v, 2, np.Axis(axis))
	return halves[0].Mul(Sigmoid(halves[1]))
}

// inexact makes x an array of a floating-point or complex dtype; a Go number stays weak.
func inexact(x any) *array.Array {
	v := np.Asarray(x)
	if !v.DType().IsInexact() {
		return v.AsType(np.Float64)
	}
	return v
}
