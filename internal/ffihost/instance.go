package ffihost

import (
	"context"
	"fmt"
	"runtime"
	"unsafe"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/backend"
	"github.com/pantograph-go/pantograph/internal/callframe"
	"github.com/pantograph-go/pantograph/internal/dl"
)

// Instance is a handler bound to one call of one executable. Safe for concurrent use.
type Instance struct {
	handler *Handler
	site    *backend.CallSite
	attrs   *callframe.Attrs // shared by all frames, and only read
	kept    states           // of the first stage
}

// Overwrites implements backend.Overwriter: a handler of the C interface expects nothing of its results.
func (i *Instance) Overwrites() bool { return true }

// Close destroys the states of the first stage.
func (i *Instance) Close() error {
	i.kept.clear()
	return nil
}

// frame is a call frame with what its context stands for. It serves one call at a time, and again for the next one.
type frame struct {
	execution
	c       *callframe.Frame
	in, out []callframe.Buffer
	bounced []*array.Buffer // by operand, then result: memory of this package where a value cannot be shown as it lies
}

// alignment is what handlers may expect of the memory they are given.
const alignment = 16

// lay makes a frame. It is never inlined, so that the frame lies in the heap: C holds its address, and a goroutine's stack
// moves.
//
//go:noinline
func (i *Instance) lay(stage callframe.Stage, operands, results []array.Aval) (*frame, error) {
	f := &frame{}
	var err error
	if f.c, f.in, f.out, err = callframe.Lay(stage, operands, results, i.attrs); err != nil {
		return nil, backend.ForeignErrorf(backend.InvalidArgument, "%v", err)
	}
	f.bounced = make([]*array.Buffer, len(f.in)+len(f.out))
	f.kept, f.minor = &i.kept, i.handler.minor
	f.c.API, f.c.Context = api(), uintptr(unsafe.Pointer(&f.execution))
	return f, nil
}

// call calls a function with the frame and waits for it, also where it is asynchronous.
func (f *frame) call(fn uintptr) error {
	f.c.Future = 0
	err := takeFailure(dl.Call(fn, unsafe.Pointer(f.c)))
	if err == nil && f.c.Future != 0 {
		err = await(f.c.Future)
	}
	if f.scratch != nil {
		f.mu.Lock()
		f.scratch = nil
		f.mu.Unlock()
	}
	runtime.KeepAlive(f)
	return err
}

// Call implements backend.Handler: the stage execute, before it prepare and initialize where the call is reached for the
// first time in its run.
func (i *Instance) Call(ctx context.Context, c *backend.CallFrame) error {
	f, ok := c.Memo.(*frame)
	if !ok || f.kept != &i.kept {
		var err error
		if f, err = i.lay(callframe.Execute, i.site.Operands, i.site.Results); err != nil {
			return err
		}
		c.Memo = f
	}
	f.ctx, f.run = ctx, c.Run
	for k, b := range c.Operands {
		f.in[k].Data = f.show(k, b)
	}
	for k, b := range c.Results {
		f.out[k].Data = f.show(len(f.in)+k, b)
	}
	if b := &i.handler.Bundle; b.Prepare != 0 || b.Initialize != 0 {
		if err := i.enter(f); err != nil {
			return err
		}
	}
	err := f.call(i.handler.Bundle.Execute)
	if err == nil {
		for k, b := range c.Results {
			f.fetch(len(f.in)+k, &f.out[k], b)
		}
	}
	f.ctx, f.run, f.ofRun = nil, nil, nil
	if err != nil {
		return fmt.Errorf("the handler of %q: %w", i.site.Target, err)
	}
	return nil
}

// show is where the handler sees a value: where it lies, or a copy of it where its type is packed in frames or its memory
// is not aligned.
func (f *frame) show(k int, b *array.Buffer) unsafe.Pointer {
	if b.DType() == array.Token {
		return nil
	}
	data := unsafe.Pointer(unsafe.SliceData(b.Bytes()))
	if uintptr(data)%alignment == 0 && !callframe.IsPacked(b.DType()) {
		return data
	}
	if f.bounced[k] == nil {
		f.bounced[k] = array.NewBuffer(array.Uint8, array.Shape{len(b.Bytes())})
	}
	to := f.bounced[k].Bytes()
	data = unsafe.Pointer(unsafe.SliceData(to))
	if callframe.IsPacked(b.DType()) {
		(&callframe.Buffer{Data: data}).Pack(b)
	} else {
		copy(to, b.Bytes())
	}
	return data
}

// fetch copies a result back where the handler did not see its own memory.
func (f *frame) fetch(k int, shown *callframe.Buffer, b *array.Buffer) {
	switch {
	case f.bounced[k] == nil || shown.Data != unsafe.Pointer(unsafe.SliceData(f.bounced[k].Bytes())):
	case callframe.IsPacked(b.DType()):
		shown.Unpack(b)
	default:
		copy(b.Bytes(), f.bounced[k].Bytes())
	}
}

// enter runs the stages before execute, once a run, on the memory of the call that is reached first.
func (i *Instance) enter(f *frame) error {
	v, err := f.run.Value(i, func() (any, func(), error) {
		s := &states{}
		f.ofRun = s
		for _, stage := range []struct {
			number callframe.Stage
			name   string
			fn     uintptr
		}{{callframe.Prepare, "prepare", i.handler.Bundle.Prepare}, {callframe.Initialize, "initialize", i.handler.Bundle.Initialize}} {
			if stage.fn == 0 {
				continue
			}
			f.c.Stage = stage.number
			err := f.call(stage.fn)
			f.c.Stage = callframe.Execute
			if err != nil {
				s.clear()
				return nil, nil, fmt.Errorf("the stage %s of %q: %w", stage.name, i.site.Target, err)
			}
		}
		return s, s.clear, nil
	})
	if err != nil {
		return err
	}
	f.ofRun = v.(*states)
	return nil
}
