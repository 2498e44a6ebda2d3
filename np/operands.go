package np

import (
	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/primitive"
)

// fail panics with an *array.Error at the user's line.
func fail(op string, err error) { panic(array.Wrap(op, err)) }

// arr is v as an array.
func arr(op string, v any) *Array { return array.MustValue(op, v) }

// convert gives x a dtype and weakness. A constant scalar is converted here and now: it stays a literal in a jaxpr.
func convert(x *Array, d DType, weak bool) *Array {
	if x.DType() == d && x.Aval().Weak == weak {
		return x
	}
	if x.Rank() == 0 && array.DataOf(x) != nil && !d.IsKey() && !x.DType().IsKey() {
		if b, err := x.Host(); err == nil {
			return array.OfAval(array.Convert(b, d), array.Aval{Shape: Shape{}, DType: d, Weak: weak})
		}
	}
	if weak {
		return primitive.ConvertWeak(x, d)
	}
	return primitive.Convert(x, d)
}

// common is the dtype that the operands have in common, adjusted.
func common(op string, xs []*Array, adjust func(DType) DType) (DType, bool) {
	avals := make([]array.Aval, len(xs))
	for i, x := range xs {
		avals[i] = x.Aval()
	}
	d, weak, err := array.Promote(avals...)
	if err != nil {
		fail(op, err)
	}
	return adjust(d), weak
}

func promoteTo(op string, adjust func(DType) DType, vs []any) []*Array {
	xs := make([]*Array, len(vs))
	for i, v := range vs {
		xs[i] = arr(op, v)
	}
	d, weak := common(op, xs, adjust)
	for i, x := range xs {
		xs[i] = convert(x, d, weak)
	}
	return xs
}

// promote converts operands to their common dtype.
func promote(op string, vs ...any) []*Array {
	return promoteTo(op, func(d DType) DType { return d }, vs)
}

// numeric is promote with bools as int32.
func numeric(op string, vs ...any) []*Array { return promoteTo(op, toNumeric, vs) }

// inexact is promote with integers as floats.
func inexact(op string, vs ...any) []*Array { return promoteTo(op, toInexact, vs) }

func toNumeric(d DType) DType {
	if d == Bool {
		return Int32
	}
	return d
}

// toInexact is the floating-point type that integers are computed in: float64 for 64-bit ones, else float32, as in JAX.
func toInexact(d DType) DType {
	switch {
	case d == Int64 || d == Uint64:
		return Float64
	case d == Bool || d.IsInteger():
		return Float32
	}
	return d
}

// broadcast repeats operands to their common shape.
func broadcast(op string, xs ...*Array) []*Array {
	shapes := make([]Shape, len(xs))
	for i, x := range xs {
		shapes[i] = x.Shape()
	}
	s, err := array.Broadcast(shapes...)
	if err != nil {
		fail(op, err)
	}
	out := make([]*Array, len(xs))
	for i, x := range xs {
		out[i] = x
		if !x.Shape().Equal(s) {
			out[i] = x.BroadcastTo(s...)
		}
	}
	return out
}

// realOnly refuses complex operands.
func realOnly(op string, xs ...*Array) {
	for _, x := range xs {
		if x.DType().IsComplex() {
			fail(op, array.DTypeErrorf("is not defined for %s; take Real, Imag or Abs first", x.DType()))
		}
	}
}

// scalar is a number of dtype d.
func scalar(d DType, v float64) *Array {
	b := array.NewBuffer(d, Shape{})
	b.SetFloat(0, v)
	return array.Of(b)
}

// like is the number v in the dtype and weakness of x.
func like(x *Array, v float64) *Array {
	b := array.NewBuffer(x.DType(), Shape{})
	b.SetFloat(0, v)
	if x.Aval().Weak {
		return array.WeakOf(b)
	}
	return array.Of(b)
}

// filled is an array of shape s filled with the number v of dtype d.
func filled(s Shape, d DType, v float64) *Array { return scalar(d, v).BroadcastTo(s...) }

// mask is v as a bool array: v != 0 for numbers.
func mask(op string, v any) *Array {
	x := arr(op, v)
	if x.DType() != Bool {
		x = x.NotEqual(like(x, 0))
	}
	return x
}
