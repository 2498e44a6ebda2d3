package flatbuf

import (
	"encoding/binary"
	"fmt"
)

// Table is a table in a buffer. The zero Table has no fields.
type Table struct {
	b   *buffer
	pos int
}

// buffer is the data of all tables that come of one root, and the first defect met in it.
type buffer struct {
	data  []byte
	err   error
	spent int // bytes that were copied out
}

// spend counts what is copied out of the data, for many pointers may lead to one place: the total is bounded as the data is.
func (b *buffer) spend(at, n int) bool {
	if b.spent += n; b.spent > 1<<16+16*len(b.data) {
		b.fail(at, "more is pointed to than the data holds many times over")
		return false
	}
	return true
}

// Root is the table that a buffer begins with. The data must not change while it is read.
func Root(data []byte) (Table, error) {
	t := Table{b: &buffer{data: data}}
	pos, ok := t.b.pointer(0)
	if !ok {
		return Table{}, t.b.err
	}
	t.pos = pos
	return t, nil
}

// Err is the first defect that reading met, in this table or in any other of the same buffer.
func (t Table) Err() error {
	if t.b == nil {
		return nil
	}
	return t.b.err
}

// Exists reports that there is a table.
func (t Table) Exists() bool { return t.b != nil }

func (b *buffer) fail(at int, format string, args ...any) {
	if b.err == nil {
		b.err = fmt.Errorf("flatbuffer: at byte %d: "+format, append([]any{at}, args...)...)
	}
}

// room reports that n bytes stand at a place.
func (b *buffer) room(at, n int) bool {
	if at < 0 || n < 0 || at > len(b.data)-n {
		b.fail(at, "%d bytes are asked for, the data has %d", n, len(b.data))
		return false
	}
	return true
}

func (b *buffer) uint32(at int) (uint32, bool) {
	if !b.room(at, 4) {
		return 0, false
	}
	return binary.LittleEndian.Uint32(b.data[at:]), true
}

// pointer follows the pointer at a place, which leads forward.
func (b *buffer) pointer(at int) (int, bool) {
	v, ok := b.uint32(at)
	if !ok {
		return 0, false
	}
	if v == 0 || v > uint32(len(b.data)) || !b.room(at+int(v), 4) {
		b.fail(at, "a pointer leads %d bytes on, out of the data", v)
		return 0, false
	}
	return at + int(v), true
}

// field finds a field's place, false where it is absent.
func (t Table) field(number, size int) (int, bool) {
	if t.b == nil {
		return 0, false
	}
	back, ok := t.b.uint32(t.pos)
	if !ok {
		return 0, false
	}
	slots := t.pos - int(int32(back))
	if !t.b.room(slots, 4) {
		return 0, false
	}
	at := 4 + 2*number
	if at+2 > int(binary.LittleEndian.Uint16(t.b.data[slots:])) || !t.b.room(slots, at+2) {
		return 0, false
	}
	offset := int(binary.LittleEndian.Uint16(t.b.data[slots+at:]))
	if offset == 0 || !t.b.room(t.pos+offset, size) {
		return 0, false
	}
	return t.pos + offset, true
}

// Uint8 is a field of one byte, 0 where it is absent.
func (t Table) Uint8(number int) uint8 {
	if at, ok := t.field(number, 1); ok {
		return t.b.data[at]
	}
	return 0
}

// Uint16 is a field of two bytes, 0 where it is absent.
func (t Table) Uint16(number int) uint16 {
	if at, ok := t.field(number, 2); ok {
		return binary.LittleEndian.Uint16(t.b.data[at:])
	}
	return 0
}

// Uint32 is a field of four bytes, 0 where it is absent.
func (t Table) Uint32(number int) uint32 {
	if at, ok := t.field(number, 4); ok {
		return binary.LittleEndian.Uint32(t.b.data[at:])
	}
	return 0
}

// Table is a field that is a table, the zero Table where it is absent.
func (t Table) Table(number int) Table {
	if at, ok := t.field(number, 4); ok {
		if pos, ok := t.b.pointer(at); ok {
			return Table{t.b, pos}
		}
	}
	return Table{}
}

// vector finds a field that is a vector of elements of a size: its first element and how many there are.
func (t Table) vector(number, size int) (at, n int) {
	at, ok := t.field(number, 4)
	if !ok {
		return 0, 0
	}
	if at, ok = t.b.pointer(at); !ok {
		return 0, 0
	}
	count, _ := t.b.uint32(at)
	at += 4
	if int64(count)*int64(size) > int64(len(t.b.data)) || !t.b.room(at, int(count)*size) {
		t.b.fail(at, "a vector of %d elements does not fit the data", count)
		return 0, 0
	}
	return at, int(count)
}

// copied is vector for what copies the elements.
func (t Table) copied(number, size int) (at, n int) {
	at, n = t.vector(number, size)
	if n > 0 && !t.b.spend(at, n*size) {
		return 0, 0
	}
	return at, n
}

// Len is how many elements of four bytes a vector has: of tables, strings or numbers. It is 0 where it is absent.
func (t Table) Len(number int) int {
	_, n := t.vector(number, 4)
	return n
}

// Has reports that a field is there.
func (t Table) Has(number int) bool {
	_, ok := t.field(number, 1)
	return ok
}

// Bytes is a field that is a vector of bytes, or a string's. They are part of the data.
func (t Table) Bytes(number int) []byte {
	at, n := t.vector(number, 1)
	if n == 0 {
		return nil
	}
	return t.b.data[at : at+n : at+n]
}

// String is a field that is a string.
func (t Table) String(number int) string {
	p := t.Bytes(number)
	if p == nil || !t.b.spend(t.pos, len(p)) {
		return ""
	}
	return string(p)
}

// Uint16s is a field that is a vector of numbers of two bytes.
func (t Table) Uint16s(number int) []uint16 {
	at, n := t.copied(number, 2)
	out := make([]uint16, n)
	for i := range out {
		out[i] = binary.LittleEndian.Uint16(t.b.data[at+2*i:])
	}
	return out
}

// Uint32s is a field that is a vector of numbers of four bytes.
func (t Table) Uint32s(number int) []uint32 {
	at, n := t.copied(number, 4)
	out := make([]uint32, n)
	for i := range out {
		out[i] = binary.LittleEndian.Uint32(t.b.data[at+4*i:])
	}
	return out
}

// Tables is a field that is a vector of tables.
func (t Table) Tables(number int) []Table {
	at, n := t.copied(number, 4)
	out := make([]Table, 0, n)
	for i := range n {
		if pos, ok := t.b.pointer(at + 4*i); ok {
			out = append(out, Table{t.b, pos})
		}
	}
	return out
}

// Strings is a field that is a vector of strings.
func (t Table) Strings(number int) []string {
	at, n := t.copied(number, 4)
	out := make([]string, 0, n)
	for i := range n {
		pos, ok := t.b.pointer(at + 4*i)
		if !ok {
			break
		}
		size, _ := t.b.uint32(pos)
		if size > uint32(len(t.b.data)) || !t.b.room(pos+4, int(size)) || !t.b.spend(pos, int(size)) {
			break
		}
		out = append(out, string(t.b.data[pos+4:pos+4+int(size)]))
	}
	return out
}
