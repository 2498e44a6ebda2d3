package hlo_test

import (
	"fmt"
	"log"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/lower/hlo"
)

// A module is read, looked at, and printed in MLIR's canonical text.
func Example() {
	m, err := hlo.Parse(`
func.func @main(%x: tensor<2x3xf32>) -> tensor<2xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %sum = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1]
    : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
  return %sum : tensor<2xf32>
}`)
	if err != nil {
		log.Fatal(err)
	}
	if err := hlo.Verify(m); err != nil {
		log.Fatal(err)
	}
	for _, op := range m.Func("main").Body.Block().Ops {
		fmt.Println(op.Name)
	}
	fmt.Print(m)
	// Output:
	// stablehlo.constant
	// stablehlo.reduce
	// func.return
	// module {
	//   func.func @main(%arg0: tensor<2x3xf32>) -> tensor<2xf32> {
	//     %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
	//     %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.add across dimensions = [1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
	//     return %0 : tensor<2xf32>
	//   }
	// }
}

// A mistake in the text is shown where it is.
func ExampleParse_error() {
	_, err := hlo.Parse("func.func @f(%x: tensor<2xf32>) {\n  %0 = stablehlo.add %x, %y : tensor<2xf32>\n}")
	fmt.Println(err)
	// Output:
	// 2:26: %y is not defined here
	//   %0 = stablehlo.add %x, %y : tensor<2xf32>
	//                          ^
}

// A mistake in the program names the constraint of the specification.
func ExampleVerify() {
	m, err := hlo.Parse(`
func.func @main(%x: tensor<4xf32>) -> tensor<2xf32> {
  %0 = stablehlo.slice %x [1:5:2] : (tensor<4xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}`)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(hlo.Verify(m))
	// Output:
	// @main: stablehlo.slice: C3: the limit 5 is behind the end, dimension 0 has size 4
}

// A lowering builds operations through a Builder, which makes the result values.
func ExampleBuilder() {
	vec := array.Aval{Shape: array.Shape{4}, DType: array.Float32}
	m := &hlo.Module{Name: "example"}
	b := hlo.NewBuilder(m, "cpu")
	_, err := b.Func("main", false, []hlo.Type{hlo.TensorOf(vec)}, func(args []*hlo.Value) ([]*hlo.Value, error) {
		half := b.Splat(vec, 0.5)
		return b.Op("stablehlo.multiply", vec, []*hlo.Value{args[0], half}), nil
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Print(m)
	// Output:
	// module @example {
	//   func.func @main(%arg0: tensor<4xf32>) -> tensor<4xf32> {
	//     %cst = stablehlo.constant dense<5.000000e-01> : tensor<4xf32>
	//     %0 = stablehlo.multiply %arg0, %cst : tensor<4xf32>
	//     return %0 : tensor<4xf32>
	//   }
	// }
}
