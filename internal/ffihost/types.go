package ffihost

import (
	"context"
	"fmt"
	"sync"
	"unsafe"

	"github.com/pantograph-go/pantograph/backend"
	"github.com/pantograph-go/pantograph/internal/callframe"
	"github.com/pantograph-go/pantograph/internal/dl"
)

// types are the types that handlers keep values of, by number. mu guards both fields.
var types = struct {
	mu       sync.Mutex
	next     int64
	deleters map[int64]uintptr
}{next: 1, deleters: map[int64]uintptr{}}

// RegisterType gives a type of a library its number, if it has none yet, and remembers how its values are destroyed. id is
// the address of the type's identifier, info that of its description or 0.
func RegisterType(name string, id, info uintptr) error {
	if id == 0 {
		return backend.ForeignErrorf(backend.InvalidArgument, "type %q: there is no identifier", name)
	}
	return typeRegistered(name, (*int64)(dl.Pointer(id)), (*callframe.TypeInfo)(dl.Pointer(info)))
}

func typeRegistered(name string, id *int64, info *callframe.TypeInfo) error {
	types.mu.Lock()
	defer types.mu.Unlock()
	if *id < 0 {
		return backend.ForeignErrorf(backend.InvalidArgument, "type %q has the number %d; it should be 0, or positive", name, *id)
	}
	if *id == 0 {
		for types.deleters[types.next] != 0 {
			types.next++
		}
		*id = types.next
	}
	types.next = max(types.next, *id+1)
	if info != nil && info.Deleter != 0 {
		types.deleters[*id] = info.Deleter
	}
	return nil
}

func registerType(p unsafe.Pointer) uintptr {
	a := (*callframe.RegisterTypeArgs)(p)
	var info *callframe.TypeInfo
	if a.StructSize >= unsafe.Sizeof(*a) {
		info = a.Info
	}
	if a.Type == nil {
		return newFailure(backend.InvalidArgument, "there is no identifier")
	}
	return handed(typeRegistered(a.Name.String(), a.Type, info))
}

// handed gives an error to a handler.
func handed(err error) uintptr {
	if err == nil {
		return 0
	}
	if f, ok := err.(*backend.ForeignError); ok {
		return newFailure(f.Code, f.Message)
	}
	return newFailure(backend.Internal, err.Error())
}

// destroy frees a value of a type.
func destroy(kind int64, value uintptr) {
	types.mu.Lock()
	deleter := types.deleters[kind]
	types.mu.Unlock()
	if deleter != 0 && value != 0 {
		dl.CallN(deleter, value)
	}
}

// userKey is the key under which a context holds the value for a type.
type userKey struct{ kind int64 }

// WithUserData lets handlers that run under the context find a value by the identifier of its type, at address id.
func WithUserData(ctx context.Context, id, value uintptr) context.Context {
	return context.WithValue(ctx, userKey{*(*int64)(dl.Pointer(id))}, value)
}

func userData(p unsafe.Pointer) uintptr {
	a := (*callframe.UserDataArgs)(p)
	v, ok := executionAt(a.Context).ctx.Value(userKey{*a.Type}).(uintptr)
	if !ok {
		return newFailure(backend.NotFound, fmt.Sprintf("the execution has no user data of type %d", *a.Type))
	}
	a.Data = v
	return 0
}
