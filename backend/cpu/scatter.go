package cpu

import (
	"slices"
	"unsafe"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/backend"
	"github.com/pantograph-go/pantograph/lower/hlo"
)

// scatter writes windows of updates into copies of the operands. Updates are applied in the order of the indices, and
// one whose window does not lie inside the operand is left out, as XLA does.
type scatter struct {
	*windows
	k       int   // number of operands
	from    []int // offset of each window in the updates
	outer   []int // offsets of a window's runs in the operand …
	updates []int // … and in the updates
	length  int   // of a run, whose elements lie side by side in both
}

func emitScatter(_ *compiler, n *node) (run, error) {
	d, ok := n.op.Attr("scatter_dimension_numbers").(hlo.ScatterDims)
	if !ok {
		return nil, &backend.Unsupported{Feature: "scatter without scatter_dimension_numbers"}
	}
	k := len(n.out)
	if len(n.in) != 2*k+1 {
		return nil, array.ArgumentErrorf("%d operands for %d results", len(n.in), k)
	}
	operand, updates := n.in[0].shape, n.in[k+1].shape
	window := make([]int, len(operand))
	ost, ust := operand.Strides(), updates.Strides()
	s := &strided{}
	i := 0
	for a := range operand {
		window[a] = 1
		if slices.Contains(d.InsertedWindow, a) || slices.Contains(d.InputBatching, a) {
			continue
		}
		if i >= len(d.UpdateWindow) || d.UpdateWindow[i] >= len(updates) {
			return nil, array.ShapeErrorf("update_window_dims names %d axes, the window has more", len(d.UpdateWindow))
		}
		u := d.UpdateWindow[i]
		window[a] = updates[u]
		s.sizes, s.dst, s.src = append(s.sizes, updates[u]), append(s.dst, ost[a]), append(s.src, ust[u])
		i++
	}
	if updates.Size() == 0 {
		return copies(n, k), nil
	}
	g, batch, err := windowsOf(n.in[k], operand, window, d.ScatterToOperand, d.InputBatching, d.ScatterIndicesBatching, d.IndexVectorDim)
	if err != nil {
		return nil, err
	}
	var batchStrides []int
	for i, st := range ust {
		if !slices.Contains(d.UpdateWindow, i) {
			batchStrides = append(batchStrides, st)
		}
	}
	if len(batchStrides) != len(batch) {
		return nil, array.ShapeErrorf("updates of rank %d for %d scatter and %d window axes", len(ust), len(batch), len(s.sizes))
	}
	s = s.simplify()
	sc := &scatter{windows: g, k: k, from: offsets(batch, batchStrides), length: 1}
	if j := len(s.sizes) - 1; j >= 0 && s.dst[j] == 1 && s.src[j] == 1 {
		sc.length = s.sizes[j]
		s.sizes, s.dst, s.src = s.sizes[:j], s.dst[:j], s.src[:j]
	}
	sc.outer, sc.updates = offsets(s.sizes, s.dst), offsets(s.sizes, s.src)
	if name := directBody(n.op.Regions[0]); name != "" && k == 1 {
		return sc.direct(n, name)
	}
	return sc.general(n)
}

// copies makes the results the operands.
func copies(n *node, k int) run {
	list := make([]run, k)
	for i := range list {
		list[i] = copyBytes(n.out[i], n.in[i])
	}
	return func(f *frame) error {
		for _, c := range list {
			if err := c(f); err != nil {
				return err
			}
		}
		return nil
	}
}

// direct scatters with a computation that is one operation, or that takes the update.
func (sc *scatter) direct(n *node, name string) (run, error) {
	d := n.out[0].dtype
	var op vectorOp
	if name != "update" {
		if op = vectorOpOf(name, d); op == nil {
			return nil, unsupported(n)
		}
	}
	init := copies(n, 1)
	out, up, size := n.out[0].ref(), n.in[2].ref(), d.Size()
	return func(f *frame) error {
		if err := init(f); err != nil {
			return err
		}
		dst, src := f.mem[out.slot], f.mem[up.slot]
		for w, from := range sc.from {
			at, inside := sc.at(f, w)
			if !inside {
				continue
			}
			for r, o := range sc.outer {
				p, q := unsafe.Add(dst, (at+o)*size), unsafe.Add(src, (from+sc.updates[r])*size)
				if op == nil {
					copyMem(p, q, sc.length*size)
				} else {
					op(p, p, q, sc.length)
				}
			}
		}
		return nil
	}, nil
}

// general scatters with any computation, element by element.
func (sc *scatter) general(n *node) (run, error) {
	k := sc.k
	if len(n.regions) != 1 || len(n.regions[0].args) != 2*k || len(n.regions[0].results) != k {
		return nil, array.ArgumentErrorf("the computation must take %d values and yield %d", 2*k, k)
	}
	c := computationOf(n, 0)
	init := copies(n, k)
	return func(f *frame) error {
		if err := init(f); err != nil {
			return err
		}
		for w, from := range sc.from {
			at, inside := sc.at(f, w)
			if !inside {
				continue
			}
			if err := f.cancelled(); err != nil {
				return err
			}
			for r, o := range sc.outer {
				for e := range sc.length {
					to, update := at+o+e, from+sc.updates[r]+e
					for i := range k {
						size := c.sizes[i]
						copyMem(f.mem[c.args[i].slot], unsafe.Add(f.mem[n.out[i].ref().slot], to*size), size)
						copyMem(f.mem[c.args[k+i].slot], unsafe.Add(f.mem[n.in[k+1+i].ref().slot], update*size), size)
					}
					if err := f.run(c.block); err != nil {
						return err
					}
					for i := range k {
						copyMem(unsafe.Add(f.mem[n.out[i].ref().slot], to*c.sizes[i]), f.mem[c.results[i].slot], c.sizes[i])
					}
				}
			}
		}
		return nil
	}, nil
}
