package pjrt

import (
	"context"
	"fmt"
	"regexp"
	"runtime"
	"sync"
	"unsafe"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/backend"
	"github.com/pantograph-go/pantograph/lower/hlo"
)

// Executable is a compiled program. Safe for concurrent use.
type Executable struct {
	handle  *handle // PJRT_LoadedExecutable
	owner   *Backend
	name    string
	params  []param
	results []param
	donate  []bool
	sites   []site
	foreign bool // wait for the end, for an error may come from the program's calls
	memory  backend.MemoryStats
	calls   sync.Pool // of *execution
}

var _ backend.Executable = (*Executable)(nil)

// Compile implements backend.Backend. The module goes to the plugin as text. What this binding or a type cannot do is a
// *backend.Unsupported, a custom call without a handler an *array.TargetError, all else the plugin's *Error with the
// line and column of the module's text, as String prints it.
func (b *Backend) Compile(ctx context.Context, m *hlo.Module, opts backend.Options) (backend.Executable, error) {
	if err := b.use("compile"); err != nil {
		return nil, err
	}
	defer b.client.release()
	p, err := b.prepare(m, opts)
	if err != nil {
		return nil, err
	}
	if len(p.sites) > 0 {
		if err := b.plugin.register(); err != nil {
			return nil, b.wrap("register", goTarget, err)
		}
	}
	name := opts.Name
	if name == "" {
		name = m.Name
	}
	select {
	case b.compiling <- struct{}{}:
		defer func() { <-b.compiling }()
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	return b.compile(name, p.module.String(), p)
}

// compile gives the text of a module to the plugin. The caller is a user of the client.
func (b *Backend) compile(name, source string, p *prepared) (*Executable, error) {
	const format = "mlir"
	options, err := compileOptions(b.overrides)
	if err != nil {
		return nil, err
	}
	prog := &program{code: text(source), codeSize: uintptr(len(source)), format: text(format), formatSize: uintptr(len(format))}
	prog.size = unsafe.Sizeof(*prog)
	args := &compileArgs{client: b.client.ptr, program: unsafe.Pointer(prog), options: unsafe.Pointer(&options[0]), optionsSize: uintptr(len(options))}
	err = call(b.plugin, clientCompile, args)
	runtime.KeepAlive(source)
	if err != nil {
		return nil, b.compileError(name, p, err)
	}
	e := &Executable{
		handle: newHandle(b.plugin, args.executable, loadedDestroy, b.client), owner: b, name: name,
		params: p.params, results: p.results, donate: p.donate, sites: p.sites, foreign: p.foreign,
	}
	runtime.AddCleanup(e, (*handle).close, e.handle)
	e.calls.New = func() any { return newExecution(e) }
	if err := e.inspect(); err != nil {
		e.handle.close()
		return nil, b.wrap("inspect", name, err)
	}
	return e, nil
}

// noHandler is how a plugin says that it does not know the target of a foreign call.
var noHandler = regexp.MustCompile(`No (?:FFI|registered implementation|custom call).*? for (?:untyped custom call to |custom call to )?"?([^\s"]+)"?`)

// compileError gives the errors of a compilation that have a kind of their own.
func (b *Backend) compileError(name string, p *prepared, err error) error {
	err = b.wrap("compile", name, err)
	e, ok := err.(*Error)
	if !ok {
		return err
	}
	m := noHandler.FindStringSubmatch(e.Message)
	if m == nil {
		return err
	}
	if m[1] == goTarget {
		e.Message = fmt.Sprintf("the plugin refused the handler of Go functions, which was offered with version 0.%d of the interface: %s", b.plugin.foreign.minor.Load(), e.Message)
		return e
	}
	missing := array.TargetErrorf("no handler is registered for target %q on platform %s, and the plugin has none", m[1], b.platform)
	return located(p.others[m[1]], fmt.Errorf("%w (%w)", missing, e))
}

// inspect asks what the executable needs, and the layouts that it chose itself.
func (e *Executable) inspect() error {
	p := e.owner.plugin
	var q query
	q.handle = e.handle.ptr
	if err := call(p, loadedExecutable, &q); err != nil {
		return err
	}
	defer p.destroy(executableDestroy, q.value)
	stats := compiledMemory{executable: q.value}
	if err := call(p, executableMemory, &stats); err == nil { // else unknown
		e.memory = backend.MemoryStats{Arguments: stats.arguments, Results: stats.outputs, Temporaries: stats.temp, Code: stats.code}
	}
	return nil
}

// Memory implements backend.Executable.
func (e *Executable) Memory() backend.MemoryStats { return e.memory }

// Close implements backend.Executable. Executions that are going on end first.
func (e *Executable) Close() error {
	e.handle.close()
	return nil
}
