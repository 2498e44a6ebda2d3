package primitive

import (
	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/lower/hlo"
)

// SinP is the sine.
//
//	x [...] float or complex   →   [...] same dtype
//
// JVP: cos(x) dx.
type SinP struct{ floatUnary }

// Name implements Primitive.
func (SinP) Name() string { return "sin" }

// JVP implements vjp.Differentiable.
func (SinP) JVP(x, dx []*array.Array) (y, dy []*array.Array, err error) {
	return single(Sin(x[0]), Mul(dx[0], Cos(x[0])))
}

// Lower implements Lowerable.
func (SinP) Lower(b *hlo.Builder, in []*hlo.Value, out []array.Aval) ([]*hlo.Value, error) {
	if out[0].DType.IsComplex() {
		return compose(b, in, func(in []*array.Array) []*array.Array {
			c := circle(in[0])
			zero := fullLike(c.sin, 0)
			im := Mul(c.cos, c.sinh)
			return []*array.Array{Complex(Select(c.axis, zero, Mul(c.sin, c.cosh)), im)}
		})
	}
	return b.Op("stablehlo.sine", out[0], in), nil
}

// Sin returns the sine. See SinP.
func Sin(x *array.Array) *array.Array { return Bind(SinP{}, x) }

// CosP is the cosine.
//
//	x [...] float or complex   →   [...] same dtype
//
// JVP: -sin(x) dx.
type CosP struct{ floatUnary }

// Name implements Primitive.
func (CosP) Name() string { return "cos" }

// JVP implements vjp.Differentiable.
func (CosP) JVP(x, dx []*array.Array) (y, dy []*array.Array, err error) {
	return single(Cos(x[0]), Neg(Mul(dx[0], Sin(x[0]))))
}

// Lower implements Lowerable.
func (CosP) Lower(b *hlo.Builder, in []*hlo.Value, out []array.Aval) ([]*hlo.Value, error) {
	if out[0].DType.IsComplex() {
		return compose(b, in, func(in []*array.Array) []*array.Array {
			c := circle(in[0])
			zero := fullLike(c.sin, 0)
			re := Mul(c.cos, c.cosh)
			return []*array.Array{Complex(re, Select(c.axis, zero, Mul(Neg(c.sin), c.sinh)))}
		})
	}
	return b.Op("stablehlo.cosine", out[0], in), nil
}

// complexAngle are the functions that sine and cosine of a + bi are made of.
type complexAngle struct {
	sin, cos   *array.Array // of a
	sinh, cosh *array.Array // of b
	axis       *array.Array // a is zero: there a zero must not meet an infinite sinh or cosh
}

// circle takes sinh and cosh from expm1, which is exact for small b.
func circle(z *array.Array) complexAngle {
	a, b := Real(z), Imag(z)
	up, down, two := Expm1(b), Expm1(Neg(b)), like(b, 2)
	return complexAngle{
		sin: Sin(a), cos: Cos(a),
		sinh: Div(Sub(up, down), two), cosh: Div(Add(Add(up, down), two), two),
		axis: Eq(a, like(a, 0)),
	}
}

// Cos returns the cosine. See CosP.
func Cos(x *array.Array) *array.Array { return Bind(CosP{}, x) }

// TanP is the tangent.
//
//	x [...] float or complex   →   [...] same dtype
//
// JVP: (1 + tan²(x)) dx.
type TanP struct{ floatUnary }

// Name implements Primitive.
func (TanP) Name() string { return "tan" }

// JVP implements vjp.Differentiable.
func (TanP) JVP(x, dx []*array.Array) (y, dy []*array.Array, err error) {
	t := Tan(x[0])
	return single(t, Mul(dx[0], Add(like(t, 1), Square(t))))
}

// Lower implements Lowerable.
func (TanP) Lower(b *hlo.Builder, in []*hlo.Value, out []array.Aval) ([]*hlo.Value, error) {
	return b.Op("stablehlo.tan", out[0], in), nil
}

// Tan returns the tangent. See TanP.
func Tan(x *array.Array) *array.Array { return Bind(TanP{}, x) }

// AsinP is the arc sine, in [-π/2, π/2]; of a real number beyond ±1 NaN.
//
//	x [...] float or complex   →   [...] same dtype
//
// JVP: dx / √(1 - x²).
type AsinP struct{ floatUnary }

// Name implements Primitive.
func (AsinP) Name() string { return "asin" }

// JVP implements vjp.Differentiable.
func (AsinP) JVP(x, dx []*array.Array) (y, dy []*array.Array, err error) {
	return single(Asin(x[0]), Mul(dx[0], Rsqrt(Sub(like(x[0], 1), Square(x[0])))))
}

// Lower implements Lowerable.
func (AsinP) Lower(b *hlo.Builder, in []*hlo.Value, out []array.Aval) ([]*hlo.Value, error) {
	return b.Op("chlo.asin", out[0], in), nil
}

// Asin returns the arc sine. See AsinP.
func Asin(x *array.Array) *array.Array { return Bind(AsinP{}, x) }

// AcosP is the arc cosine, in [0, π]; of a real number beyond ±1 NaN.
//
//	x [...] float or complex   →   [...] same dtype
//
// JVP: -dx / √(1 - x²).
type AcosP struct{ floatUnary }

// Name implements Primitive.
func (AcosP) Name() string { return "acos" }

// JVP implements vjp.Differentiable.
func (AcosP) JVP(x, dx []*array.Array) (y, dy []*array.Array, err error) {
	return single(Acos(x[0]), Mul(dx[0], Neg(Rsqrt(Sub(like(x[0], 1), Square(x[0]))))))
}

// Lower implements Lowerable.
func (AcosP) Lower(b *hlo.Builder, in []*hlo.Value, out []array.Aval) ([]*hlo.Value, error) {
	return b.Op("chlo.acos", out[0], in), nil
}

// Acos returns the arc cosine. See AcosP.
func Acos(x *array.Array) *array.Array { return Bind(AcosP{}, x) }

// AtanP is the arc tangent, in [-π/2, π/2].
//
//	x [...] float or complex   →   [...] same dtype
//
// JVP: dx / (1 + x²).
type AtanP struct{ floatUnary }

// Name implements Primitive.
func (AtanP) Name() string { return "atan" }

// JVP implements vjp.Differentiable.
func (AtanP) JVP(x, dx []*array.Array) (y, dy []*array.Array, err error) {
	return single(Atan(x[0]), Div(dx[0], Add(like(x[0], 1), Square(x[0]))))
}

// Lower implements Lowerable.
func (AtanP) Lower(b *hlo.Builder, in []*hlo.Value, out []array.Aval) ([]*hlo.Value, error) {
	return b.Op("chlo.atan", out[0], in), nil
}

// Atan returns the arc tangent. See AtanP.
func Atan(x *array.Array) *array.Array { return Bind(AtanP{}, x) }

// Atan2P is the angle of the point (y, x) of the plane, with x the ordinate: in (-π, π].
//
//	x, y [...] float or complex, one dtype and shape or a scalar   →   [...] same dtype
//
// JVP: (y dx - x dy) / (x² + y²).
type Atan2P struct{ floatBinary }

// Name implements Primitive.
func (Atan2P) Name() string { return "atan2" }

// JVP implements vjp.Differentiable.
func (Atan2P) JVP(x, dx []*array.Array) (y, dy []*array.Array, err error) {
	norm := Add(Square(x[0]), Square(x[1]))
	var l, r *array.Array
	if dx[0] != nil {
		l = Mul(dx[0], Div(x[1], norm))
	}
	if dx[1] != nil {
		r = Mul(dx[1], Div(Neg(x[0]), norm))
	}
	return single(Atan2(x[0], x[1]), addTangents(l, r))
}

// Lower implements Lowerable.
func (Atan2P) Lower(b *hlo.Builder, in []*hlo.Value, out []array.Aval) ([]*hlo.Value, error) {
	return lowerNary(b, "stablehlo.atan2", in, out)
}

// Atan2 returns the angle of the point with ordinate x and abscissa y. See Atan2P.
func Atan2(x, y *array.Array) *array.Array { return Bind(Atan2P{}, x, y) }
