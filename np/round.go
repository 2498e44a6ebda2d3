package np

import (
	"math"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/primitive"
)

// Floor is the largest integer not above x, in the type of x.
func Floor(x any) *Array { return roundWith("floor", primitive.Floor, x) }

// Ceil is the smallest integer not below x, in the type of x.
func Ceil(x any) *Array { return roundWith("ceil", primitive.Ceil, x) }

// Trunc is the integer part of x, in the type of x.
func Trunc(x any) *Array {
	return roundWith("trunc", func(a *Array) *Array {
		return Where(a.Less(0), primitive.Ceil(a), primitive.Floor(a))
	}, x)
}

func roundWith(op string, f func(*Array) *Array, x any) *Array {
	a := arr(op, x)
	realOnly(op, a)
	if !a.DType().IsFloat() {
		return a
	}
	return f(a)
}

// Rint is the nearest integer, the even one of two, as a float; integers become float64.
func Rint(x any) *Array {
	a := arr("rint", x)
	if !a.DType().IsInexact() {
		return a.AsType(Float64)
	}
	return byParts(a, primitive.RoundNearestEven)
}

// byParts applies f to a real array, or to both parts of a complex one.
func byParts(a *Array, f func(*Array) *Array) *Array {
	if a.DType().IsComplex() {
		return primitive.Complex(f(a.Real()), f(a.Imag()))
	}
	return f(a)
}

// Round rounds to the given number of decimals, halves to even; integers stay as they are.
func Round(x any, decimals int) *Array {
	a := arr("round", x)
	if !a.DType().IsInexact() {
		if decimals < 0 {
			fail("round", array.ArgumentErrorf("integers cannot be rounded to %d decimals; convert to float64 first", decimals))
		}
		return a
	}
	return byParts(a, func(a *Array) *Array {
		if decimals == 0 {
			return primitive.RoundNearestEven(a)
		}
		d := a.DType()
		scale := math.Pow10(decimals)
		if math.IsInf(array.RoundTo(d.Real(), scale), 0) && d != Float16 {
			return a
		}
		if d == Float16 || d == BFloat16 {
			a = a.AsType(Float32)
		}
		return convert(primitive.RoundNearestEven(a.Mul(scale)).Div(scale), d, false)
	})
}

// Around is Round.
func Around(x any, decimals int) *Array { return Round(x, decimals) }

// NaNToNum replaces NaN by 0 and infinities by the largest finite numbers of the type. NaNToNumWith takes others.
func NaNToNum(x any) *Array { return NaNToNumWith(x, 0., nil, nil) }

// NaNToNumWith replaces NaN and the two infinities by given numbers; nil stands for the largest and smallest finite
// number of the type.
func NaNToNumWith(x, nan, posInf, negInf any) *Array {
	a := arr("nan_to_num", x)
	if !a.DType().IsInexact() {
		return a
	}
	return byParts(a, func(a *Array) *Array {
		d := a.DType()
		number := func(v any, otherwise float64) *Array {
			if v == nil {
				return like(a, otherwise)
			}
			return convert(arr("nan_to_num", v), d, a.Aval().Weak)
		}
		out := Where(IsNaN(a), number(nan, 0), a)
		out = Where(IsPosInf(a), number(posInf, d.MaxFinite()), out)
		return Where(IsNegInf(a), number(negInf, -d.MaxFinite()), out)
	})
}

// Real is the real part.
func Real(x any) *Array { return arr("real", x).Real() }

// Imag is the imaginary part, zero for real arrays.
func Imag(x any) *Array { return arr("imag", x).Imag() }

// Conj is the complex conjugate.
func Conj(x any) *Array { return arr("conj", x).Conj() }

// Conjugate is Conj.
func Conjugate(x any) *Array { return Conj(x) }

// Angle is the argument of complex numbers in radians, in (-π, π]; π for negative real ones.
func Angle(x any) *Array {
	a := arr("angle", x)
	re, im := a.Real(), a.Imag()
	if !re.DType().IsInexact() || a.DType().IsFloat() && a.Rank() == 0 {
		re, im = re.AsType(Float64), im.AsType(Float64)
	}
	return primitive.Atan2(im, re)
}
