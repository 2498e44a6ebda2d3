package primitive_test

import (
	"github.com/pantograph-go/pantograph/array"
	. "github.com/pantograph-go/pantograph/primitive"
)

var productRows = []row{
	of(DotGeneralP{Dims: Contract([]int{1}, []int{0})}, f64(2, 3), f64(3, 4)).linearIn(0).linearIn(1),
	of(DotGeneralP{Dims: Contract([]int{2, 0}, []int{0, 1})}, f64(2, 3, 4), f64(4, 2, 2)).linearIn(0).linearIn(1),
	of(DotGeneralP{Dims: Contract([]int{0}, []int{2}).WithBatch([]int{2, 1}, []int{0, 3})}, f64(2, 3, 4), f64(4, 2, 2, 3)).linearIn(0).linearIn(1),
	of(DotGeneralP{}, f64(2), f64(3)).linearIn(0).linearIn(1),
	of(DotGeneralP{Dims: Contract([]int{0}, []int{0})}, f64(0), f64(0)).linearIn(0).linearIn(1),
	of(DotGeneralP{Dims: Contract([]int{1}, []int{1})}, c128(2, 3), c128(2, 3)).linearIn(0).linearIn(1),
	of(DotGeneralP{Dims: Contract([]int{1}, []int{0}), Precision: PrecisionHighest}, f64(2, 2), f64(2, 2)).linearIn(0).linearIn(1),
	of(DotGeneralP{Dims: Contract([]int{1}, []int{0}), Preferred: array.Float64}, f32(2, 3), f32(3, 2)),
	of(DotGeneralP{Dims: Contract([]int{1}, []int{0}), Preferred: array.Int32}, u8(2, 3), u8(3, 2)),
	of(DotGeneralP{Dims: Contract([]int{1}, []int{0})}, b1(2, 3), b1(3, 2)),

	of(convolved(ConvParams{Strides: ints(1), PadLo: ints(0), PadHi: ints(0)}), f64(2, 3, 6), f64(4, 3, 2)).linearIn(0).linearIn(1),
	of(convolved(ConvParams{Strides: ints(2), PadLo: ints(1), PadHi: ints(2), LHSDilation: ints(2), RHSDilation: ints(2)}), f64(2, 1, 5), f64(2, 1, 3)).linearIn(0).linearIn(1),
	of(convolved(ConvParams{Strides: ints(3), PadLo: ints(-1), PadHi: ints(1)}), f64(1, 2, 7), f64(1, 2, 2)).linearIn(0).linearIn(1),
	of(convolved(ConvParams{Strides: ints(2), FeatureGroups: 2}), f64(2, 4, 5), f64(6, 2, 2)).linearIn(0).linearIn(1),
	of(convolved(ConvParams{Strides: ints(2), BatchGroups: 2}), f64(4, 3, 5), f64(4, 3, 2)).linearIn(0).linearIn(1),
	of(convolved(ConvParams{
		Strides: ints(2, 1), PadLo: ints(1, 0), PadHi: ints(0, 2), LHSDilation: ints(1, 2), RHSDilation: ints(2, 1),
		Dims: ConvDims{LHS: ints(0, 3, 1, 2), RHS: ints(3, 2, 1, 0), Out: ints(2, 0, 3, 1)},
	}), f64(2, 4, 3, 2), f64(2, 2, 2, 3)).linearIn(0).linearIn(1),
	of(convolved(ConvParams{Strides: ints(1)}), c128(1, 2, 4), c128(2, 2, 2)).linearIn(0).linearIn(1),
	of(convolved(ConvParams{Strides: ints(1)}), i32(1, 2, 4), i32(2, 2, 2)),
	of(convolved(ConvParams{Dims: ConvDims{ints(0, 1), ints(0, 1), ints(0, 1)}}), f64(2, 3), f64(4, 3)).linearIn(0).linearIn(1),
}

// convolved fills in the lists that are not given, for as many spatial axes as there are strides.
func convolved(c ConvParams) ConvGeneralDilatedP {
	n := c.Strides.Len()
	for _, l := range []struct {
		v    *array.Ints
		fill int
	}{{&c.PadLo, 0}, {&c.PadHi, 0}, {&c.LHSDilation, 1}, {&c.RHSDilation, 1}} {
		for l.v.Len() < n {
			*l.v = l.v.Append(l.fill)
		}
	}
	for _, l := range []*array.Ints{&c.Dims.LHS, &c.Dims.RHS, &c.Dims.Out} {
		for l.Len() < n+2 {
			*l = l.Append(l.Len())
		}
	}
	c.FeatureGroups, c.BatchGroups = max(c.FeatureGroups, 1), max(c.BatchGroups, 1)
	return ConvGeneralDilatedP{c}
}
