package trace

import (
	"fmt"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/primitive"
)

// Eval applies j to values: it binds each equation in order under the current trace, which runs it at once, records or
// transforms it. Errors and equations recorded again name the line of the original equation.
func Eval(j *Jaxpr, consts, args []*array.Array) ([]*array.Array, error) {
	if len(consts) != len(j.Consts) || len(args) != len(j.In) {
		return nil, array.ArgumentErrorf("a jaxpr of %d constants and %d inputs is given %d and %d",
			len(j.Consts), len(j.In), len(consts), len(args))
	}
	env := make(map[*Var]*array.Array, len(consts)+len(args)+len(j.Eqns))
	for i, v := range j.Consts {
		env[v] = consts[i]
	}
	for i, v := range j.In {
		env[v] = args[i]
	}
	read := func(atoms []Atom) ([]*array.Array, error) {
		x := make([]*array.Array, len(atoms))
		for i, a := range atoms {
			switch a := a.(type) {
			case *Literal:
				x[i] = a.Value
			case *Var:
				if x[i] = env[a]; x[i] == nil {
					return nil, fmt.Errorf("a variable of type %s is read before it is bound", a.Aval)
				}
			}
		}
		return x, nil
	}
	for _, e := range j.Eqns {
		in, err := read(e.In)
		if err != nil {
			return nil, err
		}
		err = At(e.Pos, func() error {
			for i, x := range primitive.BindAll(e.Prim, in...) {
				if e.Out[i] != nil {
					env[e.Out[i]] = x
				}
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return read(j.Out)
}

// At runs fn, in which recorded equations and errors name pos as the user's line. Errors that fn panics with are
// returned; other panics pass through.
func At(pos array.Pos, fn func() error) error {
	return try(func() error { return primitive.At(pos, fn) })
}
