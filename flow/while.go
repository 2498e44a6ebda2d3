package flow

import (
	"slices"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/lower/hlo"
	"github.com/pantograph-go/pantograph/primitive"
	"github.com/pantograph-go/pantograph/trace"
	"github.com/pantograph-go/pantograph/vjp"
	"github.com/pantograph-go/pantograph/vmap"
)

// WhileP applies Body to the carry as long as Cond of it holds. Operands are the constants of Cond, those of Body, and
// the initial carry.
//
//	Cond: (cond consts, carry) → bool[]      Body: (body consts, carry) → carry
//
// JVP: the loop that carries tangents beside values. Reverse mode is refused: how often the body runs is not known when
// the memory for what its derivative needs must be provided. With a mapped condition every element runs as often as
// its own condition says.
type WhileP struct {
	Cond, Body             *trace.Jaxpr
	CondConsts, BodyConsts int
}

// Name implements primitive.Primitive.
func (WhileP) Name() string { return "while" }

// Params implements primitive.Parametric.
func (p WhileP) Params() []primitive.Param {
	return []primitive.Param{{Name: "body_jaxpr", Value: p.Body}, {Name: "body_nconsts", Value: p.BodyConsts},
		{Name: "cond_jaxpr", Value: p.Cond}, {Name: "cond_nconsts", Value: p.CondConsts}}
}

// Jaxprs implements trace.HasJaxprs.
func (p WhileP) Jaxprs() []*trace.Jaxpr { return []*trace.Jaxpr{p.Cond, p.Body} }

// Shape implements primitive.Primitive.
func (p WhileP) Shape(in []array.Aval) ([]array.Aval, error) {
	want := slices.Concat(trace.Avals(p.Cond.In[:p.CondConsts]), trace.Avals(p.Body.In))
	if err := operandsFit(in, want); err != nil {
		return nil, err
	}
	return trace.Avals(p.Body.In[p.BodyConsts:]), nil
}

// loop are the three parts of a while's operands, or of what is known of them.
type loop[T any] struct{ cond, body, carry []T }

func loopOf[T any](p WhileP, in []T) loop[T] {
	c, b := p.CondConsts, p.CondConsts+p.BodyConsts
	return loop[T]{in[:c:c], in[c:b:b], in[b:]}
}

// bindWhile binds a loop whose functions may have captured values.
func bindWhile(cond, body *trace.Closed, in loop[*array.Array]) []*array.Array {
	c, fromCond := cond.Hoist()
	b, fromBody := body.Hoist()
	in.cond, in.body = slices.Concat(fromCond, in.cond), slices.Concat(fromBody, in.body)
	p := WhileP{trace.Intern(c), trace.Intern(b), len(in.cond), len(in.body)}
	return primitive.BindAll(p, slices.Concat(in.cond, in.body, in.carry)...)
}

// JVP implements vjp.Differentiable.
func (p WhileP) JVP(x, dx []*array.Array) (y, dy []*array.Array, err error) {
	nz := loopOf(p, notNil(dx))
	numCarry := len(nz.carry)
	var body *trace.Closed
	var outNZ []bool
	for grown := true; grown; grown = grow(nz.carry, outNZ) {
		if body, outNZ, err = vjp.JVPJaxpr(p.Body, slices.Concat(nz.body, nz.carry), nz.carry); err != nil {
			return nil, nil, err
		}
	}
	body = reordered(body, besides([]int{p.BodyConsts, numCarry}, slices.Concat(nz.body, nz.carry)), upTo(0, numCarry+count(nz.carry)))
	cond := *p.Cond
	for _, v := range filter(p.Body.In[p.BodyConsts:], nz.carry, true) {
		cond.In = append(slices.Clip(cond.In), &trace.Var{Aval: vjp.TangentOf(v.Aval)})
	}
	px, pdx := loopOf(p, x), loopOf(p, dx)
	out := bindWhile(&trace.Closed{Jaxpr: &cond}, body, loop[*array.Array]{
		cond:  px.cond,
		body:  slices.Concat(px.body, present(pdx.body)),
		carry: slices.Concat(px.carry, tangents(px.carry, pdx.carry, nz.carry)),
	})
	return out[:numCarry:numCarry], vjp.Spread(out[numCarry:], nz.carry), nil
}

// Linearize implements vjp.Linearizer: the loop itself, and one that runs again with tangents, which can be applied
// but not transposed.
func (p WhileP) Linearize(x, dx []*array.Array) (y, dy []*array.Array, err error) {
	y = primitive.BindAll(p, x...)
	_, dy, err = p.JVP(x, dx)
	return y, dy, err
}

// Transpose implements vjp.Linear.
func (p WhileP) Transpose([]*array.Array, []primitive.Operand) ([]*array.Array, error) {
	return nil, &array.NoRuleError{Transformation: "reverse-mode differentiation", Primitive: "while",
		Advice: "how often the loop runs is not known beforehand, so what its derivative needs cannot be kept; use flow.Scan, or flow.Fori with bounds that are Go ints; or forward mode (vjp.JVP, vjp.JacFwd); or attach a rule with vjp.Custom"}
}

// BatchBody implements vmap.BodyBatcher.
func (p WhileP) BatchBody(axis vmap.AxisData, in []*array.Array, dims []int) ([]*array.Array, []int, error) {
	x, at := loopOf(p, slices.Clone(in)), loopOf(p, slices.Clone(dims))
	carried := isMapped(at.carry)
	var cond, body *trace.Closed
	perElement := false
	for grown := true; grown; {
		var bodyOut, condOut []int
		var err error
		carry := mappedAt(0, carried)
		if body, bodyOut, err = vmap.Jaxpr(p.Body, axis, slices.Concat(at.body, carry), carried); err != nil {
			return nil, nil, err
		}
		if grown = grow(carried, isMapped(bodyOut)); grown {
			continue
		}
		if cond, condOut, err = vmap.Jaxpr(p.Cond, axis, slices.Concat(at.cond, carry), nil); err != nil {
			return nil, nil, err
		}
		if perElement = condOut[0] != vmap.NotMapped; perElement { // elements that are done keep what they carry
			grown = grow(carried, trues(len(carried)))
		}
	}
	for i, m := range carried {
		if m {
			x.carry[i] = vmap.Put(x.carry[i], at.carry[i], 0, axis.Size)
		}
	}
	if perElement {
		var err error
		if cond, body, x.body, err = whileAny(cond, body, x); err != nil {
			return nil, nil, err
		}
	}
	return bindWhile(cond, body, x), mappedAt(0, carried), nil
}

// whileAny makes of a condition and a body for each element those of one loop: it runs while any element goes on, and
// changes only those. The body then needs what the condition needs; the operands that it takes are returned.
func whileAny(cond, body *trace.Closed, x loop[*array.Array]) (anyCond, selective *trace.Closed, bodyConsts []*array.Array, err error) {
	anyCond, err = trace.Record("", trace.Avals(cond.In), func(in []*array.Array) ([]*array.Array, error) {
		on, err := trace.Eval(cond.Jaxpr, cond.ConstVals, in)
		if err != nil {
			return nil, err
		}
		return []*array.Array{primitive.ReduceOr(on[0], 0)}, nil
	})
	if err != nil {
		return nil, nil, nil, err
	}
	nc, nb := len(x.cond), len(x.body)
	selective, err = trace.Record("", slices.Concat(trace.Avals(cond.In[:nc]), trace.Avals(body.In)), func(in []*array.Array) ([]*array.Array, error) {
		carry := in[nc+nb:]
		on, err := trace.Eval(cond.Jaxpr, cond.ConstVals, slices.Concat(in[:nc], carry))
		if err != nil {
			return nil, err
		}
		next, err := trace.Eval(body.Jaxpr, body.ConstVals, in[nc:])
		if err != nil {
			return nil, err
		}
		for i, old := range carry {
			next[i] = chosen(on[0], []*array.Array{old, next[i]})
		}
		return next, nil
	})
	return anyCond, selective, slices.Concat(x.cond, x.body), err
}

// LowerJaxpr implements trace.JaxprLowerable. The constants go round with the carry, for the regions of the operation
// see nothing outside.
func (p WhileP) LowerJaxpr(c trace.Lowering, in []*hlo.Value, _ []array.Aval) ([]*hlo.Value, error) {
	types := make([]hlo.Type, len(in))
	for i, v := range in {
		types[i] = v.Type
	}
	b := c.Builder()
	cond, err := b.Region(types, func(args []*hlo.Value) ([]*hlo.Value, error) {
		a := loopOf(p, args)
		return c.Inline(p.Cond, slices.Concat(a.cond, a.carry))
	})
	if err != nil {
		return nil, err
	}
	body, err := b.Region(types, func(args []*hlo.Value) ([]*hlo.Value, error) {
		a := loopOf(p, args)
		next, err := c.Inline(p.Body, slices.Concat(a.body, a.carry))
		return slices.Concat(a.cond, a.body, next), err
	})
	if err != nil {
		return nil, err
	}
	op := b.Append(&hlo.Op{Name: "stablehlo.while", Operands: in, Regions: []*hlo.Region{cond, body}}, types...)
	return loopOf(p, op.Results).carry, nil
}
