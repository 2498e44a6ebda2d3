package np_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/np"
	"github.com/pantograph-go/pantograph/trace"
)

func Example() {
	x := np.Linspace(0, 1, 5)
	fmt.Println(x)
	fmt.Println(x.Mul(2).Add(1))
	fmt.Println(np.Where(x.Greater(0.5), x, 0))
	fmt.Println(np.Sum(x), np.Mean(x), np.Max(x))
	// Output:
	// [0.   0.25 0.5  0.75 1.  ]
	// [1.  1.5 2.  2.5 3. ]
	// [0.   0.   0.   0.75 1.  ]
	// 2.5 0.5 1.0
}

func ExampleOf() {
	x := np.Of([][]int{{1, 2}, {3, 4}})
	fmt.Println(x, x.DType(), x.Shape())
	fmt.Println(np.Of([]float64{1, 2}, np.Float32).DType())
	// A single Go number is weakly typed: it takes the type of the array it meets.
	fmt.Println(np.Of([]float32{1, 2}).Mul(0.1).DType())
	// Output:
	// [[1 2]
	//  [3 4]] int64 [2,2]
	// float32
	// float32
}

func ExampleFromSlice() {
	fmt.Println(np.FromSlice([]float32{1, 2, 3, 4, 5, 6}, 2, 3))
	// Output:
	// [[1. 2. 3.]
	//  [4. 5. 6.]]
}

func ExampleArange() {
	fmt.Println(np.Arange(4), np.Arange(1, 2, 0.25), np.Arange(5, 0, -2, np.Int8).DType())
	// Output: [0 1 2 3] [1.   1.25 1.5  1.75] int8
}

func ExampleEye() {
	fmt.Println(np.Eye(2, np.Float32))
	fmt.Println(np.EyeOffset(2, 3, 1, np.Int32))
	// Output:
	// [[1. 0.]
	//  [0. 1.]]
	// [[0 1 0]
	//  [0 0 1]]
}

func ExampleMeshgrid() {
	xy := np.Meshgrid([]*np.Array{np.Arange(3), np.Arange(2)})
	fmt.Println(xy[0])
	fmt.Println(xy[1])
	// Output:
	// [[0 1 2]
	//  [0 1 2]]
	// [[0 0 0]
	//  [1 1 1]]
}

func ExampleSum() {
	x := np.Arange(6).Reshape(2, 3)
	fmt.Println(np.Sum(x), np.Sum(x, np.Axis(0)))
	fmt.Println(np.Sum(x, np.Axis(1), np.KeepDims()))
	fmt.Println(np.Sum(x, np.Masked(x.Greater(2)), np.As(np.Float64)))
	// Output:
	// 15 [3 5 7]
	// [[ 3]
	//  [12]]
	// 12.0
}

func ExampleVar() {
	x := np.Of([]float64{1, 2, 3, 4})
	fmt.Println(np.Var(x), np.Std(x, np.DDof(1)))
	// Output: 1.25 1.2909944487358056
}

func ExampleQuantile() {
	x := np.Of([]float64{5, 1, 3, 2})
	fmt.Println(np.Median(x), np.Quantile(x, []float64{0.25, 0.75}), np.Percentile(x, 50, np.Method("lower")))
	// Output: 2.5 [1.75 3.5 ] 2.0
}

func ExampleWhere() {
	x := np.Of([]float64{-1, 0, 2})
	fmt.Println(np.Where(x.Less(0), 0, x))
	// Output: [0. 0. 2.]
}

func ExampleTake() {
	x := np.Arange(12).Reshape(3, 4)
	fmt.Println(np.Take(x, []int{2, 0}, np.Axis(0)))
	fmt.Println(np.Take([]float64{1, 2, 3}, []int{0, 5, -1}), np.Take([]float64{1, 2, 3}, 5, np.Mode("clip")))
	// Output:
	// [[ 8  9 10 11]
	//  [ 0  1  2  3]]
	// [ 1. nan  3.] 3.0
}

// x.At selects a part; its methods read it or return a changed copy.
func ExampleArray_at() {
	x := np.Arange(12).Reshape(3, 4)
	fmt.Println(x.At(1).Get(), x.At("1:, ::-2").Get())
	fmt.Println(x.At(np.Ellipsis, 0).Set(100))
	fmt.Println(np.Zeros([]int{3}).At([]int{0, 2, 2}).Add(1))
	fmt.Println(x.At(x.Mod(2).Equal(0)).Get())
	// Output:
	// [4 5 6 7] [[ 7  5]
	//  [11  9]]
	// [[100   1   2   3]
	//  [100   5   6   7]
	//  [100   9  10  11]]
	// [1. 0. 2.]
	// [ 0  2  4  6  8 10]
}

func ExampleConcatenate() {
	a, b := np.Ones([]int{1, 2}), np.Zeros([]int{1, 2})
	fmt.Println(np.Concatenate([]*np.Array{a, b}))
	fmt.Println(np.Concatenate([]*np.Array{a, b}, np.Axis(1)))
	fmt.Println(np.Stack([]*np.Array{a, b}).Shape())
	// Output:
	// [[1. 1.]
	//  [0. 0.]]
	// [[1. 1. 0. 0.]]
	// [2,1,2]
}

func ExamplePad() {
	x := np.Arange(1, 4)
	fmt.Println(np.Pad(x, 2), np.Pad(x, []int{1, 2}, np.Mode("edge")), np.Pad(x, 2, np.Mode("reflect")))
	// Output: [0 0 1 2 3 0 0] [1 1 2 3 3 3] [3 2 1 2 3 2 1]
}

func ExampleSplit() {
	for _, part := range np.Split(np.Arange(6), []int{2, 3}) {
		fmt.Println(part)
	}
	// Output:
	// [0 1]
	// [2]
	// [3 4 5]
}

func ExampleTile() {
	fmt.Println(np.Tile([]int{1, 2}, 2), np.Repeat([]int{1, 2}, 2), np.Roll([]int{1, 2, 3}, 1), np.Flip([]int{1, 2, 3}))
	// Output: [1 2 1 2] [1 1 2 2] [3 1 2] [3 2 1]
}

func ExampleSort() {
	x := np.Of([]float64{3, 1, 2})
	fmt.Println(np.Sort(x), np.Argsort(x), np.Sort(x, np.Descending()))
	fmt.Println(np.Searchsorted([]float64{1, 2, 3}, []float64{0, 2, 9}))
	// Output:
	// [1. 2. 3.] [1 2 0] [3. 2. 1.]
	// [0 1 3]
}

func ExampleUnique() {
	x := np.Of([]int{3, 1, 3, 2, 1})
	values, counts := np.UniqueCounts(x)
	fmt.Println(values, counts)
	// While tracing the number of values is not known: fix it.
	fmt.Println(np.Unique(x, np.Length(5), np.FillValue(-1)))
	// Output:
	// [1 2 3] [2 1 2]
	// [ 1  2  3 -1 -1]
}

func ExampleMatMul() {
	a := np.Of([][]float64{{1, 2}, {3, 4}})
	fmt.Println(np.MatMul(a, []float64{1, 1}), np.Dot(a, a))
	// Output:
	// [3. 7.] [[ 7. 10.]
	//  [15. 22.]]
}

func ExampleEinsum() {
	a := np.Arange(6).Reshape(2, 3)
	fmt.Println(np.Einsum("ij->ji", a))
	fmt.Println(np.Einsum("ij,ij->i", a, a), np.Einsum("ii", np.Eye(3)))
	// Output:
	// [[0 3]
	//  [1 4]
	//  [2 5]]
	// [ 5 50] 3.0
}

func ExampleCumsum() {
	fmt.Println(np.Cumsum([]int{1, 2, 3}), np.Diff([]int{1, 4, 9}, 1), np.Cumprod([]int{1, 2, 3}))
	// Output: [1 3 6] [3 5] [1 2 6]
}

func ExampleInterp() {
	fmt.Println(np.Interp([]float64{-1, 0.5, 1.5, 9}, []float64{0, 1, 2}, []float64{0, 10, 30}))
	fmt.Println(np.Trapezoid([]float64{0, 1, 4}, nil), np.Polyval([]float64{1, 0, -1}, 3))
	// Output:
	// [ 0.  5. 20. 30.]
	// 3.0 8.0
}

func ExampleIsClose() {
	x := np.Of([]float64{1, 2})
	fmt.Println(np.IsClose(x, x.Add(1e-9)), np.AllClose(x, x.Add(0.1)).Bool())
	// Output: [ True  True] false
}

func ExampleHistogram() {
	counts, edges := np.Histogram([]float64{0, 1, 1, 2, 4}, 4)
	fmt.Println(counts, edges)
	// Output: [1. 2. 1. 1.] [0. 1. 2. 3. 4.]
}

func ExampleApplyAlongAxis() {
	x := np.Of([][]float64{{1, 5}, {2, 4}})
	fmt.Println(np.ApplyAlongAxis(func(v *np.Array) *np.Array { return v.Sub(v.Mean()) }, 1, x))
	// Output:
	// [[-2.  2.]
	//  [-1.  1.]]
}

func ExampleVectorize() {
	dot := np.Vectorize(func(x, y *np.Array) *np.Array { return x.Mul(y).Sum() }, "(n),(n)->()")
	fmt.Println(dot.Call([][]float64{{1, 2}, {3, 4}}, []float64{1, 1}))
	// Output: [3. 7.]
}

func ExampleSave() {
	name := filepath.Join(os.TempDir(), "pantograph-example.npy")
	defer os.Remove(name)
	if err := np.Save(name, np.Arange(3)); err != nil {
		fmt.Println(err)
	}
	x, err := np.Load(name)
	fmt.Println(x, err)
	// Output: [0 1 2] <nil>
}

// Mistakes panic with an *array.Error that names the line; trace.Try turns it into an error.
func Example_errors() {
	err := trace.Try(func() { np.Add(np.Ones([]int{3}), np.Ones([]int{4})) })
	var shape *array.ShapeError
	fmt.Println(errors.As(err, &shape))
	fmt.Println(shape)
	// Output:
	// true
	// shapes [3] and [4] do not broadcast: axis 1 from the end has sizes 3 and 4
}
