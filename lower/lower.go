package lower

import (
	"errors"
	"fmt"
	"strings"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/lower/hlo"
	"github.com/pantograph-go/pantograph/primitive"
	"github.com/pantograph-go/pantograph/trace"
)

// Options are the settings of one lowering. The zero value lowers for the CPU.
type Options struct {
	Platform string // cpu (the default), cuda, rocm, tpu
	// Donate marks inputs (counted after the constants) whose memory the program may reuse for a result.
	Donate []bool
	// Embed writes the constants into the module; without it they are leading parameters of main.
	Embed bool
}

// Module lowers j to a module named name whose public function main takes j's constants (unless embedded) and inputs
// and returns its results. Reports an *array.Error that names the equation and the user's line where a primitive has no
// lowering or its rule fails.
func Module(name string, j *trace.Closed, opts Options) (*hlo.Module, error) {
	if opts.Platform == "" {
		opts.Platform = "cpu"
	}
	m := &hlo.Module{Name: identifier(name), Attrs: hlo.Attrs{}.
		Set("mhlo.num_partitions", hlo.I32(1)).
		Set("mhlo.num_replicas", hlo.I32(1))}
	l := &lowering{b: hlo.NewBuilder(m, opts.Platform), funcs: map[*trace.Jaxpr]*hlo.Func{}, imported: map[*Exported]*hlo.Func{}}

	body := *j.Jaxpr
	params := body.In
	if !opts.Embed {
		params = append(append([]*trace.Var{}, body.Consts...), body.In...)
	}
	f, err := l.b.Func("main", false, types(params), func(args []*hlo.Value) ([]*hlo.Value, error) {
		if !opts.Embed {
			return l.Inline(j.Jaxpr, args)
		}
		in := make([]*hlo.Value, 0, len(body.Consts)+len(args))
		for i, c := range j.ConstVals {
			v, err := l.constant(c)
			if err != nil {
				return nil, fmt.Errorf("constant %d: %w", i, err)
			}
			in = append(in, v)
		}
		return l.Inline(j.Jaxpr, append(in, args...))
	})
	if err != nil {
		return nil, err
	}
	alias(f, len(params)-len(body.In), opts.Donate)
	return m, nil
}

// identifier replaces what a symbol cannot hold without quotes, as JAX does: vmap(grad(f)) becomes vmap_grad_f__.
func identifier(name string) string {
	return strings.Map(func(r rune) rune {
		if r == '_' || r == '.' || '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' {
			return r
		}
		return '_'
	}, name)
}

// alias marks donated parameters: each takes the first result of its type that has no donor yet, and is offered to
// the compiler as scratch memory where there is none.
func alias(f *hlo.Func, consts int, donate []bool) {
	taken := make([]bool, len(f.Out))
	for i, d := range donate {
		if !d {
			continue
		}
		if f.ArgAttrs == nil {
			f.ArgAttrs = make([]hlo.Attrs, len(f.In))
		}
		p := consts + i
		name, val := "jax.buffer_donor", hlo.Attr(hlo.Bool(true))
		for r, t := range f.Out {
			if !taken[r] && t.String() == f.In[p].String() {
				taken[r], name, val = true, "tf.aliasing_output", hlo.I32(r)
				break
			}
		}
		f.ArgAttrs[p] = f.ArgAttrs[p].Set(name, val)
	}
}

// lowering is the state of one module: it implements trace.Lowering.
type lowering struct {
	b     *hlo.Builder
	funcs map[*trace.Jaxpr]*hlo.Func // functions made by Call

	imported map[*Exported]*hlo.Func // what the modules of exported functions became
}

func (l *lowering) Builder() *hlo.Builder { return l.b }

// Call implements trace.Lowering.
func (l *lowering) Call(name string, j *trace.Jaxpr, in []*hlo.Value) ([]*hlo.Value, error) {
	f := l.funcs[j]
	if f == nil {
		var err error
		in := append(append([]*trace.Var{}, j.Consts...), j.In...)
		f, err = l.b.Func(identifier(name), true, types(in), func(args []*hlo.Value) ([]*hlo.Value, error) { return l.Inline(j, args) })
		if err != nil {
			return nil, err
		}
		l.funcs[j] = f
	}
	return l.b.Call(f, in...), nil
}

// Inline implements trace.Lowering.
func (l *lowering) Inline(j *trace.Jaxpr, in []*hlo.Value) ([]*hlo.Value, error) {
	if n := len(j.Consts) + len(j.In); n != len(in) {
		return nil, fmt.Errorf("a jaxpr of %d constants and %d inputs is lowered with %d values", len(j.Consts), len(j.In), len(in))
	}
	env := make(map[*trace.Var]*hlo.Value, len(in)+len(j.Eqns))
	for i, v := range j.Consts {
		env[v] = in[i]
	}
	for i, v := range j.In {
		env[v] = in[len(j.Consts)+i]
	}
	live := liveEqns(j)
	for i, e := range j.Eqns {
		if !live[i] {
			continue
		}
		if err := l.eqn(e, env); err != nil {
			return nil, located(e, err)
		}
	}
	return l.read(j.Out, env)
}

func (l *lowering) eqn(e *trace.Eqn, env map[*trace.Var]*hlo.Value) error {
	saved := l.b.Loc
	defer func() { l.b.Loc = saved }()
	l.b.Loc = hlo.Loc{Name: scoped(e), File: e.Pos.File, Line: e.Pos.Line}
	in, err := l.read(e.In, env)
	if err != nil {
		return err
	}
	out, err := l.apply(e, in)
	if err != nil {
		return err
	}
	if len(out) != len(e.Out) {
		return array.RuleErrorf("its lowering gave %d values for %d results", len(out), len(e.Out))
	}
	for i, v := range e.Out {
		if v == nil {
			continue
		}
		if want := hlo.TypeOf(v.Aval); out[i].Type.String() != want.String() {
			return array.RuleErrorf("its lowering gave %s for result %d, which is %s", out[i].Type, i, want)
		}
		env[v] = out[i]
	}
	return nil
}

func (l *lowering) apply(e *trace.Eqn, in []*hlo.Value) ([]*hlo.Value, error) {
	out := outAvals(e)
	if needsWords(e, out) {
		return l.overWords(e, in)
	}
	switch p := e.Prim.(type) {
	case trace.JaxprLowerable:
		return p.LowerJaxpr(l, in, out)
	case primitive.Lowerable:
		return p.Lower(l.b, in, out)
	}
	return nil, &array.NoRuleError{Transformation: "lower", Primitive: e.Prim.Name(), Advice: "give it a Lower method"}
}

// outAvals are the avals of an equation's results; a result that nobody reads has no variable any more, so its aval
// comes from the shape rule.
func outAvals(e *trace.Eqn) []array.Aval {
	out := make([]array.Aval, len(e.Out))
	for i, v := range e.Out {
		if v == nil {
			in := make([]array.Aval, len(e.In))
			for k, a := range e.In {
				in[k] = a.AvalOf()
			}
			if all, err := e.Prim.Shape(in); err == nil {
				return all
			}
			continue
		}
		out[i] = v.Aval
	}
	return out
}

func (l *lowering) read(atoms []trace.Atom, env map[*trace.Var]*hlo.Value) ([]*hlo.Value, error) {
	vals := make([]*hlo.Value, len(atoms))
	for i, a := range atoms {
		switch a := a.(type) {
		case *trace.Literal:
			v, err := l.constant(a.Value)
			if err != nil {
				return nil, err
			}
			vals[i] = v
		case *trace.Var:
			if vals[i] = env[a]; vals[i] == nil {
				return nil, fmt.Errorf("operand %d (%s) is read before it is bound", i, a.Aval)
			}
		}
	}
	return vals, nil
}

func (l *lowering) constant(x *array.Array) (*hlo.Value, error) {
	d := array.DataOf(x)
	if d == nil {
		return nil, array.LeakErrorf("a traced value cannot be written into a module as a constant")
	}
	h, err := d.Host()
	if err != nil {
		return nil, err
	}
	if t := hlo.TensorOf(x.Aval()); t.Elem != h.DType() {
		if h, err = array.WrapBuffer(t.Elem, t.Shape, h.Bytes()); err != nil {
			return nil, err
		}
	}
	return l.b.Const(h), nil
}

// liveEqns tells which equations contribute to a result or have an effect.
func liveEqns(j *trace.Jaxpr) []bool {
	used := make(map[*trace.Var]bool)
	mark := func(atoms []trace.Atom) {
		for _, a := range atoms {
			if v, ok := a.(*trace.Var); ok {
				used[v] = true
			}
		}
	}
	mark(j.Out)
	live := make([]bool, len(j.Eqns))
	for i := len(j.Eqns) - 1; i >= 0; i-- {
		e := j.Eqns[i]
		live[i] = trace.EffectOf(e.Prim) != 0
		for _, v := range e.Out {
			live[i] = live[i] || (v != nil && used[v])
		}
		if live[i] {
			mark(e.In)
		}
	}
	return live
}

func types(vars []*trace.Var) []hlo.Type {
	ts := make([]hlo.Type, len(vars))
	for i, v := range vars {
		ts[i] = hlo.TypeOf(v.Aval)
	}
	return ts
}

func scoped(e *trace.Eqn) string {
	if e.Scope == "" {
		return e.Prim.Name()
	}
	return e.Scope + "/" + e.Prim.Name()
}

// located adds the equation to an error that has no position yet.
func located(e *trace.Eqn, err error) error {
	var known *array.Error
	if errors.As(err, &known) {
		return err
	}
	return &array.Error{Pos: e.Pos, Op: e.Prim.Name(), Path: e.Scope, Err: err}
}
