package vjp

import (
	"fmt"
	"slices"
	"sync"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/primitive"
	"github.com/pantograph-go/pantograph/trace"
)

// Rule is a reverse-mode rule: two Go functions on trees.
type Rule struct {
	// Fwd takes the arguments of the function and returns its result, and whatever Bwd needs: (out, residuals).
	Fwd any
	// Bwd takes the residuals and the cotangent of the result and returns one cotangent for each differentiable
	// argument, of that argument's type; nil is zero. Arguments named by Nondiff come first, as they were given.
	Bwd any
}

// CustomOption is a setting of Custom and CustomJVP.
type CustomOption func(*customFunc)

// Nondiff names arguments, by number from 0, that have no derivative: configuration, whether Go values or arrays. The
// rule gives nothing for them. An array there that carries a tangent is an error.
func Nondiff(args ...int) CustomOption {
	return func(c *customFunc) { c.nondiff = append(c.nondiff, args...) }
}

// Custom returns f with a rule for reverse mode, which is used in place of differentiating f. It stays one equation until
// it is differentiated; vmap maps the rule's functions.
//
// The functions may capture plain values. A captured value that carries a tangent is an error, since the rule has
// nowhere to send its cotangent: pass it as an argument. Forward mode through f is an error: see CustomJVP. What the
// rule returns is checked against the function's result and arguments; a difference is a RuleError.
func Custom(f any, rule Rule, opts ...CustomOption) *trace.Func {
	c := newCustom("vjp.Custom", f, opts)
	fwd, bwd := c.ruleFunc("Fwd", rule.Fwd), c.ruleFunc("Bwd", rule.Bwd)
	return c.fn(func(s *customSite) func(body *trace.Jaxpr, consts int) primitive.Primitive {
		r := &vjpRule{name: c.f.Name(), nondiff: s.nondiff}
		r.fwd = func(in []*array.Array) ([]*array.Array, any, []*array.Array, error) { return s.callFwd(fwd, in) }
		r.bwd = func(info any, res, ct []*array.Array, in []array.Aval) ([]*array.Array, error) {
			return s.callBwd(bwd, info.(*trace.Tree), res, ct, in)
		}
		return func(body *trace.Jaxpr, consts int) primitive.Primitive { return CustomVJPP{body, r, consts} }
	})
}

// customFunc is a function with a rule. The rule of each kind of call is made once, so that equal calls are equal
// primitives; mu guards rules.
type customFunc struct {
	f       trace.Callable
	sig     *trace.Signature
	nondiff []int
	mu      sync.Mutex
	rules   map[string]func(body *trace.Jaxpr, consts int) primitive.Primitive
}

func newCustom(what string, f any, opts []CustomOption) *customFunc {
	callable, err := trace.CallableOf(f)
	if err != nil {
		panic(array.Wrap(what, err))
	}
	c := &customFunc{f: callable, sig: trace.SignatureOf(callable), rules: map[string]func(*trace.Jaxpr, int) primitive.Primitive{}}
	for _, o := range opts {
		o(c)
	}
	return c
}

func (c *customFunc) ruleFunc(what string, f any) trace.Callable {
	callable, err := trace.CallableOf(f)
	if err != nil {
		panic(array.Wrap(c.f.Name(), fmt.Errorf("%s: %w", what, err)))
	}
	return callable
}

// customSite is one kind of call: the trees of arguments and result and the types of their leaves.
type customSite struct {
	*customFunc
	in, out *trace.Tree
	nondiff []bool // of each leaf of in
}

// fn makes the function of the user. makePrim makes, for a kind of call, the function that makes its primitive.
func (c *customFunc) fn(makePrim func(s *customSite) func(body *trace.Jaxpr, consts int) primitive.Primitive) *trace.Func {
	return trace.NewFunc(c.f.Name(), c.sig, func(args []any) (any, error) {
		if primitive.Top() == nil { // nothing can ask for the rule
			return c.f.Apply(args)
		}
		leaves, in, err := trace.FlattenArgs(c.sig, args)
		if err != nil {
			return nil, err
		}
		closed, out, err := trace.RecordTree(c.f.Name(), c.f, avalsOf(leaves), in)
		if err != nil {
			return nil, err
		}
		s := &customSite{customFunc: c, in: in, out: out, nondiff: make([]bool, len(leaves))}
		if err := s.markNondiff(); err != nil {
			return nil, err
		}
		c.mu.Lock()
		key := in.Key() + "/" + out.Key()
		prim := c.rules[key]
		if prim == nil {
			prim = makePrim(s)
			c.rules[key] = prim
		}
		c.mu.Unlock()
		body, consts := closed.Hoist()
		return out.Unflatten(primitive.BindAll(prim(trace.Intern(body), len(consts)), slices.Concat(consts, leaves)...))
	})
}

func (s *customSite) markNondiff() error {
	kids := s.in.Children()
	for _, n := range s.customFunc.nondiff {
		if n < 0 || n >= len(kids) {
			return array.ArgumentErrorf("vjp.Nondiff(%d): the function is called with %d arguments", n, len(kids))
		}
	}
	i := 0
	for n, arg := range kids {
		for range arg.Leaves() {
			s.nondiff[i] = slices.Contains(s.customFunc.nondiff, n)
			i++
		}
	}
	return nil
}

// callFwd applies Fwd and takes its result apart: the function's result, and the residuals with their tree.
func (s *customSite) callFwd(fwd trace.Callable, in []*array.Array) (out []*array.Array, info any, res []*array.Array, err error) {
	all, tree, err := trace.CallTree(fwd, s.in, in)
	if err != nil {
		return nil, nil, nil, err
	}
	kids := tree.Children()
	if len(kids) != 2 {
		return nil, nil, nil, array.RuleErrorf("Fwd must return two results, out and residuals; it returned %s", tree)
	}
	if !sameStructure(kids[0], s.out) {
		return nil, nil, nil, array.RuleErrorf("the first result of Fwd is %s, the function returns %s", kids[0], s.out)
	}
	n := kids[0].Leaves()
	// The arrays of nondifferentiable arguments are kept for Bwd.
	kept := filterNondiff(in, s.nondiff, true)
	return all[:n:n], kids[1], append(all[n:], kept...), nil
}

func filterNondiff[T any](x []T, nondiff []bool, want bool) []T {
	var out []T
	for i, v := range x {
		if nondiff[i] == want {
			out = append(out, v)
		}
	}
	return out
}

// callBwd applies Bwd and returns one cotangent for each leaf of the arguments, nil for zero.
func (s *customSite) callBwd(bwd trace.Callable, resTree *trace.Tree, res, ct []*array.Array, in []array.Aval) ([]*array.Array, error) {
	var args []any
	kept := res[resTree.Leaves():]
	for n, arg := range s.in.Children() {
		if slices.Contains(s.customFunc.nondiff, n) {
			v, err := arg.Unflatten(kept[:arg.Leaves()])
			if err != nil {
				return nil, err
			}
			args, kept = append(args, v), kept[arg.Leaves():]
		}
	}
	residuals, err := resTree.Unflatten(res[:resTree.Leaves()])
	if err != nil {
		return nil, err
	}
	cotangent, err := s.out.Unflatten(ct)
	if err != nil {
		return nil, err
	}
	result, err := bwd.Apply(append(args, residuals, cotangent))
	if err != nil {
		return nil, err
	}
	return s.cotangents(result, in)
}

// cotangents takes the result of Bwd apart.
func (s *customSite) cotangents(result any, in []array.Aval) ([]*array.Array, error) {
	kids := s.in.Children()
	diff := len(kids) - len(s.customFunc.nondiff)
	list, ok := result.([]any)
	if diff == 1 && !(ok && len(list) == 1) {
		list = []any{result}
	}
	if len(list) != diff {
		return nil, array.RuleErrorf("Bwd must return one cotangent for each of the %d differentiable arguments, it returned %d results", diff, len(list))
	}
	var out []*array.Array
	for n, arg := range kids {
		avals := in[len(out) : len(out)+arg.Leaves()]
		if slices.Contains(s.customFunc.nondiff, n) {
			out = append(out, make([]*array.Array, len(avals))...)
			continue
		}
		ct, err := like(list[0], arg, avals)
		if err != nil {
			return nil, array.RuleErrorf("the cotangent that Bwd returned for argument %d%s", n, err)
		}
		out, list = append(out, ct...), list[1:]
	}
	return out, nil
}
