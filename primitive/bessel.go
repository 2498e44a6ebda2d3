package primitive

import (
	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/lower/hlo"
)

// BesselI0eP is the modified Bessel function of order 0, scaled: exp(-|x|) I0(x).
//
//	x [...] real float   →   [...] same dtype
//
// JVP: (i1e(x) - sign(x) i0e(x)) dx.
type BesselI0eP struct{ realUnary }

// Name implements Primitive.
func (BesselI0eP) Name() string { return "bessel_i0e" }

// JVP implements vjp.Differentiable.
func (BesselI0eP) JVP(x, dx []*array.Array) (y, dy []*array.Array, err error) {
	r := BesselI0e(x[0])
	return single(r, Mul(dx[0], Sub(BesselI1e(x[0]), Mul(Sign(x[0]), r))))
}

// Lower implements Lowerable by the Chebyshev series of Cephes (Moshier, 1989, i0.c and i0f.c): one of x/2 - 2 up to 8, one of
// 32/x - 2 divided by √x beyond.
func (BesselI0eP) Lower(b *hlo.Builder, in []*hlo.Value, out []array.Aval) ([]*hlo.Value, error) {
	return inFloat64(b, in, out[0], func(in []*array.Array) *array.Array {
		x := Abs(in[0])
		near, far := besselI0Near, besselI0Far
		if out[0].DType != array.Float64 { // the terms before are below its precision
			near, far = near[12:], far[18:]
		}
		two := like(x, 2)
		below := chebyshev(near, Sub(Mul(like(x, 0.5), x), two))
		above := Div(chebyshev(far, Sub(Div(like(x, 32), x), two)), Sqrt(x))
		return Select(Le(x, like(x, 8)), below, above)
	})
}

// BesselI0e returns exp(-|x|) I0(x). See BesselI0eP.
func BesselI0e(x *array.Array) *array.Array { return Bind(BesselI0eP{}, x) }

// chebyshev sums a series of Chebyshev polynomials of x/2, the coefficient of the highest first, by Clenshaw's recurrence.
func chebyshev(coefficients []float64, x *array.Array) *array.Array {
	b0, b1, b2 := fullLike(x, 0), fullLike(x, 0), fullLike(x, 0)
	for _, c := range coefficients {
		b0, b1, b2 = Add(Sub(Mul(x, b0), b1), like(x, c)), b0, b1
	}
	return Mul(like(x, 0.5), Sub(b0, b2))
}

// besselI0Near are the coefficients of exp(-x) I0(x) on [0, 8] in x/2 - 2.
var besselI0Near = []float64{
	-4.41534164647933937950e-18, 3.33079451882223809783e-17, -2.43127984654795469359e-16, 1.71539128555513303061e-15,
	-1.16853328779934516808e-14, 7.67618549860493561688e-14, -4.85644678311192946090e-13, 2.95505266312963983461e-12,
	-1.72682629144155570723e-11, 9.67580903537323691224e-11, -5.18979560163526290666e-10, 2.65982372468238665035e-9,
	-1.30002500998624804212e-8, 6.04699502254191894932e-8, -2.67079385394061173391e-7, 1.11738753912010371815e-6,
	-4.41673835845875056359e-6, 1.64484480707288970893e-5, -5.75419501008210370398e-5, 1.88502885095841655729e-4,
	-5.76375574538582365885e-4, 1.63947561694133579842e-3, -4.32430999505057594430e-3, 1.05464603945949983183e-2,
	-2.37374148058994688156e-2, 4.93052842396707084878e-2, -9.49010970480476444210e-2, 1.71620901522208775349e-1,
	-3.04682672343198398683e-1, 6.76795274409476084995e-1,
}

// besselI0Far are the coefficients of exp(-x) √x I0(x) on [8, ∞) in 32/x - 2.
var besselI0Far = []float64{
	-7.23318048787475395456e-18, -4.83050448594418207126e-18, 4.46562142029675999901e-17, 3.46122286769746109310e-17,
	-2.82762398051658348494e-16, -3.42548561967721913462e-16, 1.77256013305652638360e-15, 3.81168066935262242075e-15,
	-9.55484669882830764870e-15, -4.15056934728722208663e-14, 1.54008621752140982691e-14, 3.85277838274214270114e-13,
	7.18012445138366623367e-13, -1.79417853150680611778e-12, -1.32158118404477131188e-11, -3.14991652796324136454e-11,
	1.18891471078464383424e-11, 4.94060238822496958910e-10, 3.39623202570838634515e-9, 2.26666899049817806459e-8,
	2.04891858946906374183e-7, 2.89137052083475648297e-6, 6.88975834691682398426e-5, 3.36911647825569408990e-3,
	8.04490411014108831608e-1,
}

// BesselI1eP is the modified Bessel function of order 1, scaled: exp(-|x|) I1(x).
//
//	x [...] real float   →   [...] same dtype
//
// JVP: (i0e(x) - i1e(x) (sign(x) + 1/x)) dx, and dx/2 at 0.
type BesselI1eP struct{ realUnary }

// Name implements Primitive.
func (BesselI1eP) Name() string { return "bessel_i1e" }

// JVP implements vjp.Differentiable.
func (BesselI1eP) JVP(x, dx []*array.Array) (y, dy []*array.Array, err error) {
	r := BesselI1e(x[0])
	eps := epsilonOf(x[0].DType())
	away := Gt(Abs(x[0]), like(x[0], eps))
	safe := Select(away, x[0], fullLike(x[0], eps)) // keeps the quotient finite where it is not taken
	slope := Sub(BesselI0e(safe), Mul(r, Add(Sign(safe), Div(like(safe, 1), safe))))
	return single(r, Mul(dx[0], Select(away, slope, fullLike(x[0], 0.5))))
}

// Lower implements Lowerable.
func (BesselI1eP) Lower(b *hlo.Builder, in []*hlo.Value, out []array.Aval) ([]*hlo.Value, error) {
	return b.Op("chlo.bessel_i1e", out[0], in), nil
}

// BesselI1e returns exp(-|x|) I1(x). See BesselI1eP.
func BesselI1e(x *array.Array) *array.Array { return Bind(BesselI1eP{}, x) }

// epsilonOf is the distance from 1 to the next number of a type of floats.
func epsilonOf(d array.DType) float64 {
	for e := 1.0; ; e /= 2 {
		if array.RoundTo(d, 1+e/2) == 1 {
			return e
		}
	}
}
