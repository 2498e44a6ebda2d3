package np

import (
	"github.com/pantograph-go/pantograph/array"
)

// UniqueResult is what UniqueAll finds.
type UniqueResult struct {
	Values  *Array // ascending, each once
	Index   *Array // the position of the first of each in the flattened array
	Inverse *Array // for each element the position of its value in Values, in the shape of x
	Counts  *Array // how often each occurs
}

// UniqueAll gives the different elements of x in ascending order, with positions and counts. How many there are must be
// known: x must not be traced, unless Length is given; then missing ones are FillValue, the smallest value if absent. NaN
// are one value, unless DistinctNaN is given. It takes Length, FillValue and DistinctNaN.
func UniqueAll(x any, opts ...Option) UniqueResult {
	s := gather("unique", opts, optSize|optFill|optDistinctNaN)
	a := arr("unique", x)
	flat := a.Ravel()
	n := flat.Size()
	order := Argsort(flat)
	sorted := flat.At(order).Get()
	isNew := filled(Shape{n}, Bool, 1)
	if n > 1 {
		p, q := sliceAxis(sorted, 0, 1, End), sliceAxis(sorted, 0, 0, -1)
		differ := p.NotEqual(q)
		if sorted.DType().IsInexact() && !s.distinct {
			differ = differ.And(IsNaN(p).And(IsNaN(q)).Not())
		}
		isNew = Concatenate([]*Array{filled(Shape{1}, Bool, 1), differ})
	}
	return s.unique("unique", sorted, order, isNew, a.Shape())
}

// unique collects the first of each run of a sorted array; axis 0 of it may hold rows.
func (s *settings) unique(op string, sorted, order, isNew *Array, shape Shape) UniqueResult {
	n := order.Size()
	group := Cumsum(isNew).Sub(1)
	size := s.size
	if !s.has(optSize) {
		size = Sum(isNew).Int()
	}
	if n == 0 {
		empty := Zeros([]int{size}, Int64)
		return UniqueResult{Zeros(sorted.Shape().Without(0).Insert(0, size), sorted.DType()), empty, filled(shape, Int64, 0), empty}
	}
	count := Sum(isNew)
	first := Flatnonzero(isNew, Length(size))
	missing := Arange(size).GreaterEqual(count)
	values := sorted.At(first).Get()
	fill := sliceAxis(values, 0, 0, 1)
	if s.has(optFill) {
		fill = convert(arr(op, s.fill), values.DType(), false)
	}
	wide := missing.Reshape(append(Shape{size}, ones(values.Rank()-1)...)...)
	counts := Zeros([]int{size}, Int64).At(group).Add(1)
	return UniqueResult{
		Values:  Where(wide, fill, values),
		Index:   Where(missing, order.At(sliceAxis(first, 0, 0, min(1, size))).Get(), order.At(first).Get()),
		Inverse: Zeros([]int{n}, Int64).At(order).Set(group).Reshape(shape...),
		Counts:  counts,
	}
}

// Unique gives the different elements of x in ascending order; with Axis the different slices along it. See UniqueAll.
func Unique(x any, opts ...Option) *Array {
	s := gather("unique", opts, optSize|optFill|optAxis|optDistinctNaN)
	if s.has(optAxis) {
		return UniqueAxis(x, opts...).Values
	}
	return UniqueAll(x, opts...).Values
}

// UniqueAxis is UniqueAll of the slices along Axis, ordered by their elements.
func UniqueAxis(x any, opts ...Option) UniqueResult {
	s := gather("unique", opts, optSize|optFill|optAxis|optDistinctNaN)
	a := arr("unique", x)
	axis := s.axis("unique", a.Rank(), 0)
	a = Moveaxis(a, []int{axis}, []int{0})
	n := a.Shape()[0]
	rows := a.Reshape(n, a.Size()/max(n, 1))
	var keys []*Array
	for j := rows.Shape()[1] - 1; j >= 0; j-- {
		keys = append(keys, rows.At(":", j).Get())
	}
	order := Arange(n)
	if len(keys) > 0 {
		order = Lexsort(keys)
	}
	sorted := a.At(order).Get()
	flat := rows.At(order).Get()
	isNew := filled(Shape{n}, Bool, 1)
	if n > 1 {
		p, q := sliceAxis(flat, 0, 1, End), sliceAxis(flat, 0, 0, -1)
		differ := p.NotEqual(q)
		if flat.DType().IsInexact() && !s.distinct {
			differ = differ.And(IsNaN(p).And(IsNaN(q)).Not())
		}
		isNew = Concatenate([]*Array{filled(Shape{1}, Bool, 1), Any(differ, Axis(1))})
	}
	r := s.unique("unique", sorted, order, isNew, Shape{n})
	r.Values = Moveaxis(r.Values, []int{0}, []int{axis})
	return r
}

// UniqueValues is Unique.
func UniqueValues(x any, opts ...Option) *Array { return Unique(x, opts...) }

// UniqueCounts gives the different elements and how often each occurs; see UniqueAll.
func UniqueCounts(x any, opts ...Option) (values, counts *Array) {
	u := UniqueAll(x, opts...)
	return u.Values, u.Counts
}

// UniqueInverse gives the different elements and for each element of x its place among them; see UniqueAll.
func UniqueInverse(x any, opts ...Option) (values, inverse *Array) {
	u := UniqueAll(x, opts...)
	return u.Values, u.Inverse
}

// IsIn is true where an element of x is among values.
func IsIn(x, values any) *Array {
	xv := promote("isin", x, values)
	a, v := xv[0], xv[1].Ravel()
	if v.Size() == 0 {
		return filled(a.Shape(), Bool, 0)
	}
	return a.ExpandDims(-1).Equal(v).Any(-1)
}

// Union1d gives the different elements of both arrays in ascending order. It takes the options of UniqueAll.
func Union1d(x, y any, opts ...Option) *Array {
	xy := promote("union1d", x, y)
	return Unique(Concatenate([]*Array{xy[0].Ravel(), xy[1].Ravel()}), opts...)
}

// keepUnique gives the different elements of a where keep is true, in order.
func keepUnique(op string, a, keep *Array, opts []Option) *Array {
	s := gather(op, opts, optSize|optFill)
	if !s.has(optSize) {
		return Unique(Compress(keep, a))
	}
	// Sorted with what is left out behind, the first of each run is a member.
	order := Lexsort([]*Array{a, keep.Not()})
	sorted, kept := a.At(order).Get(), keep.At(order).Get()
	isNew := kept
	if n := a.Size(); n > 1 {
		p, q := sliceAxis(sorted, 0, 1, End), sliceAxis(sorted, 0, 0, -1)
		isNew = kept.And(Concatenate([]*Array{filled(Shape{1}, Bool, 1), p.NotEqual(q)}))
	}
	values := Compress(isNew, sorted, Length(s.size))
	missing := Arange(s.size).GreaterEqual(Sum(isNew))
	fill := sliceAxis(values, 0, 0, min(1, s.size))
	if s.has(optFill) {
		fill = convert(arr(op, s.fill), values.DType(), false)
	}
	return Where(missing, fill, values)
}

// Intersect1d gives the elements that both arrays have in ascending order. It takes Length and FillValue.
func Intersect1d(x, y any, opts ...Option) *Array {
	xy := promote("intersect1d", x, y)
	a := xy[0].Ravel()
	return keepUnique("intersect1d", a, IsIn(a, xy[1]), opts)
}

// Setdiff1d gives the elements of x that y has not, in ascending order. It takes Length and FillValue, which is 0 if
// absent.
func Setdiff1d(x, y any, opts ...Option) *Array {
	xy := promote("setdiff1d", x, y)
	a := xy[0].Ravel()
	return keepUnique("setdiff1d", a, IsIn(a, xy[1]).Not(), append([]Option{FillValue(0)}, opts...))
}

// Setxor1d gives the elements that only one of the arrays has, in ascending order. It takes Length and FillValue.
func Setxor1d(x, y any, opts ...Option) *Array {
	xy := promote("setxor1d", x, y)
	a, b := xy[0].Ravel(), xy[1].Ravel()
	both := Concatenate([]*Array{a, b})
	return keepUnique("setxor1d", both, Concatenate([]*Array{IsIn(a, b).Not(), IsIn(b, a).Not()}), opts)
}

// TrimZeros leaves out the zeros at both ends of a vector whose values are known: at the front where sides has an f,
// at the back where it has a b.
func TrimZeros(x any, sides string) *Array {
	a := arr("trim_zeros", x)
	if a.Rank() != 1 {
		fail("trim_zeros", array.ShapeErrorf("takes a vector, got shape %s", a.Shape()))
	}
	lo, hi := 0, a.Size()
	nonzero := a.Bools()
	for _, c := range sides {
		switch c {
		case 'f', 'F':
			for lo < hi && !nonzero[lo] {
				lo++
			}
		case 'b', 'B':
			for hi > lo && !nonzero[hi-1] {
				hi--
			}
		default:
			fail("trim_zeros", array.ArgumentErrorf("sides %q may hold f and b", sides))
		}
	}
	return sliceAxis(a, 0, lo, hi)
}
