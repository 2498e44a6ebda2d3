package flatbuf

import (
	"slices"
	"testing"
)

func sample() []byte {
	b := NewBuilder()
	inner := b.Table(Uint8(0, 3), Ref(2, b.String("inner")))
	empty := b.Table()
	names := b.Refs([]Offset{b.String("a"), b.String(""), b.String("ccc")})
	tables := b.Refs([]Offset{inner, empty, inner})
	return b.Finish(b.Table(
		Ref(0, b.String("name")), Uint32(1, 7), Uint16(2, 500), Uint8(3, 9), Ref(4, names), Ref(5, tables), Ref(6, inner),
		Ref(7, b.Bytes([]byte{1, 2, 3})), Ref(9, b.Uint16s([]uint16{1, 2, 3})), Ref(10, b.Uint32s([]uint32{4, 5})), Uint32(11, 0),
	))
}

func TestRoundTrip(t *testing.T) {
	r, err := Root(sample())
	if err != nil {
		t.Fatal(err)
	}
	if s := r.String(0); s != "name" {
		t.Errorf("string %q", s)
	}
	if a, b, c := r.Uint32(1), r.Uint16(2), r.Uint8(3); a != 7 || b != 500 || c != 9 {
		t.Errorf("numbers %d %d %d", a, b, c)
	}
	if s := r.Strings(4); !slices.Equal(s, []string{"a", "", "ccc"}) {
		t.Errorf("strings %q", s)
	}
	list := r.Tables(5)
	if len(list) != 3 || list[0].String(2) != "inner" || list[1].Uint8(0) != 0 || list[2].Uint8(0) != 3 || r.Len(5) != 3 {
		t.Errorf("tables %v", list)
	}
	if s := r.Table(6).String(2); s != "inner" {
		t.Errorf("the inner table has %q", s)
	}
	if b := r.Bytes(7); !slices.Equal(b, []byte{1, 2, 3}) {
		t.Errorf("bytes %v", b)
	}
	if r.Has(8) || r.Table(8).Exists() || r.Has(11) || !r.Has(9) {
		t.Error("a field is where there is none, or the other way round")
	}
	if a, b := r.Uint16s(9), r.Uint32s(10); !slices.Equal(a, []uint16{1, 2, 3}) || !slices.Equal(b, []uint32{4, 5}) {
		t.Errorf("vectors %v %v", a, b)
	}
	if r.Err() != nil {
		t.Error(r.Err())
	}
}

// walk reads everything that a table may hold.
func walk(r Table, depth int) {
	if depth > 2 {
		return
	}
	for i := range 12 {
		r.Uint8(i)
		r.Uint16(i)
		r.Uint32(i)
		_ = r.Bytes(i)
		r.Strings(i)
		r.Uint16s(i)
		r.Uint32s(i)
		walk(r.Table(i), depth+1)
		if depth < 2 {
			for k, x := range r.Tables(i) {
				if k < 4 {
					walk(x, depth+1)
				}
			}
		}
	}
}

func TestHostile(t *testing.T) {
	data := sample()
	for i := range data {
		for _, bits := range []byte{1, 0x80, 0xFF} {
			bad := slices.Clone(data)
			bad[i] ^= bits
			if r, err := Root(bad); err == nil {
				walk(r, 0)
			}
		}
		if r, err := Root(data[:i]); err == nil {
			walk(r, 0)
		}
	}
}
