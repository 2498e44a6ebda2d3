package ffihost

import (
	"fmt"
	"runtime"
	"sync"
	"unsafe"

	"github.com/pantograph-go/pantograph/backend"
	"github.com/pantograph-go/pantograph/internal/callframe"
	"github.com/pantograph-go/pantograph/internal/dl"
)

// The version of the interface, and the oldest minor version that is the same in what handlers use.
const (
	major    = 0
	minor    = 3
	minMinor = 1
)

// api is the table of functions that handlers get. It is made once: a C function pointer of a Go function is never freed.
var api = sync.OnceValue(func() *callframe.API {
	a := &callframe.API{Version: callframe.Version{StructSize: unsafe.Sizeof(callframe.Version{}), Major: major, Minor: minor}}
	a.StructSize = unsafe.Sizeof(*a)
	for _, f := range []struct {
		slot *uintptr
		size uintptr // of the arguments, as the oldest header declares them
		fn   func(args unsafe.Pointer) uintptr
	}{
		{&a.CreateError, 28, createError},
		{&a.ErrorMessage, 32, errorMessage},
		{&a.DestroyError, 24, destroyError},
		{&a.Register, 84, registerHandler},
		{&a.Stream, 32, stream},
		{&a.RegisterType, 40, registerType},
		{&a.UserData, 40, userData},
		{&a.SetState, 40, setState},
		{&a.State, 40, getState},
		{&a.Allocate, 48, allocate},
		{&a.Free, 40, free},
		{&a.Schedule, 40, schedule},
		{&a.Threads, 32, threads},
		{&a.CreateFuture, 16, createFuture},
		{&a.FutureAvailable, 24, futureAvailable},
		{&a.FutureError, 32, futureError},
		{&a.RunID, 32, runID},
		{&a.DeviceOrdinal, 28, deviceOrdinal},
	} {
		*f.slot = dl.Callback(guarded(f.size, f.fn))
	}
	return a
})

// guarded checks the declared size of the arguments, and returns what panics as an error: nothing may unwind through C.
func guarded(size uintptr, fn func(unsafe.Pointer) uintptr) func(unsafe.Pointer) uintptr {
	return func(args unsafe.Pointer) (h uintptr) {
		defer func() {
			if p := recover(); p != nil {
				h = newFailure(backend.Internal, fmt.Sprint(p))
			}
		}()
		if got := *(*uintptr)(args); got < size {
			return newFailure(backend.InvalidArgument, fmt.Sprintf("the arguments declare %d bytes and should have %d or more; was the handler built with other headers?", got, size))
		}
		return fn(args)
	}
}

func registerHandler(unsafe.Pointer) uintptr {
	return newFailure(backend.Unimplemented, "handlers are registered with ffi.Register, not by the library that holds them")
}

func stream(unsafe.Pointer) uintptr {
	return newFailure(backend.Unimplemented, "there is no platform stream on the CPU")
}

// pool bounds the tasks of handlers that run at once.
var pool = make(chan struct{}, max(runtime.GOMAXPROCS(0), 1))

func schedule(p unsafe.Pointer) uintptr {
	a := (*callframe.ScheduleArgs)(p)
	task, data := a.Task, a.Data // the arguments are gone when this returns
	go func() {
		pool <- struct{}{}
		defer func() { <-pool }()
		dl.CallN(task, data)
	}()
	return 0
}

func threads(p unsafe.Pointer) uintptr {
	*(*callframe.ThreadsArgs)(p).Threads = int64(cap(pool))
	return 0
}

func runID(p unsafe.Pointer) uintptr {
	a := (*callframe.RunIDArgs)(p)
	if r := executionAt(a.Context).run; r != nil {
		a.RunID = r.ID
	}
	return 0
}

func deviceOrdinal(p unsafe.Pointer) uintptr {
	a := (*callframe.DeviceOrdinalArgs)(p)
	a.DeviceOrdinal = 0
	if r := executionAt(a.Context).run; r != nil {
		a.DeviceOrdinal = int32(r.Device.ID)
	}
	return 0
}
