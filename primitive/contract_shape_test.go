package primitive_test

import (
	"github.com/pantograph-go/pantograph/array"
	. "github.com/pantograph-go/pantograph/primitive"
)

var ints = array.MakeInts

var shapeRows = []row{
	of(IotaP{DType: array.Int32, Sizes: ints(2, 3), Dimension: 1}),
	of(IotaP{DType: array.Float64, Sizes: ints(4), Dimension: 0}),
	of(BroadcastInDimP{ints(2, 3), ints()}, f64()).linearIn(0),
	of(BroadcastInDimP{ints(2, 3, 4), ints(1)}, f64(3)).linearIn(0),
	of(BroadcastInDimP{ints(2, 3, 4), ints(0, 1)}, f64(2, 1)).linearIn(0),
	of(BroadcastInDimP{ints(2, 3), ints(0, 1)}, b1(1, 1)),
	of(ReshapeP{ints(3, 2)}, f64(2, 3)).linearIn(0),
	of(ReshapeP{ints()}, f64(1, 1)).linearIn(0),
	of(SqueezeP{ints(0, 2)}, f64(1, 3, 1, 2)).linearIn(0),
	of(TransposeP{ints(2, 0, 1)}, f64(2, 3, 4)).linearIn(0),
	of(RevP{ints(0, 2)}, f64(2, 3, 2)).linearIn(0),
	of(Pads(PadDim{Lo: 1, Hi: 2}, PadDim{Lo: -1, Hi: 1, Interior: 2}), f64(2, 3), f64()).linearIn(0, 1).linearIn(0).linearIn(1),
	of(Pads(PadDim{Lo: -1, Hi: -1}), c128(4), c128()).linearIn(0, 1),
	of(Pads(PadDim{Lo: 1}), i32(3), i32()),
	of(ConcatenateP{1}, f64(2, 3), f64(2, 1), f64(2, 2)).linearIn(0, 1, 2).linearIn(1),
	of(ConcatenateP{0}, c128(2)).linearIn(0),
}

var sliceRows = []row{
	of(SliceP{Start: ints(1, 0), Limit: ints(3, 2)}, f64(4, 2)).linearIn(0),
	of(SliceP{Start: ints(1, 0), Limit: ints(7, 2), Strides: ints(3, 1)}, f64(8, 2)).linearIn(0),
	of(SliceP{Start: ints(2), Limit: ints(2)}, f64(3)).linearIn(0),
	of(DynamicSliceP{ints(2, 2)}, f64(4, 3), i32().being(1), i32().being(5)).linearIn(0),
	of(DynamicSliceP{ints(2, 1)}, b1(4, 3), i32().being(-1), i32().being(1)),
	of(DynamicUpdateSliceP{}, f64(4, 3), f64(2, 2), i32().being(1), i32().being(5)).linearIn(0, 1).linearIn(0).linearIn(1),
	of(DynamicUpdateSliceP{}, i32(4), i32(2), i32().from(small)),
}
