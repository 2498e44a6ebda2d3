package pjrt

import (
	"bytes"
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/backend"
	"github.com/pantograph-go/pantograph/lower/hlo"
)

// A module that cannot be parsed is an *Error with the place in the text.
func TestCompileErrors(t *testing.T) {
	b := cpu(t)
	p := &prepared{}
	for _, tt := range []struct {
		name, text   string
		line, column int
		want         string
	}{
		{"undefined", "module {\n  func.func public @main() -> tensor<f32> {\n    return %0 : tensor<f32>\n  }\n}", 3, 12, "use of undeclared SSA value name"},
		{"unknown op", "module {\n  func.func public @main() {\n    stablehlo.nonsense\n    return\n  }\n}", 3, 5, "stablehlo.nonsense"},
		{"types", strings.Replace(addText, "%a, %b : tensor<4xf32>", "%a, %b : tensor<5xf32>", 1), 4, 24, "expects different type"},
		{"no main", "module {\n}", 1, 1, "main"},
		{"empty", "", 0, 0, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := b.compile("jit_step", tt.text, p)
			var e *Error
			if !errors.As(err, &e) || e.Op != "compile" || e.Module != "jit_step" || e.Code == 0 || !strings.Contains(err.Error(), tt.want) {
				t.Fatalf("got %v, want …%s…", err, tt.want)
			}
			if e.Line != tt.line || e.Column != tt.column {
				t.Errorf("at %d:%d, want %d:%d: %v", e.Line, e.Column, tt.line, tt.column, err)
			}
			if !strings.HasPrefix(err.Error(), "pjrt:cpu: compile jit_step: "+e.Code.String()+": ") {
				t.Errorf("got %v", err)
			}
		})
	}
	// What XLA has no counterpart for is a feature that is missing, not a mistake.
	const quantized = `module { func.func public @main(%a: tensor<2xf32>) -> tensor<2xf32> {
		%0 = stablehlo.uniform_quantize %a : (tensor<2xf32>) -> tensor<2x!quant.uniform<i8:f32, 0.1>>
		%1 = stablehlo.uniform_dequantize %0 : (tensor<2x!quant.uniform<i8:f32, 0.1>>) -> tensor<2xf32>
		return %1 : tensor<2xf32> } }`
	var missing *backend.Unsupported
	var detail *Error
	if _, err := b.compile("q", quantized, p); !errors.As(err, &missing) || !errors.As(err, &detail) || missing.Feature != "pjrt:cpu: stablehlo.uniform_quantize" {
		t.Errorf("quantized: %v", err)
	}
	wrong := *b
	wrong.overrides = map[string]any{"xla_no_such_option": true}
	var e *Error
	if _, err := wrong.compile("jit_step", addText, p); !errors.As(err, &e) || !strings.Contains(err.Error(), "xla_no_such_option") {
		t.Errorf("unknown override: got %v", err)
	}
	wrong.overrides = map[string]any{"xla_backend_optimization_level": 0}
	if _, err := wrong.compile("jit_step", addText, p); err != nil {
		t.Errorf("override: %v", err)
	}
}

// The smallest options are those of the specification; the user's word on exactness counts.
func TestCompileOptions(t *testing.T) {
	got, err := compileOptions(nil)
	if err != nil || !bytes.Equal(got, []byte{0x1a, 4, 0x20, 1, 0x28, 1, 0x20, 1}) {
		t.Errorf("got %x, %v", got, err)
	}
	got, err = compileOptions(map[string]any{"b": true, "a": "x", "c": 3, "d": 0.5})
	want := append([]byte{0x1a, 4, 0x20, 1, 0x28, 1, 0x20, 1}, "\x3a\x08\x0a\x01a\x12\x03\x0a\x01x"+"\x3a\x07\x0a\x01b\x12\x02\x10\x01"+"\x3a\x07\x0a\x01c\x12\x02\x18\x03"+
		"\x3a\x0e\x0a\x01d\x12\x09\x21\x00\x00\x00\x00\x00\x00\xe0\x3f"...)
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("got %x, %v\nwant %x", got, err, want)
	}
	var e *array.ArgumentError
	if _, err := compileOptions(map[string]any{"a": nil}); !errors.As(err, &e) {
		t.Errorf("nil: %v", err)
	}
	const name = "xla_cpu_enable_fast_min_max"
	for _, tt := range []struct {
		platform, flags string
		given           map[string]any
		want            any
	}{{"cpu", "", nil, false}, {"cpu", "", map[string]any{name: true}, true}, {"cpu", "--" + name + "=true", nil, nil}, {"tpu", "", nil, nil}} {
		if got := withExactness(tt.platform, tt.flags, tt.given)[name]; got != tt.want {
			t.Errorf("%+v: got %v", tt, got)
		}
	}
}

func TestModuleErrors(t *testing.T) {
	b := cpu(t)
	dynamic := func(b *hlo.Builder, x []*hlo.Value) []*hlo.Value { return x }
	for _, tt := range []struct {
		name string
		m    *hlo.Module
		opts backend.Options
		want string
	}{
		{"no main", &hlo.Module{Name: "lib"}, backend.Options{}, "the module lib has no function main"},
		{"dynamic", module(t, avals(typed(array.Float32, hlo.Dynamic)), dynamic), backend.Options{}, "not supported by this engine: pjrt:cpu: argument 0 of main of type tensor<?xf32>"},
		{"six bits", module(t, avals(typed(array.Float6E2M3FN, 2)), dynamic), backend.Options{}, "argument 0 of main of type tensor<2xf6E2M3FN>"},
		{"donate", module(t, avals(typed(array.Float32)), dynamic), backend.Options{Donate: []int{1}}, "argument 1 is to be donated, but main has 1"},
	} {
		if _, err := b.Compile(t.Context(), tt.m, tt.opts); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: got %v, want …%s…", tt.name, err, tt.want)
		}
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := addProgram(t).Execute(ended, []array.Data{f32(1, 2, 3, 4), f32(1, 2, 3, 4)}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: got %v", err)
	}
}

func TestArgumentErrors(t *testing.T) {
	b, e := cpu(t), addProgram(t)
	x := f32(1, 2, 3, 4)
	gone, err := b.Put(x, b.Devices()[0])
	if err != nil {
		t.Fatal(err)
	}
	gone.Delete()
	gone.Delete()
	for _, tt := range []struct {
		name string
		args []array.Data
		want string
	}{
		{"count", []array.Data{x}, "main takes 2 arguments, got 1"},
		{"shape", []array.Data{x, f32(1)}, "argument 1 of main is f32[4], got f32[1]"},
		{"dtype", []array.Data{x, array.NewBuffer(array.Int32, array.Shape{4})}, "argument 1 of main is f32[4], got i32[4]"},
		{"deleted", []array.Data{x, gone}, "f32[4] was deleted and cannot be used any more"},
	} {
		if _, err := e.Execute(t.Context(), tt.args); err == nil || err.Error() != tt.want {
			t.Errorf("%s: got %v, want %s", tt.name, err, tt.want)
		}
	}
	var donated *array.DonatedError
	if _, err := gone.Host(); !errors.As(err, &donated) {
		t.Errorf("Host of a deleted buffer: %v", err)
	}
	e.Close()
	e.Close()
	var closed *Error
	if _, err := e.Execute(t.Context(), []array.Data{x, x}); !errors.As(err, &closed) || closed.Code != FailedPrecondition {
		t.Errorf("closed executable: got %v", err)
	}
}

// A donated buffer's memory becomes the result's; it cannot be used afterwards, whoever else wanted to.
func TestDonation(t *testing.T) {
	b := cpu(t)
	v := typed(array.Float32, 1024)
	m := module(t, avals(v, v), func(b *hlo.Builder, x []*hlo.Value) []*hlo.Value {
		return []*hlo.Value{b.Op1("stablehlo.add", v, nil, x...)}
	})
	e := compile(t, m, backend.Options{Name: "jit_step", Donate: []int{0}})
	if m.Func("main").ArgAttrs != nil {
		t.Error("compiling marked the caller's module")
	}
	ones, two := array.NewBuffer(array.Float32, v.Shape), array.NewBuffer(array.Float32, v.Shape)
	for i := range 1024 {
		array.View[float32](ones)[i], array.View[float32](two)[i] = 1, 2
	}
	put := func(d *array.Buffer) *Buffer {
		x, err := b.Put(d, b.Devices()[0])
		if err != nil {
			t.Fatal(err)
		}
		return x.(*Buffer)
	}
	x, y := put(ones), put(two)
	var q query
	q.handle = x.handle.ptr
	if err := call(b.plugin, bufferPointer, &q); err != nil {
		t.Fatal(err)
	}
	where := q.value
	out := execute(t, e, x, y)[0].(*Buffer)
	if got := values[float32](t, out); got[0] != 3 || got[1023] != 3 {
		t.Errorf("got %v", got[0])
	}
	q = query{}
	q.handle = out.handle.ptr
	if err := call(b.plugin, bufferPointer, &q); err != nil || q.value != where {
		t.Errorf("the result is at %#x, the donated argument was at %#x (%v)", q.value, where, err)
	}
	want := "f32[1024] was donated to jit_step and cannot be used any more"
	var donated *array.DonatedError
	if _, err := x.Host(); !errors.As(err, &donated) || err.Error() != want {
		t.Errorf("Host: %v", err)
	}
	if _, err := e.Execute(t.Context(), []array.Data{x, y}); !errors.As(err, &donated) || err.Error() != want {
		t.Errorf("Execute: %v", err)
	}
	if got := values[float32](t, y); got[0] != 2 {
		t.Errorf("the other argument is now %v", got[0])
	}
	// The same buffer twice: it cannot be both given away and read.
	z := put(ones)
	if _, err := e.Execute(t.Context(), []array.Data{z, z}); !errors.As(err, &donated) {
		t.Errorf("twice: %v", err)
	}
	// Host data is copied and the caller's memory never written.
	execute(t, e, ones, y)
	if got := array.View[float32](ones); got[0] != 1 {
		t.Errorf("the program wrote Go memory: %v", got[0])
	}
}

// Large aligned data is shared with the plugin, not copied; a program cannot be given it to write, and the memory stays
// while the plugin has it.
func TestSharing(t *testing.T) {
	b := cpu(t)
	n := sharing / 4
	v := typed(array.Float32, n)
	data := array.NewBuffer(array.Float32, v.Shape)
	for i := range array.View[float32](data) {
		array.View[float32](data)[i] = float32(i)
	}
	x, err := b.Put(data, b.Devices()[0])
	if err != nil {
		t.Fatal(err)
	}
	var q query
	q.handle = x.(*Buffer).handle.ptr
	if err := call(b.plugin, bufferPointer, &q); err != nil || q.value != addressOf(data) {
		t.Errorf("the plugin has the data at %#x, Go at %#x (%v)", q.value, addressOf(data), err)
	}
	m := module(t, avals(v), func(b *hlo.Builder, x []*hlo.Value) []*hlo.Value {
		return []*hlo.Value{b.Op1("stablehlo.negate", v, nil, x...)}
	})
	e := compile(t, m, backend.Options{Donate: []int{0}})
	out := execute(t, e, x)
	if got := values[float32](t, out[0]); got[5] != -5 {
		t.Errorf("got %v", got[5])
	}
	if got := array.View[float32](data); got[5] != 5 {
		t.Errorf("the program wrote Go memory: %v", got[5])
	}
	var donated *array.DonatedError
	if _, err := x.Host(); !errors.As(err, &donated) {
		t.Errorf("shared memory was donated, yet Host gives %v", err)
	}
	// Dropped at once, while programs read it.
	keep := compile(t, m, backend.Options{})
	for range 20 {
		d := array.NewBuffer(array.Float32, v.Shape)
		array.View[float32](d)[7] = 7
		x, err := b.Put(d, b.Devices()[0])
		if err != nil {
			t.Fatal(err)
		}
		out := execute(t, keep, x)
		x.Delete()
		x, d = nil, nil
		runtime.GC()
		if got := values[float32](t, out[0]); got[7] != -7 || got[8] != 0 {
			t.Errorf("got %v %v", got[7], got[8])
		}
	}
}

// Parameters and results in another order of axes: read right, and not taken for row-major.
func TestLayouts(t *testing.T) {
	b := cpu(t)
	v := typed(array.Float32, 2, 3)
	m := func(attr string) *hlo.Module {
		m := module(t, avals(v), func(b *hlo.Builder, x []*hlo.Value) []*hlo.Value { return x })
		m.Func("main").ArgAttrs = []hlo.Attrs{nil}
		m.Func("main").ResultAttrs = []hlo.Attrs{{{Name: "mhlo.layout_mode", Value: hlo.Str(attr)}}}
		return m
	}
	x := host(array.Float32, []float32{0, 1, 2, 3, 4, 5}, 2, 3)
	relay := compile(t, m("{0,1}"), backend.Options{})
	out := execute(t, relay, x)[0]
	same(t, values[float32](t, out), []float32{0, 1, 2, 3, 4, 5})
	plain := compile(t, m("default"), backend.Options{})
	var e *array.ArgumentError
	if _, err := plain.Execute(t.Context(), []array.Data{out}); !errors.As(err, &e) || !strings.Contains(err.Error(), "layout [0 1]") {
		t.Errorf("an argument of another layout: got %v", err)
	}
	takes := m("{1,0}")
	takes.Func("main").ArgAttrs[0] = hlo.Attrs{{Name: "mhlo.layout_mode", Value: hlo.Str("{0,1}")}}
	back := compile(t, takes, backend.Options{})
	same(t, values[float32](t, execute(t, back, out)[0]), []float32{0, 1, 2, 3, 4, 5})
	if _, err := back.Execute(t.Context(), []array.Data{x}); !errors.As(err, &e) {
		t.Errorf("host data for a parameter of another layout: got %v", err)
	}
	for mode, want := range map[string]string{"{0,2}": "not a permutation", "{0}": "not a permutation", "auto": `layout mode "auto"`} {
		if _, err := b.Compile(t.Context(), m(mode), backend.Options{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v", mode, err)
		}
	}
}

// Eight goroutines use one executable, each other's results and the collector at the same time.
func TestConcurrent(t *testing.T) {
	b, e := cpu(t), addProgram(t)
	one, err := b.Put(f32(1, 1, 1, 1), b.Devices()[0])
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Go(func() {
			var x array.Data = f32(0, 0, 0, 0)
			for i := range 200 {
				out, err := e.Execute(t.Context(), []array.Data{x, one})
				if err != nil {
					t.Error(err)
					return
				}
				if y, ok := x.(backend.Buffer); ok && i%2 == 0 {
					y.Delete()
				}
				x = out[0]
			}
			if got := values[float32](t, x); got[3] != 200 {
				t.Errorf("goroutine %d: got %v, want 200", g, got[3])
			}
		})
	}
	wg.Wait()
	// A buffer that is deleted by one goroutine while others use it: either a result or an error, never a crash.
	for range 50 {
		x, err := b.Put(f32(1, 2, 3, 4), b.Devices()[0])
		if err != nil {
			t.Fatal(err)
		}
		for range 4 {
			wg.Go(func() {
				out, err := e.Execute(t.Context(), []array.Data{x, one})
				var gone *array.DonatedError
				if err == nil {
					same(t, values[float32](t, out[0]), []float32{2, 3, 4, 5})
				} else if !errors.As(err, &gone) {
					t.Error(err)
				}
			})
		}
		wg.Go(x.Delete)
		wg.Wait()
	}
}

// Waiters beyond those that may block a thread are called back.
func TestManyWaiters(t *testing.T) {
	v := typed(array.Float32, 256, 256)
	m := module(t, avals(v), func(b *hlo.Builder, x []*hlo.Value) []*hlo.Value {
		y := x[0]
		for range 4 {
			y = b.Op1("stablehlo.dot_general", v, hlo.Attrs{{Name: "dot_dimension_numbers", Value: hlo.DotDims{LHSContracting: []int{1}, RHSContracting: []int{0}}}}, y, x[0])
		}
		return []*hlo.Value{y}
	})
	e := compile(t, m, backend.Options{})
	x := array.NewBuffer(array.Float32, v.Shape)
	for i := range 256 {
		array.View[float32](x)[i*257] = 2
	}
	var wg sync.WaitGroup
	for range 64 {
		wg.Go(func() {
			out := execute(t, e, x)
			if got := values[float32](t, out[0]); got[257] != 32 || got[1] != 0 {
				t.Errorf("got %v %v", got[257], got[1])
			}
		})
	}
	wg.Wait()
}

// Closing a backend does not pull the ground from under what is still in use.
func TestClose(t *testing.T) {
	cpu(t)
	b, err := Open(Options{})
	if err != nil {
		t.Fatal(err)
	}
	v := typed(array.Float32, 4)
	e := fromText(t, b, addText, avals(v, v), avals(v))
	out := execute(t, e, f32(1, 2, 3, 4), f32(1, 2, 3, 4))
	b.Close()
	b.Close()
	same(t, values[float32](t, out[0]), []float32{2, 4, 6, 8})
	var closed *Error
	if _, err := b.Put(f32(1), b.Devices()[0]); !errors.As(err, &closed) || closed.Code != FailedPrecondition {
		t.Errorf("Put: %v", err)
	}
	if _, err := b.Compile(t.Context(), &hlo.Module{}, backend.Options{}); !errors.As(err, &closed) {
		t.Errorf("Compile: %v", err)
	}
	e.Close()
	out[0].Delete()
	if !b.client.closed() {
		t.Error("the client is still open")
	}
}

// 2,000 executions do not grow the memory of the process. Results that are dropped without Delete do not pile up, and
// the account of the plugin's memory returns to what it was.
func TestLeak(t *testing.T) {
	b := cpu(t)
	v := typed(array.Float32, 1<<14)
	m := module(t, avals(v), func(b *hlo.Builder, x []*hlo.Value) []*hlo.Value {
		return []*hlo.Value{b.Op1("stablehlo.negate", v, nil, x...), customCall(b, "copy", nil, v, x[0])}
	})
	e := compile(t, m, backend.Options{Handlers: handlers{"copy": func(_ context.Context, c *backend.CallFrame) error {
		copy(c.Results[0].Bytes(), c.Operands[0].Bytes())
		return nil
	}}})
	x := array.NewBuffer(array.Float32, v.Shape)
	loop := func(n int, drop bool) (most int64) {
		for range n {
			for _, y := range execute(t, e, x) {
				if !drop {
					y.Delete()
				}
			}
			most = max(most, b.memory.held.Load())
		}
		settle(b)
		return most
	}
	loop(1000, false)
	held := b.memory.held.Load()
	grown := math.MaxInt
	for range 3 { // what leaks does so every time; a heap that settles does not
		start := resident(t)
		loop(2000, false)
		grown = min(grown, resident(t)-start)
	}
	if grown > 10<<20 {
		t.Errorf("2,000 executions take %d KB", grown>>10)
	}
	if most := loop(6000, true); most > 4*minTrigger {
		t.Errorf("the plugin held up to %d MB of dropped results", most>>20)
	}
	if got := b.memory.held.Load(); got > held {
		t.Errorf("the plugin holds %d bytes, before the loop %d", got, held)
	}
	left := 0
	b.plugin.foreign.runs.Range(func(any, any) bool { left++; return true })
	waiters.pending.Range(func(any, any) bool { left++; return true })
	if left != 0 {
		t.Errorf("%d runs or waiters are left over", left)
	}
}

// settle lets the collector and the cleanups it queues finish.
func settle(b *Backend) {
	for range 20 {
		runtime.GC()
		before := b.memory.held.Load()
		time.Sleep(5 * time.Millisecond)
		if b.memory.held.Load() == before {
			break
		}
	}
	debug.FreeOSMemory()
}

// resident is the memory of the process in bytes.
func resident(t *testing.T) int {
	text, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		t.Skip("this system does not tell the memory of a process in /proc")
	}
	pages, _ := strconv.Atoi(strings.Fields(string(text))[1])
	return pages * os.Getpagesize()
}

// XLA would end the process for a flag that it does not know.
func TestUnknownFlag(t *testing.T) {
	file := cpu(t).plugin.file
	for _, flags := range []string{"", "--xla_cpu_enable_fast_math=false --xla_backend_optimization_level=1", filepath.Join(t.TempDir(), "flags")} {
		if err := checkFlags(file, flags); err != nil {
			t.Errorf("%q: %v", flags, err)
		}
	}
	var e *FlagError
	for _, flags := range []string{"--xla_no_such_flag=1", "--xla_cpu_enable_fast_math --xla_no_such_flag", "--xla_cpu_enable_fast_mat"} {
		if err := checkFlags(file, flags); !errors.As(err, &e) || !slices.Contains(strings.Fields(flags), e.Flag) {
			t.Errorf("%q: got %v", flags, err)
		}
	}
}

// BenchmarkDispatch is the scalar sum of resident arrays: handing it over, and with reading the result.
func BenchmarkDispatch(b *testing.B) {
	be, s := cpu(b), typed(array.Float32)
	e := compile(b, module(b, avals(s, s), func(b *hlo.Builder, x []*hlo.Value) []*hlo.Value {
		return []*hlo.Value{b.Op1("stablehlo.add", s, nil, x...)}
	}), backend.Options{})
	var args []array.Data
	for range 2 {
		x, err := be.Put(scalar(array.Float32, float32(1)), be.Devices()[0])
		if err != nil {
			b.Fatal(err)
		}
		args = append(args, x)
	}
	for _, read := range []bool{false, true} {
		name := "execute"
		if read {
			name = "execute+host"
		}
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				out, err := e.Execute(context.Background(), args)
				if err != nil {
					b.Fatal(err)
				}
				if read {
					if _, err := out[0].Host(); err != nil {
						b.Fatal(err)
					}
				}
				out[0].Delete()
			}
		})
	}
}

// BenchmarkPut is a transfer to the plugin: copied below a mebibyte, shared from there on.
func BenchmarkPut(b *testing.B) {
	be := cpu(b)
	for _, n := range []int{1, 1 << 10, 1 << 16, 1 << 20} {
		data := array.NewBuffer(array.Float32, array.Shape{n})
		b.Run("f32/"+strconv.Itoa(n), func(b *testing.B) {
			b.SetBytes(int64(4 * n))
			for b.Loop() {
				x, err := be.Put(data, be.Devices()[0])
				if err != nil {
					b.Fatal(err)
				}
				x.Delete()
			}
		})
	}
}
