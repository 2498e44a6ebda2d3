package ffi

import (
	"context"
	"errors"
	"fmt"
	"io"
	"reflect"
	"unsafe"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/backend"
	"github.com/pantograph-go/pantograph/lower/hlo"
)

// Handler is the general form of a Go handler, for calls whose operands are not known beforehand.
type Handler func(ctx Context, operands, results []Buffer, attrs hlo.Attrs) error

// goHandler are Go functions as the handler of a target. It never changes.
type goHandler struct {
	target      string
	general     Handler // set for the general form, whose stages are nil
	instantiate *function
	prepare     *function
	initialize  *function
	execute     *function
}

var _ backend.Instantiator = (*goHandler)(nil)

// function is one Go function, taken apart.
type function struct {
	value  reflect.Value
	params []parameter
	attrs  reflect.Type // of the struct of attributes, nil where there is none
}

type parameter struct {
	kind parameterKind
	typ  reflect.Type
}

type parameterKind uint8

const (
	contextParameter parameterKind = iota
	stateParameter
	bufferParameter
	typedParameter
	structParameter // the struct of attributes
	attrsParameter  // all attributes as they are
)

var (
	contextType = reflect.TypeFor[Context]()
	bufferType  = reflect.TypeFor[Buffer]()
	errorType   = reflect.TypeFor[error]()
	attrsType   = reflect.TypeFor[hlo.Attrs]()
	typedType   = reflect.TypeFor[typedBuffer]()
)

// identity tells functions apart: closures of one literal differ, as what they captured does. A func in an interface is a
// pointer to what it captured, or for any other function to a static place.
func identity(f any) string { return fmt.Sprintf("%T@%x", f, (*[2]uintptr)(unsafe.Pointer(&f))[1]) }

func newGoHandler(target string, b Bundle) (*goHandler, error) {
	h := &goHandler{target: target}
	switch f := b.Execute.(type) {
	case Handler:
		h.general = f
	case func(Context, []Buffer, []Buffer, hlo.Attrs) error:
		h.general = f
	}
	if h.general != nil {
		if b.Instantiate != nil || b.Prepare != nil || b.Initialize != nil {
			return nil, array.TargetErrorf("target %q: the general form has no stages", target)
		}
		return h, nil
	}
	var state reflect.Type
	var err error
	if b.Instantiate != nil {
		t := reflect.TypeOf(b.Instantiate)
		if t.Kind() != reflect.Func || t.NumOut() != 2 || t.Out(1) != errorType {
			return nil, array.TargetErrorf("target %q: the stage Instantiate is a %T; it should be func(…) (T, error)", target, b.Instantiate)
		}
		if h.instantiate, err = takeApart(target, "Instantiate", b.Instantiate, nil, false); err != nil {
			return nil, err
		}
		state = t.Out(0)
	}
	for _, s := range []struct {
		name string
		f    any
		to   **function
	}{{"Prepare", b.Prepare, &h.prepare}, {"Initialize", b.Initialize, &h.initialize}, {"Execute", b.Execute, &h.execute}} {
		if s.f == nil && s.name != "Execute" {
			continue
		}
		if t := reflect.TypeOf(s.f); t == nil || t.Kind() != reflect.Func || t.NumOut() != 1 || t.Out(0) != errorType {
			return nil, handlerForm(target, s.name, s.f)
		}
		if *s.to, err = takeApart(target, s.name, s.f, state, s.name == "Execute"); err != nil {
			return nil, err
		}
	}
	return h, nil
}

func handlerForm(target, stage string, f any) error {
	if stage == "Execute" {
		return array.TargetErrorf("the handler of %q is a %T; it should be func([ffi.Context,] ffi.Buffer, …, [struct of attributes]) error", target, f)
	}
	return array.TargetErrorf("target %q: the stage %s is a %T; it should be func([ffi.Context,] [the state,] [struct of attributes]) error", target, stage, f)
}

func takeApart(target, stage string, f any, state reflect.Type, buffers bool) (*function, error) {
	v := reflect.ValueOf(f)
	t := v.Type()
	if v.IsNil() || t.IsVariadic() {
		return nil, handlerForm(target, stage, f)
	}
	fn := &function{value: v}
	for i := range t.NumIn() {
		p := parameter{typ: t.In(i)}
		last := i == t.NumIn()-1
		switch {
		case i == 0 && p.typ == contextType:
			p.kind = contextParameter
		case state != nil && p.typ == state:
			p.kind = stateParameter
		case buffers && p.typ == bufferType:
			p.kind = bufferParameter
		case buffers && reflect.PointerTo(p.typ).Implements(typedType):
			p.kind = typedParameter
		case last && p.typ == attrsType:
			p.kind = attrsParameter
		case last && p.typ.Kind() == reflect.Struct && p.typ != bufferType && !reflect.PointerTo(p.typ).Implements(typedType):
			p.kind, fn.attrs = structParameter, p.typ
		default:
			return nil, handlerForm(target, stage, f)
		}
		fn.params = append(fn.params, p)
	}
	return fn, nil
}

// Call implements backend.Handler, for an engine that does not instantiate.
func (h *goHandler) Call(ctx context.Context, c *backend.CallFrame) error {
	i, err := h.Instantiate(ctx, c.CallSite)
	if err != nil {
		return err
	}
	return errors.Join(i.Call(ctx, c), i.Close())
}

// Instantiate compares the call with the functions' parameters and decodes its attributes, once.
func (h *goHandler) Instantiate(ctx context.Context, s *backend.CallSite) (backend.Instance, error) {
	i := &goInstance{h: h, site: s}
	if h.general != nil {
		return i, nil
	}
	if err := h.execute.fits(s); err != nil {
		return nil, fmt.Errorf("the handler of %q: %w", h.target, err)
	}
	for k, f := range []*function{h.instantiate, h.prepare, h.initialize, h.execute} {
		if f == nil || f.attrs == nil {
			continue
		}
		v := reflect.New(f.attrs).Elem()
		if err := decodeStruct(v, s.Attrs, ""); err != nil {
			return nil, fmt.Errorf("the handler of %q: %w", h.target, err)
		}
		i.attrs[k] = v
	}
	i.fast = fastPath(h.execute.value.Interface())
	if h.instantiate == nil {
		return i, nil
	}
	out, err := i.invoke(h.instantiate, 0, &handlerContext{Context: ctx})
	if err != nil {
		return nil, fmt.Errorf("the stage Instantiate of %q: %w", h.target, err)
	}
	i.state = out[0]
	return i, nil
}

// fits compares operands and results with the parameters.
func (f *function) fits(s *backend.CallSite) error {
	avals := append(append([]array.Aval{}, s.Operands...), s.Results...)
	k := 0
	for _, p := range f.params {
		if p.kind != bufferParameter && p.kind != typedParameter {
			continue
		}
		if k < len(avals) && p.kind == typedParameter {
			what := fmt.Sprintf("operand %d", k)
			if k >= len(s.Operands) {
				what = fmt.Sprintf("result %d", k-len(s.Operands))
			}
			d, rank := reflect.New(p.typ).Interface().(typedBuffer).wants()
			switch a := avals[k]; {
			case a.DType != d:
				return array.DTypeErrorf("%s is %s, the function takes a %s", what, a, p.typ)
			case rank != anyRank && rank != len(a.Shape):
				return array.ShapeErrorf("%s is %s, of rank %d, the function takes a %s", what, a, len(a.Shape), p.typ)
			}
		}
		k++
	}
	if k != len(avals) {
		return array.ArgumentErrorf("it takes %d buffers; the call has %d operands and %d results", k, len(s.Operands), len(s.Results))
	}
	return nil
}

// goInstance is a goHandler bound to one call. Safe for concurrent use where the functions are.
type goInstance struct {
	h     *goHandler
	site  *backend.CallSite
	attrs [4]reflect.Value // decoded, by stage
	state reflect.Value
	fast  func(ctx Context, b []Buffer) error // nil where the function is called by reflection
}

// Close implements backend.Instance.
func (i *goInstance) Close() error {
	if i.state.IsValid() {
		if c, ok := i.state.Interface().(io.Closer); ok {
			return c.Close()
		}
	}
	return nil
}

// memo is what a call frame keeps between calls, so that a call allocates little.
type memo struct {
	owner   *goInstance
	context handlerContext
	buffers []Buffer // operands, then results
	args    []reflect.Value
	typed   []typedBuffer // by buffer, nil where the parameter is a Buffer
}

func (i *goInstance) memo(c *backend.CallFrame) *memo {
	m, ok := c.Memo.(*memo)
	if !ok || m.owner != i {
		m = &memo{owner: i, buffers: make([]Buffer, len(c.Operands)+len(c.Results))}
		c.Memo = m
	}
	for k, b := range c.Operands {
		m.buffers[k].Buffer = b
	}
	for k, b := range c.Results {
		m.buffers[len(c.Operands)+k].Buffer = b
	}
	return m
}

// Call implements backend.Handler.
func (i *goInstance) Call(ctx context.Context, c *backend.CallFrame) (err error) {
	defer i.h.recovered(&err)
	m := i.memo(c)
	m.context.Context, m.context.run = ctx, c.Run
	if i.h.prepare != nil || i.h.initialize != nil {
		if err := i.enter(&m.context); err != nil {
			return err
		}
	}
	switch {
	case i.fast != nil:
		return i.fast(&m.context, m.buffers)
	case i.h.general != nil:
		n := len(c.Operands)
		return i.h.general(&m.context, m.buffers[:n:n], m.buffers[n:], c.Attrs)
	}
	if m.args == nil {
		i.arguments(m)
	}
	for k, t := range m.typed {
		if t != nil {
			t.set(m.buffers[k].Buffer)
		}
	}
	if e := i.h.execute.value.Call(m.args)[0].Interface(); e != nil {
		return e.(error)
	}
	return nil
}

// arguments makes the arguments of execute: each is a variable that the next call fills again.
func (i *goInstance) arguments(m *memo) {
	k := 0
	for _, p := range i.h.execute.params {
		switch p.kind {
		case contextParameter:
			m.args = append(m.args, reflect.ValueOf(&m.context))
		case stateParameter:
			m.args = append(m.args, i.state)
		case bufferParameter:
			m.args, m.typed = append(m.args, reflect.ValueOf(&m.buffers[k]).Elem()), append(m.typed, nil)
			k++
		case typedParameter:
			v := reflect.New(p.typ)
			m.args, m.typed = append(m.args, v.Elem()), append(m.typed, v.Interface().(typedBuffer))
			k++
		case structParameter:
			m.args = append(m.args, i.attrs[3])
		case attrsParameter:
			m.args = append(m.args, reflect.ValueOf(i.site.Attrs))
		}
	}
}

// enter runs the stages before execute, once a run.
func (i *goInstance) enter(ctx *handlerContext) error {
	_, err := ctx.run.Value(i, func() (any, func(), error) {
		for k, f := range []*function{i.h.prepare, i.h.initialize} {
			if f == nil {
				continue
			}
			out, err := i.invoke(f, 1+k, ctx)
			if err == nil && !out[0].IsNil() {
				err = out[0].Interface().(error)
			}
			if err != nil {
				return nil, nil, fmt.Errorf("the stage %s of %q: %w", [...]string{"Prepare", "Initialize"}[k], i.h.target, err)
			}
		}
		return nil, nil, nil
	})
	return err
}

// invoke calls the function of another stage. The error is that of a function with two results, or a panic.
func (i *goInstance) invoke(f *function, stage int, ctx *handlerContext) (out []reflect.Value, err error) {
	defer i.h.recovered(&err)
	var args []reflect.Value
	for _, p := range f.params {
		switch p.kind {
		case contextParameter:
			args = append(args, reflect.ValueOf(ctx))
		case stateParameter:
			args = append(args, i.state)
		case structParameter:
			args = append(args, i.attrs[stage])
		case attrsParameter:
			args = append(args, reflect.ValueOf(i.site.Attrs))
		}
	}
	out = f.value.Call(args)
	if e := out[len(out)-1]; len(out) == 2 && !e.IsNil() {
		return nil, e.Interface().(error)
	}
	return out, nil
}

// recovered turns a panic of the user's function into an error.
func (h *goHandler) recovered(err *error) {
	switch r := recover().(type) {
	case nil:
	case error:
		*err = fmt.Errorf("the handler of %q panicked: %w", h.target, r)
	default:
		*err = fmt.Errorf("the handler of %q panicked: %v", h.target, r)
	}
}

// fastPath calls functions of the usual forms without reflection.
func fastPath(f any) func(ctx Context, b []Buffer) error {
	switch f := f.(type) {
	case func(Buffer) error:
		return func(_ Context, b []Buffer) error { return f(b[0]) }
	case func(Buffer, Buffer) error:
		return func(_ Context, b []Buffer) error { return f(b[0], b[1]) }
	case func(Buffer, Buffer, Buffer) error:
		return func(_ Context, b []Buffer) error { return f(b[0], b[1], b[2]) }
	case func(Buffer, Buffer, Buffer, Buffer) error:
		return func(_ Context, b []Buffer) error { return f(b[0], b[1], b[2], b[3]) }
	case func(Context, Buffer) error:
		return func(ctx Context, b []Buffer) error { return f(ctx, b[0]) }
	case func(Context, Buffer, Buffer) error:
		return func(ctx Context, b []Buffer) error { return f(ctx, b[0], b[1]) }
	case func(Context, Buffer, Buffer, Buffer) error:
		return func(ctx Context, b []Buffer) error { return f(ctx, b[0], b[1], b[2]) }
	case func(Context, Buffer, Buffer, Buffer, Buffer) error:
		return func(ctx Context, b []Buffer) error { return f(ctx, b[0], b[1], b[2], b[3]) }
	}
	return nil
}
