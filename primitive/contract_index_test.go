package primitive_test

import (
	"math"

	"github.com/pantograph-go/pantograph/array"
	. "github.com/pantograph-go/pantograph/primitive"
)

// Ways to index: whole rows, single elements, windows, elements row by row, windows along an axis behind.
var (
	rows      = GatherDims{Offset: ints(1), CollapsedSlice: ints(0), StartIndexMap: ints(0)}
	elements  = GatherDims{CollapsedSlice: ints(0, 1), StartIndexMap: ints(1, 0)}
	windowed  = GatherDims{Offset: ints(0, 2), StartIndexMap: ints(0, 1)}
	rowByRow  = GatherDims{CollapsedSlice: ints(1), StartIndexMap: ints(1), OperandBatching: ints(0), StartIndicesBatching: ints(1)}
	intoRows  = ScatterDims{UpdateWindow: ints(1), InsertedWindow: ints(0), ScatterToOperand: ints(0)}
	intoPlace = ScatterDims{InsertedWindow: ints(0, 1), ScatterToOperand: ints(1, 0)}
	intoSpans = ScatterDims{UpdateWindow: ints(0, 2), ScatterToOperand: ints(0, 1)}
	eachRow   = ScatterDims{InsertedWindow: ints(1), ScatterToOperand: ints(1), OperandBatching: ints(0), ScatterIndicesBatching: ints(1)}
)

// at are index vectors; those of several components one after the other.
func at32(shape []int, v ...float64) operand {
	return operand{aval: array.Aval{Shape: shape, DType: array.Int32}, data: v}
}

var nan = array.F64(math.NaN())

var indexRows = []row{
	of(GatherP{Dims: rows, SliceSizes: ints(1, 3), Mode: Clip}, f64(4, 3), at32([]int{3, 1}, 2, 9, -5)).linearIn(0),
	of(GatherP{Dims: rows, SliceSizes: ints(1, 2), Mode: FillOrDrop, Fill: nan}, f64(4, 3), at32([]int{3, 1}, 2, 9, 2)).linearIn(0).toOrder(0),
	of(GatherP{Dims: rows, SliceSizes: ints(1, 3), Mode: FillOrDrop, Fill: array.F64(2)}, f64(4, 3), at32([]int{2, 1}, 1, 9)).toOrder(2),
	of(GatherP{Dims: rows, SliceSizes: ints(1, 3), Mode: FillOrDrop}, f64(4, 3), at32([]int{2, 1}, 1, 9)).linearIn(0),
	of(GatherP{Dims: elements, SliceSizes: ints(1, 1), Mode: PromiseInBounds}, c128(4, 3), at32([]int{2, 2}, 2, 3, 0, 1)).linearIn(0),
	of(GatherP{Dims: windowed, SliceSizes: ints(2, 3), Mode: Clip}, f64(4, 5), at32([]int{2, 2}, 1, 1, 3, 4)).linearIn(0),
	of(GatherP{Dims: windowed, SliceSizes: ints(2, 3), Mode: FillOrDrop}, f64(4, 5), at32([]int{2, 2}, 1, 1, 3, 4)).linearIn(0),
	of(GatherP{Dims: rowByRow, SliceSizes: ints(1, 1), Mode: PromiseInBounds}, f64(3, 4), at32([]int{2, 3, 1}, 1, 0, 3, 2, 2, 3)).linearIn(0),
	of(GatherP{Dims: rows, SliceSizes: ints(1, 2), Mode: FillOrDrop, Fill: nan}, i32(3, 2), at32([]int{2, 1}, 7, 1)),
	of(GatherP{Dims: rows, SliceSizes: ints(1, 2), Mode: Clip}, f64(0, 2), at32([]int{0, 1})),

	of(ScatterP{Op: CombineAdd, Dims: intoRows, Mode: FillOrDrop}, f64(4, 3), at32([]int{3, 1}, 2, 9, 2), f64(3, 3)).linearIn(0, 2).linearIn(2).linearIn(0),
	of(ScatterP{Op: CombineAdd, Dims: intoRows, Mode: Clip}, c128(4, 3), at32([]int{2, 1}, -3, 9), c128(2, 2)).linearIn(0, 2),
	of(ScatterP{Op: CombineAdd, Dims: intoSpans, Mode: FillOrDrop}, f64(4, 5), at32([]int{2, 2}, 1, 1, 3, 4), f64(2, 2, 3)).linearIn(0, 2),
	of(ScatterP{Op: CombineAdd, Dims: intoSpans, Mode: Clip}, f64(4, 5), at32([]int{2, 2}, 1, 1, 3, 4), f64(2, 2, 3)).linearIn(0, 2),
	of(ScatterP{Op: CombineAdd, Dims: eachRow, Mode: PromiseInBounds}, f64(3, 4), at32([]int{2, 3, 1}, 1, 0, 3, 2, 2, 3), f64(2, 3)).linearIn(0, 2),
	of(ScatterP{Op: CombineAdd, Dims: intoPlace, Mode: FillOrDrop}, i32(4, 3), at32([]int{2, 2}, 2, 3, 0, 7), i32(2)),
	of(ScatterP{Op: CombineReplace, Dims: intoRows, Mode: FillOrDrop, Unique: true}, f64(4, 3), at32([]int{2, 1}, 2, 0), f64(2, 3)).linearIn(0, 2).linearIn(0).linearIn(2),
	of(ScatterP{Op: CombineReplace, Dims: intoRows, Mode: FillOrDrop}, f64(4, 3), at32([]int{3, 1}, 2, 9, 2), f64(3, 3)),
	of(ScatterP{Op: CombineReplace, Dims: intoSpans, Mode: Clip}, f64(4, 5), at32([]int{2, 2}, 1, 1, 2, 2), f64(2, 2, 3)),
	of(ScatterP{Op: CombineReplace, Dims: eachRow, Mode: Clip}, b1(3, 4), at32([]int{2, 3, 1}, 1, 0, 3, 2, 2, 9), b1(2, 3)),
	of(ScatterP{Op: CombineMul, Dims: intoRows, Mode: FillOrDrop, Unique: true}, f64(4, 3), at32([]int{2, 1}, 2, 0), f64(2, 3)).linearIn(0),
	of(ScatterP{Op: CombineMul, Dims: intoRows, Mode: FillOrDrop}, f64(4, 3), at32([]int{3, 1}, 2, 9, 2), f64(3, 3)).without(2).linearIn(0),
	of(ScatterP{Op: CombineMin, Dims: intoRows, Mode: FillOrDrop}, f64(4, 3), at32([]int{3, 1}, 2, 9, 2), f64(3, 3)).nonlinear(),
	of(ScatterP{Op: CombineMax, Dims: intoPlace, Mode: Clip}, f64(4, 3), at32([]int{3, 2}, 2, 3, 0, 7, 0, 3), f64(3)).nonlinear(),
	of(ScatterP{Op: CombineMax, Dims: intoPlace, Mode: FillOrDrop}, u8(4, 3), at32([]int{2, 2}, 2, 3, 0, 7), u8(2)),
}
