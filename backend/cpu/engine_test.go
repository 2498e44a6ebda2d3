package cpu_test

import (
	"testing"

	"github.com/pantograph-go/pantograph/backend"
	"github.com/pantograph-go/pantograph/backend/backendtest"
	"github.com/pantograph-go/pantograph/backend/cpu"
)

func TestEngine(t *testing.T) {
	backendtest.Run(t, func() backend.Backend { return cpu.New() })
}
