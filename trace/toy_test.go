package trace_test

import (
	"runtime"
	"testing"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/primitive"
	"github.com/pantograph-go/pantograph/trace"
)

// The primitives of these tests: what a user's own look like.

// unary is elementwise in one operand.
type unary struct{ name string }

func (p unary) Name() string { return p.name }

func (p unary) Shape(in []array.Aval) ([]array.Aval, error) {
	if !in[0].DType.IsInexact() {
		return nil, array.DTypeErrorf("takes floating-point operands, got %s", in[0])
	}
	return in[:1], nil
}

// binary is elementwise in two operands of equal shape, one of which may be scalar.
type binary struct{ name string }

func (p binary) Name() string { return p.name }

func (p binary) Shape(in []array.Aval) ([]array.Aval, error) {
	a, b := in[0].Strong(), in[1].Strong()
	switch {
	case a.Shape.Equal(b.Shape), b.Shape.Rank() == 0:
		return []array.Aval{a}, nil
	case a.Shape.Rank() == 0:
		return []array.Aval{b}, nil
	}
	return nil, array.ShapeErrorf("shapes differ: lhs %s, rhs %s", a.Shape, b.Shape)
}

// maximum is the greatest element.
type maximum struct{}

func (p maximum) Name() string { return "max" }

func (p maximum) Shape(in []array.Aval) ([]array.Aval, error) {
	return []array.Aval{in[0].WithShape(array.Shape{})}, nil
}

// topK has two results.
type topK struct{ Axis, K int }

func (p topK) Name() string { return "top_k" }

func (p topK) Shape(in []array.Aval) ([]array.Aval, error) {
	a := in[0].WithShape(array.Shape{p.K})
	return []array.Aval{a, {Shape: a.Shape, DType: array.Int32}}, nil
}

// call holds a jaxpr.
type call struct {
	PName string
	Body  *trace.Jaxpr
}

func (p call) Name() string { return "jit" }

func (p call) Shape(in []array.Aval) ([]array.Aval, error) { return trace.Avals(p.Body.Out), nil }

func (p call) Jaxprs() []*trace.Jaxpr { return []*trace.Jaxpr{p.Body} }

func (p call) Params() []primitive.Param {
	return []primitive.Param{{Name: "name", Value: p.PName}, {Name: "jaxpr", Value: p.Body}}
}

// Prune implements trace.Pruner.
func (p call) Prune(used []bool) (primitive.Primitive, []bool, []bool) {
	body, in := trace.DCE(p.Body, used)
	return call{p.PName, trace.Intern(body)}, in, used
}

// note has an effect and no result.
type note struct{ Text string }

func (p note) Name() string                                { return "note" }
func (p note) Shape(in []array.Aval) ([]array.Aval, error) { return nil, nil }
func (p note) Effect() primitive.Effect                    { return primitive.Ordered }

var (
	sinP = unary{"sin"}
	addP = binary{"add"}
	maxP = maximum{}
)

func sin(x *array.Array) *array.Array    { return primitive.Bind(unary{"sin"}, x) }
func cos(x *array.Array) *array.Array    { return primitive.Bind(unary{"cos"}, x) }
func mul(x, y *array.Array) *array.Array { return primitive.Bind(binary{"mul"}, x, y) }
func add(x, y *array.Array) *array.Array { return primitive.Bind(binary{"add"}, x, y) }

// jitted calls f as one equation.
func jitted(name string, f func(x *array.Array) *array.Array) func(x *array.Array) *array.Array {
	return func(x *array.Array) *array.Array {
		c, err := trace.Record("jit("+name+")", []array.Aval{x.Aval()}, func(in []*array.Array) ([]*array.Array, error) {
			return []*array.Array{f(in[0])}, nil
		})
		if err != nil {
			panic(err)
		}
		j, consts := c.Hoist()
		return primitive.Bind(call{name, trace.Intern(j)}, append(consts, x)...)
	}
}

// vec is float32 data.
func vec(v ...float32) *array.Array {
	return array.Of(array.FromSlice(array.Float32, array.Shape{len(v)}, v))
}

// scalar is a float32 scalar.
func scalar(v float32) *array.Array {
	return array.Of(array.FromSlice(array.Float32, array.Shape{}, []float32{v}))
}

func f32(shape ...int) *array.Array { return trace.Spec(array.Float32, shape...) }

// line is the number of the line that calls it.
func line() int {
	_, _, n, _ := runtime.Caller(1)
	return n
}

func check(t *testing.T, j *trace.Jaxpr) {
	t.Helper()
	if err := trace.Check(j); err != nil {
		t.Errorf("Check: %v\n%s", err, j)
	}
}
