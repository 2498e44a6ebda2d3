package cpu

import (
	"slices"
	"sync"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/backend"
)

// lifetime closes the instances of foreign functions when the program is closed and nothing executes it any more.
type lifetime struct {
	mu        sync.Mutex
	instances []backend.Instance // nil once closed
	running   int
	ended     bool
}

// enter begins an execution, leave ends it.
func (l *lifetime) enter() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.ended {
		return array.ArgumentErrorf("the executable is closed")
	}
	l.running++
	return nil
}

func (l *lifetime) leave() { l.change(func() { l.running-- }) }

// end closes the program.
func (l *lifetime) end() { l.change(func() { l.ended = true }) }

func (l *lifetime) change(f func()) {
	l.mu.Lock()
	f()
	var done []backend.Instance
	if l.ended && l.running == 0 {
		done, l.instances = l.instances, nil
	}
	l.mu.Unlock()
	closeAll(done)
}

// closeAll closes instances, the last first. What a handler fails to give back nobody can act on.
func closeAll(list []backend.Instance) {
	for _, i := range slices.Backward(list) {
		i.Close()
	}
}
