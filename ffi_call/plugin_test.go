package ffi_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/backend/pjrt"
	ffi "github.com/pantograph-go/pantograph/ffi_call"
	"github.com/pantograph-go/pantograph/jit"
	"github.com/pantograph-go/pantograph/np"
)

// The registered handlers, in Go and in C, also run in programs of the PJRT plugin for the CPU.
func TestHandlersOnAPlugin(t *testing.T) {
	b, err := pjrt.Open(pjrt.Options{Platform: "cpu"})
	var none *pjrt.NoPluginError
	if errors.As(err, &none) {
		t.Skip("no PJRT plugin for cpu is installed")
	}
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	scaled := jit.Of(scale, jit.On(b)).Call(f32(1, 2))
	if !np.ArrayEqual(scaled, f32(3, 6)).Bool() {
		t.Errorf("the Go handler gives %v", scaled)
	}

	rms, attrs, fails, state := library(t, "rms_norm"), library(t, "attributes"), library(t, "errors"), library(t, "state")
	register(t, "RmsNormForward", rms.Symbol("RmsNormForward"))
	register(t, "RmsNormBackward", rms.Symbol("RmsNormBackward"))
	register(t, "AttributesAllKinds", attrs.Symbol("AttributesAllKinds"))
	register(t, "FailWithCode", fails.Symbol("FailWithCode"))
	register(t, "FrameDump", library(t, "frame_dump").Symbol("FrameDump"))
	for _, name := range []string{"rms_norm", "attributes", "errors"} {
		var file recordedFile
		recorded(t, name, &file)
		for _, c := range file.Cases {
			if c.Program == "" && c.Change == "" && registeredTarget(c.Target) && !(name == "rms_norm" && c.Error != nil) {
				c.runOn(t, b)
			}
		}
	}
	dumped := jit.Of(func(x *array.Array) *array.Array {
		return ffi.CallAll(ffi.Spec{Target: "FrameDump", HasSideEffect: true, Results: []ffi.Result{dump}, InputLayouts: []any{[]int{1, 0}}}, x)[0]
	}, jit.On(b)).Call(np.Arange(6.0).AsType(np.Float32).Reshape(2, 3))
	if got := text(t, dumped); got != "frame=168;stage=3;api=192,0,3;nargs=1;arg0 buffer=1 size=48 dtype=11 rank=2 dims=[2,3] align16=1 mem=[0,3,1,4,2,5];nrets=1;ret0 buffer=1 size=48 dtype=6 rank=1 dims=[4096] align16=1;attrs={}" {
		t.Error(got)
	}

	ordered := jit.Of(func() *array.Array {
		first := ffi.CallAll(ffi.Spec{Target: "FrameDump", HasSideEffect: true, Results: []ffi.Result{ffi.Token, dump}}, ffi.CreateToken())
		return ffi.Call(ffi.Spec{Target: "FrameDump", HasSideEffect: true, Results: []ffi.Result{dump}}, first[0])
	}, jit.On(b)).Call()
	if got := text(t, ordered); !strings.Contains(got, "nargs=1;arg0 buffer=1 size=48 dtype=17 rank=0 dims=[] data=null;") {
		t.Error(got)
	}

	id := ffi.SymbolAt(function(t, state, "CounterTypeId")())
	if err := ffi.RegisterType("CounterState", id, ffi.SymbolAt(function(t, state, "CounterTypeInfo")())); err != nil {
		t.Fatal(err)
	}
	register(t, "Counter", ffi.Bundle{Instantiate: state.Symbol("CounterInstantiate"), Execute: state.Symbol("CounterExecute")})
	count := jit.Of(func() *array.Array {
		return ffi.Call(ffi.Spec{Target: "Counter", HasSideEffect: true, Attrs: ffi.Attrs{"start": 5}, Results: []ffi.Result{{DType: array.Int32}}})
	}, jit.On(b))
	for want := 5; want < 8; want++ {
		if got := count.Call().Int(); got != want {
			t.Errorf("the counter is %v, want %d", got, want)
		}
	}
}
