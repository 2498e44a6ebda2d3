package fft

import (
	"math"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/np"
	"github.com/pantograph-go/pantograph/primitive"
)

// maxAxes is how many axes one operation transforms, StableHLO's limit.
const maxAxes = 3

// FFT transforms the last axis, or the one of Axis.
//
//	x [..., n] real or complex   →   [..., n] complex
func FFT(x any, opts ...Option) *array.Array {
	return complexTransform("FFT", x, 1, primitive.FFT, opts)
}

// IFFT is the inverse of FFT.
func IFFT(x any, opts ...Option) *array.Array {
	return complexTransform("IFFT", x, 1, primitive.IFFT, opts)
}

// FFT2 transforms the last two axes.
func FFT2(x any, opts ...Option) *array.Array {
	return complexTransform("FFT2", x, 2, primitive.FFT, opts)
}

// IFFT2 is the inverse of FFT2.
func IFFT2(x any, opts ...Option) *array.Array {
	return complexTransform("IFFT2", x, 2, primitive.IFFT, opts)
}

// FFTN transforms all axes, the last ones where Length is given.
func FFTN(x any, opts ...Option) *array.Array {
	return complexTransform("FFTN", x, 0, primitive.FFT, opts)
}

// IFFTN is the inverse of FFTN.
func IFFTN(x any, opts ...Option) *array.Array {
	return complexTransform("IFFTN", x, 0, primitive.IFFT, opts)
}

// RFFT transforms a real array and returns the half of the result that determines the other.
//
//	x [..., n] real   →   [..., n/2+1] complex
func RFFT(x any, opts ...Option) *array.Array { return realForward("RFFT", x, 1, opts) }

// RFFT2 is RFFT over the last axis and FFT over the one before.
func RFFT2(x any, opts ...Option) *array.Array { return realForward("RFFT2", x, 2, opts) }

// RFFTN is RFFT over the last and FFT over the other axes.
func RFFTN(x any, opts ...Option) *array.Array { return realForward("RFFTN", x, 0, opts) }

// IRFFT is the inverse of RFFT. The length of the output, 2(m-1) for m input points, is given by Length where it is odd.
//
//	x [..., m] complex   →   [..., n] real
func IRFFT(x any, opts ...Option) *array.Array { return realInverse("IRFFT", x, 1, opts) }

// IRFFT2 is the inverse of RFFT2.
func IRFFT2(x any, opts ...Option) *array.Array { return realInverse("IRFFT2", x, 2, opts) }

// IRFFTN is the inverse of RFFTN.
func IRFFTN(x any, opts ...Option) *array.Array { return realInverse("IRFFTN", x, 0, opts) }

// HFFT transforms an array with Hermitian symmetry, given by its first half, to a real one.
//
//	x [..., m] complex   →   [..., n] real, n = 2(m-1) or Length
func HFFT(x any, opts ...Option) *array.Array {
	return realInverse("HFFT", complexOf("HFFT", x).Conj(), 1, opposite(opts))
}

// IHFFT is the inverse of HFFT.
func IHFFT(x any, opts ...Option) *array.Array {
	return realForward("IHFFT", x, 1, opposite(opts)).Conj()
}

// opposite scales the other direction.
func opposite(opts []Option) []Option {
	return append(opts[:len(opts):len(opts)], func(s *settings) {
		switch s.norm {
		case "backward":
			s.norm = "forward"
		case "forward":
			s.norm = "backward"
		}
	})
}

func complexTransform(op string, x any, axes int, t primitive.FFTType, opts []Option) *array.Array {
	v := complexOf(op, x)
	s := settingsFor(op, v, axes, opts)
	for i, n := range s.lengths {
		v = resized(v, s.axes[i], n)
	}
	return s.scaled(s.apply(v, t, s.axes), points(v, s.axes), t == primitive.IFFT)
}

func realForward(op string, x any, axes int, opts []Option) *array.Array {
	v := np.Asarray(x)
	if v.DType().IsComplex() {
		fail(op, array.DTypeErrorf("transforms real numbers, got %s; use FFT", v.Aval()))
	}
	if !v.DType().IsFloat() {
		v = v.AsType(np.Float64)
	}
	s := settingsFor(op, v, axes, opts)
	for i, n := range s.lengths {
		v = resized(v, s.axes[i], n)
	}
	count := points(v, s.axes)
	last := len(s.axes) - 1
	y := s.apply(v, primitive.RFFT, s.axes[last:])
	return s.scaled(s.apply(y, primitive.FFT, s.axes[:last]), count, false)
}

func realInverse(op string, x any, axes int, opts []Option) *array.Array {
	v := complexOf(op, x)
	s := settingsFor(op, v, axes, opts)
	last := len(s.axes) - 1
	n := 2 * (v.Shape()[s.axes[last]] - 1)
	if s.lengths != nil {
		n = s.lengths[last]
		for i, k := range s.lengths[:last] {
			v = resized(v, s.axes[i], k)
		}
	}
	if n < 1 {
		fail(op, array.ArgumentErrorf("%d points give an output of length %d; set Length", v.Shape()[s.axes[last]], n))
	}
	v = s.apply(resized(v, s.axes[last], n/2+1), primitive.IFFT, s.axes[:last])
	y := s.move(v, s.axes[last:], func(v *array.Array) *array.Array { return primitive.Fourier(v, primitive.IRFFT, n) })
	return s.scaled(y, points(y, s.axes), true)
}

// apply transforms axes in one direction.
func (s *settings) apply(x *array.Array, t primitive.FFTType, axes []int) *array.Array {
	for len(axes) > 0 {
		some := axes[:min(len(axes), maxAxes)]
		axes = axes[len(some):]
		x = s.move(x, some, func(v *array.Array) *array.Array {
			return primitive.Fourier(v, t, v.Shape()[v.Rank()-len(some):]...)
		})
	}
	return x
}

// move applies f with axes behind the others.
func (s *settings) move(x *array.Array, axes []int, f func(*array.Array) *array.Array) *array.Array {
	end := make([]int, len(axes))
	for i := range end {
		end[i] = x.Rank() - len(axes) + i
	}
	return np.Moveaxis(f(np.Moveaxis(x, axes, end)), end, axes)
}

func points(x *array.Array, axes []int) int {
	n := 1
	for _, a := range axes {
		n *= x.Shape()[a]
	}
	return n
}

// scaled puts the factor where Norm wants it; the operation itself divides the inverse by n.
func (s *settings) scaled(x *array.Array, n int, inverse bool) *array.Array {
	switch {
	case s.norm == "ortho" && inverse:
		return x.Mul(math.Sqrt(float64(n)))
	case s.norm == "ortho":
		return x.Div(math.Sqrt(float64(n)))
	case s.norm == "forward" && inverse:
		return x.Mul(float64(n))
	case s.norm == "forward":
		return x.Div(float64(n))
	}
	return x
}

// complexOf makes x complex, narrow for float32 and narrower.
func complexOf(op string, x any) *array.Array {
	v := np.Asarray(x)
	switch d := v.DType(); {
	case d.IsComplex():
		return v
	case d.IsFloat():
		return v.AsType(d.Complex())
	case d.IsInteger(), d == np.Bool:
		return v.AsType(np.Complex128)
	default:
		fail(op, array.DTypeErrorf("transforms numbers, got %s", v.Aval()))
		return nil
	}
}
