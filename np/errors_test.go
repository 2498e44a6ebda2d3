package np_test

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/jit"
	"github.com/pantograph-go/pantograph/np"
	"github.com/pantograph-go/pantograph/trace"
)

// TestErrors checks for each mistake its kind, words of its message, and that it names the caller's line.
func TestErrors(t *testing.T) {
	x := np.Arange(6).Reshape(2, 3)
	var (
		shape    *array.ShapeError
		dtype    *array.DTypeError
		axis     *array.AxisError
		argument *array.ArgumentError
	)
	for _, tt := range []struct {
		kind any
		want string
		f    func()
	}{
		{&shape, "[2,3] and [4]", func() { np.Add(x, np.Ones([]int{4})) }},
		{&shape, "6 elements do not fit", func() { np.Reshape(x, 4, -1) }},
		{&shape, "contract", func() { np.MatMul(x, x) }},
		{&shape, "axis 0 of size 2", func() { np.Split(x, 4) }},
		{&shape, "the first is [2,3], number 1 is [3]", func() { np.Stack([]*np.Array{x, np.Arange(3)}) }},
		{&shape, "differ along axis 0 only", func() { np.Concatenate([]*np.Array{x, np.Ones([]int{2, 2})}) }},
		{&shape, "negative", func() { np.Zeros([]int{-1}) }},
		{&shape, "empty", func() { np.Max(np.Zeros([]int{0})) }},
		{&shape, "label j has sizes 3 and 2", func() { np.Einsum("ij,jk->ik", x, x) }},
		{&shape, "2 numbers do not fill", func() { np.FromSlice([]int{1, 2}, 3) }},
		{&dtype, "bfloat16 and float8", func() { np.Add(x.AsType(np.BFloat16), x.AsType(np.Float8E4M3FN)) }},
		{&dtype, "complex", func() { np.Floor(1i) }},
		{&dtype, "must be bool", func() { np.Sum(x, np.Masked(x)) }},
		{&dtype, "integers", func() { np.Take(x, 0.5) }},
		{&axis, "axis 2", func() { np.Sum(x, np.Axis(2)) }},
		{&axis, "twice", func() { np.Sum(x, np.Axis(0, -2)) }},
		{&axis, "axis -3", func() { np.Flip(x, -3) }},
		{&axis, "needs an Axis", func() { np.CumulativeSum(x, false) }},
		{&argument, "does not take As; it takes Axis, KeepDims, Initial, Masked", func() { np.Max(x, np.As(np.Int8)) }},
		{&argument, "does not take the zero Option", func() { np.Max(x, np.Option{}) }},
		{&argument, "needs Initial", func() { np.Max(x, np.Masked(x.Equal(1))) }},
		{&argument, "none of full, same, valid", func() { np.Convolve([]float64{1}, []float64{1}, np.Mode("half")) }},
		{&argument, "is not an array", func() { np.Sin("x") }},
		{&argument, "nil", func() { np.Sin(nil) }},
		{&argument, "out of bounds for axis 0 of size 2", func() { x.At(2) }},
		{&argument, "the step is 0", func() { np.Arange(0, 3, 0) }},
		{&argument, "2 terms for 1 operands", func() { np.Einsum("i,i", np.Arange(3)) }},
		{&argument, "the result is in no operand", func() { np.Einsum("i->j", np.Arange(3)) }},
	} {
		_, _, line, _ := runtime.Caller(0)
		err := trace.Try(tt.f)
		if err == nil || !errors.As(err, tt.kind) || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("got %v, want a %T with %q", err, tt.kind, tt.want)
			continue
		}
		var e *array.Error
		if !errors.As(err, &e) || !strings.HasSuffix(e.Pos.File, "errors_test.go") || e.Pos.Line >= line {
			t.Errorf("%v does not name the line of the call", err)
		}
	}
}

// TestTracedShapes checks that what needs values says so while tracing, and that the way out it names works.
func TestTracedShapes(t *testing.T) {
	x := np.Of([]int{0, 3, 0, 5})
	var c *array.ConcretizationError
	for name, f := range map[string]func(x *np.Array) *np.Array{
		"nonzero": func(x *np.Array) *np.Array { return np.Nonzero(x)[0] },
		"unique":  func(x *np.Array) *np.Array { return np.Unique(x) },
		"mask":    func(x *np.Array) *np.Array { return x.At(x.Greater(0)).Get() },
		"if": func(x *np.Array) *np.Array {
			if x.Sum().Greater(3).Bool() {
				return x
			}
			return x.Neg()
		},
	} {
		if err := trace.Try(func() { jit.Of(f).Call(x) }); !errors.As(err, &c) {
			t.Errorf("%s: got %v, want a ConcretizationError", name, err)
		}
	}
	got := jit.Of(func(x *np.Array) *np.Array {
		return np.Nonzero(x, np.Length(3), np.FillValue(-1))[0]
	}).Call(x)
	if fmt.Sprint(got) != "[ 1  3 -1]" {
		t.Errorf("nonzero with a length: %v", got)
	}
}
