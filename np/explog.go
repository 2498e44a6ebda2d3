package np

import (
	"math"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/primitive"
)

// Exp is e to the power x.
func Exp(x any) *Array { return unary("exp", primitive.Exp, x) }

// Exp2 is 2 to the power x.
func Exp2(x any) *Array { return unary("exp2", primitive.Exp2, x) }

// Expm1 is exp(x) - 1, exact also for small x.
func Expm1(x any) *Array { return unary("expm1", primitive.Expm1, x) }

// Log is the natural logarithm, NaN for negative real numbers.
func Log(x any) *Array { return unary("log", primitive.Log, x) }

// Log1p is log(1 + x), exact also for small x.
func Log1p(x any) *Array { return unary("log1p", primitive.Log1p, x) }

// Log2 is the logarithm to base 2.
func Log2(x any) *Array { return scaledLog("log2", x, 1/math.Ln2) }

// Log10 is the logarithm to base 10.
func Log10(x any) *Array { return scaledLog("log10", x, 1/math.Ln10) }

func scaledLog(op string, x any, scale float64) *Array {
	r := primitive.Log(inexact(op, x)[0])
	if r.DType().IsComplex() {
		return primitive.Complex(r.Real().Mul(scale), r.Imag().Mul(scale))
	}
	if op == "log2" { // the quotient is exact at powers of two
		return r.Div(primitive.Log(like(r, 2)))
	}
	return r.Mul(scale)
}

// Logaddexp is log(exp x + exp y) without overflow.
func Logaddexp(x, y any) *Array {
	xy := broadcast("logaddexp", inexact("logaddexp", x, y)...)
	return logAddExp(xy[0], xy[1])
}

// logAddExp is max + log1p(exp(-|x - y|)); equal infinities, whose difference is NaN, give their sum.
func logAddExp(x, y *Array) *Array {
	if x.DType().IsComplex() {
		return complexLogAddExp(x, y)
	}
	d := x.Sub(y)
	return Where(IsNaN(d), x.Add(y), x.Maximum(y).Add(primitive.Log1p(primitive.Exp(primitive.Abs(d).Neg()))))
}

// complexLogAddExp orders by the real parts and brings the imaginary part of the result to (-π, π].
func complexLogAddExp(x, y *Array) *Array {
	first := x.GreaterEqual(y)
	hi, lo := Where(first, x, y), Where(first, y, x)
	d := lo.Sub(hi)
	r := hi.Add(primitive.Log1p(primitive.Exp(d)))
	im := r.Imag()
	turns := primitive.Ceil(im.Div(2 * math.Pi).Sub(0.5))
	r = primitive.Complex(r.Real(), im.Sub(turns.Mul(2*math.Pi)))
	return Where(IsNaN(d), x.Add(y), r)
}

// Logaddexp2 is log2(2^x + 2^y) without overflow.
func Logaddexp2(x, y any) *Array {
	xy := broadcast("logaddexp2", inexact("logaddexp2", x, y)...)
	a, b := xy[0], xy[1]
	return logAddExp(a.Mul(math.Ln2), b.Mul(math.Ln2)).Div(math.Ln2)
}

// Ldexp is x times 2 to the power of the integer n. The power is split where it alone would overflow.
func Ldexp(x, n any) *Array {
	a, e := inexact("ldexp", x)[0], arr("ldexp", n)
	realOnly("ldexp", a)
	if !e.DType().IsInteger() {
		fail("ldexp", array.DTypeErrorf("the exponent must be an integer, got %s", e.DType()))
	}
	half := e.FloorDiv(2)
	r := a.Mul(primitive.Exp2(half.AsType(a.DType()))).Mul(primitive.Exp2(e.Sub(half).AsType(a.DType())))
	return Where(IsInf(a).Or(a.Equal(0)), a, r)
}

// floatFormat describes the float types that Frexp takes apart.
type floatFormat struct {
	whole          DType
	mantissa, bias int
	exponentMask   int64
}

var floatFormats = map[DType]floatFormat{
	Float16:  {Int16, 10, 15, 1<<5 - 1},
	BFloat16: {Int16, 7, 127, 1<<8 - 1},
	Float32:  {Int32, 23, 127, 1<<8 - 1},
	Float64:  {Int64, 52, 1023, 1<<11 - 1},
}

// Frexp takes x apart into a fraction of magnitude in [½, 1) and an int32 exponent, x = fraction 2^exponent. Zeros,
// infinities and NaN are their own fraction with exponent 0.
func Frexp(x any) (fraction, exponent *Array) {
	a := inexact("frexp", x)[0]
	f, ok := floatFormats[a.DType()]
	if !ok {
		fail("frexp", array.DTypeErrorf("takes real numbers, got %s", a.DType()))
	}
	subnormal := primitive.Abs(a).Less(math.Ldexp(1, 1-f.bias))
	scaled := Where(subnormal, a.Mul(math.Ldexp(1, f.mantissa)), a)
	bits := primitive.BitcastConvert(scaled, f.whole)
	e := bits.ShiftRight(f.mantissa).And(int(f.exponentMask)).Sub(f.bias - 1)
	e = e.Sub(Where(subnormal, f.mantissa, 0))
	bits = bits.And(int(^(f.exponentMask << f.mantissa))).Or(int(int64(f.bias-1) << f.mantissa))
	special := IsFinite(a).Not().Or(a.Equal(0))
	e = Where(special, 0, e).AsType(Int32)
	// The value is bits; the derivative that of x 2^-exponent.
	fraction = a.Mul(primitive.StopGradient(Exp2(e.Neg().AsType(a.DType()))))
	exact := primitive.BitcastConvert(bits, a.DType())
	fraction = Where(special, a, fraction.Add(primitive.StopGradient(exact.Sub(fraction))))
	return fraction, e
}

// Modf is the fractional and the whole part of x; both have its sign.
func Modf(x any) (fraction, whole *Array) {
	a := inexact("modf", x)[0]
	realOnly("modf", a)
	whole = Where(a.GreaterEqual(0), primitive.Floor(a), primitive.Ceil(a))
	return a.Sub(whole), whole
}

// Sinc is sin(πx) / (πx), 1 at 0.
func Sinc(x any) *Array {
	a := inexact("sinc", x)[0]
	zero := a.Equal(0)
	p := a.Mul(math.Pi)
	safe := Where(zero, like(p, 1), p)
	// Near 0 the first terms of the series carry the derivatives, which the quotient does not have at 0.
	q := primitive.Square(Where(zero, p, like(p, 0)))
	return Where(zero, q.Mul(q.Mul(1./120).Sub(1./6)).Add(1), primitive.Sin(safe).Div(safe))
}
