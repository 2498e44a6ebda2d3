package lapack

import (
	"math/cmplx"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/lapack"

	"github.com/pantograph-go/pantograph/array"
)

// factors checks the sizes of the two orthogonal factors against the mode: A is whole, S the first min(m, n) vectors, N
// none, whose results are filled with zeros.
func (b *batch) factors(m, n int) (mode, u, v int, err error) {
	mode = b.number("mode")
	us, vs := b.Results[2].Shape(), b.Results[3].Shape()
	u, v = us[len(us)-1], vs[len(vs)-2]
	k := min(m, n)
	if all := u == m && v == n; mode == 'A' && !all || mode == 'S' && (u != k || v != k) {
		return 0, 0, 0, array.ShapeErrorf("gesdd: factors of %d columns and %d rows in mode %c for a matrix of %d×%d", u, v, mode, m, n)
	}
	return mode, u, v, nil
}

// gesdd is a = U diag(s) Vᴴ with s descending. The first result is what is left of a.
func gesdd(b *batch) error {
	a := readMatrix[float64](b, 0)
	mode, nu, nv, err := b.factors(a.rows, a.cols)
	if err != nil {
		return err
	}
	if !a.finite() {
		return b.fail(-4)
	}
	u, vt, s := eye[float64](a.rows, nu), eye[float64](nv, a.cols), make([]float64, min(a.rows, a.cols))
	if len(s) > 0 {
		job := lapack.SVDNone
		switch mode {
		case 'A':
			job = lapack.SVDAll
		case 'S':
			job = lapack.SVDStore
		}
		work := make([]float64, 1)
		blas64.Dgesvd(job, job, a.rows, a.cols, a.a, a.stride(), s, u.a, u.stride(), vt.a, vt.stride(), work, -1)
		work = make([]float64, int(work[0]))
		if !blas64.Dgesvd(job, job, a.rows, a.cols, a.a, a.stride(), s, u.a, u.stride(), vt.a, vt.stride(), work, len(work)) {
			return b.fail(1)
		}
	}
	return finishSVD(b, mode, a, s, u, vt)
}

// zgesdd is gesdd for complex matrices.
func zgesdd(b *batch) error {
	a := readMatrix[complex128](b, 0)
	mode, nu, nv, err := b.factors(a.rows, a.cols)
	if err != nil {
		return err
	}
	if !a.finite() {
		return b.fail(-4)
	}
	if a.rows >= a.cols {
		u, s, vh, ok := svd(a.clone(), nu)
		if !ok {
			return b.fail(1)
		}
		return finishSVD(b, mode, a, s, u, vh)
	}
	v, s, uh, ok := svd(a.adjoint(), nv)
	if !ok {
		return b.fail(1)
	}
	return finishSVD(b, mode, a, s, uh.adjoint(), v.adjoint())
}

func finishSVD[T scalar](b *batch, mode int, a matrix[T], s []float64, u, vh matrix[T]) error {
	if mode != 'A' && mode != 'S' {
		us, vs := b.Results[2].Shape(), b.Results[3].Shape()
		u, vh = newMatrix[T](us[len(us)-2], us[len(us)-1]), newMatrix[T](vs[len(vs)-2], vs[len(vs)-1])
	}
	writeMatrix(b, 0, a)
	writeVector(b, 1, s)
	writeMatrix(b, 2, u)
	writeMatrix(b, 3, vh)
	writeInt(b, 4, 0)
	return nil
}

// svd factors a of at least as many rows as columns, which it destroys, with the first columns of U. Reflectors from both
// sides leave a real matrix with two diagonals, whose factors turn the products of the reflectors.
func svd(a matrix[complex128], columns int) (u matrix[complex128], s []float64, vh matrix[complex128], ok bool) {
	m, n := a.rows, a.cols
	d, e := make([]float64, n), make([]float64, max(n-1, 0))
	type turn struct {
		v   []complex128
		tau complex128
	}
	left, right := make([]turn, n), make([]turn, n)
	for i := range n {
		v := a.column(i, i)
		tau, beta := reflector(v)
		reflectLeft(a, i, i+1, v, cmplx.Conj(tau))
		d[i], left[i] = beta, turn{v, tau}
		if i < n-1 {
			row := make([]complex128, n-1-i)
			for j := range row {
				row[j] = cmplx.Conj(a.at(i, i+1+j))
			}
			tau, beta := reflector(row)
			reflectRight(a, i+1, i+1, row, tau)
			e[i], right[i] = beta, turn{row, tau}
		}
	}
	left2, right2 := identity[float64](n), identity[float64](n)
	if n > 0 && !blas64.Dbdsqr(blas.Upper, n, n, n, 0, d, e, right2.a, right2.stride(), left2.a, left2.stride(), nil, 1, make([]float64, 4*n)) {
		return u, nil, vh, false
	}
	u = eye[complex128](m, columns)
	for i := range n {
		for j := range n {
			u.set(i, j, complex(left2.at(i, j), 0))
		}
	}
	v := complexOf(right2).adjoint()
	for i := n - 1; i >= 0; i-- {
		reflectLeft(u, i, 0, left[i].v, left[i].tau)
		reflectLeft(v, i+1, 0, right[i].v, right[i].tau)
	}
	return u, d, v.adjoint(), true
}
