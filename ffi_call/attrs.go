package ffi

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/lower/hlo"
)

// Attrs are the static inputs of a call by name. A value is a bool, a number (int means int64), a string, bytes, a DType,
// an Array of data, a slice of numbers, a nested map or Attrs, or a struct whose fields have `ffi:"name"` tags.
type Attrs map[string]any

// Frozen is a comparable copy of attributes: two are equal exactly when kinds, dtypes and bits are, so that 1, 1.0 and
// true differ. The zero value has no attributes.
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
	var b bytes.Buffer
	b.WriteByte('(')
	for i, n := range f.dict() {
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "('%s', %s)", n.Name, hlo.AttrString(n.Value))
	}
	if len(f.dict()) == 1 {
		b.WriteByte(',')
	}
	b.WriteByte(')')
	return b.String()
}

// Attribute converts a Go value to a typed attribute:
//
//	bool                      true, false              string, []byte          "…"
//	int, int64                n : i64                  array.DType             f32
//	int8 … uint64             n : i8 … ui64            slice or array of       dense<…> : tensor<nx…>
//	float64, float32          x : f64, f32               numbers or bools
//	*array.Array with data    dense<…>                 map, Attrs, struct      {name = …}, sorted
//	other slices              […]
//
// Named types convert like the types they are made of. Reports an *array.ArgumentError that names the key of a value
// without a typed form: complex numbers, functions, nil, traced arrays.
func Attribute(v any) (hlo.Attr, error) { return attribute("", v) }

func attribute(path string, v any) (hlo.Attr, error) {
	refuse := func(why string) (hlo.Attr, error) {
		return nil, array.ArgumentErrorf("attribute %s: %s", path, why)
	}
	switch v := v.(type) {
	case nil:
		return refuse("nil has no typed form; leave the attribute out")
	case hlo.Attr:
		return v, nil
	case array.DType:
		return hlo.TypeAttr{Type: hlo.Scalar{Name: v.HLO()}}, nil
	case *array.Array:
		if array.TracerOf(v) != nil {
			return refuse("it is a traced array, but attributes are static; pass it as an operand")
		}
		h, err := array.DataOf(v).Host()
		if err != nil {
			return nil, err
		}
		return dense(h), nil
	}
	r := reflect.ValueOf(v)
	switch k := r.Kind(); k {
	case reflect.Bool:
		return hlo.Bool(r.Bool()), nil
	case reflect.String:
		return hlo.Str(r.String()), nil
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return hlo.Int{Value: r.Int(), Type: goTypes[k].HLO()}, nil
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return hlo.Int{Value: int64(r.Uint()), Type: goTypes[k].HLO()}, nil
	case reflect.Float32, reflect.Float64:
		return hlo.Float{Value: r.Float(), Type: goTypes[k].HLO()}, nil
	case reflect.Slice, reflect.Array:
		if b, ok := v.([]byte); ok {
			return hlo.Str(string(b)), nil
		}
		if d, ok := goTypes[r.Type().Elem().Kind()]; ok {
			b := array.NewBuffer(d, array.Shape{r.Len()})
			for i := range r.Len() {
				setElement(b, i, r.Index(i))
			}
			return dense(b), nil
		}
		list := hlo.Array{}
		for i := range r.Len() {
			a, err := attribute(fmt.Sprintf("%s[%d]", path, i), r.Index(i).Interface())
			if err != nil {
				return nil, err
			}
			list = append(list, a)
		}
		return list, nil
	case reflect.Map:
		if r.Type().Key().Kind() != reflect.String {
			return refuse(fmt.Sprintf("the keys of %s are not strings", r.Type()))
		}
		d, m := hlo.Attrs{}, mapOf(r)
		for _, key := range slices.Sorted(maps.Keys(m)) {
			a, err := attribute(join(path, key), m[key])
			if err != nil {
				return nil, err
			}
			d = d.Set(key, a)
		}
		return hlo.Dict(d), nil
	case reflect.Struct:
		d := hlo.Attrs{}
		for i := range r.NumField() {
			f := r.Type().Field(i)
			name, ok := f.Tag.Lookup("ffi")
			if !ok || !f.IsExported() {
				continue
			}
			a, err := attribute(join(path, name), r.Field(i).Interface())
			if err != nil {
				return nil, err
			}
			d = d.Set(name, a)
		}
		return hlo.Dict(d), nil
	}
	return refuse(fmt.Sprintf("a %T has no typed form", v))
}

func join(path, key string) string {
	if path == "" {
		return key
	}
	return path + "." + key
}

func mapOf(r reflect.Value) map[string]any {
	m := make(map[string]any, r.Len())
	for it := r.MapRange(); it.Next(); {
		m[it.Key().String()] = it.Value().Interface()
	}
	return m
}

var goTypes = map[reflect.Kind]array.DType{
	reflect.Bool: array.Bool, reflect.Int: array.Int64, reflect.Int8: array.Int8, reflect.Int16: array.Int16,
	reflect.Int32: array.Int32, reflect.Int64: array.Int64, reflect.Uint: array.Uint64, reflect.Uint8: array.Uint8,
	reflect.Uint16: array.Uint16, reflect.Uint32: array.Uint32, reflect.Uint64: array.Uint64,
	reflect.Float32: array.Float32, reflect.Float64: array.Float64,
}

func setElement(b *array.Buffer, i int, v reflect.Value) {
	switch {
	case v.CanInt():
		b.SetInt(i, v.Int())
	case v.CanUint():
		b.SetInt(i, int64(v.Uint()))
	case v.CanFloat():
		b.SetFloat(i, v.Float())
	case v.Bool():
		b.SetInt(i, 1)
	}
}

func dense(b *array.Buffer) hlo.Attr {
	return &hlo.Dense{Type: hlo.Tensor{Shape: b.Shape(), Elem: b.DType()}, Data: b}
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
		a = dense(data)
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
