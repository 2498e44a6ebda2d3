// Package backend is the contract between Pantograph and whatever runs StableHLO: the pure-Go CPU engine
// (backend/cpu) or a PJRT plugin (backend/pjrt). A Backend compiles a module to an Executable; an Executable takes and
// returns Buffers. Package backendtest holds the checks that every engine passes.
package backend

import (
	"context"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/lower/hlo"
)

// Backend is an engine on some devices. Safe for concurrent use.
type Backend interface {
	// Name is how users select it: cpu, pjrt:cpu, cuda.
	Name() string
	// Platform is the platform that lowering should aim at: cpu, cuda, …
	Platform() string
	// Devices lists the devices; there is at least one.
	Devices() []Device
	// Compile makes an executable of the module's function main.
	Compile(ctx context.Context, m *hlo.Module, opts Options) (Executable, error)
	// Put copies host data to a device. An engine in host memory may return the data itself.
	Put(data *array.Buffer, d Device) (Buffer, error)
	// Close frees the engine; its executables and buffers must not be used afterwards.
	Close() error
}

// Device is one device of a backend.
type Device struct {
	ID   int
	Kind string // as the engine names it: cpu, NVIDIA H200
}

// Buffer is an array on a device. Reading it after Delete, or after it was donated, is an *array.DonatedError.
type Buffer interface {
	array.Data
	// Device tells where the data is.
	Device() Device
	// Delete frees the memory now; a buffer that is dropped is freed by the collector in time.
	Delete()
}

// Executable is a compiled module. Safe for concurrent use.
type Executable interface {
	// Execute runs main on the arguments, which must have the types of main's parameters, and returns its results.
	// The arguments that Options.Donate names are given away. A cancelled context ends loops between steps.
	Execute(ctx context.Context, args []array.Data) ([]Buffer, error)
	// Memory tells what the executable needs; zero values are unknown.
	Memory() MemoryStats
	// Close frees the executable.
	Close() error
}

// MemoryStats are the bytes an executable needs.
type MemoryStats struct{ Arguments, Results, Temporaries, Code int64 }

// Options are the settings of one compilation.
type Options struct {
	Name   string // for errors and dumps
	Donate []int  // arguments of main whose memory the program may reuse
	// Handlers finds the handler of a custom call by target and API version; nil finds none.
	Handlers Handlers
}

// Unsupported is the error of an engine that meets something it cannot run: an operation, an element type, an option.
// The verifier's suites count it as a skip.
type Unsupported struct{ Feature string }

func (e *Unsupported) Error() string { return "not supported by this engine: " + e.Feature }
