package stats

import (
	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/np"
	"github.com/pantograph-go/pantograph/primitive"
	"github.com/pantograph-go/pantograph/special"
)

// counted are the operands of a discrete distribution: k, k-loc, loc and the others.
func counted(op string, k, loc any, more ...any) (v, y, l arr, rest []arr) {
	xs := operands(op, append([]any{k, or(loc, 0)}, more...)...)
	return xs[0], xs[0].Sub(xs[1]), xs[1], xs[2:]
}

// Bernoulli is the distribution of 1 with probability P and 0 otherwise, moved by Loc.
type Bernoulli struct{ P, Loc any }

// LogPMF is the logarithm of the probability of k.
func (d Bernoulli) LogPMF(k any) arr {
	_, y, _, rest := counted("bernoulli.logpmf", k, d.Loc, given("bernoulli.logpmf", "P", d.P))
	p := rest[0]
	log := special.XLogY(y, p).Add(special.XLog1pY(y.Neg().Add(1), p.Neg()))
	return only(y.Less(0).Or(y.Greater(1)).Not(), log, -inf)
}

// PMF is the probability of k.
func (d Bernoulli) PMF(k any) arr { return exp(d.LogPMF(k)) }

// CDF is the probability of at most k; Loc is not looked at. NaN where P is no probability.
func (d Bernoulli) CDF(k any) arr {
	xs := operands("bernoulli.cdf", k, given("bernoulli.cdf", "P", d.P))
	v, p := xs[0], xs[1]
	y := np.Where(v.Less(0), like(p, 0), np.Where(v.Less(1), p.Neg().Add(1), like(p, 1)))
	return only(probability(p).And(np.IsNaN(v).Not()), y, nan)
}

// PPF is the smallest k whose CDF is at least q; NaN where q or P is no probability.
func (d Bernoulli) PPF(q any) arr {
	xs := operands("bernoulli.ppf", q, given("bernoulli.ppf", "P", d.P))
	v, p := xs[0], xs[1]
	return only(probability(p).And(probability(v)), np.Where(v.LessEqual(p.Neg().Add(1)), like(p, 0), like(p, 1)), nan)
}

// Poisson is the distribution of probabilities Mu^k e^-Mu/k!, moved by Loc.
type Poisson struct{ Mu, Loc any }

// LogPMF is the logarithm of the probability of k.
func (d Poisson) LogPMF(k any) arr {
	v, y, _, rest := counted("poisson.logpmf", k, d.Loc, given("poisson.logpmf", "Mu", d.Mu))
	mu := rest[0]
	log := special.XLogY(y, mu).Sub(primitive.Lgamma(y.Add(1))).Sub(mu)
	whole := primitive.Round(v, primitive.ToNearestEven).Equal(v)
	return only(y.Less(0).Not().And(whole), log, -inf)
}

// PMF is the probability of k.
func (d Poisson) PMF(k any) arr { return exp(d.LogPMF(k)) }

// CDF is the probability of at most k.
func (d Poisson) CDF(k any) arr {
	_, y, _, rest := counted("poisson.cdf", k, d.Loc, given("poisson.cdf", "Mu", d.Mu))
	p := special.GammaIncc(primitive.Floor(y.Add(1)), rest[0])
	return only(y.Less(0).Not(), p, 0)
}

// Binom is the distribution of successes in N trials of probability P, moved by Loc.
type Binom struct{ N, P, Loc any }

// LogPMF is the logarithm of the probability of k.
func (d Binom) LogPMF(k any) arr {
	const op = "binom.logpmf"
	v, y, loc, rest := counted(op, k, d.Loc, given(op, "N", d.N), given(op, "P", d.P))
	n, p := rest[0], rest[1]
	ways := primitive.Lgamma(n.Add(1)).Sub(primitive.Lgamma(y.Add(1)).Add(primitive.Lgamma(n.Sub(y).Add(1))))
	chance := special.XLogY(y, p).Add(special.XLog1pY(n.Sub(y), p.Neg()))
	certain := y.Equal(0).And(n.Equal(0)).Or(chance.Equal(0))
	log := np.Where(certain, like(y, 0), ways.Add(chance))
	return only(v.GreaterEqual(loc).And(v.Less(loc.Add(n).Add(1))), log, -inf)
}

// PMF is the probability of k.
func (d Binom) PMF(k any) arr { return exp(d.LogPMF(k)) }

// Geom is the distribution of the trial of the first success of probability P, moved by Loc.
type Geom struct{ P, Loc any }

// LogPMF is the logarithm of the probability of k.
func (d Geom) LogPMF(k any) arr {
	_, y, _, rest := counted("geom.logpmf", k, d.Loc, given("geom.logpmf", "P", d.P))
	p := rest[0]
	return only(y.LessEqual(0).Not(), special.XLog1pY(y.Sub(1), p.Neg()).Add(log(p)), -inf)
}

// PMF is the probability of k.
func (d Geom) PMF(k any) arr { return exp(d.LogPMF(k)) }

// NBinom is the distribution of failures before the N-th success of probability P, moved by Loc.
type NBinom struct{ N, P, Loc any }

// LogPMF is the logarithm of the probability of k.
func (d NBinom) LogPMF(k any) arr {
	const op = "nbinom.logpmf"
	v, y, loc, rest := counted(op, k, d.Loc, given(op, "N", d.N), given(op, "P", d.P))
	n, p := rest[0], rest[1]
	ways := primitive.Lgamma(y.Add(n)).Sub(primitive.Lgamma(n)).Sub(primitive.Lgamma(y.Add(1)))
	log := ways.Add(special.XLogY(n, p).Add(special.XLogY(y, p.Neg().Add(1))))
	return only(v.Less(loc).Not(), log, -inf)
}

// PMF is the probability of k.
func (d NBinom) PMF(k any) arr { return exp(d.LogPMF(k)) }

// BetaBinom is Binom with a probability that has the beta distribution of A and B.
type BetaBinom struct{ N, A, B, Loc any }

// LogPMF is the logarithm of the probability of k; NaN where N is negative or A or B not positive.
func (d BetaBinom) LogPMF(k any) arr {
	const op = "betabinom.logpmf"
	v, _, loc, rest := counted(op, k, d.Loc, given(op, "N", d.N), given(op, "A", d.A), given(op, "B", d.B))
	n, a, b := rest[0], rest[1], rest[2]
	y := primitive.Floor(v).Sub(loc)
	ways := primitive.Log1p(n).Add(special.BetaLn(n.Sub(y).Add(1), y.Add(1))).Neg()
	log := ways.Add(special.BetaLn(y.Add(a), n.Sub(y).Add(b)).Sub(special.BetaLn(a, b)))
	log = np.Where(y.Equal(0).And(n.Equal(0)), like(y, 0), log)
	log = only(y.Less(loc.Neg()).Or(y.Greater(n)).Or(y.Add(a).LessEqual(0)).Not(), log, -inf)
	return only(n.Less(0).Or(a.LessEqual(0)).Or(b.LessEqual(0)).Not(), log, nan)
}

// PMF is the probability of k.
func (d BetaBinom) PMF(k any) arr { return exp(d.LogPMF(k)) }

// Multinomial is the distribution of how often each of several outcomes of probabilities P [n] comes in N trials.
type Multinomial struct{ N, P any }

// LogPMF is the logarithm of the probability of the counts x [..., n], integers.
func (d Multinomial) LogPMF(x any) arr {
	const op = "multinomial.logpmf"
	p := operands(op, given(op, "P", d.P))[0]
	counts, n := array.MustValue(op, x), array.MustValue(op, given(op, "N", d.N))
	if !counts.DType().IsInteger() || !n.DType().IsInteger() {
		panic(array.Wrap(op, array.DTypeErrorf("counts are %s and N is %s; both must be of an integer type", counts.Aval(), n.Aval())))
	}
	k, all := primitive.Convert(counts, p.DType()), primitive.Convert(n, p.DType())
	log := primitive.Lgamma(all.Add(1)).Add(special.XLogY(k, p).Sub(primitive.Lgamma(k.Add(1))).Sum(-1))
	return np.Where(k.Sum(-1).Equal(all), log, like(log, -inf))
}

// PMF is the probability of the counts x.
func (d Multinomial) PMF(x any) arr { return exp(d.LogPMF(x)) }
