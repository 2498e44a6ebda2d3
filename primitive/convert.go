package primitive

import (
	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/lower/hlo"
)

// ConvertElementTypeP converts to another dtype. Floats round once to nearest even; a float becomes an integer by
// truncation and saturation, NaN 0; an integer out of range wraps; complex to real drops the imaginary part; anything
// to bool is x != 0.
//
//	x [...]   →   [...] NewDType, with a weak type where Weak is set
//
// JVP: linear, and zero where either type is no floating-point or complex one.
type ConvertElementTypeP struct {
	elementwise
	NewDType array.DType
	Weak     bool
}

// Name implements Primitive.
func (ConvertElementTypeP) Name() string { return "convert_element_type" }

// Params implements Parametric.
func (p ConvertElementTypeP) Params() []Param {
	return []Param{{"new_dtype", p.NewDType}, {"weak_type", p.Weak}}
}

// Shape implements Primitive.
func (p ConvertElementTypeP) Shape(in []array.Aval) ([]array.Aval, error) {
	a, err := sameOperands(in, 1, anything)
	if err == nil && kindOf(p.NewDType)&anything == 0 {
		err = array.DTypeErrorf("cannot convert %s to %s; conversion is between numbers and bools", a, p.NewDType)
	}
	return one(array.Aval{Shape: a.Shape, DType: p.NewDType, Weak: p.Weak}, err)
}

// JVP implements vjp.Differentiable.
func (p ConvertElementTypeP) JVP(x, dx []*array.Array) (y, dy []*array.Array, err error) {
	if !p.NewDType.IsInexact() {
		return flat(p, x)
	}
	return single(Bind(p, x...), Bind(p, dx...))
}

// Transpose implements vjp.Linear.
func (p ConvertElementTypeP) Transpose(ct []*array.Array, in []Operand) ([]*array.Array, error) {
	a := in[0].Aval
	return []*array.Array{converted(ct[0], a.DType, a.Weak)}, nil
}

// Lower implements Lowerable.
func (p ConvertElementTypeP) Lower(b *hlo.Builder, in []*hlo.Value, out []array.Aval) ([]*hlo.Value, error) {
	x := in[0]
	from := x.Tensor().Elem
	switch {
	case from == p.NewDType:
		return in, nil
	case p.NewDType == array.Bool:
		a := x.Aval()
		return lowerCompare(b, "NE", []*hlo.Value{x, b.Splat(a, 0)}, out)
	case from.IsComplex() && !p.NewDType.IsComplex():
		x = b.Op1("stablehlo.real", array.Aval{Shape: out[0].Shape, DType: from.Real()}, nil, x)
		if from.Real() == p.NewDType {
			return []*hlo.Value{x}, nil
		}
	}
	return b.Op("stablehlo.convert", out[0], []*hlo.Value{x}), nil
}

// Convert returns x as a strong type d; x itself where it has that type. See ConvertElementTypeP.
func Convert(x *array.Array, d array.DType) *array.Array { return converted(x, d, false) }

// ConvertWeak returns x as a weak type d. See ConvertElementTypeP.
func ConvertWeak(x *array.Array, d array.DType) *array.Array { return converted(x, d, true) }

func converted(x *array.Array, d array.DType, weak bool) *array.Array {
	if a := x.Aval(); a.DType == d && a.Weak == weak {
		return x
	}
	return Bind(ConvertElementTypeP{NewDType: d, Weak: weak}, x)
}

// BitcastConvertTypeP reads the bits of x as another dtype. A wider type becomes several narrow elements along a new last
// axis, the low bits first; the other way round that axis disappears.
//
//	x [...] integer or real float of w bits   →   [...] NewDType of w bits
//	                                          →   [..., w/v] NewDType of v bits, v < w
//	x [..., v/w]                              →   [...] NewDType of v bits, v > w
//
// Bools, complex numbers and keys have no bits to read: with them NewDType is the type of x. No derivative.
type BitcastConvertTypeP struct{ NewDType array.DType }

// Name implements Primitive.
func (BitcastConvertTypeP) Name() string { return "bitcast_convert_type" }

// Params implements Parametric.
func (p BitcastConvertTypeP) Params() []Param { return []Param{{"new_dtype", p.NewDType}} }

// Shape implements Primitive.
func (p BitcastConvertTypeP) Shape(in []array.Aval) ([]array.Aval, error) {
	x, err := oneOperand(in)
	if err != nil {
		return nil, err
	}
	const plain = integers | reals
	if x.DType != p.NewDType && (kindOf(x.DType)&plain == 0 || kindOf(p.NewDType)&plain == 0) {
		return nil, array.DTypeErrorf("the bits of %s cannot be read as %s; it takes integers and real floating-point numbers: convert with AsType", x, p.NewDType)
	}
	from, to := x.DType.Bits(), p.NewDType.Bits()
	out := array.Aval{Shape: x.Shape, DType: p.NewDType}
	switch {
	case from > to:
		out.Shape = x.Shape.Insert(x.Shape.Rank(), from/to)
	case from < to:
		n := x.Shape.Rank()
		if n == 0 || x.Shape[n-1]*from != to {
			return nil, array.ShapeErrorf("to read %s as %s, which has %d bits, the last axis must have %d elements of %d bits", x, p.NewDType, to, to/from, from)
		}
		out.Shape = x.Shape.Without(n - 1)
	}
	return []array.Aval{out}, nil
}

// JVP implements vjp.Differentiable: bits have no derivative.
func (p BitcastConvertTypeP) JVP(x, _ []*array.Array) (y, dy []*array.Array, err error) {
	return flat(p, x)
}

// Batch implements vmap.Batcher.
func (p BitcastConvertTypeP) Batch(size int, in []*array.Array, dims []int) ([]*array.Array, []int, error) {
	return BindAll(p, batchAt(in[0], size, dims[0], 0)), []int{0}, nil
}

// Lower implements Lowerable.
func (p BitcastConvertTypeP) Lower(b *hlo.Builder, in []*hlo.Value, out []array.Aval) ([]*hlo.Value, error) {
	if in[0].Tensor().Elem == p.NewDType {
		return in, nil
	}
	return b.Op("stablehlo.bitcast_convert", out[0], in), nil
}

// BitcastConvert reads the bits of x as type d. See BitcastConvertTypeP.
func BitcastConvert(x *array.Array, d array.DType) *array.Array {
	return Bind(BitcastConvertTypeP{d}, x)
}
