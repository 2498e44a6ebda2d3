package cpu

import (
	"unsafe"

	"github.com/pantograph-go/pantograph/array"
)

// selectScatter is stablehlo.select_and_scatter: in the window of each source element, select picks an element of the operand
// (padding is never picked); the source element is combined into the result at its place.
type selectScatter struct {
	pick   *computation
	places []int32 // by position in the padded operand: position in the operand, or -1
	blocks []laneBlock
	window []int // offsets of a window in the padded operand
	take   func(best, x unsafe.Pointer, at, place []int32, keep []uint8)
}

func emitSelectAndScatter(_ *compiler, n *node) (run, error) {
	operand, source, init, out := n.in[0], n.in[1], n.in[2], n.out[0]
	w, err := windowingOf(n, operand.shape, source.shape)
	if err != nil {
		return nil, err
	}
	if len(n.regions) == 0 || len(n.regions[0].args) != 2 || len(n.regions[0].results) != 1 || n.regions[0].results[0].dtype != array.Bool {
		return nil, array.ArgumentErrorf("select must take two values and yield a bool")
	}
	if operand.n > 1<<31-1 {
		return nil, array.ShapeErrorf("operand has %d elements", operand.n)
	}
	s := &selectScatter{pick: computationOf(n, 0), window: w.offsets}
	s.blocks = (&folding{sizes: source.shape, strides: w.strides}).blocks(s.pick.lanes)
	s.places = make([]int32, w.padded.Size())
	for i := range s.places {
		s.places[i] = -1
	}
	count := make([]int32, operand.n)
	for i := range count {
		count[i] = int32(i)
	}
	copyDims(s.places, count, w.copy.sizes, w.copy.dst, w.copy.src, w.copy.dstAt, w.copy.srcAt)
	d := operand.dtype
	switch d.Size() {
	case 1:
		s.take = takeLanes[uint8]
	case 2:
		s.take = takeLanes[uint16]
	case 4:
		s.take = takeLanes[uint32]
	case 8:
		s.take = takeLanes[uint64]
	default:
		s.take = takeLanes[[2]uint64]
	}
	combine, err := combiner(n)
	if err != nil {
		return nil, err
	}
	x := operand.ref()
	padded := x
	pad := func(*frame) {}
	if !w.plain {
		padded = ref{n.temps[0].ref().slot, w.padded.Size()}
		spreadTo := rawCopyOf(d)
		pad = func(f *frame) {
			spreadTo(f.mem[padded.slot], f.mem[x.slot], padded.n, x.n, w.copy, 0, 0)
		}
	}
	src, dst, first, size := source.ref(), out.ref(), init.ref(), d.Size()
	return func(f *frame) error {
		fillMem(f.mem[dst.slot], f.mem[first.slot], size, dst.n)
		pad(f)
		chosen := make([]int32, s.pick.lanes)
		place := make([]int32, s.pick.lanes)
		for _, b := range s.blocks {
			if err := f.cancelled(); err != nil {
				return err
			}
			if err := s.choose(f, padded, b, d, chosen, place); err != nil {
				return err
			}
			for j, at := range chosen[:b.n] {
				if at < 0 {
					continue
				}
				if err := combine(f, unsafe.Add(f.mem[dst.slot], int(at)*size), unsafe.Add(f.mem[src.slot], (b.result+j)*size)); err != nil {
					return err
				}
			}
		}
		return nil
	}, nil
}

// choose finds the picked place of each window of a block.
func (s *selectScatter) choose(f *frame, padded ref, b laneBlock, d array.DType, chosen, place []int32) error {
	for i := range chosen {
		chosen[i] = -1
	}
	load := rawCopyOf(d)
	best, next := f.mem[s.pick.args[0].slot], f.mem[s.pick.args[1].slot]
	clear(f.bytes(s.pick.args[0], s.pick.lanes*d.Size()))
	for _, o := range s.window {
		load(next, f.mem[padded.slot], s.pick.lanes, padded.n, b.view, 0, b.at+o)
		copyDims(place, s.places, b.view.sizes, b.view.dst, b.view.src, 0, b.at+o)
		if err := f.run(s.pick.block); err != nil {
			return err
		}
		s.take(best, next, chosen[:b.n], place[:b.n], elems[uint8](f, s.pick.results[0]))
	}
	return nil
}

// takeLanes replaces the best element of each lane by x where the lane has none yet or keep is false.
func takeLanes[T any](best, x unsafe.Pointer, at, place []int32, keep []uint8) {
	b, v := unsafe.Slice((*T)(best), len(at)), unsafe.Slice((*T)(x), len(at))
	for i := range at {
		if place[i] >= 0 && (at[i] < 0 || keep[i] == 0) {
			at[i], b[i] = place[i], v[i]
		}
	}
}

// combiner is the function that combines the source element at y into the element at x, by the scatter computation.
func combiner(n *node) (func(f *frame, x, y unsafe.Pointer) error, error) {
	d := n.out[0].dtype
	if name := directBody(n.op.Regions[1]); name != "" && name != "update" {
		op := vectorOpOf(name, d)
		if op == nil {
			return nil, unsupported(n)
		}
		return func(_ *frame, x, y unsafe.Pointer) error { op(x, x, y, 1); return nil }, nil
	}
	if len(n.regions) != 2 || len(n.regions[1].args) != 2 || len(n.regions[1].results) != 1 {
		return nil, array.ArgumentErrorf("scatter must take two values and yield one")
	}
	c, size := computationOf(n, 1), d.Size()
	return func(f *frame, x, y unsafe.Pointer) error {
		copyMem(f.mem[c.args[0].slot], x, size)
		copyMem(f.mem[c.args[1].slot], y, size)
		if err := f.run(c.block); err != nil {
			return err
		}
		copyMem(x, f.mem[c.results[0].slot], size)
		return nil
	}, nil
}

// selectTemps asks for room for the padded operand.
func selectTemps(_ *compiler, n *node) ([]int, error) {
	w, err := windowingOf(n, n.in[0].shape, n.in[1].shape)
	if err != nil || w.plain {
		return nil, err
	}
	return []int{w.padded.Size() * n.in[0].dtype.Size()}, nil
}
