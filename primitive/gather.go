package primitive

import (
	"math"
	"slices"

	"github.com/pantograph-go/pantograph/array"
)

// IndexMode says what becomes of slices that reach outside the operand.
type IndexMode uint8

const (
	// Clip moves a slice to the nearest position where it lies inside.
	Clip IndexMode = iota
	// FillOrDrop gathers a fill value in its place; scatter drops the update.
	FillOrDrop
	// PromiseInBounds is the caller's promise that there are none; the result is unspecified otherwise.
	PromiseInBounds
)

// String is JAX's name.
func (m IndexMode) String() string {
	return [...]string{"CLIP", "FILL_OR_DROP", "PROMISE_IN_BOUNDS"}[m]
}

// GatherDims says how a gather reads its operand. The last axis of the indices holds index vectors; component i of one
// is where the slice starts along operand axis StartIndexMap[i]. The other axes of the indices are the batch axes of the
// result; a slice's axes, without CollapsedSlice and OperandBatching ones (of size 1), stand in the result at Offset.
// Operand axis OperandBatching[i] is indexed by the position along indices axis StartIndicesBatching[i].
type GatherDims struct {
	Offset, CollapsedSlice, StartIndexMap, OperandBatching, StartIndicesBatching array.Ints
}

// GatherP reads a slice of the operand for every index vector.
//
//	x [...], indices [..., len(StartIndexMap)] integer   →   [...] the dtype of x; see GatherDims
//
// JVP: linear in x. Its transpose is a scatter-add.
type GatherP struct {
	Dims       GatherDims
	SliceSizes array.Ints // the extent of a slice along each axis of x
	Mode       IndexMode
	// Fill is the value under FillOrDrop. NaN stands for the one that means missing: NaN itself in floating-point and
	// complex types, the smallest signed integer, the largest unsigned one, true.
	Fill array.F64Bits
	// Sorted and Unique are promises about the indices.
	Sorted, Unique bool
}

// Name implements Primitive.
func (GatherP) Name() string { return "gather" }

// Shape implements Primitive.
func (p GatherP) Shape(in []array.Aval) ([]array.Aval, error) {
	if len(in) != 2 {
		return nil, array.ArgumentErrorf("takes an operand and indices, got %d operands", len(in))
	}
	x, idx := in[0], in[1]
	if err := p.Dims.check(x, idx); err != nil {
		return nil, err
	}
	rank := x.Shape.Rank()
	if p.SliceSizes.Len() != rank {
		return nil, array.ArgumentErrorf("slice sizes %s must have an element for each axis of %s", p.SliceSizes, x)
	}
	var window array.Shape
	for i, s := range p.SliceSizes.Slice() {
		if s < 0 || s > x.Shape[i] && idx.Shape.Size() > 0 {
			return nil, array.ShapeErrorf("slice size %d of axis %d is out of range: %s has %d elements there", s, i, x, x.Shape[i])
		}
		switch {
		case p.Dims.CollapsedSlice.Contains(i):
			if s != 1 {
				return nil, array.ShapeErrorf("axis %d is collapsed, so its slice size must be 1, not %d", i, s)
			}
		case p.Dims.OperandBatching.Contains(i):
			if s > 1 {
				return nil, array.ShapeErrorf("axis %d is a batching axis, so its slice size must be 1, not %d", i, s)
			}
		default:
			window = append(window, s)
		}
	}
	out := array.Shape{}
	batch := idx.Shape[:idx.Shape.Rank()-1].Clone()
	for i := range len(window) + len(batch) {
		if p.Dims.Offset.Contains(i) {
			out, window = append(out, window[0]), window[1:]
		} else {
			out, batch = append(out, batch[0]), batch[1:]
		}
	}
	return []array.Aval{x.WithShape(out)}, nil
}

func (d GatherDims) check(x, idx array.Aval) error {
	return indexDims{
		names:  [5]string{"offset dims", "collapsed slice dims", "start index map", "operand batching dims", "start indices batching dims"},
		window: d.Offset, inserted: d.CollapsedSlice, operand: d.StartIndexMap,
		operandBatch: d.OperandBatching, indicesBatch: d.StartIndicesBatching,
	}.check(x, idx)
}

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

// missing is the fill value that stands for the missing value of any dtype: the bits of math.NaN().
const missing array.F64Bits = 0x7ff8000000000001

// Gather reads a slice of sliceSizes for every index vector; under FillOrDrop the fill value is the one that means
// missing. See GatherP.
func Gather(x, indices *array.Array, dims GatherDims, sliceSizes []int, mode IndexMode) *array.Array {
	p := GatherP{Dims: dims, SliceSizes: array.MakeInts(sliceSizes...), Mode: mode}
	if mode == FillOrDrop {
		p.Fill = missing
	}
	return Bind(p, x, indices)
}

// GatherFill is Gather under FillOrDrop with the given fill value, converted to the dtype of x.
func GatherFill(x, indices *array.Array, dims GatherDims, sliceSizes []int, fill float64) *array.Array {
	p := GatherP{Dims: dims, SliceSizes: array.MakeInts(sliceSizes...), Mode: FillOrDrop, Fill: array.F64(fill)}
	if math.IsNaN(fill) {
		p.Fill = missing // one NaN, so that equal gathers are equal structs
	}
	return Bind(p, x, indices)
}
