package ffi

import (
	"reflect"
	"strings"
	"sync/atomic"

	"github.com/pantograph-go/pantograph/backend"
	"github.com/pantograph-go/pantograph/internal/callframe"
	"github.com/pantograph-go/pantograph/internal/ffihost"
)

// Bundle is a handler with the functions of its stages, all in Go or all in C. Only Execute is needed.
//
//	Instantiate   once for each call of a program, when the program is compiled; makes the state of the call
//	Prepare       once a run, before the call is first executed in it
//	Initialize    after Prepare
//	Execute       the call itself
//
// In C each is a Symbol. In Go, Instantiate is func(…) (T, error), the others are func(…) error; a parameter of the type T
// is the state, and a T with a method Close() error is closed when the program is. See Register for the other parameters.
type Bundle struct{ Instantiate, Prepare, Initialize, Execute any }

// Option changes what Register does.
type Option func(*callframe.Key)

// Platform registers for another platform than cpu: cuda, rocm. Names are not case-sensitive; Host is another name of cpu.
func Platform(name string) Option { return func(k *callframe.Key) { k.Platform = name } }

// InterfaceVersion registers for another interface than 1, the typed one: 0 for the untyped ones, which calls of API
// version 1 to 3 have.
func InterfaceVersion(v int) Option { return func(k *callframe.Key) { k.APIVersion = v } }

// Register makes a handler known under a name, the counterpart of the reference's register_ffi_target. The handler is
//
//   - a Symbol of a library: a C function built with the XLA FFI headers;
//
//   - a Handler, the general form of a Go handler;
//
//   - a Go function whose parameters are the operands and then the results, in the order of the call, between an optional
//     Context before them and optional attributes behind them:
//
//     func([ctx ffi.Context,] x, y ffi.Buffer, …, [attrs struct{ Eps float32 `ffi:"eps"` }]) error
//
//     where ffi.Buffer takes any type, BufferOf[float32] any rank and BufferR2[float32] a matrix, and hlo.Attrs in place
//     of the struct takes any attributes;
//
//   - a Bundle of such functions, by stage.
//
// What a Go function wants is compared with a call when the program is compiled. The same functions may be registered
// again; others under the same name are an error. A Go function serves the CPU only. Safe for concurrent use.
//
// Reports an *Error where the target, the platform or the functions are not accepted, and an *array.TargetError where a Go
// function has other parameters.
func Register(target string, handler any, opts ...Option) error {
	k := callframe.Key{Target: target, Platform: "cpu", APIVersion: 1}
	for _, o := range opts {
		o(&k)
	}
	switch {
	case target == "":
		return Errorf(InvalidArgument, "a target needs a name")
	case k.APIVersion != 0 && k.APIVersion != 1:
		return Errorf(Unimplemented, "target %q: interface version %d is not known; 1 is the typed interface, 0 the untyped ones", target, k.APIVersion)
	}
	h, err := newTarget(k, handler)
	if err != nil {
		return err
	}
	if err := targets.Register(k, h); err != nil {
		return Errorf(InvalidArgument, "%v", err)
	}
	return nil
}

// newTarget makes what is registered.
func newTarget(k callframe.Key, handler any) (t registered, err error) {
	switch h := handler.(type) {
	case Symbol:
		return newSymbols(k, Bundle{Execute: h})
	case Bundle:
		if h.Execute == nil {
			return t, Errorf(InvalidArgument, "target %q: a bundle needs the stage Execute", k.Target)
		}
		if k.APIVersion != 1 {
			return t, Errorf(InvalidArgument, "target %q: a bundle needs the typed interface, version 1", k.Target)
		}
		if _, ok := h.Execute.(Symbol); ok {
			return newSymbols(k, h)
		}
		return newGoTarget(k, h)
	}
	return newGoTarget(k, Bundle{Execute: handler})
}

// newSymbols asks C functions what they are.
func newSymbols(k callframe.Key, b Bundle) (t registered, err error) {
	for i, s := range []struct {
		stage any
		to    *uintptr
	}{{b.Instantiate, &t.c.Instantiate}, {b.Prepare, &t.c.Prepare}, {b.Initialize, &t.c.Initialize}, {b.Execute, &t.c.Execute}} {
		if s.stage == nil {
			continue
		}
		sym, ok := s.stage.(Symbol)
		if !ok {
			return t, Errorf(InvalidArgument, "target %q: the stage %s is a %T and others are symbols; a bundle is all in C or all in Go",
				k.Target, reflect.TypeFor[Bundle]().Field(i).Name, s.stage)
		}
		if *s.to, err = sym.Address(); err != nil {
			return t, err
		}
	}
	if k.APIVersion == 0 {
		t.handler = ffihost.Untyped{Function: t.c.Execute}
		return t, nil
	}
	t.handler, err = ffihost.New(t.c)
	return t, err
}

func newGoTarget(k callframe.Key, b Bundle) (t registered, err error) {
	if p := strings.ToLower(k.Platform); p != "cpu" && p != "host" {
		return t, Errorf(Unimplemented, "target %q: a Go function cannot serve the platform %s, whose operands are not in the processor's memory", k.Target, k.Platform)
	}
	if k.APIVersion != 1 {
		return t, Errorf(Unimplemented, "target %q: a Go function has the typed interface, version 1", k.Target)
	}
	h, err := newGoHandler(k.Target, b)
	if err != nil {
		return t, err
	}
	t.handler = h
	for _, f := range []any{b.Instantiate, b.Prepare, b.Initialize, b.Execute} {
		if f != nil {
			t.goFunctions += identity(f) + " "
		}
	}
	return t, nil
}

// registered is a handler with what makes it the same as another.
type registered struct {
	handler     backend.Handler
	c           callframe.Bundle
	goFunctions string
}

// targets are the registered handlers of the process, as in the reference: a compiled program names its targets only.
var targets = callframe.Table[registered]{Same: func(a, b registered) bool { return a.c == b.c && a.goFunctions == b.goFunctions }}

// Unregister forgets a target and reports whether it was known. Jitted programs compiled before keep its handler; calls that are
// not jitted find the one that is registered next.
func Unregister(target string, opts ...Option) bool {
	k := callframe.Key{Target: target, Platform: "cpu", APIVersion: 1}
	for _, o := range opts {
		o(&k)
	}
	known := targets.Unregister(k)
	if known {
		generation.Add(1)
	}
	return known
}

var generation atomic.Int64

// Generation is a number that changes when a target is forgotten: compiled calls from before may have another handler than
// they would have now.
func Generation() int64 { return generation.Load() }

// Target is a registered target as Targets lists it.
type Target struct {
	Name             string
	Platform         string
	InterfaceVersion int // 1 typed, 0 untyped
}

// Targets lists the registered targets by name, platform and version.
func Targets() []Target {
	var list []Target
	for _, k := range targets.Keys() {
		list = append(list, Target{k.Target, k.Platform, k.APIVersion})
	}
	return list
}

// Handlers is how engines find the registered targets.
var Handlers backend.Handlers = registry{}

type registry struct{}

// Handler implements backend.Handlers. A call of the typed interface never finds an untyped handler, nor the other way
// round.
func (registry) Handler(target, platform string, apiVersion int) (backend.Handler, bool) {
	k := callframe.Key{Target: target, Platform: platform, APIVersion: 1}
	if apiVersion < typedVersion {
		k.APIVersion = 0
	}
	t, ok := targets.Lookup(k)
	return t.handler, ok
}
