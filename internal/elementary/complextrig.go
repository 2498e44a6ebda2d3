package elementary

import "math"

// ComplexSinh is sinh x cos y + i cosh x sin y.
func ComplexSinh(z complex128) complex128 {
	s, c := SinCos(imag(z))
	return complex(sinhTimes(real(z), c), coshTimes(real(z), s))
}

// ComplexCosh is cosh x cos y + i sinh x sin y.
func ComplexCosh(z complex128) complex128 {
	s, c := SinCos(imag(z))
	return complex(coshTimes(real(z), c), sinhTimes(real(z), s))
}

// sinhTimes is k sinh x, also where sinh x overflows and the product does not.
func sinhTimes(x, k float64) float64 { return math.Copysign(1, x) * largeTimes(Sinh, math.Abs(x), k) }

// coshTimes is k cosh x in the same way.
func coshTimes(x, k float64) float64 { return largeTimes(Cosh, math.Abs(x), k) }

func largeTimes(f func(float64) float64, x, k float64) float64 {
	switch {
	case k == 0 && x == x:
		return k
	case x > 709 && !math.IsInf(x, 1):
		h := Exp(x / 2)
		return h / 2 * k * h
	}
	return f(x) * k
}

// ComplexTanh is the hyperbolic tangent, after Kahan, "Branch cuts for complex elementary functions".
func ComplexTanh(z complex128) complex128 {
	x, y := real(z), imag(z)
	switch {
	case x != x && y == 0:
		return z
	case math.IsInf(x, 0) && y-y != 0:
		return complex(math.Copysign(1, x), math.Copysign(0, y))
	case math.Abs(x) > 22:
		s, c := SinCos(y)
		return complex(math.Copysign(1, x), 4*s*c*Exp(-2*math.Abs(x)))
	}
	t := Tan(y)
	beta := math.FMA(t, t, 1)
	s := Sinh(x)
	rho := math.Sqrt(math.FMA(s, s, 1))
	d := math.FMA(beta*s, s, 1)
	return complex(beta*rho*s/d, t/d)
}

// ComplexSin, ComplexCos and ComplexTan are the hyperbolic functions on the turned plane.

// ComplexSin is the sine: -i sinh iz.
func ComplexSin(z complex128) complex128 {
	w := ComplexSinh(complex(-imag(z), real(z)))
	return complex(imag(w), -real(w))
}

// ComplexCos is the cosine: cosh iz.
func ComplexCos(z complex128) complex128 { return ComplexCosh(complex(-imag(z), real(z))) }

// ComplexTan is the tangent: -i tanh iz.
func ComplexTan(z complex128) complex128 {
	w := ComplexTanh(complex(-imag(z), real(z)))
	return complex(imag(w), -real(w))
}
