package pjrt

import (
	"context"
	"fmt"
	"regexp"
	"runtime"
	"unsafe"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/backend"
	"github.com/pantograph-go/pantograph/internal/debug"
	"github.com/pantograph-go/pantograph/lower/hlo"
)

// Compile implements backend.Backend. The module goes to the plugin as text. What this binding or a type cannot do is a
// *backend.Unsupported, a custom call without a handler an *array.TargetError, all else the plugin's *Error with the
// line and column of the module's text, as String prints it.
func (b *Backend) Compile(ctx context.Context, m *hlo.Module, opts backend.Options) (exe backend.Executable, err error) {
	if err := b.use("compile"); err != nil {
		return nil, err
	}
	defer b.client.release()
	p, err := b.prepare(ctx, m, opts)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			closeSites(p.sites)
		}
	}()
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
	source := p.module.String()
	if err := debug.Dump(name, "pjrt.mlir", func() string { return source }); err != nil {
		return nil, err
	}
	e, err := b.compile(name, source, p)
	if err != nil {
		return nil, err
	}
	e.handle.after = func() { closeSites(p.sites) }
	return e, nil
}

// compile makes the executable of a module's text: from the cache, or by the plugin. The caller is a user of the client.
func (b *Backend) compile(name, source string, p *prepared) (*Executable, error) {
	options, err := compileOptions(b.overrides)
	if err != nil {
		return nil, err
	}
	var file string
	if b.cache != nil {
		file = b.cache.file(source, options)
		if data, ok := b.cache.load(file); ok {
			loaded, err := b.deserialize(data, options)
			if err == nil {
				return b.newExecutable(name, loaded, p)
			}
			b.cache.remove(file)
		}
	}
	loaded, err := b.translate(source, options)
	if err != nil {
		return nil, b.compileError(name, p, err)
	}
	e, err := b.newExecutable(name, loaded, p)
	if err == nil && b.cache != nil {
		data, err := e.serialize()
		if err == nil {
			err = b.cache.store(file, data)
		}
		if err != nil {
			debug.Logger("pjrt").Debug("cache: not stored", "module", name, "error", err)
		}
	}
	return e, err
}

// translate gives the text of a module to the plugin and returns a PJRT_LoadedExecutable.
func (b *Backend) translate(source string, options []byte) (uintptr, error) {
	args := &compileArgs{client: b.client.ptr, program: newProgram(source), options: unsafe.Pointer(&options[0]), optionsSize: uintptr(len(options))}
	err := call(b.plugin, clientCompile, args)
	runtime.KeepAlive(source)
	return args.executable, err
}

// newProgram is a module's text as a plugin takes it. The caller keeps source alive.
func newProgram(source string) unsafe.Pointer {
	const format = "mlir"
	p := &program{code: text(source), codeSize: uintptr(len(source)), format: text(format), formatSize: uintptr(len(format))}
	p.size = unsafe.Sizeof(*p)
	return unsafe.Pointer(p)
}

// deserialize loads what serialize gave.
func (b *Backend) deserialize(data, options []byte) (uintptr, error) {
	args := &deserializeArgs{client: b.client.ptr, bytes: unsafe.Pointer(unsafe.SliceData(data)), size: uintptr(len(data)),
		options: unsafe.Pointer(&options[0]), optionsSize: uintptr(len(options))}
	err := call(b.plugin, executableLoad, args)
	return args.loaded, err
}

// noHandler is how a plugin says that it does not know the target of a foreign call.
var noHandler = regexp.MustCompile(`No (?:FFI|registered implementation|custom call).*? for (?:untyped custom call to |custom call to )?"?([^\s"]+)"?`)

// noTranslation is how XLA says that an operation of StableHLO has no counterpart: quantized arithmetic, some dynamic shapes.
var noTranslation = regexp.MustCompile(`'([\w.]+)' op can't be translated to XLA HLO`)

// compileError gives the errors of a compilation that have a kind of their own.
func (b *Backend) compileError(name string, p *prepared, err error) error {
	err = b.wrap("compile", name, err)
	e, ok := err.(*Error)
	if !ok {
		return err
	}
	if m := noTranslation.FindStringSubmatch(e.Message); m != nil {
		return fmt.Errorf("%w (%w)", &backend.Unsupported{Feature: b.name + ": " + m[1]}, e)
	}
	m := noHandler.FindStringSubmatch(e.Message)
	if m == nil {
		return err
	}
	if m[1] == goTarget {
		e.Message = fmt.Sprintf("the plugin refused the handler of Go functions, which was offered with version 0.%d of the interface: %s", b.plugin.foreign.minor.Load(), e.Message)
		return e
	}
	return located(p.others[m[1]], &missingTarget{
		&array.TargetError{Msg: fmt.Sprintf("no handler is registered for target %q on platform %s, and the plugin has none", m[1], b.platform)},
		&backend.Unsupported{Feature: b.name + ": custom_call " + m[1]}, e,
	})
}

// missingTarget is a TargetError for users, an Unsupported for those who count what an engine lacks, and what the plugin
// said.
type missingTarget struct {
	target  *array.TargetError
	feature *backend.Unsupported
	plugin  *Error
}

func (e *missingTarget) Error() string   { return e.target.Msg + " (" + e.plugin.Error() + ")" }
func (e *missingTarget) Unwrap() []error { return []error{e.target, e.feature, e.plugin} }
