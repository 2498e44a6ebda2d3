// Command ffi_go makes a Go function part of traced programs: a normalisation by the root of the mean square, with its
// derivative. It is compiled, mapped over rows and differentiated; the handlers only ever see memory.
//
//	go run ./examples/ffi_go
package main

import (
	"errors"
	"fmt"
	"io"
	"math"
	"os"

	"github.com/pantograph-go/pantograph/array"
	ffi "github.com/pantograph-go/pantograph/ffi_call"
	"github.com/pantograph-go/pantograph/jit"
	"github.com/pantograph-go/pantograph/np"
	"github.com/pantograph-go/pantograph/vjp"
	"github.com/pantograph-go/pantograph/vmap"
)

func main() {
	if err := run(os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "ffi_go:", err)
		os.Exit(1)
	}
}

// forward computes y = x r with r = 1/√(mean(x²) + eps) for each row: the last axis of x, whatever stands before it.
func forward(ctx ffi.Context, x, y, r ffi.BufferOf[float32], attrs struct {
	Eps float32 `ffi:"eps"`
}) error {
	n := last(x)
	if n == 0 {
		return ffi.Errorf(ffi.InvalidArgument, "the last axis of %v is empty", x.Shape)
	}
	ctx.ParallelFor(len(r.Data), 4096/n+1, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			row, sum := x.Data[i*n:(i+1)*n], 0.0
			for _, v := range row {
				sum += float64(v) * float64(v)
			}
			r.Data[i] = float32(1 / math.Sqrt(sum/float64(n)+float64(attrs.Eps)))
			for k, v := range row {
				y.Data[i*n+k] = v * r.Data[i]
			}
		}
	})
	return nil
}

// backward computes dx = r ct - x r³ Σ(ct x)/n.
func backward(r, x, ct, dx ffi.BufferOf[float32]) error {
	n := last(x)
	for i, s := range r.Data {
		dot := 0.0
		for k := i * n; k < (i+1)*n; k++ {
			dot += float64(ct.Data[k]) * float64(x.Data[k])
		}
		c := float32(float64(s) * float64(s) * float64(s) * dot / float64(n))
		for k := i * n; k < (i+1)*n; k++ {
			dx.Data[k] = s*ct.Data[k] - c*x.Data[k]
		}
	}
	return nil
}

func last(x ffi.BufferOf[float32]) int {
	if len(x.Shape) == 0 {
		return 0
	}
	return x.Shape[len(x.Shape)-1]
}

// rmsForward and rmsBackward are the calls: the targets, the attributes, the types of the results.
func rmsForward(x *np.Array) (y, r *np.Array) {
	out := ffi.CallAll(ffi.Spec{
		Target: "example.rms_norm", Attrs: ffi.Attrs{"eps": float32(1e-5)},
		Vmap:    ffi.BroadcastAll, // one call for all elements: the handler takes any number of leading axes
		Results: []ffi.Result{ffi.ResultOf(x), {Shape: x.Shape()[:x.Rank()-1], DType: x.DType()}},
	}, x)
	return out[0], out[1]
}

func rmsBackward(r, x, ct *np.Array) *np.Array {
	return ffi.Call(ffi.Spec{Target: "example.rms_norm_backward", Vmap: ffi.BroadcastAll, Results: []ffi.Result{ffi.ResultOf(x)}}, r, x, ct)
}

// rmsNorm is the function that users see: it has a derivative like any other.
var rmsNorm = vjp.Custom(
	func(x *np.Array) *np.Array { y, _ := rmsForward(x); return y },
	vjp.Rule{
		Fwd: func(x *np.Array) (y *np.Array, residuals []*np.Array) {
			y, r := rmsForward(x)
			return y, []*np.Array{r, x}
		},
		Bwd: func(res []*np.Array, ct *np.Array) *np.Array { return rmsBackward(res[0], res[1], ct) },
	})

func run(out io.Writer) error {
	if err := errors.Join(ffi.Register("example.rms_norm", forward), ffi.Register("example.rms_norm_backward", backward)); err != nil {
		return err
	}
	x := np.Asarray([][]float32{{3, 4, 0}, {1, 1, 2}})
	show := func(what string, x *np.Array) {
		fmt.Fprintf(out, "%s:\n%s\n", what, x.Text(array.PrintOptions{Precision: 4}))
	}
	show("normalised", jit.Of(rmsNorm).Call(x))
	show("row by row", vmap.Of(rmsNorm).Call(x))
	cubes := func(x *np.Array) *np.Array { return rmsNorm.Call(x).Pow(3).Sum() }
	show("gradient of the sum of cubes", jit.Of(vjp.Grad(cubes)).Call(x))
	return nil
}
