package primitive

import (
	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/lower/hlo"
)

// SelectNP takes each element from one of several arrays: case number which, of two cases also false and true.
//
//	which [...] or a scalar, bool or integer; cases [...] of one shape and dtype   →   [...] as the cases
//
// An integer out of range takes the nearest case. JVP: the tangents are selected alike; linear in the cases.
type SelectNP struct{}

// Name implements Primitive.
func (SelectNP) Name() string { return "select_n" }

// Shape implements Primitive.
func (SelectNP) Shape(in []array.Aval) ([]array.Aval, error) {
	if len(in) < 2 {
		return nil, array.ArgumentErrorf("takes a selector and at least one case, got %d operands", len(in))
	}
	which, out := in[0], in[1]
	if kindOf(which.DType)&bitwise == 0 {
		return nil, array.DTypeErrorf("selector is %s; it must be bool or integer: compare or convert it", which.DType)
	}
	if which.DType == array.Bool && len(in) > 3 {
		return nil, array.ArgumentErrorf("a bool selects among two cases, got %d: use an integer selector", len(in)-1)
	}
	for i, a := range in[1:] {
		if a.DType != in[1].DType {
			return nil, array.DTypeErrorf("case 0 is %s, case %d is %s; the cases must have one dtype: convert one of them with AsType", in[1], i, a)
		}
		if !a.Shape.Equal(in[1].Shape) {
			return nil, array.ShapeErrorf("case 0 is %s, case %d is %s; the cases must have one shape: broadcast one of them, or use np.Where", in[1], i, a)
		}
		out.Weak = out.Weak && a.Weak
	}
	if which.Shape.Rank() > 0 && !which.Shape.Equal(out.Shape) {
		return nil, array.ShapeErrorf("selector is %s, the cases are %s; the selector must have their shape or be a scalar: broadcast it, or use np.Where", which, out)
	}
	return []array.Aval{out}, nil
}

// JVP implements vjp.Differentiable.
func (p SelectNP) JVP(x, dx []*array.Array) (y, dy []*array.Array, err error) {
	tangents := []*array.Array{x[0]}
	for i, d := range dx[1:] {
		if d == nil {
			d = fullLike(x[i+1], 0)
		}
		tangents = append(tangents, d)
	}
	return single(Bind(p, x...), Bind(p, tangents...))
}

// Transpose implements vjp.Linear.
func (p SelectNP) Transpose(ct []*array.Array, in []Operand) ([]*array.Array, error) {
	which, out := in[0].Value, make([]*array.Array, len(in))
	zero := fullLike(ct[0], 0)
	for i := range in[1:] {
		if in[i+1].Value != nil {
			continue
		}
		switch {
		case which.DType() != array.Bool:
			out[i+1] = Select(chosenCase(which, i, len(in)-1), ct[0], zero)
		case i == 0:
			out[1] = Select(which, zero, ct[0])
		default:
			out[2] = Select(which, ct[0], zero)
		}
	}
	return out, nil
}

// chosenCase tells where case i of n is taken.
func chosenCase(which *array.Array, i, n int) *array.Array {
	switch v := like(which, float64(i)); {
	case n == 1:
		return Full(array.Aval{Shape: which.Shape(), DType: array.Bool}, 1)
	case i == 0:
		return Le(which, v)
	case i == n-1:
		return Ge(which, v)
	default:
		return Eq(which, v)
	}
}

// Batch implements vmap.Batcher. A selector that stays a scalar is not repeated.
func (p SelectNP) Batch(size int, in []*array.Array, dims []int) ([]*array.Array, []int, error) {
	at := firstMapped(dims[1:])
	if at == notMapped {
		at = 0
	}
	out := make([]*array.Array, len(in))
	for i, x := range in[1:] {
		out[i+1] = batchAt(x, size, dims[i+1], at)
	}
	which, full := in[0], out[1].Shape()
	switch {
	case dims[0] == notMapped && which.Rank() == 0:
		out[0] = which
	case dims[0] != notMapped && which.Rank() == 1 && len(full) > 1:
		out[0] = BroadcastInDim(which, full, []int{at})
	default:
		out[0] = batchAt(which, size, dims[0], at)
	}
	return BindAll(p, out...), []int{at}, nil
}

// Lower implements Lowerable: a tree of two-way selections.
func (p SelectNP) Lower(b *hlo.Builder, in []*hlo.Value, out []array.Aval) ([]*hlo.Value, error) {
	which, cases := in[0], in[1:]
	if len(cases) == 1 {
		return cases, nil
	}
	if which.Tensor().Elem == array.Bool {
		return b.Op("stablehlo.select", out[0], []*hlo.Value{which, cases[1], cases[0]}), nil
	}
	v, err := lowerCases(b, which, cases, 0, out[0])
	return []*hlo.Value{v}, err
}

// lowerCases selects among cases, of which the first has number first.
func lowerCases(b *hlo.Builder, which *hlo.Value, cases []*hlo.Value, first int, out array.Aval) (*hlo.Value, error) {
	if len(cases) == 1 {
		return cases[0], nil
	}
	mid := len(cases) / 2
	w := which.Aval()
	if float64(first+mid) != array.RoundTo(w.DType, float64(first+mid)) {
		return nil, array.ArgumentErrorf("%s cannot number %d cases", w.DType, first+len(cases))
	}
	low, err := lowerCompare(b, "LT", []*hlo.Value{which, b.Splat(w, float64(first+mid))}, []array.Aval{{Shape: w.Shape, DType: array.Bool}})
	if err != nil {
		return nil, err
	}
	l, err := lowerCases(b, which, cases[:mid], first, out)
	if err != nil {
		return nil, err
	}
	h, err := lowerCases(b, which, cases[mid:], first+mid, out)
	if err != nil {
		return nil, err
	}
	return b.Op1("stablehlo.select", out, nil, low[0], l, h), nil
}

// SelectN takes each element from the case that which numbers. See SelectNP.
func SelectN(which *array.Array, cases ...*array.Array) *array.Array {
	return Bind(SelectNP{}, append([]*array.Array{which}, cases...)...)
}

// Select takes each element from onTrue or onFalse. See SelectNP.
func Select(pred, onTrue, onFalse *array.Array) *array.Array { return SelectN(pred, onFalse, onTrue) }

// ClampP limits x to the range from lo to hi: min(max(x, lo), hi).
//
//	lo, hi [...] or scalars, x [...] number or bool, all of one dtype   →   [...] as x
//
// JVP: the tangent of x strictly inside, of lo or hi strictly outside, zero on the bounds.
type ClampP struct{}

// Name implements Primitive.
func (ClampP) Name() string { return "clamp" }

// Shape implements Primitive.
func (ClampP) Shape(in []array.Aval) ([]array.Aval, error) {
	if len(in) != 3 {
		return nil, array.ArgumentErrorf("takes a lower bound, an operand and an upper bound, got %d operands", len(in))
	}
	x := in[1]
	if kindOf(x.DType)&anything == 0 {
		return nil, array.DTypeErrorf("operand is %s; it takes %s", x.DType, anything)
	}
	for i, name := range [3]string{"lower bound", "", "upper bound"} {
		a := in[i]
		if a.DType != x.DType {
			return nil, array.DTypeErrorf("%s is %s, operand is %s; they must have one dtype: convert the bound with AsType", name, a, x)
		}
		if a.Shape.Rank() > 0 && !a.Shape.Equal(x.Shape) {
			return nil, array.ShapeErrorf("%s is %s, operand is %s; a bound must have the operand's shape or be a scalar: broadcast it, or use np.Clip", name, a, x)
		}
		x.Weak = x.Weak && a.Weak
	}
	return []array.Aval{x}, nil
}

// JVP implements vjp.Differentiable.
func (p ClampP) JVP(x, dx []*array.Array) (y, dy []*array.Array, err error) {
	lo, v, hi := x[0], x[1], x[2]
	z := Bind(p, x...)
	where := [3]func() *array.Array{
		func() *array.Array { return And(Gt(lo, v), Lt(lo, hi)) },
		func() *array.Array { return And(Gt(v, lo), Lt(v, hi)) },
		func() *array.Array { return Lt(hi, v) },
	}
	var sum *array.Array
	for i, d := range dx {
		if d != nil {
			sum = addTangents(sum, Select(where[i](), spread(d, v.Shape()), fullLike(z, 0)))
		}
	}
	return single(z, sum)
}

// Batch implements vmap.Batcher. Bounds that stay scalars are not repeated.
func (p ClampP) Batch(size int, in []*array.Array, dims []int) ([]*array.Array, []int, error) {
	at := dims[1]
	if at == notMapped {
		at = 0
	}
	out := []*array.Array{nil, batchAt(in[1], size, dims[1], at), nil}
	full := out[1].Shape()
	for _, i := range []int{0, 2} {
		x := in[i]
		switch {
		case dims[i] == notMapped && x.Rank() == 0:
			out[i] = x
		case dims[i] != notMapped && x.Rank() == 1 && len(full) > 1:
			out[i] = BroadcastInDim(x, full, []int{at})
		default:
			out[i] = batchAt(x, size, dims[i], at)
		}
	}
	return BindAll(p, out...), []int{at}, nil
}

// Lower implements Lowerable.
func (ClampP) Lower(b *hlo.Builder, in []*hlo.Value, out []array.Aval) ([]*hlo.Value, error) {
	if out[0].DType.IsComplex() {
		return compose(b, spreadAll(b, in, out[0].Shape), func(in []*array.Array) []*array.Array {
			return []*array.Array{Min(Max(in[1], in[0]), in[2])}
		})
	}
	return b.Op("stablehlo.clamp", out[0], in), nil
}

// Clamp limits x to the range from lo to hi. See ClampP.
func Clamp(lo, x, hi *array.Array) *array.Array { return Bind(ClampP{}, lo, x, hi) }
