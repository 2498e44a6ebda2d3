package fft

import (
	"math"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/np"
	"github.com/pantograph-go/pantograph/primitive"
)

// DCT is the discrete cosine transform of type 2 of the last axis, or the one of Axis:
//
//	X[k] = 2 Σ x[n] cos(πk(2n+1)/(2N)),   with Norm("ortho") times √(1/2N), and √(1/4N) for k = 0
//
// computed from one complex transform of the same length (Makhoul, 1980).
//
//	x [..., n] real   →   [..., n] same dtype
func DCT(x any, opts ...Option) *array.Array { return cosine("DCT", x, 1, opts, forwardCosine) }

// IDCT is the inverse of DCT.
func IDCT(x any, opts ...Option) *array.Array { return cosine("IDCT", x, 1, opts, inverseCosine) }

// DCTN is DCT over all axes, or those of Axis.
func DCTN(x any, opts ...Option) *array.Array { return cosine("DCTN", x, 0, opts, forwardCosine) }

// IDCTN is the inverse of DCTN.
func IDCTN(x any, opts ...Option) *array.Array { return cosine("IDCTN", x, 0, opts, inverseCosine) }

func cosine(op string, x any, axes int, opts []Option, one func(x *array.Array, ortho bool) *array.Array) *array.Array {
	v := np.Asarray(x)
	if v.DType().IsComplex() {
		fail(op, array.DTypeErrorf("transforms real numbers, got %s", v.Aval()))
	}
	if !v.DType().IsFloat() {
		v = v.AsType(np.Float64)
	}
	s := settingsFor(op, v, axes, opts)
	if s.norm == "forward" {
		fail(op, array.ArgumentErrorf("the norm is backward or ortho"))
	}
	for i, a := range s.axes {
		if s.lengths != nil {
			v = resized(v, a, s.lengths[i])
		}
		v = s.move(v, []int{a}, func(v *array.Array) *array.Array { return one(v, s.norm == "ortho") })
	}
	return v
}

// forwardCosine transforms the last axis: the even elements, then the odd ones backwards, are transformed and turned by a
// quarter of a step.
func forwardCosine(x *array.Array, ortho bool) *array.Array {
	n, d := x.Shape()[x.Rank()-1], x.DType()
	if n == 0 {
		return x
	}
	last := x.Rank() - 1
	even, odd := take(x, 0, 2), take(x, 1, 2)
	v := primitive.Concatenate(last, even, primitive.Rev(odd, last))
	y := primitive.Fourier(v.AsType(d.Complex()), primitive.FFT, n)
	y = y.Mul(turns(n, -1).AsType(d.Complex())).Real().Mul(2)
	if ortho {
		y = y.Mul(orthoScale(n).AsType(d))
	}
	return y
}

// inverseCosine undoes forwardCosine: with Z[k] = (X[k] - i X[N-k])/2 the turned transform is known again.
func inverseCosine(x *array.Array, ortho bool) *array.Array {
	n, d := x.Shape()[x.Rank()-1], x.DType()
	if n == 0 {
		return x
	}
	last := x.Rank() - 1
	if ortho {
		x = x.Div(orthoScale(n).AsType(d))
	}
	head := primitive.Full(array.Aval{Shape: append(x.Shape()[:last:last], 1), DType: d}, 0)
	mirrored := primitive.Concatenate(last, head, primitive.Rev(take(x, 1, 1), last))
	z := primitive.Complex(x.Div(2), mirrored.Div(-2)).Mul(turns(n, 1).AsType(d.Complex()))
	v := primitive.Fourier(z, primitive.IFFT, n).Real()
	// Put the first half at the even places and the second, backwards, at the odd ones.
	order := make([]int, n)
	for i := range order {
		if order[i] = i / 2; i%2 == 1 {
			order[i] = n - 1 - i/2
		}
	}
	return np.Take(v, order, np.Axis(last))
}

// take returns every step-th element of the last axis from start on.
func take(x *array.Array, start, step int) *array.Array {
	last := x.Rank() - 1
	lo, hi, by := make([]int, x.Rank()), x.Shape().Clone(), make([]int, x.Rank())
	for i := range by {
		by[i] = 1
	}
	lo[last], by[last] = min(start, hi[last]), step
	return primitive.Slice(x, lo, hi, by)
}

// turns are exp(sign πi k/(2n)).
func turns(n int, sign float64) *array.Array {
	v := make([]complex128, n)
	for k := range v {
		sin, cos := math.Sincos(sign * math.Pi * float64(k) / float64(2*n))
		v[k] = complex(cos, sin)
	}
	return np.Asarray(v)
}

func orthoScale(n int) *array.Array {
	v := make([]float64, n)
	for k := range v {
		v[k] = math.Sqrt(1 / float64(2*n))
	}
	v[0] = math.Sqrt(1 / float64(4*n))
	return np.Asarray(v)
}
