package np

import (
	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/primitive"
)

// unary applies a strict function after promotion to a floating-point or complex type.
func unary(op string, f func(*Array) *Array, x any) *Array { return f(inexact(op, x)[0]) }

// binary applies a strict function after promotion to a floating-point or complex type, and broadcasting.
func binary(op string, f func(x, y *Array) *Array, x, y any) *Array {
	xy := broadcast(op, inexact(op, x, y)...)
	return f(xy[0], xy[1])
}

// Add is x + y; of bools, or.
func Add(x, y any) *Array { return arr("add", x).Add(y) }

// Subtract is x - y.
func Subtract(x, y any) *Array { return arr("subtract", x).Sub(y) }

// Multiply is the elementwise product; of bools, and.
func Multiply(x, y any) *Array { return arr("multiply", x).Mul(y) }

// Divide is the true quotient: integers give floats.
func Divide(x, y any) *Array { return arr("divide", x).Div(y) }

// TrueDivide is Divide.
func TrueDivide(x, y any) *Array { return Divide(x, y) }

// FloorDivide is the largest integer that is not above x / y.
func FloorDivide(x, y any) *Array { return arr("floor_divide", x).FloorDiv(y) }

// Remainder is what FloorDivide leaves; it has the sign of y, as Python's %.
func Remainder(x, y any) *Array { return arr("remainder", x).Mod(y) }

// Mod is Remainder.
func Mod(x, y any) *Array { return Remainder(x, y) }

// Divmod is FloorDivide and Remainder.
func Divmod(x, y any) (quotient, remainder *Array) { return FloorDivide(x, y), Remainder(x, y) }

// Fmod is the remainder that has the sign of x, as C's fmod. An integer division by zero leaves 0.
func Fmod(x, y any) *Array {
	xy := broadcast("fmod", numeric("fmod", x, y)...)
	realOnly("fmod", xy...)
	if xy[0].DType().IsInteger() {
		xy[1] = Where(xy[1].Equal(0), like(xy[1], 1), xy[1])
	}
	return primitive.Rem(xy[0], xy[1])
}

// Power is x to the power y. A Go int y that is constant is multiplied out; integers to a negative power give 0.
func Power(x, y any) *Array { return arr("power", x).Pow(y) }

// Pow is Power.
func Pow(x, y any) *Array { return Power(x, y) }

// FloatPower is x to the power y computed in floating point.
func FloatPower(x, y any) *Array { return binary("float_power", primitive.Pow, x, y) }

// Negative is -x.
func Negative(x any) *Array { return arr("negative", x).Neg() }

// Positive is x.
func Positive(x any) *Array { return arr("positive", x) }

// Abs is the absolute value; of complex numbers the modulus, a real array.
func Abs(x any) *Array { return arr("absolute", x).Abs() }

// Absolute is Abs.
func Absolute(x any) *Array { return Abs(x) }

// Fabs is the absolute value in floating point, of real numbers.
func Fabs(x any) *Array {
	a := inexact("fabs", x)[0]
	realOnly("fabs", a)
	return primitive.Abs(a)
}

// Sign is -1, 0 or 1 as x is negative, zero or positive, NaN for NaN; of complex numbers x / |x|.
func Sign(x any) *Array { return primitive.Sign(arr("sign", x)) }

// Square is x x.
func Square(x any) *Array { return primitive.Square(numeric("square", x)[0]) }

// Sqrt is the square root, NaN for negative real numbers.
func Sqrt(x any) *Array { return unary("sqrt", primitive.Sqrt, x) }

// Cbrt is the real cube root.
func Cbrt(x any) *Array { return unary("cbrt", primitive.Cbrt, x) }

// Reciprocal is 1 / x, in floating point.
func Reciprocal(x any) *Array {
	return primitive.IntegerPow(inexact("reciprocal", x)[0], -1)
}

// Maximum is the larger of x and y; a NaN in either is NaN.
func Maximum(x, y any) *Array { return arr("maximum", x).Maximum(y) }

// Minimum is the smaller of x and y; a NaN in either is NaN.
func Minimum(x, y any) *Array { return arr("minimum", x).Minimum(y) }

// Fmax is the larger of x and y; where one is NaN, the other.
func Fmax(x, y any) *Array {
	return Where(arr("fmax", x).Greater(y).Or(IsNaN(y)), x, y)
}

// Fmin is the smaller of x and y; where one is NaN, the other.
func Fmin(x, y any) *Array {
	return Where(arr("fmin", x).Less(y).Or(IsNaN(y)), x, y)
}

// Clip limits x to lo … hi. A nil bound is absent; where lo > hi the result is hi.
func Clip(x, lo, hi any) *Array {
	a := arr("clip", x)
	realOnly("clip", a)
	if lo != nil {
		a = Maximum(lo, a)
	}
	if hi != nil {
		a = Minimum(hi, a)
	}
	return a
}

// Heaviside is 0 for negative x, 1 for positive, y where x is zero, NaN for NaN.
func Heaviside(x, y any) *Array {
	xy := broadcast("heaviside", inexact("heaviside", x, y)...)
	realOnly("heaviside", xy...)
	a := xy[0]
	zero, one := like(a, 0), like(a, 1)
	return Where(a.Less(zero), zero, Where(a.Greater(zero), one, Where(IsNaN(a), a, xy[1])))
}

// Copysign is |x| with the sign of y, in floating point.
func Copysign(x, y any) *Array {
	xy := inexact("copysign", x, y)
	realOnly("copysign", xy...)
	a := primitive.Abs(xy[0])
	return Where(Signbit(xy[1]), a.Neg(), a)
}

// Signbit reports whether the sign is set, also of -0 and NaN.
func Signbit(x any) *Array {
	a := arr("signbit", x)
	realOnly("signbit", a)
	d := a.DType()
	if !d.IsFloat() {
		return a.AsType(toNumeric(d)).Less(0)
	}
	whole, ok := intOfWidth[d.Size()]
	if !ok {
		fail("signbit", array.DTypeErrorf("is not defined for %s; convert to float32 first", d))
	}
	return primitive.BitcastConvert(a, whole).Less(0)
}

// intOfWidth is the signed integer of as many bytes.
var intOfWidth = map[int]DType{2: Int16, 4: Int32, 8: Int64}

// Nextafter is the next number after x in the direction of y.
func Nextafter(x, y any) *Array { return binary("nextafter", primitive.Nextafter, x, y) }

// Hypot is √(x² + y²) without overflow on the way.
func Hypot(x, y any) *Array { return arr("hypot", x).Hypot(y) }

// Gcd is the greatest common divisor of integers, never negative; of 0 and 0 it is 0.
func Gcd(x, y any) *Array {
	xy := integers("gcd", x, y)
	a, b := xy[0].Abs(), xy[1].Abs()
	// Euclid's algorithm takes the most steps on Fibonacci numbers, of which 93 fit in 64 bits.
	for range euclidSteps(a.DType()) {
		done := b.Equal(0)
		r := primitive.Rem(a, Where(done, like(b, 1), b))
		a, b = Where(done, a, b), Where(done, b, r)
	}
	return a
}

func euclidSteps(d DType) int { return int(1.45*float64(d.Bits())) + 2 }

// Lcm is the least common multiple of integers, never negative; 0 where one of them is 0.
func Lcm(x, y any) *Array {
	xy := integers("lcm", x, y)
	a, b := xy[0].Abs(), xy[1].Abs()
	g := Gcd(a, b)
	safe := Where(g.Equal(0), like(g, 1), g)
	return Where(g.Equal(0), like(g, 0), a.Mul(primitive.Div(b, safe)))
}

func integers(op string, vs ...any) []*Array {
	xs := broadcast(op, promote(op, vs...)...)
	if !xs[0].DType().IsInteger() {
		fail(op, array.DTypeErrorf("takes integers, got %s", xs[0].DType()))
	}
	return xs
}
