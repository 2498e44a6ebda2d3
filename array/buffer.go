package array

import (
	"fmt"
	"unsafe"
)

// Data is the storage behind a concrete array: a host Buffer, or a buffer on a device that can be copied to the host.
// Data never changes after construction.
type Data interface {
	// Aval tells shape and dtype; it is never weak.
	Aval() Aval
	// Host returns the values in host memory, copying them if they live elsewhere.
	Host() (*Buffer, error)
}

// Buffer is a dense row-major array in host memory, 64-byte aligned. A bool is one byte, 0 or 1; types narrower than a
// byte take one byte an element. A key type holds its uint32 words. It is written while it is being made and read only
// afterwards; reading is safe for concurrent use.
type Buffer struct {
	dtype DType
	shape Shape
	data  []byte
}

// Alignment of the first element of a Buffer made by NewBuffer, in bytes.
const Alignment = 64

// NewBuffer returns a zeroed buffer.
func NewBuffer(d DType, shape Shape) *Buffer {
	n := shape.Size() * d.Size()
	return &Buffer{d, shape.Clone(), alignedBytes(n)}
}

func alignedBytes(n int) []byte {
	raw := make([]byte, n+Alignment)
	off := 0
	if r := int(uintptr(unsafe.Pointer(unsafe.SliceData(raw))) % Alignment); r != 0 {
		off = Alignment - r
	}
	return raw[off : off+n : off+n]
}

// WrapBuffer makes a buffer of bytes that the caller gives away. It reports an error where the length does not fit or
// the memory is not aligned to the element's size.
func WrapBuffer(d DType, shape Shape, data []byte) (*Buffer, error) {
	if want := shape.Size() * d.Size(); len(data) != want {
		return nil, fmt.Errorf("%s%s takes %d bytes, got %d", d.Short(), shape, want, len(data))
	}
	if s := min(d.Size(), 8); s > 1 && len(data) > 0 && uintptr(unsafe.Pointer(unsafe.SliceData(data)))%uintptr(s) != 0 {
		return nil, fmt.Errorf("data of %s is not aligned to %d bytes", d, s)
	}
	return &Buffer{d, shape.Clone(), data}, nil
}

// Borrowed makes a buffer without memory, for an engine that lends its memory to a function again and again: Rebind points
// the buffer at memory of its size before each call. Nobody else may use it meanwhile.
func Borrowed(d DType, shape Shape) *Buffer { return &Buffer{dtype: d, shape: shape.Clone()} }

// Rebind points a Borrowed buffer at memory.
func Rebind(b *Buffer, data []byte) { b.data = data }

// Aval implements Data.
func (b *Buffer) Aval() Aval { return Aval{Shape: b.shape, DType: b.dtype} }

// Host implements Data: the buffer itself.
func (b *Buffer) Host() (*Buffer, error) { return b, nil }

// DType is the element type.
func (b *Buffer) DType() DType { return b.dtype }

// Shape is the list of sizes; it must not be changed.
func (b *Buffer) Shape() Shape { return b.shape }

// Len is the number of elements.
func (b *Buffer) Len() int { return b.shape.Size() }

// Bytes is the storage itself, not a copy.
func (b *Buffer) Bytes() []byte { return b.data }

// Reshaped returns a view of the same memory with another shape of as many elements.
func (b *Buffer) Reshaped(s Shape) *Buffer { return &Buffer{b.dtype, s.Clone(), b.data} }

// View returns the storage as a slice of a Go type of the element's size, without copying:
// bool and narrow types as uint8 or int8, float16 and bfloat16 as uint16, complex64 as complex64, keys as uint32.
func View[T any](b *Buffer) []T {
	var t T
	size := int(unsafe.Sizeof(t))
	if len(b.data) == 0 {
		return nil
	}
	if len(b.data)%size != 0 {
		panic(fmt.Sprintf("array.View: %s%s seen as elements of %d bytes", b.dtype, b.shape, size))
	}
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(b.data))), len(b.data)/size)
}
