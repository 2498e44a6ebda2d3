package array

// Methods is what the methods of an Array mean: NumPy's broadcasting and promotion over primitives. It is the first of
// the two seams that go up: array lies below primitive, which implements it in methods.go and sets it when it is
// initialised. Operations are named as jax.numpy names its functions. Every function panics with an *Error where the
// operands do not fit.
type Methods interface {
	// Binary applies a function of two operands, each an *Array or anything FromValue takes, with promotion and
	// broadcasting:
	//
	//	add subtract multiply true_divide floor_divide remainder power arctan2 hypot maximum minimum
	//	equal not_equal less less_equal greater greater_equal
	//	bitwise_and bitwise_or bitwise_xor left_shift right_shift
	//	logical_and logical_or logical_xor
	//	matmul dot
	Binary(op string, x, y any) *Array

	// Unary applies a function of one operand:
	//
	//	negative absolute sign bitwise_not logical_not real imag conjugate
	Unary(op string, x *Array) *Array

	// Reduce applies one of these over axes, which may be negative; a nil list means all axes, an empty one none:
	//
	//	sum prod max min mean var std any all argmax argmin
	//
	// var and std divide by the count. argmax and argmin take one axis, or none for the flattened array, and give int64.
	Reduce(op string, x *Array, keepDims bool, axes ...int) *Array

	// Reshape gives x another shape of as many elements, all sizes known.
	Reshape(x *Array, shape Shape) *Array
	// Transpose permutes axes: axis i of the result is axis perm[i] of x.
	Transpose(x *Array, perm []int) *Array
	// BroadcastTo repeats x (an *Array or anything FromValue takes) to a shape by NumPy's rule.
	BroadcastTo(x any, shape Shape) *Array
	// AsType converts to a strong type d; complex to real drops the imaginary part, anything to bool is x != 0.
	AsType(x *Array, d DType) *Array

	// Index returns the elements that idx selects.
	Index(x *Array, idx Index) *Array
	// Update returns x with the elements that idx selects replaced (set) or combined with y by
	//
	//	set add multiply min max
	//
	// y is converted to x's dtype and broadcast to the shape that Index would give. The order in which an element selected
	// twice is set is not defined; the other operations see every occurrence.
	Update(op string, x *Array, idx Index, y any) *Array
}

var methods Methods

// SetMethods gives the methods of Array their meaning. Only package primitive calls it.
func SetMethods(m Methods) { methods = m }

// Index is an index expression that has been checked against the operand's shape: one entry for each axis of it, new
// axes already taken out. Without arrays the result has the axes that are not dropped. With arrays, these are broadcast
// together and their axes replace those they index: at the place of the first of them, or in front where Front is set
// (NumPy's rule for arrays that do not stand side by side).
type Index struct {
	Axes  []AxisIndex
	Front bool
	Mode  IndexMode // for positions in arrays that are out of bounds
	Fill  *float64  // what FillMode reads there, nil for the value that means missing
	// Unique promises that the arrays select no element twice.
	Unique bool
}

// AxisIndex selects positions of one axis: Start, Start+Step, … Size of them (Step is not 0 and may be negative), or,
// where At is set, those in an integer array of any shape, of which negative ones count from the end.
type AxisIndex struct {
	Start, Step, Size int
	Drop              bool // one position, Start, whose axis leaves the result; never together with an At of another axis
	At                *Array
}

// IndexMode is what an index array does out of bounds.
type IndexMode uint8

// The modes, by JAX's names.
const (
	// DefaultMode clips when reading and drops when updating.
	DefaultMode IndexMode = iota
	// ClipMode uses the nearest position inside.
	ClipMode
	// FillMode reads NaN, for integers the smallest value of a signed and the largest of an unsigned type, for bool true;
	// updates are dropped.
	FillMode
	// PromiseInBounds promises that all are inside.
	PromiseInBounds
)
