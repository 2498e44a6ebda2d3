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
	engines["cuda"] = func(string) (backend.Backend, error) { return cuda.Open(cuda.Options{}) }
}
