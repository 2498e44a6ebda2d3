package flow

import (
	"slices"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/primitive"
	"github.com/pantograph-go/pantograph/trace"
	"github.com/pantograph-go/pantograph/vjp"
)

// Linearize implements vjp.Linearizer.
func (p ScanP) Linearize(x, dx []*array.Array) (y, dy []*array.Array, err error) {
	nz := sectionsOf(p, notNil(dx))
	var parts *vjp.Parts
	for grown := true; grown; grown = grow(nz.carry, parts.IsLinear[:p.NumCarry]) {
		if parts, err = vjp.LinearizeJaxpr(p.Body, nz.all(), padded(nz.carry, len(p.Body.Out))); err != nil {
			return nil, nil, err
		}
	}
	px, pdx := sectionsOf(p, x), sectionsOf(p, dx)
	y, lin, err := p.apart(parts, px, nz, len(p.Body.Out))
	if err != nil {
		return nil, nil, err
	}
	dy = lin.bind(sections[*array.Array]{present(pdx.consts), tangents(px.carry, pdx.carry, nz.carry), present(pdx.xs)})
	return y, vjp.Spread(dy, parts.IsLinear), nil
}

// Split implements vjp.Splitter.
func (p ScanP) Split(in []*array.Array, linear []bool) ([]*array.Array, error) {
	if !slices.Contains(p.Reached(linear), false) {
		return nil, nil
	}
	mask, x := p.linearSlots(linear), sectionsOf(p, in)
	known, lin, isLinear, err := p.split(x.filtered(mask, false), mask)
	if err != nil {
		return nil, err
	}
	out := vjp.Spread(lin.bind(x.filtered(mask, true)), isLinear)
	for i := range out {
		if !isLinear[i] {
			out[i], known = known[0], known[1:]
		}
	}
	return out, nil
}

// linearSlots extends a mark on operands to the carried values that a marked operand reaches in some step.
func (p ScanP) linearSlots(linear []bool) sections[bool] {
	mask := sectionsOf(p, slices.Clone(linear))
	for grow(mask.carry, vjp.Reached(p.Body, mask.all())[:p.NumCarry]) {
	}
	return mask
}

// Reached implements vjp.Reacher. A carried value depends on what it starts from, as if there were no steps.
func (p ScanP) Reached(from []bool) []bool {
	mask := p.linearSlots(from)
	return slices.Concat(mask.carry, vjp.Reached(p.Body, mask.all())[p.NumCarry:])
}

// split runs what depends on the known operands alone.
func (p ScanP) split(known sections[*array.Array], linear sections[bool]) (out []*array.Array, lin *linearScan, isLinear []bool, err error) {
	parts, err := vjp.SplitJaxpr(p.Body, linear.all(), padded(linear.carry, len(p.Body.Out)))
	if err != nil {
		return nil, nil, nil, err
	}
	out, lin, err = p.apart(parts, known, linear, len(parts.IsLinear)-count(parts.IsLinear))
	return out, lin, parts.IsLinear, err
}

// linearScan is a scan together with its known operands, which come first among the constants and the stacked arrays.
type linearScan struct {
	ScanP
	consts, xs []*array.Array
}

func (l *linearScan) bind(x sections[*array.Array]) []*array.Array {
	return primitive.BindAll(l.ScanP, slices.Concat(l.consts, x.consts, x.carry, l.xs, x.xs)...)
}

// apart runs the forward scan of parts on the known operands and returns its numOut results together with the linear
// scan, which takes the operands marked linear and has its residuals.
//
// Nothing is stacked that exists already: a residual that is a constant, or that follows from constants alone, is a
// constant of the linear scan; one that is a stacked input or output of the step is taken as it is.
func (p ScanP) apart(parts *vjp.Parts, known sections[*array.Array], linear sections[bool], numOut int) (out []*array.Array, lin *linearScan, err error) {
	fwd, captured := parts.Forward.Hoist()
	consts := slices.Concat(captured, known.consts)
	numCarry, firstXs := len(known.carry), len(consts)+len(known.carry)
	same := invariantsOf(fwd, len(consts))
	results := slices.Clone(fwd.Out[:numOut])

	var constRes, xsRes []int // residuals by where the linear step gets them from
	lin = &linearScan{}
	var later []func() *array.Array // the stacked residuals, once the forward scan has run
	var fixed []trace.Atom          // the residuals that follow from constants alone
	for k, r := range parts.Residuals {
		atom, input := trace.Atom(nil), -1
		if r.Input >= 0 {
			input = r.Input + len(captured)
			atom = fwd.In[input]
		} else if r.Result >= 0 {
			atom = fwd.Out[r.Result]
		}
		switch {
		case r.Value != nil || same.has(atom):
			constRes = append(constRes, k)
			fixed = append(fixed, atom)
			lin.consts = append(lin.consts, r.Value)
		case input >= firstXs:
			xsRes = append(xsRes, k)
			later = append(later, func() *array.Array { return known.xs[input-firstXs] })
		default:
			at := r.Result
			if at < numCarry || at >= numOut { // no stacked result yet
				at = len(results)
				results = append(results, atom)
			}
			xsRes = append(xsRes, k)
			later = append(later, func() *array.Array { return out[at] })
		}
	}
	j := *fwd
	j.Out = results
	out = p.bind(&trace.Closed{Jaxpr: &j}, sections[*array.Array]{consts, known.carry, known.xs})
	if err := same.eval(fixed, consts, lin.consts); err != nil {
		return nil, nil, err
	}
	for _, get := range later {
		lin.xs = append(lin.xs, get())
	}

	// The linear step takes all its residuals first, then the linear operands.
	nc, nk, nx := count(linear.consts), count(linear.carry), count(linear.xs)
	first := len(parts.Residuals)
	step := *parts.Linear
	step.In = pick(step.In, slices.Concat(constRes, upTo(first, first+nc+nk), xsRes, upTo(first+nc+nk, first+nc+nk+nx)))
	lin.ScanP, _ = p.over(&trace.Closed{Jaxpr: &step}, len(constRes)+nc, nk)
	return out[:numOut], lin, nil
}

// upTo lists lo, lo+1, … hi-1.
func upTo(lo, hi int) []int {
	var n []int
	for i := lo; i < hi; i++ {
		n = append(n, i)
	}
	return n
}

// invariants are the variables of a body that follow from its first n inputs alone.
type invariants struct {
	body *trace.Jaxpr
	n    int
	vars map[*trace.Var]bool
	eqns []*trace.Eqn
}

func invariantsOf(body *trace.Jaxpr, n int) *invariants {
	v := &invariants{body: body, n: n, vars: map[*trace.Var]bool{}}
	for _, in := range body.In[:n] {
		v.vars[in] = true
	}
	for _, e := range body.Eqns {
		if trace.EffectOf(e.Prim) != 0 || slices.ContainsFunc(e.In, func(a trace.Atom) bool { return !v.has(a) }) {
			continue
		}
		v.eqns = append(v.eqns, e)
		for _, o := range e.Out {
			v.vars[o] = true
		}
	}
	return v
}

func (v *invariants) has(a trace.Atom) bool {
	x, ok := a.(*trace.Var)
	return !ok || v.vars[x]
}

// eval computes the atoms from the values of the first inputs and puts them where dst is nil.
func (v *invariants) eval(atoms []trace.Atom, in, dst []*array.Array) error {
	j := &trace.Jaxpr{In: v.body.In[:v.n], Eqns: v.eqns}
	for i, a := range atoms {
		if dst[i] == nil {
			j.Out = append(j.Out, a)
		}
	}
	j, used := trace.DCE(j, trues(len(j.Out)))
	out, err := trace.Eval(j, nil, filter(in, used, true))
	for i := range dst {
		if err == nil && dst[i] == nil {
			dst[i], out = out[0], out[1:]
		}
	}
	return err
}
