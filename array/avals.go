package array

import (
	"encoding/binary"
	"fmt"
)

// Avals is an immutable list of abstract values that can be compared with ==, for primitives whose parameters say what
// their results are. The zero value is the empty list.
type Avals struct{ s string }

// MakeAvals makes a list of its arguments.
func MakeAvals(avals ...Aval) Avals {
	var b []byte
	for _, a := range avals {
		b = a.AppendKey(b)
	}
	return Avals{string(b)}
}

// Slice returns the list as a Go slice.
func (l Avals) Slice() []Aval {
	var out []Aval
	for s := l.s; s != ""; {
		var a Aval
		a, s = cutAval(s)
		out = append(out, a)
	}
	return out
}

// AvalFromKey is the inverse of Aval.AppendKey.
func AvalFromKey(key string) Aval {
	a, _ := cutAval(key)
	return a
}

func cutAval(key string) (a Aval, rest string) {
	b := []byte(key)
	a = Aval{DType: DType(binary.LittleEndian.Uint16(b)), Weak: b[2]&1 == 1, Shape: make(Shape, b[2]>>1)}
	b = b[3:]
	for i := range a.Shape {
		v, n := binary.Varint(b)
		a.Shape[i] = int(v)
		b = b[n:]
	}
	return a, string(b)
}

// String prints as JAX prints a tuple of avals.
func (l Avals) String() string {
	s := l.Slice()
	if len(s) == 1 {
		return fmt.Sprintf("(%s,)", s[0])
	}
	out := "("
	for i, a := range s {
		if i > 0 {
			out += ", "
		}
		out += a.String()
	}
	return out + ")"
}
