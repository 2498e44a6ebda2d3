package primitive

import (
	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/lower/hlo"
)

// ArgmaxP is the index of the largest element along Axis, the first of equals; a NaN counts as the largest.
//
//	x [...] integer, bool or real float   →   [... without Axis] IndexDType, an integer type
//
// The axis must not be empty. The result carries no derivative.
type ArgmaxP struct {
	Axis       int
	IndexDType array.DType
}

// ArgminP is the index of the smallest element along Axis, the first of equals; a NaN counts as the smallest.
// See ArgmaxP.
type ArgminP struct {
	Axis       int
	IndexDType array.DType
}

// Name implements Primitive.
func (ArgmaxP) Name() string { return "argmax" }

// Name implements Primitive.
func (ArgminP) Name() string { return "argmin" }

// Params implements Parametric.
func (p ArgmaxP) Params() []Param { return argParams(p.Axis, p.IndexDType) }

// Params implements Parametric.
func (p ArgminP) Params() []Param { return argParams(p.Axis, p.IndexDType) }

func argParams(axis int, d array.DType) []Param {
	return []Param{{"axes", array.MakeInts(axis)}, {"index_dtype", d}}
}

// Shape implements Primitive.
func (p ArgmaxP) Shape(in []array.Aval) ([]array.Aval, error) {
	return argShape(in, p.Axis, p.IndexDType)
}

// Shape implements Primitive.
func (p ArgminP) Shape(in []array.Aval) ([]array.Aval, error) {
	return argShape(in, p.Axis, p.IndexDType)
}

func argShape(in []array.Aval, axis int, index array.DType) ([]array.Aval, error) {
	x, err := oneOperand(in)
	if err != nil {
		return nil, err
	}
	if !x.DType.IsInteger() && !x.DType.IsFloat() && x.DType != array.Bool {
		return nil, array.DTypeErrorf("operand is %s; it takes integers, bools and real floating-point numbers", x.DType)
	}
	if !index.IsInteger() {
		return nil, array.DTypeErrorf("index dtype is %s; it must be an integer type, such as int32", index)
	}
	if err := distinctAxes("axes", array.MakeInts(axis), x.Shape.Rank()); err != nil {
		return nil, err
	}
	if x.Shape[axis] == 0 {
		return nil, array.ShapeErrorf("axis %d of %s is empty: no element has an index", axis, x)
	}
	return []array.Aval{{Shape: x.Shape.Without(axis), DType: index}}, nil
}

// JVP implements vjp.Differentiable: an index has no derivative.
func (p ArgmaxP) JVP(x, dx []*array.Array) (y, dy []*array.Array, err error) {
	return BindAll(p, x...), []*array.Array{nil}, nil
}

// JVP implements vjp.Differentiable: an index has no derivative.
func (p ArgminP) JVP(x, dx []*array.Array) (y, dy []*array.Array, err error) {
	return BindAll(p, x...), []*array.Array{nil}, nil
}

// Batch implements vmap.Batcher.
func (p ArgmaxP) Batch(_ int, in []*array.Array, dims []int) ([]*array.Array, []int, error) {
	axis, dim := argBatch(p.Axis, dims[0])
	return BindAll(ArgmaxP{axis, p.IndexDType}, in...), []int{dim}, nil
}

// Batch implements vmap.Batcher.
func (p ArgminP) Batch(_ int, in []*array.Array, dims []int) ([]*array.Array, []int, error) {
	axis, dim := argBatch(p.Axis, dims[0])
	return BindAll(ArgminP{axis, p.IndexDType}, in...), []int{dim}, nil
}

// argBatch gives the axis to search and the batch axis of the result, for an operand with a batch axis at dim.
func argBatch(axis, dim int) (in, out int) {
	if axis < dim {
		return axis, dim - 1
	}
	return axis + 1, dim
}

// Lower implements Lowerable.
func (p ArgmaxP) Lower(b *hlo.Builder, in []*hlo.Value, out []array.Aval) ([]*hlo.Value, error) {
	return argLower(b, in[0], out[0], p.Axis, CombineMax)
}

// Lower implements Lowerable.
func (p ArgminP) Lower(b *hlo.Builder, in []*hlo.Value, out []array.Aval) ([]*hlo.Value, error) {
	return argLower(b, in[0], out[0], p.Axis, CombineMin)
}

// argLower reduces pairs of an element and its index. The winner is the same in whatever order pairs meet.
func argLower(b *hlo.Builder, x *hlo.Value, out array.Aval, axis int, op Combine) ([]*hlo.Value, error) {
	elem, index := hlo.Tensor{Elem: x.Tensor().Elem}, hlo.Tensor{Elem: out.DType}
	body, err := b.Region([]hlo.Type{elem, index, elem, index}, func(args []*hlo.Value) ([]*hlo.Value, error) {
		return compose(b, args, func(in []*array.Array) []*array.Array {
			x, i, y, j := in[0], in[1], in[2], in[3]
			wins, ties := Gt(x, y), Eq(x, y)
			if op == CombineMin {
				wins = Lt(x, y)
			}
			if x.DType().IsFloat() {
				xNaN, yNaN := Ne(x, x), Ne(y, y)
				wins = Or(wins, And(xNaN, Not(yNaN)))
				ties = Or(ties, And(xNaN, yNaN))
			}
			first := Or(wins, And(ties, Lt(i, j)))
			return []*array.Array{Select(first, x, y), Select(first, i, j)}
		})
	})
	if err != nil {
		return nil, err
	}
	indices := b.Op1("stablehlo.iota", array.Aval{Shape: x.Tensor().Shape, DType: out.DType}, hlo.Attrs{{Name: "iota_dimension", Value: hlo.I64(axis)}})
	return b.Append(&hlo.Op{
		Name:     "stablehlo.reduce",
		Operands: []*hlo.Value{x, indices, op.identity(b, elem.Elem), b.Splat(array.Aval{DType: out.DType}, 0)},
		Attrs:    hlo.Attrs{{Name: "dimensions", Value: hlo.I64s(axis)}},
		Regions:  []*hlo.Region{body},
	}, hlo.Tensor{Shape: out.Shape, Elem: elem.Elem}, hlo.TensorOf(out)).Results[1:], nil
}

// Argmax returns the index of the largest element along axis. See ArgmaxP.
func Argmax(x *array.Array, axis int, index array.DType) *array.Array {
	return Bind(ArgmaxP{axis, index}, x)
}

// Argmin returns the index of the smallest element along axis. See ArgminP.
func Argmin(x *array.Array, axis int, index array.DType) *array.Array {
	return Bind(ArgminP{axis, index}, x)
}
