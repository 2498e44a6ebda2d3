package special

import (
	"math"

	"github.com/pantograph-go/pantograph/np"
	"github.com/pantograph-go/pantograph/primitive"
)

// Ndtr is the distribution function of the standard normal distribution, erfc(-x/√2)/2.
func Ndtr(x any) arr { return ndtr(operands("ndtr", x)[0]) }

func ndtr(x arr) arr {
	w := x.Mul(math.Sqrt2 / 2)
	z := w.Abs()
	tail := primitive.Erfc(z)
	y := np.Where(z.Less(math.Sqrt2/2), primitive.Erf(w).Add(1), np.Where(w.Greater(0), tail.Neg().Add(2), tail))
	return y.Mul(0.5)
}

// logSqrtTau is log √2π.
var logSqrtTau = math.Log(2*math.Pi) / 2

// LogNdtr is the logarithm of Ndtr, exact in both tails. Its derivative is the density over Ndtr.
func LogNdtr(x any) arr { return logNdtr.Call(operands("log_ndtr", x)[0]) }

var logNdtr = withSlope(
	func(x arr) arr { return wide(logNormal, x) },
	func(x, _ arr) arr { return wide(hazard, x) },
)

// hazard is the density over Ndtr, √(2/π) / erfcx(-x/√2): from the logarithm it would lose digits in the lower tail.
func hazard(in []arr) arr {
	x := in[0]
	low := x.Less(0)
	tail := like(x, math.Sqrt(2/math.Pi)).Div(Erfcx(within(low, x, -1).Mul(-math.Sqrt2 / 2)))
	rest := within(low.Not(), x, 0)
	return np.Where(low, tail, primitive.Exp(rest.Mul(rest).Mul(-0.5).Sub(logSqrtTau)).Div(ndtr(rest)))
}

func logNormal(in []arr) arr {
	x := in[0]
	low, high := x.Less(-1), x.Greater(1)
	tail := within(low, x, -1)
	far := primitive.Log(scaledErfc([]arr{tail.Mul(-math.Sqrt2 / 2)}).Mul(0.5)).Sub(tail.Mul(tail).Mul(0.5))
	near := primitive.Log(ndtr(within(low.Or(high).Not(), x, 0)))
	return np.Where(low, far, np.Where(high, primitive.Log1p(ndtr(within(high, x, 1).Neg()).Neg()), near))
}

// Ndtri is the inverse of Ndtr: ±∞ at 1 and 0, NaN outside. Its derivative is 1 over the
// density at the result, and 0 at 0 and 1.
func Ndtri(p any) arr { return ndtri.Call(operands("ndtri", p)[0]) }

var ndtri = withSlope(
	func(p arr) arr { return wide(normalQuantile, p) },
	func(p, x arr) arr {
		edge := p.Equal(0).Or(p.Equal(1)) // the infinities are constants
		x = within(edge.Not(), x, 0)
		return np.Where(edge, like(p, 0), primitive.Exp(x.Mul(x).Mul(0.5).Add(logSqrtTau)))
	},
)

// normalQuantile uses the rational approximations of Cephes (Moshier, 1989, ndtri.c): between e^-2 and 1-e^-2 one in p-½, in
// the tails in 1/√(-2 log p).
func normalQuantile(in []arr) arr {
	p := in[0]
	upper := p.Greater(-math.Expm1(-2))
	tail := np.Where(upper, p.Neg().Add(1), p)
	tail = within(tail.Greater(0), tail, 0.5)
	middle := tail.Greater(math.Exp(-2))

	w := tail.Sub(0.5)
	ww := w.Mul(w)
	central := w.Add(w.Mul(ww).Mul(polynomial(ww, middleP...)).Div(polynomial(ww, middleQ...))).Mul(-math.Sqrt(2 * math.Pi))
	z := primitive.Sqrt(primitive.Log(within(middle.Not(), tail, 0.1)).Mul(-2))
	v := like(z, 1).Div(z)
	ratio := np.Where(z.Less(8), polynomial(v, tailP...).Div(polynomial(v, tailQ...)), polynomial(v, farP...).Div(polynomial(v, farQ...)))
	outer := z.Sub(primitive.Log(z).Div(z)).Sub(ratio.Div(z))
	x := np.Where(middle, central, outer)
	x = np.Where(upper, x, x.Neg())
	x = np.Where(p.Equal(0), like(p, -inf), np.Where(p.Equal(1), like(p, inf), x))
	return np.Where(p.GreaterEqual(0).And(p.LessEqual(1)), x, like(p, nan))
}

var (
	middleP = []float64{-5.99633501014107895267e1, 9.80010754185999661536e1, -5.66762857469070293439e1, 1.39312609387279679503e1, -1.23916583867381258016e0}
	middleQ = []float64{1.0, 1.95448858338141759834e0, 4.67627912898881538453e0, 8.63602421390890590575e1, -2.25462687854119370527e2, 2.00260212380060660359e2, -8.20372256168333339912e1, 1.59056225126211695515e1, -1.18331621121330003142e0}
	tailP   = []float64{4.05544892305962419923e0, 3.15251094599893866154e1, 5.71628192246421288162e1, 4.40805073893200834700e1, 1.46849561928858024014e1, 2.18663306850790267539e0, -1.40256079171354495875e-1, -3.50424626827848203418e-2, -8.57456785154685413611e-4}
	tailQ   = []float64{1.0, 1.57799883256466749731e1, 4.53907635128879210584e1, 4.13172038254672030440e1, 1.50425385692907503408e1, 2.50464946208309415979e0, -1.42182922854787788574e-1, -3.80806407691578277194e-2, -9.33259480895457427372e-4}
	farP    = []float64{3.23774891776946035970e0, 6.91522889068984211695e0, 3.93881025292474443415e0, 1.33303460815807542389e0, 2.01485389549179081538e-1, 1.23716634817820021358e-2, 3.01581553508235416007e-4, 2.65806974686737550832e-6, 6.23974539184983293730e-9}
	farQ    = []float64{1.0, 6.02427039364742014255e0, 3.67983563856160859403e0, 1.37702099489081330271e0, 2.16236993594496635890e-1, 1.34204006088543189037e-2, 3.28014464682127739104e-4, 2.89247864745380683936e-6, 6.79019408009981274425e-9}
)
