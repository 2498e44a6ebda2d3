package pjrt

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/backend"
	"github.com/pantograph-go/pantograph/internal/callframe"
	"github.com/pantograph-go/pantograph/internal/dl"
	"github.com/pantograph-go/pantograph/lower/hlo"
)

// A plugin knows a handler by a name and gives it no argument by which a Go closure could be found. So one C callback
// stands behind one target, registered once with each plugin, and a call carries two numbers: its site, an attribute that
// prepare writes in place of the user's, and the run, which the execution's context hands to the handler. The run leads to
// the executable and there the site leads to the handler, with the attributes exactly as the module has them. Nothing in
// the compiled program is bound to this process, and any number of handlers may share a name in different programs.
const (
	goTarget = "pantograph_go"
	siteAttr = "site"
)

// site is a call of a Go function in a module.
type site struct {
	target  string
	handler backend.Handler
	attrs   hlo.Attrs
	opaque  string
	op      *hlo.Op // for its line
}

// run is one execution of a program that calls Go functions.
type run struct {
	ctx   context.Context
	sites []site
	mu    sync.Mutex
	err   error // the first error of a handler; guarded by mu
}

func (r *run) fail(err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.err == nil {
		r.err = err
	}
}

func (r *run) failure() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.err
}

// foreign is what a plugin needs to call Go.
type foreign struct {
	once  sync.Once
	err   error
	kind  int64        // the type under which an execution's context holds the number of its run
	minor atomic.Int32 // version of the plugin's interface, once it has asked
	next  atomic.Uintptr
	runs  sync.Map // uintptr → *run
}

// register makes the plugin know the target, once.
func (p *plugin) register() error {
	f := &p.foreign
	f.once.Do(func() {
		const kindName, platform = "pantograph.run", "Host"
		kind := &registerType{name: text(kindName), nameSize: uintptr(len(kindName)), info: unsafe.Pointer(&noFunctions)}
		ok, err := callExtension(p, extensionFFI, ffiRegisterType, kind)
		if !ok {
			err = &backend.Unsupported{Feature: fmt.Sprintf("foreign calls in %s, API %s, which lacks the extension for them", p.file, p.version())}
		}
		if err != nil {
			f.err = err
			return
		}
		f.kind = kind.id
		handler := dl.Callback(func(frame unsafe.Pointer) uintptr { return p.handle((*callframe.Frame)(frame)) })
		_, f.err = callExtension(p, extensionFFI, ffiRegisterHandler, &registerHandler{
			target: text(goTarget), targetSize: uintptr(len(goTarget)), handler: handler,
			platform: text(platform), platformSize: uintptr(len(platform)),
		})
	})
	return f.err
}

// noFunctions describes a type whose values need no care: they are integers. The plugin may keep its address.
var noFunctions [8]uintptr

func text(s string) unsafe.Pointer { return unsafe.Pointer(unsafe.StringData(s)) }

// begin makes an execution context for a run; end destroys it.
func (p *plugin) begin(r *run) (id, context uintptr, err error) {
	var c oneHandle
	if err := call(p, contextCreate, &c); err != nil {
		return 0, 0, err
	}
	id = p.foreign.next.Add(1)
	p.foreign.runs.Store(id, r)
	if _, err := callExtension(p, extensionFFI, ffiAddUserData, &addUserData{context: c.handle, kind: p.foreign.kind, data: id}); err != nil {
		p.end(id, c.handle)
		return 0, 0, err
	}
	return id, c.handle, nil
}

func (p *plugin) end(id, context uintptr) {
	p.foreign.runs.Delete(id)
	p.destroy(contextDestroy, context)
}

// handle is the one handler. It runs on threads of the plugin, on several at once, and returns an error handle or 0.
func (p *plugin) handle(f *callframe.Frame) (failure uintptr) {
	if q := f.Question(); q != nil {
		// Plugins refuse a handler that is newer than they are, so it is always exactly as new.
		q.Version.Minor = f.API.Version.Minor
		p.foreign.minor.Store(f.API.Version.Minor)
		return 0
	}
	if f.Stage != callframe.Execute {
		return 0
	}
	args := &callframe.UserDataArgs{StructSize: unsafe.Sizeof(callframe.UserDataArgs{}), Context: f.Context, Type: &p.foreign.kind}
	if h := dl.Call(f.API.UserData, unsafe.Pointer(args)); h != 0 {
		return h
	}
	v, ok := p.foreign.runs.Load(args.Data)
	n, known := f.Attrs.Int64(siteAttr)
	if !ok || !known {
		return createError(f, "a call of a Go function outside a run that this process started")
	}
	r := v.(*run)
	if err := r.call(f, &r.sites[n]); err != nil {
		r.fail(err)
		return createError(f, err.Error())
	}
	return 0
}

// createError makes an error handle; the plugin copies the text. The Go error itself travels in the run.
func createError(f *callframe.Frame, message string) uintptr {
	bytes := append([]byte(message), 0)
	args := &callframe.CreateErrorArgs{StructSize: unsafe.Sizeof(callframe.CreateErrorArgs{}), Message: &bytes[0], Code: int32(Internal)}
	return dl.Call(f.API.CreateError, unsafe.Pointer(args))
}

// call runs the Go handler of a site on the frame's buffers. A panic is an error: it must not unwind through C.
func (r *run) call(f *callframe.Frame, s *site) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("the handler of %q panicked: %v\n%s", s.target, p, debug.Stack())
		}
		if err != nil {
			err = located(s.op, err)
		}
	}()
	c := &backend.CallFrame{Target: s.target, Attrs: s.attrs, Opaque: s.opaque, Loc: s.op.Loc}
	var results []*callframe.Buffer
	for i := range f.Args.Len() {
		b, err := f.Args.At(i)
		if err != nil {
			return fmt.Errorf("operand %d: %w", i, err)
		}
		if b.IsToken() {
			continue
		}
		v, err := b.View()
		if err != nil {
			return fmt.Errorf("operand %d: %w", i, err)
		}
		c.Operands = append(c.Operands, v)
	}
	for i := range f.Rets.Len() {
		b, err := f.Rets.At(i)
		if err != nil {
			return fmt.Errorf("result %d: %w", i, err)
		}
		if b.IsToken() {
			continue
		}
		v, err := b.View()
		if err != nil {
			return fmt.Errorf("result %d: %w", i, err)
		}
		if !aliased(v, c.Operands) {
			clear(v.Bytes())
		}
		c.Results, results = append(c.Results, v), append(results, b)
	}
	if err := s.handler.Call(r.ctx, c); err != nil {
		return err
	}
	for i, b := range results {
		b.Pack(c.Results[i])
	}
	runtime.KeepAlive(f)
	return nil
}

// aliased tells that a result begins as an operand, which it then must keep.
func aliased(result *array.Buffer, operands []*array.Buffer) bool {
	for _, o := range operands {
		if unsafe.SliceData(o.Bytes()) == unsafe.SliceData(result.Bytes()) {
			return true
		}
	}
	return false
}

// located adds the user's line to an error about an operation, unless it has one.
func located(op *hlo.Op, err error) error {
	var e *array.Error
	if op == nil || errors.As(err, &e) {
		return err
	}
	return &array.Error{Pos: array.Pos{File: op.Loc.File, Line: op.Loc.Line}, Op: op.Name, Path: op.Loc.Name, Err: err}
}
