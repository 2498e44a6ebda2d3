package cpu

import (
	"context"
	"fmt"
	"os"
	"testing"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/backend"
	"github.com/pantograph-go/pantograph/lower/hlo"
)

// unaryModule is a program of one operation on n elements.
func binaryModule(b testing.TB, name string, n int) *hlo.Module {
	a := array.Aval{Shape: array.Shape{n}, DType: array.Float32}
	m := &hlo.Module{}
	h := hlo.NewBuilder(m, "cpu")
	t := hlo.TensorOf(a)
	if _, err := h.Func("main", false, []hlo.Type{t, t}, func(args []*hlo.Value) ([]*hlo.Value, error) {
		return h.Op(name, a, args), nil
	}); err != nil {
		b.Fatal(err)
	}
	return m
}

func BenchmarkDispatch(b *testing.B) {
	ctx := context.Background()
	for _, n := range []int{1, 1000, 100000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			exe, err := New().Compile(ctx, binaryModule(b, "stablehlo.add", n), backend.Options{})
			if err != nil {
				b.Fatal(err)
			}
			x, _ := New().Put(array.NewBuffer(array.Float32, array.Shape{n}), device)
			args := []array.Data{x, x}
			b.ReportAllocs()
			for b.Loop() {
				if _, err := exe.Execute(ctx, args); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkCompile(b *testing.B) {
	m := binaryModule(b, "stablehlo.add", 4)
	b.Run("compile", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			New().Compile(context.Background(), m, backend.Options{})
		}
	})
	b.Run("verify", func(b *testing.B) {
		for b.Loop() {
			hlo.Verify(m)
		}
	})
}

// BenchmarkCompileLong compiles ten thousand operations, of whose results the last hundred stay alive.
func BenchmarkCompileLong(b *testing.B) {
	a := array.Aval{Shape: array.Shape{16}, DType: array.Float32}
	m := &hlo.Module{}
	h := hlo.NewBuilder(m, "cpu")
	h.Func("main", false, []hlo.Type{hlo.TensorOf(a)}, func(args []*hlo.Value) ([]*hlo.Value, error) {
		all := []*hlo.Value{args[0]}
		for i := range 10000 {
			all = append(all, h.Op1("stablehlo.add", a, nil, all[i], all[max(0, i-100)]))
		}
		return all[10000:], nil
	})
	for b.Loop() {
		if _, err := New().Compile(context.Background(), m, backend.Options{}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkGemm(b *testing.B) {
	for _, n := range []int{8, 64, 256} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			x, y, z := make([]float32, n*n), make([]float32, n*n), make([]float32, n*n)
			for b.Loop() {
				gemm(true, z, x, y, n, n, n)
			}
			b.ReportMetric(2*float64(n)*float64(n)*float64(n)*float64(b.N)/b.Elapsed().Seconds()/1e9, "GFLOP/s")
		})
	}
}

// BenchmarkProgram times whole programs of the conformance corpus on made-up inputs.
func BenchmarkProgram(b *testing.B) {
	for _, name := range []string{"mlp_xent_value_and_grad", "mlp_relu_mse_scan_training", "transformer_block_grad", "conv_net_train_step",
		"nbody_leapfrog", "random_split_fold_in", "argsort_descending_2d", "attention_grad"} {
		b.Run(name, func(b *testing.B) {
			text, err := os.ReadFile("../../../shared/conformance/programs/" + name + "/module.mlir")
			if err != nil {
				b.Skip(err)
			}
			m, err := hlo.Parse(text)
			if err != nil {
				b.Fatal(err)
			}
			exe, err := New().Compile(context.Background(), m, backend.Options{})
			if err != nil {
				b.Fatal(err)
			}
			var args []array.Data
			for _, v := range m.Func("main").Args() {
				x := array.NewBuffer(v.Tensor().Elem, v.Tensor().Shape)
				for i := range x.Len() {
					x.SetFloat(i, float64(i%7)/4)
				}
				d, _ := New().Put(x, device)
				args = append(args, d)
			}
			b.ReportMetric(float64(len(exe.(*Executable).plan.steps)), "steps")
			b.ReportAllocs()
			for b.Loop() {
				if _, err := exe.Execute(context.Background(), args); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
