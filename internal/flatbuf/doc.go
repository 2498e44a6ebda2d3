// Package flatbuf reads and writes flatbuffers: tables of fields by number, vectors and strings, in little-endian bytes that
// point to each other. It knows no schema; who uses it says which field is what.
//
//	b := flatbuf.NewBuilder()
//	data := b.Finish(b.Table(flatbuf.Ref(0, b.String("name")), flatbuf.Uint32(1, 7)))
//	t, err := flatbuf.Root(data)
//	name := t.String(0) // "name"
//
// A [Table] reads lazily and never outside its data: a pointer that leads out of it makes what it leads to absent, and
// [Table.Err] says so. Pointers only lead forward, so that no table holds itself.
package flatbuf
