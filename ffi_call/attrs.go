package ffi

import (
	"fmt"
	"maps"
	"math/big"
	"reflect"
	"slices"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/lower/hlo"
)

// Attrs are the static inputs of a call by name. Attribute says what a value may be.
type Attrs map[string]any

// Attribute converts a Go value to a typed attribute, the ir_attribute of the reference:
//
//	bool                           true, false             string, []byte         "…", any bytes
//	int, int64                     n : i64                 array.DType            f32
//	int8 … uint64                  n : i8 … ui64           slice or array of      dense<…> : tensor<…>
//	float32, float64               x : f32, f64               numbers or bools, also nested
//	*array.Buffer, *array.Array    dense<…>                map, Attrs, struct     {name = …}, sorted
//	hlo.Attr                       as it is                other slices           […]
//
// Named types convert like the types they are made of, except that only a []byte itself is a string. A struct gives the
// fields that have a tag `ffi:"name"`. A float16 or bfloat16 scalar is hlo.Float{Value: 1.5, Type: "f16"}. An Array is one
// of host data: attributes are fixed when the call is traced, so the result of a computation is refused.
//
// Reports an *array.ArgumentError that names the key of a value without a typed form: complex numbers, nil, functions,
// traced arrays, results of computations, scalars of 4-bit and 8-bit float types, integers beyond 64 bits.
func Attribute(v any) (hlo.Attr, error) { return attribute("", v) }

// refuse is the error about the value at a path such as window.sizes[1].
func refuse(path, format string, args ...any) error {
	if path != "" {
		path = " " + path
	}
	return array.ArgumentErrorf("attribute%s: %s", path, fmt.Sprintf(format, args...))
}

func attribute(path string, v any) (hlo.Attr, error) {
	switch v := v.(type) {
	case nil:
		return nil, refuse(path, "nil has no typed form; leave the attribute out")
	case hlo.Attr:
		return typed(path, v)
	case array.DType:
		if v.HLO() == array.Invalid.HLO() || v == array.Token || v == array.Float0 {
			return nil, refuse(path, "%s is no element type", v)
		}
		return hlo.TypeAttr{Type: hlo.Scalar{Name: v.HLO()}}, nil
	case *array.Buffer:
		return dense(path, v)
	case *array.Array:
		if array.TracerOf(v) != nil {
			return nil, refuse(path, "it is a traced array, but attributes are static; pass it as an operand")
		}
		b, ok := array.DataOf(v).(*array.Buffer)
		if !ok {
			return nil, refuse(path, "%s is the result of a computation, but attributes are static; pass it as an operand, or give its Host()", v.Aval())
		}
		return dense(path, b)
	case []byte:
		return hlo.Str(string(v)), nil
	case *big.Int:
		return nil, refuse(path, "%s is a big.Int; attributes have at most 64 bits", v)
	}
	return attributeOf(path, reflect.ValueOf(v))
}

// attributeOf converts by what a type is made of.
func attributeOf(path string, r reflect.Value) (hlo.Attr, error) {
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
	case reflect.Complex64, reflect.Complex128:
		return nil, refuse(path, "a complex scalar has no typed form; give the two parts, or an array of one element")
	case reflect.Slice, reflect.Array:
		return listOf(path, r)
	case reflect.Map:
		if r.Type().Key().Kind() != reflect.String {
			return nil, refuse(path, "the keys of %s are not strings", r.Type())
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
		return structOf(path, r)
	}
	return nil, refuse(path, "a %s has no typed form", r.Type())
}

func mapOf(r reflect.Value) map[string]any {
	m := make(map[string]any, r.Len())
	for it := r.MapRange(); it.Next(); {
		m[it.Key().String()] = it.Value().Interface()
	}
	return m
}

func structOf(path string, r reflect.Value) (hlo.Attr, error) {
	d, t := hlo.Attrs{}, r.Type()
	for i := range t.NumField() {
		f := t.Field(i)
		name, ok := f.Tag.Lookup("ffi")
		if !ok {
			continue
		}
		if !f.IsExported() {
			return nil, refuse(join(path, name), "the field %s of %s is not exported", f.Name, t)
		}
		a, err := attribute(join(path, name), r.Field(i).Interface())
		if err != nil {
			return nil, err
		}
		d = d.Set(name, a)
	}
	if len(d) == 0 && t.NumField() > 0 {
		return nil, refuse(path, "no field of the struct %s has a tag `ffi:\"name\"`", t)
	}
	return hlo.Dict(d), nil
}

// listOf converts slices and arrays: of numbers to one dense array, also where they are nested and rectangular, of
// anything else to a list.
func listOf(path string, r reflect.Value) (hlo.Attr, error) {
	elem, rank := r.Type().Elem(), 1
	for elem.Kind() == reflect.Slice || elem.Kind() == reflect.Array {
		elem = elem.Elem()
		rank++
	}
	if d, ok := goTypes[elem.Kind()]; ok && elem != dtypeType {
		shape := make(array.Shape, 0, rank)
		for s := r; len(shape) < rank; {
			shape = append(shape, s.Len())
			if s.Len() == 0 {
				shape = append(shape, make(array.Shape, rank-len(shape))...)
				break
			}
			s = s.Index(0)
		}
		b, n := array.NewBuffer(d, shape), 0
		if !fillBuffer(b, &n, r, shape) {
			return nil, refuse(path, "the rows of the %s differ in length", r.Type())
		}
		return dense(path, b)
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
}

var dtypeType = reflect.TypeFor[array.DType]()

func fillBuffer(b *array.Buffer, n *int, r reflect.Value, shape array.Shape) bool {
	if len(shape) == 0 {
		setElement(b, *n, r)
		*n++
		return true
	}
	if r.Len() != shape[0] {
		return false
	}
	for i := range r.Len() {
		if !fillBuffer(b, n, r.Index(i), shape[1:]) {
			return false
		}
	}
	return true
}

func setElement(b *array.Buffer, i int, v reflect.Value) {
	switch {
	case v.CanInt():
		b.SetInt(i, v.Int())
	case v.CanUint():
		b.SetInt(i, int64(v.Uint()))
	case v.CanFloat():
		b.SetFloat(i, v.Float())
	case v.CanComplex():
		b.SetComplex(i, v.Complex())
	case v.Bool():
		b.SetInt(i, 1)
	}
}

func join(path, key string) string {
	if path == "" {
		return key
	}
	return path + "." + key
}

var goTypes = map[reflect.Kind]array.DType{
	reflect.Bool: array.Bool, reflect.Int: array.Int64, reflect.Int8: array.Int8, reflect.Int16: array.Int16,
	reflect.Int32: array.Int32, reflect.Int64: array.Int64, reflect.Uint: array.Uint64, reflect.Uint8: array.Uint8,
	reflect.Uint16: array.Uint16, reflect.Uint32: array.Uint32, reflect.Uint64: array.Uint64,
	reflect.Float32: array.Float32, reflect.Float64: array.Float64,
	reflect.Complex64: array.Complex64, reflect.Complex128: array.Complex128,
}

// dense is an array attribute, of any element type that StableHLO has. It shares the memory of b.
func dense(path string, b *array.Buffer) (hlo.Attr, error) {
	d := b.DType()
	if d.IsKey() || d == array.Token || d == array.Float0 {
		return nil, refuse(path, "an array of %s has no typed form", d)
	}
	return &hlo.Dense{Type: hlo.Tensor{Shape: b.Shape(), Elem: d}, Data: b}, nil
}

// typed checks an attribute that was given as such, and writes it in the one form that equal attributes share.
func typed(path string, a hlo.Attr) (hlo.Attr, error) {
	switch a := a.(type) {
	case hlo.Bool, hlo.String:
		return a, nil
	case hlo.Int:
		switch a.Type {
		case "i8", "i16", "i32", "i64", "ui8", "ui16", "ui32", "ui64":
			return a, nil
		}
		return nil, refuse(path, "an integer scalar of type %s has no typed form; the types are i8 to i64 and ui8 to ui64", a.Type)
	case hlo.Float:
		switch a.Type {
		case "f16", "bf16", "f32", "f64":
			return a, nil
		}
		return nil, refuse(path, "a float scalar of type %s has no typed form; the types are f16, bf16, f32 and f64", a.Type)
	case hlo.TypeAttr:
		if s, ok := a.Type.(hlo.Scalar); ok {
			if _, err := array.ParseDType(s.Name); err == nil {
				return a, nil
			}
		}
	case *hlo.Dense:
		if a.Type.Quant == nil && a.Type.ElemName == "" && a.Type.IsStatic() {
			return dense(path, whole(a))
		}
	case hlo.DenseArray:
		return dense(path, listed(a))
	case hlo.Array:
		out := make(hlo.Array, len(a))
		for i, e := range a {
			var err error
			if out[i], err = typed(fmt.Sprintf("%s[%d]", path, i), e); err != nil {
				return nil, err
			}
		}
		return out, nil
	case hlo.Dict:
		d := hlo.Attrs{}
		for _, e := range a {
			v, err := typed(join(path, e.Name), e.Value)
			if err != nil {
				return nil, err
			}
			d = d.Set(e.Name, v)
		}
		return hlo.Dict(d), nil
	}
	return nil, refuse(path, "%s is not among the typed attributes of a call", hlo.AttrString(a))
}

// whole is the data of a dense attribute with a splat written out.
func whole(a *hlo.Dense) *array.Buffer {
	if !a.Splat {
		return a.Data.Reshaped(a.Type.Shape)
	}
	b := array.NewBuffer(a.Type.Elem, a.Type.Shape)
	size := a.Type.Elem.Size()
	for i := range b.Len() {
		copy(b.Bytes()[i*size:], a.Data.Bytes()[:size])
	}
	return b
}

// listed is the data of array<T: …>.
func listed(a hlo.DenseArray) *array.Buffer {
	b := array.NewBuffer(a.Elem, array.Shape{max(len(a.Ints), len(a.Floats))})
	for i, v := range a.Ints {
		b.SetInt(i, v)
	}
	for i, v := range a.Floats {
		b.SetFloat(i, v)
	}
	return b
}
