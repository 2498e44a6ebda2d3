package golden

import (
	"maps"
	"reflect"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/stats"
)

// distributions are the distributions of jax.scipy.stats: a struct, and its fields in the order of the arguments after
// the first.
var distributions = map[string]struct {
	zero   any
	fields []string
}{
	"norm": {stats.Norm{}, nil}, "cauchy": {stats.Cauchy{}, nil}, "laplace": {stats.Laplace{}, nil}, "logistic": {stats.Logistic{}, nil},
	"gumbel_r": {stats.GumbelR{}, nil}, "gumbel_l": {stats.GumbelL{}, nil}, "expon": {stats.Expon{}, nil}, "uniform": {stats.Uniform{}, nil},
	"gamma": {stats.Gamma{}, []string{"A"}}, "beta": {stats.Beta{}, []string{"A", "B"}}, "chi2": {stats.Chi2{}, []string{"DF"}},
	"t": {stats.T{}, []string{"DF"}}, "pareto": {stats.Pareto{}, []string{"B"}}, "truncnorm": {stats.TruncNorm{}, []string{"A", "B"}},
	"gennorm": {stats.GenNorm{}, []string{"Beta"}}, "vonmises": {stats.VonMises{}, []string{"Kappa"}}, "wrapcauchy": {stats.WrapCauchy{}, []string{"C"}},
	"bernoulli": {stats.Bernoulli{}, []string{"P"}}, "poisson": {stats.Poisson{}, []string{"Mu"}}, "binom": {stats.Binom{}, []string{"N", "P"}},
	"geom": {stats.Geom{}, []string{"P"}}, "nbinom": {stats.NBinom{}, []string{"N", "P"}}, "betabinom": {stats.BetaBinom{}, []string{"N", "A", "B"}},
	"dirichlet": {stats.Dirichlet{}, []string{"Alpha"}}, "multinomial": {stats.Multinomial{}, []string{"N", "P"}},
	"multivariate_normal": {stats.MultivariateNormal{}, []string{"Mean", "Cov"}},
}

var distributionMethods = map[string]string{
	"logpdf": "LogPDF", "pdf": "PDF", "logcdf": "LogCDF", "cdf": "CDF", "logsf": "LogSF", "sf": "SF", "ppf": "PPF", "isf": "ISF",
	"logpmf": "LogPMF", "pmf": "PMF",
}

// statsFunctions are the functions of jax.scipy.stats.
var statsFunctions = func() map[string]Func {
	all := map[string]Func{}
	for name, d := range distributions {
		for method, goName := range distributionMethods {
			if reflect.ValueOf(d.zero).MethodByName(goName).IsValid() {
				all["stats."+name+"."+method] = distribution(d.zero, append(d.fields[:len(d.fields):len(d.fields)], "Loc", "Scale"), goName)
			}
		}
	}
	maps.Copy(all, map[string]Func{
		"stats.sem": func(c *Call) any { return stats.SEM(c.Args[0], c.Int("axis", 0)) },
		"stats.rankdata": func(c *Call) any {
			return stats.RankData(c.Args[0], c.Str("method", "average"), c.Ints("axis")...)
		},
		"stats.mode": func(c *Call) any { return pair(stats.Mode(c.Args[0], c.Int("axis", 0))) },
	})
	return all
}()

func distribution(zero any, fields []string, method string) Func {
	return func(c *Call) any {
		d := reflect.New(reflect.TypeOf(zero)).Elem()
		for i, arg := range c.Args[1:] {
			d.FieldByName(fields[i]).Set(reflect.ValueOf(arg))
		}
		f := d.MethodByName(method).Interface().(func(any) *array.Array)
		return f(c.Args[0])
	}
}
