// Package ffihost calls foreign functions that were written against the XLA FFI headers, without cgo: it is the runtime
// that such a function (a handler) sees. Programs reach it through package ffi, which registers handlers by name.
//
//	h, err := ffihost.New(callframe.Bundle{Execute: symbol}) // asks the handler for its version
//	i, err := h.Instantiate(ctx, site)                       // for one call of a program: lays out attributes, runs the first stage
//	err = i.Call(ctx, frame)                                 // as often as the program runs
//
// A handler gets a call frame (package callframe) and a table of functions, of which all are here: errors, states, scratch
// memory, a pool of threads, futures, what it may know of the run. The memory it sees is Go memory that is kept alive
// until it is done, futures included; Go does not move objects of the heap.
//
// Read api.go for the table, instance.go for what happens in a call, untyped.go for the interfaces that came before.
package ffihost
