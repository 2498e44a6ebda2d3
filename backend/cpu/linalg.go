package cpu

import (
	"math"
	"math/cmplx"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/internal/lapack"
)

// field is the type a factorisation is computed in: float64 for real matrices, complex128 for complex ones. Every result
// is rounded once at the end.
type field[T any] struct {
	conj func(T) T
	load func(f *frame, v *value, dst []T, at int)
	save func(f *frame, v *value, src []T, at int)
	nan  T
}

var reals = field[float64]{
	conj: func(x float64) float64 { return x },
	load: func(f *frame, v *value, dst []float64, at int) {
		read := complexReader(v)
		for i := range dst {
			dst[i] = real(read(f, at+i))
		}
	},
	save: func(f *frame, v *value, src []float64, at int) {
		write := complexWriter(v)
		for i, x := range src {
			write(f, at+i, complex(x, 0))
		}
	},
	nan: math.NaN(),
}

var complexNumbers = field[complex128]{
	conj: cmplx.Conj,
	load: func(f *frame, v *value, dst []complex128, at int) {
		read := complexReader(v)
		for i := range dst {
			dst[i] = read(f, at+i)
		}
	},
	save: func(f *frame, v *value, src []complex128, at int) {
		write := complexWriter(v)
		for i, x := range src {
			write(f, at+i, x)
		}
	},
	nan: cmplx.NaN(),
}

// emitCholesky emits stablehlo.cholesky: a = L Lᴴ with L lower, or a = Uᴴ U. Only the triangle named is read; the other
// one of the result is zero. A matrix that is not positive definite gives NaN.
func emitCholesky(_ *compiler, n *node) (run, error) {
	if complexReader(n.in[0]) == nil {
		return nil, unsupported(n)
	}
	if n.in[0].dtype.IsComplex() {
		return choleskyOf(n, complexNumbers)
	}
	return choleskyOf(n, reals)
}

func choleskyOf[T float64 | complex128](n *node, k field[T]) (run, error) {
	a, out := n.in[0], n.out[0]
	rank := len(a.shape)
	if rank < 2 || a.shape[rank-1] != a.shape[rank-2] {
		return nil, array.ShapeErrorf("operand of shape %s is no square matrix", a.shape)
	}
	size, lower := a.shape[rank-1], flag(n.op, "lower")
	count := product(a.shape[:rank-2])
	return func(f *frame) error {
		m := make([]T, size*size)
		for b := range count {
			k.load(f, a, m, b*size*size)
			if !lower {
				conjugateTranspose(m, size, k.conj)
			}
			if lapack.Cholesky(m, size) != 0 {
				for i := range size {
					for j := range i + 1 {
						m[i*size+j] = k.nan
					}
					clear(m[i*size+i+1 : (i+1)*size])
				}
			}
			if !lower {
				conjugateTranspose(m, size, k.conj)
			}
			k.save(f, out, m, b*size*size)
		}
		return nil
	}, nil
}

func conjugateTranspose[T any](m []T, n int, conj func(T) T) {
	for i := range n {
		m[i*n+i] = conj(m[i*n+i])
		for j := range i {
			m[i*n+j], m[j*n+i] = conj(m[j*n+i]), conj(m[i*n+j])
		}
	}
}

// emitTriangularSolve emits stablehlo.triangular_solve: op(a) x = b, or x op(a) = b where left_side is false.
func emitTriangularSolve(_ *compiler, n *node) (run, error) {
	if complexReader(n.in[0]) == nil {
		return nil, unsupported(n)
	}
	if n.in[0].dtype.IsComplex() {
		return triangularOf(n, complexNumbers)
	}
	return triangularOf(n, reals)
}

func triangularOf[T float64 | complex128](n *node, k field[T]) (run, error) {
	a, b, out := n.in[0], n.in[1], n.out[0]
	rank := len(a.shape)
	if rank < 2 || len(b.shape) != rank {
		return nil, array.ShapeErrorf("operands of shape %s and %s", a.shape, b.shape)
	}
	size, rows, cols := a.shape[rank-1], b.shape[rank-2], b.shape[rank-1]
	left, trans := flag(n.op, "left_side"), enum(n.op, "transpose_a")
	if left && rows != size || !left && cols != size || a.shape[rank-2] != size {
		return nil, array.ShapeErrorf("matrix of shape %s for a right-hand side of shape %s", a.shape, b.shape)
	}
	t := lapack.Triangle{
		Lower: flag(n.op, "lower"), Unit: flag(n.op, "unit_diagonal"),
		Transpose: trans == "TRANSPOSE" || trans == "ADJOINT", Conjugate: trans == "ADJOINT",
	}
	count := product(a.shape[:rank-2])
	return func(f *frame) error {
		m, x := make([]T, size*size), make([]T, rows*cols)
		for g := range count {
			k.load(f, a, m, g*size*size)
			k.load(f, b, x, g*rows*cols)
			lapack.TriangularSolve(m, x, rows, cols, t, !left)
			k.save(f, out, x, g*rows*cols)
		}
		return nil
	}, nil
}
