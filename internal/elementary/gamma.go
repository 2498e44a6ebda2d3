package elementary

import "math"

// bernoulli holds the Bernoulli numbers B2, B4, … as fractions.
var bernoulli = [...][2]float64{
	{1, 6}, {-1, 30}, {1, 42}, {-1, 30}, {5, 66}, {-691, 2730}, {7, 6}, {-3617, 510}, {43867, 798}, {-174611, 330},
	{854513, 138}, {-236364091, 2730},
}

// farOut is where the expansions at infinity, with the terms above, are exact to the last bit of a pair.
const farOut = 40

// Digamma is ψ, the derivative of the logarithm of Γ. At ±0 it is ∓∞, the limit from the zero's side; at the negative
// integers, which have no sides, NaN.
//
// It uses ψ(x) = ψ(x+1) - 1/x, the expansion at infinity (DLMF 5.11.2), and ψ(1-x) - ψ(x) = π cot πx for negative x; near its
// zeros all in pairs, for there the terms cancel.
func Digamma(x float64) float64 {
	switch {
	case math.IsInf(x, 1):
		return x
	case x != x || math.IsInf(x, -1) || x < 0 && x == math.Trunc(x):
		return math.NaN()
	}
	switch {
	case math.Abs(x) < 1e-200:
		return -1 / x
	case x >= 12:
		return digammaFar(x)
	case x > 0:
		return digammaPair(pair{x, 0}).float()
	case x < -1e6: // every float of this size is a multiple of 2^-33 or more
		return digammaFar(1-x) - math.Pi/math.Tan(math.Pi*(x-math.Round(x)))
	}
	return digammaPair(twoSum(1, -x)).add(cotPair(x - math.Round(x)).neg()).float()
}

// DigammaFloat is Digamma good enough for a result that is rounded to float32.
func DigammaFloat(x float64) float64 {
	if x <= 0 || x-x != 0 || x >= 12 {
		return Digamma(x)
	}
	s := 0.0
	y := x
	for ; y < 12; y++ {
		s += 1 / y
	}
	if d := digammaFar(y) - s; math.Abs(d) > 1e-5 {
		return d
	}
	return Digamma(x)
}

// digammaFar is the expansion at infinity, for x ≥ 12.
func digammaFar(x float64) float64 {
	z := 1 / (x * x)
	sum := 0.0
	for k := 8; k >= 1; k-- {
		b := bernoulli[k-1]
		sum = (sum + b[0]/b[1]/float64(2*k)) * z
	}
	return math.Log(x) - 0.5/x - sum
}

func digammaPair(x pair) pair {
	s := pair{}
	one := pair{1, 0}
	for x.hi < farOut {
		s = s.add(one.div(x))
		x = x.addFloat(1)
	}
	z := one.div(x.mul(x))
	sum := pair{}
	for k := len(bernoulli); k >= 1; k-- {
		b := bernoulli[k-1]
		sum = sum.add(pair{b[0], 0}.divFloat(b[1] * float64(2*k))).mul(z)
	}
	return logPair(x).add(one.div(x).scale(-1).neg()).add(sum.neg()).add(s.neg())
}

var pi = pair{math.Pi, 1.2246467991473532e-16}

// cotPair is π cot πr for 0 < |r| ≤ ½.
func cotPair(r float64) pair {
	sin, cos := sinCosPair(r)
	return pi.mul(cos.div(sin))
}

// sinCosPair is sin πr and cos πr for |r| ≤ ½, by Taylor's series on at most an eighth of a turn.
func sinCosPair(r float64) (sin, cos pair) {
	if r < 0 {
		sin, cos = sinCosPair(-r)
		return sin.neg(), cos
	}
	if r > 0.25 {
		cos, sin = sinCosPair(0.5 - r)
		return sin, cos
	}
	t := pi.mulFloat(r)
	z := t.mul(t)
	sin, cos = pair{1, 0}, pair{1, 0}
	for k := 14; k >= 1; k-- {
		sin = sin.mul(z).divFloat(-float64(2 * k * (2*k + 1))).addFloat(1)
		cos = cos.mul(z).divFloat(-float64(2 * k * (2*k - 1))).addFloat(1)
	}
	return sin.mul(t), cos
}

// Lgamma is the logarithm of |Γ(x)|. math.Lgamma serves where it is large; elsewhere Γ(x) Γ(1-x) = π / sin πx and Stirling's
// series are taken in pairs.
func Lgamma(x float64) float64 {
	switch {
	case math.IsInf(x, -1):
		return math.Inf(1)
	case math.Abs(x) < 1e-200:
		return -Log(math.Abs(x))
	case !(math.Abs(x) < 30) || x <= 0 && x == math.Trunc(x) || math.Abs(x-1) < 0.2 || math.Abs(x-2) < 0.2:
		l, _ := math.Lgamma(x)
		return l
	case x > 0:
		return lgammaPair(pair{x, 0}).float()
	}
	sin, _ := sinCosPair(x - math.Round(x))
	if sin.hi < 0 {
		sin = sin.neg()
	}
	return logPair(pi.div(sin)).add(lgammaPair(twoSum(1, -x)).neg()).float()
}

// LgammaFloat is Lgamma good enough for a result that is rounded to float32.
func LgammaFloat(x float64) float64 {
	if l, _ := math.Lgamma(x); x > 0 || math.Abs(l) > 4 && x-x == 0 {
		return l
	}
	return Lgamma(x)
}

// lgammaPair is the logarithm of Γ(x) for x > 0, by Stirling's series (DLMF 5.11.1).
func lgammaPair(x pair) pair {
	shift := pair{1, 0}
	for x.hi < farOut {
		shift = shift.mul(x)
		x = x.addFloat(1)
	}
	one := pair{1, 0}
	z := one.div(x.mul(x))
	sum := pair{}
	for k := len(bernoulli); k >= 1; k-- {
		b := bernoulli[k-1]
		sum = sum.add(pair{b[0], 0}.divFloat(b[1] * float64(2*k*(2*k-1))))
		if k > 1 {
			sum = sum.mul(z)
		}
	}
	sum = sum.div(x)
	halfLogTau := logPair(pi.scale(1)).scale(-1)
	return x.addFloat(-0.5).mul(logPair(x)).add(x.neg()).add(halfLogTau).add(sum).add(logPair(shift).neg())
}

// Zeta is Hurwitz's zeta function Σ 1/(q+k)ˣ for x > 1, by Euler and Maclaurin (DLMF 25.11.28). Where q is an integer ≤ 0 it is
// infinite for even x and NaN otherwise; x < 1, and other q ≤ 0 with an x that is no integer, give NaN.
func Zeta(x, q float64) float64 {
	switch {
	case x != x || q != q || x < 1:
		return math.NaN()
	case x == 1:
		return math.Inf(1)
	case q <= 0 && q == math.Trunc(q):
		if math.Mod(x, 2) == 0 {
			return math.Inf(1)
		}
		return math.NaN()
	case q <= 0 && x != math.Trunc(x):
		return math.NaN()
	}
	sum, at := pair{}, pair{q, 0}
	for n := 0; n < 12 || at.hi < 12; n++ {
		t := powPair(at, -x)
		sum = sum.addFloat(t)
		if at.hi > 1 && math.Abs(t) < 1e-18*math.Abs(sum.hi) {
			return sum.float()
		}
		at = at.addFloat(1)
	}
	t := powPair(at, -x)
	q = at.hi
	sum = sum.addFloat(t * q / (x - 1)).addFloat(t / 2)
	f := x
	t /= q
	for k, b := range bernoulli {
		// B2k/(2k)! x(x+1)…(x+2k-2) q^(-x-2k+1)
		f /= float64((2*k + 1) * (2*k + 2))
		term := b[0] / b[1] * f * t
		sum = sum.addFloat(term)
		if math.Abs(term) < 1e-18*math.Abs(sum.hi) {
			break
		}
		f *= (x + float64(2*k+1)) * (x + float64(2*k+2))
		t /= q * q
	}
	return sum.float()
}

// powPair is x to the power of y for a pair x; a negative x only has powers that are integers.
func powPair(x pair, y float64) float64 {
	if x.hi > 0 {
		return expScaled(logPair(x).mulFloat(y))
	}
	v := expScaled(logPair(x.neg()).mulFloat(y))
	if math.Mod(y, 2) != 0 {
		return -v
	}
	return v
}

// Polygamma is the n-th derivative of ψ: (-1)ⁿ⁺¹ n! ζ(n+1, x). It is NaN where n is no natural number.
func Polygamma(n, x float64) float64 {
	switch {
	case n == 0:
		return Digamma(x)
	case !(n > 0) || n != math.Trunc(n):
		return math.NaN()
	}
	v := math.Gamma(n+1) * Zeta(n+1, x)
	if math.Mod(n, 2) == 0 {
		return -v
	}
	return v
}
