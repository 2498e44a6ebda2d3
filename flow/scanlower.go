package flow

import (
	"slices"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/lower/hlo"
	"github.com/pantograph-go/pantograph/primitive"
	"github.com/pantograph-go/pantograph/trace"
)

// LowerJaxpr implements trace.JaxprLowerable: it lowers what asWhile writes.
func (p ScanP) LowerJaxpr(c trace.Lowering, in []*hlo.Value, _ []array.Aval) ([]*hlo.Value, error) {
	j, err := p.asWhile()
	if err != nil {
		return nil, err
	}
	return c.Inline(j, in)
}

// asWhile writes the scan as a while loop that counts turns of Unroll steps each, takes slices of the stacked operands
// and puts outputs into the stacked results. The steps that are left over follow the loop.
func (p ScanP) asWhile() (*trace.Jaxpr, error) {
	types := trace.Avals(p.Body.In)
	for i := p.NumConsts + p.NumCarry; i < len(types); i++ {
		types[i] = stacked(types[i], p.Length)
	}
	c, err := trace.Record("", types, func(in []*array.Array) (_ []*array.Array, err error) {
		x := sectionsOf(p, in)
		unroll := max(1, min(p.Unroll, p.Length))
		turns := p.Length / unroll
		ys := make([]*array.Array, 0, len(p.Body.Out)-p.NumCarry)
		for _, a := range trace.Avals(p.Body.Out[p.NumCarry:]) {
			ys = append(ys, zeros(stacked(a, p.Length)))
		}
		state := slices.Concat(x.carry, ys)
		if turns > 0 {
			if state, err = p.turns(turns, unroll, x, state); err != nil {
				return nil, err
			}
		}
		for k := turns * unroll; k < p.Length; k++ {
			if state, err = p.step(x, indexOf(k), state); err != nil {
				return nil, err
			}
		}
		return state, nil
	})
	if err != nil {
		return nil, err
	}
	j, _ := c.Hoist()
	return j, nil
}

// indexType is the type of the loop's counter.
const indexType = array.Int32

func indexOf(k int) *array.Array { return primitive.Full(array.Aval{DType: indexType}, float64(k)) }

// turns binds the loop. What it carries is the counter, then the carry and the stacked results; operands are constants.
func (p ScanP) turns(n, unroll int, x sections[*array.Array], state []*array.Array) ([]*array.Array, error) {
	consts := slices.Concat(x.consts, x.xs)
	carry := slices.Concat([]*array.Array{indexOf(0)}, state)
	cond, err := trace.Record("", avals(carry), func(in []*array.Array) ([]*array.Array, error) {
		return []*array.Array{primitive.Lt(in[0], indexOf(n))}, nil
	})
	if err != nil {
		return nil, err
	}
	body, err := trace.Record("", slices.Concat(avals(consts), avals(carry)), func(in []*array.Array) (out []*array.Array, err error) {
		inner := sections[*array.Array]{consts: in[:p.NumConsts], xs: in[p.NumConsts:len(consts)]}
		i, state := in[len(consts)], in[len(consts)+1:]
		first := i
		if unroll > 1 {
			first = primitive.Mul(i, indexOf(unroll))
		}
		for k := range unroll {
			at := first
			if k > 0 {
				at = primitive.Add(first, indexOf(k))
			}
			if state, err = p.step(inner, at, state); err != nil {
				return nil, err
			}
		}
		return slices.Concat([]*array.Array{primitive.Add(i, indexOf(1))}, state), nil
	})
	if err != nil {
		return nil, err
	}
	out := bindWhile(cond, body, loop[*array.Array]{body: consts, carry: carry})
	return out[1:], nil
}

// step runs step k on state: the carry and the stacked results.
func (p ScanP) step(x sections[*array.Array], k *array.Array, state []*array.Array) ([]*array.Array, error) {
	at := k
	if p.Reverse {
		at = primitive.Sub(indexOf(p.Length-1), k)
	}
	starts := func(rank int) []*array.Array {
		s := []*array.Array{at}
		for range rank {
			s = append(s, indexOf(0))
		}
		return s
	}
	in := slices.Concat(x.consts, state[:p.NumCarry])
	for _, v := range x.xs {
		elem := v.Shape()[1:]
		s := primitive.DynamicSlice(v, starts(len(elem)), elem.Insert(0, 1))
		in = append(in, primitive.Reshape(s, elem))
	}
	out, err := trace.Eval(p.Body, nil, in)
	if err != nil {
		return nil, err
	}
	for i, y := range out[p.NumCarry:] {
		row := primitive.Reshape(y, y.Shape().Insert(0, 1))
		out[p.NumCarry+i] = primitive.DynamicUpdateSlice(state[p.NumCarry+i], row, starts(y.Rank()))
	}
	return out, nil
}
