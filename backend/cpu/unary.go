package cpu

import (
	"math"
	"unsafe"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/internal/elementary"
)

// emitUnary emits the operations of one operand with a result of its type.
func emitUnary(c *compiler, n *node) (run, error) {
	name, d := n.op.Name, n.in[0].dtype
	if d.IsComplex() && name == "stablehlo.abs" {
		return emitPart(c, n)
	}
	if n.out[0].dtype != d {
		return nil, array.DTypeErrorf("operand of %s, result of %s", d, n.out[0].dtype)
	}
	if c, ok := is16(d); ok {
		return withUnary(n, floatUnary[float32](name), func(k loop1[float32, float32]) run { return narrow1(n, c, k) })
	}
	if c, ok := is8(d); ok {
		return withUnary(n, floatUnary[float32](name), func(k loop1[float32, float32]) run { return narrow1(n, c, k) })
	}
	switch d {
	case array.Bool:
		if name == "stablehlo.not" {
			return emit1(n, unaryOf(func(x uint8) uint8 { return x ^ 1 })), nil
		}
		return nil, unsupported(n)
	case array.Float32:
		return with1(n, floatUnary[float32](name))
	case array.Float64:
		return with1(n, floatUnary[float64](name))
	case array.Complex64:
		return with1(n, complexUnary[complex64](name))
	case array.Complex128:
		return with1(n, complexUnary[complex128](name))
	case array.Int2, array.Int4, array.Int8:
		r, err := with1(n, integerUnary[int8](name, d.Bits()))
		return wrapNarrow(n, d, r), err
	case array.Int16:
		return with1(n, integerUnary[int16](name, 16))
	case array.Int32:
		return with1(n, integerUnary[int32](name, 32))
	case array.Int64:
		return with1(n, integerUnary[int64](name, 64))
	case array.Uint2, array.Uint4, array.Uint8:
		r, err := with1(n, integerUnary[uint8](name, d.Bits()))
		return wrapNarrow(n, d, r), err
	case array.Uint16:
		return with1(n, integerUnary[uint16](name, 16))
	case array.Uint32:
		return with1(n, integerUnary[uint32](name, 32))
	case array.Uint64:
		return with1(n, integerUnary[uint64](name, 64))
	}
	return nil, unsupported(n)
}

func with1[D, X any](n *node, k loop1[D, X]) (run, error) {
	return withUnary(n, k, func(k loop1[D, X]) run { return emit1(n, k) })
}

func withUnary[D, X any](n *node, k loop1[D, X], emit func(loop1[D, X]) run) (run, error) {
	if k == nil {
		return nil, unsupported(n)
	}
	return emit(k), nil
}

// floatUnary finds the loop of a function of one float. Functions are computed in float64 and, for float32, rounded
// once.
func floatUnary[T floating](name string) loop1[T, T] {
	switch name {
	case "stablehlo.negate":
		return func(dst, x []T) {
			x = x[:len(dst)]
			for i := range dst {
				dst[i] = -x[i]
			}
		}
	case "stablehlo.abs":
		return func(dst, x []T) {
			x = x[:len(dst)]
			for i := range dst {
				dst[i] = T(math.Abs(float64(x[i])))
			}
		}
	case "stablehlo.sqrt":
		return func(dst, x []T) {
			x = x[:len(dst)]
			for i := range dst {
				dst[i] = T(math.Sqrt(float64(x[i])))
			}
		}
	case "chlo.square":
		return func(dst, x []T) {
			x = x[:len(dst)]
			for i := range dst {
				dst[i] = x[i] * x[i]
			}
		}
	}
	fn := floatFunctions[name]
	if quick := quickFunctions[name]; quick != nil && unsafe.Sizeof(T(0)) == 4 {
		fn = quick
	}
	if fn == nil {
		return nil
	}
	if unsafe.Sizeof(T(0)) == 8 {
		return func(dst, x []T) {
			x = x[:len(dst)]
			for i := range dst {
				dst[i] = T(fn(float64(x[i])))
			}
		}
	}
	// Converting between calls would make each call wait for the one before: the instruction keeps half of its target.
	return func(dst, x []T) {
		var buf [chunkLen]float64
		for len(dst) > 0 {
			wide := buf[:min(chunkLen, len(dst))]
			for i, v := range x[:len(wide)] {
				wide[i] = float64(v)
			}
			for i, v := range wide {
				wide[i] = fn(v)
			}
			for i, v := range wide {
				dst[i] = T(v)
			}
			dst, x = dst[len(wide):], x[len(wide):]
		}
	}
}

// floatFunctions are the functions of one float that are more than an instruction.
var floatFunctions = map[string]func(float64) float64{
	"stablehlo.cbrt":                  math.Cbrt,
	"stablehlo.ceil":                  math.Ceil,
	"stablehlo.cosine":                elementary.Cos,
	"stablehlo.exponential":           elementary.Exp,
	"stablehlo.exponential_minus_one": math.Expm1,
	"stablehlo.floor":                 math.Floor,
	"stablehlo.log":                   elementary.Log,
	"stablehlo.log_plus_one":          math.Log1p,
	"stablehlo.logistic":              elementary.Logistic,
	"stablehlo.round_nearest_afz":     math.Round,
	"stablehlo.round_nearest_even":    math.RoundToEven,
	"stablehlo.rsqrt":                 elementary.Rsqrt,
	"stablehlo.sign":                  elementary.Sign,
	"stablehlo.sine":                  elementary.Sin,
	"stablehlo.tan":                   elementary.Tan,
	"stablehlo.tanh":                  math.Tanh,
	"chlo.acos":                       elementary.Acos,
	"chlo.acosh":                      math.Acosh,
	"chlo.asin":                       math.Asin,
	"chlo.asinh":                      math.Asinh,
	"chlo.atan":                       math.Atan,
	"chlo.atanh":                      math.Atanh,
	"chlo.bessel_i1e":                 elementary.BesselI1e,
	"chlo.conj":                       func(x float64) float64 { return x },
	"chlo.cosh":                       elementary.Cosh,
	"chlo.digamma":                    elementary.Digamma,
	"chlo.erf":                        math.Erf,
	"chlo.erf_inv":                    elementary.ErfInv,
	"chlo.erfc":                       elementary.Erfc,
	"chlo.lgamma":                     elementary.Lgamma,
	"chlo.sinh":                       elementary.Sinh,
	"chlo.tan":                        elementary.Tan,
}

// quickFunctions are exact enough where the result is rounded to float32.
var quickFunctions = map[string]func(float64) float64{
	"stablehlo.cosine":      math.Cos,
	"stablehlo.exponential": math.Exp,
	"stablehlo.log":         math.Log,
	"stablehlo.sine":        math.Sin,
	"stablehlo.tan":         math.Tan,
	"chlo.digamma":          elementary.DigammaFloat,
	"chlo.erfc":             math.Erfc,
	"chlo.lgamma":           elementary.LgammaFloat,
	"chlo.tan":              math.Tan,
}

// emitClassify emits the predicates on floats.
func emitClassify(_ *compiler, n *node) (run, error) {
	var test func(x float64) bool
	switch n.op.Name {
	case "stablehlo.is_finite":
		test = func(x float64) bool { return x-x == 0 }
	case "chlo.is_inf":
		test = func(x float64) bool { return math.IsInf(x, 0) }
	case "chlo.is_pos_inf":
		test = func(x float64) bool { return math.IsInf(x, 1) }
	case "chlo.is_neg_inf":
		test = func(x float64) bool { return math.IsInf(x, -1) }
	}
	d := n.in[0].dtype
	test32 := unaryOf(func(x float32) uint8 { return truth(test(float64(x))) })
	if c, ok := is16(d); ok {
		return narrow1To(n, c, test32), nil
	}
	if c, ok := is8(d); ok {
		return narrow1To(n, c, test32), nil
	}
	switch d {
	case array.Float32:
		return emit1(n, test32), nil
	case array.Float64:
		return emit1(n, unaryOf(func(x float64) uint8 { return truth(test(x)) })), nil
	}
	return nil, unsupported(n)
}

func truth(b bool) uint8 {
	if b {
		return 1
	}
	return 0
}
