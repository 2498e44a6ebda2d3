package lapack

import "math"

// Cholesky factors the Hermitian matrix of n rows whose lower triangle is in m, a = L Lᴴ, in place: m becomes L with zeros
// above its diagonal. It returns 0, or the number of the first leading minor that is not positive; then m is
// meaningless.
func Cholesky[T scalar](m []T, n int) (info int) {
	for j := range n {
		row := m[j*n : j*n+j+1]
		s := realPart(row[j])
		for _, v := range row[:j] {
			s -= realPart(v * conj(v))
		}
		if !(s > 0) {
			return j + 1
		}
		d := ofReal[T](math.Sqrt(s))
		row[j] = d
		for i := j + 1; i < n; i++ {
			below := m[i*n : i*n+j+1]
			s := below[j]
			for p, v := range row[:j] {
				s -= below[p] * conj(v)
			}
			below[j] = s / d
			m[j*n+i] = 0
		}
	}
	return 0
}

// potrf is a = L Lᴴ, or Uᴴ U where uplo is U. The other triangle of the result is that of the operand.
func potrf[T scalar](b *batch) error {
	a := readMatrix[T](b, 0)
	lower := b.number("uplo") == 'L'
	work := a.clone()
	if !lower {
		work = work.adjoint()
	}
	info := Cholesky(work.a, a.rows)
	if info == 0 {
		if !lower {
			work = work.adjoint()
		}
		for i := range a.rows {
			for j := range a.cols {
				if i == j || (j < i) == lower {
					a.set(i, j, work.at(i, j))
				}
			}
		}
	}
	writeMatrix(b, 0, a)
	writeInt(b, 1, info)
	return nil
}

// Triangle says how TriangularSolve reads its matrix.
type Triangle struct {
	Lower, Unit          bool // of the matrix as it lies, before transposition
	Transpose, Conjugate bool
}

// TriangularSolve replaces b of rows × cols by x with op(a) x = b, or x op(a) = b where right.
func TriangularSolve[T scalar](a, b []T, rows, cols int, t Triangle, right bool) {
	n := rows
	if right {
		n = cols
	}
	// m is op(a) where it is not zero, lower says where that is.
	m, lower := a, t.Lower != t.Transpose
	if t.Transpose || t.Conjugate {
		m = make([]T, n*n)
		for i := range n {
			for j := range n {
				v := a[i*n+j]
				if t.Conjugate {
					v = conj(v)
				}
				if t.Transpose {
					m[j*n+i] = v
				} else {
					m[i*n+j] = v
				}
			}
		}
	}
	if right {
		for r := range rows {
			solveRow(m, b[r*n:(r+1)*n], lower, t.Unit)
		}
		return
	}
	for k := range n {
		i := k
		if !lower {
			i = n - 1 - k
		}
		x := b[i*cols : (i+1)*cols]
		for q := range k {
			j := q
			if !lower {
				j = n - 1 - q
			}
			axpy(x, -m[i*n+j], b[j*cols:(j+1)*cols])
		}
		if !t.Unit {
			for c := range x {
				x[c] /= m[i*n+i]
			}
		}
	}
}

// solveRow replaces b by x with x m = b.
func solveRow[T scalar](m, x []T, lower, unit bool) {
	n := len(x)
	for k := range n {
		j := k
		if lower {
			j = n - 1 - k
		}
		if !unit {
			x[j] /= m[j*n+j]
		}
		if lower {
			axpy(x[:j], -x[j], m[j*n:j*n+j])
		} else {
			axpy(x[j+1:], -x[j], m[j*n+j+1:(j+1)*n])
		}
	}
}

// trsm solves a triangular system from the left or the right.
func trsm[T scalar](b *batch) error {
	a, x := readMatrix[T](b, 0), readMatrix[T](b, 1)
	right := b.number("side") == 'R'
	if n := x.rows; right && a.rows != x.cols || !right && a.rows != n {
		return misfit("trsm", a.rows, a.cols, x.rows, x.cols)
	}
	trans := b.number("trans_x")
	TriangularSolve(a.a, x.a, x.rows, x.cols, Triangle{
		Lower: b.number("uplo") == 'L', Unit: b.number("diag") == 'U', Transpose: trans == 'T' || trans == 'C', Conjugate: trans == 'C',
	}, right)
	writeMatrix(b, 0, x)
	return nil
}

// gtsv solves a tridiagonal system by elimination with partial pivoting. The diagonals become those of the triangular
// factor: the second one above the diagonal takes the place of the one below.
func gtsv[T scalar](b *batch) error {
	// Element 0 of the first operand is outside of the matrix; element i of dl is in row i+1.
	below, d, du, x := readVector[T](b, 0), readVector[T](b, 1), readVector[T](b, 2), readMatrix[T](b, 3)
	n, info := len(d), 0
	dl := below[min(1, n):]
	for i := 0; i < n-1 && info == 0; i++ {
		if abs1(d[i]) >= abs1(dl[i]) {
			if d[i] == 0 {
				info = i + 1
				break
			}
			f := dl[i] / d[i]
			d[i+1] -= f * du[i]
			axpy(x.row(i+1), -f, x.row(i))
			dl[i] = 0
			continue
		}
		f := d[i] / dl[i]
		d[i] = dl[i]
		du[i], d[i+1] = d[i+1], du[i]-f*d[i+1]
		dl[i] = 0
		if i < n-2 {
			dl[i], du[i+1] = du[i+1], -f*du[i+1]
		}
		top, next := x.row(i), x.row(i+1)
		for c := range top {
			top[c], next[c] = next[c], top[c]-f*next[c]
		}
	}
	if n > 0 && info == 0 && d[n-1] == 0 {
		info = n
	}
	if info == 0 {
		for i := n - 1; i >= 0; i-- {
			row := x.row(i)
			if i < n-1 {
				axpy(row, -du[i], x.row(i+1))
			}
			if i < n-2 {
				axpy(row, -dl[i], x.row(i+2))
			}
			for c := range row {
				row[c] /= d[i]
			}
		}
	}
	writeVector(b, 0, below)
	writeVector(b, 1, d)
	writeVector(b, 2, du)
	writeMatrix(b, 3, x)
	writeInt(b, 4, info)
	return nil
}
