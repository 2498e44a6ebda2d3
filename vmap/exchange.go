package vmap

import (
	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/primitive"
)

// PPermuteP sends the value of each element to another along a named axis: Perm lists pairs of source and destination.
// An element that nobody sends to gets zeros.
//
//	x [...]   →   [...] same dtype
//
// JVP: linear.
type PPermuteP struct {
	collective
	Perm array.Ints
}

// Name implements primitive.Primitive.
func (PPermuteP) Name() string { return "ppermute" }

// Params implements primitive.Parametric.
func (p PPermuteP) Params() []primitive.Param {
	return []primitive.Param{p.param(), {Name: "perm", Value: p.Perm}}
}

// Shape implements primitive.Primitive.
func (PPermuteP) Shape(in []array.Aval) ([]array.Aval, error) { return oneOperand(in) }

// BatchAxis implements Collective.
func (p PPermuteP) BatchAxis(axis AxisData, in []*array.Array, dims []int) ([]*array.Array, []int, error) {
	x := Put(in[0], dims[0], 0, axis.Size)
	one := x.Shape().Clone()
	one[0] = 1
	rows := make([]*array.Array, axis.Size)
	for k := 0; k < p.Perm.Len(); k += 2 {
		start, limit := make([]int, x.Rank()), x.Shape().Clone()
		start[0], limit[0] = p.Perm.At(k), p.Perm.At(k)+1
		rows[p.Perm.At(k+1)] = primitive.Slice(x, start, limit, nil)
	}
	for i := range rows {
		if rows[i] == nil {
			rows[i] = primitive.Full(x.Aval().WithShape(one), 0)
		}
	}
	if len(rows) == 0 {
		return []*array.Array{x}, []int{0}, nil
	}
	return []*array.Array{primitive.Concatenate(0, rows...)}, []int{0}, nil
}

// Batch implements Batcher.
func (p PPermuteP) Batch(_ int, in []*array.Array, dims []int) ([]*array.Array, []int, error) {
	return primitive.BindAll(p, in...), dims, nil
}

// JVP implements vjp.Differentiable.
func (p PPermuteP) JVP(x, dx []*array.Array) (y, dy []*array.Array, err error) {
	return primitive.BindAll(p, x...), primitive.BindAll(p, dx...), nil
}

// Transpose implements vjp.Linear: back to where it came from.
func (p PPermuteP) Transpose(ct []*array.Array, _ []primitive.Operand) ([]*array.Array, error) {
	back := p.Perm.Slice()
	for k := 0; k < len(back); k += 2 {
		back[k], back[k+1] = back[k+1], back[k]
	}
	p.Perm = array.MakeInts(back...)
	return primitive.BindAll(p, ct...), nil
}

// PPermute sends x from element to element along the named axis: pairs are {source, destination}, each named once at
// most. An element that nobody sends to gets zeros. It panics with an ArgumentError where no vmap around has the axis or
// the pairs do not fit it.
func PPermute(x *array.Array, name string, pairs ...[2]int) *array.Array {
	a := mustAxis("vmap.PPermute", name)
	var perm []int
	seen := [2]map[int]bool{{}, {}}
	for _, p := range pairs {
		for side, n := range p {
			if n < 0 || n >= a.Size || seen[side][n] {
				panic(array.Wrap("vmap.PPermute", array.ArgumentErrorf("%v does not fit the axis %q of %d elements: %d is out of range or named twice", pairs, name, a.Size, n)))
			}
			seen[side][n] = true
		}
		perm = append(perm, p[:]...)
	}
	return primitive.Bind(PPermuteP{collective{name}, array.MakeInts(perm...)}, x)
}

// AllToAllP cuts each element's value into as many parts as there are elements along a named axis, gives part i to
// element i, and stacks what an element gets.
//
//	x [... Size at Split ...]   →   [... without it, Size at Concat ...] same dtype
//
// JVP: linear.
type AllToAllP struct {
	collective
	Split, Concat, Size int
}

// Name implements primitive.Primitive.
func (AllToAllP) Name() string { return "all_to_all" }

// Params implements primitive.Parametric.
func (p AllToAllP) Params() []primitive.Param {
	return []primitive.Param{p.param(), {Name: "concat_axis", Value: p.Concat}, {Name: "split_axis", Value: p.Split}}
}

// Shape implements primitive.Primitive.
func (p AllToAllP) Shape(in []array.Aval) ([]array.Aval, error) {
	out, err := oneOperand(in)
	if err != nil {
		return nil, err
	}
	rank := out[0].Shape.Rank()
	switch {
	case p.Split < 0 || p.Split >= rank || p.Concat < 0 || p.Concat >= rank:
		return nil, array.AxisErrorf("axes %d and %d: one is out of range for an operand of rank %d", p.Split, p.Concat, rank)
	case out[0].Shape[p.Split] != p.Size:
		return nil, array.ShapeErrorf("axis %d of %s is split among the %d elements of axis %q; it must have that size", p.Split, out[0], p.Size, p.Axis)
	}
	out[0].Shape = out[0].Shape.Without(p.Split).Insert(p.Concat, p.Size)
	return out, nil
}

// BatchAxis implements Collective: what was the split axis tells the elements apart, what told them apart is stacked.
func (p AllToAllP) BatchAxis(axis AxisData, in []*array.Array, dims []int) ([]*array.Array, []int, error) {
	x := Put(in[0], dims[0], 0, axis.Size)
	x = Put(x, p.Split+1, 0, axis.Size)  // [part, element, rest]
	x = Put(x, 1, p.Concat+1, axis.Size) // [part, rest with element at Concat]
	return []*array.Array{x}, []int{0}, nil
}

// Batch implements Batcher.
func (p AllToAllP) Batch(size int, in []*array.Array, dims []int) ([]*array.Array, []int, error) {
	q := p
	q.Split++
	q.Concat++
	return primitive.BindAll(q, Put(in[0], dims[0], 0, size)), []int{0}, nil
}

// JVP implements vjp.Differentiable.
func (p AllToAllP) JVP(x, dx []*array.Array) (y, dy []*array.Array, err error) {
	return primitive.BindAll(p, x...), primitive.BindAll(p, dx...), nil
}

// Transpose implements vjp.Linear.
func (p AllToAllP) Transpose(ct []*array.Array, _ []primitive.Operand) ([]*array.Array, error) {
	p.Split, p.Concat = p.Concat, p.Split
	return primitive.BindAll(p, ct...), nil
}

// AllToAll gives part i of x, along the axis split, to element i of the named axis, and stacks the parts that an element
// gets along the axis concat of the result. It panics with an ArgumentError where no vmap around has the named axis, a
// ShapeError where the axis split has another size.
func AllToAll(x *array.Array, name string, split, concat int) *array.Array {
	a := mustAxis("vmap.AllToAll", name)
	if split < 0 {
		split += x.Rank()
	}
	if concat < 0 {
		concat += x.Rank()
	}
	return primitive.Bind(AllToAllP{collective{name}, split, concat, a.Size}, x)
}
