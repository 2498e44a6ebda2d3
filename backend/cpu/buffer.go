package cpu

import (
	"sync/atomic"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/backend"
)

// Buffer is an array in host memory under the engine's care. Safe for concurrent use.
type Buffer struct {
	aval array.Aval
	data atomic.Pointer[array.Buffer] // nil once deleted or donated
	// readers counts the executions that read the memory at the moment; ended marks a buffer that was given up.
	readers atomic.Int32
	// shared tells that somebody besides this Buffer can see the memory: a donation must not write it then.
	shared  atomic.Bool
	donated atomic.Bool // for the message
}

const ended = -1 << 30

func newBuffer(b *array.Buffer, shared bool) *Buffer {
	buf := &Buffer{aval: b.Aval()}
	buf.data.Store(b)
	buf.shared.Store(shared)
	return buf
}

// Aval implements array.Data.
func (b *Buffer) Aval() array.Aval { return b.aval }

// Host returns the values without copying. From then on the memory is shared with the caller.
func (b *Buffer) Host() (*array.Buffer, error) {
	b.shared.Store(true) // before looking: a donation looks after ending the buffer
	if d := b.data.Load(); d != nil && b.readers.Load() >= 0 {
		return d, nil
	}
	return nil, b.lost()
}

// Device implements backend.Buffer.
func (b *Buffer) Device() backend.Device { return device }

// Delete implements backend.Buffer. An execution that is reading the buffer goes on with the memory.
func (b *Buffer) Delete() { b.end() }

// end gives the buffer up. It returns the memory, nil where it was gone already, and whether nobody reads it.
func (b *Buffer) end() (data *array.Buffer, idle bool) {
	for {
		n := b.readers.Load()
		if n < 0 {
			return nil, false
		}
		if b.readers.CompareAndSwap(n, n+ended) {
			return b.data.Swap(nil), n == 0
		}
	}
}

func (b *Buffer) lost() error {
	how := "deleted"
	if b.donated.Load() {
		how = "donated to a program"
	}
	return &array.DonatedError{Msg: b.aval.String() + " was " + how + " and cannot be used any more"}
}

// acquire lets an execution read the memory until release.
func (b *Buffer) acquire() (*array.Buffer, error) {
	for {
		n := b.readers.Load()
		if n < 0 {
			return nil, b.lost()
		}
		if d := b.data.Load(); b.readers.CompareAndSwap(n, n+1) {
			return d, nil
		}
	}
}

func (b *Buffer) release() { b.readers.Add(-1) }

// donate ends the buffer for a program that may write the memory if exclusive is true.
func (b *Buffer) donate() (data *array.Buffer, exclusive bool, err error) {
	data, idle := b.end()
	if data == nil {
		return nil, false, b.lost()
	}
	b.donated.Store(true)
	return data, idle && !b.shared.Load(), nil
}
