package cpu

import (
	"slices"
	"unsafe"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/backend"
	"github.com/pantograph-go/pantograph/lower/hlo"
)

// windows finds the windows that gather reads and scatter writes in an operand: where each begins is read from an array of
// indices.
type windows struct {
	index   index
	starts  []int // offset of each window's index vector in the indices
	base    []int // offset of each window in the operand due to batching dimensions
	stride  int   // between the components of an index vector
	axes    []int // operand axis of each component
	strides []int // of those axes
	limits  []int // largest start along those axes
}

// at is the offset of window w, its start clamped so that it lies inside, and whether it lay inside before.
func (g *windows) at(f *frame, w int) (offset int, inside bool) {
	inside = true
	offset = g.base[w]
	for k, st := range g.strides {
		i := g.index.at(f, g.starts[w]+k*g.stride)
		if i < 0 || i > g.limits[k] {
			inside = false
			i = min(max(i, 0), g.limits[k])
		}
		offset += i * st
	}
	return offset, inside
}

// windowsOf describes the windows of size window (over all operand axes) in an operand. The index vectors lie along vectorDim of
// indices; startMap says which operand axes they address. The batch axes of indices are its others; those in
// indexBatch move along the operand axes in operandBatch.
func windowsOf(indices *value, operand array.Shape, window, startMap, operandBatch, indexBatch []int, vectorDim int) (*windows, []int, error) {
	if !indices.dtype.IsInteger() {
		return nil, nil, array.DTypeErrorf("indices are %s", indices.dtype)
	}
	if vectorDim < 0 || vectorDim > len(indices.shape) || len(operandBatch) != len(indexBatch) {
		return nil, nil, array.AxisErrorf("index_vector_dim %d of indices of rank %d", vectorDim, len(indices.shape))
	}
	g := &windows{index: indexOf(indices), axes: startMap, stride: 1}
	st, ost := indices.shape.Strides(), operand.Strides()
	if vectorDim < len(indices.shape) {
		g.stride = st[vectorDim]
		if indices.shape[vectorDim] != len(startMap) {
			return nil, nil, array.ShapeErrorf("index vectors have %d components, %d axes are indexed", indices.shape[vectorDim], len(startMap))
		}
	}
	var sizes, along, inOperand []int
	for i, n := range indices.shape {
		if i == vectorDim {
			continue
		}
		sizes, along = append(sizes, n), append(along, st[i])
		move := 0
		if k := slices.Index(indexBatch, i); k >= 0 {
			move = ost[operandBatch[k]]
		}
		inOperand = append(inOperand, move)
	}
	g.starts, g.base = offsets(sizes, along), offsets(sizes, inOperand)
	for _, a := range startMap {
		if a < 0 || a >= len(operand) || window[a] > operand[a] {
			return nil, nil, array.AxisErrorf("index for axis %d of an operand of shape %s", a, operand)
		}
		g.strides = append(g.strides, ost[a])
		g.limits = append(g.limits, operand[a]-window[a])
	}
	return g, sizes, nil
}

// emitGather emits stablehlo.gather. Start indices are clamped.
func emitGather(_ *compiler, n *node) (run, error) {
	d, ok := n.op.Attr("dimension_numbers").(hlo.GatherDims)
	if !ok {
		return nil, &backend.Unsupported{Feature: "gather without dimension_numbers"}
	}
	operand, indices, out := n.in[0], n.in[1], n.out[0]
	window := ints(n.op, "slice_sizes")
	if len(window) != len(operand.shape) {
		return nil, array.ShapeErrorf("slice_sizes of %d axes for an operand of rank %d", len(window), len(operand.shape))
	}
	g, batch, err := windowsOf(indices, operand.shape, window, d.StartIndexMap, d.OperandBatching, d.StartIndicesBatching, d.IndexVectorDim)
	if err != nil {
		return nil, err
	}
	ost, rst := operand.shape.Strides(), out.shape.Strides()
	var batchStrides []int
	for i, st := range rst {
		if !slices.Contains(d.Offset, i) {
			batchStrides = append(batchStrides, st)
		}
	}
	s := &strided{}
	k := 0
	for a, w := range window {
		if slices.Contains(d.CollapsedSlice, a) || slices.Contains(d.OperandBatching, a) {
			continue
		}
		if k >= len(d.Offset) || d.Offset[k] >= len(rst) {
			return nil, array.ShapeErrorf("offset_dims names %d axes, the slice has more", len(d.Offset))
		}
		s.sizes, s.src, s.dst = append(s.sizes, w), append(s.src, ost[a]), append(s.dst, rst[d.Offset[k]])
		k++
	}
	if len(batchStrides) != len(batch) {
		return nil, array.ShapeErrorf("result of rank %d for %d batch and %d offset axes", len(rst), len(batch), k)
	}
	to := offsets(batch, batchStrides)
	s = s.simplify()
	copyWindow := rawCopyOf(out.dtype)
	o, r, size := operand.ref(), out.ref(), out.dtype.Size()
	contiguous := len(s.sizes) == 0 || len(s.sizes) == 1 && s.src[0] == 1 && s.dst[0] == 1
	length := product(s.sizes) * size
	return func(f *frame) error {
		if length == 0 {
			return nil
		}
		dst, src := f.mem[r.slot], f.mem[o.slot]
		for w, at := range to {
			from, _ := g.at(f, w)
			if contiguous {
				copyMem(unsafe.Add(dst, at*size), unsafe.Add(src, from*size), length)
			} else {
				copyWindow(dst, src, r.n, o.n, s, at, from)
			}
		}
		return nil
	}, nil
}
