package pjrt

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"unsafe"

	"github.com/pantograph-go/pantograph/internal/dl"
)

// plugin is a loaded library: its table of functions and what it says of itself. It is never unloaded, for it has
// threads of its own. Safe for concurrent use.
type plugin struct {
	file         string
	major, minor int32
	functions    []uintptr         // by offset/8 in the table
	extensions   map[int32]uintptr // address by type
	attributes   map[string]any    // xla_version, stablehlo_current_version, …
	waits        chan struct{}     // a token for each goroutine that may block its thread on an event

	foreign foreign // the registration of Go handlers
}

// oldest is the minor version of the API below which plugins are refused.
const oldest = 81

// VersionError: the file is a plugin, but not of a version that can be used.
//
//	/p/plugin.so has PJRT API 0.54; 0.81 is the oldest that works
type VersionError struct {
	File         string
	Major, Minor int
}

func (e *VersionError) Error() string {
	return fmt.Sprintf("%s has PJRT API %d.%d; 0.%d is the oldest that works", e.File, e.Major, e.Minor, oldest)
}

// LoadError: the file is there but could not be loaded as a plugin.
type LoadError struct {
	File string
	Err  error
}

func (e *LoadError) Error() string { return fmt.Sprintf("load PJRT plugin %s: %v", e.File, e.Err) }
func (e *LoadError) Unwrap() error { return e.Err }

// loaded holds the plugins of the process by file: a second load of the same library would initialise it twice.
var loaded struct {
	mu      sync.Mutex
	plugins map[string]*plugin
}

// load opens a plugin, or returns the one that is open already.
func load(file string) (*plugin, error) {
	if real, err := filepath.EvalSymlinks(file); err == nil {
		file = real
	}
	loaded.mu.Lock()
	defer loaded.mu.Unlock()
	if p, ok := loaded.plugins[file]; ok {
		return p, nil
	}
	if err := checkFlags(file, os.Getenv("XLA_FLAGS")); err != nil {
		return nil, &LoadError{file, err}
	}
	// Otherwise the plugin prints every failed execution to stderr, besides returning it.
	if _, set := os.LookupEnv("TF_CPP_MIN_LOG_LEVEL"); !set {
		os.Setenv("TF_CPP_MIN_LOG_LEVEL", "3")
	}
	lib, err := dl.Open(file)
	if err != nil {
		return nil, &LoadError{file, err}
	}
	get, err := lib.Symbol("GetPjrtApi")
	if err != nil {
		return nil, &LoadError{file, err}
	}
	p, err := readTable(file, dl.CallN(get))
	if err != nil {
		return nil, err
	}
	if err := call(p, pluginInitialize, &header{}); err != nil {
		return nil, &LoadError{file, err}
	}
	if err := p.readAttributes(); err != nil {
		return nil, &LoadError{file, err}
	}
	if loaded.plugins == nil {
		loaded.plugins = map[string]*plugin{}
	}
	loaded.plugins[file] = p
	return p, nil
}

func readTable(file string, addr uintptr) (*plugin, error) {
	if addr == 0 {
		return nil, &LoadError{file, fmt.Errorf("GetPjrtApi returned no table")}
	}
	head := (*struct {
		size       uintptr
		extensions uintptr
		_          [2]uintptr // the version's own header
		major      int32
		minor      int32
	})(dl.Pointer(addr))
	p := &plugin{file: file, major: head.major, minor: head.minor, waits: make(chan struct{}, maxInFlight)}
	if p.major != 0 || p.minor < oldest {
		return nil, &VersionError{file, int(p.major), int(p.minor)}
	}
	p.functions = unsafe.Slice((*uintptr)(dl.Pointer(addr)), head.size/unsafe.Sizeof(addr))
	p.extensions = map[int32]uintptr{}
	for e := head.extensions; e != 0; {
		x := (*struct {
			size uintptr
			kind int32
			next uintptr
		})(dl.Pointer(e))
		p.extensions[x.kind] = e
		e = x.next
	}
	return p, nil
}

func (p *plugin) readAttributes() error {
	var a attributesArgs
	if err := call(p, pluginAttributes, &a); err != nil {
		return err
	}
	p.attributes = map[string]any{}
	if a.count == 0 {
		return nil
	}
	for _, v := range unsafe.Slice((*namedValue)(dl.Pointer(a.list)), a.count) {
		name := string(unsafe.Slice((*byte)(v.name), v.nameSize))
		switch v.kind {
		case valueString:
			p.attributes[name] = dl.String(uintptr(v.value), int(v.size))
		case valueInt:
			p.attributes[name] = int64(v.value)
		case valueInts:
			p.attributes[name] = append([]int64(nil), unsafe.Slice((*int64)(dl.Pointer(uintptr(v.value))), v.size)...)
		case valueBool:
			p.attributes[name] = byte(v.value) != 0
		}
	}
	return nil
}

func (p *plugin) version() string {
	return strconv.Itoa(int(p.major)) + "." + strconv.Itoa(int(p.minor))
}

// has tells whether the plugin's version has a function.
func (p *plugin) has(f function) bool {
	i := f.offset / unsafe.Sizeof(f.offset)
	return i < uintptr(len(p.functions)) && p.functions[i] != 0
}

// invoke calls a function that exists in every version and returns its result, an error handle or 0. It fills in the
// size that begins the arguments.
func invoke[T any](p *plugin, f function, args *T) uintptr {
	*(*uintptr)(unsafe.Pointer(args)) = unsafe.Sizeof(*args)
	return dl.Call(p.functions[f.offset/unsafe.Sizeof(f.offset)], unsafe.Pointer(args))
}

// call calls a function. The error, if any, is an *Error; a function that this plugin lacks is one of code UNIMPLEMENTED.
func call[T any](p *plugin, f function, args *T) error {
	if !p.has(f) {
		return &Error{Backend: "pjrt", Op: f.name, Code: Unimplemented, Message: fmt.Sprintf("%s has API %s, which lacks PJRT_%s", p.file, p.version(), f.name)}
	}
	if h := invoke(p, f, args); h != 0 {
		e := p.take(h)
		e.Op = f.name
		return e
	}
	return nil
}

// callExtension calls the function at an offset of an extension. ok is false where the plugin lacks the extension or its
// version of it ends before the function.
func callExtension[T any](p *plugin, extension int32, offset uintptr, args *T) (ok bool, err error) {
	e := p.extensions[extension]
	if e == 0 || *(*uintptr)(dl.Pointer(e)) < offset+unsafe.Sizeof(e) {
		return false, nil
	}
	fn := *(*uintptr)(dl.Pointer(e + offset))
	if fn == 0 {
		return false, nil
	}
	*(*uintptr)(unsafe.Pointer(args)) = unsafe.Sizeof(*args)
	if h := dl.Call(fn, unsafe.Pointer(args)); h != 0 {
		return true, p.take(h)
	}
	return true, nil
}

// destroy calls one of the functions that end a handle. They cannot fail in a way one could answer.
func (p *plugin) destroy(f function, handle uintptr) {
	if h := invoke(p, f, &oneHandle{handle: handle}); h != 0 {
		p.take(h)
	}
}
