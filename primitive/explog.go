package primitive

import (
	"math"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/lower/hlo"
)

// ExpP is e to the power x.
//
//	x [...] float or complex   →   [...] same dtype
//
// JVP: exp(x) dx.
type ExpP struct{ floatUnary }

// Name implements Primitive.
func (ExpP) Name() string { return "exp" }

// JVP implements vjp.Differentiable.
func (ExpP) JVP(x, dx []*array.Array) (y, dy []*array.Array, err error) {
	e := Exp(x[0])
	return single(e, Mul(dx[0], e))
}

// Lower implements Lowerable.
func (ExpP) Lower(b *hlo.Builder, in []*hlo.Value, out []array.Aval) ([]*hlo.Value, error) {
	return b.Op("stablehlo.exponential", out[0], in), nil
}

// Exp returns e to the power x. See ExpP.
func Exp(x *array.Array) *array.Array { return Bind(ExpP{}, x) }

// Exp2P is 2 to the power x.
//
//	x [...] float or complex   →   [...] same dtype
//
// JVP: log(2) 2^x dx.
type Exp2P struct{ floatUnary }

// Name implements Primitive.
func (Exp2P) Name() string { return "exp2" }

// JVP implements vjp.Differentiable.
func (Exp2P) JVP(x, dx []*array.Array) (y, dy []*array.Array, err error) {
	e := Exp2(x[0])
	return single(e, Mul(like(x[0], math.Ln2), Mul(dx[0], e)))
}

// Lower implements Lowerable: the power of 2, for StableHLO has no exp2. exp(x log 2) would multiply the rounding error of
// x log 2 by x.
func (Exp2P) Lower(b *hlo.Builder, in []*hlo.Value, out []array.Aval) ([]*hlo.Value, error) {
	return b.Op("stablehlo.power", out[0], []*hlo.Value{b.Splat(out[0], 2), in[0]}), nil
}

// Exp2 returns 2 to the power x. See Exp2P.
func Exp2(x *array.Array) *array.Array { return Bind(Exp2P{}, x) }

// Expm1P is exp(x) - 1, exact also for small x.
//
//	x [...] float or complex   →   [...] same dtype
//
// JVP: exp(x) dx, from the result.
type Expm1P struct{ floatUnary }

// Name implements Primitive.
func (Expm1P) Name() string { return "expm1" }

// JVP implements vjp.Differentiable.
func (Expm1P) JVP(x, dx []*array.Array) (y, dy []*array.Array, err error) {
	e := Expm1(x[0])
	return single(e, Mul(dx[0], Add(e, like(e, 1))))
}

// Lower implements Lowerable.
func (Expm1P) Lower(b *hlo.Builder, in []*hlo.Value, out []array.Aval) ([]*hlo.Value, error) {
	return b.Op("stablehlo.exponential_minus_one", out[0], in), nil
}

// Expm1 returns exp(x) - 1. See Expm1P.
func Expm1(x *array.Array) *array.Array { return Bind(Expm1P{}, x) }

// LogP is the natural logarithm; of a negative real number NaN.
//
//	x [...] float or complex   →   [...] same dtype
//
// JVP: dx / x.
type LogP struct{ floatUnary }

// Name implements Primitive.
func (LogP) Name() string { return "log" }

// JVP implements vjp.Differentiable.
func (LogP) JVP(x, dx []*array.Array) (y, dy []*array.Array, err error) {
	return single(Log(x[0]), Div(dx[0], x[0]))
}

// Lower implements Lowerable.
func (LogP) Lower(b *hlo.Builder, in []*hlo.Value, out []array.Aval) ([]*hlo.Value, error) {
	return b.Op("stablehlo.log", out[0], in), nil
}

// Log returns the natural logarithm. See LogP.
func Log(x *array.Array) *array.Array { return Bind(LogP{}, x) }

// Log1pP is log(1 + x), exact also for small x.
//
//	x [...] float or complex   →   [...] same dtype
//
// JVP: dx / (1 + x).
type Log1pP struct{ floatUnary }

// Name implements Primitive.
func (Log1pP) Name() string { return "log1p" }

// JVP implements vjp.Differentiable.
func (Log1pP) JVP(x, dx []*array.Array) (y, dy []*array.Array, err error) {
	return single(Log1p(x[0]), Div(dx[0], Add(x[0], like(x[0], 1))))
}

// Lower implements Lowerable.
func (Log1pP) Lower(b *hlo.Builder, in []*hlo.Value, out []array.Aval) ([]*hlo.Value, error) {
	return b.Op("stablehlo.log_plus_one", out[0], in), nil
}

// Log1p returns log(1 + x). See Log1pP.
func Log1p(x *array.Array) *array.Array { return Bind(Log1pP{}, x) }

// LogisticP is the sigmoid 1 / (1 + exp(-x)).
//
//	x [...] float or complex   →   [...] same dtype
//
// JVP: y (1 - y) dx with y the result.
type LogisticP struct{ floatUnary }

// Name implements Primitive.
func (LogisticP) Name() string { return "logistic" }

// JVP implements vjp.Differentiable.
func (LogisticP) JVP(x, dx []*array.Array) (y, dy []*array.Array, err error) {
	s := Logistic(x[0])
	return single(s, Mul(dx[0], Mul(s, Sub(like(s, 1), s))))
}

// Lower implements Lowerable.
func (LogisticP) Lower(b *hlo.Builder, in []*hlo.Value, _ []array.Aval) ([]*hlo.Value, error) {
	return compose(b, in, func(in []*array.Array) []*array.Array {
		one := like(in[0], 1)
		return []*array.Array{Div(one, Add(one, Exp(Neg(in[0]))))}
	})
}

// Logistic returns the sigmoid. See LogisticP.
func Logistic(x *array.Array) *array.Array { return Bind(LogisticP{}, x) }
