package cpu

import (
	"bufio"
	"context"
	"encoding/json"
	"math"
	"math/big"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/backend"
	"github.com/pantograph-go/pantograph/lower/hlo"
)

// lax names the operation behind each function of the reference that has a table of exact values.
var lax = map[string]string{
	"acos": "chlo.acos", "acosh": "chlo.acosh", "asin": "chlo.asin", "asinh": "chlo.asinh", "atan": "chlo.atan", "atanh": "chlo.atanh",
	"bessel_i1e": "chlo.bessel_i1e", "cosh": "chlo.cosh", "digamma": "chlo.digamma", "erf": "chlo.erf", "erf_inv": "chlo.erf_inv",
	"erfc": "chlo.erfc", "lgamma": "chlo.lgamma", "sinh": "chlo.sinh", "square": "chlo.square",
	"abs": "stablehlo.abs", "cbrt": "stablehlo.cbrt", "ceil": "stablehlo.ceil", "cos": "stablehlo.cosine", "exp": "stablehlo.exponential",
	"expm1": "stablehlo.exponential_minus_one", "floor": "stablehlo.floor", "log": "stablehlo.log", "log1p": "stablehlo.log_plus_one",
	"logistic": "stablehlo.logistic", "neg": "stablehlo.negate", "rsqrt": "stablehlo.rsqrt", "sign": "stablehlo.sign",
	"sin": "stablehlo.sine", "sqrt": "stablehlo.sqrt", "tan": "stablehlo.tan", "tanh": "stablehlo.tanh",
}

// ulpLimit is the error allowed, in units in the last place of the type: that of the rounding for types that are computed
// through a wider one, 2 for float64, more where a comment says why.
func ulpLimit(fn string, d array.DType) float64 {
	if d != array.Float64 {
		return 0.501
	}
	switch fn {
	case "abs", "ceil", "floor", "neg", "sign", "sqrt", "square":
		return 0.5
	}
	return 2
}

// jsonFloat is a float as the goldens spell it: a number or "nan", "inf", "-inf".
type jsonFloat float64

func (f *jsonFloat) UnmarshalJSON(b []byte) error {
	v, err := strconv.ParseFloat(strings.Trim(string(b), `"`), 64)
	*f = jsonFloat(v)
	return err
}

func TestFunctionsAgainstExactValues(t *testing.T) {
	file, err := os.Open("../../../shared/goldens/lax.jsonl")
	if err != nil {
		t.Skip("the goldens are not beside the module: ", err)
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<26)
	tables := 0
	for lines.Scan() {
		if !strings.Contains(lines.Text(), `"exact"`) {
			continue
		}
		var c struct {
			ID, Fn string
			Args   []struct {
				DType string
				Data  []jsonFloat
			}
			Exact struct{ Data, Lo []jsonFloat }
		}
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			t.Fatal(err)
		}
		fn := strings.TrimPrefix(c.Fn, "lax.")
		op, ok := lax[fn]
		if !ok || len(c.Args) != 1 {
			continue
		}
		tables++
		d, err := array.ParseDType(c.Args[0].DType)
		if err != nil {
			t.Fatal(err)
		}
		in := array.NewBuffer(d, array.Shape{len(c.Args[0].Data)})
		for i, v := range c.Args[0].Data {
			in.SetFloat(i, float64(v))
		}
		got := applyUnary(t, op, in)
		for i := range in.Len() {
			lo := 0.0
			if c.Exact.Lo != nil {
				lo = float64(c.Exact.Lo[i])
			}
			if e := ulpError(got.Float(i), float64(c.Exact.Data[i]), lo, d); e > ulpLimit(fn, d) {
				t.Errorf("%s: %s(%v) = %v, exact %v: %.3g ulp", c.ID, fn, in.Float(i), got.Float(i), float64(c.Exact.Data[i]), e)
			}
		}
	}
	if tables < 100 {
		t.Errorf("only %d tables were found", tables)
	}
}

// applyUnary runs a one-operation program.
func applyUnary(t *testing.T, op string, in *array.Buffer) *array.Buffer {
	t.Helper()
	m := &hlo.Module{}
	b := hlo.NewBuilder(m, "cpu")
	typ := hlo.TensorOf(in.Aval())
	if _, err := b.Func("main", false, []hlo.Type{typ}, func(args []*hlo.Value) ([]*hlo.Value, error) {
		return b.Op(op, in.Aval(), args), nil
	}); err != nil {
		t.Fatal(err)
	}
	exe, err := New().Compile(context.Background(), m, backend.Options{})
	if err != nil {
		t.Fatal(err)
	}
	out, err := exe.Execute(context.Background(), []array.Data{in})
	if err != nil {
		t.Fatal(err)
	}
	h, err := out[0].Host()
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// ulpError is the distance of got from hi + lo in units in the last place of d at hi.
func ulpError(got, hi, lo float64, d array.DType) float64 {
	want := array.RoundTo(d, hi)
	switch {
	case got == want || got != got && want != want:
		if d != array.Float64 || got != got {
			return 0
		}
	case got-got != 0 || want-want != 0:
		return math.Inf(1)
	}
	if got-got != 0 {
		return 0
	}
	precision, minExp := map[array.DType]int{array.Float64: 53, array.Float32: 24, array.Float16: 11, array.BFloat16: 8}[d],
		map[array.DType]int{array.Float64: -1074, array.Float32: -149, array.Float16: -24, array.BFloat16: -133}[d]
	_, e := math.Frexp(hi)
	ulp := math.Ldexp(1, max(e-precision, minExp))
	diff := new(big.Float).SetPrec(200).SetFloat64(got)
	diff.Sub(diff, new(big.Float).SetFloat64(hi))
	if lo == lo && lo-lo == 0 {
		diff.Sub(diff, new(big.Float).SetFloat64(lo))
	}
	diff.Quo(diff, new(big.Float).SetFloat64(ulp))
	v, _ := diff.Float64()
	return math.Abs(v)
}
