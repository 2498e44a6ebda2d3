package pjrt

import (
	"testing"

	"github.com/pantograph-go/pantograph/backend"
	"github.com/pantograph-go/pantograph/backend/backendtest"
)

// The checks that every engine passes. This file is the last of the package by its name: one check leaves a program behind
// that never ends.
func TestBackend(t *testing.T) {
	cpu(t)
	backendtest.Run(t, func() backend.Backend {
		b, err := Open(Options{})
		if err != nil {
			t.Fatal(err)
		}
		return b
	})
}
