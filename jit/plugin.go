//go:build !js

package jit

import (
	"strings"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/backend"
	"github.com/pantograph-go/pantograph/backend/cuda"
	"github.com/pantograph-go/pantograph/backend/pjrt"
)

// openPlugin opens a backend that is a PJRT plugin: cuda or pjrt:PLATFORM.
func openPlugin(name string) (backend.Backend, error) {
	var b *pjrt.Backend
	var err error
	if platform, ok := strings.CutPrefix(name, "pjrt:"); ok {
		b, err = pjrt.Open(pjrt.Options{Platform: platform})
	} else if name == "cuda" {
		b, err = cuda.Open(cuda.Options{})
	} else {
		err = array.ArgumentErrorf("there is no backend %q; cpu, cuda and pjrt:PLATFORM are the names", name)
	}
	if err != nil {
		return nil, err
	}
	return b, nil
}
