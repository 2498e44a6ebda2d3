package jit

import (
	"slices"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/lower/hlo"
	"github.com/pantograph-go/pantograph/primitive"
	"github.com/pantograph-go/pantograph/trace"
	"github.com/pantograph-go/pantograph/vjp"
	"github.com/pantograph-go/pantograph/vmap"
)

// CallP is the call of a jitted function inside another: one equation that holds the function's jaxpr. Every
// transformation of it is a call of the transformed jaxpr.
type CallP struct {
	Label string       // the function's name
	Jaxpr *trace.Jaxpr // interned, its captured values hoisted to inputs
}

func newCall(name string, c *trace.Closed) (CallP, []*array.Array) {
	j, captured := c.Hoist()
	return CallP{name, trace.Intern(j)}, captured
}

// bind calls c on its captured values and in.
func (p CallP) bind(c *trace.Closed, in ...*array.Array) []*array.Array {
	q, captured := newCall(p.Label, c)
	return primitive.BindAll(q, slices.Concat(captured, in)...)
}

// Name implements primitive.Primitive.
func (CallP) Name() string { return "jit" }

// Params implements primitive.Parametric.
func (p CallP) Params() []primitive.Param {
	return []primitive.Param{{Name: "name", Value: p.Label}, {Name: "jaxpr", Value: p.Jaxpr}}
}

// Jaxprs implements trace.HasJaxprs.
func (p CallP) Jaxprs() []*trace.Jaxpr { return []*trace.Jaxpr{p.Jaxpr} }

// Shape checks the operands against the jaxpr's inputs and returns the types of its results.
func (p CallP) Shape(in []array.Aval) ([]array.Aval, error) {
	if len(in) != len(p.Jaxpr.In) {
		return nil, array.ArgumentErrorf("%s takes %d operands, got %d", p.Label, len(p.Jaxpr.In), len(in))
	}
	for i, v := range p.Jaxpr.In {
		if in[i].DType != v.Aval.DType || !in[i].Shape.Equal(v.Aval.Shape) {
			return nil, array.ShapeErrorf("operand %d of %s is %s, it was traced with %s", i, p.Label, in[i], v.Aval)
		}
	}
	return trace.Avals(p.Jaxpr.Out), nil
}

// JVP implements vjp.Differentiable.
func (p CallP) JVP(x, dx []*array.Array) (y, dy []*array.Array, err error) {
	active, given := vjp.Present(dx)
	c, nonzero, err := vjp.JVPJaxpr(p.Jaxpr, active, nil)
	if err != nil {
		return nil, nil, err
	}
	out := p.bind(c, slices.Concat(x, given)...)
	n := len(p.Jaxpr.Out)
	return out[:n], vjp.Spread(out[n:], nonzero), nil
}

// Linearize implements vjp.Linearizer: a call that also returns the residuals, and a linear call.
func (p CallP) Linearize(x, dx []*array.Array) (y, dy []*array.Array, err error) {
	active, given := vjp.Present(dx)
	parts, err := vjp.LinearizeJaxpr(p.Jaxpr, active, nil)
	if err != nil {
		return nil, nil, err
	}
	out := p.bind(parts.Forward, x...)
	return out[:len(p.Jaxpr.Out)], p.linear(parts, x, out, given), nil
}

// Split implements vjp.Splitter.
func (p CallP) Split(in []*array.Array, linear []bool) ([]*array.Array, error) {
	if !slices.Contains(vjp.Reached(p.Jaxpr, linear), false) {
		return nil, nil
	}
	parts, err := vjp.SplitJaxpr(p.Jaxpr, linear, nil)
	if err != nil {
		return nil, err
	}
	var known, tangents []*array.Array
	for i, x := range in {
		if linear[i] {
			tangents = append(tangents, x)
		} else {
			known = append(known, x)
		}
	}
	fwd := p.bind(parts.Forward, known...)
	out := p.linear(parts, known, fwd, tangents)
	for i := range out {
		if !parts.IsLinear[i] {
			out[i], fwd = fwd[0], fwd[1:]
		}
	}
	return out, nil
}

// linear calls the linear part of parts on its residuals, which are operands x or results out of the forward call.
func (p CallP) linear(parts *vjp.Parts, x, out, tangents []*array.Array) []*array.Array {
	in := make([]*array.Array, 0, len(parts.Residuals)+len(tangents))
	for _, r := range parts.Residuals {
		switch {
		case r.Value != nil:
			in = append(in, r.Value)
		case r.Input >= 0:
			in = append(in, x[r.Input])
		default:
			in = append(in, out[r.Result])
		}
	}
	return vjp.Spread(p.bind(&trace.Closed{Jaxpr: parts.Linear}, append(in, tangents...)...), parts.IsLinear)
}

// Transpose implements vjp.Linear.
func (p CallP) Transpose(ct []*array.Array, in []primitive.Operand) ([]*array.Array, error) {
	linear := make([]bool, len(in))
	var args []*array.Array
	for i, o := range in {
		if linear[i] = o.Value == nil; !linear[i] {
			args = append(args, o.Value)
		}
	}
	nonzero, given := vjp.Present(ct)
	c, sent, err := vjp.TransposeJaxpr(p.Jaxpr, linear, nonzero, nil)
	if err != nil {
		return nil, err
	}
	cts := vjp.Spread(p.bind(c, append(args, given...)...), sent)
	return vjp.Spread(cts, linear), nil
}

// BatchBody implements vmap.BodyBatcher.
func (p CallP) BatchBody(axis vmap.AxisData, in []*array.Array, dims []int) ([]*array.Array, []int, error) {
	c, outDims, err := vmap.Jaxpr(p.Jaxpr, axis, dims, nil)
	if err != nil {
		return nil, nil, err
	}
	return p.bind(c, in...), outDims, nil
}

// Prune implements trace.Pruner.
func (p CallP) Prune(used []bool) (primitive.Primitive, []bool, []bool) {
	j, in := trace.DCE(p.Jaxpr, used)
	return CallP{p.Label, trace.Intern(j)}, in, used
}

// LowerJaxpr implements trace.JaxprLowerable: a function of the module, shared by equal calls.
func (p CallP) LowerJaxpr(c trace.Lowering, in []*hlo.Value, _ []array.Aval) ([]*hlo.Value, error) {
	return c.Call(p.Label, p.Jaxpr, in)
}
