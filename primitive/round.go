package primitive

import (
	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/lower/hlo"
)

// FloorP rounds down to a whole number.
//
//	x [...] real float   →   [...] same dtype
//
// JVP: zero.
type FloorP struct{ realUnary }

// Name implements Primitive.
func (FloorP) Name() string { return "floor" }

// JVP implements vjp.Differentiable.
func (p FloorP) JVP(x, _ []*array.Array) (y, dy []*array.Array, err error) { return flat(p, x) }

// Lower implements Lowerable.
func (FloorP) Lower(b *hlo.Builder, in []*hlo.Value, out []array.Aval) ([]*hlo.Value, error) {
	return b.Op("stablehlo.floor", out[0], in), nil
}

// Floor rounds down. See FloorP.
func Floor(x *array.Array) *array.Array { return Bind(FloorP{}, x) }

// CeilP rounds up to a whole number.
//
//	x [...] real float   →   [...] same dtype
//
// JVP: zero.
type CeilP struct{ realUnary }

// Name implements Primitive.
func (CeilP) Name() string { return "ceil" }

// JVP implements vjp.Differentiable.
func (p CeilP) JVP(x, _ []*array.Array) (y, dy []*array.Array, err error) { return flat(p, x) }

// Lower implements Lowerable.
func (CeilP) Lower(b *hlo.Builder, in []*hlo.Value, out []array.Aval) ([]*hlo.Value, error) {
	return b.Op("stablehlo.ceil", out[0], in), nil
}

// Ceil rounds up. See CeilP.
func Ceil(x *array.Array) *array.Array { return Bind(CeilP{}, x) }

// RoundingMethod says where RoundP takes a number that lies half way between two whole ones.
type RoundingMethod uint8

// The methods: 2.5 becomes 3, or 2.
const (
	AwayFromZero RoundingMethod = iota
	ToNearestEven
)

// String is JAX's name.
func (m RoundingMethod) String() string {
	return [...]string{"AWAY_FROM_ZERO", "TO_NEAREST_EVEN"}[m]
}

// RoundP rounds to the nearest whole number.
//
//	x [...] real float   →   [...] same dtype
//
// JVP: zero.
type RoundP struct {
	realUnary
	Method RoundingMethod
}

// Name implements Primitive.
func (RoundP) Name() string { return "round" }

// Params implements Parametric.
func (p RoundP) Params() []Param { return []Param{{"rounding_method", int(p.Method)}} }

// JVP implements vjp.Differentiable.
func (p RoundP) JVP(x, _ []*array.Array) (y, dy []*array.Array, err error) { return flat(p, x) }

// Lower implements Lowerable.
func (p RoundP) Lower(b *hlo.Builder, in []*hlo.Value, out []array.Aval) ([]*hlo.Value, error) {
	name := "stablehlo.round_nearest_afz"
	if p.Method == ToNearestEven {
		name = "stablehlo.round_nearest_even"
	}
	return b.Op(name, out[0], in), nil
}

// Round rounds to the nearest whole number. See RoundP.
func Round(x *array.Array, m RoundingMethod) *array.Array { return Bind(RoundP{Method: m}, x) }

// RoundNearestEven rounds to the nearest whole number, halves to the even one. See RoundP.
func RoundNearestEven(x *array.Array) *array.Array { return Round(x, ToNearestEven) }

// IsFiniteP tells numbers from infinities and NaN.
//
//	x [...] real float   →   [...] bool
//
// No derivative.
type IsFiniteP struct{ elementwise }

// Name implements Primitive.
func (IsFiniteP) Name() string { return "is_finite" }

// Shape implements Primitive.
func (IsFiniteP) Shape(in []array.Aval) ([]array.Aval, error) {
	a, err := sameOperands(in, 1, reals)
	return one(array.Aval{Shape: a.Shape, DType: array.Bool}, err)
}

// JVP implements vjp.Differentiable.
func (p IsFiniteP) JVP(x, _ []*array.Array) (y, dy []*array.Array, err error) { return flat(p, x) }

// Lower implements Lowerable.
func (IsFiniteP) Lower(b *hlo.Builder, in []*hlo.Value, out []array.Aval) ([]*hlo.Value, error) {
	return b.Op("stablehlo.is_finite", out[0], in), nil
}

// IsFinite tells numbers from infinities and NaN. See IsFiniteP.
func IsFinite(x *array.Array) *array.Array { return Bind(IsFiniteP{}, x) }

// NextafterP is the next representable number from x towards y.
//
//	x, y [...] real float, one dtype and shape or a scalar   →   [...] same dtype
//
// No derivative.
type NextafterP struct{ realBinary }

// Name implements Primitive.
func (NextafterP) Name() string { return "nextafter" }

// Lower implements Lowerable.
func (NextafterP) Lower(b *hlo.Builder, in []*hlo.Value, out []array.Aval) ([]*hlo.Value, error) {
	return lowerNary(b, "chlo.next_after", in, out)
}

// Nextafter returns the next number from x towards y. See NextafterP.
func Nextafter(x, y *array.Array) *array.Array { return Bind(NextafterP{}, x, y) }

// ReducePrecisionP rounds to what a format of ExponentBits and MantissaBits can hold, in the dtype of x: beyond its
// range to infinity, below it to zero.
//
//	x [...] real float   →   [...] same dtype
//
// JVP: dx rounded alike.
type ReducePrecisionP struct {
	realUnary
	ExponentBits, MantissaBits int
}

// Name implements Primitive.
func (ReducePrecisionP) Name() string { return "reduce_precision" }

// Params implements Parametric.
func (p ReducePrecisionP) Params() []Param {
	return []Param{{"exponent_bits", p.ExponentBits}, {"mantissa_bits", p.MantissaBits}}
}

// Shape implements Primitive.
func (p ReducePrecisionP) Shape(in []array.Aval) ([]array.Aval, error) {
	if p.ExponentBits < 1 || p.MantissaBits < 0 {
		return nil, array.ArgumentErrorf("a format of %d exponent and %d mantissa bits does not exist; it has at least 1 and 0", p.ExponentBits, p.MantissaBits)
	}
	return p.realUnary.Shape(in)
}

// JVP implements vjp.Differentiable.
func (p ReducePrecisionP) JVP(x, dx []*array.Array) (y, dy []*array.Array, err error) {
	return single(Bind(p, x...), Bind(p, dx...))
}

// Transpose implements vjp.Linear.
func (p ReducePrecisionP) Transpose(ct []*array.Array, _ []Operand) ([]*array.Array, error) {
	return BindAll(p, ct...), nil
}

// Lower implements Lowerable.
func (p ReducePrecisionP) Lower(b *hlo.Builder, in []*hlo.Value, out []array.Aval) ([]*hlo.Value, error) {
	return b.Op("stablehlo.reduce_precision", out[0], in,
		hlo.NamedAttr{Name: "exponent_bits", Value: hlo.I32(p.ExponentBits)},
		hlo.NamedAttr{Name: "mantissa_bits", Value: hlo.I32(p.MantissaBits)}), nil
}

// ReducePrecision rounds to a narrower format. See ReducePrecisionP.
func ReducePrecision(x *array.Array, exponentBits, mantissaBits int) *array.Array {
	return Bind(ReducePrecisionP{ExponentBits: exponentBits, MantissaBits: mantissaBits}, x)
}
