package flatbuf

import (
	"encoding/binary"
	"slices"
)

// Builder makes a buffer from the back to the front, so that what is pointed to is there before what points to it.
type Builder struct {
	data []byte // in reverse: the last byte of the buffer first
}

// Offset names something in a buffer that is being built.
type Offset int

// NewBuilder returns an empty builder.
func NewBuilder() *Builder { return &Builder{} }

// put writes the bytes of a number or text before what is there.
func (b *Builder) put(p []byte) {
	for i := len(p) - 1; i >= 0; i-- {
		b.data = append(b.data, p[i])
	}
}

func (b *Builder) put32(v uint32) { b.put(binary.LittleEndian.AppendUint32(nil, v)) }

// align fills up so that after n more bytes the length is a multiple of size.
func (b *Builder) align(size, n int) {
	for (len(b.data)+n)%size != 0 {
		b.data = append(b.data, 0)
	}
}

// here names what was written last.
func (b *Builder) here() Offset { return Offset(len(b.data)) }

// String writes a string.
func (b *Builder) String(s string) Offset {
	b.align(4, len(s)+1)
	b.data = append(b.data, 0)
	b.put([]byte(s))
	b.put32(uint32(len(s)))
	return b.here()
}

// Bytes writes a vector of bytes.
func (b *Builder) Bytes(p []byte) Offset {
	b.align(4, len(p))
	b.data = slices.Grow(b.data, len(p))
	b.put(p)
	b.put32(uint32(len(p)))
	return b.here()
}

// Uint16s writes a vector of numbers of two bytes.
func (b *Builder) Uint16s(v []uint16) Offset {
	p := []byte{}
	for _, x := range v {
		p = binary.LittleEndian.AppendUint16(p, x)
	}
	b.align(4, len(p))
	b.put(p)
	b.put32(uint32(len(v)))
	return b.here()
}

// Uint32s writes a vector of numbers of four bytes.
func (b *Builder) Uint32s(v []uint32) Offset {
	b.align(4, 0)
	for i := len(v) - 1; i >= 0; i-- {
		b.put32(v[i])
	}
	b.put32(uint32(len(v)))
	return b.here()
}

// Refs writes a vector of what was written: tables or strings.
func (b *Builder) Refs(list []Offset) Offset {
	b.align(4, 0)
	for i := len(list) - 1; i >= 0; i-- {
		b.pointer(list[i])
	}
	b.put32(uint32(len(list)))
	return b.here()
}

// pointer writes how far on something is.
func (b *Builder) pointer(to Offset) { b.put32(uint32(len(b.data) + 4 - int(to))) }

// Field is a field of a table that is being written.
type Field struct {
	number int
	size   int
	value  uint32
	ref    bool
}

// Uint8 is a field of one byte.
func Uint8(number int, v uint8) Field { return Field{number, 1, uint32(v), false} }

// Uint16 is a field of two bytes.
func Uint16(number int, v uint16) Field { return Field{number, 2, uint32(v), false} }

// Uint32 is a field of four bytes.
func Uint32(number int, v uint32) Field { return Field{number, 4, v, false} }

// Ref is a field that points to something written before; 0 leaves it out.
func Ref(number int, to Offset) Field { return Field{number, 4, uint32(to), true} }

// Table writes a table. A number that is 0 is left out, for that is what an absent one means.
func (b *Builder) Table(fields ...Field) Offset {
	start := len(b.data)
	slots := []uint16{}
	places := map[int]int{} // where a field begins, from the end of the buffer
	for _, size := range []int{1, 2, 4} {
		for _, f := range fields {
			if f.size != size || f.value == 0 {
				continue
			}
			b.align(size, size)
			if f.ref {
				b.pointer(Offset(f.value))
			} else {
				b.put(binary.LittleEndian.AppendUint32(nil, f.value)[:size])
			}
			places[f.number] = len(b.data)
		}
	}
	b.align(4, 4)
	at := len(b.data) + 4 // of the table
	for number, place := range places {
		for len(slots) <= number {
			slots = append(slots, 0)
		}
		slots[number] = uint16(at - place)
	}
	size := 4 + 2*len(slots)
	pad := (4 - size%4) % 4 // between the slots and the table, which is aligned
	b.put32(uint32(size + pad))
	for range pad {
		b.data = append(b.data, 0)
	}
	for i := len(slots) - 1; i >= 0; i-- {
		b.put(binary.LittleEndian.AppendUint16(nil, slots[i]))
	}
	b.put(binary.LittleEndian.AppendUint16(nil, uint16(at-start)))
	b.put(binary.LittleEndian.AppendUint16(nil, uint16(size)))
	return Offset(at)
}

// Finish makes a table the root and returns the buffer.
func (b *Builder) Finish(root Offset) []byte {
	b.align(8, 4)
	b.pointer(root)
	out := slices.Clone(b.data)
	slices.Reverse(out)
	return out
}
