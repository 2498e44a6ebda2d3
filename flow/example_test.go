package flow_test

import (
	"fmt"

	"github.com/pantograph-go/pantograph/flow"
	"github.com/pantograph-go/pantograph/np"
	"github.com/pantograph-go/pantograph/trace"
	"github.com/pantograph-go/pantograph/vjp"
)

func Example() {
	w := np.Of(0.5)
	carry, ys := flow.Scan(func(c, x *np.Array) (carry, y *np.Array) {
		c = c.Mul(w).Add(x)
		return c, c
	}, 0.0, []float64{1, 2, 3})
	fmt.Println(carry, ys)
	// Output: 4.25 [1.   2.5  4.25]
}

func ExampleCond() {
	root := func(x *np.Array) *np.Array {
		return flow.Cond(x.Greater(0), np.Sqrt, np.Negative, x).(*np.Array)
	}
	fmt.Println(root(np.Of(9.0)), root(np.Of(-9.0)), vjp.Grad(root).Call(4.0))
	// Output: 3.0 9.0 0.25
}

func ExampleWhile() {
	collatz := flow.While(
		func(n, _ *np.Array) *np.Array { return n.NotEqual(1) },
		func(n, steps *np.Array) (*np.Array, *np.Array) {
			return np.Where(n.Mod(2).Equal(0), n.FloorDiv(2), n.Mul(3).Add(1)), steps.Add(1)
		}, []any{27, 0}).([]any)
	fmt.Println(collatz[1])
	// Output: 111
}

// Bounds that are Go ints make a loop that can be differentiated in reverse.
func ExampleFori() {
	power := func(x *np.Array) *np.Array {
		return flow.Fori(0, 5, func(_, p *np.Array) *np.Array { return p.Mul(x) }, 1.0).(*np.Array)
	}
	fmt.Println(power(np.Of(2.0)), vjp.Grad(power).Call(2.0))
	// Output: 32.0 80.0
}

// The derivative of a root does not depend on how it is found.
func ExampleRoot() {
	cbrt := func(a *np.Array) *np.Array {
		newton := func(f *trace.Func, x *np.Array) *np.Array {
			return flow.While(func(x *np.Array) *np.Array { return f.Call(x).Abs().Greater(1e-12) },
				func(x *np.Array) *np.Array { return x.Sub(f.Call(x).Div(x.Mul(x).Mul(3.0))) }, x).(*np.Array)
		}
		return flow.Root(func(x *np.Array) *np.Array { return x.Pow(3).Sub(a) }, 1.5, newton,
			func(g *trace.Func, y *np.Array) *np.Array { return y.Div(g.Call(1.0)) }).(*np.Array)
	}
	fmt.Printf("%.6f\n", vjp.Grad(cbrt).Call(8.0).Float())
	// Output: 0.083333
}
