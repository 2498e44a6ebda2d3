// Package vmap maps functions over an axis of their arguments.
//
//	dots := vmap.Of(np.Dot, vmap.In(0, nil)) // the product of each row of x with y
//	z := dots.Call(x, y)
//
// The function runs once, on tracers that stand for one element each: a tracer holds the values of all elements and the
// number of the axis they lie along (trace.go). An operation on tracers becomes one on all elements by the primitive's
// batch rule, Batcher; elementwise primitives need none. What does not depend on a mapped argument stays one value.
//
// Primitives that hold jaxprs batch them with Jaxpr (jaxpr.go). Read trace.go first.
package vmap
