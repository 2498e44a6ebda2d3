package ffihost

import (
	"context"
	"runtime"
	"unsafe"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/backend"
	"github.com/pantograph-go/pantograph/internal/dl"
)

// Untyped is a foreign function of one of the interfaces before the typed one. Which it is, the API version of the call
// says; nothing can be checked:
//
//	1: void f(void* out, const void** in)
//	2: void f(void* out, const void** in, XlaCustomCallStatus* status)
//	3: void f(void* out, const void** in, const char* opaque, size_t length, XlaCustomCallStatus* status)
//
// out is the result where there is one, else the list of results. Safe for concurrent use where the function is.
type Untyped struct{ Function uintptr }

var _ backend.Instantiator = Untyped{}

// Call refuses: an engine calls the instance.
func (Untyped) Call(context.Context, *backend.CallFrame) error {
	return backend.ForeignErrorf(backend.FailedPrecondition, "the handler was not instantiated for the call")
}

// Instantiate implements backend.Instantiator.
func (u Untyped) Instantiate(_ context.Context, s *backend.CallSite) (backend.Instance, error) {
	if s.APIVersion < 1 || s.APIVersion > 3 {
		return nil, backend.ForeignErrorf(backend.InvalidArgument, "the call of %q has API version %d, which says nothing of the handler's form; 1 to 3 do", s.Target, s.APIVersion)
	}
	if !dl.Supported {
		return nil, backend.ForeignErrorf(backend.Unimplemented, "C functions cannot be called on this platform")
	}
	for _, a := range append(append([]array.Aval{}, s.Operands...), s.Results...) {
		if d := a.DType; d == array.Token || d.Bits() < 8 && d != array.Bool {
			return nil, backend.ForeignErrorf(backend.Unimplemented, "the untyped call of %q has a value of type %s", s.Target, d)
		}
	}
	return untypedInstance{u.Function, s}, nil
}

type untypedInstance struct {
	function uintptr
	site     *backend.CallSite
}

func (untypedInstance) Overwrites() bool { return true }
func (untypedInstance) Close() error     { return nil }

// Call implements backend.Handler.
func (i untypedInstance) Call(_ context.Context, c *backend.CallFrame) error {
	in, out := pointers(c.Operands), pointers(c.Results)
	to := unsafe.Pointer(unsafe.SliceData(out))
	if len(out) == 1 {
		to = out[0]
	}
	from := unsafe.Pointer(unsafe.SliceData(in))
	status := new([64]byte) // its form is the runtime's own secret; handlers write it through functions of XLA
	switch i.site.APIVersion {
	case 1:
		dl.CallN(i.function, uintptr(to), uintptr(from))
	case 2:
		dl.CallN(i.function, uintptr(to), uintptr(from), uintptr(unsafe.Pointer(status)))
	case 3:
		opaque := i.site.Opaque
		dl.CallN(i.function, uintptr(to), uintptr(from), uintptr(unsafe.Pointer(unsafe.StringData(opaque))), uintptr(len(opaque)), uintptr(unsafe.Pointer(status)))
		runtime.KeepAlive(opaque)
	}
	runtime.KeepAlive(in)
	runtime.KeepAlive(out)
	runtime.KeepAlive(c)
	return nil
}

func pointers(list []*array.Buffer) []unsafe.Pointer {
	out := make([]unsafe.Pointer, len(list))
	for i, b := range list {
		out[i] = unsafe.Pointer(unsafe.SliceData(b.Bytes()))
	}
	return out
}
