package vmap_test

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/jit"
	"github.com/pantograph-go/pantograph/np"
	"github.com/pantograph-go/pantograph/primitive"
	"github.com/pantograph-go/pantograph/trace"
	"github.com/pantograph-go/pantograph/vmap"
)

type arr = *array.Array

// ramp is an array of distinct smooth numbers.
func ramp(shape ...int) arr {
	b := array.NewBuffer(array.Float64, shape)
	for i := range b.Len() {
		b.SetFloat(i, math.Sin(float64(3*i+1))+0.1*float64(i))
	}
	return array.Of(b)
}

func equal(t *testing.T, got, want arr) {
	t.Helper()
	if !got.Shape().Equal(want.Shape()) || got.DType() != want.DType() {
		t.Fatalf("got %s, want %s", got.Aval(), want.Aval())
	}
	g, w := got.Float64s(), want.Float64s()
	for i := range g {
		if math.Abs(g[i]-w[i]) > 1e-12*(1+math.Abs(w[i])) {
			t.Fatalf("element %d: got %v, want %v\ngot %v\nwant %v", i, g[i], w[i], got, want)
		}
	}
}

// byLoop is what vmap must give: f on one element after the other, stacked.
func byLoop(n int, f func(i int) arr) arr {
	rows := make([]arr, n)
	for i := range rows {
		rows[i] = f(i)
	}
	return np.Stack(rows)
}

func TestAxes(t *testing.T) {
	x, y := ramp(3, 4), ramp(4, 5)
	f := func(r, c arr) arr { return np.Outer(np.Sin(r), c) } // [3] or [4], [4] or [5]
	row := func(a arr, i int) arr { return a.At(i).Get() }
	col := func(a arr, i int) arr { return a.At(":", i).Get() }

	equal(t, vmap.Of(f, vmap.In(1, 0)).Call(x, y), byLoop(4, func(i int) arr { return f(col(x, i), row(y, i)) }))
	equal(t, vmap.Of(f, vmap.In(-1, nil)).Call(x, y.At(0).Get()), byLoop(4, func(i int) arr { return f(col(x, i), row(y, 0)) }))
	equal(t, vmap.Of(f, vmap.In(nil, -1)).Call(row(x, 0), y), byLoop(5, func(i int) arr { return f(row(x, 0), col(y, i)) }))
	want := byLoop(4, func(i int) arr { return f(col(x, i), row(y, i)) })
	equal(t, vmap.Of(f, vmap.In(1, 0), vmap.Out(2)).Call(x, y), want.Transpose(1, 2, 0))
	equal(t, vmap.Of(f, vmap.In(1, 0), vmap.Out(-2)).Call(x, y), want.Transpose(1, 0, 2))
}

func TestNested(t *testing.T) {
	x := ramp(2, 3, 4)
	norm := func(v arr) arr { return v.Div(v.Sum()) }
	inner := vmap.Of(norm)
	equal(t, vmap.Of(inner).Call(x), byLoop(2, func(i int) arr { return byLoop(3, func(k int) arr { return norm(x.At(i, k).Get()) }) }))
	// All pairs of rows.
	a, b := ramp(3, 2), ramp(4, 2)
	dots := vmap.Of(vmap.Of(np.Dot, vmap.In(nil, 0)), vmap.In(0, nil))
	equal(t, dots.Call(a, b), a.MatMul(b.T()))
	// A value of the outer map inside the inner one.
	got := vmap.Of(func(r arr) arr { return vmap.Of(func(s arr) arr { return s.Mul(r.Sum()) }).Call(r) }).Call(a)
	equal(t, got, byLoop(3, func(i int) arr { return a.At(i).Get().Mul(a.At(i).Get().Sum()) }))
	equal(t, jit.Of(dots).Call(a, b), a.MatMul(b.T()))
}

type params struct {
	W, B arr
	N    int
}

func TestTrees(t *testing.T) {
	p := params{ramp(3, 2), ramp(2), 2}
	f := func(p params, x arr) struct{ Y, Z arr } {
		return struct{ Y, Z arr }{p.W.Mul(x).Mul(p.N), p.B}
	}
	got := vmap.Of(f, vmap.In(map[string]any{"W": 0, "B": nil, "N": nil}, nil), vmap.Out(struct{ Y, Z any }{0, nil})).CallTree(p, ramp(2)).(struct{ Y, Z arr })
	equal(t, got.Y, p.W.Mul(ramp(2)).Mul(2))
	equal(t, got.Z, p.B)

	m := vmap.Of(func(x map[string]any) []any { return []any{x["a"], x["b"].(arr).Sum()} }, vmap.In(map[string]any{"a": nil, "b": 1}), vmap.Out([]any{nil, 0}))
	list := m.CallAll(map[string]any{"a": ramp(2), "b": ramp(2, 3)})
	equal(t, list[0], ramp(2))
	equal(t, list[1], ramp(2, 3).Sum(0))
}

// Results that do not depend on a mapped argument are repeated, or left alone where Out is nil.
func TestUnmappedResults(t *testing.T) {
	x, c := ramp(4, 2), ramp(3)
	equal(t, vmap.Of(func(arr) arr { return c }, vmap.Out(-1)).Call(x), np.Stack([]arr{c, c, c, c}).T())
	equal(t, vmap.Of(func(arr) arr { return c }, vmap.Out(nil)).Call(x), c)
	equal(t, vmap.Of(func(arr) any { return 7.0 }).Call(x), np.Full([]int{4}, 7.0))
	equal(t, vmap.Of(func() arr { return c }, vmap.Size(2)).Call(), np.Stack([]arr{c, c}))
}

// What does not depend on a mapped argument is computed once, not for every element.
func TestSharedWorkIsDoneOnce(t *testing.T) {
	f := vmap.Of(func(w, x arr) arr { return np.Exp(w).Mul(x) }, vmap.In(nil, 0))
	j := trace.Of(f, trace.Spec(array.Float32, 3), trace.Spec(array.Float32, 8, 3))
	check(t, j)
	for _, e := range j.Eqns {
		if e.Prim.Name() == "exp" && e.Out[0].Aval.Shape.Rank() != 1 {
			t.Errorf("exp is computed on %s\n%s", e.Out[0].Aval, j)
		}
	}
}

func check(t *testing.T, j *trace.Closed) {
	t.Helper()
	if err := trace.Check(j.Jaxpr); err != nil {
		t.Fatal(err)
	}
}

func TestEmptyBatch(t *testing.T) {
	x := np.Zeros([]int{0, 3})
	equal(t, vmap.Of(np.Sin).Call(x), x)
	equal(t, vmap.Of(func(v arr) arr { return v.Sum() }).Call(x), np.Zeros([]int{0}))
}

// Ranks differ per example: the mapped axis takes no part in broadcasting.
func TestBroadcastingWithinAnElement(t *testing.T) {
	a, b := ramp(6, 1), ramp(6, 1, 1, 4)
	got := vmap.Of(np.Add).Call(a, b)
	equal(t, got, byLoop(6, func(i int) arr { return a.At(i).Get().Add(b.At(i).Get()) }))
}

func TestJaxpr(t *testing.T) {
	c := trace.Of(func(w, x arr) (arr, arr) { return np.Sin(w), w.Mul(x) }, trace.Spec(array.Float32, 3), trace.Spec(array.Float32, 3))
	axis := vmap.AxisData{Size: 5}
	b, dims, err := vmap.Jaxpr(c.Jaxpr, axis, []int{vmap.NotMapped, 1}, nil)
	if err != nil {
		t.Fatal(err)
	}
	check(t, b)
	if fmt.Sprint(dims) != "[-1 0]" || !b.In[1].Aval.Shape.Equal(array.Shape{3, 5}) {
		t.Errorf("dims %v\n%s", dims, b)
	}
	b, dims, err = vmap.Jaxpr(c.Jaxpr, axis, []int{vmap.NotMapped, 1}, []bool{true, false})
	if err != nil || fmt.Sprint(dims) != "[0 0]" {
		t.Errorf("dims %v, %v\n%s", dims, err, b)
	}
	check(t, b)
	last, err := vmap.JaxprAt(c.Jaxpr, 5, []int{0, 1}, vmap.Last)
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range trace.Avals(last.Out) {
		if !a.Shape.Equal(array.Shape{3, 5}) {
			t.Errorf("result %s", a)
		}
	}
}

// opaque has no batch rule.
type opaque struct{}

func (opaque) Name() string                                { return "opaque" }
func (opaque) Shape(in []array.Aval) ([]array.Aval, error) { return in, nil }

func TestErrors(t *testing.T) {
	x := ramp(3, 2)
	add := func(a, b arr) arr { return a.Add(b) }
	tree := func(p map[string]arr) arr { return p["u"].Add(p["v"]) }
	for _, tt := range []struct {
		name     string
		f        func()
		kind     any
		mentions []string
	}{
		{"sizes", func() { vmap.Of(add, vmap.In(0, 1)).Call(x, x) }, new(*array.ShapeError), []string{"argument 0 has 3: axis 0 of f64[3,2]", "argument 1 has 2: axis 1 of f64[3,2]"}},
		{"sizes in a tree", func() { vmap.Of(tree).Call(map[string]arr{"u": x, "v": ramp(4, 2)}) }, new(*array.ShapeError), []string{`argument 0["u"] has 3`, `argument 0["v"] has 4`}},
		{"size option", func() { vmap.Of(np.Sin, vmap.Size(4)).Call(x) }, new(*array.ShapeError), []string{"vmap.Size says 4", "argument 0 has 3"}},
		{"in count", func() { vmap.Of(add, vmap.In(0, 0, nil)).Call(x, x) }, new(*array.TreeError), []string{"In gives axes for 3 arguments", "2"}},
		{"in tree", func() { vmap.Of(tree, vmap.In(map[string]any{"u": 0})).Call(map[string]arr{"u": x, "v": x}) }, new(*array.TreeError), []string{"In, argument 0"}},
		{"in kind", func() { vmap.Of(np.Sin, vmap.In("0")).Call(x) }, new(*array.AxisError), []string{"0 is no axis"}},
		{"in range", func() { vmap.Of(np.Sin, vmap.In(2)).Call(x) }, new(*array.AxisError), []string{"argument 0 of type f64[3,2]", "axis 2", "rank 2"}},
		{"scalar", func() { vmap.Of(np.Sin).Call(np.Of(1.0)) }, new(*array.AxisError), []string{"axis 0", "rank 0"}},
		{"out range", func() { vmap.Of(np.Sin, vmap.Out(3)).Call(x) }, new(*array.AxisError), []string{"Out: axis 3", "rank 2"}},
		{"out nil", func() { vmap.Of(np.Sin, vmap.Out(nil)).Call(x) }, new(*array.AxisError), []string{"Out is nil", "depends on a mapped argument"}},
		{"nothing mapped", func() { vmap.Of(np.Sin, vmap.In(nil)).Call(x) }, new(*array.ArgumentError), []string{"vmap.In", "vmap.Size"}},
		{"no rule", func() { vmap.Of(func(x arr) arr { return primitive.Bind(opaque{}, x) }).Call(x) }, new(*array.NoRuleError), []string{"opaque", "Batch"}},
		{"inside", func() { vmap.Of(func(r arr) arr { return primitive.Add(r, ramp(3)) }).Call(x) }, new(*array.ShapeError), []string{"vmap(axis of size 3)"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			err := trace.Try(tt.f)
			if err == nil {
				t.Fatal("no error")
			}
			if !errors.As(err, tt.kind) {
				t.Errorf("%T: %v", err, err)
			}
			for _, m := range append(tt.mentions, "vmap_test.go:") {
				if !strings.Contains(err.Error(), m) {
					t.Errorf("%q is not in: %v", m, err)
				}
			}
		})
	}
}

// A value of one element that is kept beyond the function is found out.
func TestEscape(t *testing.T) {
	var kept arr
	vmap.Of(func(r arr) arr { kept = r; return r }).Call(ramp(3, 2))
	err := trace.Try(func() { np.Sin(kept) })
	if leak := new(array.LeakError); !errors.As(err, &leak) {
		t.Errorf("%v", err)
	}
}
