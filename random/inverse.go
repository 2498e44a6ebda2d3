package random

import (
	"math"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/np"
	"github.com/pantograph-go/pantograph/primitive"
)

// The distributions of this file are inverses of a distribution function, applied to uniform numbers.

// Exponential draws from the density e^-x on x ≥ 0: -log(1 - u).
//
//	key []   →   [shape] float64, or the floating-point dtype that follows
func Exponential(key *array.Array, shape []int, dtype ...array.DType) *array.Array {
	const op = "random.Exponential"
	return exponential(op, key, fit(op, shape), floatOf(op, dtype))
}

func exponential(op string, key *array.Array, shape array.Shape, d array.DType) *array.Array {
	return primitive.Log1p(unit(op, key, shape, d).Neg()).Neg()
}

// Laplace draws from the density ½ e^-|x|.
//
//	key []   →   [shape] float64, or the floating-point dtype that follows
func Laplace(key *array.Array, shape []int, dtype ...array.DType) *array.Array {
	const op = "random.Laplace"
	d := floatOf(op, dtype)
	u := from(op, key, fit(op, shape), floats[d].epsNeg-1, d)
	return primitive.Sign(u).Mul(primitive.Log1p(u.Abs().Neg()))
}

// Cauchy draws from the density 1/(π(1 + x²)): tan(π(u - ½)).
//
//	key []   →   [shape] float64, or the floating-point dtype that follows
func Cauchy(key *array.Array, shape []int, dtype ...array.DType) *array.Array {
	const op = "random.Cauchy"
	d := floatOf(op, dtype)
	u := from(op, key, fit(op, shape), floats[d].eps, d)
	return primitive.Tan(u.Sub(0.5).Mul(math.Pi))
}

// Logistic draws from the density e^-x/(1 + e^-x)²: log(u/(1 - u)).
//
//	key []   →   [shape] float64, or the floating-point dtype that follows
func Logistic(key *array.Array, shape []int, dtype ...array.DType) *array.Array {
	const op = "random.Logistic"
	d := floatOf(op, dtype)
	u := from(op, key, fit(op, shape), floats[d].least, d)
	return primitive.Log(u).Sub(primitive.Log1p(u.Neg()))
}

// Pareto draws from the density b/x^(b+1) on x ≥ 1: e^(y/b) of an exponential y. A nil shape is that of b.
//
//	key [], b a number or an array   →   [shape] float64, or the floating-point dtype that follows
func Pareto(key *array.Array, shape []int, b any, dtype ...array.DType) *array.Array {
	const op = "random.Pareto"
	d := floatOf(op, dtype)
	exponent := parameter(op, b, d)
	return primitive.Exp(exponential(op, key, shapeOf(op, shape, exponent), d).Div(exponent))
}

// WeibullMin draws scale (-log(1 - u))^(1/c) of the concentration c: density ∝ x^(c-1) e^-(x/scale)^c on x > 0. A nil
// shape is that of the parameters.
//
//	key [], scale, concentration numbers or arrays   →   [shape] float64, or the floating-point dtype that follows
func WeibullMin(key *array.Array, shape []int, scale, concentration any, dtype ...array.DType) *array.Array {
	const op = "random.WeibullMin"
	d := floatOf(op, dtype)
	s, c := parameter(op, scale, d), parameter(op, concentration, d)
	return exponential(op, key, shapeOf(op, shape, s, c), d).Pow(filled(d, nil, 1).Div(c)).Mul(s)
}

// Triangular draws from the density that rises in a line from left to mode and falls to right; a nil shape is that of the
// parameters.
//
//	key [], left ≤ mode ≤ right numbers or arrays   →   [shape] float64, or the floating-point dtype that follows
func Triangular(key *array.Array, shape []int, left, mode, right any, dtype ...array.DType) *array.Array {
	const op = "random.Triangular"
	d := floatOf(op, dtype)
	a, c, b := parameter(op, left, d), parameter(op, mode, d), parameter(op, right, d)
	s := shapeOf(op, shape, a, c, b)
	u := unit(op, key, s, d)
	width := b.Sub(a)
	rising := a.Add(primitive.Sqrt(u.Mul(width).Mul(c.Sub(a))))
	falling := b.Sub(primitive.Sqrt(u.Neg().Add(1).Mul(width).Mul(b.Sub(c))))
	return choose(u.Less(c.Sub(a).Div(width)), rising, falling)
}

// Geometric draws the number of trials up to the first success, each of probability p in (0, 1]: 1 + ⌊log u / log(1 - p)⌋. A
// nil shape is that of p, whose dtype the uniform numbers have.
//
//	key [], p a number or an array   →   [shape] int64, or the integer dtype that follows
func Geometric(key *array.Array, shape []int, p any, dtype ...array.DType) *array.Array {
	const op = "random.Geometric"
	d := integerOf(op, dtype)
	success := inexact(op, p)
	s := shapeOf(op, shape, success)
	u := unit(op, key, s, success.DType())
	u = np.Where(u.Equal(0), 1.0, u)
	trials := primitive.Floor(primitive.Log(u).Div(primitive.Log1p(success.Neg()))).Add(1)
	return trials.AsType(d)
}

// Resolution says how finely the tail of a Gumbel or Bernoulli distribution is drawn.
type Resolution uint8

// The resolutions, with float32 in mind.
const (
	// Low uses one uniform number: a Gumbel variable is at most about 16, probabilities below 1e-7 are drawn wrongly.
	Low Resolution = iota
	// High uses two: at most about 32, and right down to 1e-14, at twice the cost.
	High
	// Highest turns 64 random bits into a number in (0, 1) without loss, for float32; other dtypes are drawn as by High.
	Highest
)

// Gumbel draws from the density e^-(x + e^-x): -log(-log u).
//
//	key []   →   [shape] float64, or the floating-point dtype that follows
func Gumbel(key *array.Array, shape []int, dtype ...array.DType) *array.Array {
	const op = "random.Gumbel"
	return gumbel(op, key, fit(op, shape), floatOf(op, dtype), Low)
}

// GumbelAt is Gumbel with a finer resolution of the tail.
func GumbelAt(key *array.Array, r Resolution, shape []int, dtype ...array.DType) *array.Array {
	const op = "random.GumbelAt"
	return gumbel(op, key, fit(op, shape), floatOf(op, dtype), r)
}

func gumbel(op string, key *array.Array, shape array.Shape, d array.DType, r Resolution) *array.Array {
	minusLog := func(x *array.Array) *array.Array { return primitive.Log(x).Neg() }
	minusLog1p := func(x *array.Array) *array.Array { return primitive.Log1p(x.Neg()).Neg() }
	switch {
	case r == Low:
		return minusLog(minusLog(from(op, key, shape, floats[d].least, d)))
	case r == Highest && d == array.Float32:
		bits := draw(op, key, 32, shape.Insert(0, 2))
		hi, lo := row(bits, 0), row(bits, 1)
		small := hi.Less(uint32(1 << 31)) // below ½; above it 1 - u is exact, and small
		notLo := primitive.Not(lo)
		carry := notLo.Equal(uint32(math.MaxUint32)).AsType(array.Uint32)
		negHi, negLo := primitive.Not(hi).Add(carry), notLo.Add(uint32(1))
		x := fixedPoint(choose(small, hi, negHi), choose(small, lo, negLo))
		return choose(small, minusLog(minusLog1p(x)), minusLog(minusLog(x)))
	}
	u := unit(op, key, shape.Insert(0, 2), d)
	high, low := row(u, 0), row(u, 1)
	fine := high.Add(low.Mul(math.Ldexp(1, -floats[d].mantissa))).Add(floats[d].least)
	return minusLog(minusLog1p(choose(high.GreaterEqual(0.5), high, fine))) // the fine part would round high up to 1
}

func row(x *array.Array, i int) *array.Array {
	return primitive.Squeeze(primitive.Slice(x, append([]int{i}, make([]int, x.Rank()-1)...), x.Shape().Without(0).Insert(0, i+1), nil), 0)
}

// fixedPoint is the float32 nearest below hi 2⁻³² + lo 2⁻⁶⁴, both uint32 and not both zero.
func fixedPoint(hi, lo *array.Array) *array.Array {
	zerosHi, zerosLo := primitive.Clz(hi), primitive.Clz(lo)
	none := zerosHi.Equal(uint32(32)) // nothing in the upper word
	fill := choose(none, primitive.ShiftLeft(lo, zerosLo), primitive.ShiftRightLogical(lo, zerosHi.Neg().Add(uint32(32))))
	mantissa := primitive.Or(primitive.ShiftLeft(hi, zerosHi), fill).ShiftRight(uint32(8)).And(uint32(1<<23 - 1))
	exponent := choose(none, zerosLo.Add(uint32(32)), zerosHi).Neg().Add(uint32(126)).ShiftLeft(uint32(23))
	return primitive.BitcastConvert(primitive.Or(exponent, mantissa), array.Float32)
}
