package primitive

import (
	"slices"

	"github.com/pantograph-go/pantograph/array"
)

// indexDims are the dimension numbers of a gather or scatter under the names of their parameters.
type indexDims struct {
	names                                                 [5]string
	window, inserted, operand, operandBatch, indicesBatch array.Ints
}

func (d indexDims) check(x, idx array.Aval) error {
	if !idx.DType.IsInteger() {
		return array.DTypeErrorf("indices are %s; they must be integers: convert them", idx.DType)
	}
	rank, n := x.Shape.Rank(), idx.Shape.Rank()-1
	if n < 0 {
		return array.ShapeErrorf("indices are a scalar; their last axis holds the index vectors: expand the dims to [1]")
	}
	for _, l := range []struct {
		name   string
		v      array.Ints
		rank   int
		sorted bool
	}{
		{d.names[0], d.window, d.window.Len() + n, true},
		{d.names[1], d.inserted, rank, true},
		{d.names[2], d.operand, rank, false},
		{d.names[3], d.operandBatch, rank, true},
		{d.names[4], d.indicesBatch, n, false},
	} {
		if err := distinctAxes(l.name, l.v, l.rank); err != nil {
			return err
		}
		if l.sorted && !slices.IsSorted(l.v.Slice()) {
			return array.AxisErrorf("%s %s must ascend", l.name, l.v)
		}
	}
	for _, a := range d.operandBatch.Slice() {
		if d.inserted.Contains(a) || d.operand.Contains(a) {
			return array.AxisErrorf("axis %d is in %s %s and therefore cannot be in %s %s or %s %s", a, d.names[3], d.operandBatch, d.names[1], d.inserted, d.names[2], d.operand)
		}
	}
	if d.operandBatch.Len() != d.indicesBatch.Len() {
		return array.AxisErrorf("batching axes come in pairs: %s %s, %s %s", d.names[3], d.operandBatch, d.names[4], d.indicesBatch)
	}
	for i := range d.operandBatch.Len() {
		if a, b := d.operandBatch.At(i), d.indicesBatch.At(i); x.Shape[a] != idx.Shape[b] {
			return array.ShapeErrorf("batching sizes differ: operand axis %d has %d, indices axis %d has %d", a, x.Shape[a], b, idx.Shape[b])
		}
	}
	if d.operand.Len() != idx.Shape[n] {
		return array.ShapeErrorf("%s %s has %d elements, but the index vectors of %s have %d components", d.names[2], d.operand, d.operand.Len(), idx, idx.Shape[n])
	}
	if k := d.window.Len() + d.inserted.Len() + d.operandBatch.Len(); k != rank {
		return array.AxisErrorf("%s %s, %s %s and %s %s name %d axes, but the operand %s has %d", d.names[0], d.window, d.names[1], d.inserted, d.names[3], d.operandBatch, k, x, rank)
	}
	return nil
}
