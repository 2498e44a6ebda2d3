package jit

import (
	"sync"
	"sync/atomic"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/backend"
	"github.com/pantograph-go/pantograph/backend/cpu"
	ffi "github.com/pantograph-go/pantograph/ffi_call"
	"github.com/pantograph-go/pantograph/internal/debug"
)

// handlers are the foreign functions that programs may call.
var handlers = ffi.Handlers

// engines holds the backends that have been opened, each once for the life of the process; mu guards open.
var engines struct {
	mu   sync.Mutex
	open map[string]opened
}

// chosen is the default backend once it has been looked for.
var chosen atomic.Pointer[opened]

type opened struct {
	backend backend.Backend
	err     error
}

// Default is the backend that eager operations and jitted functions run on: cpu, unless PANTOGRAPH=backend=NAME says
// otherwise.
func Default() (backend.Backend, error) {
	if b := chosen.Load(); b != nil {
		return b.backend, b.err
	}
	name := debug.Current().Backend
	if name == "" {
		name = "cpu"
	}
	b, err := OpenBackend(name)
	chosen.CompareAndSwap(nil, &opened{b, err})
	return b, err
}

// SetDefault makes b the backend that eager operations and jitted functions run on from now on, in place of the one that
// PANTOGRAPH names.
func SetDefault(b backend.Backend) { chosen.Store(&opened{backend: b}) }

// OpenBackend returns the backend of a name: cpu, cuda, or pjrt:PLATFORM where a plugin is installed. It is opened on
// first use and stays open.
func OpenBackend(name string) (backend.Backend, error) {
	engines.mu.Lock()
	defer engines.mu.Unlock()
	if o, ok := engines.open[name]; ok {
		return o.backend, o.err
	}
	var o opened
	switch name {
	case "cpu":
		o.backend = cpu.New()
	case "help":
		o.err = array.ArgumentErrorf("backends: cpu (always there), pjrt:cpu and cuda (where a PJRT plugin is installed)")
	default:
		o.backend, o.err = openPlugin(name)
	}
	if engines.open == nil {
		engines.open = map[string]opened{}
	}
	engines.open[name] = o
	return o.backend, o.err
}
