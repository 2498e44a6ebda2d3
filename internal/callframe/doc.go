// Package callframe holds the C structures through which XLA and a foreign function (a handler) meet, version 0.1 to 0.5
// of the XLA FFI interface, and the table in which handlers are found.
//
// The structures mirror the C header field by field, so a *Frame that a runtime hands over is read in place: Buffer.View
// gives an array that shares the runtime's memory, Attrs.Decode copies the attributes into Go values. New goes
// the other way and lays out a frame for a handler written against the official headers. The package only reads and
// writes memory; whoever owns the handler or the runtime makes the calls.
//
// Table finds a handler by target, platform and API version; it does not care what a handler is.
//
// Read abi.go first: the rest follows from it.
package callframe
