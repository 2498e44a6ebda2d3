package pjrt

import (
	"cmp"
	"fmt"
	"maps"
	"os"
	"runtime"
	"slices"
	"strings"
	"unsafe"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/backend"
	"github.com/pantograph-go/pantograph/internal/debug"
	"github.com/pantograph-go/pantograph/internal/dl"
)

// Options say which plugin to use and how. The zero value is the CPU plugin that Locate finds, with one device.
type Options struct {
	Platform string // cpu, cuda, …; cpu by default
	Plugin   string // the plugin's file; empty to look for it
	Name     string // what Backend.Name says; pjrt:PLATFORM by default
	Devices  int    // how many devices the CPU plugin makes of the processor, 1 by default; ignored on other platforms
	// Create holds further options of the client by their names, with values of type string, int, []int64, float32 or
	// bool. Names and types are checked by the plugin, except that old CPU plugins ignore what they do not know.
	Create map[string]any
	// Overrides are debug options of XLA for each compilation, by their flags' names without dashes, as
	// xla_backend_optimization_level. Unlike those in XLA_FLAGS a wrong one is an error.
	Overrides map[string]any
	// Cache is a folder in which compiled programs are kept for the next process; empty for the one that
	// PANTOGRAPH=pjrt.cache=DIR names, or none. Its files are machine code: nobody else should be able to write them.
	Cache string
}

// Backend is a client of a plugin. Safe for concurrent use.
type Backend struct {
	name      string
	platform  string
	plugin    *plugin
	client    *handle
	devices   []*device
	overrides map[string]any
	memory    *account
	compiling chan struct{} // a token for each compilation going on
	version   string
	cache     *cache // nil for none
}

var _ backend.Backend = (*Backend)(nil)

type device struct {
	backend.Device
	index int
	ptr   uintptr
	slots chan struct{} // a token for each execution that is being started
}

// Open loads the plugin of a platform, if it is not loaded yet, and makes a client. The error is a *NoPluginError,
// *LoadError, *VersionError or the plugin's own *Error.
func Open(o Options) (*Backend, error) {
	if o.Platform == "" {
		o.Platform = "cpu"
	}
	if o.Name == "" {
		o.Name = "pjrt:" + o.Platform
	}
	if !dl.Supported {
		return nil, &backend.Unsupported{Feature: fmt.Sprintf("%s on %s/%s: PJRT plugins are shared libraries, which can be loaded on linux and macOS, amd64 and arm64", o.Name, runtime.GOOS, runtime.GOARCH)}
	}
	file, err := Locate(o.Platform, o.Plugin)
	if err != nil {
		return nil, err
	}
	p, err := load(file)
	if err != nil {
		return nil, err
	}
	create := maps.Clone(o.Create)
	if o.Platform == "cpu" {
		if create == nil {
			create = map[string]any{}
		}
		if _, ok := create["cpu_device_count"]; !ok {
			create["cpu_device_count"] = max(o.Devices, 1)
		}
	}
	b := &Backend{name: o.Name, plugin: p, overrides: withExactness(o.Platform, os.Getenv("XLA_FLAGS"), o.Overrides), memory: newAccount(), compiling: make(chan struct{}, runtime.GOMAXPROCS(0))}
	if err := b.open(o.Platform, create); err != nil {
		return nil, b.wrap("create client", "", err)
	}
	if b.platform != o.Platform {
		b.Close()
		return nil, &LoadError{file, fmt.Errorf("the plugin is for platform %s; %s was asked for", b.platform, o.Platform)}
	}
	b.cache = openCache(cmp.Or(o.Cache, debug.Current().PJRTCache), b)
	debug.Logger("pjrt").Info("client", "plugin", file, "api", p.version(), "platform", b.platform, "devices", len(b.devices))
	return b, nil
}

// open makes the client and reads its devices.
func (b *Backend) open(platform string, create map[string]any) error {
	options, keep, err := namedValues(platform, create)
	if err != nil {
		return err
	}
	args := &clientCreateArgs{options: unsafe.Pointer(unsafe.SliceData(options)), numOptions: uintptr(len(options))}
	err = call(b.plugin, clientCreate, args)
	runtime.KeepAlive(keep)
	if err != nil {
		return err
	}
	b.client = newHandle(b.plugin, args.client, clientDestroy, nil)
	runtime.AddCleanup(b, (*handle).close, b.client)
	if b.platform, err = b.text(clientPlatform, args.client); err != nil {
		return err
	}
	b.platform = strings.ToLower(b.platform)
	if b.version, err = b.text(clientVersion, args.client); err != nil {
		return err
	}
	return b.readDevices()
}

func (b *Backend) readDevices() error {
	var list query
	list.handle = b.client.ptr
	if err := call(b.plugin, clientDevices, &list); err != nil {
		return err
	}
	for i, ptr := range slices.Clone(unsafe.Slice((*uintptr)(dl.Pointer(list.value)), list.count)) {
		var desc, id query
		desc.handle = ptr
		if err := call(b.plugin, deviceDescription, &desc); err != nil {
			return err
		}
		id.handle = desc.value
		if err := call(b.plugin, descriptionID, &id); err != nil {
			return err
		}
		kind, err := b.text(descriptionKind, desc.value)
		if err != nil {
			return err
		}
		b.devices = append(b.devices, &device{backend.Device{ID: int(int32(id.value)), Kind: kind}, i, ptr, make(chan struct{}, maxInFlight)})
	}
	if len(b.devices) == 0 {
		return &Error{Op: "list devices", Code: FailedPrecondition, Message: "the client has no device"}
	}
	return nil
}

// text asks for a string.
func (b *Backend) text(f function, handle uintptr) (string, error) {
	var q query
	q.handle = handle
	if err := call(b.plugin, f, &q); err != nil {
		return "", err
	}
	return dl.String(q.value, int(q.count)), nil
}

// wrap says in an error of the plugin who did what.
func (b *Backend) wrap(op, module string, err error) error {
	if e, ok := err.(*Error); ok {
		e.Backend, e.Module = b.name, module
		e.Op = op
		e.locate()
	}
	return err
}

// Name implements backend.Backend: pjrt:cpu, or what Options.Name said.
func (b *Backend) Name() string { return b.name }

// Platform implements backend.Backend: cpu, cuda.
func (b *Backend) Platform() string { return b.platform }

// Devices implements backend.Backend. Programs run on the device of their arguments, without arguments on the first.
func (b *Backend) Devices() []backend.Device {
	out := make([]backend.Device, len(b.devices))
	for i, d := range b.devices {
		out[i] = d.Device
	}
	return out
}

func (b *Backend) device(id int) (*device, error) {
	for _, d := range b.devices {
		if d.ID == id {
			return d, nil
		}
	}
	return nil, array.ArgumentErrorf("%s has no device %d; it has %d devices, the first is %d", b.name, id, len(b.devices), b.devices[0].ID)
}

// Close implements backend.Backend. The client goes when its last buffer and executable have gone.
func (b *Backend) Close() error {
	b.client.close()
	return nil
}

// use makes the caller a user of the client.
func (b *Backend) use(op string) error {
	if !b.client.acquire() {
		return &Error{Backend: b.name, Op: op, Code: FailedPrecondition, Message: "the backend is closed"}
	}
	return nil
}

// Info is what a plugin says of itself.
type Info struct {
	File             string
	API              string // of the PJRT interface, as 0.115
	PlatformVersion  string
	StableHLO        [3]int64 // the newest version it reads
	OldestStableHLO  [3]int64
	Attributes       map[string]any // all that it says
	ForeignCalls     bool           // Go functions can be called from programs
	ForeignInterface int            // minor version of its interface of foreign calls, 0 before the first one is called
}

// Info tells what the plugin says of itself, for a doctor command.
func (b *Backend) Info() Info {
	p := b.plugin
	i := Info{File: p.file, API: p.version(), PlatformVersion: b.version, Attributes: maps.Clone(p.attributes)}
	for name, to := range map[string]*[3]int64{"stablehlo_current_version": &i.StableHLO, "stablehlo_minimum_version": &i.OldestStableHLO} {
		if v, ok := p.attributes[name].([]int64); ok {
			copy(to[:], v)
		}
	}
	i.ForeignCalls = p.extensions[extensionFFI] != 0 && b.platform == "cpu"
	i.ForeignInterface = int(p.foreign.minor.Load())
	return i
}

// DeviceMemory is how much of a device's memory is in use, in bytes; zero values are unknown.
type DeviceMemory struct{ InUse, Peak, Limit, LargestFree int64 }

// DeviceMemory asks the plugin. The CPU plugins do not tell: an *Error of code Unimplemented.
func (b *Backend) DeviceMemory(d backend.Device) (DeviceMemory, error) {
	dev, err := b.device(d.ID)
	if err != nil {
		return DeviceMemory{}, err
	}
	if err := b.use("memory statistics"); err != nil {
		return DeviceMemory{}, err
	}
	defer b.client.release()
	a := deviceMemoryArgs{device: dev.ptr}
	if err := call(b.plugin, deviceMemory, &a); err != nil {
		return DeviceMemory{}, b.wrap("memory statistics", "", err)
	}
	return DeviceMemory{InUse: a.inUse, Peak: a.peak.value, Limit: a.limit.value, LargestFree: a.largestFree.value}, nil
}
