package pjrt

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"unsafe"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/backend"
	"github.com/pantograph-go/pantograph/lower/hlo"
)

var cpuBackend = sync.OnceValues(func() (*Backend, error) { return Open(Options{Devices: 2}) })

// cpu is a client of the CPU plugin, the same for all tests.
func cpu(tb testing.TB) *Backend {
	tb.Helper()
	b, err := cpuBackend()
	var none *NoPluginError
	if errors.As(err, &none) {
		tb.Skip("no PJRT plugin for cpu is installed")
	}
	if err != nil {
		tb.Fatal(err)
	}
	return b
}

func f32(values ...float32) *array.Buffer { return host(array.Float32, values, len(values)) }

func host[T any](d array.DType, values []T, shape ...int) *array.Buffer {
	b := array.NewBuffer(d, shape)
	copy(array.View[T](b), values)
	return b
}

func scalar[T any](d array.DType, v T) *array.Buffer { return host(d, []T{v}) }

// fromText compiles a module's text as it is.
func fromText(tb testing.TB, b *Backend, text string, in, out []array.Aval) *Executable {
	tb.Helper()
	e, err := b.compile(tb.Name(), text, &prepared{params: params(in...), results: params(out...), donate: make([]bool, len(in))})
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { e.Close() })
	return e
}

func params(avals ...array.Aval) []param {
	out := make([]param, len(avals))
	for i, a := range avals {
		out[i].aval = a
	}
	return out
}

func typed(d array.DType, shape ...int) array.Aval { return array.Aval{Shape: shape, DType: d} }

func avals(a ...array.Aval) []array.Aval { return a }

func execute(tb testing.TB, e *Executable, args ...array.Data) []backend.Buffer {
	tb.Helper()
	out, err := e.Execute(context.Background(), args)
	if err != nil {
		tb.Fatal(err)
	}
	return out
}

func values[T any](tb testing.TB, x array.Data) []T {
	tb.Helper()
	h, err := x.Host()
	if err != nil {
		tb.Fatal(err)
	}
	return array.View[T](h)
}

func same[T comparable](tb testing.TB, got, want []T) {
	tb.Helper()
	if !slices.Equal(got, want) {
		tb.Errorf("got %v, want %v", got, want)
	}
}

const addText = `
module @add {
  func.func public @main(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
    %0 = stablehlo.add %a, %b : tensor<4xf32>
    return %0 : tensor<4xf32>
  }
}`

func addProgram(tb testing.TB) *Executable {
	v := typed(array.Float32, 4)
	return fromText(tb, cpu(tb), addText, avals(v, v), avals(v))
}

func TestInfo(t *testing.T) {
	b := cpu(t)
	i := b.Info()
	if i.File == "" || !strings.HasPrefix(i.API, "0.") || i.StableHLO[0] != 1 || i.OldestStableHLO != [3]int64{0, 9, 0} || !i.ForeignCalls {
		t.Errorf("got %+v", i)
	}
	if b.Name() != "pjrt:cpu" || b.Platform() != "cpu" {
		t.Errorf("name %s, platform %s", b.Name(), b.Platform())
	}
	if d := b.Devices(); len(d) != 2 || d[0].ID == d[1].ID || d[0].Kind != "cpu" {
		t.Errorf("devices %v", d)
	}
	var e *Error
	if _, err := b.DeviceMemory(b.Devices()[0]); !errors.As(err, &e) || e.Code != Unimplemented || e.Op != "memory statistics" {
		t.Errorf("memory of a CPU device: %v", err)
	}
}

func TestAdd(t *testing.T) {
	e := addProgram(t)
	out := execute(t, e, f32(1, 2, 3, 4), f32(10, 20, 30, 40))
	same(t, values[float32](t, out[0]), []float32{11, 22, 33, 44})
	if m := e.Memory(); m.Arguments != 32 || m.Results != 16 {
		t.Errorf("memory %+v", m)
	}
	if a := out[0].Aval(); !a.Equal(typed(array.Float32, 4)) {
		t.Errorf("aval %v", a)
	}
}

// The sum of two truths is true, also in a reduction.
func TestBoolAdd(t *testing.T) {
	m, err := hlo.Parse(`func.func @main(%a: tensor<4xi1>, %b: tensor<4xi1>) -> (tensor<4xi1>, tensor<i1>) {
		%0 = stablehlo.add %a, %b : tensor<4xi1>
		%c = stablehlo.constant dense<false> : tensor<i1>
		%1 = stablehlo.reduce(%a init: %c) applies stablehlo.add across dimensions = [0] : (tensor<4xi1>, tensor<i1>) -> tensor<i1>
		return %0, %1 : tensor<4xi1>, tensor<i1>
	}`)
	if err != nil {
		t.Fatal(err)
	}
	a, b := host(array.Bool, []bool{false, false, true, true}, 4), host(array.Bool, []bool{false, true, false, true}, 4)
	out := execute(t, compile(t, m, backend.Options{}), a, b)
	same(t, values[bool](t, out[0]), []bool{false, true, true, true})
	same(t, values[bool](t, out[1]), []bool{true})
}

// A program runs where its arguments are; host data follows them.
func TestDevices(t *testing.T) {
	b, e := cpu(t), addProgram(t)
	second := b.Devices()[1]
	x, err := b.Put(f32(1, 2, 3, 4), second)
	if err != nil {
		t.Fatal(err)
	}
	out := execute(t, e, f32(1, 1, 1, 1), x)
	same(t, values[float32](t, out[0]), []float32{2, 3, 4, 5})
	if out[0].Device() != second {
		t.Errorf("the result is on %v, want %v", out[0].Device(), second)
	}
	y, err := b.Put(f32(1, 2, 3, 4), b.Devices()[0])
	if err != nil {
		t.Fatal(err)
	}
	var e1 *array.ArgumentError
	if _, err := e.Execute(t.Context(), []array.Data{y, x}); !errors.As(err, &e1) || err.Error() != "argument 1 is on device 1, an earlier one on device 0; put them on one device" {
		t.Errorf("two devices: got %v", err)
	}
	if _, err := b.Put(f32(1), backend.Device{ID: 7}); !errors.As(err, &e1) || err.Error() != "pjrt:cpu has no device 7; it has 2 devices, the first is 0" {
		t.Errorf("device 7: got %v", err)
	}
}

// Every element type goes in and comes out bit for bit, with and without elements, also through a transpose.
func TestElements(t *testing.T) {
	b := cpu(t)
	for d := array.Bool; d <= array.Complex128; d++ {
		if elementType(d) == 0 {
			continue
		}
		t.Run(d.String(), func(t *testing.T) {
			if d != array.Bool && d.Bits() < 8 && b.plugin.minor < narrowSafe {
				t.Skip("this plugin ends the process for a transpose of narrow types; Compile refuses them")
			}
			text := strings.ReplaceAll(`module { func.func public @main(%a: tensor<2x3xT>, %b: tensor<0xT>, %c: tensor<T>) -> (tensor<3x2xT>, tensor<0xT>, tensor<T>) {
				%0 = stablehlo.transpose %a, dims = [1, 0] : (tensor<2x3xT>) -> tensor<3x2xT>
				return %0, %b, %c : tensor<3x2xT>, tensor<0xT>, tensor<T> } }`, "T", d.HLO())
			x, s := array.NewBuffer(d, array.Shape{2, 3}), array.NewBuffer(d, array.Shape{})
			n := d.Size()
			for i := range x.Bytes() {
				v := byte(i*7 + 1)
				switch {
				case d == array.Bool:
					v = byte(i % 2)
				case d.Kind() == array.KindInt && d.Bits() < 8: // sign-extended
					v = byte(int8(v<<(8-d.Bits())) >> (8 - d.Bits()))
				case d.Bits() < 8:
					v &= 1<<d.Bits() - 1
				}
				x.Bytes()[i] = v
			}
			copy(s.Bytes(), x.Bytes())
			e, err := b.compile("elements", text, &prepared{
				params: params(typed(d, 2, 3), typed(d, 0), typed(d)), results: params(typed(d, 3, 2), typed(d, 0), typed(d)), donate: make([]bool, 3)})
			if err != nil {
				t.Fatal(err)
			}
			out := execute(t, e, x, array.NewBuffer(d, array.Shape{0}), s)
			var want []byte
			for _, k := range []int{0, 3, 1, 4, 2, 5} {
				want = append(want, x.Bytes()[k*n:(k+1)*n]...)
			}
			same(t, values[byte](t, out[0]), want)
			same(t, values[byte](t, out[1]), nil)
			same(t, values[byte](t, out[2]), s.Bytes())
		})
	}
	var unsupported *backend.Unsupported
	if _, err := b.Put(array.NewBuffer(array.Float6E2M3FN, array.Shape{2}), b.Devices()[0]); !errors.As(err, &unsupported) {
		t.Errorf("a type that PJRT lacks: got %v", err)
	}
}

func addressOf(b *array.Buffer) uintptr { return uintptr(unsafe.Pointer(unsafe.SliceData(b.Bytes()))) }
