package special_test

import (
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/jit"
	"github.com/pantograph-go/pantograph/np"
	"github.com/pantograph-go/pantograph/special"
	"github.com/pantograph-go/pantograph/trace"
	"github.com/pantograph-go/pantograph/vjp"
	"github.com/pantograph-go/pantograph/vmap"
)

type arr = *array.Array

func ExampleNdtr() {
	fmt.Println(special.Ndtr([]float64{0, math.Inf(1)}))
	// Output: [0.5 1. ]
}

// Values of the functions, to the digits of the NIST Digital Library and of the closed forms that they have.
func TestValues(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	fresnel := func(x any) (arr, arr) { return special.Fresnel(x) }
	for _, c := range []struct {
		name      string
		got       arr
		want, tol float64
	}{
		{"E1(1)", special.Exp1(1.0), 0.21938393439552027368, 1e-14},
		{"E1(30)", special.Exp1(30.0), 3.0215520106888125449e-15, 1e-13},
		{"E1(∞)", special.Exp1(inf), 0, 0},
		{"E0(2)", special.Expn(0, 2.0), math.Exp(-2) / 2, 1e-14},
		{"E3(0)", special.Expn(3, 0.0), 0.5, 1e-15},
		{"E1(-1)", special.Exp1(-1.0), nan, 0},
		{"Ei(1)", special.Expi(1.0), 1.8951178163559367555, 1e-14},
		{"Ei(-1)", special.Expi(-1.0), -0.21938393439552027368, 1e-14},
		{"Ei(50)", special.Expi(50.0), 1.0585636897131690963e20, 1e-13},
		{"Ei(0)", special.Expi(0.0), -inf, 0},
		{"spence(0)", special.Spence(0.0), math.Pi * math.Pi / 6, 1e-15},
		{"spence(2)", special.Spence(2.0), -math.Pi * math.Pi / 12, 1e-15},
		{"spence(½)", special.Spence(0.5), math.Pi*math.Pi/12 - math.Ln2*math.Ln2/2, 1e-15},
		{"dawsn(1)", special.Dawsn(1.0), 0.53807950691276841914, 1e-15},
		{"dawsn(7)", special.Dawsn(7.0), 0.072180974658236295, 1e-14},
		{"erfcx(5)", special.Erfcx(5.0), 0.11070463773306862637, 1e-14},
		{"erfcx(100)", special.Erfcx(100.0), 0.0056416137829894329, 1e-14},
		{"logΦ(-30)", special.LogNdtr(-30.0), -454.32124395634319, 1e-14},
		{"Φ⁻¹(Φ(1))", special.Ndtri(special.Ndtr(1.0)), 1, 1e-14},
		{"Φ⁻¹(1e-100)", special.Ndtri(1e-100), -21.273453560965324295, 1e-14},
		{"Φ⁻¹(0)", special.Ndtri(0.0), -inf, 0},
		{"Γ(-1.5)", special.Gamma(-1.5), 4 * math.SqrtPi / 3, 1e-14},
		{"₁F₁(1;2;3)", special.Hyp1F1(1.0, 2.0, 3.0), math.Expm1(3) / 3, 1e-14},
		{"₁F₁(1;2;150)", special.Hyp1F1(1.0, 2.0, 150.0), math.Expm1(150) / 150, 1e-12},
		{"₁F₁(1;2;-150)", special.Hyp1F1(1.0, 2.0, -150.0), 1.0 / 150, 1e-12},
		{"C(5,2)", special.Comb(5, 2, false), 10, 1e-6},
		{"B₆", special.Bernoulli(6).At(6).Get(), 1.0 / 42, 0},
	} {
		if got := c.got.Float64s()[0]; math.IsNaN(got) != math.IsNaN(c.want) || !(got == c.want) && math.Abs(got-c.want) > c.tol*math.Abs(c.want) {
			t.Errorf("%s = %.17g, want %.17g", c.name, got, c.want)
		}
	}
	for _, c := range []struct {
		name   string
		f      func(x any) (arr, arr)
		x      float64
		s1, s2 float64
	}{
		{"SiCi", special.SiCi, 1, 0.94608307036718301494, 0.33740392290096813466},
		{"SiCi", special.SiCi, 10, 1.6583475942188740493, -0.045456433004455372635},
		{"SiCi", special.SiCi, inf, math.Pi / 2, 0},
		{"Fresnel", fresnel, 1, 0.43825914739035476608, 0.77989340037682282947},
		{"Fresnel", fresnel, -5, -0.49919138191711687, -0.56363118870401223},
		{"Fresnel", fresnel, inf, 0.5, 0.5},
	} {
		a, b := c.f(c.x)
		if math.Abs(a.Float64s()[0]-c.s1) > 1e-14 || math.Abs(b.Float64s()[0]-c.s2) > 1e-14 {
			t.Errorf("%s(%v) = %v, %v, want %v, %v", c.name, c.x, a.Float64s(), b.Float64s(), c.s1, c.s2)
		}
	}
}

// Each derivative against differences, the second too, inside jit and vmap.
func TestDerivatives(t *testing.T) {
	x := np.Asarray([]float64{0.2, 0.7, 1.3, 3.7})
	for name, f := range map[string]func(x any) arr{
		"dawsn": special.Dawsn, "erfcx": special.Erfcx, "expi": special.Expi, "exp1": special.Exp1, "spence": special.Spence, "entr": special.Entr,
		"log_ndtr": special.LogNdtr, "i0": special.I0, "i1": special.I1, "gamma": special.Gamma, "expit": special.Expit,
		"ndtri":   func(x any) arr { return special.Ndtri(x.(arr).Div(5.0)) },
		"logit":   func(x any) arr { return special.Logit(x.(arr).Div(5.0)) },
		"poch":    func(x any) arr { return special.Poch(x, x.(arr).Add(0.5)) },
		"xlogy":   func(x any) arr { return special.XLogY(x, x.(arr).Add(0.5)) },
		"hyp1f1":  func(x any) arr { return special.Hyp1F1(x, x.(arr).Add(1.5), x) },
		"si":      func(x any) arr { s, c := special.SiCi(x); return s.Add(c) },
		"fresnel": func(x any) arr { s, c := special.Fresnel(x); return s.Add(c.Mul(2.0)) },
	} {
		g := func(x arr) arr { return f(x).Sum() }
		if err := vjp.CheckGrads(g, []any{x}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		whole := vjp.Grad(g).Call(x)
		each := jit.Of(vmap.Of(vjp.Grad(func(x arr) arr { return f(x) }))).Call(x)
		if !np.AllClose(whole, each, np.Tolerance(1e-12, 1e-12)).Bool() {
			t.Errorf("%s: mapped, the derivative is %v, at once %v", name, each, whole)
		}
	}
}

func TestRefused(t *testing.T) {
	for name, f := range map[string]func(){
		"a complex number":  func() { special.Gamma(complex(1, 1)) },
		"a float order":     func() { special.Polygamma(1.0, 2.0) },
		"a bad dimension":   func() { special.MultiGammaLn(1.0, 0) },
		"shapes apart":      func() { special.XLogY([]float64{1, 2}, []float64{1, 2, 3}) },
		"a negative number": func() { special.Bernoulli(-1) },
	} {
		var e *array.Error
		if err := trace.Try(f); !errors.As(err, &e) {
			t.Errorf("%s is not refused: %v", name, err)
		}
	}
}
