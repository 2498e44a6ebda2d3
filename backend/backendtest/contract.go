package backendtest

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/backend"
	"github.com/pantograph-go/pantograph/lower/hlo"
)

const double = `func.func @main(%x: tensor<3xf32>) -> tensor<3xf32> {
  %0 = stablehlo.add %x, %x : tensor<3xf32>
  return %0 : tensor<3xf32>
}`

// identity checks what an engine says of itself.
func identity(t *testing.T, e backend.Backend) {
	if e.Name() == "" || e.Platform() == "" || len(e.Devices()) == 0 {
		t.Errorf("name %q, platform %q, %d devices", e.Name(), e.Platform(), len(e.Devices()))
	}
	m := compile(t, e, double, backend.Options{}).Memory()
	if m.Arguments != 0 && m.Arguments != 12 || m.Results != 0 && m.Results != 12 {
		t.Errorf("memory of a program of f32[3] to f32[3]: %+v", m)
	}
}

// arguments checks that a call with the wrong arguments is an error and that the executable survives it.
func arguments(t *testing.T, e backend.Backend) {
	exe := compile(t, e, double, backend.Options{})
	for name, bad := range map[string][]array.Data{
		"none": {}, "two": args(f32s(1, 2, 3), f32s(1, 2, 3)), "shape": args(f32s(1, 2)), "dtype": args(i32s(1, 2, 3)),
	} {
		if _, err := exe.Execute(context.Background(), bad); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	compare(t, "afterwards", execute(t, exe, f32s(1, 2, 3))[0], f32s(2, 4, 6))
}

// unsupported checks that what an engine cannot run is a *backend.Unsupported when compiled.
func unsupported(t *testing.T, e backend.Backend) {
	m, err := hlo.Parse(`func.func @main() -> tensor<f32> {
  %0 = stablehlo.custom_call @backendtest.no_such_target() : () -> tensor<f32>
  return %0 : tensor<f32>
}`)
	if err != nil {
		t.Fatal(err)
	}
	_, err = e.Compile(context.Background(), m, backend.Options{})
	var missing *backend.Unsupported
	var target *array.TargetError
	if !errors.As(err, &missing) && !errors.As(err, &target) {
		t.Errorf("a custom call without a handler: %v", err)
	}
}

// buffers checks that results can be given back as arguments and that a deleted buffer is an error.
func buffers(t *testing.T, e backend.Backend) {
	exe := compile(t, e, double, backend.Options{})
	x := put(t, e, f32s(1, 2, 3))
	out, err := exe.Execute(context.Background(), []array.Data{x})
	if err != nil {
		t.Fatal(err)
	}
	compare(t, "twice", execute(t, exe, out[0])[0], f32s(4, 8, 12))
	out[0].Delete()
	out[0].Delete()
	var gone *array.DonatedError
	if _, err := out[0].Host(); !errors.As(err, &gone) {
		t.Errorf("reading a deleted buffer: %v", err)
	}
	if _, err := exe.Execute(context.Background(), []array.Data{out[0]}); !errors.As(err, &gone) {
		t.Errorf("running on a deleted buffer: %v", err)
	}
	compare(t, "the argument", execute(t, exe, x)[0], f32s(2, 4, 6))
}

// donation checks that a donated argument is gone afterwards and that host data and other buffers stay as they are.
func donation(t *testing.T, e backend.Backend) {
	exe := compile(t, e, double, backend.Options{Donate: []int{0}})
	host := f32s(1, 2, 3)
	x := put(t, e, host)
	compare(t, "first", execute(t, exe, x)[0], f32s(2, 4, 6))
	compare(t, "the host's data", host, f32s(1, 2, 3))
	var gone *array.DonatedError
	if _, err := x.Host(); !errors.As(err, &gone) {
		t.Errorf("reading a donated buffer: %v", err)
	}
	// Memory that the engine owns, given from step to step.
	chain := put(t, e, f32s(1, 1, 1))
	for range 5 {
		out, err := exe.Execute(context.Background(), []array.Data{chain})
		if err != nil {
			t.Fatal(err)
		}
		chain = out[0]
	}
	kept, err := chain.Host() // from here on somebody can see the memory
	if err != nil {
		t.Fatal(err)
	}
	compare(t, "five steps", kept, f32s(32, 32, 32))
	compare(t, "six steps", execute(t, exe, chain)[0], f32s(64, 64, 64))
	compare(t, "the copy that was read", kept, f32s(32, 32, 32))
	same := put(t, e, f32s(1, 2, 3))
	two := compile(t, e, `func.func @main(%x: tensor<3xf32>, %y: tensor<3xf32>) -> tensor<3xf32> {
  %0 = stablehlo.add %x, %y : tensor<3xf32>
  return %0 : tensor<3xf32>
}`, backend.Options{Donate: []int{1}})
	compare(t, "read and donated at once", execute(t, two, same, same)[0], f32s(2, 4, 6))
}

// table is a set of handlers by target.
type table map[string]func(ctx context.Context, c *backend.CallFrame) error

func (h table) Handler(target, platform string, apiVersion int) (backend.Handler, bool) {
	f, ok := h[target]
	return handler(f), ok
}

type handler func(ctx context.Context, c *backend.CallFrame) error

func (f handler) Call(ctx context.Context, c *backend.CallFrame) error { return f(ctx, c) }

// handlers checks custom calls: operands, attributes and results reach the handler, and its error comes back.
func handlers(t *testing.T, e backend.Backend) {
	const text = `func.func @main(%x: tensor<3xf32>) -> tensor<3xf32> {
  %0 = stablehlo.custom_call @backendtest.scale(%x) {api_version = 4 : i32, backend_config = {factor = 3.0 : f32}} : (tensor<3xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}`
	broken := errors.New("the handler's own error")
	fail := false
	h := table{"backendtest.scale": func(_ context.Context, c *backend.CallFrame) error {
		if fail {
			return broken
		}
		factor, ok := c.Attrs.Get("factor").(hlo.Float)
		if !ok || len(c.Operands) != 1 || len(c.Results) != 1 {
			return errors.New("the call frame is incomplete")
		}
		for i := range c.Operands[0].Len() {
			c.Results[0].SetFloat(i, factor.Value*c.Operands[0].Float(i))
		}
		return nil
	}}
	exe := compile(t, e, text, backend.Options{Handlers: h})
	compare(t, "scaled", execute(t, exe, f32s(1, 2, 3))[0], f32s(3, 6, 9))
	fail = true
	if _, err := exe.Execute(context.Background(), args(f32s(1, 2, 3))); !errors.Is(err, broken) {
		t.Errorf("a handler that fails: %v", err)
	}
}

// cancellation checks that an endless loop ends with its context, and that an ended context runs nothing.
func cancellation(t *testing.T, e backend.Backend) {
	exe := compile(t, e, `func.func @main(%x: tensor<i32>) -> tensor<i32> {
  %0 = stablehlo.while(%v = %x) : tensor<i32>
  cond {
    %1 = stablehlo.constant dense<true> : tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %1 = stablehlo.add %v, %v : tensor<i32>
    stablehlo.return %1 : tensor<i32>
  }
  return %0 : tensor<i32>
}`, backend.Options{})
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	done := make(chan error, 1)
	go func() {
		_, err := exe.Execute(ctx, args(tensor(array.Int32, nil, 1)))
		done <- err
	}()
	select {
	case err := <-done:
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("an endless loop under a deadline: %v", err)
		}
	case <-time.After(20 * time.Second):
		t.Fatal("an endless loop went on after its deadline")
	}
	if _, err := exe.Execute(ctx, args(tensor(array.Int32, nil, 1))); err == nil {
		t.Error("an ended context: no error")
	}
}

// concurrency checks that one executable serves many goroutines.
func concurrency(t *testing.T, e backend.Backend) {
	exe := compile(t, e, `func.func @main(%x: tensor<64xf32>) -> (tensor<64xf32>, tensor<f32>) {
  %0 = stablehlo.multiply %x, %x : tensor<64xf32>
  %1 = stablehlo.add %0, %x : tensor<64xf32>
  %c = stablehlo.constant dense<0.0> : tensor<f32>
  %2 = stablehlo.reduce(%1 init: %c) applies stablehlo.add across dimensions = [0] : (tensor<64xf32>, tensor<f32>) -> tensor<f32>
  return %1, %2 : tensor<64xf32>, tensor<f32>
}`, backend.Options{})
	shared := array.NewBuffer(array.Float32, array.Shape{64})
	for i := range 64 {
		shared.SetFloat(i, 1)
	}
	common := put(t, e, shared)
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Go(func() {
			own := array.NewBuffer(array.Float32, array.Shape{64})
			for i := range 64 {
				own.SetFloat(i, float64(g))
			}
			for k := range 50 {
				x, v := array.Data(common), 1.0
				if k%2 == 1 {
					x, v = own, float64(g)
				}
				out, err := exe.Execute(context.Background(), []array.Data{x})
				if err != nil {
					t.Error(err)
					return
				}
				sum, err := out[1].Host()
				if err != nil || sum.Float(0) != 64*(v*v+v) {
					t.Errorf("goroutine %d: got %v (%v), want %v", g, sum, err, 64*(v*v+v))
					return
				}
			}
		})
	}
	wg.Wait()
}

// hostile checks that sizes no machine has are refused when compiled.
func hostile(t *testing.T, e backend.Backend) {
	for name, typ := range map[string]string{
		"overflow": "tensor<4294967296x4294967296x4294967296xf32>", "huge": "tensor<1099511627776xf64>",
	} {
		m, err := hlo.Parse("func.func @main(%x: tensor<f32>) -> " + typ + " {\n %0 = stablehlo.broadcast_in_dim %x, dims = [] : (tensor<f32>) -> " + typ + "\n return %0 : " + typ + "\n}")
		if err != nil {
			continue // refused even earlier
		}
		exe, err := e.Compile(context.Background(), m, backend.Options{})
		if err == nil {
			exe.Close()
			t.Errorf("%s: %s was compiled", name, typ)
		}
	}
}
