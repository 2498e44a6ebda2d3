package trace

import (
	"fmt"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/primitive"
)

// Of traces f once on the types of args and returns what it does as a jaxpr, whose inputs are the arrays in args and
// whose outputs are those of the result, in the order of Flatten. Spec stands for an array that need not exist. It
// panics with *Error.
//
//	j := trace.Of(func(x *np.Array) *np.Array { return np.Sin(x).Mul(2) }, trace.Spec(array.Float32, 3))
func Of(f any, args ...any) *Closed {
	c, _, err := traceArgs("trace", f, args)
	if err != nil {
		panic(wrap("trace.Of", err))
	}
	return c
}

// EvalShape tells the shapes and dtypes of f's result without computing anything: it returns f's result with a Spec for
// each array. It panics with *Error.
func EvalShape(f any, args ...any) any {
	c, tree, err := traceArgs("eval_shape", f, args)
	if err != nil {
		panic(wrap("trace.EvalShape", err))
	}
	leaves := make([]*array.Array, len(c.Out))
	for i, a := range Avals(c.Out) {
		leaves[i] = specOf(a)
	}
	result, err := tree.Unflatten(leaves)
	if err != nil {
		panic(wrap("trace.EvalShape", err))
	}
	return result
}

func traceArgs(what string, f any, args []any) (*Closed, *Tree, error) {
	c, err := CallableOf(f)
	if err != nil {
		return nil, nil, err
	}
	leaves, in, err := FlattenArgs(SignatureOf(c), args)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", c.Name(), err)
	}
	avals := make([]array.Aval, len(leaves))
	for i, x := range leaves {
		avals[i] = x.Aval()
	}
	return RecordTree(fmt.Sprintf("%s(%s)", what, c.Name()), c, avals, in)
}

// RecordTree records c on traced values of the given avals, arranged as in, the tree of its arguments. It returns the
// jaxpr and the tree of the result. name is as for Record.
func RecordTree(name string, c Callable, avals []array.Aval, in *Tree) (j *Closed, out *Tree, err error) {
	j, err = Record(name, avals, func(leaves []*array.Array) ([]*array.Array, error) {
		leaves, out, err = CallTree(c, in, leaves)
		return leaves, err
	})
	return j, out, err
}

// CallTree applies c to leaves arranged as in, the tree of its arguments, and flattens the result.
func CallTree(c Callable, in *Tree, leaves []*array.Array) ([]*array.Array, *Tree, error) {
	args, err := in.Unflatten(leaves)
	if err != nil {
		return nil, nil, err
	}
	result, err := c.Apply(args.([]any))
	if err != nil {
		return nil, nil, err
	}
	leaves, out, err := Flatten(result)
	if err != nil {
		return nil, nil, &Error{Pos: primitive.Position(), Op: c.Name(), Path: primitive.Path(), Err: fmt.Errorf("result%w", afterName(err))}
	}
	return leaves, out, nil
}

// Spec is an array of which only dtype and shape are known, to trace functions with. Nothing can be computed with it.
func Spec(d array.DType, shape ...int) *array.Array {
	return specOf(array.Aval{DType: d, Shape: array.Shape(shape).Clone()})
}

func specOf(a array.Aval) *array.Array { return array.FromTracer(a, spec{a}) }

type spec struct{ aval array.Aval }

// Describe implements array.Tracer.
func (s spec) Describe() string { return fmt.Sprintf("trace.Spec of %s, which has no values", s.aval) }
