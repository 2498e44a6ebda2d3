package primitive

import (
	"github.com/pantograph-go/pantograph/array"
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

// Shape implements Primitive.
func (p DotGeneralP) Shape(in []array.Aval) ([]array.Aval, error) {
	if len(in) != 2 {
		return nil, array.ArgumentErrorf("takes two operands, got %d", len(in))
	}
	x, y := in[0], in[1]
	if err := p.checkDTypes(x.DType, y.DType); err != nil {
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
	if q := p.Preferred; q != array.Invalid && (q.IsInexact() != x.IsInexact() && q.Kind() < x.Kind() || q.IsKey() || q == array.Float0) {
		return array.DTypeErrorf("preferred element type %s cannot hold products of %s", q, x)
	}
	return nil
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

// DotGeneral multiplies x and y. preferred is the dtype of sums and result, array.Invalid for that of the operands.
// See DotGeneralP.
func DotGeneral(x, y *array.Array, dims DotDims, preferred array.DType) *array.Array {
	return Bind(DotGeneralP{Dims: dims, Preferred: preferred}, x, y)
}
