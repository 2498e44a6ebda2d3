package linalg

import (
	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/lower/hlo"
	"github.com/pantograph-go/pantograph/np"
	"github.com/pantograph-go/pantograph/primitive"
)

// CholeskyP is the lower factor L of Hermitian positive definite matrices, a = L Lᴴ.
//
//	a [..., n, n]   →   [..., n, n] same dtype, zero above the diagonal
//
// Only the lower triangle is read. Where a is not positive definite the result is NaN.
//
// JVP: dL = L Φ(L⁻¹ da L⁻ᴴ), where Φ takes the lower triangle and halves the diagonal. Murray, arXiv:1602.07527.
type CholeskyP struct{}

// Name implements primitive.Primitive.
func (CholeskyP) Name() string { return "cholesky" }

// Shape implements primitive.Primitive.
func (CholeskyP) Shape(in []array.Aval) ([]array.Aval, error) {
	a, err := squareOperand(in)
	return []array.Aval{a}, err
}

// JVP implements vjp.Differentiable.
func (p CholeskyP) JVP(x, dx []*array.Array) (y, dy []*array.Array, err error) {
	l := np.Tril(primitive.Bind(p, x...), 0)
	right := TriangularSolve(l, dx[0], TriangularSolveP{LowerA: true, TransposeA: true, ConjugateA: true})
	both := np.Tril(TriangularSolve(l, right, TriangularSolveP{LeftSide: true, LowerA: true}), 0)
	n := l.Shape()[l.Rank()-1]
	half := both.Div(eye(n, l.DType()).Add(1))
	return []*array.Array{l}, []*array.Array{mul(l, half)}, nil
}

// Batch implements vmap.Batcher.
func (p CholeskyP) Batch(size int, in []*array.Array, dims []int) ([]*array.Array, []int, error) {
	return batchLeading(p, size, in, dims)
}

// Lower implements primitive.Lowerable.
func (CholeskyP) Lower(b *hlo.Builder, in []*hlo.Value, out []array.Aval) ([]*hlo.Value, error) {
	if out[0].Shape.Size() == 0 {
		return []*hlo.Value{b.Splat(out[0], 0)}, nil
	}
	return b.Op("stablehlo.cholesky", out[0], in, hlo.NamedAttr{Name: "lower", Value: hlo.Bool(true)}), nil
}

// Cholesky returns the lower factor L of a Hermitian positive definite matrix, a = L Lᴴ, or with Upper the upper one U,
// a = Uᴴ U. It factors (a + aᴴ)/2, or with AsGiven the matrix that the one triangle of a stands for. See CholeskyP.
//
//	a [..., n, n]   →   [..., n, n], zero in the other triangle, NaN where a is not positive definite
func Cholesky(a any, opts ...Option) *array.Array {
	s := gather("Cholesky", opts, "Upper", "AsGiven")
	x := squares("Cholesky", a)
	switch {
	case !s.asGiven:
		x = symmetrize(x)
	case s.upper:
		x = adjoint(x)
	}
	l := np.Tril(primitive.Bind(CholeskyP{}, x), 0)
	if s.upper {
		return adjoint(l)
	}
	return l
}

// ChoSolve solves a x = b given the factor of a that Cholesky returned, with Upper the upper one.
//
//	c [..., n, n], b [n] or [..., n, k]   →   as b, with the batch axes broadcast
func ChoSolve(c, b any, opts ...Option) *array.Array {
	s := gather("ChoSolve", opts, "Upper")
	t := TriangularSolveP{LeftSide: true, LowerA: !s.upper, TransposeA: s.upper, ConjugateA: s.upper}
	return solveAgainst("ChoSolve", c, b, func(c, b *array.Array) *array.Array {
		y := TriangularSolve(c, b, t)
		t.TransposeA, t.ConjugateA = !t.TransposeA, !t.ConjugateA
		return TriangularSolve(c, y, t)
	})
}

// CholeskyUpdate returns the upper factor of RᴴR + w wᵀ by a sequence of plane rotations.
//
//	r [n, n] upper triangular, w [n] real   →   [n, n]
func CholeskyUpdate(r, w any) *array.Array {
	xs := operands("CholeskyUpdate", r, w)
	a, z := xs[0], xs[1]
	if a.Rank() != 2 || z.Rank() != 1 || a.Shape()[0] != a.Shape()[1] || a.Shape()[0] != z.Shape()[0] {
		fail("CholeskyUpdate", array.ShapeErrorf("takes a square matrix and a vector of its size, got shapes %s and %s", a.Shape(), z.Shape()))
	}
	rows := make([]*array.Array, z.Shape()[0])
	for k := range rows {
		row := a.At(k).Get()
		x, y := row.At(k).Get(), z.At(k).Get()
		still := y.Equal(0)
		safe := np.Where(still, np.OnesLike(y), y)
		size := np.Hypot(x, safe)
		c := np.Where(still, np.OnesLike(x), x.Div(size))
		s := np.Where(still, np.ZerosLike(x), safe.Div(size))
		rows[k] = row.Mul(c).Add(z.Mul(s))
		z = z.Mul(c).Sub(row.Mul(s))
	}
	return np.Stack(rows)
}
