package cpu

import (
	"math"
	"math/rand/v2"
	"testing"
	"unsafe"
)

// Products on tiles agree with sums in float64, for all heights of tiles, widths and layouts, and write nothing else.
func TestMultiply(t *testing.T) {
	if !hasTiles() {
		t.Skip("no kernels for this processor")
	}
	t.Run("float32", testMultiply[float32])
	t.Run("float64", testMultiply[float64])
}

func testMultiply[T floating](t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	eps := 1e-7
	if unsafe.Sizeof(T(0)) == 8 {
		eps = 1e-16
	}
	sizes := [][3]int{{300, 70, 600}, {29, 1100, 257}, {1, 64, 64}, {64, 1, 64}, {128, 128, 512}, {3, 3, 0}}
	for i := range 130 {
		sizes = append(sizes, [3]int{1 + i%31, 1 + i, 1 + r.IntN(40)}, [3]int{1 + i, 1 + i%37, 1 + r.IntN(300)})
	}
	for _, s := range sizes {
		m, n, k := s[0], s[1], s[2]
		for layout := range 4 {
			a, b, c := make([]T, m*k+1), make([]T, k*n+1), make([]T, m*(n+3)+1)
			for _, x := range [][]T{a, b} {
				for i := range x {
					x[i] = T(r.Float64() - 0.5)
				}
			}
			for i := range c {
				c[i] = -99
			}
			// Off by one element, so that nothing is aligned.
			ma, mb := matrix{unsafe.Add(unsafe.Pointer(&a[0]), unsafe.Sizeof(a[0])), k, 1}, matrix{unsafe.Add(unsafe.Pointer(&b[0]), unsafe.Sizeof(b[0])), n, 1}
			if layout&1 != 0 {
				ma.row, ma.col = 1, m
			}
			if layout&2 != 0 {
				mb.row, mb.col = 1, k
			}
			multiply[T](unsafe.Pointer(&c[0]), n+3, ma, mb, m, n, k)
			for i := range m {
				for j := range n + 3 {
					got := float64(c[i*(n+3)+j])
					if j >= n {
						if got != -99 {
							t.Fatalf("%d×%d×%d, layout %d: column %d is written", m, n, k, layout, j)
						}
						continue
					}
					var want, scale float64
					for p := range k {
						v := float64(a[1+i*ma.row+p*ma.col]) * float64(b[1+p*mb.row+j*mb.col])
						want += v
						scale += math.Abs(v)
					}
					if math.Abs(got-want) > float64(k+2)*eps*scale {
						t.Fatalf("%d×%d×%d, layout %d: element (%d, %d) is %v, want %v", m, n, k, layout, i, j, got, want)
					}
				}
			}
		}
	}
}
