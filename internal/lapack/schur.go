package lapack

import (
	"math"
	"math/cmplx"

	"gonum.org/v1/gonum/lapack"
)

// gehrd is Qᵀ a Q = H, zero below the first subdiagonal, where the reflectors of Q are.
func gehrd(b *batch) error {
	a := readMatrix[float64](b, 0)
	tau := make([]float64, max(a.rows-1, 0))
	if a.rows > 0 {
		work := make([]float64, 64*a.rows)
		blas64.Dgehrd(a.rows, 0, a.rows-1, a.a, a.stride(), tau, work, len(work))
	}
	writeMatrix(b, 0, a)
	writeVector(b, 1, tau)
	writeInt(b, 2, 0)
	return nil
}

// zgehrd is gehrd for complex matrices.
func zgehrd(b *batch) error {
	a := readMatrix[complex128](b, 0)
	tau := hessenberg(a)
	writeMatrix(b, 0, a)
	writeVector(b, 1, tau)
	writeInt(b, 2, 0)
	return nil
}

func hessenberg(a matrix[complex128]) (tau []complex128) {
	tau = make([]complex128, max(a.rows-1, 0))
	for i := range tau {
		v := a.column(i+1, i)
		t, beta := reflector(v)
		reflectRight(a, 0, i+1, v, t)
		reflectLeft(a, i+1, i+1, v, cmplx.Conj(t))
		tau[i] = t
		v[0] = complex(beta, 0)
		a.setColumn(i+1, i, v)
	}
	return tau
}

// gees is a = Z T Zᴴ: for real matrices T has blocks of two rows for pairs of conjugate eigenvalues.
func gees(b *batch) error {
	a := readMatrix[float64](b, 0)
	n := a.rows
	if !a.finite() {
		return b.fail(1)
	}
	z, wr, wi := identity[float64](n), make([]float64, n), make([]float64, n)
	if n > 0 {
		tau, work := make([]float64, n-1), make([]float64, 64*n)
		blas64.Dgehrd(n, 0, n-1, a.a, a.stride(), tau, work, len(work))
		copy(z.a, a.a)
		blas64.Dorghr(n, 0, n-1, z.a, z.stride(), tau, work, len(work))
		for i := 2; i < n; i++ {
			clear(a.row(i)[:i-1])
		}
		blas64.Dhseqr(lapack.EigenvaluesAndSchur, lapack.SchurOrig, n, 0, n-1, a.a, a.stride(), wr, wi, z.a, z.stride(), work, -1)
		work = make([]float64, max(int(work[0]), n))
		if blas64.Dhseqr(lapack.EigenvaluesAndSchur, lapack.SchurOrig, n, 0, n-1, a.a, a.stride(), wr, wi, z.a, z.stride(), work, len(work)) != 0 {
			return b.fail(1)
		}
	}
	writeMatrix(b, 0, a)
	writeMatrix(b, 1, z)
	writeVector(b, 2, wr)
	writeVector(b, 3, wi)
	writeInt(b, 4, 0)
	writeInt(b, 5, 0)
	return nil
}

// zgees is gees for complex matrices, where T is triangular.
func zgees(b *batch) error {
	a := readMatrix[complex128](b, 0)
	if !a.finite() {
		return b.fail(1)
	}
	z, ok := schur(a)
	if !ok {
		return b.fail(1)
	}
	w := make([]complex128, a.rows)
	for i := range w {
		w[i] = a.at(i, i)
	}
	writeMatrix(b, 0, a)
	writeMatrix(b, 1, z)
	writeVector(b, 2, w)
	writeInt(b, 3, 0)
	writeInt(b, 4, 0)
	return nil
}

// schur makes T of a and returns Z. The shifted QR iteration on the Hessenberg form, LAPACK's zlahqr.
func schur(a matrix[complex128]) (z matrix[complex128], ok bool) {
	n := a.rows
	tau := hessenberg(a)
	z = identity[complex128](n)
	for k := n - 2; k >= 0; k-- {
		v := a.column(k+1, k)
		v[0] = 1
		reflectLeft(z, k+1, k+1, v, tau[k])
	}
	for i := 2; i < n; i++ {
		clear(a.row(i)[:i-1])
	}
	size := 0.0
	for _, v := range a.a {
		size = max(size, abs1(v))
	}
	const eps = 0x1p-52
	for last, tries := n-1, 0; last > 0; {
		first := last
		for first > 0 {
			below := abs1(a.at(first, first-1))
			near := abs1(a.at(first-1, first-1)) + abs1(a.at(first, first))
			if near == 0 {
				near = size
			}
			if below <= eps*near {
				a.set(first, first-1, 0)
				break
			}
			first--
		}
		if first == last {
			last, tries = last-1, 0
			continue
		}
		if tries++; tries > 300 {
			return z, false
		}
		shift := nearEigenvalue(a, last)
		if tries%10 == 0 {
			shift = a.at(last, last) + complex(0.75*abs1(a.at(last, last-1)), 0)
		}
		sweep(a, z, first, last, shift)
	}
	return z, true
}

// nearEigenvalue is the eigenvalue of the two rows that end at last which is nearer to the last diagonal element.
func nearEigenvalue(a matrix[complex128], last int) complex128 {
	p, q, r, s := a.at(last-1, last-1), a.at(last-1, last), a.at(last, last-1), a.at(last, last)
	half := (p - s) / 2
	root := cmplx.Sqrt(half*half + q*r)
	if real(half)*real(root)+imag(half)*imag(root) < 0 {
		root = -root
	}
	if half+root == 0 {
		return s
	}
	return s - q*r/(half+root)
}

// sweep is one implicit QR step on the rows first to last: rotations of neighbouring rows chase the bulge that the shift makes.
func sweep(a, z matrix[complex128], first, last int, shift complex128) {
	n := a.rows
	for k := first; k < last; k++ {
		x, y := a.at(first, first)-shift, a.at(first+1, first)
		from := k
		if k > first {
			from = k - 1
			x, y = a.at(k, k-1), a.at(k+1, k-1)
		}
		r := math.Hypot(cmplx.Abs(x), cmplx.Abs(y))
		if r == 0 {
			continue
		}
		c, s := x/complex(r, 0), y/complex(r, 0)
		top, next := a.row(k), a.row(k+1)
		for j := from; j < n; j++ {
			t, u := top[j], next[j]
			top[j], next[j] = cmplx.Conj(c)*t+cmplx.Conj(s)*u, c*u-s*t
		}
		if k > first {
			next[k-1] = 0
		}
		turnColumns(a, min(k+3, last+1), k, c, s)
		turnColumns(z, n, k, c, s)
	}
}

func turnColumns(m matrix[complex128], rows, k int, c, s complex128) {
	for i := range rows {
		row := m.row(i)
		t, u := row[k], row[k+1]
		row[k], row[k+1] = c*t+s*u, cmplx.Conj(c)*u-cmplx.Conj(s)*t
	}
}
