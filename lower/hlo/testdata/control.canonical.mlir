module @control {
  func.func @main(%arg0: tensor<i32>, %arg1: tensor<4xf32>) -> (tensor<4xf32>, tensor<f32>) {
    %c = stablehlo.constant dense<10> : tensor<i32>
    %0:2 = stablehlo.while(%iterArg = %arg0, %iterArg_0 = %arg1) : tensor<i32>, tensor<4xf32> attributes {some.note = "loop"}
    cond {
      %10 = stablehlo.compare LT, %iterArg, %c : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %10 : tensor<i1>
    } do {
      %c_1 = stablehlo.constant dense<1> : tensor<i32>
      %10 = stablehlo.add %iterArg, %c_1 : tensor<i32>
      %11 = func.call @twice(%iterArg_0) : (tensor<4xf32>) -> tensor<4xf32>
      stablehlo.return %10, %11 : tensor<i32>, tensor<4xf32>
    }
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.reduce(%0#1 init: %cst) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
    %2 = stablehlo.iota dim = 0 : tensor<4xi32>
    %3:2 = stablehlo.reduce(%arg1 init: %cst), (%2 init: %c) across dimensions = [0] : (tensor<4xf32>, tensor<4xi32>, tensor<f32>, tensor<i32>) -> (tensor<f32>, tensor<i32>)
     reducer(%arg2: tensor<f32>, %arg4: tensor<f32>) (%arg3: tensor<i32>, %arg5: tensor<i32>)  {
      %10 = stablehlo.compare GT, %arg2, %arg4, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %11 = stablehlo.select %10, %arg2, %arg4 : tensor<i1>, tensor<f32>
      %12 = stablehlo.select %10, %arg3, %arg5 : tensor<i1>, tensor<i32>
      stablehlo.return %11, %12 : tensor<f32>, tensor<i32>
    }
    %4 = "stablehlo.case"(%3#1) ({
      stablehlo.return %1 : tensor<f32>
    }, {
      %10 = stablehlo.negate %1 : tensor<f32>
      stablehlo.return %10 : tensor<f32>
    }) : (tensor<i32>) -> tensor<f32>
    %5 = stablehlo.create_token : !stablehlo.token
    %6 = stablehlo.after_all %5, %5 : !stablehlo.token
    %7 = stablehlo.tuple %4, %6 : tuple<tensor<f32>, !stablehlo.token>
    %8 = stablehlo.get_tuple_element %7[0] : (tuple<tensor<f32>, !stablehlo.token>) -> tensor<f32>
    %9:2 = stablehlo.optimization_barrier %0#1, %8 : tensor<4xf32>, tensor<f32>
    return %9#0, %9#1 : tensor<4xf32>, tensor<f32>
  }
  func.func private @twice(%arg0: tensor<4xf32>) -> tensor<4xf32> {
    %0 = stablehlo.add %arg0, %arg0 : tensor<4xf32>
    return %0 : tensor<4xf32>
  }
  func.func private @declared(tensor<4xf32>, tensor<f32> {a.b}) -> (tensor<4xf32>, tensor<2xf32> {c.d = 1 : i64}) attributes {e.f}
}
