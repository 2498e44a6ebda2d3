package special

import (
	"math"
	"math/big"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/np"
	"github.com/pantograph-go/pantograph/primitive"
	"github.com/pantograph-go/pantograph/vjp"
)

// GammaLn is log |Γ(x)|, +∞ at the poles 0, -1, -2, …
func GammaLn(x any) arr { return unary("gammaln", primitive.Lgamma, x) }

// LogGamma is log Γ(x) for x > 0 and NaN elsewhere, where it is complex.
func LogGamma(x any) arr {
	v := operands("loggamma", x)[0]
	return np.Where(v.Greater(0), primitive.Lgamma(v), like(v, nan))
}

// GammaSgn is the sign of Γ(x): that of the zero at ±0, NaN at the negative integers and -∞.
func GammaSgn(x any) arr {
	v := operands("gammasgn", x)[0]
	floor := primitive.Floor(v)
	negative := v.Less(0)
	sign := np.Where(negative.And(floor.Mod(2).NotEqual(0)).Or(v.Equal(0).And(np.Signbit(v))), like(v, -1), like(v, 1))
	return np.Where(negative.And(v.Equal(floor)).Or(np.IsNaN(v)), like(v, nan), sign)
}

// Gamma is Γ(x), for x > 0 the integral of t^(x-1) e^-t from 0 to ∞; ±∞ at ±0 and NaN at the negative integers.
func Gamma(x any) arr {
	v := operands("gamma", x)[0]
	return GammaSgn(v).Mul(primitive.Exp(primitive.Lgamma(v)))
}

// Digamma is the derivative of log Γ(x).
func Digamma(x any) arr { return unary("digamma", primitive.Digamma, x) }

// Polygamma is the n-th derivative of Digamma. n is a Go integer or an array of integers; it has no derivative in n.
func Polygamma(n, x any) arr {
	order := array.MustValue("polygamma", n)
	if !order.DType().IsInteger() {
		panic(array.Wrap("polygamma", array.DTypeErrorf("n is %s; it must be of an integer type", order.Aval())))
	}
	xs := operands("polygamma", order, x)
	return primitive.Polygamma(vjp.StopGradient(xs[0]), xs[1])
}

// Zeta is Hurwitz's zeta function Σ (q+k)^-x over k = 0, 1, 2, … It has a derivative in q only.
func Zeta(x, q any) arr {
	xs := operands("zeta", x, q)
	return primitive.Zeta(xs[0], xs[1])
}

// GammaInc is the regularised lower incomplete gamma function P(a, x). See primitive.IgammaP.
func GammaInc(a, x any) arr {
	xs := operands("gammainc", a, x)
	return primitive.Igamma(xs[0], xs[1])
}

// GammaIncc is 1 - P(a, x), exact also where P is near 1.
func GammaIncc(a, x any) arr {
	xs := operands("gammaincc", a, x)
	return primitive.Igammac(xs[0], xs[1])
}

// BetaLn is log |B(a, b)|, B(a, b) = Γ(a) Γ(b) / Γ(a+b).
func BetaLn(a, b any) arr {
	xs := operands("betaln", a, b)
	lo, hi := xs[0], xs[1]
	return primitive.Lgamma(lo).Add(primitive.Lgamma(hi)).Sub(primitive.Lgamma(lo.Add(hi)))
}

// Beta is B(a, b) = Γ(a) Γ(b) / Γ(a+b).
func Beta(a, b any) arr {
	xs := operands("beta", a, b)
	sign := GammaSgn(xs[0]).Mul(GammaSgn(xs[1])).Mul(GammaSgn(xs[0].Add(xs[1])))
	return sign.Mul(primitive.Exp(BetaLn(xs[0], xs[1])))
}

// BetaInc is the regularised incomplete beta function I(x; a, b). It has a derivative in x only. See
// primitive.RegularizedIncompleteBetaP.
func BetaInc(a, b, x any) arr {
	xs := operands("betainc", a, b, x)
	return primitive.Betainc(xs[0], xs[1], xs[2])
}

// Factorial is n! = Γ(n+1), and 0 for negative n.
func Factorial(n any) arr {
	v := operands("factorial", n)[0]
	return np.Where(v.Less(0), like(v, 0), primitive.Exp(primitive.Lgamma(v.Add(1))))
}

// Comb is the number of ways to choose k things of n, n!/(k!(n-k)!) in floats; 0 where 0 ≤ k ≤ n does not hold. With
// repetition a thing may be chosen many times.
func Comb(n, k any, repetition bool) arr {
	xs := operands("comb", n, k)
	all, some := xs[0], xs[1]
	if repetition {
		none := some.Equal(0).And(all.GreaterEqual(0))
		return np.Where(none, like(all, 1), Comb(all.Add(some).Sub(1), some, false))
	}
	ok := some.LessEqual(all).And(all.GreaterEqual(0)).And(some.GreaterEqual(0))
	all, some = within(ok, all, 0), within(ok, some, 0)
	count := primitive.Exp(primitive.Lgamma(all.Add(1)).Sub(primitive.Lgamma(some.Add(1))).Sub(primitive.Lgamma(all.Add(1).Sub(some))))
	return np.Where(ok, count, like(count, 0))
}

// MultiGammaLn is the logarithm of the multivariate gamma function of dimension d,
//
//	π^(d(d-1)/4) Π Γ(a - (i-1)/2) over i = 1 … d
func MultiGammaLn(a any, d int) arr {
	v := operands("multigammaln", a)[0]
	if d < 1 {
		panic(array.Wrap("multigammaln", array.ArgumentErrorf("the dimension is %d, it must be at least 1", d)))
	}
	sum := like(v, float64(d*(d-1))/4*math.Log(math.Pi))
	for i := range d {
		sum = sum.Add(primitive.Lgamma(v.Sub(float64(i) / 2)))
	}
	return sum
}

// Poch is Pochhammer's symbol Γ(z+m)/Γ(z), 1 for m = 0.
func Poch(z, m any) arr {
	xs := operands("poch", z, m)
	return poch.Call(xs[0], xs[1])
}

var poch = withSlopes(pochhammer, func(z, m, y arr) (byZ, byM arr) {
	byM = primitive.Digamma(z.Add(m))
	return y.Mul(byM.Sub(primitive.Digamma(z))), y.Mul(byM)
})

func pochhammer(z, m arr) arr {
	return np.Where(m.Equal(0), like(z, 1), Gamma(z.Add(m)).Div(Gamma(z)))
}

// Bernoulli are the Bernoulli numbers B₀ … Bₙ, B₁ = -½, as float64 [n+1], from the exact fractions of the recurrence
// Σ C(m+1, k) Bₖ = 0.
func Bernoulli(n int) arr {
	if n < 0 {
		panic(array.Wrap("bernoulli", array.ArgumentErrorf("n is %d, it must not be negative", n)))
	}
	out := make([]float64, n+1)
	for i, b := range bernoulli(n) {
		out[i], _ = b.Float64()
	}
	return np.Asarray(out)
}

func bernoulli(n int) []*big.Rat {
	b := []*big.Rat{big.NewRat(1, 1)}
	for m := 1; m <= n; m++ {
		sum := new(big.Rat)
		for k, v := range b {
			c := new(big.Rat).SetInt(new(big.Int).Binomial(int64(m+1), int64(k)))
			sum.Add(sum, c.Mul(c, v))
		}
		b = append(b, sum.Mul(sum, big.NewRat(-1, int64(m+1))))
	}
	return b
}
