package trace

import (
	"fmt"
	"slices"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/primitive"
)

// recorder is the trace that writes a jaxpr: every operation bound while it is current becomes an equation, also those
// on constants and on values of outer traces. It belongs to the goroutine that runs the function.
type recorder struct {
	name  string // jit(step): the Path of errors
	scope string // Scope of its equations
	frame *primitive.Frame
	jaxpr *Jaxpr
	vals  []*array.Array        // of jaxpr.Consts
	vars  map[*array.Array]*Var // the constant of each captured array
	avals []array.Aval          // of one equation's operands, kept to save an allocation
}

// tracer is a value of a function being recorded.
type tracer struct {
	v   *Var
	rec *recorder
	eqn int // the index of the equation that makes it; ^i for input i
}

// Frame implements primitive.Tracer.
func (t *tracer) Frame() *primitive.Frame { return t.rec.frame }

// Describe implements array.Tracer.
func (t *tracer) Describe() string {
	where := ""
	if t.rec.name != "" {
		where = " of " + t.rec.name
	}
	if t.eqn < 0 {
		return fmt.Sprintf("traced argument %d%s, %s", ^t.eqn, where, t.v.Aval)
	}
	e := t.rec.jaxpr.Eqns[t.eqn]
	return fmt.Sprintf("traced value %s%s (%s at %s)", t.v.Aval, where, e.Prim.Name(), e.Pos)
}

// Record runs f once on traced values of the given avals and returns what it did as a jaxpr. Arrays that f captured,
// data or values of outer traces, become constants, each once; scalar data becomes literals. name is the
// transformation's name in errors, for instance jit(step).
//
// What f or an operation in it reports, also by a panic with *Error, is returned; any other panic passes through.
func Record(name string, in []array.Aval, f func(in []*array.Array) ([]*array.Array, error)) (*Closed, error) {
	r := &recorder{name: name, jaxpr: &Jaxpr{}}
	r.frame = primitive.Open(r)
	defer r.frame.Close()
	r.scope = primitive.Path()
	args := make([]*array.Array, len(in))
	for i, a := range in {
		args[i] = r.newVar(a, ^i)
		r.jaxpr.In = append(r.jaxpr.In, array.TracerOf(args[i]).(*tracer).v)
	}
	var out []*array.Array
	err := try(func() (err error) {
		out, err = f(args)
		return err
	})
	if err != nil {
		return nil, err
	}
	r.jaxpr.Out = make([]Atom, len(out))
	for i, x := range out {
		if r.jaxpr.Out[i], err = r.result(x); err != nil {
			return nil, &array.Error{Pos: primitive.Position(), Path: primitive.Path(), Err: fmt.Errorf("result %d: %w", i, err)}
		}
	}
	return &Closed{Jaxpr: r.jaxpr, ConstVals: r.vals}, nil
}

// result is the atom of something that the function returned, which did not pass through Bind.
func (r *recorder) result(x *array.Array) (Atom, error) {
	if x == nil {
		return nil, array.ArgumentErrorf("a nil array is returned")
	}
	if t, ok := array.TracerOf(x).(primitive.Tracer); ok && t.Frame().Closed() {
		return nil, array.LeakErrorf("%s escaped: the function it was traced in has returned", t.Describe())
	}
	return r.atom(x)
}

func (r *recorder) newVar(a array.Aval, eqn int) *array.Array {
	v := &Var{Aval: a}
	return array.FromTracer(a, &tracer{v, r, eqn})
}

// Describe implements primitive.Trace.
func (r *recorder) Describe() string { return r.name }

// Process implements primitive.Trace: it adds an equation.
func (r *recorder) Process(p primitive.Primitive, in []*array.Array) ([]*array.Array, error) {
	r.avals = r.avals[:0]
	for _, x := range in {
		r.avals = append(r.avals, x.Aval())
	}
	avals, err := p.Shape(r.avals)
	if err != nil {
		return nil, r.refused(p, in, err)
	}
	eqn := &Eqn{Prim: p, Pos: primitive.Position(), Scope: r.scope, In: make([]Atom, len(in)), Out: make([]*Var, len(avals))}
	for i, x := range in {
		if eqn.In[i], err = r.atom(x); err != nil {
			return nil, r.refused(p, in, err)
		}
	}
	out := make([]*array.Array, len(avals))
	for i, a := range avals {
		out[i] = r.newVar(a, len(r.jaxpr.Eqns))
		eqn.Out[i] = array.TracerOf(out[i]).(*tracer).v
	}
	r.jaxpr.Eqns = append(r.jaxpr.Eqns, eqn)
	return out, nil
}

// atom is how equations of this jaxpr read x.
func (r *recorder) atom(x *array.Array) (Atom, error) {
	if t, ok := array.TracerOf(x).(*tracer); ok && t.rec == r {
		return t.v, nil
	}
	if array.TracerOf(x) == nil && x.Rank() == 0 && !x.DType().IsKey() {
		return &Literal{x}, nil
	}
	if v := r.vars[x]; v != nil {
		return v, nil
	}
	if t, ok := array.TracerOf(x).(primitive.Tracer); ok && !r.encloses(t.Frame()) {
		return nil, array.LeakErrorf("%s belongs to a transformation inside this one; a rule may use only values it was given", t.Describe())
	}
	v := &Var{Aval: x.Aval()}
	if r.vars == nil {
		r.vars = map[*array.Array]*Var{}
	}
	r.vars[x] = v
	r.jaxpr.Consts = append(r.jaxpr.Consts, v)
	r.vals = append(r.vals, x)
	return v, nil
}

// encloses reports whether the trace of f is one that this trace runs in.
func (r *recorder) encloses(f *primitive.Frame) bool {
	for p := r.frame.Parent(); p != nil; p = p.Parent() {
		if p == f {
			return true
		}
	}
	return false
}

// refused is the error of an operation that cannot be recorded.
func (r *recorder) refused(p primitive.Primitive, in []*array.Array, err error) error {
	return &array.Error{Pos: primitive.Position(), Op: p.Name(), Eqn: r.text(p, in), Path: primitive.Path(), Err: err}
}

// try runs fn and returns its error, also one that it panics with as *Error. Other panics pass through.
func try(fn func() error) (err error) {
	defer func() {
		switch e := recover().(type) {
		case nil:
		case *array.Error:
			err = e
		default:
			panic(e)
		}
	}()
	return fn()
}

// Try runs numerical code that panics with *Error where it meets a mistake, and returns that error. Other panics pass
// through.
func Try(fn func()) error {
	return try(func() error { fn(); return nil })
}

// Hoist returns the function with its constants as leading inputs, and their values: the form in which primitives hold
// jaxprs, which must not hold data.
func (c *Closed) Hoist() (*Jaxpr, []*array.Array) {
	if len(c.Consts) == 0 {
		return c.Jaxpr, nil
	}
	j := *c.Jaxpr
	j.Consts, j.In = nil, slices.Concat(c.Consts, c.In)
	return &j, c.ConstVals
}

// Avals lists the types of atoms or variables.
func Avals[A Atom](atoms []A) []array.Aval {
	avals := make([]array.Aval, len(atoms))
	for i, a := range atoms {
		avals[i] = a.AvalOf()
	}
	return avals
}
