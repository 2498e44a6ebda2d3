package goroutine

import (
	"sync"
	"testing"
)

func TestIDIsStableAndDistinct(t *testing.T) {
	if ID() != ID() {
		t.Fatal("two calls on one goroutine differ")
	}
	const n = 64
	var seen sync.Map
	var ready, done sync.WaitGroup
	ready.Add(n)
	for range n {
		done.Go(func() {
			if _, dup := seen.LoadOrStore(ID(), true); dup {
				t.Error("two live goroutines share an identity")
			}
			ready.Done()
			ready.Wait() // all alive at once
		})
	}
	done.Wait()
}
