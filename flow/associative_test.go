package flow_test

import (
	"testing"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/flow"
	"github.com/pantograph-go/pantograph/jit"
	"github.com/pantograph-go/pantograph/np"
	"github.com/pantograph-go/pantograph/vjp"
	"github.com/pantograph-go/pantograph/vmap"
)

func TestAssociativeScan(t *testing.T) {
	mats := ramp(7, 2, 2)
	product := func(a, b arr) arr { return a.MatMul(b) }
	byLoop := func(n int) arr {
		out := make([]arr, n)
		c := mats.At(0).Get()
		for i := range n {
			if i > 0 {
				c = product(c, mats.At(i).Get())
			}
			out[i] = c
		}
		return np.Stack(out)
	}
	for n := 1; n <= 7; n++ {
		near(t, flow.AssociativeScan(product, mats.At(array.Slice{Stop: n}).Get()).(arr), byLoop(n))
	}
	near(t, flow.AssociativeScan(np.Maximum, np.Of([]int{3, 1, 4, 1, 5}), flow.Reverse()).(arr), np.Of([]int{5, 5, 5, 5, 5}))
	near(t, flow.AssociativeScan(np.Add, np.Zeros([]int{0})).(arr), np.Zeros([]int{0}))
	near(t, flow.AssociativeScan(np.Add, ramp(2, 5), flow.Along(-1)).(arr), np.Cumsum(ramp(2, 5), np.Axis(1)))

	// A linear recurrence: pairs (a, b) stand for y → a y + b. Both ways, under vmap, and differentiated.
	type affine struct{ A, B arr }
	then := func(l, r affine) affine { return affine{r.A.Mul(l.A), r.A.Mul(l.B).Add(r.B)} }
	recur := func(a, b arr) arr { return flow.AssociativeScan(then, affine{a, b}).(affine).B }
	plain := func(a, b arr) arr {
		_, ys := flow.Scan(func(y arr, x []arr) (arr, arr) { y = x[0].Mul(y).Add(x[1]); return y, y }, scalar(0).AsType(array.Float64), []arr{a, b})
		return ys.(arr)
	}
	a, b := ramp(6), ramp(6).Mul(2.0)
	near(t, recur(a, b), plain(a, b))
	near(t, vmap.Of(recur, vmap.In(nil, 0)).Call(a, np.Stack([]arr{b, a})), np.Stack([]arr{plain(a, b), plain(a, a)}))
	near(t, jit.Of(recur).Call(a, b), plain(a, b))
	nearAll(t, vjp.JacRev(recur, vjp.Args(0, 1)).CallAll(a, b), vjp.JacRev(plain, vjp.Args(0, 1)).CallAll(a, b))
	if err := vjp.CheckGrads(recur, []any{a, b}); err != nil {
		t.Error(err)
	}
	checked(t, vjp.Grad(func(a, b arr) arr { return recur(a, b).Sum() }), a, b)

	fails(t, new(*array.ShapeError), "associative_test.go", func() { flow.AssociativeScan(then, affine{ramp(3), ramp(4)}) }, "xs.A has 3", "xs.B", "4")
	fails(t, new(*array.ShapeError), "associative_test.go", func() { flow.AssociativeScan(func(a, b arr) arr { return a.Sum() }, ramp(4)) }, "must return what it takes")
	fails(t, new(*array.AxisError), "associative_test.go", func() { flow.AssociativeScan(np.Add, ramp(4), flow.Along(1)) }, "axis 1")
}
