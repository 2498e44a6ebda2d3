package flow

import (
	"fmt"
	"slices"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/primitive"
	"github.com/pantograph-go/pantograph/trace"
)

// Cond applies onTrue to args where pred holds, else onFalse, and returns the result, in the Go type that onTrue returns:
// a single *Array stays one. pred is a scalar, of bool or another number type (then: not zero).
//
// Both functions are traced; one runs. They must return the same tree of the same shapes and dtypes, where a Go number
// takes the dtype of the other. Arrays that they capture are differentiated like arguments. Under vmap with a mapped
// pred both run on all elements.
//
// It panics with *array.Error: a TreeError, ShapeError or DTypeError that names the part of the result in which the
// functions differ.
func Cond(pred, onTrue, onFalse any, args ...any) (result any) {
	try("flow.Cond", func() error {
		p, err := array.FromValue(pred)
		if err != nil {
			return fmt.Errorf("the predicate: %w", err)
		}
		switch a := p.Aval(); {
		case a.Shape.Rank() != 0:
			return array.ShapeErrorf("the predicate must be a scalar, it is %s; for a choice of each element use np.Where, for one of all reduce it with All or Any", a)
		case a.DType != array.Bool && !a.DType.IsInteger() && !a.DType.IsInexact():
			return array.DTypeErrorf("the predicate must be a bool or a number, it is %s", a)
		case a.DType != array.Bool:
			p = primitive.Ne(p, primitive.Full(a, 0))
		}
		result, err = branch(primitive.Convert(p, array.Int32), []any{onFalse, onTrue}, 1, args)
		return err
	})
	return result
}

// Switch applies branches[index] to args and returns the result. index is an integer scalar, clamped to the branches
// there are. See Cond, of which it is the form for any number of branches.
func Switch(index any, branches []any, args ...any) (result any) {
	try("flow.Switch", func() error {
		i, err := array.FromValue(index)
		if err != nil {
			return fmt.Errorf("the index: %w", err)
		}
		switch a := i.Aval(); {
		case len(branches) == 0:
			return array.ArgumentErrorf("there are no branches")
		case a.Shape.Rank() != 0:
			return array.ShapeErrorf("the index must be a scalar, it is %s", a)
		case !a.DType.IsInteger():
			return array.DTypeErrorf("the index must be an integer, it is %s; convert it with AsType(array.Int32)", a)
		}
		if len(branches) == 1 {
			f, err := trace.CallableOf(branches[0])
			if err == nil {
				result, err = f.Apply(args)
			}
			return err
		}
		a := i.Aval()
		i = primitive.Clamp(primitive.Full(a, 0), i, primitive.Full(a, float64(len(branches)-1)))
		result, err = branch(primitive.Convert(i, array.Int32), branches, 0, args)
		return err
	})
	return result
}

// branch binds a cond. The result has the Go type of branch first.
func branch(index *array.Array, branches []any, first int, args []any) (any, error) {
	fs, trees := make([]*function, len(branches)), make([]*trace.Tree, len(branches))
	closed := make([]*trace.Closed, len(branches))
	for i, b := range branches {
		var err error
		if fs[i], err = functionOf(b, args); err != nil {
			return nil, err
		}
		if closed[i], trees[i], err = fs[i].record("cond", avals(fs[i].leaves)); err != nil {
			return nil, err
		}
	}
	out := trace.Avals(closed[first].Out)
	for i, t := range trees {
		if !t.Equal(trees[first]) {
			return nil, array.TreeErrorf("the branches must return the same structure: %s returns %s, %s returns %s", fs[first].Name(), trees[first], fs[i].Name(), t)
		}
		for k, a := range trace.Avals(closed[i].Out) {
			u, ok := unified(out[k], a)
			if !ok {
				return nil, differ(fmt.Sprintf("the branches must return the same types: result%s of %s is %%s, of %s it is %%s", trees[i].Paths()[k], fs[first].Name(), fs[i].Name()), out[k], a)
			}
			out[k] = u
		}
	}
	for i, c := range closed {
		if !slices.EqualFunc(avals(fs[i].leaves), avals(fs[first].leaves), array.Aval.Equal) {
			return nil, array.ArgumentErrorf("the branches take the arguments differently: %s%s and %s%s", fs[first].Name(), trace.SignatureOf(fs[first].Callable), fs[i].Name(), trace.SignatureOf(fs[i].Callable))
		}
		var err error
		if closed[i], err = converted(c, out); err != nil {
			return nil, err
		}
	}
	return trees[first].Unflatten(bindCond(index, closed, fs[first].leaves))
}
