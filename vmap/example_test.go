package vmap_test

import (
	"fmt"

	"github.com/pantograph-go/pantograph/np"
	"github.com/pantograph-go/pantograph/vmap"
)

func Example() {
	x := np.Of([][]float64{{1, 2}, {3, 4}, {5, 6}})
	y := np.Of([]float64{10, 1})
	dots := vmap.Of(np.Dot, vmap.In(0, nil)) // the product of each row of x with y
	fmt.Println(dots.Call(x, y))
	// Output: [12. 34. 56.]
}

func ExampleOf_nested() {
	x := np.Of([]float64{1, 2, 3})
	table := vmap.Of(vmap.Of(np.Multiply, vmap.In(nil, 0)), vmap.In(0, nil))
	fmt.Println(table.Call(x, x))
	// Output:
	// [[1. 2. 3.]
	//  [2. 4. 6.]
	//  [3. 6. 9.]]
}

func ExamplePSum() {
	share := vmap.Of(func(x *np.Array) *np.Array { return x.Div(vmap.PSum(x, "parts")) }, vmap.Axis("parts"))
	fmt.Println(share.Call(np.Of([]float64{1, 1, 2})))
	// Output: [0.25 0.25 0.5 ]
}
