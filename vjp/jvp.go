package vjp

import (
	"fmt"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/primitive"
	"github.com/pantograph-go/pantograph/trace"
)

// Differentiable is the derivative rule of a primitive: the results y at x and their tangents dy along dx. A nil dx[i]
// is a zero tangent, always so for operands of integer, bool and key types; at least one is not nil. A nil dy[i] is
// zero. The rule must be linear in dx. It runs with the trace below the derivative current.
//
// A primitive all of whose results are integers, bools or keys needs no rule.
type Differentiable interface {
	JVP(x, dx []*array.Array) (y, dy []*array.Array, err error)
}

// Linearizer is implemented by a primitive that holds jaxprs, whose JVP computes results and tangents in one equation.
// Linearize does the same in two: the forward equation on x, which also returns the residuals, and an equation that is
// linear in dx. Reverse mode asks for it, because only the second is transposed.
type Linearizer interface {
	Linearize(x, dx []*array.Array) (y, dy []*array.Array, err error)
}

// Inliner is implemented by a primitive that only calls a jaxpr and has no derivative rule of its own: the derivative is
// that of the jaxpr, operation by operation.
type Inliner interface{ Inlined() *trace.Jaxpr }

// jvpTracer is a value with its tangent.
type jvpTracer struct {
	trace           *jvpTrace
	primal, tangent *array.Array
}

func (t *jvpTracer) Frame() *primitive.Frame { return t.trace.frame }

func (t *jvpTracer) Describe() string {
	return fmt.Sprintf("value %s of %s", t.primal.Aval(), t.trace.name)
}

// Concrete implements array.Concrete: the primal of an eager derivative is known. It is nil where it is not.
func (t *jvpTracer) Concrete() *array.Array {
	if array.TracerOf(t.primal) == nil {
		return t.primal
	}
	if c, ok := array.TracerOf(t.primal).(array.Concrete); ok {
		return c.Concrete()
	}
	return nil
}

// jvpTrace computes tangents next to values. A value whose tangent is zero is no tracer of it, so what does not depend
// on the inputs passes down unchanged and costs nothing.
type jvpTrace struct {
	frame  *primitive.Frame
	name   string // grad(loss), for errors
	linear bool   // the trace below is a linearTrace: ask for Linearize
}

func openJVP(name string, linear bool) *jvpTrace {
	t := &jvpTrace{name: name, linear: linear}
	t.frame = primitive.Open(t)
	return t
}

// Describe implements primitive.Trace.
func (t *jvpTrace) Describe() string { return t.name }

// lift pairs a value with its tangent; nil is zero.
func (t *jvpTrace) lift(primal, tangent *array.Array) *array.Array {
	if tangent == nil {
		return primal
	}
	return array.FromTracer(primal.Aval(), &jvpTracer{t, primal, tangent})
}

// lower is the inverse of lift.
func (t *jvpTrace) lower(x *array.Array) (primal, tangent *array.Array) {
	if tr, ok := array.TracerOf(x).(*jvpTracer); ok && tr.trace == t {
		return tr.primal, tr.tangent
	}
	return x, nil
}

// Process implements primitive.Trace.
func (t *jvpTrace) Process(p primitive.Primitive, in []*array.Array) (out []*array.Array, err error) {
	if refused := trace.Try(func() { out, err = t.process(p, in) }); refused != nil {
		err = refused
	}
	if err != nil { // with this derivative in the path, where operands do not fit
		if _, unfit := p.Shape(avalsOf(in)); unfit != nil {
			err = unfit
		}
	}
	return out, err
}

func (t *jvpTrace) process(p primitive.Primitive, in []*array.Array) (out []*array.Array, err error) {
	x, dx, active := make([]*array.Array, len(in)), make([]*array.Array, len(in)), false
	for i, v := range in {
		x[i], dx[i] = t.lower(v)
		active = active || dx[i] != nil
	}
	if c, ok := p.(Inliner); ok && active {
		return trace.Eval(c.Inlined(), nil, in)
	}
	err = t.frame.Below(func() error {
		if !active {
			out = primitive.BindAll(p, in...)
			return nil
		}
		y, dy, err := t.rule(p, x, dx)
		if err != nil {
			return err
		}
		if err := checkTangents(y, dy); err != nil {
			return err
		}
		out = make([]*array.Array, len(y))
		for i := range y {
			out[i] = t.lift(y[i], dy[i])
		}
		return nil
	})
	return out, err
}

func (t *jvpTrace) rule(p primitive.Primitive, x, dx []*array.Array) (y, dy []*array.Array, err error) {
	if r, ok := p.(Linearizer); ok && t.linear {
		return r.Linearize(x, dx)
	}
	if r, ok := p.(Differentiable); ok {
		return r.JVP(x, dx)
	}
	out, err := p.Shape(avalsOf(x))
	if err != nil {
		return nil, nil, err
	}
	for _, a := range out {
		if a.DType.IsInexact() {
			return nil, nil, &array.NoRuleError{Transformation: t.name, Primitive: p.Name(),
				Advice: "give the primitive a JVP method, or attach a rule with vjp.Custom or vjp.CustomJVP, or stop the gradient with vjp.StopGradient"}
		}
	}
	y = primitive.BindAll(p, x...)
	return y, make([]*array.Array, len(y)), nil
}

// checkTangents tells the author of a rule what it got wrong.
func checkTangents(y, dy []*array.Array) error {
	if len(y) != len(dy) {
		return array.RuleErrorf("its derivative rule gave %d results and %d tangents", len(y), len(dy))
	}
	for i, d := range dy {
		if d != nil && !sameType(d.Aval(), TangentOf(y[i].Aval())) {
			return array.RuleErrorf("its derivative rule gave the tangent %s for result %d, which is %s", d.Aval(), i, y[i].Aval())
		}
	}
	return nil
}

// TangentOf is the type of the tangents and cotangents of values of type a: a itself for floating-point and complex
// types, float0 for all others.
func TangentOf(a array.Aval) array.Aval {
	if !a.DType.IsInexact() {
		a.DType = array.Float0
	}
	return a.Strong()
}

// sameType reports equal shape and dtype.
func sameType(a, b array.Aval) bool { return a.DType == b.DType && a.Shape.Equal(b.Shape) }
