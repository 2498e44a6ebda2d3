package trace

import (
	"cmp"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/pantograph-go/pantograph/array"
)

// typeInfo is what flattening knows of a Go type.
type typeInfo struct {
	typ     reflect.Type
	id      int // for keys
	kind    treeKind
	signed  bool    // == on it may confuse 0.0 and -0.0
	numeric bool    // in an any it is one array: a plain number or bool, a slice of them, device data
	fields  []field // of a struct
	hidden  []int   // its unexported fields
	empty   *Tree   // of a nil value
	// The trees made last. Trees never change, so a value of the same structure as the one before costs no allocation.
	last, lastStatic atomic.Pointer[Tree]
}

type field struct {
	name   string
	index  int
	typ    reflect.Type
	static bool
}

// typeInfos remembers typeInfo by reflect.Type: a function of the type alone, kept because types live for ever.
var (
	typeInfos   sync.Map
	typeCounter atomic.Int64
)

func infoOf(t reflect.Type) *typeInfo {
	if info, ok := typeInfos.Load(t); ok {
		return info.(*typeInfo)
	}
	info := &typeInfo{typ: t, id: int(typeCounter.Add(1)), kind: kindOf(t)}
	info.signed = t.Kind() > reflect.Uintptr && t.Kind() != reflect.String && t.Kind() != reflect.Pointer
	info.empty = &Tree{kind: emptyTree, typ: t}
	info.numeric = isNumeric(t) || t.Implements(reflect.TypeFor[array.Data]())
	if info.kind == structTree {
		for i := range t.NumField() {
			f := t.Field(i)
			switch {
			case f.IsExported() || f.Anonymous && kindOf(f.Type) == structTree: // an embedded struct may export fields
				info.fields = append(info.fields, field{f.Name, i, f.Type, f.Tag.Get("pantograph") == "static"})
			case f.Name != "_":
				info.hidden = append(info.hidden, i)
			}
		}
	}
	actual, _ := typeInfos.LoadOrStore(t, info)
	return actual.(*typeInfo)
}

// elem is what a pointer, slice, array or map holds.
func (info *typeInfo) elem() *typeInfo { return infoOf(info.typ.Elem()) }

func kindOf(t reflect.Type) treeKind {
	if t == arrayType {
		return leafTree
	}
	switch t.Kind() {
	case reflect.Struct:
		if isValue(t) {
			return staticTree
		}
		return structTree
	case reflect.Slice, reflect.Array:
		return listTree
	case reflect.Map:
		return mapTree
	case reflect.Pointer:
		return pointerTree
	case reflect.Interface, reflect.Func, reflect.Chan, reflect.UnsafePointer:
		return emptyTree
	}
	return staticTree
}

// isNumeric reports a predeclared number type or bool, or slices or arrays of one.
func isNumeric(t reflect.Type) bool {
	for t.Kind() == reflect.Slice || t.Kind() == reflect.Array {
		if t.PkgPath() != "" {
			return false
		}
		t = t.Elem()
	}
	return t.PkgPath() == "" && t.Kind() >= reflect.Bool && t.Kind() <= reflect.Complex128 && t.Kind() != reflect.Uintptr
}

// isValue reports a struct that is a value in itself, such as array.Ints: comparable, no exported field, no pointer.
func isValue(t reflect.Type) bool {
	if t.NumField() == 0 {
		return false
	}
	for i := range t.NumField() {
		f := t.Field(i)
		if f.IsExported() || f.Anonymous {
			return false
		}
		switch k := f.Type.Kind(); {
		case k == reflect.Struct && isValue(f.Type):
		case k < reflect.Bool || k > reflect.Complex128 && k != reflect.String:
			return false
		}
	}
	return true
}

func sortedKeys(v reflect.Value) ([]reflect.Value, error) {
	var compare func(a, b reflect.Value) int
	switch k := v.Type().Key(); {
	case k.Kind() == reflect.String:
		compare = func(a, b reflect.Value) int { return cmp.Compare(a.String(), b.String()) }
	case k.Kind() >= reflect.Int && k.Kind() <= reflect.Int64:
		compare = func(a, b reflect.Value) int { return cmp.Compare(a.Int(), b.Int()) }
	case k.Kind() >= reflect.Uint && k.Kind() <= reflect.Uintptr:
		compare = func(a, b reflect.Value) int { return cmp.Compare(a.Uint(), b.Uint()) }
	default:
		return nil, array.TreeErrorf("a map with keys of type %s has no order; use strings or integers", k)
	}
	keys := v.MapKeys()
	slices.SortFunc(keys, compare)
	return keys, nil
}

// pathError is an error on its way up, with the path of the part so far: .Layers[2].W
type pathError struct {
	path string
	err  error
}

func (e *pathError) Error() string {
	if e.path == "" {
		return e.err.Error()
	}
	return e.path + ": " + e.err.Error()
}

func (e *pathError) Unwrap() error { return e.err }

func atPath(step string, err error) error {
	var e *pathError
	if errors.As(err, &e) {
		return &pathError{step + e.path, e.err}
	}
	return &pathError{step, err}
}

func indexPath(key any) string {
	if s, ok := key.(string); ok {
		return fmt.Sprintf("[%q]", s)
	}
	return fmt.Sprintf("[%v]", key)
}
