package primitive_test

import (
	"math"

	"github.com/pantograph-go/pantograph/array"
	. "github.com/pantograph-go/pantograph/primitive"
)

var reductionRows = []row{
	of(ReduceP{CombineAdd, ints(1)}, f64(2, 3, 2)).linearIn(0),
	of(ReduceP{CombineAdd, ints(2, 0)}, c128(2, 3, 2)).linearIn(0),
	of(ReduceP{CombineAdd, ints()}, f64(2)).linearIn(0),
	of(ReduceP{CombineAdd, ints(0)}, f64(0, 2)).linearIn(0),
	of(ReduceP{CombineAdd, ints(0)}, u8(4)),
	of(ReduceP{CombineMul, ints(0, 2)}, f64(2, 3, 3)).nonlinear(),
	of(ReduceP{CombineMul, ints(0)}, f64(5).being(2, 0, -1, 3, 0.5)),
	of(ReduceP{CombineMul, ints(0)}, f64(4).being(2, 0, -1, 0)),
	of(ReduceP{CombineMul, ints(0)}, c128(3, 2)),
	of(ReduceP{CombineMul, ints(0)}, f64(0)),
	of(ReduceP{CombineMul, ints(1)}, i32(2, 3)),
	of(ReduceP{CombineMax, ints(0, 1)}, f64(2, 3)).nonlinear(),
	of(ReduceP{CombineMax, ints(1)}, f64(2, 3, 2)),
	of(ReduceP{CombineMax, ints(0)}, c128(4)).toOrder(0),
	of(ReduceP{CombineMax, ints(0)}, b1(3, 2)),
	of(ReduceP{CombineMin, ints(1)}, f64(2, 3)).nonlinear(),
	of(ReduceP{CombineMin, ints(0)}, i32(0, 2)),
	of(ReduceP{CombineAnd, ints(0)}, b1(3, 2)).nonlinear(),
	of(ReduceP{CombineAnd, ints(0)}, u8(3)),
	of(ReduceP{CombineOr, ints(1)}, b1(2, 2)).nonlinear(),
	of(ReduceP{CombineXor, ints(1)}, i32(2, 3)).nonlinear(),

	of(ArgmaxP{1, array.Int32}, f64(2, 4)),
	of(ArgmaxP{0, array.Int64}, f64(4).being(1, math.NaN(), 3, math.NaN())),
	of(ArgmaxP{0, array.Uint8}, b1(4, 2)),
	of(ArgminP{0, array.Int32}, f64(3, 2)),
	of(ArgminP{1, array.Int32}, u8(2, 5)),

	of(CumulativeP{CombineAdd, 1, false}, f64(2, 5)).linearIn(0),
	of(CumulativeP{CombineAdd, 0, true}, c128(3, 2)).linearIn(0),
	of(CumulativeP{CombineAdd, 0, false}, i32(4)),
	of(CumulativeP{CombineAdd, 0, false}, f64(0, 2)).linearIn(0),
	of(CumulativeP{CombineMul, 0, false}, f64(5).being(2, 0, -1, 3, 0.5)).nonlinear(),
	of(CumulativeP{CombineMul, 1, true}, f64(2, 6)),
	of(CumulativeP{CombineMul, 0, true}, c128(3)),
	of(CumulativeP{CombineMax, 0, false}, f64(7)).nonlinear(),
	of(CumulativeP{CombineMax, 1, true}, f64(2, 4)),
	of(CumulativeP{CombineMin, 0, true}, f64(5, 1)).nonlinear(),
	of(CumulativeP{CombineMin, 0, false}, i32(5)),
	of(CumulativeP{CombineLogAddExp, 0, false}, f64(5)).nonlinear(),
	of(CumulativeP{CombineLogAddExp, 0, false}, f64(4).being(1, 1, 1, 1)),
	of(CumulativeP{CombineLogAddExp, 1, true}, f64(2, 3)),
	of(CumulativeP{CombineLogAddExp, 0, false}, f64(3).being(math.Inf(-1), math.Inf(-1), 1)).toOrder(0),

	of(SortP{0, 1, true}, f64(5, 2)),
	of(SortP{1, 2, true}, i32(2, 4), f64(2, 4), f64(2, 4)),
	of(SortP{0, 1, false}, c128(4)),
	of(SortP{0, 1, true}, f64(6).being(math.NaN(), math.Copysign(0, -1), 0, math.Inf(1), -1, math.Inf(-1)), i32(6)).toOrder(0),
	of(SortP{0, 1, true}, b1(4), u8(4)),
	of(TopKP{2, 1}, f64(2, 5)),
	of(TopKP{3, 0}, f64(4, 2)),
	of(TopKP{3, 0}, u8(5)),
	of(TopKP{0, 0}, f64(2)),

	of(ReduceWindowP{CombineAdd, pool}, f64(5, 6)).linearIn(0),
	of(ReduceWindowP{CombineAdd, dilatedPool}, f64(4, 5)).linearIn(0),
	of(ReduceWindowP{CombineAdd, dilatedPool}, i32(4, 5)),
	of(ReduceWindowP{CombineMul, pool}, f64(5, 6)).nonlinear(),
	of(ReduceWindowP{CombineMul, dilatedPool}, f64(4, 5)),
	of(ReduceWindowP{CombineMax, pool}, f64(5, 6)).nonlinear(),
	of(ReduceWindowP{CombineMax, dilatedPool}, f64(4, 5)),
	of(ReduceWindowP{CombineMin, pool}, f64(5, 6)).nonlinear(),
	of(SelectAndGatherAddP{CombineMax, pool}, f64(5, 6), f64(5, 6)).linearIn(0).toOrder(2),
	of(SelectAndGatherAddP{CombineMin, dilatedPool}, f64(4, 5), f64(4, 5)).linearIn(0),
	of(SelectAndScatterAddP{CombineMax, pool}, f64(3, 4), f64(5, 6)).linearIn(0),
	of(SelectAndScatterAddP{CombineMin, pool}, f64(3, 4), f64(5, 6)).linearIn(0),
}

// pool is an ordinary window with padding, dilatedPool one with everything. Neither sees nothing but padding, where max
// is infinite and differences are no numbers.
var (
	pool = Window{Size: ints(2, 3), Strides: ints(2, 1), PadLo: ints(1, 0), PadHi: ints(0, 0), BaseDilation: ints(1, 1), Dilation: ints(1, 1)}

	dilatedPool = Window{Size: ints(2, 2), Strides: ints(2, 1), PadLo: ints(1, -1), PadHi: ints(1, 2), BaseDilation: ints(2, 1), Dilation: ints(1, 2)}
)
