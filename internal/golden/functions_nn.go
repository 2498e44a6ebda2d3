package golden

import (
	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/nn"
	"github.com/pantograph-go/pantograph/nn/initializers"
	"github.com/pantograph-go/pantograph/np"
)

func activation(f func(any) *array.Array) Func { return func(c *Call) any { return f(c.Args[0]) } }

// initializer is an Initializer that takes no parameters.
func initializer(f initializers.Initializer) Func {
	return func(c *Call) any { return f(c.key(), c.Ints("shape"), c.DType("dtype", c.float())) }
}

// loss is a formula, of which each text of a body is known.
func loss(bodies map[string]func(x, y *array.Array) *array.Array) Func {
	return func(c *Call) any {
		f, ok := bodies[c.Str("body", "")]
		if !ok {
			panic(missing{&Skipped{"loss " + c.Str("body", "")}})
		}
		return f(c.X(0), c.X(1))
	}
}

// over are np's options for the axes, the mask and the kept axes of a reduction.
func over(c *Call) []np.Option {
	var opts []np.Option
	if c.Has("axis") {
		opts = append(opts, np.Axis(c.Ints("axis")...))
	}
	if c.Has("where") {
		opts = append(opts, np.Masked(c.Any("where")))
	}
	if c.Bool("keepdims", false) {
		opts = append(opts, np.KeepDims())
	}
	return opts
}

// nnFunctions are the functions of jax.nn.
var nnFunctions = map[string]Func{
	"nn.relu": activation(nn.Relu), "nn.relu6": activation(nn.Relu6), "nn.sigmoid": activation(nn.Sigmoid),
	"nn.log_sigmoid": activation(nn.LogSigmoid), "nn.softplus": activation(nn.Softplus), "nn.soft_sign": activation(nn.SoftSign),
	"nn.silu": activation(nn.Silu), "nn.swish": activation(nn.Swish), "nn.mish": activation(nn.Mish), "nn.tanh": activation(nn.Tanh),
	"nn.identity": activation(nn.Identity), "nn.selu": activation(nn.Selu), "nn.hard_tanh": activation(nn.HardTanh),
	"nn.hard_sigmoid": activation(nn.HardSigmoid), "nn.hard_silu": activation(nn.HardSilu), "nn.hard_swish": activation(nn.HardSwish),
	"nn.sparse_plus": activation(nn.SparsePlus), "nn.sparse_sigmoid": activation(nn.SparseSigmoid), "nn.log1mexp": activation(nn.Log1mexp),
	"nn.gelu": func(c *Call) any {
		if c.Bool("approximate", true) {
			return nn.Gelu(c.Args[0])
		}
		return nn.GeluExact(c.Args[0])
	},
	"nn.elu":        func(c *Call) any { return nn.Elu(c.Args[0], c.Float("alpha", 1)) },
	"nn.celu":       func(c *Call) any { return nn.Celu(c.Args[0], c.Float("alpha", 1)) },
	"nn.leaky_relu": func(c *Call) any { return nn.LeakyRelu(c.Args[0], c.Float("negative_slope", 0.01)) },
	"nn.squareplus": func(c *Call) any { return nn.Squareplus(c.Args[0], c.Float("b", 4)) },
	"nn.glu":        func(c *Call) any { return nn.Glu(c.Args[0], c.Int("axis", -1)) },

	"nn.softmax": func(c *Call) any {
		if c.Has("where") {
			return nn.SoftmaxMasked(c.Args[0], c.Any("where"), c.Ints("axis")...)
		}
		return nn.Softmax(c.Args[0], c.Ints("axis")...)
	},
	"nn.log_softmax": func(c *Call) any {
		if c.Has("where") {
			return nn.LogSoftmaxMasked(c.Args[0], c.Any("where"), c.Ints("axis")...)
		}
		return nn.LogSoftmax(c.Args[0], c.Ints("axis")...)
	},
	"nn.logsumexp": func(c *Call) any {
		opts := over(c)
		if c.Bool("return_sign", false) {
			b := c.Any("b")
			if b == nil {
				b = 1.0
			}
			log, sign := nn.LogsumexpSign(c.Args[0], b, opts...)
			return []*array.Array{log, sign}
		}
		if c.Has("b") {
			opts = append(opts, np.Weights(c.Any("b")))
		}
		return nn.Logsumexp(c.Args[0], opts...)
	},
	"nn.logmeanexp": func(c *Call) any { return nn.Logmeanexp(c.Args[0], over(c)...) },
	"nn.standardize": func(c *Call) any {
		axis, eps := c.Ints("axis"), c.Float("epsilon", 1e-5)
		switch {
		case c.Has("mean") && c.Has("variance"):
			return nn.Normalize(c.Args[0], c.Any("mean"), c.Any("variance"), eps)
		case c.Has("where"):
			return nn.StandardizeMasked(c.Args[0], c.Any("where"), eps, axis...)
		}
		return nn.Standardize(c.Args[0], eps, axis...)
	},
	"nn.one_hot": func(c *Call) any {
		return nn.OneHotAt(c.Args[0], c.Int("num_classes", 0), c.Int("axis", -1), c.DType("dtype", array.Float64))
	},
	"nn.dot_product_attention": func(c *Call) any {
		window := c.Ints("local_window_size")
		if len(window) == 1 {
			window = append(window, window[0])
		}
		return nn.DotProductAttention(c.Args[0], c.Args[1], c.Args[2], nn.AttentionParams{
			Scale: c.Float("scale", 0), Bias: c.Any("bias"), Mask: c.Any("mask"), Causal: c.Bool("is_causal", false), Window: window,
			QueryLengths: c.Any("query_seq_lengths"), KeyLengths: c.Any("key_value_seq_lengths"),
		})
	},

	"nn.loss.mse": loss(map[string]func(x, y *array.Array) *array.Array{
		"lambda p, t: mean((p - t) ** 2)": func(p, t *array.Array) *array.Array { return nn.SquaredError(p, t).Mean() },
	}),
	"nn.loss.cross_entropy_with_logits": loss(map[string]func(x, y *array.Array) *array.Array{
		"lambda x, t: -mean(sum(jax.nn.softmax(t) * jax.nn.log_softmax(x), axis=-1))": func(x, t *array.Array) *array.Array {
			return nn.SoftmaxCrossEntropy(x, nn.Softmax(t)).Mean()
		},
	}),
	"nn.loss.huber": loss(map[string]func(x, y *array.Array) *array.Array{
		"lambda p, t: mean(where(abs(p - t) < 1, .5 * (p - t) ** 2, abs(p - t) - .5))": func(p, t *array.Array) *array.Array {
			return nn.Huber(p, t, 1).Mean()
		},
	}),
	"nn.loss.sigmoid_binary_cross_entropy": loss(map[string]func(x, y *array.Array) *array.Array{
		"lambda x, y: mean(jnp.logaddexp(0., x) - x * jax.nn.sigmoid(y))": func(x, y *array.Array) *array.Array {
			return nn.SigmoidBinaryCrossEntropy(x, nn.Sigmoid(y)).Mean()
		},
	}),

	"nn.initializers.he_normal": initializer(initializers.HeNormal), "nn.initializers.he_uniform": initializer(initializers.HeUniform),
	"nn.initializers.glorot_normal": initializer(initializers.GlorotNormal), "nn.initializers.glorot_uniform": initializer(initializers.GlorotUniform),
	"nn.initializers.lecun_normal": initializer(initializers.LecunNormal), "nn.initializers.lecun_uniform": initializer(initializers.LecunUniform),
	"nn.initializers.zeros": initializer(initializers.Zeros), "nn.initializers.ones": initializer(initializers.Ones),
	"nn.initializers.normal":   func(c *Call) any { return initializer(initializers.NormalOf(c.Float("stddev", 1e-2)))(c) },
	"nn.initializers.uniform":  func(c *Call) any { return initializer(initializers.UniformOn(c.Float("scale", 1e-2)))(c) },
	"nn.initializers.constant": func(c *Call) any { return initializer(initializers.Constant(c.Float("value", 0)))(c) },
	"nn.initializers.orthogonal": func(c *Call) any {
		return initializer(initializers.Orthogonal(c.Float("scale", 1), c.Int("column_axis", -1)))(c)
	},
	"nn.initializers.delta_orthogonal": func(c *Call) any {
		return initializer(initializers.DeltaOrthogonal(c.Float("scale", 1), c.Int("column_axis", -1)))(c)
	},
	"nn.initializers.truncated_normal": func(c *Call) any {
		return initializer(initializers.TruncatedNormalOf(c.Float("stddev", 1e-2), c.Float("lower", -2), c.Float("upper", 2)))(c)
	},
	"nn.initializers.variance_scaling": func(c *Call) any {
		mode, ok := map[string]initializers.Mode{"fan_in": initializers.FanIn, "fan_out": initializers.FanOut,
			"fan_avg": initializers.FanAvg, "fan_geo_avg": initializers.FanGeoAvg}[c.Str("mode", "")]
		d, known := map[string]initializers.Distribution{"truncated_normal": initializers.TruncatedNormal,
			"normal": initializers.Normal, "uniform": initializers.Uniform}[c.Str("distribution", "")]
		if !ok || !known {
			panic(missing{&Skipped{"variance_scaling by " + c.Str("mode", "") + " of " + c.Str("distribution", "")}})
		}
		v := initializers.VarianceScaling{Scale: c.Float("scale", 1), Mode: mode, Distribution: d,
			In: c.Ints("in_axis"), Out: c.Ints("out_axis"), Batch: c.Ints("batch_axis")}
		return initializer(v.Init)(c)
	},
}
