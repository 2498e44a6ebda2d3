package backendtest

import (
	"math"
	"testing"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/backend"
)

// row is one program with the values it must give. A body that begins with func is the whole text, else it is the body
// of main, whose arguments are named x, y, z and whose type is sig.
type row struct {
	name, sig, body string
	args            []array.Data
	want            []*array.Buffer
}

func (r row) text() string { return "func.func @main" + r.sig + " {\n" + r.body + "\n}\n" }

func args(b ...*array.Buffer) []array.Data {
	out := make([]array.Data, len(b))
	for i := range b {
		out[i] = b[i]
	}
	return out
}

func want(b ...*array.Buffer) []*array.Buffer { return b }

func values(t *testing.T, e backend.Backend) {
	for _, table := range [][]row{elementwiseRows(), shapeRows(), reductionRows(), indexRows(), controlRows()} {
		for _, r := range table {
			t.Run(r.name, func(t *testing.T) {
				exe := compile(t, e, r.text(), backend.Options{Name: r.name})
				for run := range 2 { // the second run finds the memory that the first one left
					got := execute(t, exe, r.args...)
					if len(got) != len(r.want) {
						t.Fatalf("run %d: %d results, want %d", run, len(got), len(r.want))
					}
					for i := range got {
						compare(t, r.name, got[i], r.want[i])
					}
				}
			})
		}
	}
}

var (
	inf    = math.Inf(1)
	nan    = math.NaN()
	negz   = math.Copysign(0, -1)
	minI32 = math.MinInt32
)

func elementwiseRows() []row {
	return []row{
		{"add f32", "(%x: tensor<3xf32>, %y: tensor<3xf32>) -> tensor<3xf32>",
			"%0 = stablehlo.add %x, %y : tensor<3xf32>\n return %0 : tensor<3xf32>",
			args(f32s(1, 2.5, inf), f32s(10, -0.5, -inf)), want(f32s(11, 2, nan))},
		{"add wraps", "(%x: tensor<2xi8>) -> tensor<2xi8>",
			"%0 = stablehlo.add %x, %x : tensor<2xi8>\n return %0 : tensor<2xi8>",
			args(tensor(array.Int8, array.Shape{2}, 100, -100)), want(tensor(array.Int8, array.Shape{2}, -56, 56))},
		{"bool arithmetic", "(%x: tensor<4xi1>, %y: tensor<4xi1>) -> (tensor<4xi1>, tensor<4xi1>)",
			"%0 = stablehlo.or %x, %y : tensor<4xi1>\n %1 = stablehlo.multiply %x, %y : tensor<4xi1>\n return %0, %1 : tensor<4xi1>, tensor<4xi1>",
			args(bools(false, false, true, true), bools(false, true, false, true)),
			want(bools(false, true, true, true), bools(false, false, false, true))},
		{"integer division", "(%x: tensor<5xi32>, %y: tensor<5xi32>) -> (tensor<5xi32>, tensor<5xi32>)",
			"%0 = stablehlo.divide %x, %y : tensor<5xi32>\n %1 = stablehlo.remainder %x, %y : tensor<5xi32>\n return %0, %1 : tensor<5xi32>, tensor<5xi32>",
			args(i32s(7, -7, 7, 5, minI32), i32s(2, 2, -2, 0, -1)), want(i32s(3, -3, -3, -1, minI32), i32s(1, -1, 1, 5, 0))},
		{"shifts", "(%x: tensor<3xi32>, %y: tensor<3xi32>) -> (tensor<3xi32>, tensor<3xi32>, tensor<3xi32>)",
			"%0 = stablehlo.shift_left %x, %y : tensor<3xi32>\n %1 = stablehlo.shift_right_logical %x, %y : tensor<3xi32>\n" +
				"%2 = stablehlo.shift_right_arithmetic %x, %y : tensor<3xi32>\n return %0, %1, %2 : tensor<3xi32>, tensor<3xi32>, tensor<3xi32>",
			args(i32s(-8, -8, 3), i32s(1, 40, 31)),
			want(i32s(-16, 0, minI32), i32s(0x7ffffffc, 0, 0), i32s(-4, -1, 0))},
		{"maximum propagates NaN", "(%x: tensor<4xf32>, %y: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)",
			"%0 = stablehlo.maximum %x, %y : tensor<4xf32>\n %1 = stablehlo.minimum %x, %y : tensor<4xf32>\n return %0, %1 : tensor<4xf32>, tensor<4xf32>",
			args(f32s(1, nan, 2, -inf), f32s(3, 1, nan, 0)), want(f32s(3, nan, nan, 0), f32s(1, nan, nan, -inf))},
		{"functions f64", "(%x: tensor<3xf64>) -> (tensor<3xf64>, tensor<3xf64>, tensor<3xf64>, tensor<3xf64>)",
			"%0 = stablehlo.exponential %x : tensor<3xf64>\n %1 = stablehlo.tanh %x : tensor<3xf64>\n %2 = stablehlo.sine %x : tensor<3xf64>\n" +
				"%3 = stablehlo.log_plus_one %x : tensor<3xf64>\n return %0, %1, %2, %3 : tensor<3xf64>, tensor<3xf64>, tensor<3xf64>, tensor<3xf64>",
			args(f64s(0.5, 0, 2)), want(f64s(math.Exp(0.5), 1, math.Exp(2)), f64s(math.Tanh(0.5), 0, math.Tanh(2)),
				f64s(math.Sin(0.5), 0, math.Sin(2)), f64s(math.Log1p(0.5), 0, math.Log1p(2)))},
		{"bf16 rounds once", "(%x: tensor<2xbf16>, %y: tensor<2xbf16>) -> tensor<2xbf16>",
			"%0 = stablehlo.add %x, %y : tensor<2xbf16>\n return %0 : tensor<2xbf16>",
			args(tensor(array.BFloat16, array.Shape{2}, 256, 1), tensor(array.BFloat16, array.Shape{2}, 1, 0.00390625)),
			want(tensor(array.BFloat16, array.Shape{2}, 256, 1))},
		{"f16 overflows", "(%x: tensor<2xf16>) -> tensor<2xf16>",
			"%0 = stablehlo.multiply %x, %x : tensor<2xf16>\n return %0 : tensor<2xf16>",
			args(tensor(array.Float16, array.Shape{2}, 300, 0.5)), want(tensor(array.Float16, array.Shape{2}, inf, 0.25))},
		{"complex", "(%x: tensor<2xcomplex<f32>>, %y: tensor<2xcomplex<f32>>) -> (tensor<2xcomplex<f32>>, tensor<2xf32>)",
			"%0 = stablehlo.multiply %x, %y : tensor<2xcomplex<f32>>\n %1 = stablehlo.abs %x : (tensor<2xcomplex<f32>>) -> tensor<2xf32>\n return %0, %1 : tensor<2xcomplex<f32>>, tensor<2xf32>",
			args(tensor(array.Complex64, array.Shape{2}, 3+4i, 1i), tensor(array.Complex64, array.Shape{2}, 1+2i, 1i)),
			want(tensor(array.Complex64, array.Shape{2}, -5+10i, -1+0i), f32s(5, 1))},
		{"compare and select", "(%x: tensor<4xf32>, %y: tensor<4xf32>) -> (tensor<4xi1>, tensor<4xf32>)",
			"%0 = stablehlo.compare LT, %x, %y, FLOAT : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>\n" +
				"%1 = stablehlo.select %0, %x, %y : tensor<4xi1>, tensor<4xf32>\n return %0, %1 : tensor<4xi1>, tensor<4xf32>",
			args(f32s(1, 2, nan, 0), f32s(2, 1, 1, 0)), want(bools(true, false, false, false), f32s(1, 1, 1, 0))},
		{"total order", "(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xi1>",
			"%0 = stablehlo.compare LT, %x, %y, TOTALORDER : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>\n return %0 : tensor<4xi1>",
			args(f32s(negz, 0, inf, 1), f32s(0, negz, nan, 2)), want(bools(true, false, true, true))},
		{"clamp", "(%x: tensor<f32>, %y: tensor<4xf32>, %z: tensor<f32>) -> tensor<4xf32>",
			"%0 = stablehlo.clamp %x, %y, %z : (tensor<f32>, tensor<4xf32>, tensor<f32>) -> tensor<4xf32>\n return %0 : tensor<4xf32>",
			args(tensor(array.Float32, nil, -1), f32s(-5, 0.5, 7, nan), tensor(array.Float32, nil, 1)), want(f32s(-1, 0.5, 1, nan))},
		{"convert saturates", "(%x: tensor<4xf32>) -> (tensor<4xi8>, tensor<4xi1>)",
			"%0 = stablehlo.convert %x : (tensor<4xf32>) -> tensor<4xi8>\n %1 = stablehlo.convert %x : (tensor<4xf32>) -> tensor<4xi1>\n return %0, %1 : tensor<4xi8>, tensor<4xi1>",
			args(f32s(1.9, -1.9, 1000, -1000)), want(tensor(array.Int8, array.Shape{4}, 1, -1, 127, -128), bools(true, true, true, true))},
		{"bitcast", "(%x: tensor<2xf32>) -> tensor<2xi32>",
			"%0 = stablehlo.bitcast_convert %x : (tensor<2xf32>) -> tensor<2xi32>\n return %0 : tensor<2xi32>",
			args(f32s(1, negz)), want(i32s(0x3f800000, minI32))},
		{"chlo", "(%x: tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>)",
			"%0 = chlo.erf %x : tensor<3xf32> -> tensor<3xf32>\n %1 = chlo.lgamma %x : tensor<3xf32> -> tensor<3xf32>\n return %0, %1 : tensor<3xf32>, tensor<3xf32>",
			args(f32s(0.5, 3, 5)), want(f32s(math.Erf(0.5), math.Erf(3), math.Erf(5)), f32s(math.Log(math.Gamma(0.5)), math.Log(2), math.Log(24)))},
	}
}

func f64s(vals ...any) *array.Buffer { return tensor(array.Float64, array.Shape{len(vals)}, vals...) }

func shapeRows() []row {
	matrix := tensor(array.Int32, array.Shape{2, 3}, 1, 2, 3, 4, 5, 6)
	return []row{
		{"broadcast_in_dim", "(%x: tensor<2xi32>) -> tensor<2x3xi32>",
			"%0 = stablehlo.broadcast_in_dim %x, dims = [0] : (tensor<2xi32>) -> tensor<2x3xi32>\n return %0 : tensor<2x3xi32>",
			args(i32s(1, 2)), want(tensor(array.Int32, array.Shape{2, 3}, 1, 1, 1, 2, 2, 2))},
		{"reshape and transpose", "(%x: tensor<2x3xi32>) -> (tensor<3x2xi32>, tensor<3x2xi32>)",
			"%0 = stablehlo.reshape %x : (tensor<2x3xi32>) -> tensor<3x2xi32>\n %1 = stablehlo.transpose %x, dims = [1, 0] : (tensor<2x3xi32>) -> tensor<3x2xi32>\n return %0, %1 : tensor<3x2xi32>, tensor<3x2xi32>",
			args(matrix), want(tensor(array.Int32, array.Shape{3, 2}, 1, 2, 3, 4, 5, 6), tensor(array.Int32, array.Shape{3, 2}, 1, 4, 2, 5, 3, 6))},
		{"reverse", "(%x: tensor<2x3xi32>) -> tensor<2x3xi32>",
			"%0 = stablehlo.reverse %x, dims = [0, 1] : tensor<2x3xi32>\n return %0 : tensor<2x3xi32>",
			args(matrix), want(tensor(array.Int32, array.Shape{2, 3}, 6, 5, 4, 3, 2, 1))},
		{"slice", "(%x: tensor<2x3xi32>) -> tensor<1x2xi32>",
			"%0 = stablehlo.slice %x [1:2, 0:3:2] : (tensor<2x3xi32>) -> tensor<1x2xi32>\n return %0 : tensor<1x2xi32>",
			args(matrix), want(tensor(array.Int32, array.Shape{1, 2}, 4, 6))},
		{"pad", "(%x: tensor<3xi32>, %y: tensor<i32>) -> (tensor<7xi32>, tensor<2xi32>)",
			"%0 = stablehlo.pad %x, %y, low = [1], high = [1], interior = [1] : (tensor<3xi32>, tensor<i32>) -> tensor<7xi32>\n" +
				"%1 = stablehlo.pad %x, %y, low = [-2], high = [1], interior = [0] : (tensor<3xi32>, tensor<i32>) -> tensor<2xi32>\n return %0, %1 : tensor<7xi32>, tensor<2xi32>",
			args(i32s(1, 2, 3), tensor(array.Int32, nil, 9)), want(i32s(9, 1, 9, 2, 9, 3, 9), i32s(3, 9))},
		{"concatenate", "(%x: tensor<2x1xi32>, %y: tensor<2x2xi32>) -> tensor<2x3xi32>",
			"%0 = stablehlo.concatenate %x, %y, dim = 1 : (tensor<2x1xi32>, tensor<2x2xi32>) -> tensor<2x3xi32>\n return %0 : tensor<2x3xi32>",
			args(tensor(array.Int32, array.Shape{2, 1}, 1, 2), tensor(array.Int32, array.Shape{2, 2}, 3, 4, 5, 6)),
			want(tensor(array.Int32, array.Shape{2, 3}, 1, 3, 4, 2, 5, 6))},
		{"iota", "() -> tensor<2x3xf32>",
			"%0 = stablehlo.iota dim = 1 : tensor<2x3xf32>\n return %0 : tensor<2x3xf32>",
			nil, want(tensor(array.Float32, array.Shape{2, 3}, 0, 1, 2, 0, 1, 2))},
		{"empty", "(%x: tensor<0x3xf32>) -> (tensor<0x3xf32>, tensor<3xf32>)",
			"%0 = stablehlo.add %x, %x : tensor<0x3xf32>\n %c = stablehlo.constant dense<1.0> : tensor<f32>\n" +
				"%1 = stablehlo.reduce(%0 init: %c) applies stablehlo.add across dimensions = [0] : (tensor<0x3xf32>, tensor<f32>) -> tensor<3xf32>\n return %0, %1 : tensor<0x3xf32>, tensor<3xf32>",
			args(array.NewBuffer(array.Float32, array.Shape{0, 3})), want(array.NewBuffer(array.Float32, array.Shape{0, 3}), f32s(1, 1, 1))},
	}
}
