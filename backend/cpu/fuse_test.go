package cpu

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/backend"
	"github.com/pantograph-go/pantograph/internal/debug"
	"github.com/pantograph-go/pantograph/lower/hlo"
)

// elementwiseProgram is a random program of elementwise operations of several types, in which values die and memory is
// reused, with some operations between that cannot be fused.
func elementwiseProgram(r *rand.Rand, n, steps int) *hlo.Module {
	types := []array.Aval{{Shape: array.Shape{n}, DType: array.Float32}, {Shape: array.Shape{n}, DType: array.Float64}, {Shape: array.Shape{n}, DType: array.Int32},
		{Shape: array.Shape{n}, DType: array.Bool}}
	m := &hlo.Module{}
	b := hlo.NewBuilder(m, "cpu")
	args := []hlo.Type{hlo.TensorOf(types[0]), hlo.TensorOf(types[1]), hlo.TensorOf(types[2]), hlo.TensorOf(types[2])}
	b.Func("main", false, args, func(in []*hlo.Value) ([]*hlo.Value, error) {
		vals := map[array.DType][]*hlo.Value{array.Float32: {in[0]}, array.Float64: {in[1]}, array.Int32: {in[2], in[3]}}
		pick := func(d array.DType) *hlo.Value {
			l := vals[d]
			return l[max(0, len(l)-1-r.IntN(4))]
		}
		for range steps {
			a := types[r.IntN(3)]
			d := a.DType
			var v *hlo.Value
			switch k := r.IntN(10); {
			case k < 5:
				name := []string{"add", "subtract", "multiply", "maximum"}[r.IntN(4)]
				v = b.Op1("stablehlo."+name, a, nil, pick(d), pick(d))
			case k == 5:
				v = b.Op1("stablehlo.negate", a, nil, pick(d))
			case k == 6:
				v = b.Op1("stablehlo.convert", a, nil, pick(types[r.IntN(3)].DType))
			case k == 7:
				v = b.Op1("stablehlo.reverse", a, hlo.Attrs{{Name: "dimensions", Value: hlo.I64s(0)}}, pick(d))
			case k == 8:
				p := b.Op1("stablehlo.compare", types[3], hlo.Attrs{{Name: "comparison_direction", Value: hlo.SHLO("comparison_direction", "LT")}}, pick(d), pick(d))
				v = b.Op1("stablehlo.select", a, nil, p, pick(d), pick(d))
			default:
				d, a = array.Int32, types[2]
				name := []string{"shift_left", "shift_right_logical", "xor", "and", "or"}[r.IntN(5)]
				v = b.Op1("stablehlo."+name, a, nil, pick(d), pick(d))
			}
			vals[v.Tensor().Elem] = append(vals[v.Tensor().Elem], v)
		}
		return []*hlo.Value{pick(array.Float32), pick(array.Float64), pick(array.Int32)}, nil
	})
	return m
}

// Fused programs compute the bits that the same programs compute operation by operation.
func TestFusedPrograms(t *testing.T) {
	const n = 3*fuseBlock + 17
	interp, err := debug.Parse("cpu=interp")
	if err != nil {
		t.Fatal(err)
	}
	for seed := range 150 {
		r := rand.New(rand.NewPCG(uint64(seed), 7))
		m := elementwiseProgram(r, n, 3+r.IntN(40))
		x, y := array.NewBuffer(array.Float32, array.Shape{n}), array.NewBuffer(array.Float64, array.Shape{n})
		i, j := array.NewBuffer(array.Int32, array.Shape{n}), array.NewBuffer(array.Int32, array.Shape{n})
		for k := range n {
			x.SetFloat(k, r.NormFloat64())
			y.SetFloat(k, r.NormFloat64())
			i.SetInt(k, int64(int32(r.Uint32())))
			j.SetInt(k, int64(r.IntN(40)))
		}
		run := func() []backend.Buffer {
			exe, err := New().Compile(context.Background(), m, backend.Options{})
			if err != nil {
				t.Fatal(err)
			}
			out, err := exe.Execute(context.Background(), []array.Data{x, y, i, j})
			if err != nil {
				t.Fatal(err)
			}
			return out
		}
		got := run()
		restore := debug.Override(interp)
		want := run()
		restore()
		for k := range got {
			a, _ := got[k].Host()
			b, _ := want[k].Host()
			if !bytes.Equal(a.Bytes(), b.Bytes()) {
				t.Fatalf("seed %d: result %d differs\n%s", seed, k, fmt.Sprint(m))
			}
		}
	}
}
