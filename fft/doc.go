// Package fft has the discrete Fourier transforms of numpy.fft and the cosine transforms of scipy.fft.
//
//	X[k] = Σ x[n] exp(-2πi kn/N)
//
// Length, Axis and Norm are the keyword arguments. The transforms are linear, differentiate in both modes, and batch over
// all axes that are not transformed. Read transform.go for how an axis is cut, padded, transformed and scaled.
package fft
