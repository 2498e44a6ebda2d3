package lapack

import (
	"math"
	"math/cmplx"
)

// geqrf is a = Q R: R on and above the diagonal, the reflectors whose product Q is below it.
func geqrf(b *batch) error {
	a := readMatrix[float64](b, 0)
	tau := make([]float64, min(a.rows, a.cols))
	if len(tau) > 0 {
		work := make([]float64, 64*a.cols)
		blas64.Dgeqrf(a.rows, a.cols, a.a, a.stride(), tau, work, len(work))
	}
	writeMatrix(b, 0, a)
	writeVector(b, 1, tau)
	return nil
}

// orgqr multiplies the reflectors of geqrf: the first columns of Q.
func orgqr(b *batch) error {
	a, tau := readMatrix[float64](b, 0), readVector[float64](b, 1)
	if a.cols > 0 {
		work := make([]float64, 64*a.cols)
		blas64.Dorgqr(a.rows, a.cols, len(tau), a.a, a.stride(), tau, work, len(work))
	}
	writeMatrix(b, 0, a)
	return nil
}

// geqp3 is geqrf with columns exchanged so that the diagonal of R decreases. Columns that the second operand numbers come
// first; the result numbers all, from one.
func geqp3(b *batch) error {
	a := readMatrix[float64](b, 0)
	tau := make([]float64, min(a.rows, a.cols))
	pivots := fixedColumns(b)
	if len(tau) > 0 {
		work := make([]float64, 2*a.cols+(a.cols+1)*64)
		blas64.Dgeqp3(a.rows, a.cols, a.a, a.stride(), pivots, tau, work, len(work))
	} else {
		for j := range pivots {
			pivots[j] = j
		}
	}
	for j := range pivots {
		pivots[j]++
	}
	writeMatrix(b, 0, a)
	writeInt(b, 1, pivots...)
	writeVector(b, 2, tau)
	return nil
}

// fixedColumns is the second operand of geqp3 as gonum has it: -1 is a free column.
func fixedColumns(b *batch) []int {
	n := b.size['n']
	pivots := make([]int, n)
	for j := range pivots {
		pivots[j] = -1
		if b.Operands[1].Int(b.at*n+j) != 0 {
			pivots[j] = 0
		}
	}
	return pivots
}

// reflector replaces x by the reflector H = I - τ v vᴴ, v₀ = 1, that takes it to a real multiple of the first unit
// vector: Hᴴ x = β e₀. LAPACK's zlarfg.
func reflector(x []complex128) (tau complex128, beta float64) {
	if len(x) == 0 {
		return 0, 0
	}
	scale := 0.0
	for _, v := range x {
		scale = max(scale, math.Abs(real(v)), math.Abs(imag(v)))
	}
	tail := false
	for _, v := range x[1:] {
		tail = tail || v != 0
	}
	alpha := x[0]
	x[0] = 1
	if !tail && imag(alpha) == 0 {
		return 0, real(alpha)
	}
	// The norm of x over a power of two near its largest part neither overflows nor vanishes.
	_, e := math.Frexp(scale)
	down := complex(math.Ldexp(1, -e), 0)
	sum := 0.0
	for i, v := range x {
		if i == 0 {
			v = alpha
		}
		w := v * down
		sum += real(w)*real(w) + imag(w)*imag(w)
	}
	beta = -math.Copysign(math.Ldexp(math.Sqrt(sum), e), real(alpha))
	tau = complex((beta-real(alpha))/beta, -imag(alpha)/beta)
	for i := range x[1:] {
		x[1+i] /= alpha - complex(beta, 0)
	}
	return tau, beta
}

// reflectLeft makes a of (I - τ v vᴴ) a, of the rows from top on and the columns from left on.
func reflectLeft(a matrix[complex128], top, left int, v []complex128, tau complex128) {
	if tau == 0 || left >= a.cols {
		return
	}
	sum := make([]complex128, a.cols-left)
	for i, c := range v {
		axpy(sum, cmplx.Conj(c), a.row(top + i)[left:])
	}
	for i, c := range v {
		axpy(a.row(top + i)[left:], -tau*c, sum)
	}
}

// reflectRight makes a of a (I - τ v vᴴ), of the rows from top on and the columns from left on.
func reflectRight(a matrix[complex128], top, left int, v []complex128, tau complex128) {
	if tau == 0 {
		return
	}
	adjoint := make([]complex128, len(v))
	for j, c := range v {
		adjoint[j] = cmplx.Conj(c)
	}
	for i := top; i < a.rows; i++ {
		row := a.row(i)[left : left+len(v)]
		sum := complex128(0)
		for j, c := range v {
			sum += row[j] * c
		}
		axpy(row, -tau*sum, adjoint)
	}
}

// column copies column j from row top on.
func (m matrix[T]) column(top, j int) []T {
	v := make([]T, max(0, m.rows-top))
	for i := range v {
		v[i] = m.at(top+i, j)
	}
	return v
}

// setColumn stores v in column j from row top on.
func (m matrix[T]) setColumn(top, j int, v []T) {
	for i, x := range v {
		m.set(top+i, j, x)
	}
}

// householder factors a in place as geqrf does, from column k on.
func householder(a matrix[complex128], k int) (tau complex128) {
	v := a.column(k, k)
	tau, beta := reflector(v)
	reflectLeft(a, k, k+1, v, cmplx.Conj(tau))
	v[0] = complex(beta, 0)
	a.setColumn(k, k, v)
	return tau
}

// zgeqrf is geqrf for complex matrices.
func zgeqrf(b *batch) error {
	a := readMatrix[complex128](b, 0)
	tau := make([]complex128, min(a.rows, a.cols))
	for k := range tau {
		tau[k] = householder(a, k)
	}
	writeMatrix(b, 0, a)
	writeVector(b, 1, tau)
	return nil
}

// zgeqp3 is geqp3 for complex matrices.
func zgeqp3(b *batch) error {
	a := readMatrix[complex128](b, 0)
	tau := make([]complex128, min(a.rows, a.cols))
	order, next := make([]int, a.cols), 0
	for j := range order {
		order[j] = j
	}
	exchange := func(i, j int) {
		order[i], order[j] = order[j], order[i]
		for r := range a.rows {
			row := a.row(r)
			row[i], row[j] = row[j], row[i]
		}
	}
	for j, p := range fixedColumns(b) {
		if p == 0 {
			exchange(next, j)
			next++
		}
	}
	for k := range tau {
		if k >= next {
			best, most := k, -1.0
			for j := k; j < a.cols; j++ {
				if n := norm(a.column(k, j)); n > most {
					best, most = j, n
				}
			}
			exchange(k, best)
		}
		tau[k] = householder(a, k)
	}
	for j := range order {
		order[j]++
	}
	writeMatrix(b, 0, a)
	writeInt(b, 1, order...)
	writeVector(b, 2, tau)
	return nil
}

// norm is the Euclidean norm of x.
func norm(x []complex128) float64 {
	s := 0.0
	for _, v := range x {
		s = math.Hypot(s, cmplx.Abs(v))
	}
	return s
}

// zungqr is orgqr for complex matrices.
func zungqr(b *batch) error {
	a, tau := readMatrix[complex128](b, 0), readVector[complex128](b, 1)
	q := eye[complex128](a.rows, a.cols)
	for k := len(tau) - 1; k >= 0; k-- {
		v := a.column(k, k)
		v[0] = 1
		reflectLeft(q, k, k, v, tau[k])
	}
	writeMatrix(b, 0, q)
	return nil
}
