package golden

import (
	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/fft"
)

// transform is a Fourier transform with the keywords of one axis (n, axis) or of several (s, axes).
func transform(f func(x any, opts ...fft.Option) *array.Array) Func {
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
	"fft.fft": transform(fft.FFT), "fft.ifft": transform(fft.IFFT), "fft.fft2": transform(fft.FFT2), "fft.ifft2": transform(fft.IFFT2),
	"fft.fftn": transform(fft.FFTN), "fft.ifftn": transform(fft.IFFTN), "fft.rfft": transform(fft.RFFT), "fft.irfft": transform(fft.IRFFT),
	"fft.rfft2": transform(fft.RFFT2), "fft.irfft2": transform(fft.IRFFT2), "fft.rfftn": transform(fft.RFFTN), "fft.irfftn": transform(fft.IRFFTN),
	"fft.hfft": transform(fft.HFFT), "fft.ihfft": transform(fft.IHFFT),
	"scipy.fft.dct": transform(fft.DCT), "scipy.fft.idct": transform(fft.IDCT), "scipy.fft.dctn": transform(fft.DCTN), "scipy.fft.idctn": transform(fft.IDCTN),
	"fft.fftfreq":   func(c *Call) any { return fft.FFTFreq(c.Int("n", 0), c.Float("d", 1)) },
	"fft.rfftfreq":  func(c *Call) any { return fft.RFFTFreq(c.Int("n", 0), c.Float("d", 1)) },
	"fft.fftshift":  func(c *Call) any { return fft.FFTShift(c.Args[0], c.Ints("axes")...) },
	"fft.ifftshift": func(c *Call) any { return fft.IFFTShift(c.Args[0], c.Ints("axes")...) },
}
