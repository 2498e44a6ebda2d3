module @elementwise attributes {"a.odd name" = [1, 2 : i32, 1.500000e+00, 2.500000e+00 : f32, true], mhlo.num_partitions = 1 : i32} {
  func.func public @main(%arg0: tensor<2x3xf32> {jax.arg_info = "x"}, %arg1: tensor<4xi32>, %arg2: tensor<2x3xi1>) -> (tensor<2x3xf32> {jax.result_info = "result"}, tensor<4xi1>) {
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<2x3xf32>
    %cst_0 = stablehlo.constant dense<[[1.000000e-01, 2.000000e-01, 1.000000e+30], [-0.000000e+00, 0x4B800000, 0.00999999977]]> : tensor<2x3xf32>
    %cst_1 = stablehlo.constant dense<[[0x7F800000, 0xFF800000, 0x7FC00000], [1.000000e+00, 2.000000e+00, 3.000000e+00]]> : tensor<2x3xf32>
    %0 = stablehlo.add %arg0, %cst : tensor<2x3xf32>
    %1 = stablehlo.exponential %0 {result_accuracy = #stablehlo.result_accuracy<ulps = 10, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : tensor<2x3xf32>
    %2 = stablehlo.select %arg2, %1, %cst_1 : tensor<2x3xi1>, tensor<2x3xf32>
    %3 = stablehlo.reduce_precision %2, format = e5m10 : tensor<2x3xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_2 = stablehlo.constant dense<[-2147483648, 2147483647, 0, -1]> : tensor<4xi32>
    %4 = stablehlo.clamp %c, %arg1, %c_2 : (tensor<i32>, tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
    %5 = stablehlo.compare LE, %4, %c_2, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
    %6 = stablehlo.complex %arg0, %cst_0 : tensor<2x3xcomplex<f32>>
    %7 = stablehlo.real %6 : (tensor<2x3xcomplex<f32>>) -> tensor<2x3xf32>
    %8 = stablehlo.multiply %7, %3 {some.note} : tensor<2x3xf32>
    %9 = stablehlo.is_finite %8 : (tensor<2x3xf32>) -> tensor<2x3xi1>
    %10 = chlo.erf %8 : tensor<2x3xf32> -> tensor<2x3xf32>
    return %10, %5 : tensor<2x3xf32>, tensor<4xi1>
  }
}
