package primitive

import (
	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/lower/hlo"
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
func (t FFTType) String() string { return choice(fftTypes[:], t) }

var fftTypes = [...]string{"FFT", "IFFT", "RFFT", "IRFFT"}

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
	if err := known("type of transform", p.Type, len(fftTypes)); err != nil {
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

// JVP implements vjp.Differentiable.
func (p FFTP) JVP(x, dx []*array.Array) (y, dy []*array.Array, err error) {
	return BindAll(p, x...), BindAll(p, dx...), nil
}

// Transpose implements vjp.Linear. The matrices of FFT and IFFT are symmetric; the real transforms are complex ones
// with half of one side left out.
func (p FFTP) Transpose(ct []*array.Array, in []Operand) ([]*array.Array, error) {
	g := ct[0]
	switch p.Type {
	case RFFT:
		return []*array.Array{p.transposeRFFT(g)}, nil
	case IRFFT:
		return []*array.Array{p.transposeIRFFT(g)}, nil
	}
	return BindAll(p, g), nil
}

// transposeRFFT: RFFT is FFT of a number without imaginary part, cut to the first n/2+1 elements.
func (p FFTP) transposeRFFT(g *array.Array) *array.Array {
	last := p.Lengths.At(p.Lengths.Len() - 1)
	pads := make([]PadDim, g.Rank())
	pads[g.Rank()-1].Hi = last - g.Shape()[g.Rank()-1]
	full := Pad(g, Full(array.Aval{DType: g.DType()}, 0), pads)
	return Real(Bind(FFTP{FFT, p.Lengths}, full))
}

// transposeIRFFT: with N points, y_m = 1/N Σ_k c_k Re(x_k exp(2πikm/n)), where c_k is 2 for the elements that stand for
// their conjugates too, 1 for the others: the first, and for even n the last.
func (p FFTP) transposeIRFFT(g *array.Array) *array.Array {
	n, points := p.Lengths.At(p.Lengths.Len()-1), 1
	for _, l := range p.Lengths.Slice() {
		points *= l
	}
	weights := array.NewBuffer(g.DType(), array.Shape{n/2 + 1})
	for k := range n/2 + 1 {
		c := 2.0
		if k == 0 || 2*k == n {
			c = 1
		}
		weights.SetFloat(k, c/float64(points))
	}
	y := Conj(Bind(FFTP{RFFT, p.Lengths}, g))
	scale := BroadcastInDim(array.Of(array.Convert(weights, y.DType())), y.Shape(), []int{y.Rank() - 1})
	return Mul(y, scale)
}

// Batch implements vmap.Batcher.
func (p FFTP) Batch(_ int, in []*array.Array, dims []int) ([]*array.Array, []int, error) {
	return BindAll(p, moveAxis(in[0], dims[0], 0)), []int{0}, nil
}

// Lower implements Lowerable.
func (p FFTP) Lower(b *hlo.Builder, in []*hlo.Value, out []array.Aval) ([]*hlo.Value, error) {
	if out[0].Shape.Size() == 0 || in[0].Tensor().Shape.Size() == 0 {
		return []*hlo.Value{b.Splat(out[0], 0)}, nil
	}
	return b.Op("stablehlo.fft", out[0], in,
		hlo.NamedAttr{Name: "fft_length", Value: hlo.I64s(p.Lengths.Slice()...)},
		hlo.NamedAttr{Name: "fft_type", Value: hlo.SHLO("fft_type", p.Type.String())},
	), nil
}

// Fourier transforms x over its last axes. See FFTP.
func Fourier(x *array.Array, t FFTType, lengths ...int) *array.Array {
	return Bind(FFTP{t, array.MakeInts(lengths...)}, x)
}
