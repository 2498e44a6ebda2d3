package callframe

import (
	"cmp"
	"slices"
	"strings"
	"sync"

	"github.com/pantograph-go/pantograph/array"
)

// Key is the name under which a handler is found.
type Key struct {
	Target     string
	Platform   string // any case; Host is another name of cpu
	APIVersion int
}

func (k Key) canonical() Key {
	k.Platform = strings.ToLower(k.Platform)
	if k.Platform == "host" {
		k.Platform = "cpu"
	}
	return k
}

// Table finds handlers of some kind H. The zero Table is empty and ready. Safe for concurrent use.
type Table[H any] struct {
	// Same tells whether two handlers are one, so that registering it again is harmless; nil: never.
	Same func(a, b H) bool

	mu       sync.RWMutex
	handlers map[Key]H // by canonical key; guarded by mu
}

// Register adds a handler. A key that another handler has is an ArgumentError.
func (t *Table[H]) Register(k Key, h H) error {
	k = k.canonical()
	t.mu.Lock()
	defer t.mu.Unlock()
	if old, ok := t.handlers[k]; ok {
		if t.Same != nil && t.Same(old, h) {
			return nil
		}
		return array.ArgumentErrorf("target %q is registered already for platform %s, API version %d, with another handler; unregister it first or choose another name",
			k.Target, k.Platform, k.APIVersion)
	}
	if t.handlers == nil {
		t.handlers = map[Key]H{}
	}
	t.handlers[k] = h
	return nil
}

// Unregister removes a handler and reports whether there was one.
func (t *Table[H]) Unregister(k Key) bool {
	k = k.canonical()
	t.mu.Lock()
	defer t.mu.Unlock()
	_, ok := t.handlers[k]
	delete(t.handlers, k)
	return ok
}

// Lookup finds a handler.
func (t *Table[H]) Lookup(k Key) (H, bool) {
	t.mu.RLock()
	defer t.mu.RUnlock()
	h, ok := t.handlers[k.canonical()]
	return h, ok
}

// Keys lists what is registered, by target, platform and version.
func (t *Table[H]) Keys() []Key {
	t.mu.RLock()
	defer t.mu.RUnlock()
	keys := make([]Key, 0, len(t.handlers))
	for k := range t.handlers {
		keys = append(keys, k)
	}
	slices.SortFunc(keys, func(a, b Key) int {
		return cmp.Or(cmp.Compare(a.Target, b.Target), cmp.Compare(a.Platform, b.Platform), cmp.Compare(a.APIVersion, b.APIVersion))
	})
	return keys
}
