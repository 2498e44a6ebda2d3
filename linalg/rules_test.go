package linalg_test

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/jit"
	"github.com/pantograph-go/pantograph/linalg"
	"github.com/pantograph-go/pantograph/np"
	"github.com/pantograph-go/pantograph/vjp"
	"github.com/pantograph-go/pantograph/vmap"
)

const seed = 20240229

type (
	arr  = *array.Array
	list = []*array.Array
)

// row is a smooth function of matrices, free of the signs of factors, with the shapes of its operands.
type row struct {
	name   string
	f      func(x list) list
	shapes []array.Shape
	line   string
	order  int  // of the derivatives to compare, 0 where there is no rule
	real   bool // only for real matrices
}

func of(name string, f func(x list) list, shapes ...array.Shape) row {
	_, file, line, _ := runtime.Caller(1)
	return row{name: name, f: f, shapes: shapes, line: fmt.Sprintf("%s:%d", filepath.Base(file), line), order: 2}
}

func (r row) toOrder(n int) row { r.order = n; return r }

func (r row) onlyReal() row { r.real = true; return r }

func sh(n ...int) array.Shape { return n }

// random draws an array; the real ones of the same numbers are the same.
func random(rng *rand.Rand, d array.DType, shape array.Shape) arr {
	b := array.NewBuffer(d, shape)
	for i := range b.Len() {
		re, im := rng.NormFloat64(), rng.NormFloat64()
		if d.IsComplex() {
			b.SetComplex(i, complex(re, im))
		} else {
			b.SetFloat(i, re)
		}
	}
	return array.Of(b)
}

func adjoint(x arr) arr { return np.Conj(np.MatrixTranspose(x)) }

// positive is a positive definite matrix with distinct eigenvalues made of any.
func positive(a arr) arr {
	n := a.Shape()[a.Rank()-1]
	return a.MatMul(adjoint(a)).Add(np.Eye(n, a.DType()))
}

// well is a well-conditioned matrix made of any.
func well(a arr) arr { return a.Add(np.Eye(a.Shape()[a.Rank()-1], a.DType()).Mul(4)) }

// sizesOf are the squared sizes of the elements, free of phases.
func sizesOf(xs ...arr) list {
	out := make(list, len(xs))
	for i, x := range xs {
		out[i] = np.Square(x.Abs())
	}
	return out
}

func triangular(p linalg.TriangularSolveP) func(x list) list {
	return func(x list) list { return list{linalg.TriangularSolve(well(x[0]), x[1], p)} }
}

var rows = []row{
	of("Cholesky", func(x list) list { return list{linalg.Cholesky(positive(x[0]))} }, sh(3, 3)),
	of("Cholesky, upper", func(x list) list { return list{linalg.Cholesky(positive(x[0]), linalg.Upper())} }, sh(3, 3)),
	of("ChoSolve", func(x list) list { return list{linalg.ChoSolve(linalg.Cholesky(positive(x[0])), x[1])} }, sh(3, 3), sh(3, 2)),
	of("TriangularSolve", triangular(linalg.TriangularSolveP{LeftSide: true, LowerA: true}), sh(3, 3), sh(3, 2)),
	of("TriangularSolve, tall", triangular(linalg.TriangularSolveP{LeftSide: true, TransposeA: true}), sh(2, 2), sh(2, 4)),
	of("TriangularSolve, adjoint", triangular(linalg.TriangularSolveP{LeftSide: true, TransposeA: true, ConjugateA: true}), sh(3, 3), sh(3, 1)),
	of("TriangularSolve, conjugate", triangular(linalg.TriangularSolveP{LeftSide: true, ConjugateA: true, LowerA: true}), sh(3, 3), sh(3, 1)),
	of("TriangularSolve, right", triangular(linalg.TriangularSolveP{}), sh(3, 3), sh(2, 3)),
	of("TriangularSolve, right unit", triangular(linalg.TriangularSolveP{LowerA: true, UnitDiagonal: true}), sh(3, 3), sh(4, 3)),
	of("TriangularSolve, vector", triangular(linalg.TriangularSolveP{LeftSide: true}), sh(3, 3), sh(3)),
	of("SolveTriangular", func(x list) list { return list{linalg.SolveTriangular(well(x[0]), x[1], linalg.Adjoint())} }, sh(2, 3, 3), sh(3)),
	of("LUFactor", func(x list) list { lu, _, _ := linalg.LUFactor(x[0]); return list{lu} }, sh(3, 3)),
	of("LUFactor, tall", func(x list) list { lu, _, _ := linalg.LUFactor(x[0]); return list{lu} }, sh(4, 2)),
	of("LUFactor, wide", func(x list) list { lu, _, _ := linalg.LUFactor(x[0]); return list{lu} }, sh(2, 4)),
	of("LU", func(x list) list { _, l, u := linalg.LU(x[0]); return list{l, u} }, sh(2, 3, 3)),
	of("LUSolve", func(x list) list {
		lu, p, _ := linalg.LUFactor(x[0])
		return list{linalg.LUSolve(lu, p, x[1]), linalg.LUSolve(lu, p, x[1], linalg.Transposed()), linalg.LUSolve(lu, p, x[1], linalg.Adjoint())}
	}, sh(3, 3), sh(3, 2)),
	of("Solve", func(x list) list { return list{linalg.Solve(x[0], x[1])} }, sh(3, 3), sh(3, 2)),
	of("Solve, vector", func(x list) list { return list{linalg.Solve(x[0], x[1])} }, sh(3, 3), sh(3)),
	of("Solve, broadcast", func(x list) list { return list{linalg.Solve(x[0], x[1])} }, sh(3, 3), sh(2, 3, 1)),
	of("SolvePositive", func(x list) list { return list{linalg.SolvePositive(positive(x[0]), x[1])} }, sh(3, 3), sh(3)),
	of("SolvePositive, upper", func(x list) list { return list{linalg.SolvePositive(positive(x[0]), x[1], linalg.Upper())} }, sh(3, 3), sh(3, 2)),
	of("Inv", func(x list) list { return list{linalg.Inv(well(x[0]))} }, sh(3, 3)),
	of("TridiagonalSolve", func(x list) list { return list{linalg.TridiagonalSolve(x[0], x[1].Add(4), x[2], x[3])} }, sh(4), sh(4), sh(4), sh(4, 2)),
	of("Det of 1", func(x list) list { return list{linalg.Det(x[0])} }, sh(1, 1)),
	of("Det of 2", func(x list) list { return list{linalg.Det(x[0])} }, sh(2, 2)),
	of("Det of 3", func(x list) list { return list{linalg.Det(x[0])} }, sh(3, 3)),
	of("Det of 5", func(x list) list { return list{linalg.Det(x[0])} }, sh(5, 5)),
	of("Slogdet of 1", func(x list) list { s, l := linalg.Slogdet(x[0]); return list{s, l} }, sh(1, 1)),
	of("Slogdet of 2", func(x list) list { s, l := linalg.Slogdet(x[0]); return list{s, l} }, sh(2, 2)),
	of("Slogdet of 4", func(x list) list { s, l := linalg.Slogdet(x[0]); return list{s, l} }, sh(4, 4)),
	of("SlogdetQR", func(x list) list { s, l := linalg.SlogdetQR(x[0]); return list{s, l} }, sh(4, 4)).onlyReal(),
	of("QR", func(x list) list { q, r := linalg.QR(x[0]); return sizesOf(q, r) }, sh(3, 3)),
	of("QR, tall", func(x list) list { q, r := linalg.QR(x[0]); return sizesOf(q, r) }, sh(4, 2)),
	of("QR, wide", func(x list) list { q, r := linalg.QR(x[0]); return sizesOf(q, r) }, sh(2, 4)),
	of("QRPivoted", func(x list) list { q, r, _ := linalg.QRPivoted(x[0]); return sizesOf(q, r) }, sh(4, 3)),
	of("SVD", func(x list) list { u, s, vh := linalg.SVD(x[0], linalg.Reduced()); return append(sizesOf(u, vh), s) }, sh(4, 3)),
	of("SVD, wide", func(x list) list { u, s, vh := linalg.SVD(x[0], linalg.Reduced()); return append(sizesOf(u, vh), s) }, sh(2, 3)),
	of("SVD, square", func(x list) list { u, s, vh := linalg.SVD(x[0]); return append(sizesOf(u, vh), s) }, sh(3, 3)),
	of("SVD, Hermitian", func(x list) list { u, s, vh := linalg.SVD(x[0], linalg.Hermitian()); return append(sizesOf(u, vh), s) }, sh(3, 3)),
	of("Svdvals", func(x list) list { return list{linalg.Svdvals(x[0])} }, sh(2, 3, 2)),
	of("Pinv", func(x list) list { return list{linalg.Pinv(x[0])} }, sh(4, 2)),
	of("Pinv, wide", func(x list) list { return list{linalg.Pinv(x[0])} }, sh(2, 3)),
	of("Pinv, Hermitian", func(x list) list { return list{linalg.Pinv(positive(x[0]), linalg.Hermitian())} }, sh(3, 3)),
	of("Lstsq", func(x list) list { y, r, _, s := linalg.Lstsq(x[0], x[1]); return list{y, r, s} }, sh(4, 2), sh(4)),
	of("Eigh", func(x list) list { w, v := linalg.Eigh(x[0]); return append(sizesOf(v), w) }, sh(3, 3)),
	of("Eigvalsh, upper", func(x list) list { return list{linalg.Eigvalsh(x[0], linalg.Upper())} }, sh(2, 3, 3)),
	of("Eig", func(x list) list { w, v := linalg.Eig(x[0]); return append(sizesOf(v), w) }, sh(3, 3)).toOrder(1),
	of("Eigvals", func(x list) list { return list{linalg.Eigvals(x[0])} }, sh(3, 3)),
	of("Expm", func(x list) list { return list{linalg.Expm(x[0])} }, sh(3, 3)).toOrder(1),
	of("MatrixPower", func(x list) list { return list{linalg.MatrixPower(well(x[0]), -3)} }, sh(3, 3)),
	of("Norm 2", func(x list) list { return list{linalg.MatrixNorm(x[0], 2)} }, sh(3, 2)),
	of("Norm nuc", func(x list) list { return list{linalg.MatrixNorm(x[0], "nuc")} }, sh(3, 2)),
	of("Norm 3", func(x list) list { return list{linalg.VectorNorm(x[0], 3)} }, sh(5)).onlyReal(),
	of("QRRaw", func(x list) list { h, tau := linalg.QRRaw(x[0]); return list{h, tau} }, sh(4, 2)).toOrder(0),
	of("QRPivoted, complete", func(x list) list { q, r, p := linalg.QRPivoted(x[0], linalg.Complete()); return list{q, r, p} }, sh(4, 2)).toOrder(0),
	of("HouseholderProduct", func(x list) list { return list{linalg.HouseholderProduct(x[0], x[1])} }, sh(4, 3), sh(2)).toOrder(0),
	of("Schur", func(x list) list { t, z := linalg.Schur(x[0]); return list{t, z} }, sh(3, 3)).toOrder(0),
	of("Hessenberg", func(x list) list { h, q := linalg.Hessenberg(x[0]); return list{h, q} }, sh(2, 4, 4)).toOrder(0),
	of("Tridiagonal", func(x list) list { a, d, e, tau := linalg.Tridiagonal(x[0], linalg.Upper()); return list{a, d, e, tau} }, sh(4, 4)).toOrder(0),
	of("MatrixRank", func(x list) list { return list{linalg.MatrixRank(x[0])} }, sh(3, 2)).toOrder(0),
	of("Polar", func(x list) list { u, p := linalg.Polar(x[0]); return list{u, p} }, sh(3, 3)).toOrder(1),
}

// Each row, real and complex: a compiled program gives what the eager call gives, vmap what a loop gives at every batch axis,
// and the derivatives agree with differences.
func TestRules(t *testing.T) {
	for _, r := range rows {
		for _, d := range []array.DType{array.Float64, array.Complex128} {
			if r.real && d.IsComplex() {
				continue
			}
			t.Run(fmt.Sprintf("%s/%s", r.name, d), func(t *testing.T) { r.check(t, d) })
		}
	}
}

func (r row) check(t *testing.T, d array.DType) {
	rng := rand.New(rand.NewPCG(seed, 1))
	in := make(list, len(r.shapes))
	for i, s := range r.shapes {
		in[i] = random(rng, d, s)
	}
	want := r.f(in)
	for i, y := range jit.Of(r.f).CallAll(in) {
		near(t, r.line+" jit", y, want[i], 1e-12)
	}
	const size = 2
	for k := range in {
		other := random(rng, d, r.shapes[k])
		for dim := range r.shapes[k].Rank() + 1 {
			axes := make([]any, len(in))
			stacked := append(list(nil), in...)
			axes[k] = dim
			stacked[k] = np.Stack(list{in[k], other}, np.Axis(dim))
			out := vmap.Of(r.f, vmap.In(axes)).CallAll(stacked)
			alone := append(list(nil), in...)
			for j := range size {
				alone[k] = list{in[k], other}[j]
				for i, y := range r.f(alone) {
					near(t, fmt.Sprintf("%s operand %d batched at %d", r.line, k, dim), out[i].At(j).Get(), y, 1e-10)
				}
			}
		}
	}
	if r.order == 0 {
		return
	}
	if err := vjp.CheckGrads(r.f, []any{in}, vjp.Order(r.order), vjp.Tolerance(1e-4)); err != nil {
		t.Errorf("%s: %v", r.line, err)
	}
}

func near(t *testing.T, what string, got, want arr, tol float64) {
	t.Helper()
	if !got.Shape().Equal(want.Shape()) || got.DType() != want.DType() {
		t.Fatalf("%s: got %s, want %s", what, got.Aval(), want.Aval())
	}
	if got.Size() == 0 {
		return
	}
	scale := max(1, want.Abs().Max().AsType(array.Float64).Float())
	if diff := got.Sub(want).Abs().Max().AsType(array.Float64).Float(); !(diff <= tol*scale) {
		t.Errorf("%s: got %v, want %v", what, got, want)
	}
}
