package array

import (
	"fmt"
	"math"
)

// Element access by number: general and slow, for tests, printing, parsing and reference paths. Kernels use View.

// Float is element i as a float64: the real part of a complex number, 0 or 1 for a bool. 64-bit integers round once.
func (b *Buffer) Float(i int) float64 {
	switch b.dtype {
	case Float32:
		return float64(View[float32](b)[i])
	case Float64:
		return View[float64](b)[i]
	case Complex64:
		return float64(real(View[complex64](b)[i]))
	case Complex128:
		return real(View[complex128](b)[i])
	case BFloat16, Float16:
		return narrows[b.dtype].decode(View[uint16](b)[i])
	case Uint64:
		return float64(View[uint64](b)[i])
	}
	if b.dtype < numDTypes && narrows[b.dtype] != nil {
		return narrows[b.dtype].decode(uint16(b.data[i]))
	}
	return float64(b.Int(i))
}

// SetFloat stores v, rounded once to the buffer's type; bool becomes v != 0, complex gets a zero imaginary part,
// integers truncate towards zero and saturate, and take NaN as 0.
func (b *Buffer) SetFloat(i int, v float64) {
	switch b.dtype {
	case Float32:
		View[float32](b)[i] = float32(v)
	case Float64:
		View[float64](b)[i] = v
	case Complex64:
		View[complex64](b)[i] = complex(float32(v), 0)
	case Complex128:
		View[complex128](b)[i] = complex(v, 0)
	case BFloat16, Float16:
		View[uint16](b)[i] = narrows[b.dtype].encode(v)
	case Bool:
		b.data[i] = 0
		if v != 0 {
			b.data[i] = 1
		}
	case Uint64:
		View[uint64](b)[i] = truncateUint(v, 64)
	case Float0:
	default:
		if b.dtype < numDTypes && narrows[b.dtype] != nil {
			b.data[i] = uint8(narrows[b.dtype].encode(v))
			return
		}
		if b.dtype.Kind() == KindUint {
			b.SetInt(i, int64(truncateUint(v, b.dtype.Bits())))
			return
		}
		b.SetInt(i, truncateInt(v, b.dtype.Bits()))
	}
}

// truncateInt is v towards zero in a signed integer of the given width, saturated; NaN is 0.
func truncateInt(v float64, bits int) int64 {
	limit := pow2(bits - 1)
	switch {
	case v != v:
		return 0
	case v >= limit:
		return 1<<(bits-1) - 1
	case v < -limit:
		return -1 << (bits - 1)
	}
	return int64(v)
}

// truncateUint is v towards zero in an unsigned integer of the given width, saturated; NaN is 0.
func truncateUint(v float64, bits int) uint64 {
	switch {
	case !(v > 0):
		return 0
	case v >= pow2(bits):
		return 1<<bits - 1
	}
	return uint64(v)
}

// Int is element i as an int64. Floats truncate towards zero and saturate, NaN is 0, complex gives its real part, uint64
// keeps its bits: see Uint.
func (b *Buffer) Int(i int) int64 {
	switch b.dtype {
	case Bool, Uint8, Uint2, Uint4:
		return int64(b.data[i])
	case Int8, Int2, Int4:
		return int64(int8(b.data[i]))
	case Int16:
		return int64(View[int16](b)[i])
	case Int32:
		return int64(View[int32](b)[i])
	case Int64:
		return View[int64](b)[i]
	case Uint16:
		return int64(View[uint16](b)[i])
	case Uint32:
		return int64(View[uint32](b)[i])
	case Uint64:
		return int64(View[uint64](b)[i])
	case Float0:
		return 0
	}
	b.refuseKey()
	return truncateInt(b.Float(i), 64)
}

// SetInt stores v. A narrower integer keeps the low bits (for uint64: the bits of v), bool becomes v != 0, floats round
// once.
func (b *Buffer) SetInt(i int, v int64) {
	switch b.dtype {
	case Int8, Uint8:
		b.data[i] = uint8(v)
	case Int2:
		b.data[i] = uint8(int8(v<<6) >> 6)
	case Int4:
		b.data[i] = uint8(int8(v<<4) >> 4)
	case Uint2:
		b.data[i] = uint8(v) & 3
	case Uint4:
		b.data[i] = uint8(v) & 15
	case Int16, Uint16:
		View[uint16](b)[i] = uint16(v)
	case Int32, Uint32:
		View[uint32](b)[i] = uint32(v)
	case Int64, Uint64:
		View[int64](b)[i] = v
	case Bool:
		b.data[i] = 0
		if v != 0 {
			b.data[i] = 1
		}
	case Float32:
		View[float32](b)[i] = float32(v)
	case Complex64:
		View[complex64](b)[i] = complex(float32(v), 0)
	case Float0:
	default:
		b.refuseKey()
		if narrows[b.dtype] != nil {
			b.SetFloat(i, oddFloat(v))
			return
		}
		b.SetFloat(i, float64(v))
	}
}

// oddFloat is v in a float64 whose last bit is set where v does not fit, so that rounding it once more to a narrower
// type gives what rounding v itself would.
func oddFloat(v int64) float64 {
	if v < 0 {
		return -oddUfloat(uint64(-v))
	}
	return oddUfloat(uint64(v))
}

func oddUfloat(v uint64) float64 {
	if v>>53 != 0 && v&(1<<11-1) != 0 {
		v = v&^(1<<11-1) | 1<<11
	}
	return float64(v)
}

// Uint is element i as a uint64: for unsigned types its value, for others Int by its bits, floats saturated at 0.
func (b *Buffer) Uint(i int) uint64 {
	if b.dtype.IsInexact() {
		return truncateUint(b.Float(i), 64)
	}
	return uint64(b.Int(i))
}

// SetUint stores v. A narrower integer keeps the low bits; floats round once.
func (b *Buffer) SetUint(i int, v uint64) {
	switch {
	case v>>63 == 0 || !b.dtype.IsInexact():
		b.SetInt(i, int64(v))
	case b.dtype == Float32:
		View[float32](b)[i] = float32(v)
	case b.dtype == Complex64:
		View[complex64](b)[i] = complex(float32(v), 0)
	case narrows[b.dtype] != nil:
		b.SetFloat(i, oddUfloat(v))
	default:
		b.SetFloat(i, float64(v))
	}
}

// Complex is element i as a complex128; a real number has a zero imaginary part.
func (b *Buffer) Complex(i int) complex128 {
	switch b.dtype {
	case Complex64:
		return complex128(View[complex64](b)[i])
	case Complex128:
		return View[complex128](b)[i]
	}
	return complex(b.Float(i), 0)
}

// SetComplex stores v; a real type takes its real part.
func (b *Buffer) SetComplex(i int, v complex128) {
	switch b.dtype {
	case Complex64:
		View[complex64](b)[i] = complex64(v)
	case Complex128:
		View[complex128](b)[i] = v
	default:
		b.SetFloat(i, real(v))
	}
}

// Bool reports whether element i differs from zero; a NaN does.
func (b *Buffer) Bool(i int) bool {
	if b.dtype.IsInexact() {
		return b.Complex(i) != 0
	}
	return b.Int(i) != 0
}

// SetBool stores 1 or 0.
func (b *Buffer) SetBool(i int, v bool) {
	var n int64
	if v {
		n = 1
	}
	b.SetInt(i, n)
}

func (b *Buffer) refuseKey() {
	if b.dtype.IsKey() {
		panic(fmt.Sprintf("array: an element of %s is no number; read the words with View[uint32]", b.dtype))
	}
}

// RoundTo is v rounded once to the type d: to the nearest float with ties to even, to an integer by truncation and
// saturation, to 0 or 1 for a bool.
func RoundTo(d DType, v float64) float64 {
	switch d {
	case Float64, Complex128:
		return v
	case Float32, Complex64:
		return float64(float32(v))
	case Bool:
		if v != 0 {
			return 1
		}
		return 0
	}
	switch d.Kind() {
	case KindFloat:
		return narrows[d].decode(narrows[d].encode(v))
	case KindInt:
		return float64(truncateInt(v, d.Bits()))
	case KindUint:
		return float64(truncateUint(v, d.Bits()))
	}
	return math.NaN()
}
