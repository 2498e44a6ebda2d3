package array

import (
	"encoding/binary"
)

// Aval is an abstract value: all that tracing knows of an array. Weak marks the type of a Go number that was given
// without a dtype; such a type yields to others in promotion.
type Aval struct {
	Shape Shape
	DType DType
	Weak  bool
}

// Equal reports the same shape, dtype and weakness.
func (a Aval) Equal(b Aval) bool {
	return a.DType == b.DType && a.Weak == b.Weak && a.Shape.Equal(b.Shape)
}

// Strong returns the aval without its weak flag.
func (a Aval) Strong() Aval { a.Weak = false; return a }

// WithShape returns the aval with another shape.
func (a Aval) WithShape(s Shape) Aval { a.Shape = s; return a }

// AppendKey appends bytes that are equal exactly for equal avals, for use in cache keys.
func (a Aval) AppendKey(b []byte) []byte {
	b = binary.LittleEndian.AppendUint16(b, uint16(a.DType))
	w := byte(len(a.Shape)) << 1
	if a.Weak {
		w |= 1
	}
	b = append(b, w)
	for _, d := range a.Shape {
		b = binary.AppendVarint(b, int64(d))
	}
	return b
}

// String prints as in a jaxpr: f32[2,3]; a weak type has a star: f32*[]; a token is Tok.
func (a Aval) String() string {
	s := a.DType.Short()
	if a.DType == Token {
		return s
	}
	if a.Weak {
		s += "*"
	}
	return s + a.Shape.String()
}
