package trace

import (
	"encoding/binary"
	"fmt"
	"math"
	"reflect"
	"strings"

	"github.com/pantograph-go/pantograph/array"
)

// Unflatten puts leaves into the structure and returns a new value of the Go type that was flattened. Where the type was
// any, a leaf is an *Array.
func (t *Tree) Unflatten(leaves []*array.Array) (any, error) {
	if len(leaves) != t.leaves {
		return nil, array.TreeErrorf("the tree %s takes %d arrays, got %d", t, t.leaves, len(leaves))
	}
	switch {
	case t.kind == leafTree:
		return leaves[0], nil
	case t.typ == listType && t.kind == listTree && t.leaves == len(t.kids) && t.flat():
		list := make([]any, len(leaves))
		for i, x := range leaves {
			list[i] = x
		}
		return list, nil
	}
	v := reflect.New(t.typ).Elem()
	t.fill(v, &leaves)
	return v.Interface(), nil
}

// flat reports that every part is a leaf.
func (t *Tree) flat() bool {
	for _, k := range t.kids {
		if k.kind != leafTree {
			return false
		}
	}
	return true
}

// fill sets dst, which has the type of the part or is an interface that takes it, and consumes its leaves.
func (t *Tree) fill(dst reflect.Value, leaves *[]*array.Array) {
	switch t.kind {
	case leafTree:
		dst.Set(reflect.ValueOf((*leaves)[0]))
		*leaves = (*leaves)[1:]
		return
	case emptyTree:
		return
	case staticTree:
		dst.Set(reflect.ValueOf(t.static))
		return
	}
	if dst.Kind() == reflect.Interface {
		v := reflect.New(t.typ).Elem()
		t.fill(v, leaves)
		dst.Set(v)
		return
	}
	switch t.typ.Kind() {
	case reflect.Pointer:
		p := reflect.New(t.typ.Elem())
		t.kids[0].fill(p.Elem(), leaves)
		dst.Set(p)
	case reflect.Struct:
		for i, f := range infoOf(t.typ).fields {
			t.kids[i].fill(dst.Field(f.index), leaves)
		}
	case reflect.Slice:
		dst.Set(reflect.MakeSlice(t.typ, len(t.kids), len(t.kids)))
		fallthrough
	case reflect.Array:
		for i, k := range t.kids {
			k.fill(dst.Index(i), leaves)
		}
	case reflect.Map:
		dst.Set(reflect.MakeMapWithSize(t.typ, len(t.kids)))
		for i, k := range t.kids {
			v := reflect.New(t.typ.Elem()).Elem()
			k.fill(v, leaves)
			dst.SetMapIndex(reflect.ValueOf(t.keys[i]), v)
		}
	}
}

// Key is equal exactly for equal trees, static values included. Where a static value holds pointers, it is valid as
// long as the tree is kept.
func (t *Tree) Key() string {
	if k := t.key.Load(); k != nil {
		return *k
	}
	k := string(t.appendKey(nil))
	t.key.Store(&k)
	return k
}

func (t *Tree) appendKey(b []byte) []byte {
	b = append(b, byte(t.kind))
	if t.kind == leafTree {
		return b
	}
	b = binary.AppendUvarint(b, uint64(infoOf(t.typ).id))
	if t.kind == staticTree {
		return appendStatic(b, reflect.ValueOf(t.static))
	}
	b = binary.AppendUvarint(b, uint64(len(t.kids)))
	for _, k := range t.keys {
		b = appendStatic(b, reflect.ValueOf(k))
	}
	for _, k := range t.kids {
		b = k.appendKey(b)
	}
	return b
}

// appendStatic appends bytes that are equal exactly for equal comparable values of one type.
func appendStatic(b []byte, v reflect.Value) []byte {
	switch v.Kind() {
	case reflect.Bool:
		if v.Bool() {
			return append(b, 1)
		}
		return append(b, 0)
	case reflect.String:
		return append(binary.AppendUvarint(b, uint64(v.Len())), v.String()...)
	case reflect.Float32, reflect.Float64:
		return binary.LittleEndian.AppendUint64(b, math.Float64bits(v.Float()))
	case reflect.Complex64, reflect.Complex128:
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(real(v.Complex())))
		return binary.LittleEndian.AppendUint64(b, math.Float64bits(imag(v.Complex())))
	case reflect.Struct:
		for i := range v.NumField() {
			b = appendStatic(b, v.Field(i))
		}
		return b
	case reflect.Array:
		for i := range v.Len() {
			b = appendStatic(b, v.Index(i))
		}
		return b
	case reflect.Interface:
		if v.IsNil() {
			return append(b, 0)
		}
		b = binary.AppendUvarint(b, uint64(infoOf(v.Elem().Type()).id))
		return appendStatic(b, v.Elem())
	case reflect.Pointer, reflect.Chan, reflect.UnsafePointer:
		return binary.LittleEndian.AppendUint64(b, uint64(v.Pointer()))
	}
	if v.CanInt() {
		return binary.AppendVarint(b, v.Int())
	}
	return binary.AppendUvarint(b, v.Uint())
}

// sameStatic reports equal bits.
func sameStatic(a, b any) bool {
	return string(appendStatic(nil, reflect.ValueOf(a))) == string(appendStatic(nil, reflect.ValueOf(b)))
}

// String shows leaves as * and static values as they are: {W: *, B: *, Act: relu}.
func (t *Tree) String() string {
	switch t.kind {
	case leafTree:
		return "*"
	case emptyTree:
		return "nil"
	case staticTree:
		return fmt.Sprint(t.static)
	case pointerTree:
		return "&" + t.kids[0].String()
	}
	parts := make([]string, len(t.kids))
	for i, k := range t.kids {
		parts[i] = k.String()
		switch t.kind {
		case structTree:
			parts[i] = infoOf(t.typ).fields[i].name + ": " + parts[i]
		case mapTree:
			parts[i] = fmt.Sprintf("%v: ", t.keys[i]) + parts[i]
		}
	}
	if t.kind == listTree {
		return "[" + strings.Join(parts, ", ") + "]"
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

// Paths names each leaf by the Go expression that selects it from the value: .Layers[2].W; it is "" for the value itself.
func (t *Tree) Paths() []string {
	paths := make([]string, 0, t.leaves)
	t.walk("", func(path string) { paths = append(paths, path) })
	return paths
}

func (t *Tree) walk(path string, visit func(path string)) {
	if t.kind == leafTree {
		visit(path)
	}
	for i, k := range t.kids {
		k.walk(path+t.step(i), visit)
	}
}

// step is the part of a path that selects kid i.
func (t *Tree) step(i int) string {
	switch t.kind {
	case structTree:
		return "." + infoOf(t.typ).fields[i].name
	case listTree:
		return indexPath(i)
	case mapTree:
		return indexPath(t.keys[i])
	}
	return ""
}

// Prefix spreads a value over the leaves: spec has the outer structure of the tree, and what stands where the tree goes
// on holds for every leaf below. It returns one entry for each leaf.
//
//	nil, a number, a string, …         holds for all leaves of the part
//	[]any or another slice, Go array   one for each element, or for each field of a struct in order
//	map[string]any, or a struct        one for each field or entry, by its name; those with arrays must be named
//
// It reports a TreeError where the structures differ.
func (t *Tree) Prefix(spec any) ([]any, error) {
	return t.prefix(make([]any, 0, t.leaves), reflect.ValueOf(spec))
}

func (t *Tree) prefix(out []any, spec reflect.Value) ([]any, error) {
	for spec.IsValid() && (spec.Kind() == reflect.Interface || spec.Kind() == reflect.Pointer) {
		spec = spec.Elem()
	}
	if !spec.IsValid() || !isStructured(spec) {
		var x any
		if spec.IsValid() {
			x = spec.Interface()
		}
		for range t.leaves {
			out = append(out, x)
		}
		return out, nil
	}
	if t.kind == pointerTree {
		return t.kids[0].prefix(out, spec)
	}
	if t.leaves == 0 {
		return out, nil
	}
	parts, err := t.match(spec)
	for i, k := range t.kids {
		if err != nil {
			break
		}
		if out, err = k.prefix(out, parts[i]); err != nil {
			err = atPath(t.step(i), err)
		}
	}
	return out, err
}

func isStructured(spec reflect.Value) bool {
	switch spec.Kind() {
	case reflect.Slice, reflect.Map:
		return !spec.IsNil()
	case reflect.Array, reflect.Struct:
		return true
	}
	return false
}

// match finds the part of spec for each kid.
func (t *Tree) match(spec reflect.Value) ([]reflect.Value, error) {
	parts := make([]reflect.Value, len(t.kids))
	if t.kind == leafTree {
		return nil, array.TreeErrorf("one array is given a %s with %d parts", spec.Type(), specLen(spec))
	}
	if k := spec.Kind(); k == reflect.Slice || k == reflect.Array {
		if spec.Len() != len(parts) || t.kind == mapTree {
			return nil, array.TreeErrorf("%s has %d parts, the %s given for it %d", t, len(parts), spec.Type(), spec.Len())
		}
		for i := range parts {
			parts[i] = spec.Index(i)
		}
		return parts, nil
	}
	if t.kind == listTree {
		return nil, array.TreeErrorf("%s is a list, a %s is given for it", t, spec.Type())
	}
	found := 0
	for i, k := range t.kids {
		switch name := t.partName(i); {
		case spec.Kind() == reflect.Struct:
			parts[i] = spec.FieldByName(name)
		case t.kind == mapTree && reflect.TypeOf(t.keys[i]).AssignableTo(spec.Type().Key()):
			parts[i] = spec.MapIndex(reflect.ValueOf(t.keys[i]))
		case spec.Type().Key().Kind() == reflect.String:
			parts[i] = spec.MapIndex(reflect.ValueOf(name).Convert(spec.Type().Key()))
		}
		if parts[i].IsValid() {
			found++
		} else if k.leaves > 0 {
			return nil, array.TreeErrorf("nothing is given for %s", strings.TrimPrefix(t.step(i), "."))
		}
	}
	if found < specLen(spec) {
		return nil, array.TreeErrorf("the %s given for %s names a part that is not there", spec.Type(), t)
	}
	return parts, nil
}

func (t *Tree) partName(i int) string {
	if t.kind == structTree {
		return infoOf(t.typ).fields[i].name
	}
	return fmt.Sprint(t.keys[i])
}

func specLen(spec reflect.Value) int {
	if spec.Kind() == reflect.Struct {
		return spec.NumField()
	}
	return spec.Len()
}
