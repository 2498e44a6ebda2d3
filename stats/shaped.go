package stats

import (
	"math"

	"github.com/pantograph-go/pantograph/np"
	"github.com/pantograph-go/pantograph/primitive"
	"github.com/pantograph-go/pantograph/special"
)

// Gamma is the distribution of density y^(A-1) e^-y/(Γ(A) Scale) for y = (x-Loc)/Scale ≥ 0.
type Gamma struct{ A, Loc, Scale any }

// LogPDF is the logarithm of the density.
func (d Gamma) LogPDF(x any) arr {
	v, z, loc, scale, rest := located("gamma.logpdf", x, d.Loc, d.Scale, given("gamma.logpdf", "A", d.A))
	a, ok := rest[0], v.GreaterEqual(loc)
	y := only(ok, z, 1)
	return only(ok, special.XLogY(a.Sub(1), y).Sub(y).Sub(primitive.Lgamma(a).Add(log(scale))), -inf)
}

// PDF is the density.
func (d Gamma) PDF(x any) arr { return exp(d.LogPDF(x)) }

// CDF is the probability of at most x.
func (d Gamma) CDF(x any) arr {
	_, z, _, _, rest := located("gamma.cdf", x, d.Loc, d.Scale, given("gamma.cdf", "A", d.A))
	return special.GammaInc(rest[0], np.Clip(z, 0, nil))
}

// LogCDF is the logarithm of CDF.
func (d Gamma) LogCDF(x any) arr { return log(d.CDF(x)) }

// SF is 1 - CDF.
func (d Gamma) SF(x any) arr {
	_, z, _, _, rest := located("gamma.sf", x, d.Loc, d.Scale, given("gamma.sf", "A", d.A))
	return special.GammaIncc(rest[0], np.Clip(z, 0, nil))
}

// LogSF is the logarithm of SF.
func (d Gamma) LogSF(x any) arr { return log(d.SF(x)) }

// Chi2 is the χ² distribution with DF degrees of freedom: the gamma distribution of shape DF/2 and twice the scale.
type Chi2 struct{ DF, Loc, Scale any }

// LogPDF is the logarithm of the density.
func (d Chi2) LogPDF(x any) arr {
	v, z, loc, scale, rest := located("chi2.logpdf", x, d.Loc, d.Scale, given("chi2.logpdf", "DF", d.DF))
	half := rest[0].Div(2)
	constant := primitive.Lgamma(half).Add(half.Mul(math.Ln2)).Add(log(scale)).Neg()
	return only(v.Less(loc).Not(), constant.Add(half.Sub(1).Mul(log(z))).Sub(z.Div(2)), -inf)
}

// PDF is the density.
func (d Chi2) PDF(x any) arr { return exp(d.LogPDF(x)) }

// CDF is the probability of at most x.
func (d Chi2) CDF(x any) arr {
	_, z, _, _, rest := located("chi2.cdf", x, d.Loc, d.Scale, given("chi2.cdf", "DF", d.DF))
	return special.GammaInc(rest[0].Div(2), np.Clip(z.Div(2), 0, nil))
}

// LogCDF is the logarithm of CDF.
func (d Chi2) LogCDF(x any) arr { return log(d.CDF(x)) }

// SF is 1 - CDF.
func (d Chi2) SF(x any) arr {
	_, z, _, _, rest := located("chi2.sf", x, d.Loc, d.Scale, given("chi2.sf", "DF", d.DF))
	return special.GammaIncc(rest[0].Div(2), np.Clip(z.Div(2), 0, nil))
}

// LogSF is the logarithm of SF.
func (d Chi2) LogSF(x any) arr { return log(d.SF(x)) }

// Beta is the distribution of density y^(A-1) (1-y)^(B-1)/(B(A, B) Scale) for y = (x-Loc)/Scale in [0, 1].
type Beta struct{ A, B, Loc, Scale any }

func (d Beta) part(op string, x any) (v, z, loc, scale, a, b arr) {
	op = "beta." + op
	v, z, loc, scale, rest := located(op, x, d.Loc, d.Scale, given(op, "A", d.A), given(op, "B", d.B))
	return v, z, loc, scale, rest[0], rest[1]
}

// LogPDF is the logarithm of the density; NaN where A, B or Scale is not positive.
func (d Beta) LogPDF(x any) arr {
	v, z, loc, scale, a, b := d.part("logpdf", x)
	y := special.XLogY(a.Sub(1), z).Add(special.XLog1pY(b.Sub(1), z.Neg())).Sub(special.BetaLn(a, b)).Sub(log(scale))
	y = only(v.Greater(loc.Add(scale)).Or(v.Less(loc)).Not(), y, -inf)
	return only(a.LessEqual(0).Or(b.LessEqual(0)).Or(scale.LessEqual(0)).Not(), y, nan)
}

// PDF is the density.
func (d Beta) PDF(x any) arr { return exp(d.LogPDF(x)) }

// CDF is the probability of at most x. It has no derivative in A and B.
func (d Beta) CDF(x any) arr {
	_, z, _, _, a, b := d.part("cdf", x)
	return special.BetaInc(a, b, np.Clip(z, 0, 1))
}

// LogCDF is the logarithm of CDF.
func (d Beta) LogCDF(x any) arr { return log(d.CDF(x)) }

// SF is 1 - CDF.
func (d Beta) SF(x any) arr {
	_, z, _, _, a, b := d.part("sf", x)
	return special.BetaInc(b, a, np.Clip(z, 0, 1).Neg().Add(1))
}

// LogSF is the logarithm of SF.
func (d Beta) LogSF(x any) arr { return log(d.SF(x)) }

// T is Student's distribution with DF degrees of freedom, of density proportional to (1+z²/DF)^(-(DF+1)/2), z = (x-Loc)/Scale.
type T struct{ DF, Loc, Scale any }

// LogPDF is the logarithm of the density.
func (d T) LogPDF(x any) arr {
	_, z, _, scale, rest := located("t.logpdf", x, d.Loc, d.Scale, given("t.logpdf", "DF", d.DF))
	df := rest[0]
	half := df.Div(2)
	constant := primitive.Lgamma(half).Add(log(scale.Mul(scale).Mul(math.Pi).Mul(df)).Div(2)).Sub(primitive.Lgamma(half.Add(0.5)))
	return constant.Add(half.Add(0.5).Mul(primitive.Log1p(z.Mul(z).Div(df)))).Neg()
}

// PDF is the density.
func (d T) PDF(x any) arr { return exp(d.LogPDF(x)) }

// VonMises is the distribution on the circle of density exp(Kappa cos x)/(2π I₀(Kappa)); NaN where Kappa is not positive.
type VonMises struct{ Kappa any }

// LogPDF is the logarithm of the density.
func (d VonMises) LogPDF(x any) arr {
	xs := operands("vonmises.logpdf", x, given("vonmises.logpdf", "Kappa", d.Kappa))
	v, k := xs[0], xs[1]
	return only(k.Greater(0), k.Mul(primitive.Cos(v).Sub(1)).Sub(log(primitive.BesselI0e(k).Mul(2*math.Pi))), nan)
}

// PDF is the density.
func (d VonMises) PDF(x any) arr { return exp(d.LogPDF(x)) }

// WrapCauchy is the Cauchy distribution wrapped around the circle [0, 2π], of density (1-C²)/(2π(1+C²-2C cos x)); NaN where C is
// not in (0, 1).
type WrapCauchy struct{ C any }

// LogPDF is the logarithm of the density.
func (d WrapCauchy) LogPDF(x any) arr {
	xs := operands("wrapcauchy.logpdf", x, given("wrapcauchy.logpdf", "C", d.C))
	v, c := xs[0], xs[1]
	square := c.Mul(c)
	y := log(square.Neg().Add(1)).Sub(math.Log(2 * math.Pi)).Sub(log(square.Add(1).Sub(c.Mul(2).Mul(primitive.Cos(v)))))
	y = only(v.GreaterEqual(0).And(v.LessEqual(2*math.Pi)), y, -inf)
	return only(c.Greater(0).And(c.Less(1)), y, nan)
}

// PDF is the density.
func (d WrapCauchy) PDF(x any) arr { return exp(d.LogPDF(x)) }

// TruncNorm is the normal distribution cut to z = (x-Loc)/Scale in [A, B]; NaN where A ≥ B.
type TruncNorm struct{ A, B, Loc, Scale any }

// LogPDF is the logarithm of the density.
func (d TruncNorm) LogPDF(x any) arr {
	const op = "truncnorm.logpdf"
	v, z, loc, scale, rest := located(op, x, d.Loc, d.Scale, given(op, "A", d.A), given(op, "B", d.B))
	a, b := rest[0], rest[1]
	y := Norm{loc, scale}.LogPDF(v).Sub(logMass(a, b))
	y = only(z.Less(a).Or(z.Greater(b)).Not(), y, -inf)
	return only(a.Less(b), y, nan)
}

// PDF is the density.
func (d TruncNorm) PDF(x any) arr { return exp(d.LogPDF(x)) }

// LogCDF is the logarithm of CDF.
func (d TruncNorm) LogCDF(x any) arr {
	const op = "truncnorm.logcdf"
	_, z, _, _, rest := located(op, x, d.Loc, d.Scale, given(op, "A", d.A), given(op, "B", d.B))
	return truncatedLogCDF(z, rest[0], rest[1])
}

// CDF is the probability of at most x.
func (d TruncNorm) CDF(x any) arr { return exp(d.LogCDF(x)) }

// LogSF is the logarithm of SF.
func (d TruncNorm) LogSF(x any) arr {
	const op = "truncnorm.logsf"
	_, z, _, _, rest := located(op, x, d.Loc, d.Scale, given(op, "A", d.A), given(op, "B", d.B))
	return truncatedLogCDF(z.Neg(), rest[1].Neg(), rest[0].Neg())
}

// SF is 1 - CDF.
func (d TruncNorm) SF(x any) arr { return exp(d.LogSF(x)) }

func truncatedLogCDF(z, a, b arr) arr {
	whole := logMass(a, b)
	below, above := logMass(a, z).Sub(whole), logMass(z, b).Sub(whole)
	// Near 1 the logarithm of the other side is exact.
	y := np.Where(below.Greater(-0.1), primitive.Log1p(exp(above).Neg()), below)
	y = np.Where(z.GreaterEqual(b), like(y, 0), np.Where(z.LessEqual(a), like(y, -inf), y))
	return only(a.Less(b), y, nan)
}

// logMass is the logarithm of the normal probability of [a, b]: in the tails a difference of logarithms, in the right one by
// symmetry, about 0 that of 1 less the two tails.
func logMass(a, b arr) arr {
	right := a.Greater(0)
	central := b.LessEqual(0).Or(right).Not()
	lo, hi := np.Where(right, b.Neg(), a), np.Where(right, a.Neg(), b)
	top, bottom := special.LogNdtr(hi), special.LogNdtr(lo)
	minus := np.Stack([]arr{like(top, 1), like(top, -1)})
	tail := np.LogSumExp(np.Stack([]arr{top, bottom}), np.Weights(minus), np.Axis(0))
	return np.Where(central, primitive.Log1p(special.Ndtr(a).Neg().Sub(special.Ndtr(b.Neg()))), tail)
}
