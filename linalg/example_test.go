package linalg_test

import (
	"fmt"

	"github.com/pantograph-go/pantograph/linalg"
	"github.com/pantograph-go/pantograph/np"
	"github.com/pantograph-go/pantograph/vjp"
)

func ExampleSolve() {
	a := np.Asarray([][]float64{{4, 1}, {2, 3}})
	fmt.Println(linalg.Solve(a, []float64{6, 8}))
	// Output: [1. 2.]
}

// The gradient of the logarithm of a determinant is the transposed inverse.
func ExampleSlogdet() {
	logdet := func(a *np.Array) *np.Array { _, l := linalg.Slogdet(a); return l }
	fmt.Println(vjp.Grad(logdet).Call(np.Asarray([][]float64{{2, 0}, {0, 4}})))
	// Output:
	// [[0.5  0.  ]
	//  [0.   0.25]]
}

func ExampleEigh() {
	w, _ := linalg.Eigh([][]float64{{2, 1}, {1, 2}})
	fmt.Println(w)
	// Output: [1. 3.]
}

// With one axis the norms are those of vectors, here of the rows.
func ExampleNorm() {
	x := np.Asarray([][]float64{{3, 4}, {6, 8}})
	fmt.Println(linalg.Norm(x, nil, linalg.Axis(1)), linalg.Norm(x, 1))
	// Output: [ 5. 10.] 12.0
}
