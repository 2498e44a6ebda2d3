package linalg_test

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/jit"
	"github.com/pantograph-go/pantograph/linalg"
	"github.com/pantograph-go/pantograph/np"
	"github.com/pantograph-go/pantograph/trace"
	"github.com/pantograph-go/pantograph/vjp"
)

func f32(v any) arr { return np.Asarray(v, np.Float32) }

func same(t *testing.T, what string, got arr, want any) {
	t.Helper()
	near(t, what, got, np.Asarray(want, got.DType()), 1e-5)
}

func TestDeterminantOfSingularMatrices(t *testing.T) {
	g := vjp.Grad(func(a arr) arr { return linalg.Det(a) })
	same(t, "rank 1", g.Call(f32([][]float64{{1, 2}, {2, 4}})), [][]float64{{4, -2}, {-2, 1}})
	same(t, "rank 0", g.Call(f32(np.Zeros([]int{2, 2}))), [][]float64{{0, 0}, {0, 0}})

	// Of four rows the cofactors go through the factors: exact for rank 3, zero for rank 2.
	a := np.Asarray([][]float64{{1, 2, 0, 1}, {0, 1, 1, 2}, {1, 0, 3, 1}, {1, 3, 1, 3}}) // the last row is the sum of the first two
	cofactors := make([]float64, 16)
	for i := range 4 {
		for j := range 4 {
			rest := [][]float64{}
			for r := range 4 {
				if r == i {
					continue
				}
				var row []float64
				for c := range 4 {
					if c != j {
						row = append(row, a.At(r, c).Get().Float())
					}
				}
				rest = append(rest, row)
			}
			cofactors[4*i+j] = math.Pow(-1, float64(i+j)) * linalg.Det(rest).Float()
		}
	}
	near(t, "rank 3", g.Call(a), np.FromSlice(cofactors, 4, 4), 1e-12)
	same(t, "rank 2", g.Call(np.Outer([]float64{1, 2, 3, 4}, []float64{1, 0, 0, 0}).Add(np.Outer([]float64{0, 1, 0, 1}, []float64{0, 0, 1, 2}))), np.Zeros([]int{4, 4}))
}

func TestSlogdetAtTheEdges(t *testing.T) {
	for _, tt := range []struct {
		a         any
		sign, log float64
	}{
		{[][]float64{{0, 1}, {1, 0}}, -1, 0},
		{np.Zeros([]int{2, 2}), 0, math.Inf(-1)},
		{np.Zeros([]int{3, 3}), 0, math.Inf(-1)},
		{np.Eye(3).Mul(1e-20), 1, 3 * math.Log(1e-20)},
		{np.Zeros([]int{0, 0}), 1, 0},
	} {
		sign, log := linalg.Slogdet(f32(tt.a))
		if s, l := sign.AsType(np.Float64).Float(), log.AsType(np.Float64).Float(); s != tt.sign || l != tt.log && math.Abs(l-tt.log) > 1e-4 {
			t.Errorf("slogdet of %v is %v, %v; want %v, %v", tt.a, s, l, tt.sign, tt.log)
		}
	}
}

// Symmetric functions of eigenvalues are smooth where some are equal; eigenvectors are not defined there.
func TestDegenerateEigenvalues(t *testing.T) {
	same(t, "the trace", vjp.Grad(func(a arr) arr { return linalg.Eigvalsh(a).Sum() }).Call(np.Eye(2)), [][]float64{{1, 0}, {0, 1}})
	squares := func(a arr) arr { w, _ := linalg.Eigh(a); return np.Square(w).Sum() }
	same(t, "the squared norm", vjp.Grad(squares).Call(np.Eye(3).Mul(2)), np.Eye(3).Mul(4))
	same(t, "the squared norm by singular values", vjp.Grad(func(a arr) arr { return np.Square(linalg.Svdvals(a)).Sum() }).Call(np.Eye(3).Mul(2)), np.Eye(3).Mul(4))
	vector := func(a arr) arr { _, v := linalg.Eigh(a); return v.At(0, 0).Get() }
	if g := vjp.Grad(vector).Call(np.Eye(2)); !np.All(np.IsNaN(g)).Bool() {
		t.Errorf("the slope of an eigenvector that is not defined is %v", g)
	}
}

func TestNotPositiveDefinite(t *testing.T) {
	chol := func(a arr) arr { return linalg.Cholesky(a) }
	for name, f := range map[string]func(a arr) arr{"eager": chol, "compiled": func(a arr) arr { return jit.Of(chol).Call(a) }} {
		c := f(f32([][]float64{{1, 2}, {2, 1}}))
		i, j := np.TrilIndices(2, 2, 0)
		if !np.All(np.IsNaN(c.At(i, j).Get())).Bool() {
			t.Errorf("%s: %v", name, c)
		}
	}
	low := linalg.Cholesky(f32([][]float64{{4, 99}, {2, 5}}), linalg.AsGiven())
	same(t, "one triangle", low, [][]float64{{2, 0}, {1, 2}})
	logdet := func(a arr) arr { return np.Log(np.Diag(linalg.Cholesky(a), 0)).Sum().Mul(2) }
	p := f32([][]float64{{4, 2}, {2, 5}})
	same(t, "the gradient of the logarithm of the determinant", vjp.Grad(logdet).Call(p), linalg.Inv(p))
}

func TestSingularSystems(t *testing.T) {
	a := f32([][]float64{{1, 2}, {2, 4}})
	if x := linalg.Solve(a, np.Ones([]int{2}, np.Float32)); np.Any(np.IsFinite(x)).Bool() {
		t.Errorf("the solution of a singular system is %v", x)
	}
	if r := linalg.MatrixRank(a).Int(); r != 1 {
		t.Errorf("rank %d", r)
	}
	same(t, "the pseudo-inverse", linalg.Pinv(a), [][]float64{{.04, .08}, {.08, .16}})
	if c := linalg.Cond(np.Zeros([]int{2, 2}), "fro").Float(); !math.IsInf(c, 1) {
		t.Errorf("condition number %v", c)
	}
}

func TestLUOfSpecialMatrices(t *testing.T) {
	for _, tt := range []struct{ a, lu, pivots, perm any }{
		{np.Zeros([]int{2, 2}), np.Zeros([]int{2, 2}), []int{0, 1}, []int{0, 1}},
		{[][]float64{{0, 1}, {2, 3}}, [][]float64{{2, 3}, {0, 1}}, []int{1, 1}, []int{1, 0}},
	} {
		for _, d := range []array.DType{np.Float32, np.Complex128} {
			lu, pivots, perm := linalg.LUFactor(np.Asarray(tt.a).AsType(d))
			same(t, "lu", lu, np.Asarray(tt.lu).AsType(d))
			same(t, "pivots", pivots, tt.pivots)
			same(t, "permutation", perm, tt.perm)
		}
	}
}

func TestSolveTriangularReadsOneTriangle(t *testing.T) {
	a, b := f32([][]float64{{2, 9}, {4, 5}}), f32([]float64{2, 9})
	same(t, "lower", linalg.SolveTriangular(a, b, linalg.Lower()), []float64{1, 1})
	same(t, "unit diagonal", linalg.SolveTriangular(a, b, linalg.Lower(), linalg.UnitDiagonal()), []float64{2, 1})
	same(t, "upper, transposed", linalg.SolveTriangular(a, b, linalg.Transposed()), []float64{1, 0})
	sum := func(a arr) arr { return linalg.SolveTriangular(a, np.Ones([]int{2}, np.Float32), linalg.Lower()).Sum() }
	same(t, "the gradient", vjp.Grad(sum).Call(a), [][]float64{{-.05, 0}, {-.1, .04}})
}

func TestWhatIsNotFinite(t *testing.T) {
	bad := [][]float64{{1, math.NaN(), 0}, {0, math.Inf(1), 1}, {2, 0, 1}}
	for _, d := range []array.DType{np.Float32, np.Float64, np.Complex64, np.Complex128} {
		a := np.Asarray(bad).AsType(d)
		_, v := linalg.Eigh(a)
		u, _, _ := linalg.SVD(a)
		z, _ := linalg.Schur(a)
		for name, x := range map[string]arr{"eigh": v, "eigvals": linalg.Eigvals(a), "svd": u, "svdvals": linalg.Svdvals(a), "schur": z} {
			if !np.All(np.IsNaN(x)).Bool() {
				t.Errorf("%s of %s: %v", name, d, x)
			}
		}
	}
	if w := linalg.Eigvals([][]float64{{math.Inf(1)}}); !np.All(np.IsNaN(w)).Bool() {
		t.Errorf("eigenvalue of infinity: %v", w)
	}
	same(t, "the eigenvalues of a turn", linalg.Eigvals(f32([][]float64{{0, -1}, {1, 0}})), []complex128{1i, -1i})
}

func TestNorms(t *testing.T) {
	v, m := []float64{3, -4, 0}, [][]float64{{1, -2}, {3, 4}}
	for _, tt := range []struct {
		x, ord any
		want   float64
	}{
		{v, nil, 5}, {v, 1, 7}, {v, math.Inf(1), 4}, {v, "-inf", 0}, {v, 0, 2}, {m, 1, 6}, {m, -1, 4}, {m, "inf", 7}, {m, math.Inf(-1), 3}, {m, nil, math.Sqrt(30)},
		{m, "fro", math.Sqrt(30)}, {np.Zeros([]int{0}), nil, 0},
	} {
		same(t, "norm", linalg.Norm(tt.x, tt.ord), tt.want)
	}
	same(t, "kept axes", linalg.Norm(np.Ones([]int{2, 4, 3}), 1, linalg.Axis(0, 2), linalg.KeepDims()), [][][]float64{{{2}, {2}, {2}, {2}}})
}

func TestExponentials(t *testing.T) {
	same(t, "exp 0", linalg.Expm(f32(np.Zeros([]int{2, 2}))), np.Eye(2))
	same(t, "exp of a nilpotent matrix", linalg.Expm(f32([][]float64{{0, 1}, {0, 0}})), [][]float64{{1, 1}, {0, 1}})
	g := vjp.Grad(func(a arr) arr { return linalg.Expm(a).Sum() }).Call(f32(np.Zeros([]int{2, 2})))
	same(t, "the gradient at 0", g, np.Ones([]int{2, 2}))
	if e := linalg.Expm(np.Eye(2).Mul(1e9)); !np.All(np.IsNaN(e)).Bool() {
		t.Errorf("the exponential of a matrix too large: %v", e)
	}
}

func TestPatterns(t *testing.T) {
	same(t, "Toeplitz", linalg.Toeplitz([]float64{1, 2, 3}, []float64{9, 5, 6, 7}), [][]float64{{1, 5, 6, 7}, {2, 1, 5, 6}, {3, 2, 1, 5}})
	same(t, "Hankel", linalg.Hankel([]float64{1, 2, 3}, nil), [][]float64{{1, 2, 3}, {2, 3, 0}, {3, 0, 0}})
	same(t, "Circulant", linalg.Circulant([]float64{1, 2, 3}), [][]float64{{1, 3, 2}, {2, 1, 3}, {3, 2, 1}})
	same(t, "BlockDiag", linalg.BlockDiag([][]float64{{1, 2}}, 3.0, []float64{4, 5}), [][]float64{{1, 2, 0, 0, 0}, {0, 0, 3, 0, 0}, {0, 0, 0, 4, 5}})
	same(t, "Hadamard", linalg.Hadamard(2), [][]int{{1, 1}, {1, -1}})
	same(t, "Pascal", linalg.Pascal(3, ""), [][]float64{{1, 1, 1}, {1, 2, 3}, {1, 3, 6}})
	d := linalg.DFT(5, "sqrtn")
	same(t, "DFT", d.MatMul(adjoint(d)), np.Eye(5))
}

// Every refusal is a typed error whose text says what to do.
func TestErrors(t *testing.T) {
	ones := np.Ones([]int{2, 3})
	for name, c := range map[string]struct {
		run      func()
		kind     any
		mentions []string
	}{
		"half":       {func() { linalg.QR(np.Ones([]int{2, 2}, np.Float16)) }, new(*array.DTypeError), []string{"QR", "float16", "convert"}},
		"ambiguous":  {func() { linalg.Solve(np.Ones([]int{4, 3, 3}), np.Ones([]int{4, 3})) }, new(*array.ShapeError), []string{"[4,3,3]", "[4,3]"}},
		"square":     {func() { linalg.Inv(ones) }, new(*array.ShapeError), []string{"[2,3]"}},
		"vector":     {func() { linalg.SVD([]float64{1, 2}) }, new(*array.ShapeError), []string{"[2]"}},
		"option":     {func() { linalg.QR(ones, linalg.Upper()) }, new(*array.ArgumentError), []string{"Upper"}},
		"order":      {func() { linalg.MatrixNorm(ones, 3) }, new(*array.ArgumentError), []string{"3", "nuc"}},
		"vector nuc": {func() { linalg.VectorNorm(ones, "nuc") }, new(*array.ArgumentError), []string{"nuc"}},
		"axes":       {func() { linalg.Norm(np.Ones([]int{2, 2, 2}), 2) }, new(*array.AxisError), []string{"3 axes"}},
		"axis":       {func() { linalg.Norm(ones, nil, linalg.Axis(4)) }, new(*array.AxisError), []string{"4"}},
		"full slope": {func() {
			vjp.Grad(func(a arr) arr { u, _, _ := linalg.SVD(a); return u.Sum() }).Call(ones)
		}, new(*array.ArgumentError), []string{"Reduced"}},
		"dtypes":   {func() { linalg.TriangularSolve(np.Eye(2), f32(np.Ones([]int{2, 1})), linalg.TriangularSolveP{}) }, new(*array.DTypeError), []string{"convert"}},
		"chain":    {func() { linalg.MultiDot(ones, ones) }, new(*array.ShapeError), []string{"3 columns", "2 rows"}},
		"hadamard": {func() { linalg.Hadamard(6) }, new(*array.ArgumentError), []string{"power of two"}},
		"power":    {func() { linalg.MatrixPower(ones, 2) }, new(*array.ShapeError), []string{"square"}},
	} {
		err := trace.Try(c.run)
		if !errors.As(err, c.kind) {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for _, word := range c.mentions {
			if !strings.Contains(err.Error(), word) {
				t.Errorf("%s: %q does not mention %q", name, err, word)
			}
		}
	}
}
