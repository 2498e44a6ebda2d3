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

// LinearSolve returns x with A x = b, where matvec, the function x → A x, must be linear and A square, and solve finds
// the solution: it is called with matvec, as a *trace.Func, and b. b and x are trees of the same type.
//
// Derivatives do not look into solve. They are those of the solution: A dx = db - dA x, by another LinearSolve; in
// reverse mode with transposeSolve, which is called with the function y → Aᵀ y and a cotangent. Where A is symmetric
// give solve for it again; nil says that there is no reverse mode. What matvec captured is differentiated.
//
// It panics with *array.Error: a TreeError, ShapeError or DTypeError where matvec or solve returns something of another
// type than b.
func LinearSolve(matvec, b, solve, transposeSolve any) (x any) {
	try("flow.LinearSolve", func() error {
		f, err := functionOf(matvec, []any{b})
		if err != nil {
			return err
		}
		l := &linearSystem{function: f, tree: f.in.Children()[0]}
		types := avals(f.leaves)
		a, tree, err := f.record("matvec", types)
		if err != nil {
			return err
		}
		if err := l.same("matvec", tree, trace.Avals(a.Out), types); err != nil {
			return err
		}
		p := LinearSolveP{}
		var captured [3][]*array.Array
		p.Matvec, captured[0] = hoisted(a)
		s, err := l.solver(solve, l.asFunc("matvec", p.Matvec, captured[0]), types)
		if err != nil {
			return err
		}
		p.Solve, captured[1] = hoisted(s)
		if transposeSolve != nil {
			at, err := p.vecmat(len(captured[0]))
			if err != nil {
				return err
			}
			t, err := l.solver(transposeSolve, l.asFunc("vecmat", at, captured[0]), types)
			if err != nil {
				return err
			}
			p.TransposeSolve, captured[2] = hoisted(t)
		}
		for i := range captured {
			p.Consts[i] = len(captured[i])
		}
		x, err = l.tree.Unflatten(primitive.BindAll(p, slices.Concat(captured[0], captured[1], captured[2], f.leaves)...))
		return err
	})
	return x
}

func hoisted(c *trace.Closed) (*trace.Jaxpr, []*array.Array) {
	j, captured := c.Hoist()
	return trace.Intern(j), captured
}

// linearSystem is the matvec of a LinearSolve.
type linearSystem struct {
	*function
	tree *trace.Tree // of x and of b
}

// same checks that a function returned something of the type of b.
func (l *linearSystem) same(what string, tree *trace.Tree, got, want []array.Aval) error {
	if !tree.Equal(l.tree) && tree.String() != l.tree.String() {
		return array.TreeErrorf("%s must return what b is: b is %s, it returns %s", what, l.tree, tree)
	}
	for i, a := range got {
		if a.DType != want[i].DType || !a.Shape.Equal(want[i].Shape) {
			return differ(what+" must return what b is: b"+l.tree.Paths()[i]+" is %s, it returns %s", want[i], a)
		}
	}
	return nil
}

// asFunc makes a function of trees of a jaxpr whose first inputs are known.
func (l *linearSystem) asFunc(name string, j *trace.Jaxpr, consts []*array.Array) *trace.Func {
	return trace.NewFunc(name, nil, func(args []any) (any, error) {
		in, _, err := trace.FlattenArgs(nil, args)
		if err != nil {
			return nil, err
		}
		out, err := trace.Eval(j, nil, slices.Concat(consts, in))
		if err != nil {
			return nil, err
		}
		return l.tree.Unflatten(out)
	})
}

// solver traces solve(matvec, b).
func (l *linearSystem) solver(solve any, matvec *trace.Func, types []array.Aval) (*trace.Closed, error) {
	s, err := trace.CallableOf(solve)
	if err != nil {
		return nil, err
	}
	var tree *trace.Tree
	c, err := trace.Record("linear_solve("+s.Name()+")", types, func(in []*array.Array) (out []*array.Array, err error) {
		b, err := l.tree.Unflatten(in)
		if err != nil {
			return nil, err
		}
		x, err := s.Apply([]any{matvec, b})
		if err != nil {
			return nil, err
		}
		out, tree, err = trace.Flatten(x)
		return out, err
	})
	if err != nil {
		return nil, err
	}
	return c, l.same("solve", tree, trace.Avals(c.Out), types)
}

// LinearSolveP is the solution x of A x = b. Operands are what Matvec captured, what Solve and TransposeSolve captured,
// and b.
//
//	Matvec: (consts, x) → A x      Solve: (consts, b) → x      TransposeSolve: (consts, ct) → A⁻ᵀ ct, nil for none
//
// JVP: A dx = db - dA x. Linear in b.
type LinearSolveP struct {
	Matvec, Solve, TransposeSolve *trace.Jaxpr
	Consts                        [3]int
}

// Name implements primitive.Primitive.
func (LinearSolveP) Name() string { return "custom_linear_solve" }

// Params implements primitive.Parametric.
func (p LinearSolveP) Params() []primitive.Param {
	return []primitive.Param{{Name: "matvec", Value: p.Matvec}, {Name: "solve", Value: p.Solve}, {Name: "transpose_solve", Value: p.TransposeSolve}}
}

// Jaxprs implements trace.HasJaxprs.
func (p LinearSolveP) Jaxprs() []*trace.Jaxpr {
	js := []*trace.Jaxpr{p.Matvec, p.Solve}
	if p.TransposeSolve != nil {
		js = append(js, p.TransposeSolve)
	}
	return js
}

// Shape implements primitive.Primitive.
func (p LinearSolveP) Shape(in []array.Aval) ([]array.Aval, error) {
	want := slices.Concat(trace.Avals(p.Matvec.In[:p.Consts[0]]), trace.Avals(p.Solve.In[:p.Consts[1]]))
	if p.TransposeSolve != nil {
		want = append(want, trace.Avals(p.TransposeSolve.In[:p.Consts[2]])...)
	}
	if err := operandsFit(in, append(want, trace.Avals(p.Solve.In[p.Consts[1]:])...)); err != nil {
		return nil, err
	}
	return trace.Avals(p.Solve.Out), nil
}

// system are the four parts of the operands, or of what is known of them.
type system[T any] struct{ matvec, solve, transpose, b []T }

func systemOf[T any](p LinearSolveP, in []T) system[T] {
	i := p.Consts[0]
	j := i + p.Consts[1]
	k := j + p.Consts[2]
	return system[T]{in[:i:i], in[i:j:j], in[j:k:k], in[k:]}
}

// vecmat is y → Aᵀ y.
func (p LinearSolveP) vecmat(consts int) (*trace.Jaxpr, error) {
	n := len(p.Matvec.In) - consts
	c, _, err := vjp.TransposeJaxpr(p.Matvec, slices.Concat(make([]bool, consts), trues(n)), trues(n), trues(n))
	if err != nil {
		return nil, err
	}
	if len(c.ConstVals) > 0 {
		return nil, array.ArgumentErrorf("the transpose of matvec captured %d arrays; pass them in what matvec captures", len(c.ConstVals))
	}
	return trace.Intern(c.Jaxpr), nil
}

// JVP implements vjp.Differentiable.
func (p LinearSolveP) JVP(x, dx []*array.Array) (y, dy []*array.Array, err error) {
	in, din := systemOf(p, x), systemOf(p, dx)
	y = primitive.BindAll(p, x...)
	rhs := slices.Clone(din.b)
	if nz := notNil(din.matvec); slices.Contains(nz, true) {
		j, outNZ, err := vjp.JVPJaxpr(p.Matvec, slices.Concat(nz, make([]bool, len(y))), nil)
		if err != nil {
			return nil, nil, err
		}
		out, err := trace.Eval(j.Jaxpr, j.ConstVals, slices.Concat(in.matvec, y, present(din.matvec)))
		if err != nil {
			return nil, nil, err
		}
		for i, d := range vjp.Spread(out[len(y):], outNZ) {
			switch {
			case d == nil:
			case rhs[i] == nil:
				rhs[i] = primitive.Neg(d)
			default:
				rhs[i] = primitive.Sub(rhs[i], d)
			}
		}
	}
	if len(present(rhs)) == 0 {
		return y, make([]*array.Array, len(y)), nil
	}
	for i, r := range rhs {
		if r == nil {
			rhs[i] = vjp.Zeros(in.b[i].Aval())
		}
	}
	return y, primitive.BindAll(p, slices.Concat(in.matvec, in.solve, in.transpose, rhs)...), nil
}

// Transpose implements vjp.Linear.
func (p LinearSolveP) Transpose(ct []*array.Array, in []primitive.Operand) ([]*array.Array, error) {
	if p.TransposeSolve == nil {
		return nil, &array.NoRuleError{Transformation: "reverse-mode differentiation", Primitive: p.Name(), Advice: "give flow.LinearSolve a transposeSolve"}
	}
	known := make([]*array.Array, len(in))
	for i, o := range in {
		known[i] = o.Value
	}
	s := systemOf(p, known)
	if len(present(s.matvec)) < len(s.matvec) {
		return nil, array.ArgumentErrorf("the matrix depends on a tangent, in which the solution is not linear")
	}
	at, err := p.vecmat(p.Consts[0])
	if err != nil {
		return nil, err
	}
	q := LinearSolveP{at, p.TransposeSolve, p.Solve, [3]int{p.Consts[0], p.Consts[2], p.Consts[1]}}
	rhs := slices.Clone(ct)
	for i, c := range rhs {
		if c == nil {
			rhs[i] = vjp.Zeros(p.Solve.Out[i].AvalOf())
		}
	}
	sent := primitive.BindAll(q, slices.Concat(s.matvec, s.transpose, s.solve, rhs)...)
	return append(make([]*array.Array, len(in)-len(sent)), sent...), nil
}

// BatchBody implements vmap.BodyBatcher. The right-hand sides are mapped where anything is.
func (p LinearSolveP) BatchBody(axis vmap.AxisData, in []*array.Array, dims []int) ([]*array.Array, []int, error) {
	x, at := systemOf(p, slices.Clone(in)), systemOf(p, dims)
	for i, b := range x.b {
		x.b[i] = vmap.Put(b, at.b[i], 0, axis.Size)
	}
	n := len(x.b)
	batched := func(j *trace.Jaxpr, consts []int) (*trace.Jaxpr, []*array.Array, error) {
		if j == nil {
			return nil, nil, nil
		}
		c, _, err := vmap.Jaxpr(j, axis, slices.Concat(consts, make([]int, n)), trues(n))
		if err != nil {
			return nil, nil, err
		}
		k, captured := hoisted(c)
		return k, captured, nil
	}
	q := LinearSolveP{}
	var captured [3][]*array.Array
	var err error
	if q.Matvec, captured[0], err = batched(p.Matvec, at.matvec); err != nil {
		return nil, nil, err
	}
	if q.Solve, captured[1], err = batched(p.Solve, at.solve); err != nil {
		return nil, nil, err
	}
	if q.TransposeSolve, captured[2], err = batched(p.TransposeSolve, at.transpose); err != nil {
		return nil, nil, err
	}
	for i := range captured {
		q.Consts[i] = p.Consts[i] + len(captured[i])
	}
	out := primitive.BindAll(q, slices.Concat(captured[0], x.matvec, captured[1], x.solve, captured[2], x.transpose, x.b)...)
	return out, make([]int, n), nil
}

// LowerJaxpr implements trace.JaxprLowerable: what solve does.
func (p LinearSolveP) LowerJaxpr(c trace.Lowering, in []*hlo.Value, _ []array.Aval) ([]*hlo.Value, error) {
	s := systemOf(p, in)
	return c.Inline(p.Solve, slices.Concat(s.solve, s.b))
}
