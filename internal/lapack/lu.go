package lapack

import (
	"gonum.org/v1/gonum/lapack/gonum"

	"github.com/pantograph-go/pantograph/array"
)

// blas64 is gonum's implementation for real matrices.
var blas64 gonum.Implementation

func misfit(name string, m, n, p, q int) error {
	return array.ShapeErrorf("%s: matrices of %d×%d and %d×%d do not fit", name, m, n, p, q)
}

// getrf is P a = L U by partial pivoting; the pivots count from one.
func getrf(b *batch) error {
	a := readMatrix[float64](b, 0)
	pivots := make([]int, min(a.rows, a.cols))
	if len(pivots) > 0 {
		blas64.Dgetrf(a.rows, a.cols, a.a, a.stride(), pivots)
	}
	return finishLU(b, a, pivots)
}

// zgetrf is getrf for complex matrices.
func zgetrf(b *batch) error {
	a := readMatrix[complex128](b, 0)
	pivots := make([]int, min(a.rows, a.cols))
	for k := range pivots {
		p := k
		for i := k + 1; i < a.rows; i++ {
			if abs1(a.at(i, k)) > abs1(a.at(p, k)) {
				p = i
			}
		}
		pivots[k] = p
		if a.at(p, k) == 0 {
			continue
		}
		top, other := a.row(k), a.row(p)
		if p != k {
			for j := range top {
				top[j], other[j] = other[j], top[j]
			}
		}
		for i := k + 1; i < a.rows; i++ {
			row := a.row(i)
			row[k] /= top[k]
			axpy(row[k+1:], -row[k], top[k+1:])
		}
	}
	return finishLU(b, a, pivots)
}

func finishLU[T scalar](b *batch, a matrix[T], pivots []int) error {
	info := 0
	for k := range pivots {
		if info == 0 && a.at(k, k) == 0 {
			info = k + 1
		}
		pivots[k]++
	}
	writeMatrix(b, 0, a)
	writeInt(b, 1, pivots...)
	writeInt(b, 2, info)
	return nil
}
