package vjp

import (
	"fmt"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/primitive"
	"github.com/pantograph-go/pantograph/trace"
)

// linearTrace stands between a jvpTrace and the trace below. The rules of the jvpTrace run with it current: what they
// do to values passes down and happens at once, what they do to tangents is written into a jaxpr. The values that the
// tangents meet are the residuals: constants of that jaxpr, each once.
type linearTrace struct {
	frame  *primitive.Frame
	name   string
	scope  string // of its equations
	jaxpr  *trace.Jaxpr
	vals   []*array.Array              // of jaxpr.Consts
	consts map[*array.Array]*trace.Var // the constant of each residual
}

// linearTracer is a tangent.
type linearTracer struct {
	trace *linearTrace
	v     *trace.Var
}

func (t *linearTracer) Frame() *primitive.Frame { return t.trace.frame }

func (t *linearTracer) Describe() string {
	return fmt.Sprintf("tangent %s of %s", t.v.Aval, t.trace.name)
}

// Splitter is implemented by a primitive that holds jaxprs and may meet tangents together with values, as in a user's
// CustomJVP rule. Split binds what does not depend on the operands marked linear apart from the rest, so that the
// results that are values are known. It returns nil where there is nothing to separate.
type Splitter interface {
	Split(in []*array.Array, linear []bool) ([]*array.Array, error)
}

func openLinear(name string) *linearTrace {
	t := &linearTrace{name: name, scope: primitive.Path(), jaxpr: &trace.Jaxpr{}, consts: map[*array.Array]*trace.Var{}}
	t.frame = primitive.Open(t)
	return t
}

// Describe implements primitive.Trace. The trace is part of another's work, which names it.
func (t *linearTrace) Describe() string { return "" }

// input makes the next input of the linear jaxpr.
func (t *linearTrace) input(a array.Aval) *array.Array {
	v := &trace.Var{Aval: a}
	t.jaxpr.In = append(t.jaxpr.In, v)
	return array.FromTracer(a, &linearTracer{t, v})
}

func (t *linearTrace) varOf(x *array.Array) *trace.Var {
	if tr, ok := array.TracerOf(x).(*linearTracer); ok && tr.trace == t {
		return tr.v
	}
	return nil
}

// atom is how the linear jaxpr reads x.
func (t *linearTrace) atom(x *array.Array) trace.Atom {
	if v := t.varOf(x); v != nil {
		return v
	}
	if array.TracerOf(x) == nil && x.Rank() == 0 && !x.DType().IsKey() {
		return &trace.Literal{Value: x}
	}
	v := t.consts[x]
	if v == nil {
		v = &trace.Var{Aval: x.Aval()}
		t.consts[x] = v
		t.jaxpr.Consts = append(t.jaxpr.Consts, v)
		t.vals = append(t.vals, x)
	}
	return v
}

// Process implements primitive.Trace.
func (t *linearTrace) Process(p primitive.Primitive, in []*array.Array) (out []*array.Array, err error) {
	linear, any := make([]bool, len(in)), false
	for i, x := range in {
		linear[i] = t.varOf(x) != nil
		any = any || linear[i]
	}
	if !any {
		err = t.frame.Below(func() error {
			out = primitive.BindAll(p, in...)
			return nil
		})
		return out, err
	}
	if c, ok := p.(Inliner); ok {
		return trace.Eval(c.Inlined(), nil, in)
	}
	if s, ok := p.(Splitter); ok {
		if out, err = s.Split(in, linear); out != nil || err != nil {
			return out, err
		}
	}
	avals := make([]array.Aval, len(in))
	eqn := &trace.Eqn{Prim: p, Pos: primitive.Position(), Scope: t.scope, In: make([]trace.Atom, len(in))}
	for i, x := range in {
		avals[i] = x.Aval()
		eqn.In[i] = t.atom(x)
	}
	if avals, err = p.Shape(avals); err != nil {
		return nil, err
	}
	for _, a := range avals {
		v := &trace.Var{Aval: a}
		eqn.Out = append(eqn.Out, v)
		out = append(out, array.FromTracer(a, &linearTracer{t, v}))
	}
	t.jaxpr.Eqns = append(t.jaxpr.Eqns, eqn)
	return out, nil
}

// linearized is a function's derivative at a point: a jaxpr from the tangents of the active inputs to those of the
// results. Its constants are the residuals.
type linearized struct {
	jaxpr  *trace.Jaxpr
	consts []*array.Array
	result []int // for each result of the function, the result of jaxpr that is its tangent, -1 where that is zero
}

// linearize runs f on in, whose active elements are differentiated, and returns its results with the derivative.
func linearize(name string, in []*array.Array, active []bool, f func(in []*array.Array) ([]*array.Array, error)) (out []*array.Array, lin *linearized, err error) {
	t := openLinear(name)
	defer t.frame.Close()
	j := openJVP(name, true)
	defer j.frame.Close()
	args := make([]*array.Array, len(in))
	for i, x := range in {
		args[i] = x
		if active[i] {
			args[i] = j.lift(x, t.input(TangentOf(x.Aval())))
		}
	}
	res, err := f(args)
	if err != nil {
		return nil, nil, err
	}
	out = make([]*array.Array, len(res))
	lin = &linearized{result: make([]int, len(res))}
	for i, y := range res {
		if y == nil {
			return nil, nil, array.ArgumentErrorf("result %d of %s is a nil array", i, name)
		}
		lin.result[i] = -1
		var dy *array.Array
		if out[i], dy = j.lower(y); dy != nil {
			lin.result[i] = len(t.jaxpr.Out)
			t.jaxpr.Out = append(t.jaxpr.Out, t.atom(dy))
		}
	}
	t.finish(lin)
	return out, lin, nil
}

// finish hands over what was recorded, as far as the results need it.
func (t *linearTrace) finish(lin *linearized) {
	lin.jaxpr, lin.consts = t.jaxpr, t.vals
	lin.prune()
}

// prune leaves out the equations and residuals that no result needs. All inputs stay.
func (l *linearized) prune() {
	j := *l.jaxpr
	hoisted := j
	hoisted.Consts, hoisted.In = nil, j.Consts
	live, used := trace.DCE(&hoisted, allTrue(len(j.Out)))
	j.Consts, j.Eqns = live.In, live.Eqns
	var consts []*array.Array
	for i, x := range l.consts {
		if used[i] {
			consts = append(consts, x)
		}
	}
	l.jaxpr, l.consts = &j, consts
}

// first keeps the tangents of the first n results only.
func (l *linearized) first(n int) {
	j := *l.jaxpr
	l.result = l.result[:n]
	j.Out = nil
	for i, r := range l.result {
		if r >= 0 {
			l.result[i] = len(j.Out)
			j.Out = append(j.Out, l.jaxpr.Out[r])
		}
	}
	l.jaxpr = &j
	l.prune()
}

// apply is the derivative along tangents of the active inputs: a tangent for each result, nil for zero.
func (l *linearized) apply(tangents []*array.Array) ([]*array.Array, error) {
	res, err := trace.Eval(l.jaxpr, l.consts, tangents)
	if err != nil {
		return nil, err
	}
	out := make([]*array.Array, len(l.result))
	for i, r := range l.result {
		if r >= 0 {
			out[i] = res[r]
		}
	}
	return out, nil
}

// pull is the transposed derivative: a cotangent for each active input, nil for zero, from one for each result.
func (l *linearized) pull(name string, ct []*array.Array) ([]*array.Array, error) {
	sent := make([]*array.Array, len(l.jaxpr.Out))
	for i, r := range l.result {
		if r >= 0 {
			sent[r] = ct[i]
		}
	}
	return transpose(name, l.jaxpr, l.consts, make([]*array.Array, len(l.jaxpr.In)), sent)
}
