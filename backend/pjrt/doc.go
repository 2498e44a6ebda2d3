// Package pjrt runs programs on a PJRT plugin: XLA as a shared library, loaded at run time without cgo.
//
//	b, err := pjrt.Open(pjrt.Options{})          // the CPU plugin that is installed
//	e, err := b.Compile(ctx, module, backend.Options{})
//	out, err := e.Execute(ctx, []array.Data{x, y})
//	values, err := out[0].Host()
//
// A plugin is a table of C functions (abi.go, plugin.go) that work on handles: client, device, executable, buffer, event.
// Each handle is owned by one Go object, which counts its users and destroys it exactly once (handle.go); collected
// objects are closed by a cleanup, but Delete and Close are how memory goes back in time. A module goes to the plugin as
// text, after its calls of Go functions were directed to the one C callback that this package registers (module.go,
// foreign.go). Execution is asynchronous: a result is a promise until Host.
//
// What would end the process is refused before it reaches the plugin: empty options, unknown XLA_FLAGS, destroyed handles,
// types that a plugin's version cannot compile, panics in callbacks. All else that goes wrong is an *Error with the
// plugin's code and text.
//
// Not done here: several devices in one program, layouts that XLA chooses, foreign functions in C, Go functions on
// devices whose memory is not the host's.
package pjrt
