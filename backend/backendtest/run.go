// Package backendtest holds the checks that every engine passes. An engine's own test is one line:
//
//	func TestEngine(t *testing.T) { backendtest.Run(t, func() backend.Backend { return cpu.New() }) }
//
// Values are worked out by hand or by Go's math, never by an engine. What an engine reports as *backend.Unsupported is
// skipped, so that a new engine can begin small.
package backendtest

import (
	"context"
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/backend"
	"github.com/pantograph-go/pantograph/lower/hlo"
)

// Run checks the engine that open makes. Each group opens one of its own and closes it.
func Run(t *testing.T, open func() backend.Backend) {
	groups := []struct {
		name  string
		check func(t *testing.T, e backend.Backend)
	}{
		{"Values", values},
		{"Identity", identity},
		{"Arguments", arguments},
		{"Unsupported", unsupported},
		{"Buffers", buffers},
		{"Donation", donation},
		{"Handlers", handlers},
		{"Cancellation", cancellation},
		{"Concurrency", concurrency},
		{"Hostile", hostile},
	}
	for _, g := range groups {
		t.Run(g.name, func(t *testing.T) {
			e := open()
			defer e.Close()
			g.check(t, e)
		})
	}
}

// compile makes an executable of a text; a feature that the engine lacks skips the test.
func compile(t *testing.T, e backend.Backend, text string, opts backend.Options) backend.Executable {
	t.Helper()
	m, err := hlo.Parse(text)
	if err != nil {
		t.Fatalf("parse: %v\n%s", err, text)
	}
	exe, err := e.Compile(context.Background(), m, opts)
	var missing *backend.Unsupported
	switch {
	case errors.As(err, &missing):
		t.Skip(err)
	case err != nil:
		t.Fatalf("compile: %v\n%s", err, text)
	}
	t.Cleanup(func() { exe.Close() })
	return exe
}

// execute runs an executable and fetches the results.
func execute(t *testing.T, exe backend.Executable, args ...array.Data) []*array.Buffer {
	t.Helper()
	out, err := exe.Execute(context.Background(), args)
	if err != nil {
		t.Fatalf("execute: %v", err)
	}
	host := make([]*array.Buffer, len(out))
	for i, b := range out {
		if host[i], err = b.Host(); err != nil {
			t.Fatalf("result %d: %v", i, err)
		}
	}
	return host
}

// put copies host data to the engine's first device.
func put(t *testing.T, e backend.Backend, b *array.Buffer) backend.Buffer {
	t.Helper()
	d, err := e.Put(b, e.Devices()[0])
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// tensor makes host data of a type from numbers: bool, int, float64 or complex128 literals.
func tensor(d array.DType, shape array.Shape, vals ...any) *array.Buffer {
	b := array.NewBuffer(d, shape)
	if len(vals) != b.Len() {
		panic(fmt.Sprintf("%d values for %s%s", len(vals), d, shape))
	}
	for i, v := range vals {
		switch v := v.(type) {
		case bool:
			b.SetBool(i, v)
		case int:
			if d.IsInteger() {
				b.SetInt(i, int64(v))
			} else {
				b.SetFloat(i, float64(v))
			}
		case uint64:
			b.SetUint(i, v)
		case float64:
			b.SetFloat(i, v)
		case complex128:
			b.SetComplex(i, v)
		default:
			panic(fmt.Sprintf("value of type %T", v))
		}
	}
	return b
}

func f32s(vals ...any) *array.Buffer { return tensor(array.Float32, array.Shape{len(vals)}, vals...) }

func i32s(vals ...any) *array.Buffer { return tensor(array.Int32, array.Shape{len(vals)}, vals...) }

func bools(vals ...any) *array.Buffer { return tensor(array.Bool, array.Shape{len(vals)}, vals...) }

// tolerance is the relative error allowed of an element type: zero for exact ones.
func tolerance(d array.DType) float64 {
	switch d {
	case array.Float64, array.Complex128:
		return 1e-14
	case array.Float32, array.Complex64:
		return 1e-6
	case array.Float16:
		return 2e-3
	case array.BFloat16:
		return 1e-2
	}
	return 0
}

// compare fails the test at the first element that differs. NaN meets NaN.
func compare(t *testing.T, name string, got, want *array.Buffer) {
	t.Helper()
	if g, w := got.Aval(), want.Aval(); g.DType != w.DType || !g.Shape.Equal(w.Shape) {
		t.Errorf("%s: got %s, want %s", name, g, w)
		return
	}
	d := got.DType()
	for i := range got.Len() {
		ok := false
		switch {
		case d.IsInexact():
			g, w := got.Complex(i), want.Complex(i)
			ok = near(real(g), real(w), tolerance(d)) && near(imag(g), imag(w), tolerance(d))
		default:
			ok = got.Int(i) == want.Int(i)
		}
		if !ok {
			t.Errorf("%s: element %d: got %v, want %v", name, i, got, want)
			return
		}
	}
}

func near(g, w, tol float64) bool {
	if w != w || math.IsInf(w, 0) || w == 0 {
		return g != g && w != w || g == w && math.Signbit(g) == math.Signbit(w)
	}
	return math.Abs(g-w) <= tol*math.Abs(w)
}
