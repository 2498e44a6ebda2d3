package primitive_test

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/jit"
	"github.com/pantograph-go/pantograph/trace"
)

// TestArithmeticMethods has values of NumPy (Python for whole numbers), where floor, sign and zero matter.
func TestArithmeticMethods(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	floats := func(v ...float64) *array.Array { return array.MustValue("test", v) }
	ints := func(v ...int) *array.Array { return array.MustValue("test", v) }
	bools := array.MustValue("test", []bool{true, false})
	for _, tt := range []struct {
		name string
		got  *array.Array
		want any
	}{
		{"floor_divide", floats(7, -7, 7, 1, 5, -5, 6).FloorDiv(floats(2, 2, -2, 0, inf, inf, 0.1)), []float64{3, -4, -4, inf, 0, -1, 59}},
		{"remainder", floats(7, -7, 7, 1, 5).Mod(floats(2, 2, -2, 0, inf)), []float64{1, 1, -1, nan, 5}},
		{"floor_divide of integers", ints(7, -7, 7, -6).FloorDiv(ints(2, 2, -2, 3)), []int{3, -4, -4, -2}},
		{"remainder of integers", ints(7, -7, 7, -6).Mod(ints(2, 2, -2, 3)), []int{1, 1, -1, 0}},
		{"true_divide of integers", ints(1, 2).Div(4), []float64{0.25, 0.5}},
		{"power", floats(2, 0, -3).Pow(3), []float64{8, 0, -27}},
		{"power of integers", ints(2, 3, 0, -1).Pow(ints(10, 5, 0, 63)), []int{1024, 243, 1, -1}},
		{"power with a fraction", floats(4, 9).Pow(0.5), []float64{2, 3}},
		{"add of bools", bools.Add([]bool{false, false}), []bool{true, false}},
		{"multiply of bools", bools.Mul([]bool{true, true}), []bool{true, false}},
		{"right_shift keeps the sign", ints(-8, 8).ShiftRight(1), []int{-4, 4}},
		{"maximum with NaN", floats(1, nan).Maximum(2), []float64{2, nan}},
		{"matmul of vectors", floats(1, 2).MatMul(floats(3, 4)), 11.0},
		{"mean", ints(1, 2).Mean(), 1.5},
		{"var", floats(1, 3).Var(), 1.0},
		{"sum of bools", bools.Sum(), 1},
		{"any", floats(0, 2).Any(), true},
		{"all", floats(0, 2).All(), false},
		{"argmax", floats(1, 5, 5).Argmax(), 1},
	} {
		want := array.MustValue("test", tt.want)
		if got := fmt.Sprint(tt.got); got != fmt.Sprint(want) || tt.got.DType() != want.DType() {
			t.Errorf("%s: got %s %s, want %s %s", tt.name, tt.got.Aval(), got, want.Aval(), want)
		}
	}
}

func TestBroadcastingMethods(t *testing.T) {
	x := array.Of(array.FromSlice(array.Float32, array.Shape{2, 1, 3}, []float32{1, 2, 3, 4, 5, 6}))
	y := array.Of(array.FromSlice(array.Int32, array.Shape{2, 1}, []int32{10, 20}))
	z := x.Add(y)
	if got, want := z.Aval().String(), "f32[2,2,3]"; got != want {
		t.Fatalf("got %s, want %s", got, want)
	}
	if got, want := z.Ravel().Float32s(), []float32{11, 12, 13, 21, 22, 23, 14, 15, 16, 24, 25, 26}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	for _, tt := range []struct{ x, y, want array.Shape }{
		{array.Shape{3}, array.Shape{3}, array.Shape{}},
		{array.Shape{2, 3}, array.Shape{3}, array.Shape{2}},
		{array.Shape{3}, array.Shape{3, 2}, array.Shape{2}},
		{array.Shape{4, 2, 3}, array.Shape{3, 5}, array.Shape{4, 2, 5}},
		{array.Shape{2, 3}, array.Shape{4, 3, 5}, array.Shape{4, 2, 5}},
		{array.Shape{4, 1, 2, 3}, array.Shape{5, 3, 1}, array.Shape{4, 5, 2, 1}},
		{array.Shape{3}, array.Shape{4, 3, 5}, array.Shape{4, 5}},
	} {
		z := zeros(tt.x).MatMul(zeros(tt.y))
		if !z.Shape().Equal(tt.want) {
			t.Errorf("matmul of %s and %s: got %s, want %s", tt.x, tt.y, z.Shape(), tt.want)
		}
	}
}

func zeros(s array.Shape) *array.Array { return array.Of(array.NewBuffer(array.Float64, s)) }

// TestIndexing compares reading and updating with loops over the index itself.
func TestIndexing(t *testing.T) {
	shape := array.Shape{4, 3, 5}
	x := array.Of(array.FromSlice(array.Int64, shape, numbered(60)))
	for _, index := range [][]any{
		{1}, {-1, "..."}, {"1:3"}, {"::2, ::-1"}, {":, 1, ::-2"}, {"...", 0}, {"3:0:-2", 1}, {"2:2"},
		{[]int{2, 0, -1}}, {"1:", []int{2, 0}}, {[]int{3, 1}, []int{2, 0}}, {[]int{3, 1}, ":", []int{4, -5}}, {"::2", []int{1, 1}, "1:4"},
		{2, []int{0, 2}}, {[][]int{{0, 1}, {2, 3}}, "0:2"}, {0, 1, 2},
	} {
		name := fmt.Sprint(index)
		at := x.At(index...)
		where := positions(x, index)
		got := at.Get()
		if want := picked(x, where); !slices.Equal(got.Ravel().Int64s(), want) {
			t.Errorf("x[%s]: got %v, want %v", name, got, want)
		}
		if !got.Shape().Equal(at.Shape()) {
			t.Errorf("x[%s] has shape %s, the index says %s", name, got.Shape(), at.Shape())
		}
		y := array.Of(array.FromSlice(array.Int64, at.Shape(), numbered(at.Shape().Size()))).Sub(3)
		for op, f := range map[string]func(old, new int64) int64{
			"add": func(a, b int64) int64 { return a + b }, "multiply": func(a, b int64) int64 { return a * b },
			"min": func(a, b int64) int64 { return min(a, b) }, "max": func(a, b int64) int64 { return max(a, b) },
			"set": func(_, b int64) int64 { return b },
		} {
			apply := map[string]func(any) *array.Array{"add": at.Add, "multiply": at.Mul, "min": at.Min, "max": at.Max, "set": at.Set}[op]
			if op == "set" && repeats(where) {
				continue // which of two remains is not defined
			}
			want := slices.Clone(x.Ravel().Int64s())
			for i, v := range y.Ravel().Int64s() {
				want[where[i]] = f(want[where[i]], v)
			}
			if got := apply(y); !slices.Equal(got.Ravel().Int64s(), want) {
				t.Errorf("x[%s] %s: got %v, want %v", name, op, got.Ravel().Int64s(), want)
			}
		}
	}
}

func numbered(n int) []int64 {
	v := make([]int64, n)
	for i := range v {
		v[i] = int64(i)
	}
	return v
}

func picked(x *array.Array, where []int64) []int64 {
	out, v := []int64{}, x.Ravel().Int64s()
	for _, i := range where {
		out = append(out, v[i])
	}
	return out
}

func repeats(v []int64) bool {
	s := slices.Clone(v)
	slices.Sort(s)
	return len(slices.Compact(s)) < len(v)
}

// positions is what an index selects, as places in the flattened array, found by the rule itself: an array of places is
// cut along one axis after the other, those with arrays together.
func positions(x *array.Array, index []any) []int64 {
	type axis struct {
		at   []int64
		drop bool
		adv  []int64 // positions of an index array
	}
	shape := x.Shape()
	axes := make([]axis, 0, len(shape))
	add := func(a axis) { axes = append(axes, a) }
	var items []any
	for _, it := range index {
		if s, ok := it.(string); ok {
			for _, part := range strings.Split(s, ",") {
				if n, err := strconv.Atoi(strings.TrimSpace(part)); err == nil {
					items = append(items, n)
					continue
				}
				items = append(items, strings.TrimSpace(part))
			}
			continue
		}
		items = append(items, it)
	}
	for i, it := range items {
		n := len(shape)
		switch it := it.(type) {
		case string:
			if it == "..." {
				for len(axes)+len(items)-i-1 < n {
					add(axis{at: pythonSlice(":", shape[len(axes)])})
				}
				continue
			}
			add(axis{at: pythonSlice(it, shape[len(axes)])})
		case int:
			add(axis{adv: []int64{int64(it)}, drop: true})
		default:
			add(axis{adv: array.MustValue("test", it).Ravel().Int64s()})
		}
	}
	for len(axes) < len(shape) {
		add(axis{at: pythonSlice(":", shape[len(axes)])})
	}
	// Axes in the order of the result: those of arrays as one, where the first stands, or in front when apart.
	count, first, last := 1, -1, -1
	for i, a := range axes {
		if a.adv != nil && !a.drop || a.drop && anyArray(index) {
			count = max(count, len(a.adv))
			if first < 0 {
				first = i
			}
			last = i
		}
	}
	apart := false
	for i := first; first >= 0 && i <= last; i++ {
		apart = apart || axes[i].adv == nil
	}
	strides := shape.Strides()
	out := []int64{0}
	extend := func(n int, place func(k int) int64) {
		var next []int64
		for _, o := range out {
			for k := range n {
				next = append(next, o+place(k))
			}
		}
		out = next
	}
	arrays := func() {
		extend(count, func(k int) (sum int64) {
			for i, a := range axes {
				if a.adv != nil {
					p := a.adv[min(k, len(a.adv)-1)]
					if p < 0 {
						p += int64(shape[i])
					}
					sum += p * int64(strides[i])
				}
			}
			return sum
		})
	}
	if apart || first < 0 {
		arrays()
	}
	for i, a := range axes {
		if i == first && !apart {
			arrays()
		}
		if a.adv == nil {
			extend(len(a.at), func(k int) int64 { return a.at[k] * int64(strides[i]) })
		}
	}
	return out
}

func anyArray(index []any) bool {
	return slices.ContainsFunc(index, func(v any) bool { _, s := v.(string); _, n := v.(int); return !s && !n })
}

// pythonSlice lists the positions of a slice of n elements, as Python's slice.indices does.
func pythonSlice(s string, n int) []int64 {
	part := strings.Split(strings.TrimSpace(s), ":")
	if len(part) == 1 {
		panic("a position is given as an int here")
	}
	number := func(i, otherwise int) int {
		if i >= len(part) || part[i] == "" {
			return otherwise
		}
		v, err := strconv.Atoi(part[i])
		if err != nil {
			panic(err)
		}
		return v
	}
	step := number(2, 1)
	var out []int64
	if step > 0 {
		for i := number(0, 0); i < min(number(1, n), n); i += step {
			out = append(out, int64(i))
		}
		return out
	}
	for i := min(number(0, n-1), n-1); i > number(1, -1); i += step {
		out = append(out, int64(i))
	}
	return out
}

func TestMethodErrors(t *testing.T) {
	x, y := zeros(array.Shape{2, 3}), zeros(array.Shape{4})
	key := array.NewKeyType("fry", array.Shape{2})
	for _, tt := range []struct {
		f    func()
		kind string
		says string
	}{
		{func() { x.Add(y) }, "*array.ShapeError", "do not broadcast"},
		{func() { x.MatMul(y) }, "*array.ShapeError", "contracted sizes differ: lhs axis 1 has 3, rhs axis 0 has 4"},
		{func() {
			x.Add(array.OfAval(array.NewBuffer(array.Uint32, array.Shape{2}), array.Aval{Shape: array.Shape{}, DType: key}))
		}, "*array.DTypeError", "no common type"},
		{func() { x.Sum(2) }, "*array.AxisError", "axis 2 is out of range"},
		{func() { zeros(array.Shape{0}).Max() }, "*array.ShapeError", "empty"},
		{func() { x.Reshape(4, 2) }, "*array.ShapeError", "do not fit"},
		{func() { x.At(0).Set([]float64{1, 2}) }, "*array.ShapeError", "does not broadcast to the selected part"},
		{func() { x.Less(1i).FloorDiv(1i) }, "*array.DTypeError", "complex"},
		{func() { x.And(1) }, "*array.DTypeError", "it takes bools and integers"},
		{func() { x.AsType(array.Int32).Pow(-1) }, "*array.DTypeError", "negative power"},
		{func() { jit.Of(func(x *array.Array) *array.Array { return x.Neg().Add(y) }).Call(x) }, "*array.ShapeError", "do not broadcast"},
	} {
		checkError(t, trace.Try(tt.f), tt.kind, tt.says)
	}
}
