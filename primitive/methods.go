package primitive

import (
	"math"

	"github.com/pantograph-go/pantograph/array"
)

func init() { array.SetMethods(methods{}) }

// methods is what the methods of an Array mean: NumPy's broadcasting and promotion as jax.numpy has them, over the
// strict functions of this package. This is the first of the two seams that go up; np calls the methods.
type methods struct{}

// Promote makes arrays of xs, each an *Array or anything array.FromValue takes, of the one dtype they have in common.
// Go numbers yield to arrays. It panics with an *array.Error where there is none.
func Promote(xs ...any) []*array.Array { return promoted("promote", xs...) }

func promoted(op string, xs ...any) []*array.Array {
	out, avals := make([]*array.Array, len(xs)), make([]array.Aval, len(xs))
	for i, x := range xs {
		out[i] = array.MustValue(op, x)
		avals[i] = out[i].Aval()
	}
	d, weak, err := array.Promote(avals...)
	if err != nil {
		panic(array.Wrap(op, err))
	}
	for i, x := range out {
		out[i] = cast(x, d, weak)
	}
	return out
}

// PromoteInexact is Promote with integers and bools made floating-point numbers, as for a true quotient.
func PromoteInexact(xs ...any) []*array.Array { return inexactOf(promoted("promote", xs...)) }

func inexactOf(xs []*array.Array) []*array.Array {
	for i, x := range xs {
		a := x.Aval()
		xs[i] = cast(x, inexactDType(a.DType), a.Weak)
	}
	return xs
}

// inexactDType is the type of a quotient of elements of type d: integers of 64 bits become float64, narrower ones and
// bools float32, as in JAX.
func inexactDType(d array.DType) array.DType {
	switch {
	case d.IsInexact() || d.IsKey():
		return d
	case d.Bits() == 64:
		return array.Float64
	}
	return array.Float32
}

// cast converts x. A constant scalar is converted here and now: it stays a literal in a jaxpr.
func cast(x *array.Array, d array.DType, weak bool) *array.Array {
	a := x.Aval()
	if a.DType == d && a.Weak == weak {
		return x
	}
	if data := constant(x); data != nil && !d.IsKey() && !a.DType.IsKey() {
		return array.OfAval(array.Convert(data, d), array.Aval{Shape: array.Shape{}, DType: d, Weak: weak})
	}
	return converted(x, d, weak)
}

// constant is the data of a scalar that is not traced, nil for others.
func constant(x *array.Array) *array.Buffer {
	if x.Rank() != 0 || array.TracerOf(x) != nil {
		return nil
	}
	data, err := array.DataOf(x).Host()
	if err != nil {
		return nil
	}
	return data
}

// BroadcastArrays repeats arrays to the shape they have in common by NumPy's rule. It panics with an *array.Error where
// there is none.
func BroadcastArrays(xs ...*array.Array) []*array.Array {
	shape := broadcastShape("broadcast_arrays", xs)
	out := make([]*array.Array, len(xs))
	for i, x := range xs {
		out[i] = broadcastTo(x, shape)
	}
	return out
}

func broadcastShape(op string, xs []*array.Array) array.Shape {
	shapes := make([]array.Shape, len(xs))
	for i, x := range xs {
		shapes[i] = x.Shape()
	}
	s, err := array.Broadcast(shapes...)
	if err != nil {
		panic(array.Wrap(op, err))
	}
	return s
}

// broadcastTo repeats x, whose shape must fit, to a shape: axes are aligned at the last one.
func broadcastTo(x *array.Array, shape array.Shape) *array.Array {
	dims := make([]int, x.Rank())
	for i := range dims {
		dims[i] = len(shape) - len(dims) + i
	}
	return BroadcastInDim(x, shape, dims)
}

// aligned broadcasts operands of an elementwise primitive, which takes scalars as they are.
func aligned(op string, xs []*array.Array) []*array.Array {
	shape := broadcastShape(op, xs)
	for i, x := range xs {
		if x.Rank() > 0 {
			xs[i] = broadcastTo(x, shape)
		}
	}
	return xs
}

// where is Select with scalars among the operands.
func where(pred, x, y *array.Array) *array.Array {
	shape := broadcastShape("where", []*array.Array{pred, x, y})
	return Select(pred, spread(x, shape), spread(y, shape))
}

// BroadcastTo implements array.Methods.
func (methods) BroadcastTo(x any, shape array.Shape) *array.Array {
	v := array.MustValue("broadcast_to", x)
	if s, err := array.Broadcast(v.Shape(), shape); err != nil {
		panic(array.Wrap("broadcast_to", err))
	} else if !s.Equal(shape) {
		panic(array.Wrap("broadcast_to", array.ShapeErrorf("an array of shape %s does not broadcast to %s", v.Shape(), shape)))
	}
	return broadcastTo(v, shape)
}

// Reshape implements array.Methods.
func (methods) Reshape(x *array.Array, shape array.Shape) *array.Array { return Reshape(x, shape) }

// Transpose implements array.Methods.
func (methods) Transpose(x *array.Array, perm []int) *array.Array { return Transpose(x, perm) }

// AsType implements array.Methods.
func (methods) AsType(x *array.Array, d array.DType) *array.Array { return cast(x, d, false) }

// Unary implements array.Methods.
func (methods) Unary(op string, x *array.Array) *array.Array {
	d := x.DType()
	switch op {
	case "negative":
		return Neg(x)
	case "sign":
		return Sign(x)
	case "absolute":
		if d == array.Bool || d.Kind() == array.KindUint {
			return x
		}
		return Abs(x)
	case "bitwise_not":
		return Not(x)
	case "logical_not":
		return Not(truth(x))
	case "real":
		if !d.IsComplex() {
			return x
		}
		return Real(x)
	case "imag":
		if !d.IsComplex() {
			return fullLike(x, 0)
		}
		return Imag(x)
	case "conjugate":
		if !d.IsComplex() {
			return x
		}
		return Conj(x)
	}
	panic(unknownMethod(op))
}

func unknownMethod(op string) error {
	return array.Wrap(op, array.ArgumentErrorf("is no method of arrays"))
}

// truth is x != 0.
func truth(x *array.Array) *array.Array {
	if x.DType() == array.Bool {
		return x
	}
	return Ne(x, like(x, 0))
}

// Binary implements array.Methods.
func (methods) Binary(op string, x, y any) *array.Array {
	switch op {
	case "matmul":
		in := promoted(op, x, y)
		return matmul(in[0], in[1])
	case "dot":
		in := promoted(op, x, y)
		return dot(in[0], in[1])
	case "power":
		return power(array.MustValue(op, x), array.MustValue(op, y))
	case "logical_and", "logical_or", "logical_xor":
		in := aligned(op, []*array.Array{truth(array.MustValue(op, x)), truth(array.MustValue(op, y))})
		return elementwiseMethod("bitwise"+op[len("logical"):], in[0], in[1])
	case "true_divide", "arctan2", "hypot":
		in := aligned(op, inexactOf(promoted(op, x, y)))
		return elementwiseMethod(op, in[0], in[1])
	}
	in := aligned(op, promoted(op, x, y))
	return elementwiseMethod(op, in[0], in[1])
}

// elementwiseMethod is a method on operands of one type, which are scalars or of one shape.
func elementwiseMethod(op string, x, y *array.Array) *array.Array {
	switch op {
	case "add":
		if x.DType() == array.Bool {
			return Or(x, y)
		}
		return Add(x, y)
	case "multiply":
		if x.DType() == array.Bool {
			return And(x, y)
		}
		return Mul(x, y)
	case "subtract":
		return Sub(x, y)
	case "true_divide":
		return Div(x, y)
	case "floor_divide":
		return floorDivide(counted(x), counted(y))
	case "remainder":
		return remainder(counted(x), counted(y))
	case "arctan2":
		return Atan2(x, y)
	case "hypot":
		return hypot(x, y)
	case "maximum":
		return Max(x, y)
	case "minimum":
		return Min(x, y)
	case "equal":
		return Eq(x, y)
	case "not_equal":
		return Ne(x, y)
	case "less":
		return lexicographic(Lt, x, y)
	case "less_equal":
		return lexicographic(Le, x, y)
	case "greater":
		return lexicographic(Gt, x, y)
	case "greater_equal":
		return lexicographic(Ge, x, y)
	case "bitwise_and":
		return And(x, y)
	case "bitwise_or":
		return Or(x, y)
	case "bitwise_xor":
		return Xor(x, y)
	case "left_shift":
		return ShiftLeft(x, y)
	case "right_shift":
		if x.DType().Kind() == array.KindUint {
			return ShiftRightLogical(x, y)
		}
		return ShiftRightArithmetic(x, y)
	}
	panic(unknownMethod(op))
}

// lexicographic is a comparison that orders complex numbers by real, then imaginary part, as NumPy does.
func lexicographic(compare func(x, y *array.Array) *array.Array, x, y *array.Array) *array.Array {
	if !x.DType().IsComplex() {
		return compare(x, y)
	}
	l, r := Real(x), Real(y)
	return where(Eq(l, r), compare(Imag(x), Imag(y)), compare(l, r))
}

// counted makes int32 of bools, for arithmetic that bools have not.
func counted(x *array.Array) *array.Array {
	if x.DType() == array.Bool {
		return cast(x, array.Int32, false)
	}
	return x
}

// floorDivide is the quotient rounded down.
func floorDivide(x, y *array.Array) *array.Array {
	switch d := x.DType(); {
	case d.Kind() == array.KindUint:
		return Div(x, y)
	case d.IsInteger():
		q, r := Div(x, y), Rem(x, y)
		down := And(Ne(Sign(x), Sign(y)), Ne(r, like(r, 0)))
		return where(down, Sub(q, like(q, 1)), q)
	case d.IsComplex():
		panic(array.Wrap("floor_divide", array.DTypeErrorf("operands are %s; complex numbers have no order to round down in", d)))
	}
	// The quotient of x without its remainder is whole up to rounding errors.
	r := Rem(x, y)
	q := Div(where(Eq(y, like(y, 0)), x, Sub(x, r)), y)
	return Round(where(pastZero(r, y), Sub(q, like(q, 1)), q), AwayFromZero)
}

// pastZero tells where a remainder has not the sign of the divisor.
func pastZero(r, y *array.Array) *array.Array {
	return And(Ne(Sign(y), Sign(r)), Ne(r, like(r, 0)))
}

// remainder is what floorDivide leaves: it has the sign of y. An integer modulo zero is zero.
func remainder(x, y *array.Array) *array.Array {
	switch d := x.DType(); {
	case d.IsComplex():
		panic(array.Wrap("remainder", array.DTypeErrorf("operands are %s; complex numbers have no remainder", d)))
	case d.IsInteger():
		y = where(Eq(y, like(y, 0)), like(y, 1), y)
	}
	r := Rem(x, y)
	if x.DType().Kind() == array.KindUint {
		return r
	}
	other := And(Ne(Lt(r, like(r, 0)), Lt(y, like(y, 0))), Ne(r, like(r, 0)))
	return where(other, Add(r, y), r)
}

// hypot is √(x² + y²) without overflow of the squares.
func hypot(x, y *array.Array) *array.Array {
	if x.DType().IsComplex() {
		panic(array.Wrap("hypot", array.DTypeErrorf("operands are %s; it takes real numbers: take their absolute values first", x.DType())))
	}
	x, y = Abs(x), Abs(y)
	inf := like(x, math.Inf(1))
	infinite := Or(Eq(x, inf), Eq(y, inf))
	hi, lo := Max(x, y), Min(x, y)
	zero := Eq(hi, like(hi, 0))
	ratio := Div(lo, where(zero, fullLike(hi, 1), hi))
	h := where(zero, hi, Mul(hi, Sqrt(Add(like(hi, 1), Square(ratio)))))
	return where(infinite, inf, h)
}

// power is x to the power y. A constant whole exponent multiplies, so that its derivative is right everywhere; a whole
// number to a traced whole power is made by squaring with the lowest six bits of the exponent, as in JAX.
func power(x, y *array.Array) *array.Array {
	if data := constant(y); data != nil && data.DType().IsInteger() && (y.Aval().Weak || !x.DType().IsInexact()) {
		return IntegerPow(counted(x), int(data.Int(0)))
	}
	if x.DType().IsInexact() && y.DType().IsInteger() {
		in := aligned("power", []*array.Array{x, y})
		return Pow(in[0], in[1])
	}
	in := aligned("power", promoted("power", x, y))
	x, y = counted(in[0]), counted(in[1])
	if !x.DType().IsInteger() {
		return Pow(x, y)
	}
	shape := broadcastShape("power", []*array.Array{x, y})
	x, y = spread(x, shape), spread(y, shape)
	zero, unit := like(y, 0), like(y, 1)
	acc := Select(And(Eq(x, zero), Ne(y, zero)), fullLike(x, 0), fullLike(x, 1))
	for range 6 {
		acc = Select(Ne(And(y, unit), zero), Mul(acc, x), acc)
		x = Mul(x, x)
		y = ShiftRightLogical(y, unit)
	}
	return acc
}
