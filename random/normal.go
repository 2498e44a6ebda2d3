package random

import (
	"math"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/np"
	"github.com/pantograph-go/pantograph/primitive"
	"github.com/pantograph-go/pantograph/vjp"
)

// Normal draws from the standard normal distribution: √2 erf⁻¹(u) of u uniform on (-1, 1). Complex dtypes have
// independent parts of variance ½.
//
//	key []   →   [shape] float64, or the floating-point or complex dtype that follows
func Normal(key *array.Array, shape []int, dtype ...array.DType) *array.Array {
	const op = "random.Normal"
	if len(dtype) > 0 && dtype[0].IsComplex() {
		keys, d := pairOf(op, key), dtype[0].Real()
		re, im := normal(op, keys[0], fit(op, shape), d), normal(op, keys[1], fit(op, shape), d)
		root := filled(d, nil, math.Sqrt2)
		return primitive.Complex(re.Div(root), im.Div(root))
	}
	return normal(op, key, fit(op, shape), floatOf(op, dtype))
}

func normal(op string, key *array.Array, shape array.Shape, d array.DType) *array.Array {
	u := from(op, key, shape, floats[d].epsNeg-1, d)
	return primitive.ErfInv(u).Mul(math.Sqrt2)
}

// TruncatedNormal draws from the standard normal distribution on (low, high), by the inverse of its distribution function;
// a nil shape is that of the bounds. Derivatives with respect to the bounds follow the draw.
//
//	key [], low, high numbers or arrays   →   [shape] float64, or the floating-point dtype that follows
func TruncatedNormal(key *array.Array, shape []int, low, high any, dtype ...array.DType) *array.Array {
	const op = "random.TruncatedNormal"
	d := floatOf(op, dtype)
	lo, hi := parameter(op, low, d), parameter(op, high, d)
	s := shapeOf(op, shape, lo, hi)
	root := filled(d, nil, math.Sqrt2)
	u := between(op, key, s, primitive.Erf(lo.Div(root)), primitive.Erf(hi.Div(root)))
	x := primitive.ErfInv(u).Mul(root)
	inside := func(bound *array.Array, towards float64) *array.Array { // an end of the interval itself is not drawn
		b := vjp.StopGradient(bound)
		return primitive.Nextafter(b, filled(d, b.Shape(), towards))
	}
	return np.Clip(x, inside(lo, math.Inf(1)), inside(hi, math.Inf(-1)))
}

// Lognormal draws e^(σ x) of x standard normal; a nil shape is that of sigma.
//
//	key [], sigma a number or an array   →   [shape] float64, or the floating-point dtype that follows
func Lognormal(key *array.Array, shape []int, sigma any, dtype ...array.DType) *array.Array {
	const op = "random.Lognormal"
	d := floatOf(op, dtype)
	s := parameter(op, sigma, d)
	return primitive.Exp(normal(op, key, shapeOf(op, shape, s), d).Mul(s))
}

// Maxwell draws the length of a standard normal vector of three components: density ∝ x² e^(-x²/2) on x ≥ 0.
//
//	key []   →   [shape] float64, or the floating-point dtype that follows
func Maxwell(key *array.Array, shape []int, dtype ...array.DType) *array.Array {
	const op = "random.Maxwell"
	return maxwell(op, key, fit(op, shape), floatOf(op, dtype))
}

func maxwell(op string, key *array.Array, shape array.Shape, d array.DType) *array.Array {
	x := normal(op, key, append(shape.Clone(), 3), d)
	return np.Sqrt(np.Sum(x.Mul(x), np.Axis(-1)))
}

// DoubleSidedMaxwell draws loc + scale z where |z| has Maxwell's distribution and either sign is as likely. The shape is
// set in front of that of the parameters.
//
//	key [], loc, scale numbers or arrays   →   [shape, parameters] float64, or the floating-point dtype that follows
func DoubleSidedMaxwell(key *array.Array, shape []int, loc, scale any, dtype ...array.DType) *array.Array {
	const op = "random.DoubleSidedMaxwell"
	d := floatOf(op, dtype)
	center, width := parameter(op, loc, d), parameter(op, scale, d)
	s := append(fit(op, shape), shapeOf(op, nil, center, width)...)
	keys := pairOf(op, key)
	return rademacher(op, keys[1], s, d).Mul(maxwell(op, keys[0], s, d)).Mul(width).Add(center)
}

// Rayleigh draws scale √(-2 log u): the length of a normal vector of two components of that standard deviation. A nil
// shape is that of scale.
//
//	key [], scale a number or an array   →   [shape] float64, or the floating-point dtype that follows
func Rayleigh(key *array.Array, shape []int, scale any, dtype ...array.DType) *array.Array {
	const op = "random.Rayleigh"
	d := floatOf(op, dtype)
	s := parameter(op, scale, d)
	u := unit(op, key, shapeOf(op, shape, s), d)
	return primitive.Sqrt(primitive.Log(u).Mul(-2)).Mul(s)
}

// Wald draws from the inverse Gaussian distribution of the given mean and shape parameter 1 (Michael, Schucany and Haas,
// Generating random variates using transformations with multiple roots, 1976). A nil shape is that of mean.
//
//	key [], mean a number or an array   →   [shape] float64, or the floating-point dtype that follows
func Wald(key *array.Array, shape []int, mean any, dtype ...array.DType) *array.Array {
	const op = "random.Wald"
	d := floatOf(op, dtype)
	m := parameter(op, mean, d)
	s := shapeOf(op, shape, m)
	m = m.BroadcastTo(s...)
	keys := pairOf(op, key)
	v, z := normal(op, keys[0], s, d), unit(op, keys[1], s, d)
	y, m2 := v.Mul(v), m.Mul(m)
	root := primitive.Sqrt(m.Mul(4).Mul(y).Add(m2.Mul(y.Mul(y))))
	x := m.Add(m2.Mul(y).Div(2)).Sub(m.Div(2).Mul(root)) // the smaller root of the quadratic
	return choose(z.LessEqual(m.Div(m.Add(x))), x, m2.Div(x))
}

// GeneralizedNormal draws from the density ∝ e^(-|x|^p): a Gamma variable of parameter 1/p to the power of 1/p, with either
// sign. p > 0 is one number.
//
//	key [], p []   →   [shape] float64, or the floating-point dtype that follows
func GeneralizedNormal(key *array.Array, shape []int, p any, dtype ...array.DType) *array.Array {
	const op = "random.GeneralizedNormal"
	return generalizedNormal(op, key, fit(op, shape), scalarParameter(op, p, floatOf(op, dtype)))
}

func generalizedNormal(op string, key *array.Array, shape array.Shape, p *array.Array) *array.Array {
	keys := pairOf(op, key)
	inverse := filled(p.DType(), nil, 1).Div(p)
	g := gamma(op, keys[0], inverse.BroadcastTo(shape...), false)
	return rademacher(op, keys[1], shape, p.DType()).Mul(g.Pow(inverse))
}

// Ball draws points inside the unit ball of the p-norm in n dimensions, uniformly (Barthe, Guédon, Mendelson and Naor,
// A probabilistic approach to the geometry of the ℓp-ball, arXiv:math/0503650).
//
//	key [], p []   →   [shape, n] float64, or the floating-point dtype that follows
func Ball(key *array.Array, shape []int, n int, p any, dtype ...array.DType) *array.Array {
	const op = "random.Ball"
	d := floatOf(op, dtype)
	if n < 0 {
		panic(array.Wrap(op, array.ArgumentErrorf("a ball of %d dimensions", n)))
	}
	s, power := fit(op, shape), scalarParameter(op, p, d)
	keys := pairOf(op, key)
	g := generalizedNormal(op, keys[0], append(s.Clone(), n), power)
	e := exponential(op, keys[1], s, d)
	norm := np.Sum(g.Abs().Pow(power), np.Axis(-1)).Add(e)
	return g.Div(norm.Pow(filled(d, nil, 1).Div(power)).ExpandDims(-1))
}

func scalarParameter(op string, v any, d array.DType) *array.Array {
	x := parameter(op, v, d)
	if x.Rank() != 0 {
		panic(array.Wrap(op, array.ShapeErrorf("p is one number, got %s", x.Aval())))
	}
	return x
}
