package pjrt

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// account counts the bytes that the plugin holds for Go objects. Go's collector does not see them: a loop that drops
// large results would fill the memory long before the few bytes of Go that stand for them cause a collection. So the
// account starts one whenever the bytes have doubled since the last.
type account struct {
	held    atomic.Int64
	trigger atomic.Int64
	mu      sync.Mutex // held by the goroutine that collects
}

const (
	minTrigger = 64 << 20
	perHandle  = 1 << 10 // what the plugin needs for an object besides its data
)

func newAccount() *account {
	a := &account{}
	a.trigger.Store(minTrigger)
	return a
}

func (a *account) add(bytes int64) {
	if a.held.Add(bytes) < a.trigger.Load() || !a.mu.TryLock() {
		return
	}
	defer a.mu.Unlock()
	runtime.GC() // queues the cleanups of buffers that nobody has any more; they run soon after
	runtime.Gosched()
	a.trigger.Store(max(minTrigger, 2*a.held.Load()))
}

func (a *account) remove(bytes int64) { a.held.Add(-bytes) }
