package pjrt

import (
	"sync"
	"sync/atomic"

	"github.com/pantograph-go/pantograph/internal/dl"
)

// maxInFlight bounds the goroutines that block a thread inside a plugin: those that wait for events, and for each device
// those that execute, for the plugin itself makes them wait when much is in flight.
const maxInFlight = 16

// await waits for an event, destroys it and returns its error. A few goroutines wait inside the plugin, which is
// quickest; further ones are called back, so that many waiters do not make as many threads.
func (p *plugin) await(event uintptr) error {
	defer p.destroy(eventDestroy, event)
	ready := query{}
	ready.handle = event
	if err := call(p, eventIsReady, &ready); err != nil {
		return err
	}
	if ready.value == 0 {
		select {
		case p.waits <- struct{}{}:
			defer func() { <-p.waits }()
		default:
			done := make(chan error, 1)
			p.whenReady(event, func(err error) { done <- err })
			return <-done
		}
	}
	return call(p, eventAwait, &oneHandle{handle: event})
}

// whenReady calls f with the event's error, on a thread of the plugin or at once.
func (p *plugin) whenReady(event uintptr, f func(error)) {
	id := waiters.next.Add(1)
	waiters.pending.Store(id, waiter{p, f})
	err := call(p, eventOnReady, &onReadyArgs{event: event, callback: onReady(), argument: id})
	if err != nil {
		waiters.pending.Delete(id)
		f(err)
	}
}

type waiter struct {
	plugin *plugin
	f      func(error)
}

// waiters are those who are called back, by the integer that C gives back.
var waiters struct {
	next    atomic.Uintptr
	pending sync.Map // uintptr → waiter
}

var onReady = sync.OnceValue(func() uintptr { return dl.Callback(eventReady) })

func eventReady(failure, id uintptr) {
	w, ok := waiters.pending.LoadAndDelete(id)
	if !ok {
		return
	}
	var err error
	if e := w.(waiter).plugin.take(failure); e != nil {
		err = e
	}
	w.(waiter).f(err)
}
