package random

import (
	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/primitive"
)

// float holds what the samplers need to know about a floating-point type: the width of its mantissa, the distances from 1 to
// the next number above and below, and the smallest normal number.
type float struct {
	mantissa           int
	eps, epsNeg, least float64
}

var floats = map[array.DType]float{
	array.BFloat16: {7, 0x1p-7, 0x1p-8, 0x1p-126},
	array.Float16:  {10, 0x1p-10, 0x1p-11, 0x1p-14},
	array.Float32:  {23, 0x1p-23, 0x1p-24, 0x1p-126},
	array.Float64:  {52, 0x1p-52, 0x1p-53, 0x1p-1022},
}

// floatOf is the floating-point dtype of a sampler: float64, or the one that was given.
func floatOf(op string, dtype []array.DType) array.DType {
	if len(dtype) == 0 {
		return array.Float64
	}
	if _, ok := floats[dtype[0]]; !ok {
		panic(array.Wrap(op, array.DTypeErrorf("draws floating-point numbers, not %s; give bfloat16, float16, float32 or float64", dtype[0])))
	}
	return dtype[0]
}

// integerOf is the integer dtype of a sampler: int64, or the one that was given.
func integerOf(op string, dtype []array.DType) array.DType {
	if len(dtype) == 0 {
		return array.Int64
	}
	if d := dtype[0]; !d.IsInteger() || d.Bits() < 8 {
		panic(array.Wrap(op, array.DTypeErrorf("draws integers of 8 to 64 bits, not %s", d)))
	}
	return dtype[0]
}

// parameter is v, a Go number or a real array, in dtype d.
func parameter(op string, v any, d array.DType) *array.Array {
	x := array.MustValue(op, v)
	if x.DType().IsComplex() || x.DType().IsKey() {
		panic(array.Wrap(op, array.DTypeErrorf("the parameters of a distribution are real, got %s", x.Aval())))
	}
	return as(x, d)
}

// as converts x to d. A constant scalar is converted here and now: it stays a literal in a jaxpr.
func as(x *array.Array, d array.DType) *array.Array {
	if data := array.DataOf(x); data != nil && x.Rank() == 0 {
		if b, err := data.Host(); err == nil {
			return array.Of(array.Convert(b, d))
		}
	}
	return primitive.Convert(x, d)
}

// inexact is v, a Go number or a real array, in its own floating-point type; integers and Go numbers become float64.
func inexact(op string, v any) *array.Array {
	d := array.MustValue(op, v).DType()
	if !d.IsFloat() {
		d = array.Float64
	}
	return parameter(op, v, d)
}

// shapeOf is the shape of a sampler's result: the given one, to which the parameters must broadcast, or where none is
// given that of the parameters together.
func shapeOf(op string, shape []int, params ...*array.Array) array.Shape {
	shapes := make([]array.Shape, len(params), len(params)+1)
	for i, p := range params {
		shapes[i] = p.Shape()
	}
	return fit(op, shape, shapes...)
}

func fit(op string, shape []int, params ...array.Shape) array.Shape {
	for _, n := range shape {
		if n < 0 {
			panic(array.Wrap(op, array.ShapeErrorf("the shape %v has a negative size", shape)))
		}
	}
	all, err := array.Broadcast(params...)
	if err != nil {
		panic(array.Wrap(op, err))
	}
	if shape == nil {
		return all.Clone()
	}
	want := array.Shape(shape).Clone()
	if both, err := array.Broadcast(want, all); err != nil || !both.Equal(want) {
		panic(array.Wrap(op, array.ShapeErrorf("the parameters have the shape %s, which does not broadcast to the shape %s that is asked for", all, want)))
	}
	return want
}

// spread broadcasts parameters to the shape of the result.
func spread(shape array.Shape, params ...*array.Array) []*array.Array {
	out := make([]*array.Array, len(params))
	for i, p := range params {
		out[i] = p.BroadcastTo(shape...)
	}
	return out
}

// filled is an array of one number, given in float64 and rounded once.
func filled(d array.DType, shape array.Shape, v float64) *array.Array {
	return primitive.Full(array.Aval{Shape: shape, DType: d}, v)
}

// exactly is an integer scalar, by its bits where d is uint64.
func exactly(d array.DType, v int64) *array.Array {
	b := array.NewBuffer(d, nil)
	b.SetInt(0, v)
	return array.Of(b)
}

func not(p *array.Array) *array.Array { return primitive.Not(p) }

func choose(p, yes, no *array.Array) *array.Array { return primitive.Select(p, yes, no) }
