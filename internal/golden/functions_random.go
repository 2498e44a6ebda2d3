package golden

import (
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/random"
	"github.com/pantograph-go/pantograph/vmap"
)

// key is the first argument, a key of the generator that the case was recorded with.
func (c *Call) key() *array.Array {
	if string(c.config["threefry_partitionable"]) == "false" {
		return random.WrapKeyData(random.KeyData(c.X(0)), random.ThreefrySequential)
	}
	return c.X(0)
}

// float and integer are the dtypes that the reference draws by default.
func (c *Call) float() array.DType {
	if c.X64 {
		return array.Float64
	}
	return array.Float32
}

func (c *Call) integer() array.DType {
	if c.X64 {
		return array.Int64
	}
	return array.Int32
}

// params are the parameters of a distribution by name: keywords, whose numbers have the default dtype, and in the place of
// those that are absent the positional arguments after the key.
func (c *Call) params(names ...string) []any {
	out, next := make([]any, len(names)), 1
	for i, name := range names {
		switch v := c.value(name).(type) {
		case *array.Array:
			out[i] = v
		case int, float64:
			out[i] = array.MustValue(name, c.Float(name, 0)).AsType(c.float())
		case nil:
			out[i] = c.X(next)
			next++
		default:
			panic(missing{fmt.Errorf("keyword %s is no number", name)})
		}
	}
	return out
}

// seed is the seed as the reference sees it: an integer of its default width.
func (c *Call) seed() any {
	if !c.Has("seed") {
		return c.X(0)
	}
	var text string
	raw := c.kwargs["seed"]
	if json.Unmarshal(raw, &text) != nil { // beyond 2^53 it is quoted
		text = string(raw)
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		panic(missing{fmt.Errorf("keyword seed: %w", err)})
	}
	if !c.X64 {
		return int32(n)
	}
	return n
}

// resolution is the keyword mode.
func (c *Call) resolution() random.Resolution {
	r, ok := map[string]random.Resolution{"": random.Low, "low": random.Low, "high": random.High, "highest": random.Highest}[c.Str("mode", "")]
	if !ok {
		panic(missing{&Skipped{"random with mode " + c.Str("mode", "")}})
	}
	return r
}

// sampler is a distribution without parameters.
func sampler(f func(key *array.Array, shape []int, dtype ...array.DType) *array.Array) Func {
	return func(c *Call) any { return f(c.key(), c.Ints("shape"), c.DType("dtype", c.float())) }
}

// sampler1 is a distribution with one parameter, of a floating-point dtype.
func sampler1(name string, f func(key *array.Array, shape []int, p any, dtype ...array.DType) *array.Array) Func {
	return func(c *Call) any {
		return f(c.key(), c.Ints("shape"), c.params(name)[0], c.DType("dtype", c.float()))
	}
}

// sampler2 is a distribution with two.
func sampler2(p, q string, f func(key *array.Array, shape []int, p, q any, dtype ...array.DType) *array.Array) Func {
	return func(c *Call) any {
		v := c.params(p, q)
		return f(c.key(), c.Ints("shape"), v[0], v[1], c.DType("dtype", c.float()))
	}
}

// randomFunctions are the functions of jax.random.
var randomFunctions = map[string]Func{
	"random.key":           func(c *Call) any { return random.Key(c.seed()) },
	"random.PRNGKey":       func(c *Call) any { return random.KeyData(random.Key(c.seed())) },
	"random.key_data":      func(c *Call) any { return random.KeyData(c.X(0)) },
	"random.wrap_key_data": func(c *Call) any { return random.WrapKeyData(c.X(0)) },
	"random.clone":         func(c *Call) any { return random.Clone(c.key()) },
	"random.fold_in":       func(c *Call) any { return random.FoldIn(c.key(), c.X(1)) },
	"random.split": func(c *Call) any {
		num := c.Ints("num")
		split := func(key *array.Array) *array.Array { return random.Split(key, num...) }
		if key := c.key(); key.Rank() > 0 {
			return vmap.Of(split).Call(key)
		}
		return split(c.key())
	},
	"random.bits": func(c *Call) any {
		d := array.Uint32
		if c.X64 {
			d = array.Uint64
		}
		return random.Bits(c.key(), c.DType("dtype", d), c.Ints("shape")...)
	},
	"random.uniform": func(c *Call) any {
		d := c.DType("dtype", c.float())
		if c.Has("minval") || c.Has("maxval") {
			return random.UniformRange(c.key(), c.Ints("shape"), c.Float("minval", 0), c.Float("maxval", 1), d)
		}
		return random.Uniform(c.key(), c.Ints("shape"), d)
	},
	"random.normal":      sampler(random.Normal),
	"random.exponential": sampler(random.Exponential),
	"random.laplace":     sampler(random.Laplace),
	"random.cauchy":      sampler(random.Cauchy),
	"random.logistic":    sampler(random.Logistic),
	"random.maxwell":     sampler(random.Maxwell),
	"random.gumbel": func(c *Call) any {
		return random.GumbelAt(c.key(), c.resolution(), c.Ints("shape"), c.DType("dtype", c.float()))
	},

	"random.pareto":               sampler1("b", random.Pareto),
	"random.rayleigh":             sampler1("scale", random.Rayleigh),
	"random.generalized_normal":   sampler1("p", random.GeneralizedNormal),
	"random.chisquare":            sampler1("df", random.Chisquare),
	"random.t":                    sampler1("df", random.T),
	"random.wald":                 sampler1("mean", random.Wald),
	"random.gamma":                sampler1("a", random.Gamma),
	"random.loggamma":             sampler1("a", random.Loggamma),
	"random.dirichlet":            sampler1("alpha", random.Dirichlet),
	"random.f":                    sampler2("dfnum", "dfden", random.F),
	"random.beta":                 sampler2("a", "b", random.Beta),
	"random.weibull_min":          sampler2("scale", "concentration", random.WeibullMin),
	"random.double_sided_maxwell": sampler2("loc", "scale", random.DoubleSidedMaxwell),
	"random.truncated_normal":     sampler2("lower", "upper", random.TruncatedNormal),
	"random.binomial":             sampler2("n", "p", random.Binomial),
	"random.multinomial": func(c *Call) any {
		v, shape := c.params("n", "p"), c.Ints("shape")
		if len(shape) > 0 { // which in the reference ends with the classes
			shape = shape[:len(shape)-1]
		}
		return random.Multinomial(c.key(), shape, v[0], v[1], c.DType("dtype", c.float()))
	},
	"random.lognormal": func(c *Call) any {
		var sigma any = 1.0
		if c.Has("sigma") || len(c.Args) > 1 {
			sigma = c.params("sigma")[0]
		}
		return random.Lognormal(c.key(), c.Ints("shape"), sigma, c.DType("dtype", c.float()))
	},
	"random.triangular": func(c *Call) any {
		v := c.params("left", "mode", "right")
		return random.Triangular(c.key(), c.Ints("shape"), v[0], v[1], v[2], c.DType("dtype", c.float()))
	},
	"random.ball": func(c *Call) any {
		return random.Ball(c.key(), c.Ints("shape"), c.Int("d", 0), c.Float("p", 2), c.DType("dtype", c.float()))
	},
	"random.orthogonal": func(c *Call) any {
		n := c.Int("n", 0)
		return random.Orthogonal(c.key(), c.Ints("shape"), n, c.Int("m", n), c.DType("dtype", c.float()))
	},
	"random.multivariate_normal": func(c *Call) any {
		v := c.params("mean", "cov")
		by, ok := map[string]random.Factor{"": random.ByCholesky, "cholesky": random.ByCholesky, "eigh": random.ByEigh, "svd": random.BySVD}[c.Str("method", "")]
		if !ok {
			panic(missing{&Skipped{"multivariate_normal by " + c.Str("method", "")}})
		}
		var dtype []array.DType
		if c.Has("dtype") {
			dtype = append(dtype, c.DType("dtype", c.float()))
		}
		return random.MultivariateNormalBy(c.key(), by, c.Ints("shape"), v[0], v[1], dtype...)
	},

	"random.randint": func(c *Call) any {
		return random.Randint(c.key(), c.Ints("shape"), c.Int("minval", 0), c.Int("maxval", 0), c.DType("dtype", c.integer()))
	},
	"random.rademacher": func(c *Call) any {
		return random.Rademacher(c.key(), c.Ints("shape"), c.DType("dtype", c.integer()))
	},
	"random.geometric": func(c *Call) any {
		return random.Geometric(c.key(), c.Ints("shape"), c.params("p")[0], c.DType("dtype", c.integer()))
	},
	"random.poisson": func(c *Call) any {
		return random.Poisson(c.key(), c.Ints("shape"), c.params("lam")[0], c.DType("dtype", c.integer()))
	},
	"random.bernoulli": func(c *Call) any {
		var p any = array.MustValue("p", 0.5).AsType(c.float())
		if c.Has("p") || len(c.Args) > 1 {
			p = c.params("p")[0]
		}
		return random.Bernoulli(c.key(), c.Ints("shape"), p, c.resolution())
	},
	"random.permutation": func(c *Call) any {
		opts := []random.Option{random.Axis(c.Int("axis", 0))}
		if c.Bool("independent", false) {
			opts = append(opts, random.Independent())
		}
		if c.Has("x") {
			return random.Permutation(c.key(), c.Int("x", 0), opts...)
		}
		return random.Permutation(c.key(), c.X(1), opts...)
	},
	"random.choice": func(c *Call) any {
		opts := []random.Option{random.Axis(c.Int("axis", 0)), random.IndexDType(c.integer())}
		if !c.Bool("replace", true) {
			opts = append(opts, random.WithoutReplacement())
		}
		if c.Has("p") {
			opts = append(opts, random.Weights(c.params("p")[0]))
		}
		if c.Has("a") {
			return random.Choice(c.key(), c.Ints("shape"), c.Int("a", 0), opts...)
		}
		return random.Choice(c.key(), c.Ints("shape"), c.X(1), opts...)
	},
	"random.categorical": func(c *Call) any {
		opts := []random.Option{random.Axis(c.Int("axis", -1)), random.At(c.resolution())}
		if !c.Bool("replace", true) {
			opts = append(opts, random.WithoutReplacement())
		}
		return random.Categorical(c.key(), c.Ints("shape"), c.X(1), opts...)
	},
}
