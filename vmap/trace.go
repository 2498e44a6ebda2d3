package vmap

import (
	"fmt"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/primitive"
	"github.com/pantograph-go/pantograph/trace"
)

// NotMapped is the batch dimension of a value that is the same for every element.
const NotMapped = -1

// AxisData is the mapped axis as a rule sees it.
type AxisData struct {
	Name string // given by Axis, empty where there is none
	Size int
}

// Batcher is the batch rule of a primitive. in are the operands with the mapped axis at dims[i], NotMapped where an
// operand has none; at least one has. The rule applies the operation to all elements at once and says where the mapped
// axis of each result is. It runs with the trace below vmap's current.
type Batcher interface {
	Batch(size int, in []*array.Array, dims []int) (out []*array.Array, outDims []int, err error)
}

// BodyBatcher is the batch rule of a primitive that holds jaxprs, which must know the axis to batch them with Jaxpr.
type BodyBatcher interface {
	BatchBody(axis AxisData, in []*array.Array, dims []int) (out []*array.Array, outDims []int, err error)
}

// Elementwise marks a primitive that works on each element alone: its operands and results have one shape, except that
// an operand may be a scalar, which stands for every element. vmap needs no rule of it.
type Elementwise interface{ Elementwise() }

// tracer stands for one element of val along dim.
type tracer struct {
	trace *batchTrace
	val   *array.Array
	dim   int
}

func (t *tracer) Frame() *primitive.Frame { return t.trace.frame }

func (t *tracer) Describe() string {
	return fmt.Sprintf("value %s of %s", elementAval(t.val.Aval(), t.dim), t.trace.Describe())
}

// batchTrace is vmap at work. An operation of which no operand is mapped passes down unchanged, so values that are the
// same for every element are computed once; unless it works along the axis itself.
type batchTrace struct {
	frame *primitive.Frame
	axis  AxisData
}

func open(axis AxisData) *batchTrace {
	t := &batchTrace{axis: axis}
	t.frame = primitive.Open(t)
	return t
}

func (t *batchTrace) Describe() string {
	if t.axis.Name != "" {
		return fmt.Sprintf("vmap(axis %s of size %d)", t.axis.Name, t.axis.Size)
	}
	return fmt.Sprintf("vmap(axis of size %d)", t.axis.Size)
}

// lift makes the element of val along dim; val itself where it is not mapped.
func (t *batchTrace) lift(val *array.Array, dim int) *array.Array {
	if dim == NotMapped {
		return val
	}
	return array.FromTracer(elementAval(val.Aval(), dim), &tracer{t, val, dim})
}

// lower is the inverse of lift.
func (t *batchTrace) lower(x *array.Array) (val *array.Array, dim int) {
	if tr, ok := array.TracerOf(x).(*tracer); ok && tr.trace == t {
		return tr.val, tr.dim
	}
	return x, NotMapped
}

func elementAval(a array.Aval, dim int) array.Aval { return a.WithShape(a.Shape.Without(dim)) }

// Process implements primitive.Trace.
func (t *batchTrace) Process(p primitive.Primitive, in []*array.Array) (out []*array.Array, err error) {
	if refused := trace.Try(func() { out, err = t.process(p, in) }); refused != nil {
		err = refused
	}
	if err != nil { // in terms of one element, where operands do not fit
		if _, unfit := p.Shape(avalsOf(in)); unfit != nil {
			err = unfit
		}
	}
	return out, err
}

func (t *batchTrace) process(p primitive.Primitive, in []*array.Array) (out []*array.Array, err error) {
	vals, dims, mapped := make([]*array.Array, len(in)), make([]int, len(in)), false
	for i, x := range in {
		vals[i], dims[i] = t.lower(x)
		mapped = mapped || dims[i] != NotMapped
	}
	mapped = mapped || uses(p, t.axis.Name)
	err = t.frame.Below(func() error {
		if !mapped {
			out = primitive.BindAll(p, in...)
			return nil
		}
		outDims := []int(nil)
		out, outDims, err = batch(p, t.axis, vals, dims)
		if err != nil {
			return err
		}
		if len(outDims) != len(out) {
			return array.RuleErrorf("its batch rule gave %d results with %d dimensions", len(out), len(outDims))
		}
		for i, y := range out {
			if d := outDims[i]; d != NotMapped && (d < 0 || d >= y.Rank() || y.Shape()[d] != t.axis.Size) {
				return array.RuleErrorf("its batch rule gave %s with the mapped axis of size %d at %d for result %d", y.Aval(), t.axis.Size, d, i)
			}
			out[i] = t.lift(y, outDims[i])
		}
		return nil
	})
	return out, err
}

func avalsOf(x []*array.Array) []array.Aval {
	a := make([]array.Aval, len(x))
	for i, v := range x {
		a[i] = v.Aval()
	}
	return a
}

func batch(p primitive.Primitive, axis AxisData, in []*array.Array, dims []int) ([]*array.Array, []int, error) {
	if c, ok := p.(Collective); ok && c.AxisName() == axis.Name {
		return c.BatchAxis(axis, in, dims)
	}
	switch r := p.(type) {
	case BodyBatcher:
		return r.BatchBody(axis, in, dims)
	case Batcher:
		return r.Batch(axis.Size, in, dims)
	case Elementwise:
		return elementwise(p, axis.Size, in, dims)
	}
	return nil, nil, &array.NoRuleError{Transformation: "vmap", Primitive: p.Name(),
		Advice: "give the primitive a Batch method, or the mark Elementwise where it works on each element alone"}
}

// elementwise brings the mapped axis of every operand to where the first mapped array has it. A scalar beside arrays
// stays one where it is not mapped, and is repeated to their shape where it is.
func elementwise(p primitive.Primitive, size int, in []*array.Array, dims []int) ([]*array.Array, []int, error) {
	element := func(i int) array.Shape {
		if dims[i] == NotMapped {
			return in[i].Shape()
		}
		return in[i].Shape().Without(dims[i])
	}
	at, shape := NotMapped, array.Shape{} // shape is that of one element of the result
	for i := range in {
		if s := element(i); len(s) > 0 {
			shape = s
			if at == NotMapped {
				at = dims[i]
			}
		}
	}
	if at == NotMapped { // only scalars are mapped
		at = 0
	}
	aligned := make([]*array.Array, len(in))
	for i, x := range in {
		switch scalar := len(element(i)) == 0; {
		case scalar && dims[i] == NotMapped:
			aligned[i] = x
		case scalar && len(shape) > 0:
			aligned[i] = primitive.BroadcastInDim(x, shape.Insert(at, size), []int{at})
		default:
			aligned[i] = Put(x, dims[i], at, size)
		}
	}
	out := primitive.BindAll(p, aligned...)
	outDims := make([]int, len(out))
	for i := range outDims {
		outDims[i] = at
	}
	return out, outDims, nil
}

// Put moves the mapped axis of x from dim to at, or repeats x size times along a new axis at where it is not mapped.
// It serves batch rules.
func Put(x *array.Array, dim, at, size int) *array.Array {
	switch dim {
	case at:
		return x
	case NotMapped:
		from := make([]int, x.Rank())
		for i := range from {
			from[i] = i
			if i >= at {
				from[i]++
			}
		}
		return primitive.BroadcastInDim(x, x.Shape().Insert(at, size), from)
	}
	perm := make([]int, 0, x.Rank())
	for i := range x.Rank() {
		if i != dim {
			perm = append(perm, i)
		}
	}
	perm = append(perm[:at], append([]int{dim}, perm[at:]...)...)
	return primitive.Transpose(x, perm)
}
