package cpu

import (
	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/backend"
)

// The operations that move elements without looking at them. Each is one strided copy or a few.

func emitBroadcastInDim(_ *compiler, n *node) (run, error) {
	in, out := n.in[0].shape, n.out[0].shape
	dims := ints(n.op, "broadcast_dimensions")
	if len(dims) != len(in) {
		return nil, array.ShapeErrorf("broadcast_dimensions has %d entries for an operand of rank %d", len(dims), len(in))
	}
	st := in.Strides()
	src := make([]int, len(out))
	for i, d := range dims {
		switch {
		case d < 0 || d >= len(out):
			return nil, array.AxisErrorf("broadcast dimension %d of a result of rank %d", d, len(out))
		case in[i] == out[d]:
			src[d] = st[i]
		case in[i] != 1:
			return nil, array.ShapeErrorf("operand axis %d of size %d cannot be broadcast to %d", i, in[i], out[d])
		}
	}
	return move(n, &strided{sizes: out, dst: out.Strides(), src: src})
}

// emitBroadcast emits the older stablehlo.broadcast, which adds leading axes.
func emitBroadcast(_ *compiler, n *node) (run, error) {
	in, out := n.in[0].shape, n.out[0].shape
	if len(out) < len(in) || !out[len(out)-len(in):].Equal(in) {
		return nil, array.ShapeErrorf("%s cannot be broadcast to %s by leading axes", in, out)
	}
	src := append(make([]int, len(out)-len(in)), in.Strides()...)
	return move(n, &strided{sizes: out, dst: out.Strides(), src: src})
}

func emitTranspose(_ *compiler, n *node) (run, error) {
	in, out := n.in[0].shape, n.out[0].shape
	perm := ints(n.op, "permutation")
	if len(perm) != len(in) || len(out) != len(in) {
		return nil, array.ShapeErrorf("permutation of %d axes for an operand of rank %d", len(perm), len(in))
	}
	st := in.Strides()
	src := make([]int, len(out))
	for i, d := range perm {
		if d < 0 || d >= len(in) || out[i] != in[d] {
			return nil, array.ShapeErrorf("permutation %v of %s does not give %s", perm, in, out)
		}
		src[i] = st[d]
	}
	return move(n, &strided{sizes: out, dst: out.Strides(), src: src})
}

func emitReverse(_ *compiler, n *node) (run, error) {
	shape := n.out[0].shape
	s := &strided{sizes: shape, dst: shape.Strides(), src: shape.Strides()}
	for _, d := range ints(n.op, "dimensions") {
		if d < 0 || d >= len(shape) {
			return nil, array.AxisErrorf("dimension %d of an operand of rank %d", d, len(shape))
		}
		if shape[d] > 0 && s.src[d] > 0 {
			s.srcAt += (shape[d] - 1) * s.src[d]
			s.src[d] = -s.src[d]
		}
	}
	return move(n, s)
}

func emitSlice(_ *compiler, n *node) (run, error) {
	in, out := n.in[0].shape, n.out[0].shape
	start, strides := ints(n.op, "start_indices"), intsOr(n.op, "strides", len(in), 1)
	if len(start) != len(in) || len(strides) != len(in) {
		return nil, array.ShapeErrorf("slice of %d axes of an operand of rank %d", len(start), len(in))
	}
	s := &strided{sizes: out, dst: out.Strides(), src: in.Strides()}
	for i := range in {
		if start[i] < 0 || strides[i] < 1 || out[i] > 0 && start[i]+(out[i]-1)*strides[i] >= in[i] {
			return nil, array.ShapeErrorf("slice of axis %d from %d by %d leaves its size %d", i, start[i], strides[i], in[i])
		}
		s.srcAt += start[i] * s.src[i]
		s.src[i] *= strides[i]
	}
	return move(n, s)
}

func emitPad(_ *compiler, n *node) (run, error) {
	in, out := n.in[0].shape, n.out[0].shape
	lo, interior := ints(n.op, "edge_padding_low"), ints(n.op, "interior_padding")
	if len(lo) != len(in) || len(interior) != len(in) {
		return nil, array.ShapeErrorf("padding of %d axes of an operand of rank %d", len(lo), len(in))
	}
	s := spread(in, out, lo, interior)
	m := &mover{n: n, fill: 1, copies: []moverCopy{{0, s.simplify()}}}
	if array.Shape(s.sizes).Equal(out) {
		m.fill = -1
	}
	return bySize(n.out[0].dtype, m)
}

// spread is the copy of an operand into a padded result: element j of an axis goes to lo + j*(interior+1), if the result
// has that place.
func spread(in, out array.Shape, lo, interior []int) *strided {
	s := &strided{sizes: make([]int, len(in)), dst: out.Strides(), src: in.Strides()}
	for i := range in {
		step := interior[i] + 1
		first, last := 0, in[i]-1 // the elements that have a place
		if lo[i] < 0 {
			first = (-lo[i] + step - 1) / step
		}
		if at := out[i] - 1 - lo[i]; at < 0 {
			last = -1
		} else {
			last = min(last, at/step)
		}
		s.sizes[i] = max(0, last-first+1)
		s.srcAt += first * s.src[i]
		s.dstAt += (lo[i] + first*step) * s.dst[i]
		s.dst[i] *= step
	}
	return s
}

func emitConcatenate(_ *compiler, n *node) (run, error) {
	out := n.out[0].shape
	axis := num(n.op, "dimension", 0)
	if axis < 0 || axis >= len(out) {
		return nil, array.AxisErrorf("dimension %d of a result of rank %d", axis, len(out))
	}
	m := &mover{n: n, fill: -1}
	at := 0
	for i, v := range n.in {
		if len(v.shape) != len(out) {
			return nil, array.ShapeErrorf("operand %d has rank %d, the result %d", i, len(v.shape), len(out))
		}
		s := &strided{sizes: v.shape, dst: out.Strides(), src: v.shape.Strides()}
		s.dstAt = at * s.dst[axis]
		at += v.shape[axis]
		m.copies = append(m.copies, moverCopy{i, s.simplify()})
	}
	if at != out[axis] {
		return nil, array.ShapeErrorf("operands have %d along axis %d together, the result has %d", at, axis, out[axis])
	}
	return bySize(n.out[0].dtype, m)
}

func emitIota(_ *compiler, n *node) (run, error) {
	out := n.out[0]
	axis := num(n.op, "iota_dimension", 0)
	if axis < 0 || axis >= len(out.shape) {
		return nil, array.AxisErrorf("iota dimension %d of a result of rank %d", axis, len(out.shape))
	}
	// The values are made once, when the module is compiled, for one run along the axis.
	row := array.NewBuffer(out.dtype, array.Shape{out.shape[axis]})
	for i := range out.shape[axis] {
		row.SetFloat(i, float64(i))
		if out.dtype.IsInteger() {
			row.SetInt(i, int64(i))
		}
	}
	src := make([]int, len(out.shape))
	src[axis] = 1
	s := &strided{sizes: out.shape, dst: out.shape.Strides(), src: src}
	return bySize(out.dtype, iotaRow{out.ref(), row, s.simplify()})
}

type iotaRow struct {
	d   ref
	row *array.Buffer
	s   *strided
}

func (i iotaRow) bytes1() run  { return iotaStep[uint8](i) }
func (i iotaRow) bytes2() run  { return iotaStep[uint16](i) }
func (i iotaRow) bytes4() run  { return iotaStep[uint32](i) }
func (i iotaRow) bytes8() run  { return iotaStep[uint64](i) }
func (i iotaRow) bytes16() run { return iotaStep[[2]uint64](i) }

func iotaStep[T any](i iotaRow) run {
	row := array.View[T](i.row)
	return func(f *frame) error {
		copyStrided(elems[T](f, i.d), row, i.s, 0, 0)
		return nil
	}
}

// emitBitcast emits the bitcasts that are not merely the same bytes.
func emitBitcast(_ *compiler, n *node) (run, error) {
	return nil, &backend.Unsupported{Feature: "bitcast_convert between " + n.in[0].dtype.String() + " and " + n.out[0].dtype.String()}
}
