package stats

import (
	"math"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/np"
	"github.com/pantograph-go/pantograph/primitive"
)

type arr = *array.Array

var (
	inf = math.Inf(1)
	nan = math.NaN()
)

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
		switch {
		case x.DType() == d:
		case x.Aval().Weak:
			xs[i] = primitive.ConvertWeak(x, d)
		default:
			xs[i] = primitive.Convert(x, d)
		}
	}
	return primitive.BroadcastArrays(xs...)
}

// or is a parameter, or its default where it was left out.
func or(v any, otherwise int) any {
	if v == nil {
		return otherwise
	}
	return v
}

// given is a parameter that has no default.
func given(op, name string, v any) any {
	if v == nil {
		panic(array.Wrap(op, array.ArgumentErrorf("the parameter %s is missing", name)))
	}
	return v
}

// located are the operands of a distribution with a location and a scale: x and (x-loc)/scale, then the others.
func located(op string, x, loc, scale any, more ...any) (v, z, l, s arr, rest []arr) {
	xs := operands(op, append([]any{x, or(loc, 0), or(scale, 1)}, more...)...)
	return xs[0], xs[0].Sub(xs[1]).Div(xs[2]), xs[1], xs[2], xs[3:]
}

func like(x arr, v float64) arr { return primitive.Full(x.Aval(), v) }

// only is y where a condition holds, else a number.
func only(cond, y arr, otherwise float64) arr { return np.Where(cond, y, like(y, otherwise)) }

// probability reports where q is one.
func probability(q arr) arr { return q.GreaterEqual(0).And(q.LessEqual(1)) }

func exp(x arr) arr { return primitive.Exp(x) }
func log(x arr) arr { return primitive.Log(x) }
