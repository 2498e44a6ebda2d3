package array

import "errors"

// The arithmetic of arrays. Operands y may be an Array, a Go number (weakly typed: it takes the array's type unless that
// is of a lesser kind), or anything else FromValue takes. Shapes broadcast and types promote as in jax.numpy; a method
// panics with an *Error of kind ShapeError or DTypeError where they cannot.

func means(op string) Methods {
	if methods == nil {
		panic(Wrap(op, errors.New("methods of arrays have no meaning yet: import np, which brings primitives and the engine")))
	}
	return methods
}

func (x *Array) binary(op string, y any) *Array { return means(op).Binary(op, x, y) }

func (x *Array) unary(op string) *Array { return means(op).Unary(op, x) }

// Add is x + y; of bools, or.
func (x *Array) Add(y any) *Array { return x.binary("add", y) }

// Sub is x - y.
func (x *Array) Sub(y any) *Array { return x.binary("subtract", y) }

// Mul is the elementwise product; of bools, and.
func (x *Array) Mul(y any) *Array { return x.binary("multiply", y) }

// Div is the true quotient: integers give floats.
func (x *Array) Div(y any) *Array { return x.binary("true_divide", y) }

// FloorDiv is the largest integer that is not above x / y, in the promoted type of x and y.
func (x *Array) FloorDiv(y any) *Array { return x.binary("floor_divide", y) }

// Mod is the remainder that has the sign of y, as Python's %.
func (x *Array) Mod(y any) *Array { return x.binary("remainder", y) }

// Pow is x to the power y.
func (x *Array) Pow(y any) *Array { return x.binary("power", y) }

// Maximum is the elementwise larger of x and y; a NaN in either is NaN.
func (x *Array) Maximum(y any) *Array { return x.binary("maximum", y) }

// Minimum is the elementwise smaller of x and y; a NaN in either is NaN.
func (x *Array) Minimum(y any) *Array { return x.binary("minimum", y) }

// Arctan2 is the angle in [-π, π] of the point with ordinate x and abscissa y.
func (x *Array) Arctan2(y any) *Array { return x.binary("arctan2", y) }

// Hypot is √(x² + y²) without overflow on the way.
func (x *Array) Hypot(y any) *Array { return x.binary("hypot", y) }

// MatMul is the matrix product over the last axis of x and the last but one of y; leading axes broadcast, a vector
// is a row on the left and a column on the right.
func (x *Array) MatMul(y any) *Array { return x.binary("matmul", y) }

// Dot is NumPy's dot: the sum over the last axis of x and the last but one (of a vector, the only one) of y.
func (x *Array) Dot(y any) *Array { return x.binary("dot", y) }

// Equal is the bool array x == y.
func (x *Array) Equal(y any) *Array { return x.binary("equal", y) }

// NotEqual is the bool array x != y.
func (x *Array) NotEqual(y any) *Array { return x.binary("not_equal", y) }

// Less is the bool array x < y.
func (x *Array) Less(y any) *Array { return x.binary("less", y) }

// LessEqual is the bool array x <= y.
func (x *Array) LessEqual(y any) *Array { return x.binary("less_equal", y) }

// Greater is the bool array x > y.
func (x *Array) Greater(y any) *Array { return x.binary("greater", y) }

// GreaterEqual is the bool array x >= y.
func (x *Array) GreaterEqual(y any) *Array { return x.binary("greater_equal", y) }

// And is the bitwise and of integers or bools.
func (x *Array) And(y any) *Array { return x.binary("bitwise_and", y) }

// Or is the bitwise or of integers or bools.
func (x *Array) Or(y any) *Array { return x.binary("bitwise_or", y) }

// Xor is the bitwise exclusive or of integers or bools.
func (x *Array) Xor(y any) *Array { return x.binary("bitwise_xor", y) }

// Not is the bitwise complement of integers, the logical one of bools.
func (x *Array) Not() *Array { return x.unary("bitwise_not") }

// ShiftLeft is x << y for integers.
func (x *Array) ShiftLeft(y any) *Array { return x.binary("left_shift", y) }

// ShiftRight is x >> y for integers: signed types keep the sign.
func (x *Array) ShiftRight(y any) *Array { return x.binary("right_shift", y) }

// Neg is -x.
func (x *Array) Neg() *Array { return x.unary("negative") }

// Abs is the absolute value; of complex numbers the modulus, a real array.
func (x *Array) Abs() *Array { return x.unary("absolute") }

// Real is the real part.
func (x *Array) Real() *Array { return x.unary("real") }

// Imag is the imaginary part, zero for real arrays.
func (x *Array) Imag() *Array { return x.unary("imag") }

// Conj is the complex conjugate.
func (x *Array) Conj() *Array { return x.unary("conjugate") }

func (x *Array) reduce(op string, axes []int) *Array {
	return means(op).Reduce(op, x, false, axes...)
}

// Sum adds over the given axes, over all where none is given; negative ones count from the end. Bools and narrow
// integers are summed as int64 or uint64. The other reductions below take axes in the same way.
func (x *Array) Sum(axes ...int) *Array { return x.reduce("sum", axes) }

// Prod multiplies over axes, in the types of Sum.
func (x *Array) Prod(axes ...int) *Array { return x.reduce("prod", axes) }

// Max is the largest element over axes; a NaN wins. An empty axis is a ShapeError.
func (x *Array) Max(axes ...int) *Array { return x.reduce("max", axes) }

// Min is the smallest element over axes; a NaN wins. An empty axis is a ShapeError.
func (x *Array) Min(axes ...int) *Array { return x.reduce("min", axes) }

// Mean is the average over axes; integers give floats.
func (x *Array) Mean(axes ...int) *Array { return x.reduce("mean", axes) }

// Var is the mean squared distance from the mean over axes.
func (x *Array) Var(axes ...int) *Array { return x.reduce("var", axes) }

// Std is the square root of Var.
func (x *Array) Std(axes ...int) *Array { return x.reduce("std", axes) }

// Any reports over axes whether some element differs from zero.
func (x *Array) Any(axes ...int) *Array { return x.reduce("any", axes) }

// All reports over axes whether every element differs from zero.
func (x *Array) All(axes ...int) *Array { return x.reduce("all", axes) }

// Argmax is the position of the first largest element along one axis, or in the flattened array where none is given.
func (x *Array) Argmax(axis ...int) *Array { return x.reduce("argmax", axis) }

// Argmin is the position of the first smallest element along one axis, or in the flattened array where none is given.
func (x *Array) Argmin(axis ...int) *Array { return x.reduce("argmin", axis) }

// AsType converts to the type d: floats round once, a float becomes an integer by truncation and saturation, complex
// to real drops the imaginary part, anything to bool is x != 0.
func (x *Array) AsType(d DType) *Array { return means("astype").AsType(x, d) }
