package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/pantograph-go/pantograph/backend"
	"github.com/pantograph-go/pantograph/backend/cpu"
)

// engines opens the engines by name. One that needs a word more, as pjrt:cpu, is found by what stands before the colon
// and gets the rest. A platform's own engines add themselves here from a file with a build tag.
var engines = map[string]func(rest string) (backend.Backend, error){
	"cpu":    func(string) (backend.Backend, error) { return cpu.New(), nil },
	"interp": func(string) (backend.Backend, error) { return cpu.New(), nil },
}

func openEngine(name string) (backend.Backend, error) {
	kind, rest, _ := strings.Cut(name, ":")
	open, ok := engines[kind]
	if !ok {
		return nil, fmt.Errorf("no engine is named %s; there are %s", name, strings.Join(engineNames(), ", "))
	}
	return open(rest)
}

func engineNames() []string { return slices.Sorted(maps.Keys(engines)) }
