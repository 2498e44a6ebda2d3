package primitive

import (
	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/lower/hlo"
)

// PowP is x to the power y.
//
//	x [...] float or complex, y [...] of x's dtype or integer, one shape or a scalar   →   [...] dtype of x
//
// JVP: y x^(y-1) dx + log(x) x^y dy, where log(0) counts as 0. For an integer y the first term is zero at y = 0.
type PowP struct{ elementwise }

// Name implements Primitive.
func (PowP) Name() string { return "pow" }

// Shape implements Primitive.
func (PowP) Shape(in []array.Aval) ([]array.Aval, error) {
	if len(in) != 2 {
		return nil, array.ArgumentErrorf("takes 2 operands, got %d", len(in))
	}
	x, y := in[0], in[1]
	if !x.DType.IsInexact() {
		return nil, array.DTypeErrorf("base is %s; it takes floating-point and complex numbers: convert with AsType, or use IntegerPow", x.DType)
	}
	if y.DType != x.DType && !y.DType.IsInteger() {
		return nil, array.DTypeErrorf("base is %s, exponent is %s; the exponent must have the base's dtype or be an integer: convert one of them with AsType", x, y)
	}
	shape, err := commonShape([]string{"base", "exponent"}, in)
	if err != nil {
		return nil, err
	}
	return []array.Aval{{Shape: shape, DType: x.DType, Weak: x.Weak && y.Weak}}, nil
}

// JVP implements vjp.Differentiable.
func (PowP) JVP(x, dx []*array.Array) (y, dy []*array.Array, err error) {
	base, exp := x[0], x[1]
	z := Pow(base, exp)
	var l, r *array.Array
	if dx[0] != nil {
		l = Mul(dx[0], powerRule(base, exp, z.Shape()))
	}
	if dx[1] != nil {
		r = Mul(dx[1], Mul(Log(replaceZero(base)), z))
	}
	return single(z, addTangents(l, r))
}

// powerRule is y x^(y-1).
func powerRule(x, y *array.Array, shape array.Shape) *array.Array {
	if !y.DType().IsInteger() {
		return Mul(y, Pow(x, Sub(y, like(y, 1))))
	}
	x, y = spread(x, shape), spread(Convert(y, x.DType()), shape)
	return Select(Eq(y, like(y, 0)), fullLike(y, 0), Mul(replaceZero(y), Pow(x, Sub(y, like(y, 1)))))
}

// Lower implements Lowerable.
func (PowP) Lower(b *hlo.Builder, in []*hlo.Value, out []array.Aval) ([]*hlo.Value, error) {
	x, y := in[0], in[1]
	if d := out[0].DType; y.Tensor().Elem != d {
		y = b.Op1("stablehlo.convert", array.Aval{Shape: y.Tensor().Shape, DType: d}, nil, y)
	}
	return lowerNary(b, "stablehlo.power", []*hlo.Value{x, y}, out)
}

// Pow returns x to the power y. See PowP.
func Pow(x, y *array.Array) *array.Array { return Bind(PowP{}, x, y) }

// IntegerPowP is x to a fixed integer power, by repeated multiplication.
//
//	x [...] number   →   [...] same dtype; an integer x only with Y >= 0
//
// JVP: Y x^(Y-1) dx.
type IntegerPowP struct {
	elementwise
	Y int
}

// Name implements Primitive.
func (IntegerPowP) Name() string { return "integer_pow" }

// Params implements Parametric.
func (p IntegerPowP) Params() []Param { return []Param{{"y", p.Y}} }

// Shape implements Primitive.
func (p IntegerPowP) Shape(in []array.Aval) ([]array.Aval, error) {
	a, err := sameOperands(in, 1, numbers)
	if err == nil && p.Y < 0 && a.DType.IsInteger() {
		err = array.DTypeErrorf("an operand of type %s cannot be raised to the negative power %d: convert to a floating-point type first", a, p.Y)
	}
	return one(a, err)
}

// JVP implements vjp.Differentiable.
func (p IntegerPowP) JVP(x, dx []*array.Array) (y, dy []*array.Array, err error) {
	v, dv := x[0], dx[0]
	z := Bind(p, v)
	switch p.Y {
	case 0:
		return single(z, nil)
	case 1:
		return single(z, dv)
	case 2:
		return single(z, Mul(dv, Mul(like(v, 2), v)))
	}
	return single(z, Mul(dv, Mul(like(v, float64(p.Y)), IntegerPow(v, p.Y-1))))
}

// Lower implements Lowerable.
func (p IntegerPowP) Lower(b *hlo.Builder, in []*hlo.Value, _ []array.Aval) ([]*hlo.Value, error) {
	return compose(b, in, func(in []*array.Array) []*array.Array { return []*array.Array{multiplied(in[0], p.Y)} })
}

// multiplied is x^n by squaring.
func multiplied(x *array.Array, n int) *array.Array {
	if n == 3 {
		return Mul(Mul(x, x), x)
	}
	reciprocal := n < 0
	if reciprocal {
		n = -n
	}
	var acc *array.Array
	for ; n > 0; n >>= 1 {
		if n&1 == 1 {
			if acc == nil {
				acc = x
			} else {
				acc = Mul(acc, x)
			}
		}
		if n > 1 {
			x = Mul(x, x)
		}
	}
	switch {
	case acc == nil:
		return fullLike(x, 1)
	case reciprocal:
		return Div(like(acc, 1), acc)
	}
	return acc
}

// IntegerPow returns x to the power n. See IntegerPowP.
func IntegerPow(x *array.Array, n int) *array.Array { return Bind(IntegerPowP{Y: n}, x) }

// SqrtP is the square root; of a negative real number NaN.
//
//	x [...] float or complex   →   [...] same dtype
//
// JVP: dx / (2 √x).
type SqrtP struct{ floatUnary }

// Name implements Primitive.
func (SqrtP) Name() string { return "sqrt" }

// JVP implements vjp.Differentiable.
func (SqrtP) JVP(x, dx []*array.Array) (y, dy []*array.Array, err error) {
	r := Sqrt(x[0])
	return single(r, Mul(dx[0], Div(like(x[0], 0.5), r)))
}

// Lower implements Lowerable.
func (SqrtP) Lower(b *hlo.Builder, in []*hlo.Value, out []array.Aval) ([]*hlo.Value, error) {
	return b.Op("stablehlo.sqrt", out[0], in), nil
}

// Sqrt returns the square root. See SqrtP.
func Sqrt(x *array.Array) *array.Array { return Bind(SqrtP{}, x) }

// RsqrtP is 1 / √x.
//
//	x [...] float or complex   →   [...] same dtype
//
// JVP: -dx / (2 x √x).
type RsqrtP struct{ floatUnary }

// Name implements Primitive.
func (RsqrtP) Name() string { return "rsqrt" }

// JVP implements vjp.Differentiable.
func (RsqrtP) JVP(x, dx []*array.Array) (y, dy []*array.Array, err error) {
	r := Rsqrt(x[0])
	return single(r, Mul(dx[0], Mul(like(x[0], -0.5), Div(r, x[0]))))
}

// Lower implements Lowerable.
func (RsqrtP) Lower(b *hlo.Builder, in []*hlo.Value, out []array.Aval) ([]*hlo.Value, error) {
	return b.Op("stablehlo.rsqrt", out[0], in), nil
}

// Rsqrt returns 1 / √x. See RsqrtP.
func Rsqrt(x *array.Array) *array.Array { return Bind(RsqrtP{}, x) }

// CbrtP is the real cube root, negative of a negative number.
//
//	x [...] real float   →   [...] same dtype
//
// JVP: dx / (3 y²) with y the root.
type CbrtP struct{ realUnary }

// Name implements Primitive.
func (CbrtP) Name() string { return "cbrt" }

// JVP implements vjp.Differentiable.
func (CbrtP) JVP(x, dx []*array.Array) (y, dy []*array.Array, err error) {
	r := Cbrt(x[0])
	return single(r, Mul(dx[0], Mul(like(x[0], 1.0/3), IntegerPow(r, -2))))
}

// Lower implements Lowerable.
func (CbrtP) Lower(b *hlo.Builder, in []*hlo.Value, out []array.Aval) ([]*hlo.Value, error) {
	return b.Op("stablehlo.cbrt", out[0], in), nil
}

// Cbrt returns the real cube root. See CbrtP.
func Cbrt(x *array.Array) *array.Array { return Bind(CbrtP{}, x) }
