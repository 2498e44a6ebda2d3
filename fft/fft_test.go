package fft_test

import (
	"errors"
	"fmt"
	"math"
	"math/cmplx"
	"testing"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/fft"
	"github.com/pantograph-go/pantograph/np"
	"github.com/pantograph-go/pantograph/trace"
)

func ExampleFFT() {
	fmt.Println(fft.FFT([]float64{1, 0, 0, 0}))
	// Output: [1.+0.j 1.+0.j 1.+0.j 1.+0.j]
}

func signal(n int) []complex128 {
	x := make([]complex128, n)
	for i := range x {
		x[i] = complex(math.Sin(float64(3*i+1)), math.Cos(float64(i*i)))
	}
	return x
}

func near(t *testing.T, what string, got, want []complex128) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: %d elements, want %d", what, len(got), len(want))
	}
	for i := range got {
		if cmplx.Abs(got[i]-want[i]) > 1e-11*float64(len(want)) {
			t.Fatalf("%s: element %d is %v, want %v", what, i, got[i], want[i])
		}
	}
}

// The definition, for lengths with and without small factors, and the inverse.
func TestAgainstTheSum(t *testing.T) {
	for _, n := range []int{1, 2, 3, 4, 5, 7, 8, 12, 31, 64, 97} {
		x := signal(n)
		want := make([]complex128, n)
		for k := range want {
			for i, v := range x {
				want[k] += v * cmplx.Exp(complex(0, -2*math.Pi*float64(k*i%n)/float64(n)))
			}
		}
		y := fft.FFT(x)
		near(t, fmt.Sprint("FFT of ", n), y.Complex128s(), want)
		near(t, fmt.Sprint("IFFT of ", n), fft.IFFT(y).Complex128s(), x)
	}
}

func TestCosineAgainstTheSum(t *testing.T) {
	for _, n := range []int{1, 2, 3, 5, 8, 9} {
		x := make([]float64, n)
		want := make([]complex128, n)
		for i := range x {
			x[i] = math.Sin(float64(2*i + 1))
		}
		for k := range want {
			for i, v := range x {
				want[k] += complex(2*v*math.Cos(math.Pi*float64(k*(2*i+1))/float64(2*n)), 0)
			}
		}
		y := fft.DCT(x)
		near(t, fmt.Sprint("DCT of ", n), y.AsType(np.Complex128).Complex128s(), want)
		for _, norm := range []string{"backward", "ortho"} {
			back := fft.IDCT(fft.DCT(x, fft.Norm(norm)), fft.Norm(norm)).Float64s()
			for i := range back {
				if math.Abs(back[i]-x[i]) > 1e-12 {
					t.Errorf("IDCT of %d, %s: element %d is %v, want %v", n, norm, i, back[i], x[i])
				}
			}
		}
	}
}

func TestErrors(t *testing.T) {
	x := np.Ones([]int{2, 3})
	for name, c := range map[string]struct {
		run  func()
		kind any
	}{
		"axis":    {func() { fft.FFT(x, fft.Axis(4)) }, new(*array.AxisError)},
		"twice":   {func() { fft.FFTN(x, fft.Axis(0, 0)) }, new(*array.AxisError)},
		"length":  {func() { fft.FFT(x, fft.Length(0)) }, new(*array.ArgumentError)},
		"lengths": {func() { fft.FFT2(x, fft.Length(2)) }, new(*array.ArgumentError)},
		"norm":    {func() { fft.FFT(x, fft.Norm("half")) }, new(*array.ArgumentError)},
		"complex": {func() { fft.RFFT(x.AsType(np.Complex64)) }, new(*array.DTypeError)},
		"rank":    {func() { fft.FFT(1.0) }, new(*array.AxisError)},
	} {
		if err := trace.Try(c.run); !errors.As(err, c.kind) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
