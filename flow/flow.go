package flow

import (
	"fmt"
	"slices"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/primitive"
	"github.com/pantograph-go/pantograph/trace"
)

// try runs what a function of this package does and panics with the user's line where it fails.
func try(op string, fn func() error) {
	err := fn()
	if err == nil {
		return
	}
	if known, ok := err.(*array.Error); ok {
		panic(known)
	}
	panic(&array.Error{Pos: primitive.Position(), Op: op, Path: primitive.Path(), Err: err})
}

// function is a function of the user with the tree of its arguments.
type function struct {
	trace.Callable
	in     *trace.Tree
	leaves []*array.Array
}

func functionOf(f any, args []any) (*function, error) {
	c, err := trace.CallableOf(f)
	if err != nil {
		return nil, err
	}
	leaves, in, err := trace.FlattenArgs(trace.SignatureOf(c), args)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", c.Name(), err)
	}
	return &function{c, in, leaves}, nil
}

// record traces the function on arrays of the given types.
func (f *function) record(op string, types []array.Aval) (*trace.Closed, *trace.Tree, error) {
	return trace.RecordTree(fmt.Sprintf("%s(%s)", op, f.Name()), f.Callable, types, f.in)
}

// unified is the type that a and b both can be given: their own where they are equal, else that of one of them where
// the other is a Go number, which yields. Weak only where both are.
func unified(a, b array.Aval) (array.Aval, bool) {
	if !a.Shape.Equal(b.Shape) {
		return a, false
	}
	if a.DType == b.DType {
		a.Weak = a.Weak && b.Weak
		return a, true
	}
	d, weak, err := array.Promote(a, b)
	if err != nil || !(a.Weak && d == b.DType || b.Weak && d == a.DType) {
		return a, false
	}
	return array.Aval{Shape: a.Shape, DType: d, Weak: weak}, true
}

// differ says how two types differ, as an error of the kind that fits.
func differ(format string, a, b array.Aval) error {
	if !a.Shape.Equal(b.Shape) {
		return array.ShapeErrorf(format+", so the shapes differ", a, b)
	}
	return array.DTypeErrorf(format+", so the dtypes differ; convert one with AsType", a, b)
}

// as is x as a value of type a, from which it differs in dtype or weakness at most.
func as(x *array.Array, a array.Aval) *array.Array {
	switch {
	case x.DType() == a.DType && x.Aval().Weak == a.Weak:
		return x
	case a.Weak:
		return primitive.ConvertWeak(x, a.DType)
	}
	return primitive.Convert(x, a.DType)
}

// converted is c with its results converted to the given types, which differ from theirs in dtype at most.
func converted(c *trace.Closed, to []array.Aval) (*trace.Closed, error) {
	if slices.EqualFunc(trace.Avals(c.Out), to, array.Aval.Equal) {
		return c, nil
	}
	return trace.Record("", trace.Avals(c.In), func(in []*array.Array) ([]*array.Array, error) {
		out, err := trace.Eval(c.Jaxpr, c.ConstVals, in)
		if err != nil {
			return nil, err
		}
		for i, y := range out {
			out[i] = as(y, to[i])
		}
		return out, nil
	})
}
