package random

import (
	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/flow"
	"github.com/pantograph-go/pantograph/lower/hlo"
	"github.com/pantograph-go/pantograph/np"
	"github.com/pantograph-go/pantograph/primitive"
	"github.com/pantograph-go/pantograph/trace"
	"github.com/pantograph-go/pantograph/vmap"
)

// Gamma draws from the density ∝ x^(a-1) e^-x on x ≥ 0, a > 0; multiply by a scale, or divide by a rate. A nil shape is
// that of a.
//
//	key [], a a number or an array   →   [shape] float64, or the floating-point dtype that follows
//
// It is differentiable with respect to a: the draw moves with its distribution, at the level of probability where it is
// (implicit reparametrisation, Figurnov et al., arXiv:1805.08498). See GammaP for the method.
func Gamma(key *array.Array, shape []int, a any, dtype ...array.DType) *array.Array {
	const op = "random.Gamma"
	alpha := parameter(op, a, floatOf(op, dtype))
	return gamma(op, key, alpha.BroadcastTo(shapeOf(op, shape, alpha)...), false)
}

// Loggamma draws the logarithm of what Gamma draws for the same key, also where that is too small for a number.
func Loggamma(key *array.Array, shape []int, a any, dtype ...array.DType) *array.Array {
	const op = "random.Loggamma"
	alpha := parameter(op, a, floatOf(op, dtype))
	return gamma(op, key, alpha.BroadcastTo(shapeOf(op, shape, alpha)...), true)
}

func gamma(op string, key, a *array.Array, log bool) *array.Array {
	return primitive.Bind(GammaP{one(op, key), log}, key, a)
}

// Chisquare draws the sum of df squares of standard normal variables; df > 0 need not be whole. A nil shape is that of df.
//
//	key [], df a number or an array   →   [shape] float64, or the floating-point dtype that follows
func Chisquare(key *array.Array, shape []int, df any, dtype ...array.DType) *array.Array {
	const op = "random.Chisquare"
	n := parameter(op, df, floatOf(op, dtype))
	return chisquare(op, key, n.BroadcastTo(shapeOf(op, shape, n)...))
}

func chisquare(op string, key, df *array.Array) *array.Array {
	return primitive.Exp(gamma(op, key, df.Div(2), true)).Mul(2)
}

// T draws from Student's distribution of df degrees of freedom, density ∝ (1 + x²/df)^(-(df+1)/2). A nil shape is that of
// df.
//
//	key [], df a number or an array   →   [shape] float64, or the floating-point dtype that follows
func T(key *array.Array, shape []int, df any, dtype ...array.DType) *array.Array {
	const op = "random.T"
	n := parameter(op, df, floatOf(op, dtype))
	s := shapeOf(op, shape, n)
	half := n.Div(2).BroadcastTo(s...)
	keys := pairOf(op, key)
	x := normal(op, keys[0], s, n.DType())
	return x.Mul(primitive.Sqrt(half.Div(gamma(op, keys[1], half, false))))
}

// F draws the quotient of two mean squares, of dfnum and of dfden standard normal variables. A nil shape is that of the
// parameters.
//
//	key [], dfnum, dfden numbers or arrays   →   [shape] float64, or the floating-point dtype that follows
func F(key *array.Array, shape []int, dfnum, dfden any, dtype ...array.DType) *array.Array {
	const op = "random.F"
	d := floatOf(op, dtype)
	above, below := parameter(op, dfnum, d), parameter(op, dfden, d)
	df := spread(shapeOf(op, shape, above, below), above, below)
	keys := pairOf(op, key)
	num := chisquare(op, keys[1], df[0]).Div(df[0])
	return num.Div(chisquare(op, keys[0], df[1]).Div(df[1]))
}

// Beta draws from the density ∝ x^(a-1) (1-x)^(b-1) on [0, 1]: g/(g + h) of Gamma variables of a and b, computed from
// their logarithms. A nil shape is that of the parameters, for which it is differentiable.
//
//	key [], a, b numbers or arrays   →   [shape] float64, or the floating-point dtype that follows
func Beta(key *array.Array, shape []int, a, b any, dtype ...array.DType) *array.Array {
	const op = "random.Beta"
	d := floatOf(op, dtype)
	first, second := parameter(op, a, d), parameter(op, b, d)
	params := spread(shapeOf(op, shape, first, second), first, second)
	keys := pairOf(op, key)
	g, h := gamma(op, keys[0], params[0], true), gamma(op, keys[1], params[1], true)
	most := primitive.Max(g, h)
	g, h = primitive.Exp(primitive.Sub(g, most)), primitive.Exp(primitive.Sub(h, most))
	return primitive.Div(g, primitive.Add(g, h))
}

// Dirichlet draws vectors of n probabilities from the density ∝ ∏ xᵢ^(αᵢ-1): Gamma variables divided by their sum, computed
// from their logarithms. A nil shape is that of alpha without its last axis.
//
//	key [], alpha [..., n]   →   [shape, n] float64, or the floating-point dtype that follows
func Dirichlet(key *array.Array, shape []int, alpha any, dtype ...array.DType) *array.Array {
	const op = "random.Dirichlet"
	a := parameter(op, alpha, floatOf(op, dtype))
	if a.Rank() == 0 {
		panic(array.Wrap(op, array.ShapeErrorf("alpha is a vector or more, got %s", a.Aval())))
	}
	last := a.Rank() - 1
	s := append(fit(op, shape, a.Shape()[:last]), a.Shape()[last])
	g := gamma(op, key, a.BroadcastTo(s...), true)
	e := np.Exp(g.Sub(np.Max(g, np.Axis(-1), np.KeepDims())))
	return e.Div(np.Sum(e, np.Axis(-1), np.KeepDims()))
}

// GammaP draws Gamma variables, or their logarithms, one key split off for each (Marsaglia and Tsang, A simple method for
// generating gamma variables, 2000). Parameters below 1 are drawn for a+1 and multiplied by u^(1/a).
//
//	key [...], a [..., ...] float   →   a's shape and dtype
//
// JVP with respect to a: the derivative of the draw at constant probability.
type GammaP struct {
	Impl     *PRNG
	LogSpace bool
}

// Name implements primitive.Primitive.
func (GammaP) Name() string { return "random_gamma" }

// Params implements primitive.Parametric.
func (p GammaP) Params() []primitive.Param {
	return []primitive.Param{{Name: "log_space", Value: p.LogSpace}}
}

// Shape implements primitive.Primitive.
func (p GammaP) Shape(in []array.Aval) ([]array.Aval, error) {
	if err := p.Impl.owns(in[0]); err != nil {
		return nil, err
	}
	a, lead := in[1], in[0].Shape
	if _, ok := floats[a.DType]; !ok {
		return nil, array.DTypeErrorf("the parameter is %s; it must be a real floating-point array", a)
	}
	if len(a.Shape) < len(lead) || !a.Shape[:len(lead)].Equal(lead) {
		return nil, array.ShapeErrorf("the parameter is %s; its shape must begin with that of the keys, %s", a, in[0])
	}
	return []array.Aval{a.Strong()}, nil
}

// JVP implements vjp.Differentiable.
func (p GammaP) JVP(x, dx []*array.Array) (y, dy []*array.Array, err error) {
	sample := primitive.Bind(p, x...)
	y = []*array.Array{sample}
	if dx[1] == nil {
		return y, []*array.Array{nil}, nil
	}
	if !p.LogSpace {
		return y, []*array.Array{primitive.Mul(dx[1], primitive.RandomGammaGrad(x[1], sample))}, nil
	}
	least := filled(sample.DType(), sample.Shape(), floats[sample.DType()].least)
	draw := primitive.Exp(sample) // which may be too small for a number
	draw = choose(draw.Equal(0), least, draw)
	return y, []*array.Array{primitive.Mul(dx[1], primitive.Div(primitive.RandomGammaGrad(x[1], draw), draw))}, nil
}

// Batch implements vmap.Batcher.
func (p GammaP) Batch(n int, in []*array.Array, dims []int) ([]*array.Array, []int, error) {
	return batchKeys(p, n, in, dims)
}

// LowerJaxpr implements trace.JaxprLowerable: the loop for one element, mapped over all.
func (p GammaP) LowerJaxpr(c trace.Lowering, in []*hlo.Value, out []array.Aval) ([]*hlo.Value, error) {
	a := out[0]
	keys := array.Aval{Shape: a.Shape[:p.Impl.rank(in[0])], DType: p.Impl.dtype}
	r, err := trace.Record(p.Name(), []array.Aval{keys, a}, func(x []*array.Array) ([]*array.Array, error) {
		n := a.Shape.Size()
		if n == 0 {
			return []*array.Array{filled(a.DType, a.Shape, 0)}, nil
		}
		each := primitive.Bind(SplitP{p.Impl, array.MakeInts(n / keys.Shape.Size())}, x[0])
		draw := vmap.Of(func(key, a *array.Array) *array.Array { return p.element(key, a) })
		y := draw.Call(primitive.Reshape(each, array.Shape{n}), primitive.Reshape(x[1], array.Shape{n}))
		return []*array.Array{primitive.Reshape(y, a.Shape)}, nil
	})
	if err != nil {
		return nil, err
	}
	return c.Inline(r.Jaxpr, in)
}

// proposal is what the rejection loop carries: X and V are the square and the cube of the method's x and v.
type proposal struct{ Key, X, V, U *array.Array }

// positive is the inner loop, which draws until 1 + c x is above 0.
type positive struct{ Key, X, V *array.Array }

// element draws for one parameter.
func (p GammaP) element(key, a *array.Array) *array.Array {
	const op = "random.Gamma"
	number := func(v float64) *array.Array { return filled(a.DType(), nil, v) }
	keys := pairOf(op, key)
	large := a.GreaterEqual(1)
	boosted := choose(large, a, a.Add(1))
	d := boosted.Sub(number(1. / 3))
	c := number(1. / 3).Div(primitive.Sqrt(d))

	rejected := func(s proposal) *array.Array {
		squeeze := s.X.Mul(s.X).Mul(number(0.0331)).Neg().Add(1)
		exact := s.X.Mul(0.5).Add(d.Mul(s.V.Neg().Add(1).Add(primitive.Log(s.V))))
		return s.U.GreaterEqual(squeeze).And(primitive.Log(s.U).GreaterEqual(exact))
	}
	propose := func(s proposal) proposal {
		keys := list(split(op, s.Key, array.Shape{3}))
		next := flow.While(
			func(s positive) *array.Array { return s.V.LessEqual(0) },
			func(s positive) positive {
				keys := pairOf(op, s.Key)
				x := normal(op, keys[1], nil, a.DType())
				return positive{keys[0], x, x.Mul(c).Add(1)}
			},
			positive{keys[1], number(0), number(-1)}).(positive)
		return proposal{keys[0], next.X.Mul(next.X), next.V.Mul(next.V).Mul(next.V), unit(op, keys[2], nil, a.DType())}
	}
	first := proposal{keys[0], number(0), number(1), number(2)} // which is rejected
	v := flow.While(rejected, propose, first).(proposal).V

	if p.LogSpace {
		e := exponential(op, keys[1], nil, a.DType()).Neg()
		boost := choose(large.Or(e.Equal(0)), number(0), e.Div(a))
		return primitive.Log(d).Add(primitive.Log(v)).Add(boost)
	}
	u := unit(op, keys[1], nil, a.DType()).Neg().Add(1)
	return d.Mul(v).Mul(choose(large, number(1), u.Pow(number(1).Div(a))))
}
