package cpu

import (
	"context"
	"runtime/debug"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/backend"
	"github.com/pantograph-go/pantograph/lower/hlo"
)

// Engine runs StableHLO on the processor. Safe for concurrent use.
type Engine struct{}

var _ backend.Backend = (*Engine)(nil)

// New returns an engine.
func New() *Engine { return &Engine{} }

var device = backend.Device{ID: 0, Kind: "cpu"}

// Name implements backend.Backend.
func (*Engine) Name() string { return "cpu" }

// Platform implements backend.Backend.
func (*Engine) Platform() string { return "cpu" }

// Devices implements backend.Backend: one device, all processors.
func (*Engine) Devices() []backend.Device { return []backend.Device{device} }

// Put implements backend.Backend. The buffer shares the memory of data.
func (*Engine) Put(data *array.Buffer, d backend.Device) (backend.Buffer, error) {
	if d.ID != 0 {
		return nil, array.ArgumentErrorf("the cpu engine has one device, number 0; got %d", d.ID)
	}
	return newBuffer(data, true), nil
}

// Close implements backend.Backend. The engine keeps nothing open.
func (*Engine) Close() error { return nil }

// Compile implements backend.Backend. What the engine cannot run is a *backend.Unsupported inside an *array.Error that
// names the operation and the user's line; a module that is wrong is another kind of error.
func (e *Engine) Compile(ctx context.Context, m *hlo.Module, opts backend.Options) (exe backend.Executable, err error) {
	defer func() {
		if p := recover(); p != nil {
			exe, err = nil, internalError(p, debug.Stack())
		}
	}()
	p, err := compile(ctx, m, opts)
	if err != nil {
		return nil, err
	}
	return newExecutable(p), nil
}
