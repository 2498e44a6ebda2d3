package vjp

import (
	"slices"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/primitive"
	"github.com/pantograph-go/pantograph/trace"
)

// The functions of this file differentiate jaxprs, for the rules of primitives that hold them. Jaxprs are given with
// their constants hoisted: inputs only. What a rule captured on the way, as data of a user's custom rule, are the
// constants of the Closed that is returned, to be given before its inputs.

// JVPJaxpr returns the jaxpr that computes j and its tangents. Its inputs are those of j, then the tangents of the
// inputs whose element of nonzero is true; its results those of j, then the tangents of the results whose element of
// outNonzero is true: those that depend on a tangent, and those that force asks for (nil: none).
func JVPJaxpr(j *trace.Jaxpr, nonzero, force []bool) (c *trace.Closed, outNonzero []bool, err error) {
	c, err = trace.Record("", slices.Concat(trace.Avals(j.In), tangentAvals(j.In, nonzero)), func(in []*array.Array) ([]*array.Array, error) {
		t := openJVP("jvp", false)
		defer t.frame.Close()
		primals, tangents := in[:len(j.In)], in[len(j.In):]
		args := slices.Clone(primals)
		for i := range args {
			if nonzero[i] {
				args[i], tangents = t.lift(args[i], tangents[0]), tangents[1:]
			}
		}
		res, err := trace.Eval(j, nil, args)
		if err != nil {
			return nil, err
		}
		var outs []*array.Array
		err = t.frame.Below(func() error {
			outs, outNonzero = t.results(res, force)
			return nil
		})
		return outs, err
	})
	return c, outNonzero, err
}

// results splits results into values, then the tangents that are not zero or asked for.
func (t *jvpTrace) results(res []*array.Array, force []bool) (out []*array.Array, nonzero []bool) {
	out, nonzero = make([]*array.Array, len(res)), make([]bool, len(res))
	for i, y := range res {
		var dy *array.Array
		out[i], dy = t.lower(y)
		if dy == nil && force != nil && force[i] {
			dy = Zeros(y.Aval())
		}
		if nonzero[i] = dy != nil; nonzero[i] {
			out = append(out, dy)
		}
	}
	return out, nonzero
}

// Parts is a jaxpr in two parts: what can be computed without the linear inputs, and what is linear in them.
type Parts struct {
	// Forward takes the known inputs and returns the known results, then the values that Linear needs besides.
	Forward *trace.Closed
	// Linear takes the residuals, then the linear inputs, and returns the linear results.
	Linear    *trace.Jaxpr
	Residuals []Residual
	// IsLinear tells of each result of the jaxpr whether Linear returns something for it.
	IsLinear []bool
}

// Residual tells where an input of Parts.Linear comes from. What is an input of Forward, or was known before, is not
// returned by Forward again.
type Residual struct {
	Value  *array.Array // known from outside, nil otherwise
	Input  int          // the input of Forward, -1 otherwise
	Result int          // the result of Forward, -1 otherwise
}

// Of finds the residual among the inputs and results of Forward.
func (r Residual) Of(in, out []*array.Array) *array.Array {
	switch {
	case r.Value != nil:
		return r.Value
	case r.Input >= 0:
		return in[r.Input]
	}
	return out[r.Result]
}

// LinearizeJaxpr linearizes j in the inputs whose element of nonzero is true. All inputs and results of j are known;
// the linear inputs and results are tangents. A result has one where it depends on a tangent or force asks for it.
func LinearizeJaxpr(j *trace.Jaxpr, nonzero, force []bool) (*Parts, error) {
	return partsOf(trace.Avals(j.In), func(in []*array.Array) ([]*array.Array, *linearized, error) {
		return linearize("linearize", in, nonzero, func(args []*array.Array) ([]*array.Array, error) {
			return trace.Eval(j, nil, args)
		})
	}, force)
}

// SplitJaxpr separates j, in which values and linear inputs (those whose element of linear is true) meet: a result is
// known or linear. It is linear where it depends on a linear input or force asks for it.
func SplitJaxpr(j *trace.Jaxpr, linear, force []bool) (*Parts, error) {
	var known []array.Aval
	for i, v := range j.In {
		if !linear[i] {
			known = append(known, v.Aval)
		}
	}
	return partsOf(known, func(in []*array.Array) (out []*array.Array, lin *linearized, err error) {
		t := openLinear("split")
		defer t.frame.Close()
		args := make([]*array.Array, len(j.In))
		for i, v := range j.In {
			if linear[i] {
				args[i] = t.input(v.Aval)
			} else {
				args[i], in = in[0], in[1:]
			}
		}
		res, err := trace.Eval(j, nil, args)
		if err != nil {
			return nil, nil, err
		}
		lin = &linearized{result: make([]int, len(res))}
		for i, y := range res {
			lin.result[i] = -1
			if t.varOf(y) != nil || (force != nil && force[i]) {
				lin.result[i] = len(t.jaxpr.Out)
				t.jaxpr.Out = append(t.jaxpr.Out, t.atom(y))
			} else {
				out = append(out, y)
			}
		}
		t.finish(lin)
		return out, lin, nil
	}, nil)
}

// partsOf records derive, which computes the known results and writes a linear jaxpr next to them.
func partsOf(known []array.Aval, derive func(in []*array.Array) ([]*array.Array, *linearized, error), force []bool) (*Parts, error) {
	p := &Parts{}
	var err error
	p.Forward, err = trace.Record("", known, func(in []*array.Array) ([]*array.Array, error) {
		here := primitive.Top()
		out, lin, err := derive(in)
		if err != nil {
			return nil, err
		}
		if p.IsLinear, err = lin.forced(out, force); err != nil {
			return nil, err
		}
		var residuals []*array.Array
		p.Linear, residuals = (&trace.Closed{Jaxpr: lin.jaxpr, ConstVals: lin.consts}).Hoist()
		for _, x := range residuals {
			r := Residual{Input: slices.Index(in, x), Result: -1}
			switch {
			case r.Input >= 0:
			case !belongsTo(x, here):
				r.Value = x
			default:
				if r.Result = slices.Index(out, x); r.Result < 0 {
					r.Result = len(out)
					out = append(out, x)
				}
			}
			p.Residuals = append(p.Residuals, r)
		}
		return out, nil
	})
	if err != nil {
		return nil, err
	}
	p.Forward.Jaxpr = live(p.Forward.Jaxpr)
	return p, nil
}

// live is j without the equations that no result needs. All inputs stay.
func live(j *trace.Jaxpr) *trace.Jaxpr {
	k, _ := trace.DCE(j, allTrue(len(j.Out)))
	k.In = j.In
	return k
}

// forced makes the linear jaxpr return zeros for the results that force asks for, and exactly one tangent for each
// result that has one, in order.
func (l *linearized) forced(out []*array.Array, force []bool) (nonzero []bool, err error) {
	var atoms []trace.Atom
	nonzero = make([]bool, len(l.result))
	j := *l.jaxpr
	j.Eqns = slices.Clone(j.Eqns)
	for i, r := range l.result {
		switch {
		case r >= 0:
			atoms = append(atoms, j.Out[r])
		case force != nil && force[i]:
			z, err := trace.Record("", nil, func([]*array.Array) ([]*array.Array, error) {
				return []*array.Array{Zeros(out[i].Aval())}, nil
			})
			if err != nil {
				return nil, err
			}
			j.Eqns = append(j.Eqns, z.Eqns...)
			atoms = append(atoms, z.Out[0])
		default:
			continue
		}
		nonzero[i] = true
	}
	j.Out = atoms
	l.jaxpr = &j
	return nonzero, nil
}

func belongsTo(x *array.Array, f *primitive.Frame) bool {
	t, ok := array.TracerOf(x).(primitive.Tracer)
	return ok && t.Frame() == f
}

// TransposeJaxpr transposes j, which is linear in the inputs whose element of linear is true. The result takes the
// other inputs, then the cotangents of the results whose element of ctNonzero is true, and returns the cotangents of
// the linear inputs whose element of outNonzero is true: those that are sent something, and those that force, over the
// linear inputs in order, asks for (nil: none).
func TransposeJaxpr(j *trace.Jaxpr, linear, ctNonzero, force []bool) (c *trace.Closed, outNonzero []bool, err error) {
	var avals []array.Aval
	for i, v := range j.In {
		if !linear[i] {
			avals = append(avals, v.Aval)
		}
	}
	for i, a := range j.Out {
		if ctNonzero[i] {
			avals = append(avals, TangentOf(a.AvalOf()))
		}
	}
	c, err = trace.Record("", avals, func(in []*array.Array) ([]*array.Array, error) {
		known, ct := make([]*array.Array, len(j.In)), make([]*array.Array, len(j.Out))
		for i := range known {
			if !linear[i] {
				known[i], in = in[0], in[1:]
			}
		}
		for i := range ct {
			if ctNonzero[i] {
				ct[i], in = in[0], in[1:]
			}
		}
		sent, err := transpose("transpose", j, nil, known, ct)
		if err != nil {
			return nil, err
		}
		var out []*array.Array
		for i, v := range j.In {
			if !linear[i] {
				continue
			}
			if sent[i] == nil && force != nil && force[len(outNonzero)] {
				sent[i] = Zeros(v.Aval)
			}
			outNonzero = append(outNonzero, sent[i] != nil)
			if sent[i] != nil {
				out = append(out, sent[i])
			}
		}
		return out, nil
	})
	return c, outNonzero, err
}

// Zeros is the zero tangent of a value of type a, written out.
func Zeros(a array.Aval) *array.Array {
	a = TangentOf(a)
	if a.DType == array.Float0 {
		return array.Of(array.NewBuffer(array.Float0, a.Shape))
	}
	return primitive.Full(a, 0)
}

// tangentAvals lists the types of the tangents of the variables whose element of nonzero is true.
func tangentAvals(vars []*trace.Var, nonzero []bool) []array.Aval {
	var avals []array.Aval
	for i, v := range vars {
		if nonzero[i] {
			avals = append(avals, TangentOf(v.Aval))
		}
	}
	return avals
}

func allTrue(n int) []bool {
	b := make([]bool, n)
	for i := range b {
		b[i] = true
	}
	return b
}

// Reacher is implemented by primitives that hold jaxprs otherwise than as a call of one. Reached tells which results
// depend on the operands whose element of from is true, by the same judgement as the primitive's Split. Of other
// primitives every result depends on every operand.
type Reacher interface{ Reached(from []bool) []bool }

// Reached tells which results of j depend on the inputs whose element of from is true.
func Reached(j *trace.Jaxpr, from []bool) []bool {
	reached := map[*trace.Var]bool{}
	for i, v := range j.In {
		reached[v] = from[i]
	}
	marks := func(atoms []trace.Atom) (m []bool, any bool) {
		m = make([]bool, len(atoms))
		for i, a := range atoms {
			v, ok := a.(*trace.Var)
			m[i] = ok && reached[v]
			any = any || m[i]
		}
		return m, any
	}
	for _, e := range j.Eqns {
		if in, any := marks(e.In); any {
			out := reachedBy(e.Prim, in)
			for i, v := range e.Out {
				reached[v] = out == nil || out[i]
			}
		}
	}
	out, _ := marks(j.Out)
	return out
}

// reachedBy tells which results of p depend on the marked operands, at least one; nil: all.
func reachedBy(p primitive.Primitive, in []bool) []bool {
	if r, ok := p.(Reacher); ok {
		return r.Reached(in)
	}
	if js := trace.Jaxprs(p); len(js) == 1 && len(js[0].In) == len(in) {
		return Reached(js[0], in) // a call
	}
	return nil
}

// Present marks and lists the elements that are not nil.
func Present(x []*array.Array) (mask []bool, given []*array.Array) {
	mask = make([]bool, len(x))
	for i, v := range x {
		if mask[i] = v != nil; mask[i] {
			given = append(given, v)
		}
	}
	return mask, given
}

// Spread is the inverse of Present: it gives the elements of x in turn to the places that are marked; the others are nil.
func Spread(x []*array.Array, marked []bool) []*array.Array {
	out := make([]*array.Array, len(marked))
	for i, m := range marked {
		if m {
			out[i], x = x[0], x[1:]
		}
	}
	return out
}
