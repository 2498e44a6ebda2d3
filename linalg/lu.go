package linalg

import (
	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/lower/hlo"
	"github.com/pantograph-go/pantograph/np"
	"github.com/pantograph-go/pantograph/primitive"
	"github.com/pantograph-go/pantograph/trace"
)

// LuP is P a = L U by partial pivoting, with k = min(m, n).
//
//	a [..., m, n]   →   lu [..., m, n] same dtype, pivots int32 [..., k], permutation int32 [..., m]
//
// U is on and above the diagonal of lu, L below it, with ones on its own. Row i was exchanged with row pivots[i], in
// order; permutation says which row of a is row i of L U. A zero pivot leaves zeros.
//
// JVP: dL = L tril(L⁻¹ P da U⁻¹, -1), dU = triu(L⁻¹ P da U⁻¹) U. De Hoog, Anderssen and Lukas, Differentiation of matrix
// functionals using triangular factorization.
type LuP struct{}

// Name implements primitive.Primitive.
func (LuP) Name() string { return "lu" }

// Shape implements primitive.Primitive.
func (LuP) Shape(in []array.Aval) ([]array.Aval, error) {
	a, err := matrixOperand(in)
	if err != nil {
		return nil, err
	}
	m, n := sizes(a.Shape)
	index := withType(a, array.Int32)
	return []array.Aval{a, like(index, min(m, n)), like(index, m)}, nil
}

// JVP implements vjp.Differentiable.
func (p LuP) JVP(x, dx []*array.Array) (y, dy []*array.Array, err error) {
	y = primitive.BindAll(p, x...)
	lu := y[0]
	m, n := sizes(lu.Shape())
	k, d := min(m, n), lu.DType()
	l := grown(np.Tril(cut(lu, 0, m, 0, k), -1), m, m).Add(eye(m, d))
	u := grown(np.Triu(cut(lu, 0, k, 0, n), 0), n, n).Add(eye(n, d).Sub(grown(eye(k, d), n, n)))
	la := TriangularSolve(l, permuteRows(dx[0], y[2]), TriangularSolveP{LeftSide: true, LowerA: true, UnitDiagonal: true})
	lau := TriangularSolve(u, la, TriangularSolveP{})
	dlu := mul(l, np.Tril(lau, -1)).Add(mul(np.Triu(lau, 0), u))
	return y, []*array.Array{dlu, nil, nil}, nil
}

// Batch implements vmap.Batcher.
func (p LuP) Batch(size int, in []*array.Array, dims []int) ([]*array.Array, []int, error) {
	return batchLeading(p, size, in, dims)
}

// LowerJaxpr implements trace.JaxprLowerable.
func (p LuP) LowerJaxpr(c trace.Lowering, in []*hlo.Value, out []array.Aval) ([]*hlo.Value, error) {
	return lowerFunction(c, p.Name(), in, func(x []*array.Array) []*array.Array {
		m, _ := sizes(out[0].Shape)
		if !hasLapack(c) {
			lu, pivots := luPortable(x[0])
			return []*array.Array{lu, pivots, LUPivotsToPermutation(pivots, m)}
		}
		y := lapackP{Routine: "getrf", Aliases: overwriting}.call([]array.Aval{out[0], out[1], statusOf(out[0])}, x...)
		pivots := primitive.Sub(y[1], primitive.Full(out[1], 1))
		return []*array.Array{whereOK(y[2].GreaterEqual(0), y[0]), pivots, LUPivotsToPermutation(pivots, m)}
	})
}

// leadingAxes are 0, 1, …, n-1.
func leadingAxes(n int) []int {
	axes := make([]int, n)
	for i := range axes {
		axes[i] = i
	}
	return axes
}

// LUFactor returns the packed factors of P a = L U, the pivots, and the permutation as row numbers. See LuP.
//
//	a [..., m, n]   →   lu [..., m, n], pivots int32 [..., min(m, n)], permutation int32 [..., m]
func LUFactor(a any) (lu, pivots, permutation *array.Array) {
	y := primitive.BindAll(LuP{}, matrices("LUFactor", a))
	return y[0], y[1], y[2]
}

// LU returns the factors of a = P L U, by partial pivoting; P is real.
//
//	a [..., m, n]   →   p [..., m, m], l [..., m, k], u [..., k, n], k = min(m, n)
func LU(a any) (p, l, u *array.Array) {
	x := matrices("LU", a)
	m, n := sizes(x.Shape())
	k, d := min(m, n), x.DType()
	lu, _, perm := LUFactor(x)
	rows := np.Arange(m, array.Int32).ExpandDims(1)
	p = perm.ExpandDims(-2).Equal(rows).AsType(d.Real())
	l = np.Tril(cut(lu, 0, m, 0, k), -1).Add(np.EyeOffset(m, k, 0, d))
	return p, l, np.Triu(cut(lu, 0, k, 0, n), 0)
}

// LUSolve solves a x = b given lu and pivots from LUFactor(a); with Transposed or Adjoint aᵀ x = b or aᴴ x = b.
//
//	lu [..., n, n], pivots int32 [..., n], b [n] or [..., n, k]   →   as b, with the batch axes broadcast
func LUSolve(lu, pivots, b any, opts ...Option) *array.Array {
	s := gather("LUSolve", opts, "Transposed", "Adjoint")
	m := squares("LUSolve", lu)
	perm := LUPivotsToPermutation(array.MustValue("linalg.LUSolve", pivots), m.Shape()[m.Rank()-1])
	return solveAgainst("LUSolve", m, b, func(lu, b *array.Array) *array.Array {
		perm := broadcastBatch(perm, lu.Shape()[:lu.Rank()-2], 1)
		if s.trans == 0 {
			return withFactors(lu, permuteRows(b, perm), 0)
		}
		back := np.Argsort(perm, np.Axis(-1))
		return permuteRows(withFactors(lu, b, s.trans), back)
	})
}

// withFactors solves L U x = b, or with trans 1 and 2 the transposed or adjoint system.
func withFactors(lu, b *array.Array, trans int) *array.Array {
	lower := TriangularSolveP{LeftSide: true, LowerA: true, UnitDiagonal: true, TransposeA: trans > 0, ConjugateA: trans == 2}
	upper := TriangularSolveP{LeftSide: true, TransposeA: trans > 0, ConjugateA: trans == 2}
	if trans == 0 {
		return TriangularSolve(lu, TriangularSolve(lu, b, lower), upper)
	}
	return TriangularSolve(lu, TriangularSolve(lu, b, upper), lower)
}
