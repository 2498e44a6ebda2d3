package primitive

import (
	"github.com/pantograph-go/pantograph/array"
)

// ArgmaxP is the index of the largest element along Axis, the first of equals; a NaN counts as the largest.
//
//	x [...] integer, bool or real float   →   [... without Axis] IndexDType, an integer type
//
// The axis must not be empty. The result carries no derivative.
type ArgmaxP struct {
	Axis       int
	IndexDType array.DType
}

// ArgminP is the index of the smallest element along Axis, the first of equals; a NaN counts as the smallest.
// See ArgmaxP.
type ArgminP struct {
	Axis       int
	IndexDType array.DType
}

// Name implements Primitive.
func (ArgmaxP) Name() string { return "argmax" }

// Name implements Primitive.
func (ArgminP) Name() string { return "argmin" }

// Params implements Parametric.
func (p ArgmaxP) Params() []Param { return argParams(p.Axis, p.IndexDType) }

// Params implements Parametric.
func (p ArgminP) Params() []Param { return argParams(p.Axis, p.IndexDType) }

func argParams(axis int, d array.DType) []Param {
	return []Param{{"axes", array.MakeInts(axis)}, {"index_dtype", d}}
}

// Shape implements Primitive.
func (p ArgmaxP) Shape(in []array.Aval) ([]array.Aval, error) {
	return argShape(in, p.Axis, p.IndexDType)
}

// Shape implements Primitive.
func (p ArgminP) Shape(in []array.Aval) ([]array.Aval, error) {
	return argShape(in, p.Axis, p.IndexDType)
}

func argShape(in []array.Aval, axis int, index array.DType) ([]array.Aval, error) {
	x, err := oneOperand(in)
	if err != nil {
		return nil, err
	}
	if !x.DType.IsInteger() && !x.DType.IsFloat() && x.DType != array.Bool {
		return nil, array.DTypeErrorf("operand is %s; it takes integers, bools and real floating-point numbers", x.DType)
	}
	if !index.IsInteger() {
		return nil, array.DTypeErrorf("index dtype is %s; it must be an integer type, such as int32", index)
	}
	if err := distinctAxes("axes", array.MakeInts(axis), x.Shape.Rank()); err != nil {
		return nil, err
	}
	if x.Shape[axis] == 0 {
		return nil, array.ShapeErrorf("axis %d of %s is empty: no element has an index", axis, x)
	}
	return []array.Aval{{Shape: x.Shape.Without(axis), DType: index}}, nil
}

// Argmax returns the index of the largest element along axis. See ArgmaxP.
func Argmax(x *array.Array, axis int, index array.DType) *array.Array {
	return Bind(ArgmaxP{axis, index}, x)
}

// Argmin returns the index of the smallest element along axis. See ArgminP.
func Argmin(x *array.Array, axis int, index array.DType) *array.Array {
	return Bind(ArgminP{axis, index}, x)
}
