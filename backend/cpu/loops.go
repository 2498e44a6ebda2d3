package cpu

import "github.com/pantograph-go/pantograph/array"

// This file turns loops over slices into steps: it finds operands and result in the frame, treats an operand that has
// one value for all elements, converts narrow floats chunk by chunk, and splits large work.

// loop1 is a loop that computes dst[i] from x[i]. dst may be x.
type loop1[D, X any] func(dst []D, x []X)

// loop2 holds the loops that compute dst[i] from x[i] and y[i], and those for one y or one x for all i. dst may be an operand.
type loop2[D, X any] struct {
	vv func(dst []D, x, y []X)
	vs func(dst []D, x []X, y X)
	sv func(dst []D, x X, y []X)
}

// unaryOf makes the loop of a function.
func unaryOf[D, X any](fn func(x X) D) loop1[D, X] {
	return func(dst []D, x []X) {
		x = x[:len(dst)]
		for i := range dst {
			dst[i] = fn(x[i])
		}
	}
}

// binaryOf makes the loops of a function.
func binaryOf[D, X any](fn func(x, y X) D) loop2[D, X] {
	return loop2[D, X]{
		vv: func(dst []D, x, y []X) {
			x, y = x[:len(dst)], y[:len(dst)]
			for i := range dst {
				dst[i] = fn(x[i], y[i])
			}
		},
		vs: func(dst []D, x []X, y X) {
			x = x[:len(dst)]
			for i := range dst {
				dst[i] = fn(x[i], y)
			}
		},
		sv: func(dst []D, x X, y []X) {
			y = y[:len(dst)]
			for i := range dst {
				dst[i] = fn(x, y[i])
			}
		},
	}
}

// grain is how many elements a processor gets at least when an elementwise loop is split.
const grain = 1 << 15

// emit1 makes the step of a one-operand node.
func emit1[D, X any](n *node, k loop1[D, X]) run {
	d, x := n.out[0].ref(), n.in[0].ref()
	n.ranged = func(f *frame, lo, hi int) { k(elems[D](f, d)[lo:hi], elems[X](f, x)[lo:hi]) }
	if d.n < 2*grain {
		return func(f *frame) error {
			k(elems[D](f, d), elems[X](f, x))
			return nil
		}
	}
	return func(f *frame) error {
		dst, x := elems[D](f, d), elems[X](f, x)
		parallel(len(dst), grain, func(lo, hi int) { k(dst[lo:hi], x[lo:hi]) })
		return nil
	}
}

// emit2 makes the step of a two-operand node.
func emit2[D, X any](n *node, k loop2[D, X]) run {
	d, x, y := n.out[0].ref(), n.in[0].ref(), n.in[1].ref()
	switch {
	case x.n < d.n:
		n.ranged = func(f *frame, lo, hi int) { k.sv(elems[D](f, d)[lo:hi], elems[X](f, x)[0], elems[X](f, y)[lo:hi]) }
	case y.n < d.n:
		n.ranged = func(f *frame, lo, hi int) { k.vs(elems[D](f, d)[lo:hi], elems[X](f, x)[lo:hi], elems[X](f, y)[0]) }
	default:
		n.ranged = func(f *frame, lo, hi int) { k.vv(elems[D](f, d)[lo:hi], elems[X](f, x)[lo:hi], elems[X](f, y)[lo:hi]) }
	}
	switch small := d.n < 2*grain; {
	case x.n < d.n && small:
		return func(f *frame) error {
			k.sv(elems[D](f, d), elems[X](f, x)[0], elems[X](f, y))
			return nil
		}
	case y.n < d.n && small:
		return func(f *frame) error {
			k.vs(elems[D](f, d), elems[X](f, x), elems[X](f, y)[0])
			return nil
		}
	case small:
		return func(f *frame) error {
			k.vv(elems[D](f, d), elems[X](f, x), elems[X](f, y))
			return nil
		}
	case x.n < d.n:
		return func(f *frame) error {
			dst, x, y := elems[D](f, d), elems[X](f, x)[0], elems[X](f, y)
			parallel(len(dst), grain, func(lo, hi int) { k.sv(dst[lo:hi], x, y[lo:hi]) })
			return nil
		}
	case y.n < d.n:
		return func(f *frame) error {
			dst, x, y := elems[D](f, d), elems[X](f, x), elems[X](f, y)[0]
			parallel(len(dst), grain, func(lo, hi int) { k.vs(dst[lo:hi], x[lo:hi], y) })
			return nil
		}
	}
	return func(f *frame) error {
		dst, x, y := elems[D](f, d), elems[X](f, x), elems[X](f, y)
		parallel(len(dst), grain, func(lo, hi int) { k.vv(dst[lo:hi], x[lo:hi], y[lo:hi]) })
		return nil
	}
}

// chunkLen is how many elements of a narrow float type are converted to float32 at a time.
const chunkLen = 256

type chunks [3][chunkLen]float32

// scratch returns the frame's chunks for a single-threaded kernel.
func (f *frame) scratch() *chunks {
	if f.chunks == nil {
		f.chunks = new(chunks)
	}
	return f.chunks
}

// narrow1 makes the step of a one-operand node on narrow floats, computed in float32 and rounded once.
func narrow1[S any](n *node, c codec[S], k loop1[float32, float32]) run {
	d, x := n.out[0].ref(), n.in[0].ref()
	return func(f *frame) error {
		dst, x := elems[S](f, d), elems[S](f, x)
		buf := f.scratch()
		for lo := 0; lo < len(dst); lo += chunkLen {
			hi := min(lo+chunkLen, len(dst))
			t := buf[0][:hi-lo]
			c.decode(t, x[lo:hi])
			k(t, t)
			c.encode(dst[lo:hi], t)
		}
		return nil
	}
}

// narrow1To is narrow1 for a result that is no narrow float.
func narrow1To[D, S any](n *node, c codec[S], k loop1[D, float32]) run {
	d, x := n.out[0].ref(), n.in[0].ref()
	return func(f *frame) error {
		dst, x := elems[D](f, d), elems[S](f, x)
		buf := f.scratch()
		for lo := 0; lo < len(dst); lo += chunkLen {
			hi := min(lo+chunkLen, len(dst))
			t := buf[0][:hi-lo]
			c.decode(t, x[lo:hi])
			k(dst[lo:hi], t)
		}
		return nil
	}
}

// narrowFrom is narrow1 for an operand that is no narrow float. k rounds to odd, so that encode rounds once.
func narrowFrom[S, X any](n *node, c codec[S], k loop1[float32, X]) run {
	d, x := n.out[0].ref(), n.in[0].ref()
	return func(f *frame) error {
		dst, x := elems[S](f, d), elems[X](f, x)
		buf := f.scratch()
		for lo := 0; lo < len(dst); lo += chunkLen {
			hi := min(lo+chunkLen, len(dst))
			t := buf[0][:hi-lo]
			k(t, x[lo:hi])
			c.encode(dst[lo:hi], t)
		}
		return nil
	}
}

// narrow2 is narrow1 for two operands.
func narrow2[S any](n *node, c codec[S], k loop2[float32, float32]) run {
	d := n.out[0].ref()
	load := narrowLoader(n, c, k)
	return func(f *frame) error {
		dst := elems[S](f, d)
		buf := f.scratch()
		for lo := 0; lo < len(dst); lo += chunkLen {
			hi := min(lo+chunkLen, len(dst))
			load(f, buf, buf[0][:hi-lo], lo)
			c.encode(dst[lo:hi], buf[0][:hi-lo])
		}
		return nil
	}
}

// narrowTo is narrow2 for a result that is no narrow float: a comparison.
func narrowTo[D, S any](n *node, c codec[S], k loop2[D, float32]) run {
	d := n.out[0].ref()
	load := narrowLoader(n, c, k)
	return func(f *frame) error {
		dst := elems[D](f, d)
		buf := f.scratch()
		for lo := 0; lo < len(dst); lo += chunkLen {
			load(f, buf, dst[lo:min(lo+chunkLen, len(dst))], lo)
		}
		return nil
	}
}

// narrowLoader decodes the operands from element lo on and applies k.
func narrowLoader[D, S any](n *node, c codec[S], k loop2[D, float32]) func(f *frame, buf *chunks, dst []D, lo int) {
	x, y, size := n.in[0].ref(), n.in[1].ref(), n.out[0].ref().n
	return func(f *frame, buf *chunks, dst []D, lo int) {
		hi := lo + len(dst)
		xs, ys := elems[S](f, x), elems[S](f, y)
		tx, ty := buf[1][:hi-lo], buf[2][:hi-lo]
		switch {
		case x.n < size:
			c.decode(tx[:1], xs)
			c.decode(ty, ys[lo:hi])
			k.sv(dst, tx[0], ty)
		case y.n < size:
			c.decode(tx, xs[lo:hi])
			c.decode(ty[:1], ys)
			k.vs(dst, tx, ty[0])
		default:
			c.decode(tx, xs[lo:hi])
			c.decode(ty, ys[lo:hi])
			k.vv(dst, tx, ty)
		}
	}
}

// then runs a second function on the result of n in place, after run.
func then[T any](n *node, first run, wrap func(x []T)) run {
	d := n.out[0].ref()
	n.ranged = nil
	return func(f *frame) error {
		if err := first(f); err != nil {
			return err
		}
		wrap(elems[T](f, d))
		return nil
	}
}

// wrapNarrow keeps the low bits of integers of 2 and 4 bits, which are computed in bytes.
func wrapNarrow(n *node, d array.DType, r run) run {
	switch d {
	case array.Int2:
		return then(n, r, func(x []int8) { wrapSigned(x, 6) })
	case array.Int4:
		return then(n, r, func(x []int8) { wrapSigned(x, 4) })
	case array.Uint2:
		return then(n, r, func(x []uint8) { wrapUnsigned(x, 3) })
	case array.Uint4:
		return then(n, r, func(x []uint8) { wrapUnsigned(x, 15) })
	}
	return r
}

func wrapSigned(x []int8, shift int) {
	for i, v := range x {
		x[i] = v << shift >> shift
	}
}

func wrapUnsigned(x []uint8, mask uint8) {
	for i := range x {
		x[i] &= mask
	}
}
