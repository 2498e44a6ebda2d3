package vmap

import (
	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/lower/hlo"
	"github.com/pantograph-go/pantograph/primitive"
)

// collective is what the primitives of this file share: the axis, the rule for other axes, which lets the operand be,
// and a lowering that says that nobody maps the axis.
type collective struct{ Axis string }

// AxisName implements Collective.
func (c collective) AxisName() string { return c.Axis }

// Lower implements primitive.Lowerable.
func (c collective) Lower(*hlo.Builder, []*hlo.Value, []array.Aval) ([]*hlo.Value, error) {
	return nil, unbound(c.Axis, nil)
}

func (c collective) param() primitive.Param {
	return primitive.Param{Name: "axis_name", Value: c.Axis}
}

// PReduceP combines the elements along a named axis; every element gets the result. Its names are psum, pmax and pmin.
//
//	x [...]   →   [...] same dtype
//
// JVP: psum is linear; d pmax is the mean of dx where x is the largest.
type PReduceP struct {
	collective
	Op primitive.Combine
}

// Name implements primitive.Primitive.
func (p PReduceP) Name() string {
	switch p.Op {
	case primitive.CombineMax:
		return "pmax"
	case primitive.CombineMin:
		return "pmin"
	}
	return "psum"
}

// Params implements primitive.Parametric.
func (p PReduceP) Params() []primitive.Param { return []primitive.Param{p.param()} }

// Shape implements primitive.Primitive.
func (p PReduceP) Shape(in []array.Aval) ([]array.Aval, error) { return oneOperand(in) }

func oneOperand(in []array.Aval) ([]array.Aval, error) {
	if len(in) != 1 {
		return nil, array.ArgumentErrorf("takes one operand, got %d", len(in))
	}
	return []array.Aval{in[0]}, nil
}

// BatchAxis implements Collective.
func (p PReduceP) BatchAxis(axis AxisData, in []*array.Array, dims []int) ([]*array.Array, []int, error) {
	x := in[0]
	if dims[0] == NotMapped {
		if p.Op == primitive.CombineAdd {
			x = primitive.Mul(x, primitive.Full(x.Aval(), float64(axis.Size)))
		}
		return []*array.Array{x}, []int{NotMapped}, nil
	}
	switch p.Op {
	case primitive.CombineMax:
		x = primitive.ReduceMax(x, dims[0])
	case primitive.CombineMin:
		x = primitive.ReduceMin(x, dims[0])
	default:
		x = primitive.ReduceSum(x, dims[0])
	}
	return []*array.Array{x}, []int{NotMapped}, nil
}

// Batch implements Batcher.
func (p PReduceP) Batch(_ int, in []*array.Array, dims []int) ([]*array.Array, []int, error) {
	return primitive.BindAll(p, in...), dims, nil
}

// JVP implements vjp.Differentiable.
func (p PReduceP) JVP(x, dx []*array.Array) (y, dy []*array.Array, err error) {
	y = primitive.BindAll(p, x...)
	if p.Op == primitive.CombineAdd {
		return y, primitive.BindAll(p, dx...), nil
	}
	sum := PReduceP{p.collective, primitive.CombineAdd}
	is := primitive.Convert(primitive.Eq(x[0], y[0]), dx[0].DType())
	return y, []*array.Array{primitive.Div(primitive.Bind(sum, primitive.Mul(dx[0], is)), primitive.Bind(sum, is))}, nil
}

// Transpose implements vjp.Linear.
func (p PReduceP) Transpose(ct []*array.Array, _ []primitive.Operand) ([]*array.Array, error) {
	return primitive.BindAll(p, ct...), nil
}

// PSum adds up x over the elements along the named axis; of a value that is the same for all it is the multiple. x is an
// array or a Go number. It panics with an ArgumentError where no vmap around has the axis.
func PSum(x any, name string) *array.Array {
	return preduce("vmap.PSum", primitive.CombineAdd, x, name)
}

// PMax is the largest x along the named axis. See PSum.
func PMax(x any, name string) *array.Array {
	return preduce("vmap.PMax", primitive.CombineMax, x, name)
}

// PMin is the smallest x along the named axis. See PSum.
func PMin(x any, name string) *array.Array {
	return preduce("vmap.PMin", primitive.CombineMin, x, name)
}

// PMean is the mean of x along the named axis. See PSum.
func PMean(x any, name string) *array.Array { return PSum(x, name).Div(AxisSize(name)) }

func preduce(op string, combine primitive.Combine, x any, name string) *array.Array {
	mustAxis(op, name)
	return primitive.Bind(PReduceP{collective{name}, combine}, array.MustValue(op, x))
}

// AxisIndexP is the number of the element along a named axis.
//
//	→ int32[]
type AxisIndexP struct{ collective }

// Name implements primitive.Primitive.
func (AxisIndexP) Name() string { return "axis_index" }

// Params implements primitive.Parametric.
func (p AxisIndexP) Params() []primitive.Param { return []primitive.Param{p.param()} }

// Shape implements primitive.Primitive.
func (AxisIndexP) Shape([]array.Aval) ([]array.Aval, error) {
	return []array.Aval{{Shape: array.Shape{}, DType: array.Int32}}, nil
}

// BatchAxis implements Collective.
func (AxisIndexP) BatchAxis(axis AxisData, _ []*array.Array, _ []int) ([]*array.Array, []int, error) {
	return []*array.Array{primitive.Iota(array.Int32, array.Shape{axis.Size}, 0)}, []int{0}, nil
}

// AxisIndex is the number of the element along the named axis, an int32 scalar. It panics with an ArgumentError where no
// vmap around has the axis.
func AxisIndex(name string) *array.Array {
	mustAxis("vmap.AxisIndex", name)
	return primitive.Bind(AxisIndexP{collective{name}})
}

// AllGatherP stacks the elements along a named axis of the given size as axis Dim; every element gets the whole.
//
//	x [...]   →   [... Size at Dim ...] same dtype
//
// JVP: linear.
type AllGatherP struct {
	collective
	Dim, Size int
}

// Name implements primitive.Primitive.
func (AllGatherP) Name() string { return "all_gather" }

// Params implements primitive.Parametric.
func (p AllGatherP) Params() []primitive.Param {
	return []primitive.Param{{Name: "all_gather_dimension", Value: p.Dim}, p.param(), {Name: "axis_size", Value: p.Size}}
}

// Shape implements primitive.Primitive.
func (p AllGatherP) Shape(in []array.Aval) ([]array.Aval, error) {
	out, err := oneOperand(in)
	if err != nil {
		return nil, err
	}
	if p.Dim < 0 || p.Dim > out[0].Shape.Rank() {
		return nil, array.AxisErrorf("axis %d is out of range for a result of rank %d", p.Dim, out[0].Shape.Rank()+1)
	}
	out[0].Shape = out[0].Shape.Insert(p.Dim, p.Size)
	return out, nil
}

// BatchAxis implements Collective.
func (p AllGatherP) BatchAxis(axis AxisData, in []*array.Array, dims []int) ([]*array.Array, []int, error) {
	return []*array.Array{Put(in[0], dims[0], p.Dim, axis.Size)}, []int{NotMapped}, nil
}

// Batch implements Batcher.
func (p AllGatherP) Batch(_ int, in []*array.Array, dims []int) ([]*array.Array, []int, error) {
	q, d := p, dims[0]
	if p.Dim <= d {
		d++
	} else {
		q.Dim++
	}
	return primitive.BindAll(q, in...), []int{d}, nil
}

// JVP implements vjp.Differentiable.
func (p AllGatherP) JVP(x, dx []*array.Array) (y, dy []*array.Array, err error) {
	return primitive.BindAll(p, x...), primitive.BindAll(p, dx...), nil
}

// Transpose implements vjp.Linear: each element takes its own part of the sum.
func (p AllGatherP) Transpose(ct []*array.Array, _ []primitive.Operand) ([]*array.Array, error) {
	sum := primitive.Bind(PReduceP{p.collective, primitive.CombineAdd}, ct[0])
	zero := primitive.Full(array.Aval{DType: array.Int32}, 0)
	starts := make([]*array.Array, sum.Rank())
	for i := range starts {
		starts[i] = zero
	}
	starts[p.Dim] = primitive.Bind(AxisIndexP{p.collective})
	sizes := sum.Shape().Clone()
	sizes[p.Dim] = 1
	return []*array.Array{primitive.Squeeze(primitive.DynamicSlice(sum, starts, sizes), p.Dim)}, nil
}

// AllGather gives every element the values x of all, stacked along a new axis of the result, negative ones counting from
// its end. It panics with an ArgumentError where no vmap around has the named axis, an AxisError for an axis out of range.
func AllGather(x *array.Array, name string, axis int) *array.Array {
	a := mustAxis("vmap.AllGather", name)
	if axis < 0 {
		axis += x.Rank() + 1
	}
	return primitive.Bind(AllGatherP{collective{name}, axis, a.Size}, x)
}
