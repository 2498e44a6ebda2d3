package primitive_test

import (
	"testing"

	"github.com/pantograph-go/pantograph/array"
	. "github.com/pantograph-go/pantograph/primitive"
	"github.com/pantograph-go/pantograph/trace"
)

func TestErrorsOfFamilies(t *testing.T) {
	of := func(d array.DType, shape ...int) *array.Array { return Full(array.Aval{Shape: shape, DType: d}, 1) }
	x, i, p := of(array.Float64, 2, 3), of(array.Int32, 2, 3), of(array.Bool, 2, 3)
	c, u := of(array.Complex128, 2, 3), of(array.Uint32, 4)
	gather := func(d GatherDims, sizes ...int) func() {
		return func() { Gather(x, of(array.Int32, 4, 1), d, sizes, Clip) }
	}
	scatter := func(d ScatterDims, updates ...int) func() {
		return func() { ScatterAdd(x, of(array.Int32, 4, 1), of(array.Float64, updates...), d, Clip) }
	}
	conv := func(c ConvParams, x, w []int) func() {
		return func() { ConvGeneralDilated(of(array.Float32, x...), of(array.Float32, w...), c) }
	}
	for _, tt := range []struct {
		f    func()
		kind string
		says string
	}{
		{func() { ReduceSum(x, 2) }, "*array.AxisError", "axes (2,): 2 is out of range for an operand of rank 2; axes count from 0 to 1"},
		{func() { ReduceSum(x, -1) }, "*array.AxisError", "-1 is out of range"},
		{func() { ReduceMax(x, 0, 0) }, "*array.AxisError", "axes (0, 0) names axis 0 twice"},
		{func() { ReduceSum(p, 0) }, "*array.DTypeError", "operand is bool; it takes numbers: convert"},
		{func() { ReduceAnd(x, 0) }, "*array.DTypeError", "operand is float64; it takes integers and bools: compare first"},
		{func() { Bind(ReduceP{CombineReplace, ints(0)}, x) }, "*array.ArgumentError", "no such primitive"},
		{func() { Bind(ReduceP{Combine(99), ints(0)}, x) }, "*array.ArgumentError", "no such primitive"},
		{func() { Bind(ReduceP{CombineAdd, ints(0)}, x, x) }, "*array.ArgumentError", "takes one operand, got 2"},
		{func() { Argmax(c, 0, array.Int32) }, "*array.DTypeError", "operand is complex128; it takes integers, bools and real"},
		{func() { Argmin(x, 0, array.Float32) }, "*array.DTypeError", "index dtype is float32; it must be an integer type"},
		{func() { Argmin(of(array.Float32, 3, 0), 1, array.Int32) }, "*array.ShapeError", "axis 1 of f32[3,0] is empty"},
		{func() { CumSum(p, 0, false) }, "*array.DTypeError", "operand is bool"},
		{func() { CumMax(x, 2, false) }, "*array.AxisError", "axis (2,): 2 is out of range"},
		{func() { CumLogSumExp(i, 0, false) }, "*array.DTypeError", "operand is int32; it takes floating-point"},
		{func() { Sort(0, 1) }, "*array.ArgumentError", "at least one operand"},
		{func() { Sort(0, 1, x, u) }, "*array.ShapeError", "operand 0 is f64[2,3], operand 1 is u32[4]"},
		{func() { Sort(0, 3, x, x) }, "*array.ArgumentError", "2 operands cannot have 3 keys"},
		{func() { Sort(2, 1, x) }, "*array.AxisError", "dimension (2,): 2 is out of range"},
		{func() { TopK(x, 4) }, "*array.ShapeError", "k is 4, but axis 1 of f64[2,3] has 3 elements"},
		{func() { TopK(c, 1) }, "*array.DTypeError", "operand is complex128"},
		{func() { TopK(of(array.Float32), 1) }, "*array.AxisError", "-1 is out of range"},

		{func() { DotGeneral(x, x, Contract([]int{1}, []int{0}), array.Invalid) }, "*array.ShapeError", "contracted sizes differ: lhs axis 1 has 3, rhs axis 0 has 2"},
		{func() { DotGeneral(x, x, Contract(nil, nil).WithBatch([]int{0}, []int{1}), array.Invalid) }, "*array.ShapeError", "batch sizes differ: lhs axis 0 has 2, rhs axis 1 has 3"},
		{func() { DotGeneral(x, i, Contract([]int{1}, []int{1}), array.Invalid) }, "*array.DTypeError", "lhs is float64, rhs is int32"},
		{func() { DotGeneral(x, x, Contract([]int{1}, nil), array.Invalid) }, "*array.AxisError", "contracted axes come in pairs"},
		{func() { DotGeneral(x, x, Contract([]int{1}, []int{1}).WithBatch([]int{1}, []int{0}), array.Invalid) }, "*array.AxisError", "lhs contracting and batch axes (1, 1) names axis 1 twice"},
		{func() { DotGeneral(x, x, Contract([]int{2}, []int{1}), array.Invalid) }, "*array.AxisError", "2 is out of range"},
		{func() { DotGeneral(c, c, Contract([]int{1}, []int{1}), array.Float64) }, "*array.DTypeError", "preferred element type float64 cannot hold products of complex128"},
		{func() { Bind(DotGeneralP{Precision: 7}, x, x) }, "*array.ArgumentError", "precision 7 does not exist"},

		{conv(ConvParams{}, []int{1, 3, 5}, []int{2, 2, 3}), "*array.ShapeError", "features do not fit: lhs axis 1 has 3 in 1 groups, rhs axis 1 takes 2"},
		{conv(ConvParams{}, []int{1, 3, 5}, []int{2, 3}), "*array.ShapeError", "must have one rank"},
		{conv(ConvParams{Strides: ints(1, 1)}, []int{1, 3, 5}, []int{2, 3, 3}), "*array.ArgumentError", "strides (1, 1) must have an element for each of the 1 spatial axes"},
		{conv(ConvParams{Strides: ints(0)}, []int{1, 3, 5}, []int{2, 3, 3}), "*array.ArgumentError", "strides (0,) must be at least 1"},
		{conv(ConvParams{PadLo: ints(-9)}, []int{1, 3, 5}, []int{2, 3, 3}), "*array.ShapeError", "cuts more than lhs axis 2 has: its size is 5"},
		{conv(ConvParams{FeatureGroups: 2, BatchGroups: 2}, []int{2, 2, 5}, []int{2, 1, 3}), "*array.ArgumentError", "exclude each other"},
		{conv(ConvParams{BatchGroups: 2}, []int{3, 2, 5}, []int{2, 2, 3}), "*array.ShapeError", "batch group count 2 must divide the batch size 3"},
		{conv(ConvParams{Dims: ConvDims{LHS: ints(0, 1, 1)}}, []int{2, 2, 5}, []int{2, 2, 3}), "*array.AxisError", "lhs dimension numbers (0, 1, 1) names axis 1 twice"},
		{func() { Bind(ConvGeneralDilatedP{}, of(array.Float32, 1, 1, 2), of(array.Float32, 1, 1, 2)) }, "*array.ArgumentError", "must have an element for each"},

		{gather(GatherDims{Offset: ints(1), CollapsedSlice: ints(0), StartIndexMap: ints(0)}, 1), "*array.ArgumentError", "slice sizes (1,) must have an element for each axis of f64[2,3]"},
		{gather(GatherDims{Offset: ints(1), CollapsedSlice: ints(0), StartIndexMap: ints(0)}, 1, 4), "*array.ShapeError", "slice size 4 of axis 1 is out of range: f64[2,3] has 3 elements there"},
		{gather(GatherDims{Offset: ints(1), CollapsedSlice: ints(0), StartIndexMap: ints(0)}, 2, 3), "*array.ShapeError", "axis 0 is collapsed, so its slice size must be 1, not 2"},
		{gather(GatherDims{Offset: ints(1), CollapsedSlice: ints(0), StartIndexMap: ints(0, 1)}, 1, 3), "*array.ShapeError", "start index map (0, 1) has 2 elements, but the index vectors of i32[4,1] have 1"},
		{gather(GatherDims{Offset: ints(1, 0), StartIndexMap: ints(0)}, 1, 3), "*array.AxisError", "offset dims (1, 0) must ascend"},
		{gather(GatherDims{CollapsedSlice: ints(0), StartIndexMap: ints(0)}, 1, 3), "*array.AxisError", "name 1 axes, but the operand f64[2,3] has 2"},
		{gather(GatherDims{Offset: ints(1), OperandBatching: ints(0), StartIndexMap: ints(1)}, 1, 3), "*array.AxisError", "batching axes come in pairs"},
		{gather(GatherDims{Offset: ints(1), OperandBatching: ints(0), StartIndicesBatching: ints(0), StartIndexMap: ints(1)}, 1, 3), "*array.ShapeError", "batching sizes differ: operand axis 0 has 2, indices axis 0 has 4"},
		{func() { Gather(x, x, GatherDims{}, nil, Clip) }, "*array.DTypeError", "indices are float64; they must be integers"},
		{func() { Gather(x, of(array.Int32), GatherDims{}, nil, Clip) }, "*array.ShapeError", "indices are a scalar"},
		{func() { Gather(x, of(array.Int32, 4, 1), GatherDims{}, nil, IndexMode(5)) }, "*array.ArgumentError", "index mode 5 does not exist"},
		{scatter(ScatterDims{UpdateWindow: ints(1), InsertedWindow: ints(0), ScatterToOperand: ints(0)}, 4), "*array.ShapeError", "updates f64[4] must have rank 2"},
		{scatter(ScatterDims{UpdateWindow: ints(1), InsertedWindow: ints(0), ScatterToOperand: ints(0)}, 4, 5), "*array.ShapeError", "updates axis 1 has 5 elements, more than the 3 of the operand"},
		{scatter(ScatterDims{UpdateWindow: ints(1), InsertedWindow: ints(0), ScatterToOperand: ints(0)}, 3, 3), "*array.ShapeError", "updates axis 0 has 3 elements, indices axis 0 has 4"},
		{func() { ScatterMax(x, of(array.Int32, 4, 1), of(array.Float32, 4), ScatterDims{}, Clip) }, "*array.DTypeError", "operand is float64, updates are float32"},

		{func() { ReduceWindowSum(x, Window{Size: ints(2)}) }, "*array.ArgumentError", "window dimensions (2,) must have an element for each of the 2 axes of f64[2,3]"},
		{func() { ReduceWindowMax(x, Window{Size: ints(2, 0)}) }, "*array.ArgumentError", "window dimensions (2, 0) must be at least 1"},
		{func() { ReduceWindowSum(p, Window{Size: ints(1, 1)}) }, "*array.DTypeError", "operand is bool"},
		{func() { Bind(ReduceWindowP{CombineAdd, Window{Size: ints(1, 1)}}, x) }, "*array.ArgumentError", "must have an element for each"},
		{func() { SelectAndGatherAdd(x, x, CombineAdd, Window{Size: ints(1, 1)}) }, "*array.ArgumentError", "its largest or its smallest"},
		{func() { SelectAndGatherAdd(u, x, CombineMax, Window{Size: ints(1, 1)}) }, "*array.ShapeError", "values are u32[4], operand is f64[2,3]"},
		{func() { SelectAndScatterAdd(x, x, CombineMax, Window{Size: ints(2, 2)}) }, "*array.ShapeError", "source is f64[2,3]; the window has positions [1,2] over the operand f64[2,3]"},
		{func() { SelectAndScatterAdd(x, x, CombineMax, Window{Size: ints(1, 1), Dilation: ints(2, 2)}) }, "*array.ArgumentError", "must be ones"},

		{func() { Threefry2x32(u, u, u, i) }, "*array.DTypeError", "x2 is int32; keys and counters are uint32"},
		{func() { Threefry2x32(u, u, u, of(array.Uint32, 3)) }, "*array.ShapeError", "key1 is u32[4], x2 is u32[3]"},
		{func() { RngBitGenerator(x, []int{2}, array.Uint32, RngDefault) }, "*array.DTypeError", "state is float64"},
		{func() { RngBitGenerator(of(array.Uint32, 3), []int{2}, array.Uint32, RngDefault) }, "*array.ShapeError", "state is u32[3]; it must hold 128 bits"},
		{func() { RngBitGenerator(u, []int{2}, array.Float32, RngDefault) }, "*array.DTypeError", "dtype is float32; bits are drawn as"},
		{func() { RngBitGenerator(u, []int{-2}, array.Uint32, RngDefault) }, "*array.ShapeError", "negative size"},
		{func() { Fourier(x, FFT, 3) }, "*array.DTypeError", "operand of FFT is float64; it takes complex64 and complex128: convert it, or use RFFT"},
		{func() { Fourier(c, RFFT, 3) }, "*array.DTypeError", "operand of RFFT is complex128"},
		{func() { Fourier(c, FFT, 4) }, "*array.ShapeError", "length 4 of FFT needs 4 elements along axis 1, but the operand is c128[2,3]"},
		{func() { Fourier(c, IRFFT, 3) }, "*array.ShapeError", "length 3 of IRFFT needs 2 elements"},
		{func() { Fourier(c, IFFT) }, "*array.ArgumentError", "1 to 3 axes"},
		{func() { Fourier(c, FFTType(9), 3) }, "*array.ArgumentError", "type of transform 9 does not exist"},
	} {
		checkError(t, trace.Try(tt.f), tt.kind, tt.says)
	}
}
