package trace_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/trace"
)

type params struct{ W, B *array.Array }

// same makes a Func of f as a transformation would: it takes the arguments apart and puts them together again.
func same(t *testing.T, f any) *trace.Func {
	c, err := trace.CallableOf(f)
	if err != nil {
		t.Fatal(err)
	}
	sig := trace.SignatureOf(c)
	return trace.NewFunc("same("+c.Name()+")", sig, func(args []any) (any, error) {
		leaves, in, err := trace.FlattenArgs(sig, args)
		if err != nil {
			return nil, err
		}
		out, tree, err := trace.CallTree(c, in, leaves)
		if err != nil {
			return nil, err
		}
		return tree.Unflatten(out)
	})
}

func TestCall(t *testing.T) {
	x, y := vec(1, 2), vec(3)
	p := params{x, y}
	swap := same(t, func(p params, scale float64, names ...string) params { return params{p.B, p.W} })
	if got := swap.CallTree(p, 2, "a", "b"); got != (params{y, x}) {
		t.Errorf("CallTree gave %v", got)
	}
	if got := swap.CallAll(p, float32(2)); len(got) != 2 || got[0] != y || got[1] != x {
		t.Errorf("CallAll gave %v", got)
	}
	if got := same(t, func(x *array.Array) []*array.Array { return []*array.Array{x} }).Call(x); got != x {
		t.Errorf("Call gave %v", got)
	}
	if got := same(t, func(x *array.Array) *array.Array { return x }).Call([]float64{1, 2}); got.Aval().String() != "f64[2]" {
		t.Errorf("a slice became %v", got.Aval())
	}
	got, err := swap.Run(context.Background(), p, 1)
	if err != nil || len(got) != 2 {
		t.Errorf("Run gave %v, %v", got, err)
	}
	two := same(t, func(x *array.Array) (*array.Array, any) { return x, []any{3, x} })
	if diff := cmp.Diff([]string{"*array.Array", "[]interface {}"}, types(two.CallTree(x).([]any))); diff != "" {
		t.Error(diff)
	}
	if got := same(t, func(x any, rest ...any) any { return rest }).CallTree(nil, nil, x); got.([]any)[0] != nil || got.([]any)[1] != x {
		t.Errorf("nil arguments became %v", got)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := swap.Run(ctx, p, 1); !errors.Is(err, context.Canceled) {
		t.Errorf("a done context gives %v", err)
	}
}

func types(vs []any) (s []string) {
	for _, v := range vs {
		s = append(s, fmt.Sprintf("%T", v))
	}
	return s
}

func TestCallErrors(t *testing.T) {
	x := vec(1, 2)
	mine := errors.New("mine")
	tests := []struct {
		name string
		line int
		call func(f *trace.Func)
		f    any
		kind any
		want string
	}{
		{"count", line(), func(f *trace.Func) { f.Call(x) }, func(p params, n int, s ...string) *array.Array { return x }, new(*array.ArgumentError),
			"takes at least 2 arguments (trace_test.params, int, ...string), got 1"},
		{"type", line(), func(f *trace.Func) { f.Call(x, 1.5) }, func(x *array.Array, n int) *array.Array { return x }, new(*array.ArgumentError),
			"argument 1 is a float64; the function takes (*array.Array, int)"},
		{"an array for a static", line(), func(f *trace.Func) { f.Call(x, x) }, func(x *array.Array, n int) *array.Array { return x }, new(*array.ArgumentError),
			"argument 1 is an array of type f32[2]; the function takes a int there, which is static"},
		{"a field", line(), func(f *trace.Func) { f.Call(map[string]any{"f": func() {}}) }, func(x any) *array.Array { return nil }, new(*array.TreeError),
			`argument 0["f"]: a func() can be neither traced nor compared`},
		{"results", line(), func(f *trace.Func) { f.Call(x) }, func(x *array.Array) []*array.Array { return []*array.Array{x, x} }, new(*array.ArgumentError),
			"Call is for one result, the function has 2 arrays; use CallAll or CallTree"},
		{"no result", line(), func(f *trace.Func) { f.Call(x) }, func(x *array.Array) *array.Array { return nil }, new(*array.ArgumentError), "the function has 0 arrays"},
		{"an error of the function", line(), func(f *trace.Func) { f.Call(x) }, func(x *array.Array) (*array.Array, error) { return nil, mine }, &mine, "mine"},
		{"an untraceable result", 0 /* in same */, func(f *trace.Func) { f.Call(x) }, func(x *array.Array) any { return make(chan int) }, new(*array.TreeError), "result: a chan int"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			err := trace.Try(func() { tt.call(same(t, tt.f)) })
			var e *trace.Error
			if !errors.As(err, &e) || !errors.As(err, tt.kind) {
				t.Fatalf("got %v", err)
			}
			if tt.line != 0 && e.Pos.Line != tt.line {
				t.Errorf("at %s, want line %d", e.Pos, tt.line)
			}
			if !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want %s", err, tt.want)
			}
		})
	}
}

func TestUserPanics(t *testing.T) {
	f := same(t, func(x *array.Array) *array.Array { panic("mine") })
	_, err := f.Run(context.Background(), vec(1))
	var p *trace.PanicError
	if !errors.As(err, &p) || p.Value != "mine" || !strings.Contains(string(p.Stack), "TestUserPanics") {
		t.Errorf("Run gave %v", err)
	}
	defer func() {
		if v := recover(); v != "mine" {
			t.Errorf("Call panics with %v", v)
		}
	}()
	f.Call(vec(1))
}

func TestInto(t *testing.T) {
	x, y := vec(1), vec(2)
	swap := same(t, func(p params, n int) (params, *array.Array) { return params{p.B, p.W}, p.W })
	var fn func(p params, n int) (params, *array.Array)
	swap.Into(&fn)
	if p, w := fn(params{x, y}, 3); p != (params{y, x}) || w != x {
		t.Errorf("got %v, %v", p, w)
	}
	failing := trace.As[func(p params, n int) (any, any, error)](swap)
	if p, _, err := failing(params{x, y}, 3); err != nil || p != (params{y, x}) {
		t.Errorf("got %v, %v", p, err)
	}
	variadic := trace.As[func(x ...*array.Array) *array.Array](same(t, func(x ...*array.Array) *array.Array { return x[2] }))
	if got := variadic(x, x, y); got != y {
		t.Errorf("got %v", got)
	}
	broken := trace.As[func(x *array.Array) (*array.Array, error)](func(x *array.Array) *array.Array { return add(x, nil) })
	if _, err := broken(x); err == nil || !strings.Contains(err.Error(), "nil array") {
		t.Errorf("got %v", err)
	}

	bad := map[string]struct {
		f    func()
		want string
	}{
		"pointer": {func() { swap.Into(fn) }, "Into wants a pointer to a func variable"},
		"count":   {func() { trace.As[func(p params) any](swap) }, "takes 1 arguments, the function takes (trace_test.params, int)"},
		"type":    {func() { trace.As[func(p params, n string) any](swap) }, "argument 1 of func(trace_test.params, string) interface {} is a string"},
		"result":  {func() { trace.As[func(p params, n int) []int](swap)(params{x, y}, 1) }, "result 0: it is a []interface {}, wanted is a []int"},
		"results": {func() { trace.As[func(p params, n int) (a, b, c any)](swap)(params{x, y}, 1) }, "wanted are 3 results"},
	}
	for name, tt := range bad {
		var kind *trace.Error
		if err := trace.Try(tt.f); !errors.As(err, &kind) || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: got %v, want %s", name, err, tt.want)
		}
	}
}

func TestNames(t *testing.T) {
	for f, want := range map[string]any{"sin": sin, "params.apply": params{}.apply, "params.point": (&params{}).point} {
		c, err := trace.CallableOf(want)
		if err != nil || c.Name() != f {
			t.Errorf("got %s, want %s (%v)", c.Name(), f, err)
		}
	}
}

func (p params) apply(x *array.Array) *array.Array  { return x }
func (p *params) point(x *array.Array) *array.Array { return x }

func TestEvalShape(t *testing.T) {
	got := trace.EvalShape(func(x *array.Array, p params) map[string]any {
		return map[string]any{"y": add(x, p.W), "p": params{p.W, nil}, "n": 2}
	}, f32(3), params{W: f32()})
	m := got.(map[string]any)
	for name, want := range map[string]string{"y": "f32[3]", "n": "i64*[]"} {
		if a := m[name].(*array.Array).Aval().String(); a != want {
			t.Errorf("%s is %s, want %s", name, a, want)
		}
	}
	if p := m["p"].(params); p.W.Aval().String() != "f32[]" || p.B != nil {
		t.Errorf("p is %v", p)
	}
}

func BenchmarkRecord(b *testing.B) {
	const n = 1000
	f := func(x *array.Array) *array.Array {
		for range n {
			x = add(x, x)
		}
		return x
	}
	x := f32(3)
	b.ReportAllocs()
	for b.Loop() {
		trace.Of(f, x)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/eqn")
}
