package golden

import (
	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/random"
)

// randomFunctions are the functions of jax.random.
var randomFunctions = map[string]Func{
	"random.key":      func(c *Call) any { return random.Key(c.Int("seed", 0)) },
	"random.PRNGKey":  func(c *Call) any { return random.KeyData(random.Key(c.Int("seed", 0))) },
	"random.key_data": func(c *Call) any { return random.KeyData(c.X(0)) },
	"random.wrap_key_data": func(c *Call) any {
		return random.WrapKeyData(c.X(0))
	},
	"random.bits": func(c *Call) any {
		return random.Bits(c.X(0), c.DType("dtype", array.Uint32), c.Ints("shape")...)
	},
	"random.uniform": func(c *Call) any {
		d := c.DType("dtype", array.Float32)
		if c.Has("minval") || c.Has("maxval") {
			return random.UniformRange(c.X(0), c.Ints("shape"), c.Float("minval", 0), c.Float("maxval", 1), d)
		}
		return random.Uniform(c.X(0), c.Ints("shape"), d)
	},
	"random.normal": func(c *Call) any { return random.Normal(c.X(0), c.Ints("shape"), c.DType("dtype", array.Float32)) },
}
