package primitive

import (
	"math"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/lower/hlo"
)

// ErfP is the error function, 2/√π ∫ exp(-t²) dt from 0 to x.
//
//	x [...] real float   →   [...] same dtype
//
// JVP: 2/√π exp(-x²) dx.
type ErfP struct{ realUnary }

// Name implements Primitive.
func (ErfP) Name() string { return "erf" }

// JVP implements vjp.Differentiable.
func (ErfP) JVP(x, dx []*array.Array) (y, dy []*array.Array, err error) {
	return single(Erf(x[0]), gaussian(2/math.SqrtPi, x[0], dx[0]))
}

// gaussian is c exp(-x²) dx.
func gaussian(c float64, x, dx *array.Array) *array.Array {
	return Mul(like(x, c), Mul(dx, Exp(Neg(Square(x)))))
}

// Lower implements Lowerable.
func (ErfP) Lower(b *hlo.Builder, in []*hlo.Value, out []array.Aval) ([]*hlo.Value, error) {
	return b.Op("chlo.erf", out[0], in), nil
}

// Erf returns the error function. See ErfP.
func Erf(x *array.Array) *array.Array { return Bind(ErfP{}, x) }

// ErfcP is 1 - erf(x), exact also where erf is near 1.
//
//	x [...] real float   →   [...] same dtype
//
// JVP: -2/√π exp(-x²) dx.
type ErfcP struct{ realUnary }

// Name implements Primitive.
func (ErfcP) Name() string { return "erfc" }

// JVP implements vjp.Differentiable.
func (ErfcP) JVP(x, dx []*array.Array) (y, dy []*array.Array, err error) {
	return single(Erfc(x[0]), gaussian(-2/math.SqrtPi, x[0], dx[0]))
}

// Lower implements Lowerable.
func (ErfcP) Lower(b *hlo.Builder, in []*hlo.Value, out []array.Aval) ([]*hlo.Value, error) {
	return b.Op("chlo.erfc", out[0], in), nil
}

// Erfc returns 1 - erf(x). See ErfcP.
func Erfc(x *array.Array) *array.Array { return Bind(ErfcP{}, x) }

// ErfInvP is the inverse of erf: ±∞ at ±1, NaN beyond.
//
//	x [...] real float   →   [...] same dtype
//
// JVP: √π/2 exp(y²) dx with y the result.
type ErfInvP struct{ realUnary }

// Name implements Primitive.
func (ErfInvP) Name() string { return "erf_inv" }

// JVP implements vjp.Differentiable.
func (ErfInvP) JVP(x, dx []*array.Array) (y, dy []*array.Array, err error) {
	r := ErfInv(x[0])
	return single(r, Mul(like(r, math.SqrtPi/2), Mul(dx[0], Exp(Square(r)))))
}

// Lower implements Lowerable.
func (ErfInvP) Lower(b *hlo.Builder, in []*hlo.Value, out []array.Aval) ([]*hlo.Value, error) {
	return b.Op("chlo.erf_inv", out[0], in), nil
}

// ErfInv returns the inverse of erf. See ErfInvP.
func ErfInv(x *array.Array) *array.Array { return Bind(ErfInvP{}, x) }

// LgammaP is the logarithm of |Γ(x)|; +∞ at the poles 0, -1, -2, …
//
//	x [...] real float   →   [...] same dtype
//
// JVP: digamma(x) dx.
type LgammaP struct{ realUnary }

// Name implements Primitive.
func (LgammaP) Name() string { return "lgamma" }

// JVP implements vjp.Differentiable.
func (LgammaP) JVP(x, dx []*array.Array) (y, dy []*array.Array, err error) {
	return single(Lgamma(x[0]), Mul(dx[0], Digamma(x[0])))
}

// Lower implements Lowerable.
func (LgammaP) Lower(b *hlo.Builder, in []*hlo.Value, out []array.Aval) ([]*hlo.Value, error) {
	return b.Op("chlo.lgamma", out[0], in), nil
}

// Lgamma returns the logarithm of |Γ(x)|. See LgammaP.
func Lgamma(x *array.Array) *array.Array { return Bind(LgammaP{}, x) }

// DigammaP is the derivative of log Γ(x); NaN at the poles.
//
//	x [...] real float   →   [...] same dtype
//
// JVP: polygamma(1, x) dx.
type DigammaP struct{ realUnary }

// Name implements Primitive.
func (DigammaP) Name() string { return "digamma" }

// JVP implements vjp.Differentiable.
func (DigammaP) JVP(x, dx []*array.Array) (y, dy []*array.Array, err error) {
	return single(Digamma(x[0]), Mul(dx[0], Polygamma(like(x[0], 1), x[0])))
}

// Lower implements Lowerable.
func (DigammaP) Lower(b *hlo.Builder, in []*hlo.Value, out []array.Aval) ([]*hlo.Value, error) {
	return b.Op("chlo.digamma", out[0], in), nil
}

// Digamma returns the derivative of log Γ(x). See DigammaP.
func Digamma(x *array.Array) *array.Array { return Bind(DigammaP{}, x) }

// PolygammaP is the derivative of order m of digamma; m is a whole number held in a float.
//
//	m, x [...] real float, one dtype and shape or a scalar   →   [...] same dtype
//
// JVP: polygamma(m+1, x) dx. It has no derivative in m.
type PolygammaP struct{ realBinary }

// Name implements Primitive.
func (PolygammaP) Name() string { return "polygamma" }

// JVP implements vjp.Differentiable.
func (PolygammaP) JVP(x, dx []*array.Array) (y, dy []*array.Array, err error) {
	if dx[0] != nil {
		return nil, nil, array.ArgumentErrorf("it has no derivative in its order: hold the order fixed with StopGradient")
	}
	return single(Polygamma(x[0], x[1]), Mul(dx[1], Polygamma(Add(x[0], like(x[0], 1)), x[1])))
}

// Lower implements Lowerable.
func (PolygammaP) Lower(b *hlo.Builder, in []*hlo.Value, out []array.Aval) ([]*hlo.Value, error) {
	return lowerNary(b, "chlo.polygamma", in, out)
}

// Polygamma returns the derivative of order m of digamma. See PolygammaP.
func Polygamma(m, x *array.Array) *array.Array { return Bind(PolygammaP{}, m, x) }

// ZetaP is the Hurwitz zeta function, Σ (q + k)^-x over k = 0, 1, 2, …
//
//	x, q [...] real float, one dtype and shape or a scalar   →   [...] same dtype
//
// JVP: -x zeta(x+1, q) dq. It has no derivative in x.
type ZetaP struct{ realBinary }

// Name implements Primitive.
func (ZetaP) Name() string { return "zeta" }

// JVP implements vjp.Differentiable.
func (ZetaP) JVP(x, dx []*array.Array) (y, dy []*array.Array, err error) {
	if dx[0] != nil {
		return nil, nil, array.ArgumentErrorf("it has no derivative in its exponent: hold the exponent fixed with StopGradient")
	}
	return single(Zeta(x[0], x[1]), Mul(dx[1], Mul(Neg(x[0]), Zeta(Add(x[0], like(x[0], 1)), x[1]))))
}

// Lower implements Lowerable.
func (ZetaP) Lower(b *hlo.Builder, in []*hlo.Value, out []array.Aval) ([]*hlo.Value, error) {
	return lowerNary(b, "chlo.zeta", in, out)
}

// Zeta returns the Hurwitz zeta function. See ZetaP.
func Zeta(x, q *array.Array) *array.Array { return Bind(ZetaP{}, x, q) }
