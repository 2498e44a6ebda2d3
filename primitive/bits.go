package primitive

import (
	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/lower/hlo"
)

// NotP is the complement: logical of bools, of each bit of integers.
//
//	x [...] bool or integer   →   [...] same dtype
type NotP struct{ bitUnary }

// Name implements Primitive.
func (NotP) Name() string { return "not" }

// Lower implements Lowerable.
func (NotP) Lower(b *hlo.Builder, in []*hlo.Value, out []array.Aval) ([]*hlo.Value, error) {
	return b.Op("stablehlo.not", out[0], in), nil
}

// Not returns the complement. See NotP.
func Not(x *array.Array) *array.Array { return Bind(NotP{}, x) }

// AndP is the conjunction: logical of bools, of each bit of integers.
//
//	x, y [...] bool or integer, one dtype and shape or a scalar   →   [...] same dtype
type AndP struct{ bitBinary }

// Name implements Primitive.
func (AndP) Name() string { return "and" }

// Lower implements Lowerable.
func (AndP) Lower(b *hlo.Builder, in []*hlo.Value, out []array.Aval) ([]*hlo.Value, error) {
	return lowerNary(b, "stablehlo.and", in, out)
}

// And returns the conjunction. See AndP.
func And(x, y *array.Array) *array.Array { return Bind(AndP{}, x, y) }

// OrP is the disjunction: logical of bools, of each bit of integers.
//
//	x, y [...] bool or integer, one dtype and shape or a scalar   →   [...] same dtype
type OrP struct{ bitBinary }

// Name implements Primitive.
func (OrP) Name() string { return "or" }

// Lower implements Lowerable.
func (OrP) Lower(b *hlo.Builder, in []*hlo.Value, out []array.Aval) ([]*hlo.Value, error) {
	return lowerNary(b, "stablehlo.or", in, out)
}

// Or returns the disjunction. See OrP.
func Or(x, y *array.Array) *array.Array { return Bind(OrP{}, x, y) }

// XorP is the exclusive disjunction: logical of bools, of each bit of integers.
//
//	x, y [...] bool or integer, one dtype and shape or a scalar   →   [...] same dtype
type XorP struct{ bitBinary }

// Name implements Primitive.
func (XorP) Name() string { return "xor" }

// Lower implements Lowerable.
func (XorP) Lower(b *hlo.Builder, in []*hlo.Value, out []array.Aval) ([]*hlo.Value, error) {
	return lowerNary(b, "stablehlo.xor", in, out)
}

// Xor returns the exclusive disjunction. See XorP.
func Xor(x, y *array.Array) *array.Array { return Bind(XorP{}, x, y) }

// ShiftLeftP shifts the bits of x up by y places; by as many as the type has bits or more, to zero.
//
//	x, y [...] integer, one dtype and shape or a scalar   →   [...] same dtype
type ShiftLeftP struct{ integerBinary }

// Name implements Primitive.
func (ShiftLeftP) Name() string { return "shift_left" }

// Lower implements Lowerable.
func (ShiftLeftP) Lower(b *hlo.Builder, in []*hlo.Value, out []array.Aval) ([]*hlo.Value, error) {
	return lowerNary(b, "stablehlo.shift_left", in, out)
}

// ShiftLeft shifts up. See ShiftLeftP.
func ShiftLeft(x, y *array.Array) *array.Array { return Bind(ShiftLeftP{}, x, y) }

// ShiftRightLogicalP shifts the bits of x down by y places and zeros in, also for signed types.
//
//	x, y [...] integer, one dtype and shape or a scalar   →   [...] same dtype
type ShiftRightLogicalP struct{ integerBinary }

// Name implements Primitive.
func (ShiftRightLogicalP) Name() string { return "shift_right_logical" }

// Lower implements Lowerable.
func (ShiftRightLogicalP) Lower(b *hlo.Builder, in []*hlo.Value, out []array.Aval) ([]*hlo.Value, error) {
	return lowerNary(b, "stablehlo.shift_right_logical", in, out)
}

// ShiftRightLogical shifts down with zeros. See ShiftRightLogicalP.
func ShiftRightLogical(x, y *array.Array) *array.Array { return Bind(ShiftRightLogicalP{}, x, y) }

// ShiftRightArithmeticP shifts the bits of x down by y places and copies of the highest bit in, also for unsigned types.
//
//	x, y [...] integer, one dtype and shape or a scalar   →   [...] same dtype
type ShiftRightArithmeticP struct{ integerBinary }

// Name implements Primitive.
func (ShiftRightArithmeticP) Name() string { return "shift_right_arithmetic" }

// Lower implements Lowerable.
func (ShiftRightArithmeticP) Lower(b *hlo.Builder, in []*hlo.Value, out []array.Aval) ([]*hlo.Value, error) {
	return lowerNary(b, "stablehlo.shift_right_arithmetic", in, out)
}

// ShiftRightArithmetic shifts down with the sign. See ShiftRightArithmeticP.
func ShiftRightArithmetic(x, y *array.Array) *array.Array {
	return Bind(ShiftRightArithmeticP{}, x, y)
}

// PopulationCountP counts the bits that are set.
//
//	x [...] integer   →   [...] same dtype
type PopulationCountP struct{ integerUnary }

// Name implements Primitive.
func (PopulationCountP) Name() string { return "population_count" }

// Lower implements Lowerable.
func (PopulationCountP) Lower(b *hlo.Builder, in []*hlo.Value, out []array.Aval) ([]*hlo.Value, error) {
	return b.Op("stablehlo.popcnt", out[0], in), nil
}

// PopulationCount counts the bits that are set. See PopulationCountP.
func PopulationCount(x *array.Array) *array.Array { return Bind(PopulationCountP{}, x) }

// ClzP counts the zero bits in front of the highest one that is set.
//
//	x [...] integer   →   [...] same dtype
type ClzP struct{ integerUnary }

// Name implements Primitive.
func (ClzP) Name() string { return "clz" }

// Lower implements Lowerable.
func (ClzP) Lower(b *hlo.Builder, in []*hlo.Value, out []array.Aval) ([]*hlo.Value, error) {
	return b.Op("stablehlo.count_leading_zeros", out[0], in), nil
}

// Clz counts leading zero bits. See ClzP.
func Clz(x *array.Array) *array.Array { return Bind(ClzP{}, x) }
