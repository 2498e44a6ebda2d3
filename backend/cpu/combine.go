package cpu

import (
	"unsafe"

	"github.com/pantograph-go/pantograph/array"
)

// vectorOp computes dst[i] = x[i] op y[i] for n elements of the type it was made for. dst may be x or y. The families
// that combine elements under index arithmetic (reduce, reduce_window, scatter) are written once in terms of it.
type vectorOp func(dst, x, y unsafe.Pointer, n int)

// vectorOpOf finds the loop of a binary operation for a type; narrow floats are rounded after each operation. It is nil
// where the type has no such operation.
func vectorOpOf(name string, d array.DType) vectorOp {
	if c, ok := is16(d); ok {
		return narrowOp(c, name)
	}
	if c, ok := is8(d); ok {
		return narrowOp(c, name)
	}
	switch d {
	case array.Bool:
		return erase(boolBinary(name))
	case array.Float32:
		return erase(floatBinary[float32](name))
	case array.Float64:
		return erase(floatBinary[float64](name))
	case array.Complex64:
		return erase(complexBinary[complex64](name))
	case array.Complex128:
		return erase(complexBinary[complex128](name))
	case array.Int8:
		return erase(signedBinary[int8, uint8](name, 8))
	case array.Int16:
		return erase(signedBinary[int16, uint16](name, 16))
	case array.Int32:
		return erase(signedBinary[int32, uint32](name, 32))
	case array.Int64:
		return erase(signedBinary[int64, uint64](name, 64))
	case array.Uint8:
		return erase(unsignedBinary[uint8, int8](name, 8))
	case array.Uint16:
		return erase(unsignedBinary[uint16, int16](name, 16))
	case array.Uint32:
		return erase(unsignedBinary[uint32, int32](name, 32))
	case array.Uint64:
		return erase(unsignedBinary[uint64, int64](name, 64))
	}
	return nil
}

func erase[T any](k loop2[T, T]) vectorOp {
	if k.vv == nil {
		return nil
	}
	return func(dst, x, y unsafe.Pointer, n int) {
		k.vv(unsafe.Slice((*T)(dst), n), unsafe.Slice((*T)(x), n), unsafe.Slice((*T)(y), n))
	}
}

// narrowOp is the loop of an operation that directBody knows, computed in float32.
func narrowOp[S any](c codec[S], name string) vectorOp {
	var fn func(x, y float32) float32
	switch name {
	case "stablehlo.add":
		fn = func(x, y float32) float32 { return x + y }
	case "stablehlo.multiply":
		fn = func(x, y float32) float32 { return x * y }
	case "stablehlo.maximum":
		fn = func(x, y float32) float32 { return max(x, y) }
	case "stablehlo.minimum":
		fn = func(x, y float32) float32 { return min(x, y) }
	default:
		return nil
	}
	return func(dst, x, y unsafe.Pointer, n int) {
		d, xs, ys := unsafe.Slice((*S)(dst), n), unsafe.Slice((*S)(x), n), unsafe.Slice((*S)(y), n)
		for i := range d {
			d[i] = c.put(fn(c.get(xs[i]), c.get(ys[i])))
		}
	}
}

// A row of up to foldShort elements is folded one by one, one of up to foldBlock in foldLanes partial results.
const (
	foldShort = 8
	foldLanes = 32
	foldBlock = 1024
)

// foldRow combines the n > 0 elements at x, which lie side by side, into dst: long rows are halved, shorter ones folded in lanes.
// So the error of a sum grows with the logarithm of its length, and the order depends on the length alone.
// buf holds foldLanes elements.
func foldRow(op vectorOp, size int, dst, x, buf unsafe.Pointer, n int) {
	if n > foldBlock {
		half := (n/2 + foldBlock - 1) / foldBlock * foldBlock
		foldRow(op, size, dst, x, buf, half)
		right := unsafe.Pointer(new(complex128)) // room for any element
		foldRow(op, size, right, unsafe.Add(x, half*size), buf, n-half)
		op(dst, dst, right, 1)
		return
	}
	if n <= foldShort {
		copyMem(dst, x, size)
		for i := 1; i < n; i++ {
			op(dst, dst, unsafe.Add(x, i*size), 1)
		}
		return
	}
	w := min(n, foldLanes)
	copyMem(buf, x, w*size)
	for i := w; i < n; i += w {
		op(buf, buf, unsafe.Add(x, i*size), min(w, n-i))
	}
	for w > 1 {
		h := (w + 1) / 2
		op(buf, buf, unsafe.Add(buf, h*size), w-h)
		w = h
	}
	copyMem(dst, buf, size)
}

func copyMem(dst, src unsafe.Pointer, n int) {
	copy(unsafe.Slice((*byte)(dst), n), unsafe.Slice((*byte)(src), n))
}
