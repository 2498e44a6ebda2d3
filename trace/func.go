package trace

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"runtime/debug"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/primitive"
)

// Error is how every mistake reaches the user: with the line, the equation, the path of transformations and what was
// wrong. Numerical code panics with *Error; Run, Try and everything that meets the outside world return it.
type Error = array.Error

// Func is a function on trees of arrays, as transformations make it. Its arguments are those of the function it was made
// from. It is a Callable, so transformations compose. Safe for concurrent use where the function it was made from is.
type Func struct {
	name string
	sig  *Signature
	call func(args []any) (any, error)
}

// NewFunc makes a Func of call, which takes the arguments as they were given, to be flattened with FlattenArgs, and
// returns a Go tree. sig is the signature that the arguments follow, nil for an unknown one.
func NewFunc(name string, sig *Signature, call func(args []any) (any, error)) *Func {
	return &Func{name, sig, call}
}

// Name implements Callable: grad(loss).
func (f *Func) Name() string { return f.name }

// Signature tells the parameter types, nil where they are not known.
func (f *Func) Signature() *Signature { return f.sig }

// Apply implements Callable. Unlike Call it returns mistakes that it finds itself as errors; those inside the function
// are panics.
func (f *Func) Apply(args []any) (any, error) {
	if err := f.sig.checkCount(len(args)); err != nil {
		return nil, err
	}
	return f.call(args)
}

// Call applies the function and returns its result, which must be one array. It panics with *Error.
func (f *Func) Call(args ...any) *array.Array {
	result := f.CallTree(args...)
	if x, ok := result.(*array.Array); ok && x != nil {
		return x
	}
	leaves := f.flatten(result)
	if len(leaves) != 1 {
		panic(f.wrap(array.ArgumentErrorf("Call is for one result, the function has %d arrays; use CallAll or CallTree", len(leaves))))
	}
	return leaves[0]
}

// CallAll applies the function and returns the arrays of its result in order. It panics with *Error.
func (f *Func) CallAll(args ...any) []*array.Array { return f.flatten(f.CallTree(args...)) }

// CallTree applies the function and returns its result in the function's own Go type; several results are a []any. It
// panics with *Error; a panic of the user's function passes through.
func (f *Func) CallTree(args ...any) any {
	result, err := f.Apply(args)
	if err != nil {
		panic(f.wrap(err))
	}
	return result
}

func (f *Func) flatten(result any) []*array.Array {
	leaves, _, err := Flatten(result)
	if err != nil {
		panic(f.wrap(fmt.Errorf("result%w", afterName(err))))
	}
	return leaves
}

func (f *Func) wrap(err error) *Error { return wrap(f.name, err) }

// wrap makes an *Error of err at the user's line, unless it is one.
func wrap(op string, err error) *Error {
	var e *Error
	if errors.As(err, &e) {
		return e
	}
	return &Error{Pos: primitive.Position(), Op: op, Path: primitive.Path(), Err: err}
}

// Run applies the function and returns the arrays of its result. Mistakes are returned as *Error, a panic of the user's
// function as *PanicError with its stack. Nothing is run where ctx is done.
func (f *Func) Run(ctx context.Context, args ...any) (out []*array.Array, err error) {
	defer Recover(&err)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return f.CallAll(args...), nil
}

// PanicError is a panic of the user's function as Run returns it. errors.Is and As reach the value where it is an error.
type PanicError struct {
	Value any
	Stack []byte
}

func (e *PanicError) Error() string { return fmt.Sprintf("panic: %v\n\n%s", e.Value, e.Stack) }

// Unwrap is the panic's value where it is an error.
func (e *PanicError) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}

// Recover turns a panic into an error, for functions that meet the outside world: defer Recover(&err).
func Recover(err *error) {
	switch v := recover().(type) {
	case nil:
	case *Error:
		*err = v
	default:
		*err = &PanicError{v, debug.Stack()}
	}
}

// Into fills a variable with the function: Into(&step) where step is a variable of a func type. The types are checked
// once, here; it panics with *Error where they cannot fit. If the last result of the type is an error, mistakes are
// returned, and panics otherwise.
func (f *Func) Into(fn any) {
	v := reflect.ValueOf(fn)
	if v.Kind() != reflect.Pointer || v.IsNil() || v.Elem().Kind() != reflect.Func {
		panic(f.wrap(array.ArgumentErrorf("Into wants a pointer to a func variable, got %s", typeName(fn))))
	}
	if err := f.fits(v.Type().Elem()); err != nil {
		panic(f.wrap(err))
	}
	v.Elem().Set(f.makeFunc(v.Type().Elem()))
}

// As returns what f does as a Go function of type F. f is a Func, any other Callable, or a Go function. See Func.Into.
func As[F any](f any) F {
	var fn F
	c, err := CallableOf(f)
	if err != nil {
		panic(wrap("trace.As", err))
	}
	NewFunc(c.Name(), SignatureOf(c), c.Apply).Into(&fn)
	return fn
}

// fits reports why a Go function of type t cannot stand for f.
func (f *Func) fits(t reflect.Type) error {
	s := f.sig
	if s == nil {
		return nil
	}
	if t.NumIn() != len(s.In) && !s.Variadic {
		return array.ArgumentErrorf("%s takes %d arguments, the function takes %s", t, t.NumIn(), s)
	}
	for i := range t.NumIn() {
		in := t.In(i)
		if t.IsVariadic() && i == t.NumIn()-1 {
			in = in.Elem()
		}
		slot := s.slot(i)
		if !in.AssignableTo(slot) && !(slot == arrayType && (infoOf(in).numeric || in == anyType)) && !in.ConvertibleTo(slot) {
			return array.ArgumentErrorf("argument %d of %s is a %s, the function takes %s", i, t, in, s)
		}
	}
	return nil
}

func (f *Func) makeFunc(t reflect.Type) reflect.Value {
	n := t.NumOut()
	fails := n > 0 && t.Out(n-1) == errorType
	if fails {
		n--
	}
	return reflect.MakeFunc(t, func(in []reflect.Value) []reflect.Value {
		out := make([]reflect.Value, n, n+1)
		if !fails {
			if err := f.callReflect(t, in, out); err != nil {
				panic(f.wrap(err))
			}
			return out
		}
		err := try(func() error { return f.callReflect(t, in, out) })
		failure := reflect.New(errorType).Elem()
		if err != nil {
			failure.Set(reflect.ValueOf(f.wrap(err)))
			for i := range out {
				out[i] = reflect.Zero(t.Out(i))
			}
		}
		return append(out, failure)
	})
}

// callReflect calls f with the arguments of a Go function of type t and converts the result to its result types.
func (f *Func) callReflect(t reflect.Type, in, out []reflect.Value) error {
	args := make([]any, 0, len(in))
	for i, v := range in {
		if t.IsVariadic() && i == len(in)-1 {
			for k := range v.Len() {
				args = append(args, v.Index(k).Interface())
			}
		} else {
			args = append(args, v.Interface())
		}
	}
	result, err := f.Apply(args)
	if err != nil {
		return err
	}
	results := []any{result}
	if len(out) != 1 {
		var ok bool
		if results, ok = result.([]any); !ok || len(results) != len(out) {
			return array.TreeErrorf("the function's result is %s, wanted are %d results of %s", typeName(result), len(out), t)
		}
	}
	for i, r := range results {
		if out[i], err = convertResult(r, t.Out(i)); err != nil {
			return fmt.Errorf("result %d: %w", i, err)
		}
	}
	return nil
}

func convertResult(r any, t reflect.Type) (reflect.Value, error) {
	if r == nil {
		return reflect.Zero(t), nil
	}
	if v := reflect.ValueOf(r); v.Type().AssignableTo(t) {
		return v, nil
	}
	if t == arrayType {
		if leaves, _, err := Flatten(r); err == nil && len(leaves) == 1 {
			return reflect.ValueOf(leaves[0]), nil
		}
	}
	return reflect.Value{}, array.TreeErrorf("it is %s, wanted is a %s", typeName(r), t)
}
