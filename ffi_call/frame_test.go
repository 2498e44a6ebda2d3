package ffi_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/backend"
	"github.com/pantograph-go/pantograph/backend/cpu"
	ffi "github.com/pantograph-go/pantograph/ffi_call"
	"github.com/pantograph-go/pantograph/lower/hlo"
	"github.com/pantograph-go/pantograph/np"
	"github.com/pantograph-go/pantograph/trace"
)

// text is what FrameDump wrote into a result.
func text(t *testing.T, x *array.Array) string {
	t.Helper()
	b, err := x.Host()
	if err != nil {
		t.Fatal(err)
	}
	s, _, _ := strings.Cut(string(b.Bytes()), "\x00")
	return s
}

var dump = ffi.Result{Shape: array.Shape{4096}, DType: array.Uint8}

func vector(d array.DType, v ...float64) *array.Array {
	b := array.NewBuffer(d, array.Shape{len(v)})
	for i, x := range v {
		b.SetFloat(i, x)
	}
	return array.Of(b)
}

// What a handler sees of a call, for every type, layout and kind of attribute.
func TestFrames(t *testing.T) {
	register(t, "FrameDump", library(t, "frame_dump").Symbol("FrameDump"))
	var file struct {
		Cases []struct {
			Call  string
			Frame string
			Error *struct {
				Class string `json:"python_class"`
			}
		}
	}
	recorded(t, "frame_dump", &file)
	// attributes that only the reference refuses: Pantograph takes nested values, and large ui64 scalars.
	departures := map[string]string{
		"np.uint64 2**63":       "{v=scalar:9:9223372036854775808}",
		"nested plain dict":     "{v=dict:{a=dict:{b=scalar:5:1}}}",
		"dict holding an array": "{v=dict:{a=array:5:2:[1,2]}}",
	}
	for _, c := range file.Cases {
		s, in := ffi.Spec{Target: "FrameDump", Results: []ffi.Result{dump}}, []*array.Array(nil)
		name, isAttr := strings.CutPrefix(c.Call, "attribute v = ")
		var dtype string
		switch {
		case isAttr:
			v, ok := frameAttribute(name)
			if !ok {
				t.Errorf("no Go value for %q", name)
				continue
			}
			s.Attrs = ffi.Attrs{"v": v}
		case c.Call == "attribute order: z, a, M, _b given in that order":
			s.Attrs = ffi.Attrs{"z": 1, "a": 2, "M": 3, "_b": 4}
		case c.Call == "scalar operand f32[]":
			in = []*array.Array{np.Asarray(float32(2))}
		case c.Call == "empty operand f32[0,3]":
			in = []*array.Array{array.Of(array.NewBuffer(array.Float32, array.Shape{0, 3}))}
		case strings.HasPrefix(c.Call, "two operands"):
			in = []*array.Array{vector(array.Int32, 0, 1), vector(array.Float32, 0, 1, 2)}
			s.Results = []ffi.Result{{Shape: array.Shape{2, 2}, DType: array.Float64}, {DType: array.Bool}, dump}
		case strings.HasPrefix(c.Call, "operand f32[2,3] = 0..5"):
			in = []*array.Array{np.Arange(6.0).AsType(array.Float32).Reshape(2, 3)}
			if strings.Contains(c.Call, "(1,0)") {
				s.InputLayouts = []any{[]int{1, 0}}
			}
		case strings.HasPrefix(c.Call, "operand f32[2,2,3]"):
			in = []*array.Array{np.Arange(12.0).AsType(array.Float32).Reshape(2, 2, 3)}
			s.InputLayouts = []any{ffi.Layout{MajorToMinor: []int{0, 2, 1}}}
		default:
			if _, err := fmt.Sscanf(c.Call, "operand %s", &dtype); err != nil {
				t.Errorf("unknown call %q", c.Call)
				continue
			}
			d, err := array.ParseDType(strings.TrimSuffix(dtype, "[3]"))
			if err != nil {
				t.Error(err)
				continue
			}
			in = []*array.Array{vector(d, 0, 1, 1)}
		}
		var got string
		err := trace.Try(func() {
			out := ffi.CallAll(s, in...)
			got = text(t, out[len(out)-1])
		})
		want := c.Frame
		if attrs := departures[name]; attrs != "" {
			_, rest, _ := strings.Cut(file.Cases[len(file.Cases)-1].Frame, "frame=")
			want = "frame=" + rest[:strings.Index(rest, "attrs=")] + "attrs=" + attrs
		} else if c.Error != nil {
			if err == nil || !strings.Contains(err.Error(), "attribute") || !strings.Contains(err.Error(), "v") {
				t.Errorf("%s: %v (frame %s), want an error that names the attribute", c.Call, err, got)
			}
			continue
		}
		if err != nil || got != want {
			t.Errorf("%s: %v\n got %s\nwant %s", c.Call, err, got, want)
		}
	}
}

// frameAttribute is the Go value of a recorded attribute.
func frameAttribute(name string) (any, bool) {
	ints := func(d array.DType, shape array.Shape, v ...float64) any {
		b := array.NewBuffer(d, shape)
		for i := range v {
			b.SetFloat(i, v[i])
		}
		return b
	}
	v, ok := map[string]any{
		"True": true, "False": false, "np.bool_ True": true, "int 3": 3, "int -1": -1, "float 0.5": 0.5, "np.int8 -3": int8(-3),
		"np.uint64 2**63": uint64(1) << 63, "np.float16 1.5": hlo.Float{Value: 1.5, Type: "f16"}, "bfloat16 1.5": hlo.Float{Value: 1.5, Type: "bf16"},
		"np.float32 1.5": float32(1.5), "str 'ab'": "ab", "str ''": "", "bytes with nul and 0xff": []byte{'a', 0, 0xff}, "str non-ascii": "é",
		"np.array i32[3]": []int32{1, 2, 3}, "np.array i64[2,2]": [][]int64{{0, 1}, {2, 3}}, "np.array f32[] (rank 0)": ints(array.Float32, nil, 2.5),
		"np.array bool[3]": []bool{true, false, true}, "np.array bool[2] splat true": []bool{true, true},
		"np.array f64[4] splat": []float64{1.5, 1.5, 1.5, 1.5}, "np.array f32[0]": []float32{}, "np.array i64[2,0]": ints(array.Int64, array.Shape{2, 0}),
		"np.array c64[2]": []complex64{1, 2}, "np.array f16[2]": ints(array.Float16, array.Shape{2}, 1, 2), "np.array bf16[2]": ints(array.BFloat16, array.Shape{2}, 1, 2),
		"np.array u8[2]": ints(array.Uint8, array.Shape{2}, 1, 255), "np.array int4[3]": ints(array.Int4, array.Shape{3}, 1, 2, 3),
		"np.array i64[2,3] Fortran order": [2][3]int{{0, 1, 2}, {3, 4, 5}},
		"dict {}":                         ffi.Attrs{}, "dict {b:1, a:2}": map[string]int{"b": 1, "a": 2},
		"nested dict":       ffi.Attrs{"x": ffi.Attrs{"y": ffi.Attrs{"z": "deep"}}, "w": 3},
		"nested plain dict": ffi.Attrs{"a": map[string]any{"b": 1}}, "dict holding an array": ffi.Attrs{"a": []int{1, 2}},
		"tuple ()": []any{}, "tuple (1, 2)": []any{1, 2}, "tuple ('a',)": []string{"a"}, "tuple (1.5, 2.5)": []any{1.5, 2.5},
		"tuple (True, False)": []any{true, false}, "tuple (1, 'a')": []any{1, "a"}, "tuple of np.int32": []any{int32(1), int32(2)},
		"dict holding list": ffi.Attrs{"a": []any{1, 2}}, "dtype f32": array.Float32, "complex 1+2j": 1 + 2i, "np.complex64": complex64(1), "None": nil,
	}[name]
	return v, ok
}

// Modules written by hand, in the forms that a reader must accept.
func TestFramesOfTexts(t *testing.T) {
	register(t, "FrameDump", library(t, "frame_dump").Symbol("FrameDump"))
	var file struct {
		Texts []struct {
			Attributes string `json:"attributes_text"`
			Frame      string `json:"frame_attributes"`
			Error      *struct{ Code, Phase string }
		} `json:"hand_written_text"`
	}
	recorded(t, "frame_dump", &file)
	for _, c := range file.Texts {
		got, err := runText(t, fmt.Sprintf(`func.func @main(%%arg0: tensor<4xf32>) -> tensor<4096xui8> {
  %%0 = stablehlo.custom_call @FrameDump(%%arg0) {%s} : (tensor<4xf32>) -> tensor<4096xui8>
  return %%0 : tensor<4096xui8>
}`, c.Attributes))
		if c.Error != nil {
			var coded *ffi.Error
			var missing *array.TargetError
			switch {
			case err == nil:
				t.Errorf("%s: accepted, want %s", c.Attributes, c.Error.Code)
			case c.Error.Code == "INVALID_ARGUMENT" && (!errors.As(err, &coded) || coded.Code != ffi.InvalidArgument || !strings.Contains(err.Error(), `"v"`)),
				c.Error.Code == "NOT_FOUND" && !errors.As(err, &missing):
				t.Errorf("%s: %v, want %s", c.Attributes, err, c.Error.Code)
			}
			continue
		}
		_, attrs, _ := strings.Cut(got, "attrs=")
		if err != nil || attrs != c.Frame {
			t.Errorf("%s: %v\n got %s\nwant %s", c.Attributes, err, attrs, c.Frame)
		}
	}
}

func runText(t *testing.T, module string) (string, error) {
	t.Helper()
	m, err := hlo.Parse(module)
	if err != nil {
		return "", err
	}
	exe, err := cpu.New().Compile(context.Background(), m, backend.Options{Handlers: ffi.Handlers})
	if err != nil {
		return "", err
	}
	defer exe.Close()
	out, err := exe.Execute(context.Background(), []array.Data{array.NewBuffer(array.Float32, array.Shape{4})})
	if err != nil {
		return "", err
	}
	return text(t, array.Of(out[0])), nil
}

// Memory that is not aligned as handlers expect is shown as a copy that is.
func TestUnalignedOperands(t *testing.T) {
	register(t, "FrameDump", library(t, "frame_dump").Symbol("FrameDump"))
	big := array.NewBuffer(array.Float32, array.Shape{8})
	for i := range 8 {
		big.SetFloat(i, float64(i))
	}
	odd, err := array.WrapBuffer(array.Float32, array.Shape{3}, big.Bytes()[4:16])
	if err != nil {
		t.Fatal(err)
	}
	if got := text(t, ffi.Call(ffi.Spec{Target: "FrameDump", Results: []ffi.Result{dump}}, array.Of(odd))); !strings.Contains(got, "align16=1 mem=[1,2,3]") {
		t.Error(got)
	}
}

// A token arrives as a buffer without data.
func TestTokens(t *testing.T) {
	register(t, "FrameDump", library(t, "frame_dump").Symbol("FrameDump"))
	out := ffi.CallAll(ffi.Spec{Target: "FrameDump", HasSideEffect: true, Results: []ffi.Result{ffi.Token, dump}}, ffi.CreateToken(), f32(1))
	if got := text(t, out[1]); !strings.Contains(got, "arg0 buffer=1 size=48 dtype=17 rank=0 dims=[] data=null;arg1") || !strings.Contains(got, "ret0 buffer=1 size=48 dtype=17 rank=0 dims=[]") {
		t.Error(got)
	}
	again := ffi.CallAll(ffi.Spec{Target: "FrameDump", Results: []ffi.Result{dump}}, out[0])
	if got := text(t, again[0]); !strings.Contains(got, "nargs=1;arg0 buffer=1 size=48 dtype=17") {
		t.Error(got)
	}
	if out[0].DType() != array.Token {
		t.Errorf("the token is %s", out[0].Aval())
	}
}
