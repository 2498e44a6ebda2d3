package primitive

import (
	"slices"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/lower/hlo"
)

// IotaP counts 0, 1, 2, … along one axis.
//
//	→   Sizes, DType: each element is its position along Dimension
type IotaP struct {
	DType     array.DType // integer, float or complex
	Sizes     array.Ints
	Dimension int
}

// Name implements Primitive.
func (IotaP) Name() string { return "iota" }

// Params implements Parametric.
func (p IotaP) Params() []Param {
	return []Param{{"dimension", p.Dimension}, {"dtype", p.DType}, {"shape", p.Sizes}}
}

// Shape implements Primitive.
func (p IotaP) Shape(in []array.Aval) ([]array.Aval, error) {
	if len(in) != 0 {
		return nil, array.ArgumentErrorf("takes no operands, got %d", len(in))
	}
	if kindOf(p.DType)&numbers == 0 {
		return nil, array.DTypeErrorf("%s does not count; it makes %s", p.DType, numbers)
	}
	if err := sizes("shape", p.Sizes); err != nil {
		return nil, err
	}
	if err := distinctAxes("dimension", array.MakeInts(p.Dimension), p.Sizes.Len()); err != nil {
		return nil, err
	}
	return []array.Aval{{Shape: p.Sizes.Shape(), DType: p.DType}}, nil
}

// sizes refuses a list with a negative size.
func sizes(what string, l array.Ints) error {
	for i, n := range l.Slice() {
		if n < 0 {
			return array.ShapeErrorf("%s %s: axis %d has the negative size %d", what, l, i, n)
		}
	}
	return nil
}

// Lower implements Lowerable.
func (p IotaP) Lower(b *hlo.Builder, _ []*hlo.Value, out []array.Aval) ([]*hlo.Value, error) {
	return b.Op("stablehlo.iota", out[0], nil, hlo.NamedAttr{Name: "iota_dimension", Value: hlo.I64(p.Dimension)}), nil
}

// Iota counts along axis dim of an array of the given shape. See IotaP.
func Iota(d array.DType, shape array.Shape, dim int) *array.Array {
	return Bind(IotaP{d, array.MakeInts(shape...), dim})
}

// Full is an array of a's type whose elements are all v, converted to it: a constant, repeated.
func Full(a array.Aval, v float64) *array.Array {
	s := array.NewBuffer(a.DType, array.Shape{})
	s.SetFloat(0, v)
	x := array.OfAval(s, a.WithShape(array.Shape{}))
	if a.Shape.Rank() == 0 {
		return x
	}
	return BroadcastInDim(x, a.Shape, nil)
}

// BroadcastInDimP repeats an array along new axes and along axes of size 1.
//
//	x [...]   →   Sizes, same dtype
//
// Axis i of x becomes axis BroadcastDimensions[i] of the result, in ascending order; its size is that of the result or 1.
//
// JVP: linear. Its transpose sums over what was repeated.
type BroadcastInDimP struct {
	Sizes               array.Ints
	BroadcastDimensions array.Ints
}

// Name implements Primitive.
func (BroadcastInDimP) Name() string { return "broadcast_in_dim" }

// Params implements Parametric: the shape stands in the type of the result.
func (p BroadcastInDimP) Params() []Param {
	if p.BroadcastDimensions.Len() == 0 {
		return nil
	}
	return []Param{{"broadcast_dimensions", p.BroadcastDimensions}}
}

// Shape implements Primitive.
func (p BroadcastInDimP) Shape(in []array.Aval) ([]array.Aval, error) {
	x, err := oneOperand(in)
	if err != nil {
		return nil, err
	}
	if err := sizes("shape", p.Sizes); err != nil {
		return nil, err
	}
	if p.BroadcastDimensions.Len() != x.Shape.Rank() {
		return nil, array.ArgumentErrorf("broadcast dimensions %s must name an axis of the result for each of the %d axes of %s", p.BroadcastDimensions, x.Shape.Rank(), x)
	}
	if err := distinctAxes("broadcast dimensions", p.BroadcastDimensions, p.Sizes.Len()); err != nil {
		return nil, err
	}
	dims := p.BroadcastDimensions.Slice()
	if !slices.IsSorted(dims) {
		return nil, array.AxisErrorf("broadcast dimensions %s must ascend: transpose the operand first", p.BroadcastDimensions)
	}
	for i, d := range dims {
		if n := x.Shape[i]; n != 1 && n != p.Sizes.At(d) {
			return nil, array.ShapeErrorf("axis %d of %s has %d elements and cannot become axis %d of %s, which has %d; only an axis of size 1 can be repeated", i, x, n, d, p.Sizes.Shape(), p.Sizes.At(d))
		}
	}
	return []array.Aval{x.WithShape(p.Sizes.Shape())}, nil
}

// JVP implements vjp.Differentiable.
func (p BroadcastInDimP) JVP(x, dx []*array.Array) (y, dy []*array.Array, err error) {
	return single(Bind(p, x...), Bind(p, dx...))
}

// Transpose implements vjp.Linear.
func (p BroadcastInDimP) Transpose(ct []*array.Array, in []Operand) ([]*array.Array, error) {
	a := in[0].Aval
	var unit, summed []int
	kept := p.BroadcastDimensions.Slice()
	for i, n := range a.Shape {
		if n == 1 {
			unit = append(unit, i)
		}
	}
	for i := range p.Sizes.Len() {
		if at := slices.Index(kept, i); at < 0 || a.Shape[at] == 1 {
			summed = append(summed, i)
		}
	}
	x := ct[0]
	if len(summed) > 0 {
		x = ReduceSum(x, summed...)
	}
	return []*array.Array{ExpandDims(x, unit...)}, nil
}

// Batch implements vmap.Batcher.
func (p BroadcastInDimP) Batch(size int, in []*array.Array, dims []int) ([]*array.Array, []int, error) {
	x := moveAxis(in[0], dims[0], 0)
	to := beside(p.BroadcastDimensions, 0).Slice()
	return []*array.Array{BroadcastInDim(x, p.Sizes.Shape().Insert(0, size), append([]int{0}, to...))}, []int{0}, nil
}

// Lower implements Lowerable.
func (p BroadcastInDimP) Lower(b *hlo.Builder, in []*hlo.Value, out []array.Aval) ([]*hlo.Value, error) {
	return b.Op("stablehlo.broadcast_in_dim", out[0], in, hlo.NamedAttr{Name: "broadcast_dimensions", Value: hlo.I64s(p.BroadcastDimensions.Slice()...)}), nil
}

// BroadcastInDim repeats x to a shape; axis i of x becomes axis dims[i]. x itself where nothing is to be done. See
// BroadcastInDimP.
func BroadcastInDim(x *array.Array, shape array.Shape, dims []int) *array.Array {
	p := BroadcastInDimP{array.MakeInts(shape...), array.MakeInts(dims...)}
	if p.Sizes == array.MakeInts(x.Shape()...) && p.BroadcastDimensions == iotaInts(len(shape)) {
		return x
	}
	return Bind(p, x)
}

// ExpandDims inserts axes of size 1, which are at dims of the result. It is a broadcast.
func ExpandDims(x *array.Array, dims ...int) *array.Array {
	rank := x.Rank() + len(dims)
	new, err := array.NormalAxes(dims, rank)
	if err != nil {
		panic(wrap(BroadcastInDimP{}, []*array.Array{x}, err))
	}
	shape, kept, next := make(array.Shape, rank), make([]int, 0, x.Rank()), 0
	for i := range rank {
		shape[i] = 1
		if !slices.Contains(new, i) {
			shape[i] = x.Shape()[next]
			kept = append(kept, i)
			next++
		}
	}
	return BroadcastInDim(x, shape, kept)
}
