package np

import (
	"math"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/primitive"
)

// reduction is what Sum, Prod, Max and Min share.
type reduction struct {
	op       string
	reduce   func(x *Array, axes ...int) *Array // strict, of the computation's dtype
	combine  func(x, y any) *Array
	identity func(d DType) *Array
	promote  bool // bools and narrow integers widen, half precision is computed in float32
	hasUnit  bool // an empty reduction has a value
}

var (
	sumOf  = reduction{"sum", primitive.ReduceSum, Add, func(d DType) *Array { return scalar(d, 0) }, true, true}
	prodOf = reduction{"prod", primitive.ReduceProd, Multiply, func(d DType) *Array { return scalar(d, 1) }, true, true}
	maxOf  = reduction{"max", primitive.ReduceMax, Maximum, func(d DType) *Array { return lowest(d) }, false, false}
	minOf  = reduction{"min", primitive.ReduceMin, Minimum, func(d DType) *Array { return highest(d) }, false, false}
)

// lowest is what no number of the type is below: -Inf, or the smallest integer.
func lowest(d DType) *Array {
	if d == Bool {
		return scalar(d, 0)
	}
	return scalar(d, math.Inf(-1))
}

// highest is what no number of the type is above.
func highest(d DType) *Array {
	if d == Uint64 || d == Int64 {
		b := array.NewBuffer(d, Shape{})
		b.SetUint(0, math.MaxUint64)
		if d == Int64 {
			b.SetInt(0, math.MaxInt64)
		}
		return array.Of(b)
	}
	if d == Bool {
		return scalar(d, 1)
	}
	return scalar(d, math.Inf(1))
}

func (r reduction) of(x any, opts []Option) *Array {
	allowed := optAxis | optKeepDims | optInitial | optWhere
	if r.promote {
		allowed |= optDType
	}
	s := gather(r.op, opts, allowed)
	a := arr(r.op, x)
	axes := s.axesOf(r.op, a.Rank())
	if !s.has(optInitial) && !r.hasUnit {
		if s.has(optWhere) {
			fail(r.op, array.ArgumentErrorf("a mask needs Initial: there is no value for no element"))
		}
		for _, ax := range axes {
			if a.Shape()[ax] == 0 {
				fail(r.op, array.ShapeErrorf("axis %d of shape %s is empty; there is no value for no element without Initial", ax, a.Shape()))
			}
		}
	}
	result := a.DType()
	if r.promote {
		if result == Bool && s.dtype != Bool {
			a = a.AsType(Int32)
		}
		result = summedType(result)
	}
	if s.has(optDType) {
		result = s.dtype
	}
	comp := result
	if r.promote && !s.has(optDType) {
		comp = upcast(result)
	}
	a = convert(a, comp, false)
	if s.has(optWhere) {
		a = Where(boolMask(r.op, s.where), a, r.identity(comp))
	}
	var y *Array
	if r.promote && comp == Bool { // a sum of bools as bool is any, a product all
		reduce := primitive.ReduceOr
		if r.op == "prod" {
			reduce = primitive.ReduceAnd
		}
		y = reduce(a, axes...)
	} else {
		y = r.reduce(a, axes...)
	}
	if s.has(optInitial) {
		first := arr(r.op, s.initial)
		if first.Rank() > 0 {
			fail(r.op, array.ShapeErrorf("the initial value must be a scalar, got shape %s", first.Shape()))
		}
		y = r.combine(convert(first, comp, false), y)
	}
	return convert(restore(s, a.Shape(), axes, y), result, false)
}

// restore puts reduced axes back with size 1 where KeepDims asks for it.
func restore(s *settings, shape Shape, axes []int, y *Array) *Array {
	if !s.keepDims {
		return y
	}
	kept := shape.Clone()
	for _, a := range axes {
		kept[a] = 1
	}
	return y.Reshape(kept...)
}

// summedType is the type of a sum: integers are added up in 64 bits.
func summedType(d DType) DType {
	switch d.Kind() {
	case array.KindBool, array.KindInt:
		return Int64
	case array.KindUint:
		return Uint64
	}
	return d
}

// upcast is the type half precision is computed in.
func upcast(d DType) DType {
	if d == Float16 || d == BFloat16 {
		return Float32
	}
	return d
}

func boolMask(op string, v any) *Array {
	m := arr(op, v)
	if m.DType() != Bool {
		fail(op, array.DTypeErrorf("a mask must be bool, got %s", m.DType()))
	}
	return m
}

// Sum adds the elements. Bools and integers are summed in 64 bits, half precision in float32 and rounded once.
// It takes Axis, KeepDims, As, Initial and Masked.
func Sum(x any, opts ...Option) *Array { return sumOf.of(x, opts) }

// Prod multiplies the elements, in the types of Sum. It takes Axis, KeepDims, As, Initial and Masked.
func Prod(x any, opts ...Option) *Array { return prodOf.of(x, opts) }

// Max is the largest element; a NaN wins. It takes Axis, KeepDims, Initial and Masked. Without Initial, an empty axis is
// a ShapeError.
func Max(x any, opts ...Option) *Array { return maxOf.of(x, opts) }

// Min is the smallest element; a NaN wins. See Max.
func Min(x any, opts ...Option) *Array { return minOf.of(x, opts) }

// Amax is Max.
func Amax(x any, opts ...Option) *Array { return Max(x, opts...) }

// Amin is Min.
func Amin(x any, opts ...Option) *Array { return Min(x, opts...) }

// Ptp is the difference of the largest and the smallest element. It takes Axis and KeepDims.
func Ptp(x any, opts ...Option) *Array {
	gather("ptp", opts, optAxis|optKeepDims)
	return Max(x, opts...).Sub(Min(x, opts...))
}

// All is true where every element differs from zero. It takes Axis, KeepDims and Masked.
func All(x any, opts ...Option) *Array { return logical("all", x, true, primitive.ReduceAnd, opts) }

// Any is true where some element differs from zero. It takes Axis, KeepDims and Masked.
func Any(x any, opts ...Option) *Array { return logical("any", x, false, primitive.ReduceOr, opts) }

func logical(op string, x any, identity bool, reduce func(*Array, ...int) *Array, opts []Option) *Array {
	s := gather(op, opts, optAxis|optKeepDims|optWhere)
	a := arr(op, x)
	axes := s.axesOf(op, a.Rank())
	b := mask(op, a)
	if s.has(optWhere) {
		b = Where(boolMask(op, s.where), b, identity)
	}
	return restore(s, a.Shape(), axes, reduce(b, axes...))
}

// CountNonzero is the number of elements that differ from zero, int64. It takes Axis and KeepDims.
func CountNonzero(x any, opts ...Option) *Array {
	gather("count_nonzero", opts, optAxis|optKeepDims)
	return Sum(mask("count_nonzero", x), opts...)
}

// Argmax is the position of the first largest element, int64: along Axis, or in the flattened array. A NaN counts as
// the largest. Complex numbers are ordered by the real part, then by the imaginary one. It takes Axis and KeepDims.
func Argmax(x any, opts ...Option) *Array {
	return argExtreme("argmax", x, primitive.Argmax, primitive.ReduceMax, opts)
}

// Argmin is the position of the first smallest element; see Argmax. A NaN counts as the smallest.
func Argmin(x any, opts ...Option) *Array {
	return argExtreme("argmin", x, primitive.Argmin, primitive.ReduceMin, opts)
}

func argExtreme(op string, x any, find func(*Array, int, DType) *Array, extreme func(*Array, ...int) *Array, opts []Option) *Array {
	s := gather(op, opts, optAxis|optKeepDims)
	a := arr(op, x)
	shape, axes := a.Shape(), []int{}
	axis := 0
	if s.has(optAxis) {
		axis = s.axis(op, a.Rank(), 0)
		axes = []int{axis}
	} else {
		axes = allAxes(a.Rank())
		a = a.Ravel()
	}
	if a.Shape()[axis] == 0 {
		fail(op, array.ShapeErrorf("axis %d of shape %s is empty", axis, shape))
	}
	if a.DType().IsComplex() { // the first that equals the extreme
		a, find = a.Equal(extreme(a, axis).ExpandDims(axis)), primitive.Argmax
	}
	return restore(s, shape, axes, find(a, axis, Int64))
}

// count is the number of elements that a reduction sees, in dtype d.
func (s *settings) count(op string, a *Array, axes []int, d DType) *Array {
	if s.has(optWhere) {
		opts := []Option{Axis(axes...), As(d)}
		if s.keepDims {
			opts = append(opts, KeepDims())
		}
		return Sum(boolMask(op, s.where).BroadcastTo(a.Shape()...), opts...)
	}
	n := 1
	for _, ax := range axes {
		n *= a.Shape()[ax]
	}
	return scalar(d, float64(n))
}

// Mean is the average; integers give floats, half precision is computed in float32. It takes Axis, KeepDims, As and
// Masked.
func Mean(x any, opts ...Option) *Array {
	s := gather("mean", opts, optAxis|optKeepDims|optDType|optWhere)
	a := arr("mean", x)
	result := toInexact(a.DType())
	comp := upcast(result)
	if s.has(optDType) {
		result, comp = s.dtype, s.dtype
	}
	axes := s.axesOf("mean", a.Rank())
	sum := Sum(a, append(opts, As(comp))...)
	return convert(sum.Div(s.count("mean", a, axes, comp)), result, false)
}

// Average is the mean with the Weights given, of the shape of x or of its size along Axis. It takes Axis, KeepDims and
// Weights.
func Average(x any, opts ...Option) *Array {
	avg, _ := AverageAndWeight(x, opts...)
	return avg
}

// AverageAndWeight is Average and the sum of the weights, in its shape.
func AverageAndWeight(x any, opts ...Option) (average, weight *Array) {
	s := gather("average", opts, optAxis|optKeepDims|optWeights)
	var over []Option
	if s.has(optAxis) {
		over = append(over, Axis(s.axes...))
	}
	if s.keepDims {
		over = append(over, KeepDims())
	}
	if !s.has(optWeights) {
		a := inexact("average", x)[0]
		avg := Mean(a, over...)
		n := s.count("average", a, s.axesOf("average", a.Rank()), avg.DType())
		return avg, n.BroadcastTo(avg.Shape()...)
	}
	aw := inexact("average", x, s.weights)
	a, w := aw[0], aw[1]
	if !a.Shape().Equal(w.Shape()) {
		axes := s.axesOf("average", a.Rank())
		shape, from := make(Shape, a.Rank()), Shape{}
		for i := range shape {
			shape[i] = 1
		}
		for _, ax := range axes {
			shape[ax] = a.Shape()[ax]
			from = append(from, a.Shape()[ax])
		}
		if !s.has(optAxis) || !w.Shape().Equal(from) {
			fail("average", array.ShapeErrorf("weights of shape %s do not fit the axes %v of shape %s", w.Shape(), axes, a.Shape()))
		}
		w = permute(w, argsortInts(axes)).Reshape(shape...)
	}
	total := Sum(w, over...)
	avg := Sum(a.Mul(w), over...).Div(total)
	return avg, total.BroadcastTo(avg.Shape()...)
}

// argsortInts is the permutation that sorts a short list.
func argsortInts(v []int) []int {
	p := make([]int, len(v))
	for i := range v {
		at := 0
		for k := range v {
			if v[k] < v[i] || v[k] == v[i] && k < i {
				at++
			}
		}
		p[at] = i
	}
	return p
}

// Var is the mean squared distance from the mean, of complex numbers a real one. It takes Axis, KeepDims, As, DDof and
// Masked; where DDof leaves no degree of freedom it is NaN.
func Var(x any, opts ...Option) *Array {
	s := gather("var", opts, optAxis|optKeepDims|optDType|optDDof|optWhere)
	a := arr("var", x)
	axes := s.axesOf("var", a.Rank())
	comp, result := varTypes("var", a.DType(), s)
	a = convert(a, comp, false)
	over := []Option{Axis(axes...)}
	if s.has(optWhere) {
		over = append(over, Masked(s.where))
	}
	mean := Mean(a, append(over, As(comp), KeepDims())...)
	d := squaredDistance(a.Sub(mean))
	if s.keepDims {
		over = append(over, KeepDims())
	}
	sum := Sum(d, append(over, As(d.DType()))...)
	n := s.count("var", a, axes, d.DType())
	if !s.has(optWhere) { // the count is known
		if free := n.Float() - s.ddof; free > 0 {
			return convert(sum.Div(scalar(d.DType(), free)), result, false)
		}
	}
	n = n.Sub(scalar(d.DType(), s.ddof))
	return convert(Where(n.Greater(0), sum.Div(n), like(sum, math.NaN())), result, false)
}

func squaredDistance(d *Array) *Array {
	if d.DType().IsComplex() {
		return d.Mul(d.Conj()).Real()
	}
	return primitive.Square(d)
}

func varTypes(op string, d DType, s *settings) (comp, result DType) {
	if s.has(optDType) {
		if d.IsComplex() && !s.dtype.IsComplex() {
			fail(op, array.DTypeErrorf("the variance of %s cannot be computed in %s", d, s.dtype))
		}
		return upcast(s.dtype), s.dtype
	}
	comp = toInexact(d)
	return upcast(comp), comp.Real()
}

// Std is the square root of Var. It takes the same options.
func Std(x any, opts ...Option) *Array {
	gather("std", opts, optAxis|optKeepDims|optDType|optDDof|optWhere)
	return Sqrt(Var(x, opts...))
}

// LogSumExp is log(sum(exp(x))) without overflow. It takes Axis, KeepDims, Masked and Weights, which multiply the
// exponentials.
func LogSumExp(x any, opts ...Option) *Array {
	s := gather("logsumexp", opts, optAxis|optKeepDims|optWhere|optWeights)
	a := inexact("logsumexp", x)[0]
	axes := s.axesOf("logsumexp", a.Rank())
	over := []Option{Axis(axes...), KeepDims()}
	if s.has(optWhere) {
		over = append(over, Masked(s.where))
	}
	top := a
	if s.has(optWeights) { // what has no weight must not set the scale
		w := arr("logsumexp", s.weights)
		top = Where(w.Equal(0), lowest(a.DType().Real()), a.Real())
	}
	m := Max(top.Real(), append(over, Initial(math.Inf(-1)))...)
	m = primitive.StopGradient(Where(IsFinite(m), m, like(m, 0)))
	e := primitive.Exp(a.Sub(convert(m, a.DType(), false)))
	if s.has(optWeights) {
		e = e.Mul(s.weights)
	}
	y := primitive.Log(Sum(e, over...)).Add(convert(m, a.DType(), false))
	if !s.keepDims {
		y = y.Squeeze(axes...)
	}
	return y
}

// AddReduceat sums parts of an axis, the first or Axis: part i is from indices[i] up to indices[i+1], the last up to the end.
// Where the next index is not larger the part is one element.
//
//	x [..., n, ...], indices [k] integers in [0, n)   →   [..., k, ...] same dtype
func AddReduceat(x, indices any, opts ...Option) *Array {
	const op = "add.reduceat"
	s := gather(op, opts, optAxis)
	a, idx := arr(op, x), arr(op, indices)
	if idx.Rank() != 1 || !idx.DType().IsInteger() {
		fail(op, array.ShapeErrorf("indices are %s; they must be a vector of integers", idx.Aval()))
	}
	axis := s.axis(op, a.Rank(), 0)
	n, k := a.Shape()[axis], idx.Size()
	a = Moveaxis(a, []int{axis}, []int{0})
	if k == 0 {
		return Moveaxis(sliceAxis(a, 0, 0, 0), []int{0}, []int{axis})
	}
	next := Concatenate([]*Array{sliceAxis(idx, 0, 1, k), Of([]int{n}).AsType(idx.DType())})
	end := Maximum(next, idx.Add(1))
	place := primitive.Iota(idx.DType(), Shape{k, n}, 1)
	in := place.GreaterEqual(idx.Reshape(k, 1)).And(place.Less(end.Reshape(k, 1)))
	for range a.Rank() - 1 {
		in = in.Reshape(append(in.Shape().Clone(), 1)...)
	}
	parts := Where(in, a.Reshape(append(Shape{1}, a.Shape()...)...), like(a, 0))
	return Moveaxis(parts.Sum(1), []int{0}, []int{axis}).AsType(a.DType())
}
