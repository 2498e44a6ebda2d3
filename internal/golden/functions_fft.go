package golden

import (
	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/fft"
)

// fourier is a Fourier transform with the keywords of one axis (n, axis) or of several (s, axes).
func fourier(f func(x any, opts ...fft.Option) *array.Array) Func {
	return func(c *Call) any {
		var opts []fft.Option
		for _, name := range []string{"n", "s"} {
			if n := c.Ints(name); n != nil {
				opts = append(opts, fft.Length(n...))
			}
		}
		for _, name := range []string{"axis", "axes"} {
			if a := c.Ints(name); a != nil {
				opts = append(opts, fft.Axis(a...))
			}
		}
		if norm := c.Str("norm", ""); norm != "" {
			opts = append(opts, fft.Norm(norm))
		}
		return f(c.Args[0], opts...)
	}
}

// fftFunctions are the functions of jax.numpy.fft and jax.scipy.fft.
var fftFunctions = map[string]Func{
	"fft.fft": fourier(fft.FFT), "fft.ifft": fourier(fft.IFFT), "fft.fft2": fourier(fft.FFT2), "fft.ifft2": fourier(fft.IFFT2),
	"fft.fftn": fourier(fft.FFTN), "fft.ifftn": fourier(fft.IFFTN), "fft.rfft": fourier(fft.RFFT), "fft.irfft": fourier(fft.IRFFT),
	"fft.rfft2": fourier(fft.RFFT2), "fft.irfft2": fourier(fft.IRFFT2), "fft.rfftn": fourier(fft.RFFTN), "fft.irfftn": fourier(fft.IRFFTN),
	"fft.hfft": fourier(fft.HFFT), "fft.ihfft": fourier(fft.IHFFT),
	"scipy.fft.dct": fourier(fft.DCT), "scipy.fft.idct": fourier(fft.IDCT), "scipy.fft.dctn": fourier(fft.DCTN), "scipy.fft.idctn": fourier(fft.IDCTN),
	"fft.fftfreq":   func(c *Call) any { return fft.FFTFreq(c.Int("n", 0), c.Float("d", 1)) },
	"fft.rfftfreq":  func(c *Call) any { return fft.RFFTFreq(c.Int("n", 0), c.Float("d", 1)) },
	"fft.fftshift":  func(c *Call) any { return fft.FFTShift(c.Args[0], c.Ints("axes")...) },
	"fft.ifftshift": func(c *Call) any { return fft.IFFTShift(c.Args[0], c.Ints("axes")...) },
}
