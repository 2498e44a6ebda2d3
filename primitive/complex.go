package primitive

import (
	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/lower/hlo"
)

// The derivative of a function of complex numbers is that of a function of their parts that is linear over the complex
// numbers where it is holomorphic: tangents are complex, and transposes do not conjugate.

// RealP is the real part.
//
//	x [...] complex   →   [...] its real dtype
//
// JVP: linear.
type RealP struct{ elementwise }

// Name implements Primitive.
func (RealP) Name() string { return "real" }

// Shape implements Primitive.
func (RealP) Shape(in []array.Aval) ([]array.Aval, error) { return partShape(in) }

func partShape(in []array.Aval) ([]array.Aval, error) {
	a, err := sameOperands(in, 1, complexes)
	a.DType = a.DType.Real()
	return one(a, err)
}

// JVP implements vjp.Differentiable.
func (RealP) JVP(x, dx []*array.Array) (y, dy []*array.Array, err error) {
	return single(Real(x[0]), Real(dx[0]))
}

// Transpose implements vjp.Linear.
func (RealP) Transpose(ct []*array.Array, _ []Operand) ([]*array.Array, error) {
	return []*array.Array{Complex(ct[0], like(ct[0], 0))}, nil
}

// Lower implements Lowerable.
func (RealP) Lower(b *hlo.Builder, in []*hlo.Value, out []array.Aval) ([]*hlo.Value, error) {
	return b.Op("stablehlo.real", out[0], in), nil
}

// Real returns the real part. See RealP.
func Real(x *array.Array) *array.Array { return Bind(RealP{}, x) }

// ImagP is the imaginary part.
//
//	x [...] complex   →   [...] its real dtype
//
// JVP: linear. Its transpose takes ct to -i ct.
type ImagP struct{ elementwise }

// Name implements Primitive.
func (ImagP) Name() string { return "imag" }

// Shape implements Primitive.
func (ImagP) Shape(in []array.Aval) ([]array.Aval, error) { return partShape(in) }

// JVP implements vjp.Differentiable.
func (ImagP) JVP(x, dx []*array.Array) (y, dy []*array.Array, err error) {
	return single(Imag(x[0]), Imag(dx[0]))
}

// Transpose implements vjp.Linear.
func (ImagP) Transpose(ct []*array.Array, _ []Operand) ([]*array.Array, error) {
	return []*array.Array{Complex(like(ct[0], 0), Neg(ct[0]))}, nil
}

// Lower implements Lowerable.
func (ImagP) Lower(b *hlo.Builder, in []*hlo.Value, out []array.Aval) ([]*hlo.Value, error) {
	return b.Op("stablehlo.imag", out[0], in), nil
}

// Imag returns the imaginary part. See ImagP.
func Imag(x *array.Array) *array.Array { return Bind(ImagP{}, x) }

// ComplexP is x + i y.
//
//	x, y [...] float32 or float64, one dtype and shape or a scalar   →   [...] complex64 or complex128
//
// JVP: linear.
type ComplexP struct{ elementwise }

// Name implements Primitive.
func (ComplexP) Name() string { return "complex" }

// Shape implements Primitive.
func (ComplexP) Shape(in []array.Aval) ([]array.Aval, error) {
	a, err := sameOperands(in, 2, reals)
	if err == nil {
		err = hasParts("lhs", a.DType)
	}
	a.DType = a.DType.Complex()
	return one(a, err)
}

// hasParts refuses real types that no complex type is made of.
func hasParts(name string, d array.DType) error {
	if d != array.Float32 && d != array.Float64 && !d.IsComplex() {
		return array.DTypeErrorf("%s is %s; complex numbers have parts of float32 or float64: convert with AsType", name, d)
	}
	return nil
}

// JVP implements vjp.Differentiable.
func (ComplexP) JVP(x, dx []*array.Array) (y, dy []*array.Array, err error) {
	re, im := dx[0], dx[1]
	if re == nil {
		re = fullLike(x[0], 0)
	}
	if im == nil {
		im = fullLike(x[1], 0)
	}
	return single(Complex(x[0], x[1]), Complex(re, im))
}

// Transpose implements vjp.Linear.
func (ComplexP) Transpose(ct []*array.Array, in []Operand) ([]*array.Array, error) {
	out := make([]*array.Array, 2)
	if in[0].Value == nil {
		out[0] = unspread(Real(ct[0]), in[0].Aval)
	}
	if in[1].Value == nil {
		out[1] = unspread(Imag(Neg(ct[0])), in[1].Aval)
	}
	return out, nil
}

// Lower implements Lowerable.
func (ComplexP) Lower(b *hlo.Builder, in []*hlo.Value, out []array.Aval) ([]*hlo.Value, error) {
	return lowerNary(b, "stablehlo.complex", in, out)
}

// Complex returns x + i y. See ComplexP.
func Complex(x, y *array.Array) *array.Array { return Bind(ComplexP{}, x, y) }

// ConjP is the complex conjugate; of a real x it is x as a complex number.
//
//	x [...] complex, float32 or float64   →   [...] complex
//
// JVP: linear over the real numbers. Its transpose conjugates, and takes the real part where x is real.
type ConjP struct {
	elementwise
	InputDType array.DType // the dtype of x
}

// Name implements Primitive.
func (ConjP) Name() string { return "conj" }

// Params implements Parametric.
func (p ConjP) Params() []Param { return []Param{{"input_dtype", p.InputDType}} }

// Shape implements Primitive.
func (p ConjP) Shape(in []array.Aval) ([]array.Aval, error) {
	a, err := sameOperands(in, 1, inexact)
	if err == nil {
		err = hasParts("operand", a.DType)
	}
	if err == nil && a.DType != p.InputDType {
		err = array.DTypeErrorf("operand is %s, but the parameter says %s", a.DType, p.InputDType)
	}
	a.DType = a.DType.Complex()
	return one(a, err)
}

// JVP implements vjp.Differentiable.
func (p ConjP) JVP(x, dx []*array.Array) (y, dy []*array.Array, err error) {
	return single(Bind(p, x...), Bind(p, dx...))
}

// Transpose implements vjp.Linear.
func (p ConjP) Transpose(ct []*array.Array, _ []Operand) ([]*array.Array, error) {
	if p.InputDType.IsComplex() {
		return []*array.Array{Conj(ct[0])}, nil
	}
	return []*array.Array{Real(ct[0])}, nil
}

// Lower implements Lowerable.
func (p ConjP) Lower(b *hlo.Builder, in []*hlo.Value, _ []array.Aval) ([]*hlo.Value, error) {
	return compose(b, in, func(in []*array.Array) []*array.Array {
		x := in[0]
		if p.InputDType.IsComplex() {
			return []*array.Array{Complex(Real(x), Neg(Imag(x)))}
		}
		return []*array.Array{Complex(x, like(x, 0))}
	})
}

// Conj returns the complex conjugate. See ConjP.
func Conj(x *array.Array) *array.Array { return Bind(ConjP{InputDType: x.DType()}, x) }
