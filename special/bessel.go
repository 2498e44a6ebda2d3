package special

import (
	"github.com/pantograph-go/pantograph/np"
	"github.com/pantograph-go/pantograph/primitive"
)

// I0e is e^-|x| I₀(x), I₀ the modified Bessel function of order 0.
func I0e(x any) arr { return unary("i0e", primitive.BesselI0e, x) }

// I0 is the modified Bessel function of order 0, Σ (x²/4)^k / k!².
func I0(x any) arr { return np.I0(x) }

// I1e is e^-|x| I₁(x), I₁ the modified Bessel function of order 1.
func I1e(x any) arr { return unary("i1e", primitive.BesselI1e, x) }

// I1 is the modified Bessel function of order 1, x/2 Σ (x²/4)^k / (k! (k+1)!).
func I1(x any) arr {
	v := operands("i1", x)[0]
	return primitive.Exp(v.Abs()).Mul(primitive.BesselI1e(v))
}
