package ffihost

import (
	"context"
	"fmt"
	"sync"
	"unsafe"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/backend"
	"github.com/pantograph-go/pantograph/internal/callframe"
	"github.com/pantograph-go/pantograph/internal/dl"
)

// execution is what the context of a call stands for. Handlers hand its address back.
type execution struct {
	ctx   context.Context
	run   *backend.Run // nil while a program is compiled
	minor int32        // version of the interface that the handler was built with
	kept  *states
	ofRun *states // nil outside a run, and where no stage makes such states

	mu      sync.Mutex
	scratch map[uintptr]*array.Buffer // memory of Allocate, by address; guarded by mu
}

// executionAt finds an execution by the address that a handler got. Whoever calls the handler keeps it alive.
func executionAt(context uintptr) *execution { return (*execution)(dl.Pointer(context)) }

// maxScratch bounds one block of scratch memory.
const maxScratch = 1 << 38

func allocate(p unsafe.Pointer) uintptr {
	a := (*callframe.AllocateArgs)(p)
	switch {
	case a.Size > maxScratch:
		return newFailure(backend.ResourceExhausted, fmt.Sprintf("%d bytes of scratch memory", a.Size))
	case a.Alignment&(a.Alignment-1) != 0 || a.Alignment > 4096:
		return newFailure(backend.InvalidArgument, fmt.Sprintf("scratch memory aligned to %d bytes", a.Alignment))
	case a.Size == 0:
		a.Data = 0
		return 0
	}
	n := int(a.Size)
	if a.Alignment > array.Alignment {
		n += int(a.Alignment)
	}
	b := array.NewBuffer(array.Uint8, array.Shape{n})
	data := unsafe.Pointer(unsafe.SliceData(b.Bytes()))
	if a.Alignment > array.Alignment {
		if r := uintptr(data) % a.Alignment; r != 0 {
			data = unsafe.Add(data, a.Alignment-r)
		}
	}
	e := executionAt(a.Context)
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.scratch == nil {
		e.scratch = map[uintptr]*array.Buffer{}
	}
	e.scratch[uintptr(data)] = b
	a.Data = uintptr(data)
	return 0
}

func free(p unsafe.Pointer) uintptr {
	a := (*callframe.FreeArgs)(p)
	e := executionAt(a.Context)
	e.mu.Lock()
	defer e.mu.Unlock()
	if _, ok := e.scratch[a.Data]; !ok && a.Data != 0 {
		return newFailure(backend.InvalidArgument, "the memory to be freed is no scratch memory of this call")
	}
	delete(e.scratch, a.Data)
	return 0
}
