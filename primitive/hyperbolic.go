package primitive

import (
	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/lower/hlo"
)

// SinhP is the hyperbolic sine.
//
//	x [...] float or complex   →   [...] same dtype
//
// JVP: cosh(x) dx.
type SinhP struct{ floatUnary }

// Name implements Primitive.
func (SinhP) Name() string { return "sinh" }

// JVP implements vjp.Differentiable.
func (SinhP) JVP(x, dx []*array.Array) (y, dy []*array.Array, err error) {
	return single(Sinh(x[0]), Mul(dx[0], Cosh(x[0])))
}

// Lower implements Lowerable.
func (SinhP) Lower(b *hlo.Builder, in []*hlo.Value, out []array.Aval) ([]*hlo.Value, error) {
	return b.Op("chlo.sinh", out[0], in), nil
}

// Sinh returns the hyperbolic sine. See SinhP.
func Sinh(x *array.Array) *array.Array { return Bind(SinhP{}, x) }

// CoshP is the hyperbolic cosine.
//
//	x [...] float or complex   →   [...] same dtype
//
// JVP: sinh(x) dx.
type CoshP struct{ floatUnary }

// Name implements Primitive.
func (CoshP) Name() string { return "cosh" }

// JVP implements vjp.Differentiable.
func (CoshP) JVP(x, dx []*array.Array) (y, dy []*array.Array, err error) {
	return single(Cosh(x[0]), Mul(dx[0], Sinh(x[0])))
}

// Lower implements Lowerable.
func (CoshP) Lower(b *hlo.Builder, in []*hlo.Value, out []array.Aval) ([]*hlo.Value, error) {
	return b.Op("chlo.cosh", out[0], in), nil
}

// Cosh returns the hyperbolic cosine. See CoshP.
func Cosh(x *array.Array) *array.Array { return Bind(CoshP{}, x) }

// TanhP is the hyperbolic tangent.
//
//	x [...] float or complex   →   [...] same dtype
//
// JVP: (1 + y) (1 - y) dx with y the result; so factored it stays exact near ±1.
type TanhP struct{ floatUnary }

// Name implements Primitive.
func (TanhP) Name() string { return "tanh" }

// JVP implements vjp.Differentiable.
func (TanhP) JVP(x, dx []*array.Array) (y, dy []*array.Array, err error) {
	t := Tanh(x[0])
	return single(t, Mul(Add(dx[0], Mul(dx[0], t)), Sub(like(t, 1), t)))
}

// Lower implements Lowerable.
func (TanhP) Lower(b *hlo.Builder, in []*hlo.Value, out []array.Aval) ([]*hlo.Value, error) {
	return b.Op("stablehlo.tanh", out[0], in), nil
}

// Tanh returns the hyperbolic tangent. See TanhP.
func Tanh(x *array.Array) *array.Array { return Bind(TanhP{}, x) }

// AsinhP is the inverse of sinh.
//
//	x [...] float or complex   →   [...] same dtype
//
// JVP: dx / √(x² + 1).
type AsinhP struct{ floatUnary }

// Name implements Primitive.
func (AsinhP) Name() string { return "asinh" }

// JVP implements vjp.Differentiable.
func (AsinhP) JVP(x, dx []*array.Array) (y, dy []*array.Array, err error) {
	return single(Asinh(x[0]), Mul(dx[0], Rsqrt(Add(Square(x[0]), like(x[0], 1)))))
}

// Lower implements Lowerable.
func (AsinhP) Lower(b *hlo.Builder, in []*hlo.Value, out []array.Aval) ([]*hlo.Value, error) {
	return b.Op("chlo.asinh", out[0], in), nil
}

// Asinh returns the inverse of sinh. See AsinhP.
func Asinh(x *array.Array) *array.Array { return Bind(AsinhP{}, x) }

// AcoshP is the inverse of cosh, not negative; of a real number below 1 NaN.
//
//	x [...] float or complex   →   [...] same dtype
//
// JVP: dx / √(x² - 1), as in JAX; of complex numbers that is the derivative to the right of the imaginary axis, and has
// the other sign to the left of it.
type AcoshP struct{ floatUnary }

// Name implements Primitive.
func (AcoshP) Name() string { return "acosh" }

// JVP implements vjp.Differentiable.
func (AcoshP) JVP(x, dx []*array.Array) (y, dy []*array.Array, err error) {
	return single(Acosh(x[0]), Mul(dx[0], Rsqrt(Sub(Square(x[0]), like(x[0], 1)))))
}

// Lower implements Lowerable.
func (AcoshP) Lower(b *hlo.Builder, in []*hlo.Value, out []array.Aval) ([]*hlo.Value, error) {
	return b.Op("chlo.acosh", out[0], in), nil
}

// Acosh returns the inverse of cosh. See AcoshP.
func Acosh(x *array.Array) *array.Array { return Bind(AcoshP{}, x) }

// AtanhP is the inverse of tanh; of a real number beyond ±1 NaN.
//
//	x [...] float or complex   →   [...] same dtype
//
// JVP: dx / ((1 + x) (1 - x)).
type AtanhP struct{ floatUnary }

// Name implements Primitive.
func (AtanhP) Name() string { return "atanh" }

// JVP implements vjp.Differentiable.
func (AtanhP) JVP(x, dx []*array.Array) (y, dy []*array.Array, err error) {
	one := like(x[0], 1)
	return single(Atanh(x[0]), Mul(IntegerPow(Add(one, x[0]), -1), Div(dx[0], Sub(one, x[0]))))
}

// Lower implements Lowerable.
func (AtanhP) Lower(b *hlo.Builder, in []*hlo.Value, out []array.Aval) ([]*hlo.Value, error) {
	return b.Op("chlo.atanh", out[0], in), nil
}

// Atanh returns the inverse of tanh. See AtanhP.
func Atanh(x *array.Array) *array.Array { return Bind(AtanhP{}, x) }
