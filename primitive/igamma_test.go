package primitive_test

import (
	"math"
	"testing"

	"github.com/pantograph-go/pantograph/array"
	. "github.com/pantograph-go/pantograph/primitive"
)

func float64s(v ...float64) *array.Array {
	x, err := array.FromValue(v)
	if err != nil {
		panic(err)
	}
	return x
}

// Values with closed forms: P(1, x) = 1 - e^-x, P(½, x) = erf √x, I(x; 1, b) = 1 - (1-x)^b; and the edges of the domains.
func TestIncompleteFunctions(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	for _, c := range []struct {
		what      string
		got, want *array.Array
	}{
		{"P", Igamma(float64s(1, 1, 0.5, 0.5), float64s(0.3, 5, 0.2, 9)),
			float64s(-math.Expm1(-0.3), -math.Expm1(-5), math.Erf(math.Sqrt(0.2)), math.Erf(3))},
		{"Q", Igammac(float64s(1, 1, 1, 0.5), float64s(0.3, 5, 600, 400)),
			float64s(math.Exp(-0.3), math.Exp(-5), math.Exp(-600), math.Erfc(20))},
		{"edges of P", Igamma(float64s(2, 0, 2, inf, 0, -1, nan, 1), float64s(0, 3, inf, 3, 0, 1, 1, -1)),
			float64s(0, 1, 1, 0, nan, nan, nan, nan)},
		{"edges of Q", Igammac(float64s(2, 0, 2, inf, inf), float64s(0, 3, inf, 3, inf)), float64s(1, 0, 0, 1, nan)},
		{"I", Betainc(float64s(1, 1, 3, 2.5), float64s(4, 4, 1, 2.5), float64s(0.1, 0.9, 0.3, 0.5)),
			float64s(1-math.Pow(0.9, 4), 1-math.Pow(0.1, 4), 0.027, 0.5)},
		{"edges of I", Betainc(float64s(2, 2, 0, 0, 2, inf, 0, -1), float64s(3, 3, 3, 3, inf, 3, 0, 1), float64s(0, 1, 0.5, 0, 0.5, 0.5, 0.5, 0.5)),
			float64s(0, 1, 1, 0, 1, 0, nan, nan)},
		{"dx/da", RandomGammaGrad(float64s(1, -1), float64s(0, 2)), float64s(0, nan)},
	} {
		got, want := c.got.Float64s(), c.want.Float64s()
		for i, v := range want {
			if math.IsNaN(v) != math.IsNaN(got[i]) || math.Abs(got[i]-v) > 1e-13*math.Abs(v) {
				t.Errorf("%s: element %d is %v, want %v", c.what, i, got[i], v)
			}
		}
	}
}
