package lapack

import (
	"math"
	"math/cmplx"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/backend"
)

// scalar is a type the routines compute in.
type scalar interface{ float64 | complex128 }

// matrix is a dense matrix in row-major order.
type matrix[T scalar] struct {
	rows, cols int
	a          []T
}

func newMatrix[T scalar](rows, cols int) matrix[T] {
	return matrix[T]{rows, cols, make([]T, rows*cols)}
}

func identity[T scalar](n int) matrix[T] { return eye[T](n, n) }

func eye[T scalar](rows, cols int) matrix[T] {
	m := newMatrix[T](rows, cols)
	for i := range min(rows, cols) {
		m.a[i*cols+i] = 1
	}
	return m
}

func (m matrix[T]) row(i int) []T { return m.a[i*m.cols : (i+1)*m.cols] }

func (m matrix[T]) at(i, j int) T { return m.a[i*m.cols+j] }

func (m matrix[T]) set(i, j int, v T) { m.a[i*m.cols+j] = v }

func (m matrix[T]) clone() matrix[T] { return matrix[T]{m.rows, m.cols, append([]T(nil), m.a...)} }

// stride is the row length as gonum wants it, at least 1.
func (m matrix[T]) stride() int { return max(1, m.cols) }

// adjoint is the conjugate transpose.
func (m matrix[T]) adjoint() matrix[T] {
	t := newMatrix[T](m.cols, m.rows)
	for i := range m.rows {
		for j, v := range m.row(i) {
			t.a[j*m.rows+i] = conj(v)
		}
	}
	return t
}

// finite reports that no element is infinite or NaN.
func (m matrix[T]) finite() bool {
	for _, v := range m.a {
		if d := v - v; d != 0 {
			return false
		}
	}
	return true
}

// axpy adds a x to y.
func axpy[T scalar](y []T, a T, x []T) {
	if a == 0 {
		return
	}
	y = y[:len(x)]
	for i, v := range x {
		y[i] += a * v
	}
}

func conj[T scalar](x T) T {
	if c, ok := any(x).(complex128); ok {
		return any(cmplx.Conj(c)).(T)
	}
	return x
}

func realPart[T scalar](x T) float64 {
	if c, ok := any(x).(complex128); ok {
		return real(c)
	}
	return any(x).(float64)
}

func ofReal[T scalar](x float64) T {
	var z T
	if _, ok := any(z).(complex128); ok {
		return any(complex(x, 0)).(T)
	}
	return any(x).(T)
}

// abs1 is the cheap absolute value by which LAPACK chooses pivots.
func abs1[T scalar](x T) float64 {
	if c, ok := any(x).(complex128); ok {
		return math.Abs(real(c)) + math.Abs(imag(c))
	}
	return math.Abs(any(x).(float64))
}

func complexOf(m matrix[float64]) matrix[complex128] {
	c := newMatrix[complex128](m.rows, m.cols)
	for i, v := range m.a {
		c.a[i] = complex(v, 0)
	}
	return c
}

// batch is a call with the number of the element of the batch that is being computed.
type batch struct {
	*backend.CallFrame
	size map[byte]int
	at   int
}

// readMatrix copies operand i, which lies column by column, into a row-major matrix.
func readMatrix[T scalar](b *batch, i int) matrix[T] {
	shape := b.Operands[i].Shape()
	m := newMatrix[T](shape[len(shape)-2], shape[len(shape)-1])
	at := b.at * len(m.a)
	columns := load[T](b.Operands[i], at, at+len(m.a))
	for j := range m.cols {
		for r := range m.rows {
			m.a[r*m.cols+j] = columns[j*m.rows+r]
		}
	}
	return m
}

// readVector copies operand i.
func readVector[T scalar](b *batch, i int) []T {
	shape := b.Operands[i].Shape()
	n := shape[len(shape)-1]
	return load[T](b.Operands[i], b.at*n, (b.at+1)*n)
}

// writeMatrix fills result i column by column.
func writeMatrix[T scalar](b *batch, i int, m matrix[T]) {
	columns := make([]T, len(m.a))
	for j := range m.cols {
		for r := range m.rows {
			columns[j*m.rows+r] = m.a[r*m.cols+j]
		}
	}
	store(b.Results[i], b.at*len(columns), columns)
}

// writeVector fills result i.
func writeVector[T scalar](b *batch, i int, v []T) { store(b.Results[i], b.at*len(v), v) }

// writeInt fills result i, which is one number, or numbers where several are given.
func writeInt(b *batch, i int, v ...int) {
	out := array.View[int32](b.Results[i])[b.at*len(v):]
	for k, n := range v {
		out[k] = int32(n)
	}
}

// fail makes all results NaN and the last one, which is the status, info.
func (b *batch) fail(info int) error {
	for i, r := range b.Results {
		n := r.Len() / b.size['b']
		switch {
		case r.DType().IsComplex():
			for k := range n {
				r.SetComplex(b.at*n+k, cmplx.NaN())
			}
		case r.DType().IsFloat():
			for k := range n {
				r.SetFloat(b.at*n+k, math.NaN())
			}
		default:
			for k := range n {
				r.SetInt(b.at*n+k, 0)
			}
		}
		if i == len(b.Results)-1 && r.DType() == array.Int32 {
			writeInt(b, i, info)
		}
	}
	return nil
}

func load[T scalar](b *array.Buffer, from, to int) []T {
	out := make([]T, to-from)
	switch out := any(out).(type) {
	case []float64:
		if b.DType() == array.Float64 {
			copy(out, array.View[float64](b)[from:to])
			break
		}
		for i, v := range array.View[float32](b)[from:to] {
			out[i] = float64(v)
		}
	case []complex128:
		if b.DType() == array.Complex128 {
			copy(out, array.View[complex128](b)[from:to])
			break
		}
		for i, v := range array.View[complex64](b)[from:to] {
			out[i] = complex128(v)
		}
	}
	return out
}

func store[T scalar](b *array.Buffer, at int, v []T) {
	switch v := any(v).(type) {
	case []float64:
		if b.DType() == array.Float64 {
			copy(array.View[float64](b)[at:], v)
			return
		}
		out := array.View[float32](b)[at:]
		for i, x := range v {
			out[i] = float32(x)
		}
	case []complex128:
		if b.DType() == array.Complex128 {
			copy(array.View[complex128](b)[at:], v)
			return
		}
		out := array.View[complex64](b)[at:]
		for i, x := range v {
			out[i] = complex64(x)
		}
	}
}
