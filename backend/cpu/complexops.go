package cpu

import (
	"math"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/internal/elementary"
)

// complexBinary finds the loops of an operation on complex numbers. Functions are computed in complex128.
func complexBinary[T complexes](name string) loop2[T, T] {
	switch name {
	case "stablehlo.add":
		return loop2[T, T]{addVV[T], addVS[T], func(dst []T, x T, y []T) { addVS(dst, y, x) }}
	case "stablehlo.subtract":
		return loop2[T, T]{subVV[T], subVS[T], subSV[T]}
	case "stablehlo.multiply":
		return loop2[T, T]{mulVV[T], mulVS[T], func(dst []T, x T, y []T) { mulVS(dst, y, x) }}
	case "stablehlo.divide":
		return binaryOf(func(x, y T) T { return T(complex128(x) / complex128(y)) })
	case "stablehlo.power":
		return binaryOf(func(x, y T) T { return T(elementary.ComplexPow(complex128(x), complex128(y))) })
	case "stablehlo.atan2":
		return binaryOf(func(x, y T) T { return T(elementary.ComplexAtan2(complex128(x), complex128(y))) })
	case "stablehlo.maximum":
		return binaryOf(func(x, y T) T {
			if complexIsNaN(x) || !complexIsNaN(y) && complexLess(y, x) {
				return x
			}
			return y
		})
	case "stablehlo.minimum":
		return binaryOf(func(x, y T) T {
			if complexIsNaN(x) || !complexIsNaN(y) && complexLess(x, y) {
				return x
			}
			return y
		})
	}
	return loop2[T, T]{}
}

func complexIsNaN[T complexes](x T) bool { return x != x }

// complexLess orders by real part, then by imaginary part.
func complexLess[T complexes](x, y T) bool {
	a, b := complex128(x), complex128(y)
	return real(a) < real(b) || real(a) == real(b) && imag(a) < imag(b)
}

// complexUnary finds the loops of a function of one complex number.
func complexUnary[T complexes](name string) loop1[T, T] {
	via := func(fn func(x complex128) complex128) loop1[T, T] {
		return unaryOf(func(x T) T { return T(fn(complex128(x))) })
	}
	if fn := complexFunctions[name]; fn != nil {
		return via(fn)
	}
	switch name {
	case "stablehlo.negate":
		return unaryOf(func(x T) T { return -x })
	case "chlo.conj":
		return via(func(x complex128) complex128 { return complex(real(x), -imag(x)) })
	}
	return nil
}

// complexFunctions are computed in complex128 and, for complex64, rounded once.
var complexFunctions = map[string]func(complex128) complex128{
	"stablehlo.cbrt":                  elementary.ComplexCbrt,
	"stablehlo.cosine":                elementary.ComplexCos,
	"stablehlo.exponential":           elementary.ComplexExp,
	"stablehlo.exponential_minus_one": elementary.ComplexExpm1,
	"stablehlo.log":                   elementary.ComplexLog,
	"stablehlo.log_plus_one":          elementary.ComplexLog1p,
	"stablehlo.logistic":              elementary.ComplexLogistic,
	"stablehlo.rsqrt":                 elementary.ComplexRsqrt,
	"stablehlo.sign":                  elementary.ComplexSign,
	"stablehlo.sine":                  elementary.ComplexSin,
	"stablehlo.sqrt":                  elementary.ComplexSqrt,
	"stablehlo.tan":                   elementary.ComplexTan,
	"stablehlo.tanh":                  elementary.ComplexTanh,
	"chlo.acos":                       elementary.ComplexAcos,
	"chlo.acosh":                      elementary.ComplexAcosh,
	"chlo.asin":                       elementary.ComplexAsin,
	"chlo.asinh":                      elementary.ComplexAsinh,
	"chlo.atan":                       elementary.ComplexAtan,
	"chlo.atanh":                      elementary.ComplexAtanh,
	"chlo.cosh":                       elementary.ComplexCosh,
	"chlo.sinh":                       elementary.ComplexSinh,
	"chlo.square":                     elementary.ComplexSquare,
	"chlo.tan":                        elementary.ComplexTan,
}

// emitComplex emits stablehlo.complex: two reals to one complex number.
func emitComplex(_ *compiler, n *node) (run, error) {
	switch n.in[0].dtype {
	case array.Float32:
		return emit2(n, binaryOf(func(re, im float32) complex64 { return complex(re, im) })), nil
	case array.Float64:
		return emit2(n, binaryOf(func(re, im float64) complex128 { return complex(re, im) })), nil
	}
	return nil, unsupported(n)
}

// emitPart emits real, imag and the absolute value of complex numbers; of reals, real is the number and imag zero.
func emitPart(_ *compiler, n *node) (run, error) {
	switch n.in[0].dtype {
	case array.Complex64:
		switch n.op.Name {
		case "stablehlo.real":
			return emit1(n, unaryOf(func(x complex64) float32 { return real(x) })), nil
		case "stablehlo.imag":
			return emit1(n, unaryOf(func(x complex64) float32 { return imag(x) })), nil
		}
		return emit1(n, unaryOf(func(x complex64) float32 {
			return float32(math.Hypot(float64(real(x)), float64(imag(x))))
		})), nil
	case array.Complex128:
		switch n.op.Name {
		case "stablehlo.real":
			return emit1(n, unaryOf(func(x complex128) float64 { return real(x) })), nil
		case "stablehlo.imag":
			return emit1(n, unaryOf(func(x complex128) float64 { return imag(x) })), nil
		}
		return emit1(n, unaryOf(func(x complex128) float64 { return elementary.Hypot(real(x), imag(x)) })), nil
	}
	switch {
	case n.op.Name == "stablehlo.real":
		return emitCopy(nil, n)
	case n.op.Name == "stablehlo.imag" && n.in[0].dtype.IsFloat():
		return func(f *frame) error {
			clear(f.bytes(n.out[0].ref(), n.out[0].size()))
			return nil
		}, nil
	}
	return nil, unsupported(n)
}
