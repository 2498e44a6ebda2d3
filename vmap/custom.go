package vmap

import (
	"fmt"
	"slices"
	"sync"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/lower/hlo"
	"github.com/pantograph-go/pantograph/primitive"
	"github.com/pantograph-go/pantograph/trace"
)

// Custom returns f with a batch rule of the user's, in place of batching what f does: for calls that can do many
// elements at once in a way of their own. rule is called with the number of elements, which arguments are mapped, and
// the arguments, in which the mapped ones have the axis of the elements at 0; it returns f's result for all elements,
// with that axis at 0 in every array:
//
//	rule(size int, mapped []bool, args...) out
//
// An argument that is a tree is mapped as a whole. Derivatives are those of f, which they look into; to keep them out
// attach a rule with vjp.Custom as well. What the rule returns is checked against f's result: a difference is a
// RuleError.
func Custom(f, rule any) *trace.Func {
	fn, err := trace.CallableOf(f)
	if err != nil {
		panic(array.Wrap("vmap.Custom", err))
	}
	r, err := trace.CallableOf(rule)
	if err != nil {
		panic(array.Wrap("vmap.Custom", fmt.Errorf("rule: %w", err)))
	}
	c := &customFunc{f: fn, rule: r, sites: map[string]*customSite{}}
	sig := trace.SignatureOf(fn)
	return trace.NewFunc(fn.Name(), sig, func(args []any) (any, error) {
		if primitive.Top() == nil { // nothing can ask for the rule
			return fn.Apply(args)
		}
		leaves, in, err := trace.FlattenArgs(sig, args)
		if err != nil {
			return nil, err
		}
		closed, out, err := trace.RecordTree(fn.Name(), fn, avalsOf(leaves), in)
		if err != nil {
			return nil, err
		}
		body, captured := closed.Hoist()
		p := CustomP{trace.Intern(body), c.site(in, out), len(captured)}
		return out.Unflatten(primitive.BindAll(p, slices.Concat(captured, leaves)...))
	})
}

// customFunc is a function with a batch rule. A site is made once for each kind of call, so that equal calls are equal
// primitives; mu guards sites.
type customFunc struct {
	f, rule trace.Callable
	mu      sync.Mutex
	sites   map[string]*customSite
}

// customSite is one kind of call: the trees of arguments and result.
type customSite struct {
	*customFunc
	in, out *trace.Tree
}

func (c *customFunc) site(in, out *trace.Tree) *customSite {
	c.mu.Lock()
	defer c.mu.Unlock()
	key := in.Key() + "/" + out.Key()
	if c.sites[key] == nil {
		c.sites[key] = &customSite{c, in, out}
	}
	return c.sites[key]
}

// CustomP is a call of a function with a batch rule of the user's. Operands are the values that the function captured,
// then its inputs.
type CustomP struct {
	Body      *trace.Jaxpr
	Site      *customSite
	NumConsts int
}

// Name implements primitive.Primitive.
func (CustomP) Name() string { return "custom_vmap_call" }

// Params implements primitive.Parametric.
func (p CustomP) Params() []primitive.Param {
	return []primitive.Param{{Name: "call", Value: p.Body}, {Name: "name", Value: p.Site.f.Name()}}
}

// Jaxprs implements trace.HasJaxprs.
func (p CustomP) Jaxprs() []*trace.Jaxpr { return []*trace.Jaxpr{p.Body} }

// Shape implements primitive.Primitive.
func (p CustomP) Shape(in []array.Aval) ([]array.Aval, error) {
	if len(in) != len(p.Body.In) {
		return nil, array.ArgumentErrorf("takes %d operands, got %d", len(p.Body.In), len(in))
	}
	for i, a := range in {
		if w := p.Body.In[i].Aval; a.DType != w.DType || !a.Shape.Equal(w.Shape) {
			return nil, array.ShapeErrorf("operand %d is %s, the function takes %s", i, a, w)
		}
	}
	return trace.Avals(p.Body.Out), nil
}

// BatchBody implements BodyBatcher by the user's rule.
func (p CustomP) BatchBody(axis AxisData, in []*array.Array, dims []int) ([]*array.Array, []int, error) {
	for i, d := range dims[:p.NumConsts] {
		if d != NotMapped {
			return nil, nil, array.RuleErrorf("%s has a batch rule and captured a mapped value of type %s; pass it as an argument", p.Site.f.Name(), in[i].Aval())
		}
	}
	in, dims = slices.Clone(in[p.NumConsts:]), dims[p.NumConsts:]
	var mapped []bool
	lo := 0
	for _, arg := range p.Site.in.Children() {
		hi := lo + arg.Leaves()
		m := slices.ContainsFunc(dims[lo:hi], func(d int) bool { return d != NotMapped })
		for i := lo; m && i < hi; i++ {
			in[i] = Put(in[i], dims[i], 0, axis.Size)
		}
		mapped = append(mapped, m)
		lo = hi
	}
	args, err := p.Site.in.Unflatten(in)
	if err != nil {
		return nil, nil, err
	}
	result, err := p.Site.rule.Apply(append([]any{axis.Size, mapped}, args.([]any)...))
	if err != nil {
		return nil, nil, err
	}
	out, tree, err := trace.Flatten(result)
	if err != nil {
		return nil, nil, err
	}
	if !tree.Equal(p.Site.out) && tree.String() != p.Site.out.String() {
		return nil, nil, array.RuleErrorf("the batch rule returned %s, the function returns %s", tree, p.Site.out)
	}
	for i, a := range trace.Avals(p.Body.Out) {
		want := a.WithShape(a.Shape.Insert(0, axis.Size))
		if got := out[i].Aval(); got.DType != want.DType || !got.Shape.Equal(want.Shape) {
			return nil, nil, array.RuleErrorf("the batch rule returned %s for result%s, wanted is %s for %d elements of %s", got, tree.Paths()[i], want.Strong(), axis.Size, a)
		}
	}
	return out, make([]int, len(out)), nil
}

// Inlined implements vjp.Inliner: derivatives are those of the body.
func (p CustomP) Inlined() *trace.Jaxpr { return p.Body }

// LowerJaxpr implements trace.JaxprLowerable: the body in place.
func (p CustomP) LowerJaxpr(c trace.Lowering, in []*hlo.Value, _ []array.Aval) ([]*hlo.Value, error) {
	return c.Inline(p.Body, in)
}
