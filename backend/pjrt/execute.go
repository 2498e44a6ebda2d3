package pjrt

import (
	"cmp"
	"context"
	"fmt"
	"unsafe"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/backend"
)

// execution is the memory of one call of the plugin's Execute, kept between calls. It belongs to one goroutine at a time.
type execution struct {
	args         executeArgs
	options      executeOptions
	argList      unsafe.Pointer // of in, the only device's
	resultList   unsafe.Pointer // of out
	event        uintptr
	in, out      []uintptr
	buffers      []*Buffer // arguments that are being used
	temporary    []*Buffer // those made of host data for this call
	nonDonatable []int64
}

func newExecution(e *Executable) *execution {
	// One element more, so that there is an address to give where there are none.
	c := &execution{in: make([]uintptr, len(e.params)+1), out: make([]uintptr, len(e.results)+1)}
	c.argList, c.resultList = unsafe.Pointer(&c.in[0]), unsafe.Pointer(&c.out[0])
	c.args = executeArgs{
		executable: e.handle.ptr, options: unsafe.Pointer(&c.options),
		arguments: unsafe.Pointer(&c.argList), numDevices: 1, numArgs: uintptr(len(e.params)), results: unsafe.Pointer(&c.resultList),
	}
	c.options.size = unsafe.Sizeof(c.options)
	if e.foreign {
		c.args.events = unsafe.Pointer(&c.event)
	}
	c.buffers = make([]*Buffer, 0, len(e.params))
	return c
}

// Execute implements backend.Executable. Arguments that are Buffers of this backend are used where they are, all on one
// device; others are copied there through Host. It returns when the work is handed over: Host of a result waits for it and
// returns what went wrong. A program that calls foreign functions has ended when Execute returns, and their errors are
// returned here.
//
// XLA cannot stop a program. Where ctx ends first, Execute returns its error and leaves the program to run to its end;
// handlers of foreign calls see ctx.
func (e *Executable) Execute(ctx context.Context, args []array.Data) ([]backend.Buffer, error) {
	if err := ctx.Err(); err != nil {
		return nil, context.Cause(ctx)
	}
	if len(args) != len(e.params) {
		return nil, array.ArgumentErrorf("main takes %d arguments, got %d", len(e.params), len(args))
	}
	if !e.handle.acquire() {
		return nil, e.closed()
	}
	c := e.calls.Get().(*execution)
	d, err := c.begin(e, args)
	if err != nil {
		c.end(e)
		return nil, err
	}
	if ctx.Done() == nil {
		return c.run(ctx, e, d)
	}
	type outcome struct {
		out []backend.Buffer
		err error
	}
	done := make(chan outcome, 1)
	go func() {
		out, err := c.run(ctx, e, d)
		done <- outcome{out, err}
	}()
	select {
	case o := <-done:
		return o.out, o.err
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// begin collects the arguments' handles and chooses the device.
func (c *execution) begin(e *Executable, args []array.Data) (*device, error) {
	b := e.owner
	d := b.devices[0]
	for _, a := range args { // the first argument on a device decides
		if x, ok := a.(*Buffer); ok && x.owner == b {
			d = x.device
			break
		}
	}
	c.nonDonatable = c.nonDonatable[:0]
	for i, a := range args {
		if err := check(i, a.Aval(), e.params[i].aval); err != nil {
			return nil, err
		}
		x, ok := a.(*Buffer)
		if !ok || x.owner != b {
			host, err := a.Host()
			if err != nil {
				return nil, err
			}
			if x, err = b.put(host, d, false); err != nil {
				return nil, b.wrap(fmt.Sprintf("put argument %d", i), e.name, err)
			}
			c.temporary = append(c.temporary, x)
		} else if x.device != d {
			return nil, array.ArgumentErrorf("argument %d is on device %d, an earlier one on device %d; put them on one device", i, x.device.ID, d.ID)
		}
		if !sameLayout(x.minorToMajor, e.params[i].minorToMajor) {
			return nil, array.ArgumentErrorf("argument %d of main has layout %v in memory (minor to major), main takes %v", i, x.minorToMajor, e.params[i].minorToMajor)
		}
		// A buffer that is donated is taken: nobody else may be reading it. Where somebody is, or its memory is Go's, the
		// program gets a copy instead, and the buffer is gone all the same.
		switch {
		case !e.donate[i]:
			if !x.handle.acquire() {
				return nil, x.lost()
			}
		case !x.shared && x.handle.take():
			x.donated.Store(&e.name)
		default:
			if !x.handle.acquire() {
				return nil, x.lost()
			}
			x.donated.Store(&e.name)
			x.handle.close()
			c.nonDonatable = append(c.nonDonatable, int64(i))
		}
		c.buffers = append(c.buffers, x)
		c.in[i] = x.handle.ptr
	}
	c.options.nonDonatable = unsafe.Pointer(unsafe.SliceData(c.nonDonatable))
	c.options.numNonDonatable = uintptr(len(c.nonDonatable))
	return d, nil
}

// check compares an argument with a parameter. A key is the uint32 words behind it.
func check(i int, got, want array.Aval) error {
	shape, dtype := got.Shape, got.DType
	if dtype.IsKey() {
		shape, dtype = append(shape.Clone(), dtype.KeyShape()...), array.Uint32
	}
	switch {
	case !shape.Equal(want.Shape):
		return array.ShapeErrorf("argument %d of main is %s, got %s", i, want, got)
	case dtype != want.DType:
		return array.DTypeErrorf("argument %d of main is %s, got %s", i, want, got)
	}
	return nil
}

// run executes the program and ends the call.
func (c *execution) run(ctx context.Context, e *Executable, d *device) ([]backend.Buffer, error) {
	defer c.end(e)
	select {
	case d.slots <- struct{}{}:
		defer func() { <-d.slots }()
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	c.args.device = d.ptr
	var err error
	if len(e.sites) > 0 {
		err = c.runForeign(ctx, e, d)
	} else {
		err = c.call(e)
	}
	if err != nil {
		return nil, err
	}
	out := make([]backend.Buffer, len(e.results))
	for i, r := range e.results {
		x := e.owner.newBuffer(c.out[i], r.aval, d)
		x.module, x.minorToMajor = e.name, r.minorToMajor
		x.ready.Store(e.foreign)
		out[i] = x
	}
	return out, nil
}

// runForeign is call with a context by which the handlers find their run. Where one failed, its error is the error.
func (c *execution) runForeign(ctx context.Context, e *Executable, d *device) error {
	p := e.owner.plugin
	r := &run{ctx: ctx, sites: e.sites}
	r.Begin(d.Device)
	defer r.End()
	id, handle, err := p.begin(r)
	if err != nil {
		return e.owner.wrap("execute", e.name, err)
	}
	defer func() {
		p.end(id, handle)
		c.options.context = 0
	}()
	c.options.context = handle
	if err := c.call(e); err != nil {
		return cmp.Or(r.failure(), err)
	}
	return nil
}

// call calls the plugin's Execute and, for a program with foreign calls, waits for the end.
func (c *execution) call(e *Executable) error {
	p := e.owner.plugin
	if err := call(p, loadedExecute, &c.args); err != nil {
		return e.owner.wrap("execute", e.name, err)
	}
	if !e.foreign {
		return nil
	}
	if err := p.await(c.event); err != nil {
		for _, x := range c.out[:len(e.results)] {
			p.destroy(bufferDestroy, x)
		}
		return e.owner.wrap("execute", e.name, err)
	}
	return nil
}

// end gives the arguments and the execution itself back.
func (c *execution) end(e *Executable) {
	for _, x := range c.buffers {
		x.handle.release()
	}
	for _, x := range c.temporary {
		x.handle.close()
	}
	clear(c.buffers)
	clear(c.temporary)
	c.buffers, c.temporary = c.buffers[:0], c.temporary[:0]
	e.calls.Put(c)
	e.handle.release()
}
