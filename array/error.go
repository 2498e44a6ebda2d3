package array

import (
	"errors"
	"fmt"
	"strings"
)

// Error is how every mistake of a user reaches the user: where, in which equation, on which path of transformations,
// and what was wrong. It is aliased as trace.Error. errors.As reaches the kinds below.
//
//	model.go:41: dot_general: contracted sizes differ: lhs axis 1 has 128, rhs axis 0 has 64
//	    d:f32[32,10] = dot_general[contract=([1],[0])] b c
//	    in jit(step)/vjp(loss)
type Error struct {
	Pos  Pos    // the user's line
	Op   string // the primitive or function that refused
	Eqn  string // the equation, where there is one
	Path string // the transformations around it, outermost first
	Err  error  // what the rule said
}

func (e *Error) Error() string {
	var b strings.Builder
	if e.Pos.File != "" {
		b.WriteString(e.Pos.String() + ": ")
	}
	if e.Op != "" {
		b.WriteString(e.Op + ": ")
	}
	b.WriteString(e.Err.Error())
	if e.Eqn != "" {
		b.WriteString("\n    " + e.Eqn)
	}
	if e.Path != "" {
		b.WriteString("\n    in " + e.Path)
	}
	return b.String()
}

func (e *Error) Unwrap() error { return e.Err }

// Wrap makes an *Error of err at the user's line, unless err is one already.
func Wrap(op string, err error) *Error {
	var e *Error
	if errors.As(err, &e) {
		return e
	}
	return &Error{Pos: Caller(), Op: op, Err: err}
}

// The kinds of errors. A rule returns one of them, made by the function of the same name with f.
type (
	// ShapeError: sizes or ranks that do not fit together. np.Add of f32[3] and f32[4].
	ShapeError struct{ Msg string }
	// DTypeError: an element type the operation does not take. primitive.Sin of i32[3].
	DTypeError struct{ Msg string }
	// AxisError: an axis that is out of range or named twice. x.Sum(5) of f32[3].
	AxisError struct{ Msg string }
	// ArgumentError: any other argument that cannot be meant.
	ArgumentError struct{ Msg string }
	// TreeError: trees of arguments or results that do not match or cannot be traced.
	TreeError struct{ Msg string }
	// ConcretizationError: a Go number or bool was asked of a traced value.
	ConcretizationError struct{ Msg string }
	// LeakError: a traced value was used outside the function it belongs to, or on another goroutine.
	LeakError struct{ Msg string }
	// RuleError: a user's rule returned results of the wrong count, shape or dtype.
	RuleError struct{ Msg string }
	// TargetError: a foreign call whose target is not registered for the backend.
	TargetError struct{ Msg string }
	// DonatedError: an array was used after its memory was given away.
	DonatedError struct{ Msg string }
)

func (e *ShapeError) Error() string          { return e.Msg }
func (e *DTypeError) Error() string          { return e.Msg }
func (e *AxisError) Error() string           { return e.Msg }
func (e *ArgumentError) Error() string       { return e.Msg }
func (e *TreeError) Error() string           { return e.Msg }
func (e *ConcretizationError) Error() string { return e.Msg }
func (e *LeakError) Error() string           { return e.Msg }
func (e *RuleError) Error() string           { return e.Msg }
func (e *TargetError) Error() string         { return e.Msg }
func (e *DonatedError) Error() string        { return e.Msg }

// ShapeErrorf formats a ShapeError.
func ShapeErrorf(format string, a ...any) error { return &ShapeError{fmt.Sprintf(format, a...)} }

// DTypeErrorf formats a DTypeError.
func DTypeErrorf(format string, a ...any) error { return &DTypeError{fmt.Sprintf(format, a...)} }

// AxisErrorf formats an AxisError.
func AxisErrorf(format string, a ...any) error { return &AxisError{fmt.Sprintf(format, a...)} }

// ArgumentErrorf formats an ArgumentError.
func ArgumentErrorf(format string, a ...any) error { return &ArgumentError{fmt.Sprintf(format, a...)} }

// TreeErrorf formats a TreeError.
func TreeErrorf(format string, a ...any) error { return &TreeError{fmt.Sprintf(format, a...)} }

// ConcretizationErrorf formats a ConcretizationError.
func ConcretizationErrorf(format string, a ...any) error {
	return &ConcretizationError{fmt.Sprintf(format, a...)}
}

// LeakErrorf formats a LeakError.
func LeakErrorf(format string, a ...any) error { return &LeakError{fmt.Sprintf(format, a...)} }

// RuleErrorf formats a RuleError.
func RuleErrorf(format string, a ...any) error { return &RuleError{fmt.Sprintf(format, a...)} }

// TargetErrorf formats a TargetError.
func TargetErrorf(format string, a ...any) error { return &TargetError{fmt.Sprintf(format, a...)} }

// NoRuleError: a transformation met a primitive that lacks the rule it needs.
//
//	vmap: scatter has no batch rule; give it a Batch method
type NoRuleError struct {
	Transformation string
	Primitive      string
	Advice         string // what to write
}

func (e *NoRuleError) Error() string {
	return fmt.Sprintf("%s: %s has no rule for it; %s", e.Transformation, e.Primitive, e.Advice)
}
