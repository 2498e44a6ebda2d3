package flow_test

import (
	"math"
	"testing"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/flow"
	"github.com/pantograph-go/pantograph/jit"
	"github.com/pantograph-go/pantograph/np"
	"github.com/pantograph-go/pantograph/primitive"
	"github.com/pantograph-go/pantograph/vjp"
	"github.com/pantograph-go/pantograph/vmap"
)

func hypot(a, b arr) arr { return np.Hypot(a, b) }

// later keeps the pair with the larger first part.
func later(a, b []arr) []arr {
	first := a[0].GreaterEqual(b[0])
	return []arr{np.Where(first, a[0], b[0]), np.Where(first, a[1], b[1])}
}

func TestReduce(t *testing.T) {
	x := ramp(3, 5).Add(2.0)
	norm := func(x arr) arr { return flow.Reduce(x, 0.0, hypot, 1).(arr) }
	want := func(x arr) arr { return np.Sqrt(x.Mul(x).Sum(1)) }
	near(t, norm(x), want(x))
	near(t, jit.Of(norm).Call(x), want(x))
	near(t, flow.Reduce(x, 0.0, hypot).(arr), np.Sqrt(x.Mul(x).Sum()))
	near(t, flow.Reduce(x, 0.0, np.Add, 0, -1).(arr), x.Sum())
	near(t, flow.Reduce(np.Zeros([]int{2, 0}), 7.0, np.Add, 1).(arr), np.Full([]int{2}, 7.0, array.Float64))
	near(t, flow.Reduce(x.AsType(array.Float32), 1, np.Multiply, 0).(arr), x.AsType(array.Float32).Prod(0))
	pair := flow.Reduce([]arr{x, np.Arange(15).Reshape(3, 5)}, []any{math.Inf(-1), -1}, later, 0).([]arr)
	near(t, pair[0], x.Max(0))
	near(t, pair[1], np.Argmax(x, np.Axis(0)).Mul(5).Add(np.Arange(5)))

	if err := vjp.CheckGrads(norm, []any{x}); err != nil {
		t.Error(err)
	}
	many := np.Stack([]arr{x, x.Mul(2.0)})
	near(t, vmap.Of(norm).Call(many), vmap.Of(want).Call(many))
	near(t, vmap.Of(norm, vmap.In(-1)).Call(many.Transpose(1, 2, 0)), vmap.Of(want).Call(many))
	near(t, vmap.Of(vjp.JacRev(norm)).Call(many), vmap.Of(vjp.JacRev(want)).Call(many))
	began := vmap.Of(func(init arr) arr { return flow.Reduce(x, init, np.Add, 0).(arr) }).Call(of(1, 2))
	near(t, began, np.Stack([]arr{x.Sum(0).Add(1.0), x.Sum(0).Add(2.0)}))
	checked(t, vmap.Of(vjp.Grad(func(x arr) arr { return norm(x).Sum() })), many)

	fails(t, new(*array.AxisError), "reduce_test.go", func() { flow.Reduce(x, 0.0, np.Add, 2) }, "axis 2")
	fails(t, new(*array.TreeError), "reduce_test.go", func() { flow.Reduce([]arr{x, x}, 0.0, np.Add) }, "same structure")
	fails(t, new(*array.ShapeError), "reduce_test.go", func() { flow.Reduce([]arr{x, x.T()}, []any{0.0, 0.0}, later) }, "one shape")
	fails(t, new(*array.ShapeError), "reduce_test.go", func() { flow.Reduce(x, ramp(2), np.Add) }, "init")
	fails(t, new(*array.ArgumentError), "reduce_test.go", func() { flow.Reduce(x, 0.0, func(a, b arr) arr { return a.Add(b).Add(x.Sum()) }) }, "captured")
	fails(t, new(*array.DTypeError), "reduce_test.go", func() { flow.Reduce(x, 0.0, func(a, b arr) arr { return a.Add(b).AsType(array.Int32) }) }, "must return what it takes")
}

func TestReduceWindow(t *testing.T) {
	x := ramp(4, 6).Add(2.0)
	ints := array.MakeInts
	for _, w := range []primitive.Window{
		{Size: ints(2, 3)},
		{Size: ints(1, 2), Strides: ints(2, 3), PadLo: ints(0, 1), PadHi: ints(1, 2)},
		{Size: ints(2, 2), Dilation: ints(1, 2), BaseDilation: ints(2, 1)},
		{Size: ints(9, 1)},
	} {
		near(t, flow.ReduceWindow(x, 0.0, np.Add, w).(arr), primitive.ReduceWindowSum(x, w))
	}
	w := primitive.Window{Size: ints(1, 3), Strides: ints(1, 2)}
	norms := func(x arr) arr { return flow.ReduceWindow(x, 0.0, hypot, w).(arr) }
	squares := func(x arr) arr { return np.Sqrt(primitive.ReduceWindowSum(x.Mul(x), w)) }
	near(t, norms(x), squares(x))
	near(t, vjp.JacRev(norms).Call(x), vjp.JacRev(squares).Call(x))
	near(t, vmap.Of(norms).Call(np.Stack([]arr{x, x.Mul(3.0)})), np.Stack([]arr{squares(x), squares(x).Mul(3.0)}))
	fails(t, new(*array.ShapeError), "reduce_test.go", func() { flow.ReduceWindow(x, 0.0, np.Add, primitive.Window{Size: ints(2)}) }, "1 axes")
}
