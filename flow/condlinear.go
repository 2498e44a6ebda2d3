package flow

import (
	"slices"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/primitive"
	"github.com/pantograph-go/pantograph/trace"
	"github.com/pantograph-go/pantograph/vjp"
)

// Linearize implements vjp.Linearizer.
func (p CondP) Linearize(x, dx []*array.Array) (y, dy []*array.Array, err error) {
	nz := notNil(dx[1:])
	parts, outNZ, err := agreed(p.Branches.All(), p.numOut(), func(b *trace.Jaxpr, force []bool) (*vjp.Parts, []bool, error) {
		parts, err := vjp.LinearizeJaxpr(b, nz, force)
		if err != nil {
			return nil, nil, err
		}
		return parts, parts.IsLinear, nil
	})
	if err != nil {
		return nil, nil, err
	}
	y, linear, err := condApart(x[0], parts, x[1:], len(outNZ))
	if err != nil {
		return nil, nil, err
	}
	return y, vjp.Spread(linear(present(dx[1:])), outNZ), nil
}

// Split implements vjp.Splitter.
func (p CondP) Split(in []*array.Array, linear []bool) ([]*array.Array, error) {
	if linear[0] {
		return nil, array.ArgumentErrorf("which branch runs depends on a tangent")
	}
	linear = linear[1:]
	if !slices.Contains(p.Reached(append([]bool{false}, linear...)), false) {
		return nil, nil
	}
	parts, isLinear, err := agreed(p.Branches.All(), p.numOut(), func(b *trace.Jaxpr, force []bool) (*vjp.Parts, []bool, error) {
		parts, err := vjp.SplitJaxpr(b, linear, force)
		if err != nil {
			return nil, nil, err
		}
		return parts, parts.IsLinear, nil
	})
	if err != nil {
		return nil, err
	}
	known, linearPart, err := condApart(in[0], parts, filter(in[1:], linear, false), len(isLinear)-count(isLinear))
	if err != nil {
		return nil, err
	}
	out := vjp.Spread(linearPart(filter(in[1:], linear, true)), isLinear)
	for i := range out {
		if !isLinear[i] {
			out[i], known = known[0], known[1:]
		}
	}
	return out, nil
}

// Reached implements vjp.Reacher.
func (p CondP) Reached(from []bool) []bool {
	if from[0] {
		return trues(p.numOut())
	}
	reached := make([]bool, p.numOut())
	for _, b := range p.Branches.All() {
		grow(reached, vjp.Reached(b, from[1:]))
	}
	return reached
}

// condApart runs the forward branches on the known operands and returns their numOut results together with the function
// that binds the cond of the linear branches.
//
// Branches have different residuals. Those that exist outside, as operands, results or captured values, are operands
// of the linear cond. The others travel through extra results, which branches share by type: a branch that has less to
// say fills them with zeros.
func condApart(index *array.Array, parts []*vjp.Parts, known []*array.Array, numOut int) ([]*array.Array, func(tangents []*array.Array) []*array.Array, error) {
	var slots []array.Aval
	slotOf := make([][]int, len(parts)) // of each residual of each branch, -1 where it is not in a slot
	for b, p := range parts {
		taken := make([]bool, len(slots))
		slotOf[b] = make([]int, len(p.Residuals))
		for k, r := range p.Residuals {
			if slotOf[b][k] = -1; r.Result < numOut {
				continue
			}
			a := p.Linear.In[k].Aval
			at := slices.IndexFunc(slots, func(s array.Aval) bool { return s.Equal(a) })
			for at >= 0 && taken[at] {
				next := slices.IndexFunc(slots[at+1:], func(s array.Aval) bool { return s.Equal(a) })
				if at += 1 + next; next < 0 {
					at = -1
				}
			}
			if at < 0 {
				at = len(slots)
				slots, taken = append(slots, a), append(taken, false)
			}
			slotOf[b][k], taken[at] = at, true
		}
	}
	forward := make([]*trace.Closed, len(parts))
	for b, p := range parts {
		var err error
		if forward[b], err = withSlots(p, slotOf[b], slots, numOut); err != nil {
			return nil, nil, err
		}
	}
	out := bindCond(index, forward, known)

	// The linear branches take what exists outside, then the slots, then the tangents.
	var sources []vjp.Residual
	positions := make([][]int, len(parts)) // of each residual among the inputs of the linear branches
	for b, p := range parts {
		positions[b] = make([]int, len(p.Residuals))
		for k, r := range p.Residuals {
			if slotOf[b][k] >= 0 {
				continue
			}
			at := slices.Index(sources, r)
			if at < 0 {
				at = len(sources)
				sources = append(sources, r)
			}
			positions[b][k] = at
		}
	}
	shared := make([]*array.Array, len(sources))
	for i, r := range sources {
		shared[i] = r.Of(known, out)
	}
	types := slices.Concat(avals(shared), slots)
	linear := make([]*trace.Closed, len(parts))
	for b, p := range parts {
		in := make([]*trace.Var, len(types))
		for k := range p.Residuals {
			at := positions[b][k]
			if s := slotOf[b][k]; s >= 0 {
				at = len(shared) + s
			}
			in[at] = p.Linear.In[k]
		}
		for i, v := range in {
			if v == nil {
				in[i] = &trace.Var{Aval: types[i]}
			}
		}
		j := *p.Linear
		j.In = slices.Concat(in, j.In[len(p.Residuals):])
		linear[b] = &trace.Closed{Jaxpr: &j}
	}
	residuals := slices.Concat(shared, out[numOut:])
	bind := func(tangents []*array.Array) []*array.Array {
		return bindCond(index, linear, slices.Concat(residuals, tangents))
	}
	return out[:numOut:numOut], bind, nil
}

// withSlots is the forward branch with the slots behind its results.
func withSlots(p *vjp.Parts, slotOf []int, slots []array.Aval, numOut int) (*trace.Closed, error) {
	return trace.Record("", trace.Avals(p.Forward.In), func(in []*array.Array) ([]*array.Array, error) {
		res, err := trace.Eval(p.Forward.Jaxpr, p.Forward.ConstVals, in)
		if err != nil {
			return nil, err
		}
		out := slices.Concat(res[:numOut], make([]*array.Array, len(slots)))
		for k, s := range slotOf {
			if s >= 0 {
				out[numOut+s] = res[p.Residuals[k].Result]
			}
		}
		for s, a := range slots {
			if out[numOut+s] == nil {
				out[numOut+s] = zeros(a)
			}
		}
		return out, nil
	})
}

func avals(x []*array.Array) []array.Aval {
	a := make([]array.Aval, len(x))
	for i, v := range x {
		a[i] = v.Aval()
	}
	return a
}

// Transpose implements vjp.Linear.
func (p CondP) Transpose(ct []*array.Array, in []primitive.Operand) ([]*array.Array, error) {
	index, in := in[0].Value, in[1:]
	if index == nil {
		return nil, array.ArgumentErrorf("which branch runs depends on a tangent")
	}
	linear, values := make([]bool, len(in)), []*array.Array(nil)
	for i, x := range in {
		if linear[i] = x.Value == nil; !linear[i] {
			values = append(values, x.Value)
		}
	}
	ctNZ := notNil(ct)
	branches, sent, err := agreed(p.Branches.All(), count(linear), func(b *trace.Jaxpr, force []bool) (*trace.Closed, []bool, error) {
		return vjp.TransposeJaxpr(b, linear, ctNZ, force)
	})
	if err != nil {
		return nil, err
	}
	out := bindCond(index, branches, slices.Concat(values, present(ct)))
	return append([]*array.Array{nil}, vjp.Spread(vjp.Spread(out, sent), linear)...), nil
}
