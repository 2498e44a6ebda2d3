!t = tensor<2x2xf16>
#half = dense<[[1.0, 0.5], [0x7C00, -65504.0]]> : !t
module @constants {
  func.func @main() {
    %0 = stablehlo.constant #half
    %1 = stablehlo.constant dense<"0x0000803F000000400000404000008040"> : tensor<2x2xf32>
    %2 = stablehlo.constant dense<"0x01020304"> : tensor<2xui16>
    %3 = stablehlo.constant dense<[(1.0, -2.0), (0x7FF8000000000000, 0.1)]> : tensor<2xcomplex<f64>>
    %4 = stablehlo.constant dense<[true, false, true]> : tensor<3xi1>
    %5 = stablehlo.constant dense<> : tensor<0x3xf32>
    %6 = stablehlo.constant dense<[[[]], [[]]]> : tensor<2x1x0xi8>
    %7 = stablehlo.constant dense<18446744073709551615> : tensor<ui64>
    %8 = stablehlo.constant dense<[1.0, 0x7F, 2.500000e-01]> : tensor<3xf8E4M3FN>
    %9 = stablehlo.constant dense_resource<blob> : tensor<3xf32>
    %10 = stablehlo.constant dense<[1.23456789, 12345678.9, 1.0e-10, 123456.0]> : tensor<4xf64>
    %11 = stablehlo.constant dense<[1.0, 1.0, 1.0]> : tensor<3xbf16>
    %12 = stablehlo.constant dense<-3> : tensor<i4>
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
