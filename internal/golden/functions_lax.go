package golden

import (
	"fmt"
	"slices"

	"github.com/pantograph-go/pantograph/array"
	p "github.com/pantograph-go/pantograph/primitive"
)

// laxFunctions are the functions of jax.lax on elements and shapes.
var laxFunctions = map[string]Func{
	"lax.abs": unary(p.Abs), "lax.acos": unary(p.Acos), "lax.acosh": unary(p.Acosh), "lax.asin": unary(p.Asin),
	"lax.asinh": unary(p.Asinh), "lax.atan": unary(p.Atan), "lax.atanh": unary(p.Atanh), "lax.cbrt": unary(p.Cbrt),
	"lax.ceil": unary(p.Ceil), "lax.cos": unary(p.Cos), "lax.cosh": unary(p.Cosh), "lax.digamma": unary(p.Digamma),
	"lax.erf": unary(p.Erf), "lax.erf_inv": unary(p.ErfInv), "lax.erfc": unary(p.Erfc), "lax.exp": unary(p.Exp),
	"lax.exp2": unary(p.Exp2), "lax.expm1": unary(p.Expm1), "lax.floor": unary(p.Floor), "lax.is_finite": unary(p.IsFinite),
	"lax.lgamma": unary(p.Lgamma), "lax.log": unary(p.Log), "lax.log1p": unary(p.Log1p), "lax.logistic": unary(p.Logistic),
	"lax.neg": unary(p.Neg), "lax.rsqrt": unary(p.Rsqrt), "lax.sign": unary(p.Sign), "lax.sin": unary(p.Sin),
	"lax.sinh": unary(p.Sinh), "lax.sqrt": unary(p.Sqrt), "lax.square": unary(p.Square), "lax.tan": unary(p.Tan),
	"lax.tanh": unary(p.Tanh), "lax.conj": unary(p.Conj), "lax.real": unary(p.Real), "lax.imag": unary(p.Imag),
	"lax.bitwise_not": unary(p.Not), "lax.population_count": unary(p.PopulationCount), "lax.clz": unary(p.Clz),
	"lax.stop_gradient": unary(p.StopGradient),
	"lax.reciprocal":    unary(func(x *array.Array) *array.Array { return p.IntegerPow(x, -1) }),

	"lax.add": binary(p.Add), "lax.sub": binary(p.Sub), "lax.mul": binary(p.Mul), "lax.div": binary(p.Div),
	"lax.rem": binary(p.Rem), "lax.pow": binary(p.Pow), "lax.max": binary(p.Max), "lax.min": binary(p.Min),
	"lax.atan2": binary(p.Atan2), "lax.nextafter": binary(p.Nextafter), "lax.complex": binary(p.Complex),
	"lax.bessel_i0e": unary(p.BesselI0e), "lax.bessel_i1e": unary(p.BesselI1e), "lax.igamma": binary(p.Igamma), "lax.igammac": binary(p.Igammac),
	"lax.random_gamma_grad": binary(p.RandomGammaGrad), "lax.mulhi": binary(p.Mulhi),
	"lax.betainc": func(c *Call) any { return p.Betainc(c.X(0), c.X(1), c.X(2)) },
	"lax.zeta":    binary(p.Zeta), "lax.polygamma": binary(p.Polygamma), "lax.eq": binary(p.Eq), "lax.ne": binary(p.Ne),
	"lax.lt": binary(p.Lt), "lax.le": binary(p.Le), "lax.gt": binary(p.Gt), "lax.ge": binary(p.Ge),
	"lax.bitwise_and": binary(p.And), "lax.bitwise_or": binary(p.Or), "lax.bitwise_xor": binary(p.Xor),
	"lax.shift_left": binary(p.ShiftLeft), "lax.shift_right_arithmetic": binary(p.ShiftRightArithmetic),
	"lax.shift_right_logical": binary(p.ShiftRightLogical),

	"lax.integer_pow": func(c *Call) any { return p.IntegerPow(c.X(0), c.Int("y", 0)) },
	"lax.round": func(c *Call) any {
		if c.Any("rounding_method") == "TO_NEAREST_EVEN" {
			return p.Round(c.X(0), p.ToNearestEven)
		}
		return p.Round(c.X(0), p.AwayFromZero)
	},
	"lax.clamp":    func(c *Call) any { return p.Clamp(c.X(0), c.X(1), c.X(2)) },
	"lax.select":   func(c *Call) any { return p.Select(c.X(0), c.X(1), c.X(2)) },
	"lax.select_n": func(c *Call) any { return p.SelectN(c.X(0), c.All()[1:]...) },
	"lax.convert_element_type": func(c *Call) any {
		return p.Convert(c.X(0), c.DType("new_dtype", array.Invalid))
	},
	"lax.bitcast_convert_type": func(c *Call) any {
		return p.BitcastConvert(c.X(0), c.DType("new_dtype", array.Invalid))
	},
	"lax.reduce_precision": func(c *Call) any {
		return p.ReducePrecision(c.X(0), c.Int("exponent_bits", 0), c.Int("mantissa_bits", 0))
	},

	"lax.broadcast": func(c *Call) any {
		sizes, x := c.Ints("sizes"), c.X(0)
		dims := make([]int, x.Rank())
		for i := range dims {
			dims[i] = len(sizes) + i
		}
		return p.BroadcastInDim(x, slices.Concat(sizes, x.Shape()), dims)
	},
	"lax.broadcast_in_dim": func(c *Call) any {
		return p.BroadcastInDim(c.X(0), c.Ints("shape"), c.Ints("broadcast_dimensions"))
	},
	"lax.reshape": func(c *Call) any {
		x := c.X(0)
		if dims := c.Ints("dimensions"); dims != nil {
			x = p.Transpose(x, dims)
		}
		return p.Reshape(x, c.Ints("new_sizes"))
	},
	"lax.squeeze":     func(c *Call) any { return p.Squeeze(c.X(0), c.Ints("dimensions")...) },
	"lax.expand_dims": func(c *Call) any { return p.ExpandDims(c.X(0), c.Ints("dimensions")...) },
	"lax.collapse": func(c *Call) any {
		x, lo := c.X(0), c.Int("start_dimension", 0)
		hi := c.Int("stop_dimension", x.Rank())
		return p.Reshape(x, slices.Concat(x.Shape()[:lo], array.Shape{x.Shape()[lo:hi].Size()}, x.Shape()[hi:]))
	},
	"lax.transpose": func(c *Call) any { return p.Transpose(c.X(0), c.Ints("permutation")) },
	"lax.rev":       func(c *Call) any { return p.Rev(c.X(0), c.Ints("dimensions")...) },
	"lax.pad": func(c *Call) any {
		var dims []p.PadDim
		list, _ := c.Any("padding_config").([]any)
		for _, e := range list {
			v := ints(e.([]any))
			dims = append(dims, p.PadDim{Lo: v[0], Hi: v[1], Interior: v[2]})
		}
		return p.Pad(c.X(0), c.X(1), dims)
	},
	"lax.concatenate": func(c *Call) any { return p.Concatenate(c.Int("dimension", 0), c.Xs(0)...) },
	"lax.slice": func(c *Call) any {
		return p.Slice(c.X(0), c.Ints("start_indices"), c.Ints("limit_indices"), c.Ints("strides"))
	},
	"lax.dynamic_slice": func(c *Call) any {
		return p.DynamicSlice(c.X(0), starts(c, 1), c.Ints("slice_sizes"))
	},
	"lax.dynamic_update_slice": func(c *Call) any {
		return p.DynamicUpdateSlice(c.X(0), c.X(1), starts(c, 2))
	},
	"lax.iota": func(c *Call) any {
		return p.Iota(c.DType("dtype", array.Int32), array.Shape{c.Int("size", 0)}, 0)
	},
	"lax.broadcasted_iota": func(c *Call) any {
		return p.Iota(c.DType("dtype", array.Int32), c.Ints("shape"), c.Int("dimension", 0))
	},
	"lax.optimization_barrier": func(c *Call) any { return p.OptimizationBarrier(c.All()...) },
	"lax.stack": func(c *Call) any {
		xs, axis := c.Xs(0), c.Int("axis", 0)
		for i := range xs {
			xs[i] = p.ExpandDims(xs[i], axis)
		}
		return p.Concatenate(axis, xs...)
	},
}

// starts are the start indices of a dynamic slice: the arguments from i on, single or in a list. The reference's function,
// unlike its primitive, counts negative ones from the end.
func starts(c *Call, i int) []*array.Array {
	var list []*array.Array
	for k := i; k < len(c.Args); k++ {
		if _, ok := c.Args[k].([]any); ok {
			list = append(list, c.Xs(k)...)
		} else {
			list = append(list, c.X(k))
		}
	}
	out := make([]*array.Array, len(list))
	for k, s := range list {
		out[k] = s
		if s.DType().Kind() == array.KindInt {
			n := p.Full(s.Aval(), float64(c.X(0).Shape()[k]))
			out[k] = p.Select(p.Lt(s, p.Full(s.Aval(), 0)), p.Add(s, n), s)
		}
	}
	return out
}

// dims are the dimension numbers of a call: lists of integers by name.
func dims(c *Call) map[string][]int {
	out := map[string][]int{}
	for k, v := range c.Map("dimension_numbers") {
		list, ok := v.([]any)
		if !ok {
			panic(missing{fmt.Errorf("dimension number %s is no list", k)})
		}
		out[k] = ints(list)
	}
	return out
}
