package primitive

import (
	"github.com/pantograph-go/pantograph/array"
)

// CumulativeP combines every element along Axis with all before it, or with all behind it where Reverse is set. Its
// names are cumsum, cumprod, cummax, cummin and cumlogsumexp.
//
//	x [...]   →   [...] same shape and dtype
//
// It takes numbers; cumlogsumexp, log of the cumulative sum of exp(x), floating-point and complex ones.
//
// JVP: cumsum is linear, and its transpose sums in the other direction. The others are differentiated through a tree of
// pairs: where equal elements compete in cummax, each node of the tree gives half to either side.
type CumulativeP struct {
	Op      Combine
	Axis    int
	Reverse bool
}

// Name implements Primitive.
func (p CumulativeP) Name() string { return "cum" + combineNames[p.Op] }

// Params implements Parametric.
func (p CumulativeP) Params() []Param { return []Param{{"axis", p.Axis}, {"reverse", p.Reverse}} }

// Shape implements Primitive.
func (p CumulativeP) Shape(in []array.Aval) ([]array.Aval, error) {
	x, err := oneOperand(in)
	if err != nil {
		return nil, err
	}
	if x.DType == array.Bool {
		return nil, array.DTypeErrorf("operand is bool; it takes numbers: convert to an integer type first")
	}
	if err := p.Op.accepts(x.DType); err != nil {
		return nil, err
	}
	if err := distinctAxes("axis", array.MakeInts(p.Axis), x.Shape.Rank()); err != nil {
		return nil, err
	}
	return []array.Aval{x}, nil
}

// CumSum returns the sums of the elements up to each one along axis, or from each one on. See CumulativeP.
func CumSum(x *array.Array, axis int, reverse bool) *array.Array {
	return Bind(CumulativeP{CombineAdd, axis, reverse}, x)
}

// CumProd returns the cumulative products along axis. See CumulativeP.
func CumProd(x *array.Array, axis int, reverse bool) *array.Array {
	return Bind(CumulativeP{CombineMul, axis, reverse}, x)
}

// CumMax returns the cumulative maxima along axis. See CumulativeP.
func CumMax(x *array.Array, axis int, reverse bool) *array.Array {
	return Bind(CumulativeP{CombineMax, axis, reverse}, x)
}

// CumMin returns the cumulative minima along axis. See CumulativeP.
func CumMin(x *array.Array, axis int, reverse bool) *array.Array {
	return Bind(CumulativeP{CombineMin, axis, reverse}, x)
}

// CumLogSumExp returns the logarithm of the cumulative sums of exp(x) along axis. See CumulativeP.
func CumLogSumExp(x *array.Array, axis int, reverse bool) *array.Array {
	return Bind(CumulativeP{CombineLogAddExp, axis, reverse}, x)
}
