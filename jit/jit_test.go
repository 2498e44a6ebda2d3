package jit_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/jit"
	"github.com/pantograph-go/pantograph/np"
	"github.com/pantograph-go/pantograph/trace"
	"github.com/pantograph-go/pantograph/vjp"
	"github.com/pantograph-go/pantograph/vmap"
)

func floats(v ...float64) *array.Array { return np.Asarray(v) }

func equal(t *testing.T, got *array.Array, want ...float64) {
	t.Helper()
	g := got.Float64s()
	if len(g) != len(want) {
		t.Fatalf("got %v, want %v", g, want)
	}
	for i := range g {
		if d := g[i] - want[i]; d > 1e-12 || d < -1e-12 {
			t.Errorf("element %d is %v, want %v", i, g[i], want[i])
		}
	}
}

func TestTracedOncePerKindOfArguments(t *testing.T) {
	traced := 0
	f := jit.Of(func(x *array.Array) *array.Array { traced++; return x.Mul(2) })
	equal(t, f.Call(floats(1, 2)), 2, 4)
	equal(t, f.Call(floats(3, 4)), 6, 8)
	if traced != 1 {
		t.Errorf("traced %d times for one shape", traced)
	}
	equal(t, f.Call(floats(1, 2, 3)), 2, 4, 6)
	f.Call(np.Ones([]int{2}, np.Float32))
	f.Call(2.0) // a weak scalar
	f.Call(np.Asarray(2.0, np.Float64))
	if traced != 5 {
		t.Errorf("traced %d times, want 5: shape, dtype, rank and weakness each count", traced)
	}
}

func TestStaticArguments(t *testing.T) {
	traced := 0
	f := jit.Of(func(x *array.Array, n int, mode any) *array.Array {
		traced++
		for range n {
			x = x.Mul(2)
		}
		if mode == "add" {
			x = x.Add(1)
		}
		return x
	}, jit.Static(2))
	equal(t, f.Call(floats(1), 3, "add"), 9)
	equal(t, f.Call(floats(2), 3, "add"), 17)
	equal(t, f.Call(floats(1), 3, "none"), 8)
	equal(t, f.Call(floats(1), 1, "none"), 2)
	if traced != 3 {
		t.Errorf("traced %d times, want 3", traced)
	}
	_, err := f.Run(context.Background(), floats(1), 3, []int{1})
	var arg *array.ArgumentError
	if !errors.As(err, &arg) || !strings.Contains(err.Error(), "compared") {
		t.Errorf("a static slice: %v", err)
	}
}

func TestDonatedArrayNamesBothLines(t *testing.T) {
	f := jit.Of(func(x, y *array.Array) *array.Array { return x.Add(y) }, jit.Donate(0))
	x, y := floats(1, 2), floats(10, 20)
	equal(t, f.Call(x, y), 11, 22) // the line that gives x away
	err := trace.Try(func() { x.Mul(2) })
	var donated *array.DonatedError
	if !errors.As(err, &donated) {
		t.Fatalf("a donated array is used: %v", err)
	}
	if n := strings.Count(err.Error(), "jit_test.go:"); n != 2 {
		t.Errorf("the error names %d lines of this file, want 2: %v", n, err)
	}
	equal(t, y.Add(0.0), 10, 20)
	if _, err := f.Run(context.Background(), y, y); !errors.As(err, &donated) {
		t.Errorf("an array donated and given twice: %v", err)
	}
}

func TestCapturedArraysAreConstants(t *testing.T) {
	w := floats(1, 2, 3)
	f := jit.Of(func(x *array.Array) *array.Array { return x.Mul(w).Sum() })
	equal(t, f.Call(floats(1, 1, 1)), 6)
	if c := trace.Of(f, floats(0, 0, 0)); len(c.ConstVals) != 1 || c.ConstVals[0] != w {
		t.Errorf("the jaxpr's constants are %v", c.ConstVals)
	}
}

func TestCallInsideATraceIsOneEquation(t *testing.T) {
	inner := jit.Of(func(x *array.Array) *array.Array { return np.Sin(x).Mul(2) })
	outer := func(x *array.Array) *array.Array { return inner.Call(x).Add(1) }
	j := trace.Of(outer, trace.Spec(np.Float32))
	if len(j.Eqns) != 2 || j.Eqns[0].Prim.Name() != "jit" {
		t.Errorf("%s", j)
	}
	if err := trace.Check(j.Jaxpr); err != nil {
		t.Error(err)
	}
}

// A value of an outer trace that a jitted function captures belongs to one call: it must be differentiated, and must not
// be found by the next call.
func TestCapturedTracer(t *testing.T) {
	var y *array.Array
	inner := jit.Of(func(x *array.Array) *array.Array { return x.Mul(y).Mul(y) })
	f := func(v *array.Array) *array.Array {
		y = v
		return inner.Call(3.0)
	}
	for _, v := range []float64{2, 5} {
		equal(t, vjp.Grad(f).Call(v), 6*v)
	}
}

func TestTransformationsOfCalls(t *testing.T) {
	f := jit.Of(func(x, y *array.Array) *array.Array { return np.Sin(x).Mul(y).Mul(y) })
	plain := func(x, y *array.Array) *array.Array { return np.Sin(x).Mul(y).Mul(y) }
	x, y := floats(0.3, -1.2, 2.5), floats(1.5, 0.4, -2)
	for name, of := range map[string]func(f any) *trace.Func{
		"vmap":            func(f any) *trace.Func { return vmap.Of(f) },
		"vmap of grad":    func(f any) *trace.Func { return vmap.Of(vjp.Grad(f, vjp.Args(0, 1))) },
		"vmap of hessian": func(f any) *trace.Func { return vmap.Of(vjp.Hessian(f, vjp.Args(0, 1))) },
		"vmap of fwd∘fwd": func(f any) *trace.Func { return vmap.Of(vjp.JacFwd(vjp.JacFwd(f))) },
		"vmap of rev∘rev": func(f any) *trace.Func { return vmap.Of(vjp.JacRev(vjp.JacRev(f))) },
		"grad of sum∘vmap": func(f any) *trace.Func {
			return vjp.Grad(func(x, y *array.Array) *array.Array { return vmap.Of(f).Call(x, y).Sum() })
		},
	} {
		got, want := of(f).CallAll(x, y), of(plain).CallAll(x, y)
		again := jit.Of(of(f)).CallAll(x, y)
		for i := range want {
			equal(t, got[i].Ravel(), want[i].Ravel().Float64s()...)
			equal(t, again[i].Ravel(), want[i].Ravel().Float64s()...)
		}
		if t.Failed() {
			t.Fatalf("%s", name)
		}
	}
}

func TestStages(t *testing.T) {
	f := jit.Of(func(x *array.Array) *array.Array { return np.Exp(x).Sum() })
	tr, err := f.Trace(trace.Spec(np.Float64, 3))
	if err != nil {
		t.Fatal(err)
	}
	if tr.Jaxpr().String() != "{ lambda ; a:f64[3]. let\n    b:f64[3] = exp a\n    c:f64[] = reduce_sum[axes=(0,)] b\n  in (c,) }" {
		t.Errorf("%s", tr.Jaxpr())
	}
	l, err := tr.Lower()
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(l.Text(), "stablehlo.exponential") {
		t.Errorf("%s", l.Text())
	}
	c, err := l.Compile()
	if err != nil {
		t.Fatal(err)
	}
	equal(t, c.Call(floats(0, 0, 0)).Reshape(1), 3)
	_, err = c.Run(context.Background(), floats(0, 0))
	if err == nil || !strings.Contains(err.Error(), "f64[3] and is f64[2]") {
		t.Errorf("another shape: %v", err)
	}
}

func TestRecompilationIsExplained(t *testing.T) {
	var log bytes.Buffer
	f := jit.Of(func(x *array.Array, n int) *array.Array { return x.Mul(n) })
	jit.SetLogger(f, slog.New(slog.NewTextHandler(&log, nil)))
	f.Call(floats(1), 1)
	if log.Len() > 0 {
		t.Errorf("the first call logs %s", log.String())
	}
	f.Call(floats(1, 2), 1)
	if s := log.String(); !strings.Contains(s, "shape of argument") || !strings.Contains(s, "f64[1] and is f64[2]") || !strings.Contains(s, "jit_test.go:") {
		t.Errorf("another shape: %s", s)
	}
	for n := range 12 {
		f.Call(floats(1), n)
	}
	if s := log.String(); strings.Count(s, "WARN") != 1 {
		t.Errorf("many static values should warn once: %s", s)
	}
}

func TestErrorsNameTheUsersLine(t *testing.T) {
	f := jit.Of(func(x *array.Array) *array.Array {
		return x.Add(floats(1, 2, 3)) // the mistake
	})
	_, err := f.Run(context.Background(), floats(1, 2))
	var shape *array.ShapeError
	if !errors.As(err, &shape) || !strings.Contains(err.Error(), "jit_test.go:") {
		t.Errorf("%v", err)
	}
}

func TestManyGoroutines(t *testing.T) {
	f := jit.Of(func(x *array.Array) *array.Array { return np.Sin(x).Mul(x).Sum() })
	g := jit.Of(vjp.Grad(f))
	var wg sync.WaitGroup
	for k := range 8 {
		wg.Go(func() {
			x := np.Ones([]int{k%3 + 1})
			for range 20 {
				if n := len(g.Call(x).Float64s()); n != k%3+1 {
					t.Errorf("%d elements", n)
				}
			}
		})
	}
	wg.Wait()
}

// A jitted function that is dropped takes its programs with it.
func TestProgramsAreFreed(t *testing.T) {
	heap := func() uint64 {
		runtime.GC()
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	big := np.Ones([]int{1 << 16})
	use := func() {
		c := big.Add(1.0) // 512 KiB, captured
		jit.Of(func(x *array.Array) *array.Array { return x.Mul(c).Sum() }).Call(big)
	}
	use()
	before := heap()
	for range 20 {
		use()
	}
	if after := heap(); after > before+4<<20 {
		t.Errorf("the heap grew from %d to %d bytes over 20 dropped functions", before, after)
	}
}

func TestOptionsThatCannotBeMeant(t *testing.T) {
	f := func(x *array.Array) *array.Array { return x }
	for name, bad := range map[string]func(){
		"no function":        func() { jit.Of(3) },
		"argument 1 of 1":    func() { jit.Of(f, jit.Static(1)) },
		"static and donated": func() { jit.Of(f, jit.Static(0), jit.Donate(0)) },
	} {
		var arg *array.ArgumentError
		if err := trace.Try(bad); !errors.As(err, &arg) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
