package random_test

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/jit"
	"github.com/pantograph-go/pantograph/np"
	"github.com/pantograph-go/pantograph/random"
	"github.com/pantograph-go/pantograph/trace"
	"github.com/pantograph-go/pantograph/vjp"
	"github.com/pantograph-go/pantograph/vmap"
)

type draw = func(key *np.Array, shape []int) *np.Array

func plain(f func(key *np.Array, shape []int, dtype ...np.DType) *np.Array) draw {
	return func(key *np.Array, shape []int) *np.Array { return f(key, shape) }
}

func with(f func(key *np.Array, shape []int, p any, dtype ...np.DType) *np.Array, p any) draw {
	return func(key *np.Array, shape []int) *np.Array { return f(key, shape, p) }
}

func with2(f func(key *np.Array, shape []int, p, q any, dtype ...np.DType) *np.Array, p, q any) draw {
	return func(key *np.Array, shape []int) *np.Array { return f(key, shape, p, q) }
}

// phi is the distribution function of the standard normal distribution.
func phi(x float64) float64 { return 0.5 * math.Erfc(-x/math.Sqrt2) }

// continuous lists distributions with their distribution functions.
var continuous = []struct {
	name string
	draw draw
	cdf  func(x float64) float64
}{
	{"uniform", plain(random.Uniform), func(x float64) float64 { return x }},
	{"uniform range", with2(random.UniformRange, -2, 3), func(x float64) float64 { return (x + 2) / 5 }},
	{"normal", plain(random.Normal), phi},
	{"truncated normal", with2(random.TruncatedNormal, -0.5, 2), func(x float64) float64 { return (phi(x) - phi(-0.5)) / (phi(2) - phi(-0.5)) }},
	{"lognormal", with(random.Lognormal, 0.5), func(x float64) float64 { return phi(math.Log(x) / 0.5) }},
	{"exponential", plain(random.Exponential), func(x float64) float64 { return 1 - math.Exp(-x) }},
	{"laplace", plain(random.Laplace), func(x float64) float64 {
		if x < 0 {
			return math.Exp(x) / 2
		}
		return 1 - math.Exp(-x)/2
	}},
	{"cauchy", plain(random.Cauchy), func(x float64) float64 { return 0.5 + math.Atan(x)/math.Pi }},
	{"logistic", plain(random.Logistic), func(x float64) float64 { return 1 / (1 + math.Exp(-x)) }},
	{"gumbel", plain(random.Gumbel), func(x float64) float64 { return math.Exp(-math.Exp(-x)) }},
	{"gumbel, high", func(key *np.Array, shape []int) *np.Array { return random.GumbelAt(key, random.High, shape) },
		func(x float64) float64 { return math.Exp(-math.Exp(-x)) }},
	{"gumbel, highest", func(key *np.Array, shape []int) *np.Array {
		return random.GumbelAt(key, random.Highest, shape, np.Float32)
	},
		func(x float64) float64 { return math.Exp(-math.Exp(-x)) }},
	{"pareto", with(random.Pareto, 2.5), func(x float64) float64 { return 1 - math.Pow(x, -2.5) }},
	{"weibull", with2(random.WeibullMin, 2, 1.5), func(x float64) float64 { return 1 - math.Exp(-math.Pow(x/2, 1.5)) }},
	{"rayleigh", with(random.Rayleigh, 1.5), func(x float64) float64 { return 1 - math.Exp(-x*x/(2*1.5*1.5)) }},
	{"maxwell", plain(random.Maxwell), func(x float64) float64 {
		return math.Erf(x/math.Sqrt2) - math.Sqrt(2/math.Pi)*x*math.Exp(-x*x/2)
	}},
	{"double-sided maxwell", with2(random.DoubleSidedMaxwell, 1, 2), func(x float64) float64 {
		z := math.Abs(x-1) / 2
		half := (math.Erf(z/math.Sqrt2) - math.Sqrt(2/math.Pi)*z*math.Exp(-z*z/2)) / 2
		if x < 1 {
			return 0.5 - half
		}
		return 0.5 + half
	}},
	{"triangular", func(key *np.Array, shape []int) *np.Array { return random.Triangular(key, shape, -1, 0.5, 2) }, func(x float64) float64 {
		if x < 0.5 {
			return (x + 1) * (x + 1) / (3 * 1.5)
		}
		return 1 - (2-x)*(2-x)/(3*1.5)
	}},
	{"wald", with(random.Wald, 1.2), func(x float64) float64 {
		a, b := math.Sqrt(1/x)*(x/1.2-1), -math.Sqrt(1/x)*(x/1.2+1)
		return phi(a) + math.Exp(2/1.2)*phi(b)
	}},
	{"generalized normal", with(random.GeneralizedNormal, 1), func(x float64) float64 {
		if x < 0 {
			return math.Exp(x) / 2
		}
		return 1 - math.Exp(-x)/2
	}},
	{"gamma", with(random.Gamma, 3), func(x float64) float64 { return incompleteGamma(3, x) }},
	{"gamma below 1", with(random.Gamma, 0.3), func(x float64) float64 { return incompleteGamma(0.3, x) }},
	{"loggamma", with(random.Loggamma, 0.7), func(x float64) float64 { return incompleteGamma(0.7, math.Exp(x)) }},
	{"chisquare", with(random.Chisquare, 2), func(x float64) float64 { return 1 - math.Exp(-x/2) }},
	{"t", with(random.T, 1), func(x float64) float64 { return 0.5 + math.Atan(x)/math.Pi }},
	{"t of 2", with(random.T, 2), func(x float64) float64 { return 0.5 + x/(2*math.Sqrt(2+x*x)) }},
	{"f", with2(random.F, 2, 4), func(x float64) float64 { return 1 - 1/((1+x/2)*(1+x/2)) }},
	{"beta", with2(random.Beta, 2, 1), func(x float64) float64 { return x * x }},
	{"beta below 1", with2(random.Beta, 0.5, 0.5), func(x float64) float64 { return 2 / math.Pi * math.Asin(math.Sqrt(x)) }},
	{"radius of a ball", func(key *np.Array, shape []int) *np.Array {
		x := random.Ball(key, shape, 3, 2)
		return np.Sqrt(np.Sum(x.Mul(x), np.Axis(-1)))
	}, func(x float64) float64 { return x * x * x }},
	{"share of dirichlet", func(key *np.Array, shape []int) *np.Array {
		return random.Dirichlet(key, shape, np.Of([]float64{1, 1, 1})).At("...", 0).Get()
	}, func(x float64) float64 { return 1 - (1-x)*(1-x) }},
}

// incompleteGamma is the regularised P(a, x) by its power series, which is enough for moderate x.
func incompleteGamma(a, x float64) float64 {
	lg, _ := math.Lgamma(a + 1)
	term, sum := 1.0, 1.0
	for n := 1.0; term > 1e-18*sum; n++ {
		term *= x / (a + n)
		sum += term
	}
	return math.Exp(a*math.Log(x)-x-lg) * sum
}

// TestContinuous compares samples with their distribution function: Kolmogorov's test, at a level of one in a million.
func TestContinuous(t *testing.T) {
	const n = 4000
	for i, tt := range continuous {
		t.Run(tt.name, func(t *testing.T) {
			x := tt.draw(random.Key(100+i), []int{n}).AsType(np.Float64).Float64s()
			slices.Sort(x)
			worst := 0.0
			for k, v := range x {
				p := tt.cdf(v)
				worst = max(worst, math.Abs(p-float64(k)/n), math.Abs(p-float64(k+1)/n))
			}
			require.Less(t, worst*math.Sqrt(n), 2.7)
		})
	}
}

func factorial(k int) float64 {
	lg, _ := math.Lgamma(float64(k) + 1)
	return math.Exp(lg)
}

func poisson(lam float64) func(k int) float64 {
	return func(k int) float64 {
		lg, _ := math.Lgamma(float64(k) + 1)
		return math.Exp(float64(k)*math.Log(lam) - lam - lg)
	}
}

func binomial(n int, p float64) func(k int) float64 {
	return func(k int) float64 {
		return factorial(n) / factorial(k) / factorial(n-k) * math.Pow(p, float64(k)) * math.Pow(1-p, float64(n-k))
	}
}

// TestDiscrete compares counts with their probabilities: the χ² test, at about one in a million.
func TestDiscrete(t *testing.T) {
	const n = 4000
	weights := []float64{0, 0.1, 0.6, 0.3}
	weight := func(k int) float64 { return weights[k] }
	logits := np.Log(np.Of(weights))
	for i, tt := range []struct {
		name   string
		draw   draw
		lo, hi int // the values that are counted
		p      func(k int) float64
	}{
		{"randint", with2(random.Randint, -3, 4), -3, 3, func(int) float64 { return 1. / 7 }},
		{"randint of int8", func(key *np.Array, shape []int) *np.Array { return random.Randint(key, shape, -128, 128, np.Int8) },
			-128, 127, func(int) float64 { return 1. / 256 }},
		{"rademacher", plain(random.Rademacher), -1, 1, func(k int) float64 { return math.Abs(float64(k)) / 2 }},
		{"bernoulli", func(key *np.Array, shape []int) *np.Array { return random.Bernoulli(key, shape, 0.3).AsType(np.Int32) },
			0, 1, binomial(1, 0.3)},
		{"bernoulli, high", func(key *np.Array, shape []int) *np.Array {
			return random.Bernoulli(key, shape, 0.3, random.High).AsType(np.Int32)
		}, 0, 1, binomial(1, 0.3)},
		{"geometric", with(random.Geometric, 0.4), 1, 20, func(k int) float64 { return 0.4 * math.Pow(0.6, float64(k-1)) }},
		{"poisson", with(random.Poisson, 3), 0, 12, poisson(3)},
		{"poisson by rejection", with(random.Poisson, 40), 20, 60, poisson(40)},
		{"binomial", with2(random.Binomial, 12, 0.7), 0, 12, binomial(12, 0.7)},
		{"binomial by rejection", with2(random.Binomial, 80, 0.4), 18, 46, binomial(80, 0.4)},
		{"categorical", func(key *np.Array, shape []int) *np.Array { return random.Categorical(key, shape, logits) }, 0, 3, weight},
		{"choice", func(key *np.Array, shape []int) *np.Array {
			return random.Choice(key, shape, 4, random.Weights(weights))
		}, 0, 3, weight},
		{"choice of all", func(key *np.Array, shape []int) *np.Array { return random.Choice(key, shape, np.Arange(5, 9)) }, 5, 8,
			func(int) float64 { return 0.25 }},
		{"first of two without replacement", func(key *np.Array, shape []int) *np.Array {
			return vmap.Of(func(k *np.Array) *np.Array {
				return random.Choice(k, []int{2}, 4, random.Weights(weights), random.WithoutReplacement()).At(0).Get()
			}).Call(random.Split(key, shape...))
		}, 0, 3, weight},
		{"multinomial", func(key *np.Array, shape []int) *np.Array {
			return random.Multinomial(key, shape, 6, weights).At("...", 2).Get()
		}, 0, 6, binomial(6, 0.6)},
		{"place in a permutation", func(key *np.Array, shape []int) *np.Array {
			return vmap.Of(func(k *np.Array) *np.Array { return random.Permutation(k, 5).At(3).Get() }).Call(random.Split(key, shape...))
		}, 0, 4, func(int) float64 { return 0.2 }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			counts := map[int]int{}
			for _, k := range tt.draw(random.Key(200+i), []int{n}).AsType(np.Int64).Int64s() {
				counts[int(k)]++
			}
			chi2, seen, cells, rest := 0.0, 0, 0, 1.0
			for k := tt.lo; k <= tt.hi; k++ {
				p := tt.p(k)
				rest -= p
				seen += counts[k]
				if p == 0 {
					require.Zero(t, counts[k], "%d has the probability 0", k)
					continue
				}
				cells++
				d := float64(counts[k]) - n*p
				chi2 += d * d / (n * p)
			}
			require.LessOrEqual(t, float64(n-seen), n*max(rest, 0)+6*math.Sqrt(n*max(rest, 0))+1e-9, "values outside of what is counted")
			require.Less(t, chi2, float64(cells)+5*math.Sqrt(2*float64(cells))+12)
		})
	}
}

// TestSamplersTransformed draws for each key alone, mapped over keys, and compiled.
func TestSamplersTransformed(t *testing.T) {
	keys := random.Split(random.Key(9), 3)
	samplers := []struct {
		name string
		draw draw
	}{
		{"randint", with2(random.Randint, 0, 1000)}, {"bernoulli", func(k *np.Array, s []int) *np.Array { return random.Bernoulli(k, s, 0.5) }},
		{"rademacher", plain(random.Rademacher)}, {"geometric", with(random.Geometric, 0.1)}, {"poisson", with(random.Poisson, np.Of([]float64{2, 20}))},
		{"binomial", with2(random.Binomial, np.Of([]float64{5, 100}), 0.3)},
		{"multinomial", func(k *np.Array, s []int) *np.Array { return random.Multinomial(k, s, 5, []float64{0.2, 0.8}) }},
		{"permutation", func(k *np.Array, s []int) *np.Array { return random.Permutation(k, 6) }},
		{"permutation of rows", func(k *np.Array, s []int) *np.Array { return random.Permutation(k, np.Arange(6).Reshape(3, 2)) }},
		{"permutation within rows", func(k *np.Array, s []int) *np.Array {
			return random.Permutation(k, np.Arange(12).Reshape(3, 4), random.Axis(1), random.Independent())
		}},
		{"choice", func(k *np.Array, s []int) *np.Array {
			return random.Choice(k, s, np.Arange(12).Reshape(3, 4), random.Axis(1))
		}},
		{"choice without replacement", func(k *np.Array, s []int) *np.Array { return random.Choice(k, s, 9, random.WithoutReplacement()) }},
		{"categorical", func(k *np.Array, s []int) *np.Array { return random.Categorical(k, s, np.Ones([]int{2, 5})) }},
		{"categorical without replacement", func(k *np.Array, s []int) *np.Array {
			return random.Categorical(k, []int{3, 2}, np.Ones([]int{2, 5}), random.WithoutReplacement())
		}},
		{"complex normal", func(k *np.Array, s []int) *np.Array { return random.Normal(k, s, np.Complex128) }},
	}
	for _, c := range continuous {
		samplers = append(samplers, struct {
			name string
			draw draw
		}{c.name, c.draw})
	}
	for _, tt := range samplers {
		t.Run(tt.name, func(t *testing.T) {
			f := func(k *np.Array) *np.Array { return tt.draw(k, []int{2}) }
			each := make([]*np.Array, 3)
			for i := range each {
				each[i] = f(keys.At(i).Get())
			}
			near(t, np.Stack(each), vmap.Of(f).Call(keys))
			near(t, each[1], jit.Of(f).Call(keys.At(1).Get()))
			require.NotEqual(t, each[0].String()+each[1].String(), each[1].String()+each[0].String(), "keys differ, draws do not")
		})
	}
}

// near allows for the last bits of compiled transcendental functions.
func near(t *testing.T, want, got *np.Array) {
	t.Helper()
	require.Equal(t, want.Aval().String(), got.Aval().String())
	require.True(t, np.AllClose(want, got, np.Tolerance(1e-12, 1e-300)).Bool(), "want %v, got %v", want, got)
}

// TestGammaGrad compares the derivative with finite differences at constant probability P(a, x).
func TestGammaGrad(t *testing.T) {
	for _, a := range []float64{0.05, 0.4, 1, 2.5, 7, 30} {
		for seed := range 4 {
			draw := func(a *np.Array) *np.Array { return random.Gamma(random.Key(seed), nil, a) }
			y, dy := vjp.JVP(draw, []any{a}, []any{1.0})
			x, slope := y.(*np.Array).Float(), dy.(*np.Array).Float()
			h := 1e-5 * a
			dPda := (incompleteGamma(a+h, x) - incompleteGamma(a-h, x)) / (2 * h)
			lg, _ := math.Lgamma(a)
			want := -dPda / math.Exp((a-1)*math.Log(x)-x-lg)
			require.InEpsilon(t, want, slope, 1e-5, "a=%v x=%v", a, x)

			log := func(a *np.Array) *np.Array { return random.Loggamma(random.Key(seed), nil, a) }
			require.InEpsilon(t, want/x, vjp.Grad(log).Call(a).Float(), 1e-5, "logarithm, a=%v x=%v", a, x)
			single := func(a *np.Array) *np.Array { return random.Gamma(random.Key(seed), nil, a, np.Float32) }
			y32, dy32 := vjp.JVP(single, []any{np.Of(float32(a))}, []any{np.Of(float32(1))})
			if x32 := y32.(*np.Array).Float(); x32 > 1e-30 {
				lg, _ := math.Lgamma(a)
				dPda := (incompleteGamma(a+h, x32) - incompleteGamma(a-h, x32)) / (2 * h)
				require.InEpsilon(t, -dPda/math.Exp((a-1)*math.Log(x32)-x32-lg), dy32.(*np.Array).Float(), 2e-4, "float32, a=%v x=%v", a, x32)
			}
		}
	}
	// Per-element, mapped and in reverse.
	as := np.Of([]float64{0.4, 2.5})
	sum := func(a *np.Array) *np.Array { return random.Gamma(random.Key(1), []int{3, 2}, a).Sum() }
	_, forward := vjp.JVP(sum, []any{as}, []any{np.Of([]float64{1, 0})})
	require.InEpsilon(t, forward.(*np.Array).Float(), vjp.Grad(sum).Call(as).At(0).Get().Float(), 1e-12)
}

func TestMatrices(t *testing.T) {
	key := random.Key(4)
	for _, tt := range []struct{ rows, cols int }{{4, 4}, {5, 3}, {2, 6}} {
		for _, d := range []np.DType{np.Float64, np.Complex128} {
			q := random.Orthogonal(key, []int{2}, tt.rows, tt.cols, d)
			require.Equal(t, array.Shape{2, tt.rows, tt.cols}, q.Shape())
			h := np.MatrixTranspose(q).Conj()
			product := q.MatMul(h)
			if tt.rows > tt.cols {
				product = h.MatMul(q)
			}
			eye := np.Eye(min(tt.rows, tt.cols)).AsType(d).BroadcastTo(product.Shape()...)
			require.True(t, np.AllClose(product, eye, np.Tolerance(0, 1e-12)).Bool())
		}
	}

	mean, cov := np.Of([]float64{1, -2}), np.Of([][]float64{{2, 0.6}, {0.6, 0.5}})
	for _, by := range []random.Factor{random.ByCholesky, random.ByEigh, random.BySVD} {
		x := random.MultivariateNormalBy(key, by, []int{20000}, mean, cov)
		require.InDeltaSlice(t, mean.Float64s(), x.Mean(0).Float64s(), 0.05)
		require.InDeltaSlice(t, cov.Ravel().Float64s(), np.Cov(x.T(), nil, np.CovarianceParams{}).Ravel().Float64s(), 0.1)
	}
	flat := np.Of([][]float64{{1, 1}, {1, 1}}) // the components are equal
	for _, by := range []random.Factor{random.ByEigh, random.BySVD} {
		x := random.MultivariateNormalBy(key, by, []int{3}, np.Zeros([]int{2}), flat)
		require.InDeltaSlice(t, x.At(":", 0).Get().Float64s(), x.At(":", 1).Get().Float64s(), 1e-6)
	}
	many := random.MultivariateNormal(key, nil, np.Zeros([]int{3, 1, 2}), np.Stack([]*np.Array{cov, cov}), np.Float32)
	require.Equal(t, "f32[3,2,2]", many.Aval().String())
	keys := random.Split(key, 2)
	draw := func(k *np.Array) *np.Array { return random.MultivariateNormal(k, nil, mean, cov) }
	near(t, draw(keys.At(1).Get()), vmap.Of(draw).Call(keys).At(1).Get())
	slope := vjp.Grad(func(m, c *np.Array) *np.Array { return random.MultivariateNormal(key, nil, m, c).At(0).Get() }, vjp.Args(0, 1)).CallAll(mean, cov)
	require.Equal(t, []float64{1, 0}, slope[0].Float64s())
	z := random.Normal(key, []int{2}).Float64s()
	require.InDelta(t, z[0]/(2*math.Sqrt2), slope[1].Float64s()[0], 1e-12, "the first component is √c₀₀ z₀")
}

func TestSampleShapes(t *testing.T) {
	key := random.Key(0)
	two := np.Of([]float32{0.5, 2})
	for _, tt := range []struct {
		name  string
		got   *np.Array
		shape array.Shape
		dtype np.DType
	}{
		{"scalar", random.Uniform(key, nil), nil, np.Float64},
		{"empty", random.Normal(key, []int{0, 3}), array.Shape{0, 3}, np.Float64},
		{"of the parameters", random.Gamma(key, nil, two), array.Shape{2}, np.Float64},
		{"dtype", random.Gamma(key, []int{3, 2}, two, np.Float32), array.Shape{3, 2}, np.Float32},
		{"of both parameters", random.Beta(key, nil, two, two.Reshape(2, 1)), array.Shape{2, 2}, np.Float64},
		{"dirichlet", random.Dirichlet(key, []int{4}, two), array.Shape{4, 2}, np.Float64},
		{"ball", random.Ball(key, []int{4}, 3, 1.5, np.Float16), array.Shape{4, 3}, np.Float16},
		{"maxwell", random.DoubleSidedMaxwell(key, []int{3}, two, 1), array.Shape{3, 2}, np.Float64},
		{"poisson", random.Poisson(key, nil, two, np.Int16), array.Shape{2}, np.Int16},
		{"no poisson", random.Poisson(key, []int{0}, 3), array.Shape{0}, np.Int64},
		{"no gamma", random.Gamma(key, []int{0}, 3), array.Shape{0}, np.Float64},
		{"no binomial", random.Binomial(key, []int{2, 0}, 3, 0.5), array.Shape{2, 0}, np.Float64},
		{"multinomial", random.Multinomial(key, []int{3}, 4, two.Div(2.5)), array.Shape{3, 2}, np.Float64},
		{"choice", random.Choice(key, nil, 5), nil, np.Int64},
		{"choice of columns", random.Choice(key, []int{2, 2}, np.Ones([]int{3, 4, 5}, np.Float32), random.Axis(1)), array.Shape{3, 2, 2, 5}, np.Float32},
		{"no choice", random.Choice(key, []int{0}, np.Ones([]int{3, 4}), random.Axis(-1)), array.Shape{3, 0}, np.Float64},
		{"choice of keys", random.Choice(key, []int{2}, random.Split(key, 5)), array.Shape{2}, key.DType()},
		{"categorical", random.Categorical(key, nil, np.Ones([]int{2, 3, 4}), random.Axis(1)), array.Shape{2, 4}, np.Int64},
		{"draws of categorical", random.Categorical(key, []int{5, 2}, np.Ones([]int{2, 3})), array.Shape{5, 2}, np.Int64},
		{"bernoulli", random.Bernoulli(key, nil, two), array.Shape{2}, np.Bool},
		{"permutation of keys", random.Permutation(key, random.Split(key, 5)), array.Shape{5}, key.DType()},
		{"permutation of nothing", random.Permutation(key, 0), array.Shape{0}, np.Int64},
	} {
		require.Equal(t, tt.shape.String(), tt.got.Shape().String(), tt.name)
		require.Equal(t, tt.dtype, tt.got.DType(), tt.name)
	}
}

func TestSampleEdges(t *testing.T) {
	key := random.Key(3)
	most := func(x *np.Array) float64 { return x.AsType(np.Float64).Max().Float() }
	require.Less(t, most(random.Uniform(key, []int{20000}, np.BFloat16)), 1.0)
	require.Less(t, most(random.Uniform(key, []int{20000}, np.Float16)), 1.0)
	require.True(t, np.All(np.IsFinite(random.Normal(key, []int{20000}, np.Float16))).Bool())
	require.Equal(t, []int64{5, 5}, random.Randint(key, []int{2}, 5, 5).Int64s(), "an empty range gives its lower end")
	require.Equal(t, []int64{5, 5}, random.Randint(key, []int{2}, 5, -5).Int64s())
	require.Equal(t, []int64{7, 7}, random.Randint(key, []int{2}, 7, 8, np.Int64).Int64s())
	wide := random.Randint(key, []int{2000}, 0, 256, np.Uint8).AsType(np.Int64)
	require.Equal(t, []int64{0, 255}, []int64{wide.Min().Int64s()[0], wide.Max().Int64s()[0]})
	all := random.Randint(key, []int{1000}, math.MinInt64, uint64(math.MaxUint64), np.Int64)
	require.Equal(t, []bool{true, true}, []bool{all.Min().Int() < -1<<61, all.Max().Int() > 1<<61}, "the whole range of a type")
	near(t, np.Of([]float64{0, 0, math.Inf(1)}), random.Binomial(key, nil, np.Of([]float64{0, 5, math.Inf(1)}), np.Of([]float64{0.5, 0, 0.5})))
	require.True(t, np.All(np.IsNaN(random.Binomial(key, nil, np.Of([]float64{-1, math.NaN(), 3}), np.Of([]float64{0.5, 0.5, math.NaN()})))).Bool())
	require.Equal(t, []int64{0, 0}, random.Poisson(key, []int{2}, 0).Int64s())
	near(t, np.Of([]float64{5}), random.Multinomial(key, nil, 5, []float64{1}))
	require.Equal(t, []int64{1, 2}, np.Sort(random.Choice(key, []int{2}, 4, random.Weights([]float64{0, 0.5, 0.5, 0}), random.WithoutReplacement())).Int64s())
	inside := random.TruncatedNormal(key, []int{500}, 2, 2.0001, np.Float32)
	require.True(t, np.All(inside.Greater(2)).Bool() && np.All(inside.Less(2.0001)).Bool())

	// The finest tail, against what the reference draws.
	require.InDeltaSlice(t, []float64{0.5492556, 0.2704453, 0.52688175, 0.54998386, -0.8226638, 0.2001742},
		random.GumbelAt(random.Key(1), random.Highest, []int{6}, np.Float32).AsType(np.Float64).Float64s(), 3e-7)
}

func TestSampleErrors(t *testing.T) {
	key := random.Key(0)
	for _, tt := range []struct {
		call  func()
		kind  any
		words string
	}{
		{func() { random.Uniform(key, nil, np.Int32) }, &dtypeError, "int32"},
		{func() { random.Normal(key, nil, np.Bool) }, &dtypeError, "bool"},
		{func() { random.Randint(key, nil, 0, 3, np.Float32) }, &dtypeError, "float32"},
		{func() { random.Uniform(key, []int{2, -1}) }, &shapeError, "[2 -1]"},
		{func() { random.Gamma(key, []int{3}, []float64{1, 2}) }, &shapeError, "[2]"},
		{func() { random.Beta(key, nil, []float64{1, 2}, []float64{1, 2, 3}) }, &shapeError, "[3]"},
		{func() { random.Gamma(key, nil, 2i) }, &dtypeError, "c128"},
		{func() { random.Bernoulli(key, nil, 1) }, &dtypeError, "floating"},
		{func() { random.Dirichlet(key, nil, 1.0) }, &shapeError, "vector"},
		{func() { random.Orthogonal(key, nil, -1, 2) }, &shapeError, "-1"},
		{func() { random.MultivariateNormal(key, nil, 1.0, np.Eye(2)) }, &shapeError, "vector"},
		{func() { random.MultivariateNormal(key, nil, np.Ones([]int{3}), np.Eye(2)) }, &shapeError, "f64[2,2]"},
		{func() { random.MultivariateNormal(key, []int{4}, np.Ones([]int{3, 2}), np.Eye(2)) }, &shapeError, "[3]"},
		{func() { random.Ball(key, nil, -1, 2) }, &argumentError, "-1"},
		{func() { random.Ball(key, nil, 2, []float64{1, 2}) }, &shapeError, "one number"},
		{func() { random.Permutation(key, 1.5) }, &argumentError, "1.5"},
		{func() { random.Permutation(key, -1) }, &argumentError, "-1"},
		{func() { random.Permutation(key, np.Ones([]int{2}), random.Axis(1)) }, new(*array.AxisError), "1"},
		{func() { random.Permutation(key, 3, random.WithoutReplacement()) }, &argumentError, "Choice"},
		{func() { random.Choice(key, []int{4}, 3, random.WithoutReplacement()) }, &argumentError, "4 of 3"},
		{func() { random.Choice(key, []int{1}, 0) }, &argumentError, "no entries"},
		{func() { random.Choice(key, nil, 3, random.Weights([]float64{1, 2})) }, &shapeError, "f64[2]"},
		{func() { random.Categorical(key, []int{4}, np.Ones([]int{3}), random.WithoutReplacement()) }, &argumentError, "4 of 3"},
		{func() { random.Categorical(key, nil, []int{1, 2}) }, &dtypeError, "i64[2]"},
		{func() { random.Categorical(key, nil, 1.0) }, new(*array.AxisError), "-1"},
		{func() { random.Categorical(key, []int{4}, np.Ones([]int{2, 3})) }, &shapeError, "[2]"},
		{func() { trace.Of(func(n *np.Array) *np.Array { return random.Choice(key, nil, n) }, 3) }, new(*array.ConcretizationError), "traced"},
	} {
		err := trace.Try(tt.call)
		require.Error(t, err)
		require.ErrorAs(t, err, tt.kind)
		require.Contains(t, err.Error(), tt.words)
		require.Contains(t, err.Error(), "samplers_test.go:")
	}
}
