package cpu

import (
	"unsafe"

	"github.com/pantograph-go/pantograph/array"
)

// windowing is the geometry that reduce_window and select_and_scatter share: a window of positions moves over a padded operand.
type windowing struct {
	in      array.Shape
	padded  array.Shape // of the operand with base dilation and padding
	lo      []int
	base    []int    // base dilation - 1: the interior padding
	offsets []int    // of the window's positions in the padded operand, row-major
	strides []int    // of the results in the padded operand
	plain   bool     // the padded operand is the operand
	window  []int    // dimensions
	dilated bool     // the window is
	copy    *strided // from the operand to the padded one
}

func windowingOf(n *node, in, out array.Shape) (*windowing, error) {
	rank := len(in)
	w := &windowing{in: in, window: ints(n.op, "window_dimensions")}
	strides := intsOr(n.op, "window_strides", rank, 1)
	base := intsOr(n.op, "base_dilations", rank, 1)
	dilations := intsOr(n.op, "window_dilations", rank, 1)
	lo, hi, err := pairs(n.op, "padding", rank)
	if err != nil {
		return nil, err
	}
	if len(w.window) != rank || len(strides) != rank || len(base) != rank || len(dilations) != rank || len(out) != rank {
		return nil, array.ShapeErrorf("window of %d axes for an operand of rank %d", len(w.window), rank)
	}
	w.lo, w.plain = lo, true
	for i, d := range in {
		size := 0
		if d > 0 {
			size = (d-1)*base[i] + 1
		}
		size += lo[i] + hi[i]
		reach := (w.window[i]-1)*dilations[i] + 1
		fits := 0
		if size >= reach {
			fits = (size-reach)/max(strides[i], 1) + 1
		}
		if w.window[i] < 1 || strides[i] < 1 || base[i] < 1 || dilations[i] < 1 || out[i] != fits {
			return nil, array.ShapeErrorf("a window of %d along axis %d fits %d times, the result has size %d", w.window[i], i, fits, out[i])
		}
		w.padded = append(w.padded, max(size, 0))
		w.base = append(w.base, base[i]-1)
		w.plain = w.plain && lo[i] == 0 && hi[i] == 0 && (base[i] == 1 || d <= 1)
		w.dilated = w.dilated || dilations[i] != 1 && w.window[i] > 1
	}
	st := w.padded.Strides()
	steps := make([]int, rank)
	for i := range st {
		steps[i] = st[i] * dilations[i]
		w.strides = append(w.strides, st[i]*strides[i])
	}
	w.offsets = offsets(w.window, steps)
	w.copy = spread(in, w.padded, lo, w.base).simplify()
	return w, nil
}

// windowTemps asks for room for the padded operands.
func windowTemps(_ *compiler, n *node) ([]int, error) {
	var sizes []int
	for _, v := range n.in[:len(n.out)] {
		w, err := windowingOf(n, v.shape, n.out[0].shape)
		if err != nil {
			return nil, err
		}
		if !w.plain {
			sizes = append(sizes, w.padded.Size()*v.dtype.Size())
		}
	}
	return sizes, nil
}

// emitReduceWindow emits stablehlo.reduce_window: each result folds the elements of its window in row-major order, the
// initial value first; padding counts as the initial value.
func emitReduceWindow(_ *compiler, n *node) (run, error) {
	k := len(n.out)
	if len(n.in) != 2*k {
		return nil, array.ArgumentErrorf("%d operands for %d results", len(n.in), k)
	}
	w, err := windowingOf(n, n.in[0].shape, n.out[0].shape)
	if err != nil {
		return nil, err
	}
	operands := make([]ref, k)
	var pads []func(f *frame)
	for i := range operands {
		if operands[i] = n.in[i].ref(); w.plain {
			continue
		}
		x, init, size := operands[i], n.in[k+i].ref(), n.in[i].dtype.Size()
		to := ref{n.temps[i].ref().slot, w.padded.Size()}
		operands[i] = to
		spreadTo := rawCopyOf(n.in[i].dtype)
		pads = append(pads, func(f *frame) {
			fillMem(f.mem[to.slot], f.mem[init.slot], size, to.n)
			spreadTo(f.mem[to.slot], f.mem[x.slot], to.n, x.n, w.copy, 0, 0)
		})
	}
	g := &folding{sizes: n.out[0].shape, strides: w.strides, offsets: w.offsets}
	var fold run
	if name := directBody(n.op.Regions[0]); name != "" && name != "update" && k == 1 {
		op := vectorOpOf(name, n.in[0].dtype)
		if op == nil {
			return nil, unsupported(n)
		}
		if axis, reverse, ok := w.cumulative(); ok {
			return cumulate(n, op, axis, reverse), nil
		}
		fold = foldDirect(n, g, op, operands[0])
	} else if fold, err = foldRegion(n, g, operands); err != nil {
		return nil, err
	}
	return func(f *frame) error {
		for _, p := range pads {
			p(f)
		}
		return fold(f)
	}, nil
}

// foldDirect folds with one operation, one run of results along the last axis at a time.
func foldDirect(n *node, g *folding, op vectorOp, x ref) run {
	out, init, size := n.out[0].ref(), n.in[1].ref(), n.out[0].dtype.Size()
	rank := len(g.sizes)
	row, step := 1, 1
	if rank > 0 {
		rank--
		row, step = g.sizes[rank], g.strides[rank]
	}
	if g.sizes.Size() == 0 {
		return func(*frame) error { return nil }
	}
	rows := offsets(g.sizes[:rank], g.strides[:rank])
	pick := &strided{sizes: []int{row}, dst: []int{1}, src: []int{step}}
	copyRow := rawCopyOf(n.out[0].dtype)
	return func(f *frame) error {
		fillMem(f.mem[out.slot], f.mem[init.slot], size, out.n)
		buf := make([]complex128, (row*size+15)/16)
		tmp := unsafe.Pointer(unsafe.SliceData(buf))
		for r, at := range rows {
			if err := f.cancelled(); err != nil {
				return err
			}
			dst := unsafe.Add(f.mem[out.slot], r*row*size)
			for _, o := range g.offsets {
				src := unsafe.Add(f.mem[x.slot], (at+o)*size)
				if step != 1 && row > 1 {
					copyRow(tmp, f.mem[x.slot], row, x.n, pick, 0, at+o)
					src = tmp
				}
				op(dst, dst, src, row)
			}
		}
		return nil
	}
}

// cumulative recognises a window that is a running fold along one axis: it is as long as the axis and reaches back, or
// forward where reverse is true, to all of its elements.
func (w *windowing) cumulative() (axis int, reverse, ok bool) {
	axis = -1
	for i, d := range w.in {
		if w.base[i] != 0 {
			return 0, false, false
		}
		if w.window[i] == 1 && w.lo[i] == 0 && w.padded[i] == d {
			continue
		}
		if axis >= 0 || w.window[i] != d || w.padded[i] != 2*d-1 || w.lo[i] != 0 && w.lo[i] != d-1 {
			return 0, false, false
		}
		axis, reverse = i, w.lo[i] == 0
	}
	return axis, reverse, axis >= 0 && !w.dilated && w.unitStrides()
}

func (w *windowing) unitStrides() bool {
	for i, st := range w.padded.Strides() {
		if w.strides[i] != st {
			return false
		}
	}
	return true
}

// cumulate computes running folds along an axis.
func cumulate(n *node, op vectorOp, axis int, reverse bool) run {
	shape, size := n.out[0].shape, n.out[0].dtype.Size()
	inner := product(shape[axis+1:])
	count, outer := shape[axis], product(shape[:axis])
	x, init, out := n.in[0].ref(), n.in[1].ref(), n.out[0].ref()
	first, step := 0, 1
	if reverse {
		first, step = count-1, -1
	}
	return func(f *frame) error {
		src, dst := f.mem[x.slot], f.mem[out.slot]
		for o := range outer {
			if err := f.cancelled(); err != nil {
				return err
			}
			at := (o*count + first) * inner * size
			fillMem(unsafe.Add(dst, at), f.mem[init.slot], size, inner)
			op(unsafe.Add(dst, at), unsafe.Add(dst, at), unsafe.Add(src, at), inner)
			for range count - 1 {
				next := at + step*inner*size
				op(unsafe.Add(dst, next), unsafe.Add(dst, at), unsafe.Add(src, next), inner)
				at = next
			}
		}
		return nil
	}
}
