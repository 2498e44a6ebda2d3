// Package array holds the values everything else works on: Array, one concrete type that is either data or a tracer,
// with its dtype and shape, NumPy's methods, and host memory behind it. It reads and prints as NumPy does, exchanges
// .npy and .npz files, and defines the errors that reach the user. It knows no operation and no engine: what x.Add(y)
// means comes from package primitive through the interface Methods.
//
//	x, err := array.FromValue([][]float32{{1, 2}, {3, 4}})
//	fmt.Println(x, x.DType(), x.Shape()) // values, float32, [2,2]
//	y := x.Mul(2).Add(1).At(":, 0").Get()
//
// Arrays never change after construction and may be shared between goroutines. A Buffer is the memory behind a
// concrete one, row-major on the host; View sees it as a Go slice, and element.go reads and writes single elements of
// every type. Types narrower than a byte take a byte each.
//
// Read array.go and dtype.go first, then promotion.go (which type two operands have in common), value.go and read.go
// (Go values in and out), arithmetic.go, reshape.go and index.go (the methods), print.go, npy.go.
package array
