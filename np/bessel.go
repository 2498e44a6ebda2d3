package np

import (
	"github.com/pantograph-go/pantograph/primitive"
	"github.com/pantograph-go/pantograph/vjp"
)

// I0 is the modified Bessel function of order 0, Σ (x²/4)^k / k!². Its derivative is the one of order 1.
func I0(x any) *Array {
	a := inexact("i0", x)[0]
	realOnly("i0", a)
	return besselI0.Call(a)
}

// besselI0 has a rule because the derivative of the product would be ∞ - ∞ where the function overflows.
var besselI0 = vjp.CustomJVP(grownI0, func(x, dx *Array) (*Array, *Array) {
	return grownI0(x), dx.Mul(grown(x, primitive.BesselI1e))
})

func grownI0(x *Array) *Array { return grown(x, primitive.BesselI0e) }

// grown is f of x times e^|x|.
func grown(x *Array, f func(*Array) *Array) *Array {
	return primitive.Exp(primitive.Abs(x)).Mul(f(x))
}
