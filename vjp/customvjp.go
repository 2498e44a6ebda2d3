package vjp

import (
	"slices"
	"sync"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/lower/hlo"
	"github.com/pantograph-go/pantograph/primitive"
	"github.com/pantograph-go/pantograph/trace"
	"github.com/pantograph-go/pantograph/vmap"
)

// vjpRule is a rule on lists of arrays. Rules for mapped calls are made from it, each once; mu guards batched.
type vjpRule struct {
	name    string
	nondiff []bool // of each input
	// fwd returns the results, and the residuals with what bwd must know of them.
	fwd func(in []*array.Array) (out []*array.Array, info any, res []*array.Array, err error)
	// bwd returns a cotangent for each input, whose types are given; nil for zero.
	bwd func(info any, res, ct []*array.Array, in []array.Aval) ([]*array.Array, error)

	mu      sync.Mutex
	batched map[batchKey]*vjpRule
}

type batchKey struct {
	axis vmap.AxisData
	dims array.Ints
}

// mapped is the rule of the function mapped along dims. All its results have the mapped axis at 0.
func (r *vjpRule) mapped(axis vmap.AxisData, dims []int) *vjpRule {
	r.mu.Lock()
	defer r.mu.Unlock()
	key := batchKey{axis, array.MakeInts(dims...)}
	if m := r.batched[key]; m != nil {
		return m
	}
	m := &vjpRule{name: r.name, nondiff: r.nondiff}
	m.fwd = func(in []*array.Array) ([]*array.Array, any, []*array.Array, error) {
		return r.mappedFwd(axis, dims, in)
	}
	m.bwd = func(info any, res, ct []*array.Array, in []array.Aval) ([]*array.Array, error) {
		return r.mappedBwd(axis, dims, info.(mappedInfo), res, ct, in)
	}
	if r.batched == nil {
		r.batched = map[batchKey]*vjpRule{}
	}
	r.batched[key] = m
	return m
}

// mappedInfo is what a mapped Bwd must know of the residuals.
type mappedInfo struct {
	inner any
	dims  []int
}

func (r *vjpRule) mappedFwd(axis vmap.AxisData, dims []int, in []*array.Array) (out []*array.Array, info any, res []*array.Array, err error) {
	var inner any
	var n int
	all, at, err := vmap.Apply(axis, in, dims, func(in []*array.Array) ([]*array.Array, error) {
		out, i, res, err := r.fwd(in)
		inner, n = i, len(out)
		return slices.Concat(out, res), err
	})
	if err != nil {
		return nil, nil, nil, err
	}
	for i, y := range all[:n] {
		all[i] = vmap.Put(y, at[i], 0, axis.Size)
	}
	return all[:n:n], mappedInfo{inner, at[n:]}, all[n:], nil
}

func (r *vjpRule) mappedBwd(axis vmap.AxisData, dims []int, info mappedInfo, res, ct []*array.Array, in []array.Aval) ([]*array.Array, error) {
	elems := make([]array.Aval, len(in))
	for i, a := range in {
		if elems[i] = a; dims[i] != vmap.NotMapped {
			elems[i].Shape = a.Shape.Without(dims[i])
		}
	}
	var sent []bool
	grads, at, err := vmap.Apply(axis, slices.Concat(res, ct), slices.Concat(info.dims, make([]int, len(ct))), func(x []*array.Array) ([]*array.Array, error) {
		g, err := r.bwd(info.inner, x[:len(res)], x[len(res):], elems)
		var some []*array.Array
		for _, v := range g {
			sent = append(sent, v != nil)
			if v != nil {
				some = append(some, v)
			}
		}
		return some, err
	})
	if err != nil {
		return nil, err
	}
	out := make([]*array.Array, len(in))
	for i := range out {
		if !sent[i] {
			continue
		}
		if g := grads[0]; dims[i] == vmap.NotMapped { // every element sends something to the one operand
			out[i] = primitive.ReduceSum(vmap.Put(g, at[0], 0, axis.Size), 0)
		} else {
			out[i] = vmap.Put(g, at[0], dims[i], axis.Size)
		}
		grads, at = grads[1:], at[1:]
	}
	return out, nil
}

// CustomVJPP is a call of a function with a reverse-mode rule. Operands are the values that the function captured, then
// its inputs.
type CustomVJPP struct {
	Body      *trace.Jaxpr
	Rule      *vjpRule
	NumConsts int
}

// Name implements primitive.Primitive.
func (CustomVJPP) Name() string { return "custom_vjp_call" }

// Params implements primitive.Parametric.
func (p CustomVJPP) Params() []primitive.Param {
	return []primitive.Param{{Name: "call_jaxpr", Value: p.Body}, {Name: "name", Value: p.Rule.name}, {Name: "num_consts", Value: p.NumConsts}}
}

// Jaxprs implements trace.HasJaxprs.
func (p CustomVJPP) Jaxprs() []*trace.Jaxpr { return []*trace.Jaxpr{p.Body} }

// Shape implements primitive.Primitive.
func (p CustomVJPP) Shape(in []array.Aval) ([]array.Aval, error) { return callShape(p.Body, in) }

// callShape is the shape rule of a call of a jaxpr.
func callShape(j *trace.Jaxpr, in []array.Aval) ([]array.Aval, error) {
	if len(in) != len(j.In) {
		return nil, array.ArgumentErrorf("takes %d operands, got %d", len(j.In), len(in))
	}
	for i, a := range in {
		if !sameType(a, j.In[i].Aval) {
			return nil, array.ShapeErrorf("operand %d is %s, the function takes %s", i, a, j.In[i].Aval)
		}
	}
	return trace.Avals(j.Out), nil
}

// JVP implements Differentiable: there is no forward rule.
func (p CustomVJPP) JVP(x, dx []*array.Array) (y, dy []*array.Array, err error) {
	return nil, nil, reverseOnly(p.Rule.name)
}

func reverseOnly(name string) error {
	return &array.NoRuleError{Transformation: "forward mode", Primitive: name,
		Advice: "vjp.Custom attaches a reverse rule only; use reverse mode, or attach a forward rule with vjp.CustomJVP, which serves both"}
}

// Linearize implements Linearizer.
func (p CustomVJPP) Linearize(x, dx []*array.Array) (y, dy []*array.Array, err error) {
	if err := noTangents(p.Rule.name, p.NumConsts, p.Rule.nondiff, dx); err != nil {
		return nil, nil, err
	}
	in, dx := x[p.NumConsts:], dx[p.NumConsts:]
	y, info, res, err := p.Rule.fwd(in)
	if err != nil {
		return nil, nil, err
	}
	if err := checkResults("the first result of Fwd", y, trace.Avals(p.Body.Out)); err != nil {
		return nil, nil, err
	}
	c := &customCall{rule: p.Rule, info: info, numRes: len(res), in: avalsOf(in), out: avalsOf(y)}
	operands := slices.Clip(res)
	for i, d := range dx {
		if d != nil {
			c.active = append(c.active, i)
			operands = append(operands, d)
		}
	}
	tangents := primitive.BindAll(customTangentP{c}, operands...)
	dy = make([]*array.Array, len(y))
	for i, v := range y {
		if v.DType().IsInexact() {
			dy[i], tangents = tangents[0], tangents[1:]
		}
	}
	return y, dy, nil
}

// noTangents refuses tangents of captured values and of nondifferentiable arguments: a rule could only lose them.
func noTangents(name string, consts int, nondiff []bool, dx []*array.Array) error {
	for i, d := range dx {
		switch {
		case d == nil:
		case i < consts:
			return array.RuleErrorf("%s has a custom rule and captured a value of type %s that is being differentiated; the rule can send it nothing: "+
				"pass the value as an argument, or capture vjp.StopGradient of it", name, d.Aval())
		case nondiff[i-consts]:
			return array.RuleErrorf("%s is being differentiated with respect to an argument of type %s that vjp.Nondiff names; "+
				"pass vjp.StopGradient of it, or let the rule differentiate it", name, d.Aval())
		}
	}
	return nil
}

// checkResults compares what a rule returned with what the function returns, and gives Go numbers their dtype.
func checkResults(what string, y []*array.Array, want []array.Aval) error {
	for i := range y {
		v, err := typed(y[i], want[i])
		if err != nil {
			return array.RuleErrorf("%s does not fit the function's: array %d: %v", what, i, err)
		}
		y[i] = v
	}
	return nil
}

// BatchBody implements vmap.BodyBatcher.
func (p CustomVJPP) BatchBody(axis vmap.AxisData, in []*array.Array, dims []int) ([]*array.Array, []int, error) {
	body, consts, outDims, err := mappedCall(p.Body, axis, dims)
	if err != nil {
		return nil, nil, err
	}
	q := CustomVJPP{body, p.Rule.mapped(axis, dims[p.NumConsts:]), p.NumConsts + len(consts)}
	return primitive.BindAll(q, slices.Concat(consts, in)...), outDims, nil
}

// mappedCall batches the body of a call with the mapped axis of every result at 0.
func mappedCall(j *trace.Jaxpr, axis vmap.AxisData, dims []int) (body *trace.Jaxpr, consts []*array.Array, outDims []int, err error) {
	c, outDims, err := vmap.Jaxpr(j, axis, dims, allTrue(len(j.Out)))
	if err != nil {
		return nil, nil, nil, err
	}
	body, consts = c.Hoist()
	return trace.Intern(body), consts, outDims, nil
}

// Split implements Splitter: among tangents the rule is of no use any more.
func (p CustomVJPP) Split(in []*array.Array, linear []bool) ([]*array.Array, error) {
	return trace.Eval(p.Body, nil, in)
}

// LowerJaxpr implements trace.JaxprLowerable: the body in place.
func (p CustomVJPP) LowerJaxpr(c trace.Lowering, in []*hlo.Value, out []array.Aval) ([]*hlo.Value, error) {
	return c.Inline(p.Body, in)
}

// customCall is what the derivative of one call knows of it.
type customCall struct {
	rule    *vjpRule
	info    any
	numRes  int
	active  []int // the inputs that have tangents
	in, out []array.Aval
}

// customTangentP is the derivative of a call with a reverse rule: a linear function of which only the transpose is
// known. Operands are the residuals, then the tangents of the active inputs.
type customTangentP struct{ call *customCall }

// Name implements primitive.Primitive.
func (customTangentP) Name() string { return "custom_vjp_tangent" }

// Params implements primitive.Parametric.
func (p customTangentP) Params() []primitive.Param {
	return []primitive.Param{{Name: "name", Value: p.call.rule.name}, {Name: "num_res", Value: p.call.numRes}}
}

// Shape implements primitive.Primitive.
func (p customTangentP) Shape(in []array.Aval) ([]array.Aval, error) {
	var out []array.Aval
	for _, a := range p.call.out {
		if a.DType.IsInexact() {
			out = append(out, TangentOf(a))
		}
	}
	return out, nil
}

// Transpose implements Linear by the user's Bwd.
func (p customTangentP) Transpose(ct []*array.Array, in []primitive.Operand) ([]*array.Array, error) {
	res := make([]*array.Array, p.call.numRes)
	for i := range res {
		if res[i] = in[i].Value; res[i] == nil {
			return nil, array.RuleErrorf("a residual of Fwd depends on a tangent")
		}
	}
	full := make([]*array.Array, len(p.call.out))
	for i, a := range p.call.out {
		full[i] = Zeros(a)
		if a.DType.IsInexact() {
			if ct[0] != nil {
				full[i] = ct[0]
			}
			ct = ct[1:]
		}
	}
	grads, err := p.call.rule.bwd(p.call.info, res, full, p.call.in)
	if err != nil {
		return nil, err
	}
	out := make([]*array.Array, len(in))
	for k, i := range p.call.active {
		out[p.call.numRes+k] = grads[i]
	}
	return out, nil
}

// JVP implements Differentiable.
func (p customTangentP) JVP(x, dx []*array.Array) (y, dy []*array.Array, err error) {
	return nil, nil, reverseOnly(p.call.rule.name)
}

// Lower implements primitive.Lowerable.
func (p customTangentP) Lower(b *hlo.Builder, in []*hlo.Value, out []array.Aval) ([]*hlo.Value, error) {
	return nil, reverseOnly(p.call.rule.name)
}
