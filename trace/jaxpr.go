package trace

import (
	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/lower/hlo"
	"github.com/pantograph-go/pantograph/primitive"
)

// Var is a variable of a jaxpr, equal only to itself. It is bound once: as a constant, an input or a result.
type Var struct{ Aval array.Aval }

// Literal is a scalar constant written in place of a variable: 2.0:f32[].
type Literal struct{ Value *array.Array }

// Atom is what an equation reads: a *Var or a *Literal.
type Atom interface {
	AvalOf() array.Aval
	isAtom()
}

// AvalOf implements Atom.
func (v *Var) AvalOf() array.Aval { return v.Aval }

// AvalOf implements Atom.
func (l *Literal) AvalOf() array.Aval { return l.Value.Aval() }

func (*Var) isAtom()     {}
func (*Literal) isAtom() {}

// Eqn is one equation: Out = Prim In. An Out that nobody reads may be nil after dead code elimination (printed as _).
type Eqn struct {
	Prim  primitive.Primitive
	In    []Atom
	Out   []*Var
	Pos   array.Pos // the user's line
	Scope string    // the named scopes and transformations around it, a/b/c
}

// Jaxpr is a function as a list of equations over typed variables, in an order in which every variable is bound before
// it is read. It never changes after construction and is safe for concurrent use.
//
//	{ lambda a:f32[3] ; b:f32[3]. let c:f32[3] = mul b a in (c,) }
//
// Constants are values the function captured; they stand before the inputs and are given to Eval first.
type Jaxpr struct {
	Consts []*Var
	In     []*Var
	Eqns   []*Eqn
	Out    []Atom
}

// Closed is a jaxpr with the values of its constants, which may be tracers of an outer trace.
type Closed struct {
	*Jaxpr
	ConstVals []*array.Array
}

// Lowering is what a primitive that holds a jaxpr gets beside the builder: it lowers the body. Package lower
// implements it, so that neither flow nor vjp nor jit need to be known there.
type Lowering interface {
	// Builder stands where the equation is being lowered.
	Builder() *hlo.Builder
	// Inline lowers the equations of j here, its constants and inputs bound to in, and returns its results.
	Inline(j *Jaxpr, in []*hlo.Value) ([]*hlo.Value, error)
	// Call lowers j once as a private function of the module and calls it; equal jaxprs share one function.
	Call(name string, j *Jaxpr, in []*hlo.Value) ([]*hlo.Value, error)
}

// JaxprLowerable is the lowering rule of a primitive that holds a jaxpr.
type JaxprLowerable interface {
	LowerJaxpr(c Lowering, in []*hlo.Value, out []array.Aval) ([]*hlo.Value, error)
}
