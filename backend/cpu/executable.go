package cpu

import (
	"context"
	"runtime"
	"runtime/debug"
	"sync"
	"unsafe"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/backend"
)

// Executable is a compiled module: a plan and the idle frames that its executions left. Safe for concurrent use.
type Executable struct {
	plan   *plan
	frames sync.Pool // of *frame
	life   *lifetime // nil where no foreign function keeps anything for the program
}

var _ backend.Executable = (*Executable)(nil)

func newExecutable(p *plan) *Executable {
	e := &Executable{plan: p, frames: sync.Pool{New: func() any { return newFrame(p) }}}
	if len(p.instances) > 0 {
		e.life = &lifetime{instances: p.instances}
		runtime.AddCleanup(e, (*lifetime).end, e.life) // for a program that is dropped and not closed
	}
	return e
}

// Execute implements backend.Executable. An argument may be any array.Data; one that is not a Buffer of this engine is
// read through Host. The results lie in memory of their own.
func (e *Executable) Execute(ctx context.Context, args []array.Data) (out []backend.Buffer, err error) {
	p := e.plan
	if err := p.check(args); err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if e.life != nil {
		if err := e.life.enter(); err != nil {
			return nil, err
		}
		defer e.life.leave()
	}
	f := e.frames.Get().(*frame)
	f.ctx, f.done = ctx, ctx.Done()
	if p.sites > 0 {
		f.current.Begin(device)
		defer f.current.End()
	}
	call := invocation{f: f, plan: p, args: args, taken: f.taken[:0]}
	defer func() {
		r := recover()
		call.end()
		if r != nil {
			out, err = nil, internalError(r, debug.Stack())
			return // a frame that a panic left behind is not used again
		}
		e.frames.Put(f)
	}()
	if err := call.begin(); err != nil {
		return nil, err
	}
	if err := f.run(p.steps); err != nil {
		return nil, err
	}
	return call.results(), nil
}

// Memory implements backend.Executable.
func (e *Executable) Memory() backend.MemoryStats {
	m := backend.MemoryStats{Temporaries: int64(e.plan.arena)}
	for _, a := range e.plan.args {
		m.Arguments += int64(a.size)
	}
	for _, r := range e.plan.results {
		m.Results += int64(r.size)
	}
	return m
}

// Close implements backend.Executable. Memory, and what foreign functions keep for the program, goes back when the last
// execution has ended.
func (e *Executable) Close() error {
	if e.life != nil {
		e.life.end()
	}
	return nil
}

// check compares the arguments with the parameters of main.
func (p *plan) check(args []array.Data) error {
	if len(args) != len(p.args) {
		return array.ArgumentErrorf("main takes %d arguments, got %d", len(p.args), len(args))
	}
	for i, a := range args {
		want := &p.args[i]
		got := a.Aval()
		if got.DType == want.dtype && got.Shape.Equal(want.shape) {
			continue
		}
		if got.DType.IsKey() && want.dtype == array.Uint32 && append(got.Shape.Clone(), got.DType.KeyShape()...).Equal(want.shape) {
			continue
		}
		if !got.Shape.Equal(want.shape) {
			return array.ShapeErrorf("argument %d of main is %s%s, got %s", i, want.dtype.Short(), want.shape, got)
		}
		return array.DTypeErrorf("argument %d of main is %s%s, got %s", i, want.dtype.Short(), want.shape, got)
	}
	return nil
}

// invocation is one call of Execute: it puts arguments and results into the frame and takes them out again.
type invocation struct {
	f     *frame
	plan  *plan
	args  []array.Data
	taken []taken
	bufs  []*array.Buffer // results, made before the run
}

// taken is an argument that must be released, or the memory that was donated.
type taken struct {
	reading *Buffer
	memory  *array.Buffer
}

// begin looks up the arguments' memory and makes that of the results.
func (c *invocation) begin() error {
	for i, a := range c.args {
		host, err := c.take(a, &c.plan.args[i])
		if err != nil {
			return err
		}
		c.f.mem[c.plan.args[i].slot] = unsafe.Pointer(unsafe.SliceData(host.Bytes()))
	}
	c.bufs = make([]*array.Buffer, len(c.plan.results))
	for i := range c.plan.results {
		r := &c.plan.results[i]
		if r.from >= 0 {
			c.bufs[i] = c.taken[r.from].memory
			if !c.bufs[i].Shape().Equal(r.shape) || c.bufs[i].DType() != r.dtype {
				b, err := array.WrapBuffer(r.dtype, r.shape, c.bufs[i].Bytes())
				if err != nil {
					return err
				}
				c.bufs[i] = b
			}
			continue
		}
		c.bufs[i] = array.NewBuffer(r.dtype, r.shape)
		c.f.mem[r.slot] = unsafe.Pointer(unsafe.SliceData(c.bufs[i].Bytes()))
	}
	return nil
}

// take gets the memory of one argument.
func (c *invocation) take(a array.Data, p *param) (*array.Buffer, error) {
	b, ours := a.(*Buffer)
	switch {
	case p.donated && ours:
		host, exclusive, err := b.donate()
		if err != nil {
			return nil, err
		}
		if p.written && !exclusive {
			host = copied(host)
		}
		c.taken = append(c.taken, taken{memory: host})
		return host, nil
	case ours:
		host, err := b.acquire()
		if err != nil {
			return nil, err
		}
		c.taken = append(c.taken, taken{reading: b, memory: host})
		return host, nil
	}
	host, err := a.Host()
	if err != nil {
		return nil, err
	}
	if p.written {
		host = copied(host)
	}
	c.taken = append(c.taken, taken{memory: host})
	return host, nil
}

func copied(b *array.Buffer) *array.Buffer {
	c := array.NewBuffer(b.DType(), b.Shape())
	copy(c.Bytes(), b.Bytes())
	return c
}

// results wraps the results.
func (c *invocation) results() []backend.Buffer {
	out := make([]backend.Buffer, len(c.bufs))
	for i, b := range c.bufs {
		out[i] = newBuffer(b, false)
	}
	return out
}

// end releases the arguments and leaves no pointer to arguments or results in the frame.
func (c *invocation) end() {
	for i := range c.taken {
		if b := c.taken[i].reading; b != nil {
			b.release()
		}
		c.taken[i] = taken{}
	}
	c.f.taken = c.taken[:0]
	c.f.ctx, c.f.done = nil, nil
	for i := range c.plan.args {
		c.f.mem[c.plan.args[i].slot] = nil
	}
	for i := range c.plan.results {
		c.f.mem[c.plan.results[i].slot] = nil
	}
}
