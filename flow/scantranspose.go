package flow

import (
	"slices"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/primitive"
	"github.com/pantograph-go/pantograph/trace"
	"github.com/pantograph-go/pantograph/vjp"
)

// Transpose implements vjp.Linear: a scan the other way round, whose carry is the cotangents of the linear constants so
// far and of the carry, and whose stacked results are the cotangents of the linear stacked operands.
func (p ScanP) Transpose(ct []*array.Array, in []primitive.Operand) ([]*array.Array, error) {
	isLinear := make([]bool, len(in))
	values := make([]*array.Array, len(in))
	for i, x := range in {
		isLinear[i], values[i] = x.Value == nil, x.Value
	}
	linear, x := p.linearSlots(isLinear), sectionsOf(p, values)
	sent := sections[*array.Array]{}
	var err error
	if slices.Contains(linear.carry, false) {
		// A value is carried beside the linear ones: run its loop first.
		_, lin, linearOut, err := p.split(x.filtered(linear, false), linear)
		if err != nil {
			return nil, err
		}
		sent, err = lin.transpose(filter(ct, linearOut, true))
		if err != nil {
			return nil, err
		}
	} else {
		lin := &linearScan{p.knownFirst(linear), filter(x.consts, linear.consts, false), filter(x.xs, linear.xs, false)}
		if sent, err = lin.transpose(ct); err != nil {
			return nil, err
		}
	}
	out := slices.Concat(vjp.Spread(sent.consts, linear.consts), vjp.Spread(sent.carry, linear.carry), vjp.Spread(sent.xs, linear.xs))
	for i, v := range values {
		if v != nil { // the carry of a linear loop may start from a value, which is zero
			out[i] = nil
		}
	}
	return out, nil
}

// knownFirst moves the operands that are not linear before the others of their section.
func (p ScanP) knownFirst(linear sections[bool]) ScanP {
	var order []int
	section := func(first int, mask []bool) {
		all := upTo(first, first+len(mask))
		order = append(order, filter(all, mask, false)...)
		order = append(order, filter(all, mask, true)...)
	}
	section(0, linear.consts)
	section(len(order), linear.carry)
	section(len(order), linear.xs)
	j := *p.Body
	j.In = pick(j.In, order)
	p.Body = &j
	return p
}

// transpose returns the cotangents of the linear operands, those of the stacked ones nil where zero.
func (l *linearScan) transpose(ct []*array.Array) (sections[*array.Array], error) {
	known := sections[int]{consts: upTo(0, len(l.consts)), xs: upTo(0, len(l.xs))}
	numXs := len(l.Body.In) - l.NumConsts - l.NumCarry
	nc, nx := l.NumConsts-len(known.consts), numXs-len(known.xs) // linear ones
	mask := slices.Concat(make([]bool, len(l.consts)), trues(nc+l.NumCarry), make([]bool, len(l.xs)), trues(nx))

	// step: (known consts, known x, ct carry, ct y) → (ct consts, ct carry, ct x)
	ctNZ := slices.Concat(trues(l.NumCarry), notNil(ct[l.NumCarry:]))
	force := slices.Concat(trues(nc+l.NumCarry), make([]bool, nx))
	step, outNZ, err := vjp.TransposeJaxpr(l.Body, mask, ctNZ, force)
	if err != nil {
		return sections[*array.Array]{}, err
	}
	linearIn := filter(l.Body.In, mask, true)
	sums := trace.Avals(linearIn[:nc])

	// body: (known consts | sums, ct carry | known x, ct y) → (sums, ct carry | ct x)
	kc, kx, k := len(known.consts), len(known.xs), l.NumCarry
	n := kc + nc + k
	avals := slices.Concat(trace.Avals(l.Body.In[:kc]), sums, trace.Avals(l.Body.In[l.NumConsts:l.NumConsts+k]),
		trace.Avals(l.Body.In[l.NumConsts+k:l.NumConsts+k+kx]), ctAvals(l.Body.Out, ctNZ)[k:])
	body, err := trace.Record("", avals, func(in []*array.Array) ([]*array.Array, error) {
		out, err := trace.Eval(step.Jaxpr, step.ConstVals, slices.Concat(in[:kc], in[n:n+kx], in[kc+nc:n], in[n+kx:]))
		if err != nil {
			return nil, err
		}
		for i, s := range in[kc : kc+nc] {
			out[i] = primitive.AddAny(s, out[i])
		}
		return out, nil
	})
	if err != nil {
		return sections[*array.Array]{}, err
	}
	carry := make([]*array.Array, 0, nc+k)
	for _, a := range sums {
		carry = append(carry, vjp.Zeros(a))
	}
	for i, c := range ct[:k] {
		if c == nil {
			c = vjp.Zeros(l.Body.In[l.NumConsts+i].Aval)
		}
		carry = append(carry, c)
	}
	back := l.ScanP
	back.Reverse = !l.Reverse
	out := back.bind(body, sections[*array.Array]{l.consts, carry, slices.Concat(l.xs, present(ct[k:]))})
	return sections[*array.Array]{out[:nc], out[nc : nc+k], vjp.Spread(out[nc+k:], outNZ[nc+k:])}, nil
}

func ctAvals(out []trace.Atom, nonzero []bool) []array.Aval {
	var avals []array.Aval
	for i, a := range out {
		if nonzero[i] {
			avals = append(avals, vjp.TangentOf(a.AvalOf()))
		}
	}
	return avals
}

func trues(n int) []bool {
	t := make([]bool, n)
	for i := range t {
		t[i] = true
	}
	return t
}
