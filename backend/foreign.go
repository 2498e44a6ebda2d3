package backend

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/lower/hlo"
)

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

// Native is a handler that is a C function of the XLA FFI interface: an engine that can call such functions itself gives the
// function to its runtime. stages tells that the handler has functions for other stages too, which execute relies on.
type Native interface {
	Native() (execute uintptr, traits int32, stages bool)
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

// ForeignError is an error with the code of a status, as handlers of the C interface return it.
//
//	NOT_FOUND: asked to fail with code 5
type ForeignError struct {
	Code    ForeignCode
	Message string
}

func (e *ForeignError) Error() string { return e.Code.String() + ": " + e.Message }

// ForeignErrorf makes a ForeignError.
func ForeignErrorf(c ForeignCode, format string, a ...any) error {
	return &ForeignError{c, fmt.Sprintf(format, a...)}
}

// ForeignCode is the code of a status. The numbers are the canonical ones.
type ForeignCode int32

// The codes.
const (
	OK ForeignCode = iota
	Cancelled
	Unknown
	InvalidArgument
	DeadlineExceeded
	NotFound
	AlreadyExists
	PermissionDenied
	ResourceExhausted
	FailedPrecondition
	Aborted
	OutOfRange
	Unimplemented
	Internal
	Unavailable
	DataLoss
	Unauthenticated
)

var codeNames = [...]string{"OK", "CANCELLED", "UNKNOWN", "INVALID_ARGUMENT", "DEADLINE_EXCEEDED", "NOT_FOUND", "ALREADY_EXISTS",
	"PERMISSION_DENIED", "RESOURCE_EXHAUSTED", "FAILED_PRECONDITION", "ABORTED", "OUT_OF_RANGE", "UNIMPLEMENTED", "INTERNAL",
	"UNAVAILABLE", "DATA_LOSS", "UNAUTHENTICATED"}

// String is the code's canonical name.
func (c ForeignCode) String() string {
	if c >= 0 && int(c) < len(codeNames) {
		return codeNames[c]
	}
	return fmt.Sprintf("code %d", int32(c))
}
