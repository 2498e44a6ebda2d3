//go:build !js

package main

import (
	"github.com/pantograph-go/pantograph/backend"
	"github.com/pantograph-go/pantograph/backend/cuda"
	"github.com/pantograph-go/pantograph/backend/pjrt"
)

func init() {
	engines["pjrt"] = func(platform string) (backend.Backend, error) {
		return pjrt.Open(pjrt.Options{Platform: platform})
	}
	// cuda:compile only compiles, for a GPU that need not be there: what compiles is skipped, what does not fails.
	engines["cuda"] = func(rest string) (backend.Backend, error) {
		if rest == "compile" {
			return cuda.OpenCompiler(1, cuda.Options{})
		}
		return cuda.Open(cuda.Options{})
	}
}
