package ffi

import (
	"context"
	"fmt"
	"reflect"
	"strings"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/backend"
	"github.com/pantograph-go/pantograph/internal/callframe"
	"github.com/pantograph-go/pantograph/lower/hlo"
)

// Context is what a handler may know of the run it is part of: it is cancelled when the run is.
type Context = context.Context

// Buffer is an operand or a result as a Go handler sees it: dense, row-major, typed at run time. A handler reads
// operands and fills in results, and keeps neither after it returns.
type Buffer struct{ *array.Buffer }

// Float32s is the memory of a float32 buffer, not a copy. It panics for another dtype, which the call reports as an
// error; the same holds for the other accessors.
func (b Buffer) Float32s() []float32 { return view[float32](b, array.Float32) }

// Float64s is the memory of a float64 buffer.
func (b Buffer) Float64s() []float64 { return view[float64](b, array.Float64) }

// Int32s is the memory of an int32 buffer.
func (b Buffer) Int32s() []int32 { return view[int32](b, array.Int32) }

// Int64s is the memory of an int64 buffer.
func (b Buffer) Int64s() []int64 { return view[int64](b, array.Int64) }

func view[T any](b Buffer, want array.DType) []T {
	if b.DType() != want {
		panic(array.DTypeErrorf("the handler reads a buffer of %s%s as %s", b.DType(), b.Shape(), want))
	}
	return array.View[T](b.Buffer)
}

// Handler is the general form of a Go handler, for calls whose operands are not known beforehand.
type Handler func(ctx Context, operands, results []Buffer, attrs hlo.Attrs) error

// Register makes a Go function the handler of a target on the CPU. It is a Handler, or a function
//
//	func([ctx ffi.Context,] x, y ffi.Buffer …, [attrs struct{ Eps float32 `ffi:"eps"` }]) error
//
// whose buffers are the operands and then the results. The same function may be registered again; another one is an
// error. Safe for concurrent use.
func Register(target string, handler any) error {
	h, err := bind(target, handler)
	if err != nil {
		return err
	}
	return targets.Register(key(target, "cpu"), h)
}

// Unregister forgets a target and reports whether it was known; programs compiled before keep its handler.
func Unregister(target string) bool { return targets.Unregister(key(target, "cpu")) }

// Targets lists the registered targets in alphabetical order.
func Targets() []string {
	var names []string
	for _, k := range targets.Keys() {
		names = append(names, k.Target)
	}
	return names
}

// Handlers is how engines find the registered targets.
var Handlers backend.Handlers = registry{}

// targets are the registered handlers of the process, as in the reference: a compiled program names its targets only.
var targets = callframe.Table[*goHandler]{Same: func(a, b *goHandler) bool { return a.fn.Pointer() == b.fn.Pointer() }}

// key is a typed handler's: registration calls that version 1, the custom call it serves is of API version 4.
func key(target, platform string) callframe.Key {
	return callframe.Key{Target: target, Platform: platform, APIVersion: 1}
}

type registry struct{}

// Handler implements backend.Handlers.
func (registry) Handler(target, platform string, apiVersion int) (backend.Handler, bool) {
	if apiVersion < 4 {
		return nil, false
	}
	return targets.Lookup(key(target, platform))
}

// goHandler calls a Go function with the buffers of a call frame.
type goHandler struct {
	target  string
	fn      reflect.Value
	general Handler      // set for the general form
	context bool         // the first parameter is a Context
	buffers int          // how many Buffer parameters there are
	attrs   reflect.Type // the struct of attributes, nil where there is none
}

var (
	contextType = reflect.TypeFor[Context]()
	bufferType  = reflect.TypeFor[Buffer]()
	errorType   = reflect.TypeFor[error]()
)

func bind(target string, handler any) (*goHandler, error) {
	h := &goHandler{target: target, fn: reflect.ValueOf(handler)}
	switch f := handler.(type) {
	case Handler:
		h.general = f
		return h, nil
	case func(Context, []Buffer, []Buffer, hlo.Attrs) error:
		h.general = f
		return h, nil
	}
	refuse := func() (*goHandler, error) {
		return nil, array.TargetErrorf("the handler of %q is a %T; it should be func([ffi.Context,] ffi.Buffer, …, [struct of attributes]) error", target, handler)
	}
	if h.fn.Kind() != reflect.Func || h.fn.IsNil() {
		return refuse()
	}
	t := h.fn.Type()
	if t.NumOut() != 1 || t.Out(0) != errorType || t.IsVariadic() {
		return refuse()
	}
	for i := range t.NumIn() {
		switch in := t.In(i); {
		case i == 0 && in == contextType:
			h.context = true
		case in == bufferType:
			h.buffers++
		case i == t.NumIn()-1 && in.Kind() == reflect.Struct:
			h.attrs = in
		default:
			return refuse()
		}
	}
	return h, nil
}

// Call implements backend.Handler.
func (h *goHandler) Call(ctx context.Context, c *backend.CallFrame) (err error) {
	defer func() {
		if r := recover(); r != nil {
			if e, ok := r.(error); ok {
				err = fmt.Errorf("the handler of %q panicked: %w", h.target, e)
				return
			}
			err = fmt.Errorf("the handler of %q panicked: %v", h.target, r)
		}
	}()
	if h.general != nil {
		return h.general(ctx, buffers(c.Operands), buffers(c.Results), c.Attrs)
	}
	if n := len(c.Operands) + len(c.Results); n != h.buffers {
		return array.ArgumentErrorf("the handler of %q takes %d buffers; the call has %d operands and %d results", h.target, h.buffers, len(c.Operands), len(c.Results))
	}
	args := make([]reflect.Value, 0, h.buffers+2)
	if h.context {
		args = append(args, reflect.ValueOf(ctx))
	}
	for _, b := range c.Operands {
		args = append(args, reflect.ValueOf(Buffer{b}))
	}
	for _, b := range c.Results {
		args = append(args, reflect.ValueOf(Buffer{b}))
	}
	if h.attrs != nil {
		s := reflect.New(h.attrs).Elem()
		if err := fill(s, c.Attrs); err != nil {
			return fmt.Errorf("the handler of %q: %w", h.target, err)
		}
		args = append(args, s)
	}
	if e := h.fn.Call(args)[0].Interface(); e != nil {
		return e.(error)
	}
	return nil
}

func buffers(list []*array.Buffer) []Buffer {
	out := make([]Buffer, len(list))
	for i, b := range list {
		out[i] = Buffer{b}
	}
	return out
}

// fill sets the tagged fields of a struct from attributes of exactly their types.
func fill(s reflect.Value, attrs hlo.Attrs) error {
	for i := range s.NumField() {
		name, ok := s.Type().Field(i).Tag.Lookup("ffi")
		if !ok {
			continue
		}
		a := attrs.Get(name)
		if a == nil {
			var have []string
			for _, n := range attrs {
				have = append(have, n.Name)
			}
			return array.ArgumentErrorf("the call has no attribute %q; it has %s", name, strings.Join(have, ", "))
		}
		if !assign(s.Field(i), a) {
			return array.ArgumentErrorf("attribute %q is %s; the handler wants a %s", name, hlo.AttrString(a), s.Field(i).Type())
		}
	}
	return nil
}

func assign(f reflect.Value, a hlo.Attr) bool {
	d := goTypes[f.Kind()]
	switch a := a.(type) {
	case hlo.Bool:
		if f.Kind() != reflect.Bool {
			return false
		}
		f.SetBool(bool(a))
	case hlo.Int:
		if d == array.Invalid || d.HLO() != a.Type {
			return false
		}
		if f.CanInt() {
			f.SetInt(a.Value)
		} else {
			f.SetUint(uint64(a.Value))
		}
	case hlo.Float:
		if d == array.Invalid || d.HLO() != a.Type {
			return false
		}
		f.SetFloat(a.Value)
	case hlo.String:
		if f.Kind() != reflect.String {
			return false
		}
		f.SetString(a.Value)
	case *hlo.Dense:
		if f.Kind() != reflect.Slice || goTypes[f.Type().Elem().Kind()] != a.Type.Elem {
			return false
		}
		n := a.Type.Shape.Size()
		f.Set(reflect.MakeSlice(f.Type(), n, n))
		for i := range n {
			at := i
			if a.Splat {
				at = 0
			}
			switch e := f.Index(i); {
			case e.CanFloat():
				e.SetFloat(a.Data.Float(at))
			case e.CanInt():
				e.SetInt(a.Data.Int(at))
			case e.CanUint():
				e.SetUint(uint64(a.Data.Int(at)))
			default:
				e.SetBool(a.Data.Int(at) != 0)
			}
		}
	default:
		return false
	}
	return true
}
