package cpu

import (
	"slices"

	"github.com/pantograph-go/pantograph/array"
)

// emitScan emits chlo.scan: the body maps slices of the inputs along an axis and the values carried so far to slices of
// the outputs and the next values. The results are the outputs and the last values.
func emitScan(_ *compiler, n *node) (run, error) {
	c := computationOf(n, 0)
	axis, reverse := num(n.op, "dimension", 0), flag(n.op, "is_reverse")
	r := n.regions[0]
	carried := 0
	if sizes := ints(n.op, "operandSegmentSizes"); len(sizes) == 2 {
		carried = sizes[1]
	} else {
		carried = len(n.in) - scanned(n, axis)
	}
	inputs := len(n.in) - carried
	outputs := len(n.out) - carried
	if inputs < 1 || outputs < 0 || carried < 0 || len(r.args) != len(n.in) || len(r.results) != len(n.out) {
		return nil, array.ArgumentErrorf("%d operands, %d carried; the body takes %d values and yields %d", len(n.in), carried, len(r.args), len(r.results))
	}
	count := n.in[0].shape[axis]
	var load, store []sliceCopy
	for i, v := range n.in[:inputs] {
		load = append(load, sliceOf(v, r.args[i], axis))
	}
	for i, v := range n.out[:outputs] {
		store = append(store, sliceOf(v, r.results[i], axis))
	}
	var init, final, again moves
	{
		var sizes []int
		var outs, ins []ref
		for i := range carried {
			sizes = append(sizes, r.args[inputs+i].size())
			ins, outs = append(ins, n.in[inputs+i].ref()), append(outs, n.out[outputs+i].ref())
		}
		init, again = movesOf(c.args[inputs:], ins, sizes), movesOf(c.args[inputs:], c.results[outputs:], sizes)
		final = movesOf(outs, c.args[inputs:], sizes)
	}
	return func(f *frame) error {
		init.run(f)
		for k := range count {
			if err := f.cancelled(); err != nil {
				return err
			}
			if reverse {
				k = count - 1 - k
			}
			for i := range load {
				load[i].from(f, k)
			}
			if err := f.run(c.block); err != nil {
				return err
			}
			for i := range store {
				store[i].to(f, k)
			}
			again.run(f)
		}
		final.run(f)
		return nil
	}, nil
}

// scanned counts the operands that the body sees one slice of.
func scanned(n *node, axis int) int {
	k := 0
	for i, v := range n.in {
		if i < len(n.regions[0].args) && axis < len(v.shape) && v.shape.Without(axis).Equal(n.regions[0].args[i].shape) && len(v.shape) > len(n.regions[0].args[i].shape) {
			k++
		}
	}
	return k
}

// sliceCopy copies one slice along an axis between an array and an array without that axis.
type sliceCopy struct {
	whole, part ref
	step        int
	in, out     *strided
	copy        rawCopy
}

func sliceOf(whole, part *value, axis int) sliceCopy {
	st := slices.Delete(whole.shape.Strides(), axis, axis+1)
	sizes := whole.shape.Without(axis)
	dense := sizes.Strides()
	return sliceCopy{whole.ref(), part.ref(), whole.shape.Strides()[axis],
		(&strided{sizes: sizes, dst: dense, src: st}).simplify(), (&strided{sizes: sizes, dst: st, src: dense}).simplify(), rawCopyOf(whole.dtype)}
}

func (s *sliceCopy) from(f *frame, k int) {
	s.copy(f.mem[s.part.slot], f.mem[s.whole.slot], s.part.n, s.whole.n, s.in, 0, k*s.step)
}

func (s *sliceCopy) to(f *frame, k int) {
	s.copy(f.mem[s.whole.slot], f.mem[s.part.slot], s.whole.n, s.part.n, s.out, k*s.step, 0)
}
