package stats

import (
	"math"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/linalg"
	"github.com/pantograph-go/pantograph/np"
	"github.com/pantograph-go/pantograph/primitive"
	"github.com/pantograph-go/pantograph/special"
)

// Dirichlet is the distribution on the simplex of density Π xᵢ^(Alphaᵢ-1) Γ(ΣAlphaᵢ)/ΠΓ(Alphaᵢ). Alpha is a vector [n].
type Dirichlet struct{ Alpha any }

// LogPDF is the logarithm of the density at x [n, ...], or at x [n-1, ...] with what is missing to 1 as the last.
func (d Dirichlet) LogPDF(x any) arr {
	const op = "dirichlet.logpdf"
	xs := primitive.Promote(x, given(op, "Alpha", d.Alpha))
	v, alpha := operands(op, xs[0])[0], operands(op, xs[1])[0]
	if alpha.Rank() != 1 {
		panic(array.Wrap(op, array.ShapeErrorf("Alpha is %s, it must be a vector", alpha.Aval())))
	}
	n := alpha.Size()
	if v.Rank() == 0 || v.Shape()[0] != n && v.Shape()[0] != n-1 {
		panic(array.Wrap(op, array.ShapeErrorf("x is %s; its first axis must be %d like Alpha, or one less", v.Aval(), n)))
	}
	if v.Shape()[0] != n {
		v = np.Concatenate([]arr{v, np.Sum(v, np.Axis(0), np.KeepDims()).Neg().Add(1)}, np.Axis(0))
	}
	constant := primitive.Lgamma(alpha).Sum().Sub(primitive.Lgamma(alpha.Sum()))
	column := array.Shape{n}
	for range v.Rank() - 1 {
		column = append(column, 1)
	}
	y := special.XLogY(alpha.Reshape(column...).Sub(1), v).Sum(0).Sub(constant)
	inside := v.Greater(0).All(0).And(v.Sum(0).Sub(1).Abs().Less(1e-6))
	return only(inside, y, -inf)
}

// PDF is the density.
func (d Dirichlet) PDF(x any) arr { return exp(d.LogPDF(x)) }

// MultivariateNormal is the normal distribution of vectors with Mean [n] and covariance Cov [n, n], or with scalars for
// either.
type MultivariateNormal struct{ Mean, Cov any }

// LogPDF is the logarithm of the density at x [..., n], by the Cholesky factor of the covariance.
func (d MultivariateNormal) LogPDF(x any) arr {
	const op = "multivariate_normal.logpdf"
	xs := primitive.Promote(x, given(op, "Mean", d.Mean), given(op, "Cov", d.Cov))
	for i, v := range xs {
		xs[i] = operands(op, v)[0]
	}
	v, mean, cov := xs[0], xs[1], xs[2]
	logTau := math.Log(2 * math.Pi)
	y := v.Sub(mean)
	if mean.Rank() == 0 {
		return y.Mul(y).Div(cov).Add(log(cov)).Add(logTau).Mul(-0.5)
	}
	n := mean.Shape()[mean.Rank()-1]
	if cov.Rank() == 0 {
		return y.Mul(y).Sum(-1).Div(cov).Add(log(cov).Add(logTau).Mul(n)).Mul(-0.5)
	}
	if r := cov.Rank(); r < 2 || cov.Shape()[r-1] != n || cov.Shape()[r-2] != n {
		panic(array.Wrap(op, array.ShapeErrorf("Mean is %s and Cov %s; the covariance must be of %d by %d", mean.Aval(), cov.Aval(), n, n)))
	}
	factor := linalg.Cholesky(cov)
	logs := log(np.Diagonal(factor, 0, np.Axis(-2, -1))).Sum(-1)
	column := y.Reshape(append(y.Shape().Clone(), 1)...)
	batch := np.BroadcastShapes(factor.Shape()[:factor.Rank()-2], y.Shape()[:y.Rank()-1])
	factor = factor.BroadcastTo(append(batch.Clone(), n, n)...)
	column = column.BroadcastTo(append(batch.Clone(), n, 1)...)
	z := linalg.SolveTriangular(factor, column, linalg.Lower())
	return z.Mul(z).Sum(-1, -2).Mul(-0.5).Sub(float64(n) / 2 * logTau).Sub(logs)
}

// PDF is the density.
func (d MultivariateNormal) PDF(x any) arr { return exp(d.LogPDF(x)) }
