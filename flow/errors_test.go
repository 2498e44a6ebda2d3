package flow_test

import (
	"testing"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/flow"
	"github.com/pantograph-go/pantograph/np"
)

func TestErrors(t *testing.T) {
	x := ramp(3)
	type tree struct{ A, B arr }
	keep := func(c, x arr) (arr, arr) { return c, nil }
	yes := func(arr) bool { return true }
	id := func(x arr) arr { return x }
	for _, tt := range []struct {
		name     string
		kind     any
		f        func()
		mentions []string
	}{
		{"branch dtypes", new(*array.DTypeError), func() {
			flow.Cond(true, id, func(x arr) arr { return x.AsType(array.Int32) }, x)
		}, []string{"flow.Cond", "f64[3]", "i32[3]", "dtypes differ"}},
		{"branch shapes in a tree", new(*array.ShapeError), func() {
			flow.Cond(true, func(x arr) tree { return tree{x, x} }, func(x arr) tree { return tree{x, x.Sum()} }, x)
		}, []string{"result.B", "f64[3]", "f64[]", "shapes differ"}},
		{"branch trees", new(*array.TreeError), func() {
			flow.Cond(true, func(x arr) any { return []arr{x, x} }, func(x arr) any { return x }, x)
		}, []string{"[*, *]", "same structure"}},
		{"predicate shape", new(*array.ShapeError), func() { flow.Cond(np.Of([]bool{true, false}), id, id, x) }, []string{"scalar", "bool[2]", "np.Where"}},
		{"predicate nil", new(*array.ArgumentError), func() { flow.Cond(nil, id, id, x) }, []string{"predicate"}},
		{"branch arguments", new(*array.ArgumentError), func() { flow.Cond(true, id, func(x, y arr) arr { return x }, x) }, []string{"2 arguments"}},
		{"index dtype", new(*array.DTypeError), func() { flow.Switch(1.0, []any{id, id}, x) }, []string{"flow.Switch", "integer", "f64*[]"}},
		{"index shape", new(*array.ShapeError), func() { flow.Switch(np.Of([]int{1}), []any{id, id}, x) }, []string{"scalar", "i64[1]"}},
		{"no branches", new(*array.ArgumentError), func() { flow.Switch(1, nil, x) }, []string{"no branches"}},
		{"scan carry dtype", new(*array.DTypeError), func() {
			flow.Scan(func(c, x arr) (arr, arr) { return c.Add(x.AsType(array.Float16)), c }, np.Of(int32(0)), x)
		}, []string{"flow.Scan", "carry", "i32[]", "f16[]"}},
		{"scan carry in a tree", new(*array.ShapeError), func() {
			flow.Scan(func(c tree, x arr) (tree, arr) { return tree{c.A, np.Stack([]arr{c.B, x})}, c.A }, tree{scalar(1), scalar(2)}, x)
		}, []string{"init.B is f64*[]", "f64[2]"}},
		{"scan carry tree", new(*array.TreeError), func() {
			flow.Scan(func(c any, x arr) (any, arr) { return []any{c, c}, x }, 1.0, x)
		}, []string{"structure", "[*, *]"}},
		{"scan static carry", new(*array.TreeError), func() {
			flow.Scan(func(c struct{ N int }, x arr) (struct{ N int }, arr) { c.N++; return c, x }, struct{ N int }{1}, x)
		}, []string{"{N: 1}", "{N: 2}"}},
		{"scan lengths", new(*array.ShapeError), func() { flow.Scan(func(c arr, x []arr) (arr, arr) { return c, x[0] }, 0.0, []arr{ramp(3), ramp(4)}) }, []string{"xs[0] has 3", "xs[1]", "has 4"}},
		{"scan length option", new(*array.ShapeError), func() { flow.Scan(keep, 0.0, x, flow.Length(4)) }, []string{"flow.Length says 4", "3 slices"}},
		{"scan of nothing", new(*array.ArgumentError), func() { flow.Scan(keep, 0.0, nil) }, []string{"flow.Length"}},
		{"scan of a scalar", new(*array.ShapeError), func() { flow.Scan(keep, 0.0, 1.0) }, []string{"scalar"}},
		{"scan one result", new(*array.TreeError), func() { flow.Scan(func(c, x arr) arr { return c }, 0.0, x) }, []string{"two results, carry and output"}},
		{"unroll", new(*array.ArgumentError), func() { flow.Scan(keep, 0.0, x, flow.Unroll(0)) }, []string{"flow.Unroll(0)"}},
		{"while condition shape", new(*array.DTypeError), func() { flow.While(func(x arr) arr { return x.Greater(0) }, id, x) }, []string{"bool scalar", "bool[3]"}},
		{"while condition dtype", new(*array.DTypeError), func() { flow.While(func(x arr) arr { return x.Sum() }, id, x) }, []string{"bool scalar", "f64[]"}},
		{"while carry", new(*array.ShapeError), func() { flow.While(yes, func(x arr) arr { return x.Sum() }, x) }, []string{"f64[3]", "f64[]"}},
		{"fori bound", new(*array.DTypeError), func() { flow.Fori(0, 2.5, func(_, c arr) arr { return c }, x) }, []string{"upper bound", "integer"}},
		{"fori bounds", new(*array.DTypeError), func() { flow.Fori(np.Of(int8(0)), np.Of(int16(3)), func(_, c arr) arr { return c }, x) }, []string{"i8[]", "i16[]"}},
		{"inside a body", new(*array.ShapeError), func() {
			flow.Scan(func(c, x arr) (arr, arr) { return c.Add(ramp(2)), c }, x, x)
		}, nil},
		{"map batch", new(*array.ArgumentError), func() { flow.Map(id, x, flow.BatchSize(-1)) }, []string{"flow.BatchSize(-1)"}},
	} {
		t.Run(tt.name, func(t *testing.T) { fails(t, tt.kind, "errors_test.go", tt.f, tt.mentions...) })
	}
	// A traced value that a branch leaks is found out.
	var kept arr
	flow.Cond(true, func(x arr) arr { kept = x; return x }, id, x)
	fails(t, new(*array.LeakError), "errors_test.go", func() { np.Sin(kept) })
}
