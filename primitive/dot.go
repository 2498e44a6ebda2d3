package primitive

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/lower/hlo"
)

// DotDims pairs axes of the two operands of a dot_general: element 0 of each field lists axes of lhs, element 1 those
// of rhs. Contract axes are multiplied and summed over; Batch axes are matched and kept.
type DotDims struct {
	Contract, Batch [2]array.Ints
}

// Contract pairs the contracting axes of lhs with those of rhs; there are no batch axes.
func Contract(lhs, rhs []int) DotDims {
	return DotDims{Contract: [2]array.Ints{array.MakeInts(lhs...), array.MakeInts(rhs...)}}
}

// WithBatch returns the dimensions with the batch axes of lhs paired with those of rhs.
func (d DotDims) WithBatch(lhs, rhs []int) DotDims {
	d.Batch = [2]array.Ints{array.MakeInts(lhs...), array.MakeInts(rhs...)}
	return d
}

// Precision asks a backend with fast inexact multiplications, as GPUs have for float32, for more exact ones.
type Precision uint8

// The precisions, as XLA names them.
const (
	PrecisionDefault Precision = iota
	PrecisionHigh
	PrecisionHighest
)

// DotGeneralP is the product of two arrays over contracting axes, for each index of the batch axes.
//
//	lhs [...], rhs [...] same dtype   →   [batch axes, free axes of lhs, free axes of rhs]
//
// The result has the dtype of the operands, or Preferred where that is set, which is then also the dtype of the sums.
// A product of bools is their or of ands.
//
// JVP: bilinear, d(xy) = dx y + x dy.
type DotGeneralP struct {
	Dims      DotDims
	Preferred array.DType // Invalid: that of the operands
	Precision Precision
}

// Name implements Primitive.
func (DotGeneralP) Name() string { return "dot_general" }

// Params implements Parametric.
func (p DotGeneralP) Params() []Param {
	ps := []Param{{"dimension_numbers", p.Dims}}
	if p.Precision != PrecisionDefault {
		ps = append(ps, Param{"precision", p.Precision})
	}
	if p.Preferred != array.Invalid {
		ps = append(ps, Param{"preferred_element_type", p.Preferred})
	}
	return ps
}

// String prints as JAX does: (([1], [0]), ([], [])).
func (d DotDims) String() string {
	list := func(l array.Ints) string {
		s := array.Shape(l.Slice()).String()
		return strings.ReplaceAll(s, ",", ", ")
	}
	return fmt.Sprintf("((%s, %s), (%s, %s))", list(d.Contract[0]), list(d.Contract[1]), list(d.Batch[0]), list(d.Batch[1]))
}

// String is XLA's name.
func (p Precision) String() string { return choice(precisions[:], p) }

var precisions = [...]string{"DEFAULT", "HIGH", "HIGHEST"}

// config is the attribute precision_config of a product.
func (p Precision) config() hlo.NamedAttr {
	one := hlo.SHLO("precision", p.String())
	return hlo.NamedAttr{Name: "precision_config", Value: hlo.Array{one, one}}
}

// Shape implements Primitive.
func (p DotGeneralP) Shape(in []array.Aval) ([]array.Aval, error) {
	if len(in) != 2 {
		return nil, array.ArgumentErrorf("takes two operands, got %d", len(in))
	}
	x, y := in[0], in[1]
	if err := p.checkDTypes(x.DType, y.DType); err != nil {
		return nil, err
	}
	if err := known("precision", p.Precision, len(precisions)); err != nil {
		return nil, err
	}
	d := p.Dims
	for i, side := range [2]string{"lhs", "rhs"} {
		if err := distinctAxes(side+" contracting and batch axes", d.Contract[i].Append(d.Batch[i].Slice()...), in[i].Shape.Rank()); err != nil {
			return nil, err
		}
	}
	if err := matched("contracted", d.Contract, x, y); err != nil {
		return nil, err
	}
	if err := matched("batch", d.Batch, x, y); err != nil {
		return nil, err
	}
	out := array.Shape{}
	for _, a := range d.Batch[0].Slice() {
		out = append(out, x.Shape[a])
	}
	for i, v := range in {
		for _, a := range d.free(i, v.Shape.Rank()) {
			out = append(out, v.Shape[a])
		}
	}
	dtype := x.DType
	if p.Preferred != array.Invalid {
		dtype = p.Preferred
	}
	return []array.Aval{{Shape: out, DType: dtype, Weak: x.Weak && y.Weak}}, nil
}

func (p DotGeneralP) checkDTypes(x, y array.DType) error {
	for i, d := range [2]array.DType{x, y} {
		if !d.IsInteger() && !d.IsInexact() && d != array.Bool {
			return array.DTypeErrorf("%s is %s; it takes numbers and bools", [2]string{"lhs", "rhs"}[i], d)
		}
	}
	// Products of two different narrow floats are ordinary on accelerators; the result's type must then be said.
	if x != y && !(x.IsFloat() && y.IsFloat() && p.Preferred != array.Invalid) {
		return array.DTypeErrorf("lhs is %s, rhs is %s; the operands must have one dtype: convert one of them", x, y)
	}
	if q := p.Preferred; q != array.Invalid && !holdsProducts(q, x) {
		return array.DTypeErrorf("preferred element type %s cannot hold products of %s", q, x)
	}
	return nil
}

// holdsProducts reports whether sums of products of type d can have type q: an integer of at least the width, a
// floating-point type, a complex type, in that order.
func holdsProducts(q, d array.DType) bool {
	switch {
	case d.IsComplex():
		return q.IsComplex()
	case d.IsFloat():
		return q.IsInexact()
	}
	return q.IsInexact() || q == d || q.IsInteger() && q.Bits() >= d.Bits()
}

// matched checks that paired axes have equal sizes.
func matched(what string, axes [2]array.Ints, x, y array.Aval) error {
	if axes[0].Len() != axes[1].Len() {
		return array.AxisErrorf("%s axes come in pairs: lhs has %s, rhs has %s", what, axes[0], axes[1])
	}
	for i := range axes[0].Len() {
		if a, b := axes[0].At(i), axes[1].At(i); x.Shape[a] != y.Shape[b] {
			return array.ShapeErrorf("%s sizes differ: lhs axis %d has %d, rhs axis %d has %d, for lhs %s and rhs %s", what, a, x.Shape[a], b, y.Shape[b], x, y)
		}
	}
	return nil
}

// free lists the axes of operand i that are neither contracted nor batch axes.
func (d DotDims) free(i, rank int) []int {
	var f []int
	for a := range rank {
		if !d.Contract[i].Contains(a) && !d.Batch[i].Contains(a) {
			f = append(f, a)
		}
	}
	return f
}

// JVP implements vjp.Differentiable.
func (p DotGeneralP) JVP(x, dx []*array.Array) (y, dy []*array.Array, err error) {
	return bilinearJVP(p, x, dx)
}

// bilinearJVP is the product rule.
func bilinearJVP(p Primitive, x, dx []*array.Array) (y, dy []*array.Array, err error) {
	var l, r *array.Array
	if dx[0] != nil {
		l = Bind(p, dx[0], x[1])
	}
	if dx[1] != nil {
		r = Bind(p, x[0], dx[1])
	}
	return single(Bind(p, x...), addTangents(l, r))
}

// Transpose implements vjp.Linear: the cotangent times the other operand, contracted over the other's free axes.
func (p DotGeneralP) Transpose(ct []*array.Array, in []Operand) ([]*array.Array, error) {
	out := make([]*array.Array, 2)
	for i := range out {
		if in[i].Value == nil {
			out[i] = p.transpose(i, ct[0], in[i].Aval, in[1-i].Value)
		}
	}
	return out, nil
}

// transpose is the cotangent of operand i, given that of the product and the other operand.
func (p DotGeneralP) transpose(i int, g *array.Array, x array.Aval, other *array.Array) *array.Array {
	d, o := p.Dims, 1-i
	free, otherFree := d.free(i, x.Shape.Rank()), d.free(o, other.Rank())
	// The axes of g are batch, free of lhs, free of rhs; those of other's that are free are contracted away.
	nb := d.Batch[0].Len()
	first := nb
	if o == 1 {
		first = nb + len(free)
	}
	contract := iotaInts(len(otherFree)).Map(func(a int) int { return a + first })
	g, other = widened(g, other)
	q := DotGeneralP{Precision: p.Precision, Dims: DotDims{
		Contract: [2]array.Ints{contract, array.MakeInts(otherFree...)},
		Batch:    [2]array.Ints{iotaInts(nb), d.Batch[o]},
	}}
	y := Bind(q, g, other)
	// The axes of y: batch, free, then other's contracted axes in ascending order; those of x lie as perm says.
	order := iotaInts(d.Contract[o].Len()).Slice()
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(d.Contract[o].At(a), d.Contract[o].At(b)) })
	perm := append(d.Batch[i].Slice(), free...)
	for _, k := range order {
		perm = append(perm, d.Contract[i].At(k))
	}
	return Convert(Transpose(y, array.MakeInts(perm...).Invert().Slice()), x.DType)
}

// widened converts both to the wider dtype of the two: a product with a preferred element type has a cotangent of
// another dtype than its operands.
func widened(x, y *array.Array) (*array.Array, *array.Array) {
	d := x.DType()
	if y.DType().Bits() > d.Bits() {
		d = y.DType()
	}
	if x.DType() != d {
		x = Convert(x, d)
	}
	if y.DType() != d {
		y = Convert(y, d)
	}
	return x, y
}

// Batch implements vmap.Batcher: an axis mapped in both operands is one more batch axis, in one of them a free one.
func (p DotGeneralP) Batch(_ int, in []*array.Array, dims []int) ([]*array.Array, []int, error) {
	d := p.Dims
	for i := range in {
		if dims[i] != notMapped {
			d.Contract[i], d.Batch[i] = beside(d.Contract[i], dims[i]), beside(d.Batch[i], dims[i])
		}
	}
	out := 0
	switch {
	case dims[0] != notMapped && dims[1] != notMapped:
		d.Batch[0], d.Batch[1] = insertAt(d.Batch[0], 0, dims[0]), insertAt(d.Batch[1], 0, dims[1])
	case dims[0] != notMapped:
		out = d.Batch[0].Len() + slices.Index(d.free(0, in[0].Rank()), dims[0])
	default:
		out = d.Batch[0].Len() + len(d.free(0, in[0].Rank())) + slices.Index(d.free(1, in[1].Rank()), dims[1])
	}
	p.Dims = d
	return BindAll(p, in...), []int{out}, nil
}

// Lower implements Lowerable.
func (p DotGeneralP) Lower(b *hlo.Builder, in []*hlo.Value, out []array.Aval) ([]*hlo.Value, error) {
	d := p.Dims
	return b.Op("stablehlo.dot_general", out[0], in,
		hlo.NamedAttr{Name: "dot_dimension_numbers", Value: hlo.DotDims{
			LHSBatch: d.Batch[0].Slice(), RHSBatch: d.Batch[1].Slice(), LHSContracting: d.Contract[0].Slice(), RHSContracting: d.Contract[1].Slice(),
		}}, p.Precision.config()), nil
}

// DotGeneral multiplies x and y. preferred is the dtype of sums and result, array.Invalid for that of the operands.
// See DotGeneralP.
func DotGeneral(x, y *array.Array, dims DotDims, preferred array.DType) *array.Array {
	return Bind(DotGeneralP{Dims: dims, Preferred: preferred}, x, y)
}
