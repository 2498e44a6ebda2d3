package golden

import (
	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/nn"
)

func activation(f func(any) *array.Array) Func { return func(c *Call) any { return f(c.Args[0]) } }

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
	"nn.softmax":    func(c *Call) any { return nn.Softmax(c.Args[0], c.Ints("axis")...) },
	"nn.log_softmax": func(c *Call) any {
		return nn.LogSoftmax(c.Args[0], c.Ints("axis")...)
	},
	"nn.logsumexp":   func(c *Call) any { return nn.Logsumexp(c.Args[0], c.Ints("axis")...) },
	"nn.logmeanexp":  func(c *Call) any { return nn.Logmeanexp(c.Args[0], c.Ints("axis")...) },
	"nn.standardize": func(c *Call) any { return nn.Standardize(c.Args[0], c.Float("epsilon", 1e-5), c.Ints("axis")...) },
	"nn.one_hot": func(c *Call) any {
		return nn.OneHot(c.Args[0], c.Int("num_classes", 0), c.DType("dtype", array.Float64))
	},
}
