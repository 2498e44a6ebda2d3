package ffi

import (
	"context"

	"github.com/pantograph-go/pantograph/internal/dl"
	"github.com/pantograph-go/pantograph/internal/ffihost"
)

// Library is a shared library opened at run time, without cgo, on Linux and macOS. It stays open for the life of the
// process. Safe for concurrent use.
type Library struct {
	lib *dl.Library
	err error
}

// Open opens a shared library, the file built from a handler in C or C++. A failure shows where a symbol is used: Open,
// Symbol and Register read as one expression.
//
//	err := ffi.Register("rms_norm", ffi.Open("librms.so").Symbol("RmsNorm"))
func Open(path string) *Library {
	lib, err := dl.Open(path)
	return &Library{lib, err}
}

// Err is the reason why the library could not be opened, nil where it is open.
func (l *Library) Err() error { return l.err }

// Symbol is a function or variable of a library by the name that it has in C: the counterpart of the reference's pycapsule.
func (l *Library) Symbol(name string) Symbol {
	if l.err != nil {
		return Symbol{err: l.err}
	}
	addr, err := l.lib.Symbol(name)
	return Symbol{addr, err}
}

// Symbol is the address of a C function or variable, or the reason why there is none.
type Symbol struct {
	addr uintptr
	err  error
}

// SymbolAt is the C function or variable at an address, which must stay valid for the life of the process.
func SymbolAt(address uintptr) Symbol {
	if address == 0 {
		return Symbol{err: Errorf(InvalidArgument, "the address of a symbol is 0")}
	}
	return Symbol{addr: address}
}

// Address is the address in memory.
func (s Symbol) Address() (uintptr, error) {
	if s.addr == 0 && s.err == nil {
		return 0, Errorf(InvalidArgument, "the symbol is the zero value; take one of a library, as ffi.Open(path).Symbol(name)")
	}
	return s.addr, s.err
}

// RegisterType makes a type known whose values C handlers keep between their stages. id is the variable of type
// XLA_FFI_TypeId in the library: where it holds 0, it gets a number that no other type has. info is that of type
// XLA_FFI_TypeInfo, which says how a value is destroyed, or the zero Symbol. Registering again, or under another name, is
// accepted. A type is registered before the handlers that keep values of it.
func RegisterType(name string, id, info Symbol) error {
	at, err := id.Address()
	if err != nil {
		return err
	}
	if info.err != nil {
		return info.err
	}
	return ffihost.RegisterType(name, at, info.addr)
}

// WithUserData gives C handlers that run under the context a pointer, which they find by its type: the variable of type
// XLA_FFI_TypeId that RegisterType was given.
func WithUserData(ctx context.Context, id Symbol, pointer uintptr) (context.Context, error) {
	at, err := id.Address()
	if err != nil {
		return ctx, err
	}
	return ffihost.WithUserData(ctx, at, pointer), nil
}
