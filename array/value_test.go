package array

import (
	"errors"
	"math"
	"strings"
	"testing"
	"time"
)

func TestFromValue(t *testing.T) {
	type celsius float32
	b := NewBuffer(Int8, Shape{2})
	x := Of(b)
	for _, tt := range []struct {
		v          any
		aval, text string
	}{
		{3, "i64*[]", "3"},
		{2.5, "f64*[]", "2.5"},
		{2i, "c128*[]", "2j"},
		{true, "bool[]", "True"},
		{float32(1), "f32[]", "1.0"},
		{int8(-3), "i8[]", "-3"},
		{uint(7), "u64[]", "7"},
		{uint64(math.MaxUint64), "u64[]", "18446744073709551615"},
		{complex64(1 + 2i), "c64[]", "(1+2j)"},
		{celsius(20), "f32[]", "20.0"},
		{time.Nanosecond, "i64[]", "1"},
		{[]float64{1, 2}, "f64[2]", "[1. 2.]"},
		{[]float32{1, 2}, "f32[2]", "[1. 2.]"},
		{[]int{1, 2}, "i64[2]", "[1 2]"},
		{[]bool{true}, "bool[1]", "[ True]"},
		{[]uint8{1, 2}, "u8[2]", "[1 2]"},
		{[]celsius{1}, "f32[1]", "[1.]"},
		{[][]int{{1, 2}, {3, 4}}, "i64[2,2]", "[[1 2]\n [3 4]]"},
		{[2][1]int16{{5}, {6}}, "i16[2,1]", "[[5]\n [6]]"},
		{[][]float64{}, "f64[0,0]", "[]"},
		{[][3]float64{}, "f64[0,0]", "[]"},
		{[]complex128{1i}, "c128[1]", "[0.+1.j]"},
		{x, "i8[2]", "[0 0]"},
		{b, "i8[2]", "[0 0]"},
	} {
		got, err := FromValue(tt.v)
		if err != nil {
			t.Errorf("%T: %v", tt.v, err)
			continue
		}
		if got.Aval().String() != tt.aval || got.String() != tt.text {
			t.Errorf("%T %v: got %s %s, want %s %s", tt.v, tt.v, got.Aval(), got, tt.aval, tt.text)
		}
	}
	src := []float64{1}
	got, _ := FromValue(src)
	src[0] = 9
	if got.Float() != 1 {
		t.Error("the array shares memory with the slice")
	}
}

func TestFromValueErrors(t *testing.T) {
	var shape *ShapeError
	if _, err := FromValue([][]int{{1, 2}, {3}}); !errors.As(err, &shape) || !strings.Contains(err.Error(), "axis 1") {
		t.Errorf("ragged: %v", err)
	}
	for _, v := range []any{nil, (*Array)(nil), (*Buffer)(nil), "3", struct{}{}, []*Array{}, map[string]int{}, func() {}} {
		var arg *ArgumentError
		if _, err := FromValue(v); !errors.As(err, &arg) {
			t.Errorf("%T: %v", v, err)
		}
	}
}

func of(t *testing.T, v any) *Array {
	t.Helper()
	x, err := FromValue(v)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// caught returns the error that f panics with.
func caught(t *testing.T, f func()) (e *Error) {
	t.Helper()
	defer func() {
		t.Helper()
		r := recover()
		var ok bool
		if e, ok = r.(*Error); !ok {
			t.Fatalf("panicked with %v, want an *Error", r)
		}
	}()
	f()
	return nil
}

func TestRead(t *testing.T) {
	if v := of(t, []float32{0.5, 2}).Float64s(); v[0] != 0.5 || v[1] != 2 {
		t.Error(v)
	}
	if v := of(t, []int8{-1, 2}).Ints(); v[0] != -1 || v[1] != 2 {
		t.Error(v)
	}
	if v := of(t, []int{0, 3}).Bools(); v[0] || !v[1] {
		t.Error(v)
	}
	if v := of(t, []float64{3}).Complex128s(); v[0] != 3 {
		t.Error(v)
	}
	if v := of(t, []float64{3}).Float32s(); v[0] != 3 {
		t.Error(v)
	}
	for _, tt := range []struct{ v, want any }{{true, true}, {3, int64(3)}, {uint8(3), uint64(3)}, {1.5, 1.5}, {2i, 2i}} {
		if got := of(t, tt.v).Item(); got != tt.want {
			t.Errorf("Item of %v is %v (%T)", tt.v, got, got)
		}
	}
	if !of(t, 2).Bool() || of(t, []int{7}).Int() != 7 || of(t, 1.5).Float() != 1.5 || of(t, 3).Complex() != 3 {
		t.Error("scalars")
	}
	var (
		shape *ShapeError
		dtype *DTypeError
	)
	if e := caught(t, func() { of(t, []int{1, 2}).Int() }); !errors.As(e, &shape) || e.Pos.File == "" {
		t.Error(e)
	}
	if e := caught(t, func() { of(t, 1.5).Int() }); !errors.As(e, &dtype) {
		t.Error(e)
	}
	if e := caught(t, func() { of(t, 1i).Float64s() }); !errors.As(e, &dtype) {
		t.Error(e)
	}
}

type fakeTracer struct{ known *Array }

func (fakeTracer) Describe() string   { return "traced value a:f32[3] of jit(step)" }
func (f fakeTracer) Concrete() *Array { return f.known }

func TestReadTraced(t *testing.T) {
	x := FromTracer(Aval{Shape: Shape{}, DType: Float32}, fakeTracer{})
	e := caught(t, func() { x.Float() })
	var c *ConcretizationError
	if !errors.As(e, &c) {
		t.Fatal(e)
	}
	for _, want := range []string{"value_test.go:", "a:f32[3] of jit(step)", "flow.Cond", "np.Where"} {
		if !strings.Contains(e.Error(), want) {
			t.Errorf("%q is not in %q", want, e)
		}
	}
	if x.IsConcrete() || x.String() != "Traced<f32[]>" {
		t.Errorf("traced value prints %s", x)
	}
	nested := FromTracer(x.Aval(), fakeTracer{FromTracer(x.Aval(), fakeTracer{of(t, float32(4))})})
	if nested.Float() != 4 {
		t.Error("a known value must be readable through two derivatives")
	}
}
