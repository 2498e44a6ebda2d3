package cpu

import "unsafe"

// gemm computes c[i,j] = Σ_k a[i,k] b[j,k] for row-major a (m×k), b (n×k, so transposed) and c (m×n), on tiles where that is
// wanted and the type has them. Each sum runs over k in blocks in order, so a result does not depend on m, n or the number
// of processors.
func gemm[T arithmetic](tiled bool, c, a, b []T, m, n, k int) {
	if tiled && k > 0 && len(c) > 0 {
		switch any(c).(type) {
		case []float32:
			multiply[float32](unsafe.Pointer(&c[0]), n, matrix{unsafe.Pointer(&a[0]), k, 1}, matrix{unsafe.Pointer(&b[0]), 1, k}, m, n, k)
			return
		case []float64:
			multiply[float64](unsafe.Pointer(&c[0]), n, matrix{unsafe.Pointer(&a[0]), k, 1}, matrix{unsafe.Pointer(&b[0]), 1, k}, m, n, k)
			return
		}
	}
	if k == 0 {
		clear(c[:m*n])
		return
	}
	work := m * n * k
	switch {
	case work < 4*grain:
		gemmRows(c, a, b, 0, m, n, k)
	case m >= n:
		parallel(m, max(1, grain/(n*k)), func(lo, hi int) { gemmRows(c, a, b, lo, hi, n, k) })
	default:
		parallel(n, max(1, grain/(m*k)), func(lo, hi int) { gemmColumns(c, a, b, m, lo, hi, n, k) })
	}
}

const blockK = 512 // elements of a row that stay in the first-level cache

func gemmRows[T arithmetic](c, a, b []T, lo, hi, n, k int) {
	for i := lo; i < hi; i++ {
		clear(c[i*n : (i+1)*n])
	}
	for k0 := 0; k0 < k; k0 += blockK {
		k1 := min(k0+blockK, k)
		gemmBlock(c, a, b, lo, hi, 0, n, n, k, k0, k1)
	}
}

func gemmColumns[T arithmetic](c, a, b []T, m, lo, hi, n, k int) {
	for i := range m {
		clear(c[i*n+lo : i*n+hi])
	}
	for k0 := 0; k0 < k; k0 += blockK {
		k1 := min(k0+blockK, k)
		gemmBlock(c, a, b, 0, m, lo, hi, n, k, k0, k1)
	}
}

// gemmBlock adds the products of k0 ≤ k < k1 to rows i0 … i1-1 and columns j0 … j1-1 of c, four by two results at a time.
func gemmBlock[T arithmetic](c, a, b []T, i0, i1, j0, j1, n, k, k0, k1 int) {
	j := j0
	for ; j+2 <= j1; j += 2 {
		b0, b1 := b[j*k+k0:j*k+k1], b[(j+1)*k+k0:(j+1)*k+k1]
		b1 = b1[:len(b0)]
		i := i0
		for ; i+4 <= i1; i += 4 {
			a0, a1, a2, a3 := a[i*k+k0:i*k+k1], a[(i+1)*k+k0:(i+1)*k+k1], a[(i+2)*k+k0:(i+2)*k+k1], a[(i+3)*k+k0:(i+3)*k+k1]
			a0, a1, a2, a3 = a0[:len(b0)], a1[:len(b0)], a2[:len(b0)], a3[:len(b0)]
			var s00, s01, s10, s11, s20, s21, s30, s31 T
			for p, x := range b0 {
				y := b1[p]
				s00 += a0[p] * x
				s01 += a0[p] * y
				s10 += a1[p] * x
				s11 += a1[p] * y
				s20 += a2[p] * x
				s21 += a2[p] * y
				s30 += a3[p] * x
				s31 += a3[p] * y
			}
			at := i*n + j
			c[at] += s00
			c[at+1] += s01
			c[at+n] += s10
			c[at+n+1] += s11
			c[at+2*n] += s20
			c[at+2*n+1] += s21
			c[at+3*n] += s30
			c[at+3*n+1] += s31
		}
		for ; i < i1; i++ {
			row := a[i*k+k0 : i*k+k1][:len(b0)]
			var s0, s1 T
			for p, x := range row {
				s0 += x * b0[p]
				s1 += x * b1[p]
			}
			c[i*n+j] += s0
			c[i*n+j+1] += s1
		}
	}
	for ; j < j1; j++ {
		col := b[j*k+k0 : j*k+k1]
		for i := i0; i < i1; i++ {
			row := a[i*k+k0 : i*k+k1][:len(col)]
			var s T
			for p, x := range row {
				s += x * col[p]
			}
			c[i*n+j] += s
		}
	}
}
