package primitive

import (
	"sync"
	"sync/atomic"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/internal/goroutine"
)

// Trace is one transformation at work on one run of a function. Process applies p under it: a recording trace adds an
// equation; a transforming trace looks for its own tracers among the operands, applies p's rule with the trace below
// current (Frame.Below), and passes the operation down unchanged where no operand is its own.
type Trace interface {
	Process(p Primitive, in []*array.Array) ([]*array.Array, error)
	// Describe names the transformation for the Path of errors: jit(step), vmap, jvp.
	Describe() string
}

// Tracer is what every transformation's tracer implements: it knows the frame of the trace it belongs to.
type Tracer interface {
	array.Tracer
	Frame() *Frame
}

// Frame is the place of an open trace on its goroutine's stack.
type Frame struct {
	trace  Trace
	parent *Frame // the trace that was current when this one opened; nil: eager evaluation
	ctx    *context
	closed atomic.Bool
}

// context is the stack of one goroutine that has open traces. Only that goroutine touches its fields.
type context struct {
	goroutine uintptr
	top       *Frame    // the current trace
	open      int       // frames and At calls not ended yet
	pos       array.Pos // set by At, or by Position where steady
	steady    bool      // a rule runs: the user's line stays the same
}

var (
	contexts sync.Map     // goroutine identity → *context, one for each goroutine with open traces
	anyOpen  atomic.Int64 // how many contexts there are: 0 makes Bind on data cost one atomic load
)

func currentContext() *context {
	if anyOpen.Load() == 0 {
		return nil
	}
	if c, ok := contexts.Load(goroutine.ID()); ok {
		return c.(*context)
	}
	return nil
}

// enter returns the goroutine's context, made where there is none, and keeps it until leave.
func enter() *context {
	c := currentContext()
	if c == nil {
		c = &context{goroutine: goroutine.ID()}
		contexts.Store(c.goroutine, c)
		anyOpen.Add(1)
	}
	c.open++
	return c
}

func (c *context) leave() {
	c.open--
	if c.open == 0 {
		contexts.Delete(c.goroutine)
		anyOpen.Add(-1)
	}
}

// Open pushes t on the goroutine's stack and makes it current. Every Open is followed by a deferred Close.
func Open(t Trace) *Frame {
	c := enter()
	f := &Frame{trace: t, parent: c.top, ctx: c}
	c.top = f
	return f
}

// Close ends the trace and makes the one below current again. Tracers of f are escaped from now on.
func (f *Frame) Close() {
	if f.closed.Swap(true) {
		return
	}
	f.ctx.top = f.parent
	f.ctx.leave()
}

// At runs fn with pos in place of the user's line: an equation that is evaluated again keeps the line it was written
// on. With the zero Pos, lines come from the call stack again, as where fn calls a function of the user.
func At(pos array.Pos, fn func() error) error {
	c := enter()
	saved, steady := c.pos, c.steady
	c.pos, c.steady = pos, false
	defer func() {
		c.pos, c.steady = saved, steady
		c.leave()
	}()
	return fn()
}

// Position is the user's line: the one set by At, else the caller's.
func Position() array.Pos {
	c := currentContext()
	if c != nil && c.pos.File != "" {
		return c.pos
	}
	pos := array.Caller()
	if c != nil && c.steady {
		c.pos = pos
	}
	return pos
}

// Below runs fn with the trace below f current, as rules run. The user's line is looked up once at most, however many
// operations the rule binds.
func (f *Frame) Below(fn func() error) error {
	c := f.ctx
	pos, steady := c.pos, c.steady
	c.steady = true
	defer func() {
		if c.steady = steady; !steady {
			c.pos = pos
		}
	}()
	return f.parent.with(c, fn)
}

// Within runs fn with f itself current, as when a rule of a trace above must record into f.
func (f *Frame) Within(fn func() error) error { return f.with(f.ctx, fn) }

func (f *Frame) with(c *context, fn func() error) error {
	saved := c.top
	c.top = f
	defer func() { c.top = saved }()
	return fn()
}

// Trace is the trace that was opened here.
func (f *Frame) Trace() Trace { return f.trace }

// Parent is the frame below, nil at the bottom.
func (f *Frame) Parent() *Frame { return f.parent }

// Closed reports that the traced function has returned.
func (f *Frame) Closed() bool { return f.closed.Load() }

// Top is the current frame of the running goroutine, nil where operations run at once.
func Top() *Frame {
	if c := currentContext(); c != nil {
		return c.top
	}
	return nil
}

// Path lists the open transformations of the goroutine, outermost first: jit(step)/vjp(loss).
func Path() string {
	s := ""
	for f := Top(); f != nil; f = f.parent {
		d := f.trace.Describe()
		if d == "" {
			continue
		}
		if s != "" {
			s = "/" + s
		}
		s = d + s
	}
	return s
}

// current finds the trace that an operation on these operands goes to and checks that no operand has escaped.
func current(in []*array.Array) (*Frame, error) {
	if anyOpen.Load() == 0 {
		for _, x := range in {
			if err := escaped(x, nil); err != nil {
				return nil, err
			}
		}
		return nil, nil
	}
	c := currentContext()
	for _, x := range in {
		if err := escaped(x, c); err != nil {
			return nil, err
		}
	}
	if c == nil {
		return nil, nil
	}
	return c.top, nil
}

func escaped(x *array.Array, c *context) error {
	if x == nil {
		return array.ArgumentErrorf("an operand is a nil array")
	}
	tracer := array.TracerOf(x)
	if tracer == nil {
		return nil
	}
	t, ok := tracer.(Tracer)
	if !ok {
		return array.ArgumentErrorf("an operand is a %s", tracer.Describe())
	}
	f := t.Frame()
	if f.Closed() {
		return array.LeakErrorf("%s escaped: the function it was traced in has returned; return the value from that function instead of keeping it in a variable", t.Describe())
	}
	if f.ctx != c {
		return array.LeakErrorf("%s is used on another goroutine than the one that traces it; start goroutines outside the traced function, or let vmap and the engine do the parallel work", t.Describe())
	}
	for g := c.top; g != f; g = g.parent {
		if g == nil {
			return array.LeakErrorf("%s belongs to a transformation inside the one that is at work: a rule may use only values it was given; pass it as an argument instead of capturing it", t.Describe())
		}
	}
	return nil
}
