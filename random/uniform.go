package random

import (
	"math"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/primitive"
)

// Uniform draws from the uniform distribution on [0, 1).
//
//	key []   →   [shape] float64, or the floating-point dtype that follows
func Uniform(key *array.Array, shape []int, dtype ...array.DType) *array.Array {
	return unit(key, shape, floatOf("random.Uniform", dtype))
}

// UniformRange draws from the uniform distribution on [low, high), which are numbers or arrays that broadcast to shape.
// Rounding may give high itself.
func UniformRange(key *array.Array, shape []int, low, high any, dtype ...array.DType) *array.Array {
	d := floatOf("random.UniformRange", dtype)
	lo, hi := number(low, d), number(high, d)
	u := unit(key, shape, d).Mul(hi.Sub(lo)).Add(lo)
	return primitive.Max(lo.BroadcastTo(shape...), u)
}

// unit fills the mantissa of numbers in [1, 2) with random bits and takes 1 off, which gives every multiple of the
// spacing below 1 the same chance.
func unit(key *array.Array, shape []int, d array.DType) *array.Array {
	mantissa := map[array.DType]int{array.BFloat16: 7, array.Float16: 10, array.Float32: 23, array.Float64: 52}[d]
	width := d.Bits()
	if mantissa < 8 {
		width = 8
	}
	bits := primitive.Bind(BitsP{impl("random.Uniform", key), width, array.MakeInts(shape...)}, key)
	bits = primitive.Convert(bits, unsigned(d.Bits()))
	one := array.NewBuffer(d, nil)
	one.SetFloat(0, 1)
	exponent := primitive.BitcastConvert(array.Of(one), bits.DType())
	bits = primitive.ShiftRightLogical(bits, primitive.Full(bits.Aval(), float64(width-mantissa)))
	bits = primitive.Or(bits, primitive.BroadcastInDim(exponent, shape, nil))
	x := primitive.BitcastConvert(bits, d)
	return primitive.Sub(x, primitive.Full(x.Aval(), 1))
}

func unsigned(bits int) array.DType {
	return map[int]array.DType{8: array.Uint8, 16: array.Uint16, 32: array.Uint32, 64: array.Uint64}[bits]
}

// Normal draws from the standard normal distribution: √2 erf⁻¹(u) of u uniform on (-1, 1). Complex dtypes have
// independent parts of variance ½.
//
//	key []   →   [shape] float64, or the floating-point or complex dtype that follows
func Normal(key *array.Array, shape []int, dtype ...array.DType) *array.Array {
	if len(dtype) > 0 && dtype[0].IsComplex() {
		keys := Keys(key, 2)
		re, im := Normal(keys[0], shape, dtype[0].Real()), Normal(keys[1], shape, dtype[0].Real())
		half := number(math.Sqrt2, dtype[0].Real())
		return primitive.Complex(re.Div(half), im.Div(half))
	}
	d := floatOf("random.Normal", dtype)
	u := UniformRange(key, shape, math.Nextafter(-1, 0), 1, d)
	if d != array.Float64 {
		u = UniformRange(key, shape, below(d), 1, d)
	}
	return primitive.ErfInv(u).Mul(number(math.Sqrt2, d))
}

// below is the number next to -1 towards zero in d.
func below(d array.DType) float64 {
	eps := map[array.DType]float64{array.BFloat16: 0x1p-8, array.Float16: 0x1p-11, array.Float32: 0x1p-24}[d]
	return eps - 1
}

// number is v, a Go number or an array, in dtype d.
func number(v any, d array.DType) *array.Array {
	x, err := array.FromValue(v)
	if err != nil {
		panic(array.Wrap("random", err))
	}
	return primitive.Convert(x, d)
}

func floatOf(op string, dtype []array.DType) array.DType {
	if len(dtype) == 0 {
		return array.Float64
	}
	switch d := dtype[0]; d {
	case array.BFloat16, array.Float16, array.Float32, array.Float64:
		return d
	default:
		panic(array.Wrap(op, array.DTypeErrorf("draws floating-point numbers, not %s", d)))
	}
}
