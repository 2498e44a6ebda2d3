// Command ffi_cpp calls a C++ function that was written for JAX, unchanged and without cgo: it compiles handler/rms_norm.cc
// against the headers of the Python package jaxlib, opens the library, and normalises, maps and differentiates with it.
//
//	pip install --no-deps jaxlib
//	go run ./examples/ffi_cpp
//
// -library takes a library that is built already, -include the folder of the headers.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/pantograph-go/pantograph/array"
	ffi "github.com/pantograph-go/pantograph/ffi_call"
	"github.com/pantograph-go/pantograph/jit"
	"github.com/pantograph-go/pantograph/np"
	"github.com/pantograph-go/pantograph/vjp"
	"github.com/pantograph-go/pantograph/vmap"

	_ "embed"
)

func main() {
	library := flag.String("library", "", "a `file`: the library, built already")
	include := flag.String("include", "", "the `folder` of the headers; without it python3 is asked for jaxlib's")
	flag.Parse()
	if err := run(os.Stdout, *library, *include); err != nil {
		fmt.Fprintln(os.Stderr, "ffi_cpp:", err)
		os.Exit(1)
	}
}

//go:embed handler/rms_norm.cc
var source []byte

// build compiles the handler into a folder and returns the library's file.
func build(dir, include string) (string, error) {
	if include == "" {
		out, err := exec.Command("python3", "-c", "import jaxlib, os; print(os.path.join(os.path.dirname(jaxlib.__file__), 'include'))").Output()
		if err != nil {
			return "", &missing{"the headers are not here: pip install --no-deps jaxlib, or name their folder with -include"}
		}
		include = strings.TrimSpace(string(out))
	}
	compiler, err := exec.LookPath("c++")
	if err != nil {
		return "", &missing{"there is no C++ compiler"}
	}
	file, library := filepath.Join(dir, "rms_norm.cc"), filepath.Join(dir, "librms.so")
	if err := os.WriteFile(file, source, 0o666); err != nil {
		return "", err
	}
	out, err := exec.Command(compiler, "-std=c++17", "-O2", "-fPIC", "-shared", "-I", include, "-o", library, file).CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("%w\n%s", err, out)
	}
	return library, nil
}

// missing is the error of a machine without compiler or headers.
type missing struct{ what string }

func (e *missing) Error() string { return e.what }

// forward makes the call: y, and the factor r of each row.
func forward(x *np.Array) []*np.Array {
	return ffi.CallAll(ffi.Spec{
		Target: "rms_norm", Attrs: ffi.Attrs{"eps": float32(1e-5)}, Vmap: ffi.BroadcastAll,
		Results: []ffi.Result{ffi.ResultOf(x), {Shape: x.Shape()[:x.Rank()-1], DType: x.DType()}},
	}, x)
}

// rmsNorm has the handler's own derivative.
var rmsNorm = vjp.Custom(func(x *np.Array) *np.Array { return forward(x)[0] }, vjp.Rule{
	Fwd: func(x *np.Array) (y *np.Array, residuals []*np.Array) {
		out := forward(x)
		return out[0], []*np.Array{out[1], x}
	},
	Bwd: func(res []*np.Array, ct *np.Array) *np.Array {
		return ffi.Call(ffi.Spec{Target: "rms_norm_backward", Vmap: ffi.BroadcastAll, Results: []ffi.Result{ffi.ResultOf(ct)}}, res[0], res[1], ct)
	},
})

func run(out io.Writer, library, include string) error {
	if library == "" {
		dir, err := os.MkdirTemp("", "ffi_cpp")
		if err != nil {
			return err
		}
		defer os.RemoveAll(dir) // the library stays mapped
		if library, err = build(dir, include); err != nil {
			return err
		}
	}
	lib := ffi.Open(library)
	if err := errors.Join(
		ffi.Register("rms_norm", lib.Symbol("RmsNormForward")),
		ffi.Register("rms_norm_backward", lib.Symbol("RmsNormBackward")),
	); err != nil {
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
	_, err := jit.Of(rmsNorm).Run(context.Background(), np.Zeros([]int{2, 0}, np.Float32))
	var failed *ffi.Error
	if !errors.As(err, &failed) {
		return fmt.Errorf("rows without elements should be refused, got %v", err)
	}
	fmt.Fprintf(out, "rows without elements: %s\n", failed.Message)
	return nil
}
