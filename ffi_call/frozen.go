package ffi

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/lower/hlo"
)

// Frozen is a comparable copy of attributes: two are equal exactly when kinds, dtypes and bits are, so that 1, 1.0 and
// true differ, and 0.0 and -0.0 do. The zero value has no attributes.
type Frozen struct{ s string }

func freeze(a Attrs) (Frozen, error) {
	if len(a) == 0 {
		return Frozen{}, nil
	}
	v, err := Attribute(a)
	if err != nil {
		return Frozen{}, err
	}
	return Frozen{string(encode(nil, v))}, nil
}

func (f Frozen) dict() hlo.Dict {
	if f.s == "" {
		return hlo.Dict{}
	}
	v, _ := decode([]byte(f.s))
	return v.(hlo.Dict)
}

// String prints the attributes in the reference's order: pairs sorted by name.
func (f Frozen) String() string {
	var parts []string
	for _, n := range f.dict() {
		parts = append(parts, fmt.Sprintf("('%s', %s)", n.Name, hlo.AttrString(n.Value)))
	}
	return tuple(parts)
}

// The kinds of an encoded attribute. The encoding is injective: equal bytes, equal attribute.
const (
	kindBool byte = iota
	kindInt
	kindFloat
	kindString
	kindType
	kindDense
	kindArray
	kindDict
)

// encode writes what attribute made.
func encode(b []byte, a hlo.Attr) []byte {
	str := func(s string) { b = append(binary.AppendUvarint(b, uint64(len(s))), s...) }
	switch a := a.(type) {
	case hlo.Bool:
		v := byte(0)
		if a {
			v = 1
		}
		b = append(b, kindBool, v)
	case hlo.Int:
		b = binary.LittleEndian.AppendUint64(append(b, kindInt), uint64(a.Value))
		str(a.Type)
	case hlo.Float:
		b = binary.LittleEndian.AppendUint64(append(b, kindFloat), math.Float64bits(a.Value))
		str(a.Type)
	case hlo.String:
		b = append(b, kindString)
		str(a.Value)
	case hlo.TypeAttr:
		b = append(b, kindType)
		str(a.Type.String())
	case *hlo.Dense:
		b = append(b, kindDense)
		aval := a.Data.Aval()
		str(string(aval.AppendKey(nil)))
		str(string(a.Data.Bytes()))
	case hlo.Array:
		b = binary.AppendUvarint(append(b, kindArray), uint64(len(a)))
		for _, e := range a {
			b = encode(b, e)
		}
	case hlo.Dict:
		b = binary.AppendUvarint(append(b, kindDict), uint64(len(a)))
		for _, e := range a {
			str(e.Name)
			b = encode(b, e.Value)
		}
	}
	return b
}

func decode(b []byte) (a hlo.Attr, rest []byte) {
	kind, b := b[0], b[1:]
	str := func() string {
		n, k := binary.Uvarint(b)
		s := string(b[k : k+int(n)])
		b = b[k+int(n):]
		return s
	}
	count := func() int {
		n, k := binary.Uvarint(b)
		b = b[k:]
		return int(n)
	}
	word := func() uint64 {
		w := binary.LittleEndian.Uint64(b)
		b = b[8:]
		return w
	}
	switch kind {
	case kindBool:
		a, b = hlo.Bool(b[0] == 1), b[1:]
	case kindInt:
		v := word()
		a = hlo.Int{Value: int64(v), Type: str()}
	case kindFloat:
		v := word()
		a = hlo.Float{Value: math.Float64frombits(v), Type: str()}
	case kindString:
		a = hlo.Str(str())
	case kindType:
		a = hlo.TypeAttr{Type: hlo.Scalar{Name: str()}}
	case kindDense:
		aval := array.AvalFromKey(str())
		data := array.NewBuffer(aval.DType, aval.Shape)
		copy(data.Bytes(), str())
		a = &hlo.Dense{Type: hlo.Tensor{Shape: data.Shape(), Elem: data.DType()}, Data: data}
	case kindArray:
		list := make(hlo.Array, count())
		for i := range list {
			list[i], b = decode(b)
		}
		a = list
	case kindDict:
		d := make(hlo.Dict, count())
		for i := range d {
			d[i].Name = str()
			d[i].Value, b = decode(b)
		}
		a = d
	}
	return a, b
}
