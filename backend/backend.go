// Package backend is the contract between Pantograph and whatever runs StableHLO: the pure-Go CPU engine
// (backend/cpu) or a PJRT plugin (backend/pjrt). A Backend compiles a module to an Executable; an Executable takes and
// returns Buffers. Package backendtest holds the checks that every engine passes.
package backend

import (
	"context"
	"sync"
	"sync/atomic"

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

// Handlers finds the foreign function behind a custom call.
type Handlers interface {
	// Handler returns the handler of a target on a platform.
	Handler(target, platform string, apiVersion int) (Handler, bool)
}

// Handler runs custom calls of one target. Call is invoked concurrently.
type Handler interface {
	Call(ctx context.Context, c *CallFrame) error
}

// Instantiator is a Handler that wants to see each call of a program when the program is compiled: to refuse what it
// cannot run, and to keep a state for the call. The engine then calls the Instance in its place.
type Instantiator interface {
	Handler
	Instantiate(ctx context.Context, s *CallSite) (Instance, error)
}

// Instance is a handler bound to one custom call of one executable, which closes it when the executable is closed or
// collected. Iterations of a loop and repeated runs share it.
type Instance interface {
	Handler
	Close() error
}

// Overwriter is a handler, or an instance, that writes every byte of its results, so that the engine need not clear them.
type Overwriter interface{ Overwrites() bool }

// CallSite is a custom call as it stands in a module.
type CallSite struct {
	Target     string
	APIVersion int
	Attrs      hlo.Attrs // the typed dictionary of an API version 4 call
	Opaque     string    // the backend_config of earlier versions
	Operands   []array.Aval
	Results    []array.Aval
	Loc        hlo.Loc
}

// CallFrame is one invocation of a foreign function: read the operands, write the results. A token is a buffer without
// elements. The frame and its buffers are the handler's until it returns; an engine may use them again afterwards.
type CallFrame struct {
	*CallSite
	Run      *Run
	Operands []*array.Buffer
	Results  []*array.Buffer // zeroed, unless they begin as an operand; of the result types, to be filled in

	// Memo is for the handler: what it leaves here it finds again where it is called with the same frame.
	Memo any
}

// Run is one execution of a program, as the foreign calls in it see it. Safe for concurrent use.
type Run struct {
	ID     int64 // positive, another one for each execution of the process
	Device Device

	mu     sync.Mutex
	values map[any]any
	ends   []func()
}

var runs atomic.Int64

// Begin makes r a new execution on a device. The engine calls End when the execution is over.
func (r *Run) Begin(d Device) { r.ID, r.Device = runs.Add(1), d }

// Value returns what make returned for the key the first time in this run. make may give a function to be called at the
// end of the run; an error of make is not kept.
func (r *Run) Value(key any, make func() (value any, end func(), err error)) (any, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if v, ok := r.values[key]; ok {
		return v, nil
	}
	v, end, err := make()
	if end != nil {
		r.ends = append(r.ends, end)
	}
	if err != nil {
		return nil, err
	}
	if r.values == nil {
		r.values = map[any]any{}
	}
	r.values[key] = v
	return v, nil
}

// End calls the functions that were left for it, the last first.
func (r *Run) End() {
	r.mu.Lock()
	ends := r.ends
	r.values, r.ends = nil, nil
	r.mu.Unlock()
	for i := len(ends) - 1; i >= 0; i-- {
		ends[i]()
	}
}

// Unsupported is the error of an engine that meets something it cannot run: an operation, an element type, an option.
// The verifier's suites count it as a skip.
type Unsupported struct{ Feature string }

func (e *Unsupported) Error() string { return "not supported by this engine: " + e.Feature }
