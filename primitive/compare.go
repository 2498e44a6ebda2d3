package primitive

import (
	"slices"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/lower/hlo"
)

// comparison is the shape rule of a comparison in an order.
type comparison struct{ elementwise }

// equality is the shape rule of a comparison that needs no order: of complex numbers and keys too.
type equality struct{ elementwise }

// Shape implements Primitive.
func (comparison) Shape(in []array.Aval) ([]array.Aval, error) {
	a, err := sameOperands(in, 2, ordered)
	return one(array.Aval{Shape: a.Shape, DType: array.Bool}, err)
}

// Shape implements Primitive.
func (equality) Shape(in []array.Aval) ([]array.Aval, error) {
	a, err := sameOperands(in, 2, anything|keys)
	return one(array.Aval{Shape: a.Shape, DType: array.Bool}, err)
}

// EqP is x == y. NaN differs from everything, and 0 equals -0.
//
//	x, y [...] of one dtype and shape or a scalar   →   [...] bool
//
// No derivative.
type EqP struct{ equality }

// NeP is x != y. See EqP.
type NeP struct{ equality }

// LtP is x < y; false where either is NaN, and false is less than true.
//
//	x, y [...] bool, integer or real float, one dtype and shape or a scalar   →   [...] bool
//
// No derivative.
type LtP struct{ comparison }

// LeP is x <= y. See LtP.
type LeP struct{ comparison }

// GtP is x > y. See LtP.
type GtP struct{ comparison }

// GeP is x >= y. See LtP.
type GeP struct{ comparison }

// Name implements Primitive.
func (EqP) Name() string { return "eq" }

// Name implements Primitive.
func (NeP) Name() string { return "ne" }

// Name implements Primitive.
func (LtP) Name() string { return "lt" }

// Name implements Primitive.
func (LeP) Name() string { return "le" }

// Name implements Primitive.
func (GtP) Name() string { return "gt" }

// Name implements Primitive.
func (GeP) Name() string { return "ge" }

// JVP implements vjp.Differentiable.
func (p EqP) JVP(x, _ []*array.Array) (y, dy []*array.Array, err error) { return flat(p, x) }

// JVP implements vjp.Differentiable.
func (p NeP) JVP(x, _ []*array.Array) (y, dy []*array.Array, err error) { return flat(p, x) }

// JVP implements vjp.Differentiable.
func (p LtP) JVP(x, _ []*array.Array) (y, dy []*array.Array, err error) { return flat(p, x) }

// JVP implements vjp.Differentiable.
func (p LeP) JVP(x, _ []*array.Array) (y, dy []*array.Array, err error) { return flat(p, x) }

// JVP implements vjp.Differentiable.
func (p GtP) JVP(x, _ []*array.Array) (y, dy []*array.Array, err error) { return flat(p, x) }

// JVP implements vjp.Differentiable.
func (p GeP) JVP(x, _ []*array.Array) (y, dy []*array.Array, err error) { return flat(p, x) }

// Lower implements Lowerable.
func (EqP) Lower(b *hlo.Builder, in []*hlo.Value, out []array.Aval) ([]*hlo.Value, error) {
	return lowerEquality(b, "EQ", CombineAnd, in, out)
}

// Lower implements Lowerable.
func (NeP) Lower(b *hlo.Builder, in []*hlo.Value, out []array.Aval) ([]*hlo.Value, error) {
	return lowerEquality(b, "NE", CombineOr, in, out)
}

// Lower implements Lowerable.
func (LtP) Lower(b *hlo.Builder, in []*hlo.Value, out []array.Aval) ([]*hlo.Value, error) {
	return lowerCompare(b, "LT", in, out)
}

// Lower implements Lowerable.
func (LeP) Lower(b *hlo.Builder, in []*hlo.Value, out []array.Aval) ([]*hlo.Value, error) {
	return lowerCompare(b, "LE", in, out)
}

// Lower implements Lowerable.
func (GtP) Lower(b *hlo.Builder, in []*hlo.Value, out []array.Aval) ([]*hlo.Value, error) {
	return lowerCompare(b, "GT", in, out)
}

// Lower implements Lowerable.
func (GeP) Lower(b *hlo.Builder, in []*hlo.Value, out []array.Aval) ([]*hlo.Value, error) {
	return lowerCompare(b, "GE", in, out)
}

func lowerCompare(b *hlo.Builder, direction string, in []*hlo.Value, out []array.Aval) ([]*hlo.Value, error) {
	kind := "UNSIGNED"
	switch in[0].Tensor().Elem.Kind() {
	case array.KindInt:
		kind = "SIGNED"
	case array.KindFloat, array.KindComplex:
		kind = "FLOAT"
	}
	return lowerNary(b, "stablehlo.compare", in, out,
		hlo.NamedAttr{Name: "compare_type", Value: hlo.SHLO("comparison_type", kind)},
		hlo.NamedAttr{Name: "comparison_direction", Value: hlo.SHLO("comparison_direction", direction)})
}

// lowerEquality compares; keys, which are words along trailing axes here, are equal where all their words are.
func lowerEquality(b *hlo.Builder, direction string, op Combine, in []*hlo.Value, out []array.Aval) ([]*hlo.Value, error) {
	rank := out[0].Shape.Rank()
	full := in[0].Tensor().Shape
	words := full.Rank() - rank
	if y := in[1].Tensor().Shape; y.Rank() > full.Rank() {
		full, words = y, y.Rank()-rank
	}
	if words <= 0 {
		return lowerCompare(b, direction, in, out)
	}
	in = slices.Clone(in)
	for i, v := range in {
		if v.Tensor().Shape.Rank() < full.Rank() { // a single key beside an array of them
			dims := iotaInts(full.Rank()).Slice()[rank:]
			in[i] = b.Op1("stablehlo.broadcast_in_dim", v.Aval().WithShape(full), hlo.Attrs{{Name: "broadcast_dimensions", Value: hlo.I64s(dims...)}}, v)
		}
	}
	each := []array.Aval{{Shape: full, DType: array.Bool}}
	eq, err := lowerCompare(b, direction, in, each)
	if err != nil {
		return nil, err
	}
	return ReduceP{op, array.MakeInts(iotaInts(full.Rank()).Slice()[rank:]...)}.Lower(b, eq, out)
}

// Eq returns x == y. See EqP.
func Eq(x, y *array.Array) *array.Array { return Bind(EqP{}, x, y) }

// Ne returns x != y. See NeP.
func Ne(x, y *array.Array) *array.Array { return Bind(NeP{}, x, y) }

// Lt returns x < y. See LtP.
func Lt(x, y *array.Array) *array.Array { return Bind(LtP{}, x, y) }

// Le returns x <= y. See LeP.
func Le(x, y *array.Array) *array.Array { return Bind(LeP{}, x, y) }

// Gt returns x > y. See GtP.
func Gt(x, y *array.Array) *array.Array { return Bind(GtP{}, x, y) }

// Ge returns x >= y. See GeP.
func Ge(x, y *array.Array) *array.Array { return Bind(GeP{}, x, y) }
