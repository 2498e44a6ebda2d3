package trace_test

import (
	"os"
	"strings"
	"testing"

	"github.com/pantograph-go/pantograph/array"
	p "github.com/pantograph-go/pantograph/primitive"
	"github.com/pantograph-go/pantograph/trace"
)

// TestPrimitivesPrintAsJAX compares names and parameters; where lines break depends on parameters that are left out.
func TestPrimitivesPrintAsJAX(t *testing.T) {
	type A = *array.Array
	ints := array.MakeInts
	x3, x23, x234 := f32(3), f32(2, 3), f32(2, 3, 4)
	programs := map[string]*trace.Closed{
		"reduce_sum":       trace.Of(func(x A) A { return p.ReduceSum(x, 0, 2) }, x234),
		"reduce_max":       trace.Of(func(x A) A { return p.ReduceMax(x, 1) }, x23),
		"argmax":           trace.Of(func(x A) A { return p.Argmax(x, 1, array.Int32) }, x23),
		"cumsum":           trace.Of(func(x A) A { return p.CumSum(x, 0, true) }, x3),
		"convert":          trace.Of(func(x A) A { return p.Convert(x, array.Int32) }, x3),
		"bitcast":          trace.Of(func(x A) A { return p.BitcastConvert(x, array.Uint32) }, x3),
		"integer_pow":      trace.Of(func(x A) A { return p.IntegerPow(x, 3) }, x3),
		"round":            trace.Of(p.RoundNearestEven, x3),
		"reduce_precision": trace.Of(func(x A) A { return p.ReducePrecision(x, 5, 10) }, x3),
		"iota":             trace.Of(func() A { return p.Iota(array.Int32, array.Shape{2, 3}, 1) }),
		"broadcast":        trace.Of(func(x A) A { return p.BroadcastInDim(x, array.Shape{2, 3}, []int{1}) }, x3),
		"reshape":          trace.Of(func(x A) A { return p.Reshape(x, array.Shape{6}) }, x23),
		"transpose":        trace.Of(func(x A) A { return p.Transpose(x, []int{1, 0, 2}) }, x234),
		"rev":              trace.Of(func(x A) A { return p.Rev(x, 0) }, x23),
		"squeeze":          trace.Of(func(x A) A { return p.Squeeze(x, 0) }, f32(1, 3)),
		"concatenate":      trace.Of(func(x, y A) A { return p.Concatenate(1, x, y) }, x23, f32(2, 4)),
		"pad": trace.Of(func(x A) A {
			return p.Pad(x, scalar(0), []p.PadDim{{Lo: 1, Hi: 2}, {Hi: -1, Interior: 1}})
		}, x23),
		"slice":              trace.Of(func(x A) A { return p.Slice(x, []int{0, 1}, []int{2, 3}, nil) }, x23),
		"slice with strides": trace.Of(func(x A) A { return p.Slice(x, []int{0, 0}, []int{2, 3}, []int{1, 2}) }, x23),
		"select":             trace.Of(p.Select, trace.Spec(array.Bool, 3), x3, x3),
		"clamp":              trace.Of(func(x A) A { return p.Clamp(scalar(0), x, scalar(1)) }, x3),
		"dot": trace.Of(func(x, y A) A {
			dims := p.DotDims{Contract: [2]array.Ints{ints(2), ints(1)}, Batch: [2]array.Ints{ints(0), ints(0)}}
			return p.DotGeneral(x, y, dims, array.Float32)
		}, f32(5, 2, 3), f32(5, 3, 4)),
		"sort":  trace.Of(func(x A) []A { return p.Sort(0, 1, x) }, x3),
		"top_k": trace.Of(func(x A) (A, A) { return p.TopK(x, 2) }, x3),
		"conv": trace.Of(func(x, w A) A {
			c := p.ConvParams{Strides: ints(1, 1), PadLo: ints(1, 1), PadHi: ints(1, 1)}
			return p.ConvGeneralDilated(x, w, c)
		}, f32(1, 3, 8, 8), f32(2, 3, 3, 3)),
		"atan2":     trace.Of(p.Atan2, x3, x3),
		"is_finite": trace.Of(p.IsFinite, x3),
		"stop":      trace.Of(func(x A) []A { return p.OptimizationBarrier(x, x) }, x3),
	}
	recorded, err := os.ReadFile("testdata/primitives.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, section := range strings.Split(string(recorded), "\n-- ")[1:] {
		name, rest, _ := strings.Cut(section, " --\n")
		_, want, _ := strings.Cut(rest, "\n") // the program
		c, ok := programs[name]
		if !ok {
			t.Errorf("no program %s", name)
			continue
		}
		check(t, c.Jaxpr)
		if got, want := oneLine(c.String()), oneLine(want); got != want {
			t.Errorf("%s:\ngot  %s\nwant %s", name, got, want)
		}
	}
}

func oneLine(s string) string {
	return strings.NewReplacer("[ ", "[", " ]", "]").Replace(strings.Join(strings.Fields(s), " "))
}
