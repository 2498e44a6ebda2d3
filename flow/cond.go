package flow

import (
	"slices"
	"unique"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/lower/hlo"
	"github.com/pantograph-go/pantograph/primitive"
	"github.com/pantograph-go/pantograph/trace"
	"github.com/pantograph-go/pantograph/vjp"
	"github.com/pantograph-go/pantograph/vmap"
)

// CondP runs one of its branches. The first operand is the number of the branch, an int32 scalar from 0 up to the number
// of branches, which callers have clamped; the others are the operands of every branch.
//
//	index i32[], operands   →   the results of branch index
//
// JVP and reverse mode: the cond of the branches' derivatives, with the same index. A mapped index runs all branches and
// selects.
type CondP struct{ Branches Branches }

// Branches is a list of interned jaxprs with equal types that can be compared with ==.
type Branches struct {
	list unique.Handle[branchList]
	n    int
}

type branchList struct {
	first *trace.Jaxpr
	rest  unique.Handle[branchList]
}

func makeBranches(js []*trace.Jaxpr) Branches {
	var b Branches
	for _, j := range slices.Backward(js) {
		b = Branches{unique.Make(branchList{trace.Intern(j), b.list}), b.n + 1}
	}
	return b
}

// All lists the jaxprs.
func (b Branches) All() []*trace.Jaxpr {
	js := make([]*trace.Jaxpr, b.n)
	for i, l := 0, b.list; i < b.n; i++ {
		v := l.Value()
		js[i], l = v.first, v.rest
	}
	return js
}

// Name implements primitive.Primitive.
func (CondP) Name() string { return "cond" }

// Params implements primitive.Parametric.
func (p CondP) Params() []primitive.Param {
	return []primitive.Param{{Name: "branches", Value: p.Branches.All()}}
}

// Jaxprs implements trace.HasJaxprs.
func (p CondP) Jaxprs() []*trace.Jaxpr { return p.Branches.All() }

// Shape implements primitive.Primitive.
func (p CondP) Shape(in []array.Aval) ([]array.Aval, error) {
	branches := p.Branches.All()
	index := array.Aval{DType: array.Int32}
	if err := operandsFit(in, append([]array.Aval{index}, trace.Avals(branches[0].In)...)); err != nil {
		return nil, err
	}
	out := trace.Avals(branches[0].Out)
	for _, b := range branches[1:] {
		for i, a := range trace.Avals(b.Out) {
			out[i].Weak = out[i].Weak && a.Weak
		}
	}
	return out, nil
}

func (p CondP) numOut() int { return len(p.Branches.list.Value().first.Out) }

// bindCond binds a cond of branches that may have captured values, which become operands of all of them.
func bindCond(index *array.Array, branches []*trace.Closed, in []*array.Array) []*array.Array {
	js, captured := joined(branches)
	return primitive.BindAll(CondP{makeBranches(js)}, slices.Concat([]*array.Array{index}, captured, in)...)
}

// joined hoists the constants of jaxprs with equal inputs to leading inputs that all of them share.
func joined(closed []*trace.Closed) (js []*trace.Jaxpr, consts []*array.Array) {
	for _, c := range closed {
		for _, x := range c.ConstVals {
			if !slices.Contains(consts, x) {
				consts = append(consts, x)
			}
		}
	}
	for _, c := range closed {
		j := *c.Jaxpr
		in := make([]*trace.Var, len(consts))
		for i, x := range consts {
			if k := slices.Index(c.ConstVals, x); k >= 0 {
				in[i] = j.Consts[k]
			} else {
				in[i] = &trace.Var{Aval: x.Aval()}
			}
		}
		j.Consts, j.In = nil, slices.Concat(in, j.In)
		js = append(js, &j)
	}
	return js, consts
}

// agreed derives every branch so that all return the same of n possible things: derive is told what it must return
// besides what it returns anyway, and tells what it returned.
func agreed[T any](branches []*trace.Jaxpr, n int, derive func(b *trace.Jaxpr, force []bool) (T, []bool, error)) ([]T, []bool, error) {
	returned := make([]bool, n)
	for {
		out, grown := make([]T, len(branches)), false
		for i, b := range branches {
			d, r, err := derive(b, returned)
			if err != nil {
				return nil, nil, err
			}
			out[i] = d
			if grow(returned, r) && i > 0 {
				grown = true
			}
		}
		if !grown {
			return out, returned, nil
		}
	}
}

// JVP implements vjp.Differentiable.
func (p CondP) JVP(x, dx []*array.Array) (y, dy []*array.Array, err error) {
	nz := notNil(dx[1:])
	branches, outNZ, err := agreed(p.Branches.All(), p.numOut(), func(b *trace.Jaxpr, force []bool) (*trace.Closed, []bool, error) {
		return vjp.JVPJaxpr(b, nz, force)
	})
	if err != nil {
		return nil, nil, err
	}
	out := bindCond(x[0], branches, slices.Concat(x[1:], present(dx[1:])))
	n := len(outNZ)
	return out[:n:n], vjp.Spread(out[n:], outNZ), nil
}

// BatchBody implements vmap.BodyBatcher.
func (p CondP) BatchBody(axis vmap.AxisData, in []*array.Array, dims []int) ([]*array.Array, []int, error) {
	if dims[0] != vmap.NotMapped {
		return p.selectBranch(axis, in, dims)
	}
	branches, outMapped, err := agreed(p.Branches.All(), p.numOut(), func(b *trace.Jaxpr, force []bool) (*trace.Closed, []bool, error) {
		c, outDims, err := vmap.Jaxpr(b, axis, dims[1:], force)
		return c, isMapped(outDims), err
	})
	if err != nil {
		return nil, nil, err
	}
	return bindCond(in[0], branches, in[1:]), mappedAt(0, outMapped), nil
}

// mappedAt turns marks into batch dimensions.
func mappedAt(dim int, mapped []bool) []int {
	dims := make([]int, len(mapped))
	for i, m := range mapped {
		dims[i] = vmap.NotMapped
		if m {
			dims[i] = dim
		}
	}
	return dims
}

// selectBranch runs every branch on all elements and takes from each element's own.
func (p CondP) selectBranch(axis vmap.AxisData, in []*array.Array, dims []int) ([]*array.Array, []int, error) {
	index := vmap.Put(in[0], dims[0], 0, axis.Size)
	branches := p.Branches.All()
	cases := make([][]*array.Array, len(branches))
	all := trues(len(branches[0].Out))
	for i, b := range branches {
		c, _, err := vmap.Jaxpr(b, axis, dims[1:], all)
		if err != nil {
			return nil, nil, err
		}
		if cases[i], err = trace.Eval(c.Jaxpr, c.ConstVals, in[1:]); err != nil {
			return nil, nil, err
		}
	}
	out := make([]*array.Array, len(all))
	for k := range out {
		of := make([]*array.Array, len(cases))
		for i := range cases {
			of[i] = cases[i][k]
		}
		out[k] = chosen(index, of)
	}
	return out, mappedAt(0, all), nil
}

// chosen takes element i of the result from cases[index[i]].
func chosen(index *array.Array, cases []*array.Array) *array.Array {
	if len(cases) == 1 {
		return cases[0]
	}
	if len(cases) == 2 && index.DType() != array.Bool {
		index = primitive.Ne(index, primitive.Full(index.Aval(), 0))
	}
	return primitive.SelectN(primitive.BroadcastInDim(index, cases[0].Shape(), []int{0}), cases...)
}

// Prune implements trace.Pruner.
func (p CondP) Prune(used []bool) (primitive.Primitive, []bool, []bool) {
	branches := p.Branches.All()
	live, in := make([]*trace.Jaxpr, len(branches)), make([]bool, len(branches[0].In))
	for i, b := range branches {
		var u []bool
		live[i], u = trace.DCE(b, used)
		grow(in, u)
	}
	for i, b := range branches {
		live[i].In = filter(b.In, in, true)
	}
	return CondP{makeBranches(live)}, append([]bool{true}, in...), used
}

// LowerJaxpr implements trace.JaxprLowerable. Of a branch that is known only that one is lowered.
func (p CondP) LowerJaxpr(c trace.Lowering, in []*hlo.Value, out []array.Aval) ([]*hlo.Value, error) {
	if i, ok := constantIndex(in[0]); ok && i >= 0 && i < p.Branches.n {
		return c.Inline(p.Branches.All()[i], in[1:])
	}
	b := c.Builder()
	op := &hlo.Op{Name: "stablehlo.case", Operands: in[:1]}
	types := make([]hlo.Type, len(out))
	for i, a := range out {
		types[i] = hlo.TensorOf(a)
	}
	for _, j := range p.Branches.All() {
		r, err := b.Region(nil, func([]*hlo.Value) ([]*hlo.Value, error) { return c.Inline(j, in[1:]) })
		if err != nil {
			return nil, err
		}
		op.Regions = append(op.Regions, r)
	}
	return b.Append(op, types...).Results, nil
}
