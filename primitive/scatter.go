package primitive

import (
	"github.com/pantograph-go/pantograph/array"
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
	return "scatter-" + combineNames[p.Op]
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
	if err := p.Op.accepts(x.DType); err != nil {
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
