package callframe

import (
	"fmt"
	"unsafe"

	"github.com/pantograph-go/pantograph/array"
)

// Question returns the metadata to fill in where the frame only asks about the handler, nil where it is a call.
func (f *Frame) Question() *Metadata {
	if e := f.Extensions; e != nil && e.Type == metadataType {
		return (*MetadataExtension)(unsafe.Pointer(e)).Metadata
	}
	return nil
}

// Len is the number of buffers.
func (l *Buffers) Len() int { return int(l.Count) }

// At is buffer i.
func (l *Buffers) At(i int) (*Buffer, error) {
	if t := unsafe.Slice(l.Types, l.Count)[i]; t != bufferType {
		return nil, fmt.Errorf("kind %d where a buffer was expected", t)
	}
	return unsafe.Slice(l.Pointers, l.Count)[i], nil
}

// IsToken tells that the buffer stands for an order of effects and has no data.
func (b *Buffer) IsToken() bool { return b.DType == tokenType }

// Memory is the buffer's data of n bytes, valid only during the call.
func (b *Buffer) Memory(n int) []byte {
	if n == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(b.Data), n)
}

// Shape copies the sizes.
func (b *Buffer) Shape() array.Shape {
	s := make(array.Shape, b.Rank)
	for i, d := range unsafe.Slice(b.Dims, b.Rank) {
		s[i] = int(d)
	}
	return s
}

// IsPacked tells that a type is narrower than a byte: a frame holds several elements in one, the first in the low bits,
// while host buffers never do.
func IsPacked(d array.DType) bool { return packed(d) > 1 }

// View is the buffer as an array that shares its memory and is valid only during the call; for a packed type it is an
// unpacked copy, which Pack writes back.
func (b *Buffer) View() (*array.Buffer, error) {
	d := dtypeOf(b.DType)
	if d == array.Invalid {
		return nil, fmt.Errorf("element type %d has no counterpart", b.DType)
	}
	shape := b.Shape()
	if shape.Size() == 0 || IsPacked(d) {
		v := array.NewBuffer(d, shape)
		b.Unpack(v)
		return v, nil
	}
	return array.WrapBuffer(d, shape, b.Memory(shape.Size()*d.Size()))
}

// Unpack copies a buffer of a packed type into v, one element a byte.
func (b *Buffer) Unpack(v *array.Buffer) {
	k := packed(v.DType())
	unpack(v.DType(), v.Bytes(), b.Memory((v.Len()+k-1)/k))
}

// Pack copies v into a buffer of a packed type.
func (b *Buffer) Pack(v *array.Buffer) {
	k := packed(v.DType())
	pack(v.DType(), b.Memory((v.Len()+k-1)/k), v.Bytes())
}

// unpack spreads elements of two or four bits over bytes, extending the sign of signed integers.
func unpack(d array.DType, to, from []byte) {
	bits, k := d.Bits(), packed(d)
	for i := range to {
		e := from[i/k] >> (i % k * bits) & (1<<bits - 1)
		if d.Kind() == array.KindInt {
			e = byte(int8(e<<(8-bits)) >> (8 - bits))
		}
		to[i] = e
	}
}

// pack is the inverse of unpack.
func pack(d array.DType, to, from []byte) {
	bits, k := d.Bits(), packed(d)
	clear(to)
	for i, e := range from {
		to[i/k] |= e & (1<<bits - 1) << (i % k * bits)
	}
}

// Named is one attribute. Value is a *array.Buffer of rank 0 for a scalar and of rank 1 for an array, a string, or a
// Dict.
type Named struct {
	Name  string
	Value any
}

// Dict is a dictionary of attributes, sorted by name.
type Dict []Named

// Decode copies the attributes into Go values.
func (a *Attrs) Decode() (Dict, error) {
	out := make(Dict, a.Count)
	types, names, ptrs := unsafe.Slice(a.Types, a.Count), unsafe.Slice(a.Names, a.Count), unsafe.Slice(a.Pointers, a.Count)
	for i := range out {
		v, err := decodeAttr(types[i], ptrs[i])
		if err != nil {
			return nil, fmt.Errorf("attribute %s: %w", names[i], err)
		}
		out[i] = Named{names[i].String(), v}
	}
	return out, nil
}

func decodeAttr(kind int32, p unsafe.Pointer) (any, error) {
	switch kind {
	case scalarAttr:
		s := (*Scalar)(p)
		return copyNumbers(s.DType, array.Shape{}, s.Value)
	case arrayAttr:
		a := (*Array)(p)
		return copyNumbers(a.DType, array.Shape{int(a.Count)}, a.Data)
	case stringAttr:
		return (*Span)(p).String(), nil
	case dictAttr:
		return (*Attrs)(p).Decode()
	}
	return nil, fmt.Errorf("unknown kind %d", kind)
}

func copyNumbers(code int32, shape array.Shape, data unsafe.Pointer) (any, error) {
	d := dtypeOf(code)
	if d == array.Invalid {
		return nil, fmt.Errorf("element type %d has no counterpart", code)
	}
	b := array.NewBuffer(d, shape)
	if n := len(b.Bytes()); n > 0 {
		copy(b.Bytes(), unsafe.Slice((*byte)(data), n))
	}
	return b, nil
}

// Int64 is the value of a scalar attribute of type int64, without decoding the others.
func (a *Attrs) Int64(name string) (int64, bool) {
	names := unsafe.Slice(a.Names, a.Count)
	for i, t := range unsafe.Slice(a.Types, a.Count) {
		if t != scalarAttr || names[i].String() != name {
			continue
		}
		s := (*Scalar)(unsafe.Slice(a.Pointers, a.Count)[i])
		return *(*int64)(s.Value), dtypeOf(s.DType) == array.Int64
	}
	return 0, false
}

// String copies the bytes.
func (s *Span) String() string { return string(unsafe.Slice(s.Data, s.Length)) }
