package cpu

import "math/bits"

type signed interface {
	~int8 | ~int16 | ~int32 | ~int64
}

type unsigned interface {
	~uint8 | ~uint16 | ~uint32 | ~uint64
}

type integer interface{ signed | unsigned }

// integerBinary finds the loops that signed and unsigned integers share.
func integerBinary[T integer](name string) loop2[T, T] {
	switch name {
	case "stablehlo.add":
		return loop2[T, T]{addVV[T], addVS[T], func(dst []T, x T, y []T) { addVS(dst, y, x) }}
	case "stablehlo.subtract":
		return loop2[T, T]{subVV[T], subVS[T], subSV[T]}
	case "stablehlo.multiply":
		return loop2[T, T]{mulVV[T], mulVS[T], func(dst []T, x T, y []T) { mulVS(dst, y, x) }}
	case "stablehlo.maximum":
		return loop2[T, T]{maxVV[T], maxVS[T], func(dst []T, x T, y []T) { maxVS(dst, y, x) }}
	case "stablehlo.minimum":
		return loop2[T, T]{minVV[T], minVS[T], func(dst []T, x T, y []T) { minVS(dst, y, x) }}
	case "stablehlo.and":
		return loop2[T, T]{andVV[T], andVS[T], func(dst []T, x T, y []T) { andVS(dst, y, x) }}
	case "stablehlo.or":
		return loop2[T, T]{orVV[T], orVS[T], func(dst []T, x T, y []T) { orVS(dst, y, x) }}
	case "stablehlo.xor":
		return loop2[T, T]{xorVV[T], xorVS[T], func(dst []T, x T, y []T) { xorVS(dst, y, x) }}
	case "stablehlo.divide":
		return binaryOf(divide[T])
	case "stablehlo.remainder":
		return binaryOf(remainder[T])
	}
	return loop2[T, T]{}
}

// divide truncates; a quotient by zero has all bits set, as in XLA. The smallest number by -1 is itself.
func divide[T integer](x, y T) T {
	if y == 0 {
		return ^T(0)
	}
	return x / y
}

// remainder has the sign of x; by zero it is x.
func remainder[T integer](x, y T) T {
	if y == 0 {
		return x
	}
	return x % y
}

// signedBinary finds the loops of an operation on signed integers of a width up to that of T; U is unsigned of T's size.
func signedBinary[T signed, U unsigned](name string, width int) loop2[T, T] {
	if k := shifts[T, T, U](name, width); k.vv != nil {
		return k
	}
	switch name {
	case "stablehlo.power":
		return binaryOf(func(x, y T) T {
			if y < 0 {
				return reciprocalPower(x, y)
			}
			return intPower(x, uint64(y))
		})
	case "chlo.mulhi":
		return binaryOf(func(x, y T) T {
			if width < 64 {
				return T(int64(x) * int64(y) >> width)
			}
			hi, _ := bits.Mul64(uint64(x), uint64(y))
			return T(int64(hi) - int64(x)>>63&int64(y) - int64(y)>>63&int64(x))
		})
	}
	return integerBinary[T](name)
}

// unsignedBinary is signedBinary for unsigned integers; S is signed of T's size.
func unsignedBinary[T unsigned, S signed](name string, width int) loop2[T, T] {
	if k := shifts[T, S, T](name, width); k.vv != nil {
		return k
	}
	switch name {
	case "stablehlo.power":
		return binaryOf(func(x, y T) T { return intPower(x, uint64(y)) })
	case "chlo.mulhi":
		return binaryOf(func(x, y T) T {
			if width < 64 {
				return T(uint64(x) * uint64(y) >> width)
			}
			hi, _ := bits.Mul64(uint64(x), uint64(y))
			return T(hi)
		})
	}
	return integerBinary[T](name)
}

// shifts finds the loops of the shifts. The amount is read as unsigned; one past the width shifts everything out.
// S and U are the signed and unsigned types of T's size.
func shifts[T integer, S signed, U unsigned](name string, width int) loop2[T, T] {
	mask := U(1)<<(width-1)<<1 - 1
	unused := bits.Len64(uint64(^U(0))) - width // bits of T above the width
	switch name {
	case "stablehlo.shift_left":
		k := binaryOf(func(x, y T) T {
			if U(y)&mask >= U(width) {
				return 0
			}
			return x << U(y)
		})
		k.vs = func(dst, x []T, y T) { shiftLeft(dst, x, uint64(U(y)&mask), uint64(width)) }
		return k
	case "stablehlo.shift_right_logical":
		k := binaryOf(func(x, y T) T {
			if U(y)&mask >= U(width) {
				return 0
			}
			return T(U(x) & mask >> U(y))
		})
		k.vs = func(dst, x []T, y T) { shiftRight(dst, x, mask, uint64(U(y)&mask), uint64(width)) }
		return k
	case "stablehlo.shift_right_arithmetic":
		return binaryOf(func(x, y T) T {
			return T(S(U(x)<<unused) >> unused >> min(U(y)&mask, U(width-1)))
		})
	}
	return loop2[T, T]{}
}

// intPower multiplies with wrapping.
func intPower[T integer](x T, y uint64) T {
	r := T(1)
	for ; y > 0; y >>= 1 {
		if y&1 == 1 {
			r *= x
		}
		x *= x
	}
	return r
}

// reciprocalPower is x to a negative power: 0 but for 1 and -1.
func reciprocalPower[T signed](x, y T) T {
	switch {
	case x == 1, x == -1 && y&1 == 0:
		return 1
	case x == -1:
		return -1
	}
	return 0
}

// integerUnary finds the loops that signed and unsigned integers of a width share.
func integerUnary[T integer](name string, width int) loop1[T, T] {
	mask := uint64(1)<<(width-1)<<1 - 1
	switch name {
	case "stablehlo.negate":
		return unaryOf(func(x T) T { return -x })
	case "stablehlo.abs":
		return unaryOf(func(x T) T {
			if x < 0 {
				return -x
			}
			return x
		})
	case "stablehlo.sign":
		return unaryOf(func(x T) T {
			switch {
			case x > 0:
				return 1
			case x < 0:
				return ^T(0) // only a signed x is below zero
			}
			return 0
		})
	case "stablehlo.not":
		return unaryOf(func(x T) T { return ^x })
	case "stablehlo.popcnt":
		return unaryOf(func(x T) T { return T(bits.OnesCount64(uint64(x) & mask)) })
	case "stablehlo.count_leading_zeros":
		return unaryOf(func(x T) T { return T(width - bits.Len64(uint64(x)&mask)) })
	case "chlo.square":
		return unaryOf(func(x T) T { return x * x })
	}
	return nil
}
