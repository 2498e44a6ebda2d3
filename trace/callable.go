package trace

import (
	"errors"
	"fmt"
	"reflect"
	"runtime"
	"strings"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/primitive"
)

// Callable is what transformations take: a function on trees. A Go function becomes one by CallableOf.
type Callable interface {
	// Name is for errors and the names of compiled functions.
	Name() string
	// Apply calls the function. The result is a Go tree; where the Go function has several results, they are a []any.
	Apply(args []any) (any, error)
}

// Signature is the Go types of a function's parameters, which decide what is traced and what is static.
type Signature struct {
	In       []reflect.Type
	Variadic bool // the last of In is a slice that takes the remaining arguments
}

// SignatureOf is what a callable's method Signature() *Signature says; nil where it has none: any arguments go.
func SignatureOf(c Callable) *Signature {
	if s, ok := c.(interface{ Signature() *Signature }); ok {
		return s.Signature()
	}
	return nil
}

// String lists the parameter types as Go does: (*array.Array, int).
func (s *Signature) String() string {
	parts := make([]string, len(s.In))
	for i, t := range s.In {
		parts[i] = t.String()
		if s.Variadic && i == len(s.In)-1 {
			parts[i] = "..." + t.Elem().String()
		}
	}
	return "(" + strings.Join(parts, ", ") + ")"
}

// slot is the type of parameter i, any where nothing is known.
func (s *Signature) slot(i int) reflect.Type {
	switch {
	case s == nil:
		return anyType
	case s.Variadic && i >= len(s.In)-1:
		return s.In[len(s.In)-1].Elem()
	}
	return s.In[i]
}

func (s *Signature) checkCount(n int) error {
	switch {
	case s == nil:
		return nil
	case s.Variadic && n < len(s.In)-1:
		return array.ArgumentErrorf("takes at least %d arguments %s, got %d", len(s.In)-1, s, n)
	case !s.Variadic && n != len(s.In):
		return array.ArgumentErrorf("takes %d arguments %s, got %d", len(s.In), s, n)
	}
	return nil
}

// CallableOf makes a Callable of a Go function; a Callable, such as a *Func, is returned as it is. The function's last
// result may be an error, which Apply returns.
func CallableOf(f any) (Callable, error) {
	if c, ok := f.(Callable); ok {
		return c, nil
	}
	v := reflect.ValueOf(f)
	if !v.IsValid() || v.Kind() != reflect.Func {
		return nil, array.ArgumentErrorf("a function is wanted, got %s", typeName(f))
	}
	if v.IsNil() {
		return nil, array.ArgumentErrorf("the function is nil")
	}
	t := v.Type()
	g := &goFunc{f: f, v: v, name: funcName(v), sig: &Signature{Variadic: t.IsVariadic()}}
	for i := range t.NumIn() {
		g.sig.In = append(g.sig.In, t.In(i))
	}
	g.fails = t.NumOut() > 0 && t.Out(t.NumOut()-1) == errorType
	return g, nil
}

func typeName(v any) string {
	if v == nil {
		return "nil"
	}
	return "a " + reflect.TypeOf(v).String()
}

// funcName shortens the name of a Go function: step, Model.Loss, main.func1.
func funcName(v reflect.Value) string {
	name := runtime.FuncForPC(v.Pointer()).Name()
	name = name[strings.LastIndexByte(name, '/')+1:]
	if _, rest, ok := strings.Cut(name, "."); ok {
		name = rest
	}
	name = strings.TrimSuffix(name, "-fm") // a method value
	return strings.NewReplacer("(*", "", "(", "", ")", "").Replace(name)
}

// goFunc is a Go function as a Callable.
type goFunc struct {
	f     any
	v     reflect.Value
	name  string
	sig   *Signature
	fails bool // the last result is an error
}

func (g *goFunc) Name() string          { return g.name }
func (g *goFunc) Signature() *Signature { return g.sig }

func (g *goFunc) Apply(args []any) (result any, err error) {
	err = primitive.At(array.Pos{}, func() error { // lines are those of the function again
		result, err = g.call(args)
		return err
	})
	return result, err
}

func (g *goFunc) call(args []any) (any, error) {
	switch f := g.f.(type) { // the common ones without reflection
	case func(*array.Array) *array.Array:
		if len(args) == 1 {
			if x, ok := args[0].(*array.Array); ok {
				return f(x), nil
			}
		}
	case func(*array.Array, *array.Array) *array.Array:
		if len(args) == 2 {
			x, okX := args[0].(*array.Array)
			y, okY := args[1].(*array.Array)
			if okX && okY {
				return f(x, y), nil
			}
		}
	}
	if err := g.sig.checkCount(len(args)); err != nil {
		return nil, err
	}
	in := make([]reflect.Value, len(args))
	for i, a := range args {
		var err error
		if in[i], err = g.sig.convert(i, a); err != nil {
			return nil, err
		}
		if !in[i].IsValid() { // nil for an interface
			in[i] = reflect.Zero(g.sig.slot(i))
		}
	}
	out := g.v.Call(in)
	if g.fails {
		last := len(out) - 1
		if err, _ := out[last].Interface().(error); err != nil {
			return nil, err
		}
		out = out[:last]
	}
	if len(out) == 1 {
		return out[0].Interface(), nil
	}
	results := make([]any, len(out))
	for i, v := range out {
		results[i] = v.Interface()
	}
	return results, nil
}

// FlattenArgs flattens the arguments of a function of the given signature, nil for an unknown one; the tree is that of
// a []any, and unflattened gives arguments for Apply. A parameter of type *Array also takes a Go number, as a weak
// scalar, and a slice of numbers; one of a Go number type takes any number that it can hold.
func FlattenArgs(s *Signature, args []any) ([]*array.Array, *Tree, error) {
	if err := s.checkCount(len(args)); err != nil {
		return nil, nil, err
	}
	f := newFlattener(len(args))
	kids := make([]*Tree, len(args))
	for i, a := range args {
		if x, ok := a.(*array.Array); ok && x != nil {
			if t := s.slot(i); t == arrayType || t == anyType {
				f.leaves = append(f.leaves, x)
				kids[i] = leaf
				continue
			}
		}
		v, err := s.convert(i, a)
		if err != nil {
			return nil, nil, err
		}
		if t := s.slot(i); t.Kind() == reflect.Interface {
			kids[i], err = f.dynamic(v, t)
		} else {
			kids[i], err = f.value(v, infoOf(t))
		}
		if err != nil {
			return nil, nil, fmt.Errorf("argument %d%w", i, afterName(err))
		}
	}
	return f.leaves, Tuple(kids...), nil
}

// afterName puts what separates an error from the name of what it is about in front of it: "argument 0" + ".W: …".
func afterName(err error) error {
	var e *pathError
	if errors.As(err, &e) && e.path != "" {
		return err
	}
	return fmt.Errorf(": %w", err)
}

// convert makes argument i ready for its parameter. It is the zero Value for nil given where an interface is wanted.
func (s *Signature) convert(i int, arg any) (reflect.Value, error) {
	t, v := s.slot(i), reflect.ValueOf(arg)
	switch {
	case arg == nil:
		switch t.Kind() {
		case reflect.Interface:
			return v, nil
		case reflect.Pointer, reflect.Slice, reflect.Map, reflect.Func, reflect.Chan:
			return reflect.Zero(t), nil
		}
	case v.Type().AssignableTo(t):
		return v, nil
	case t == arrayType && infoOf(v.Type()).numeric:
		x, err := array.FromValue(arg)
		if err != nil {
			return v, fmt.Errorf("argument %d: %w", i, err)
		}
		return reflect.ValueOf(x), nil
	case isNumeric(v.Type()) && v.CanConvert(t) && v.Comparable() && v.Kind() != reflect.Bool && v.Kind() != reflect.String:
		if c := v.Convert(t); c.CanConvert(v.Type()) && c.Convert(v.Type()).Equal(v) {
			return c, nil
		}
	case v.Type() == arrayType && kindOf(t) == staticTree:
		return v, array.ArgumentErrorf("argument %d is an array of type %s; the function takes a %s there, which is static: give a Go value, or declare the parameter *array.Array", i, arg.(*array.Array).Aval(), t)
	}
	return v, array.ArgumentErrorf("argument %d is %s; the function takes %s", i, typeName(arg), s)
}
