package pjrt

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"unsafe"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/backend"
	"github.com/pantograph-go/pantograph/lower/hlo"
)

// Topology compiles programs for devices that this machine need not have: a check that a program would compile there. It
// is a backend whose executables cannot be executed. Safe for concurrent use.
type Topology struct {
	backend  *Backend // without a client; it prepares modules
	topology *handle
	device   backend.Device
}

var _ backend.Backend = (*Topology)(nil)

// OpenTopology loads a plugin and describes devices to it; kind names them in Devices. Options.Create are the options of the
// description, which differ from those of a client: for CUDA target_config, the text form of XLA's description of a GPU,
// and topology, as 1x1x8 for one host with eight of them.
func OpenTopology(kind string, o Options) (*Topology, error) {
	file, err := Locate(o.Platform, o.Plugin)
	if err != nil {
		return nil, err
	}
	p, err := load(file)
	if err != nil {
		return nil, err
	}
	b := &Backend{name: o.Name, platform: o.Platform, plugin: p, overrides: withExactness(o.Platform, os.Getenv("XLA_FLAGS"), o.Overrides)}
	options, keep, err := namedValues(o.Platform, o.Create)
	if err != nil {
		return nil, err
	}
	args := &topologyArgs{name: text(o.Platform), nameSize: uintptr(len(o.Platform)),
		options: unsafe.Pointer(unsafe.SliceData(options)), numOptions: uintptr(len(options))}
	err = call(p, topologyCreate, args)
	runtime.KeepAlive(keep)
	if err != nil {
		return nil, b.wrap("describe devices", "", err)
	}
	t := &Topology{b, newHandle(p, args.topology, topologyDestroy, nil), backend.Device{Kind: kind}}
	runtime.AddCleanup(t, (*handle).close, t.topology)
	return t, nil
}

// Name implements backend.Backend.
func (t *Topology) Name() string { return t.backend.name }

// Platform implements backend.Backend.
func (t *Topology) Platform() string { return t.backend.platform }

// Devices implements backend.Backend: the kind of device for which is compiled.
func (t *Topology) Devices() []backend.Device { return []backend.Device{t.device} }

// Put implements backend.Backend: there is no memory to put data into.
func (t *Topology) Put(*array.Buffer, backend.Device) (backend.Buffer, error) { return nil, t.absent() }

func (t *Topology) absent() error {
	return &backend.Unsupported{Feature: fmt.Sprintf("%s: programs are only compiled for %s, not executed", t.backend.name, t.device.Kind)}
}

// Compile implements backend.Backend.
func (t *Topology) Compile(ctx context.Context, m *hlo.Module, opts backend.Options) (backend.Executable, error) {
	b := t.backend
	if !t.topology.acquire() {
		return nil, &Error{Backend: b.name, Op: "compile", Code: FailedPrecondition, Message: "the backend is closed"}
	}
	defer t.topology.release()
	p, err := b.prepare(ctx, m, opts)
	if err != nil {
		return nil, err
	}
	options, err := compileOptions(b.overrides)
	if err != nil {
		return nil, err
	}
	name := opts.Name
	if name == "" {
		name = m.Name
	}
	source := p.module.String()
	args := &compileForArgs{topology: t.topology.ptr, program: newProgram(source), options: unsafe.Pointer(&options[0]), optionsSize: uintptr(len(options))}
	err = call(b.plugin, compileFor, args)
	runtime.KeepAlive(source)
	if err != nil {
		return nil, b.compileError(name, p, err)
	}
	defer b.plugin.destroy(executableDestroy, args.executable)
	return &compiled{t, memoryOf(b.plugin, args.executable)}, nil
}

// Close implements backend.Backend.
func (t *Topology) Close() error {
	t.topology.close()
	return nil
}

// compiled is what is known of a program that cannot be executed.
type compiled struct {
	topology *Topology
	memory   backend.MemoryStats
}

func (c *compiled) Execute(context.Context, []array.Data) ([]backend.Buffer, error) {
	return nil, c.topology.absent()
}

func (c *compiled) Memory() backend.MemoryStats { return c.memory }
func (c *compiled) Close() error                { return nil }
