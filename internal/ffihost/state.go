package ffihost

import (
	"fmt"
	"sync"
	"unsafe"

	"github.com/pantograph-go/pantograph/backend"
	"github.com/pantograph-go/pantograph/internal/callframe"
)

// slot is where a state is kept: by the stage that made it and its type.
type slot struct {
	stage callframe.Stage
	kind  int64
}

// states are the values that the stages of one call made. Safe for concurrent use.
type states struct {
	mu     sync.Mutex
	values map[slot]uintptr
}

func (s *states) set(at slot, v uintptr) {
	s.mu.Lock()
	old := s.values[at]
	if s.values == nil {
		s.values = map[slot]uintptr{}
	}
	s.values[at] = v
	s.mu.Unlock()
	if old != v {
		destroy(at.kind, old)
	}
}

func (s *states) find(at slot) (uintptr, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	v, ok := s.values[at]
	return v, ok
}

// clear destroys all of them.
func (s *states) clear() {
	s.mu.Lock()
	values := s.values
	s.values = nil
	s.mu.Unlock()
	for at, v := range values {
		destroy(at.kind, v)
	}
}

// owner are the states that a stage writes to: those of the first stage live as long as the program, those of prepare
// and initialize as long as a run.
func (e *execution) owner(stage callframe.Stage) *states {
	switch stage {
	case callframe.Instantiate:
		return e.kept
	case callframe.Prepare, callframe.Initialize:
		return e.ofRun
	}
	return nil
}

// oldStates reports a handler from before version 0.3, whose calls name no stage.
func (e *execution) oldStates() bool { return e.minor < 3 }

func setState(p unsafe.Pointer) uintptr {
	a := (*callframe.StateArgs)(p)
	e := executionAt(a.Context)
	stage, kind, value := a.Stage, a.Type, a.State
	if e.oldStates() {
		old := (*callframe.OldStateArgs)(p)
		stage, kind, value = callframe.Instantiate, old.Type, old.State
	} else if a.StructSize < unsafe.Sizeof(*a) {
		return newFailure(backend.InvalidArgument, fmt.Sprintf("the arguments declare %d bytes and should have %d", a.StructSize, unsafe.Sizeof(*a)))
	}
	s := e.owner(stage)
	if s == nil {
		return newFailure(backend.InvalidArgument, fmt.Sprintf("stage %d keeps no state", stage))
	}
	if *kind == 0 {
		return newFailure(backend.FailedPrecondition, "the type of the state is not registered; see ffi.RegisterType")
	}
	s.set(slot{stage, *kind}, value)
	return 0
}

func getState(p unsafe.Pointer) uintptr {
	a := (*callframe.StateArgs)(p)
	e := executionAt(a.Context)
	stage, kind, out := a.Stage, a.Type, &a.State
	if e.oldStates() {
		old := (*callframe.OldStateArgs)(p)
		stage, kind, out = callframe.Instantiate, old.Type, &old.State
	} else if a.StructSize < unsafe.Sizeof(*a) {
		return newFailure(backend.InvalidArgument, fmt.Sprintf("the arguments declare %d bytes and should have %d", a.StructSize, unsafe.Sizeof(*a)))
	}
	if s := e.owner(stage); s != nil {
		if v, ok := s.find(slot{stage, *kind}); ok {
			*out = v
			return 0
		}
	}
	return newFailure(backend.NotFound, fmt.Sprintf("stage %d of this call made no state of type %d", stage, *kind))
}
