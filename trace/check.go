package trace

import (
	"fmt"
	"reflect"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/primitive"
)

// Check verifies a jaxpr and those inside its primitives: every variable is bound once and before it is read, every
// primitive can be compared, and the results of every equation have the types that the primitive's shape rule gives. It
// returns an *Error with the equation and its line. Transformations run it in their tests.
func Check(j *Jaxpr) error {
	c := checker{j: j, bound: map[*Var]bool{}}
	if err := c.bind(j.Consts, false); err != nil {
		return &Error{Op: "trace.Check", Err: fmt.Errorf("constants: %w", err)}
	}
	if err := c.bind(j.In, false); err != nil {
		return &Error{Op: "trace.Check", Err: fmt.Errorf("inputs: %w", err)}
	}
	for _, e := range j.Eqns {
		if err := c.eqn(e); err != nil {
			return &Error{Pos: e.Pos, Op: "trace.Check", Eqn: j.EqnText(e), Err: err}
		}
	}
	if err := c.read(j.Out); err != nil {
		return &Error{Op: "trace.Check", Err: fmt.Errorf("outputs: %w", err)}
	}
	return nil
}

type checker struct {
	j     *Jaxpr
	bound map[*Var]bool
}

func (c *checker) bind(vars []*Var, mayDrop bool) error {
	for i, v := range vars {
		switch {
		case v == nil && mayDrop:
			continue
		case v == nil:
			return fmt.Errorf("variable %d is nil", i)
		case c.bound[v]:
			return fmt.Errorf("variable %d of type %s is bound twice", i, v.Aval)
		}
		c.bound[v] = true
	}
	return nil
}

func (c *checker) read(atoms []Atom) error {
	for i, a := range atoms {
		switch a := a.(type) {
		case *Var:
			if !c.bound[a] {
				return fmt.Errorf("operand %d is read before it is bound", i)
			}
		case *Literal:
			if array.DataOf(a.Value) == nil || a.Value.Rank() != 0 {
				return fmt.Errorf("operand %d is a literal that is not scalar data", i)
			}
		default:
			return fmt.Errorf("operand %d is nil", i)
		}
	}
	return nil
}

func (c *checker) eqn(e *Eqn) error {
	if err := c.read(e.In); err != nil {
		return err
	}
	if !reflect.ValueOf(e.Prim).Comparable() {
		return fmt.Errorf("%T cannot be compared: keep no slices, maps or funcs in a primitive (lists of numbers are array.Ints)", e.Prim)
	}
	for _, body := range Jaxprs(e.Prim) {
		if err := Check(body); err != nil {
			return err
		}
	}
	avals, err := e.Prim.Shape(Avals(e.In))
	if err != nil {
		return err
	}
	if len(avals) != len(e.Out) {
		return fmt.Errorf("the equation binds %d results, the shape rule gives %d", len(e.Out), len(avals))
	}
	for i, v := range e.Out {
		if v != nil && !v.Aval.Equal(avals[i]) {
			return fmt.Errorf("result %d has the type %s, the shape rule gives %s", i, v.Aval, avals[i])
		}
	}
	return c.bind(e.Out, true)
}

// EffectOf is the effect of p together with those of the jaxprs inside it.
func EffectOf(p primitive.Primitive) primitive.Effect {
	e := primitive.EffectOf(p)
	for _, body := range Jaxprs(p) {
		e |= body.Effect()
	}
	return e
}

// Effect is what the equations of j do besides computing their results, those in the bodies of primitives included.
func (j *Jaxpr) Effect() (e primitive.Effect) {
	for _, eqn := range j.Eqns {
		e |= EffectOf(eqn.Prim)
	}
	return e
}
