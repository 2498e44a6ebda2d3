package primitive

import (
	"math"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/lower/hlo"
)

// RegularizedIncompleteBetaP is the regularised incomplete beta function
//
//	I(x; a, b) = 1/B(a, b) ∫ t^(a-1) (1-t)^(b-1) dt from 0 to x
//
// NaN outside a, b ≥ 0 and 0 ≤ x ≤ 1; with a = 0 or b = ∞ all weight is at 0, with b = 0 or a = ∞ at 1.
//
//	a, b, x [...] real float, one dtype and shape or a scalar   →   [...] same dtype
//
// JVP: x^(a-1) (1-x)^(b-1) / B(a, b) dx. It has no derivative in a and b.
type RegularizedIncompleteBetaP struct{ realTernary }

// Name implements Primitive.
func (RegularizedIncompleteBetaP) Name() string { return "regularized_incomplete_beta" }

// JVP implements vjp.Differentiable.
func (RegularizedIncompleteBetaP) JVP(x, dx []*array.Array) (y, dy []*array.Array, err error) {
	if dx[0] != nil || dx[1] != nil {
		return nil, nil, array.ArgumentErrorf("it has no derivative in a and b: hold them fixed with StopGradient")
	}
	a, b, v := x[0], x[1], x[2]
	one := like(v, 1)
	log := Sub(Add(Mul(Sub(b, one), Log1p(Neg(v))), Mul(Sub(a, one), Log(v))), logBeta(a, b))
	return single(Betainc(a, b, v), Mul(dx[2], Exp(log)))
}

// Lower implements Lowerable.
func (RegularizedIncompleteBetaP) Lower(b *hlo.Builder, in []*hlo.Value, out []array.Aval) ([]*hlo.Value, error) {
	return inFloat64(b, in, out[0], func(in []*array.Array) *array.Array {
		return incompleteBeta(in[0], in[1], in[2], tolerance(out[0].DType))
	})
}

// Betainc returns the regularised incomplete beta function. See RegularizedIncompleteBetaP.
func Betainc(a, b, x *array.Array) *array.Array {
	return Bind(RegularizedIncompleteBetaP{}, a, b, x)
}

// logBeta is the logarithm of B(a, b).
func logBeta(a, b *array.Array) *array.Array {
	return Sub(Add(Lgamma(a), Lgamma(b)), Lgamma(Add(a, b)))
}

func incompleteBeta(a, b, x *array.Array, tol float64) *array.Array {
	zero, one, inf := like(x, 0), like(x, 1), like(x, math.Inf(1))
	outside := Not(And(And(Ge(a, zero), Ge(b, zero)), And(Ge(x, zero), Le(x, one))))
	atZero, atOne := Or(Eq(a, zero), Eq(b, inf)), Or(Eq(b, zero), Eq(a, inf)) // where all the weight is
	outside = Or(outside, And(atZero, atOne))
	low := Or(And(atOne, Ne(x, one)), And(Eq(x, zero), Not(atZero)))
	high := Or(And(atZero, Ne(x, zero)), And(Eq(x, one), Not(atOne)))
	low, high = Or(low, And(atZero, Eq(x, zero))), Or(high, And(atOne, Eq(x, one)))

	edge := Or(outside, Or(low, high))
	a, b = Select(edge, fullLike(a, 1), a), Select(edge, fullLike(b, 1), b)
	x = Select(edge, fullLike(x, 0.5), x)
	// The fraction converges fast to the left of the mean; I(x; a, b) = 1 - I(1-x; b, a) (DLMF 8.17.4).
	direct := Lt(x, Div(Add(a, one), Add(Add(a, b), like(x, 2))))
	p, q, v := Select(direct, a, b), Select(direct, b, a), Select(direct, x, Sub(one, x))
	logV, logRest := Select(direct, Log(x), Log1p(Neg(x))), Select(direct, Log1p(Neg(x)), Log(x))
	scale := Exp(Sub(Add(Mul(p, logV), Mul(q, logRest)), Sub(Add(Lgamma(Add(p, one)), Lgamma(q)), Lgamma(Add(p, q)))))
	y := Mul(betaFraction(p, q, v, tol), scale)
	y = Select(direct, y, Sub(one, y))
	y = Select(low, fullLike(y, 0), Select(high, fullLike(y, 1), y))
	return Select(outside, fullLike(y, math.NaN()), y)
}

// betaFraction is the continued fraction 1/(1 + d₁/(1 + d₂/(1 + … of DLMF 8.17.22, by the method of Lentz in the form of
// Thompson and Barnett (J. Comput. Phys. 64, 1986). It needs some √max(a, b) steps.
func betaFraction(a, b, x *array.Array, tol float64) *array.Array {
	const small, most = 1e-300, 10_000
	one := like(x, 1)
	away := func(v *array.Array) *array.Array {
		return Select(Lt(Abs(v), like(x, small)), fullLike(x, small), v)
	}
	apb := Add(a, b)
	d := Div(one, away(Sub(one, Div(Mul(apb, x), Add(a, one)))))
	state := []*array.Array{fullTrue(x), like(x, 0), fullLike(x, 1), d, d}
	out := loop(state, func(s []*array.Array) *array.Array {
		return And(anyOf(s[0]), Lt(s[1], like(x, most)))
	}, func(s []*array.Array) []*array.Array {
		active, m, c, d, h := s[0], Add(s[1], one), s[2], s[3], s[4]
		twice := Add(a, Mul(m, like(x, 2))) // a + 2m
		turn := func(e *array.Array) *array.Array {
			d = Div(one, away(Add(one, Mul(e, d))))
			c = away(Add(one, Div(e, c)))
			step := Mul(c, d)
			h = Mul(h, step)
			return step
		}
		turn(Div(Mul(Mul(m, Sub(b, m)), x), Mul(Sub(twice, one), twice)))
		step := turn(Neg(Div(Mul(Mul(Add(a, m), Add(apb, m)), x), Mul(twice, Add(twice, one)))))
		going := And(active, Gt(Abs(Sub(step, one)), like(x, 2*tol)))
		return append([]*array.Array{going, m}, selectState(active, []*array.Array{c, d, h}, s[2:])...)
	})
	return out[4]
}
