package jit

import (
	"context"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/backend"
	"github.com/pantograph-go/pantograph/lower"
	"github.com/pantograph-go/pantograph/lower/hlo"
	"github.com/pantograph-go/pantograph/trace"
)

// Traced is a function traced for one kind of arguments: the first stage.
type Traced struct {
	cache   *cache
	program *program
}

// Lowered is a function lowered to StableHLO: the second stage.
type Lowered struct {
	traced *Traced
	module *hlo.Module
}

// Compiled is a function compiled for one kind of arguments: the last stage. Safe for concurrent use.
type Compiled struct {
	*trace.Func
	lowered *Lowered
	exe     backend.Executable
}

// Trace traces the function for the types of args, in which trace.Spec may stand for arrays.
func (f *Func) Trace(args ...any) (t *Traced, err error) {
	defer trace.Recover(&err)
	a, err := f.cache.apart(args)
	if err != nil {
		return nil, array.Wrap(f.Name(), err)
	}
	p, err := f.cache.program(a)
	if err != nil {
		return nil, array.Wrap(f.Name(), err)
	}
	return &Traced{f.cache, p}, nil
}

// Lower is Trace followed by Lower.
func (f *Func) Lower(args ...any) (*Lowered, error) {
	t, err := f.Trace(args...)
	if err != nil {
		return nil, err
	}
	return t.Lower()
}

// Compile is Trace, Lower and Compile.
func (f *Func) Compile(args ...any) (*Compiled, error) {
	l, err := f.Lower(args...)
	if err != nil {
		return nil, err
	}
	return l.Compile()
}

// Jaxpr is the traced program.
func (t *Traced) Jaxpr() *trace.Closed { return t.program.closed }

// Lower lowers the program for the platform of the function's backend.
func (t *Traced) Lower() (l *Lowered, err error) {
	defer trace.Recover(&err)
	b, err := t.cache.engine()
	if err != nil {
		return nil, err
	}
	m, err := lower.Module("jit_"+t.cache.callable.Name(), t.program.closed, lower.Options{Platform: b.Platform(), Donate: t.program.donate})
	if err != nil {
		return nil, err
	}
	return &Lowered{t, m}, nil
}

// Module is the StableHLO module. Captured arrays are its leading parameters.
func (l *Lowered) Module() *hlo.Module { return l.module }

// Text is the StableHLO module as text.
func (l *Lowered) Text() string { return l.module.String() }

// Compile has the backend compile the module.
func (l *Lowered) Compile() (c *Compiled, err error) {
	defer trace.Recover(&err)
	k, p := l.traced.cache, l.traced.program
	b, err := k.engine()
	if err != nil {
		return nil, err
	}
	exe, err := p.executable(context.Background(), k.callable.Name(), b)
	if err != nil {
		return nil, array.Wrap("compile", err)
	}
	c = &Compiled{lowered: l, exe: exe}
	c.Func = trace.NewFunc("compiled("+k.callable.Name()+")", k.sig, c.call)
	return c, nil
}

// call runs the program; arguments of another kind are an error that says what differs.
func (c *Compiled) call(args []any) (any, error) { return c.callUnder(context.Background(), args) }

func (c *Compiled) callUnder(ctx context.Context, args []any) (any, error) {
	k, p := c.lowered.traced.cache, c.lowered.traced.program
	a, err := k.apart(args)
	if err != nil {
		return nil, err
	}
	if d := differences(p.args, a); len(d) > 0 {
		return nil, array.ArgumentErrorf("it was compiled for other arguments: %s", d[0])
	}
	if traced(a.leaves) {
		return nil, array.ArgumentErrorf("a compiled program takes data, and an argument is traced; call the jitted function instead")
	}
	out, err := k.run(ctx, p, a.leaves)
	if err != nil {
		return nil, err
	}
	return p.out.Unflatten(out)
}

// Text is the StableHLO that was compiled.
func (c *Compiled) Text() string { return c.lowered.Text() }

// MemoryAnalysis tells what the program needs, in bytes; zero values are unknown.
func (c *Compiled) MemoryAnalysis() backend.MemoryStats { return c.exe.Memory() }
