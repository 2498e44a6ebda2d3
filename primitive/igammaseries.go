package primitive

import (
	"math"

	"github.com/pantograph-go/pantograph/array"
)

// jet is a function's series in one variable up to some order: element k is the k-th derivative over k!.
type jet []*array.Array

func (f jet) each(op func(*array.Array) *array.Array) jet {
	out := make(jet, len(f))
	for k, v := range f {
		out[k] = op(v)
	}
	return out
}

func (f jet) scale(c *array.Array) jet {
	return f.each(func(v *array.Array) *array.Array { return Mul(v, c) })
}

func (f jet) add(g jet) jet {
	out := make(jet, len(f))
	for k := range f {
		out[k] = Add(f[k], g[k])
	}
	return out
}

func (f jet) mul(g jet) jet {
	out := make(jet, len(f))
	for n := range f {
		for k := range n + 1 {
			out[n] = addTangents(out[n], Mul(f[k], g[n-k]))
		}
	}
	return out
}

// mulLinear multiplies by the function c + t, or c - t, of the variable t.
func (f jet) mulLinear(c *array.Array, sign float64) jet {
	out := make(jet, len(f))
	for n := range f {
		out[n] = Mul(f[n], c)
		if n > 0 && sign > 0 {
			out[n] = Add(out[n], f[n-1])
		} else if n > 0 {
			out[n] = Sub(out[n], f[n-1])
		}
	}
	return out
}

// divLinear divides by the function c + t.
func (f jet) divLinear(c *array.Array) jet {
	out := make(jet, len(f))
	for n := range f {
		v := f[n]
		if n > 0 {
			v = Sub(v, out[n-1])
		}
		out[n] = Div(v, c)
	}
	return out
}

func (f jet) div(g jet) jet {
	out := make(jet, len(f))
	for n := range f {
		v := f[n]
		for k := 1; k <= n; k++ {
			v = Sub(v, Mul(g[k], out[n-k]))
		}
		out[n] = Div(v, g[0])
	}
	return out
}

// exp is e to a function that is 0 (its first element is not looked at); zero has the shape of the result.
func (f jet) exp(zero *array.Array) jet {
	out := jet{Add(zero, like(zero, 1))}
	for n := 1; n < len(f); n++ {
		var sum *array.Array
		for k := 1; k <= n; k++ {
			sum = addTangents(sum, Mul(Mul(f[k], out[n-k]), like(zero, float64(k)/float64(n))))
		}
		out = append(out, sum)
	}
	return out
}

// constJet is the constant v of the shape of x.
func constJet(x *array.Array, v float64, order int) jet {
	out := jet{fullLike(x, v)}
	for range order {
		out = append(out, fullLike(x, 0))
	}
	return out
}

// selectState chooses between two states of a loop element by element.
func selectState(active *array.Array, now, before []*array.Array) []*array.Array {
	out := make([]*array.Array, len(now))
	for i := range now {
		out[i] = Select(active, now[i], before[i])
	}
	return out
}

// The steps after which an iteration ends though it has not settled: the series needs some six times √a of them.
const (
	maxSeries   = 100_000
	maxFraction = 2_000
)

// gammaSeries is S = Σ cₙ, c₀ = 1, cₙ = cₙ₋₁ x/(a+n), as a series in a: P(a, x) = x^a e^-x / Γ(a+1) S (DLMF 8.7.1). An
// element stands still as soon as it is exact, whatever its neighbours do.
func gammaSeries(a, x *array.Array, order int, tol float64) jet {
	size := order + 1
	one := constJet(a, 1, order)
	state := append(append([]*array.Array{fullTrue(a), like(a, 0)}, one...), one...)
	out := loop(state, func(s []*array.Array) *array.Array {
		return And(anyOf(s[0]), Lt(s[1], like(s[1], maxSeries)))
	}, func(s []*array.Array) []*array.Array {
		active, n, c, sum := s[0], Add(s[1], like(s[1], 1)), jet(s[2:2+size]), jet(s[2+size:])
		next := c.scale(x).divLinear(Add(a, n))
		total := sum.add(next)
		going := Ne(x, x)
		for k := range next { // derivatives of one order have one sign, so that these shrink steadily
			going = Or(going, Gt(Abs(next[k]), Mul(like(x, tol), Abs(total[k]))))
		}
		both := selectState(active, append(append(jet{}, next...), total...), s[2:])
		return append([]*array.Array{And(active, going), n}, both...)
	})
	return jet(out[2+size:])
}

// gammaFraction is Legendre's continued fraction (DLMF 8.9.2) as a series in a:
//
//	F = 1/(x+1-a - 1(1-a)/(x+3-a - 2(2-a)/(x+5-a - …       1 - P(a, x) = x^a e^-x / Γ(a) F
//
// a quotient p/q of the recurrence vₙ = (x+2n+1-a) vₙ₋₁ - n(n-a) vₙ₋₂, scaled down when it grows. An element is done when
// nothing has moved twice in a row: derivatives have turning points on their way.
func gammaFraction(a, x *array.Array, order int, tol float64) jet {
	size := order + 1
	one := like(a, 1)
	p0, q0 := constJet(a, 0, order), constJet(a, 1, order)
	p1 := constJet(a, 1, order)
	q1 := q0.mulLinear(Sub(Add(x, one), a), -1)
	start := []*array.Array{fullTrue(a), fullTrue(a), like(a, 0)}
	for _, f := range []jet{p0, q0, p1, q1, p1.div(q1)} {
		start = append(start, f...)
	}
	part := func(s []*array.Array, i int) jet { return jet(s[3+i*size : 3+(i+1)*size]) }
	out := loop(start, func(s []*array.Array) *array.Array {
		return And(anyOf(s[0]), Lt(s[2], like(s[2], maxFraction)))
	}, func(s []*array.Array) []*array.Array {
		active, before, n := s[0], s[1], Add(s[2], one)
		width := Sub(Add(x, Add(Mul(n, like(n, 2)), one)), a)
		weight := Mul(n, Sub(a, n)) // -n(n-a), whose derivative is n
		step := func(v1, v0 jet) jet {
			return v1.mulLinear(width, -1).add(v0.scale(n).mulLinear(Div(weight, n), 1))
		}
		p, q := step(part(s, 2), part(s, 0)), step(part(s, 3), part(s, 1))
		f := p.div(q)
		moved := Ne(f[0], f[0])
		for k, v := range f {
			moved = Or(moved, Gt(Abs(Sub(v, part(s, 4)[k])), Mul(Abs(v), like(v, tol))))
		}
		shrink := Select(Gt(Abs(q[0]), like(x, 0x1p60)), fullLike(x, 0x1p-60), fullLike(x, 1))
		var state []*array.Array
		for _, v := range []jet{part(s, 2).scale(shrink), part(s, 3).scale(shrink), p.scale(shrink), q.scale(shrink), f} {
			state = append(state, v...)
		}
		state = selectState(active, state, s[3:])
		return append([]*array.Array{And(active, Or(moved, before)), moved, n}, state...)
	})
	return part(out, 4)
}

func fullTrue(x *array.Array) *array.Array { return Eq(fullLike(x, 0), like(x, 0)) }

// gammaParts divides the domain: near is for the series, far for the continued fraction, each with harmless operands where
// an element is the other's; outside has no value.
type gammaParts struct {
	outside, far       *array.Array
	nearA, nearX       *array.Array
	farA, farX         *array.Array
	atZero, atInfinity *array.Array
}

func partsOf(a, x *array.Array) gammaParts {
	zero, inf := like(a, 0), like(a, math.Inf(1))
	inside := And(And(Gt(a, zero), Lt(a, inf)), And(Gt(x, zero), Lt(x, inf)))
	beyond := And(Gt(x, like(x, 1)), Gt(x, a))
	near, far := And(inside, Not(beyond)), And(inside, beyond)
	return gammaParts{
		outside: Or(Or(Not(Ge(a, zero)), Not(Ge(x, zero))), Or(And(Eq(a, zero), Eq(x, zero)), And(Eq(a, inf), Eq(x, inf)))),
		far:     beyond,
		nearA:   Select(near, a, fullLike(a, 1)), nearX: Select(near, x, fullLike(x, 1)),
		farA: Select(far, a, fullLike(a, 1)), farX: Select(far, x, fullLike(x, 2)),
		atZero:     Or(Eq(x, zero), Eq(a, inf)),
		atInfinity: Or(Eq(x, inf), Eq(a, zero)),
	}
}

// incompleteGamma is P(a, x), or with upper 1 - P(a, x).
func incompleteGamma(a, x *array.Array, tol float64, upper bool) *array.Array {
	r := partsOf(a, x)
	one := like(a, 1)
	lower := Mul(gammaSeries(r.nearA, r.nearX, 0, tol)[0], Exp(Sub(Sub(Mul(r.nearA, Log(r.nearX)), r.nearX), Lgamma(Add(r.nearA, one)))))
	rest := Mul(gammaFraction(r.farA, r.farX, 0, tol)[0], Exp(Sub(Sub(Mul(r.farA, Log(r.farX)), r.farX), Lgamma(r.farA))))
	lowest, highest := 0.0, 1.0
	var y *array.Array
	if upper {
		lowest, highest = 1, 0
		y = Select(r.far, rest, Sub(one, lower))
	} else {
		y = Select(r.far, Sub(one, rest), lower)
	}
	y = Select(r.atZero, fullLike(a, lowest), Select(r.atInfinity, fullLike(a, highest), y))
	return Select(r.outside, fullLike(a, math.NaN()), y)
}

// gammaShapeDerivative is the n-th derivative of P(a, x) in a, n ≥ 1, over the density x^(a-1) e^-x / Γ(a).
func gammaShapeDerivative(a, x *array.Array, n int, tol float64) *array.Array {
	r := partsOf(a, x)
	// P = x^a e^-x / Γ(a+1) S, and x^a e^-x / Γ(a+1) is the density times x/a.
	next := Add(r.nearA, like(a, 1))
	near := gammaSeries(r.nearA, r.nearX, n, tol).mul(shapeFactor(next, r.nearX, n))[n]
	near = Div(Mul(near, r.nearX), r.nearA)
	far := Neg(Mul(gammaFraction(r.farA, r.farX, n, tol).mul(shapeFactor(r.farA, r.farX, n))[n], r.farX))
	y := Mul(Select(r.far, far, near), like(a, factorial(n)))
	y = Select(r.atZero, fullLike(a, 0), y)
	return Select(Or(r.outside, Eq(a, like(a, 0))), fullLike(a, math.NaN()), y)
}
