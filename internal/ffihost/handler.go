package ffihost

import (
	"context"
	"fmt"
	"unsafe"

	"github.com/pantograph-go/pantograph/backend"
	"github.com/pantograph-go/pantograph/internal/callframe"
	"github.com/pantograph-go/pantograph/internal/dl"
)

// Handler is a foreign function of the typed interface. It never changes and is safe for concurrent use.
type Handler struct {
	Bundle callframe.Bundle
	Traits int32
	minor  int32 // version that it was built with
}

var (
	_ backend.Instantiator = (*Handler)(nil)
	_ backend.Native       = (*Handler)(nil)
)

// New asks the functions for their metadata, first execute and then instantiate, as XLA does. It reports a
// *backend.ForeignError where one of them refuses, as a handler whose state has no registered type does, and where they were
// built with a version of the interface that is too old or newer than 0.3.
func New(b callframe.Bundle) (*Handler, error) {
	if b.Execute == 0 {
		return nil, backend.ForeignErrorf(backend.InvalidArgument, "the handler has no function for the stage execute")
	}
	if !dl.Supported {
		return nil, backend.ForeignErrorf(backend.Unimplemented, "C functions cannot be called on this platform")
	}
	h := &Handler{Bundle: b}
	for i, fn := range []uintptr{b.Execute, b.Instantiate} {
		if fn == 0 {
			continue
		}
		f, m := callframe.Ask(api())
		if err := call(fn, unsafe.Pointer(f)); err != nil {
			return nil, err
		}
		if m.Version.Major != major || m.Version.Minor < minMinor || m.Version.Minor > minor {
			return nil, backend.ForeignErrorf(backend.InvalidArgument, "the handler was built with version %d.%d of the interface; supported are %d.%d to %d.%d",
				m.Version.Major, m.Version.Minor, major, minMinor, major, minor)
		}
		if i == 0 {
			h.Traits, h.minor = m.Traits, m.Version.Minor
		}
	}
	return h, nil
}

// Native implements backend.Native.
func (h *Handler) Native() (execute uintptr, traits int32, stages bool) {
	return h.Bundle.Execute, h.Traits, h.Bundle.Instantiate != 0 || h.Bundle.Prepare != 0 || h.Bundle.Initialize != 0
}

// Call refuses: an engine calls the instance.
func (h *Handler) Call(context.Context, *backend.CallFrame) error {
	return backend.ForeignErrorf(backend.FailedPrecondition, "the handler was not instantiated for the call")
}

// Instantiate lays out the attributes of a call and runs the first stage, whose error is the result. An attribute of a
// kind that a call frame cannot carry is an INVALID_ARGUMENT that names it.
func (h *Handler) Instantiate(ctx context.Context, s *backend.CallSite) (backend.Instance, error) {
	d, err := frameAttrs(s.Attrs, "")
	if err != nil {
		return nil, err
	}
	attrs, err := callframe.EncodeAttrs(d)
	if err != nil {
		return nil, backend.ForeignErrorf(backend.InvalidArgument, "%v", err)
	}
	i := &Instance{handler: h, site: s, attrs: attrs}
	if _, _, _, err := callframe.Lay(callframe.Execute, s.Operands, s.Results, attrs); err != nil {
		return nil, backend.ForeignErrorf(backend.InvalidArgument, "%v", err)
	}
	if h.Bundle.Instantiate == 0 {
		return i, nil
	}
	f, err := i.lay(callframe.Instantiate, nil, nil)
	if err != nil {
		return nil, err
	}
	f.ctx = ctx
	if err := f.call(h.Bundle.Instantiate); err != nil {
		i.Close()
		return nil, fmt.Errorf("the stage instantiate of %q: %w", s.Target, err)
	}
	return i, nil
}
