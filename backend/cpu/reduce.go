package cpu

import (
	"slices"
	"unsafe"

	"github.com/pantograph-go/pantograph/array"
)

// emitReduce emits stablehlo.reduce. A computation that is one operation is folded by its loop; any other runs as steps,
// on many results at once where it is elementwise.
func emitReduce(c *compiler, n *node) (run, error) {
	k := len(n.in) / 2
	if len(n.in) != 2*k || len(n.out) != k {
		return nil, array.ArgumentErrorf("%d operands for %d results", len(n.in), len(n.out))
	}
	in := n.in[0].shape
	dims := ints(n.op, "dimensions")
	for _, d := range dims {
		if d < 0 || d >= len(in) {
			return nil, array.AxisErrorf("dimension %d of an operand of rank %d", d, len(in))
		}
	}
	for i, v := range n.in[:k] {
		if !v.shape.Equal(in) || n.in[k+i].n != 1 {
			return nil, array.ShapeErrorf("operand %d is %s, the first %s; initial value of shape %s", i, v.shape, in, n.in[k+i].shape)
		}
	}
	if name := directBody(n.op.Regions[0]); name != "" && name != "update" && k == 1 {
		return directReduce(n, name, dims)
	}
	if largest, ok := extremeOf(n.op.Regions[0].Block()); ok && k == 2 && c.fusing {
		if r := extremeReduce(n, dims, largest); r != nil {
			return r, nil
		}
	}
	var g folding
	st := in.Strides()
	var rsizes, rstrides []int
	for i, d := range in {
		if slices.Contains(dims, i) {
			rsizes, rstrides = append(rsizes, d), append(rstrides, st[i])
		} else {
			g.sizes, g.strides = append(g.sizes, d), append(g.strides, st[i])
		}
	}
	g.offsets = offsets(rsizes, rstrides)
	operands := make([]ref, k)
	for i := range operands {
		operands[i] = n.in[i].ref()
	}
	return foldRegion(n, &g, operands)
}

// offsets lists the offsets of all index combinations in row-major order.
func offsets(sizes, strides []int) []int {
	out := []int{0}
	for i, n := range sizes {
		next := make([]int, 0, len(out)*n)
		for _, o := range out {
			for j := range n {
				next = append(next, o+j*strides[i])
			}
		}
		out = next
	}
	return out
}

// axes is the shape of an operand with neighbouring axes of one kind merged: kept, reduced, kept, …
type axes struct {
	keptSizes, keptStrides       []int
	reducedSizes, reducedStrides []int
	innerReduced                 bool // the last axis, of stride 1, is a reduced one
}

func mergedAxes(shape array.Shape, dims []int) axes {
	type axis struct {
		n, stride int
		reduced   bool
	}
	var list []axis
	st := shape.Strides()
	for i, n := range shape {
		if n == 1 {
			continue
		}
		a := axis{n, st[i], slices.Contains(dims, i)}
		if k := len(list) - 1; k >= 0 && list[k].reduced == a.reduced {
			list[k].n *= n
			list[k].stride = a.stride
			continue
		}
		list = append(list, a)
	}
	var g axes
	for i, a := range list {
		if a.reduced {
			g.reducedSizes, g.reducedStrides = append(g.reducedSizes, a.n), append(g.reducedStrides, a.stride)
			g.innerReduced = i == len(list)-1
		} else {
			g.keptSizes, g.keptStrides = append(g.keptSizes, a.n), append(g.keptStrides, a.stride)
		}
	}
	return g
}

// directReduce folds with one operation. Narrow floats are folded in float32 and rounded once at the end.
func directReduce(n *node, name string, dims []int) (run, error) {
	d := n.in[0].dtype
	if c, ok := is16(d); ok {
		return narrowReduce(n, name, dims, c)
	}
	if c, ok := is8(d); ok {
		return narrowReduce(n, name, dims, c)
	}
	op := vectorOpOf(name, d)
	if op == nil {
		return nil, unsupported(n)
	}
	r := newReduction(op, d.Size(), n.in[0].shape, dims)
	x, init, out := n.in[0].ref(), n.in[1].ref(), n.out[0].ref()
	return func(f *frame) error {
		r.run(f.mem[out.slot], f.mem[x.slot], f.mem[init.slot])
		return nil
	}, nil
}

func narrowReduce[S any](n *node, name string, dims []int, c codec[S]) (run, error) {
	op := vectorOpOf(name, array.Float32)
	if op == nil {
		return nil, unsupported(n)
	}
	r := newReduction(op, 4, n.in[0].shape, dims)
	x, init, out := n.in[0].ref(), n.in[1].ref(), n.out[0].ref()
	return func(f *frame) error {
		wide := make([]float32, x.n+1+out.n)
		c.decode(wide[:x.n], elems[S](f, x))
		c.decode(wide[x.n:x.n+1], elems[S](f, init))
		res := wide[x.n+1:]
		r.run(unsafe.Pointer(unsafe.SliceData(res)), unsafe.Pointer(unsafe.SliceData(wide)), unsafe.Pointer(&wide[x.n]))
		c.encode(elems[S](f, out), res)
		return nil
	}, nil
}

// reduction folds with one operation along some axes.
type reduction struct {
	op      vectorOp
	size    int   // of an element
	results int   // how many
	count   int   // elements folded into each
	kept    []int // offsets of the runs of results
	folded  []int // offsets of the runs that are folded into a result
	length  int   // length of a run: of folded elements where rows is true, else of results
	rows    bool
}

func newReduction(op vectorOp, size int, shape array.Shape, dims []int) *reduction {
	g := mergedAxes(shape, dims)
	r := &reduction{op: op, size: size, results: shape.Without(dims...).Size(), length: 1, rows: g.innerReduced}
	if k := len(g.reducedSizes) - 1; g.innerReduced {
		r.length = g.reducedSizes[k]
		g.reducedSizes, g.reducedStrides = g.reducedSizes[:k], g.reducedStrides[:k]
	} else if k := len(g.keptSizes) - 1; k >= 0 {
		r.length = g.keptSizes[k]
		g.keptSizes, g.keptStrides = g.keptSizes[:k], g.keptStrides[:k]
	}
	if shape.Size() == 0 {
		return r
	}
	r.kept, r.folded = offsets(g.keptSizes, g.keptStrides), offsets(g.reducedSizes, g.reducedStrides)
	r.count = shape.Size() / r.results
	return r
}

// run computes out[i] = init op x[…] op x[…] ….
func (r *reduction) run(out, x, init unsafe.Pointer) {
	for i := range r.results {
		copyMem(unsafe.Add(out, i*r.size), init, r.size)
	}
	if r.count == 0 {
		return
	}
	if r.count*r.results < 2*grain {
		if r.rows {
			r.foldRows(out, x, 0, len(r.kept))
			return
		}
		for k := range r.kept {
			r.foldColumns(out, x, k, 0, r.length)
		}
		return
	}
	runs := max(1, grain/max(1, r.count*r.results/len(r.kept)))
	switch {
	case r.rows:
		parallel(len(r.kept), runs, func(lo, hi int) { r.foldRows(out, x, lo, hi) })
	case len(r.kept) > 1:
		parallel(len(r.kept), runs, func(lo, hi int) {
			for k := lo; k < hi; k++ {
				r.foldColumns(out, x, k, 0, r.length)
			}
		})
	default:
		parallel(r.length, max(1, grain/r.count), func(lo, hi int) { r.foldColumns(out, x, 0, lo, hi) })
	}
}

// foldRows folds runs that lie side by side into single results.
func (r *reduction) foldRows(out, x unsafe.Pointer, lo, hi int) {
	buf := make([]complex128, foldLanes+2) // complex128: aligned for every type
	lanes, one, total := unsafe.Pointer(&buf[0]), unsafe.Pointer(&buf[foldLanes]), unsafe.Pointer(&buf[foldLanes+1])
	for k := lo; k < hi; k++ {
		for i, o := range r.folded {
			foldRow(r.op, r.size, one, unsafe.Add(x, (r.kept[k]+o)*r.size), lanes, r.length)
			if i == 0 {
				copyMem(total, one, r.size)
			} else {
				r.op(total, total, one, 1)
			}
		}
		dst := unsafe.Add(out, k*r.size)
		r.op(dst, dst, total, 1)
	}
}

// Columns are folded foldWidth at a time, and up to foldGroup of their elements one after the other.
const (
	foldWidth = 1024
	foldGroup = 64
)

// foldColumns folds results lo to hi of run k, which lie side by side, a row of the operand at a time.
func (r *reduction) foldColumns(out, x unsafe.Pointer, k, lo, hi int) {
	var spare [][]complex128 // by depth; complex128: aligned for every type
	for n := len(r.folded); n > foldGroup; n = (n + 1) / 2 {
		spare = append(spare, make([]complex128, (min(foldWidth, hi-lo)*r.size+15)/16))
	}
	for ; lo < hi; lo += foldWidth {
		w := min(foldWidth, hi-lo)
		dst := unsafe.Add(out, (k*r.length+lo)*r.size)
		src := unsafe.Add(x, (r.kept[k]+lo)*r.size)
		if len(spare) == 0 {
			for _, o := range r.folded {
				r.op(dst, dst, unsafe.Add(src, o*r.size), w)
			}
			continue
		}
		total := unsafe.Pointer(&spare[0][0])
		r.foldHalves(total, src, r.folded, w, spare[1:])
		r.op(dst, dst, total, w)
	}
}

// foldHalves folds w columns of the rows at the given offsets into dst: many rows by halves, so that the error of a sum
// grows with the logarithm of their number.
func (r *reduction) foldHalves(dst, src unsafe.Pointer, rows []int, w int, spare [][]complex128) {
	if len(rows) <= foldGroup || len(spare) == 0 {
		copyMem(dst, unsafe.Add(src, rows[0]*r.size), w*r.size)
		for _, o := range rows[1:] {
			r.op(dst, dst, unsafe.Add(src, o*r.size), w)
		}
		return
	}
	half := (len(rows) + 1) / 2
	r.foldHalves(dst, src, rows[:half], w, spare[1:])
	other := unsafe.Pointer(&spare[0][0])
	r.foldHalves(other, src, rows[half:], w, spare[1:])
	r.op(dst, dst, other, w)
}
