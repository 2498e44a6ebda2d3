package primitive

import (
	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/lower/hlo"
)

// DivP is the quotient x / y; of integers it is truncated towards zero.
//
//	x, y [...] number, one dtype and shape or a scalar   →   [...] same dtype
//
// An integer divided by zero is -1, all bits set. JVP: dx / y - x dy / y²; linear in x.
type DivP struct{ numberBinary }

// Name implements Primitive.
func (DivP) Name() string { return "div" }

// JVP implements vjp.Differentiable.
func (DivP) JVP(x, dx []*array.Array) (y, dy []*array.Array, err error) {
	var l, r *array.Array
	if dx[0] != nil {
		l = Div(dx[0], x[1])
	}
	if dx[1] != nil {
		r = Mul(Mul(Neg(dx[1]), x[0]), IntegerPow(x[1], -2))
	}
	return single(Div(x[0], x[1]), addTangents(l, r))
}

// Transpose implements vjp.Linear.
func (p DivP) Transpose(ct []*array.Array, in []Operand) ([]*array.Array, error) {
	if in[1].Value == nil {
		return nil, notLinear(p)
	}
	return []*array.Array{unspread(Div(ct[0], in[1].Value), in[0].Aval), nil}, nil
}

// Lower implements Lowerable.
func (DivP) Lower(b *hlo.Builder, in []*hlo.Value, out []array.Aval) ([]*hlo.Value, error) {
	return lowerNary(b, "stablehlo.divide", in, out)
}

// Div returns the quotient x / y. See DivP.
func Div(x, y *array.Array) *array.Array { return Bind(DivP{}, x, y) }

// RemP is the remainder of the truncated quotient: it has the sign of x, as Go's % has.
//
//	x, y [...] integer or real float, one dtype and shape or a scalar   →   [...] same dtype
//
// JVP: dx - trunc(x / y) dy.
type RemP struct{ elementwise }

// Name implements Primitive.
func (RemP) Name() string { return "rem" }

// Shape implements Primitive.
func (RemP) Shape(in []array.Aval) ([]array.Aval, error) {
	return one(sameOperands(in, 2, integers|reals))
}

// JVP implements vjp.Differentiable.
func (RemP) JVP(x, dx []*array.Array) (y, dy []*array.Array, err error) {
	z := Rem(x[0], x[1])
	var l, r *array.Array
	if dx[0] != nil {
		l = spread(dx[0], z.Shape())
	}
	if dx[1] != nil {
		q := Div(x[0], x[1])
		r = Mul(Neg(dx[1]), Mul(Sign(q), Floor(Abs(q))))
	}
	return single(z, addTangents(l, r))
}

// Lower implements Lowerable.
func (RemP) Lower(b *hlo.Builder, in []*hlo.Value, out []array.Aval) ([]*hlo.Value, error) {
	return lowerNary(b, "stablehlo.remainder", in, out)
}

// Rem returns the remainder with the sign of x. See RemP.
func Rem(x, y *array.Array) *array.Array { return Bind(RemP{}, x, y) }
