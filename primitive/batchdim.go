package primitive

import (
	"slices"

	"github.com/pantograph-go/pantograph/array"
)

// notMapped is vmap.NotMapped: the batch axis of an operand that has none.
const notMapped = -1

// batchAt returns x with its batch axis, which is at dim, moved to position to. An unmapped x is repeated size times.
func batchAt(x *array.Array, size, dim, to int) *array.Array {
	if dim == to {
		return x
	}
	if dim == notMapped {
		return BroadcastInDim(x, x.Shape().Insert(to, size), beside(iotaInts(x.Rank()), to).Slice())
	}
	return moveAxis(x, dim, to)
}

// moveAxis returns x with the axis at from moved to position to; the others keep their order.
func moveAxis(x *array.Array, from, to int) *array.Array {
	if from == to {
		return x
	}
	rest := array.Shape(iotaInts(x.Rank()).Slice()).Without(from)
	return Transpose(x, rest.Insert(to, from))
}

// beside gives the positions of axes in an array that has one more axis, at position at.
func beside(axes array.Ints, at int) array.Ints {
	return axes.Map(func(a int) int {
		if a >= at {
			return a + 1
		}
		return a
	})
}

// insertAt returns the list with v put at position at: a parameter with one entry for each axis, for one axis more.
func insertAt(l array.Ints, at, v int) array.Ints {
	return array.MakeInts(l.Shape().Insert(at, v)...)
}

// firstMapped is the position of the first batch axis among dims.
func firstMapped(dims []int) int {
	for _, d := range dims {
		if d != notMapped {
			return d
		}
	}
	return notMapped
}

// emptyBatch are the results of a batch of no elements, for rules that divide by the size.
func emptyBatch(p Primitive, in []*array.Array, dims []int) ([]*array.Array, []int, error) {
	avals := make([]array.Aval, len(in))
	for i, x := range in {
		avals[i] = x.Aval()
		if dims[i] != notMapped {
			avals[i].Shape = x.Shape().Without(dims[i])
		}
	}
	outs, err := p.Shape(avals)
	if err != nil {
		return nil, nil, err
	}
	ys := make([]*array.Array, len(outs))
	for i, a := range outs {
		ys[i] = zerosOf(a.WithShape(a.Shape.Insert(0, 0)))
	}
	return ys, make([]int, len(outs)), nil
}

// sliceAlong is x[lo:hi:step] along one axis.
func sliceAlong(x *array.Array, axis, lo, hi, step int) *array.Array {
	start, limit, strides := make([]int, x.Rank()), x.Shape().Clone(), onesList(x.Rank())
	start[axis], limit[axis], strides[axis] = lo, hi, step
	return Slice(x, start, limit, strides)
}

func onesList(n int) []int { return slices.Repeat([]int{1}, n) }

// zerosOf is an array of zeros like x.
func zerosOf(a array.Aval) *array.Array { return Full(a.Strong(), 0) }

// instantiate is the tangent dx, which is zero where nil, of an operand with aval a.
func instantiate(dx *array.Array, a array.Aval) *array.Array {
	if dx == nil {
		return zerosOf(a)
	}
	return dx
}
