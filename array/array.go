package array

import "sync/atomic"

// Array is the one array type of users and rules: an abstract value together with either data or a tracer. It never
// changes after construction and is safe for concurrent use. Operands of its methods may be Arrays or Go numbers.
type Array struct {
	aval   Aval
	data   Data   // nil for a tracer
	tracer Tracer // nil for data

	donated atomic.Pointer[Pos] // where the memory was given away, nil while it is ours
}

// Tracer stands for a value that is not known yet. Each transformation has its own tracer type.
type Tracer interface {
	// Describe names the value for error messages, for instance "traced value a:f32[3] of jit(step)".
	Describe() string
}

// Concrete is implemented by tracers whose value is known nevertheless, as the primal under an eager derivative.
type Concrete interface{ Concrete() *Array }

// Of wraps data. The result is strongly typed.
func Of(d Data) *Array { return &Array{aval: d.Aval(), data: d} }

// WeakOf wraps data with the weak type of a Go number.
func WeakOf(d Data) *Array {
	a := Of(d)
	a.aval.Weak = true
	return a
}

// OfAval wraps data whose aval is a: data of a's shape and dtype, or, for a key type, the uint32 words of the keys.
func OfAval(d Data, a Aval) *Array { return &Array{aval: a, data: d} }

// FromTracer makes the array that stands for a traced value.
func FromTracer(a Aval, t Tracer) *Array { return &Array{aval: a, tracer: t} }

// TracerOf returns the tracer behind x, nil where x holds data.
func TracerOf(x *Array) Tracer { return x.tracer }

// DataOf returns the data behind x, nil where x is a tracer. For a key type it is the uint32 words of the keys.
// Panics with a DonatedError where the memory has been given away.
func DataOf(x *Array) Data {
	if at := x.donated.Load(); at != nil {
		panic(Wrap("", &DonatedError{"this array was donated at " + at.String() + " and its memory is gone; use the function's result instead, or do not donate the argument"}))
	}
	return x.data
}

// Donate marks the memory of x as given away at a line of the user's program.
func Donate(x *Array, at Pos) { x.donated.Store(&at) }

// Aval returns shape, dtype and weakness.
func (x *Array) Aval() Aval { return x.aval }

// Shape is the list of sizes; it must not be changed.
func (x *Array) Shape() Shape { return x.aval.Shape }

// DType is the element type.
func (x *Array) DType() DType { return x.aval.DType }

// Rank is the number of axes.
func (x *Array) Rank() int { return len(x.aval.Shape) }

// Size is the number of elements.
func (x *Array) Size() int { return x.aval.Shape.Size() }
