package linalg

import (
	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/lower/hlo"
	"github.com/pantograph-go/pantograph/np"
	"github.com/pantograph-go/pantograph/primitive"
	"github.com/pantograph-go/pantograph/trace"
)

// FactoredSolveP solves a x = b, or aᵀ x = b with TransposeA, given the factors of a: with Cholesky a = L Lᴴ, the lower
// one, else those of a = L U without exchanges in one matrix. Derivatives are those with respect to a and b and use the factors
// again, which count as constants.
//
//	a [..., n, n], factors [..., n, n], b [..., n, k] same dtype   →   as b
//
// JVP: linear in b; dx = -a⁻¹ da x.
type FactoredSolveP struct{ Cholesky, TransposeA bool }

// Name implements primitive.Primitive.
func (FactoredSolveP) Name() string { return "factored_solve" }

// Shape implements primitive.Primitive.
func (p FactoredSolveP) Shape(in []array.Aval) ([]array.Aval, error) {
	if len(in) != 3 {
		return nil, array.ArgumentErrorf("takes three operands, got %d", len(in))
	}
	if !in[0].Shape.Equal(in[1].Shape) || in[0].DType != in[1].DType {
		return nil, array.ShapeErrorf("matrix is %s, its factors %s; they must be of one type", in[0], in[1])
	}
	return TriangularSolveP{LeftSide: true}.Shape([]array.Aval{in[0], in[2]})
}

// JVP implements vjp.Differentiable.
func (p FactoredSolveP) JVP(x, dx []*array.Array) (y, dy []*array.Array, err error) {
	ans := primitive.Bind(p, x...)
	rhs := dx[2]
	if da := dx[0]; da != nil {
		if p.TransposeA {
			da = np.MatrixTranspose(da)
		}
		d := mul(da, ans).Neg()
		if rhs != nil {
			d = primitive.AddAny(rhs, d)
		}
		rhs = d
	}
	if rhs == nil {
		return []*array.Array{ans}, []*array.Array{nil}, nil
	}
	return []*array.Array{ans}, []*array.Array{primitive.Bind(p, x[0], x[1], rhs)}, nil
}

// Transpose implements vjp.Linear.
func (p FactoredSolveP) Transpose(ct []*array.Array, in []primitive.Operand) ([]*array.Array, error) {
	if in[0].Value == nil || in[1].Value == nil {
		return nil, array.ArgumentErrorf("is not linear in the matrix")
	}
	p.TransposeA = !p.TransposeA
	return []*array.Array{nil, nil, primitive.Bind(p, in[0].Value, in[1].Value, ct[0])}, nil
}

// Batch implements vmap.Batcher. Right-hand sides for one matrix are put side by side.
func (p FactoredSolveP) Batch(size int, in []*array.Array, dims []int) ([]*array.Array, []int, error) {
	if dims[0] >= 0 || dims[1] >= 0 {
		return batchLeading(p, size, in, dims)
	}
	last := in[2].Rank() - 1
	b := np.Moveaxis(in[2], []int{dims[2]}, []int{last})
	shape := b.Shape()
	y := primitive.Bind(p, in[0], in[1], primitive.Reshape(b, append(shape[:last-1].Clone(), shape[last-1]*shape[last])))
	return []*array.Array{primitive.Reshape(y, shape)}, []int{last}, nil
}

// LowerJaxpr implements trace.JaxprLowerable: two triangular systems.
func (p FactoredSolveP) LowerJaxpr(c trace.Lowering, in []*hlo.Value, _ []array.Aval) ([]*hlo.Value, error) {
	return lowerFunction(c, p.Name(), in, func(x []*array.Array) []*array.Array {
		f, b := x[1], x[2]
		if !p.Cholesky {
			trans := 0
			if p.TransposeA {
				trans = 1
			}
			return []*array.Array{withFactors(f, b, trans)}
		}
		// (L Lᴴ)ᵀ = conj(L) Lᵀ.
		first := TriangularSolveP{LeftSide: true, LowerA: true, ConjugateA: p.TransposeA}
		second := TriangularSolveP{LeftSide: true, LowerA: true, TransposeA: true, ConjugateA: !p.TransposeA}
		return []*array.Array{TriangularSolve(f, TriangularSolve(f, b, first), second)}
	})
}

// Solve solves a x = b. Where a is singular, entries of the result are not finite.
//
//	a [..., n, n], b [n] or [..., n, k]   →   as b, with the batch axes broadcast
//
// A stack of vectors needs a last axis of size 1. Derivatives, of any order, use the factorisation again.
func Solve(a, b any) *array.Array {
	xs := operands("Solve", a, b)
	m := squares("Solve", xs[0])
	lu, _, perm := LUFactor(primitive.StopGradient(m))
	return solveAgainst("Solve", m, xs[1], func(m, b *array.Array) *array.Array {
		batch := m.Shape()[:m.Rank()-2]
		perm := broadcastBatch(perm, batch, 1)
		return primitive.Bind(FactoredSolveP{}, permuteRows(m, perm), broadcastBatch(lu, batch, 2), permuteRows(b, perm))
	})
}

// SolvePositive is Solve for a Hermitian positive definite a, by its Cholesky factor: it reads the lower triangle for
// the factorisation, or with Upper the upper one. Where a is not positive definite the result is NaN.
func SolvePositive(a, b any, opts ...Option) *array.Array {
	s := gather("SolvePositive", opts, "Upper")
	xs := operands("SolvePositive", a, b)
	m := squares("SolvePositive", xs[0])
	read := primitive.StopGradient(m)
	if s.upper {
		read = adjoint(read)
	}
	l := np.Tril(primitive.Bind(CholeskyP{}, read), 0)
	return solveAgainst("SolvePositive", m, xs[1], func(m, b *array.Array) *array.Array {
		return primitive.Bind(FactoredSolveP{Cholesky: true}, m, broadcastBatch(l, m.Shape()[:m.Rank()-2], 2), b)
	})
}

// Inv is the inverse of a. Where a is singular, entries are not finite.
//
//	a [..., n, n]   →   [..., n, n]
func Inv(a any) *array.Array {
	x := squares("Inv", a)
	return Solve(x, np.BroadcastTo(eye(x.Shape()[x.Rank()-1], x.DType()), x.Shape()...))
}

// TensorInv is the inverse of a as a linear map of its last axes to its first ind ones, whose sizes have equal products.
//
//	a [p…, q…]   →   [q…, p…]
func TensorInv(a any, ind int) *array.Array {
	x := operands("TensorInv", a)[0]
	if ind <= 0 || ind > x.Rank() {
		fail("TensorInv", array.ArgumentErrorf("ind is %d; it must be from 1 to %d", ind, x.Rank()))
	}
	p, q := x.Shape()[:ind], x.Shape()[ind:]
	if p.Size() != q.Size() {
		fail("TensorInv", array.ShapeErrorf("the first %d axes of %s have %d elements together, the others %d; they must have as many", ind, x.Shape(), p.Size(), q.Size()))
	}
	return Inv(x.Reshape(p.Size(), q.Size())).Reshape(append(q.Clone(), p...)...)
}

// TensorSolve solves a x = b, where a maps tensors to tensors of b's shape: its first axes, after those named have moved to
// the end, are b's.
//
//	a [p…, q…], b [p…]   →   [q…]
func TensorSolve(a, b any, axes ...int) *array.Array {
	xs := operands("TensorSolve", a, b)
	m, y := xs[0], xs[1]
	if len(axes) > 0 {
		to := make([]int, len(axes))
		for i := range to {
			to[i] = m.Rank() - len(axes) + i
		}
		m = np.Moveaxis(m, axes, to)
	}
	if m.Rank() < y.Rank() || !m.Shape()[:y.Rank()].Equal(y.Shape()) {
		fail("TensorSolve", array.ShapeErrorf("the matrix is %s, the right-hand side %s; its shape must begin that of the matrix", m.Shape(), y.Shape()))
	}
	out := m.Shape()[y.Rank():].Clone()
	if out.Size() != y.Size() {
		fail("TensorSolve", array.ShapeErrorf("%d equations for %d unknowns", y.Size(), out.Size()))
	}
	return Solve(m.Reshape(y.Size(), y.Size()), y.Ravel()).Reshape(out...)
}
