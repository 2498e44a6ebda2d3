package np_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/np"
	"github.com/pantograph-go/pantograph/trace"
)

// sample is an array of a type as the promotion tables name it: a star marks a Go number.
func sample(t *testing.T, name string) *np.Array {
	t.Helper()
	switch name {
	case "int*":
		return np.Of(1)
	case "float*":
		return np.Of(1.0)
	case "complex*":
		return np.Of(complex(1, 0))
	}
	d, err := array.ParseDType(name)
	if err != nil {
		t.Fatal(err)
	}
	return np.Ones([]int{2}, d)
}

// TestResultTypes compares the result types of functions with the reference's, 64-bit types on.
func TestResultTypes(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("..", "..", "shared", "goldens", "promotion.json"))
	if err != nil {
		t.Skipf("shared data is not here: %v", err)
	}
	var golden struct {
		Types map[string]map[string]map[string]json.RawMessage `json:"op_result_types"`
	}
	if err := json.Unmarshal(data, &golden); err != nil {
		t.Fatal(err)
	}
	one := func(f func(any, ...np.Option) *np.Array) func(any) *np.Array {
		return func(x any) *np.Array { return f(x) }
	}
	unary := map[string]func(any) *np.Array{"sin": np.Sin, "sum": one(np.Sum), "mean": one(np.Mean), "prod": one(np.Prod), "cumsum": one(np.Cumsum),
		"abs": np.Abs, "sign": np.Sign, "sqrt": np.Sqrt, "floor": np.Floor, "var": one(np.Var), "argmax": one(np.Argmax), "max": one(np.Max),
		"square": np.Square, "negative": np.Negative, "real": np.Real, "angle": np.Angle, "isnan": np.IsNaN, "invert": np.Invert,
		"nansum": one(np.NaNSum), "std": one(np.Std)}
	binary := map[string]func(x, y any) *np.Array{"true_divide": np.TrueDivide, "floor_divide": np.FloorDivide, "power": np.Power, "arctan2": np.Arctan2,
		"logaddexp": np.Logaddexp, "float_power": np.FloatPower, "bitwise_and": np.BitwiseAnd, "left_shift": np.LeftShift, "maximum": np.Maximum,
		"subtract": np.Subtract, "equal": np.Equal, "hypot": np.Hypot, "copysign": np.Copysign, "remainder": np.Remainder,
		"heaviside": np.Heaviside, "nextafter": np.Nextafter, "gcd": np.Gcd}
	check := func(name string, want json.RawMessage, f func() *np.Array) {
		t.Helper()
		var text *string
		if err := json.Unmarshal(want, &text); err != nil {
			t.Fatal(err)
		}
		var got *np.Array
		err := trace.Try(func() { got = f() })
		switch {
		case text == nil || *text == "error":
			if err == nil {
				t.Errorf("%s: got %s, want an error", name, got.DType())
			}
		case err != nil:
			t.Errorf("%s: %v, want %s", name, err, *text)
		case strings.TrimSuffix(*text, "*") != got.DType().String():
			t.Errorf("%s: got %s, want %s", name, got.DType(), *text)
		}
	}
	for fn, rows := range golden.Types["x64"] {
		for a, want := range rows {
			if f, ok := unary[fn]; ok {
				check(fn+" of "+a, want, func() *np.Array { return f(sample(t, a)) })
				continue
			}
			f, ok := binary[fn]
			if !ok {
				continue // softmax and relu belong to nn
			}
			var cells map[string]json.RawMessage
			if err := json.Unmarshal(want, &cells); err != nil {
				t.Fatal(err)
			}
			for b, want := range cells {
				check(fn+" of "+a+" and "+b, want, func() *np.Array { return f(sample(t, a), sample(t, b)) })
			}
		}
	}
}
