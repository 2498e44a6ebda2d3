package cpu

import (
	"math"

	"github.com/pantograph-go/pantograph/array"
)

// emitConvert emits stablehlo.convert. Integers wrap to narrower integers; floats are truncated to integers, saturate
// at their ends, and a NaN is 0; anything but zero is true; a complex number is converted like its real part.
func emitConvert(_ *compiler, n *node) (run, error) {
	from, to := n.in[0].dtype, n.out[0].dtype
	var r run
	switch from {
	case array.Bool:
		r = fromInteger[uint8](n, to)
	case array.Int2, array.Int4, array.Int8:
		r = fromInteger[int8](n, to)
	case array.Int16:
		r = fromInteger[int16](n, to)
	case array.Int32:
		r = fromInteger[int32](n, to)
	case array.Int64:
		r = fromInteger[int64](n, to)
	case array.Uint2, array.Uint4, array.Uint8:
		r = fromInteger[uint8](n, to)
	case array.Uint16:
		r = fromInteger[uint16](n, to)
	case array.Uint32:
		r = fromInteger[uint32](n, to)
	case array.Uint64:
		r = fromInteger[uint64](n, to)
	case array.Float32:
		r = fromFloat[float32](n, to)
	case array.Float64:
		r = fromFloat[float64](n, to)
	case array.Complex64:
		r = fromComplex[complex64](n, to)
	case array.Complex128:
		r = fromComplex[complex128](n, to)
	default:
		r = fromNarrow(n, from, to)
	}
	if r == nil {
		return nil, unsupported(n)
	}
	return wrapNarrow(n, to, r), nil
}

// fromInteger converts integers, and bools as 0 and 1.
func fromInteger[S integer](n *node, to array.DType) run {
	if c, ok := is16(to); ok {
		return narrowFrom(n, c, unaryOf(oddFromInteger[S]))
	}
	if c, ok := is8(to); ok {
		return narrowFrom(n, c, unaryOf(oddFromInteger[S]))
	}
	switch to {
	case array.Bool:
		return emit1(n, unaryOf(func(x S) uint8 { return truth(x != 0) }))
	case array.Int2, array.Int4, array.Int8:
		return emit1(n, cast[int8, S])
	case array.Int16:
		return emit1(n, cast[int16, S])
	case array.Int32:
		return emit1(n, cast[int32, S])
	case array.Int64:
		return emit1(n, cast[int64, S])
	case array.Uint2, array.Uint4, array.Uint8:
		return emit1(n, cast[uint8, S])
	case array.Uint16:
		return emit1(n, cast[uint16, S])
	case array.Uint32:
		return emit1(n, cast[uint32, S])
	case array.Uint64:
		return emit1(n, cast[uint64, S])
	case array.Float32:
		return emit1(n, cast[float32, S])
	case array.Float64:
		return emit1(n, cast[float64, S])
	case array.Complex64:
		return emit1(n, unaryOf(func(x S) complex64 { return complex(float32(x), 0) }))
	case array.Complex128:
		return emit1(n, unaryOf(func(x S) complex128 { return complex(float64(x), 0) }))
	}
	return nil
}

// fromFloat converts float32 and float64.
func fromFloat[S floating](n *node, to array.DType) run {
	if c, ok := is16(to); ok {
		return narrowFrom(n, c, unaryOf(oddFromFloat[S]))
	}
	if c, ok := is8(to); ok {
		return narrowFrom(n, c, unaryOf(oddFromFloat[S]))
	}
	switch to {
	case array.Bool:
		return emit1(n, unaryOf(nonzero[S]))
	case array.Int2, array.Int4, array.Int8:
		return emit1(n, saturate[int8, S](signedRange[int8](to)))
	case array.Int16:
		return emit1(n, saturate[int16, S](signedRange[int16](to)))
	case array.Int32:
		return emit1(n, saturate[int32, S](signedRange[int32](to)))
	case array.Int64:
		return emit1(n, saturate[int64, S](signedRange[int64](to)))
	case array.Uint2, array.Uint4, array.Uint8:
		return emit1(n, saturate[uint8, S](0, uint8(1<<to.Bits()-1)))
	case array.Uint16:
		return emit1(n, saturate[uint16, S](0, math.MaxUint16))
	case array.Uint32:
		return emit1(n, saturate[uint32, S](0, math.MaxUint32))
	case array.Uint64:
		return emit1(n, saturate[uint64, S](0, math.MaxUint64))
	case array.Float32:
		return emit1(n, cast[float32, S])
	case array.Float64:
		return emit1(n, cast[float64, S])
	case array.Complex64:
		return emit1(n, unaryOf(func(x S) complex64 { return complex(float32(x), 0) }))
	case array.Complex128:
		return emit1(n, unaryOf(func(x S) complex128 { return complex(float64(x), 0) }))
	}
	return nil
}

// fromComplex converts complex numbers to complex numbers and to floats of the width of their parts; the builder takes the
// real part before any other conversion.
func fromComplex[S complexes](n *node, to array.DType) run {
	switch to {
	case array.Float32:
		return emit1(n, unaryOf(func(x S) float32 { return float32(real(complex128(x))) }))
	case array.Float64:
		return emit1(n, unaryOf(func(x S) float64 { return real(complex128(x)) }))
	case array.Complex64:
		return emit1(n, unaryOf(func(x S) complex64 { return complex64(x) }))
	case array.Complex128:
		return emit1(n, unaryOf(func(x S) complex128 { return complex128(x) }))
	}
	return nil
}

// fromNarrow converts floats of 16 and fewer bits.
func fromNarrow(n *node, from, to array.DType) run {
	if c, ok := is16(from); ok {
		return decodeAnd(n, c, to)
	}
	if c, ok := is8(from); ok {
		return decodeAnd(n, c, to)
	}
	return nil
}

func decodeAnd[S any](n *node, c codec[S], to array.DType) run {
	if t, ok := is16(to); ok {
		return reencode(n, c, t)
	}
	if t, ok := is8(to); ok {
		return reencode(n, c, t)
	}
	switch to {
	case array.Bool:
		return narrow1To(n, c, unaryOf(nonzero[float32]))
	case array.Int2, array.Int4, array.Int8:
		return narrow1To(n, c, saturate[int8, float32](signedRange[int8](to)))
	case array.Int16:
		return narrow1To(n, c, saturate[int16, float32](signedRange[int16](to)))
	case array.Int32:
		return narrow1To(n, c, saturate[int32, float32](signedRange[int32](to)))
	case array.Int64:
		return narrow1To(n, c, saturate[int64, float32](signedRange[int64](to)))
	case array.Uint2, array.Uint4, array.Uint8:
		return narrow1To(n, c, saturate[uint8, float32](0, uint8(1<<to.Bits()-1)))
	case array.Uint16:
		return narrow1To(n, c, saturate[uint16, float32](0, math.MaxUint16))
	case array.Uint32:
		return narrow1To(n, c, saturate[uint32, float32](0, math.MaxUint32))
	case array.Uint64:
		return narrow1To(n, c, saturate[uint64, float32](0, math.MaxUint64))
	case array.Float32:
		return narrow1To(n, c, cast[float32, float32])
	case array.Float64:
		return narrow1To(n, c, cast[float64, float32])
	case array.Complex64:
		return narrow1To(n, c, unaryOf(func(x float32) complex64 { return complex(x, 0) }))
	case array.Complex128:
		return narrow1To(n, c, unaryOf(func(x float32) complex128 { return complex(float64(x), 0) }))
	}
	return nil
}

func reencode[D, S any](n *node, from codec[S], to codec[D]) run {
	d, x := n.out[0].ref(), n.in[0].ref()
	return func(f *frame) error {
		dst, x := elems[D](f, d), elems[S](f, x)
		buf := f.scratch()
		for lo := 0; lo < len(dst); lo += chunkLen {
			hi := min(lo+chunkLen, len(dst))
			from.decode(buf[0][:hi-lo], x[lo:hi])
			to.encode(dst[lo:hi], buf[0][:hi-lo])
		}
		return nil
	}
}

// cast converts as Go does: integers wrap, floats round to nearest.
func cast[D, S integer | floating](dst []D, x []S) {
	x = x[:len(dst)]
	for i := range dst {
		dst[i] = D(x[i])
	}
}

func nonzero[S floating](x S) uint8 { return truth(x != 0) }

// signedRange is the range of a signed type of T's or a smaller width.
func signedRange[T signed](d array.DType) (lo, hi T) {
	hi = T(1)<<(d.Bits()-1) - 1
	return -hi - 1, hi
}

// saturate truncates floats to integers in [lo, hi]; a NaN is 0.
func saturate[D integer, S floating](lo, hi D) loop1[D, S] {
	flo, fhi := float64(lo), float64(hi) // fhi may round up to the next power of two, which the test below allows for
	return unaryOf(func(x S) D {
		switch v := float64(x); {
		case v != v:
			return 0
		case v <= flo:
			return lo
		case v >= fhi:
			return hi
		default:
			return D(v)
		}
	})
}

// oddFromFloat rounds to float32 such that rounding the result to a narrower type equals rounding x once: where x is not a
// float32, the last bit is set (round to odd).
func oddFromFloat[S floating](x S) float32 {
	v := float64(x)
	r := float32(v)
	if float64(r) == v || v != v {
		return r
	}
	b := math.Float32bits(r)
	if math.Abs(float64(r)) > math.Abs(v) { // r was rounded away from zero: step back
		b--
	}
	return math.Float32frombits(b | 1)
}

// oddFromInteger does the same for integers.
func oddFromInteger[S integer](x S) float32 {
	v := float64(x)
	if S(0)-1 < 0 { // signed
		if i := int64(x); i > 1<<53 || i < -1<<53 {
			sticky := i&0x7ff != 0
			i &^= 0x7ff
			if sticky {
				i |= 0x400
			}
			v = float64(i)
		}
	} else if u := uint64(x); u > 1<<53 {
		sticky := u&0xfff != 0
		u &^= 0xfff
		if sticky {
			u |= 0x800
		}
		v = float64(u)
	}
	return oddFromFloat(v)
}
