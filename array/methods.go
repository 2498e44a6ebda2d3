package array

// Methods is what the methods of an Array mean: NumPy's broadcasting and promotion over primitives. It is the first of
// the two seams that go up: array lies below primitive, which implements it in methods.go and sets it when it is
// initialised.
type Methods interface {
	// Binary applies a two-operand function by its NumPy name (add, multiply, less, …); an operand is an *Array or a Go number.
	Binary(op string, x, y any) *Array
	// Unary applies a one-operand function by its NumPy name (negative, absolute, …).
	Unary(op string, x *Array) *Array
	// Reduce applies sum, prod, max, min, mean, any, all, argmax, argmin over axes; none given means all.
	Reduce(op string, x *Array, keepDims bool, axes ...int) *Array
}

var methods Methods

// SetMethods gives the methods of Array their meaning. Only package primitive calls it.
func SetMethods(m Methods) { methods = m }
