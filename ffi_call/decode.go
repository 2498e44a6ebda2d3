package ffi

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/lower/hlo"
)

// decodeStruct sets the tagged fields of a struct from attributes of exactly their types. The call has these attributes and
// no others, as for a handler in C++.
func decodeStruct(s reflect.Value, attrs hlo.Attrs, path string) error {
	known := 0
	for i := range s.NumField() {
		name, ok := s.Type().Field(i).Tag.Lookup("ffi")
		if !ok {
			continue
		}
		known++
		a := attrs.Get(name)
		if a == nil {
			return array.ArgumentErrorf("the call has no attribute %q; it has %s", join(path, name), names(attrs))
		}
		if err := decodeField(s.Field(i), a, join(path, name)); err != nil {
			return err
		}
	}
	if known != len(attrs) {
		return array.ArgumentErrorf("the function takes %d attributes%s; the call has %s", known, inPath(path), names(attrs))
	}
	return nil
}

func inPath(path string) string {
	if path == "" {
		return ""
	}
	return " in " + path
}

func names(attrs hlo.Attrs) string {
	if len(attrs) == 0 {
		return "none"
	}
	var list []string
	for _, n := range attrs {
		list = append(list, n.Name)
	}
	return strings.Join(list, ", ")
}

func decodeField(f reflect.Value, a hlo.Attr, path string) error {
	if d, ok := a.(hlo.Dict); ok && f.Kind() == reflect.Struct {
		return decodeStruct(f, hlo.Attrs(d), path)
	}
	if list, ok := a.(hlo.Array); ok && f.Kind() == reflect.Slice {
		f.Set(reflect.MakeSlice(f.Type(), len(list), len(list)))
		for i, e := range list {
			if err := decodeField(f.Index(i), e, fmt.Sprintf("%s[%d]", path, i)); err != nil {
				return err
			}
		}
		return nil
	}
	if !assign(f, a) {
		return array.ArgumentErrorf("attribute %q is %s; the function wants a %s", path, hlo.AttrString(a), f.Type())
	}
	return nil
}

// assign sets a field of exactly the attribute's type.
func assign(f reflect.Value, a hlo.Attr) bool {
	if r := reflect.ValueOf(a); f.Type() == reflect.TypeFor[hlo.Attr]() || r.Type() == f.Type() {
		f.Set(r)
		return true
	}
	d := goTypes[f.Kind()]
	switch a := a.(type) {
	case hlo.Bool:
		if f.Kind() != reflect.Bool {
			return false
		}
		f.SetBool(bool(a))
	case hlo.Int:
		if d.HLO() != a.Type || !f.CanInt() && !f.CanUint() {
			return false
		}
		if f.CanInt() {
			f.SetInt(a.Value)
		} else {
			f.SetUint(uint64(a.Value))
		}
	case hlo.Float:
		if d.HLO() != a.Type || !f.CanFloat() {
			return false
		}
		f.SetFloat(a.Value)
	case hlo.String:
		switch {
		case f.Kind() == reflect.String:
			f.SetString(a.Value)
		case f.Type() == reflect.TypeFor[[]byte]():
			f.SetBytes([]byte(a.Value))
		default:
			return false
		}
	case hlo.TypeAttr:
		s, ok := a.Type.(hlo.Scalar)
		if !ok || f.Type() != dtypeType {
			return false
		}
		d, err := array.ParseDType(s.Name)
		f.Set(reflect.ValueOf(d))
		return err == nil
	case *hlo.Dense:
		return assignList(f, a.Type.Elem, whole(a))
	case hlo.DenseArray:
		return assignList(f, a.Elem, listed(a))
	default:
		return false
	}
	return true
}

func assignList(f reflect.Value, elem array.DType, b *array.Buffer) bool {
	if f.Type() == reflect.TypeFor[*array.Buffer]() {
		f.Set(reflect.ValueOf(b))
		return true
	}
	if f.Kind() != reflect.Slice || goTypes[f.Type().Elem().Kind()] != elem {
		return false
	}
	f.Set(reflect.MakeSlice(f.Type(), b.Len(), b.Len()))
	for i := range b.Len() {
		switch e := f.Index(i); {
		case e.CanFloat():
			e.SetFloat(b.Float(i))
		case e.CanInt():
			e.SetInt(b.Int(i))
		case e.CanUint():
			e.SetUint(uint64(b.Int(i)))
		case e.CanComplex():
			e.SetComplex(b.Complex(i))
		default:
			e.SetBool(b.Bool(i))
		}
	}
	return true
}
