package primitive

import (
	"github.com/pantograph-go/pantograph/array"
)

// FFTType is the kind of a Fourier transform.
type FFTType uint8

// The transforms, as XLA names them: complex forward and inverse, real input forward, and the inverse of that.
const (
	FFT FFTType = iota
	IFFT
	RFFT
	IRFFT
)

// String is XLA's name.
func (t FFTType) String() string { return [...]string{"FFT", "IFFT", "RFFT", "IRFFT"}[t] }

// FFTP is the discrete Fourier transform over the last axes, whose sizes are Lengths.
//
//	FFT, IFFT  complex [..., n]           →   [..., n]; the inverse divides by the number of points
//	RFFT       real [..., n]              →   complex [..., n/2+1]: the other half follows by symmetry
//	IRFFT      complex [..., n/2+1]       →   real [..., n]; imaginary parts that symmetry forbids are ignored
//
// JVP: linear.
type FFTP struct {
	Type    FFTType
	Lengths array.Ints // one to three
}

// Name implements Primitive.
func (FFTP) Name() string { return "fft" }

// Params implements Parametric.
func (p FFTP) Params() []Param { return []Param{{"fft_lengths", p.Lengths}, {"fft_type", int(p.Type)}} }

// Shape implements Primitive.
func (p FFTP) Shape(in []array.Aval) ([]array.Aval, error) {
	x, err := oneOperand(in)
	if err != nil {
		return nil, err
	}
	n := p.Lengths.Len()
	if n < 1 || n > 3 || n > x.Shape.Rank() {
		return nil, array.ArgumentErrorf("lengths %s: a transform is over 1 to 3 axes of the operand, which is %s", p.Lengths, x)
	}
	if p.Type == RFFT {
		if x.DType != array.Float32 && x.DType != array.Float64 {
			return nil, array.DTypeErrorf("operand of RFFT is %s; it takes float32 and float64", x.DType)
		}
	} else if !x.DType.IsComplex() {
		return nil, array.DTypeErrorf("operand of %s is %s; it takes complex64 and complex128: convert it, or use RFFT", p.Type, x.DType)
	}
	out := x.Shape.Clone()
	for i, l := range p.Lengths.Slice() {
		axis := x.Shape.Rank() - n + i
		want, got := l, x.Shape[axis]
		if i == n-1 {
			switch p.Type {
			case RFFT:
				out[axis] = l/2 + 1
			case IRFFT:
				want, out[axis] = l/2+1, l
			}
		}
		if got != want || l < 0 {
			return nil, array.ShapeErrorf("length %d of %s needs %d elements along axis %d, but the operand is %s", l, p.Type, want, axis, x)
		}
	}
	d := x.DType
	switch p.Type {
	case RFFT:
		d = d.Complex()
	case IRFFT:
		d = d.Real()
	}
	return []array.Aval{{Shape: out, DType: d, Weak: x.Weak}}, nil
}

// Fourier transforms x over its last axes. See FFTP.
func Fourier(x *array.Array, t FFTType, lengths ...int) *array.Array {
	return Bind(FFTP{t, array.MakeInts(lengths...)}, x)
}
