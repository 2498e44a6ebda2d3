module @constants {
  func.func @main() {
    %cst = stablehlo.constant dense<[[1.000000e+00, 5.000000e-01], [0x7C00, -6.550400e+04]]> : tensor<2x2xf16>
    %cst_0 = stablehlo.constant dense<[[1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00]]> : tensor<2x2xf32>
    %c = stablehlo.constant dense<[513, 1027]> : tensor<2xui16>
    %cst_1 = stablehlo.constant dense<[(1.000000e+00,-2.000000e+00), (0x7FF8000000000000,1.000000e-01)]> : tensor<2xcomplex<f64>>
    %c_2 = stablehlo.constant dense<[true, false, true]> : tensor<3xi1>
    %cst_3 = stablehlo.constant dense<> : tensor<0x3xf32>
    %c_4 = stablehlo.constant dense<> : tensor<2x1x0xi8>
    %c_5 = stablehlo.constant dense<18446744073709551615> : tensor<ui64>
    %cst_6 = stablehlo.constant dense<[1.000000e+00, 0x7F, 2.500000e-01]> : tensor<3xf8E4M3FN>
    %cst_7 = stablehlo.constant dense_resource<blob> : tensor<3xf32>
    %cst_8 = stablehlo.constant dense<[1.2345678899999999, 12345678.9, 1.000000e-10, 1.234560e+05]> : tensor<4xf64>
    %cst_9 = stablehlo.constant dense<1.000000e+00> : tensor<3xbf16>
    %c_10 = stablehlo.constant dense<-3> : tensor<i4>
    return
  }
  module @inner {
    func.func nested @f() attributes {a.b = dense_resource<blob> : tensor<3xf32>} {
      return
    }
  }
}

{-#
  dialect_resources: {
    builtin: {
      blob: "0x040000000000803F0000004000004040"
    }
  }
#-}
