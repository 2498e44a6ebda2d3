package dl

import (
	"fmt"
	"path/filepath"
	"runtime"
	"unsafe"
)

// Library is a shared library that stays open for the life of the process: code of it may run on threads of its own, so
// closing it is never safe. Safe for concurrent use.
type Library struct {
	path   string
	handle uintptr
}

// Error says which library or symbol could not be had, and the dynamic loader's reason.
//
//	open /p/libx.so: libcudart.so.12: cannot open shared object file: No such file or directory
type Error struct {
	Path   string
	Symbol string // empty where the library itself could not be opened
	Reason string
}

func (e *Error) Error() string {
	if e.Symbol != "" {
		return fmt.Sprintf("%s has no symbol %s: %s", e.Path, e.Symbol, e.Reason)
	}
	return fmt.Sprintf("open %s: %s", e.Path, e.Reason)
}

// Open loads the library in a file. A relative path is meant from the working directory: unlike the loader itself, Open
// never searches the system's folders.
func Open(path string) (*Library, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return nil, &Error{Path: path, Reason: err.Error()}
	}
	h, reason := open(abs)
	if h == 0 {
		return nil, &Error{Path: abs, Reason: reason}
	}
	return &Library{abs, h}, nil
}

// OpenSystem loads a library by its name alone through the loader's own search, as libcuda.so.1, which belongs to the
// driver and has no fixed folder.
func OpenSystem(name string) (*Library, error) {
	h, reason := open(name)
	if h == 0 {
		return nil, &Error{Path: name, Reason: reason}
	}
	return &Library{name, h}, nil
}

// Path is the file the library was loaded from.
func (l *Library) Path() string { return l.path }

// Symbol is the address of an exported function or variable.
func (l *Library) Symbol(name string) (uintptr, error) {
	addr, reason := symbol(l.handle, name)
	if addr == 0 {
		return 0, &Error{Path: l.path, Symbol: name, Reason: reason}
	}
	return addr, nil
}

const unsupported = "shared libraries cannot be opened on " + runtime.GOOS + "/" + runtime.GOARCH + ", only on linux and macOS"

// Pointer is the memory at an address that C gave.
func Pointer(addr uintptr) unsafe.Pointer { return *(*unsafe.Pointer)(unsafe.Pointer(&addr)) }

// Bytes are n bytes of C memory, seen and not copied; nil where n is 0.
func Bytes(addr uintptr, n int) []byte {
	if n == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(Pointer(addr)), n)
}

// String copies n bytes of C memory into a Go string.
func String(addr uintptr, n int) string { return string(Bytes(addr, n)) }
