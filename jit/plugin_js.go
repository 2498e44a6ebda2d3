//go:build js

package jit

import (
	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/backend"
)

// openPlugin refuses: a browser cannot load a shared library.
func openPlugin(name string) (backend.Backend, error) {
	return nil, array.ArgumentErrorf("the backend %q needs a PJRT plugin, which js/wasm cannot load; cpu is the only backend there", name)
}
