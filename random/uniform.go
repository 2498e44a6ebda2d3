package random

import (
	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/primitive"
)

// Uniform draws from the uniform distribution on [0, 1).
//
//	key []   →   [shape] float64, or the floating-point dtype that follows
func Uniform(key *array.Array, shape []int, dtype ...array.DType) *array.Array {
	const op = "random.Uniform"
	return unit(op, key, fit(op, shape), floatOf(op, dtype))
}

// UniformRange draws from the uniform distribution on [low, high), which are numbers or arrays that broadcast to shape; a
// nil shape is theirs. Rounding may give high itself.
func UniformRange(key *array.Array, shape []int, low, high any, dtype ...array.DType) *array.Array {
	const op = "random.UniformRange"
	d := floatOf(op, dtype)
	lo, hi := parameter(op, low, d), parameter(op, high, d)
	return between(op, key, shapeOf(op, shape, lo, hi), lo, hi)
}

// between draws on [lo, hi), arrays of the result's dtype.
func between(op string, key *array.Array, shape array.Shape, lo, hi *array.Array) *array.Array {
	u := unit(op, key, shape, lo.DType()).Mul(hi.Sub(lo)).Add(lo)
	return primitive.Max(lo.BroadcastTo(shape...), u)
}

// from draws on [lo, 1) of dtype d.
func from(op string, key *array.Array, shape array.Shape, lo float64, d array.DType) *array.Array {
	return between(op, key, shape, filled(d, nil, lo), filled(d, nil, 1))
}

// unit fills the mantissa of numbers in [1, 2) with random bits and takes 1 off, which gives every multiple of the
// spacing below 1 the same chance.
func unit(op string, key *array.Array, shape array.Shape, d array.DType) *array.Array {
	mantissa, width := floats[d].mantissa, d.Bits()
	if mantissa < 8 {
		width = 8
	}
	bits := draw(op, key, width, shape)
	if width != d.Bits() {
		bits = primitive.Convert(bits, unsigned(d.Bits()))
	}
	one := array.NewBuffer(d, nil)
	one.SetFloat(0, 1)
	exponent, err := array.WrapBuffer(bits.DType(), nil, one.Bytes())
	if err != nil {
		panic(array.Wrap(op, err))
	}
	bits = primitive.ShiftRightLogical(bits, filled(bits.DType(), shape, float64(width-mantissa)))
	bits = primitive.Or(bits, array.Of(exponent).BroadcastTo(shape...))
	x := primitive.BitcastConvert(bits, d)
	return primitive.Sub(x, filled(d, shape, 1))
}

func unsigned(bits int) array.DType {
	return map[int]array.DType{8: array.Uint8, 16: array.Uint16, 32: array.Uint32, 64: array.Uint64}[bits]
}
