//go:build (linux || darwin) && !android && !ios && (amd64 || arm64)

package dl

import (
	"runtime"
	"unsafe"

	"github.com/ebitengine/purego"
)

// Supported tells that libraries can be opened on this platform.
const Supported = true

func open(path string) (uintptr, string) {
	h, err := purego.Dlopen(path, purego.RTLD_NOW|purego.RTLD_LOCAL)
	if err != nil {
		return 0, err.Error()
	}
	return h, ""
}

func symbol(handle uintptr, name string) (uintptr, string) {
	addr, err := purego.Dlsym(handle, name)
	if err != nil {
		return 0, err.Error()
	}
	return addr, ""
}

// Call calls a C function of one pointer argument, the form of every function of the PJRT and FFI interfaces, and returns
// its result. The argument and all that it points to stay where they are until the function returns: arg escapes to the
// heap, and the heap does not move.
func Call(fn uintptr, arg unsafe.Pointer) uintptr {
	r, _, _ := purego.SyscallN(fn, uintptr(arg))
	runtime.KeepAlive(arg)
	return r
}

// CallN calls a C function of integer arguments. Pointers to Go memory are converted inside the call expression:
// dl.CallN(fn, uintptr(unsafe.Pointer(p))) keeps p alive and in place.
//
//go:uintptrescapes
func CallN(fn uintptr, args ...uintptr) uintptr {
	r, _, _ := purego.SyscallN(fn, args...)
	return r
}

// Callback makes a C function pointer of a Go func with integer or pointer arguments and at most one such result. It may
// be called on any thread. It is never freed and a process has 2,000 of them, so make one for each kind of call, not for
// each call. The func must not panic: unwinding through C ends the process.
func Callback(f any) uintptr { return purego.NewCallback(f) }
