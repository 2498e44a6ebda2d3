// Package trace turns Go functions into jaxprs. A jaxpr is a function written as a list of equations over typed
// variables; every transformation (vmap, vjp, jit) reads jaxprs or takes part in recording them.
//
//	f := func(x *array.Array) *array.Array { return x.Mul(2) }
//	fmt.Println(trace.Of(f, trace.Spec(array.Float32, 3)))
//	// { lambda ; a:f32[3]. let b:f32[3] = mul a 2.0:f32[] in (b,) }
//
// Of runs the function once on tracers. A tracer stands for a value that is not known yet; the operations it meets go
// through primitive.Bind to the recording trace, which appends an equation with the user's line and answers with a new
// tracer. Eval goes the other way: it binds the equations of a jaxpr to values, under whatever trace is current, so that
// running, transforming and recording again are one thing.
//
// Functions take and return trees: Go structs, slices, maps and pointers that hold arrays. Flatten takes the arrays out
// and leaves a Tree; a Callable is a function on trees; a Func is one with ways to call it from Go.
//
// Not here: transformations, primitives that hold jaxprs (each lives with what gives it meaning), running and lowering.
//
// Read jaxpr.go first, then record.go and eval.go; tree.go and func.go are the other half.
package trace
