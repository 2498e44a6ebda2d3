// Package ffi makes foreign functions part of traced programs. The folder is ffi_call; import it as
//
//	import ffi "github.com/pantograph-go/pantograph/ffi_call"
//
// Call records an equation that names a target, its attributes and the types of its results. The equation survives every
// transformation: vmap follows the method the call names (VmapMethod), derivatives come from a rule attached with vjp.Custom
// or vjp.CustomJVP, and the lowering writes a typed custom call that every backend understands. The target is a handler
// registered by name, a Go function here:
//
//	ffi.Register("scale", func(x, out ffi.Buffer, attrs struct{ By float32 `ffi:"by"` }) error {
//		for i, v := range x.Float32s() {
//			out.Float32s()[i] = v * attrs.By
//		}
//		return nil
//	})
//	y := ffi.Call(ffi.Spec{Target: "scale", Attrs: ffi.Attrs{"by": float32(3)}, Vmap: ffi.BroadcastAll,
//		Results: []ffi.Result{{Shape: x.Shape(), DType: x.DType()}}}, x)
//
// Read call.go for the equation and its rules, attrs.go for how Go values become typed attributes, and register.go for
// targets and handlers.
package ffi
