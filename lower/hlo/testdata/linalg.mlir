module @linalg {
  func.func @main(%x: tensor<1x8x8x4xf32>, %k: tensor<3x3x4x16xf32>, %m: tensor<2x3x3xf32>, %key: tensor<2xui64>) -> tensor<2x3x3xf32> {
    %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 2], pad = [[1, 1], [0, 2]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, true]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x8x8x4xf32>, tensor<3x3x4x16xf32>) -> tensor<1x8x4x16xf32>
    %1 = stablehlo.cholesky %m, lower = true : tensor<2x3x3xf32>
    %2 = stablehlo.dot_general %m, %1, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x3x3xf32>, tensor<2x3x3xf32>) -> tensor<2x3x3xf32>
    %3 = "stablehlo.triangular_solve"(%1, %2) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<2x3x3xf32>, tensor<2x3x3xf32>) -> tensor<2x3x3xf32>
    %4 = stablehlo.fft %m, type = RFFT, length = [3] : (tensor<2x3x3xf32>) -> tensor<2x3x2xcomplex<f32>>
    %state, %bits = stablehlo.rng_bit_generator %key, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<5xui32>)
    %v, %i = chlo.top_k(%m, k = 2) : tensor<2x3x3xf32> -> (tensor<2x3x2xf32>, tensor<2x3x2xi32>)
    %5 = stablehlo.composite "math.scale" %3 {composite_attributes = {by = 2.0 : f32}, decomposition = @scale, version = 1 : i32} : (tensor<2x3x3xf32>) -> tensor<2x3x3xf32>
    %6 = stablehlo.custom_call @"lapack spotrf"(%5) {api_version = 4 : i32, backend_config = {uplo = 76 : ui8}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>]} : (tensor<2x3x3xf32>) -> tensor<2x3x3xf32>
    return %6 : tensor<2x3x3xf32>
  }
  func.func private @scale(%x: tensor<2x3x3xf32>) -> tensor<2x3x3xf32> {
    return %x : tensor<2x3x3xf32>
  }
}
