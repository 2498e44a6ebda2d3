package safetensors

import (
	"bufio"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/pantograph-go/pantograph/array"
)

// Save writes the arrays of a tree of structs, maps with string keys, slices and pointers.
func Save(w io.Writer, tree any) error {
	arrays := map[string]*array.Array{}
	if err := collect(arrays, "", reflect.ValueOf(tree)); err != nil {
		return err
	}
	b := bufio.NewWriter(w)
	if err := Write(b, arrays, nil); err != nil {
		return err
	}
	return b.Flush()
}

// Load reads arrays into the tree that tree points to. An array of the tree that the file lacks is an error, and so is
// one of the file that the tree has no place for; an array that is there already must have the shape and dtype of the
// one in the file.
func Load(r io.Reader, tree any) error {
	v := reflect.ValueOf(tree)
	if v.Kind() != reflect.Pointer || v.IsNil() {
		return array.ArgumentErrorf("safetensors.Load wants a pointer to a tree, got a %T", tree)
	}
	arrays, _, err := Read(bufio.NewReader(r))
	if err != nil {
		return err
	}
	left := maps.Clone(arrays)
	if err := fill(arrays, left, "", v.Elem()); err != nil {
		return err
	}
	if len(left) > 0 {
		return array.TreeErrorf("the file has arrays that a %s has no place for: %s", v.Type().Elem(), strings.Join(slices.Sorted(maps.Keys(left)), ", "))
	}
	return nil
}

// SaveFile saves to a file, which takes its place only once it is whole.
func SaveFile(path string, tree any) (err error) {
	f, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // gone already where all went well
	if err := Save(f, tree); err != nil {
		f.Close()
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}

// LoadFile loads from a file; see Load.
func LoadFile(path string, tree any) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	if err := Load(f, tree); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

var arrayType = reflect.TypeFor[*array.Array]()

func join(path, part string) string {
	if path == "" {
		return part
	}
	return path + "." + part
}

// collect adds the arrays below v, of which path is the name so far.
func collect(to map[string]*array.Array, path string, v reflect.Value) error {
	if !v.IsValid() {
		return nil
	}
	if v.Type() == arrayType {
		if x := v.Interface().(*array.Array); x != nil {
			if path == "" {
				path = "value"
			}
			to[path] = x
		}
		return nil
	}
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			return nil
		}
		return collect(to, path, v.Elem())
	case reflect.Struct:
		for i := range v.NumField() {
			if f := v.Type().Field(i); f.IsExported() {
				if err := collect(to, join(path, f.Name), v.Field(i)); err != nil {
					return err
				}
			}
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			if err := collect(to, join(path, strconv.Itoa(i)), v.Index(i)); err != nil {
				return err
			}
		}
	case reflect.Map:
		if v.Type().Key().Kind() != reflect.String {
			return array.TreeErrorf("%s: a %s has no names for its arrays; use string keys", path, v.Type())
		}
		for it := v.MapRange(); it.Next(); {
			if strings.Contains(it.Key().String(), ".") {
				return array.TreeErrorf("%s: the key %q has a dot, which separates the parts of names", path, it.Key())
			}
			if err := collect(to, join(path, it.Key().String()), it.Value()); err != nil {
				return err
			}
		}
	}
	return nil
}

// fill sets the arrays below v and takes them out of left.
func fill(from, left map[string]*array.Array, path string, v reflect.Value) error {
	if v.Type() == arrayType {
		name := path
		if name == "" {
			name = "value"
		}
		x, ok := from[name]
		if !ok {
			return array.TreeErrorf("the file has no array %s", name)
		}
		if old := v.Interface().(*array.Array); old != nil && !old.Aval().Strong().Equal(x.Aval()) {
			return array.ShapeErrorf("%s is %s, the file has %s", name, old.Aval(), x.Aval())
		}
		delete(left, name)
		v.Set(reflect.ValueOf(x))
		return nil
	}
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			if len(parts(from, path)) == 0 {
				return nil
			}
			v.Set(reflect.New(v.Type().Elem()))
		}
		return fill(from, left, path, v.Elem())
	case reflect.Struct:
		for i := range v.NumField() {
			if f := v.Type().Field(i); f.IsExported() {
				if err := fill(from, left, join(path, f.Name), v.Field(i)); err != nil {
					return err
				}
			}
		}
	case reflect.Slice, reflect.Array:
		names := parts(from, path)
		if v.Kind() == reflect.Slice && v.Len() < len(names) {
			v.Set(reflect.MakeSlice(v.Type(), len(names), len(names)))
		}
		for i := range v.Len() {
			if err := fill(from, left, join(path, strconv.Itoa(i)), v.Index(i)); err != nil {
				return err
			}
		}
	case reflect.Map:
		if v.IsNil() {
			v.Set(reflect.MakeMap(v.Type()))
		}
		for _, name := range parts(from, path) {
			e := reflect.New(v.Type().Elem()).Elem()
			if err := fill(from, left, join(path, name), e); err != nil {
				return err
			}
			v.SetMapIndex(reflect.ValueOf(name).Convert(v.Type().Key()), e)
		}
	}
	return nil
}

// parts lists the different names that follow path in the file.
func parts(from map[string]*array.Array, path string) []string {
	seen := map[string]bool{}
	for name := range from {
		rest, ok := name, true
		if path != "" {
			rest, ok = strings.CutPrefix(name, path+".")
		}
		if ok {
			first, _, _ := strings.Cut(rest, ".")
			seen[first] = true
		}
	}
	return slices.Sorted(maps.Keys(seen))
}
