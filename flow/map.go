package flow

import (
	"slices"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/primitive"
	"github.com/pantograph-go/pantograph/trace"
	"github.com/pantograph-go/pantograph/vmap"
)

// Map applies f to the slices of xs along axis 0 one after the other, where vmap would take them at once and need more
// memory, and stacks the results along axis 0, in the Go type that f returns. BatchSize(n) takes n slices at once.
func Map(f, xs any, opts ...ScanOption) (ys any) {
	try("flow.Map", func() error {
		s := scanSettingsOf(opts)
		fn, err := functionOf(f, []any{xs})
		if err != nil {
			return err
		}
		types := avals(fn.leaves)
		p := ScanP{Reverse: s.reverse, Unroll: s.unroll}
		if p.Length, err = s.steps(types, fn.in.Children()[0]); err != nil {
			return err
		}
		body, tree, err := fn.record("map", types)
		if err != nil {
			return err
		}
		out, err := p.mapped(body, fn.leaves, s.batch)
		if err == nil {
			ys, err = tree.Unflatten(out)
		}
		return err
	})
	return ys
}

// mapped maps body over xs, batch elements at once where that is not 0.
func (p ScanP) mapped(body *trace.Closed, xs []*array.Array, batch int) ([]*array.Array, error) {
	if batch < 0 {
		return nil, array.ArgumentErrorf("flow.BatchSize(%d): the number of elements is not negative", batch)
	}
	if batch == 0 || p.Length == 0 {
		return p.bind(body, sections[*array.Array]{xs: xs}), nil
	}
	batch = min(batch, p.Length)
	turns := p.Length / batch
	piece := func(lo, hi int) []*array.Array {
		part := make([]*array.Array, len(xs))
		for i, x := range xs {
			part[i] = rows(x, lo, hi)
		}
		return part
	}
	in := piece(0, turns*batch)
	for i, x := range in {
		in[i] = primitive.Reshape(x, slices.Concat(array.Shape{turns, batch}, x.Shape()[1:]))
	}
	all, captured, err := atOnce(body, batch)
	if err != nil {
		return nil, err
	}
	rest := p.Length - turns*batch
	p.Length = turns
	out := p.bind(all, sections[*array.Array]{consts: captured, xs: in})
	for i, y := range out {
		out[i] = primitive.Reshape(y, slices.Concat(array.Shape{turns * batch}, y.Shape()[2:]))
	}
	if rest == 0 {
		return out, nil
	}
	if all, captured, err = atOnce(body, rest); err != nil {
		return nil, err
	}
	last, err := trace.Eval(all.Jaxpr, all.ConstVals, slices.Concat(captured, piece(turns*batch, turns*batch+rest)))
	if err != nil {
		return nil, err
	}
	for i, y := range last {
		out[i] = primitive.Concatenate(0, out[i], y)
	}
	return out, nil
}

// atOnce is body on n elements; what it captured are its first inputs.
func atOnce(body *trace.Closed, n int) (all *trace.Closed, captured []*array.Array, err error) {
	j, captured := body.Hoist()
	dims := mappedAt(0, slices.Concat(make([]bool, len(captured)), trues(len(body.In))))
	all, _, err = vmap.Jaxpr(j, vmap.AxisData{Size: n}, dims, trues(len(j.Out)))
	return all, captured, err
}

// rows is x[lo:hi].
func rows(x *array.Array, lo, hi int) *array.Array {
	start, limit := make([]int, x.Rank()), x.Shape().Clone()
	start[0], limit[0] = lo, hi
	return primitive.Slice(x, start, limit, nil)
}
