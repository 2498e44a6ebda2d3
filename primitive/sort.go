package primitive

import (
	"math"
	"slices"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/lower/hlo"
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

// JVP implements vjp.Differentiable: positions are sorted along and tell where each tangent goes.
func (p SortP) JVP(x, dx []*array.Array) (y, dy []*array.Array, err error) {
	shape := x[0].Shape()
	position := Iota(indexDType(shape[p.Dimension]), shape, p.Dimension)
	out := BindAll(p, append(slices.Clone(x), position)...)
	y, perm := out[:len(x)], out[len(x)]
	dy = make([]*array.Array, len(x))
	for i, t := range dx {
		if t != nil {
			dy[i] = takeAlong(t, perm, p.Dimension)
		}
	}
	return y, dy, nil
}

// indexDType is the type that numbers n elements: int32 where it can.
func indexDType(n int) array.DType {
	if n > math.MaxInt32 {
		return array.Int64
	}
	return array.Int32
}

// Batch implements vmap.Batcher.
func (p SortP) Batch(size int, in []*array.Array, dims []int) ([]*array.Array, []int, error) {
	at := firstMapped(dims)
	xs, out := make([]*array.Array, len(in)), make([]int, len(in))
	for i, x := range in {
		xs[i], out[i] = batchAt(x, size, dims[i], at), at
	}
	p.Dimension = beside(array.MakeInts(p.Dimension), at).At(0)
	return BindAll(p, xs...), out, nil
}

// Lower implements Lowerable.
func (p SortP) Lower(b *hlo.Builder, in []*hlo.Value, out []array.Aval) ([]*hlo.Value, error) {
	var args, types []hlo.Type
	for i, v := range in {
		t := hlo.Tensor{Elem: v.Tensor().Elem}
		args = append(args, t, t)
		types = append(types, hlo.TensorOf(out[i]))
	}
	body, err := b.Region(args, func(args []*hlo.Value) ([]*hlo.Value, error) {
		less, err := p.less(b, args)
		return []*hlo.Value{less}, err
	})
	if err != nil {
		return nil, err
	}
	return b.Append(&hlo.Op{
		Name:     "stablehlo.sort",
		Operands: in,
		Attrs:    hlo.Attrs{{Name: "dimension", Value: hlo.I64(p.Dimension)}, {Name: "is_stable", Value: hlo.Bool(p.Stable)}},
		Regions:  []*hlo.Region{body},
	}, types...).Results, nil
}

// less compares the keys in their order: a key decides where all before it are equal. args are pairs, operand by operand.
func (p SortP) less(b *hlo.Builder, args []*hlo.Value) (*hlo.Value, error) {
	var xs, ys []*hlo.Value // the real parts to compare, first to last
	for k := range p.NumKeys {
		x, err := orderedParts(b, args[2*k])
		if err != nil {
			return nil, err
		}
		y, err := orderedParts(b, args[2*k+1])
		if err != nil {
			return nil, err
		}
		xs, ys = append(xs, x...), append(ys, y...)
	}
	truth := array.Aval{DType: array.Bool}
	var less *hlo.Value
	for i := len(xs) - 1; i >= 0; i-- {
		before := totalCompare(b, "LT", xs[i], ys[i])
		if less != nil {
			tied := b.Op1("stablehlo.and", truth, nil, totalCompare(b, "EQ", xs[i], ys[i]), less)
			before = b.Op1("stablehlo.or", truth, nil, before, tied)
		}
		less = before
	}
	return less, nil
}

// orderedParts splits a key into real numbers on which the total order is the one that SortP promises: one zero, one NaN.
func orderedParts(b *hlo.Builder, v *hlo.Value) ([]*hlo.Value, error) {
	d := v.Tensor().Elem
	if !d.IsInexact() {
		return []*hlo.Value{v}, nil
	}
	return compose(b, []*hlo.Value{v}, func(in []*array.Array) []*array.Array {
		parts := in
		if d.IsComplex() {
			parts = []*array.Array{Real(in[0]), Imag(in[0])}
		}
		out := make([]*array.Array, len(parts))
		for i, x := range parts {
			zero, nan := zerosOf(x.Aval()), Full(x.Aval(), math.NaN())
			out[i] = Select(Ne(x, x), nan, Select(Eq(x, zero), zero, x))
		}
		return out
	})
}

func totalCompare(b *hlo.Builder, direction string, x, y *hlo.Value) *hlo.Value {
	kind := "SIGNED"
	switch x.Tensor().Elem.Kind() {
	case array.KindFloat:
		kind = "TOTALORDER"
	case array.KindUint, array.KindBool:
		kind = "UNSIGNED"
	}
	return b.Op1("stablehlo.compare", array.Aval{DType: array.Bool}, hlo.Attrs{
		{Name: "comparison_direction", Value: hlo.SHLO("comparison_direction", direction)},
		{Name: "compare_type", Value: hlo.SHLO("comparison_type", kind)},
	}, x, y)
}

// Sort sorts xs along dim by the first numKeys of them, stably. See SortP.
func Sort(dim, numKeys int, xs ...*array.Array) []*array.Array {
	return BindAll(SortP{dim, numKeys, true}, xs...)
}
