package random

import (
	"math"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/flow"
	"github.com/pantograph-go/pantograph/np"
	"github.com/pantograph-go/pantograph/primitive"
)

// sampleGrad is the derivative dx/da of a Gamma variable x at constant probability P(a, x), the regularised incomplete gamma
// function:
//
//	dx/da = -(∂P/∂a) / (∂P/∂x),   ∂P/∂x = x^(a-1) e^-x / Γ(a)
//
// P is a power series for x ≤ max(a, 1), and 1 minus a continued fraction beyond (Moore, Algorithm AS 187: derivatives of
// the incomplete gamma integral, 1982); both are differentiated term by term. 0 where x is 0, NaN outside a > 0, x ≥ 0.
func sampleGrad(a, x *array.Array) *array.Array {
	if d := a.DType(); d != array.Float64 { // the recurrences lose half the digits of a float32
		return gammaGrad(a.AsType(array.Float64), x.AsType(array.Float64), floats[d].eps/16).AsType(d)
	}
	return gammaGrad(a, x, 0x1p-44)
}

// gammaGrad is sampleGrad for float64, with terms below a relative tolerance left out.
func gammaGrad(a, x *array.Array, tolerance float64) *array.Array {
	d := a.DType()
	zero, one := filled(d, a.Shape(), 0), filled(d, a.Shape(), 1)
	outside := not(a.Greater(0).And(x.GreaterEqual(0)))
	beyond := x.Greater(1).And(x.Greater(a))
	within := x.Greater(0).And(not(outside))
	// Each method gets harmless operands in place of those that are the other's.
	near := within.And(not(beyond))
	far := within.And(beyond).And(np.IsFinite(x))
	series := gammaSeries(choose(near, a, one), choose(near, x, one), tolerance)
	fraction := gammaFraction(choose(far, a, one), choose(far, x, filled(d, a.Shape(), 2)), tolerance)
	y := choose(beyond, fraction, series)
	return choose(outside, filled(d, a.Shape(), math.NaN()), choose(x.Equal(0), zero, y))
}

// gammaSeries uses P = x^a e^-x/Γ(a+1) S, S = Σ cₙ, cₙ = cₙ₋₁ x/(a+n).
func gammaSeries(a, x *array.Array, tolerance float64) *array.Array {
	type sum struct{ R, C, S, DC, DS *array.Array }
	zero, one := filled(a.DType(), a.Shape(), 0), filled(a.DType(), a.Shape(), 1)
	next := func(t sum) sum {
		r := t.R.Add(1)
		q := x.Div(r)
		dc := t.DC.Mul(q).Sub(t.C.Mul(q).Div(r))
		c := t.C.Mul(q)
		return sum{r, c, t.S.Add(c), dc, t.DS.Add(dc)}
	}
	t := flow.While(
		func(t sum) *array.Array { return np.Any(t.DC.Abs().Greater(t.DS.Abs().Mul(tolerance))) },
		next, next(sum{a, one, one, zero, zero})).(sum)
	slope := primitive.Log(x).Sub(primitive.Digamma(a.Add(1))) // d log(x^a/Γ(a+1)) / da
	return t.S.Mul(slope).Add(t.DS).Mul(x).Div(a).Neg()
}

// gammaFraction uses 1 - P = x^a e^-x/Γ(a) F, Legendre's continued fraction
//
//	F = 1/(x+1-a - 1(1-a)/(x+3-a - 2(2-a)/(x+5-a - …
//
// as a quotient p/q of the recurrence vₙ = (x+2n+1-a) vₙ₋₁ - n(n-a) vₙ₋₂, whose terms are scaled down when they grow. It ends
// when neither F nor its derivative has changed twice in a row: the derivative has a turning point on its way.
func gammaFraction(a, x *array.Array, tolerance float64) *array.Array {
	type convergents struct {
		N                  *array.Array
		P, Q, DP, DQ       *array.Array // of the last step
		P0, Q0, DP0, DQ0   *array.Array // and of the one before
		F, DF              *array.Array
		Moved, MovedBefore *array.Array
	}
	d := a.DType()
	zero, one := filled(d, a.Shape(), 0), filled(d, a.Shape(), 1)
	eps := floats[d].eps
	quotient := func(c convergents) convergents {
		f := c.P.Div(c.Q)
		df := c.DP.Sub(f.Mul(c.DQ)).Div(c.Q)
		moved := func(v, before *array.Array) *array.Array {
			return v.Sub(before).Abs().Greater(v.Abs().Mul(tolerance))
		}
		c.Moved, c.MovedBefore = moved(f, c.F).Or(moved(df, c.DF)), c.Moved
		c.F, c.DF = f, df
		return c
	}
	next := func(c convergents) convergents {
		n := c.N.Add(1)
		b := x.Add(n.Mul(2)).Add(1).Sub(a)
		e := n.Mul(a.Sub(n))
		step := func(v, v0, dv, dv0 *array.Array) (w, dw *array.Array) {
			w = b.Mul(v).Add(e.Mul(v0))
			return w, b.Mul(dv).Sub(v).Add(e.Mul(dv0)).Add(n.Mul(v0))
		}
		p, dp := step(c.P, c.P0, c.DP, c.DP0)
		q, dq := step(c.Q, c.Q0, c.DQ, c.DQ0)
		scale := choose(q.Abs().Greater(1/eps), filled(d, a.Shape(), eps), one)
		return quotient(convergents{n, p.Mul(scale), q.Mul(scale), dp.Mul(scale), dq.Mul(scale),
			c.P.Mul(scale), c.Q.Mul(scale), c.DP.Mul(scale), c.DQ.Mul(scale), c.F, c.DF, c.Moved, c.MovedBefore})
	}
	moving := filled(array.Bool, a.Shape(), 1)
	first := quotient(convergents{filled(d, nil, 0), one, x.Add(1).Sub(a), zero, one.Neg(), zero, one, zero, zero, zero, zero, moving, moving})
	c := flow.While(
		func(c convergents) *array.Array {
			return np.Any(c.Moved.Or(c.MovedBefore)).And(c.N.Less(2000))
		},
		next, next(first)).(convergents)
	return c.F.Mul(primitive.Log(x).Sub(primitive.Digamma(a))).Add(c.DF).Mul(x)
}
