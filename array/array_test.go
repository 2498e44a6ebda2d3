package array

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
)

func TestKeyTypesFromManyGoroutines(t *testing.T) {
	var wg sync.WaitGroup
	got := make([]DType, 16)
	for i := range got {
		wg.Go(func() {
			for k := range 20 {
				d := NewKeyType(fmt.Sprintf("race%d", k), Shape{2})
				if d.Size() != 8 || d.String() != fmt.Sprintf("key<race%d>", k) || !d.IsKey() || d.Kind() != KindKey {
					t.Errorf("%s has size %d", d, d.Size())
				}
				got[i] = d
			}
		})
	}
	wg.Wait()
	for i, d := range got {
		if slices.Contains(got[:i], d) {
			t.Errorf("two key types have the number %d", d)
		}
	}
}

func TestDTypeNames(t *testing.T) {
	for d := Bool; d < numDTypes; d++ {
		for _, name := range []string{d.String(), d.Short()} {
			if got, err := ParseDType(name); err != nil || got != d {
				t.Errorf("ParseDType(%q) = %s, %v, want %s", name, got, err, d)
			}
		}
	}
	if _, err := ParseDType("float7"); err == nil {
		t.Error("float7: want an error")
	}
	if Complex64.Real() != Float32 || Float64.Complex() != Complex128 || Float16.Complex() != Complex64 || Int8.Real() != Int8 {
		t.Error("real and complex counterparts")
	}
}

func TestBuffers(t *testing.T) {
	b := NewBuffer(Float64, Shape{2, 3})
	if len(b.Bytes()) != 48 || b.Len() != 6 {
		t.Errorf("%d bytes, %d elements", len(b.Bytes()), b.Len())
	}
	View[float64](b)[4] = 7
	if b.Reshaped(Shape{3, 2}).Float(4) != 7 {
		t.Error("Reshaped must see the same memory")
	}
	if _, err := WrapBuffer(Float32, Shape{2}, make([]byte, 7)); err == nil {
		t.Error("7 bytes for f32[2]: want an error")
	}
	if _, err := WrapBuffer(Float32, Shape{1}, alignedBytes(8)[1:5]); err == nil {
		t.Error("misaligned memory: want an error")
	}
	if got := View[float32](NewBuffer(Float32, Shape{0})); got != nil {
		t.Errorf("an empty view is %v", got)
	}
	if b := NewBuffer(Float0, Shape{3}); b.Float(2) != 0 || b.Bool(1) || len(b.Bytes()) != 0 {
		t.Error("float0 has no storage and is zero")
	}
}

func TestInts(t *testing.T) {
	l := MakeInts(2, 0, -1)
	if l != MakeInts(2, 0, -1) || l == MakeInts(2, 0) || (Ints{}) != MakeInts() {
		t.Error("lists compare by their elements")
	}
	if l.String() != "(2, 0, -1)" || MakeInts(3).String() != "(3,)" || MakeInts().String() != "()" {
		t.Errorf("%s %s %s", l, MakeInts(3), MakeInts())
	}
	if l.Len() != 3 || l.At(2) != -1 || l.Index(0) != 1 || l.Contains(5) || l.Append(9).At(3) != 9 {
		t.Error("elements")
	}
	if p := MakeInts(2, 0, 1).Invert(); p != MakeInts(1, 2, 0) {
		t.Errorf("inverse %s", p)
	}
	if d := l.Map(func(i int) int { return 2 * i }); d != MakeInts(4, 0, -2) {
		t.Errorf("doubled %s", d)
	}
}

func TestShapes(t *testing.T) {
	if s := fmt.Sprint(Shape{2, 3, 4}.Strides(), Shape{2, 3, 4}.Without(1), Shape{2, 3}.Insert(1, 5)); s != "[12 4 1] [2,4] [2,5,3]" {
		t.Error(s)
	}
	for _, tt := range []struct {
		s    Shape
		n    int
		want string
	}{{Shape{-1, 3}, 6, "[2,3]"}, {Shape{6}, 6, "[6]"}, {Shape{}, 1, "[]"}, {Shape{0, 5}, 0, "[0,5]"}, {Shape{-1, 2}, 0, "[0,2]"},
		{Shape{-1, 4}, 6, "error"}, {Shape{-1, -1}, 6, "error"}, {Shape{-2, 3}, 6, "error"}, {Shape{5}, 6, "error"}, {Shape{-1, 0}, 0, "error"}} {
		got, err := tt.s.Resolve(tt.n)
		if s := got.String(); err == nil && s != tt.want || err != nil && tt.want != "error" {
			t.Errorf("%s for %d: got %s, %v", tt.s, tt.n, got, err)
		}
	}
	for _, tt := range []struct {
		shapes []Shape
		want   string
	}{{[]Shape{{2, 1}, {3}}, "[2,3]"}, {[]Shape{{}, {4}}, "[4]"}, {[]Shape{{0}, {1}}, "[0]"}, {nil, "[]"}, {[]Shape{{2}, {3}}, "error"}, {[]Shape{{0}, {2}}, "error"}} {
		got, err := Broadcast(tt.shapes...)
		if err == nil && got.String() != tt.want || err != nil && tt.want != "error" {
			t.Errorf("%v: got %s, %v", tt.shapes, got, err)
		}
	}
	if _, err := NormalAxes([]int{0, -2}, 2); err == nil {
		t.Error("an axis named twice: want an error")
	}
}

func TestErrorKinds(t *testing.T) {
	kinds := []error{ShapeErrorf("s%d", 1), DTypeErrorf("d"), AxisErrorf("a"), ArgumentErrorf("x"), TreeErrorf("t"),
		ConcretizationErrorf("c"), LeakErrorf("l"), RuleErrorf("r"), TargetErrorf("f"), &DonatedError{"g"},
		&NoRuleError{"vmap", "scatter", "give it a Batch method"}}
	for _, err := range kinds {
		e := Wrap("op", err)
		if e.Pos.File == "" || !strings.HasSuffix(e.Pos.File, "array_test.go") {
			t.Errorf("%T: position %s", err, e.Pos)
		}
		if !errors.Is(e, err) || Wrap("outer", fmt.Errorf("more: %w", e)) != e {
			t.Errorf("%T is not kept", err)
		}
		if want := e.Pos.String() + ": op: " + err.Error(); e.Error() != want {
			t.Errorf("got %q, want %q", e.Error(), want)
		}
	}
	e := &Error{Pos: Pos{File: "/x/model.go", Line: 41}, Op: "sin", Eqn: "b = sin a", Path: "jit(step)", Err: DTypeErrorf("no")}
	if got, want := e.Error(), "model.go:41: sin: no\n    b = sin a\n    in jit(step)"; got != want {
		t.Errorf("got %q", got)
	}
}

func TestMethodsWithoutMeaning(t *testing.T) {
	if methods != nil {
		t.Skip("another package gave them a meaning")
	}
	if e := caught(t, func() { of(t, 1).Add(2) }); !strings.Contains(e.Error(), "import np") {
		t.Error(e)
	}
}

func TestPrintOther(t *testing.T) {
	var none *Array
	if none.String() != "<nil>" || none.GoString() != "<nil>" {
		t.Error("nil")
	}
	k := Of(NewBuffer(NewKeyType("fry", Shape{2}), Shape{3}))
	if got := k.String(); got != "key<fry>[3] of\n[[0 0]\n [0 0]\n [0 0]]" {
		t.Errorf("keys print %q", got)
	}
	if got := fmt.Sprintf("%#v %#v", of(t, []float32{1, 2.5}), Of(NewBuffer(Int8, Shape{0, 2}))); got != "Array([1. , 2.5], dtype=float32) Array([], shape=(0, 2), dtype=int8)" {
		t.Error(got)
	}
	if got := of(t, 2.0).GoString(); got != "Array(2., dtype=float64, weak_type=True)" {
		t.Error(got)
	}
	if got := Of(failing{}).String(); !strings.Contains(got, "f32[2] (values cannot be read: gone)") {
		t.Error(got)
	}
	b := NewBuffer(BFloat16, Shape{3})
	b.SetFloat(0, 0.1)
	b.SetFloat(1, -2)
	b.SetFloat(2, 30)
	if got := b.String(); got != "[ 0.1 -2.  30. ]" {
		t.Error(got)
	}
	if got := of(t, []float64{1. / 3, 1}).Text(PrintOptions{Precision: 3}); got != "[0.333 1.   ]" {
		t.Error(got)
	}
}

type failing struct{}

func (failing) Aval() Aval             { return Aval{Shape: Shape{2}, DType: Float32} }
func (failing) Host() (*Buffer, error) { return nil, errors.New("gone") }

func TestSimpleRender(t *testing.T) {
	var none *Array
	picture := Of(NewBuffer(Uint8, Shape{8, 9}))
	for _, tt := range []struct {
		x    *Array
		want string
	}{
		{none, "<pre>&lt;nil&gt;</pre>"},
		{FromTracer(Aval{DType: Float32}, fakeTracer{}), "<pre>Traced&lt;f32[]&gt;</pre>"},
		{of(t, []int{1}), "<code>int64[1]</code></div><pre>[1]</pre>"},
		{picture, "<svg"},
		{Of(failing{}), "gone"},
	} {
		m := tt.x.SimpleRender()
		if m["text/plain"] != tt.x.String() || !strings.Contains(m["text/html"].(string), tt.want) {
			t.Errorf("%s: %v", tt.x, m)
		}
	}
}
