package np

import (
	"math"

	"github.com/pantograph-go/pantograph/primitive"
)

// Sin is the sine of x in radians.
func Sin(x any) *Array { return unary("sin", primitive.Sin, x) }

// Cos is the cosine of x in radians.
func Cos(x any) *Array { return unary("cos", primitive.Cos, x) }

// Tan is the tangent of x in radians.
func Tan(x any) *Array { return unary("tan", primitive.Tan, x) }

// Arcsin is the angle in [-π/2, π/2] whose sine is x, NaN beyond ±1.
func Arcsin(x any) *Array { return unary("arcsin", primitive.Asin, x) }

// Arccos is the angle in [0, π] whose cosine is x, NaN beyond ±1.
func Arccos(x any) *Array { return unary("arccos", primitive.Acos, x) }

// Arctan is the angle in [-π/2, π/2] whose tangent is x.
func Arctan(x any) *Array { return unary("arctan", primitive.Atan, x) }

// Arctan2 is the angle in [-π, π] of the point with ordinate y and abscissa x.
func Arctan2(y, x any) *Array { return arr("arctan2", y).Arctan2(x) }

// Sinh is the hyperbolic sine.
func Sinh(x any) *Array { return unary("sinh", primitive.Sinh, x) }

// Cosh is the hyperbolic cosine.
func Cosh(x any) *Array { return unary("cosh", primitive.Cosh, x) }

// Tanh is the hyperbolic tangent.
func Tanh(x any) *Array { return unary("tanh", primitive.Tanh, x) }

// Arcsinh is the inverse hyperbolic sine.
func Arcsinh(x any) *Array { return unary("arcsinh", primitive.Asinh, x) }

// Arccosh is the inverse hyperbolic cosine, NaN below 1; of complex numbers the value with a real part not below 0.
func Arccosh(x any) *Array {
	r := unary("arccosh", primitive.Acosh, x)
	if r.DType().IsComplex() {
		r = Where(r.Real().Less(0), r.Neg(), r)
	}
	return r
}

// Arctanh is the inverse hyperbolic tangent, NaN beyond ±1.
func Arctanh(x any) *Array { return unary("arctanh", primitive.Atanh, x) }

// Asin is Arcsin by the name of the array API standard; so are the next seven.
func Asin(x any) *Array { return Arcsin(x) }

// Acos is Arccos.
func Acos(x any) *Array { return Arccos(x) }

// Atan is Arctan.
func Atan(x any) *Array { return Arctan(x) }

// Atan2 is Arctan2.
func Atan2(y, x any) *Array { return Arctan2(y, x) }

// Asinh is Arcsinh.
func Asinh(x any) *Array { return Arcsinh(x) }

// Acosh is Arccosh.
func Acosh(x any) *Array { return Arccosh(x) }

// Atanh is Arctanh.
func Atanh(x any) *Array { return Arctanh(x) }

// Deg2rad converts degrees to radians.
func Deg2rad(x any) *Array { return inexact("deg2rad", x)[0].Mul(math.Pi / 180) }

// Radians is Deg2rad.
func Radians(x any) *Array { return Deg2rad(x) }

// Rad2deg converts radians to degrees.
func Rad2deg(x any) *Array { return inexact("rad2deg", x)[0].Mul(180 / math.Pi) }

// Degrees is Rad2deg.
func Degrees(x any) *Array { return Rad2deg(x) }

// Unwrap adds multiples of the period to the elements along an axis (the last, or Axis), so that no step is larger than
// half of it. The period is 2π.
func Unwrap(p any, opts ...Option) *Array { return UnwrapPeriod(p, 2*math.Pi, nil, opts...) }

// UnwrapPeriod is Unwrap with another period; only steps of at least discont are changed, of half a period where it is
// nil. It takes Axis.
func UnwrapPeriod(p, period, discont any, opts ...Option) *Array {
	xs := promote("unwrap", p, period)
	a, per := xs[0], xs[1]
	realOnly("unwrap", a)
	axis := gather("unwrap", opts, optAxis).axis("unwrap", a.Rank(), -1)
	if a.Shape()[axis] == 0 {
		return a
	}
	if discont == nil {
		discont = per.Div(2)
	}
	half := per.Div(2)
	if a.DType().IsInteger() {
		half = per.FloorDiv(2)
	}
	d := Diff(a, 1, Axis(axis))
	m := Mod(d.Add(half), per).Sub(half)
	m = Where(m.Equal(half.Neg()).And(d.Greater(0)), half, m)
	correction := Where(d.Abs().Less(discont), 0, m.Sub(d))
	first := sliceAxis(a, axis, 0, 1)
	rest := sliceAxis(a, axis, 1, End).Add(Cumsum(correction, Axis(axis)))
	return Concatenate([]*Array{first, rest}, Axis(axis))
}
