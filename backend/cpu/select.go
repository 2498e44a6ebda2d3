package cpu

import (
	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/lower/hlo"
)

// emitSelect emits stablehlo.select. Only the size of the elements matters.
func emitSelect(_ *compiler, n *node) (run, error) {
	if n.in[0].dtype != array.Bool || n.in[1].dtype != n.out[0].dtype || n.in[2].dtype != n.out[0].dtype {
		return nil, array.DTypeErrorf("predicate of %s, cases of %s and %s", n.in[0].dtype, n.in[1].dtype, n.in[2].dtype)
	}
	return bySize(n.out[0].dtype, selector{n})
}

type selector struct{ n *node }

func (s selector) bytes1() run  { return selectStep[uint8](s.n) }
func (s selector) bytes2() run  { return selectStep[uint16](s.n) }
func (s selector) bytes4() run  { return selectStep[uint32](s.n) }
func (s selector) bytes8() run  { return selectStep[uint64](s.n) }
func (s selector) bytes16() run { return selectStep[[2]uint64](s.n) }

func selectStep[T any](n *node) run {
	d, p, x, y := n.out[0].ref(), n.in[0].ref(), n.in[1].ref(), n.in[2].ref()
	if p.n < d.n {
		return func(f *frame) error {
			src := elems[T](f, x)
			if elems[uint8](f, p)[0] == 0 {
				src = elems[T](f, y)
			}
			if dst := elems[T](f, d); len(src) == len(dst) {
				copy(dst, src)
			} else {
				fill(dst, src[0])
			}
			return nil
		}
	}
	n.ranged = func(f *frame, lo, hi int) {
		selectLoop(elems[T](f, d), elems[uint8](f, p), elems[T](f, x), elems[T](f, y), lo, hi)
	}
	if d.n < 2*grain {
		return func(f *frame) error {
			selectLoop(elems[T](f, d), elems[uint8](f, p), elems[T](f, x), elems[T](f, y), 0, d.n)
			return nil
		}
	}
	return func(f *frame) error {
		dst, p, x, y := elems[T](f, d), elems[uint8](f, p), elems[T](f, x), elems[T](f, y)
		parallel(len(dst), grain, func(lo, hi int) { selectLoop(dst, p, x, y, lo, hi) })
		return nil
	}
}

// selectLoop computes dst[lo:hi]. x and y have all elements or one that stands for all.
func selectLoop[T any](dst []T, p []uint8, x, y []T, lo, hi int) {
	switch {
	case len(x) == len(dst) && len(y) == len(dst):
		x, y, p = x[:hi], y[:hi], p[:hi]
		for i := lo; i < hi; i++ {
			v := y[i]
			if p[i] != 0 {
				v = x[i]
			}
			dst[i] = v
		}
	case len(x) == len(dst):
		for i := lo; i < hi; i++ {
			v := y[0]
			if p[i] != 0 {
				v = x[i]
			}
			dst[i] = v
		}
	case len(y) == len(dst):
		for i := lo; i < hi; i++ {
			v := y[i]
			if p[i] != 0 {
				v = x[0]
			}
			dst[i] = v
		}
	default:
		for i := lo; i < hi; i++ {
			v := y[0]
			if p[i] != 0 {
				v = x[0]
			}
			dst[i] = v
		}
	}
}

// emitClamp emits stablehlo.clamp as the minimum with the upper bound of the maximum with the lower one.
func emitClamp(c *compiler, n *node) (run, error) {
	lo, x, hi, out := n.in[0], n.in[1], n.in[2], n.out[0]
	first, err := emitBinary(c, &node{op: &hlo.Op{Name: "stablehlo.maximum"}, in: []*value{x, lo}, out: []*value{out}})
	if err != nil {
		return nil, err
	}
	second, err := emitBinary(c, &node{op: &hlo.Op{Name: "stablehlo.minimum"}, in: []*value{out, hi}, out: []*value{out}})
	if err != nil {
		return nil, err
	}
	return func(f *frame) error {
		if err := first(f); err != nil {
			return err
		}
		return second(f)
	}, nil
}
