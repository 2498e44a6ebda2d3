package stats

import (
	"github.com/pantograph-go/pantograph/nn"
	"github.com/pantograph-go/pantograph/primitive"
	"github.com/pantograph-go/pantograph/special"
)

// GumbelR is Gumbel's distribution of the largest of many, of density exp(-z - e^-z)/Scale, z = (x-Loc)/Scale; NaN
// where Scale is not positive.
type GumbelR struct{ Loc, Scale any }

// LogPDF is the logarithm of the density.
func (d GumbelR) LogPDF(x any) arr {
	_, z, _, scale, _ := located("gumbel_r.logpdf", x, d.Loc, d.Scale)
	return only(scale.Greater(0), z.Add(exp(z.Neg())).Add(log(scale)).Neg(), nan)
}

// PDF is the density.
func (d GumbelR) PDF(x any) arr { return exp(d.LogPDF(x)) }

// LogCDF is the logarithm of CDF.
func (d GumbelR) LogCDF(x any) arr {
	_, z, _, scale, _ := located("gumbel_r.logcdf", x, d.Loc, d.Scale)
	return only(scale.Greater(0), exp(z.Neg()).Neg(), nan)
}

// CDF is the probability of at most x.
func (d GumbelR) CDF(x any) arr { return exp(d.LogCDF(x)) }

// SF is 1 - CDF.
func (d GumbelR) SF(x any) arr {
	_, z, _, scale, _ := located("gumbel_r.sf", x, d.Loc, d.Scale)
	return only(scale.Greater(0), primitive.Expm1(exp(z.Neg()).Neg()).Neg(), nan)
}

// LogSF is the logarithm of SF.
func (d GumbelR) LogSF(x any) arr {
	_, z, _, scale, _ := located("gumbel_r.logsf", x, d.Loc, d.Scale)
	return only(scale.Greater(0), nn.Log1mexp(exp(z.Neg())), nan)
}

// PPF is the inverse of CDF, NaN outside (0, 1).
func (d GumbelR) PPF(q any) arr {
	v, _, loc, scale, _ := located("gumbel_r.ppf", q, d.Loc, d.Scale)
	return only(v.Greater(0).And(v.Less(1)), loc.Sub(scale.Mul(log(log(v).Neg()))), nan)
}

// GumbelL is Gumbel's distribution of the smallest of many, of density exp(z - e^z)/Scale, z = (x-Loc)/Scale; NaN
// where Scale is not positive.
type GumbelL struct{ Loc, Scale any }

// LogPDF is the logarithm of the density.
func (d GumbelL) LogPDF(x any) arr {
	_, z, _, scale, _ := located("gumbel_l.logpdf", x, d.Loc, d.Scale)
	return only(scale.Greater(0), z.Sub(exp(z)).Sub(log(scale)), nan)
}

// PDF is the density.
func (d GumbelL) PDF(x any) arr { return exp(d.LogPDF(x)) }

// LogCDF is the logarithm of CDF.
func (d GumbelL) LogCDF(x any) arr {
	_, z, _, scale, _ := located("gumbel_l.logcdf", x, d.Loc, d.Scale)
	return only(scale.Greater(0), log(primitive.Expm1(exp(z).Neg()).Neg()), nan)
}

// CDF is the probability of at most x.
func (d GumbelL) CDF(x any) arr { return exp(d.LogCDF(x)) }

// LogSF is the logarithm of SF.
func (d GumbelL) LogSF(x any) arr {
	_, z, _, scale, _ := located("gumbel_l.logsf", x, d.Loc, d.Scale)
	return only(scale.Greater(0), exp(z).Neg(), nan)
}

// SF is 1 - CDF.
func (d GumbelL) SF(x any) arr { return exp(d.LogSF(x)) }

// PPF is the inverse of CDF, NaN outside (0, 1).
func (d GumbelL) PPF(q any) arr {
	v, _, loc, scale, _ := located("gumbel_l.ppf", q, d.Loc, d.Scale)
	return only(v.Greater(0).And(v.Less(1)), loc.Add(scale.Mul(log(primitive.Log1p(v.Neg()).Neg()))), nan)
}

// Pareto is the distribution of density B/(Scale y^(B+1)) for y = (x-Loc)/Scale ≥ 1.
type Pareto struct{ B, Loc, Scale any }

// part finds the operands; outside is where x lies below the support.
func (d Pareto) part(op string, x any) (v, z, loc, scale, b, outside arr) {
	v, z, loc, scale, rest := located("pareto."+op, x, d.Loc, d.Scale, given("pareto."+op, "B", d.B))
	return v, z, loc, scale, rest[0], v.Less(loc.Add(scale))
}

// LogPDF is the logarithm of the density.
func (d Pareto) LogPDF(x any) arr {
	_, z, _, scale, b, outside := d.part("logpdf", x)
	return only(outside.Not(), log(scale.Div(b)).Add(b.Add(1).Mul(log(z))).Neg(), -inf)
}

// PDF is the density.
func (d Pareto) PDF(x any) arr { return exp(d.LogPDF(x)) }

// CDF is the probability of at most x.
func (d Pareto) CDF(x any) arr {
	_, z, _, _, b, outside := d.part("cdf", x)
	return only(outside.Not(), primitive.Pow(z, b.Neg()).Neg().Add(1), 0)
}

// LogCDF is the logarithm of CDF.
func (d Pareto) LogCDF(x any) arr {
	_, z, _, _, b, outside := d.part("logcdf", x)
	return only(outside.Not(), primitive.Log1p(primitive.Pow(z, b.Neg()).Neg()), -inf)
}

// LogSF is the logarithm of SF.
func (d Pareto) LogSF(x any) arr {
	_, z, _, _, b, outside := d.part("logsf", x)
	return only(outside.Not(), b.Mul(log(z)).Neg(), 0)
}

// SF is 1 - CDF.
func (d Pareto) SF(x any) arr { return exp(d.LogSF(x)) }

// PPF is the inverse of CDF, NaN outside [0, 1].
func (d Pareto) PPF(q any) arr {
	v, _, loc, scale, b, _ := d.part("ppf", q)
	return only(probability(v), loc.Add(scale.Mul(primitive.Pow(v.Neg().Add(1), like(b, -1).Div(b)))), nan)
}

// GenNorm is the generalised normal distribution, of density Beta/(2Γ(1/Beta)) exp(-|x|^Beta).
type GenNorm struct{ Beta any }

// LogPDF is the logarithm of the density.
func (d GenNorm) LogPDF(x any) arr {
	xs := operands("gennorm.logpdf", x, given("gennorm.logpdf", "Beta", d.Beta))
	v, b := xs[0], xs[1]
	return log(b.Mul(0.5)).Sub(primitive.Lgamma(like(b, 1).Div(b))).Sub(primitive.Pow(v.Abs(), b))
}

// PDF is the density.
func (d GenNorm) PDF(x any) arr { return exp(d.LogPDF(x)) }

// CDF is the probability of at most x.
func (d GenNorm) CDF(x any) arr {
	xs := operands("gennorm.cdf", x, given("gennorm.cdf", "Beta", d.Beta))
	v, b := xs[0], xs[1]
	half := special.GammaInc(like(b, 1).Div(b), primitive.Pow(v.Abs(), b))
	return primitive.Sign(v).Mul(half).Add(1).Mul(0.5)
}
