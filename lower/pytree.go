package lower

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/trace"
)

// PyTree is the structure of a Python value that holds arrays, as containers describe it.
type PyTree struct {
	Kind     PyTreeKind
	Children []*PyTree
	Names    []string // of a dict's entries, in alphabetical order
	Custom   string   // the name of a registered class
	Data     []byte   // what a registered class keeps beside its children
}

// PyTreeKind is a kind of Python value.
type PyTreeKind uint8

// The kinds of Python values.
const (
	PyLeaf PyTreeKind = iota
	PyNone
	PyTuple
	PyList
	PyDict
	PyCustom
)

// Leaves is the number of leaves.
func (t *PyTree) Leaves() int {
	if t.Kind == PyLeaf {
		return 1
	}
	n := 0
	for _, c := range t.Children {
		n += c.Leaves()
	}
	return n
}

// String prints the tree as Python would: ({'W': *, 'b': *}, *).
func (t *PyTree) String() string {
	parts := make([]string, len(t.Children))
	for i, c := range t.Children {
		if parts[i] = c.String(); t.Kind == PyDict {
			parts[i] = fmt.Sprintf("'%s': %s", t.Names[i], parts[i])
		}
	}
	list := strings.Join(parts, ", ")
	switch t.Kind {
	case PyLeaf:
		return "*"
	case PyNone:
		return "None"
	case PyTuple:
		if len(parts) == 1 {
			list += ","
		}
		return "(" + list + ")"
	case PyList:
		return "[" + list + "]"
	case PyDict:
		return "{" + list + "}"
	}
	return t.Custom + "(" + list + ")"
}

// pyTree is the Python structure for a Go one: structs and maps become dicts, slices lists, what a function takes or
// returns several of tuples. order says which leaf of the Go value each leaf is, for a dict has its names in alphabetical
// order and a struct as declared.
func pyTree(t *trace.Tree, next *int, tuple bool) (out *PyTree, order []int) {
	if t.Leaves() == 1 && t.Kind() == reflect.Invalid {
		*next++
		return &PyTree{}, []int{*next - 1}
	}
	type part struct {
		name  string
		tree  *PyTree
		order []int
	}
	names := t.Names()
	parts := make([]part, len(t.Children()))
	for i, c := range t.Children() {
		parts[i].tree, parts[i].order = pyTree(c, next, false)
		if names != nil {
			parts[i].name = names[i]
		}
	}
	out = &PyTree{Kind: PyNone}
	switch t.Kind() {
	case reflect.Pointer:
		return parts[0].tree, parts[0].order
	case reflect.Struct, reflect.Map:
		out.Kind = PyDict
		slices.SortStableFunc(parts, func(a, b part) int { return strings.Compare(a.name, b.name) })
		for _, p := range parts {
			out.Names = append(out.Names, p.name)
		}
	case reflect.Slice:
		if out.Kind = PyList; tuple {
			out.Kind = PyTuple
		}
	}
	for _, p := range parts {
		out.Children = append(out.Children, p.tree)
		order = append(order, p.order...)
	}
	return out, order
}

// flatTuple is the tree of n arrays.
func flatTuple(n int) *PyTree {
	t := &PyTree{Kind: PyTuple}
	for range n {
		t.Children = append(t.Children, &PyTree{})
	}
	return t
}

// flatten takes a Go value apart along the tree: a struct or map with string keys where there is a dict, a slice or Go array
// where there is a list, tuple or registered class, nil for None. Struct fields are found by name; upper and lower case
// of the first letter are one.
func (t *PyTree) flatten(v reflect.Value, path string, leaves *[]any) error {
	for v.Kind() == reflect.Interface || v.Kind() == reflect.Pointer {
		if v.IsNil() {
			v = reflect.Value{}
			break
		}
		if v.Type() == arrayType {
			break
		}
		v = v.Elem()
	}
	mismatch := func(want string) error {
		what := "nil"
		if v.IsValid() {
			what = v.Type().String()
		}
		return array.TreeErrorf("%s is a %s; the function was exported with %s there", path, what, want)
	}
	switch t.Kind {
	case PyLeaf:
		if !v.IsValid() {
			return mismatch("an array")
		}
		*leaves = append(*leaves, v.Interface())
		return nil
	case PyNone:
		if v.IsValid() && !(v.Kind() == reflect.Slice && v.Len() == 0) {
			return mismatch("None")
		}
		return nil
	case PyDict:
		return t.flattenDict(v, path, leaves, mismatch)
	}
	if !v.IsValid() || v.Kind() != reflect.Slice && v.Kind() != reflect.Array || v.Len() != len(t.Children) {
		if len(t.Children) == 0 && !v.IsValid() {
			return nil
		}
		return mismatch(t.String())
	}
	for i, c := range t.Children {
		if err := c.flatten(v.Index(i), fmt.Sprintf("%s[%d]", path, i), leaves); err != nil {
			return err
		}
	}
	return nil
}

var arrayType = reflect.TypeFor[*array.Array]()

func (t *PyTree) flattenDict(v reflect.Value, path string, leaves *[]any, mismatch func(string) error) error {
	find := func(name string) reflect.Value { return reflect.Value{} }
	size := 0
	switch {
	case !v.IsValid():
	case v.Kind() == reflect.Struct:
		size = v.NumField()
		find = func(name string) reflect.Value {
			return v.FieldByNameFunc(func(field string) bool {
				return field == name || strings.EqualFold(field[:1], name[:1]) && field[1:] == name[1:]
			})
		}
	case v.Kind() == reflect.Map && v.Type().Key().Kind() == reflect.String:
		size = v.Len()
		find = func(name string) reflect.Value { return v.MapIndex(reflect.ValueOf(name).Convert(v.Type().Key())) }
	default:
		return mismatch(t.String())
	}
	if size != len(t.Children) {
		return mismatch(t.String())
	}
	for i, c := range t.Children {
		x := reflect.Value{}
		if t.Names[i] != "" {
			x = find(t.Names[i])
		}
		if !x.IsValid() {
			return mismatch(fmt.Sprintf("a part %s", t.Names[i]))
		}
		if err := c.flatten(x, path+"."+t.Names[i], leaves); err != nil {
			return err
		}
	}
	return nil
}

// unflatten arranges leaves along the tree: a map[string]any for a dict, a []any for lists and tuples, nil for None.
func (t *PyTree) unflatten(leaves *[]*array.Array) any {
	switch t.Kind {
	case PyLeaf:
		x := (*leaves)[0]
		*leaves = (*leaves)[1:]
		return x
	case PyNone:
		return nil
	case PyDict:
		m := make(map[string]any, len(t.Children))
		for i, c := range t.Children {
			m[t.Names[i]] = c.unflatten(leaves)
		}
		return m
	}
	list := make([]any, len(t.Children))
	for i, c := range t.Children {
		list[i] = c.unflatten(leaves)
	}
	return list
}
