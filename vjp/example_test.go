package vjp_test

import (
	"fmt"

	"github.com/pantograph-go/pantograph/np"
	"github.com/pantograph-go/pantograph/vjp"
)

func Example() {
	loss := func(w, x, y *np.Array) *np.Array { return np.Square(x.Dot(w).Sub(y)).Mean() }
	w := np.Of([]float64{1, -1})
	x := np.Of([][]float64{{1, 0}, {0, 1}})
	y := np.Of([]float64{3, 1})
	fmt.Println(vjp.Grad(loss).Call(w, x, y))
	// Output: [-2. -2.]
}

func ExampleValueAndGrad() {
	type params struct{ W, B *np.Array }
	f := func(p params) *np.Array { return p.W.Mul(p.W).Sum().Add(p.B) }
	var fg func(p params) (value *np.Array, grad params)
	vjp.ValueAndGrad(f).Into(&fg)
	value, grad := fg(params{np.Of([]float64{1, 2}), np.Of(0.5)})
	fmt.Println(value, grad.W, grad.B)
	// Output: 5.5 [2. 4.] 1.0
}

func ExampleHessian() {
	f := func(x *np.Array) *np.Array { return x.Prod() }
	fmt.Println(vjp.Hessian(f).Call([]float64{2, 3}))
	// Output:
	// [[0. 1.]
	//  [1. 0.]]
}

// The identity whose cotangent is clipped, as in training that must not run away.
func ExampleCustom() {
	clip := vjp.Custom(func(x *np.Array) *np.Array { return x }, vjp.Rule{
		Fwd: func(x *np.Array) (out *np.Array, residuals any) { return x, nil },
		Bwd: func(_ any, ct *np.Array) *np.Array { return np.Clip(ct, -1, 1) },
	})
	f := func(x *np.Array) *np.Array { return clip.Call(x).Mul(10.0) }
	fmt.Println(f(np.Of(3.0)), vjp.Grad(f).Call(3.0))
	// Output: 30.0 1.0
}

// log(1 + exp x) with a derivative that does not overflow.
func ExampleCustomJVP() {
	softplus := vjp.CustomJVP(
		func(x *np.Array) *np.Array { return np.Log1p(np.Exp(x)) },
		func(x, dx *np.Array) (out, tangent *np.Array) {
			return np.Logaddexp(x, 0.0), dx.Div(np.Exp(x.Neg()).Add(1.0))
		})
	fmt.Println(vjp.Grad(softplus).Call(1000.0))
	// Output: 1.0
}

func ExampleVJP() {
	y, pull := vjp.VJP(func(x *np.Array) *np.Array { return x.Mul(x) }, []float64{1, 2})
	fmt.Println(y, pull.Call([]float64{1, 10}))
	// Output: [1. 4.] [ 2. 40.]
}

func ExampleCheckGrads() {
	wrong := vjp.CustomJVP(np.Sin, func(x, dx *np.Array) (out, tangent *np.Array) { return np.Sin(x), dx })
	fmt.Println(vjp.CheckGrads(np.Sin, []any{0.5}))
	fmt.Println(vjp.CheckGrads(wrong, []any{0.5}) != nil)
	// Output:
	// <nil>
	// true
}
