package hlo

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestText reads each testdata/NAME.mlir, which is written in many ways, and prints it: the text must be that of
// NAME.canonical.mlir, which is what MLIR's own printer makes of it, up to locations.
func TestText(t *testing.T) {
	files, _ := filepath.Glob("testdata/*.canonical.mlir")
	if len(files) == 0 {
		t.Fatal("testdata is empty")
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".canonical.mlir")
		t.Run(name, func(t *testing.T) {
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			src, err := os.ReadFile(filepath.Join("testdata", name+".mlir"))
			if err != nil {
				t.Fatal(err)
			}
			m, err := Parse(src)
			if err != nil {
				t.Fatal(err)
			}
			if err := Verify(m); err != nil {
				t.Error(err)
			}
			if diff := cmp.Diff(string(want), m.String()); diff != "" {
				t.Errorf("canonical text (-want +got):\n%s", diff)
			}
			for _, o := range []Options{{}, {Generic: true}, {Locations: true}, {Generic: true, Locations: true}} {
				back, err := Parse(o.Format(m))
				if err != nil {
					t.Fatalf("printed with %+v: %v", o, err)
				}
				if err := Equal(m, back); err != nil {
					t.Errorf("printed with %+v: %v", o, err)
				}
			}
		})
	}
}

// TestLocations reads what is kept of locations: the outermost name and the innermost place in a file.
func TestLocations(t *testing.T) {
	src, err := os.ReadFile("testdata/control.mlir")
	if err != nil {
		t.Fatal(err)
	}
	m, err := Parse(src)
	if err != nil {
		t.Fatal(err)
	}
	var got []Loc
	for _, f := range m.Funcs {
		if f.Loc != (Loc{}) {
			got = append(got, f.Loc)
		}
		if f.Body != nil {
			walk(f.Body, func(op *Op) {
				if op.Loc != (Loc{}) {
					got = append(got, op.Loc)
				}
			})
		}
	}
	want := []Loc{
		{File: "model.py", Line: 3, Col: 4},
		{Name: "jit(f)/while", File: "model.py", Line: 1, Col: 2},
		{Name: "add"},
		{Name: "a", File: "model.py", Line: 7, Col: 8},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	text := Options{Locations: true}.Format(m)
	for _, s := range []string{`loc("model.py":3:4)`, `loc("jit(f)/while"("model.py":1:2))`, `loc("add")`} {
		if !strings.Contains(text, s) {
			t.Errorf("the text with locations lacks %s", s)
		}
	}
}

// TestAttrText reads an attribute and spells it again. The spellings are MLIR's.
func TestAttrText(t *testing.T) {
	for _, tt := range []struct{ in, want string }{
		{"3", "3 : i64"},
		{"-3 : i8", "-3 : i8"},
		{"255 : ui8", "255 : ui8"},
		{"4294967295 : i32", "-1 : i32"},
		{"18446744073709551615 : ui64", "18446744073709551615 : ui64"},
		{"0xFF : i16", "255 : i16"},
		{"1 : i1", "true"},
		{"4 : index", "4 : index"},
		{"1.5", "1.500000e+00 : f64"},
		{"0.1 : f32", "1.000000e-01 : f32"},
		{"0x7F800000 : f32", "0x7F800000 : f32"},
		{"0xFFF0000000000000 : f64", "0xFFF0000000000000 : f64"},
		{"1.0e-5 : f32", "9.99999974E-6 : f32"},
		{"3.14159265 : f32", "3.14159274 : f32"},
		{"3.141592653589793", "3.1415926535897931 : f64"},
		{"[1, 2 : i32, 1.0, \"a\"]", "[1, 2 : i32, 1.000000e+00, \"a\"]"},
		{"{b, a = {c = 1}}", "{a = {c = 1 : i64}, b}"},
		{`"tab\09 quote\22 slash\\ é"`, `"tab\09 quote\22 slash\\ \C3\A9"`},
		{"unit", "unit"},
		{"@a::@\"b c\"", "@a::@\"b c\""},
		{"array<i64: 1, -2>", "array<i64: 1, -2>"},
		{"array<i1: true, false>", "array<i1: true, false>"},
		{"array<f32: 1.0, 0x7FC00000>", "array<f32: 1.000000e+00, 0x7FC00000>"},
		{"array<i8>", "array<i8>"},
		{"dense<[[1, 2], [3, 4]]> : tensor<2x2xi64>", "dense<[[1, 2], [3, 4]]> : tensor<2x2xi64>"},
		{"dense<[1, 1]> : tensor<2xindex>", "dense<1> : tensor<2xindex>"},
		{"dense<(1.0, -0.0)> : tensor<complex<f32>>", "dense<(1.000000e+00,-0.000000e+00)> : tensor<complex<f32>>"},
		{`dense<["a", "b"]> : tensor<2x!tf_type.string>`, `dense<["a", "b"]> : tensor<2x!tf_type.string>`},
		{"dense<1> : vector<2xi32>", "dense<1> : vector<2xi32>"},
		{"tensor<2x?xf32, #stablehlo.type_extensions<bounds = [?, 3]>>", "tensor<2x?xf32, #stablehlo.bounds<?, 3>>"},
		{"tensor<2x!quant.uniform<u8<0:200>:f32:0, {0.1:30, 2.0}>>", "tensor<2x!quant.uniform<u8<0:200>:f32:0, {1.000000e-01:30,2.000000e+00}>>"},
		{"tensor<*xf32>", "tensor<*xf32>"},
		{"tensor<2xi17>", "tensor<2xi17>"},
		{"(f32, tuple<i1>) -> (f32, !stablehlo.token)", "(f32, tuple<i1>) -> (f32, !stablehlo.token)"},
		{"!stablehlo.future<tensor<2xf32>>", "!stablehlo.future<tensor<2xf32>>"},
		{"loc(\"a\"(\"b.py\":1:2))", "loc(\"a\"(\"b.py\":1:2))"},
		{"affine_map<(d0) -> (d0 + 1)>", "affine_map<(d0) -> (d0 + 1)>"},
		{`#sdy.sharding<@mesh, [{"x"}, {?}]>`, `#sdy.sharding<@mesh, [{"x"}, {?}]>`},
		{"#stablehlo<comparison_direction LT>", "#stablehlo<comparison_direction LT>"},
		{"#stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>", "#stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>"},
		{"#stablehlo.gather<index_vector_dim = 1, offset_dims = [1]>", "#stablehlo.gather<offset_dims = [1], index_vector_dim = 1>"},
		{"#chlo.ragged_dot<lhs_ragged_dimensions = [0]>", "#chlo.ragged_dot<lhs_ragged_dimensions = [0]>"},
	} {
		m, err := Parse("module attributes {a = " + tt.in + "} {}")
		if err != nil {
			t.Errorf("%s: %v", tt.in, err)
			continue
		}
		if got := AttrString(m.Attrs.Get("a")); got != tt.want {
			t.Errorf("%s: got %s, want %s", tt.in, got, tt.want)
		}
	}
}
