package lapack

import (
	"math/cmplx"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/lapack"
)

func uplo(b *batch) blas.Uplo {
	if b.number("uplo") == 'U' {
		return blas.Upper
	}
	return blas.Lower
}

// sytrd is Qᵀ a Q = T, symmetric and tridiagonal: its diagonal, the elements beside it, and the reflectors of Q.
func sytrd(b *batch) error {
	a := readMatrix[float64](b, 0)
	n := a.rows
	d, e, tau := make([]float64, n), make([]float64, max(n-1, 0)), make([]float64, max(n-1, 0))
	if n > 0 {
		work := make([]float64, 64*n)
		blas64.Dsytrd(uplo(b), n, a.a, a.stride(), d, e, tau, work, len(work))
	}
	writeMatrix(b, 0, a)
	writeVector(b, 1, d)
	writeVector(b, 2, e)
	writeVector(b, 3, tau)
	writeInt(b, 4, 0)
	return nil
}

// zhetrd is sytrd for Hermitian matrices.
func zhetrd(b *batch) error {
	a := readMatrix[complex128](b, 0)
	var d, e []float64
	var tau []complex128
	if b.number("uplo") == 'U' {
		d, e, tau = tridiagonalUpper(a)
	} else {
		d, e, tau = tridiagonalLower(a)
	}
	writeMatrix(b, 0, a)
	writeVector(b, 1, d)
	writeVector(b, 2, e)
	writeVector(b, 3, tau)
	writeInt(b, 4, 0)
	return nil
}

// hermitianFrom copies the triangle named over the other one.
func hermitianFrom(a matrix[complex128], upper bool) matrix[complex128] {
	h := a.clone()
	for i := range a.rows {
		h.set(i, i, complex(real(a.at(i, i)), 0))
		for j := range i {
			if upper {
				h.set(i, j, cmplx.Conj(a.at(j, i)))
			} else {
				h.set(j, i, cmplx.Conj(a.at(i, j)))
			}
		}
	}
	return h
}

// reflectBoth makes (I - conj(τ) v vᴴ) h (I - τ v vᴴ) of h, v beginning at row top.
func reflectBoth(h matrix[complex128], top int, v []complex128, tau complex128) {
	reflectLeft(h, top, 0, v, cmplx.Conj(tau))
	reflectRight(h, 0, top, v, tau)
}

// tridiagonalLower leaves the reflectors below the subdiagonal of a, of which it reads the lower triangle. LAPACK's zhetd2.
func tridiagonalLower(a matrix[complex128]) (d, e []float64, tau []complex128) {
	n := a.rows
	h := hermitianFrom(a, false)
	d = make([]float64, n)
	for i := range n - 1 {
		v := h.column(i+1, i)
		t, beta := reflector(v)
		reflectBoth(h, i+1, v, t)
		tau, e = append(tau, t), append(e, beta)
		v[0] = complex(beta, 0)
		a.setColumn(i+1, i, v)
	}
	for i := range n {
		d[i] = real(h.at(i, i))
		a.set(i, i, complex(d[i], 0))
	}
	return d, e, tau
}

// tridiagonalUpper is tridiagonalLower for the upper triangle: column by column from the last, each reflector's last
// element being its one.
func tridiagonalUpper(a matrix[complex128]) (d, e []float64, tau []complex128) {
	n := a.rows
	h := hermitianFrom(a, true)
	d, e, tau = make([]float64, n), make([]float64, max(n-1, 0)), make([]complex128, max(n-1, 0))
	for i := n - 2; i >= 0; i-- {
		x := make([]complex128, i+1) // the column's elements, the one on the superdiagonal first
		for k := range x {
			x[k] = h.at((i+k)%(i+1), i+1)
		}
		tau[i], e[i] = reflector(x)
		v := append(x[1:len(x):len(x)], x[0])
		reflectBoth(h, 0, v, tau[i])
		for k, c := range v {
			a.set(k, i+1, c)
		}
		a.set(i, i+1, complex(e[i], 0))
	}
	for i := range n {
		d[i] = real(h.at(i, i))
		a.set(i, i, complex(d[i], 0))
	}
	return d, e, tau
}

// syevd is a V = V diag(w) with w ascending: eigenvectors over the matrix where the mode is V, and eigenvalues.
func syevd(b *batch) error {
	a := readMatrix[float64](b, 0)
	n := a.rows
	w := make([]float64, n)
	if n > 0 {
		if !a.finite() {
			return b.fail(1)
		}
		job := lapack.EVNone
		if b.number("mode") == 'V' {
			job = lapack.EVCompute
		}
		work := make([]float64, 64*n+3*n)
		if !blas64.Dsyev(job, uplo(b), n, a.a, a.stride(), w, work, len(work)) {
			return b.fail(1)
		}
	}
	writeMatrix(b, 0, a)
	writeVector(b, 1, w)
	writeInt(b, 2, 0)
	return nil
}

// zheevd is syevd for Hermitian matrices: they become tridiagonal and real first.
func zheevd(b *batch) error {
	a := readMatrix[complex128](b, 0)
	n := a.rows
	if !a.finite() {
		return b.fail(1)
	}
	if b.number("uplo") == 'U' {
		a = hermitianFrom(a, true)
	}
	d, e, tau := tridiagonalLower(a)
	if n > 0 {
		z := identity[float64](n)
		if !blas64.Dsteqr(lapack.EVTridiag, n, d, e, z.a, z.stride(), make([]float64, max(1, 2*n-2))) {
			return b.fail(1)
		}
		if b.number("mode") == 'V' {
			v := complexOf(z)
			for k := n - 2; k >= 0; k-- {
				u := a.column(k+1, k)
				u[0] = 1
				reflectLeft(v, k+1, 0, u, tau[k])
			}
			a = v
		}
	}
	writeMatrix(b, 0, a)
	writeVector(b, 1, d)
	writeInt(b, 2, 0)
	return nil
}
