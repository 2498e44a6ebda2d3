package cpu

import (
	"unsafe"

	"github.com/pantograph-go/pantograph/array"
)

// index reads integer scalars and index vectors of any integer type.
type index struct {
	r        ref
	size     int
	unsigned bool
}

func indexOf(v *value) index {
	return index{v.ref(), v.dtype.Size(), v.dtype.Kind() == array.KindUint}
}

// at is element i, saturated to an int.
func (x index) at(f *frame, i int) int {
	p := unsafe.Add(f.mem[x.r.slot], i*x.size)
	switch x.size {
	case 1:
		if x.unsigned {
			return int(*(*uint8)(p))
		}
		return int(*(*int8)(p))
	case 2:
		if x.unsigned {
			return int(*(*uint16)(p))
		}
		return int(*(*int16)(p))
	case 4:
		if x.unsigned {
			return int(*(*uint32)(p))
		}
		return int(*(*int32)(p))
	}
	if x.unsigned {
		return int(min(*(*uint64)(p), 1<<62))
	}
	return int(*(*int64)(p))
}

// dynamicSlice is dynamic_slice and dynamic_update_slice: a copy whose offset in one of the two arrays is known at run
// time. Start indices are clamped so that the window lies inside.
type dynamicSlice struct {
	n       *node
	starts  []index
	limits  []int // largest start
	strides []int // of the big array
	s       *strided
	update  bool
}

func emitDynamicSlice(_ *compiler, n *node) (run, error) {
	in, out := n.in[0].shape, n.out[0].shape
	d, err := windowAt(n, n.in[1:], in, out)
	if err != nil {
		return nil, err
	}
	d.s = (&strided{sizes: out, dst: out.Strides(), src: in.Strides()}).simplify()
	return bySize(n.out[0].dtype, d)
}

func emitDynamicUpdateSlice(_ *compiler, n *node) (run, error) {
	in, update := n.in[0].shape, n.in[1].shape
	d, err := windowAt(n, n.in[2:], in, update)
	if err != nil {
		return nil, err
	}
	d.update = true
	d.s = (&strided{sizes: update, dst: in.Strides(), src: update.Strides()}).simplify()
	return bySize(n.out[0].dtype, d)
}

func windowAt(n *node, starts []*value, big, window array.Shape) (*dynamicSlice, error) {
	if len(starts) != len(big) || len(window) != len(big) {
		return nil, array.ShapeErrorf("%d start indices and a window of rank %d for an operand of rank %d", len(starts), len(window), len(big))
	}
	d := &dynamicSlice{n: n, strides: big.Strides()}
	for i, v := range starts {
		if window[i] > big[i] {
			return nil, array.ShapeErrorf("window of %d along axis %d of size %d", window[i], i, big[i])
		}
		if !v.dtype.IsInteger() {
			return nil, array.DTypeErrorf("start index %d is %s", i, v.dtype)
		}
		d.starts = append(d.starts, indexOf(v))
		d.limits = append(d.limits, big[i]-window[i])
	}
	return d, nil
}

func (d *dynamicSlice) offset(f *frame) int {
	at := 0
	for i, s := range d.starts {
		at += min(max(s.at(f, 0), 0), d.limits[i]) * d.strides[i]
	}
	return at
}

func (d *dynamicSlice) bytes1() run  { return dynamicStep[uint8](d) }
func (d *dynamicSlice) bytes2() run  { return dynamicStep[uint16](d) }
func (d *dynamicSlice) bytes4() run  { return dynamicStep[uint32](d) }
func (d *dynamicSlice) bytes8() run  { return dynamicStep[uint64](d) }
func (d *dynamicSlice) bytes16() run { return dynamicStep[[2]uint64](d) }

func dynamicStep[T any](d *dynamicSlice) run {
	out, in := d.n.out[0].ref(), d.n.in[0].ref()
	if !d.update {
		return func(f *frame) error {
			copyStrided(elems[T](f, out), elems[T](f, in), d.s, 0, d.offset(f))
			return nil
		}
	}
	update := d.n.in[1].ref()
	return func(f *frame) error {
		dst := elems[T](f, out)
		if out.slot != in.slot {
			copy(dst, elems[T](f, in))
		}
		copyStrided(dst, elems[T](f, update), d.s, d.offset(f), 0)
		return nil
	}
}
