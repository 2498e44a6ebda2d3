package fft

import (
	"slices"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/np"
)

// FFTFreq lists the frequencies of the n points of FFT for samples at distance d: 0, 1, …, -2, -1 over n d.
//
//	→ [n] float64
func FFTFreq(n int, d float64) *array.Array {
	if n < 1 {
		fail("FFTFreq", array.ArgumentErrorf("the number of points is %d", n))
	}
	v := make([]float64, n)
	for i := range v {
		k := i
		if i >= (n+1)/2 {
			k -= n
		}
		v[i] = float64(k) / (d * float64(n))
	}
	return np.Asarray(v)
}

// RFFTFreq lists the frequencies of the n/2+1 points of RFFT.
//
//	→ [n/2+1] float64
func RFFTFreq(n int, d float64) *array.Array {
	if n < 1 {
		fail("RFFTFreq", array.ArgumentErrorf("the number of points is %d", n))
	}
	v := make([]float64, n/2+1)
	for i := range v {
		v[i] = float64(i) / (d * float64(n))
	}
	return np.Asarray(v)
}

// FFTShift moves the zero frequency to the middle of the axes, all of them by default.
func FFTShift(x any, axes ...int) *array.Array {
	return shift(x, axes, func(n int) int { return n / 2 })
}

// IFFTShift is the inverse of FFTShift.
func IFFTShift(x any, axes ...int) *array.Array {
	return shift(x, axes, func(n int) int { return -(n / 2) })
}

func shift(x any, axes []int, by func(n int) int) *array.Array {
	v := np.Asarray(x)
	axes = slices.Clone(axes)
	if axes == nil {
		for i := range v.Rank() {
			axes = append(axes, i)
		}
	}
	for _, a := range axes {
		at := a
		if at < 0 {
			at += v.Rank()
		}
		if at < 0 || at >= v.Rank() {
			fail("FFTShift", array.AxisErrorf("axis %d is out of range for an array with %d axes", a, v.Rank()))
		}
		v = np.Roll(v, by(v.Shape()[at]), np.Axis(at))
	}
	return v
}
