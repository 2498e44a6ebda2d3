package cpu

import (
	"cmp"
	"math"

	"github.com/pantograph-go/pantograph/array"
)

// emitCompare emits stablehlo.compare. Comparisons of floats are IEEE 754's, or its total order where TOTALORDER is
// asked: -NaN < -inf < … < -0 < +0 < … < +inf < NaN.
func emitCompare(_ *compiler, n *node) (run, error) {
	dir, d := enum(n.op, "comparison_direction"), n.in[0].dtype
	total := enum(n.op, "compare_type") == "TOTALORDER"
	if n.in[1].dtype != d || n.out[0].dtype != array.Bool {
		return nil, array.DTypeErrorf("operands of %s and %s, result of %s", d, n.in[1].dtype, n.out[0].dtype)
	}
	if c, ok := is16(d); ok {
		return withBinary(n, floatCompare(dir, total, orderFloat32), func(k loop2[uint8, float32]) run { return narrowTo(n, c, k) })
	}
	if c, ok := is8(d); ok {
		return withBinary(n, floatCompare(dir, total, orderFloat32), func(k loop2[uint8, float32]) run { return narrowTo(n, c, k) })
	}
	switch d {
	case array.Bool, array.Uint2, array.Uint4, array.Uint8:
		return with2(n, ordered[uint8](dir))
	case array.Int2, array.Int4, array.Int8:
		return with2(n, ordered[int8](dir))
	case array.Int16:
		return with2(n, ordered[int16](dir))
	case array.Int32:
		return with2(n, ordered[int32](dir))
	case array.Int64:
		return with2(n, ordered[int64](dir))
	case array.Uint16:
		return with2(n, ordered[uint16](dir))
	case array.Uint32:
		return with2(n, ordered[uint32](dir))
	case array.Uint64:
		return with2(n, ordered[uint64](dir))
	case array.Float32:
		return with2(n, floatCompare(dir, total, orderFloat32))
	case array.Float64:
		return with2(n, floatCompare(dir, total, orderFloat64))
	case array.Complex64:
		return with2(n, complexCompare[complex64](dir))
	case array.Complex128:
		return with2(n, complexCompare[complex128](dir))
	}
	return nil, unsupported(n)
}

// ordered finds the loops of a comparison with Go's operators.
func ordered[T cmp.Ordered](dir string) loop2[uint8, T] {
	switch dir {
	case "EQ":
		return binaryOf(func(x, y T) uint8 { return truth(x == y) })
	case "NE":
		return binaryOf(func(x, y T) uint8 { return truth(x != y) })
	case "LT":
		return binaryOf(func(x, y T) uint8 { return truth(x < y) })
	case "LE":
		return binaryOf(func(x, y T) uint8 { return truth(x <= y) })
	case "GT":
		return binaryOf(func(x, y T) uint8 { return truth(x > y) })
	case "GE":
		return binaryOf(func(x, y T) uint8 { return truth(x >= y) })
	}
	return loop2[uint8, T]{}
}

// floatCompare finds the loops for floats; order maps a float to an integer that sorts as the total order does.
func floatCompare[T floating](dir string, total bool, order func(T) int64) loop2[uint8, T] {
	if !total {
		return ordered[T](dir)
	}
	switch dir {
	case "EQ":
		return binaryOf(func(x, y T) uint8 { return truth(order(x) == order(y)) })
	case "NE":
		return binaryOf(func(x, y T) uint8 { return truth(order(x) != order(y)) })
	case "LT":
		return binaryOf(func(x, y T) uint8 { return truth(order(x) < order(y)) })
	case "LE":
		return binaryOf(func(x, y T) uint8 { return truth(order(x) <= order(y)) })
	case "GT":
		return binaryOf(func(x, y T) uint8 { return truth(order(x) > order(y)) })
	case "GE":
		return binaryOf(func(x, y T) uint8 { return truth(order(x) >= order(y)) })
	}
	return loop2[uint8, T]{}
}

func orderFloat32(x float32) int64 {
	b := int32(math.Float32bits(x))
	return int64(b ^ b>>31&math.MaxInt32)
}

func orderFloat64(x float64) int64 {
	b := int64(math.Float64bits(x))
	return b ^ b>>63&math.MaxInt64
}

// complexCompare finds the loops for complex numbers, which are only equal or not.
func complexCompare[T complexes](dir string) loop2[uint8, T] {
	switch dir {
	case "EQ":
		return binaryOf(func(x, y T) uint8 { return truth(x == y) })
	case "NE":
		return binaryOf(func(x, y T) uint8 { return truth(x != y) })
	}
	return loop2[uint8, T]{}
}
