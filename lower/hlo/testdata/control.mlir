#loc1 = loc("model.py":3:4)
module @control {
  func.func @main(%n: tensor<i32>, %x: tensor<4xf32>) -> (tensor<4xf32>, tensor<f32>) {
    %limit = stablehlo.constant dense<10> : tensor<i32>
    %0:2 = stablehlo.while(%i = %n, %acc = %x) : tensor<i32>, tensor<4xf32> attributes {some.note = "loop"}
    cond {
      %c = stablehlo.compare LT, %i, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %c : tensor<i1>
    } do {
      %one = stablehlo.constant dense<1> : tensor<i32>
      %next = stablehlo.add %i, %one : tensor<i32> loc(#loc3)
      %y = func.call @twice(%acc) : (tensor<4xf32>) -> tensor<4xf32>
      stablehlo.return %next, %y : tensor<i32>, tensor<4xf32>
    } loc("jit(f)/while"(callsite("g"("model.py":1:2 to 3:4) at #loc1)))
    %zero = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %sum = stablehlo.reduce(%0#1 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
    %iota = stablehlo.iota dim = 0 : tensor<4xi32>
    %arg:2 = stablehlo.reduce(%x init: %zero), (%iota init: %limit) across dimensions = [0] : (tensor<4xf32>, tensor<4xi32>, tensor<f32>, tensor<i32>) -> (tensor<f32>, tensor<i32>)
      reducer(%a: tensor<f32>, %b: tensor<f32>) (%ai: tensor<i32>, %bi: tensor<i32>) {
        %gt = stablehlo.compare GT, %a, %b, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
        %v = stablehlo.select %gt, %a, %b : tensor<i1>, tensor<f32>
        %k = stablehlo.select %gt, %ai, %bi : tensor<i1>, tensor<i32>
        stablehlo.return %v, %k : tensor<f32>, tensor<i32>
      }
    %branch = "stablehlo.case"(%arg#1) ({
      stablehlo.return %sum : tensor<f32>
    }, {
      %d = stablehlo.negate %sum : tensor<f32>
      stablehlo.return %d : tensor<f32>
    }) : (tensor<i32>) -> tensor<f32>
    %t = stablehlo.create_token : !stablehlo.token
    %u = stablehlo.after_all %t, %t : !stablehlo.token
    %pair = stablehlo.tuple %branch, %u : tuple<tensor<f32>, !stablehlo.token>
    %got = stablehlo.get_tuple_element %pair[0] : (tuple<tensor<f32>, !stablehlo.token>) -> tensor<f32>
    %held:2 = stablehlo.optimization_barrier %0#1, %got : tensor<4xf32>, tensor<f32>
    return %held#0, %held#1 : tensor<4xf32>, tensor<f32>
  } loc(#loc1)
  func.func private @twice(%arg0: tensor<4xf32> loc("arg")) -> tensor<4xf32> {
    %0 = stablehlo.add %arg0, %arg0 : tensor<4xf32> loc(fused["a", "model.py":7:8])
    return %0 : tensor<4xf32>
  }
  func.func private @declared(tensor<4xf32>, tensor<f32> {a.b}) -> (tensor<4xf32>, tensor<2xf32> {c.d = 1 : i64}) attributes {e.f}
}
#loc2 = loc("body")
#loc3 = loc("add"(#loc2))
