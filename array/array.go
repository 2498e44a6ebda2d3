package array

// Array is the one array type of users and rules: an abstract value together with either data or a tracer. It never
// changes after construction and is safe for concurrent use. Operands of its methods may be Arrays or Go numbers.
type Array struct {
	aval   Aval
	data   Data   // nil for a tracer
	tracer Tracer // nil for data
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

// FromTracer makes the array that stands for a traced value.
func FromTracer(a Aval, t Tracer) *Array { return &Array{aval: a, tracer: t} }

// TracerOf returns the tracer behind x, nil where x holds data.
func TracerOf(x *Array) Tracer { return x.tracer }

// DataOf returns the data behind x, nil where x is a tracer.
func DataOf(x *Array) Data { return x.data }

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
