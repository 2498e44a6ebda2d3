package primitive_test

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pantograph-go/pantograph/array"
	. "github.com/pantograph-go/pantograph/primitive"
	"github.com/pantograph-go/pantograph/trace"
)

// checkError wants an error of a kind that says something and names the line of the test, which is the user here.
func checkError(t *testing.T, err error, kind, says string) {
	t.Helper()
	var e *array.Error
	if !errors.As(err, &e) {
		t.Errorf("got %v, want an *array.Error that says %q", err, says)
		return
	}
	if got := fmt.Sprintf("%T", e.Err); got != kind {
		t.Errorf("got a %s (%v), want a %s", got, err, kind)
	}
	if !strings.Contains(err.Error(), says) {
		t.Errorf("got %q, want it to say %q", err, says)
	}
	if file := filepath.Base(e.Pos.File); !strings.HasSuffix(file, "_test.go") || e.Pos.Line == 0 {
		t.Errorf("%v: names %s, not the line of the test", err, e.Pos)
	}
}

func TestErrors(t *testing.T) {
	x, y, i := zeros(array.Shape{2, 3}), zeros(array.Shape{3}), Full(array.Aval{Shape: array.Shape{2, 3}, DType: array.Int32}, 1)
	z, p := Full(array.Aval{DType: array.Int32}, 0), Full(array.Aval{Shape: array.Shape{2, 3}, DType: array.Bool}, 1)
	for _, tt := range []struct {
		f    func()
		kind string
		says string
	}{
		{func() { Add(x, y) }, "*array.ShapeError", "lhs is f64[2,3], rhs is f64[3]; the operands must have one shape"},
		{func() { Mul(x, i) }, "*array.DTypeError", "lhs is f64[2,3], rhs is i32[2,3]; the operands must have one dtype"},
		{func() { Sin(i) }, "*array.DTypeError", "operand is int32; it takes floats and complex numbers"},
		{func() { Abs(p) }, "*array.DTypeError", "operand is bool"},
		{func() { And(x, x) }, "*array.DTypeError", "it takes bools and integers"},
		{func() { Lt(Complex(x, x), Complex(x, x)) }, "*array.DTypeError", "lhs is complex128; it takes bools, integers and floats"},
		{func() { Pow(i, i) }, "*array.DTypeError", "base is int32"},
		{func() { IntegerPow(i, -2) }, "*array.DTypeError", "negative power -2"},
		{func() { Complex(Convert(x, array.Float16), Convert(x, array.Float16)) }, "*array.DTypeError", "parts of float32 or float64"},
		{func() { Convert(x, array.NewKeyType("fry", array.Shape{2})) }, "*array.DTypeError", "cannot convert"},
		{func() { BitcastConvert(p, array.Int8) }, "*array.DTypeError", "the bits of bool[2,3] cannot be read as int8"},
		{func() { BitcastConvert(Convert(x, array.Int8), array.Int64) }, "*array.ShapeError", "the last axis must have 8 elements"},
		{func() { ReducePrecision(x, 0, 2) }, "*array.ArgumentError", "does not exist"},
		{func() { SelectN(p, x, x, x) }, "*array.ArgumentError", "a bool selects among two cases, got 3"},
		{func() { Select(x, x, x) }, "*array.DTypeError", "selector is float64"},
		{func() { Select(p, x, y) }, "*array.ShapeError", "the cases must have one shape"},
		{func() { Select(Slice(p, []int{0, 0}, []int{1, 3}, nil), x, x) }, "*array.ShapeError", "selector is bool[1,3], the cases are f64[2,3]"},
		{func() { Clamp(y, x, x) }, "*array.ShapeError", "lower bound is f64[3], operand is f64[2,3]"},
		{func() { Iota(array.Bool, array.Shape{2}, 0) }, "*array.DTypeError", "bool does not count"},
		{func() { Iota(array.Int32, array.Shape{2}, 1) }, "*array.AxisError", "1 is out of range"},
		{func() { BroadcastInDim(y, array.Shape{3, 2}, []int{1}) }, "*array.ShapeError", "axis 0 of f64[3] has 3 elements and cannot become axis 1 of [3,2], which has 2"},
		{func() { BroadcastInDim(x, array.Shape{3, 2}, []int{1, 0}) }, "*array.AxisError", "must ascend"},
		{func() { ExpandDims(x, 5) }, "*array.AxisError", "out of range"},
		{func() { Reshape(x, array.Shape{4}) }, "*array.ShapeError", "f64[2,3] has 6 elements, shape [4] has 4"},
		{func() { Squeeze(x, 0) }, "*array.ShapeError", "axis 0 of f64[2,3] has size 2"},
		{func() { Transpose(x, []int{0, 0}) }, "*array.AxisError", "names axis 0 twice"},
		{func() { Rev(x, 2) }, "*array.AxisError", "out of range"},
		{func() { Pad(x, x, make([]PadDim, 2)) }, "*array.ShapeError", "it must be a scalar"},
		{func() { Pad(y, Full(array.Aval{DType: array.Float64}, 0), []PadDim{{Lo: -2, Hi: -2}}) }, "*array.ShapeError", "cuts more than axis 0 of f64[3] has"},
		{func() { Concatenate(0, x, y) }, "*array.ShapeError", "operand 0 is f64[2,3], operand 1 is f64[3]"},
		{func() { Slice(y, []int{1}, []int{4}, nil) }, "*array.ShapeError", "slice 1:4 does not lie inside axis 0 of f64[3]"},
		{func() { DynamicSlice(y, []*array.Array{z}, []int{4}) }, "*array.ShapeError", "slice size 4 of axis 0"},
		{func() { DynamicSlice(y, []*array.Array{y}, []int{1}) }, "*array.DTypeError", "it must be a scalar integer"},
		{func() { DynamicUpdateSlice(y, x, []*array.Array{z}) }, "*array.ShapeError", "they must have one rank"},
		{func() { Neg(nil) }, "*array.ArgumentError", "nil array"},
	} {
		checkError(t, trace.Try(tt.f), tt.kind, tt.says)
	}
}
