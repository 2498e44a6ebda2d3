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

// Erfc is the complementary error function 1 - erf(x): math.Erfc, but in pairs by Maclaurin's series where the difference
// cancels (DLMF 7.6.1).
func Erfc(x float64) float64 {
	if !(x > 0.25 && x < 0.9) {
		return math.Erfc(x)
	}
	z := twoProd(-x, x)
	term, sum := pair{x, 0}, pair{}
	for n := 0; n < 30; n++ {
		sum = sum.add(term.divFloat(float64(2*n + 1)))
		term = term.mul(z).divFloat(float64(n + 1))
		if math.Abs(term.hi) < 1e-22 {
			break
		}
	}
	slope := pair{1.1283791670955126, 1.533545961316588e-17} // 2/√π
	return sum.mul(slope).neg().addFloat(1).float()
}

// BesselI1e is e^-|x| I₁(x), by the series at zero (DLMF 10.25.2), whose terms all have one sign, and the expansion at infinity
// (DLMF 10.40.1).
func BesselI1e(x float64) float64 {
	a := math.Abs(x)
	switch {
	case x != x:
		return x
	case a < 1e-140:
		return x / 2
	case math.IsInf(a, 1):
		return math.Copysign(0, x)
	}
	var v float64
	if a <= 24 {
		z := twoProd(a, a).scale(-2)
		term, sum := pair{1, 0}, pair{1, 0}
		for k := 1.0; term.hi > 1e-18*sum.hi; k++ {
			term = term.mul(z).divFloat(k * (k + 1))
			sum = sum.add(term)
		}
		v = sum.mulFloat(a / 2).mulFloat(math.Exp(-a)).float()
	} else {
		term, sum := pair{1, 0}, pair{1, 0}
		for k := 1.0; math.Abs(term.hi) > 1e-18 && k < 2*a; k++ {
			term = term.mulFloat((2*k-1)*(2*k-1) - 4).divFloat(8 * k).divFloat(a)
			sum = sum.add(term)
		}
		root := math.Sqrt(a)
		rest := math.FMA(-root, root, a) / (2 * root)
		v = sum.div(pair{root, rest}).div(pair{2.5066282746310007, -1.8328579980459167e-16}).float() // √2π
	}
	return math.Copysign(v, x)
}
