// Elementwise operations in the pretty form, with the types left out where they follow.
module @elementwise attributes {mhlo.num_partitions = 1 : i32, "a.odd name" = [1, 2 : i32, 1.5, 2.5 : f32, true]} {
  func.func public @main(%x: tensor<2x3xf32> {jax.arg_info = "x"}, %n: tensor<4xi32>, %p: tensor<2x3xi1>) -> (tensor<2x3xf32> {jax.result_info = "result"}, tensor<4xi1>) {
    %half = stablehlo.constant dense<0.5> : tensor<2x3xf32>
    %tenth = stablehlo.constant dense<[[0.1, 0.2, 1.0e+30], [-0.0, 16777216.0, 0.01]]> : tensor<2x3xf32>
    %special = stablehlo.constant dense<[[0x7F800000, 0xFF800000, 0x7FC00000], [1.0, 2.0, 3.0]]> : tensor<2x3xf32>
    %0 = stablehlo.add %x, %half : tensor<2x3xf32>
    %1 = stablehlo.exponential %0 {result_accuracy = #stablehlo.result_accuracy<ulps = 10, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : tensor<2x3xf32>
    %2 = stablehlo.select %p, %1, %special : tensor<2x3xi1>, tensor<2x3xf32>
    %3 = stablehlo.reduce_precision %2, format = e5m10 : tensor<2x3xf32>
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %max = stablehlo.constant dense<[-2147483648, 2147483647, 0, -1]> : tensor<4xi32>
    %4 = stablehlo.clamp %zero, %n, %max : (tensor<i32>, tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
    %5 = stablehlo.compare LE, %4, %max, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
    %6 = stablehlo.complex %x, %tenth : tensor<2x3xcomplex<f32>>
    %7 = stablehlo.real %6 : (tensor<2x3xcomplex<f32>>) -> tensor<2x3xf32>
    %8 = stablehlo.multiply %7, %3 {some.note} : tensor<2x3xf32>
    %9 = stablehlo.is_finite %8 : (tensor<2x3xf32>) -> tensor<2x3xi1>
    %10 = chlo.erf %8 : tensor<2x3xf32> -> tensor<2x3xf32>
    return %10, %5 : tensor<2x3xf32>, tensor<4xi1>
  }
}
