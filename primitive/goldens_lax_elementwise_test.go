package primitive_test

import (
	"maps"

	"github.com/pantograph-go/pantograph/array"
	. "github.com/pantograph-go/pantograph/primitive"
)

func init() {
	for name, f := range laxUnary {
		laxFunctions[name] = func(_ params, in []*array.Array) []*array.Array { return just(f(in[0])) }
	}
	for name, f := range laxBinary {
		laxFunctions[name] = func(_ params, in []*array.Array) []*array.Array {
			if in[0].Aval().Weak != in[1].Aval().Weak { // a Python number takes the type of the array
				in = Promote(in[0], in[1])
			}
			return just(f(in[0], in[1]))
		}
	}
	maps.Copy(laxFunctions, laxShaping)
}

var laxUnary = map[string]func(x *array.Array) *array.Array{
	"lax.abs": Abs, "lax.acos": Acos, "lax.acosh": Acosh, "lax.asin": Asin, "lax.asinh": Asinh, "lax.atan": Atan, "lax.atanh": Atanh,
	"lax.bitwise_not": Not, "lax.cbrt": Cbrt, "lax.ceil": Ceil, "lax.clz": Clz, "lax.conj": Conj, "lax.cos": Cos, "lax.cosh": Cosh,
	"lax.digamma": Digamma, "lax.erf": Erf, "lax.erf_inv": ErfInv, "lax.erfc": Erfc, "lax.exp": Exp, "lax.exp2": Exp2,
	"lax.expm1": Expm1, "lax.floor": Floor, "lax.imag": Imag, "lax.is_finite": IsFinite, "lax.lgamma": Lgamma, "lax.log": Log,
	"lax.log1p": Log1p, "lax.logistic": Logistic, "lax.neg": Neg, "lax.population_count": PopulationCount, "lax.real": Real,
	"lax.rsqrt": Rsqrt, "lax.sign": Sign, "lax.sin": Sin, "lax.sinh": Sinh, "lax.sqrt": Sqrt, "lax.square": Square,
	"lax.stop_gradient": StopGradient, "lax.tan": Tan, "lax.tanh": Tanh,
	"lax.reciprocal":           func(x *array.Array) *array.Array { return IntegerPow(x, -1) },
	"lax.optimization_barrier": func(x *array.Array) *array.Array { return OptimizationBarrier(x)[0] },
}

var laxBinary = map[string]func(x, y *array.Array) *array.Array{
	"lax.add": Add, "lax.atan2": Atan2, "lax.bitwise_and": And, "lax.bitwise_or": Or, "lax.bitwise_xor": Xor, "lax.complex": Complex,
	"lax.div": Div, "lax.eq": Eq, "lax.ge": Ge, "lax.gt": Gt, "lax.le": Le, "lax.lt": Lt, "lax.max": Max, "lax.min": Min, "lax.mul": Mul,
	"lax.ne": Ne, "lax.nextafter": Nextafter, "lax.polygamma": Polygamma, "lax.pow": Pow, "lax.rem": Rem, "lax.shift_left": ShiftLeft,
	"lax.shift_right_arithmetic": ShiftRightArithmetic, "lax.shift_right_logical": ShiftRightLogical, "lax.sub": Sub, "lax.zeta": Zeta,
}

var laxShaping = map[string]function{
	"lax.round": func(p params, in []*array.Array) []*array.Array {
		if get(p, "rounding_method", "") == ToNearestEven.String() {
			return just(RoundNearestEven(in[0]))
		}
		return just(Round(in[0], AwayFromZero))
	},
	"lax.integer_pow": func(p params, in []*array.Array) []*array.Array { return just(IntegerPow(in[0], p.int("y"))) },
	"lax.reduce_precision": func(p params, in []*array.Array) []*array.Array {
		return just(ReducePrecision(in[0], p.int("exponent_bits"), p.int("mantissa_bits")))
	},
	"lax.convert_element_type": func(p params, in []*array.Array) []*array.Array {
		return just(Convert(in[0], p.dtype("new_dtype")))
	},
	"lax.bitcast_convert_type": func(p params, in []*array.Array) []*array.Array {
		return just(BitcastConvert(in[0], p.dtype("new_dtype")))
	},
	"lax.select":   func(_ params, in []*array.Array) []*array.Array { return just(Select(in[0], in[1], in[2])) },
	"lax.select_n": func(_ params, in []*array.Array) []*array.Array { return just(SelectN(in[0], in[1:]...)) },
	"lax.clamp":    func(_ params, in []*array.Array) []*array.Array { return just(Clamp(in[0], in[1], in[2])) },
	"lax.broadcast_in_dim": func(p params, in []*array.Array) []*array.Array {
		return just(BroadcastInDim(in[0], p.ints("shape"), p.ints("broadcast_dimensions")))
	},
	"lax.reshape": func(p params, in []*array.Array) []*array.Array {
		x := in[0]
		if perm := p.ints("dimensions"); perm != nil {
			x = Transpose(x, perm)
		}
		return just(Reshape(x, p.ints("new_sizes")))
	},
	"lax.transpose": func(p params, in []*array.Array) []*array.Array { return just(Transpose(in[0], p.ints("permutation"))) },
	"lax.rev":       func(p params, in []*array.Array) []*array.Array { return just(Rev(in[0], p.ints("dimensions")...)) },
	"lax.squeeze": func(p params, in []*array.Array) []*array.Array {
		dims, err := array.NormalAxes(p.ints("dimensions"), in[0].Rank())
		if err != nil {
			panic(err)
		}
		return just(Squeeze(in[0], dims...))
	},
	"lax.expand_dims": func(p params, in []*array.Array) []*array.Array {
		return just(ExpandDims(in[0], p.ints("dimensions")...))
	},
	"lax.concatenate": func(p params, in []*array.Array) []*array.Array {
		return just(Concatenate(p.int("dimension"), in...))
	},
	"lax.pad": func(p params, in []*array.Array) []*array.Array {
		var dims []PadDim
		for _, d := range get[[][3]int](p, "padding_config", nil) {
			dims = append(dims, PadDim{d[0], d[1], d[2]})
		}
		return just(Pad(in[0], in[1], dims))
	},
	"lax.slice": func(p params, in []*array.Array) []*array.Array {
		return just(Slice(in[0], p.ints("start_indices"), p.ints("limit_indices"), p.ints("strides")))
	},
	"lax.dynamic_slice": func(p params, in []*array.Array) []*array.Array {
		return just(DynamicSlice(in[0], fromEnd(in[0], in[1:]), p.ints("slice_sizes")))
	},
	"lax.dynamic_update_slice": func(_ params, in []*array.Array) []*array.Array {
		return just(DynamicUpdateSlice(in[0], in[1], fromEnd(in[0], in[2:])))
	},
	"lax.iota": func(p params, _ []*array.Array) []*array.Array {
		return just(Iota(p.dtype("dtype"), array.Shape{p.int("size")}, 0))
	},
	"lax.broadcasted_iota": func(p params, _ []*array.Array) []*array.Array {
		return just(Iota(p.dtype("dtype"), p.ints("shape"), p.int("dimension")))
	},
}

// fromEnd lets negative starts count from the end, as the functions of jax.lax do before their primitives.
func fromEnd(x *array.Array, starts []*array.Array) []*array.Array {
	out := make([]*array.Array, len(starts))
	for i, s := range starts {
		out[i] = Select(s.Less(0), s.Add(x.Shape()[i]), s)
	}
	return out
}

// wrongDerivatives are cases whose derivative the reference gets wrong, with the reason.
var wrongDerivatives = map[string]string{
	"lax.digamma/special": "the reference's polygamma(1, x) is wrong for negative x: at -10.5 it says 2.9e12, and is 9.78",
}
