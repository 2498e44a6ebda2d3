package primitive

import (
	"errors"
	"fmt"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/lower/hlo"
)

// Primitive is one operation with its parameters: a small comparable struct whose methods are its rules. Two equal
// structs mean the same, so a primitive can be part of a map key.
//
// Transformations ask for further rules through the one-method interfaces they declare: vmap.Batcher, vjp.Differentiable
// and vjp.Linear, lower.Lowerable.
type Primitive interface {
	// Name is the name in a jaxpr, JAX's where it has one.
	Name() string
	// Shape is the only source of the results' shapes and dtypes. It refuses operands that do not fit.
	Shape(in []array.Aval) ([]array.Aval, error)
}

// Effect is something an equation does besides computing its results.
type Effect uint8

const (
	// Impure equations are kept though nobody uses their results, and not merged; their order is free.
	Impure Effect = 1 << iota
	// Ordered equations are kept, and run in the order of the program.
	Ordered
)

// Effectful is implemented by primitives that may have an effect.
type Effectful interface{ Effect() Effect }

// EffectOf is the effect of p, 0 for a pure one.
func EffectOf(p Primitive) Effect {
	if e, ok := p.(Effectful); ok {
		return e.Effect()
	}
	return 0
}

// Param is a parameter of a primitive as a jaxpr prints it: name=value.
type Param struct {
	Name  string
	Value any
}

// Parametric is implemented by primitives whose parameters print otherwise than as their exported fields.
type Parametric interface{ Params() []Param }

// Operand is an operand as a transpose rule sees it: Value is nil where the equation is linear in it.
type Operand struct {
	Aval  array.Aval
	Value *array.Array
}

// Lowerable is the lowering rule that primitives of this package implement; package lower asks for it. in are the
// lowered operands, out the avals of the results.
type Lowerable interface {
	Lower(b *hlo.Builder, in []*hlo.Value, out []array.Aval) ([]*hlo.Value, error)
}

// Bind applies p and returns its only result. See BindAll.
func Bind(p Primitive, in ...*array.Array) *array.Array {
	out := BindAll(p, in...)
	if len(out) != 1 {
		panic(wrap(p, in, fmt.Errorf("Bind of a primitive with %d results; use BindAll", len(out))))
	}
	return out[0]
}

// BindAll applies p to operands: the innermost open trace of the goroutine records or transforms the operation; with
// none open, p runs at once on the default backend. It panics with an *array.Error where p refuses the operands.
func BindAll(p Primitive, in ...*array.Array) []*array.Array {
	out, err := bind(p, in)
	if err != nil {
		panic(wrap(p, in, err))
	}
	return out
}

// wrap adds the user's line, the types of the operands and the path of transformations to what a rule said, unless an
// operation inside has.
func wrap(p Primitive, in []*array.Array, err error) *array.Error {
	var e *array.Error
	if errors.As(err, &e) {
		return e
	}
	eqn := p.Name()
	for _, x := range in {
		if x == nil {
			eqn += " nil"
		} else {
			eqn += " " + x.Aval().String()
		}
	}
	return &array.Error{Pos: Position(), Op: p.Name(), Eqn: eqn, Path: Path(), Err: err}
}

func bind(p Primitive, in []*array.Array) ([]*array.Array, error) {
	top, err := current(in)
	if err != nil {
		return nil, err
	}
	if top != nil {
		return top.trace.Process(p, in)
	}
	if eager == nil {
		return nil, fmt.Errorf("nothing can run %s on data yet: import np (or jit), which brings the engine", p.Name())
	}
	return eager(p, in)
}

// eager runs one primitive on data: the second of the two seams that go up. Package jit sets it once when it is
// initialised, because running needs lowering and a backend, which are built on primitives.
var eager func(p Primitive, in []*array.Array) ([]*array.Array, error)

// SetEager tells how a primitive runs on data. Only package jit calls it.
func SetEager(f func(p Primitive, in []*array.Array) ([]*array.Array, error)) { eager = f }
