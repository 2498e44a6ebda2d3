package lapack

import (
	"math"
	"math/cmplx"

	"gonum.org/v1/gonum/lapack"
)

// geev is a v = v diag(w) and uᴴ a = diag(w) uᴴ: eigenvalues as real and imaginary parts, then u and v where the modes are V.
// Vectors have length 1 and a real largest element.
func geev(b *batch) error {
	a := readMatrix[float64](b, 0)
	n := a.rows
	if !a.finite() {
		return b.fail(1)
	}
	wr, wi, u, v := make([]float64, n), make([]float64, n), newMatrix[float64](n, n), newMatrix[float64](n, n)
	if n > 0 {
		left, right := lapack.LeftEVNone, lapack.RightEVNone
		if b.number("compute_left") == 'V' {
			left = lapack.LeftEVCompute
		}
		if b.number("compute_right") == 'V' {
			right = lapack.RightEVCompute
		}
		work := make([]float64, 1)
		blas64.Dgeev(left, right, n, a.a, a.stride(), wr, wi, u.a, u.stride(), v.a, v.stride(), work, -1)
		work = make([]float64, int(work[0]))
		if blas64.Dgeev(left, right, n, a.a, a.stride(), wr, wi, u.a, u.stride(), v.a, v.stride(), work, len(work)) != 0 {
			return b.fail(1)
		}
	}
	writeVector(b, 0, wr)
	writeVector(b, 1, wi)
	writeMatrix(b, 2, unpack(u, wi))
	writeMatrix(b, 3, unpack(v, wi))
	writeInt(b, 4, 0)
	return nil
}

// unpack makes complex vectors of the real ones, of which a pair of conjugate eigenvalues has two: real and imaginary part.
func unpack(v matrix[float64], wi []float64) matrix[complex128] {
	c := complexOf(v)
	for j := 0; j < len(wi)-1; j++ {
		if wi[j] == 0 {
			continue
		}
		for i := range v.rows {
			x := complex(v.at(i, j), v.at(i, j+1))
			c.set(i, j, x)
			c.set(i, j+1, cmplx.Conj(x))
		}
		j++
	}
	return c
}

// zgeev is geev for complex matrices.
func zgeev(b *batch) error {
	t := readMatrix[complex128](b, 0)
	if !t.finite() {
		return b.fail(1)
	}
	z, ok := schur(t)
	if !ok {
		return b.fail(1)
	}
	n, least := t.rows, leastDifference(t)
	w, u, v := make([]complex128, n), newMatrix[complex128](n, n), newMatrix[complex128](n, n)
	for k := range w {
		w[k] = t.at(k, k)
		if b.number("compute_left") == 'V' {
			u.setColumn(0, k, unit(z, leftVector(t, k, least)))
		}
		if b.number("compute_right") == 'V' {
			v.setColumn(0, k, unit(z, rightVector(t, k, least)))
		}
	}
	writeVector(b, 0, w)
	writeMatrix(b, 1, u)
	writeMatrix(b, 2, v)
	writeInt(b, 3, 0)
	return nil
}

// unit is z x with length 1 and a real largest element.
func unit(z matrix[complex128], x []complex128) []complex128 {
	y := make([]complex128, z.rows)
	for i := range y {
		for j, v := range z.row(i) {
			y[i] += v * x[j]
		}
	}
	length, largest := complex(norm(y), 0), 0
	for i := range y {
		y[i] /= length
		if cmplx.Abs(y[i]) > cmplx.Abs(y[largest]) {
			largest = i
		}
	}
	if size := cmplx.Abs(y[largest]); size > 0 {
		phase := cmplx.Conj(y[largest]) / complex(size, 0)
		for i := range y {
			y[i] *= phase
		}
		y[largest] = complex(real(y[largest]), 0)
	}
	return y
}

// leastDifference stands for differences of eigenvalues of t that are smaller, as those of equal ones.
func leastDifference(t matrix[complex128]) float64 {
	size := 0.0
	for _, v := range t.a {
		size = max(size, abs1(v))
	}
	return max(0x1p-52*size, 0x1p-1000)
}

// difference is the distance of two eigenvalues of t, or what stands for zero.
func difference(t matrix[complex128], i, k int, least float64) complex128 {
	d := t.at(i, i) - t.at(k, k)
	if abs1(d) < least {
		return complex(least, 0)
	}
	return d
}

// rightVector is the eigenvector of the triangular t for its eigenvalue k.
func rightVector(t matrix[complex128], k int, least float64) []complex128 {
	x := make([]complex128, t.rows)
	x[k] = 1
	for i := k - 1; i >= 0; i-- {
		s := complex128(0)
		for j := i + 1; j <= k; j++ {
			s += t.at(i, j) * x[j]
		}
		x[i] = -s / difference(t, i, k, least)
		rescale(x, x[i])
	}
	return x
}

// leftVector is that of the conjugate transpose.
func leftVector(t matrix[complex128], k int, least float64) []complex128 {
	x := make([]complex128, t.rows)
	x[k] = 1
	for i := k + 1; i < t.rows; i++ {
		s := complex128(0)
		for j := k; j < i; j++ {
			s += cmplx.Conj(t.at(j, i)) * x[j]
		}
		x[i] = -s / cmplx.Conj(difference(t, i, k, least))
		rescale(x, x[i])
	}
	return x
}

// rescale divides x where an element has become large, so that the next ones do not overflow.
func rescale(x []complex128, last complex128) {
	size := abs1(last)
	if size < 0x1p300 || math.IsInf(size, 0) {
		return
	}
	for i := range x {
		x[i] /= complex(size, 0)
	}
}
