package primitive

import (
	"math"
	"slices"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/lower/hlo"
)

// IgammaP is the regularised lower incomplete gamma function
//
//	P(a, x) = 1/Γ(a) ∫ t^(a-1) e^-t dt from 0 to x
//
// NaN outside a ≥ 0, x ≥ 0, and where both are 0.
//
//	a, x [...] real float, one dtype and shape or a scalar   →   [...] same dtype
//
// JVP: igamma_grad_a(a, x) da + x^(a-1) e^-x / Γ(a) dx.
type IgammaP struct{ realBinary }

// Name implements Primitive.
func (IgammaP) Name() string { return "igamma" }

// JVP implements vjp.Differentiable.
func (IgammaP) JVP(x, dx []*array.Array) (y, dy []*array.Array, err error) {
	return single(Igamma(x[0], x[1]), igammaTangent(x, dx))
}

// Lower implements Lowerable.
func (IgammaP) Lower(b *hlo.Builder, in []*hlo.Value, out []array.Aval) ([]*hlo.Value, error) {
	return inFloat64(b, in, out[0], func(in []*array.Array) *array.Array {
		return incompleteGamma(in[0], in[1], tolerance(out[0].DType), false)
	})
}

// Igamma returns the regularised lower incomplete gamma function. See IgammaP.
func Igamma(a, x *array.Array) *array.Array { return Bind(IgammaP{}, a, x) }

// IgammacP is 1 - igamma(a, x), exact also where igamma is near 1.
//
//	a, x [...] real float, one dtype and shape or a scalar   →   [...] same dtype
//
// JVP: that of igamma, negative.
type IgammacP struct{ realBinary }

// Name implements Primitive.
func (IgammacP) Name() string { return "igammac" }

// JVP implements vjp.Differentiable.
func (IgammacP) JVP(x, dx []*array.Array) (y, dy []*array.Array, err error) {
	return single(Igammac(x[0], x[1]), Neg(igammaTangent(x, dx)))
}

// Lower implements Lowerable.
func (IgammacP) Lower(b *hlo.Builder, in []*hlo.Value, out []array.Aval) ([]*hlo.Value, error) {
	return inFloat64(b, in, out[0], func(in []*array.Array) *array.Array {
		return incompleteGamma(in[0], in[1], tolerance(out[0].DType), true)
	})
}

// Igammac returns the regularised upper incomplete gamma function. See IgammacP.
func Igammac(a, x *array.Array) *array.Array { return Bind(IgammacP{}, a, x) }

func igammaTangent(x, dx []*array.Array) *array.Array {
	var byA, byX *array.Array
	if dx[0] != nil {
		byA = Mul(dx[0], IgammaGradA(x[0], x[1]))
	}
	if dx[1] != nil {
		byX = Mul(dx[1], gammaDensity(x[0], x[1]))
	}
	return addTangents(byA, byX)
}

// gammaDensity is x^(a-1) e^-x / Γ(a), the derivative of igamma in x.
func gammaDensity(a, x *array.Array) *array.Array {
	return Exp(Sub(Sub(Mul(Sub(a, like(a, 1)), Log(x)), x), Lgamma(a)))
}

// IgammaGradAP is the derivative of igamma(a, x) in a, and, Further times, that one's. NaN outside a > 0, x ≥ 0.
//
//	a, x [...] real float, one dtype and shape or a scalar   →   [...] same dtype
//
// JVP: the further derivative da + the derivative in a of x^(a-1) e^-x / Γ(a) dx.
type IgammaGradAP struct {
	realBinary
	Further int
}

// Name implements Primitive.
func (IgammaGradAP) Name() string { return "igamma_grad_a" }

// Params implements Parametric.
func (p IgammaGradAP) Params() []Param { return further(p.Further) }

// further is the parameter of derivatives in a, which the first of them does not show.
func further(n int) []Param {
	if n == 0 {
		return nil
	}
	return []Param{{"further", n}}
}

// JVP implements vjp.Differentiable.
func (p IgammaGradAP) JVP(x, dx []*array.Array) (y, dy []*array.Array, err error) {
	var byA, byX *array.Array
	if dx[0] != nil {
		byA = Mul(dx[0], Bind(IgammaGradAP{Further: p.Further + 1}, x...))
	}
	if dx[1] != nil {
		byX = Mul(dx[1], Mul(gammaDensity(x[0], x[1]), densityRatio(x[0], x[1], p.Further+1)))
	}
	return single(Bind(p, x...), addTangents(byA, byX))
}

// Lower implements Lowerable.
func (p IgammaGradAP) Lower(b *hlo.Builder, in []*hlo.Value, out []array.Aval) ([]*hlo.Value, error) {
	return inFloat64(b, in, out[0], func(in []*array.Array) *array.Array {
		ratio := gammaShapeDerivative(in[0], in[1], p.Further+1, tolerance(out[0].DType))
		density := gammaDensity(in[0], in[1])
		none := Or(Eq(in[1], like(in[1], 0)), Eq(in[1], like(in[1], math.Inf(1))))
		return Select(And(none, Gt(in[0], like(in[0], 0))), fullLike(ratio, 0), Mul(ratio, density))
	})
}

// IgammaGradA returns the derivative of Igamma in a. See IgammaGradAP.
func IgammaGradA(a, x *array.Array) *array.Array { return Bind(IgammaGradAP{}, a, x) }

// RandomGammaGradP is the derivative dx/da of a sample x of the gamma distribution of shape a at constant probability:
//
//	-(∂P/∂a) / (∂P/∂x)   with P = igamma(a, x)
//
// and, with Further, the same of further derivatives of P in a. 0 where x is 0; NaN outside a > 0, x ≥ 0.
//
//	a, x [...] real float, one dtype and shape or a scalar   →   [...] same dtype
//
// JVP: the derivative of that quotient.
type RandomGammaGradP struct {
	realBinary
	Further int
}

// Name implements Primitive.
func (RandomGammaGradP) Name() string { return "random_gamma_grad" }

// Params implements Parametric.
func (p RandomGammaGradP) Params() []Param { return further(p.Further) }

// JVP implements vjp.Differentiable.
func (p RandomGammaGradP) JVP(x, dx []*array.Array) (y, dy []*array.Array, err error) {
	a, v := x[0], x[1]
	s := Bind(p, a, v)
	value := s
	if a.DType().Bits() < 32 { // the terms cancel
		dx = slices.Clone(dx)
		for i := range dx {
			if dx[i] != nil {
				dx[i] = Convert(dx[i], array.Float32)
			}
		}
		a, v = Convert(a, array.Float32), Convert(v, array.Float32)
		s = Bind(p, a, v)
	}
	var byA, byX *array.Array
	if dx[0] != nil {
		byA = Mul(dx[0], Sub(Bind(RandomGammaGradP{Further: p.Further + 1}, a, v), Mul(s, densityRatio(a, v, 1))))
	}
	if dx[1] != nil {
		slope := Sub(Div(Sub(a, like(a, 1)), v), like(v, 1)) // of the logarithm of the density
		byX = Mul(dx[1], Neg(Add(densityRatio(a, v, p.Further+1), Mul(s, slope))))
	}
	tangent := addTangents(byA, byX)
	if tangent.DType() != value.DType() {
		tangent = Convert(tangent, value.DType())
	}
	return single(value, tangent)
}

// Lower implements Lowerable.
func (p RandomGammaGradP) Lower(b *hlo.Builder, in []*hlo.Value, out []array.Aval) ([]*hlo.Value, error) {
	return inFloat64(b, in, out[0], func(in []*array.Array) *array.Array {
		return Neg(gammaShapeDerivative(in[0], in[1], p.Further+1, tolerance(out[0].DType)))
	})
}

// RandomGammaGrad returns the derivative of a gamma sample x in its shape a. See RandomGammaGradP.
func RandomGammaGrad(a, x *array.Array) *array.Array { return Bind(RandomGammaGradP{}, a, x) }

// densityRatio is the n-th derivative of x^(a-1) e^-x / Γ(a) in a, over the density itself.
func densityRatio(a, x *array.Array, n int) *array.Array {
	r := shapeFactor(a, x, n)[n]
	return Mul(r, like(r, factorial(n)))
}

func factorial(n int) float64 { return math.Gamma(float64(n + 1)) }

// shapeFactor is x^a/Γ(a) over its value, as a series in a: the exponential of that of its logarithm, whose derivatives are
// log x - ψ(a), -ψ'(a), …
func shapeFactor(a, x *array.Array, order int) jet {
	log := jet{nil}
	for k := 1; k <= order; k++ {
		if k == 1 {
			log = append(log, Sub(Log(x), Digamma(a)))
			continue
		}
		d := Polygamma(like(a, float64(k-1)), a)
		log = append(log, Mul(d, like(d, -1/factorial(k))))
	}
	return log.exp(Sub(Add(a, x), Add(a, x)))
}
