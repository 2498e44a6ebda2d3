package np

import (
	"math"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/primitive"
)

// Of makes an array of a Go value: a number, a slice of numbers nested to any depth, or an Array, which is returned as
// it is. A dtype converts; without one the Go type decides: int is int64, and a single int, float64 or complex128 stays
// weakly typed. It panics with a ShapeError for ragged slices and an ArgumentError for other values.
func Of(v any, dtype ...DType) *Array {
	x := arr("array", v)
	if len(dtype) > 0 {
		x = x.AsType(dtype[0])
	}
	return x
}

// Asarray is Of by NumPy's name.
func Asarray(v any, dtype ...DType) *Array { return Of(v, dtype...) }

// AsType converts x to a dtype; see Array.AsType.
func AsType(x any, d DType) *Array { return arr("astype", x).AsType(d) }

// Copy is x; arrays never change, so there is nothing to copy.
func Copy(x any) *Array { return arr("copy", x) }

func optional(dtype []DType, otherwise DType) DType {
	if len(dtype) > 0 {
		return dtype[0]
	}
	return otherwise
}

func checkShape(op string, shape []int) Shape {
	for _, d := range shape {
		if d < 0 {
			fail(op, array.ShapeErrorf("shape %s has a negative size", Shape(shape)))
		}
	}
	return Shape(shape)
}

// Zeros is an array of zeros, float64 unless a dtype is given.
func Zeros(shape []int, dtype ...DType) *Array {
	return filled(checkShape("zeros", shape), optional(dtype, Float64), 0)
}

// Ones is an array of ones, float64 unless a dtype is given.
func Ones(shape []int, dtype ...DType) *Array {
	return filled(checkShape("ones", shape), optional(dtype, Float64), 1)
}

// Empty is Zeros: there is no uninitialised memory.
func Empty(shape []int, dtype ...DType) *Array { return Zeros(shape, dtype...) }

// Full is an array filled with v, a number or an array that broadcasts to the shape, in v's dtype unless one is given.
func Full(shape []int, v any, dtype ...DType) *Array {
	return Of(v, dtype...).BroadcastTo(checkShape("full", shape)...)
}

// ZerosLike is an array of zeros with the shape and dtype of x.
func ZerosLike(x any, dtype ...DType) *Array { return constantLike("zeros_like", x, 0, dtype) }

// OnesLike is an array of ones with the shape and dtype of x.
func OnesLike(x any, dtype ...DType) *Array { return constantLike("ones_like", x, 1, dtype) }

// EmptyLike is ZerosLike.
func EmptyLike(x any, dtype ...DType) *Array { return ZerosLike(x, dtype...) }

func constantLike(op string, x any, v float64, dtype []DType) *Array {
	a := arr(op, x)
	c := like(a, v)
	if len(dtype) > 0 {
		c = scalar(dtype[0], v)
	}
	return c.BroadcastTo(a.Shape()...)
}

// FullLike is an array filled with v, with the shape and dtype of x.
func FullLike(x, v any, dtype ...DType) *Array {
	a := arr("full_like", x)
	d, weak := a.DType(), a.Aval().Weak
	if len(dtype) > 0 {
		d, weak = dtype[0], false
	}
	return convert(arr("full_like", v), d, weak).BroadcastTo(a.Shape()...)
}

// Arange is the sequence of numbers from start up to and without stop by step: Arange(stop), Arange(start, stop) or
// Arange(start, stop, step), each a Go number. A DType may follow; without one, ints give int64 and floats float64.
func Arange(args ...any) *Array {
	d, given := Int64, false
	var bounds []float64
	for i, a := range args {
		if t, ok := a.(DType); ok && i == len(args)-1 {
			d, given = t, true
			break
		}
		x := arr("arange", a)
		if x.DType().IsFloat() && !given {
			d = Float64
			if !x.Aval().Weak {
				d = x.DType()
			}
		} else if !x.Aval().Weak && d == Int64 {
			d = x.DType()
		}
		bounds = append(bounds, x.Float())
	}
	start, stop, step := 0., 0., 1.
	switch len(bounds) {
	case 1:
		stop = bounds[0]
	case 2:
		start, stop = bounds[0], bounds[1]
	case 3:
		start, stop, step = bounds[0], bounds[1], bounds[2]
	default:
		fail("arange", array.ArgumentErrorf("takes one to three numbers, got %d", len(bounds)))
	}
	if step == 0 {
		fail("arange", array.ArgumentErrorf("the step is 0"))
	}
	n := max(0, int(math.Ceil((stop-start)/step)))
	comp := d
	if d.Kind() == array.KindUint { // steps may go down
		comp = Int64
	}
	x := primitive.Iota(comp, Shape{n}, 0)
	if step != 1 {
		x = x.Mul(scalar(comp, step))
	}
	if start != 0 {
		x = x.Add(scalar(comp, start))
	}
	return convert(x, d, false)
}

// Linspace is num evenly spaced numbers from start to stop, which may be arrays that broadcast together. The numbers
// lie along a new axis, the first or Axis. It takes NoEndpoint, As and Axis.
func Linspace(start, stop any, num int, opts ...Option) *Array {
	out, _ := LinspaceStep(start, stop, num, opts...)
	return out
}

// LinspaceStep is Linspace and the distance between two numbers, NaN where there is none.
func LinspaceStep(start, stop any, num int, opts ...Option) (numbers, step *Array) {
	s := gather("linspace", opts, optEndpoint|optDType|optAxis)
	if num < 0 {
		fail("linspace", array.ArgumentErrorf("%d numbers were asked for", num))
	}
	lo, hi := arr("linspace", start), arr("linspace", stop)
	d, _ := common("linspace", []*Array{lo, hi}, toInexact)
	if s.has(optDType) {
		d = s.dtype
	}
	comp := toInexact(d)
	ends := broadcast("linspace", convert(lo, comp, false), convert(hi, comp, false))
	lo, hi = ends[0], ends[1]
	axis := s.axis("linspace", lo.Rank()+1, 0)
	div := num - 1
	if s.noEndpoint {
		div = num
	}
	a, b := lo.ExpandDims(axis), hi.ExpandDims(axis)
	step = Full(nil, math.NaN(), comp)
	var out *Array
	switch {
	case num == 0:
		out = Zeros(lo.Shape().Insert(axis, 0), comp)
	case num == 1:
		out = a
		if s.noEndpoint {
			step = hi.Sub(lo)
		}
	default:
		step = hi.Sub(lo).Div(scalar(comp, float64(div)))
		shape := make(Shape, a.Rank())
		for i := range shape {
			shape[i] = 1
		}
		shape[axis] = div
		t := primitive.Iota(comp.Real(), Shape{div}, 0).Div(scalar(comp.Real(), float64(div))).Reshape(shape...)
		t = convert(t, comp, false)
		out = a.Mul(scalar(comp, 1).Sub(t)).Add(b.Mul(t))
		if !s.noEndpoint {
			out = Concatenate([]*Array{out, b}, Axis(axis))
		}
	}
	if d.IsInteger() {
		out = primitive.Floor(out)
	}
	return convert(out, d, false), step
}

// Logspace is base to the powers of Linspace(start, stop, num). It takes the options of Linspace.
func Logspace(start, stop any, num int, base float64, opts ...Option) *Array {
	s := gather("logspace", opts, optEndpoint|optDType|optAxis)
	d, _ := common("logspace", []*Array{arr("logspace", start), arr("logspace", stop)}, toInexact)
	if s.has(optDType) {
		d = s.dtype
	}
	return convert(Power(scalar(toInexact(d), base), Linspace(start, stop, num, append(opts, As(toInexact(d)))...)), d, false)
}

// Geomspace is num numbers from start to stop of which neighbours have the same ratio. It takes the options of Linspace.
func Geomspace(start, stop any, num int, opts ...Option) *Array {
	s := gather("geomspace", opts, optEndpoint|optDType|optAxis)
	lo, hi := arr("geomspace", start), arr("geomspace", stop)
	d, _ := common("geomspace", []*Array{lo, hi}, toInexact)
	if s.has(optDType) {
		d = s.dtype
	}
	comp := toInexact(d)
	ends := broadcast("geomspace", convert(lo, comp, false), convert(hi, comp, false))
	sign := primitive.Sign(ends[0])
	axis := s.axis("geomspace", ends[0].Rank()+1, 0)
	out := Logspace(Log10(ends[0].Div(sign)), Log10(ends[1].Div(sign)), num, 10, append(opts, As(comp))...)
	return convert(sign.ExpandDims(axis).Mul(out), d, false)
}

// Eye is the identity matrix of n rows, float64 unless a dtype is given.
func Eye(n int, dtype ...DType) *Array { return EyeOffset(n, n, 0, dtype...) }

// Identity is Eye.
func Identity(n int, dtype ...DType) *Array { return Eye(n, dtype...) }

// EyeOffset is a matrix with ones on its k-th diagonal, above the main one for k > 0, and zeros elsewhere.
func EyeOffset(rows, cols, k int, dtype ...DType) *Array {
	i, j := grid("eye", rows, cols)
	return j.Sub(i).Equal(k).AsType(optional(dtype, Float64))
}

// Tri is a matrix with ones at and below its k-th diagonal.
func Tri(rows, cols, k int, dtype ...DType) *Array {
	i, j := grid("tri", rows, cols)
	return j.Sub(i).LessEqual(k).AsType(optional(dtype, Float64))
}

func grid(op string, rows, cols int) (i, j *Array) {
	s := checkShape(op, []int{rows, cols})
	return primitive.Iota(Int64, s, 0), primitive.Iota(Int64, s, 1)
}

// Tril is x [..., m, n] with zeros above the k-th diagonal.
func Tril(x any, k int) *Array { return triangle("tril", x, k, true) }

// Triu is x [..., m, n] with zeros below the k-th diagonal.
func Triu(x any, k int) *Array { return triangle("triu", x, k-1, false) }

func triangle(op string, x any, k int, lower bool) *Array {
	a := arr(op, x)
	atLeast(op, a, 2)
	s := a.Shape()[a.Rank()-2:]
	i, j := grid(op, s[0], s[1])
	keep := j.Sub(i).LessEqual(k)
	if !lower {
		keep = keep.Not()
	}
	return Where(keep, a, like(a, 0))
}

func atLeast(op string, x *Array, rank int) {
	if x.Rank() < rank {
		fail(op, array.ShapeErrorf("needs at least %d axes, got shape %s", rank, x.Shape()))
	}
}

// Diag is the matrix with the vector x on its k-th diagonal, or the k-th diagonal of the matrix x.
func Diag(x any, k int) *Array {
	a := arr("diag", x)
	switch a.Rank() {
	case 1:
		lead := max(k, -k)
		n := a.Shape()[0] + lead
		padded := Pad(a, [][2]int{{max(k, 0), lead - max(k, 0)}})
		i, j := grid("diag", n, n)
		return Where(j.Sub(i).Equal(k), padded, like(a, 0))
	case 2:
		return Diagonal(a, k)
	}
	fail("diag", array.ShapeErrorf("takes a vector or a matrix, got shape %s", a.Shape()))
	return nil
}

// Diagflat is Diag of x as a vector.
func Diagflat(x any, k int) *Array { return Diag(arr("diagflat", x).Ravel(), k) }

// Diagonal is the offset-th diagonal over two axes, the first two or Axis(a, b); it lies along a new last axis.
func Diagonal(x any, offset int, opts ...Option) *Array {
	a := arr("diagonal", x)
	atLeast("diagonal", a, 2)
	axes := []int{0, 1}
	if s := gather("diagonal", opts, optAxis); s.has(optAxis) {
		axes = s.axesOf("diagonal", a.Rank())
	}
	if len(axes) != 2 {
		fail("diagonal", array.AxisErrorf("takes two axes, got %d", len(axes)))
	}
	a = Moveaxis(a, axes, []int{-2, -1})
	m, n := a.Shape()[a.Rank()-2], a.Shape()[a.Rank()-1]
	size := max(0, min(m+min(offset, 0), n-max(offset, 0)))
	i := Arange(max(-offset, 0), max(-offset, 0)+size)
	j := Arange(max(offset, 0), max(offset, 0)+size)
	return a.At(Ellipsis, i, j).Get()
}

// Trace is the sum of a diagonal; see Diagonal.
func Trace(x any, offset int, opts ...Option) *Array { return Diagonal(x, offset, opts...).Sum(-1) }

// Vander is the matrix of powers of the vector x: cols columns, the highest power first.
func Vander(x any, cols int, increasing bool) *Array {
	a := arr("vander", x)
	if a.Rank() != 1 || cols < 0 {
		fail("vander", array.ShapeErrorf("takes a vector and a count of columns, got shape %s and %d", a.Shape(), cols))
	}
	powers := Arange(cols)
	if !increasing {
		powers = Arange(cols-1, -1, -1)
	}
	return Power(a.ExpandDims(1), powers.ExpandDims(0).AsType(Int32))
}

// Meshgrid gives, for vectors x, y, z …, arrays of their coordinates on the grid they span, with y along the first axis
// and x along the second as in a picture; Mode("ij") keeps the order of the vectors. Mode("sparse") and Mode("ij,sparse")
// give arrays that broadcast to the grid.
func Meshgrid(xs []*Array, opts ...Option) []*Array {
	s := gather("meshgrid", opts, optMode)
	var ij, sparse bool
	switch s.mode {
	case "", "xy":
	case "ij":
		ij = true
	case "sparse", "xy,sparse":
		sparse = true
	case "ij,sparse":
		ij, sparse = true, true
	default:
		fail("meshgrid", array.ArgumentErrorf("mode %q is none of xy, ij, sparse, ij,sparse", s.mode))
	}
	order := allAxes(len(xs)) // the axis of each vector
	if !ij && len(xs) > 1 {
		order[0], order[1] = 1, 0
	}
	out := make([]*Array, len(xs))
	for i, x := range xs {
		if x.Rank() > 1 {
			fail("meshgrid", array.ShapeErrorf("takes vectors, got shape %s", x.Shape()))
		}
		shape := make([]int, len(xs))
		for k := range shape {
			shape[k] = 1
		}
		shape[order[i]] = x.Size()
		out[i] = x.Reshape(shape...)
	}
	if sparse {
		return out
	}
	return broadcast("meshgrid", out...)
}

// Indices is the array [len(shape), shape...] of the positions along each axis, int64 unless a dtype is given.
func Indices(shape []int, dtype ...DType) *Array {
	d := optional(dtype, Int64)
	parts := make([]*Array, len(shape))
	for i := range shape {
		parts[i] = primitive.Iota(d, checkShape("indices", shape), i)
	}
	if len(parts) == 0 {
		return Zeros([]int{0}, d)
	}
	return Stack(parts)
}

// Fromfunction applies f to the positions along each axis of a grid, each an array of the grid's shape, float64 unless a
// dtype is given.
func Fromfunction(f func(indices ...*Array) *Array, shape []int, dtype ...DType) *Array {
	idx := make([]*Array, len(shape))
	for i := range shape {
		idx[i] = primitive.Iota(optional(dtype, Float64), checkShape("fromfunction", shape), i)
	}
	return f(idx...)
}

// FromSlice makes an array of a shape from a flat slice of Go numbers in row-major order; it copies them.
func FromSlice(v any, shape ...int) *Array {
	b, err := arr("from_slice", v).Host()
	if err != nil {
		fail("from_slice", err)
	}
	if s := checkShape("from_slice", shape); s.Size() != b.Len() {
		fail("from_slice", array.ShapeErrorf("%d numbers do not fill the shape %s", b.Len(), s))
	}
	return array.Of(b.Reshaped(shape))
}
