package cpu

import (
	"unsafe"

	"github.com/pantograph-go/pantograph/array"
)

// rawCopy is copyStrided of elements of one size, between memory of dstLen and srcLen elements.
type rawCopy func(dst, src unsafe.Pointer, dstLen, srcLen int, s *strided, dstAt, srcAt int)

func rawCopyOf(d array.DType) rawCopy {
	switch d.Size() {
	case 1:
		return copyRaw[uint8]
	case 2:
		return copyRaw[uint16]
	case 4:
		return copyRaw[uint32]
	case 8:
		return copyRaw[uint64]
	}
	return copyRaw[[2]uint64]
}

func copyRaw[T any](dst, src unsafe.Pointer, dstLen, srcLen int, s *strided, dstAt, srcAt int) {
	copyDims(unsafe.Slice((*T)(dst), dstLen), unsafe.Slice((*T)(src), srcLen), s.sizes, s.dst, s.src, dstAt+s.dstAt, srcAt+s.srcAt)
}

// fillMem repeats the element at src n times.
func fillMem(dst, src unsafe.Pointer, size, n int) {
	if n == 0 {
		return
	}
	d := unsafe.Slice((*byte)(dst), size*n)
	copy(d, unsafe.Slice((*byte)(src), size))
	for done := size; done < len(d); done *= 2 {
		copy(d[done:], d[:done])
	}
}

// folding describes results that each combine several elements of an operand: element k of result (i, j, …) lies at
// offsets[k] + i*strides[0] + j*strides[1] + ….
type folding struct {
	sizes   array.Shape // of the results
	strides []int
	offsets []int
}

// maxLanes bounds how many results are computed at a time, and so the memory of a computation's values.
const maxLanes = 4096

// lanesFor is the number of results of a shape that are computed at a time: those of as many trailing axes as fit.
func lanesFor(shape array.Shape) int {
	n := 1
	for i := len(shape) - 1; i >= 0; i-- {
		if n*shape[i] > maxLanes {
			if n == 1 {
				return maxLanes
			}
			return n
		}
		n *= shape[i]
	}
	return max(n, 1)
}

// laneBlock is a run of results, row-major, and where its first one begins in the operand.
type laneBlock struct {
	result, at, n int
	view          *strided // from the operand to lanes
}

// blocks cuts the results into runs of at most lanes.
func (g *folding) blocks(lanes int) []laneBlock {
	if g.sizes.Size() == 0 {
		return nil
	}
	p, n := len(g.sizes), 1
	for p > 0 && n*g.sizes[p-1] <= lanes {
		p--
		n *= g.sizes[p]
	}
	view := (&strided{sizes: g.sizes[p:], dst: g.sizes[p:].Strides(), src: g.strides[p:]}).simplify()
	if n > 1 || p == 0 {
		var out []laneBlock
		for i, at := range offsets(g.sizes[:p], g.strides[:p]) {
			out = append(out, laneBlock{i * n, at, n, view})
		}
		return out
	}
	// The last axis alone is too long: cut it.
	last, step := g.sizes[p-1], g.strides[p-1]
	var out []laneBlock
	for i, at := range offsets(g.sizes[:p-1], g.strides[:p-1]) {
		for lo := 0; lo < last; lo += lanes {
			w := min(lanes, last-lo)
			out = append(out, laneBlock{i*last + lo, at + lo*step, w, &strided{sizes: []int{w}, dst: []int{1}, src: []int{step}}})
		}
	}
	return out
}

// computation is the region of a node as it is called: put arguments in, run, take results out.
type computation struct {
	block   block
	lanes   int
	args    []ref
	results []ref
	sizes   []int // bytes of an element of each argument
}

func computationOf(n *node, i int) *computation {
	r := n.regions[i]
	c := &computation{block: n.blocks[i], lanes: r.lanes}
	for _, v := range r.args {
		c.args, c.sizes = append(c.args, v.ref()), append(c.sizes, v.dtype.Size())
	}
	for _, v := range r.results {
		c.results = append(c.results, v.ref())
	}
	return c
}

// feed returns the moves that make results 0 … k-1 the arguments of the same numbers for the next call.
func (c *computation) feed(k int) moves {
	bytes := make([]int, k)
	for i := range bytes {
		bytes[i] = c.lanes * c.sizes[i]
	}
	return movesOf(c.args[:k], c.results[:k], bytes)
}

// foldRegion folds operands with a computation: its first k parameters are the values so far, the others the elements.
func foldRegion(n *node, g *folding, operands []ref) (run, error) {
	k := len(operands)
	if len(n.regions) != 1 || len(n.regions[0].args) != 2*k || len(n.regions[0].results) != k {
		return nil, array.ArgumentErrorf("the computation must take %d values and yield %d", 2*k, k)
	}
	c := computationOf(n, 0)
	copies := make([]rawCopy, k)
	for i := range copies {
		copies[i] = rawCopyOf(n.in[i].dtype)
	}
	list, next := g.blocks(c.lanes), c.feed(k)
	return func(f *frame) error {
		for _, b := range list {
			if err := f.cancelled(); err != nil {
				return err
			}
			for i := range k {
				fillMem(f.mem[c.args[i].slot], f.mem[n.in[k+i].ref().slot], c.sizes[i], c.lanes)
			}
			for _, o := range g.offsets {
				for i, x := range operands {
					copies[i](f.mem[c.args[k+i].slot], f.mem[x.slot], c.lanes, x.n, b.view, 0, b.at+o)
				}
				if err := f.run(c.block); err != nil {
					return err
				}
				next.run(f)
			}
			for i, v := range n.out {
				size := v.dtype.Size()
				copyMem(unsafe.Add(f.mem[v.ref().slot], b.result*size), f.mem[c.args[i].slot], b.n*size)
			}
		}
		return nil
	}, nil
}
