package primitive

import (
	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/lower/hlo"
)

// MaxP is the larger of two elements; a NaN in either is NaN. Complex numbers are ordered by real, then imaginary part.
//
//	x, y [...] number or bool, one dtype and shape or a scalar   →   [...] same dtype
//
// JVP: the tangent of the larger; where both are equal, the mean of both.
type MaxP struct{ anyBinary }

// MinP is the smaller of two elements; a NaN in either is NaN. See MaxP.
type MinP struct{ anyBinary }

// Name implements Primitive.
func (MaxP) Name() string { return "max" }

// Name implements Primitive.
func (MinP) Name() string { return "min" }

// JVP implements vjp.Differentiable.
func (MaxP) JVP(x, dx []*array.Array) (y, dy []*array.Array, err error) {
	return chosenJVP(Max(x[0], x[1]), x, dx)
}

// JVP implements vjp.Differentiable.
func (MinP) JVP(x, dx []*array.Array) (y, dy []*array.Array, err error) {
	return chosenJVP(Min(x[0], x[1]), x, dx)
}

// chosenJVP is the derivative of a function z that gives one of its operands.
func chosenJVP(z *array.Array, x, dx []*array.Array) (y, dy []*array.Array, err error) {
	share := func(x, other *array.Array) *array.Array {
		a := z.Aval()
		chosen := Select(Eq(x, z), Full(a, 1), Full(a, 0))
		return Div(chosen, Select(Eq(other, z), Full(a, 2), Full(a, 1)))
	}
	var l, r *array.Array
	if dx[0] != nil {
		l = Mul(dx[0], share(x[0], x[1]))
	}
	if dx[1] != nil {
		r = Mul(dx[1], share(x[1], x[0]))
	}
	return single(z, addTangents(l, r))
}

// Lower implements Lowerable.
func (MaxP) Lower(b *hlo.Builder, in []*hlo.Value, out []array.Aval) ([]*hlo.Value, error) {
	if out[0].DType.IsComplex() {
		return lowerChosen(b, in, out[0].Shape, Gt)
	}
	return lowerNary(b, "stablehlo.maximum", in, out)
}

// Lower implements Lowerable.
func (MinP) Lower(b *hlo.Builder, in []*hlo.Value, out []array.Aval) ([]*hlo.Value, error) {
	if out[0].DType.IsComplex() {
		return lowerChosen(b, in, out[0].Shape, Lt)
	}
	return lowerNary(b, "stablehlo.minimum", in, out)
}

// lowerChosen chooses between complex numbers in lexicographic order.
func lowerChosen(b *hlo.Builder, in []*hlo.Value, shape array.Shape, first func(x, y *array.Array) *array.Array) ([]*hlo.Value, error) {
	return compose(b, spreadAll(b, in, shape), func(in []*array.Array) []*array.Array {
		x, y := in[0], in[1]
		rx, ry := Real(x), Real(y)
		wins := Select(Eq(rx, ry), first(Imag(x), Imag(y)), first(rx, ry))
		return []*array.Array{Select(wins, x, y)}
	})
}

// Max returns the elementwise larger. See MaxP.
func Max(x, y *array.Array) *array.Array { return Bind(MaxP{}, x, y) }

// Min returns the elementwise smaller. See MinP.
func Min(x, y *array.Array) *array.Array { return Bind(MinP{}, x, y) }
