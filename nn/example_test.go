package nn_test

import (
	"fmt"

	"github.com/pantograph-go/pantograph/nn"
	"github.com/pantograph-go/pantograph/np"
)

func ExampleSoftmax() {
	fmt.Println(nn.Softmax(np.Of([]float64{0, 0, 1000})))
	// Output: [0. 0. 1.]
}

func ExampleOneHot() {
	fmt.Println(nn.OneHot(np.Of([]int{1, 3}), 4, np.Int32))
	// Output:
	// [[0 1 0 0]
	//  [0 0 0 1]]
}

func ExampleConv() {
	// The differences of neighbours in a signal of one feature.
	signal := np.Of([]float64{1, 4, 9, 16}).Reshape(1, 4, 1)
	kernel := np.Of([]float64{-1, 1}).Reshape(2, 1, 1)
	fmt.Println(nn.Conv(signal, kernel, nn.ConvParams{}).Ravel())
	// Output: [3. 5. 7.]
}

func ExampleDotProductAttention() {
	q := np.Ones([]int{1, 3, 2, 4}) // one sequence of three positions, two heads of four features
	v := np.Arange(24.).Reshape(1, 3, 2, 4)
	y := nn.DotProductAttention(q, q, v, nn.AttentionParams{Causal: true})
	fmt.Println(y.At(0, ":", 0, 0).Get()) // the mean of what each position sees
	// Output: [0. 4. 8.]
}
