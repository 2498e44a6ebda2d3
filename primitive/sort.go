package primitive

import (
	"github.com/pantograph-go/pantograph/array"
)

// SortP sorts along Dimension: the first NumKeys operands are the keys, compared in their order, and all operands are
// rearranged alike.
//
//	xs [...] of one shape   →   [...] each of its own dtype
//
// Numbers ascend; -0 and 0 are equal, NaN comes last and all NaNs are equal; false before true; complex numbers by real,
// then imaginary part. With Stable, elements with equal keys keep their order.
//
// JVP: the tangents are rearranged as the operands are.
type SortP struct {
	Dimension int
	NumKeys   int
	Stable    bool
}

// Name implements Primitive.
func (SortP) Name() string { return "sort" }

// Params implements Parametric.
func (p SortP) Params() []Param {
	return []Param{{"dimension", p.Dimension}, {"is_stable", p.Stable}, {"num_keys", p.NumKeys}}
}

// Shape implements Primitive.
func (p SortP) Shape(in []array.Aval) ([]array.Aval, error) {
	if len(in) == 0 {
		return nil, array.ArgumentErrorf("takes at least one operand")
	}
	for i, x := range in {
		if !x.Shape.Equal(in[0].Shape) {
			return nil, array.ShapeErrorf("operands must have one shape: operand 0 is %s, operand %d is %s", in[0], i, x)
		}
		if i < p.NumKeys && x.DType.IsKey() {
			return nil, array.DTypeErrorf("operand %d is %s, which has no order; it can be sorted only by other keys", i, x.DType)
		}
	}
	if p.NumKeys < 1 || p.NumKeys > len(in) {
		return nil, array.ArgumentErrorf("%d operands cannot have %d keys; NumKeys is from 1 to the number of operands", len(in), p.NumKeys)
	}
	if err := distinctAxes("dimension", array.MakeInts(p.Dimension), in[0].Shape.Rank()); err != nil {
		return nil, err
	}
	return in, nil
}

// Sort sorts xs along dim by the first numKeys of them, stably. See SortP.
func Sort(dim, numKeys int, xs ...*array.Array) []*array.Array {
	return BindAll(SortP{dim, numKeys, true}, xs...)
}

// TopKP finds the K largest elements along Axis, in descending order, and their indices. The first of equals comes
// first; NaN counts as the largest.
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

// TopK returns the k largest elements along the last axis and their indices. See TopKP.
func TopK(x *array.Array, k int) (values, indices *array.Array) {
	out := BindAll(TopKP{k, x.Rank() - 1}, x)
	return out[0], out[1]
}
