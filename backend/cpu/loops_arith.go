package cpu

import "cmp"

// The loops of the arithmetic that programs spend their time in, written out so that the compiler sees the operation.

type arithmetic interface {
	integer | floating | complexes
}

func addVV[T arithmetic](dst, x, y []T) {
	x, y = x[:len(dst)], y[:len(dst)]
	for i := range dst {
		dst[i] = x[i] + y[i]
	}
}

func addVS[T arithmetic](dst, x []T, y T) {
	x = x[:len(dst)]
	for i := range dst {
		dst[i] = x[i] + y
	}
}

func subVV[T arithmetic](dst, x, y []T) {
	x, y = x[:len(dst)], y[:len(dst)]
	for i := range dst {
		dst[i] = x[i] - y[i]
	}
}

func subVS[T arithmetic](dst, x []T, y T) {
	x = x[:len(dst)]
	for i := range dst {
		dst[i] = x[i] - y
	}
}

func subSV[T arithmetic](dst []T, x T, y []T) {
	y = y[:len(dst)]
	for i := range dst {
		dst[i] = x - y[i]
	}
}

func mulVV[T arithmetic](dst, x, y []T) {
	x, y = x[:len(dst)], y[:len(dst)]
	for i := range dst {
		dst[i] = x[i] * y[i]
	}
}

func mulVS[T arithmetic](dst, x []T, y T) {
	x = x[:len(dst)]
	for i := range dst {
		dst[i] = x[i] * y
	}
}

func divVV[T floating](dst, x, y []T) {
	x, y = x[:len(dst)], y[:len(dst)]
	for i := range dst {
		dst[i] = x[i] / y[i]
	}
}

func divVS[T floating](dst, x []T, y T) {
	x = x[:len(dst)]
	for i := range dst {
		dst[i] = x[i] / y
	}
}

func divSV[T floating](dst []T, x T, y []T) {
	y = y[:len(dst)]
	for i := range dst {
		dst[i] = x / y[i]
	}
}

// The built-in max and min are IEEE 754's maximum and minimum: a NaN wins, and -0 is less than +0.

func maxVV[T cmp.Ordered](dst, x, y []T) {
	x, y = x[:len(dst)], y[:len(dst)]
	for i := range dst {
		dst[i] = max(x[i], y[i])
	}
}

func maxVS[T cmp.Ordered](dst, x []T, y T) {
	x = x[:len(dst)]
	for i := range dst {
		dst[i] = max(x[i], y)
	}
}

func minVV[T cmp.Ordered](dst, x, y []T) {
	x, y = x[:len(dst)], y[:len(dst)]
	for i := range dst {
		dst[i] = min(x[i], y[i])
	}
}

func minVS[T cmp.Ordered](dst, x []T, y T) {
	x = x[:len(dst)]
	for i := range dst {
		dst[i] = min(x[i], y)
	}
}

func andVV[T integer](dst, x, y []T) {
	x, y = x[:len(dst)], y[:len(dst)]
	for i := range dst {
		dst[i] = x[i] & y[i]
	}
}

func andVS[T integer](dst, x []T, y T) {
	x = x[:len(dst)]
	for i := range dst {
		dst[i] = x[i] & y
	}
}

func orVV[T integer](dst, x, y []T) {
	x, y = x[:len(dst)], y[:len(dst)]
	for i := range dst {
		dst[i] = x[i] | y[i]
	}
}

func orVS[T integer](dst, x []T, y T) {
	x = x[:len(dst)]
	for i := range dst {
		dst[i] = x[i] | y
	}
}

func xorVV[T integer](dst, x, y []T) {
	x, y = x[:len(dst)], y[:len(dst)]
	for i := range dst {
		dst[i] = x[i] ^ y[i]
	}
}

func xorVS[T integer](dst, x []T, y T) {
	x = x[:len(dst)]
	for i := range dst {
		dst[i] = x[i] ^ y
	}
}

// shiftLeft shifts by one amount, to 0 from the width on.
func shiftLeft[T integer](dst, x []T, by, width uint64) {
	if by >= width {
		clear(dst)
		return
	}
	x = x[:len(dst)]
	by &= 63
	for i := range dst {
		dst[i] = x[i] << by
	}
}

// shiftRight shifts the bits of mask by one amount, to 0 from the width on.
func shiftRight[T integer, U unsigned](dst, x []T, mask U, by, width uint64) {
	if by >= width {
		clear(dst)
		return
	}
	x = x[:len(dst)]
	by &= 63
	for i := range dst {
		dst[i] = T(U(x[i]) & mask >> by)
	}
}
