package primitive

import (
	"github.com/pantograph-go/pantograph/array"
)

// ReduceP combines all elements along some axes, which disappear from the shape. Its names are reduce_sum, reduce_prod,
// reduce_max, reduce_min, reduce_and, reduce_or and reduce_xor; a reduction with any other function is flow's.
//
//	x [...]   →   [... without Axes], same dtype
//
// sum and prod take numbers; max and min numbers and bools, complex ones ordered by real, then imaginary part; and, or
// and xor integers (bitwise) and bools. Sums and products are made in the dtype of x. A NaN among the elements makes
// max and min NaN. The reduction of no elements is the identity: 0, 1, -inf, inf, or the smallest or largest integer.
//
// JVP: sum is linear; d prod(x) = Σ (product of the others) dx, right also at zeros; d max(x) is the mean of dx where x
// equals the maximum.
type ReduceP struct {
	Op   Combine
	Axes array.Ints
}

// Name implements Primitive.
func (p ReduceP) Name() string { return "reduce_" + combineNames[p.Op] }

// Params implements Parametric.
func (p ReduceP) Params() []Param { return []Param{{"axes", p.Axes}} }

// Shape implements Primitive.
func (p ReduceP) Shape(in []array.Aval) ([]array.Aval, error) {
	x, err := oneOperand(in)
	if err != nil {
		return nil, err
	}
	if err := p.Op.accepts(x.DType); err != nil {
		return nil, err
	}
	if err := distinctAxes("axes", p.Axes, x.Shape.Rank()); err != nil {
		return nil, err
	}
	return []array.Aval{x.WithShape(x.Shape.Without(p.Axes.Slice()...))}, nil
}

func oneOperand(in []array.Aval) (array.Aval, error) {
	if len(in) != 1 {
		return array.Aval{}, array.ArgumentErrorf("takes one operand, got %d", len(in))
	}
	return in[0], nil
}

// distinctAxes checks that the parameter named what lists axes of an array of the given rank, none twice.
func distinctAxes(what string, axes array.Ints, rank int) error {
	for i, a := range axes.Slice() {
		if a < 0 || a >= rank {
			return array.AxisErrorf("%s %s: %d is out of range for an operand of rank %d; axes count from 0 to %d", what, axes, a, rank, rank-1)
		}
		if axes.Index(a) != i {
			return array.AxisErrorf("%s %s names axis %d twice", what, axes, a)
		}
	}
	return nil
}

// ReduceSum adds the elements along axes. See ReduceP.
func ReduceSum(x *array.Array, axes ...int) *array.Array { return reduce(CombineAdd, x, axes) }

// ReduceProd multiplies the elements along axes. See ReduceP.
func ReduceProd(x *array.Array, axes ...int) *array.Array { return reduce(CombineMul, x, axes) }

// ReduceMax takes the largest element along axes. See ReduceP.
func ReduceMax(x *array.Array, axes ...int) *array.Array { return reduce(CombineMax, x, axes) }

// ReduceMin takes the smallest element along axes. See ReduceP.
func ReduceMin(x *array.Array, axes ...int) *array.Array { return reduce(CombineMin, x, axes) }

// ReduceAnd combines the elements along axes with and. See ReduceP.
func ReduceAnd(x *array.Array, axes ...int) *array.Array { return reduce(CombineAnd, x, axes) }

// ReduceOr combines the elements along axes with or. See ReduceP.
func ReduceOr(x *array.Array, axes ...int) *array.Array { return reduce(CombineOr, x, axes) }

// ReduceXor combines the elements along axes with exclusive or. See ReduceP.
func ReduceXor(x *array.Array, axes ...int) *array.Array { return reduce(CombineXor, x, axes) }

func reduce(op Combine, x *array.Array, axes []int) *array.Array {
	return Bind(ReduceP{op, array.MakeInts(axes...)}, x)
}
