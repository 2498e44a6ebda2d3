// Package dl opens shared libraries and calls C functions without cgo. It is the only package that imports purego, so
// the rules for memory that C sees are kept here, and every other package compiles on every platform.
//
//	lib, err := dl.Open("/usr/lib/librms.so")
//	fn, err := lib.Symbol("RmsNorm")
//	result := dl.Call(fn, unsafe.Pointer(&args))
//
// It works on linux and macOS, on amd64 and arm64. Elsewhere Supported is false, Open returns an error that says so, and
// nothing else can be reached. Addresses of C memory are uintptr, pointers to Go memory are unsafe.Pointer: the collector
// follows only the latter, and Go memory that C keeps beyond one call must be pinned by whoever hands it over.
package dl
