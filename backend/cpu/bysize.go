package cpu

import (
	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/backend"
)

// sized is a step that moves elements and so depends on nothing but their size; bySize picks the one it needs.
type sized interface {
	bytes1() run
	bytes2() run
	bytes4() run
	bytes8() run
	bytes16() run
}

func bySize(d array.DType, s sized) (run, error) {
	switch d.Size() {
	case 1:
		return s.bytes1(), nil
	case 2:
		return s.bytes2(), nil
	case 4:
		return s.bytes4(), nil
	case 8:
		return s.bytes8(), nil
	case 16:
		return s.bytes16(), nil
	}
	return nil, &backend.Unsupported{Feature: "element type " + d.String()}
}

// fill sets all elements of dst.
func fill[T any](dst []T, v T) {
	for i := range dst {
		dst[i] = v
	}
}

// emitFill emits the node that writes a value with one element for all places out in full.
func emitFill(_ *compiler, n *node) (run, error) { return bySize(n.out[0].dtype, filler{n}) }

type filler struct{ n *node }

func (s filler) bytes1() run  { return fillStep[uint8](s.n) }
func (s filler) bytes2() run  { return fillStep[uint16](s.n) }
func (s filler) bytes4() run  { return fillStep[uint32](s.n) }
func (s filler) bytes8() run  { return fillStep[uint64](s.n) }
func (s filler) bytes16() run { return fillStep[[2]uint64](s.n) }

func fillStep[T any](n *node) run {
	d, x := n.out[0].ref(), n.in[0].ref()
	return func(f *frame) error {
		fill(elems[T](f, d), elems[T](f, x)[0])
		return nil
	}
}

// emitCopy emits a node whose result is its operand.
func emitCopy(_ *compiler, n *node) (run, error) {
	if n.in[0].uniform && !n.out[0].uniform {
		return emitFill(nil, n)
	}
	return copyBytes(n.out[0], n.in[0]), nil
}

// copyBytes copies the storage of x to that of d, which has the same size.
func copyBytes(d, x *value) run {
	to, from, size := d.ref(), x.ref(), d.size()
	if to.slot == from.slot {
		return func(*frame) error { return nil }
	}
	return func(f *frame) error {
		copy(f.bytes(to, size), f.bytes(from, size))
		return nil
	}
}
