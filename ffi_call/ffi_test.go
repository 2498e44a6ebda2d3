package ffi_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/backend"
	"github.com/pantograph-go/pantograph/backend/cpu"
	ffi "github.com/pantograph-go/pantograph/ffi_call"
	"github.com/pantograph-go/pantograph/jit"
	"github.com/pantograph-go/pantograph/lower"
	"github.com/pantograph-go/pantograph/lower/hlo"
	"github.com/pantograph-go/pantograph/np"
	"github.com/pantograph-go/pantograph/trace"
	"github.com/pantograph-go/pantograph/vjp"
	"github.com/pantograph-go/pantograph/vmap"
)

// executions counts the calls of test.sum_to.
var executions atomic.Int64

func init() {
	for name, h := range map[string]any{
		"test.scale": func(x, y ffi.Buffer, attrs struct {
			By float32 `ffi:"by"`
		}) error {
			for i, v := range x.Float32s() {
				y.Float32s()[i] = v * attrs.By
			}
			return nil
		},
		// adds the elements of two operands, whatever leading axes they have; an axis of size 1 is repeated.
		"test.add": func(_ ffi.Context, x, y, out ffi.Buffer) error {
			executions.Add(1)
			a, b, o := x.Float64s(), y.Float64s(), out.Float64s()
			for i := range o {
				o[i] = a[i%len(a)] + b[i%len(b)]
			}
			return nil
		},
		"test.fails": func(ffi.Buffer, ffi.Buffer) error { return errors.New("the handler is not in the mood") },
		"test.panics": func(x, _ ffi.Buffer) error {
			var none []int
			_ = none[x.Len()]
			return nil
		},
		"test.wrong_type": func(x, y ffi.Buffer) error { _ = x.Float64s(); return nil },
	} {
		if err := ffi.Register(name, h); err != nil {
			panic(err)
		}
	}
}

func scale(x *array.Array) *array.Array {
	return ffi.Call(ffi.Spec{Target: "test.scale", Attrs: ffi.Attrs{"by": float32(3)}, Vmap: ffi.BroadcastAll,
		Results: []ffi.Result{{Shape: x.Shape(), DType: x.DType()}}}, x)
}

func f32(v ...float32) *array.Array { return np.Asarray(v) }

func TestGoHandlerRuns(t *testing.T) {
	for name, y := range map[string]*array.Array{"eager": scale(f32(1, 2)), "jit": jit.Of(scale).Call(f32(1, 2)),
		"vmap": vmap.Of(scale).Call(f32(1, 2))} {
		if got := y.Float32s(); len(got) != 2 || got[0] != 3 || got[1] != 6 {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func TestEquationAndCustomCall(t *testing.T) {
	j := trace.Of(scale, trace.Spec(np.Float32, 2))
	for _, want := range []string{"ffi_call[", "target_name=test.scale", "vmap_method=broadcast_all", "has_side_effect=False", "input_layouts=((0,),)"} {
		if !strings.Contains(j.String(), want) {
			t.Errorf("the jaxpr lacks %s:\n%s", want, j)
		}
	}
	l, err := jit.Of(scale).Lower(trace.Spec(np.Float32, 2))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"stablehlo.custom_call @test.scale", "api_version = 4 : i32", "by = 3.000000e+00 : f32", "operand_layouts = [dense<0> : tensor<1xindex>]"} {
		if !strings.Contains(l.Text(), want) {
			t.Errorf("the module lacks %s:\n%s", want, l.Text())
		}
	}
}

// Every method against a loop in Go, with one and two mapped operands, along other axes, and nested.
func TestVmapMethods(t *testing.T) {
	add := func(m ffi.VmapMethod) func(x, y *array.Array) *array.Array {
		return func(x, y *array.Array) *array.Array {
			return ffi.Call(ffi.Spec{Target: "test.add", Vmap: m, Results: []ffi.Result{{Shape: x.Shape(), DType: x.DType()}}}, x, y)
		}
	}
	x := np.Arange(6.0).Reshape(3, 2)
	y := np.Asarray([]float64{10, 20})
	one := np.Asarray([]float64{100, 200, 300})
	for m, calls := range map[ffi.VmapMethod]int64{ffi.Sequential: 3, ffi.SequentialUnrolled: 3, ffi.BroadcastAll: 1, ffi.LegacyVectorized: 1, ffi.ExpandDims: 1} {
		executions.Store(0)
		got := vmap.Of(add(m), vmap.In(0, nil)).Call(x, y)
		want := x.Add(y)
		if !np.ArrayEqual(got, want).Bool() || executions.Load() != calls {
			t.Errorf("%s: %v with %d executions, want %v with %d", m, got, executions.Load(), want, calls)
		}
		if m == ffi.LegacyVectorized || m == ffi.ExpandDims {
			continue // the handler would have to know which operand is mapped
		}
		both := vmap.Of(add(m), vmap.In(1, nil), vmap.Out(1)).Call(x, one)
		if want := x.Add(one.Reshape(3, 1)); !np.ArrayEqual(both, want).Bool() {
			t.Errorf("%s along axis 1: %v, want %v", m, both, want)
		}
		nested := vmap.Of(vmap.Of(add(m), vmap.In(nil, 0)), vmap.In(0, nil)).Call(x, np.Stack([]*array.Array{y, y.Mul(2)}))
		if want := x.Reshape(3, 1, 2).Add(np.Stack([]*array.Array{y, y.Mul(2)})); !np.ArrayEqual(nested, want).Bool() {
			t.Errorf("%s nested: %v, want %v", m, nested, want)
		}
	}
	if ffi.Vectorized(true) != ffi.LegacyVectorized || ffi.Vectorized(false) != ffi.Sequential {
		t.Error("the older flag means something else")
	}
}

func TestWithoutARule(t *testing.T) {
	call := func(x *array.Array) *array.Array {
		return ffi.Call(ffi.Spec{Target: "test.scale", Attrs: ffi.Attrs{"by": float32(3)}, Results: []ffi.Result{{Shape: x.Shape(), DType: x.DType()}}}, x)
	}
	for name, c := range map[string]struct {
		run  func()
		says string
	}{
		"vmap": {func() { vmap.Of(call).Call(f32(1, 2)) }, "Spec.Vmap"},
		"grad": {func() { vjp.Grad(func(x *array.Array) *array.Array { return call(x).Sum() }).Call(f32(1, 2)) }, "vjp.Custom"},
	} {
		err := trace.Try(c.run)
		var none *array.NoRuleError
		if !errors.As(err, &none) || !strings.Contains(err.Error(), c.says) || !strings.Contains(err.Error(), "test.scale") || !strings.Contains(err.Error(), "ffi_test.go:") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestCustomRuleAroundACall(t *testing.T) {
	f := vjp.Custom(scale, vjp.Rule{
		Fwd: func(x *array.Array) (y *array.Array, residuals []*array.Array) { return scale(x), nil },
		Bwd: func(_ []*array.Array, ct *array.Array) *array.Array { return scale(ct) },
	})
	g := vjp.Grad(func(x *array.Array) *array.Array { return f.Call(x).Mul(x).Sum() })
	if got := g.Call(f32(1, 2)).Float32s(); got[0] != 6 || got[1] != 12 { // d(3x²) = 6x
		t.Errorf("%v", got)
	}
	if got := jit.Of(vmap.Of(g)).Call(np.Asarray([][]float32{{1}, {2}})).Float32s(); got[0] != 6 || got[1] != 12 {
		t.Errorf("vmapped: %v", got)
	}
}

func TestHandlerErrorsCarryTheUsersLine(t *testing.T) {
	call := func(target string, d array.DType) func(x *array.Array) *array.Array {
		return func(x *array.Array) *array.Array {
			return ffi.Call(ffi.Spec{Target: target, Results: []ffi.Result{{Shape: x.Shape(), DType: d}}}, x)
		}
	}
	for _, c := range []struct{ target, says string }{
		{"test.fails", "not in the mood"},
		{"test.panics", "index out of range"},
		{"test.wrong_type", "reads a buffer of float32[2] as float64"},
		{"test.nobody", "test.nobody"},
	} {
		for name, run := range map[string]func(ctx context.Context, args ...any) ([]*array.Array, error){
			"jit":   jit.Of(call(c.target, np.Float32)).Run,
			"eager": trace.NewFunc("eager", nil, func(args []any) (any, error) { return call(c.target, np.Float32)(args[0].(*array.Array)), nil }).Run,
		} {
			_, err := run(context.Background(), f32(1, 2))
			if err == nil || !strings.Contains(err.Error(), c.says) || !strings.Contains(err.Error(), "ffi_test.go:") {
				t.Errorf("%s, %s: %v", c.target, name, err)
			}
		}
	}
	var unknown *array.TargetError
	if err := trace.Try(func() { call("test.nobody", np.Float32)(f32(1)) }); !errors.As(err, &unknown) {
		t.Errorf("an unknown target is a %T: %v", err, err)
	}
}

func TestSpecificationsThatCannotBeMeant(t *testing.T) {
	x := np.Ones([]int{2, 3}, np.Float32)
	same := []ffi.Result{{Shape: x.Shape(), DType: np.Float32}}
	for says, s := range map[string]ffi.Spec{
		"no target":                     {Results: same},
		"no dtype":                      {Target: "t", Results: []ffi.Result{{Shape: x.Shape()}}},
		"2 layouts are given for 1":     {Target: "t", Results: same, InputLayouts: []any{nil, nil}},
		"no permutation":                {Target: "t", Results: same, OutputLayouts: []any{[]int{0, 0}}},
		"there are 1 operands":          {Target: "t", Results: same, Aliases: map[int]int{1: 0}},
		"there are 1 results":           {Target: "t", Results: same, Aliases: map[int]int{0: -1}},
		"they must be equal":            {Target: "t", Results: []ffi.Result{{Shape: array.Shape{3, 2}, DType: np.Float32}}, Aliases: map[int]int{0: 0}},
		"attribute a.b: a func() has":   {Target: "t", Results: same, Attrs: ffi.Attrs{"a": map[string]any{"b": func() {}}}},
		"attribute z: nil":              {Target: "t", Results: same, Attrs: ffi.Attrs{"z": nil}},
		"attribute c: a complex scalar": {Target: "t", Results: same, Attrs: ffi.Attrs{"c": 1i}},
	} {
		if err := trace.Try(func() { ffi.CallAll(s, x) }); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("want an error with %q, got %v", says, err)
		}
	}
}

func TestAliasesAfterBatching(t *testing.T) {
	call := func(m ffi.VmapMethod) func(x *array.Array) *array.Array {
		return func(x *array.Array) *array.Array {
			return ffi.CallAll(ffi.Spec{Target: "t", Vmap: m, Aliases: map[int]int{1: 0}, Results: []ffi.Result{{Shape: x.Shape(), DType: x.DType()}}}, x, np.Ones([]int{2}, np.Float32))[0]
		}
	}
	two := trace.Spec(np.Float32, 4, 2)
	if err := trace.Try(func() { trace.Of(vmap.Of(call(ffi.BroadcastAll)), two) }); err != nil {
		t.Errorf("broadcast_all: %v", err)
	}
	if err := trace.Try(func() { trace.Of(vmap.Of(call(ffi.ExpandDims)), two) }); err == nil || !strings.Contains(err.Error(), "alias {1: 0}") {
		t.Errorf("expand_dims: %v", err)
	}
}

func TestAttributes(t *testing.T) {
	type mode int32
	for want, v := range map[string]any{
		"true":                          true,
		"7 : i64":                       7,
		"7 : i32":                       mode(7),
		"200 : ui8":                     uint8(200),
		"1.000000e-01 : f64":            0.1,
		"1.000000e-01 : f32":            float32(0.1),
		`"a\00\FF"`:                     []byte{'a', 0, 255},
		"f32":                           array.Float32,
		"dense<[1, 2]> : tensor<2xi32>": []int32{1, 2},
		"dense<> : tensor<0xf64>":       []float64{},
		`{a = 1 : i64, b = {c = "x"}}`:  map[string]any{"b": map[string]any{"c": "x"}, "a": 1},
		`["a", "b"]`:                    []string{"a", "b"},
		"{eps = 0x7F800000 : f32}": struct {
			Eps float32 `ffi:"eps"`
		}{float32(math.Inf(1))},
		"18446744073709551615 : ui64":       uint64(math.MaxUint64),
		"dense<true> : tensor<1xi1>":        []bool{true},
		"dense<2.500000e+00> : tensor<f32>": np.Asarray(float32(2.5)),
	} {
		a, err := ffi.Attribute(v)
		if err != nil {
			t.Errorf("%v: %v", v, err)
			continue
		}
		if got := hlo.AttrString(a); got != want {
			t.Errorf("%T %v is %s, want %s", v, v, got, want)
		}
	}
}

// Attributes that are equal as Go numbers but differ in kind, dtype or bits are different programs.
func TestAttributesAreKeyedByTheirBits(t *testing.T) {
	var seen []string
	var mu sync.Mutex
	err := ffi.Register("test.attribute", ffi.Handler(func(_ ffi.Context, _, _ []ffi.Buffer, attrs hlo.Attrs) error {
		mu.Lock()
		defer mu.Unlock()
		seen = append(seen, hlo.AttrString(attrs.Get("v")))
		return nil
	}))
	if err != nil {
		t.Fatal(err)
	}
	defer ffi.Unregister("test.attribute")
	for _, v := range []any{1, true, 1.0, int32(1), float32(1), 0.0, math.Copysign(0, -1)} {
		ffi.CallAll(ffi.Spec{Target: "test.attribute", Attrs: ffi.Attrs{"v": v}, Results: []ffi.Result{{DType: np.Float32}}})
	}
	if want := "[1 : i64 true 1.000000e+00 : f64 1 : i32 1.000000e+00 : f32 0.000000e+00 : f64 -0.000000e+00 : f64]"; fmt.Sprint(seen) != want {
		t.Errorf("handlers saw %v, want %s", seen, want)
	}
}

func TestRegistration(t *testing.T) {
	h := func(x, y ffi.Buffer) error { return nil }
	if err := ffi.Register("test.twice", h); err != nil {
		t.Fatal(err)
	}
	defer ffi.Unregister("test.twice")
	if err := ffi.Register("test.twice", h); err != nil {
		t.Errorf("the same function again: %v", err)
	}
	if err := ffi.Register("test.twice", func(x, y ffi.Buffer) error { return errors.New("other") }); err == nil {
		t.Error("another function is accepted under the same name")
	}
	for _, bad := range []any{nil, 3, func() {}, func(int) error { return nil }, func(x ffi.Buffer) {}} {
		var target *array.TargetError
		if err := ffi.Register("test.bad", bad); !errors.As(err, &target) {
			t.Errorf("a handler of type %T: %v", bad, err)
		}
	}
}

func TestSideEffects(t *testing.T) {
	var calls atomic.Int64
	if err := ffi.Register("test.count", ffi.Handler(func(ffi.Context, []ffi.Buffer, []ffi.Buffer, hlo.Attrs) error { calls.Add(1); return nil })); err != nil {
		t.Fatal(err)
	}
	defer ffi.Unregister("test.count")
	run := func(effect bool) int64 {
		calls.Store(0)
		jit.Of(func(x *array.Array) *array.Array {
			for range 3 {
				ffi.CallAll(ffi.Spec{Target: "test.count", HasSideEffect: effect, Results: []ffi.Result{{DType: np.Float32}}})
			}
			return x
		}).Call(1.0)
		return calls.Load()
	}
	if n := run(true); n != 3 {
		t.Errorf("three calls with an effect ran %d times", n)
	}
	if n := run(false); n != 0 {
		t.Errorf("three unused calls without an effect ran %d times", n)
	}
}

func TestManyGoroutines(t *testing.T) {
	f := jit.Of(scale)
	var wg sync.WaitGroup
	for k := range 8 {
		wg.Go(func() {
			for range 50 {
				if got := f.Call(f32(float32(k))).Float32s()[0]; got != float32(3*k) {
					t.Errorf("3 × %d is %v", k, got)
				}
			}
		})
	}
	wg.Wait()
}

// A target that is registered anew is found by calls that are not jitted; programs keep the handler they have.
func TestRegisteredAnew(t *testing.T) {
	constant := func(v float32) any {
		return func(y ffi.Buffer) error { y.Float32s()[0] = v; return nil }
	}
	call := func() *array.Array {
		return ffi.Call(ffi.Spec{Target: "test.anew", Results: []ffi.Result{{DType: np.Float32}}})
	}
	jitted := jit.Of(call)
	if err := ffi.Register("test.anew", constant(1)); err != nil {
		t.Fatal(err)
	}
	if a, b := call().Float(), jitted.Call().Float(); a != 1 || b != 1 {
		t.Errorf("%v and %v", a, b)
	}
	ffi.Unregister("test.anew")
	register(t, "test.anew", constant(2))
	if a, b := call().Float(), jitted.Call().Float(); a != 2 || b != 1 {
		t.Errorf("%v, and %v in the program", a, b)
	}
}

// Handlers see the context of the run.
func TestContextOfTheRun(t *testing.T) {
	type key struct{}
	register(t, "test.context", func(ctx ffi.Context, y ffi.Buffer) error {
		y.Int64s()[0] = int64(ctx.Value(key{}).(int))
		return ctx.Err()
	})
	f := jit.Of(func() *array.Array {
		return ffi.Call(ffi.Spec{Target: "test.context", Results: []ffi.Result{{DType: np.Int64}}})
	})
	out, err := f.Run(context.WithValue(t.Context(), key{}, 42))
	if err != nil || out[0].Int() != 42 {
		t.Errorf("%v, %v", out, err)
	}
	compiled, err := f.Compile()
	if err != nil {
		t.Fatal(err)
	}
	if out, err = compiled.Run(context.WithValue(t.Context(), key{}, 43)); err != nil || out[0].Int() != 43 {
		t.Errorf("%v, %v", out, err)
	}
}

// An aliased result begins as its operand. The caller's array is kept, unless it was donated: then its memory is used.
func TestAliasedMemory(t *testing.T) {
	var inPlace atomic.Bool
	register(t, "test.increments", func(x, y ffi.BufferOf[float32]) error {
		inPlace.Store(&x.Data[0] == &y.Data[0])
		for i := range y.Data {
			y.Data[i]++
		}
		return nil
	})
	s := ffi.Spec{Target: "test.increments", Aliases: map[int]int{0: 0}}
	twice := func(x *array.Array) []*array.Array {
		return []*array.Array{called(s)(x)[0], called(ffi.Spec{Target: "test.increments", HasSideEffect: true, Aliases: s.Aliases})(x)[0], x}
	}
	x := f32(1, 2)
	for _, y := range jit.Of(twice).CallAll(x)[:2] {
		if !np.ArrayEqual(y, f32(2, 3)).Bool() || !np.ArrayEqual(x, f32(1, 2)).Bool() {
			t.Errorf("%v of %v", y, x)
		}
	}
	j := trace.Of(called(s), trace.Spec(array.Float32, 2))
	m, err := lower.Module("f", j, lower.Options{Donate: []bool{true}})
	if err != nil {
		t.Fatal(err)
	}
	engine := cpu.New()
	exe, err := engine.Compile(t.Context(), m, backend.Options{Handlers: ffi.Handlers, Donate: []int{0}})
	if err != nil {
		t.Fatal(err)
	}
	add, err := engine.Compile(t.Context(), m, backend.Options{Handlers: ffi.Handlers})
	if err != nil {
		t.Fatal(err)
	}
	first, err := add.Execute(t.Context(), []array.Data{array.NewBuffer(array.Float32, array.Shape{2})})
	if err != nil {
		t.Fatal(err)
	}
	out, err := exe.Execute(t.Context(), []array.Data{first[0]})
	if err != nil {
		t.Fatal(err)
	}
	if h, err := out[0].Host(); err != nil || h.Float(0) != 2 || !inPlace.Load() {
		t.Errorf("%v, %v, in place: %v", h, err, inPlace.Load())
	}
	if _, err := first[0].Host(); err == nil {
		t.Error("the donated array can still be read")
	}
}
