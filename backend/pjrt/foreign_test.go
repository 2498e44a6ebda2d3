package pjrt

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/backend"
	"github.com/pantograph-go/pantograph/lower/hlo"
)

// handlers finds Go functions by target.
type handlers map[string]handler

type handler func(ctx context.Context, c *backend.CallFrame) error

func (h handler) Call(ctx context.Context, c *backend.CallFrame) error { return h(ctx, c) }

func (h handlers) Handler(target, platform string, apiVersion int) (backend.Handler, bool) {
	f, ok := h[target]
	return f, ok && platform == "cpu"
}

// module builds a module whose main has parameters of the given types.
func module(tb testing.TB, in []array.Aval, body func(b *hlo.Builder, args []*hlo.Value) []*hlo.Value) *hlo.Module {
	tb.Helper()
	m := &hlo.Module{Name: "test"}
	types := make([]hlo.Type, len(in))
	for i, a := range in {
		types[i] = hlo.TensorOf(a)
	}
	b := hlo.NewBuilder(m, "cpu")
	_, err := b.Func("main", false, types, func(args []*hlo.Value) ([]*hlo.Value, error) { return body(b, args), nil })
	if err != nil {
		tb.Fatal(err)
	}
	return m
}

// customCall is a call of version 4.
func customCall(b *hlo.Builder, target string, attrs hlo.Attrs, out array.Aval, in ...*hlo.Value) *hlo.Value {
	return b.Append(&hlo.Op{Name: "stablehlo.custom_call", Operands: in, Loc: hlo.Loc{Name: "jit(f)", File: "model.go", Line: 41}, Attrs: hlo.Attrs{}.
		Set("call_target_name", hlo.Str(target)).Set("api_version", hlo.I32(4)).Set("backend_config", hlo.Dict(attrs))}, hlo.TensorOf(out)).Results[0]
}

func compile(tb testing.TB, m *hlo.Module, opts backend.Options) *Executable {
	tb.Helper()
	e, err := cpu(tb).Compile(context.Background(), m, opts)
	if err != nil {
		tb.Fatalf("%v\n%s", err, m)
	}
	tb.Cleanup(func() { e.Close() })
	return e.(*Executable)
}

// scale multiplies by the attribute "by".
func scale(_ context.Context, c *backend.CallFrame) error {
	by := float32(c.Attrs.Get("by").(hlo.Float).Value)
	for i, v := range array.View[float32](c.Operands[0]) {
		array.View[float32](c.Results[0])[i] += by * v // the result begins as zero
	}
	return nil
}

var by = func(v float64) hlo.Attrs { return hlo.Attrs{{Name: "by", Value: hlo.Float{Value: v, Type: "f32"}}} }

func TestForeignCall(t *testing.T) {
	v := typed(array.Float32, 4)
	m := module(t, []array.Aval{v}, func(b *hlo.Builder, x []*hlo.Value) []*hlo.Value {
		y := customCall(b, "scale", by(2), v, x[0])
		return []*hlo.Value{customCall(b, "scale", by(10), v, y), y}
	})
	before := m.String()
	e := compile(t, m, backend.Options{Handlers: handlers{"scale": scale}})
	if got := m.String(); got != before {
		t.Errorf("compiling changed the module to %s", got)
	}
	got := values[float32](t, execute(t, e, f32(1, 2, 3, 4))[0])
	if want := []float32{20, 40, 60, 80}; fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

type ctxKey struct{}

func TestForeignErrors(t *testing.T) {
	v := typed(array.Float32, 4)
	sentinel := errors.New("the furnace is cold")
	m := module(t, []array.Aval{v}, func(b *hlo.Builder, x []*hlo.Value) []*hlo.Value {
		return []*hlo.Value{customCall(b, "fail", nil, v, x[0])}
	})
	for _, tt := range []struct {
		name string
		h    handler
		want string
	}{
		{"error", func(context.Context, *backend.CallFrame) error { return sentinel }, "model.go:41: stablehlo.custom_call: the furnace is cold"},
		{"panic", func(context.Context, *backend.CallFrame) error { panic("ouch") }, `the handler of "fail" panicked: ouch`},
		{"context", func(ctx context.Context, _ *backend.CallFrame) error {
			return fmt.Errorf("ctx %v", ctx.Value(ctxKey{}))
		}, "ctx hello"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			e := compile(t, m, backend.Options{Handlers: handlers{"fail": tt.h}})
			_, err := e.Execute(context.WithValue(t.Context(), ctxKey{}, "hello"), []array.Data{f32(1, 2, 3, 4)})
			var at *array.Error
			if err == nil || !strings.Contains(err.Error(), tt.want) || !errors.As(err, &at) || at.Pos.Line != 41 {
				t.Errorf("got %v, want …%s…", err, tt.want)
			}
			if tt.name == "error" && !errors.Is(err, sentinel) {
				t.Error("the handler's own error is lost")
			}
		})
	}
	for _, version := range []int{1, 4} {
		m.Func("main").Body.Block().Ops[0].Attrs = m.Func("main").Body.Block().Ops[0].Attrs.Set("api_version", hlo.I32(version))
		if version == 1 {
			m.Func("main").Body.Block().Ops[0].Attrs = m.Func("main").Body.Block().Ops[0].Attrs.Set("backend_config", nil)
		}
		var missing *array.TargetError
		_, err := cpu(t).Compile(t.Context(), m, backend.Options{})
		if !errors.As(err, &missing) || !strings.HasPrefix(err.Error(), `model.go:41: stablehlo.custom_call: no handler is registered for target "fail" on platform cpu`) {
			t.Errorf("version %d without a handler: got %v", version, err)
		}
	}
}

// What a handler gets is what the module says, whatever XLA could carry: attributes of any kind, calls of older versions
// with their text, calls inside a loop, narrow types, aliased results, other layouts.
func TestForeignForms(t *testing.T) {
	v := typed(array.Float32, 2)
	call := func(h handler, attrs hlo.Attrs, in, out array.Aval, x array.Data) backend.Buffer {
		t.Helper()
		m := module(t, avals(in), func(b *hlo.Builder, x []*hlo.Value) []*hlo.Value {
			return b.Append(&hlo.Op{Name: "stablehlo.custom_call", Operands: x, Attrs: attrs.Set("call_target_name", hlo.Str("a target"))}, hlo.TensorOf(out)).Results
		})
		return execute(t, compile(t, m, backend.Options{Handlers: handlers{"a target": h}}), x)[0]
	}
	four := hlo.Attrs{{Name: "api_version", Value: hlo.I32(4)}}

	list := hlo.Array{hlo.Str("p"), hlo.TypeAttr{Type: hlo.Scalar{Name: "f32"}}, hlo.Float{Value: 2, Type: "f16"}}
	call(func(_ context.Context, c *backend.CallFrame) error {
		if got := hlo.AttrString(c.Attrs.Get("list")); c.Target != "a target" || got != hlo.AttrString(list) {
			t.Errorf("target %q, list %s", c.Target, got)
		}
		return nil
	}, four.Set("backend_config", hlo.Dict{{Name: "list", Value: list}}), v, v, f32(1, 2))

	call(func(_ context.Context, c *backend.CallFrame) error {
		if c.Opaque != "some text" || len(c.Attrs) != 0 {
			t.Errorf("opaque %q, attributes %v", c.Opaque, c.Attrs)
		}
		return nil
	}, hlo.Attrs{{Name: "api_version", Value: hlo.I32(2)}, {Name: "backend_config", Value: hlo.Str("some text")}}, v, v, f32(1, 2))

	call(func(_ context.Context, c *backend.CallFrame) error {
		if c.Attrs.Get("old") == nil {
			t.Errorf("the older form of version 4: attributes %v", c.Attrs)
		}
		return nil
	}, hlo.Attrs{{Name: "mhlo.backend_config", Value: hlo.Dict{{Name: "old", Value: hlo.Bool(true)}}}}, v, v, f32(1, 2))

	if cpu(t).plugin.minor >= narrowSafe {
		nibbles := typed(array.Int4, 3)
		got := call(func(_ context.Context, c *backend.CallFrame) error {
			for i, v := range array.View[int8](c.Operands[0]) {
				array.View[int8](c.Results[0])[i] = -v
			}
			return nil
		}, four, nibbles, nibbles, host(array.Int4, []int8{-7, 0, 5}, 3))
		same(t, values[int8](t, got), []int8{7, 0, -5})
	}

	alias := four.Set("output_operand_aliases", hlo.Array{hlo.OutputAlias{}})
	got := call(func(_ context.Context, c *backend.CallFrame) error {
		array.View[float32](c.Results[0])[0] += 10
		return nil
	}, alias, v, v, f32(1, 2))
	same(t, values[float32](t, got), []float32{11, 2})

	index := func(order ...int64) hlo.Attr {
		return hlo.Array{&hlo.Dense{Type: hlo.Tensor{Shape: array.Shape{2}, Elem: array.Int64, ElemName: "index"}, Data: host(array.Int64, order, 2)}}
	}
	m23 := typed(array.Float32, 2, 3)
	got = call(func(_ context.Context, c *backend.CallFrame) error {
		same(t, array.View[float32](c.Operands[0]), []float32{0, 3, 1, 4, 2, 5})
		if !c.Operands[0].Shape().Equal(array.Shape{2, 3}) {
			t.Errorf("shape %v", c.Operands[0].Shape())
		}
		copy(c.Results[0].Bytes(), c.Operands[0].Bytes())
		return nil
	}, four.Set("operand_layouts", index(0, 1)).Set("result_layouts", index(0, 1)), m23, m23, host(array.Float32, []float32{0, 1, 2, 3, 4, 5}, 2, 3))
	same(t, values[float32](t, got), []float32{0, 1, 2, 3, 4, 5})
}

// A call in the body of a loop runs once a round; equal calls may be merged, unequal ones not.
func TestForeignInLoop(t *testing.T) {
	v, n := typed(array.Float32, 2), typed(array.Int32)
	types := []hlo.Type{hlo.TensorOf(n), hlo.TensorOf(v)}
	m := module(t, avals(v), func(b *hlo.Builder, x []*hlo.Value) []*hlo.Value {
		cond, err := b.Region(types, func(c []*hlo.Value) ([]*hlo.Value, error) {
			return []*hlo.Value{b.Op1("stablehlo.compare", typed(array.Bool), hlo.Attrs{{Name: "comparison_direction", Value: hlo.SHLO("comparison_direction", "LT")}}, c[0], b.Splat(n, 5))}, nil
		})
		if err != nil {
			t.Fatal(err)
		}
		body, err := b.Region(types, func(c []*hlo.Value) ([]*hlo.Value, error) {
			return []*hlo.Value{b.Op1("stablehlo.add", n, nil, c[0], b.Splat(n, 1)), customCall(b, "scale", by(2), v, c[1])}, nil
		})
		if err != nil {
			t.Fatal(err)
		}
		return b.Append(&hlo.Op{Name: "stablehlo.while", Operands: []*hlo.Value{b.Splat(n, 0), x[0]}, Regions: []*hlo.Region{cond, body}}, types...).Results[1:]
	})
	before := m.String()
	var calls atomic.Int64
	e := compile(t, m, backend.Options{Handlers: handlers{"scale": func(ctx context.Context, c *backend.CallFrame) error {
		calls.Add(1)
		return scale(ctx, c)
	}}})
	same(t, values[float32](t, execute(t, e, f32(1, 3))[0]), []float32{32, 96})
	if calls.Load() != 5 {
		t.Errorf("%d calls, want 5", calls.Load())
	}
	if m.String() != before {
		t.Error("compiling changed the module")
	}
}

// Two programs may have different handlers under one name.
func TestForeignSameName(t *testing.T) {
	v := typed(array.Float32, 1)
	m := module(t, avals(v), func(b *hlo.Builder, x []*hlo.Value) []*hlo.Value {
		return []*hlo.Value{customCall(b, "f", nil, v, x[0])}
	})
	constant := func(k float32) handler {
		return func(_ context.Context, c *backend.CallFrame) error {
			array.View[float32](c.Results[0])[0] = k
			return nil
		}
	}
	one, two := compile(t, m, backend.Options{Handlers: handlers{"f": constant(1)}}), compile(t, m, backend.Options{Handlers: handlers{"f": constant(2)}})
	same(t, values[float32](t, execute(t, two, f32(0))[0]), []float32{2})
	same(t, values[float32](t, execute(t, one, f32(0))[0]), []float32{1})
}

// Handlers run on threads of the plugin, from many goroutines at once, while Go's collector and stacks move.
func TestForeignConcurrent(t *testing.T) {
	v := typed(array.Float32, 64)
	m := module(t, []array.Aval{v}, func(b *hlo.Builder, x []*hlo.Value) []*hlo.Value {
		return []*hlo.Value{customCall(b, "scale", by(3), v, customCall(b, "scale", by(2), v, x[0]))}
	})
	var calls atomic.Int64
	e := compile(t, m, backend.Options{Handlers: handlers{"scale": func(ctx context.Context, c *backend.CallFrame) error {
		if calls.Add(1)%64 == 0 {
			runtime.GC()
		}
		deep(500)
		return scale(ctx, c)
	}}})
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Go(func() {
			x := array.NewBuffer(array.Float32, array.Shape{64})
			for i := range array.View[float32](x) {
				array.View[float32](x)[i] = float32(g*i + 1)
			}
			for range 100 {
				out, err := e.Execute(context.Background(), []array.Data{x})
				if err != nil {
					t.Error(err)
					return
				}
				h, err := out[0].Host()
				if err != nil {
					t.Error(err)
					return
				}
				for i, v := range array.View[float32](h) {
					if v != 6*float32(g*i+1) {
						t.Errorf("goroutine %d, element %d: got %v", g, i, v)
						return
					}
				}
				out[0].Delete()
			}
		})
	}
	wg.Wait()
	if calls.Load() != 1600 {
		t.Errorf("%d calls, want 1600", calls.Load())
	}
}

func deep(n int) byte {
	var pad [512]byte
	if n == 0 {
		return pad[0]
	}
	return deep(n-1) + pad[n%len(pad)]
}

// Calls with a side effect happen in the order of the text, in loops, branches and functions too, although nothing but
// that order connects them.
func TestForeignOrder(t *testing.T) {
	n, v := typed(array.Int32), typed(array.Float32, 2)
	types := []hlo.Type{hlo.TensorOf(n), hlo.TensorOf(v)}
	var b *hlo.Builder
	say := func(x *hlo.Value, word string, more ...hlo.NamedAttr) *hlo.Value {
		attrs := hlo.Attrs(more).Set("call_target_name", hlo.Str("say")).Set("api_version", hlo.I32(4)).Set("has_side_effect", hlo.Bool(true)).
			Set("backend_config", hlo.Dict{{Name: "word", Value: hlo.Str(word)}})
		return b.Append(&hlo.Op{Name: "stablehlo.custom_call", Operands: []*hlo.Value{x}, Attrs: attrs}, x.Type).Results[0]
	}
	region := func(args []hlo.Type, body func(x []*hlo.Value) []*hlo.Value) *hlo.Region {
		r, err := b.Region(args, func(x []*hlo.Value) ([]*hlo.Value, error) { return body(x), nil })
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	m := &hlo.Module{Name: "order"}
	b = hlo.NewBuilder(m, "cpu")
	inner, err := b.Func("inner", true, types[1:], func(x []*hlo.Value) ([]*hlo.Value, error) {
		say(x[0], "inner")
		return x, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	_, err = b.Func("main", false, types[1:], func(x []*hlo.Value) ([]*hlo.Value, error) {
		for _, w := range []string{"a", "b", "c"} {
			say(x[0], w)
		}
		loop := b.Append(&hlo.Op{Name: "stablehlo.while", Operands: []*hlo.Value{b.Splat(n, 0), x[0]}, Regions: []*hlo.Region{
			region(types, func(c []*hlo.Value) []*hlo.Value {
				return []*hlo.Value{b.Op1("stablehlo.compare", typed(array.Bool), hlo.Attrs{{Name: "comparison_direction", Value: hlo.SHLO("comparison_direction", "LT")}}, c[0], b.Splat(n, 3))}
			}),
			region(types, func(c []*hlo.Value) []*hlo.Value {
				say(c[0], "round")
				b.Call(inner, c[1])
				return []*hlo.Value{b.Op1("stablehlo.add", n, nil, c[0], b.Splat(n, 1)), c[1]}
			}),
		}}, types...)
		say(x[0], "between")
		branch := b.Append(&hlo.Op{Name: "stablehlo.case", Operands: loop.Results[:1], Regions: []*hlo.Region{
			region(nil, func([]*hlo.Value) []*hlo.Value { return x }),
			region(nil, func([]*hlo.Value) []*hlo.Value { return []*hlo.Value{say(x[0], "branch")} }),
		}}, types[1])
		// The result begins as the operand, which stays what it was.
		last := say(x[0], "last", hlo.NamedAttr{Name: "output_operand_aliases", Value: hlo.Array{hlo.OutputAlias{}}})
		return []*hlo.Value{branch.Results[0], last, x[0]}, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	before := m.String()
	var words []string
	e := compile(t, m, backend.Options{Handlers: handlers{"say": func(_ context.Context, c *backend.CallFrame) error {
		word := c.Attrs.Get("word").(hlo.String).Value
		if len(c.Operands) != 1 || len(c.Results) != 1 {
			t.Errorf("%s: %d operands, %d results", word, len(c.Operands), len(c.Results))
		}
		if word == "round" {
			word += strconv.Itoa(int(array.View[int32](c.Operands[0])[0]))
		} else {
			array.View[float32](c.Results[0])[0]++
		}
		words = append(words, word) // one after the other: no lock
		return nil
	}}})
	if m.String() != before {
		t.Error("compiling changed the module")
	}
	for range 5 {
		words = nil
		out := execute(t, e, f32(7, 8))
		same(t, words, []string{"a", "b", "c", "round0", "inner", "round1", "inner", "round2", "inner", "between", "branch", "last"})
		same(t, values[float32](t, out[0]), []float32{1, 0})
		same(t, values[float32](t, out[1]), []float32{8, 8})
		same(t, values[float32](t, out[2]), []float32{7, 8})
	}
}

// binder is a handler that is bound to each call.
type binder struct {
	opened, closed atomic.Int32
	refuse         error
	last           *instance
}

type instance struct {
	b    *binder
	site *backend.CallSite
	runs []int64
	ends int
}

func (b *binder) Call(context.Context, *backend.CallFrame) error {
	return errors.New("the handler was called in place of its instance")
}

func (b *binder) Instantiate(_ context.Context, s *backend.CallSite) (backend.Instance, error) {
	if b.refuse != nil {
		return nil, b.refuse
	}
	b.opened.Add(1)
	b.last = &instance{b: b, site: s}
	return b.last, nil
}

func (i *instance) Call(_ context.Context, c *backend.CallFrame) error {
	if c.CallSite != i.site || c.Memo != nil && c.Memo != i {
		return errors.New("a frame of another call")
	}
	c.Memo = i
	i.runs = append(i.runs, c.Run.ID)
	_, err := c.Run.Value(i, func() (any, func(), error) { return nil, func() { i.ends++ }, nil })
	copy(c.Results[0].Bytes(), c.Operands[0].Bytes())
	return err
}

func (i *instance) Overwrites() bool { return true }
func (i *instance) Close() error     { i.b.closed.Add(1); return nil }

func TestForeignInstances(t *testing.T) {
	v := typed(array.Float32, 2)
	m := module(t, avals(v), func(b *hlo.Builder, x []*hlo.Value) []*hlo.Value {
		y := customCall(b, "bind", by(1), v, x[0])
		return []*hlo.Value{customCall(b, "bind", by(2), v, y)}
	})
	b := &binder{}
	bind := table{"bind": b}
	e, err := cpu(t).Compile(t.Context(), m, backend.Options{Handlers: bind})
	if err != nil {
		t.Fatal(err)
	}
	last := b.last
	if b.opened.Load() != 2 || last.site.Target != "bind" || last.site.APIVersion != 4 || last.site.Loc.Line != 41 ||
		len(last.site.Operands) != 1 || !last.site.Results[0].Equal(v) || last.site.Attrs.Get("by") != by(2)[0].Value {
		t.Errorf("%d instances, the last of %+v", b.opened.Load(), last.site)
	}
	for range 3 {
		same(t, values[float32](t, execute(t, e.(*Executable), f32(1, 2))[0]), []float32{1, 2})
	}
	if len(last.runs) != 3 || last.runs[0] <= 0 || last.runs[0] == last.runs[1] || last.ends != 3 {
		t.Errorf("runs %v, %d of them ended", last.runs, last.ends)
	}
	e.Close()
	e.Close()
	if b.closed.Load() != 2 {
		t.Errorf("%d instances are closed, want 2", b.closed.Load())
	}
	// Dropped without Close.
	if _, err = cpu(t).Compile(t.Context(), m, backend.Options{Handlers: bind}); err != nil {
		t.Fatal(err)
	}
	for range 100 {
		runtime.GC()
		if b.closed.Load() == 4 {
			break
		}
		time.Sleep(time.Millisecond)
	}
	if b.closed.Load() != 4 {
		t.Errorf("%d instances are closed, want 4", b.closed.Load())
	}
	// A compilation that fails closes what it opened, and gives the handler's own error with the line.
	wrong := module(t, avals(v), func(b *hlo.Builder, x []*hlo.Value) []*hlo.Value {
		return []*hlo.Value{customCall(b, "nobody", nil, v, customCall(b, "bind", by(1), v, x[0]))}
	})
	if _, err := cpu(t).Compile(t.Context(), wrong, backend.Options{Handlers: bind}); err == nil || b.opened.Load() != 5 || b.closed.Load() != 5 {
		t.Errorf("failed compilation: %v; %d opened, %d closed", err, b.opened.Load(), b.closed.Load())
	}
	b.refuse = errors.New("not this one")
	if _, err := cpu(t).Compile(t.Context(), m, backend.Options{Handlers: bind}); !errors.Is(err, b.refuse) || !strings.HasPrefix(err.Error(), "model.go:41: ") {
		t.Errorf("refused: %v", err)
	}
}

// table finds handlers of any kind by target.
type table map[string]backend.Handler

func (h table) Handler(target, _ string, _ int) (backend.Handler, bool) {
	f, ok := h[target]
	return f, ok
}

func BenchmarkForeignCall(b *testing.B) {
	v := typed(array.Float32, 4)
	m := module(b, []array.Aval{v}, func(b *hlo.Builder, x []*hlo.Value) []*hlo.Value {
		return []*hlo.Value{customCall(b, "scale", by(2), v, x[0])}
	})
	e := compile(b, m, backend.Options{Handlers: handlers{"scale": scale}})
	x, _ := cpu(b).Put(f32(1, 2, 3, 4), cpu(b).Devices()[0])
	args := []array.Data{x}
	b.ReportAllocs()
	for b.Loop() {
		out, err := e.Execute(context.Background(), args)
		if err != nil {
			b.Fatal(err)
		}
		out[0].Delete()
	}
}
