package linalg_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/linalg"
	"github.com/pantograph-go/pantograph/np"
)

// factored calls test for stacks of random matrices of many sizes and all dtypes; tol is what rounding leaves.
func factored(t *testing.T, square bool, test func(t *testing.T, a arr, tol float64)) {
	rng := rand.New(rand.NewPCG(seed, 2))
	for _, d := range []array.DType{array.Float32, array.Float64, array.Complex64, array.Complex128} {
		for _, s := range []array.Shape{{0, 0}, {1, 1}, {2, 2}, {3, 3}, {2, 5, 5}, {17, 17}, {40, 40}, {3, 0, 0}, {0, 2, 2},
			{5, 3}, {3, 5}, {2, 1, 4}, {2, 2, 4, 1}, {30, 7}, {7, 30}, {0, 3}, {3, 0}} {
			if m, n := s[len(s)-2], s[len(s)-1]; square && m != n {
				continue
			}
			tol := 1e-12
			if d.Real() == array.Float32 {
				tol = 2e-5
			}
			t.Run(fmt.Sprintf("%s%s", d, s), func(t *testing.T) { test(t, random(rng, d, s), tol) })
		}
	}
}

func orthonormal(t *testing.T, what string, q arr, tol float64) {
	t.Helper()
	n := q.Shape()[q.Rank()-1]
	near(t, what+" has orthonormal columns", adjoint(q).MatMul(q), np.BroadcastTo(np.Eye(n, q.DType()), append(q.Shape()[:q.Rank()-2].Clone(), n, n)...), tol)
}

func ascending(t *testing.T, w arr) {
	t.Helper()
	if !np.All(w.Equal(np.Sort(w, np.Axis(-1)))).Bool() {
		t.Errorf("not ascending: %v", w)
	}
}

// timesDiag is x diag(w).
func timesDiag(x, w arr) arr { return x.Mul(w.AsType(x.DType()).ExpandDims(-2)) }

func TestCholeskyRebuilds(t *testing.T) {
	factored(t, true, func(t *testing.T, a arr, tol float64) {
		p := positive(a)
		l, u := linalg.Cholesky(p), linalg.Cholesky(p, linalg.Upper(), linalg.AsGiven())
		near(t, "L Lᴴ", l.MatMul(adjoint(l)), p, tol)
		near(t, "L is triangular", np.Tril(l, 0), l, 0)
		near(t, "U", u, adjoint(l), tol)
	})
}

func TestLURebuilds(t *testing.T) {
	factored(t, false, func(t *testing.T, a arr, tol float64) {
		p, l, u := linalg.LU(a)
		near(t, "P L U", p.AsType(a.DType()).MatMul(l.MatMul(u)), a, tol)
		near(t, "U is triangular", np.Triu(u, 0), u, 0)
		_, _, perm := linalg.LUFactor(a)
		if m := a.Shape()[a.Rank()-2]; m > 0 {
			near(t, "the permutation has each row once", np.Sort(perm, np.Axis(-1)), np.BroadcastTo(np.Arange(m, array.Int32), perm.Shape()...), 0)
		}
		if l.Size() > 0 && l.Abs().Max().AsType(array.Float64).Float() > 1.5 {
			t.Errorf("an element of L is %v; the pivots are not the largest", l.Abs().Max())
		}
	})
}

func TestQRRebuilds(t *testing.T) {
	factored(t, false, func(t *testing.T, a arr, tol float64) {
		for _, opts := range [][]linalg.Option{nil, {linalg.Complete()}} {
			q, r := linalg.QR(a, opts...)
			orthonormal(t, "Q", q, tol)
			near(t, "Q R", q.MatMul(r), a, tol)
			near(t, "R is triangular", np.Triu(r, 0), r, 0)
			q, r, p := linalg.QRPivoted(a, opts...)
			orthonormal(t, "pivoted Q", q, tol)
			near(t, "pivoted Q R", q.MatMul(r), np.TakeAlongAxis(a, p.ExpandDims(-2), np.Axis(-1)), tol)
			if d := np.Diagonal(r, 0, np.Axis(-2, -1)).Abs(); d.Size() > 0 {
				ascending(t, np.Flip(np.Round(d, 4), -1))
			}
		}
	})
}

func TestSVDRebuilds(t *testing.T) {
	factored(t, false, func(t *testing.T, a arr, tol float64) {
		m, n := a.Shape()[a.Rank()-2], a.Shape()[a.Rank()-1]
		k := min(m, n)
		for _, opts := range [][]linalg.Option{{linalg.Reduced()}, nil} {
			u, s, vh := linalg.SVD(a, opts...)
			orthonormal(t, "U", u, tol)
			orthonormal(t, "V", adjoint(vh), tol)
			thin, rows := u.At("...", array.Slice{Stop: k}).Get(), vh.At("...", array.Slice{Stop: k}, ":").Get()
			near(t, "U diag(s) Vᴴ", timesDiag(thin, s).MatMul(rows), a, tol)
			ascending(t, np.Flip(s, -1))
			near(t, "singular values alone", linalg.Svdvals(a), s, tol)
		}
	})
}

func TestEighRebuilds(t *testing.T) {
	factored(t, true, func(t *testing.T, a arr, tol float64) {
		h := a.Add(adjoint(a)).Div(2)
		for _, opts := range [][]linalg.Option{nil, {linalg.AsGiven()}, {linalg.AsGiven(), linalg.Upper()}} {
			w, v := linalg.Eigh(h, opts...)
			orthonormal(t, "V", v, tol)
			near(t, "V diag(w) Vᴴ", timesDiag(v, w).MatMul(adjoint(v)), h, tol)
			ascending(t, w)
		}
	})
}

func TestEigRebuilds(t *testing.T) {
	factored(t, true, func(t *testing.T, a arr, tol float64) {
		w, v := linalg.Eig(a)
		near(t, "V diag(w)", timesDiag(v, w), a.AsType(v.DType()).MatMul(v), 10*tol)
		near(t, "the columns have length 1", np.Square(v.Abs()).Sum(-2), np.OnesLike(w.Real()), tol)
		near(t, "the sum of eigenvalues is the trace", w.Sum(-1), linalg.Trace(a, 0).AsType(w.DType()), 10*tol)
	})
}

func TestSchurRebuilds(t *testing.T) {
	factored(t, true, func(t *testing.T, a arr, tol float64) {
		h, q := linalg.Hessenberg(a)
		orthonormal(t, "Q of Hessenberg", q, tol)
		near(t, "Q H Qᴴ", q.MatMul(h).MatMul(adjoint(q)), a, tol)
		near(t, "H has one diagonal below", np.Triu(h, -1), h, 0)
		u, z := linalg.Schur(a)
		orthonormal(t, "Z", z, tol)
		near(t, "Z T Zᴴ", z.MatMul(u).MatMul(adjoint(z)), a, tol)
		u, z = linalg.SchurComplex(a)
		near(t, "complex Z T Zᴴ", z.MatMul(u).MatMul(adjoint(z)), a.AsType(z.DType()), tol)
		near(t, "complex T is triangular", np.Triu(u, 0), u, 0)
	})
}

func TestTridiagonalRebuilds(t *testing.T) {
	factored(t, true, func(t *testing.T, a arr, tol float64) {
		n := a.Shape()[a.Rank()-1]
		if n == 0 {
			return
		}
		h := a.Add(adjoint(a)).Div(2)
		for _, opts := range [][]linalg.Option{nil, {linalg.Upper()}} {
			_, d, e, _ := linalg.Tridiagonal(h, opts...)
			near(t, "eigenvalues of T", linalg.EighTridiagonal(d, e), linalg.Eigvalsh(h), tol)
		}
	})
}

func TestSolversSolve(t *testing.T) {
	factored(t, true, func(t *testing.T, a arr, tol float64) {
		n := a.Shape()[a.Rank()-1]
		a = a.Add(np.Eye(n, a.DType()).Mul(3 * float64(n)))
		b := np.Stack(list{a.Sum(-1), a.Sum(-2)}, np.Axis(-1))
		near(t, "a x", a.MatMul(linalg.Solve(a, b)), b, tol*10)
		near(t, "the inverse", linalg.Inv(a).MatMul(b), linalg.Solve(a, b), tol*10)
		sign, log := linalg.Slogdet(a)
		if n < 8 {
			near(t, "det", sign.Mul(np.Exp(log).AsType(a.DType())), linalg.Det(a), tol*10)
		}
	})
}

func TestFunctionsOfMatrices(t *testing.T) {
	rng := rand.New(rand.NewPCG(seed, 3))
	for _, d := range []array.DType{array.Float64, array.Complex128} {
		a, b, c := random(rng, d, sh(4, 4)), random(rng, d, sh(3, 3)), random(rng, d, sh(4, 3))
		x := linalg.SolveSylvester(a, b, c)
		near(t, "a x + x b", a.MatMul(x).Add(x.MatMul(b)), c, 1e-10)
		r := linalg.Sqrtm(a)
		near(t, "the square of the root", r.MatMul(r), a.AsType(r.DType()), 1e-10)
		near(t, "exp(a) exp(-a)", linalg.Expm(a).MatMul(linalg.Expm(a.Neg())), np.Eye(4, d), 1e-9)
		near(t, "exp(10 a)", linalg.Expm(a.Mul(10)), linalg.MatrixPower(linalg.Expm(a), 10), 1e-9)
		u, p := linalg.Polar(c)
		near(t, "u p", u.MatMul(p), c, 1e-12)
		u, p = linalg.Polar(c, linalg.Adjoint())
		near(t, "p u", p.MatMul(u), c, 1e-12)
		near(t, "a product in another order", linalg.MultiDot(c.T(), a, c, b), c.T().MatMul(a).MatMul(c).MatMul(b), 1e-12)
	}
	r := np.Triu(random(rng, array.Float64, sh(4, 4)), 0).Add(np.Eye(4).Mul(3))
	w := random(rng, array.Float64, sh(4))
	up := linalg.CholeskyUpdate(r, w)
	near(t, "the updated factor", up.T().MatMul(up), r.T().MatMul(r).Add(np.Outer(w, w)), 1e-12)
	near(t, "the updated factor is triangular", np.Triu(up, 0), up, 1e-14)
}
