package primitive

import (
	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/lower/hlo"
)

// compose lowers a function of other primitives where b stands: the lowering of a primitive that StableHLO has no
// operation for, and of the scalar computations of reductions.
func compose(b *hlo.Builder, in []*hlo.Value, f func(in []*array.Array) []*array.Array) ([]*hlo.Value, error) {
	t := &composition{b: b}
	t.frame = Open(t)
	defer t.frame.Close()
	args := make([]*array.Array, len(in))
	for i, v := range in {
		args[i] = t.array(v, v.Aval())
	}
	return t.values(f(args))
}

// composition is the trace that lowers every operation as soon as it is bound.
type composition struct {
	b     *hlo.Builder
	frame *Frame
}

// composed is its tracer: a value of the program being built.
type composed struct {
	made  *composition
	value *hlo.Value
}

// Describe implements array.Tracer.
func (composed) Describe() string { return "a value of a lowering rule" }

// Frame implements Tracer.
func (c composed) Frame() *Frame { return c.made.frame }

// Describe implements Trace; a lowering is no transformation that users know.
func (*composition) Describe() string { return "" }

// Process implements Trace.
func (t *composition) Process(p Primitive, in []*array.Array) ([]*array.Array, error) {
	values, err := t.values(in)
	if err != nil {
		return nil, err
	}
	avals := make([]array.Aval, len(in))
	for i, x := range in {
		avals[i] = x.Aval()
	}
	outs, err := p.Shape(avals)
	if err != nil {
		return nil, err
	}
	l, ok := p.(Lowerable)
	if !ok {
		return nil, &array.NoRuleError{Transformation: "lowering", Primitive: p.Name(), Advice: "give it a Lower method"}
	}
	values, err = l.Lower(t.b, values, outs)
	if err != nil {
		return nil, err
	}
	results := make([]*array.Array, len(values))
	for i, v := range values {
		results[i] = t.array(v, outs[i])
	}
	return results, nil
}

func (t *composition) array(v *hlo.Value, a array.Aval) *array.Array {
	return array.FromTracer(a, composed{t, v})
}

func (t *composition) values(in []*array.Array) ([]*hlo.Value, error) {
	out := make([]*hlo.Value, len(in))
	for i, x := range in {
		if c, ok := array.TracerOf(x).(composed); ok {
			out[i] = c.value
			continue
		}
		data, err := array.DataOf(x).Host()
		if err != nil {
			return nil, err
		}
		out[i] = t.b.Const(data)
	}
	return out, nil
}
