package stats

import (
	"math"

	"github.com/pantograph-go/pantograph/np"
	"github.com/pantograph-go/pantograph/primitive"
	"github.com/pantograph-go/pantograph/special"
)

// Norm is the normal distribution, of density exp(-z²/2)/(√2π Scale) with z = (x-Loc)/Scale.
type Norm struct{ Loc, Scale any }

// LogPDF is the logarithm of the density.
func (d Norm) LogPDF(x any) arr {
	v, _, loc, scale, _ := located("norm.logpdf", x, d.Loc, d.Scale)
	square := scale.Mul(scale)
	return log(square.Mul(2 * math.Pi)).Add(primitive.Square(v.Sub(loc)).Div(square)).Div(-2)
}

// PDF is the density.
func (d Norm) PDF(x any) arr { return exp(d.LogPDF(x)) }

// CDF is the probability of at most x.
func (d Norm) CDF(x any) arr {
	_, z, _, _, _ := located("norm.cdf", x, d.Loc, d.Scale)
	return special.Ndtr(z)
}

// LogCDF is the logarithm of CDF.
func (d Norm) LogCDF(x any) arr {
	_, z, _, _, _ := located("norm.logcdf", x, d.Loc, d.Scale)
	return special.LogNdtr(z)
}

// SF is 1 - CDF.
func (d Norm) SF(x any) arr {
	_, z, _, _, _ := located("norm.sf", x, d.Loc, d.Scale)
	return special.Ndtr(z.Neg())
}

// LogSF is the logarithm of SF.
func (d Norm) LogSF(x any) arr {
	_, z, _, _, _ := located("norm.logsf", x, d.Loc, d.Scale)
	return special.LogNdtr(z.Neg())
}

// PPF is the inverse of CDF.
func (d Norm) PPF(q any) arr {
	v, _, loc, scale, _ := located("norm.ppf", q, d.Loc, d.Scale)
	return special.Ndtri(v).Mul(scale).Add(loc)
}

// ISF is the inverse of SF.
func (d Norm) ISF(q any) arr {
	v, _, loc, scale, _ := located("norm.isf", q, d.Loc, d.Scale)
	return special.Ndtri(v.Neg().Add(1)).Mul(scale).Add(loc)
}

// Cauchy is the distribution of density 1/(π Scale (1+z²)), z = (x-Loc)/Scale.
type Cauchy struct{ Loc, Scale any }

// LogPDF is the logarithm of the density.
func (d Cauchy) LogPDF(x any) arr {
	_, z, _, scale, _ := located("cauchy.logpdf", x, d.Loc, d.Scale)
	return log(scale.Mul(math.Pi)).Add(primitive.Log1p(z.Mul(z))).Neg()
}

// PDF is the density.
func (d Cauchy) PDF(x any) arr { return exp(d.LogPDF(x)) }

// CDF is the probability of at most x.
func (d Cauchy) CDF(x any) arr {
	_, z, _, _, _ := located("cauchy.cdf", x, d.Loc, d.Scale)
	return primitive.Atan(z).Mul(1 / math.Pi).Add(0.5)
}

// LogCDF is the logarithm of CDF.
func (d Cauchy) LogCDF(x any) arr { return log(d.CDF(x)) }

// SF is 1 - CDF.
func (d Cauchy) SF(x any) arr {
	_, z, _, _, _ := located("cauchy.sf", x, d.Loc, d.Scale)
	return primitive.Atan(z.Neg()).Mul(1 / math.Pi).Add(0.5)
}

// LogSF is the logarithm of SF.
func (d Cauchy) LogSF(x any) arr { return log(d.SF(x)) }

// PPF is the inverse of CDF.
func (d Cauchy) PPF(q any) arr {
	v, _, loc, scale, _ := located("cauchy.ppf", q, d.Loc, d.Scale)
	return primitive.Tan(v.Mul(math.Pi).Sub(math.Pi / 2)).Mul(scale).Add(loc)
}

// ISF is the inverse of SF.
func (d Cauchy) ISF(q any) arr {
	v, _, loc, scale, _ := located("cauchy.isf", q, d.Loc, d.Scale)
	return primitive.Tan(v.Mul(-math.Pi).Add(math.Pi / 2)).Mul(scale).Add(loc)
}

// Laplace is the distribution of density exp(-|z|)/(2 Scale), z = (x-Loc)/Scale.
type Laplace struct{ Loc, Scale any }

// LogPDF is the logarithm of the density.
func (d Laplace) LogPDF(x any) arr {
	v, _, loc, scale, _ := located("laplace.logpdf", x, d.Loc, d.Scale)
	return v.Sub(loc).Abs().Div(scale).Add(log(scale.Mul(2))).Neg()
}

// PDF is the density.
func (d Laplace) PDF(x any) arr { return exp(d.LogPDF(x)) }

// CDF is the probability of at most x.
func (d Laplace) CDF(x any) arr {
	_, z, _, _, _ := located("laplace.cdf", x, d.Loc, d.Scale)
	return np.Where(z.LessEqual(0), exp(np.Minimum(z, like(z, 0))).Mul(0.5), exp(np.Maximum(z, like(z, 0)).Neg()).Mul(-0.5).Add(1))
}

// Logistic is the distribution of density e^-z/(Scale (1+e^-z)²), z = (x-Loc)/Scale.
type Logistic struct{ Loc, Scale any }

// LogPDF is the logarithm of the density.
func (d Logistic) LogPDF(x any) arr {
	_, z, _, scale, _ := located("logistic.logpdf", x, d.Loc, d.Scale)
	half := z.Div(2)
	return np.Logaddexp(half, half.Neg()).Mul(-2).Sub(log(scale))
}

// PDF is the density.
func (d Logistic) PDF(x any) arr { return exp(d.LogPDF(x)) }

// CDF is the probability of at most x.
func (d Logistic) CDF(x any) arr {
	_, z, _, _, _ := located("logistic.cdf", x, d.Loc, d.Scale)
	return special.Expit(z)
}

// SF is 1 - CDF.
func (d Logistic) SF(x any) arr {
	_, z, _, _, _ := located("logistic.sf", x, d.Loc, d.Scale)
	return special.Expit(z.Neg())
}

// PPF is the inverse of CDF.
func (d Logistic) PPF(q any) arr {
	v, _, loc, scale, _ := located("logistic.ppf", q, d.Loc, d.Scale)
	return special.Logit(v).Mul(scale).Add(loc)
}

// ISF is the inverse of SF.
func (d Logistic) ISF(q any) arr {
	v, _, loc, scale, _ := located("logistic.isf", q, d.Loc, d.Scale)
	return special.Logit(v).Neg().Mul(scale).Add(loc)
}

// Expon is the exponential distribution, of density exp(-z)/Scale for z = (x-Loc)/Scale ≥ 0.
type Expon struct{ Loc, Scale any }

// LogPDF is the logarithm of the density.
func (d Expon) LogPDF(x any) arr {
	v, z, loc, scale, _ := located("expon.logpdf", x, d.Loc, d.Scale)
	return only(v.Less(loc).Not(), z.Add(log(scale)).Neg(), -inf)
}

// PDF is the density.
func (d Expon) PDF(x any) arr { return exp(d.LogPDF(x)) }

// CDF is the probability of at most x.
func (d Expon) CDF(x any) arr {
	v, z, loc, _, _ := located("expon.cdf", x, d.Loc, d.Scale)
	return only(v.Less(loc).Not(), primitive.Expm1(z.Neg()).Neg(), 0)
}

// LogCDF is the logarithm of CDF.
func (d Expon) LogCDF(x any) arr { return primitive.Log1p(d.SF(x).Neg()) }

// LogSF is the logarithm of SF.
func (d Expon) LogSF(x any) arr {
	v, z, loc, _, _ := located("expon.logsf", x, d.Loc, d.Scale)
	return only(v.Less(loc).Not(), z.Neg(), 0)
}

// SF is 1 - CDF.
func (d Expon) SF(x any) arr { return exp(d.LogSF(x)) }

// PPF is the inverse of CDF, NaN outside [0, 1].
func (d Expon) PPF(q any) arr {
	v, _, loc, scale, _ := located("expon.ppf", q, d.Loc, d.Scale)
	return only(probability(v), loc.Sub(scale.Mul(primitive.Log1p(v.Neg()))), nan)
}

// Uniform is the uniform distribution on [Loc, Loc+Scale].
type Uniform struct{ Loc, Scale any }

// LogPDF is the logarithm of the density.
func (d Uniform) LogPDF(x any) arr {
	v, _, loc, scale, _ := located("uniform.logpdf", x, d.Loc, d.Scale)
	return only(v.Greater(loc.Add(scale)).Or(v.Less(loc)).Not(), log(scale).Neg(), -inf)
}

// PDF is the density.
func (d Uniform) PDF(x any) arr { return exp(d.LogPDF(x)) }

// CDF is the probability of at most x.
func (d Uniform) CDF(x any) arr {
	v, z, loc, scale, _ := located("uniform.cdf", x, d.Loc, d.Scale)
	return np.Where(v.Less(loc), like(z, 0), np.Where(v.Greater(loc.Add(scale)), like(z, 1), z))
}

// PPF is the inverse of CDF, NaN outside [0, 1].
func (d Uniform) PPF(q any) arr {
	v, _, loc, scale, _ := located("uniform.ppf", q, d.Loc, d.Scale)
	return only(probability(v), loc.Add(scale.Mul(v)), nan)
}
