package opt

import (
	"math"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/np"
)

// Schedule is a learning rate that depends on how many updates were made: a scalar of that integer scalar, which may be
// traced.
type Schedule func(step *array.Array) *array.Array

// rate makes a schedule of what an optimiser takes for a learning rate.
func rate(op string, v any) Schedule {
	switch v := v.(type) {
	case Schedule:
		return v
	case func(*array.Array) *array.Array:
		return v
	}
	x := array.MustValue("opt."+op, v)
	if x.Rank() != 0 || !x.DType().IsFloat() && !x.DType().IsInteger() {
		panic(array.Wrap("opt."+op, array.ShapeErrorf("the learning rate is a number, a scalar or a Schedule, got %s", x.Aval())))
	}
	return func(*array.Array) *array.Array { return x }
}

// Constant is always v.
func Constant(v float64) Schedule { return rate("Constant", v) }

// done is the share of steps that are made, from 0 to 1.
func done(step *array.Array, steps int) *array.Array {
	return np.Minimum(step.AsType(array.Float64).Div(float64(max(steps, 1))), 1.0)
}

// Linear goes from one value to another in a number of steps, and stays there.
func Linear(from, to float64, steps int) Schedule {
	return func(step *array.Array) *array.Array { return done(step, steps).Mul(to - from).Add(from) }
}

// Exponential is from · factor^(step/steps). With staircase the exponent is rounded down.
func Exponential(from, factor float64, steps int, staircase bool) Schedule {
	return func(step *array.Array) *array.Array {
		n := step.AsType(array.Float64).Div(float64(max(steps, 1)))
		if staircase {
			n = np.Floor(n)
		}
		return np.Exp(n.Mul(math.Log(factor))).Mul(from)
	}
}

// Cosine falls along half a period of the cosine from one value to another in a number of steps, and stays there
// (Loshchilov and Hutter, arXiv:1608.03983).
func Cosine(from, to float64, steps int) Schedule {
	return func(step *array.Array) *array.Array {
		share := np.Cos(done(step, steps).Mul(math.Pi)).Add(1.0).Mul(0.5)
		return share.Mul(from - to).Add(to)
	}
}

// Warmup rises in a line from 0 to what then gives at its first step, in a number of steps, and goes on with then, whose steps count
// from there.
func Warmup(steps int, then Schedule) Schedule {
	return func(step *array.Array) *array.Array {
		later := then(np.Maximum(step.Sub(steps), 0)).AsType(array.Float64)
		start := then(step.Mul(0)).AsType(array.Float64)
		return np.Where(step.Less(steps), done(step, steps).Mul(start), later)
	}
}

// Piecewise multiplies the value by the factor of each boundary that is reached, which is a number of steps.
func Piecewise(from float64, factors map[int]float64) Schedule {
	return func(step *array.Array) *array.Array {
		v := np.Full(nil, from)
		for at, factor := range factors {
			v = v.Mul(np.Where(step.GreaterEqual(at), factor, 1.0))
		}
		return v
	}
}
