package ffihost

import (
	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/backend"
	"github.com/pantograph-go/pantograph/internal/callframe"
	"github.com/pantograph-go/pantograph/lower/hlo"
)

// frameAttrs converts the attributes of a call into what a call frame carries: numbers and lists of numbers of the 8 to
// 64-bit types, strings, and dictionaries of them. path stands before the names in errors.
func frameAttrs(attrs hlo.Attrs, path string) (callframe.Dict, error) {
	out := make(callframe.Dict, 0, len(attrs))
	for _, n := range attrs {
		v := frameAttr(n.Value)
		if d, ok := n.Value.(hlo.Dict); ok {
			inner, err := frameAttrs(hlo.Attrs(d), path+n.Name+".")
			if err != nil {
				return nil, err
			}
			v = inner
		}
		if v == nil {
			return nil, backend.ForeignErrorf(backend.InvalidArgument, "attribute %q is %s, which a call frame cannot carry; it carries bools, integers of 8 to 64 bits, f32, f64, arrays of these numbers, strings, dictionaries",
				path+n.Name, hlo.AttrString(n.Value))
		}
		out = append(out, callframe.Named{Name: n.Name, Value: v})
	}
	return out, nil
}

// frameAttr is nil for a kind that has no form.
func frameAttr(a hlo.Attr) any {
	switch a := a.(type) {
	case hlo.Bool:
		b := array.NewBuffer(array.Bool, nil)
		if a {
			b.Bytes()[0] = 1
		}
		return b
	case hlo.Int:
		d, err := array.ParseDType(a.Type)
		if err != nil || !carried(d) || !d.IsInteger() {
			return nil
		}
		b := array.NewBuffer(d, nil)
		b.SetInt(0, a.Value)
		return b
	case hlo.Float:
		d, err := array.ParseDType(a.Type)
		if err != nil || !carried(d) || !d.IsFloat() {
			return nil
		}
		b := array.NewBuffer(d, nil)
		b.SetFloat(0, a.Value)
		return b
	case hlo.String:
		return a.Value
	case *hlo.Dense:
		if a.Type.ElemName != "" || a.Type.Quant != nil || !carried(a.Type.Elem) {
			return nil
		}
		n, size := a.Type.Shape.Size(), a.Type.Elem.Size()
		b := array.NewBuffer(a.Type.Elem, array.Shape{n})
		if a.Splat {
			for i := range n {
				copy(b.Bytes()[i*size:], a.Data.Bytes()[:size])
			}
		} else {
			copy(b.Bytes(), a.Data.Bytes())
		}
		return b
	case hlo.DenseArray:
		if !carried(a.Elem) {
			return nil
		}
		b := array.NewBuffer(a.Elem, array.Shape{max(len(a.Ints), len(a.Floats))})
		for i, v := range a.Ints {
			b.SetInt(i, v)
		}
		for i, v := range a.Floats {
			b.SetFloat(i, v)
		}
		return b
	}
	return nil
}

// carried reports the element types of numbers in a call frame's attributes.
func carried(d array.DType) bool {
	switch d {
	case array.Int8, array.Int16, array.Int32, array.Int64, array.Uint8, array.Uint16, array.Uint32, array.Uint64, array.Float32, array.Float64:
		return true
	}
	return false
}
