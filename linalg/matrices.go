package linalg

import (
	"math"
	"math/bits"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/np"
	"github.com/pantograph-go/pantograph/primitive"
)

// BlockDiag is the matrix with the arrays, of at most two axes, along its diagonal and zeros elsewhere. A vector is a row.
func BlockDiag(xs ...any) *array.Array {
	if len(xs) == 0 {
		return np.Zeros([]int{1, 0})
	}
	blocks := primitive.Promote(xs...)
	var rows, cols int
	for i, b := range blocks {
		if b.Rank() > 2 {
			fail("BlockDiag", array.ShapeErrorf("block %d has shape %s; blocks have at most two axes", i, b.Shape()))
		}
		blocks[i] = np.Atleast2d(b)
		m, n := sizes(blocks[i].Shape())
		rows, cols = rows+m, cols+n
	}
	zero, left := primitive.Full(array.Aval{DType: blocks[0].DType()}, 0), 0
	for i, b := range blocks {
		_, n := sizes(b.Shape())
		blocks[i] = primitive.Pad(b, zero, []primitive.PadDim{{}, {Lo: left, Hi: cols - left - n}})
		left += n
	}
	return np.Concatenate(blocks, np.Axis(0))
}

// vectors are one or two vectors of one dtype, with any batch axes in front.
func vectors(op string, xs ...any) []*array.Array {
	vs := primitive.Promote(xs...)
	for i, v := range vs {
		if v.Rank() < 1 {
			fail(op, array.ShapeErrorf("operand %d is a scalar; it must be a vector", i))
		}
	}
	return vs
}

// Toeplitz is the matrix with one value along each diagonal, c its first column and r its first row, whose first element is
// not read. A nil r is the conjugate of c.
//
//	c [..., m], r [..., n]   →   [..., m, n]
func Toeplitz(c, r any) *array.Array {
	var vs []*array.Array
	if r == nil {
		vs = vectors("Toeplitz", c)
		vs = append(vs, conj(vs[0]))
	} else {
		vs = vectors("Toeplitz", c, r)
	}
	m, n := last(vs[0]), last(vs[1])
	// All values from the lower left corner to the upper right one.
	all := joined(np.Flip(vs[0], -1), vs[1])
	return pattern(all, m, n, func(i, j int) int { return m - 1 - i + j })
}

// Hankel is the matrix with one value along each antidiagonal, c its first column and r its last row, whose first element is
// not read. A nil r is zero.
//
//	c [..., m], r [..., n]   →   [..., m, n]
func Hankel(c, r any) *array.Array {
	var vs []*array.Array
	if r == nil {
		vs = vectors("Hankel", c)
		vs = append(vs, np.ZerosLike(vs[0]))
	} else {
		vs = vectors("Hankel", c, r)
	}
	m, n := last(vs[0]), last(vs[1])
	return pattern(joined(vs[0], vs[1]), m, n, func(i, j int) int { return i + j })
}

// Circulant is the matrix whose columns are c turned by their number.
//
//	c [..., n]   →   [..., n, n]
func Circulant(c any) *array.Array {
	v := vectors("Circulant", c)[0]
	n := last(v)
	return pattern(v, n, n, func(i, j int) int { return (i - j + n) % n })
}

func last(v *array.Array) int { return v.Shape()[v.Rank()-1] }

// joined is a followed by b without its first element.
func joined(a, b *array.Array) *array.Array {
	batch, err := array.Broadcast(a.Shape()[:a.Rank()-1], b.Shape()[:b.Rank()-1])
	if err != nil {
		fail("Toeplitz", err)
	}
	a, b = broadcastBatch(a, batch, 1), broadcastBatch(b, batch, 1)
	if last(b) == 0 {
		return a
	}
	return np.Concatenate([]*array.Array{a, b.At("...", array.Slice{Start: 1, Stop: array.End}).Get()}, np.Axis(-1))
}

// pattern is the matrix whose element i, j is the vector's element at(i, j).
func pattern(v *array.Array, m, n int, at func(i, j int) int) *array.Array {
	if m == 0 || n == 0 {
		return np.Zeros(append(v.Shape()[:v.Rank()-1].Clone(), m, n), v.DType())
	}
	index := make([][]int, m)
	for i := range index {
		index[i] = make([]int, n)
		for j := range index[i] {
			index[i][j] = at(i, j)
		}
	}
	return np.Take(v, index, np.Axis(-1))
}

// Hilbert is the matrix 1/(i + j + 1).
//
//	→ [n, n] float64
func Hilbert(n int) *array.Array {
	i := np.Arange(size("Hilbert", n), array.Float64)
	return np.Reciprocal(i.ExpandDims(1).Add(i).Add(1))
}

func size(op string, n int) int {
	if n < 0 {
		fail(op, array.ArgumentErrorf("the size is %d", n))
	}
	return n
}

// Pascal is the symmetric matrix of binomial coefficients, C(i + j, i); kind "lower" or "upper" is one of its triangular
// factors, C(i, j), "" or "symmetric" their product.
//
//	→ [n, n] float32
func Pascal(n int, kind string) *array.Array {
	lower := make([]float32, size("Pascal", n)*n)
	for i := range n {
		lower[i*n] = 1
		for j := 1; j <= i; j++ {
			lower[i*n+j] = lower[(i-1)*n+j-1] + lower[(i-1)*n+j]
		}
	}
	l := np.FromSlice(lower, n, n)
	switch kind {
	case "lower":
		return l
	case "upper":
		return l.T()
	case "", "symmetric":
		return l.MatMul(l.T())
	}
	fail("Pascal", array.ArgumentErrorf("the kind %q is none of symmetric, lower, upper", kind))
	return nil
}

// Hadamard is the matrix of ±1 with orthogonal rows by Sylvester's construction; n is a power of two.
//
//	→ [n, n] int64, or the dtype given
func Hadamard(n int, dtype ...array.DType) *array.Array {
	if n < 1 || n&(n-1) != 0 {
		fail("Hadamard", array.ArgumentErrorf("the size is %d; it must be a power of two", n))
	}
	v := make([]int, n*n)
	for i := range n {
		for j := range n {
			v[i*n+j] = 1 - 2*(bits.OnesCount(uint(i&j))&1)
		}
	}
	h := np.FromSlice(v, n, n)
	if len(dtype) > 0 {
		return h.AsType(dtype[0])
	}
	return h
}

// DFT is the matrix of the discrete Fourier transform, exp(-2πi jk/n), with scale "sqrtn" or "n" divided by that.
//
//	→ [n, n] complex128
func DFT(n int, scale string) *array.Array {
	v := make([]complex128, size("DFT", n)*n)
	by := 1.0
	switch scale {
	case "":
	case "sqrtn":
		by = math.Sqrt(float64(n))
	case "n":
		by = float64(n)
	default:
		fail("DFT", array.ArgumentErrorf("the scale %q is none of sqrtn, n", scale))
	}
	for j := range n {
		for k := range n {
			sin, cos := math.Sincos(-2 * math.Pi * float64(j*k%n) / float64(n))
			v[j*n+k] = complex(cos/by, sin/by)
		}
	}
	return np.FromSlice(v, n, n)
}
