package quickstart

import (
	"fmt"

	"github.com/pantograph-go/pantograph/jit"
	"github.com/pantograph-go/pantograph/np"
	"github.com/pantograph-go/pantograph/vjp"
	"github.com/pantograph-go/pantograph/vmap"
)

// The derivative of a function of one number, over an array, compiled: jit of vmap of grad. tanh(x²)' = 2x (1 - tanh²(x²)).
func Example() {
	f := func(x *np.Array) *np.Array { return np.Tanh(x.Mul(x)) }
	slope := jit.Of(vmap.Of(vjp.Grad(f)))
	fmt.Println(slope.Call(np.Linspace(0, 1, 5)))
	fmt.Println(slope.Call(np.Linspace(0, 2, 3)))
	// Output:
	// [0.         0.49805195 0.94001485 1.1101101  0.83994868]
	// [0.         0.83994868 0.0053638 ]
}

// Into makes a typed Go function of a transformed one.
func Example_typed() {
	var grad func(*np.Array) *np.Array
	jit.Of(vjp.Grad(func(x *np.Array) *np.Array { return x.Mul(x) })).Into(&grad)
	fmt.Println(grad(np.Asarray(3.0)))
	// Output: 6.0
}

// Second derivatives: the Hessian of x₀² x₁ is [[2x₁, 2x₀], [2x₀, 0]].
func Example_hessian() {
	f := func(x *np.Array) *np.Array {
		a, b := x.At(0).Get(), x.At(1).Get()
		return a.Mul(a).Mul(b)
	}
	fmt.Println(vjp.Hessian(f).Call([]float64{3, 5}))
	// Output:
	// [[10.  6.]
	//  [ 6.  0.]]
}
