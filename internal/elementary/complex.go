package elementary

import (
	"math"
	"math/cmplx"
)

// ComplexSign is z/|z|, 0 for 0 and NaN where a part is NaN.
func ComplexSign(z complex128) complex128 {
	x, y := real(z), imag(z)
	if x != x || y != y {
		return cmplx.NaN()
	}
	if x == 0 && y == 0 {
		return z
	}
	_, e := math.Frexp(math.Max(math.Abs(x), math.Abs(y)))
	if e > 0 && !cmplx.IsInf(z) || e < -500 {
		x, y = math.Ldexp(x, -e), math.Ldexp(y, -e)
	}
	h := Hypot(x, y)
	return complex(x/h, y/h)
}

// ComplexSquare is z².
func ComplexSquare(z complex128) complex128 {
	x, y := real(z), imag(z)
	re := (x - y) * (x + y)
	if math.IsInf(x, 0) && math.IsInf(y, 0) || x == y && x-x == 0 {
		re = 0
		if x-x != 0 {
			re = math.NaN()
		}
	}
	return complex(re, 2*x*y)
}

// ComplexSqrt is the square root with non-negative real part.
func ComplexSqrt(z complex128) complex128 {
	x, y := real(z), imag(z)
	switch {
	case math.IsInf(y, 0):
		return complex(math.Inf(1), y)
	case x == 0 && y == 0:
		return complex(0, y)
	case x != x || y != y:
		if math.IsInf(x, 1) {
			return complex(x, y)
		}
		if math.IsInf(x, -1) {
			return complex(y, x)
		}
		return cmplx.NaN()
	case math.IsInf(x, 1):
		return complex(x, math.Copysign(0, y))
	case math.IsInf(x, -1):
		return complex(0, math.Copysign(math.Inf(1), y))
	}
	// Scale by a power of four so that nothing overflows or loses bits.
	_, e := math.Frexp(math.Max(math.Abs(x), math.Abs(y)))
	e &^= 1
	a, b := math.Ldexp(math.Abs(x), -e), math.Ldexp(math.Abs(y), -e)
	t := math.Ldexp(math.Sqrt((a+Hypot(a, b))/2), e/2)
	u := math.Abs(y) / (2 * t)
	if x < 0 {
		t, u = u, t
	}
	return complex(t, math.Copysign(u, y))
}

// ComplexRsqrt is 1/√z.
func ComplexRsqrt(z complex128) complex128 {
	if z == 0 {
		return complex(math.Inf(1), math.NaN())
	}
	return 1 / ComplexSqrt(z)
}

// ComplexCbrt is the principal cube root.
func ComplexCbrt(z complex128) complex128 {
	if z == 0 {
		return z
	}
	r, t := math.Cbrt(Hypot(real(z), imag(z))), Atan2(imag(z), real(z))/3
	s, c := SinCos(t)
	return complex(r*c, r*s)
}

// ComplexExp is eᶻ.
func ComplexExp(z complex128) complex128 {
	x, y := real(z), imag(z)
	switch {
	case y == 0:
		return complex(Exp(x), y)
	case y-y != 0: // no direction
		return cmplx.NaN()
	}
	s, c := SinCos(y)
	if math.IsInf(x, -1) {
		return 0
	}
	if x > 709 && !math.IsInf(x, 1) { // eˣ may overflow where the product does not
		h := Exp(x / 2)
		return complex(h*(h*c), h*(h*s))
	}
	e := Exp(x)
	return complex(e*c, e*s)
}

// ComplexExpm1 is eᶻ - 1: expm1(x) cos y - 2 sin²(y/2) + i eˣ sin y.
func ComplexExpm1(z complex128) complex128 {
	x, y := real(z), imag(z)
	if y == 0 {
		return complex(math.Expm1(x), y)
	}
	e := ComplexExp(z)
	if x > 40 || cmplx.IsNaN(e) {
		return e
	}
	s := Sin(y / 2)
	re := twoProd(math.Expm1(x), Cos(y)).add(twoProd(-2*s, s))
	return complex(re.float(), imag(e))
}

// ComplexLogistic is 1/(1+e⁻ᶻ).
func ComplexLogistic(z complex128) complex128 { return 1 / (1 + ComplexExp(-z)) }

// ComplexLog is the principal logarithm.
func ComplexLog(z complex128) complex128 {
	return complex(logAbs(real(z), imag(z)), Atan2(imag(z), real(z)))
}

// logAbs is the logarithm of |x+iy|, accurate also where that is near 1.
func logAbs(x, y float64) float64 {
	x, y = math.Abs(x), math.Abs(y)
	if x < y {
		x, y = y, x
	}
	switch {
	case math.IsInf(x, 1) || math.IsInf(y, 1):
		return math.Inf(1)
	case x != x || y != y:
		return math.NaN()
	case y == 0:
		return Log(x)
	case x > 0.5 && x < 2:
		s := twoProd(x, x).addFloat(-1).add(twoProd(y, y))
		if math.Abs(s.hi) < 0.5 {
			return log1pPair(s) / 2
		}
		return Log(s.addFloat(1).float()) / 2
	}
	_, e := math.Frexp(x)
	x, y = math.Ldexp(x, -e), math.Ldexp(y, -e)
	l := logPair(twoProd(x, x).add(twoProd(y, y))).scale(-1)
	return l.add(ln2.mulFloat(float64(e))).float()
}

// log1pPair is log(1+s).
func log1pPair(s pair) float64 {
	l := math.Log1p(s.hi)
	return l + s.lo/(1+s.hi)
}

// ComplexLog1p is log(1+z).
func ComplexLog1p(z complex128) complex128 {
	x, y := real(z), imag(z)
	im := Atan2(y, 1+x)
	if math.Abs(x) > 3 || math.Abs(y) > 1e150 || x-x != 0 || y-y != 0 {
		return complex(logAbs(1+x, y), im)
	}
	// |1+z|² - 1 = x² + 2x + y²
	s := twoProd(x, x).addFloat(2 * x).add(twoProd(y, y))
	if math.Abs(y) < 1e-140 {
		s = pair{x, 0}.addFloat(2).mulFloat(x)
	}
	if math.Abs(s.hi) < 0.5 {
		return complex(log1pPair(s)/2, im)
	}
	t := s.addFloat(1)
	if t.hi < 1e-3 {
		return complex(logAbs(1+x, y), im)
	}
	return complex(Log(t.float())/2, im)
}

// ComplexPow is x to the power of y, e^(y log x); 0 to the power of 0 is 1.
func ComplexPow(x, y complex128) complex128 {
	if y == 0 {
		return 1
	}
	if x == 0 {
		if real(y) > 0 {
			return 0
		}
		return cmplx.NaN()
	}
	l := ComplexLog(x)
	a, b := real(y), imag(y)
	re := twoProd(a, real(l)).add(twoProd(-b, imag(l)))
	im := twoProd(a, imag(l)).add(twoProd(b, real(l)))
	return ComplexExp(complex(re.float(), im.float()))
}

// ComplexAtan2 is -i log((x + iy)/√(x²+y²)) for complex y and x: the arc tangent of y/x.
func ComplexAtan2(y, x complex128) complex128 {
	i := complex(0, 1)
	return -i * ComplexLog((x+i*y)/ComplexSqrt(x*x+y*y))
}
