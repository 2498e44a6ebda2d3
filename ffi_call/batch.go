package ffi

import (
	"slices"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/flow"
	"github.com/pantograph-go/pantograph/primitive"
)

// Batch follows the call's VmapMethod. Mapped axes are moved to the front first, and results are mapped there:
//
//	method            mapped operand   other operand   result   layouts
//	BroadcastAll      [n, s…]          [n, s…]         [n, r…]  all with the new axis slowest
//	ExpandDims        [n, s…]          [1, s…]         [n, r…]  likewise
//	LegacyVectorized  [n, s…]          [s…]            [n, r…]  those of mapped operands and results
//	Sequential        a loop over the axis; other operands are its constants
func (p CallP) Batch(size int, in []*array.Array, dims []int) ([]*array.Array, []int, error) {
	if p.VmapMethod == NoVmap {
		return nil, nil, p.without("vmap", "set Spec.Vmap to one of "+methodList)
	}
	results := p.ResultAvals.Slice()
	for i, r := range results {
		if r.DType == array.Token {
			return nil, nil, array.ArgumentErrorf("result %d of the call of %q is a token, which cannot be mapped", i, p.TargetName)
		}
	}
	in = slices.Clone(in)
	for i, d := range dims {
		if d > 0 {
			in[i] = toFront(in[i], d)
		}
	}
	outDims := make([]int, len(results)) // results are mapped at axis 0
	if p.VmapMethod == Sequential || p.VmapMethod == SequentialUnrolled {
		out, err := p.loop(size, in, dims)
		return out, outDims, err
	}
	q := p
	for i, d := range dims {
		mapped := d >= 0
		if !mapped && p.VmapMethod != LegacyVectorized {
			n := 1
			if p.VmapMethod == BroadcastAll {
				n = size
			}
			in[i], mapped = lead(in[i], n), true
		}
		if mapped {
			q.InputLayouts = q.InputLayouts.batched(i)
		}
	}
	for i := range results {
		results[i].Shape = results[i].Shape.Insert(0, size)
		q.OutputLayouts = q.OutputLayouts.batched(i)
	}
	q.ResultAvals = array.MakeAvals(results...)
	for k := 0; k < p.InputOutputAliases.Len(); k += 2 {
		i, r := p.InputOutputAliases.At(k), p.InputOutputAliases.At(k+1)
		if !in[i].Shape().Equal(results[r].Shape) {
			return nil, nil, array.ShapeErrorf("alias {%d: %d} of the call of %q: after vmap with %s the operand is %s and the result %s; map the operand too, or use BroadcastAll",
				i, r, p.TargetName, p.VmapMethod, in[i].Aval(), results[r])
		}
	}
	return primitive.BindAll(q, in...), outDims, nil
}

// lead gives x a leading axis of n equal entries.
func lead(x *array.Array, n int) *array.Array {
	shape := x.Shape()
	axes := make([]int, len(shape))
	for k := range axes {
		axes[k] = k + 1
	}
	return primitive.BroadcastInDim(x, shape.Insert(0, n), axes)
}

// loop makes one call an element, as a scan over axis 0 of the mapped operands.
func (p CallP) loop(size int, in []*array.Array, dims []int) ([]*array.Array, error) {
	var xs []*array.Array
	for i, d := range dims {
		if d >= 0 {
			xs = append(xs, in[i])
		}
	}
	one := func(x []*array.Array) []*array.Array {
		args, k := slices.Clone(in), 0
		for i, d := range dims {
			if d >= 0 {
				args[i] = x[k]
				k++
			}
		}
		return primitive.BindAll(p, args...)
	}
	opts := []flow.ScanOption{flow.Length(size)}
	if p.VmapMethod == SequentialUnrolled {
		opts = append(opts, flow.Unroll(max(size, 1)))
	}
	return flow.Map(one, xs, opts...).([]*array.Array), nil
}

func toFront(x *array.Array, d int) *array.Array {
	perm := []int{d}
	for i := range x.Rank() {
		if i != d {
			perm = append(perm, i)
		}
	}
	return primitive.Transpose(x, perm)
}
