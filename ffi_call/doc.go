// Package ffi makes foreign functions part of traced programs. The folder is ffi_call; import it as
//
//	import ffi "github.com/pantograph-go/pantograph/ffi_call"
//
// Call records an equation that names a target, its attributes and the types of its results. The equation survives every
// transformation: vmap follows the method the call names (VmapMethod), derivatives come from a rule attached with vjp.Custom
// or vjp.CustomJVP, and the lowering writes the custom call that the reference writes, which every backend understands. The
// target is a handler registered by name: a Go function,
//
//	ffi.Register("scale", func(x, y ffi.BufferOf[float32], attrs struct{ By float32 `ffi:"by"` }) error {
//		for i, v := range x.Data {
//			y.Data[i] = v * attrs.By
//		}
//		return nil
//	})
//	y := ffi.Call(ffi.Spec{Target: "scale", Attrs: ffi.Attrs{"by": float32(3)}, Vmap: ffi.BroadcastAll,
//		Results: []ffi.Result{ffi.ResultOf(x)}}, x)
//
// or a function in C or C++ that was built with the XLA FFI headers, as for JAX, opened at run time without cgo:
//
//	ffi.Register("rms_norm", ffi.Open("librms.so").Symbol("RmsNorm"))
//
// A primitive that is one foreign call takes its lowering rule from Lowering.
//
// Read call.go for what a call says, equation.go and batch.go for its rules, attrs.go for how Go values become typed attributes,
// lowering.go for the custom call, register.go for targets and handler.go for how Go functions are called; C functions are called
// by internal/ffihost. docs/ffi.md is the tutorial.
package ffi
