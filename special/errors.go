package special

import (
	"math"

	"github.com/pantograph-go/pantograph/flow"
	"github.com/pantograph-go/pantograph/np"
	"github.com/pantograph-go/pantograph/primitive"
)

// Erf is the error function 2/√π ∫ e^-t² dt from 0 to x.
func Erf(x any) arr { return unary("erf", primitive.Erf, x) }

// Erfc is 1 - erf(x), exact also where erf is near 1.
func Erfc(x any) arr { return unary("erfc", primitive.Erfc, x) }

// ErfInv is the inverse of Erf.
func ErfInv(x any) arr { return unary("erfinv", primitive.ErfInv, x) }

// farOut is where the expansions at infinity are exact: their smallest term is e^-x².
const farOut = 6.5

// Erfcx is e^x² erfc(x), which does not underflow for large x. Its derivative is 2x y - 2/√π.
func Erfcx(x any) arr { return erfcx.Call(operands("erfcx", x)[0]) }

var erfcx = withSlope(
	func(x arr) arr { return wide(scaledErfc, x) },
	func(x, y arr) arr { return x.Mul(y).Mul(2).Sub(2 / math.SqrtPi) },
)

func scaledErfc(in []arr) arr {
	x := in[0]
	far := x.Greater(farOut)
	a, b := within(far.Not(), x, 0), within(far, x, farOut)
	// e^x² from the square in two parts: its rounding error would be multiplied by x².
	head := primitive.ReducePrecision(a, 11, 25)
	rest := a.Sub(head).Mul(a.Add(head))
	near := primitive.Exp(head.Mul(head)).Mul(primitive.Exp(rest)).Mul(primitive.Erfc(a))
	return np.Where(far, inverseSeries(b, -1).Div(b.Mul(math.SqrtPi)), near)
}

// inverseSeries is Σ (2k-1)!! (sign/(2x²))^k (DLMF 7.12.1), for |x| of at least farOut.
func inverseSeries(x arr, sign float64) arr {
	t := like(x, sign/2).Div(x).Div(x)
	sum := like(x, 1)
	for k := 30; k >= 1; k-- {
		sum = sum.Mul(t).Mul(2*k - 1).Add(1)
	}
	return sum
}

// Dawsn is Dawson's integral e^-x² ∫ e^t² dt from 0 to x. Its derivative is 1 - 2x y.
func Dawsn(x any) arr { return dawsn.Call(operands("dawsn", x)[0]) }

var dawsn = withSlope(
	func(x arr) arr { return wide(dawson, x) },
	func(x, y arr) arr { return x.Mul(y).Mul(-2).Add(1) },
)

// dawson is e^-x² Σ x^(2k+1) / (k! (2k+1)), whose terms have one sign (DLMF 7.6.4), and beyond farOut the expansion at
// infinity.
func dawson(in []arr) arr {
	x := in[0]
	far := x.Abs().Greater(farOut)
	a, b := within(far.Not(), x, 0), within(far, x, farOut)
	z := a.Mul(a)
	s := sumTerms(160, a, func(k, term arr) (arr, arr) {
		term = term.Mul(z).Div(k)
		return term, term.Div(k.Mul(2).Add(1))
	})
	return np.Where(far, inverseSeries(b, 1).Div(b.Mul(2)), s.Mul(primitive.Exp(z.Neg())))
}

// sumTerms adds to first what next makes of the terms 1 … n-1, each of the one before: what it carries and what it adds.
func sumTerms(n int, first arr, next func(k, term arr) (carried, added arr)) arr {
	type state struct{ Term, Sum arr }
	out := flow.Fori(1, n, func(k arr, s state) state {
		term, added := next(k.AsType(first.DType()), s.Term)
		return state{term, s.Sum.Add(added)}
	}, state{first, first}).(state)
	return out.Sum
}
