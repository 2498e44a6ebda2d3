package flow

import (
	"slices"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/trace"
	"github.com/pantograph-go/pantograph/vjp"
)

// What the rules of this package share: which operands have tangents, and the order of a body's inputs and results.

// notNil marks the elements that are there.
func notNil(x []*array.Array) []bool {
	nz := make([]bool, len(x))
	for i, v := range x {
		nz[i] = v != nil
	}
	return nz
}

// present lists the elements that are not nil.
func present(x []*array.Array) []*array.Array {
	return slices.DeleteFunc(slices.Clone(x), func(v *array.Array) bool { return v == nil })
}

// grow adds the elements of more to mask and reports whether it changed.
func grow(mask, more []bool) bool {
	changed := false
	for i, m := range more {
		changed = changed || m && !mask[i]
		mask[i] = mask[i] || m
	}
	return changed
}

// tangents lists the tangents of the values x whose element of nonzero is true, zeros written out.
func tangents(x, dx []*array.Array, nonzero []bool) []*array.Array {
	var t []*array.Array
	for i, d := range dx {
		switch {
		case !nonzero[i]:
		case d != nil:
			t = append(t, d)
		default:
			t = append(t, vjp.Zeros(x[i].Aval()))
		}
	}
	return t
}

// besides gives the order that turns values followed by the tangents of those marked in nonzero into sections, each
// with the tangents of its values behind them. sizes are the numbers of values in the sections.
func besides(sizes []int, nonzero []bool) []int {
	order := make([]int, 0, 2*len(nonzero))
	v, t := 0, len(nonzero)
	for _, n := range sizes {
		for i := range n {
			order = append(order, v+i)
		}
		for i := range n {
			if nonzero[v+i] {
				order = append(order, t)
				t++
			}
		}
		v += n
	}
	return order
}

// separate takes results in the order that besides made apart: values, and their tangents, nil for zero.
func separate(sizes []int, nonzero []bool, res []*array.Array) (y, dy []*array.Array) {
	all := make([]*array.Array, len(res))
	for i, k := range besides(sizes, nonzero) {
		all[k] = res[i]
	}
	n := len(nonzero)
	return all[:n:n], vjp.Spread(all[n:], nonzero)
}

// filter lists the elements of x whose element of mask is want.
func filter[T any](x []T, mask []bool, want bool) []T {
	var out []T
	for i, v := range x {
		if mask[i] == want {
			out = append(out, v)
		}
	}
	return out
}

// reordered is c with its inputs and results in another order: input i is the old input in[i].
func reordered(c *trace.Closed, in, out []int) *trace.Closed {
	j := *c.Jaxpr
	j.In, j.Out = pick(j.In, in), pick(j.Out, out)
	return &trace.Closed{Jaxpr: &j, ConstVals: c.ConstVals}
}

func pick[T any](x []T, order []int) []T {
	out := make([]T, len(order))
	for i, k := range order {
		out[i] = x[k]
	}
	return out
}

// count is the number of elements that are true.
func count(mask []bool) int {
	n := 0
	for _, m := range mask {
		if m {
			n++
		}
	}
	return n
}

// padded is mask followed by false up to length n.
func padded(mask []bool, n int) []bool {
	return append(slices.Clone(mask), make([]bool, n-len(mask))...)
}

// operandsFit checks the operands of a primitive that holds jaxprs against the types its bodies take.
func operandsFit(in, want []array.Aval) error {
	if len(in) != len(want) {
		return array.ArgumentErrorf("takes %d operands, got %d", len(want), len(in))
	}
	for i, a := range in {
		if a.DType != want[i].DType || !a.Shape.Equal(want[i].Shape) {
			return array.ShapeErrorf("operand %d is %s, its body takes %s", i, a, want[i])
		}
	}
	return nil
}
