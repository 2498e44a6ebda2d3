package primitive

import (
	"fmt"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/lower/hlo"
)

// ScatterDims says how a scatter writes into its operand; it is GatherDims the other way round. The last axis of the
// indices holds index vectors; component i of one is where the window starts along operand axis ScatterToOperand[i].
// UpdateWindow lists the axes of the updates that are a window's; the operand's axes InsertedWindow are not among them.
// Operand axis OperandBatching[i] is indexed by the position along indices axis ScatterIndicesBatching[i].
type ScatterDims struct {
	UpdateWindow, InsertedWindow, ScatterToOperand, OperandBatching, ScatterIndicesBatching array.Ints
}

// gather are the dimensions of the gather that reads what a scatter writes.
func (d ScatterDims) gather() GatherDims {
	return GatherDims{d.UpdateWindow, d.InsertedWindow, d.ScatterToOperand, d.OperandBatching, d.ScatterIndicesBatching}
}

// scatter are the dimensions of the scatter that writes where a gather reads.
func (d GatherDims) scatter() ScatterDims {
	return ScatterDims{d.Offset, d.CollapsedSlice, d.StartIndexMap, d.OperandBatching, d.StartIndicesBatching}
}

// ScatterP combines updates into the operand at the places that the index vectors name. Its names are scatter, which
// replaces, scatter-add, scatter-mul, scatter-min and scatter-max.
//
//	x [...], indices [..., n] integer, updates [...] of x's dtype   →   [...] as x; see ScatterDims
//
// Updates outside x are dropped, but under Clip moved inside; a window is dropped or moved as a whole. Where two updates
// meet, scatter-add, -mul, -min and -max combine both; for scatter one of them, unspecified which, remains.
//
// JVP: scatter-add is linear. For scatter, the tangent of the update that remained. For scatter-min and -max, the mean of
// the tangents of all that are equal to the result. For scatter-mul, the product rule.
type ScatterP struct {
	Op   Combine
	Dims ScatterDims
	Mode IndexMode
	// Sorted and Unique are promises about the indices.
	Sorted, Unique bool
}

// Name implements Primitive.
func (p ScatterP) Name() string {
	switch p.Op {
	case CombineReplace:
		return "scatter"
	case CombineMul:
		return "scatter-mul"
	case CombineAdd:
		return "scatter-add"
	}
	return "scatter-" + p.Op.word()
}

// Shape implements Primitive.
func (p ScatterP) Shape(in []array.Aval) ([]array.Aval, error) {
	if len(in) != 3 {
		return nil, array.ArgumentErrorf("takes an operand, indices and updates, got %d operands", len(in))
	}
	x, idx, u := in[0], in[1], in[2]
	if x.DType != u.DType {
		return nil, array.DTypeErrorf("operand is %s, updates are %s; they must have one dtype: convert the updates", x.DType, u.DType)
	}
	if err := p.Op.accepts(x.DType, CombineAdd, CombineMul, CombineMax, CombineMin, CombineReplace); err != nil {
		return nil, err
	}
	if err := known("index mode", p.Mode, len(indexModes)); err != nil {
		return nil, err
	}
	d := p.Dims
	dims := indexDims{
		names:  [5]string{"update window dims", "inserted window dims", "scatter dims to operand dims", "operand batching dims", "scatter indices batching dims"},
		window: d.UpdateWindow, inserted: d.InsertedWindow, operand: d.ScatterToOperand,
		operandBatch: d.OperandBatching, indicesBatch: d.ScatterIndicesBatching,
	}
	if err := dims.check(x, idx); err != nil {
		return nil, err
	}
	if want := d.UpdateWindow.Len() + idx.Shape.Rank() - 1; u.Shape.Rank() != want {
		return nil, array.ShapeErrorf("updates %s must have rank %d: %d window axes and the %d leading axes of indices %s", u, want, d.UpdateWindow.Len(), idx.Shape.Rank()-1, idx)
	}
	window := x.Shape.Without(d.InsertedWindow.Append(d.OperandBatching.Slice()...).Slice()...)
	w, b := 0, 0
	for i, n := range u.Shape {
		if d.UpdateWindow.Contains(i) {
			if n > window[w] {
				return nil, array.ShapeErrorf("updates axis %d has %d elements, more than the %d of the operand %s along the axis it writes to", i, n, window[w], x)
			}
			w++
			continue
		}
		if n != idx.Shape[b] {
			return nil, array.ShapeErrorf("updates axis %d has %d elements, indices axis %d has %d: there is one update for each index vector", i, n, b, idx.Shape[b])
		}
		b++
	}
	return []array.Aval{x}, nil
}

// Params implements Parametric.
func (p ScatterP) Params() []Param {
	return []Param{{"dimension_numbers", p.Dims}, {"indices_are_sorted", p.Sorted}, {"mode", "GatherScatterMode." + p.Mode.String()}, {"unique_indices", p.Unique}}
}

// String prints as JAX does.
func (d ScatterDims) String() string {
	return fmt.Sprintf("ScatterDimensionNumbers(update_window_dims=%s, inserted_window_dims=%s, scatter_dims_to_operand_dims=%s, operand_batching_dims=%s, scatter_indices_batching_dims=%s)",
		d.UpdateWindow, d.InsertedWindow, d.ScatterToOperand, d.OperandBatching, d.ScatterIndicesBatching)
}

// Transpose implements vjp.Linear.
func (p ScatterP) Transpose(ct []*array.Array, in []Operand) ([]*array.Array, error) {
	x, idx, u := in[0], in[1].Value, in[2]
	g := ct[0]
	out := make([]*array.Array, 3)
	switch {
	case p.Op == CombineAdd:
		out[0] = g
	case p.Op == CombineReplace && p.Unique:
		out[0] = Bind(p, g, idx, Full(array.Aval{Shape: u.Aval.Shape, DType: g.DType()}, 0))
	case p.Op == CombineMul && u.Value != nil:
		out[0] = Bind(p, g, idx, u.Value)
	default:
		return nil, notLinear(p)
	}
	if x.Value != nil {
		out[0] = nil
	}
	if u.Value == nil {
		out[2] = Bind(p.gather(x.Aval.Shape, u.Aval.Shape), g, idx)
	}
	return out, nil
}

// Batch implements vmap.Batcher.
func (p ScatterP) Batch(size int, in []*array.Array, dims []int) ([]*array.Array, []int, error) {
	x, idx, u := batchAt(in[0], size, dims[0], 0), in[1], batchAt(in[2], size, dims[2], 0)
	d := p.Dims
	d.UpdateWindow, d.InsertedWindow = beside(d.UpdateWindow, 0), beside(d.InsertedWindow, 0)
	d.ScatterToOperand, d.OperandBatching = beside(d.ScatterToOperand, 0), beside(d.OperandBatching, 0)
	if dims[1] == notMapped { // every window takes the whole batch axis
		d.UpdateWindow = insertAt(d.UpdateWindow, 0, 0)
	} else { // batch element by batch element
		idx = moveAxis(idx, dims[1], 0)
		d.OperandBatching = insertAt(d.OperandBatching, 0, 0)
		d.ScatterIndicesBatching = insertAt(beside(d.ScatterIndicesBatching, 0), 0, 0)
	}
	p.Dims = d
	return BindAll(p, x, idx, u), []int{0}, nil
}

// Lower implements Lowerable.
func (p ScatterP) Lower(b *hlo.Builder, in []*hlo.Value, out []array.Aval) ([]*hlo.Value, error) {
	x, updates := in[0].Tensor(), in[2].Tensor()
	sizes := p.Dims.windowSizes(x.Shape, updates.Shape)
	idx, err := p.confined(b, in[1], x.Shape, sizes)
	if err != nil {
		return nil, err
	}
	body, err := p.Op.region(b, x.Elem)
	if err != nil {
		return nil, err
	}
	d := p.Dims
	return b.Append(&hlo.Op{
		Name:     "stablehlo.scatter",
		Operands: []*hlo.Value{in[0], idx, in[2]},
		Attrs: hlo.Attrs{
			{Name: "indices_are_sorted", Value: hlo.Bool(p.Sorted)},
			{Name: "scatter_dimension_numbers", Value: hlo.ScatterDims{
				UpdateWindow: d.UpdateWindow.Slice(), InsertedWindow: d.InsertedWindow.Slice(), InputBatching: d.OperandBatching.Slice(),
				ScatterIndicesBatching: d.ScatterIndicesBatching.Slice(), ScatterToOperand: d.ScatterToOperand.Slice(), IndexVectorDim: in[1].Tensor().Shape.Rank() - 1,
			}},
			{Name: "unique_indices", Value: hlo.Bool(p.Unique)},
		},
		Regions: []*hlo.Region{body},
	}, hlo.TensorOf(out[0])).Results, nil
}

// confined gives the indices the meaning of Mode. StableHLO drops the elements of a window that lie outside one by one,
// XLA the whole window; a window that is to be dropped is therefore moved outside altogether.
func (p ScatterP) confined(b *hlo.Builder, idx *hlo.Value, shape array.Shape, sizes array.Ints) (*hlo.Value, error) {
	wide := false
	for _, a := range p.Dims.ScatterToOperand.Slice() {
		wide = wide || sizes.At(a) > 1
	}
	if p.Mode == PromiseInBounds || p.Mode == FillOrDrop && !wide {
		return idx, nil
	}
	out, err := compose(b, []*hlo.Value{idx}, func(in []*array.Array) []*array.Array {
		inside, v := insideBounds(in[0], p.Dims.ScatterToOperand, shape, sizes)
		if p.Mode == Clip {
			return []*array.Array{Max(Min(v.index, v.last), zerosOf(v.index.Aval()))}
		}
		whole := v.index.Shape()
		outside := Full(v.index.Aval(), float64(-1-shape.Size()))
		return []*array.Array{Select(BroadcastInDim(inside, whole, iotaInts(whole.Rank()-1).Slice()), v.index, outside)}
	})
	if err != nil {
		return nil, err
	}
	return out[0], nil
}

// Scatter replaces elements of x by updates. See ScatterP.
func Scatter(x, indices, updates *array.Array, dims ScatterDims, mode IndexMode) *array.Array {
	return Bind(ScatterP{Op: CombineReplace, Dims: dims, Mode: mode}, x, indices, updates)
}

// ScatterAdd adds updates to elements of x. See ScatterP.
func ScatterAdd(x, indices, updates *array.Array, dims ScatterDims, mode IndexMode) *array.Array {
	return Bind(ScatterP{Op: CombineAdd, Dims: dims, Mode: mode}, x, indices, updates)
}

// ScatterMul multiplies elements of x by updates. See ScatterP.
func ScatterMul(x, indices, updates *array.Array, dims ScatterDims, mode IndexMode) *array.Array {
	return Bind(ScatterP{Op: CombineMul, Dims: dims, Mode: mode}, x, indices, updates)
}

// ScatterMin replaces elements of x by the smaller of them and the updates. See ScatterP.
func ScatterMin(x, indices, updates *array.Array, dims ScatterDims, mode IndexMode) *array.Array {
	return Bind(ScatterP{Op: CombineMin, Dims: dims, Mode: mode}, x, indices, updates)
}

// ScatterMax replaces elements of x by the larger of them and the updates. See ScatterP.
func ScatterMax(x, indices, updates *array.Array, dims ScatterDims, mode IndexMode) *array.Array {
	return Bind(ScatterP{Op: CombineMax, Dims: dims, Mode: mode}, x, indices, updates)
}
