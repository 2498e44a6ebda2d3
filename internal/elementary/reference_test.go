package elementary

import (
	"encoding/json"
	"math"
	"math/cmplx"
	"os"
	"testing"
)

// testdata/reference.json holds values computed with mpmath in 400 bits: of real functions as pairs hi + lo, of complex ones
// rounded.

var unary = map[string]func(float64) float64{
	"Exp": Exp, "Log": Log, "Sin": Sin, "Cos": Cos, "Tan": Tan, "Sinh": Sinh, "Cosh": Cosh, "Acos": Acos, "Erfc": Erfc,
	"ErfInv": ErfInv, "Lgamma": Lgamma, "Digamma": Digamma, "BesselI1e": BesselI1e, "Logistic": Logistic, "Rsqrt": Rsqrt,
}

var binary = map[string]func(x, y float64) float64{"Pow": Pow, "Zeta": Zeta, "Polygamma": Polygamma, "Hypot": Hypot}

var complexFunctions = map[string]func(complex128) complex128{
	"ComplexExp": ComplexExp, "ComplexLog": ComplexLog, "ComplexLog1p": ComplexLog1p, "ComplexSqrt": ComplexSqrt,
	"ComplexSin": ComplexSin, "ComplexCos": ComplexCos, "ComplexTan": ComplexTan, "ComplexSinh": ComplexSinh,
	"ComplexCosh": ComplexCosh, "ComplexTanh": ComplexTanh, "ComplexAsin": ComplexAsin, "ComplexAcos": ComplexAcos,
	"ComplexAsinh": ComplexAsinh, "ComplexAcosh": ComplexAcosh, "ComplexAtan": ComplexAtan, "ComplexAtanh": ComplexAtanh,
	"ComplexExpm1": ComplexExpm1,
}

func TestReference(t *testing.T) {
	text, err := os.ReadFile("testdata/reference.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases []struct {
		Fn        string
		X, Y      []float64
		Want      [][2]float64
		Z, Values [][2]float64
	}
	if err := json.Unmarshal(text, &cases); err != nil {
		t.Fatal(err)
	}
	if len(cases) != len(unary)+len(binary)+len(complexFunctions) {
		t.Errorf("%d functions in the table, %d in the test", len(cases), len(unary)+len(binary)+len(complexFunctions))
	}
	for _, c := range cases {
		t.Run(c.Fn, func(t *testing.T) {
			for i, w := range c.Want {
				var got float64
				if f := unary[c.Fn]; f != nil {
					got = f(c.X[i])
				} else {
					got = binary[c.Fn](c.X[i], c.Y[i])
				}
				if u := ulps(got, w[0], w[1]); u > 2 {
					t.Errorf("argument %d (%v): got %v, want %v: %.3g ulp", i, c.X[i], got, w[0], u)
				}
			}
			for i, z := range c.Z {
				got, want := complexFunctions[c.Fn](complex(z[0], z[1])), complex(c.Values[i][0], c.Values[i][1])
				if u := max(ulps(real(got), real(want), 0), ulps(imag(got), imag(want), 0)); u > 5 {
					t.Errorf("%v: got %v, want %v: %.3g ulp", z, got, want, u)
				}
			}
		})
	}
}

// ulps is the distance of x from hi + lo in units in the last place of hi.
func ulps(x, hi, lo float64) float64 {
	_, e := math.Frexp(hi)
	return math.Abs((x-hi)-lo) / math.Ldexp(1, max(e-53, -1074))
}

func TestSpecialValues(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	negz := math.Copysign(0, -1)
	for _, c := range []struct {
		name      string
		got, want float64
	}{
		{"Pow(0, 0)", Pow(0, 0), 1}, {"Pow(-2, 3)", Pow(-2, 3), -8}, {"Pow(-2, 0.5)", Pow(-2, 0.5), nan},
		{"Pow(-0, -3)", Pow(negz, -3), -inf}, {"Pow(2, -1074)", Pow(2, -1074), 5e-324}, {"Pow(2, 1024)", Pow(2, 1024), inf},
		{"Pow(5e-324, 0.5)", Pow(0x1p-1074, 0.5), 0x1p-537},
		{"PowFloat(-2, 3)", float64(float32(PowFloat(-2, 3))), -8}, {"PowFloat(-2, 2.5)", PowFloat(-2, 2.5), nan},
		{"Sign(-0)", Sign(negz), negz}, {"Sign(NaN)", Sign(nan), nan}, {"Rsqrt(0)", Rsqrt(0), inf},
		{"Logistic(-800)", Logistic(-800), 0}, {"Logistic(800)", Logistic(800), 1},
		{"Exp(710)", Exp(710), inf}, {"Exp(-745)", Exp(-745), 5e-324}, {"Exp(-inf)", Exp(-inf), 0},
		{"Log(5e-324)", Log(5e-324), -744.4400719213812}, {"Log(-1)", Log(-1), nan},
		{"Atan2(-5e-324, -max)", Atan2(-5e-324, -math.MaxFloat64), -math.Pi},
		{"Atan2(0, -1)", Atan2(0, -1), math.Pi}, {"Atan2(-0, -1)", Atan2(negz, -1), -math.Pi},
		{"Digamma(0)", Digamma(0), -inf}, {"Digamma(-0)", Digamma(negz), inf}, {"Digamma(-1)", Digamma(-1), nan}, {"Digamma(inf)", Digamma(inf), inf},
		{"Lgamma(-inf)", Lgamma(-inf), inf}, {"Lgamma(0)", Lgamma(0), inf}, {"Lgamma(-3)", Lgamma(-3), inf}, {"Lgamma(1)", Lgamma(1), 0},
		{"ErfInv(1)", ErfInv(1), inf}, {"ErfInv(2)", ErfInv(2), nan}, {"ErfInv(-0)", ErfInv(negz), negz},
		{"BesselI1e(inf)", BesselI1e(inf), 0}, {"BesselI1e(-0)", BesselI1e(negz), negz},
		{"Zeta(1, 2)", Zeta(1, 2), inf}, {"Zeta(0.5, 2)", Zeta(0.5, 2), nan}, {"Zeta(2, -1)", Zeta(2, -1), inf},
		{"Polygamma(0.5, 1)", Polygamma(0.5, 1), nan}, {"Hypot(inf, NaN)", Hypot(inf, nan), inf}, {"Sin(inf)", Sin(inf), nan},
	} {
		if c.got != c.want && (c.got == c.got || c.want == c.want) || math.Signbit(c.got) != math.Signbit(c.want) && c.want == 0 {
			t.Errorf("%s = %v, want %v", c.name, c.got, c.want)
		}
	}
}

// The branch cuts are continuous from the side that the sign of a zero tells.
func TestBranchCuts(t *testing.T) {
	negz := math.Copysign(0, -1)
	for _, c := range []struct {
		name      string
		got, want complex128
	}{
		{"log(-1+0i)", ComplexLog(complex(-1, 0)), complex(0, math.Pi)}, {"log(-1-0i)", ComplexLog(complex(-1, negz)), complex(0, -math.Pi)},
		{"sqrt(-4+0i)", ComplexSqrt(complex(-4, 0)), 2i}, {"sqrt(-4-0i)", ComplexSqrt(complex(-4, negz)), -2i},
		{"acos(2+0i)", ComplexAcos(complex(2, 0)), complex(0, -math.Acosh(2))}, {"acos(2-0i)", ComplexAcos(complex(2, negz)), complex(0, math.Acosh(2))},
		{"atanh(2+0i)", ComplexAtanh(complex(2, 0)), complex(math.Log(3)/2, math.Pi/2)}, {"atanh(2-0i)", ComplexAtanh(complex(2, negz)), complex(math.Log(3)/2, -math.Pi/2)},
		{"sign(3+4i)", ComplexSign(3 + 4i), 0.6 + 0.8i}, {"square(1+i)", ComplexSquare(1 + 1i), 2i},
		{"pow(i, 2)", ComplexPow(1i, 2), -1}, {"pow(0, 0)", ComplexPow(0, 0), 1},
	} {
		if cmplx.Abs(c.got-c.want) > 2e-15 {
			t.Errorf("%s = %v, want %v", c.name, c.got, c.want)
		}
	}
}
