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

// CustomJVP returns f with a derivative rule, which serves forward and reverse mode in place of differentiating f. rule
// takes the arguments of f, then a tangent for each differentiable one, of its type, and returns f's result and its
// tangent: (out, tangent). It must be linear in the tangents; zero tangents are written out, those of integers and bools
// have the type float0. The tangent that it returns may be nil for zero.
//
// What is said of captured values, Nondiff, vmap and RuleErrors at Custom holds here too.
func CustomJVP(f, rule any, opts ...CustomOption) *trace.Func {
	c := newCustom("vjp.CustomJVP", f, opts)
	fn := c.ruleFunc("rule", rule)
	return c.fn(func(s *customSite) func(body *trace.Jaxpr, consts int) primitive.Primitive {
		r := &jvpRule{name: c.f.Name(), nondiff: s.nondiff}
		r.jvp = func(x, dx []*array.Array, out []array.Aval) (y, dy []*array.Array, err error) {
			return s.callJVP(fn, x, dx, out)
		}
		return func(body *trace.Jaxpr, consts int) primitive.Primitive { return CustomJVPP{body, r, consts} }
	})
}

// callJVP applies the user's rule.
func (s *customSite) callJVP(rule trace.Callable, x, dx []*array.Array, out []array.Aval) (y, dy []*array.Array, err error) {
	primals, err := s.in.Unflatten(x)
	if err != nil {
		return nil, nil, err
	}
	args := primals.([]any)
	lo := 0
	for n, arg := range s.in.Children() {
		hi := lo + arg.Leaves()
		if !slices.Contains(s.customFunc.nondiff, n) {
			t, err := arg.Unflatten(dx[lo:hi])
			if err != nil {
				return nil, nil, err
			}
			args = append(args, t)
		}
		lo = hi
	}
	result, err := rule.Apply(args)
	if err != nil {
		return nil, nil, err
	}
	pair, ok := result.([]any)
	if !ok || len(pair) != 2 {
		return nil, nil, array.RuleErrorf("the rule of %s must return a pair, out and tangent", s.f.Name())
	}
	y, tree, err := trace.Flatten(pair[0])
	if err != nil || !sameStructure(tree, s.out) {
		return nil, nil, array.RuleErrorf("the first result of the rule is %s, the function returns %s", tree, s.out)
	}
	if err := checkResults("the first result of the rule", y, out); err != nil {
		return nil, nil, err
	}
	if dy, err = like(pair[1], s.out, out); err != nil {
		return nil, nil, array.RuleErrorf("the tangent that the rule returned%s", err)
	}
	return y, dy, nil
}

// jvpRule is a rule on lists of arrays. Rules for mapped calls are made from it, each once; mu guards batched.
type jvpRule struct {
	name    string
	nondiff []bool // of each input
	// jvp returns results, of the types out, and tangents, nil for zero. dx has a tangent for every input, zeros written
	// out.
	jvp func(x, dx []*array.Array, out []array.Aval) (y, dy []*array.Array, err error)

	mu      sync.Mutex
	batched map[batchKey]*jvpRule
}

// mapped is the rule of the function mapped along dims. All its results have the mapped axis at 0.
func (r *jvpRule) mapped(axis vmap.AxisData, dims []int) *jvpRule {
	r.mu.Lock()
	defer r.mu.Unlock()
	key := batchKey{axis, array.MakeInts(dims...)}
	if m := r.batched[key]; m != nil {
		return m
	}
	m := &jvpRule{name: r.name, nondiff: r.nondiff}
	m.jvp = func(x, dx []*array.Array, out []array.Aval) (y, dy []*array.Array, err error) {
		elems := make([]array.Aval, len(out))
		for i, a := range out {
			elems[i] = a.WithShape(a.Shape[1:])
		}
		var sent []bool
		res, at, err := vmap.Apply(axis, slices.Concat(x, dx), slices.Concat(dims, dims), func(in []*array.Array) ([]*array.Array, error) {
			y, dy, err := r.jvp(in[:len(x)], in[len(x):], elems)
			for _, d := range dy {
				sent = append(sent, d != nil)
			}
			return slices.Concat(y, slices.DeleteFunc(dy, func(d *array.Array) bool { return d == nil })), err
		})
		if err != nil {
			return nil, nil, err
		}
		for i, v := range res {
			res[i] = vmap.Put(v, at[i], 0, axis.Size)
		}
		n := len(out)
		return res[:n:n], Spread(res[n:], sent), nil
	}
	if r.batched == nil {
		r.batched = map[batchKey]*jvpRule{}
	}
	r.batched[key] = m
	return m
}

// CustomJVPP is a call of a function with a derivative rule. Operands are the values that the function captured, then
// its inputs.
type CustomJVPP struct {
	Body      *trace.Jaxpr
	Rule      *jvpRule
	NumConsts int
}

// Name implements primitive.Primitive.
func (CustomJVPP) Name() string { return "custom_jvp_call" }

// Params implements primitive.Parametric.
func (p CustomJVPP) Params() []primitive.Param {
	return []primitive.Param{{Name: "call_jaxpr", Value: p.Body}, {Name: "name", Value: p.Rule.name}, {Name: "num_consts", Value: p.NumConsts}}
}

// Jaxprs implements trace.HasJaxprs.
func (p CustomJVPP) Jaxprs() []*trace.Jaxpr { return []*trace.Jaxpr{p.Body} }

// Shape implements primitive.Primitive.
func (p CustomJVPP) Shape(in []array.Aval) ([]array.Aval, error) { return callShape(p.Body, in) }

// JVP implements Differentiable by the user's rule.
func (p CustomJVPP) JVP(x, dx []*array.Array) (y, dy []*array.Array, err error) {
	if err := noTangents(p.Rule.name, p.NumConsts, p.Rule.nondiff, dx); err != nil {
		return nil, nil, err
	}
	in := x[p.NumConsts:]
	return p.Rule.jvp(in, writtenOut(in, dx[p.NumConsts:]), trace.Avals(p.Body.Out))
}

// BatchBody implements vmap.BodyBatcher.
func (p CustomJVPP) BatchBody(axis vmap.AxisData, in []*array.Array, dims []int) ([]*array.Array, []int, error) {
	body, consts, outDims, err := mappedCall(p.Body, axis, dims)
	if err != nil {
		return nil, nil, err
	}
	q := CustomJVPP{body, p.Rule.mapped(axis, dims[p.NumConsts:]), p.NumConsts + len(consts)}
	return primitive.BindAll(q, slices.Concat(consts, in)...), outDims, nil
}

// Split implements Splitter: among tangents the rule is of no use any more.
func (p CustomJVPP) Split(in []*array.Array, linear []bool) ([]*array.Array, error) {
	return trace.Eval(p.Body, nil, in)
}

// LowerJaxpr implements trace.JaxprLowerable: the body in place.
func (p CustomJVPP) LowerJaxpr(c trace.Lowering, in []*hlo.Value, out []array.Aval) ([]*hlo.Value, error) {
	return c.Inline(p.Body, in)
}
