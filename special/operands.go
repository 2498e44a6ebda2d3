package special

import (
	"math"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/np"
	"github.com/pantograph-go/pantograph/primitive"
)

type arr = *array.Array

// operands promotes operands to a common type of real floats, integers as np does, and broadcasts them.
func operands(op string, vs ...any) []arr {
	xs := primitive.Promote(vs...)
	d := xs[0].DType()
	switch {
	case d.IsComplex():
		panic(array.Wrap(op, array.DTypeErrorf("takes real numbers, got %s", d)))
	case d == array.Int64 || d == array.Uint64:
		d = array.Float64
	case !d.IsFloat():
		d = array.Float32
	}
	for i, x := range xs {
		if x.DType() == d {
			continue
		}
		if x.Aval().Weak {
			xs[i] = primitive.ConvertWeak(x, d)
		} else {
			xs[i] = primitive.Convert(x, d)
		}
	}
	if len(xs) > 1 {
		xs = primitive.BroadcastArrays(xs...)
	}
	return xs
}

// unary is a strict function with its operand prepared.
func unary(op string, f func(arr) arr, x any) arr { return f(operands(op, x)[0]) }

// wide computes in float64 and rounds the result to the type of the operands.
func wide(f func(xs []arr) arr, xs ...arr) arr {
	d := xs[0].DType()
	in := make([]arr, len(xs))
	for i, x := range xs {
		in[i] = primitive.Convert(x, array.Float64)
	}
	return primitive.Convert(f(in), d)
}

// widePair is wide for two results.
func widePair(f func(x arr) (a, b arr), x arr) (a, b arr) {
	a, b = f(primitive.Convert(x, array.Float64))
	return primitive.Convert(a, x.DType()), primitive.Convert(b, x.DType())
}

// like is the number v in the type and shape of x.
func like(x arr, v float64) arr { return primitive.Full(x.Aval(), v) }

// polynomial has the coefficients given, that of the highest power first.
func polynomial(x arr, coefficients ...float64) arr {
	y := like(x, coefficients[0])
	for _, c := range coefficients[1:] {
		y = y.Mul(x).Add(c)
	}
	return y
}

// within is x where a condition holds and elsewhere a number at which the function that follows is finite: the branch
// that is not taken must not put NaNs into derivatives.
func within(cond, x arr, harmless float64) arr { return np.Where(cond, x, like(x, harmless)) }

var (
	inf = math.Inf(1)
	nan = math.NaN()
)
