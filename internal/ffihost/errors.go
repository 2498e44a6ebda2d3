package ffihost

import (
	"sync"
	"unsafe"

	"github.com/pantograph-go/pantograph/backend"
	"github.com/pantograph-go/pantograph/internal/callframe"
	"github.com/pantograph-go/pantograph/internal/dl"
)

// failure is an error as a handler holds it: by its address.
type failure struct {
	code    backend.ForeignCode
	message []byte // with a zero byte at the end
}

// objects are what handlers hold by address, kept alive until it is given back. Safe for concurrent use.
type objects[T any] struct {
	mu   sync.Mutex
	live map[uintptr]*T
}

func (o *objects[T]) add(v *T) uintptr {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.live == nil {
		o.live = map[uintptr]*T{}
	}
	h := uintptr(unsafe.Pointer(v))
	o.live[h] = v
	return h
}

func (o *objects[T]) find(h uintptr) *T {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.live[h]
}

func (o *objects[T]) take(h uintptr) *T {
	o.mu.Lock()
	defer o.mu.Unlock()
	v := o.live[h]
	delete(o.live, h)
	return v
}

func (o *objects[T]) count() int {
	o.mu.Lock()
	defer o.mu.Unlock()
	return len(o.live)
}

var failures objects[failure]

// newFailure hands an error to a handler.
func newFailure(code backend.ForeignCode, message string) uintptr {
	return failures.add(&failure{code, append([]byte(message), 0)})
}

// takeFailure is the error behind a handle that a handler returned, nil for 0.
func takeFailure(h uintptr) error {
	if h == 0 {
		return nil
	}
	f := failures.take(h)
	if f == nil {
		return backend.ForeignErrorf(backend.Internal, "the handler returned an error that was not made by this runtime")
	}
	if f.code == backend.OK {
		f.code = backend.Unknown
	}
	return &backend.ForeignError{Code: f.code, Message: string(f.message[:len(f.message)-1])}
}

// cString copies a string that ends with a zero byte.
func cString(p *byte) string {
	if p == nil {
		return ""
	}
	n := 0
	for *(*byte)(unsafe.Add(unsafe.Pointer(p), n)) != 0 {
		n++
	}
	return string(unsafe.Slice(p, n))
}

func createError(p unsafe.Pointer) uintptr {
	a := (*callframe.CreateErrorArgs)(p)
	return newFailure(backend.ForeignCode(a.Code), cString(a.Message))
}

func errorMessage(p unsafe.Pointer) uintptr {
	a := (*callframe.ErrorMessageArgs)(p)
	a.Message = 0
	if f := failures.find(a.Error); f != nil {
		a.Message = uintptr(unsafe.Pointer(&f.message[0])) // kept alive by the list
	}
	return 0
}

func destroyError(p unsafe.Pointer) uintptr {
	failures.take((*callframe.DestroyErrorArgs)(p).Error)
	return 0
}

// future is the promise of an asynchronous handler.
type future struct {
	done chan struct{}
	once sync.Once
	err  error
}

func (f *future) complete(err error) {
	f.once.Do(func() {
		f.err = err
		close(f.done)
	})
}

var futures objects[future]

// await waits for the future that a handler stored in its frame.
func await(h uintptr) error {
	f := futures.find(h)
	if f == nil {
		return backend.ForeignErrorf(backend.Internal, "the handler returned a future that was not made by this runtime")
	}
	<-f.done
	futures.take(h)
	return f.err
}

func createFuture(p unsafe.Pointer) uintptr {
	(*callframe.CreateFutureArgs)(p).Future = futures.add(&future{done: make(chan struct{})})
	return 0
}

func futureAvailable(p unsafe.Pointer) uintptr {
	f := futures.find((*callframe.FutureArgs)(p).Future)
	if f == nil {
		return newFailure(backend.InvalidArgument, "the future is not one of this runtime, or its call is over")
	}
	f.complete(nil)
	return 0
}

func futureError(p unsafe.Pointer) uintptr {
	a := (*callframe.FutureErrorArgs)(p)
	err := takeFailure(a.Error) // the error is ours now, whatever becomes of the future
	f := futures.find(a.Future)
	if f == nil {
		return newFailure(backend.InvalidArgument, "the future is not one of this runtime, or its call is over")
	}
	if err == nil {
		err = backend.ForeignErrorf(backend.Unknown, "the handler completed its future with an error and gave none")
	}
	f.complete(err)
	return 0
}

// call calls a C function of one argument.
func call(fn uintptr, arg unsafe.Pointer) error { return takeFailure(dl.Call(fn, arg)) }
