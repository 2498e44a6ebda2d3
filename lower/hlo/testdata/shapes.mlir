module @shapes {
  func.func @main(%x: tensor<2x3xf32>, %i: tensor<i32>) -> tensor<?xf32> {
    %z = stablehlo.constant dense<0.0> : tensor<f32>
    %0 = stablehlo.iota dim = 1 : tensor<2x3xf32>
    %1 = stablehlo.broadcast_in_dim %x, dims = [0, 2] : (tensor<2x3xf32>) -> tensor<2x5x3xf32>
    %2 = stablehlo.reshape %x : (tensor<2x3xf32>) -> tensor<6xf32>
    %3 = stablehlo.transpose %x, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
    %4 = stablehlo.slice %x [0:2, 0:3:2] : (tensor<2x3xf32>) -> tensor<2x2xf32>
    %5 = stablehlo.concatenate %x, %0, dim = 1 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x6xf32>
    %6 = stablehlo.pad %x, %z, low = [0, -1], high = [1, 2], interior = [0, 1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<3x6xf32>
    %7 = stablehlo.dynamic_slice %x, %i, %i, sizes = [1, 2] : (tensor<2x3xf32>, tensor<i32>, tensor<i32>) -> tensor<1x2xf32>
    %8 = stablehlo.dynamic_update_slice %x, %7, %i, %i : (tensor<2x3xf32>, tensor<1x2xf32>, tensor<i32>, tensor<i32>) -> tensor<2x3xf32>
    %9 = stablehlo.reverse %x, dims = [0] : tensor<2x3xf32>
    %10 = stablehlo.bitcast_convert %x : (tensor<2x3xf32>) -> tensor<2x3x4xui8>
    %11 = stablehlo.get_dimension_size %x, dim = 1 : (tensor<2x3xf32>) -> tensor<i32>
    %12 = stablehlo.set_dimension_size %2, %11, dim = 0 : (tensor<6xf32>, tensor<i32>) -> tensor<?xf32, #stablehlo.bounds<6>>
    %s = stablehlo.constant dense<[3, 2]> : tensor<2xi32>
    %13 = stablehlo.dynamic_reshape %x, %s : (tensor<2x3xf32>, tensor<2xi32>) -> tensor<?x2xf32>
    %14 = stablehlo.dynamic_iota %s, dim = 0 : (tensor<2xi32>) -> tensor<?x?xi64>
    %15 = stablehlo.dynamic_broadcast_in_dim %z, %s, dims = [] {known_expanding_dimensions = array<i64>} : (tensor<f32>, tensor<2xi32>) -> tensor<?x?xf32>
    %16 = "stablehlo.reshape"(%12) : (tensor<?xf32, #stablehlo.type_extensions<bounds = [6]>>) -> tensor<?xf32, #stablehlo.bounds<6>>
    %17 = stablehlo.custom_call @shape_assertion(%i) {api_version = 2 : i32, has_side_effect = true, operand_layouts = [dense<> : tensor<0xindex>], result_layouts = [dense<0> : tensor<1xindex>]} : (tensor<i32>) -> tensor<?xf32>
    return %17 : tensor<?xf32>
  }
}
