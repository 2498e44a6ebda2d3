package primitive

import (
	"github.com/pantograph-go/pantograph/array"
)

// matmul is the matrix product over the last two axes; leading axes broadcast, and a vector is a row on the left and a
// column on the right.
func matmul(x, y *array.Array) *array.Array {
	if x.Rank() == 0 || y.Rank() == 0 {
		panic(array.Wrap("matmul", array.ShapeErrorf("operands are %s and %s; a scalar has no matrix product: use Mul", x.Aval(), y.Aval())))
	}
	rowless := x.Rank() == 1
	contractX, contractY := x.Rank()-1, max(y.Rank()-2, 0)
	if n, m := x.Shape()[contractX], y.Shape()[contractY]; n != m {
		panic(array.Wrap("matmul", array.ShapeErrorf("contracted sizes differ: lhs axis %d has %d, rhs axis %d has %d, for lhs %s and rhs %s", contractX, n, contractY, m, x.Aval(), y.Aval())))
	}
	if y.Rank() <= 2 { // the leading axes of x, if any, are free
		return DotGeneral(x, y, Contract([]int{contractX}, []int{contractY}), array.Invalid)
	}
	if x.Rank() <= 2 { // those of y are: its columns go last again
		z := DotGeneral(y, x, Contract([]int{contractY}, []int{contractX}), array.Invalid)
		if rowless {
			return z
		}
		return swapLast(z)
	}
	batchX, batchY := x.Shape()[:x.Rank()-2], y.Shape()[:y.Rank()-2]
	batch, err := array.Broadcast(batchX, batchY)
	if err != nil {
		panic(array.Wrap("matmul", err))
	}
	lead := iotaInts(len(batch)).Slice()
	x = broadcastTo(x, append(batch.Clone(), x.Shape()[x.Rank()-2:]...))
	y = broadcastTo(y, append(batch.Clone(), y.Shape()[y.Rank()-2:]...))
	return DotGeneral(x, y, Contract([]int{len(batch) + 1}, []int{len(batch)}).WithBatch(lead, lead), array.Invalid)
}

// swapLast exchanges the last two axes.
func swapLast(x *array.Array) *array.Array {
	perm, n := iotaInts(x.Rank()).Slice(), x.Rank()
	perm[n-1], perm[n-2] = n-2, n-1
	return Transpose(x, perm)
}

// dot is NumPy's: the sum over the last axis of x and the last but one of y, or its only one.
func dot(x, y *array.Array) *array.Array {
	if x.Rank() == 0 || y.Rank() == 0 {
		return methods{}.Binary("multiply", x, y)
	}
	cx, cy := x.Rank()-1, max(y.Rank()-2, 0)
	return DotGeneral(x, y, Contract([]int{cx}, []int{cy}), array.Invalid)
}
