package linalg

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/jit"
	"github.com/pantograph-go/pantograph/lower"
	"github.com/pantograph-go/pantograph/lower/hlo"
	"github.com/pantograph-go/pantograph/np"
	"github.com/pantograph-go/pantograph/primitive"
	"github.com/pantograph-go/pantograph/trace"
)

func close(t *testing.T, what string, got, want *array.Array, tol float64) {
	t.Helper()
	if !got.Shape().Equal(want.Shape()) || got.DType() != want.DType() {
		t.Fatalf("%s: got %s, want %s", what, got.Aval(), want.Aval())
	}
	if got.Size() == 0 {
		return
	}
	scale := max(1, want.Abs().Max().AsType(array.Float64).Float())
	if d := got.Sub(want).Abs().Max().AsType(array.Float64).Float(); !(d <= tol*scale) {
		t.Errorf("%s: off by %g", what, d)
	}
}

func draw(rng *rand.Rand, d array.DType, shape ...int) *array.Array {
	b := array.NewBuffer(d, shape)
	for i := range b.Len() {
		b.SetComplex(i, complex(rng.NormFloat64(), rng.NormFloat64()))
	}
	return array.Of(b)
}

// The portable factorisations agree with LAPACK's where these are unique, and rebuild the matrix elsewhere.
func TestPortable(t *testing.T) {
	rng := rand.New(rand.NewPCG(20240229, 4))
	for _, d := range []array.DType{array.Float32, array.Float64, array.Complex128} {
		tol := 1e-12
		if d == array.Float32 {
			tol = 2e-5
		}
		for _, s := range []array.Shape{{1, 1}, {2, 2}, {3, 3}, {2, 4, 4}, {9, 9}, {5, 3}, {3, 5}, {2, 6, 1}, {1, 4}, {0, 3}, {0, 2, 2}} {
			t.Run(fmt.Sprintf("%s%s", d, s), func(t *testing.T) {
				a := draw(rng, d, s...)
				m, n := sizes(s)
				call := func(f func(x []*array.Array) []*array.Array, x ...*array.Array) []*array.Array {
					return jit.Of(f).CallAll(x)
				}

				lu := call(func(x []*array.Array) []*array.Array { lu, p := luPortable(x[0]); return []*array.Array{lu, p} }, a)
				want, pivots, _ := LUFactor(a)
				close(t, "lu", lu[0], want, tol)
				close(t, "pivots", lu[1], pivots, 0)

				qr := call(func(x []*array.Array) []*array.Array {
					r, tau := geqrfPortable(x[0])
					return []*array.Array{r, tau, householderPortable(cut(r, 0, m, 0, min(m, n)), tau)}
				}, a)
				y := primitive.BindAll(GeqrfP{}, a)
				close(t, "r", qr[0], y[0], tol)
				close(t, "tau", qr[1], y[1], tol)
				q, _ := QR(a)
				close(t, "q", qr[2], q, tol)

				tall := a
				if m < n {
					tall = adjoint(a)
				}
				rows, cols := sizes(tall.Shape())
				for _, count := range []int{cols, rows} {
					f := call(func(x []*array.Array) []*array.Array {
						u, s, vh := svdPortable(x[0], count)
						return []*array.Array{u, s, vh}
					}, tall)
					close(t, "s", f[1], Svdvals(tall), tol)
					close(t, "u diag(s) vh", mul(cut(f[0], 0, rows, 0, cols).Mul(f[1].ExpandDims(-2).AsType(d)), f[2]), tall, tol)
					close(t, "u is orthonormal", mul(adjoint(f[0]), f[0]), np.BroadcastTo(eye(count, d), like(a.Aval(), count, count).Shape...), tol)
				}

				if m == n {
					h := symmetrize(a)
					f := call(func(x []*array.Array) []*array.Array { v, w := eighPortable(x[0]); return []*array.Array{v, w} }, h)
					close(t, "w", f[1], Eigvalsh(h), tol)
					close(t, "v diag(w) vh", mul(f[0].Mul(f[1].ExpandDims(-2).AsType(d)), adjoint(f[0])), h, tol)
				}
			})
		}
	}
}

// Zero and rank-deficient matrices have orthonormal factors too.
func TestPortableOfLowRank(t *testing.T) {
	for name, a := range map[string]*array.Array{
		"zero": np.Zeros([]int{4, 3}), "rank 1": np.Outer([]float64{1, 2, 3, 4}, []float64{1, -1, 2}), "large": np.Eye(3).Mul(1e200), "small": np.Eye(3).Mul(1e-200),
	} {
		u, s, vh := svdPortable(a, a.Shape()[0])
		n := a.Shape()[1]
		close(t, name, mul(cut(u, 0, a.Shape()[0], 0, n).Mul(s), vh), a, 1e-13)
		close(t, name+" u", mul(adjoint(u), u), np.Eye(a.Shape()[0]), 1e-13)
		close(t, name+" vh", mul(vh, adjoint(vh)), np.Eye(n), 1e-13)
	}
}

// Every primitive lowers for a platform without LAPACK, or says that it does not.
func TestLoweringElsewhere(t *testing.T) {
	a := array.Aval{Shape: array.Shape{2, 3, 3}, DType: array.Complex64}
	for _, tt := range []struct {
		p      primitive.Primitive
		in     []array.Aval
		cpuToo bool // it runs on cpu alone
	}{
		{CholeskyP{}, []array.Aval{a}, false}, {TriangularSolveP{ConjugateA: true}, []array.Aval{a, a}, false}, {LuP{}, []array.Aval{a}, false},
		{FactoredSolveP{}, []array.Aval{a, a, a}, false}, {GeqrfP{}, []array.Aval{a}, false}, {QrP{FullMatrices: true}, []array.Aval{like(a, 4, 3)}, false},
		{HouseholderProductP{}, []array.Aval{a, like(a, 2)}, false}, {EighP{}, []array.Aval{a}, false}, {SvdP{ComputeUV: true, FullMatrices: true}, []array.Aval{like(a, 3, 5)}, false},
		{SvdP{}, []array.Aval{a}, false}, {QrP{Pivoting: true}, []array.Aval{a}, true}, {EigP{}, []array.Aval{a}, true}, {SchurP{}, []array.Aval{a}, true},
		{HessenbergP{}, []array.Aval{a}, true}, {TridiagonalP{}, []array.Aval{a}, true},
	} {
		j, err := trace.Record("test", tt.in, func(x []*array.Array) ([]*array.Array, error) { return primitive.BindAll(tt.p, x...), nil })
		if err != nil {
			t.Fatal(err)
		}
		for _, platform := range []string{"cpu", "cuda"} {
			m, err := lower.Module("test", j, lower.Options{Platform: platform})
			if tt.cpuToo && platform != "cpu" {
				if err == nil {
					t.Errorf("%s lowers for %s", tt.p.Name(), platform)
				}
				continue
			}
			if err != nil {
				t.Errorf("%s for %s: %v", tt.p.Name(), platform, err)
				continue
			}
			if err := hlo.Verify(m); err != nil {
				t.Errorf("%s for %s: %v", tt.p.Name(), platform, err)
			}
		}
	}
}
