package flow

import (
	"slices"
	"sync"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/lower/hlo"
	"github.com/pantograph-go/pantograph/primitive"
	"github.com/pantograph-go/pantograph/trace"
	"github.com/pantograph-go/pantograph/vjp"
	"github.com/pantograph-go/pantograph/vmap"
)

// Root returns x with f(x) = 0, which solve finds: it is called with f, as a *trace.Func, and guess. x and f(x) are trees
// of the type of guess.
//
// Derivatives do not look into solve but follow from the equation: with f's derivative g at x, a change of what f
// captured moves x by dx with g(dx) = -df. tangentSolve solves that: it is called with g, as a *trace.Func, and the
// right-hand side, and must be linear in it. For one number it is y → y / g(1); in general it may be a LinearSolve. x
// does not depend on guess.
//
// It panics with *array.Error: a TreeError, ShapeError or DTypeError where f or solve returns something of another type
// than guess, a RuleError where tangentSolve does.
func Root(f, guess, solve, tangentSolve any) (x any) {
	try("flow.Root", func() error {
		fn, err := functionOf(f, []any{guess})
		if err != nil {
			return err
		}
		l := &linearSystem{function: fn, tree: fn.in.Children()[0]}
		types := avals(fn.leaves)
		c, tree, err := fn.record("root", types)
		if err != nil {
			return err
		}
		if err := l.same("the function", tree, trace.Avals(c.Out), types); err != nil {
			return err
		}
		j, captured := hoisted(c)
		if primitive.Top() == nil { // nothing can ask for a derivative
			find, err := trace.CallableOf(solve)
			if err == nil {
				x, err = find.Apply([]any{l.asFunc(fn.Name(), j, captured), guess})
			}
			return err
		}
		s, err := l.solver(solve, l.asFunc(fn.Name(), j, captured), types)
		if err != nil {
			return err
		}
		find, known := hoisted(s)
		tangent, err := trace.CallableOf(tangentSolve)
		if err != nil {
			return err
		}
		rule := &rootRule{solve: func(consts, x, rhs []*array.Array) ([]*array.Array, error) {
			return l.tangent(tangent, j, consts, x, rhs)
		}}
		p := RootP{j, find, rule, len(captured), len(known)}
		x, err = l.tree.Unflatten(primitive.BindAll(p, slices.Concat(captured, known, fn.leaves)...))
		return err
	})
	return x
}

// tangent applies the user's tangentSolve at the root x.
func (l *linearSystem) tangent(solve trace.Callable, j *trace.Jaxpr, consts, x, rhs []*array.Array) ([]*array.Array, error) {
	n := len(x)
	g := trace.NewFunc("tangent", nil, func(args []any) (any, error) {
		v, _, err := trace.FlattenArgs(nil, args)
		if err != nil {
			return nil, err
		}
		if len(v) != n {
			return nil, array.ArgumentErrorf("takes %d arrays, got %d", n, len(v))
		}
		for i := range v {
			v[i] = as(v[i], vjp.TangentOf(x[i].Aval()))
		}
		c, _, err := vjp.JVPJaxpr(j, slices.Concat(make([]bool, len(consts)), trues(n)), trues(n))
		if err != nil {
			return nil, err
		}
		out, err := trace.Eval(c.Jaxpr, c.ConstVals, slices.Concat(consts, x, v))
		if err != nil {
			return nil, err
		}
		return l.tree.Unflatten(out[n:])
	})
	b, err := l.tree.Unflatten(rhs)
	if err != nil {
		return nil, err
	}
	d, err := solve.Apply([]any{g, b})
	if err != nil {
		return nil, err
	}
	out, tree, err := trace.Flatten(d)
	if err != nil {
		return nil, err
	}
	if err := l.same("tangentSolve", tree, avals(out), avals(rhs)); err != nil {
		return nil, array.RuleErrorf("%v", err)
	}
	return out, nil
}

// rootRule solves for the tangent of a root on lists of arrays. Rules for mapped roots are made from it, each once; mu
// guards batched.
type rootRule struct {
	// solve takes what the function captured, the root, and the right-hand side.
	solve func(consts, x, rhs []*array.Array) ([]*array.Array, error)

	mu      sync.Mutex
	batched map[rootKey]*rootRule
}

type rootKey struct {
	axis vmap.AxisData
	dims array.Ints
}

// mapped is the rule for captured values mapped along dims; root and right-hand side have the mapped axis at 0.
func (r *rootRule) mapped(axis vmap.AxisData, dims []int) *rootRule {
	r.mu.Lock()
	defer r.mu.Unlock()
	key := rootKey{axis, array.MakeInts(dims...)}
	if m := r.batched[key]; m != nil {
		return m
	}
	m := &rootRule{solve: func(consts, x, rhs []*array.Array) ([]*array.Array, error) {
		at := slices.Concat(dims, make([]int, len(x)+len(rhs)))
		out, outDims, err := vmap.Apply(axis, slices.Concat(consts, x, rhs), at, func(in []*array.Array) ([]*array.Array, error) {
			c, k := len(consts), len(consts)+len(x)
			return r.solve(in[:c], in[c:k], in[k:])
		})
		for i := range out {
			out[i] = vmap.Put(out[i], outDims[i], 0, axis.Size)
		}
		return out, err
	}}
	if r.batched == nil {
		r.batched = map[rootKey]*rootRule{}
	}
	r.batched[key] = m
	return m
}

// RootP is a root of F near a guess. Operands are what F captured, what Solve captured, and the guess.
//
//	F: (consts, x) → f(x)      Solve: (consts, guess) → x
//
// JVP: the solution of g(dx) = -df by the user's rule.
type RootP struct {
	F, Solve             *trace.Jaxpr
	Rule                 *rootRule
	FConsts, SolveConsts int
}

// Name implements primitive.Primitive.
func (RootP) Name() string { return "custom_root" }

// Params implements primitive.Parametric.
func (p RootP) Params() []primitive.Param {
	return []primitive.Param{{Name: "f", Value: p.F}, {Name: "solve", Value: p.Solve}}
}

// Jaxprs implements trace.HasJaxprs.
func (p RootP) Jaxprs() []*trace.Jaxpr { return []*trace.Jaxpr{p.F, p.Solve} }

// Shape implements primitive.Primitive.
func (p RootP) Shape(in []array.Aval) ([]array.Aval, error) {
	if err := operandsFit(in, slices.Concat(trace.Avals(p.F.In[:p.FConsts]), trace.Avals(p.Solve.In))); err != nil {
		return nil, err
	}
	return trace.Avals(p.Solve.Out), nil
}

func (p RootP) parts(in []*array.Array) (f, solve, guess []*array.Array) {
	k := p.FConsts + p.SolveConsts
	return in[:p.FConsts:p.FConsts], in[p.FConsts:k:k], in[k:]
}

// JVP implements vjp.Differentiable.
func (p RootP) JVP(x, dx []*array.Array) (y, dy []*array.Array, err error) {
	consts, _, _ := p.parts(x)
	dconsts, _, _ := p.parts(dx)
	y = primitive.BindAll(p, x...)
	dy = make([]*array.Array, len(y))
	nz := notNil(dconsts)
	if !slices.Contains(nz, true) {
		return y, dy, nil
	}
	c, _, err := vjp.JVPJaxpr(p.F, slices.Concat(nz, make([]bool, len(y))), trues(len(y)))
	if err != nil {
		return nil, nil, err
	}
	out, err := trace.Eval(c.Jaxpr, c.ConstVals, slices.Concat(consts, y, present(dconsts)))
	if err != nil {
		return nil, nil, err
	}
	rhs := out[len(y):]
	for i := range rhs {
		rhs[i] = primitive.Neg(rhs[i])
	}
	dy, err = p.Rule.solve(consts, y, rhs)
	return y, dy, err
}

// BatchBody implements vmap.BodyBatcher. The guess is mapped where anything is.
func (p RootP) BatchBody(axis vmap.AxisData, in []*array.Array, dims []int) ([]*array.Array, []int, error) {
	fIn, sIn, guess := p.parts(slices.Clone(in))
	k := p.FConsts + p.SolveConsts
	for i, x := range guess {
		guess[i] = vmap.Put(x, dims[k+i], 0, axis.Size)
	}
	n := len(guess)
	f, _, err := vmap.Jaxpr(p.F, axis, slices.Concat(dims[:p.FConsts], make([]int, n)), trues(n))
	if err != nil {
		return nil, nil, err
	}
	s, _, err := vmap.Jaxpr(p.Solve, axis, slices.Concat(dims[p.FConsts:k], make([]int, n)), trues(n))
	if err != nil {
		return nil, nil, err
	}
	fj, fCaptured := hoisted(f)
	if len(fCaptured) > 0 {
		return nil, nil, array.ArgumentErrorf("a batch rule captured %d arrays in the function of a root", len(fCaptured))
	}
	sj, sCaptured := hoisted(s)
	q := RootP{fj, sj, p.Rule.mapped(axis, dims[:p.FConsts]), p.FConsts, p.SolveConsts + len(sCaptured)}
	return primitive.BindAll(q, slices.Concat(fIn, sCaptured, sIn, guess)...), make([]int, n), nil
}

// LowerJaxpr implements trace.JaxprLowerable: what solve does.
func (p RootP) LowerJaxpr(c trace.Lowering, in []*hlo.Value, _ []array.Aval) ([]*hlo.Value, error) {
	return c.Inline(p.Solve, in[p.FConsts:])
}
