package ffi_test

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/pantograph-go/pantograph/array"
	ffi "github.com/pantograph-go/pantograph/ffi_call"
	"github.com/pantograph-go/pantograph/jit"
	"github.com/pantograph-go/pantograph/lower"
	"github.com/pantograph-go/pantograph/lower/hlo"
	"github.com/pantograph-go/pantograph/np"
	"github.com/pantograph-go/pantograph/primitive"
	"github.com/pantograph-go/pantograph/trace"
	"github.com/pantograph-go/pantograph/vjp"
	"github.com/pantograph-go/pantograph/vmap"
)

// moduleOf is the text of a function's module.
func moduleOf(t *testing.T, f any, args ...any) string {
	t.Helper()
	var j *trace.Closed
	if err := trace.Try(func() { j = trace.Of(f, args...) }); err != nil {
		t.Fatal(err)
	}
	m, err := lower.Module("f", j, lower.Options{})
	if err == nil {
		err = hlo.Verify(m)
	}
	if err != nil {
		t.Fatal(err)
	}
	return m.String()
}

func called(s ffi.Spec) func(x *array.Array) []*array.Array {
	return func(x *array.Array) []*array.Array {
		if s.Results == nil {
			s.Results = []ffi.Result{ffi.ResultOf(x)}
		}
		return ffi.CallAll(s, x)
	}
}

// The typed interface is written in its native form, the untyped ones with their string.
func TestVersionsAreWritten(t *testing.T) {
	x := trace.Spec(array.Float32, 3)
	for _, tt := range []struct {
		spec ffi.Spec
		want string
	}{
		{ffi.Spec{Target: "t"}, `@t(%arg0) {api_version = 4 : i32, backend_config = {}, operand_layouts = [dense<0> : tensor<1xindex>], result_layouts = [dense<0> : tensor<1xindex>]}`},
		{ffi.Spec{Target: "t", APIVersion: 4, Attrs: ffi.Attrs{"a": 1}}, `api_version = 4 : i32, backend_config = {a = 1 : i64}`},
		{ffi.Spec{Target: "t", APIVersion: 2, Opaque: "k=\"v\"\n1"}, `api_version = 2 : i32, backend_config = "k=\22v\22\0A1"`},
		{ffi.Spec{Target: "t", APIVersion: 3}, `api_version = 3 : i32, backend_config = ""`},
		{ffi.Spec{Target: "t", APIVersion: ffi.APIUnspecified}, `api_version = 0 : i32, backend_config = ""`},
		{ffi.Spec{Target: "a target"}, `@"a target"(%arg0)`},
		{ffi.Spec{Target: "t", HasSideEffect: true, Aliases: map[int]int{0: 0}}, `has_side_effect = true`},
		{ffi.Spec{Target: "t", Aliases: map[int]int{0: 0}}, `output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>]`},
	} {
		if got := moduleOf(t, called(tt.spec), x); !strings.Contains(got, tt.want) {
			t.Errorf("want %s in\n%s", tt.want, got)
		}
	}
	for says, s := range map[string]ffi.Spec{
		"API version 7 is not known":   {Target: "t", APIVersion: 7},
		"Opaque goes with API":         {Target: "t", Opaque: "x"},
		"attributes need the typed":    {Target: "t", APIVersion: 2, Attrs: ffi.Attrs{"a": 1}},
		"unknown vmap method 99":       {Target: "t", Vmap: 99},
		"a token has no shape":         {Target: "t", Results: []ffi.Result{{Shape: array.Shape{2}, DType: array.Token}}},
		"result 0 has the shape [-1]":  {Target: "t", Results: []ffi.Result{{Shape: array.Shape{-1}, DType: array.Int8}}},
		"alias {-1: 0}":                {Target: "t", Aliases: map[int]int{-1: 0}},
		"has the tiling [[8 128]]":     {Target: "t", InputLayouts: []any{ffi.Layout{MajorToMinor: []int{0}, Tiling: [][]int{{8, 128}}}}},
		"layout of operand 0 (tensor<": {Target: "t", InputLayouts: []any{[]int{1, 0}}},
		"is a string; it should be":    {Target: "t", OutputLayouts: []any{"row-major"}},
	} {
		if err := trace.Try(func() { trace.Of(called(s), x) }); err == nil || !strings.Contains(err.Error(), says) || !strings.Contains(err.Error(), "departures_test.go:") {
			t.Errorf("want an error with %q, got %v", says, err)
		}
	}
}

// Lists of ints are major to minor in a call, minor to major in a lowering rule; layout objects major to minor in both.
func TestDirectionOfLayouts(t *testing.T) {
	x := trace.Spec(array.Float32, 2, 3, 4)
	const cyclic = `operand_layouts = [dense<[0, 2, 1]> : tensor<3xindex>]`
	for name, entry := range map[string]any{"ints": []int{1, 2, 0}, "object": ffi.Layout{MajorToMinor: []int{1, 2, 0}}} {
		if got := moduleOf(t, called(ffi.Spec{Target: "t", InputLayouts: []any{entry}}), x); !strings.Contains(got, cyclic) {
			t.Errorf("%s of a call:\n%s", name, got)
		}
	}
	for name, entry := range map[string]any{"ints": []int{0, 2, 1}, "object": ffi.Layout{MajorToMinor: []int{1, 2, 0}}} {
		rule := &ffi.Lowering{Target: "t", OperandLayouts: []any{entry}}
		if got := moduleOf(t, func(x *array.Array) *array.Array { return primitive.Bind(lowered{rule: rule}, x) }, x); !strings.Contains(got, cyclic) {
			t.Errorf("%s of a rule:\n%s", name, got)
		}
	}
}

// lowered is a user's primitive that is one foreign call; its parameter is an attribute.
type lowered struct {
	rule   *ffi.Lowering
	Eps    float32 `ffi:"eps"`
	shapes bool
}

func (lowered) Name() string                                { return "lowered" }
func (lowered) Shape(in []array.Aval) ([]array.Aval, error) { return in[:1], nil }
func (p lowered) Lower(b *hlo.Builder, in []*hlo.Value, out []array.Aval) ([]*hlo.Value, error) {
	r := *p.rule
	if p.shapes {
		sizes := array.NewBuffer(array.Int32, array.Shape{len(out[0].Shape)})
		for i, n := range out[0].Shape {
			sizes.SetInt(i, int64(n))
		}
		r.ResultShapes = []*hlo.Value{b.Const(sizes)}
	}
	if r.APIVersion == 2 {
		return r.Lower(b, in, out, nil)
	}
	return r.Lower(b, in, out, p)
}

func TestLowering(t *testing.T) {
	x := trace.Spec(array.Float32, 3)
	bind := func(p lowered) func(x *array.Array) *array.Array {
		return func(x *array.Array) *array.Array { return primitive.Bind(p, x) }
	}
	for _, tt := range []struct {
		p    lowered
		want []string
	}{
		{lowered{rule: &ffi.Lowering{Target: "t"}, Eps: 0.5}, []string{`@t(%arg0) {api_version = 4 : i32, backend_config = {eps = 5.000000e-01 : f32}, operand_layouts = [dense<0> : tensor<1xindex>]`}},
		{lowered{rule: &ffi.Lowering{Target: "t", Config: ffi.Attrs{"a": 1, "eps": "base"}}, Eps: 2}, []string{`backend_config = {a = 1 : i64, eps = 2.000000e+00 : f32}`}},
		{lowered{rule: &ffi.Lowering{Target: "t", APIVersion: 2, Config: "raw"}}, []string{`api_version = 2 : i32, backend_config = "raw"`}},
		{lowered{rule: &ffi.Lowering{Target: "t", SkipLayouts: true, HasSideEffect: true, Aliases: map[int]int{0: 0}, CalledComputations: []string{"main"},
			Extra: hlo.Attrs{{Name: "mhlo.frontend_attributes", Value: hlo.Dict{{Name: "num_batch_dims", Value: hlo.Str("1")}}}}}},
			[]string{`called_computations = [@main]`, `has_side_effect = true`, `mhlo.frontend_attributes = {num_batch_dims = "1"}`, `operand_index = 0`}},
		{lowered{rule: &ffi.Lowering{Target: "t"}, shapes: true}, []string{`indices_of_shape_operands = dense<1> : tensor<1xi64>`,
			`operand_layouts = [dense<0> : tensor<1xindex>, dense<0> : tensor<1xindex>]`, `(tensor<3xf32>, tensor<1xi32>) -> tensor<3xf32>`}},
	} {
		got := moduleOf(t, bind(tt.p), x)
		for _, want := range tt.want {
			if !strings.Contains(got, want) {
				t.Errorf("want %s in\n%s", want, got)
			}
		}
		if tt.p.rule.SkipLayouts == strings.Contains(got, "operand_layouts") {
			t.Errorf("layouts:\n%s", got)
		}
	}
	for says, r := range map[string]*ffi.Lowering{
		"names no target":                        {},
		"parameters need the typed interface":    {Target: "t", APIVersion: 3},
		"is a dictionary of attributes, not \"x": {Target: "t", Config: "x"},
		"2 layouts are given for 1 operands":     {Target: "t", OperandLayouts: []any{nil, nil}},
		"alias {1: 0}":                           {Target: "t", Aliases: map[int]int{1: 0}},
		"attribute a: nil":                       {Target: "t", Config: ffi.Attrs{"a": nil}},
	} {
		j := trace.Of(bind(lowered{rule: r}), x)
		if _, err := lower.Module("f", j, lower.Options{}); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("want an error with %q, got %v", says, err)
		}
	}
}

// Nested lists, dictionaries and arrays are attributes, frozen when the call is made.
func TestAttributesAreFrozenDeeply(t *testing.T) {
	list, inner := []int32{1, 2}, map[string]any{"x": []any{1, "a"}}
	j := trace.Of(func(x *array.Array) []*array.Array {
		out := called(ffi.Spec{Target: "t", Attrs: ffi.Attrs{"list": list, "inner": inner, "words": []string{"p"}}})(x)
		list[0], inner["x"] = 7, 7
		return out
	}, trace.Spec(array.Float32, 3))
	m, err := lower.Module("f", j, lower.Options{})
	if want := `backend_config = {inner = {x = [1, "a"]}, list = dense<[1, 2]> : tensor<2xi32>, words = ["p"]}`; err != nil || !strings.Contains(m.String(), want) {
		t.Errorf("%v\n%s", err, m)
	}
}

// Scalars that have no typed form are errors, not types; results of computations are no attributes.
func TestOddAttributes(t *testing.T) {
	for says, v := range map[string]any{
		"an integer scalar of type i4":    hlo.Int{Value: 1, Type: "i4"},
		"a float scalar of type f8E4M3FN": hlo.Float{Value: 1, Type: "f8E4M3FN"},
		"an integer scalar of type index": hlo.Int{Value: 1, Type: "index"},
		"result of a computation":         np.Ones([]int{2}).Add(1),
		"rows of the [][]int differ":      [][]int{{1}, {2, 3}},
		"no field of the struct":          struct{ Eps float32 }{},
		"is not exported": struct {
			eps float32 `ffi:"eps"`
		}{},
		"the keys of map[int]int are":            map[int]int{1: 2},
		"is not among the typed attributes":      hlo.Symbol{Path: []string{"f"}},
		"a chan int has no typed form":           make(chan int),
		"token is no element type":               array.Token,
		"attribute [1]: a complex scalar has no": []any{1, 1i},
	} {
		if _, err := ffi.Attribute(v); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("want an error with %q, got %v", says, err)
		}
	}
	traced := jit.Of(func(x *array.Array) []*array.Array { return called(ffi.Spec{Target: "t", Attrs: ffi.Attrs{"x": x}})(x) })
	if _, err := traced.Run(t.Context(), f32(1)); err == nil || !strings.Contains(err.Error(), "attribute x: it is a traced array, but attributes are static") {
		t.Errorf("%v", err)
	}
	for want, v := range map[string]any{
		"dense<[1, 2]> : tensor<2xi16>":                               hlo.DenseArray{Elem: array.Int16, Ints: []int64{1, 2}},
		"dense<7> : tensor<3xi32>":                                    []int32{7, 7, 7},
		"dense<[[1, 2], [3, 4]]> : tensor<2x2xi64>":                   [][]int{{1, 2}, {3, 4}},
		"dense<(1.000000e+00,2.000000e+00)> : tensor<1xcomplex<f32>>": []complex64{1 + 2i},
		"1.500000e+00 : bf16":                                         hlo.Float{Value: 1.5, Type: "bf16"},
		"[f32, i1]":                                                   []array.DType{array.Float32, array.Bool},
	} {
		a, err := ffi.Attribute(v)
		if err != nil || hlo.AttrString(a) != want {
			t.Errorf("%v: %v, %v; want %s", v, a, err, want)
		}
	}
}

// A token cannot be mapped.
func TestTokensUnderVmap(t *testing.T) {
	s := ffi.Spec{Target: "t", Vmap: ffi.Sequential, Results: []ffi.Result{ffi.Token}}
	if err := trace.Try(func() { trace.Of(vmap.Of(called(s)), trace.Spec(array.Float32, 4, 3)) }); err == nil || !strings.Contains(err.Error(), "token, which cannot be mapped") {
		t.Errorf("%v", err)
	}
}

// A bundle has the four stages and no others.
func TestBundleHasFourStages(t *testing.T) {
	b := reflect.TypeFor[ffi.Bundle]()
	var names []string
	for i := range b.NumField() {
		names = append(names, b.Field(i).Name)
	}
	if strings.Join(names, " ") != "Instantiate Prepare Initialize Execute" {
		t.Errorf("stages %v", names)
	}
}

// A call with an effect is allowed under checkpoint, also with a custom rule; differentiation names both kinds of rule.
func TestCheckpointAroundAnEffect(t *testing.T) {
	s := ffi.Spec{Target: "test.scale", Attrs: ffi.Attrs{"by": float32(3)}, HasSideEffect: true}
	f := vjp.Custom(func(x *array.Array) *array.Array { return called(s)(x)[0] }, vjp.Rule{
		Fwd: func(x *array.Array) (*array.Array, []*array.Array) { return called(s)(x)[0], nil },
		Bwd: func(_ []*array.Array, ct *array.Array) *array.Array { return ct.Mul(3) },
	})
	g := vjp.Grad(func(x *array.Array) *array.Array { return vjp.Checkpoint(f).Call(x).Sum() })
	if got := g.Call(f32(1, 2)).Float32s(); got[0] != 3 || got[1] != 3 {
		t.Errorf("%v", got)
	}
	var none *array.NoRuleError
	err := trace.Try(func() { vjp.Grad(func(x *array.Array) *array.Array { return called(s)(x)[0].Sum() }).Call(f32(1)) })
	if !errors.As(err, &none) || !strings.Contains(err.Error(), "vjp.Custom ") || !strings.Contains(err.Error(), "vjp.CustomJVP") {
		t.Errorf("%v", err)
	}
}

// Registering: names, platforms, versions, bundles.
func TestRegistrationOutcomes(t *testing.T) {
	goHandler := func(x, y ffi.Buffer) error { return nil }
	code := func(err error) any {
		var e *ffi.Error
		if errors.As(err, &e) {
			return e.Code
		}
		return err
	}
	for _, tt := range []struct {
		name    string
		target  string
		handler any
		opts    []ffi.Option
		want    any
	}{
		{"no name", "", goHandler, nil, ffi.InvalidArgument},
		{"version 2", "test.r", goHandler, []ffi.Option{ffi.InterfaceVersion(2)}, ffi.Unimplemented},
		{"Go function, untyped", "test.r", goHandler, []ffi.Option{ffi.InterfaceVersion(0)}, ffi.Unimplemented},
		{"Go function for CUDA", "test.r", goHandler, []ffi.Option{ffi.Platform("CUDA")}, ffi.Unimplemented},
		{"no execute", "test.r", ffi.Bundle{Prepare: func() error { return nil }}, nil, ffi.InvalidArgument},
		{"empty bundle", "test.r", ffi.Bundle{}, nil, ffi.InvalidArgument},
		{"bundle, untyped", "test.r", ffi.Bundle{Execute: goHandler}, []ffi.Option{ffi.InterfaceVersion(0)}, ffi.InvalidArgument},
		{"C and Go mixed", "test.r", ffi.Bundle{Execute: ffi.SymbolAt(1), Prepare: func() error { return nil }}, nil, ffi.InvalidArgument},
		{"no symbol", "test.r", ffi.Symbol{}, nil, ffi.InvalidArgument},
		{"execute alone", "test.r", ffi.Bundle{Execute: goHandler}, nil, nil},
		{"the same again", "test.r", ffi.Bundle{Execute: goHandler}, []ffi.Option{ffi.Platform("Host")}, nil},
		{"in upper case", "test.r", goHandler, []ffi.Option{ffi.Platform("CPU")}, nil},
		{"another function", "test.r", func(x, y ffi.Buffer) error { return errors.New("") }, nil, ffi.InvalidArgument},
	} {
		if got := code(ffi.Register(tt.target, tt.handler, tt.opts...)); got != tt.want {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
	found := false
	for _, k := range ffi.Targets() {
		found = found || k == ffi.Target{Name: "test.r", Platform: "cpu", InterfaceVersion: 1}
	}
	if !found || !ffi.Unregister("test.r") || ffi.Unregister("test.r") {
		t.Errorf("listed %v", ffi.Targets())
	}
	captured := func(n int) any { return func(x, y ffi.Buffer) error { _ = n; return nil } }
	if err := ffi.Register("test.r", captured(1)); err != nil {
		t.Fatal(err)
	}
	defer ffi.Unregister("test.r")
	if got := code(ffi.Register("test.r", captured(2))); got != ffi.InvalidArgument {
		t.Errorf("a closure that captured something else passes as the same: %v", got)
	}
}

func TestLibraries(t *testing.T) {
	missing := ffi.Open("no/such/library.so")
	if missing.Err() == nil || ffi.Register("test.none", missing.Symbol("f")) == nil {
		t.Error("a library that is not there is opened")
	}
	lib := library(t, "errors")
	if lib.Err() != nil {
		t.Fatal(lib.Err())
	}
	if err := ffi.Register("test.none", lib.Symbol("NoSuchSymbol")); err == nil || !strings.Contains(err.Error(), "NoSuchSymbol") {
		t.Errorf("%v", err)
	}
	addr, err := lib.Symbol("StrictScale").Address()
	if err != nil {
		t.Fatal(err)
	}
	register(t, "StrictScale", lib.Symbol("StrictScale"))
	if err := ffi.Register("StrictScale", ffi.SymbolAt(addr)); err != nil {
		t.Errorf("the same function by its address: %v", err)
	}
	if err := ffi.Register("StrictScale", lib.Symbol("FailWithCode")); err == nil {
		t.Error("another function is accepted under the same name")
	}
	register(t, "StrictScale", lib.Symbol("StrictScale"), ffi.Platform("ROCm"))
	if _, ok := ffi.Handlers.Handler("StrictScale", "rocm", 4); !ok {
		t.Error("not found for the platform it is registered for")
	}
	if _, ok := ffi.Handlers.Handler("StrictScale", "cpu", 3); ok {
		t.Error("a typed handler serves an untyped call")
	}
}
