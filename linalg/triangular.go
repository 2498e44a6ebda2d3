package linalg

import (
	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/lower/hlo"
	"github.com/pantograph-go/pantograph/np"
	"github.com/pantograph-go/pantograph/primitive"
)

// TriangularSolveP solves op(a) x = b, or x op(a) = b where LeftSide is not set, for a triangular a.
//
//	a [..., n, n], b [..., n, k] or [..., k, n] same dtype   →   as b
//
// a is lower triangular with LowerA. The other triangle is not read, nor is the diagonal with UnitDiagonal. op transposes with TransposeA and conjugates
// with ConjugateA. A zero on the diagonal gives infinities or NaN.
//
// JVP: linear in b; dx = -a⁻¹ da x.
type TriangularSolveP struct {
	LeftSide, LowerA, TransposeA, ConjugateA, UnitDiagonal bool
}

// Name implements primitive.Primitive.
func (TriangularSolveP) Name() string { return "triangular_solve" }

// Params implements primitive.Parametric.
func (p TriangularSolveP) Params() []primitive.Param {
	return []primitive.Param{{Name: "conjugate_a", Value: p.ConjugateA}, {Name: "left_side", Value: p.LeftSide}, {Name: "lower", Value: p.LowerA},
		{Name: "transpose_a", Value: p.TransposeA}, {Name: "unit_diagonal", Value: p.UnitDiagonal}}
}

// Shape implements primitive.Primitive.
func (p TriangularSolveP) Shape(in []array.Aval) ([]array.Aval, error) {
	if len(in) != 2 {
		return nil, array.ArgumentErrorf("takes two operands, got %d", len(in))
	}
	a, err := squareOperand(in[:1])
	if err != nil {
		return nil, err
	}
	b, axis := in[1].Strong(), -1
	if p.LeftSide {
		axis = -2
	}
	rank := a.Shape.Rank()
	switch {
	case b.DType != a.DType:
		return nil, array.DTypeErrorf("matrix is %s, right-hand side %s; their dtypes must be one: convert one of them", a, b)
	case b.Shape.Rank() != rank || !b.Shape[:rank-2].Equal(a.Shape[:rank-2]):
		return nil, array.ShapeErrorf("matrix is %s, right-hand side %s; the axes before the last two must be the same", a, b)
	case b.Shape[rank+axis] != a.Shape[rank-1]:
		return nil, array.ShapeErrorf("matrix is %s, right-hand side %s; axis %d of that must have %d elements", a, b, axis, a.Shape[rank-1])
	}
	return []array.Aval{b}, nil
}

// JVP implements vjp.Differentiable. The solve and the product are done in the cheaper order.
func (p TriangularSolveP) JVP(x, dx []*array.Array) (y, dy []*array.Array, err error) {
	a := x[0]
	ans := primitive.Bind(p, x...)
	var total *array.Array
	if dx[1] != nil {
		total = primitive.Bind(p, a, dx[1])
	}
	if g := dx[0]; g != nil {
		k := 0
		if p.UnitDiagonal {
			k = 1
		}
		if p.LowerA {
			g = np.Tril(g, -k)
		} else {
			g = np.Triu(g, k)
		}
		g = g.Neg()
		if p.TransposeA {
			g = np.MatrixTranspose(g)
		}
		if p.ConjugateA {
			g = conj(g)
		}
		m, n := sizes(ans.Shape())
		var d *array.Array
		switch {
		case p.LeftSide && m > n:
			d = primitive.Bind(p, a, mul(g, ans))
		case p.LeftSide:
			d = mul(primitive.Bind(p, a, g), ans)
		case m < n:
			d = primitive.Bind(p, a, mul(ans, g))
		default:
			d = mul(ans, primitive.Bind(p, a, g))
		}
		if total != nil {
			d = primitive.AddAny(total, d)
		}
		total = d
	}
	return []*array.Array{ans}, []*array.Array{total}, nil
}

// Transpose implements vjp.Linear.
func (p TriangularSolveP) Transpose(ct []*array.Array, in []primitive.Operand) ([]*array.Array, error) {
	if in[0].Value == nil {
		return nil, array.ArgumentErrorf("is not linear in the matrix")
	}
	p.TransposeA = !p.TransposeA
	return []*array.Array{nil, primitive.Bind(p, in[0].Value, ct[0])}, nil
}

// Batch implements vmap.Batcher. Right-hand sides for one matrix are put side by side.
func (p TriangularSolveP) Batch(size int, in []*array.Array, dims []int) ([]*array.Array, []int, error) {
	if dims[0] >= 0 {
		return batchLeading(p, size, in, dims)
	}
	// The batch axis goes behind the columns, or where each row is a system before the rows.
	b, rank := in[1], in[1].Rank()
	at := rank - 1
	if !p.LeftSide {
		at = rank - 2
	}
	b = np.Moveaxis(b, []int{dims[1]}, []int{at})
	shape := b.Shape()
	flat := append(shape[:at-1].Clone(), shape[at-1]*shape[at])
	flat = append(flat, shape[at+1:]...)
	y := primitive.Bind(p, in[0], primitive.Reshape(b, flat))
	return []*array.Array{primitive.Reshape(y, shape)}, []int{at}, nil
}

// Lower implements primitive.Lowerable.
func (p TriangularSolveP) Lower(b *hlo.Builder, in []*hlo.Value, out []array.Aval) ([]*hlo.Value, error) {
	if out[0].Shape.Size() == 0 {
		return []*hlo.Value{b.Splat(out[0], 0)}, nil
	}
	a, transpose := in[0], "NO_TRANSPOSE"
	isComplex := out[0].DType.IsComplex()
	switch {
	case p.TransposeA && p.ConjugateA && isComplex:
		transpose = "ADJOINT"
	case p.TransposeA:
		transpose = "TRANSPOSE"
	case p.ConjugateA && isComplex:
		t := a.Aval()
		part := withType(t, t.DType.Real())
		re := b.Op1("stablehlo.real", part, nil, a)
		im := b.Op1("stablehlo.negate", part, nil, b.Op1("stablehlo.imag", part, nil, a))
		a = b.Op1("stablehlo.complex", t, nil, re, im)
	}
	return b.Op("stablehlo.triangular_solve", out[0], []*hlo.Value{a, in[1]},
		hlo.NamedAttr{Name: "left_side", Value: hlo.Bool(p.LeftSide)},
		hlo.NamedAttr{Name: "lower", Value: hlo.Bool(p.LowerA)},
		hlo.NamedAttr{Name: "transpose_a", Value: hlo.SHLO("transpose", transpose)},
		hlo.NamedAttr{Name: "unit_diagonal", Value: hlo.Bool(p.UnitDiagonal)},
	), nil
}

// TriangularSolve applies p, whose fields are the parameters of jax.lax.linalg.triangular_solve. b may have one axis less
// than a: then it is a vector, or a stack of them. See TriangularSolveP.
func TriangularSolve(a, b *array.Array, p TriangularSolveP) *array.Array {
	p.ConjugateA = p.ConjugateA && a.DType().IsComplex()
	if b.Rank() != a.Rank()-1 {
		return primitive.Bind(p, a, b)
	}
	axis := -1
	if !p.LeftSide {
		axis = -2
	}
	return np.Squeeze(primitive.Bind(p, a, np.ExpandDims(b, axis)), axis)
}

// SolveTriangular solves a x = b for an upper triangular a, or with Lower a lower one; with Transposed or Adjoint aᵀ x = b
// or aᴴ x = b. With UnitDiagonal the diagonal is taken for ones. The other triangle is not read.
//
//	a [..., n, n], b [n] or [..., n, k]   →   as b, with the batch axes broadcast
func SolveTriangular(a, b any, opts ...Option) *array.Array {
	s := gather("SolveTriangular", opts, "Lower", "Transposed", "Adjoint", "UnitDiagonal")
	p := TriangularSolveP{LeftSide: true, LowerA: s.lower, TransposeA: s.trans > 0, ConjugateA: s.trans == 2, UnitDiagonal: s.unit}
	return solveAgainst("SolveTriangular", a, b, func(a, b *array.Array) *array.Array { return TriangularSolve(a, b, p) })
}

// solveAgainst makes one stack of matrices of a and one of right-hand sides of b, a vector being one column, broadcasts
// their batch axes, and applies f.
func solveAgainst(op string, a, b any, f func(a, b *array.Array) *array.Array) *array.Array {
	xs := operands(op, a, b)
	m, y := squares(op, xs[0]), xs[1]
	if y.Rank() < 1 {
		fail(op, array.ShapeErrorf("the right-hand side is a scalar; it must be a vector [n] or matrices [..., n, k]"))
	}
	vector := y.Rank() == 1
	if vector {
		y = y.ExpandDims(-1)
	}
	if n, rows := m.Shape()[m.Rank()-1], y.Shape()[y.Rank()-2]; n != rows {
		fail(op, array.ShapeErrorf("the matrix is %s, the right-hand side %s, which must be [%d] or [..., %d, k]: a stack of vectors needs a last axis of size 1", m.Shape(), xs[1].Shape(), n, n))
	}
	batch, err := array.Broadcast(m.Shape()[:m.Rank()-2], y.Shape()[:y.Rank()-2])
	if err != nil {
		fail(op, err)
	}
	x := f(broadcastBatch(m, batch, 2), broadcastBatch(y, batch, 2))
	if vector {
		return np.Squeeze(x, -1)
	}
	return x
}
