package primitive_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/pantograph-go/pantograph/array"
	. "github.com/pantograph-go/pantograph/primitive"
	"github.com/pantograph-go/pantograph/trace"
)

func ramp(shape ...int) *array.Array {
	x := Iota(array.Float64, array.Shape{array.Shape(shape).Size()}, 0)
	return Reshape(x, shape)
}

func int32Of(v int) *array.Array { return Full(array.Aval{DType: array.Int32}, float64(v)) }

func TestAlongAxis(t *testing.T) {
	x := ramp(2, 4) // 0 1 2 3 / 4 5 6 7
	for _, c := range []struct {
		what string
		got  *array.Array
		want []float64
	}{
		{"SliceInDim", SliceInDim(x, -3, 4, 2, 1), []float64{1, 3, 5, 7}},
		{"IndexInDim", IndexInDim(x, -1, -1, false), []float64{3, 7}},
		{"DynamicSliceInDim", DynamicSliceInDim(x, int32Of(-3), 2, 1), []float64{1, 2, 5, 6}},
		{"DynamicSliceInDim past the end", DynamicSliceInDim(x, int32Of(9), 2, 1), []float64{2, 3, 6, 7}},
		{"DynamicIndexInDim", DynamicIndexInDim(x, int32Of(1), 0, false), []float64{4, 5, 6, 7}},
		{"DynamicUpdateIndexInDim", DynamicUpdateIndexInDim(x, ramp(2), int32Of(-1), 1), []float64{0, 1, 2, 0, 4, 5, 6, 1}},
		{"Split", Split(x, []int{1, 0, 3}, 1)[2], []float64{1, 2, 3, 5, 6, 7}},
		{"Unstack", Unstack(x, -1)[2], []float64{2, 6}},
		{"Tile", Tile(ramp(1, 2), 2, 2), []float64{0, 1, 0, 1, 0, 1, 0, 1}},
		{"IndexTake", IndexTake(x, []*array.Array{Convert(ramp(2), array.Int32), Convert(ramp(2), array.Int32)}, []int{1, 0}), []float64{0, 5}},
	} {
		if got := c.got.Float64s(); !slices.Equal(got, c.want) {
			t.Errorf("%s is %v, want %v", c.what, got, c.want)
		}
	}
	for name, f := range map[string]func(){
		"an axis":     func() { SliceInDim(x, 0, 1, 1, 2) },
		"an index":    func() { IndexInDim(x, 4, 1, true) },
		"sizes":       func() { Split(x, []int{1, 2}, 1) },
		"repetitions": func() { Tile(x, 2) },
		"groups":      func() { RaggedDot(x, x, x) },
		"a padding":   func() { ConvTranspose(ramp(1, 1, 4), ramp(1, 1, 2), ConvParams{}, "HALF", false) },
		"a filter":    func() { ConvGeneralDilatedPatches(x, []int{2}, ConvParams{}) },
	} {
		var e *array.Error
		if err := trace.Try(f); !errors.As(err, &e) {
			t.Errorf("%s that does not fit is not refused: %v", name, err)
		}
	}
}

// The transposed convolution with a transposed kernel is the adjoint of the strided one: <y, conv x> = <conv' y, x>.
func TestConvTransposeIsTheAdjoint(t *testing.T) {
	x, w, y := ramp(1, 2, 9), ramp(3, 2, 3), ramp(1, 3, 4)
	c := ConvParams{Strides: array.MakeInts(2)}
	dot := func(a, b *array.Array) float64 { return ReduceSum(Mul(a, b), 0, 1, 2).Float() }
	forward := ConvGeneralDilated(x, w, c)
	back := ConvTranspose(y, w, c, "VALID", true)
	if a, b := dot(y, forward), dot(back, x); a != b {
		t.Errorf("<y, conv x> is %v, <conv' y, x> %v", a, b)
	}
}

// Patches times a flat kernel are the convolution, and a local kernel that is the same everywhere too.
func TestPatches(t *testing.T) {
	x, w := ramp(2, 2, 5, 4), ramp(3, 2, 2, 3)
	c := ConvParams{Strides: array.MakeInts(1, 2), PadLo: array.MakeInts(1, 0), PadHi: array.MakeInts(0, 2)}
	want := ConvGeneralDilated(x, w, c)
	flat := Reshape(w, array.Shape{3, 12, 1, 1})
	if got := ConvGeneralDilated(ConvGeneralDilatedPatches(x, []int{2, 3}, c), flat, ConvParams{}); !slices.Equal(got.Float64s(), want.Float64s()) {
		t.Errorf("by patches the convolution is %v, want %v", got, want)
	}
	everywhere := BroadcastInDim(Reshape(w, array.Shape{3, 12}), slices.Concat(array.Shape{3, 12}, want.Shape()[2:]), []int{0, 1})
	if got := ConvGeneralDilatedLocal(x, everywhere, []int{2, 3}, c); !slices.Equal(got.Float64s(), want.Float64s()) {
		t.Errorf("with local kernels the convolution is %v, want %v", got, want)
	}
}

func TestRaggedDot(t *testing.T) {
	x, w := ramp(4, 2), ramp(2, 2, 1) // rows 0 1, 2 3, 4 5, 6 7; columns 0 1 and 2 3
	got := RaggedDot(x, w, Convert(Add(ramp(2), Full(array.Aval{DType: array.Float64}, 1)), array.Int32)).Float64s()
	if want := []float64{1, 4 + 9, 8 + 15, 0}; !slices.Equal(got, want) {
		t.Errorf("groups of 1 and 2 rows give %v, want %v", got, want)
	}
}
