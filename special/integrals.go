package special

import (
	"math"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/flow"
	"github.com/pantograph-go/pantograph/np"
	"github.com/pantograph-go/pantograph/primitive"
	"github.com/pantograph-go/pantograph/trace"
	"github.com/pantograph-go/pantograph/vjp"
)

const eulerGamma = 0.57721566490153286061

// Expi is the exponential integral ∫ e^t/t dt from -∞ to x, its principal value for x > 0; -∞ at 0.
func Expi(x any) arr { return expi.Call(operands("expi", x)[0]) }

var expi = withSlope(
	func(x arr) arr { return wide(exponentialIntegral, x) },
	func(x, _ arr) arr { return primitive.Exp(x).Div(x) },
)

// exponentialIntegral is γ + log x + Σ x^k/(k k!) up to 40 (DLMF 6.6.1), e^x/x Σ k!/x^k beyond (DLMF 6.12.2), and -E₁(-x) for
// negative x.
func exponentialIntegral(in []arr) arr {
	x := in[0]
	negative, far := x.Less(0), x.Greater(40)
	a, b := within(negative.Or(far).Not(), x, 1), within(far, x, 41)
	series := sumTerms(160, a, func(k, term arr) (arr, arr) {
		term = term.Mul(a).Div(k.Add(1))
		return term, term.Div(k.Add(1))
	})
	near := series.Add(primitive.Log(a)).Add(eulerGamma)
	expansion := like(b, 1)
	for k := 38; k >= 1; k-- {
		expansion = expansion.Mul(k).Div(b).Add(1)
	}
	large := np.Where(b.Equal(inf), like(b, inf), primitive.Exp(b).Div(b).Mul(expansion))
	below := generalExponential(like(x, 1), within(negative, x, -1).Neg()).Neg()
	return np.Where(negative, below, np.Where(far, large, near))
}

// Exp1 is E₁(x) = ∫ e^-t/t dt from x to ∞.
func Exp1(x any) arr { return Expn(1, x) }

// Expn is Eₙ(x) = ∫ e^-xt/tⁿ dt from 1 to ∞ for whole n ≥ 0 and x ≥ 0, NaN elsewhere. n is a Go number or an array; it has no
// derivative in n. That in x is -Eₙ₋₁(x).
func Expn(n, x any) arr {
	xs := operands("expn", n, x)
	if _, plain := n.(*array.Array); !plain { // a Go number takes the type of x
		v := operands("expn", x)[0]
		xs = []arr{like(v, array.MustValue("expn", n).Float()), v}
	}
	return expn.Call(vjp.StopGradient(xs[0]), xs[1])
}

var expn = func() *trace.Func {
	var self *trace.Func
	self = vjp.CustomJVP(
		func(n, x arr) arr {
			return wide(func(in []arr) arr { return generalExponential(in[0], in[1]) }, n, x)
		},
		func(n, x, _, dx arr) (arr, arr) {
			y := self.Call(n, x)
			low := n.LessEqual(1) // by recurrence (DLMF 8.19.12), which cancels for larger n
			slope := np.Where(low, primitive.Exp(x.Neg()).Sub(n.Sub(1).Mul(y)).Div(x), self.Call(within(low.Not(), n.Sub(1), 1), x))
			return y, dx.Mul(slope).Neg()
		},
	)
	return self
}()

// generalExponential is Eₙ(x): up to 1 a series with ψ(n) (DLMF 8.19.8), beyond a continued fraction (DLMF 8.19.17) by the
// method of Lentz. E₀(x) is e^-x/x.
func generalExponential(n, x arr) arr {
	zero := n.Equal(0)
	small := x.LessEqual(1).And(zero.Not())
	a := within(small.And(x.Greater(0)), x, 0.5)
	m := within(zero.Not(), n, 1)
	head := primitive.Pow(a.Neg(), m.Sub(1)).Div(Gamma(m)).Mul(primitive.Digamma(m).Sub(primitive.Log(a)))
	// The term of k = n-1 is the one with the logarithm.
	part := func(k, term arr) arr {
		gap := k.Sub(m).Add(1)
		skip := gap.Equal(0)
		return np.Where(skip, like(gap, 0), term.Div(within(skip.Not(), gap, 1)))
	}
	one := like(a, 1)
	type state struct{ Term, Sum arr }
	series := flow.Fori(1, 24, func(k arr, s state) state {
		f := k.AsType(array.Float64)
		term := s.Term.Mul(a.Neg()).Div(f)
		return state{term, s.Sum.Add(part(f, term))}
	}, state{one, part(like(a, 0), one)}).(state)
	near := head.Sub(series.Sum)

	b := within(small.Not().And(x.Greater(0)), x, 2)
	less := n.Sub(1)
	type fraction struct{ B, C, D, H arr }
	start := b.Add(n)
	f := flow.Fori(1, 100, func(k arr, s fraction) fraction {
		i := k.AsType(array.Float64)
		top := i.Mul(less.Add(i)).Neg()
		next := s.B.Add(2)
		d := one.Div(top.Mul(s.D).Add(next))
		c := next.Add(top.Div(s.C))
		return fraction{next, c, d, s.H.Mul(c).Mul(d)}
	}, fraction{start, like(b, 1e300), one.Div(start), one.Div(start)}).(fraction)
	far := np.Where(b.Equal(inf), like(b, 0), f.H.Mul(primitive.Exp(b.Neg())))

	y := np.Where(small, near, far)
	atZero := np.Where(n.Less(2), like(x, inf), one.Div(within(n.Greater(1), n, 2).Sub(1)))
	y = np.Where(x.Equal(0), atZero, y)
	return np.Where(n.GreaterEqual(0).And(x.GreaterEqual(0)), y, like(x, nan))
}

// SiCi are the sine integral ∫ sin t/t dt from 0 to x and the cosine integral γ + log x + ∫ (cos t - 1)/t dt, of |x|; the latter
// is -∞ at 0 and NaN at -∞.
func SiCi(x any) (si, ci arr) {
	out := sici.CallAll(operands("sici", x)[0])
	return out[0], out[1]
}

var sici = withSlopePair(
	func(x arr) (si, ci arr) { return widePair(trigIntegrals, x) },
	func(x arr) (dsi, dci arr) { return np.Sinc(x.Div(math.Pi)), primitive.Cos(x).Div(x) },
)

// trigIntegrals uses the power series up to 4 (DLMF 6.6.5, 6.6.6), and E₁(ix) by its continued fraction beyond.
func trigIntegrals(x arr) (si, ci arr) {
	a := x.Abs()
	small := a.LessEqual(4)
	near, far := within(small, a, 1), within(small.Not().And(np.IsFinite(a)), a, 5)

	z := near.Mul(near).Neg()
	siNear := sumTerms(24, near, func(k, term arr) (arr, arr) {
		odd := k.Mul(2).Add(1)
		term = term.Mul(z).Div(odd.Mul(odd.Sub(1)))
		return term, term.Div(odd)
	})
	ciNear := sumTerms(24, z.Div(4), func(k, term arr) (arr, arr) {
		even := k.Mul(2).Add(2)
		// The first term carries the 1/2 of its 1/(2k).
		term = term.Mul(z).Div(even.Mul(even.Sub(1)))
		return term, term.Mul(2).Div(even)
	})
	ciNear = ciNear.Add(primitive.Log(near)).Add(eulerGamma)

	h := lentz(primitive.Complex(like(far, 1), far), 80, func(k arr) arr { return k.Mul(k).Neg() }, 2)
	h = h.Mul(primitive.Complex(primitive.Cos(far), primitive.Sin(far).Neg()))
	siFar, ciFar := primitive.Imag(h).Add(math.Pi/2), primitive.Real(h).Neg()

	si, ci = np.Where(small, siNear, siFar), np.Where(small, ciNear, ciFar)
	infinite := a.Equal(inf)
	si, ci = np.Where(infinite, like(a, math.Pi/2), si), np.Where(infinite, like(a, 0), ci)
	si = np.Where(a.Equal(0), x, si.Mul(primitive.Sign(x)))
	ci = np.Where(x.Equal(-inf), like(a, nan), np.Where(a.Equal(0), like(a, -inf), ci))
	return si, np.Where(np.IsNaN(x), x, ci)
}

// lentz is the continued fraction 1/(b + a₁/(b+s + a₂/(b+2s + … to a number of steps, complex.
func lentz(b arr, steps int, numerator func(k arr) arr, step float64) arr {
	type fraction struct{ B, C, D, H arr }
	one := like(b, 1)
	first := one.Div(b)
	return flow.Fori(1, steps, func(k arr, s fraction) fraction {
		top := numerator(k.AsType(array.Float64)).AsType(array.Complex128)
		next := s.B.Add(step)
		d := one.Div(top.Mul(s.D).Add(next))
		c := next.Add(top.Div(s.C))
		return fraction{next, c, d, s.H.Mul(c).Mul(d)}
	}, fraction{b, like(b, 1e150), first, first}).(fraction).H
}

// Fresnel are the integrals of sin(πt²/2) and cos(πt²/2) from 0 to x.
func Fresnel(x any) (s, c arr) {
	out := fresnel.CallAll(operands("fresnel", x)[0])
	return out[0], out[1]
}

var fresnel = withSlopePair(
	func(x arr) (s, c arr) { return widePair(fresnelIntegrals, x) },
	func(x arr) (ds, dc arr) { return widePair(halfSquare, x) },
)

// halfSquare are the sine and cosine of πx²/2. With x = 2n + f the angle is π/2 (4nf + f²) and some whole turns.
func halfSquare(x arr) (sin, cos arr) {
	half := primitive.Round(x.Mul(0.5), primitive.ToNearestEven)
	f := x.Sub(half.Mul(2))
	turns := half.Mul(f)
	turns = turns.Sub(primitive.Round(turns, primitive.ToNearestEven))
	angle := turns.Mul(4).Add(f.Mul(f)).Mul(math.Pi / 2)
	return primitive.Sin(angle), primitive.Cos(angle)
}

// fresnelIntegrals uses the power series up to 1.5 (DLMF 7.6.4, 7.6.6), and beyond the continued fraction of erfc at the
// complex argument √π/2 (1-i) x.
func fresnelIntegrals(x arr) (s, c arr) {
	a := x.Abs()
	small := a.LessEqual(1.5)
	near, far := within(small, a, 1), within(small.Not().And(a.Less(1e100)), a, 2)

	z := near.Mul(near).Mul(math.Pi / 2)
	zz := z.Mul(z).Neg()
	cNear := sumTerms(24, near, func(k, term arr) (arr, arr) {
		even := k.Mul(2)
		term = term.Mul(zz).Div(even.Mul(even.Sub(1)))
		return term, term.Div(even.Mul(2).Add(1))
	})
	first := near.Mul(z).Div(3)
	sNear := sumTerms(24, first, func(k, term arr) (arr, arr) {
		even := k.Mul(2)
		term = term.Mul(zz).Div(even.Mul(even.Add(1)))
		return term, term.Mul(3).Div(even.Mul(2).Add(3))
	})

	square := far.Mul(far).Mul(math.Pi)
	h := lentz(primitive.Complex(like(far, 1), square.Neg()), 100, func(k arr) arr {
		n := k.Mul(2)
		return n.Mul(n.Sub(1)).Neg()
	}, 4)
	h = h.Mul(primitive.Complex(far, far.Neg()))
	sin, cos := halfSquare(far)
	one := primitive.Complex(like(far, 1), like(far, 0))
	v := one.Sub(primitive.Complex(cos, sin).Mul(h)).Mul(complex(0.5, 0.5))

	s, c = np.Where(small, sNear, primitive.Imag(v)), np.Where(small, cNear, primitive.Real(v))
	end := a.GreaterEqual(1e100)
	s, c = np.Where(end, like(a, 0.5), s), np.Where(end, like(a, 0.5), c)
	sign := primitive.Sign(x)
	return s.Mul(sign), c.Mul(sign)
}

// Spence is the dilogarithm of 1-x, ∫ log t/(1-t) dt from 1 to x; NaN for negative x.
func Spence(x any) arr { return spence.Call(operands("spence", x)[0]) }

var spence = withSlope(
	func(x arr) arr { return wide(dilogarithm, x) },
	func(x, _ arr) arr {
		one := x.Equal(1)
		safe := within(one.Not(), x, 2)
		return np.Where(one, like(x, -1), primitive.Log(safe).Div(like(x, 1).Sub(safe)))
	},
)

// dilogarithm brings x into [½, 2], by inversion beyond 2 and reflection below ½ (DLMF 25.12.4, 25.12.6), where it is
// u - u²/4 + Σ B₂ₖ u^(2k+1)/(2k+1)! with u = -log x.
func dilogarithm(in []arr) arr {
	x := in[0]
	high, low := x.Greater(2), x.Less(0.5)
	inner := within(high.Or(low).Not(), x, 1)
	rest := within(low.And(x.Greater(0)), x, 0.25)
	over := within(high, x, 4)
	y := np.Where(high, like(x, 1).Div(over), np.Where(low, rest.Neg().Add(1), inner))
	logY := np.Where(low, primitive.Log1p(rest.Neg()), primitive.Log(np.Where(low, like(x, 1), y)))
	u := logY.Neg()
	b := bernoulli(32)
	var coefficients []float64
	for k := 16; k >= 1; k-- {
		v, _ := b[2*k].Float64()
		coefficients = append(coefficients, v/math.Gamma(float64(2*k+2)))
	}
	z := u.Mul(u)
	base := u.Sub(z.Mul(0.25)).Add(polynomial(z, coefficients...).Mul(z).Mul(u))
	logOver := primitive.Log(over)
	out := np.Where(high, logOver.Mul(logOver).Mul(-0.5).Sub(base), base)
	out = np.Where(low, primitive.Log(rest).Mul(logY).Neg().Add(math.Pi*math.Pi/6).Sub(base), out)
	out = np.Where(x.Equal(0), like(x, math.Pi*math.Pi/6), out)
	return np.Where(x.GreaterEqual(0), out, like(x, nan))
}
