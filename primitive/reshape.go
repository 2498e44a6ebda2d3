package primitive

import (
	"slices"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/lower/hlo"
)

// ReshapeP gives an array another shape of as many elements, in row-major order.
//
//	x [...]   →   NewSizes, same dtype
//
// JVP: linear.
type ReshapeP struct{ NewSizes array.Ints }

// Name implements Primitive.
func (ReshapeP) Name() string { return "reshape" }

// Params implements Parametric. JAX has a parameter for a transpose that goes with a reshape.
func (p ReshapeP) Params() []Param { return []Param{{"dimensions", nil}, {"new_sizes", p.NewSizes}} }

// Shape implements Primitive.
func (p ReshapeP) Shape(in []array.Aval) ([]array.Aval, error) {
	x, err := oneOperand(in)
	if err != nil {
		return nil, err
	}
	if err := sizes("new sizes", p.NewSizes); err != nil {
		return nil, err
	}
	s := p.NewSizes.Shape()
	if s.Size() != x.Shape.Size() {
		return nil, array.ShapeErrorf("%s has %d elements, shape %s has %d; a reshape keeps their number", x, x.Shape.Size(), s, s.Size())
	}
	return []array.Aval{x.WithShape(s)}, nil
}

// JVP implements vjp.Differentiable.
func (p ReshapeP) JVP(x, dx []*array.Array) (y, dy []*array.Array, err error) {
	return single(Bind(p, x...), Bind(p, dx...))
}

// Transpose implements vjp.Linear.
func (ReshapeP) Transpose(ct []*array.Array, in []Operand) ([]*array.Array, error) {
	return []*array.Array{Reshape(ct[0], in[0].Aval.Shape)}, nil
}

// Batch implements vmap.Batcher.
func (p ReshapeP) Batch(size int, in []*array.Array, dims []int) ([]*array.Array, []int, error) {
	return []*array.Array{Reshape(moveAxis(in[0], dims[0], 0), p.NewSizes.Shape().Insert(0, size))}, []int{0}, nil
}

// Lower implements Lowerable.
func (ReshapeP) Lower(b *hlo.Builder, in []*hlo.Value, out []array.Aval) ([]*hlo.Value, error) {
	return lowerReshape(b, in, out)
}

func lowerReshape(b *hlo.Builder, in []*hlo.Value, out []array.Aval) ([]*hlo.Value, error) {
	if in[0].Tensor().Shape.Equal(out[0].Shape) {
		return in, nil
	}
	return b.Op("stablehlo.reshape", out[0], in), nil
}

// Reshape gives x another shape; x itself where it has that shape. See ReshapeP.
func Reshape(x *array.Array, shape array.Shape) *array.Array {
	if x.Shape().Equal(shape) {
		return x
	}
	return Bind(ReshapeP{array.MakeInts(shape...)}, x)
}

// SqueezeP leaves out axes of size 1.
//
//	x [...]   →   [... without Dimensions], same dtype
//
// JVP: linear.
type SqueezeP struct{ Dimensions array.Ints }

// Name implements Primitive.
func (SqueezeP) Name() string { return "squeeze" }

// Shape implements Primitive.
func (p SqueezeP) Shape(in []array.Aval) ([]array.Aval, error) {
	x, err := oneOperand(in)
	if err != nil {
		return nil, err
	}
	if err := distinctAxes("dimensions", p.Dimensions, x.Shape.Rank()); err != nil {
		return nil, err
	}
	for _, d := range p.Dimensions.Slice() {
		if x.Shape[d] != 1 {
			return nil, array.ShapeErrorf("axis %d of %s has size %d; only an axis of size 1 can be squeezed: use Reshape, or reduce over the axis", d, x, x.Shape[d])
		}
	}
	return []array.Aval{x.WithShape(x.Shape.Without(p.Dimensions.Slice()...))}, nil
}

// JVP implements vjp.Differentiable.
func (p SqueezeP) JVP(x, dx []*array.Array) (y, dy []*array.Array, err error) {
	return single(Bind(p, x...), Bind(p, dx...))
}

// Transpose implements vjp.Linear.
func (p SqueezeP) Transpose(ct []*array.Array, _ []Operand) ([]*array.Array, error) {
	return []*array.Array{ExpandDims(ct[0], p.Dimensions.Slice()...)}, nil
}

// Batch implements vmap.Batcher.
func (p SqueezeP) Batch(_ int, in []*array.Array, dims []int) ([]*array.Array, []int, error) {
	axes := beside(p.Dimensions, dims[0])
	return BindAll(SqueezeP{axes}, in...), []int{dims[0] - below(axes, dims[0])}, nil
}

// Lower implements Lowerable.
func (SqueezeP) Lower(b *hlo.Builder, in []*hlo.Value, out []array.Aval) ([]*hlo.Value, error) {
	return lowerReshape(b, in, out)
}

// Squeeze leaves out axes of size 1, of which negative ones count from the end; x itself where none is named. See
// SqueezeP.
func Squeeze(x *array.Array, dims ...int) *array.Array {
	if len(dims) == 0 {
		return x
	}
	dims = slices.Clone(dims)
	for i, d := range dims {
		if d < 0 {
			dims[i] = d + x.Rank()
		}
	}
	return Bind(SqueezeP{array.MakeInts(dims...)}, x)
}

// TransposeP permutes axes: axis i of the result is axis Permutation[i] of x.
//
//	x [...]   →   [...] same dtype
//
// JVP: linear.
type TransposeP struct{ Permutation array.Ints }

// Name implements Primitive.
func (TransposeP) Name() string { return "transpose" }

// Shape implements Primitive.
func (p TransposeP) Shape(in []array.Aval) ([]array.Aval, error) {
	x, err := oneOperand(in)
	if err != nil {
		return nil, err
	}
	if p.Permutation.Len() != x.Shape.Rank() {
		return nil, array.AxisErrorf("permutation %s must name each of the %d axes of %s once", p.Permutation, x.Shape.Rank(), x)
	}
	if err := distinctAxes("permutation", p.Permutation, x.Shape.Rank()); err != nil {
		return nil, err
	}
	s := make(array.Shape, x.Shape.Rank())
	for i := range s {
		s[i] = x.Shape[p.Permutation.At(i)]
	}
	return []array.Aval{x.WithShape(s)}, nil
}

// JVP implements vjp.Differentiable.
func (p TransposeP) JVP(x, dx []*array.Array) (y, dy []*array.Array, err error) {
	return single(Bind(p, x...), Bind(p, dx...))
}

// Transpose implements vjp.Linear.
func (p TransposeP) Transpose(ct []*array.Array, _ []Operand) ([]*array.Array, error) {
	return BindAll(TransposeP{p.Permutation.Invert()}, ct...), nil
}

// Batch implements vmap.Batcher.
func (p TransposeP) Batch(_ int, in []*array.Array, dims []int) ([]*array.Array, []int, error) {
	perm := append([]int{dims[0]}, beside(p.Permutation, dims[0]).Slice()...)
	return []*array.Array{Transpose(in[0], perm)}, []int{0}, nil
}

// Lower implements Lowerable.
func (p TransposeP) Lower(b *hlo.Builder, in []*hlo.Value, out []array.Aval) ([]*hlo.Value, error) {
	return b.Op("stablehlo.transpose", out[0], in, hlo.NamedAttr{Name: "permutation", Value: hlo.I64s(p.Permutation.Slice()...)}), nil
}

// Transpose permutes the axes of x; x itself where perm moves none. See TransposeP.
func Transpose(x *array.Array, perm []int) *array.Array {
	p := array.MakeInts(perm...)
	if p == iotaInts(x.Rank()) {
		return x
	}
	return Bind(TransposeP{p}, x)
}

// RevP reverses the order along axes.
//
//	x [...]   →   [...] same shape and dtype
//
// JVP: linear.
type RevP struct{ Dimensions array.Ints }

// Name implements Primitive.
func (RevP) Name() string { return "rev" }

// Shape implements Primitive.
func (p RevP) Shape(in []array.Aval) ([]array.Aval, error) {
	x, err := oneOperand(in)
	if err != nil {
		return nil, err
	}
	return []array.Aval{x}, distinctAxes("dimensions", p.Dimensions, x.Shape.Rank())
}

// JVP implements vjp.Differentiable.
func (p RevP) JVP(x, dx []*array.Array) (y, dy []*array.Array, err error) {
	return single(Bind(p, x...), Bind(p, dx...))
}

// Transpose implements vjp.Linear.
func (p RevP) Transpose(ct []*array.Array, _ []Operand) ([]*array.Array, error) {
	return BindAll(p, ct...), nil
}

// Batch implements vmap.Batcher.
func (p RevP) Batch(_ int, in []*array.Array, dims []int) ([]*array.Array, []int, error) {
	return BindAll(RevP{beside(p.Dimensions, dims[0])}, in...), dims, nil
}

// Lower implements Lowerable.
func (p RevP) Lower(b *hlo.Builder, in []*hlo.Value, out []array.Aval) ([]*hlo.Value, error) {
	return b.Op("stablehlo.reverse", out[0], in, hlo.NamedAttr{Name: "dimensions", Value: hlo.I64s(p.Dimensions.Slice()...)}), nil
}

// Rev reverses the order along dims. See RevP.
func Rev(x *array.Array, dims ...int) *array.Array { return Bind(RevP{array.MakeInts(dims...)}, x) }
