package stats_test

import (
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/np"
	"github.com/pantograph-go/pantograph/stats"
	"github.com/pantograph-go/pantograph/trace"
	"github.com/pantograph-go/pantograph/vjp"
)

type arr = *array.Array

func ExampleNorm() {
	fmt.Println(stats.Norm{Loc: 1.0, Scale: 2.0}.CDF([]float64{1, 3}))
	// Output: [0.5        0.84134475]
}

func close(t *testing.T, what string, got, want arr, tol float64) {
	t.Helper()
	if !np.AllClose(got, want, np.Tolerance(tol, tol)).Bool() {
		t.Errorf("%s is %v, want %v", what, got, want)
	}
}

type density interface{ LogPDF(x any) arr }

// A density is the slope of the distribution function, whose complement and inverses fit it.
func TestContinuous(t *testing.T) {
	x := np.Asarray([]float64{0.15, 0.4, 0.83})
	for name, d := range map[string]density{
		"norm": stats.Norm{Loc: 0.3, Scale: 1.7}, "cauchy": stats.Cauchy{Loc: 0.3, Scale: 1.7}, "laplace": stats.Laplace{Loc: 0.3, Scale: 1.7},
		"logistic": stats.Logistic{Loc: 0.3, Scale: 1.7}, "gumbel_r": stats.GumbelR{Loc: 0.3, Scale: 1.7}, "gumbel_l": stats.GumbelL{Loc: 0.3, Scale: 1.7},
		"expon": stats.Expon{Loc: 0.1, Scale: 1.7}, "uniform": stats.Uniform{Loc: 0.1, Scale: 2.0}, "gamma": stats.Gamma{A: 2.3, Scale: 0.7},
		"chi2": stats.Chi2{DF: 3.0}, "beta": stats.Beta{A: 2.0, B: 3.5}, "pareto": stats.Pareto{B: 2.5, Scale: 0.1},
		"truncnorm": stats.TruncNorm{A: -0.5, B: 1.5, Scale: 0.9}, "gennorm": stats.GenNorm{Beta: 1.5},
	} {
		type cdf interface{ CDF(x any) arr }
		slope := vjp.Grad(func(x arr) arr { return d.(cdf).CDF(x).Sum() }).Call(x)
		close(t, name+": the density", np.Exp(d.LogPDF(x)), slope, 1e-9)
		if s, ok := d.(interface {
			cdf
			SF(x any) arr
		}); ok {
			close(t, name+": CDF + SF", s.CDF(x).Add(s.SF(x)), np.OnesLike(x), 1e-12)
		}
		if s, ok := d.(interface {
			cdf
			LogCDF(x any) arr
		}); ok {
			close(t, name+": exp LogCDF", np.Exp(s.LogCDF(x)), s.CDF(x), 1e-12)
		}
		if s, ok := d.(interface {
			cdf
			PPF(x any) arr
		}); ok {
			close(t, name+": PPF of CDF", s.PPF(s.CDF(x)), x, 1e-9)
		}
		if s, ok := d.(interface {
			SF(x any) arr
			ISF(x any) arr
		}); ok {
			close(t, name+": ISF of SF", s.ISF(s.SF(x)), x, 1e-9)
		}
	}
}

// Probabilities add up to 1.
func TestDiscrete(t *testing.T) {
	k := np.Arange(0, 200)
	for name, p := range map[string]arr{
		"bernoulli": stats.Bernoulli{P: 0.3}.PMF(k), "poisson": stats.Poisson{Mu: 4.5}.PMF(k), "binom": stats.Binom{N: 7, P: 0.3}.PMF(k),
		"geom": stats.Geom{P: 0.3}.PMF(k), "nbinom": stats.NBinom{N: 2.5, P: 0.4}.PMF(k), "betabinom": stats.BetaBinom{N: 6, A: 2.0, B: 1.5}.PMF(k),
		"binom with loc": stats.Binom{N: 7, P: 0.3, Loc: 3}.PMF(k),
	} {
		close(t, name+": the sum", p.Sum(), np.Asarray(1.0), 1e-6)
	}
	close(t, "poisson: the distribution function", stats.Poisson{Mu: 4.5}.CDF(3), stats.Poisson{Mu: 4.5}.PMF([]int{0, 1, 2, 3}).Sum(), 1e-6)
	close(t, "multinomial", stats.Multinomial{N: 5, P: []float64{0.2, 0.3, 0.5}}.PMF([]int{1, 2, 2}), np.Asarray(30*0.2*0.09*0.25), 1e-12)
	close(t, "multinomial of others", stats.Multinomial{N: 4, P: []float64{0.2, 0.3, 0.5}}.PMF([]int{1, 2, 2}), np.Asarray(0.0), 0)
	close(t, "bernoulli: the inverse", stats.Bernoulli{P: 0.3}.PPF([]float64{0.5, 0.8}), np.Asarray([]float64{0, 1}), 0)
}

func TestMultivariate(t *testing.T) {
	x, mean := np.Asarray([]float64{0.3, -1.2}), np.Asarray([]float64{0.1, 0.4})
	apart := stats.Norm{Loc: mean, Scale: []float64{2, 3}}.LogPDF(x).Sum()
	close(t, "a diagonal covariance", stats.MultivariateNormal{Mean: mean, Cov: [][]float64{{4, 0}, {0, 9}}}.LogPDF(x), apart, 1e-12)
	cov := np.Asarray([][]float64{{2, 0.6}, {0.6, 1}})
	many := stats.MultivariateNormal{Mean: mean, Cov: cov}.LogPDF(np.Stack([]arr{x, mean}))
	close(t, "the density at the mean", many.At(1).Get(), np.Asarray(-math.Log(2*math.Pi)-math.Log(2-0.36)/2), 1e-12)
	if err := vjp.CheckGrads(func(x, m, c arr) arr { return stats.MultivariateNormal{Mean: m, Cov: c.Add(c.T())}.LogPDF(x) }, []any{x, mean, cov}); err != nil {
		t.Error(err)
	}
	alpha := np.Asarray([]float64{2, 3})
	close(t, "dirichlet", stats.Dirichlet{Alpha: alpha}.LogPDF([]float64{0.4, 0.6}), stats.Beta{A: 2.0, B: 3.0}.LogPDF(0.4), 1e-12)
	close(t, "dirichlet, the last left out", stats.Dirichlet{Alpha: alpha}.LogPDF([]float64{0.4}), stats.Beta{A: 2.0, B: 3.0}.LogPDF(0.4), 1e-12)
}

func TestSamples(t *testing.T) {
	x := np.Asarray([][]float64{{3, 1, 3, 2}, {5, 5, 4, math.NaN()}})
	row := x.At(0).Get()
	for method, want := range map[string][]float64{
		"average": {3.5, 1, 3.5, 2}, "min": {3, 1, 3, 2}, "max": {4, 1, 4, 2}, "dense": {3, 1, 3, 2}, "ordinal": {3, 1, 4, 2},
	} {
		close(t, method, stats.RankData(row, method), np.Asarray(want), 0)
	}
	ranks := stats.RankData(x, "average", 1)
	if got := ranks.At(1).Get().Float64s(); !math.IsNaN(got[0]) || ranks.At(0, 0).Get().Float() != 3.5 {
		t.Errorf("ranks of rows are %v", ranks)
	}
	value, count := stats.Mode(x, 1)
	close(t, "mode", value, np.Asarray([]float64{3, 5}), 0)
	close(t, "its count", count, np.Asarray([]int{2, 2}), 0)
	value, _ = stats.Mode([]int{4, 1, 4, 1}, 0)
	close(t, "the smallest of several modes", value, np.Asarray(1), 0)
	close(t, "standard error", stats.SEM(row, 0), np.Std(row, np.DDof(1)).Div(2.0), 1e-15)
}

func TestRefused(t *testing.T) {
	for name, f := range map[string]func(){
		"a missing parameter": func() { stats.Gamma{}.LogPDF(1.0) },
		"a complex number":    func() { stats.Norm{}.LogPDF(complex(1, 1)) },
		"an unknown method":   func() { stats.RankData([]int{1}, "median") },
		"a bad axis":          func() { stats.Mode([]int{1}, 1) },
		"float counts":        func() { stats.Multinomial{N: 2, P: []float64{1}}.LogPMF([]float64{2}) },
		"a bad covariance":    func() { stats.MultivariateNormal{Mean: []float64{1, 2}, Cov: [][]float64{{1}}}.LogPDF([]float64{1, 2}) },
	} {
		var e *array.Error
		if err := trace.Try(f); !errors.As(err, &e) {
			t.Errorf("%s is not refused: %v", name, err)
		}
	}
}
