package vmap

import (
	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/trace"
)

// Jaxpr batches a jaxpr for a rule of a primitive that holds it. inDims are the mapped axes of j's constants and
// inputs, NotMapped where there is none. A result that depends on a mapped input, or whose entry of force is true (nil:
// none), has the mapped axis at 0; the others are NotMapped.
//
// Data that batch rules made on the way are constants of the result, to be given before its inputs.
func Jaxpr(j *trace.Jaxpr, axis AxisData, inDims []int, force []bool) (c *trace.Closed, outDims []int, err error) {
	c, err = batchJaxpr(j, axis, inDims, func(i int, y *array.Array, dim int) *array.Array {
		if dim == NotMapped && (force == nil || !force[i]) {
			outDims = append(outDims, NotMapped)
			return y
		}
		outDims = append(outDims, 0)
		return Put(y, dim, 0, axis.Size)
	})
	return c, outDims, err
}

// Last, given to JaxprAt, puts the mapped axis behind all others.
const Last = -1

// JaxprAt batches a jaxpr over an axis of the given size as Jaxpr does, with the mapped axis of every result at outDim.
func JaxprAt(j *trace.Jaxpr, size int, inDims []int, outDim int) (*trace.Jaxpr, error) {
	c, err := batchJaxpr(j, AxisData{Size: size}, inDims, func(_ int, y *array.Array, dim int) *array.Array {
		at := outDim
		if at < 0 {
			at += y.Rank()
			if dim == NotMapped {
				at++
			}
		}
		return Put(y, dim, at, size)
	})
	if err != nil {
		return nil, err
	}
	if len(c.ConstVals) > 0 {
		return nil, array.ArgumentErrorf("a batch rule captured %d arrays, where no constants can be given", len(c.ConstVals))
	}
	return c.Jaxpr, nil
}

// batchJaxpr records j under vmap. result gives each result the form it is to be returned in.
func batchJaxpr(j *trace.Jaxpr, axis AxisData, inDims []int, result func(i int, y *array.Array, dim int) *array.Array) (*trace.Closed, error) {
	vars := append(append([]*trace.Var{}, j.Consts...), j.In...)
	if len(inDims) != len(vars) {
		return nil, array.ArgumentErrorf("a jaxpr of %d constants and inputs is batched with %d dimensions", len(vars), len(inDims))
	}
	avals := make([]array.Aval, len(vars))
	for i, v := range vars {
		avals[i] = v.Aval
		if d := inDims[i]; d != NotMapped {
			avals[i].Shape = v.Aval.Shape.Insert(d, axis.Size)
		}
	}
	return trace.Record("", avals, func(in []*array.Array) ([]*array.Array, error) {
		out, dims, err := Apply(axis, in, inDims, func(in []*array.Array) ([]*array.Array, error) {
			return trace.Eval(j, in[:len(j.Consts)], in[len(j.Consts):])
		})
		if err != nil {
			return nil, err
		}
		for i, y := range out {
			out[i] = result(i, y, dims[i])
		}
		return out, nil
	})
}

// Apply runs f on one element of each operand, along the mapped axes dims, and returns the results for all elements
// with their mapped axes, NotMapped where a result is the same for all. It is what Of does, for rules that work with
// lists of arrays.
func Apply(axis AxisData, in []*array.Array, dims []int, f func(in []*array.Array) ([]*array.Array, error)) ([]*array.Array, []int, error) {
	t := open(axis)
	defer t.frame.Close()
	elems := make([]*array.Array, len(in))
	for i, x := range in {
		elems[i] = t.lift(x, dims[i])
	}
	out, err := f(elems)
	if err != nil {
		return nil, nil, err
	}
	outDims := make([]int, len(out))
	for i, y := range out {
		if y == nil {
			return nil, nil, array.ArgumentErrorf("result %d is a nil array", i)
		}
		out[i], outDims[i] = t.lower(y)
	}
	return out, outDims, nil
}
