package trace

import (
	"fmt"
	"reflect"
	"slices"
	"sync/atomic"

	"github.com/pantograph-go/pantograph/array"
)

// Tree is the structure of a Go value that holds arrays: what remains of it when its leaves are taken out. Go numbers,
// strings, bools and enums with a type of their own are static: part of the tree, not leaves. A Tree never changes and
// is safe for concurrent use.
type Tree struct {
	kind   treeKind
	typ    reflect.Type // of the Go value; nil for a leaf
	kids   []*Tree      // of fields, elements, entries in key order, or what a pointer points to
	keys   []any        // of a map's entries
	static any          // the value of a static
	leaves int
	key    atomic.Pointer[string]
}

type treeKind uint8

const (
	leafTree    treeKind = iota // an array
	emptyTree                   // a nil pointer, slice, map, interface or func
	staticTree                  // a Go value that is not traced
	structTree                  // kids are the fields in typeInfo's order
	listTree                    // slice or Go array
	mapTree                     // kids are in the order of keys
	pointerTree                 // one kid
)

// leaf is the tree of every array.
var leaf = &Tree{kind: leafTree, leaves: 1}

var (
	arrayType = reflect.TypeFor[*array.Array]()
	anyType   = reflect.TypeFor[any]()
	listType  = reflect.TypeFor[[]any]()
	errorType = reflect.TypeFor[error]()
)

// Flatten takes the arrays out of v, in order, and returns them with the structure that remains.
//
// Structs (all fields exported, the struct may be unnamed), slices, Go arrays, maps in key order, pointers and
// interfaces are trees of their parts; nil ones are empty. The Go type of a part decides what it is: an *Array is a
// leaf; a number, string, bool or enum is static. In an interface of type any, as v itself, a plain Go number or bool is
// a leaf, weak as Go constants are, and a slice of numbers is one array. A field tagged `pantograph:"static"` is static
// whatever it holds, if it can be compared.
//
// It reports a TreeError that names the field for funcs, channels, unexported fields that are set, and pointer cycles.
func Flatten(v any) ([]*array.Array, *Tree, error) {
	if x, ok := v.(*array.Array); ok && x != nil {
		return []*array.Array{x}, leaf, nil
	}
	f := newFlattener(4)
	t, err := f.dynamic(reflect.ValueOf(v), anyType)
	if err != nil {
		return nil, nil, err
	}
	return f.leaves, t, nil
}

// Tuple is the tree of a list of values, of Go type []any: the arguments or results of a function.
func Tuple(kids ...*Tree) *Tree {
	return newTree(&Tree{kind: listTree, typ: listType, kids: kids})
}

func newTree(t *Tree) *Tree {
	for _, k := range t.kids {
		t.leaves += k.leaves
	}
	return t
}

// Leaves is the number of leaves.
func (t *Tree) Leaves() int { return t.leaves }

// Children are the trees of the parts: fields, elements, entries in key order.
func (t *Tree) Children() []*Tree { return t.kids }

// Kind is the kind of Go value that the tree is of: Struct, Slice (also of a Go array), Map or Pointer. It is Invalid for a
// leaf, for nil and for a static value.
func (t *Tree) Kind() reflect.Kind {
	switch t.kind {
	case structTree:
		return reflect.Struct
	case listTree:
		return reflect.Slice
	case mapTree:
		return reflect.Map
	case pointerTree:
		return reflect.Pointer
	}
	return reflect.Invalid
}

// Names are the names of a struct's fields and the keys of a map's entries, nil of other trees.
func (t *Tree) Names() []string {
	var names []string
	for i := range t.kids {
		switch t.kind {
		case structTree:
			names = append(names, infoOf(t.typ).fields[i].name)
		case mapTree:
			names = append(names, fmt.Sprint(t.keys[i]))
		}
	}
	return names
}

// Equal reports the same structure, Go types and static values.
func (t *Tree) Equal(u *Tree) bool { return t == u || t.Key() == u.Key() }

// flattener collects leaves.
type flattener struct {
	leaves []*array.Array
	kids   []*Tree // of the nodes being built, those of inner ones behind those of outer ones
	above  []reflect.Value
	buf    [16]*Tree // the first kids
}

func newFlattener(leaves int) *flattener {
	f := &flattener{leaves: make([]*array.Array, 0, leaves)}
	f.kids = f.buf[:0]
	return f
}

// dynamic flattens what an interface of type slot holds.
func (f *flattener) dynamic(v reflect.Value, slot reflect.Type) (*Tree, error) {
	if !v.IsValid() {
		return infoOf(slot).empty, nil
	}
	if v.Type() == arrayType {
		return f.value(v, infoOf(arrayType))
	}
	info := infoOf(v.Type())
	if slot == anyType && info.numeric {
		x, err := array.FromValue(v.Interface())
		if err != nil {
			return nil, err
		}
		f.leaves = append(f.leaves, x)
		return leaf, nil
	}
	return f.value(v, info)
}

// value flattens a value of a static type.
func (f *flattener) value(v reflect.Value, info *typeInfo) (*Tree, error) {
	switch info.kind {
	case leafTree:
		if v.IsNil() {
			return info.empty, nil
		}
		f.leaves = append(f.leaves, v.Interface().(*array.Array))
		return leaf, nil
	case staticTree:
		return f.static(v, info)
	}
	switch v.Kind() {
	case reflect.Interface:
		return f.dynamic(v.Elem(), info.typ)
	case reflect.Pointer, reflect.Slice, reflect.Map:
		if v.IsNil() {
			return info.empty, nil
		}
		if f.isAbove(v) {
			return nil, array.TreeErrorf("the %s points back to itself", v.Type())
		}
		f.above = append(f.above, v)
		defer func() { f.above = f.above[:len(f.above)-1] }()
	case reflect.Struct, reflect.Array:
	default:
		if v.IsZero() {
			return info.empty, nil
		}
		return nil, array.TreeErrorf("a %s can be neither traced nor compared; capture it in the function instead of passing it", info.typ)
	}
	base := len(f.kids)
	keys, err := f.parts(v, info)
	kids := f.kids[base:]
	f.kids = f.kids[:base]
	if err != nil {
		return nil, err
	}
	if last := info.last.Load(); last != nil && slices.Equal(last.kids, kids) && slices.Equal(last.keys, keys) {
		return last, nil
	}
	t := newTree(&Tree{kind: info.kind, typ: info.typ, kids: slices.Clone(kids), keys: keys})
	info.last.Store(t)
	return t, nil
}

// isAbove reports that v holds itself.
func (f *flattener) isAbove(v reflect.Value) bool {
	for _, w := range f.above {
		if w.UnsafePointer() == v.UnsafePointer() && w.Type() == v.Type() && (v.Kind() != reflect.Slice || v.Len() == w.Len() && v.Len() > 0) {
			return true
		}
	}
	return false
}

// parts flattens the parts of v onto f.kids and returns the keys of a map.
func (f *flattener) parts(v reflect.Value, info *typeInfo) (keys []any, err error) {
	switch v.Kind() {
	case reflect.Pointer:
		return nil, f.part(v.Elem(), info.elem())
	case reflect.Struct:
		for _, i := range info.hidden {
			if !v.Field(i).IsZero() {
				return nil, atPath("."+info.typ.Field(i).Name, array.TreeErrorf("the field is not exported, so its value would be lost; export it"))
			}
		}
		for i := range info.fields {
			field := &info.fields[i]
			if field.static {
				var t *Tree
				t, err = f.static(v.Field(field.index), infoOf(field.typ))
				f.kids = append(f.kids, t)
			} else {
				err = f.part(v.Field(field.index), infoOf(field.typ))
			}
			if err != nil {
				return nil, atPath("."+field.name, err)
			}
		}
	case reflect.Slice, reflect.Array:
		elem := info.elem()
		for i := range v.Len() {
			if err := f.part(v.Index(i), elem); err != nil {
				return nil, atPath(indexPath(i), err)
			}
		}
	case reflect.Map:
		elem := info.elem()
		sorted, err := sortedKeys(v)
		if err != nil {
			return nil, err
		}
		for _, k := range sorted {
			key := k.Interface()
			if err := f.part(v.MapIndex(k), elem); err != nil {
				return nil, atPath(indexPath(key), err)
			}
			keys = append(keys, key)
		}
	}
	return keys, nil
}

func (f *flattener) part(v reflect.Value, info *typeInfo) error {
	t, err := f.value(v, info)
	f.kids = append(f.kids, t)
	return err
}

// static makes v part of the tree.
func (f *flattener) static(v reflect.Value, info *typeInfo) (*Tree, error) {
	if v.Kind() == reflect.Interface {
		if v.IsNil() {
			return info.empty, nil
		}
		v = v.Elem()
		info = infoOf(v.Type())
	}
	if !v.Comparable() {
		return nil, array.TreeErrorf("a static %s cannot be compared", v.Type())
	}
	x := v.Interface()
	if last := info.lastStatic.Load(); last != nil && last.static == x && (!info.signed || sameStatic(last.static, x)) {
		return last, nil
	}
	t := &Tree{kind: staticTree, typ: v.Type(), static: x}
	info.lastStatic.Store(t)
	return t, nil
}
