package pjrt

import (
	"bytes"
	"math"
	"runtime"
	"sync"
	"unsafe"

	"github.com/pantograph-go/pantograph/backend"
	"github.com/pantograph-go/pantograph/internal/dl"
)

// Executable is a compiled program. Safe for concurrent use.
type Executable struct {
	handle  *handle // PJRT_LoadedExecutable
	owner   *Backend
	name    string
	params  []param
	results []param
	donate  []bool
	sites   []*site
	foreign bool // wait for the end, for an error may come from the program's calls
	memory  backend.MemoryStats
	calls   sync.Pool // of *execution
}

var _ backend.Executable = (*Executable)(nil)

// newExecutable owns a PJRT_LoadedExecutable.
func (b *Backend) newExecutable(name string, loaded uintptr, p *prepared) (*Executable, error) {
	e := &Executable{
		handle: newHandle(b.plugin, loaded, loadedDestroy, b.client), owner: b, name: name,
		params: p.params, results: p.results, donate: p.donate, sites: p.sites, foreign: p.foreign,
	}
	runtime.AddCleanup(e, (*handle).close, e.handle)
	e.calls.New = func() any { return newExecution(e) }
	err := e.ask(func(executable uintptr) error {
		e.memory = memoryOf(b.plugin, executable)
		return nil
	})
	if err != nil {
		e.handle.close()
		return nil, b.wrap("inspect", name, err)
	}
	return e, nil
}

// memoryOf asks what a PJRT_Executable needs; where the plugin does not tell, all is 0.
func memoryOf(p *plugin, executable uintptr) backend.MemoryStats {
	s := compiledMemory{executable: executable}
	if call(p, executableMemory, &s) != nil {
		return backend.MemoryStats{}
	}
	return backend.MemoryStats{Arguments: s.arguments, Results: s.outputs, Temporaries: s.temp, Code: s.code}
}

// ask calls f with the PJRT_Executable behind the loaded one, which answers questions. The caller is a user of the handle,
// or its only owner.
func (e *Executable) ask(f func(executable uintptr) error) error {
	p := e.owner.plugin
	var q query
	q.handle = e.handle.ptr
	if err := call(p, loadedExecutable, &q); err != nil {
		return err
	}
	defer p.destroy(executableDestroy, q.value)
	return f(q.value)
}

// serialize copies the compiled program into bytes that the same build of the plugin loads on the same kind of machine.
func (e *Executable) serialize() (data []byte, err error) {
	err = e.ask(func(executable uintptr) error {
		args := &serializeArgs{executable: executable}
		if err := call(e.owner.plugin, executableStore, args); err != nil {
			return err
		}
		data = bytes.Clone(dl.Bytes(args.bytes, int(args.size)))
		dl.CallN(args.deleter, args.holder)
		return nil
	})
	return data, err
}

// Cost is XLA's estimate of one execution: flops, bytes accessed, and what else it counts. Only old plugins give one; with
// others it is an *Error of code Unimplemented.
func (e *Executable) Cost() (map[string]float64, error) {
	if !e.handle.acquire() {
		return nil, e.closed()
	}
	defer e.handle.release()
	cost := map[string]float64{}
	err := e.ask(func(executable uintptr) error {
		args := &costArgs{executable: executable}
		if err := call(e.owner.plugin, executableCost, args); err != nil {
			return err
		}
		for _, v := range unsafe.Slice((*namedValue)(dl.Pointer(args.list)), args.count) {
			if v.kind == valueFloat {
				cost[string(unsafe.Slice((*byte)(v.name), v.nameSize))] = float64(math.Float32frombits(uint32(v.value)))
			}
		}
		return nil
	})
	if err != nil {
		return nil, e.owner.wrap("cost", e.name, err)
	}
	return cost, nil
}

func (e *Executable) closed() error {
	return &Error{Backend: e.owner.name, Op: "execute", Module: e.name, Code: FailedPrecondition, Message: "the executable is closed"}
}

// Memory implements backend.Executable.
func (e *Executable) Memory() backend.MemoryStats { return e.memory }

// Close implements backend.Executable. Executions that are going on end first.
func (e *Executable) Close() error {
	e.handle.close()
	return nil
}
