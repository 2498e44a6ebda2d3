package cpu

import (
	"math"
	"unsafe"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/backend"
	"github.com/pantograph-go/pantograph/internal/elementary"
)

type floating interface{ ~float32 | ~float64 }

type complexes interface{ ~complex64 | ~complex128 }

// emitBinary emits the operations of two operands of one type, with a result of that type.
func emitBinary(_ *compiler, n *node) (run, error) {
	name, d := n.op.Name, n.in[0].dtype
	if n.in[1].dtype != d || n.out[0].dtype != d {
		return nil, array.DTypeErrorf("operands of %s and %s, result of %s", d, n.in[1].dtype, n.out[0].dtype)
	}
	if c, ok := is16(d); ok {
		if name == "chlo.next_after" {
			return emit2(n, nextAfterBits(d)), nil
		}
		return withBinary(n, floatBinary[float32](name), func(k loop2[float32, float32]) run { return narrow2(n, c, k) })
	}
	if c, ok := is8(d); ok {
		return withBinary(n, floatBinary[float32](name), func(k loop2[float32, float32]) run { return narrow2(n, c, k) })
	}
	switch d {
	case array.Bool:
		return with2(n, boolBinary(name))
	case array.Float32:
		return with2(n, floatBinary[float32](name))
	case array.Float64:
		return with2(n, floatBinary[float64](name))
	case array.Complex64:
		return with2(n, complexBinary[complex64](name))
	case array.Complex128:
		return with2(n, complexBinary[complex128](name))
	case array.Int2, array.Int4, array.Int8:
		r, err := with2(n, signedBinary[int8, uint8](name, d.Bits()))
		return wrapNarrow(n, d, r), err
	case array.Int16:
		return with2(n, signedBinary[int16, uint16](name, 16))
	case array.Int32:
		return with2(n, signedBinary[int32, uint32](name, 32))
	case array.Int64:
		return with2(n, signedBinary[int64, uint64](name, 64))
	case array.Uint2, array.Uint4, array.Uint8:
		r, err := with2(n, unsignedBinary[uint8, int8](name, d.Bits()))
		return wrapNarrow(n, d, r), err
	case array.Uint16:
		return with2(n, unsignedBinary[uint16, int16](name, 16))
	case array.Uint32:
		return with2(n, unsignedBinary[uint32, int32](name, 32))
	case array.Uint64:
		return with2(n, unsignedBinary[uint64, int64](name, 64))
	}
	return nil, unsupported(n)
}

// unsupported says which operation is missing for which operand type.
func unsupported(n *node) error {
	return &backend.Unsupported{Feature: n.op.Name + " of " + n.in[0].dtype.String()}
}

func with2[D, X any](n *node, k loop2[D, X]) (run, error) {
	return withBinary(n, k, func(k loop2[D, X]) run { return emit2(n, k) })
}

func withBinary[D, X any](n *node, k loop2[D, X], emit func(loop2[D, X]) run) (run, error) {
	if k.vv == nil {
		return nil, unsupported(n)
	}
	return emit(k), nil
}

// floatBinary finds the loops of an operation on floats.
func floatBinary[T floating](name string) loop2[T, T] {
	via64 := func(fn func(x, y float64) float64) loop2[T, T] {
		return binaryOf(func(x, y T) T { return T(fn(float64(x), float64(y))) })
	}
	switch name {
	case "stablehlo.add":
		return loop2[T, T]{addVV[T], addVS[T], func(dst []T, x T, y []T) { addVS(dst, y, x) }}
	case "stablehlo.subtract":
		return loop2[T, T]{subVV[T], subVS[T], subSV[T]}
	case "stablehlo.multiply":
		return loop2[T, T]{mulVV[T], mulVS[T], func(dst []T, x T, y []T) { mulVS(dst, y, x) }}
	case "stablehlo.divide":
		return loop2[T, T]{divVV[T], divVS[T], divSV[T]}
	case "stablehlo.maximum":
		return loop2[T, T]{maxVV[T], maxVS[T], func(dst []T, x T, y []T) { maxVS(dst, y, x) }}
	case "stablehlo.minimum":
		return loop2[T, T]{minVV[T], minVS[T], func(dst []T, x T, y []T) { minVS(dst, y, x) }}
	case "stablehlo.remainder":
		return via64(math.Mod)
	case "stablehlo.power":
		if unsafe.Sizeof(T(0)) == 4 {
			return via64(elementary.PowFloat)
		}
		return via64(elementary.Pow)
	case "stablehlo.atan2":
		return via64(elementary.Atan2)
	case "chlo.polygamma":
		return via64(elementary.Polygamma)
	case "chlo.zeta":
		return via64(elementary.Zeta)
	case "chlo.next_after":
		return binaryOf(nextAfter[T])
	}
	return loop2[T, T]{}
}

// nextAfter is the number next to x in the direction of y.
func nextAfter[T floating](x, y T) T {
	switch any(x).(type) {
	case float32:
		return T(math.Nextafter32(float32(x), float32(y)))
	}
	return T(math.Nextafter(float64(x), float64(y)))
}

// nextAfterBits is nextAfter of the 16-bit float types, whose bit patterns are ordered like the numbers of one sign.
func nextAfterBits(d array.DType) loop2[uint16, uint16] {
	c, _ := is16(d)
	return binaryOf(func(x, y uint16) uint16 {
		vx, vy := c.get(x), c.get(y)
		switch {
		case vx != vx:
			return x
		case vy != vy:
			return y
		case vx == vy:
			return y
		case vx == 0:
			return y&0x8000 | 1
		case (vy > vx) == (vx > 0):
			return x + 1
		}
		return x - 1
	})
}

// boolBinary finds the loops of an operation on bools: addition is or, multiplication is and, true is the larger one.
func boolBinary(name string) loop2[uint8, uint8] {
	switch name {
	case "stablehlo.add", "stablehlo.maximum", "stablehlo.or":
		return binaryOf(func(x, y uint8) uint8 { return x | y })
	case "stablehlo.multiply", "stablehlo.minimum", "stablehlo.and":
		return binaryOf(func(x, y uint8) uint8 { return x & y })
	case "stablehlo.xor", "stablehlo.subtract":
		return binaryOf(func(x, y uint8) uint8 { return x ^ y })
	}
	return loop2[uint8, uint8]{}
}
