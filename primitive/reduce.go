package primitive

import (
	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/lower/hlo"
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
func (p ReduceP) Name() string { return "reduce_" + p.Op.word() }

// Params implements Parametric.
func (p ReduceP) Params() []Param { return []Param{{"axes", p.Axes}} }

// Shape implements Primitive.
func (p ReduceP) Shape(in []array.Aval) ([]array.Aval, error) {
	x, err := oneOperand(in)
	if err != nil {
		return nil, err
	}
	if err := p.Op.accepts(x.DType, CombineAdd, CombineMul, CombineMax, CombineMin, CombineAnd, CombineOr, CombineXor); err != nil {
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

// JVP implements vjp.Differentiable.
func (p ReduceP) JVP(x, dx []*array.Array) (y, dy []*array.Array, err error) {
	axes := p.Axes.Slice()
	switch p.Op {
	case CombineAdd:
		return BindAll(p, x...), BindAll(p, dx...), nil
	case CombineMul:
		return productJVP(x[0], dx[0], axes)
	}
	extreme := Bind(p, x...)
	kept := p.kept(x[0].Rank())
	attained := Eq(x[0], BroadcastInDim(extreme, x[0].Shape(), kept))
	count := ReduceSum(Convert(attained, x[0].DType()), axes...)
	// A NaN equals nothing: the mean over none is NaN, while in reverse no element gets anything.
	mean := Div(ReduceSum(Select(attained, dx[0], fullLike(dx[0], 0)), axes...), count)
	return []*array.Array{extreme}, []*array.Array{mean}, nil
}

// kept lists the axes that remain.
func (p ReduceP) kept(rank int) []int {
	return array.Shape(iotaInts(rank).Slice()).Without(p.Axes.Slice()...)
}

// productJVP multiplies neighbours in a tree, with tangents, until one element is left: exact where elements are zero,
// which a division of the product by each element would not be.
func productJVP(x, dx *array.Array, axes []int) (y, dy []*array.Array, err error) {
	v, dv := reducedLast(x, axes), reducedLast(dx, axes)
	axis := v.Rank() - 1
	n := v.Shape()[axis]
	for n > 1 {
		h := n / 2
		a, da := sliceAlong(v, axis, 0, h, 1), sliceAlong(dv, axis, 0, h, 1)
		b, db := sliceAlong(v, axis, h, 2*h, 1), sliceAlong(dv, axis, h, 2*h, 1)
		p, dp := Mul(a, b), Add(Mul(da, b), Mul(a, db))
		if n%2 == 1 {
			p = Concatenate(axis, p, sliceAlong(v, axis, n-1, n, 1))
			dp = Concatenate(axis, dp, sliceAlong(dv, axis, n-1, n, 1))
		}
		v, dv, n = p, dp, n-h
	}
	out := v.Aval().WithShape(v.Shape().Without(axis))
	if n == 0 {
		return []*array.Array{Full(out, 1)}, []*array.Array{nil}, nil
	}
	return []*array.Array{Reshape(v, out.Shape)}, []*array.Array{Reshape(dv, out.Shape)}, nil
}

// reducedLast puts the elements along axes on one axis behind all others.
func reducedLast(x *array.Array, axes []int) *array.Array {
	kept := array.Shape(iotaInts(x.Rank()).Slice()).Without(axes...)
	shape, n := array.Shape{}, 1
	for _, a := range kept {
		shape = append(shape, x.Shape()[a])
	}
	for _, a := range axes {
		n *= x.Shape()[a]
	}
	return Reshape(Transpose(x, append(kept, axes...)), append(shape, n))
}

// Transpose implements vjp.Linear: the cotangent of a sum is that of each element. The other reductions are not linear.
func (p ReduceP) Transpose(ct []*array.Array, in []Operand) ([]*array.Array, error) {
	if p.Op != CombineAdd {
		return nil, notLinear(p)
	}
	x := in[0].Aval
	return []*array.Array{BroadcastInDim(ct[0], x.Shape, p.kept(x.Shape.Rank()))}, nil
}

// notLinear is the error of a family's transpose rule for the members that have none.
func notLinear(p Primitive) error {
	return &array.NoRuleError{Transformation: "transpose", Primitive: p.Name(), Advice: "it is not linear; take its derivative with jvp or vjp"}
}

// Batch implements vmap.Batcher.
func (p ReduceP) Batch(_ int, in []*array.Array, dims []int) ([]*array.Array, []int, error) {
	axes := beside(p.Axes, dims[0])
	return BindAll(ReduceP{p.Op, axes}, in...), []int{dims[0] - below(axes, dims[0])}, nil
}

// below counts the axes in front of position at.
func below(axes array.Ints, at int) int {
	n := 0
	for _, a := range axes.Slice() {
		if a < at {
			n++
		}
	}
	return n
}

// Lower implements Lowerable.
func (p ReduceP) Lower(b *hlo.Builder, in []*hlo.Value, out []array.Aval) ([]*hlo.Value, error) {
	d := in[0].Tensor().Elem
	body, err := p.Op.region(b, d)
	if err != nil {
		return nil, err
	}
	return b.Append(&hlo.Op{
		Name:     "stablehlo.reduce",
		Operands: []*hlo.Value{in[0], p.Op.identity(b, d)},
		Attrs:    hlo.Attrs{{Name: "dimensions", Value: hlo.I64s(p.Axes.Slice()...)}},
		Regions:  []*hlo.Region{body},
	}, hlo.TensorOf(out[0])).Results, nil
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
