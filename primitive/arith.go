package primitive

import (
	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/lower/hlo"
)

// NegP is -x.
//
//	x [...] number   →   [...] same dtype; integers wrap
//
// JVP: linear.
type NegP struct{ numberUnary }

// Name implements Primitive.
func (NegP) Name() string { return "neg" }

// JVP implements vjp.Differentiable.
func (p NegP) JVP(x, dx []*array.Array) (y, dy []*array.Array, err error) {
	return single(Neg(x[0]), Neg(dx[0]))
}

// Transpose implements vjp.Linear.
func (NegP) Transpose(ct []*array.Array, _ []Operand) ([]*array.Array, error) {
	return []*array.Array{Neg(ct[0])}, nil
}

// Lower implements Lowerable.
func (NegP) Lower(b *hlo.Builder, in []*hlo.Value, out []array.Aval) ([]*hlo.Value, error) {
	return b.Op("stablehlo.negate", out[0], in), nil
}

// Neg returns -x. See NegP.
func Neg(x *array.Array) *array.Array { return Bind(NegP{}, x) }

// SignP is -1, 0 or 1; of a complex number x / |x|, of ±0 and NaN x itself.
//
//	x [...] number   →   [...] same dtype
//
// JVP: zero.
type SignP struct{ numberUnary }

// Name implements Primitive.
func (SignP) Name() string { return "sign" }

// JVP implements vjp.Differentiable.
func (p SignP) JVP(x, _ []*array.Array) (y, dy []*array.Array, err error) { return flat(p, x) }

// Lower implements Lowerable. StableHLO has no sign of unsigned integers.
func (SignP) Lower(b *hlo.Builder, in []*hlo.Value, out []array.Aval) ([]*hlo.Value, error) {
	if out[0].DType.Kind() != array.KindUint {
		return b.Op("stablehlo.sign", out[0], in), nil
	}
	return compose(b, in, func(in []*array.Array) []*array.Array {
		x := in[0]
		return []*array.Array{Select(Eq(x, like(x, 0)), fullLike(x, 0), fullLike(x, 1))}
	})
}

// Sign returns -1, 0 or 1. See SignP.
func Sign(x *array.Array) *array.Array { return Bind(SignP{}, x) }

// AbsP is the absolute value.
//
//	x [...] signed integer, float or complex   →   [...] same dtype; of complex numbers the modulus, a real dtype
//
// The smallest integer of a type is its own absolute value. JVP: sign(x) dx, at zero dx; of a complex x the real part of
// conj(x) dx / |x|, at zero 0.
type AbsP struct{ elementwise }

// Name implements Primitive.
func (AbsP) Name() string { return "abs" }

// Shape implements Primitive.
func (AbsP) Shape(in []array.Aval) ([]array.Aval, error) {
	a, err := sameOperands(in, 1, signed|inexact)
	a.DType = a.DType.Real()
	return one(a, err)
}

// JVP implements vjp.Differentiable.
func (p AbsP) JVP(x, dx []*array.Array) (y, dy []*array.Array, err error) {
	v, dv := x[0], dx[0]
	r := Abs(v)
	if v.DType().IsComplex() {
		return single(r, Real(Mul(dv, Div(Conj(v), replaceZero(Convert(r, v.DType()))))))
	}
	return single(r, Select(Ge(v, like(v, 0)), dv, Neg(dv)))
}

// replaceZero is x with zeros replaced by ones, for a quotient that is not used there.
func replaceZero(x *array.Array) *array.Array {
	return Select(Eq(x, like(x, 0)), fullLike(x, 1), x)
}

// Lower implements Lowerable.
func (AbsP) Lower(b *hlo.Builder, in []*hlo.Value, out []array.Aval) ([]*hlo.Value, error) {
	return b.Op("stablehlo.abs", out[0], in), nil
}

// Abs returns the absolute value. See AbsP.
func Abs(x *array.Array) *array.Array { return Bind(AbsP{}, x) }

// AddP is x + y.
//
//	x, y [...] number, one dtype and shape or a scalar   →   [...] same dtype; integers wrap
//
// JVP: linear.
type AddP struct{ numberBinary }

// Name implements Primitive.
func (AddP) Name() string { return "add" }

// JVP implements vjp.Differentiable.
func (AddP) JVP(x, dx []*array.Array) (y, dy []*array.Array, err error) {
	z := Add(x[0], x[1])
	switch {
	case dx[0] == nil:
		return single(z, spread(dx[1], z.Shape()))
	case dx[1] == nil:
		return single(z, spread(dx[0], z.Shape()))
	}
	return single(z, Add(dx[0], dx[1]))
}

// Transpose implements vjp.Linear.
func (AddP) Transpose(ct []*array.Array, in []Operand) ([]*array.Array, error) {
	return []*array.Array{unspread(ct[0], in[0].Aval), unspread(ct[0], in[1].Aval)}, nil
}

// Lower implements Lowerable.
func (AddP) Lower(b *hlo.Builder, in []*hlo.Value, out []array.Aval) ([]*hlo.Value, error) {
	return lowerNary(b, "stablehlo.add", in, out)
}

// Add returns x + y. See AddP.
func Add(x, y *array.Array) *array.Array { return Bind(AddP{}, x, y) }

// AddAnyP is the sum of two cotangents of one value: AddP for whatever type tangents have.
//
//	x, y [...] of one type   →   [...] same dtype
//
// JVP: linear.
type AddAnyP struct{ numberBinary }

// Name implements Primitive.
func (AddAnyP) Name() string { return "add_any" }

// JVP implements vjp.Differentiable.
func (AddAnyP) JVP(x, dx []*array.Array) (y, dy []*array.Array, err error) {
	z := AddAny(x[0], x[1])
	switch {
	case dx[0] == nil:
		return single(z, spread(dx[1], z.Shape()))
	case dx[1] == nil:
		return single(z, spread(dx[0], z.Shape()))
	}
	return single(z, AddAny(dx[0], dx[1]))
}

// Transpose implements vjp.Linear.
func (AddAnyP) Transpose(ct []*array.Array, in []Operand) ([]*array.Array, error) {
	return []*array.Array{unspread(ct[0], in[0].Aval), unspread(ct[0], in[1].Aval)}, nil
}

// Lower implements Lowerable.
func (AddAnyP) Lower(b *hlo.Builder, in []*hlo.Value, out []array.Aval) ([]*hlo.Value, error) {
	return lowerNary(b, "stablehlo.add", in, out)
}

// AddAny returns the sum of two cotangents. See AddAnyP.
func AddAny(x, y *array.Array) *array.Array { return Bind(AddAnyP{}, x, y) }

// SubP is x - y.
//
//	x, y [...] number, one dtype and shape or a scalar   →   [...] same dtype; integers wrap
//
// JVP: linear.
type SubP struct{ numberBinary }

// Name implements Primitive.
func (SubP) Name() string { return "sub" }

// JVP implements vjp.Differentiable.
func (SubP) JVP(x, dx []*array.Array) (y, dy []*array.Array, err error) {
	z := Sub(x[0], x[1])
	switch {
	case dx[0] == nil:
		return single(z, spread(Neg(dx[1]), z.Shape()))
	case dx[1] == nil:
		return single(z, spread(dx[0], z.Shape()))
	}
	return single(z, Sub(dx[0], dx[1]))
}

// Transpose implements vjp.Linear.
func (SubP) Transpose(ct []*array.Array, in []Operand) ([]*array.Array, error) {
	out := make([]*array.Array, 2)
	if in[0].Value == nil {
		out[0] = unspread(ct[0], in[0].Aval)
	}
	if in[1].Value == nil {
		out[1] = unspread(Neg(ct[0]), in[1].Aval)
	}
	return out, nil
}

// Lower implements Lowerable.
func (SubP) Lower(b *hlo.Builder, in []*hlo.Value, out []array.Aval) ([]*hlo.Value, error) {
	return lowerNary(b, "stablehlo.subtract", in, out)
}

// Sub returns x - y. See SubP.
func Sub(x, y *array.Array) *array.Array { return Bind(SubP{}, x, y) }

// MulP is the product x y.
//
//	x, y [...] number, one dtype and shape or a scalar   →   [...] same dtype; integers wrap
//
// JVP: bilinear, dx y + x dy.
type MulP struct{ numberBinary }

// Name implements Primitive.
func (MulP) Name() string { return "mul" }

// JVP implements vjp.Differentiable.
func (MulP) JVP(x, dx []*array.Array) (y, dy []*array.Array, err error) {
	var l, r *array.Array
	if dx[0] != nil {
		l = Mul(dx[0], x[1])
	}
	if dx[1] != nil {
		r = Mul(x[0], dx[1])
	}
	return single(Mul(x[0], x[1]), addTangents(l, r))
}

// Transpose implements vjp.Linear.
func (p MulP) Transpose(ct []*array.Array, in []Operand) ([]*array.Array, error) {
	switch {
	case in[0].Value == nil && in[1].Value == nil:
		return nil, notLinear(p)
	case in[0].Value == nil:
		return []*array.Array{unspread(Mul(ct[0], in[1].Value), in[0].Aval), nil}, nil
	}
	return []*array.Array{nil, unspread(Mul(in[0].Value, ct[0]), in[1].Aval)}, nil
}

// Lower implements Lowerable.
func (MulP) Lower(b *hlo.Builder, in []*hlo.Value, out []array.Aval) ([]*hlo.Value, error) {
	return lowerNary(b, "stablehlo.multiply", in, out)
}

// Mul returns the product x y. See MulP.
func Mul(x, y *array.Array) *array.Array { return Bind(MulP{}, x, y) }

// SquareP is x².
//
//	x [...] number   →   [...] same dtype
//
// JVP: 2 x dx.
type SquareP struct{ numberUnary }

// Name implements Primitive.
func (SquareP) Name() string { return "square" }

// JVP implements vjp.Differentiable.
func (SquareP) JVP(x, dx []*array.Array) (y, dy []*array.Array, err error) {
	return single(Square(x[0]), Mul(dx[0], Mul(like(x[0], 2), x[0])))
}

// Lower implements Lowerable.
func (SquareP) Lower(b *hlo.Builder, in []*hlo.Value, out []array.Aval) ([]*hlo.Value, error) {
	if out[0].DType.IsInteger() {
		return b.Op("stablehlo.multiply", out[0], []*hlo.Value{in[0], in[0]}), nil
	}
	return b.Op("chlo.square", out[0], in), nil
}

// Square returns x². See SquareP.
func Square(x *array.Array) *array.Array { return Bind(SquareP{}, x) }

// MulhiP is the upper half of the exact product, of twice the width.
//
//	x, y [...] integer, one dtype and shape or a scalar   →   [...] same dtype
type MulhiP struct{ integerBinary }

// Name implements Primitive.
func (MulhiP) Name() string { return "mulhi" }

// Lower implements Lowerable.
func (MulhiP) Lower(b *hlo.Builder, in []*hlo.Value, out []array.Aval) ([]*hlo.Value, error) {
	return lowerNary(b, "chlo.mulhi", in, out)
}

// Mulhi returns the upper half of a product. See MulhiP.
func Mulhi(x, y *array.Array) *array.Array { return Bind(MulhiP{}, x, y) }
