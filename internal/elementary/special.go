package elementary

import "math"

// ErfInv is the inverse of the error function: math.Erfinv, corrected by one step of Newton's method on erf, or near ±1 on
// erfc, which keeps the digits of 1-x.
func ErfInv(x float64) float64 {
	y := math.Erfinv(x)
	if x == 0 || y-y != 0 {
		return y
	}
	const slope = 2 / 1.772453850905516 // of erf at 0: 2/√π
	a, b := math.Abs(x), math.Abs(y)
	var excess float64
	if a < 0.5 {
		excess = math.Erf(b) - a
	} else {
		excess = (1 - a) - math.Erfc(b)
	}
	return math.Copysign(b-excess/(slope*math.Exp(-b*b)), x)
}

// BesselI1e is e^-|x| I₁(x), by the series at zero (DLMF 10.25.2), whose terms all have one sign, and the expansion at infinity
// (DLMF 10.40.1).
func BesselI1e(x float64) float64 {
	a := math.Abs(x)
	switch {
	case x != x:
		return x
	case a < 1e-9:
		return x / 2
	case math.IsInf(a, 1):
		return math.Copysign(0, x)
	}
	var v float64
	if a <= 24 {
		z := a * a / 4
		term, sum := 1.0, pair{1, 0}
		for k := 1.0; term > 1e-18*sum.hi; k++ {
			term *= z / (k * (k + 1))
			sum = sum.addFloat(term)
		}
		v = a / 2 * sum.float() * math.Exp(-a)
	} else {
		term, sum := 1.0, 1.0
		for k := 1.0; math.Abs(term) > 1e-18 && k < 2*a; k++ {
			term *= ((2*k-1)*(2*k-1) - 4) / (8 * k * a)
			sum += term
		}
		v = sum / math.Sqrt(2*math.Pi*a)
	}
	return math.Copysign(v, x)
}
