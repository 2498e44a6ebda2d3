package backendtest

import (
	"math"

	"github.com/pantograph-go/pantograph/array"
)

func reductionRows() []row {
	m := tensor(array.Float32, array.Shape{2, 3}, 1, 2, 3, 4, 5, 6)
	return []row{
		{"sums", "(%x: tensor<2x3xf32>) -> (tensor<3xf32>, tensor<2xf32>, tensor<f32>)",
			"%c = stablehlo.constant dense<0.0> : tensor<f32>\n" +
				"%0 = stablehlo.reduce(%x init: %c) applies stablehlo.add across dimensions = [0] : (tensor<2x3xf32>, tensor<f32>) -> tensor<3xf32>\n" +
				"%1 = stablehlo.reduce(%x init: %c) applies stablehlo.add across dimensions = [1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>\n" +
				"%2 = stablehlo.reduce(%x init: %c) applies stablehlo.add across dimensions = [0, 1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<f32>\n" +
				"return %0, %1, %2 : tensor<3xf32>, tensor<2xf32>, tensor<f32>",
			args(m), want(f32s(5, 7, 9), f32s(6, 15), tensor(array.Float32, nil, 21))},
		{"argmax", "(%x: tensor<5xf32>) -> (tensor<f32>, tensor<i32>)",
			"%i = stablehlo.iota dim = 0 : tensor<5xi32>\n %a = stablehlo.constant dense<0xFF800000> : tensor<f32>\n %b = stablehlo.constant dense<0> : tensor<i32>\n" +
				"%0:2 = stablehlo.reduce(%x init: %a), (%i init: %b) across dimensions = [0] : (tensor<5xf32>, tensor<5xi32>, tensor<f32>, tensor<i32>) -> (tensor<f32>, tensor<i32>)\n" +
				" reducer(%p: tensor<f32>, %q: tensor<f32>) (%r: tensor<i32>, %s: tensor<i32>) {\n" +
				"  %1 = stablehlo.compare GE, %p, %q, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>\n" +
				"  %2 = stablehlo.select %1, %p, %q : tensor<i1>, tensor<f32>\n %3 = stablehlo.select %1, %r, %s : tensor<i1>, tensor<i32>\n" +
				"  stablehlo.return %2, %3 : tensor<f32>, tensor<i32>\n }\n return %0#0, %0#1 : tensor<f32>, tensor<i32>",
			args(f32s(3, 7, 1, 7, 2)), want(tensor(array.Float32, nil, 7), tensor(array.Int32, nil, 1))},
		{"cumulative sum", "(%x: tensor<4xi32>) -> tensor<4xi32>",
			"%c = stablehlo.constant dense<0> : tensor<i32>\n" +
				"%0 = \"stablehlo.reduce_window\"(%x, %c) <{padding = dense<[[3, 0]]> : tensor<1x2xi64>, window_dimensions = array<i64: 4>}> ({\n" +
				"^bb0(%p: tensor<i32>, %q: tensor<i32>):\n %1 = stablehlo.add %p, %q : tensor<i32>\n stablehlo.return %1 : tensor<i32>\n" +
				"}) : (tensor<4xi32>, tensor<i32>) -> tensor<4xi32>\n return %0 : tensor<4xi32>",
			args(i32s(1, 2, 3, 4)), want(i32s(1, 3, 6, 10))},
		{"max pool", "(%x: tensor<5xf32>) -> tensor<2xf32>",
			"%c = stablehlo.constant dense<0xFF800000> : tensor<f32>\n" +
				"%0 = \"stablehlo.reduce_window\"(%x, %c) <{window_dimensions = array<i64: 3>, window_strides = array<i64: 2>}> ({\n" +
				"^bb0(%p: tensor<f32>, %q: tensor<f32>):\n %1 = stablehlo.maximum %p, %q : tensor<f32>\n stablehlo.return %1 : tensor<f32>\n" +
				"}) : (tensor<5xf32>, tensor<f32>) -> tensor<2xf32>\n return %0 : tensor<2xf32>",
			args(f32s(1, 5, 2, 4, 3)), want(f32s(5, 4))},
		{"dot_general", "(%x: tensor<2x3xf32>, %y: tensor<3x2xf32>) -> tensor<2x2xf32>",
			"%0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<2x2xf32>\n return %0 : tensor<2x2xf32>",
			args(m, tensor(array.Float32, array.Shape{3, 2}, 1, 0, 0, 1, 1, 1)), want(tensor(array.Float32, array.Shape{2, 2}, 4, 5, 10, 11))},
		{"batched dot_general", "(%x: tensor<2x1x2xi32>, %y: tensor<2x2xi32>) -> tensor<2x1xi32>",
			"%0 = stablehlo.dot_general %x, %y, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x1x2xi32>, tensor<2x2xi32>) -> tensor<2x1xi32>\n return %0 : tensor<2x1xi32>",
			args(tensor(array.Int32, array.Shape{2, 1, 2}, 1, 2, 3, 4), tensor(array.Int32, array.Shape{2, 2}, 5, 6, 7, 8)), want(tensor(array.Int32, array.Shape{2, 1}, 17, 53))},
		{"convolution", "(%x: tensor<1x4x1xf32>, %y: tensor<2x1x1xf32>) -> tensor<1x3x1xf32>",
			"%0 = stablehlo.convolution(%x, %y) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [1], pad = [[0, 0]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x4x1xf32>, tensor<2x1x1xf32>) -> tensor<1x3x1xf32>\n return %0 : tensor<1x3x1xf32>",
			args(tensor(array.Float32, array.Shape{1, 4, 1}, 1, 2, 3, 4), tensor(array.Float32, array.Shape{2, 1, 1}, 10, 1)),
			want(tensor(array.Float32, array.Shape{1, 3, 1}, 12, 23, 34))},
		{"fft", "(%x: tensor<4xcomplex<f64>>) -> tensor<4xcomplex<f64>>",
			"%0 = stablehlo.fft %x, type = FFT, length = [4] : (tensor<4xcomplex<f64>>) -> tensor<4xcomplex<f64>>\n return %0 : tensor<4xcomplex<f64>>",
			args(tensor(array.Complex128, array.Shape{4}, 1, 2, 3, 4)), want(tensor(array.Complex128, array.Shape{4}, 10+0i, -2+2i, -2+0i, -2-2i))},
		{"cholesky", "(%x: tensor<2x2xf64>) -> tensor<2x2xf64>",
			"%0 = stablehlo.cholesky %x, lower = true : tensor<2x2xf64>\n return %0 : tensor<2x2xf64>",
			args(tensor(array.Float64, array.Shape{2, 2}, 4, 2, 2, 3)), want(tensor(array.Float64, array.Shape{2, 2}, 2, 0, 1, math.Sqrt2))},
		{"triangular_solve", "(%x: tensor<2x2xf64>, %y: tensor<2x1xf64>) -> tensor<2x1xf64>",
			"%0 = \"stablehlo.triangular_solve\"(%x, %y) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<2x2xf64>, tensor<2x1xf64>) -> tensor<2x1xf64>\n return %0 : tensor<2x1xf64>",
			args(tensor(array.Float64, array.Shape{2, 2}, 2, 0, 1, 4), tensor(array.Float64, array.Shape{2, 1}, 6, 11)), want(tensor(array.Float64, array.Shape{2, 1}, 3, 2))},
	}
}

func indexRows() []row {
	scalar := func(v int) *array.Buffer { return tensor(array.Int32, nil, v) }
	return []row{
		{"dynamic_slice clamps", "(%x: tensor<5xi32>, %y: tensor<i32>) -> tensor<2xi32>",
			"%0 = stablehlo.dynamic_slice %x, %y, sizes = [2] : (tensor<5xi32>, tensor<i32>) -> tensor<2xi32>\n return %0 : tensor<2xi32>",
			args(i32s(1, 2, 3, 4, 5), scalar(9)), want(i32s(4, 5))},
		{"dynamic_update_slice", "(%x: tensor<5xi32>, %y: tensor<2xi32>, %z: tensor<i32>) -> tensor<5xi32>",
			"%0 = stablehlo.dynamic_update_slice %x, %y, %z : (tensor<5xi32>, tensor<2xi32>, tensor<i32>) -> tensor<5xi32>\n return %0 : tensor<5xi32>",
			args(i32s(1, 2, 3, 4, 5), i32s(8, 9), scalar(-3)), want(i32s(8, 9, 3, 4, 5))},
		{"gather", "(%x: tensor<3x2xi32>, %y: tensor<2x1xi32>) -> tensor<2x2xi32>",
			"%0 = \"stablehlo.gather\"(%x, %y) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 2>}> : (tensor<3x2xi32>, tensor<2x1xi32>) -> tensor<2x2xi32>\n return %0 : tensor<2x2xi32>",
			args(tensor(array.Int32, array.Shape{3, 2}, 1, 2, 3, 4, 5, 6), tensor(array.Int32, array.Shape{2, 1}, 2, 0)),
			want(tensor(array.Int32, array.Shape{2, 2}, 5, 6, 1, 2))},
		{"scatter adds", "(%x: tensor<3xi32>, %y: tensor<3x1xi32>, %z: tensor<3xi32>) -> tensor<3xi32>",
			"%0 = \"stablehlo.scatter\"(%x, %y, %z) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({\n" +
				"^bb0(%p: tensor<i32>, %q: tensor<i32>):\n %1 = stablehlo.add %p, %q : tensor<i32>\n stablehlo.return %1 : tensor<i32>\n" +
				"}) : (tensor<3xi32>, tensor<3x1xi32>, tensor<3xi32>) -> tensor<3xi32>\n return %0 : tensor<3xi32>",
			args(i32s(1, 1, 1), tensor(array.Int32, array.Shape{3, 1}, 0, 0, 7), i32s(10, 20, 30)), want(i32s(31, 1, 1))},
		{"sort by key", "(%x: tensor<4xi32>, %y: tensor<4xf32>) -> (tensor<4xi32>, tensor<4xf32>)",
			"%0:2 = \"stablehlo.sort\"(%x, %y) <{dimension = 0 : i64, is_stable = true}> ({\n" +
				"^bb0(%a: tensor<i32>, %b: tensor<i32>, %c: tensor<f32>, %d: tensor<f32>):\n %1 = stablehlo.compare GT, %a, %b, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>\n stablehlo.return %1 : tensor<i1>\n" +
				"}) : (tensor<4xi32>, tensor<4xf32>) -> (tensor<4xi32>, tensor<4xf32>)\n return %0#0, %0#1 : tensor<4xi32>, tensor<4xf32>",
			args(i32s(1, 3, 2, 3), f32s(1, 2, 3, 4)), want(i32s(3, 3, 2, 1), f32s(2, 4, 3, 1))},
		{"top_k", "(%x: tensor<4xf32>) -> (tensor<2xf32>, tensor<2xi32>)",
			"%0:2 = chlo.top_k(%x, k = 2) : tensor<4xf32> -> (tensor<2xf32>, tensor<2xi32>)\n return %0#0, %0#1 : tensor<2xf32>, tensor<2xi32>",
			args(f32s(1, 4, 4, 2)), want(f32s(4, 4), i32s(1, 2))},
	}
}

func controlRows() []row {
	return []row{
		{"while swaps", "(%x: tensor<i32>) -> (tensor<i32>, tensor<i32>)",
			"%a = stablehlo.constant dense<0> : tensor<i32>\n %b = stablehlo.constant dense<1> : tensor<i32>\n %one = stablehlo.constant dense<1> : tensor<i32>\n" +
				"%0:3 = stablehlo.while(%i = %a, %p = %a, %q = %b) : tensor<i32>, tensor<i32>, tensor<i32>\n cond {\n" +
				"  %1 = stablehlo.compare LT, %i, %x, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>\n  stablehlo.return %1 : tensor<i1>\n } do {\n" +
				"  %1 = stablehlo.add %i, %one : tensor<i32>\n  %2 = stablehlo.add %p, %q : tensor<i32>\n  stablehlo.return %1, %q, %2 : tensor<i32>, tensor<i32>, tensor<i32>\n }\n" +
				"return %0#1, %0#2 : tensor<i32>, tensor<i32>",
			args(tensor(array.Int32, nil, 10)), want(tensor(array.Int32, nil, 55), tensor(array.Int32, nil, 89))},
		{"case out of range", "(%x: tensor<i32>) -> tensor<i32>",
			"%a = stablehlo.constant dense<10> : tensor<i32>\n %b = stablehlo.constant dense<20> : tensor<i32>\n" +
				"%0 = \"stablehlo.case\"(%x) ({\n stablehlo.return %a : tensor<i32>\n}, {\n stablehlo.return %b : tensor<i32>\n}) : (tensor<i32>) -> tensor<i32>\n return %0 : tensor<i32>",
			args(tensor(array.Int32, nil, -7)), want(tensor(array.Int32, nil, 20))},
		{"if", "(%x: tensor<i1>, %y: tensor<2xf32>) -> tensor<2xf32>",
			"%0 = \"stablehlo.if\"(%x) ({\n %1 = stablehlo.negate %y : tensor<2xf32>\n stablehlo.return %1 : tensor<2xf32>\n}, {\n stablehlo.return %y : tensor<2xf32>\n}) : (tensor<i1>) -> tensor<2xf32>\n return %0 : tensor<2xf32>",
			args(tensor(array.Bool, nil, true), f32s(1, 2)), want(f32s(-1, -2))},
		{"loop leaves its start alone", "(%x: tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>)",
			"%a = stablehlo.constant dense<0> : tensor<i32>\n %one = stablehlo.constant dense<1> : tensor<i32>\n %n = stablehlo.constant dense<3> : tensor<i32>\n %s = stablehlo.add %x, %x : tensor<3xf32>\n" +
				"%0:2 = stablehlo.while(%i = %a, %v = %s) : tensor<i32>, tensor<3xf32>\n cond {\n" +
				"  %1 = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>\n  stablehlo.return %1 : tensor<i1>\n } do {\n" +
				"  %1 = stablehlo.add %i, %one : tensor<i32>\n  %2 = stablehlo.add %v, %s : tensor<3xf32>\n  stablehlo.return %1, %2 : tensor<i32>, tensor<3xf32>\n }\n" +
				"return %0#1, %s : tensor<3xf32>, tensor<3xf32>",
			args(f32s(1, 2, 3)), want(f32s(8, 16, 24), f32s(2, 4, 6))},
		{"calls", "(%x: tensor<2xf32>) -> tensor<2xf32>",
			"%0 = call @twice(%x) : (tensor<2xf32>) -> tensor<2xf32>\n %1 = call @twice(%0) : (tensor<2xf32>) -> tensor<2xf32>\n return %1 : tensor<2xf32>\n}\n" +
				"func.func private @twice(%x: tensor<2xf32>) -> tensor<2xf32> {\n %0 = stablehlo.add %x, %x : tensor<2xf32>\n return %0 : tensor<2xf32>",
			args(f32s(1, 2)), want(f32s(4, 8))},
		{"same result twice", "(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>)",
			"%0 = stablehlo.add %x, %x : tensor<2xf32>\n return %0, %0, %x : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>",
			args(f32s(1, 2)), want(f32s(2, 4), f32s(2, 4), f32s(1, 2))},
	}
}
