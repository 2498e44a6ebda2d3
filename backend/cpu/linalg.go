package cpu

import (
	"math"
	"math/cmplx"

	"github.com/pantograph-go/pantograph/array"
)

// field is the type a factorisation is computed in: float64 for real matrices, complex128 for complex ones. Every result
// is rounded once at the end.
type field[T any] struct {
	conj func(T) T
	sqrt func(T) (T, bool) // of a pivot; false where it is not a positive real number
	load func(f *frame, v *value, r ref, dst []T, at int)
	save func(f *frame, v *value, r ref, src []T, at int)
	nan  T
}

var reals = field[float64]{
	conj: func(x float64) float64 { return x },
	sqrt: func(x float64) (float64, bool) { return math.Sqrt(x), x > 0 },
	load: func(f *frame, v *value, r ref, dst []float64, at int) {
		read := complexReader(v)
		for i := range dst {
			dst[i] = real(read(f, at+i))
		}
	},
	save: func(f *frame, v *value, r ref, src []float64, at int) {
		write := complexWriter(v)
		for i, x := range src {
			write(f, at+i, complex(x, 0))
		}
	},
	nan: math.NaN(),
}

var complexNumbers = field[complex128]{
	conj: cmplx.Conj,
	sqrt: func(x complex128) (complex128, bool) { return complex(math.Sqrt(real(x)), 0), real(x) > 0 },
	load: func(f *frame, v *value, r ref, dst []complex128, at int) {
		read := complexReader(v)
		for i := range dst {
			dst[i] = read(f, at+i)
		}
	},
	save: func(f *frame, v *value, r ref, src []complex128, at int) {
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
			k.load(f, a, a.ref(), m, b*size*size)
			if !lower {
				conjugateTranspose(m, size, k.conj)
			}
			choleskyInPlace(m, size, k)
			if !lower {
				conjugateTranspose(m, size, k.conj)
			}
			k.save(f, out, out.ref(), m, b*size*size)
		}
		return nil
	}, nil
}

func choleskyInPlace[T float64 | complex128](m []T, n int, k field[T]) {
	for j := range n {
		s := m[j*n+j]
		for p := range j {
			s -= m[j*n+p] * k.conj(m[j*n+p])
		}
		d, ok := k.sqrt(s)
		if !ok {
			for i := range n {
				for j := range i + 1 {
					m[i*n+j] = k.nan
				}
				clear(m[i*n+i+1 : (i+1)*n])
			}
			return
		}
		m[j*n+j] = d
		for i := j + 1; i < n; i++ {
			s := m[i*n+j]
			for p := range j {
				s -= m[i*n+p] * k.conj(m[j*n+p])
			}
			m[i*n+j] = s / d
			m[j*n+i] = 0
		}
	}
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
	left, lower, unit := flag(n.op, "left_side"), flag(n.op, "lower"), flag(n.op, "unit_diagonal")
	trans := enum(n.op, "transpose_a")
	if left && rows != size || !left && cols != size || a.shape[rank-2] != size {
		return nil, array.ShapeErrorf("matrix of shape %s for a right-hand side of shape %s", a.shape, b.shape)
	}
	count := product(a.shape[:rank-2])
	// x op(a) = b is op(a)ᵀ xᵀ = bᵀ.
	transpose := (trans == "TRANSPOSE" || trans == "ADJOINT") == left
	if transpose {
		lower = !lower
	}
	return func(f *frame) error {
		m, x := make([]T, size*size), make([]T, rows*cols)
		get := func(i, j int) T {
			if transpose {
				i, j = j, i
			}
			if trans == "ADJOINT" {
				return k.conj(m[i*size+j])
			}
			return m[i*size+j]
		}
		for g := range count {
			k.load(f, a, a.ref(), m, g*size*size)
			k.load(f, b, b.ref(), x, g*rows*cols)
			columns, step, next := cols, cols, 1 // element i of column c is x[i*step+c*next]
			if !left {
				columns, step, next = rows, 1, cols
			}
			for c := range columns {
				for r := range size {
					i := r
					if !lower {
						i = size - 1 - r
					}
					s := x[i*step+c*next]
					for q := range r {
						j := q
						if !lower {
							j = size - 1 - q
						}
						s -= get(i, j) * x[j*step+c*next]
					}
					if !unit {
						s /= get(i, i)
					}
					x[i*step+c*next] = s
				}
			}
			k.save(f, out, out.ref(), x, g*rows*cols)
		}
		return nil
	}, nil
}
