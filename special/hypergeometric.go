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

// Hyp1F1 is Kummer's confluent hypergeometric function ₁F₁(a; b; x) = Σ (a)ₖ/(b)ₖ x^k/k!, for positive a and b. It is 1 for
// a = 0 and ∞ for other a and b = 0. Large parameters, or terms that cancel, cost digits.
func Hyp1F1(a, b, x any) arr {
	xs := operands("hyp1f1", a, b, x)
	return hyp1f1.Call(xs[0], xs[1], xs[2])
}

var hyp1f1 = func() *trace.Func {
	var self *trace.Func
	self = vjp.CustomJVP(
		func(a, b, x arr) arr { return wide(kummer, a, b, x) },
		func(a, b, x, da, db, dx arr) (arr, arr) {
			byA := wide(func(in []arr) arr { return kummerSeries(in[0], in[1], in[2]).ByA }, a, b, x)
			byB := wide(func(in []arr) arr { return kummerSeries(in[0], in[1], in[2]).ByB }, a, b, x)
			byX := a.Div(b).Mul(self.Call(a.Add(1), b.Add(1), x))
			return self.Call(a, b, x), byA.Mul(da).Add(byB.Mul(db)).Add(byX.Mul(dx))
		},
	)
	return self
}()

func kummer(in []arr) arr {
	a, b, x := in[0], in[1], in[2]
	far := x.Abs().GreaterEqual(100)
	y := np.Where(far, kummerFar(a, b, within(far, x, 100)), kummerSeries(a, b, within(far.Not(), x, 0)).Sum)
	y = np.Where(a.Equal(b), primitive.Exp(x), y)
	y = np.Where(b.Equal(0), like(y, math.Inf(1)), y)
	return np.Where(a.Equal(0), like(y, 1), y)
}

// kummerSums are the power series and its derivatives in the parameters.
type kummerSums struct{ Term, Sum, SlopeA, SlopeB, ByA, ByB arr }

// kummerSeries is the method (a) of Pearson, Olver and Porter (Numerical methods for the computation of the confluent and
// Gauss hypergeometric functions, 2017); the derivative of log (a)ₖ is Σ 1/(a+j).
func kummerSeries(a, b, x arr) kummerSums {
	one, zero := like(x, 1), like(x, 0)
	return flow.Fori(0, 400, func(i arr, s kummerSums) kummerSums {
		k := i.AsType(array.Float64)
		aK, bK := a.Add(k), b.Add(k)
		term := s.Term.Mul(aK).Div(bK).Mul(x).Div(k.Add(1))
		slopeA, slopeB := s.SlopeA.Add(one.Div(aK)), s.SlopeB.Sub(one.Div(bK))
		return kummerSums{term, s.Sum.Add(term), slopeA, slopeB, s.ByA.Add(term.Mul(slopeA)), s.ByB.Add(term.Mul(slopeB))}
	}, kummerSums{one, one, zero, zero, zero, zero}).(kummerSums)
}

// kummerFar is the expansion at infinity (DLMF 13.7.2) cut at its smallest term; for negative x that of e^x ₁F₁(b-a; b; -x).
func kummerFar(a, b, x arr) arr {
	negative := x.Less(0)
	p := np.Where(negative, b.Sub(a), a)
	z := x.Abs()
	type state struct{ Term, Sum arr }
	one := like(z, 1)
	s := flow.Fori(0, 60, func(i arr, s state) state {
		k := i.AsType(array.Float64)
		term := s.Term.Mul(b.Sub(p).Add(k)).Mul(k.Add(1).Sub(p)).Div(k.Add(1)).Div(z)
		term = np.Where(term.Abs().Greater(s.Term.Abs()), like(z, 0), term)
		return state{term, s.Sum.Add(term)}
	}, state{one, one}).(state)
	factor := Gamma(b).Div(Gamma(p)).Mul(primitive.Pow(z, p.Sub(b)))
	return factor.Mul(np.Where(negative, one, primitive.Exp(z))).Mul(s.Sum)
}
