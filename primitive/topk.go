package primitive

import (
	"math"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/lower/hlo"
)

// TopKP finds the K largest elements along Axis, in descending order, and their indices. The first of equals comes
// first, but 0 before -0; NaN counts as the largest.
//
//	x [..., n, ...] integer, bool or real float   →   [..., K, ...] same dtype, [..., K, ...] int32
//
// JVP: the tangents of the elements found.
type TopKP struct {
	K    int
	Axis int
}

// Name implements Primitive.
func (TopKP) Name() string { return "top_k" }

// Params implements Parametric.
func (p TopKP) Params() []Param { return []Param{{"axis", p.Axis}, {"k", p.K}} }

// Shape implements Primitive.
func (p TopKP) Shape(in []array.Aval) ([]array.Aval, error) {
	x, err := oneOperand(in)
	if err != nil {
		return nil, err
	}
	if !x.DType.IsInteger() && !x.DType.IsFloat() && x.DType != array.Bool {
		return nil, array.DTypeErrorf("operand is %s; it takes integers, bools and real floating-point numbers", x.DType)
	}
	if err := distinctAxes("axis", array.MakeInts(p.Axis), x.Shape.Rank()); err != nil {
		return nil, err
	}
	if p.K < 0 || p.K > x.Shape[p.Axis] {
		return nil, array.ShapeErrorf("k is %d, but axis %d of %s has %d elements; k is from 0 to that size", p.K, p.Axis, x, x.Shape[p.Axis])
	}
	s := x.Shape.Clone()
	s[p.Axis] = p.K
	return []array.Aval{x.WithShape(s), {Shape: s, DType: array.Int32}}, nil
}

// JVP implements vjp.Differentiable.
func (p TopKP) JVP(x, dx []*array.Array) (y, dy []*array.Array, err error) {
	y = BindAll(p, x...)
	return y, []*array.Array{takeAlong(dx[0], y[1], p.Axis), nil}, nil
}

// Batch implements vmap.Batcher.
func (p TopKP) Batch(_ int, in []*array.Array, dims []int) ([]*array.Array, []int, error) {
	p.Axis = beside(array.MakeInts(p.Axis), dims[0]).At(0)
	return BindAll(p, in...), []int{dims[0], dims[0]}, nil
}

// Lower implements Lowerable: a stable sort that puts the larger first, cut to K elements.
func (p TopKP) Lower(b *hlo.Builder, in []*hlo.Value, _ []array.Aval) ([]*hlo.Value, error) {
	x := in[0].Tensor()
	in, err := compose(b, in, func(in []*array.Array) []*array.Array {
		x := in[0]
		if x.DType().IsFloat() { // the total order knows NaNs of either sign; both are to be the largest
			x = Select(Ne(x, x), fullLike(x, math.NaN()), x)
		}
		return []*array.Array{x, Iota(array.Int32, x.Shape(), p.Axis)}
	})
	if err != nil {
		return nil, err
	}
	elem, place := hlo.Tensor{Elem: x.Elem}, hlo.Tensor{Elem: array.Int32}
	body, err := b.Region([]hlo.Type{elem, elem, place, place}, func(args []*hlo.Value) ([]*hlo.Value, error) {
		return []*hlo.Value{totalCompare(b, "GT", args[0], args[1])}, nil
	})
	if err != nil {
		return nil, err
	}
	sorted := b.Append(&hlo.Op{
		Name:     "stablehlo.sort",
		Operands: in,
		Attrs:    hlo.Attrs{{Name: "dimension", Value: hlo.I64(p.Axis)}, {Name: "is_stable", Value: hlo.Bool(true)}},
		Regions:  []*hlo.Region{body},
	}, x, hlo.Tensor{Shape: x.Shape, Elem: array.Int32}).Results
	return compose(b, sorted, func(in []*array.Array) []*array.Array {
		return []*array.Array{sliceAlong(in[0], p.Axis, 0, p.K, 1), sliceAlong(in[1], p.Axis, 0, p.K, 1)}
	})
}

// TopK returns the k largest elements along the last axis and their indices. See TopKP.
func TopK(x *array.Array, k int) (values, indices *array.Array) {
	out := BindAll(TopKP{k, x.Rank() - 1}, x)
	return out[0], out[1]
}
