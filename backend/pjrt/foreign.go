package pjrt

import (
	"context"
	"errors"
	"fmt"
	runtimedebug "runtime/debug"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/backend"
	"github.com/pantograph-go/pantograph/internal/callframe"
	"github.com/pantograph-go/pantograph/internal/debug"
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

// site is a call of a Go function in a module. Safe for concurrent use.
type site struct {
	backend.CallSite
	handler    backend.Handler  // of the target, or the instance that it made for this call
	instance   backend.Instance // nil where there is none
	overwrites bool             // the handler writes every byte of its results
	op         *hlo.Op
	frames     sync.Pool // of *backend.CallFrame, that handlers find again what they left in one
}

// newSite binds a handler to a call; where the handler wants to see the call, this is when it does.
func newSite(ctx context.Context, op *hlo.Op, spec backend.CallSite, h backend.Handler) (*site, error) {
	s := &site{CallSite: spec, handler: h, op: op}
	s.frames.New = func() any {
		return &backend.CallFrame{CallSite: &s.CallSite, Operands: lent(s.Operands), Results: lent(s.Results)}
	}
	if i, ok := h.(backend.Instantiator); ok {
		var err error
		if s.instance, err = i.Instantiate(ctx, &s.CallSite); err != nil {
			return nil, located(op, err)
		}
		s.handler = s.instance
	}
	if o, ok := s.handler.(backend.Overwriter); ok {
		s.overwrites = o.Overwrites()
	}
	return s, nil
}

// closeSites ends the instances that handlers made.
func closeSites(sites []*site) {
	for _, s := range sites {
		if s.instance == nil {
			continue
		}
		if err := s.instance.Close(); err != nil {
			debug.Logger("pjrt").Warn("closing a foreign call", "target", s.Target, "error", err)
		}
	}
}

// run is one execution of a program that calls Go functions.
type run struct {
	backend.Run
	ctx   context.Context
	sites []*site
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

	mu      sync.Mutex
	natives map[nativeKey]uintptr // C functions that the plugin knows; guarded by mu
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
	if err := r.call(f, r.sites[n]); err != nil {
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
			err = fmt.Errorf("the handler of %q panicked: %v\n%s", s.Target, p, runtimedebug.Stack())
		}
		if err != nil {
			err = located(s.op, err)
		}
	}()
	c := s.frames.Get().(*backend.CallFrame)
	c.Run = &r.Run
	for i, x := range c.Operands { // behind these may be the token that keeps the order
		b, err := f.Args.At(i)
		if err != nil {
			return fmt.Errorf("operand %d: %w", i, err)
		}
		if callframe.IsPacked(x.DType()) {
			b.Unpack(x)
		} else {
			array.Rebind(x, b.Memory(x.Len()*x.DType().Size()))
		}
	}
	for i, y := range c.Results {
		b, err := f.Rets.At(i)
		if err != nil {
			return fmt.Errorf("result %d: %w", i, err)
		}
		if callframe.IsPacked(y.DType()) {
			b.Unpack(y) // it may begin as an operand
		} else {
			array.Rebind(y, b.Memory(y.Len()*y.DType().Size()))
		}
		if !s.overwrites && !aliased(b, &f.Args) {
			clear(y.Bytes())
		}
	}
	if err := s.handler.Call(r.ctx, c); err != nil {
		return err
	}
	for i, y := range c.Results {
		if !callframe.IsPacked(y.DType()) {
			continue
		}
		b, err := f.Rets.At(i)
		if err != nil {
			return err
		}
		b.Pack(y)
	}
	takeBack(c.Operands) // what the handler kept in spite of the contract is empty from now on, not somebody else's memory
	takeBack(c.Results)
	s.frames.Put(c)
	return nil
}

func takeBack(buffers []*array.Buffer) {
	for _, b := range buffers {
		if !callframe.IsPacked(b.DType()) {
			array.Rebind(b, nil)
		}
	}
}

// lent are buffers whose memory is the plugin's during a call; those of packed types have their own.
func lent(avals []array.Aval) []*array.Buffer {
	out := make([]*array.Buffer, len(avals))
	for i, a := range avals {
		if callframe.IsPacked(a.DType) {
			out[i] = array.NewBuffer(a.DType, a.Shape)
		} else {
			out[i] = array.Borrowed(a.DType, a.Shape)
		}
	}
	return out
}

// siteAvals are the types of a call's operands or results as a handler sees them.
func siteAvals(values []*hlo.Value) []array.Aval {
	out := make([]array.Aval, len(values))
	for i, v := range values {
		if t, ok := v.Type.(hlo.Tensor); ok {
			out[i] = t.Aval()
		} else {
			out[i] = array.Aval{DType: array.Token}
		}
	}
	return out
}

// aliased tells that a result begins as an operand, which it then must keep.
func aliased(result *callframe.Buffer, operands *callframe.Buffers) bool {
	for i := range operands.Len() {
		if o, err := operands.At(i); err == nil && o.Data == result.Data {
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
