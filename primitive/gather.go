package primitive

import (
	"fmt"
	"math"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/lower/hlo"
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
func (m IndexMode) String() string { return choice(indexModes[:], m) }

var indexModes = [...]string{"CLIP", "FILL_OR_DROP", "PROMISE_IN_BOUNDS"}

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
	if err := known("index mode", p.Mode, len(indexModes)); err != nil {
		return nil, err
	}
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

// Params implements Parametric.
func (p GatherP) Params() []Param {
	var fill any
	if p.Mode == FillOrDrop {
		fill = p.Fill
	}
	return []Param{{"dimension_numbers", p.Dims}, {"fill_value", fill}, {"indices_are_sorted", p.Sorted}, {"mode", "GatherScatterMode." + p.Mode.String()},
		{"slice_sizes", p.SliceSizes}, {"unique_indices", p.Unique}}
}

// String prints as JAX does.
func (d GatherDims) String() string {
	return fmt.Sprintf("GatherDimensionNumbers(offset_dims=%s, collapsed_slice_dims=%s, start_index_map=%s, operand_batching_dims=%s, start_indices_batching_dims=%s)",
		d.Offset, d.CollapsedSlice, d.StartIndexMap, d.OperandBatching, d.StartIndicesBatching)
}

// JVP implements vjp.Differentiable.
func (p GatherP) JVP(x, dx []*array.Array) (y, dy []*array.Array, err error) {
	tangent := p
	tangent.Fill = 0
	return BindAll(p, x...), BindAll(tangent, dx[0], x[1]), nil
}

// Transpose implements vjp.Linear.
func (p GatherP) Transpose(ct []*array.Array, in []Operand) ([]*array.Array, error) {
	zeros := Full(array.Aval{Shape: in[0].Aval.Shape, DType: ct[0].DType()}, 0)
	s := ScatterP{Op: CombineAdd, Dims: p.Dims.scatter(), Mode: p.Mode, Sorted: p.Sorted, Unique: p.Unique}
	return []*array.Array{Bind(s, zeros, in[1].Value, ct[0]), nil}, nil
}

// Batch implements vmap.Batcher.
func (p GatherP) Batch(_ int, in []*array.Array, dims []int) ([]*array.Array, []int, error) {
	d := p.Dims
	x, idx := in[0], in[1]
	if dims[0] != notMapped { // the operand has an axis more in front
		x = moveAxis(x, dims[0], 0)
		d.CollapsedSlice, d.StartIndexMap, d.OperandBatching = beside(d.CollapsedSlice, 0), beside(d.StartIndexMap, 0), beside(d.OperandBatching, 0)
	}
	if dims[1] != notMapped { // so have the indices
		idx = moveAxis(idx, dims[1], 0)
		d.StartIndicesBatching = beside(d.StartIndicesBatching, 0)
	}
	d.Offset = beside(d.Offset, 0)
	switch {
	case dims[1] == notMapped: // every slice takes the whole batch axis
		d.Offset = insertAt(d.Offset, 0, 0)
		p.SliceSizes = insertAt(p.SliceSizes, 0, x.Shape()[0])
	case dims[0] == notMapped: // indices of several batch elements may meet
		p.Sorted, p.Unique = false, false
	default: // batch element by batch element
		d.OperandBatching, d.StartIndicesBatching = insertAt(d.OperandBatching, 0, 0), insertAt(d.StartIndicesBatching, 0, 0)
		p.SliceSizes = insertAt(p.SliceSizes, 0, min(x.Shape()[0], 1))
	}
	p.Dims = d
	return BindAll(p, x, idx), []int{0}, nil
}

// Lower implements Lowerable. StableHLO's gather clips; what is to be filled is found beforehand.
func (p GatherP) Lower(b *hlo.Builder, in []*hlo.Value, out []array.Aval) ([]*hlo.Value, error) {
	if p.Mode == FillOrDrop {
		return compose(b, in, func(in []*array.Array) []*array.Array { return []*array.Array{p.filled(in[0], in[1], out[0])} })
	}
	if out[0].Shape.Size() == 0 { // there may be no room for a slice in the operand
		return []*hlo.Value{b.Splat(out[0], 0)}, nil
	}
	d := p.Dims
	return b.Op("stablehlo.gather", out[0], in,
		hlo.NamedAttr{Name: "dimension_numbers", Value: hlo.GatherDims{
			Offset: d.Offset.Slice(), CollapsedSlice: d.CollapsedSlice.Slice(), OperandBatching: d.OperandBatching.Slice(),
			StartIndicesBatching: d.StartIndicesBatching.Slice(), StartIndexMap: d.StartIndexMap.Slice(), IndexVectorDim: in[1].Tensor().Shape.Rank() - 1,
		}},
		hlo.NamedAttr{Name: "indices_are_sorted", Value: hlo.Bool(p.Sorted)},
		hlo.NamedAttr{Name: "slice_sizes", Value: hlo.I64s(p.SliceSizes.Slice()...)},
	), nil
}

// filled gathers and puts the fill value where a slice would reach outside.
func (p GatherP) filled(x, idx *array.Array, out array.Aval) *array.Array {
	clipped := p
	clipped.Mode, clipped.Fill = Clip, 0
	inside, _ := insideBounds(idx, p.Dims.StartIndexMap, x.Shape(), p.SliceSizes)
	var batch []int // axes of the result that are not a slice's
	for i := range out.Shape.Rank() {
		if !p.Dims.Offset.Contains(i) {
			batch = append(batch, i)
		}
	}
	fill := BroadcastInDim(array.Of(fillValue(out.DType, p.Fill)), out.Shape, nil)
	return Select(BroadcastInDim(inside, out.Shape, batch), Bind(clipped, x, idx), fill)
}

// insideBounds tells which index vectors start a slice of the given sizes that lies inside shape. It also returns the
// indices, converted to a type that holds all bounds, and the largest valid index of each component, in their shape.
func insideBounds(idx *array.Array, axes array.Ints, shape array.Shape, sizes array.Ints) (inside *array.Array, v boundedIndices) {
	d := array.Int32
	if b := idx.DType().Bits(); b == 64 || b == 32 && idx.DType().Kind() == array.KindUint || shape.Size() > math.MaxInt32 {
		d = array.Int64
	}
	last := array.NewBuffer(d, array.Shape{axes.Len()})
	for i, a := range axes.Slice() {
		last.SetInt(i, int64(shape[a]-sizes.At(a)))
	}
	n := idx.Rank() - 1
	v = boundedIndices{Convert(idx, d), BroadcastInDim(array.Of(last), idx.Shape(), []int{n})}
	ok := And(Ge(v.index, zerosOf(v.index.Aval())), Le(v.index, v.last))
	return ReduceAnd(ok, n), v
}

type boundedIndices struct{ index, last *array.Array }

// fillValue is v as a scalar of type d, or for missing the value of d that means it.
func fillValue(d array.DType, v array.F64Bits) *array.Buffer {
	s := array.NewBuffer(d, nil)
	if v != missing || d.IsInexact() {
		s.SetFloat(0, v.Float())
		return s
	}
	if d.Kind() == array.KindInt {
		setExtreme(s, -1)
	} else {
		setExtreme(s, 1)
	}
	return s
}

// takeAlong reads x along one axis at the given places; all other axes of x and idx are matched. The places are in
// bounds, and differ along the axis.
func takeAlong(x, idx *array.Array, axis int) *array.Array {
	rest := array.MakeInts(array.Shape(iotaInts(x.Rank()).Slice()).Without(axis)...)
	one := array.MakeInts(axis)
	p := GatherP{
		Dims:       GatherDims{CollapsedSlice: one, StartIndexMap: one, OperandBatching: rest, StartIndicesBatching: rest},
		SliceSizes: array.MakeInts(onesList(x.Rank())...),
		Mode:       PromiseInBounds,
		Unique:     true,
	}
	return Bind(p, x, ExpandDims(idx, x.Rank()))
}

func (d GatherDims) check(x, idx array.Aval) error {
	return indexDims{
		names:  [5]string{"offset dims", "collapsed slice dims", "start index map", "operand batching dims", "start indices batching dims"},
		window: d.Offset, inserted: d.CollapsedSlice, operand: d.StartIndexMap,
		operandBatch: d.OperandBatching, indicesBatch: d.StartIndicesBatching,
	}.check(x, idx)
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
