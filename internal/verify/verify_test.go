package main

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/backend"
)

func floats(d array.DType, v ...float64) *array.Buffer {
	b := array.NewBuffer(d, array.Shape{len(v)})
	for i, x := range v {
		b.SetFloat(i, x)
	}
	return b
}

func TestComparisons(t *testing.T) {
	inf, nan, negz := math.Inf(1), math.NaN(), math.Copysign(0, -1)
	next := math.Nextafter(1, 2)
	for _, c := range []struct {
		name      string
		compare   comparison
		got, want *array.Buffer
		ok        bool
	}{
		{"equal zeros", equal, floats(array.Float32, 0), floats(array.Float32, negz), true},
		{"equal NaN", equal, floats(array.Float32, nan), floats(array.Float32, nan), false},
		{"equal types", equal, floats(array.Float32, 1), floats(array.Float64, 1), false},
		{"almost within", within(0.5), floats(array.Float64, 1, nan, inf), floats(array.Float64, 1.5, nan, inf), true},
		{"almost beyond", within(0.5), floats(array.Float64, 1), floats(array.Float64, 1.6), false},
		{"almost infinity", within(0.5), floats(array.Float64, inf), floats(array.Float64, 1e300), false},
		{"almost NaN", within(0.5), floats(array.Float64, nan), floats(array.Float64, 1), false},
		{"ulp same", ulps(0, 0), floats(array.Float64, 1), floats(array.Float64, 1), true},
		{"ulp one", ulps(0, 1), floats(array.Float64, 1), floats(array.Float64, next), true},
		{"ulp too far", ulps(0, 0), floats(array.Float64, 1), floats(array.Float64, next), false},
		{"ulp too near", ulps(1, 3), floats(array.Float64, 1), floats(array.Float64, 1), false},
		{"ulp zeros", ulps(0, 0), floats(array.Float32, 0), floats(array.Float32, negz), true},
		{"ulp across zero", ulps(0, 2), floats(array.Float64, 5e-324), floats(array.Float64, -5e-324), true},
		{"ulp NaN", ulps(0, 0), floats(array.Float16, nan), floats(array.Float16, nan), true},
		{"ulp infinity", ulps(0, 1000), floats(array.Float32, inf), floats(array.Float32, math.MaxFloat32), false},
		{"ulp bfloat16", ulps(0, 1), floats(array.BFloat16, 1), floats(array.BFloat16, 1.0078125), true},
		{"ulp of integers", ulps(0, 1), array.NewBuffer(array.Int32, nil), array.NewBuffer(array.Int32, nil), false},
		{"relative", relative(0.01), floats(array.Float64, 0.5, 100), floats(array.Float64, 0, 100), true},
		{"relative beyond", relative(0.01), floats(array.Float64, 2, 100), floats(array.Float64, 0, 100), false},
	} {
		if err := c.compare(c.got, c.want); (err == nil) != c.ok {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

const pieces = `// a comment
// -----
func.func @main() {
  %0 = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %1 = stablehlo.add %0, %0 : tensor<2xf32>
  check.expect_eq_const %1, dense<[2.0, 4.0]> : tensor<2xf32>
  func.return
}
// -----
func.func @one() {
  %0 = stablehlo.constant dense<1.0> : tensor<f32>
  check.expect_almost_eq_const %0, dense<1.5> : tensor<f32>
  func.return
}
// -----
func.func @main() -> tensor<f32> {
  %0 = stablehlo.constant dense<1.0> : tensor<f32>
  func.return %0 : tensor<f32>
}
// -----
func.func @main() {
  %0 = stablehlo.constant dense<1.0> : tensor<f32>
  %1 = stablehlo.custom_call @no.such.target(%0) : (tensor<f32>) -> tensor<f32>
  stablehlo.custom_call @check.expect_eq(%0, %1) {has_side_effect = true} : (tensor<f32>, tensor<f32>) -> ()
  func.return
}
`

func TestRun(t *testing.T) {
	dir := t.TempDir()
	file, list := filepath.Join(dir, "pieces.mlir"), filepath.Join(dir, "list.txt")
	if err := errors.Join(os.WriteFile(file, []byte(pieces), 0o644), os.WriteFile(list, []byte("pieces.mlir#0\n"), 0o644)); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name string
		args []string
		code int
		want []string // parts of the output
	}{
		{"all", []string{"-suite", "mlir", "-v", dir}, 1, []string{"pieces.mlir#1: check 0, expect_almost_eq_const",
			"skipped 1: custom_call no.such.target", "skipped 1: nothing to compare", "1 passed, 1 failed, 2 skipped\n"}},
		{"list", []string{"-suite", "mlir", "-list", list, dir}, 0, []string{"1 passed, 0 failed, 0 skipped\n"}},
		{"interp", []string{"-suite", "mlir", "-engine", "interp", "-list", list, file}, 0, []string{"1 passed"}},
		{"no suite", []string{dir}, 2, []string{"usage"}},
		{"unknown suite", []string{"-suite", "x", dir}, 2, []string{"usage"}},
		{"no path", []string{"-suite", "mlir"}, 2, []string{"usage"}},
		{"no such path", []string{"-suite", "mlir", filepath.Join(dir, "none")}, 2, []string{"none"}},
		{"unknown engine", []string{"-suite", "mlir", "-engine", "abacus", dir}, 2, []string{"abacus"}},
		{"unknown flag", []string{"-x"}, 2, nil},
		{"missing list", []string{"-suite", "mlir", "-list", filepath.Join(dir, "none"), dir}, 2, []string{"none"}},
	} {
		var out strings.Builder
		if code := run(c.args, &out, &out); code != c.code {
			t.Errorf("%s: exit code %d, want %d\n%s", c.name, code, c.code, out.String())
		}
		for _, w := range c.want {
			if !strings.Contains(out.String(), w) {
				t.Errorf("%s: output lacks %q:\n%s", c.name, w, out.String())
			}
		}
	}
}

func TestReport(t *testing.T) {
	var out strings.Builder
	r := report{reasons: map[string]int{}}
	r.add(&out, "a", nil)
	r.add(&out, "b", errors.New("first line\nsecond line"))
	r.add(&out, "c", &backend.Unsupported{Feature: "quantized types"})
	r.add(&out, "d", &skipped{"nothing to compare"})
	r.print(&out, true)
	const want = "FAIL b: first line\nskipped 1: nothing to compare\nskipped 1: quantized types\n1 passed, 1 failed, 2 skipped\n"
	if out.String() != want {
		t.Errorf("got %q, want %q", out.String(), want)
	}
}

// The lists of the corpus hold for the CPU engine: nothing fails.
func TestMilestones(t *testing.T) {
	const corpus = "../../../shared/conformance"
	if _, err := os.Stat(corpus); err != nil {
		t.Skip("the corpus is not beside the module: ", err)
	}
	for _, m := range []string{"milestone-1.txt", "milestone-2.txt"} {
		var out strings.Builder
		if code := run([]string{"-suite", "mlir", "-list", filepath.Join(corpus, m), corpus}, &out, &out); code != 0 {
			t.Errorf("%s: exit code %d\n%s", m, code, out.String())
		}
	}
	if testing.Short() {
		return
	}
	var out strings.Builder
	if code := run([]string{"-suite", "programs", filepath.Join(corpus, "programs")}, &out, &out); code != 0 {
		t.Errorf("programs: exit code %d\n%s", code, out.String())
	}
}
