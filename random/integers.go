package random

import (
	"math"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/primitive"
)

// Randint draws integers from low up to high-1, uniformly; a nil shape is that of the bounds. Where high is not above low,
// low is drawn; bounds beyond the dtype are cut to it, and a high above its largest number lets that one be drawn.
//
//	key [], low, high integers or integer arrays   →   [shape] int64, or the integer dtype that follows
//
// Types of 8 and 16 bits are drawn in 32. Twice as many random bits as the type has are reduced modulo high - low, so a
// range that is no power of two is biased by about (high - low) 2^-64 for 32 bits.
func Randint(key *array.Array, shape []int, low, high any, dtype ...array.DType) *array.Array {
	const op = "random.Randint"
	d := integerOf(op, dtype)
	lo, hi := bound(op, low), bound(op, high)
	s := shapeOf(op, shape, lo, hi)
	if d.Bits() >= 32 {
		return randint(op, key, s, lo, hi, d)
	}
	least, most := limits(d)
	cut := func(x *array.Array, most int64) *array.Array {
		x = as(x, array.Int32)
		return primitive.Clamp(exactly(array.Int32, least), x, exactly(array.Int32, most))
	}
	return primitive.Convert(randint(op, key, s, cut(lo, int64(most)), cut(hi, int64(most)+1), array.Int32), d)
}

// bound is a bound of Randint as an integer array.
func bound(op string, v any) *array.Array {
	x := array.MustValue(op, v)
	if x.DType().IsInteger() {
		return as(x, x.DType())
	}
	if x.DType().IsComplex() || x.DType().IsKey() {
		panic(array.Wrap(op, array.DTypeErrorf("the bounds are integers, got %s", x.Aval())))
	}
	return as(x, array.Int64)
}

// limits are the smallest and largest number of an integer type.
func limits(d array.DType) (least int64, most uint64) {
	if d.Kind() == array.KindUint {
		return 0, math.MaxUint64 >> (64 - d.Bits())
	}
	return -1 << (d.Bits() - 1), 1<<(d.Bits()-1) - 1
}

// cutTo converts x to d; numbers beyond its range become the nearest in it.
func cutTo(x *array.Array, d array.DType) *array.Array {
	from := x.DType()
	least, most := limits(d)
	ownLeast, ownMost := limits(from)
	lo, hi := exactly(from, max(least, ownLeast)), exactly(from, int64(min(most, ownMost)))
	return primitive.Convert(primitive.Clamp(lo, x, hi), d)
}

func randint(op string, key *array.Array, shape array.Shape, lo, hi *array.Array, d array.DType) *array.Array {
	_, most := limits(d)
	_, own := limits(hi.DType())
	beyond := primitive.Gt(hi, exactly(hi.DType(), int64(min(most, own))).BroadcastTo(hi.Shape()...))
	lo, hi = cutTo(lo, d), cutTo(hi, d)
	bounds := spread(shape, lo, hi, beyond)
	lo, hi, beyond = bounds[0], bounds[1], bounds[2]

	keys, bits := pairOf(op, key), d.Bits()
	high, low := draw(op, keys[0], bits, shape), draw(op, keys[1], bits, shape)
	u := high.DType()
	one := filled(u, shape, 1)
	empty := primitive.Le(hi, lo)
	span := choose(empty, one, primitive.Convert(primitive.Sub(hi, lo), u))
	// The whole range of the type wraps to a span of 0, and a remainder by 0 leaves a number as it is.
	span = choose(primitive.And(beyond, not(empty)), primitive.Add(span, one), span)

	// (high 2^bits + low) mod span, with 2^bits mod span made of two factors that do not overflow.
	half := primitive.Rem(filled(u, shape, math.Ldexp(1, bits/2)), span)
	factor := primitive.Rem(primitive.Mul(half, half), span)
	offset := primitive.Add(primitive.Mul(primitive.Rem(high, span), factor), primitive.Rem(low, span))
	return primitive.Add(lo, primitive.Convert(primitive.Rem(offset, span), d))
}

// Bernoulli draws true with probability p, of whose floating-point type a uniform number is compared with p; a Go number is
// a float64. A nil shape is that of p. The resolution Low draws no event of probability below that of the last bit of the
// type's mantissa; High does, see Resolution.
//
//	key [], p a number or an array of floats   →   [shape] bool
func Bernoulli(key *array.Array, shape []int, p any, r ...Resolution) *array.Array {
	const op = "random.Bernoulli"
	x := array.MustValue(op, p)
	if !x.DType().IsFloat() {
		panic(array.Wrap(op, array.DTypeErrorf("the probability is %s; it must be a floating-point number", x.Aval())))
	}
	x = parameter(op, p, x.DType())
	return bernoulli(op, key, shapeOf(op, shape, x), x, len(r) > 0 && r[0] != Low)
}

func bernoulli(op string, key *array.Array, shape array.Shape, p *array.Array, fine bool) *array.Array {
	d := p.DType()
	if !fine {
		return unit(op, key, shape, d).Less(p)
	}
	u := unit(op, key, shape.Insert(0, 2), d)
	return row(u, 1).Mul(math.Ldexp(1, -floats[d].mantissa)).Less(p.Sub(row(u, 0)))
}

// Rademacher draws -1 or 1, either as likely.
//
//	key []   →   [shape] int64, or the dtype that follows
func Rademacher(key *array.Array, shape []int, dtype ...array.DType) *array.Array {
	const op = "random.Rademacher"
	d := array.Int64
	if len(dtype) > 0 {
		d = dtype[0]
	}
	return rademacher(op, key, fit(op, shape), d)
}

// rademacher compares uniform numbers with ½, of float64 for dtypes of 64 bits and of float32 for others.
func rademacher(op string, key *array.Array, shape array.Shape, d array.DType) *array.Array {
	u := array.Float32
	if d.Bits() >= 64 {
		u = array.Float64
	}
	heads := bernoulli(op, key, shape, filled(u, nil, 0.5), false)
	return choose(heads, filled(d, shape, 1), filled(d, shape, -1))
}
