package ffi_test

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"testing"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/backend"
	"github.com/pantograph-go/pantograph/backend/cpu"
	ffi "github.com/pantograph-go/pantograph/ffi_call"
	"github.com/pantograph-go/pantograph/jit"
	"github.com/pantograph-go/pantograph/lower"
	"github.com/pantograph-go/pantograph/trace"
)

// nothing are handlers that do nothing, in the forms that Go handlers have.
var nothing = map[string]any{
	"Buffer":   func(x, y ffi.Buffer) error { return nil },
	"Context":  func(_ ffi.Context, x, y ffi.Buffer) error { return nil },
	"BufferR1": func(x, y ffi.BufferR1[float32]) error { return nil },
	"attrs": func(x, y ffi.Buffer, attrs struct {
		N int32 `ffi:"n"`
	}) error {
		return nil
	},
}

// BenchmarkCall times one foreign call on buffers of 16 bytes in a compiled program: of 100 calls, each on the result of
// the one before, divided by 100.
func BenchmarkCall(b *testing.B) {
	const calls = 100
	chain := func(b *testing.B, s ffi.Spec) {
		f := func(x *array.Array) *array.Array {
			for range calls {
				x = ffi.Call(s, x)
			}
			return x
		}
		m, err := lower.Module("chain", trace.Of(f, trace.Spec(array.Float32, 4)), lower.Options{})
		if err != nil {
			b.Fatal(err)
		}
		exe, err := cpu.New().Compile(context.Background(), m, backend.Options{Handlers: ffi.Handlers})
		if err != nil {
			b.Fatal(err)
		}
		defer exe.Close()
		args := []array.Data{array.NewBuffer(array.Float32, array.Shape{4})}
		b.ReportAllocs()
		for b.Loop() {
			if _, err := exe.Execute(context.Background(), args); err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/calls, "ns/call")
	}
	spec := ffi.Spec{Target: "bench", HasSideEffect: true, Results: []ffi.Result{{Shape: array.Shape{4}, DType: array.Float32}}}
	for _, name := range []string{"Buffer", "Context", "BufferR1", "attrs"} {
		b.Run("go/"+name, func(b *testing.B) {
			register(b, "bench", nothing[name])
			s := spec
			if name == "attrs" {
				s.Attrs = ffi.Attrs{"n": int32(1)}
			}
			chain(b, s)
		})
	}
	b.Run("c", func(b *testing.B) {
		register(b, "bench", library(b, "errors").Symbol("FailWithCode"))
		s := spec
		s.Attrs = ffi.Attrs{"code": 0}
		chain(b, s)
	})
}

// BenchmarkJitted times a jitted function that is one call, with all that surrounds it.
func BenchmarkJitted(b *testing.B) {
	for _, name := range []string{"go", "c"} {
		b.Run(name, func(b *testing.B) {
			s := ffi.Spec{Target: "bench", Results: []ffi.Result{{Shape: array.Shape{4}, DType: array.Float32}}}
			if name == "go" {
				register(b, "bench", nothing["Buffer"])
			} else {
				register(b, "bench", library(b, "errors").Symbol("FailWithCode"))
				s.Attrs = ffi.Attrs{"code": 0}
			}
			f := jit.Of(func(x *array.Array) *array.Array { return ffi.Call(s, x) })
			x := f32(1, 2, 3, 4)
			b.ReportAllocs()
			for b.Loop() {
				f.Call(x)
			}
		})
	}
}

// resident is the memory of Go that is in use.
func resident() int {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int(m.HeapAlloc)
}

// Calls leave nothing behind: 10,000 of them, or as many as FFI_CALLS says.
func TestCallsDoNotGrowMemory(t *testing.T) {
	calls := 10_000
	if _, err := fmt.Sscan(os.Getenv("FFI_CALLS"), &calls); err == nil {
		t.Logf("%d calls", calls)
	}
	lib := library(t, "rms_norm")
	register(t, "RmsNormForward", lib.Symbol("RmsNormForward"))
	register(t, "FailWithCode", library(t, "errors").Symbol("FailWithCode"))
	x := f32(1, 2, 3, 4)
	f := jit.Of(func(x *array.Array) *array.Array { return rmsForward(x)[0] })
	failing := jit.Of(func(x *array.Array) *array.Array {
		return ffi.Call(ffi.Spec{Target: "FailWithCode", Attrs: ffi.Attrs{"code": 3}, Results: []ffi.Result{ffi.ResultOf(x)}}, x)
	})
	run := func(n int) {
		for i := range n {
			f.Call(x)
			if i%10 == 0 {
				if _, err := failing.Run(t.Context(), x); err == nil {
					t.Fatal("no error")
				}
			}
		}
	}
	run(1000)
	before := resident()
	run(calls)
	if grown := resident() - before; grown > 1<<20 {
		t.Errorf("%d calls took %d KB", calls, grown>>10)
	}
}
