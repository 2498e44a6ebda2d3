package elementary

import "math"

// Sign is -1, 0 or 1 with the sign of x; a zero keeps its sign, a NaN is itself.
func Sign(x float64) float64 {
	switch {
	case x > 0:
		return 1
	case x < 0:
		return -1
	}
	return x
}

// Rsqrt is 1/√x.
func Rsqrt(x float64) float64 { return 1 / math.Sqrt(x) }

// Logistic is 1/(1+e⁻ˣ).
func Logistic(x float64) float64 {
	if x < 0 { // e⁻ˣ would overflow where the result does not underflow yet
		e := math.Exp(x)
		return e / (1 + e)
	}
	return 1 / (1 + math.Exp(-x))
}

// Log is the natural logarithm; math.Log is wrong for subnormal numbers on some processors.
func Log(x float64) float64 {
	if x < 0x1p-1022 && x > 0 {
		return math.Log(x*0x1p60) - 60*ln2.hi
	}
	return math.Log(x)
}

// Atan2 is the angle of (x, y); math.Atan2 loses the sign of y where y/x underflows.
func Atan2(y, x float64) float64 {
	if y-y != 0 || x-x != 0 || x > 0 || x == 0 || y == 0 {
		return math.Atan2(y, x)
	}
	return math.Copysign(math.Pi-math.Atan(math.Abs(y/x)), y)
}

// Exp is eˣ; math.Exp overflows early on some processors.
func Exp(x float64) float64 {
	if math.Abs(x) < 700 || x-x != 0 {
		return math.Exp(x)
	}
	return expScaled(pair{x, 0})
}

// Sinh is the hyperbolic sine.
func Sinh(x float64) float64 {
	a := math.Abs(x)
	var s float64
	switch {
	case a < 1e-8:
		return x
	case a < 22:
		t := math.Expm1(a)
		s = (t + t/(t+1)) / 2
	default:
		s = halfExp(a)
	}
	return math.Copysign(s, x)
}

// Cosh is the hyperbolic cosine.
func Cosh(x float64) float64 {
	a := math.Abs(x)
	switch {
	case a < 0.7:
		t := math.Expm1(a)
		return 1 + t*t/(2*(1+t))
	case a < 22:
		t := math.Exp(a)
		return t/2 + 0.5/t
	}
	return halfExp(a)
}

// halfExp is eˣ/2, also where eˣ overflows.
func halfExp(x float64) float64 {
	if x < 700 || x-x != 0 {
		return math.Exp(x) / 2
	}
	return expScaled(pair{x, 0}.add(ln2.neg()))
}

// Pow is x to the power of y, with the special cases of math.Pow. math.Pow itself loses digits for large y.
func Pow(x, y float64) float64 {
	if v, ok := specialPow(x, y); ok {
		return v
	}
	sign := 1.0
	if x < 0 {
		if math.Mod(y, 2) != 0 {
			sign = -1
		}
		x = -x
	}
	e := 0
	if x < 0x1p-1022 {
		x, e = x*0x1p60, -60
	}
	l := logPair(pair{x, 0})
	if e != 0 {
		l = l.add(ln2.mulFloat(float64(e)))
	}
	return sign * expScaled(l.mulFloat(y))
}

// expScaled is e to the power of a pair that may leave the range of floats, correct for subnormal results too.
func expScaled(p pair) float64 {
	switch {
	case p.hi != p.hi || p.hi > 800:
		return math.Inf(1)
	case p.hi < -800:
		return 0
	}
	k := math.Round(p.hi / ln2.hi)
	r := p.add(ln2.mulFloat(-k))
	return math.Ldexp(expOfPair(r), int(k))
}

// specialPow decides the cases that need no logarithm.
func specialPow(x, y float64) (float64, bool) {
	switch {
	case y == 0 || x == 1:
		return 1, true
	case y == 1:
		return x, true
	case x != x || y != y:
		return math.NaN(), true
	case x == 0 || math.IsInf(x, 0) || math.IsInf(y, 0), x < 0 && y != math.Trunc(y):
		return math.Pow(x, y), true
	case y == 2:
		return x * x, true
	case y == 0.5:
		return math.Sqrt(x), true
	case y == -1:
		return 1 / x, true
	}
	return 0, false
}

// PowFloat is Pow good enough for a result that is rounded to float32.
func PowFloat(x, y float64) float64 {
	if v, ok := specialPow(x, y); ok {
		return v
	}
	v := math.Exp(y * math.Log(math.Abs(x)))
	if x < 0 && math.Mod(y, 2) != 0 {
		return -v
	}
	return v
}

// Hypot is √(x²+y²) to within an ulp.
func Hypot(x, y float64) float64 {
	x, y = math.Abs(x), math.Abs(y)
	switch {
	case math.IsInf(x, 1) || math.IsInf(y, 1):
		return math.Inf(1)
	case x != x || y != y:
		return math.NaN()
	}
	if x < y {
		x, y = y, x
	}
	if x == 0 || y == 0 {
		return x
	}
	_, e := math.Frexp(x)
	x, y = math.Ldexp(x, -e), math.Ldexp(y, -e)
	s := twoProd(x, x).add(twoProd(y, y))
	r := math.Sqrt(s.hi)
	// One Newton step on the residual of the rounded root.
	r += (twoProd(r, r).neg().add(s)).float() / (2 * r)
	return math.Ldexp(r, e)
}
