package flow

import (
	"slices"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/primitive"
	"github.com/pantograph-go/pantograph/trace"
	"github.com/pantograph-go/pantograph/vjp"
	"github.com/pantograph-go/pantograph/vmap"
)

// ScanP applies Body Length times. Operands are constants, the initial carry, and arrays whose slices along axis 0 are
// given to the steps in turn; results the last carry and the stacked outputs of the steps.
//
//	Body: (consts, carry, x) → (carry, y)      xs [Length, ...]   →   ys [Length, ...]
//
// JVP: the scan of Body's JVP, which carries tangents beside values. Reverse mode: the forward scan stacks what the
// derivative of each step needs; the transpose is a scan in the other direction that carries cotangents.
type ScanP struct {
	Body                *trace.Jaxpr
	Length              int
	NumConsts, NumCarry int
	Reverse             bool
	Unroll              int // steps in one turn of the loop it is lowered to
}

// Name implements primitive.Primitive.
func (ScanP) Name() string { return "scan" }

// Params implements primitive.Parametric.
func (p ScanP) Params() []primitive.Param {
	return []primitive.Param{{Name: "jaxpr", Value: p.Body}, {Name: "length", Value: p.Length},
		{Name: "num_carry", Value: p.NumCarry}, {Name: "num_consts", Value: p.NumConsts},
		{Name: "reverse", Value: p.Reverse}, {Name: "unroll", Value: p.Unroll}}
}

// Jaxprs implements trace.HasJaxprs.
func (p ScanP) Jaxprs() []*trace.Jaxpr { return []*trace.Jaxpr{p.Body} }

// Shape implements primitive.Primitive.
func (p ScanP) Shape(in []array.Aval) ([]array.Aval, error) {
	want := trace.Avals(p.Body.In)
	for i := p.NumConsts + p.NumCarry; i < len(want); i++ {
		want[i] = stacked(want[i], p.Length)
	}
	if err := operandsFit(in, want); err != nil {
		return nil, err
	}
	out := trace.Avals(p.Body.Out)
	for i := p.NumCarry; i < len(out); i++ {
		out[i] = stacked(out[i], p.Length)
	}
	return out, nil
}

func stacked(a array.Aval, n int) array.Aval { return a.WithShape(a.Shape.Insert(0, n)) }

// sections are the three parts of a scan's operands, or of what is known of them.
type sections[T any] struct{ consts, carry, xs []T }

func sectionsOf[T any](p ScanP, in []T) sections[T] {
	c, k := p.NumConsts, p.NumConsts+p.NumCarry
	return sections[T]{in[:c:c], in[c:k:k], in[k:]}
}

func (s sections[T]) all() []T { return slices.Concat(s.consts, s.carry, s.xs) }

func (s sections[T]) sizes() []int { return []int{len(s.consts), len(s.carry), len(s.xs)} }

// filtered keeps the elements whose element of mask is want.
func (s sections[T]) filtered(mask sections[bool], want bool) sections[T] {
	return sections[T]{filter(s.consts, mask.consts, want), filter(s.carry, mask.carry, want), filter(s.xs, mask.xs, want)}
}

// outSizes are the numbers of carried and stacked results.
func (p ScanP) outSizes() []int { return []int{p.NumCarry, len(p.Body.Out) - p.NumCarry} }

// over is a scan like p with another body, whose captured values become constants before the others.
func (p ScanP) over(body *trace.Closed, consts, carry int) (q ScanP, captured []*array.Array) {
	j, captured := body.Hoist()
	p.Body, p.NumConsts, p.NumCarry = trace.Intern(j), len(captured)+consts, carry
	return p, captured
}

func (p ScanP) bind(body *trace.Closed, in sections[*array.Array]) []*array.Array {
	q, captured := p.over(body, len(in.consts), len(in.carry))
	return primitive.BindAll(q, slices.Concat(captured, in.all())...)
}

// JVP implements vjp.Differentiable.
func (p ScanP) JVP(x, dx []*array.Array) (y, dy []*array.Array, err error) {
	nz, outNZ := sectionsOf(p, notNil(dx)), []bool(nil)
	var c *trace.Closed
	for grown := true; grown; grown = grow(nz.carry, outNZ[:p.NumCarry]) {
		if c, outNZ, err = vjp.JVPJaxpr(p.Body, nz.all(), padded(nz.carry, len(p.Body.Out))); err != nil {
			return nil, nil, err
		}
	}
	c = reordered(c, besides(nz.sizes(), nz.all()), besides(p.outSizes(), outNZ))
	px, pdx := sectionsOf(p, x), sectionsOf(p, dx)
	y, dy = separate(p.outSizes(), outNZ, p.bind(c, sections[*array.Array]{
		consts: slices.Concat(px.consts, present(pdx.consts)),
		carry:  slices.Concat(px.carry, tangents(px.carry, pdx.carry, nz.carry)),
		xs:     slices.Concat(px.xs, present(pdx.xs)),
	}))
	return y, dy, nil
}

// BatchBody implements vmap.BodyBatcher.
func (p ScanP) BatchBody(axis vmap.AxisData, in []*array.Array, dims []int) (out []*array.Array, outDims []int, err error) {
	x, at := sectionsOf(p, in), sectionsOf(p, slices.Clone(dims))
	for i, d := range at.xs { // behind the axis of the steps, so at 0 in each step
		if d != vmap.NotMapped {
			x.xs[i], at.xs[i] = vmap.Put(x.xs[i], d, 1, axis.Size), 0
		}
	}
	carried := make([]bool, p.NumCarry)
	grow(carried, isMapped(at.carry))
	var c *trace.Closed
	for grown := true; grown; grown = grow(carried, isMapped(outDims[:p.NumCarry])) {
		for i, m := range carried {
			if m {
				at.carry[i] = 0
			}
		}
		if c, outDims, err = vmap.Jaxpr(p.Body, axis, at.all(), padded(carried, len(p.Body.Out))); err != nil {
			return nil, nil, err
		}
	}
	carry := sectionsOf(p, dims).carry
	for i, m := range carried {
		if m {
			x.carry[i] = vmap.Put(x.carry[i], carry[i], 0, axis.Size)
		}
	}
	out = p.bind(c, x)
	for i := p.NumCarry; i < len(outDims); i++ {
		if outDims[i] != vmap.NotMapped {
			outDims[i]++
		}
	}
	return out, outDims, nil
}

func isMapped(dims []int) []bool {
	m := make([]bool, len(dims))
	for i, d := range dims {
		m[i] = d != vmap.NotMapped
	}
	return m
}

// Prune implements trace.Pruner.
func (p ScanP) Prune(used []bool) (primitive.Primitive, []bool, []bool) {
	out := slices.Clone(used)
	var live *trace.Jaxpr
	var in sections[bool]
	for grown := true; grown; grown = grow(out[:p.NumCarry], in.carry) {
		var u []bool
		live, u = trace.DCE(p.Body, out)
		in = sectionsOf(p, u)
	}
	copy(in.carry, out[:p.NumCarry]) // a carried value that only its own step reads stays as well
	live.In = filter(p.Body.In, in.all(), true)
	p.Body, p.NumConsts, p.NumCarry = trace.Intern(live), count(in.consts), count(in.carry)
	return p, in.all(), out
}
