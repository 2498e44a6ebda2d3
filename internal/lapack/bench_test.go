package lapack

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// BenchmarkRoutines reports the arithmetic of LAPACK's own counts for each routine, a complex operation counted as four.
func BenchmarkRoutines(b *testing.B) {
	rng := rand.New(rand.NewPCG(5, 6))
	for _, n := range []int{16, 64, 256} {
		square, twisted := newMatrix[float64](n, n), random(rng, n, n)
		for i := range square.a {
			square.a[i] = rng.NormFloat64()
		}
		for i := range n {
			square.a[i*n+i] += 4 * float64(n)
			twisted.a[i*n+i] += 4
		}
		cube := float64(n) * float64(n) * float64(n)
		for _, r := range []struct {
			name  string
			flops float64
			run   func()
		}{
			{"cholesky", cube / 3, func() { m := square.clone(); Cholesky(m.a, n) }},
			{"trsm", cube, func() { m := square.clone(); TriangularSolve(square.a, m.a, n, n, Triangle{Lower: true}, false) }},
			{"ztrsm", 4 * cube, func() { m := twisted.clone(); TriangularSolve(twisted.a, m.a, n, n, Triangle{}, true) }},
			{"zhetrd", 4 * 4 * cube / 3, func() { tridiagonalLower(twisted.clone()) }},
			{"zgees", 4 * 25 * cube, func() { schur(twisted.clone()) }},
			{"zgesdd", 4 * 17 * cube, func() { svd(twisted.clone(), n) }},
		} {
			b.Run(fmt.Sprintf("%s/%d", r.name, n), func(b *testing.B) {
				for b.Loop() {
					r.run()
				}
				b.ReportMetric(r.flops*float64(b.N)/b.Elapsed().Seconds()/1e9, "GFLOP/s")
			})
		}
	}
}
