package pjrt

import (
	"runtime"
	"sync/atomic"
	"unsafe"
	"weak"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/backend"
	"github.com/pantograph-go/pantograph/internal/dl"
)

// Buffer is an array on a device of a plugin. Safe for concurrent use.
type Buffer struct {
	handle *handle
	owner  *Backend
	aval   array.Aval
	device *device
	// minorToMajor is the order of the axes in memory, nil for row-major.
	minorToMajor []int
	shared       bool                   // the memory is that of a Go buffer, which a program must not be given to write
	module       string                 // that computed it, empty for data that was put
	ready        atomic.Bool            // the value is known to be there
	donated      atomic.Pointer[string] // the module that took the memory
	host         atomic.Value           // weak.Pointer[array.Buffer]: the values in host memory, while somebody has them
}

var _ backend.Buffer = (*Buffer)(nil)

// newBuffer owns a buffer handle. The caller is a user of the client.
func (b *Backend) newBuffer(ptr uintptr, aval array.Aval, d *device) *Buffer {
	h := newHandle(b.plugin, ptr, bufferDestroy, b.client)
	h.memory, h.bytes = b.memory, int64(aval.Shape.Size()*aval.DType.Size()+perHandle)
	x := &Buffer{handle: h, owner: b, aval: aval, device: d}
	runtime.AddCleanup(x, (*handle).close, h)
	b.memory.add(h.bytes)
	return x
}

// Aval implements array.Data.
func (x *Buffer) Aval() array.Aval { return x.aval }

// Device implements backend.Buffer.
func (x *Buffer) Device() backend.Device { return x.device.Device }

// Delete implements backend.Buffer. A program that is reading the buffer goes on with it.
func (x *Buffer) Delete() { x.handle.close() }

func (x *Buffer) lost() error {
	how := "deleted"
	if m := x.donated.Load(); m != nil {
		how = "donated to " + *m
	}
	return &array.DonatedError{Msg: x.aval.String() + " was " + how + " and cannot be used any more"}
}

// sharing is the size in bytes from which data on the CPU is shared with the plugin and not copied: below it the copy is
// cheaper than the callback at its end.
const sharing = 1 << 20

// alignment is that of memory which the CPU plugin shares.
const alignment = 64

// Put implements backend.Backend. On the CPU large arrays are shared with the plugin; data must not change afterwards.
func (b *Backend) Put(data *array.Buffer, d backend.Device) (backend.Buffer, error) {
	dev, err := b.device(d.ID)
	if err != nil {
		return nil, err
	}
	if err := b.use("put"); err != nil {
		return nil, err
	}
	defer b.client.release()
	bytes := data.Bytes()
	share := b.platform == "cpu" && len(bytes) >= sharing && uintptr(unsafe.Pointer(unsafe.SliceData(bytes)))%alignment == 0
	x, err := b.put(data, dev, share)
	if err != nil {
		return nil, b.wrap("put", "", err)
	}
	return x, nil
}

// put copies host data to a device, or shares it. The caller is a user of the client.
func (b *Backend) put(data *array.Buffer, d *device, share bool) (*Buffer, error) {
	aval := data.Aval()
	kind := elementType(aval.DType)
	if kind == 0 {
		return nil, &backend.Unsupported{Feature: b.name + ": arrays of " + aval.DType.String()}
	}
	var dims [8]int64
	sizes := append(dims[:0], 0)[:0]
	for _, n := range aval.Shape {
		sizes = append(sizes, int64(n))
	}
	for _, n := range aval.DType.KeyShape() {
		sizes = append(sizes, int64(n))
	}
	args := &putArgs{client: b.client.ptr, kind: kind, dims: unsafe.Pointer(unsafe.SliceData(sizes)), rank: uintptr(len(sizes)), device: d.ptr}
	args.data = unsafe.Pointer(unsafe.SliceData(data.Bytes()))
	if len(data.Bytes()) == 0 {
		args.data = unsafe.Pointer(&emptyData)
	}
	var pin *runtime.Pinner
	if share {
		args.semantics = zeroCopy
		pin = new(runtime.Pinner)
		pin.Pin(args.data)
	}
	if err := call(b.plugin, clientPut, args); err != nil {
		if share {
			pin.Unpin()
		}
		return nil, err
	}
	runtime.KeepAlive(data)
	if share {
		p, done := b.plugin, args.done
		p.whenReady(done, func(error) { // when the plugin no longer reads the memory
			pin.Unpin()
			runtime.KeepAlive(data)
			p.destroy(eventDestroy, done)
		})
	} else {
		b.plugin.destroy(eventDestroy, args.done)
	}
	x := b.newBuffer(args.buffer, aval, d)
	x.shared = share
	x.host.Store(weak.Make(data))
	return x, nil
}

// emptyData stands for the data of an array without elements, whose address the plugin still wants.
var emptyData [alignment]byte

// Host implements array.Data: it waits for the value and copies it to host memory. While the copy is in use it is given
// again.
func (x *Buffer) Host() (*array.Buffer, error) {
	if !x.handle.acquire() {
		return nil, x.lost()
	}
	defer x.handle.release()
	if w, ok := x.host.Load().(weak.Pointer[array.Buffer]); ok {
		if data := w.Value(); data != nil {
			return data, nil
		}
	}
	if err := x.wait(); err != nil {
		return nil, err
	}
	data, err := x.read()
	if err != nil {
		return nil, x.owner.wrap("read", x.module, err)
	}
	x.host.Store(weak.Make(data))
	return data, nil
}

// wait waits until the value is there. The caller is a user of the handle.
func (x *Buffer) wait() error {
	if x.ready.Load() {
		return nil
	}
	p := x.owner.plugin
	var q query
	q.handle = x.handle.ptr
	err := call(p, bufferReady, &q)
	if err == nil {
		err = p.await(q.value)
	}
	if err != nil {
		return x.owner.wrap("execute", x.module, err)
	}
	x.ready.Store(true)
	return nil
}

// read copies the value out. The plugin gives the elements in the order of its memory whatever layout one asks for, in
// old versions, so they are brought into row-major order here.
func (x *Buffer) read() (*array.Buffer, error) {
	p := x.owner.plugin
	out := array.NewBuffer(x.aval.DType, x.aval.Shape)
	to := out.Bytes()
	if len(to) == 0 {
		return out, nil
	}
	if x.owner.platform == "cpu" && x.aval.DType.Bits() >= 8 {
		var q query // a fiftieth of the time of a transfer
		q.handle = x.handle.ptr
		if err := call(p, bufferPointer, &q); err != nil {
			return nil, err
		}
		copy(to, dl.Bytes(q.value, len(to)))
	} else {
		var pin runtime.Pinner
		pin.Pin(&to[0])
		defer pin.Unpin()
		args := &toHostArgs{buffer: x.handle.ptr, to: unsafe.Pointer(&to[0]), size: uintptr(len(to))}
		if err := call(p, bufferToHost, args); err != nil {
			return nil, err
		}
		if err := p.await(args.event); err != nil {
			return nil, err
		}
		extendSign(x.aval.DType, to)
	}
	if x.minorToMajor != nil {
		return rowMajor(out, x.minorToMajor), nil
	}
	return out, nil
}

// extendSign fills the upper bits of signed integers of two and four bits, which a plugin leaves zero.
func extendSign(d array.DType, b []byte) {
	if d.Kind() != array.KindInt || d.Bits() >= 8 {
		return
	}
	unused := 8 - d.Bits()
	for i, v := range b {
		b[i] = byte(int8(v<<unused) >> unused)
	}
}
