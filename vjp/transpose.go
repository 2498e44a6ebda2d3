package vjp

import (
	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/primitive"
	"github.com/pantograph-go/pantograph/trace"
)

// Linear is the transpose rule of a primitive that is linear in some of its operands: those whose Value is nil. ct are
// the cotangents of the results, nil for zero, at least one not nil. The rule returns the cotangent of each linear
// operand, nil for zero and for the operands that have a value.
type Linear interface {
	Transpose(ct []*array.Array, in []primitive.Operand) ([]*array.Array, error)
}

// transpose applies the transpose of the linear jaxpr j to the cotangents ct of its results, nil for zero: it walks the
// equations backwards and adds up what each operand is sent. consts are the values of j's constants. An input whose
// element of known is not nil is a value; j is linear in the others, whose cotangents are returned, nil for zero.
// Equations that depend on no linear input are evaluated first, as far as the others need them.
func transpose(name string, j *trace.Jaxpr, consts, known, ct []*array.Array) ([]*array.Array, error) {
	b := &backward{name: name, value: map[*trace.Var]*array.Array{}, ct: map[*trace.Var]*array.Array{}}
	for i, v := range j.Consts {
		b.value[v] = consts[i]
	}
	for i, v := range j.In {
		if known[i] != nil {
			b.value[v] = known[i]
		}
	}
	linear, err := b.forward(j)
	if err != nil {
		return nil, err
	}
	for i, a := range j.Out {
		if err := b.add(a, ct[i]); err != nil {
			return nil, err
		}
	}
	for i := len(linear) - 1; i >= 0; i-- {
		if err := b.eqn(linear[i]); err != nil {
			return nil, err
		}
	}
	out := make([]*array.Array, len(j.In))
	for i, v := range j.In {
		if known[i] == nil {
			out[i] = b.ct[v]
		}
	}
	return out, nil
}

// backward is the state of one transposition.
type backward struct {
	name  string
	value map[*trace.Var]*array.Array // what is known, in which j is not linear
	ct    map[*trace.Var]*array.Array // the sum of what arrived so far
}

// forward evaluates the equations without linear operands that the others need, and returns those others.
func (b *backward) forward(j *trace.Jaxpr) (linear []*trace.Eqn, err error) {
	isLinear := map[*trace.Var]bool{}
	for _, v := range j.In {
		isLinear[v] = b.value[v] == nil
	}
	plain := make([]bool, len(j.Eqns))
	for i, e := range j.Eqns {
		plain[i] = true
		for _, a := range e.In {
			if v, ok := a.(*trace.Var); ok && isLinear[v] {
				plain[i] = false
			}
		}
		if !plain[i] {
			for _, v := range e.Out {
				isLinear[v] = true
			}
			linear = append(linear, e)
		}
	}
	if len(linear) == len(j.Eqns) {
		return linear, nil
	}
	needed := map[*trace.Var]bool{}
	for i := len(j.Eqns) - 1; i >= 0; i-- {
		e := j.Eqns[i]
		if plain[i] {
			used := false
			for _, v := range e.Out {
				used = used || needed[v]
			}
			if plain[i] = used; !used {
				continue
			}
		}
		for _, a := range e.In {
			if v, ok := a.(*trace.Var); ok {
				needed[v] = true
			}
		}
	}
	for i, e := range j.Eqns {
		if !plain[i] {
			continue
		}
		in := make([]*array.Array, len(e.In))
		for k, a := range e.In {
			in[k] = b.read(a)
		}
		err := trace.At(e.Pos, func() error {
			for k, x := range primitive.BindAll(e.Prim, in...) {
				if e.Out[k] != nil {
					b.value[e.Out[k]] = x
				}
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return linear, nil
}

// read is the value of a, nil where it is linear.
func (b *backward) read(a trace.Atom) *array.Array {
	if l, ok := a.(*trace.Literal); ok {
		return l.Value
	}
	return b.value[a.(*trace.Var)]
}

// add sends a cotangent to a. What is sent to a value is of no interest.
func (b *backward) add(a trace.Atom, ct *array.Array) error {
	v, ok := a.(*trace.Var)
	if !ok || ct == nil || b.value[v] != nil {
		return nil
	}
	if !sameType(ct.Aval(), v.Aval) {
		return array.RuleErrorf("the cotangent %s was sent to a value of type %s", ct.Aval(), v.Aval)
	}
	if sum := b.ct[v]; sum != nil {
		ct = primitive.AddAny(sum, ct)
	}
	b.ct[v] = ct
	return nil
}

func (b *backward) eqn(e *trace.Eqn) error {
	ct, any := make([]*array.Array, len(e.Out)), false
	for i, v := range e.Out {
		if v != nil && b.ct[v] != nil {
			ct[i], any = b.ct[v], true
			delete(b.ct, v) // complete, and free to be collected after this equation
		}
	}
	if !any {
		return nil
	}
	in := make([]primitive.Operand, len(e.In))
	for i, a := range e.In {
		in[i] = primitive.Operand{Aval: a.AvalOf(), Value: b.read(a)}
	}
	return trace.At(e.Pos, func() error {
		if err := b.rule(e, ct, in); err != nil {
			return located(e, b.name, err)
		}
		return nil
	})
}

func (b *backward) rule(e *trace.Eqn, ct []*array.Array, in []primitive.Operand) error {
	r, ok := e.Prim.(Linear)
	if !ok {
		return &array.NoRuleError{Transformation: "transpose", Primitive: e.Prim.Name(),
			Advice: "give the primitive a Transpose method, or attach a rule with vjp.Custom"}
	}
	sent, err := r.Transpose(ct, in)
	if err != nil {
		return err
	}
	if len(sent) != len(in) {
		return array.RuleErrorf("its transpose rule gave %d cotangents for %d operands", len(sent), len(in))
	}
	for i, a := range e.In {
		if err := b.add(a, sent[i]); err != nil {
			return err
		}
	}
	return nil
}

// located adds the equation's line and the derivative to what a rule said.
func located(e *trace.Eqn, name string, err error) error {
	if known, ok := err.(*array.Error); ok {
		return known
	}
	path := primitive.Path()
	if path != "" {
		path += "/"
	}
	return &array.Error{Pos: e.Pos, Op: e.Prim.Name(), Path: path + name, Err: err}
}
