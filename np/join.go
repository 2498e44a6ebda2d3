package np

import (
	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/primitive"
)

// promoteAll converts a list of arrays to their common dtype.
func promoteAll(op string, xs []*Array) []*Array {
	if len(xs) == 0 {
		fail(op, array.ArgumentErrorf("needs at least one array"))
	}
	vs := make([]any, len(xs))
	for i, x := range xs {
		vs[i] = x
	}
	return promote(op, vs...)
}

// Concatenate joins arrays along an existing axis, the first or Axis; their other sizes must be equal. Axis() with no axis
// joins the flattened arrays.
func Concatenate(xs []*Array, opts ...Option) *Array {
	xs = promoteAll("concatenate", xs)
	s := gather("concatenate", opts, optAxis)
	if s.has(optAxis) && len(s.axes) == 0 {
		return Concatenate(each(xs, Ravel))
	}
	if xs[0].Rank() == 0 {
		fail("concatenate", array.ShapeErrorf("scalars cannot be concatenated; use Stack"))
	}
	axis := s.axis("concatenate", xs[0].Rank(), 0)
	if len(xs) == 1 {
		return xs[0]
	}
	return primitive.Concatenate(axis, xs...)
}

// Concat is Concatenate.
func Concat(xs []*Array, opts ...Option) *Array { return Concatenate(xs, opts...) }

// Stack joins arrays of equal shape along a new axis, the first or Axis.
func Stack(xs []*Array, opts ...Option) *Array {
	xs = promoteAll("stack", xs)
	axis := gather("stack", opts, optAxis).axis("stack", xs[0].Rank()+1, 0)
	parts := make([]*Array, len(xs))
	for i, x := range xs {
		if !x.Shape().Equal(xs[0].Shape()) {
			fail("stack", array.ShapeErrorf("shapes differ: the first is %s, number %d is %s", xs[0].Shape(), i, x.Shape()))
		}
		parts[i] = x.ExpandDims(axis)
	}
	return Concatenate(parts, Axis(axis))
}

func each(xs []*Array, f func(any) *Array) []*Array {
	out := make([]*Array, len(xs))
	for i, x := range xs {
		out[i] = f(x)
	}
	return out
}

// Vstack joins arrays along the first axis, vectors as rows.
func Vstack(xs []*Array) *Array { return Concatenate(each(xs, Atleast2d)) }

// Hstack joins arrays along the second axis, vectors along their only one.
func Hstack(xs []*Array) *Array {
	xs = each(xs, Atleast1d)
	if len(xs) > 0 && xs[0].Rank() == 1 {
		return Concatenate(xs)
	}
	return Concatenate(xs, Axis(1))
}

// Dstack joins arrays along the third axis; see Atleast3d.
func Dstack(xs []*Array) *Array { return Concatenate(each(xs, Atleast3d), Axis(2)) }

// ColumnStack joins vectors as columns, and matrices along their second axis.
func ColumnStack(xs []*Array) *Array {
	return Concatenate(each(xs, func(x any) *Array {
		a := arr("column_stack", x)
		if a.Rank() < 2 {
			return Atleast2d(a).T()
		}
		return a
	}), Axis(1))
}

// Append is Concatenate of two arrays along Axis, or of both flattened where no axis is given.
func Append(x, y any, opts ...Option) *Array {
	a, b := arr("append", x), arr("append", y)
	if !gather("append", opts, optAxis).has(optAxis) {
		return Concatenate([]*Array{a.Ravel(), b.Ravel()})
	}
	return Concatenate([]*Array{a, b}, opts...)
}

// Block puts arrays together from nested lists: the innermost lists along the last axis, the next along the one before.
// blocks is a []any of arrays, numbers and such lists, all arrays at the same depth.
func Block(blocks any) *Array {
	out, _ := block(blocks)
	return out
}

func block(v any) (*Array, int) {
	list, ok := v.([]any)
	if !ok {
		if xs, isArrays := v.([]*Array); isArrays {
			ok = true
			for _, x := range xs {
				list = append(list, x)
			}
		}
	}
	if !ok {
		return arr("block", v), 1
	}
	var parts []*Array
	depth, rank := 0, 0
	for _, b := range list {
		x, d := block(b)
		parts, depth, rank = append(parts, x), d, max(rank, x.Rank())
	}
	rank = max(rank, depth)
	for i, x := range parts {
		for x.Rank() < rank {
			x = x.ExpandDims(0)
		}
		parts[i] = x
	}
	return Concatenate(parts, Axis(-depth)), depth + 1
}

// Tile repeats the whole array, reps[i] times along axis i, aligned at the last axis.
func Tile(x any, reps ...int) *Array {
	a := arr("tile", x)
	for _, r := range reps {
		if r < 0 {
			fail("tile", array.ArgumentErrorf("a count of %d is negative", r))
		}
	}
	rank := max(a.Rank(), len(reps))
	for a.Rank() < rank {
		a = a.ExpandDims(0)
	}
	shape, wide := Shape{}, Shape{}
	out := Shape{}
	for i, d := range a.Shape() {
		r := 1
		if k := i - (rank - len(reps)); k >= 0 {
			r = reps[k]
		}
		shape, wide, out = append(shape, 1, d), append(wide, r, d), append(out, r*d)
	}
	return a.Reshape(shape...).BroadcastTo(wide...).Reshape(out...)
}

// Repeat repeats each element along an axis, Axis or that of the flattened array. counts is one int, or a list of them,
// one for each element, whose values must be known; with Length(n) they may be traced: the result has n elements then.
func Repeat(x any, counts any, opts ...Option) *Array {
	a := arr("repeat", x)
	s := gather("repeat", opts, optAxis|optSize)
	if !s.has(optAxis) {
		a = a.Ravel()
	}
	axis := s.axis("repeat", a.Rank(), 0)
	n := a.Shape()[axis]
	reps := arr("repeat", counts)
	if reps.Rank() > 1 || !reps.DType().IsInteger() {
		fail("repeat", array.ArgumentErrorf("counts must be integers in a scalar or vector, got %s", reps.Aval()))
	}
	if s.has(optSize) {
		ends := Cumsum(reps.BroadcastTo(n))
		at := Clip(Searchsorted(ends, Arange(s.size), Right()), 0, n-1)
		return Take(a, at, Axis(axis))
	}
	list := reps.Ints()
	if len(list) != 1 && len(list) != n {
		fail("repeat", array.ShapeErrorf("%d counts for %d elements", len(list), n))
	}
	if len(list) == 1 {
		shape := a.Shape().Insert(axis+1, 1)
		wide := a.Shape().Insert(axis+1, max(list[0], 0))
		out := a.Shape().Clone()
		out[axis] *= max(list[0], 0)
		return a.Reshape(shape...).BroadcastTo(wide...).Reshape(out...)
	}
	var at []int
	for i, k := range list {
		for range k {
			at = append(at, i)
		}
	}
	return Take(a, at, Axis(axis))
}

// Split divides x along an axis, the first or Axis, into equal parts, or before each of a list of positions.
func Split(x any, sections any, opts ...Option) []*Array {
	return split("split", x, sections, false, opts)
}

// ArraySplit is Split that lets the last parts be one shorter.
func ArraySplit(x any, sections any, opts ...Option) []*Array {
	return split("array_split", x, sections, true, opts)
}

// Vsplit is Split along the first axis.
func Vsplit(x any, sections any) []*Array { return Split(x, sections, Axis(0)) }

// Hsplit is Split along the second axis, of a vector along its only one.
func Hsplit(x any, sections any) []*Array {
	return Split(x, sections, Axis(min(1, arr("hsplit", x).Rank()-1)))
}

// Dsplit is Split along the third axis.
func Dsplit(x any, sections any) []*Array { return Split(x, sections, Axis(2)) }

func split(op string, x any, sections any, uneven bool, opts []Option) []*Array {
	a := arr(op, x)
	axis := gather(op, opts, optAxis).axis(op, a.Rank(), 0)
	n := a.Shape()[axis]
	var cuts []int
	switch s := sections.(type) {
	case int:
		if s <= 0 || n%s != 0 && !uneven {
			fail(op, array.ShapeErrorf("axis %d of size %d does not divide into %d equal parts; ArraySplit allows a remainder", axis, n, s))
		}
		at := 0
		for i := range s {
			at += n / s
			if i < n%s {
				at++
			}
			cuts = append(cuts, at)
		}
	default:
		cuts = append(arr(op, sections).Ints(), n)
	}
	var out []*Array
	from := 0
	for _, to := range cuts {
		out = append(out, sliceAxis(a, axis, from, to))
		from = to
	}
	return out
}

// Unstack takes x apart along an axis, the first or Axis, which the parts no longer have.
func Unstack(x any, opts ...Option) []*Array {
	a := arr("unstack", x)
	axis := gather("unstack", opts, optAxis).axis("unstack", a.Rank(), 0)
	out := make([]*Array, a.Shape()[axis])
	for i := range out {
		out[i] = sliceAxis(a, axis, i, i+1).Squeeze(axis)
	}
	return out
}

// Delete leaves out positions along an axis, Axis or that of the flattened array. positions, an int or a list of ints or
// bools, must be known.
func Delete(x any, positions any, opts ...Option) *Array {
	a := arr("delete", x)
	s := gather("delete", opts, optAxis)
	if !s.has(optAxis) {
		a = a.Ravel()
	}
	axis := s.axis("delete", a.Rank(), 0)
	n := a.Shape()[axis]
	p := arr("delete", positions)
	drop := make([]bool, n)
	if p.DType() == Bool {
		if p.Size() != n {
			fail("delete", array.ShapeErrorf("a mask of %d elements for %d positions", p.Size(), n))
		}
		drop = p.Bools()
	} else {
		for _, i := range p.Ravel().Ints() {
			if i < -n || i >= n {
				fail("delete", array.ArgumentErrorf("position %d is out of bounds for axis %d of size %d", i, axis, n))
			}
			drop[(i+n)%n] = true
		}
	}
	keep := []int{}
	for i, d := range drop {
		if !d {
			keep = append(keep, i)
		}
	}
	return Take(a, keep, Axis(axis))
}

// Insert puts values before known positions along an axis, Axis or that of the flattened array.
func Insert(x any, positions any, values any, opts ...Option) *Array {
	a := arr("insert", x)
	s := gather("insert", opts, optAxis)
	if !s.has(optAxis) {
		a = a.Ravel()
	}
	axis := s.axis("insert", a.Rank(), 0)
	n := a.Shape()[axis]
	p := arr("insert", positions)
	at := p.Ravel().Ints()
	v := convert(arr("insert", values), a.DType(), false)
	count := len(at)
	if p.Rank() == 0 { // the values may be several, all at this place
		if v.Rank() > 0 {
			v = Moveaxis(Atleast1d(v), []int{0}, []int{min(axis, v.Rank()-1)})
		}
		shape := a.Shape().Clone()
		shape[axis] = 1
		if v.Rank() == a.Rank() {
			shape[axis] = v.Shape()[axis]
		}
		count = shape[axis]
		v = v.BroadcastTo(shape...)
		for len(at) < count {
			at = append(at, at[0])
		}
	} else {
		shape := a.Shape().Clone()
		shape[axis] = count
		v = v.BroadcastTo(shape...)
	}
	order := make([]int, 0, n+count) // position i of the result is element order[i] of a and v joined
	for i := range n + 1 {
		for k, q := range at {
			if q < -n || q > n {
				fail("insert", array.ArgumentErrorf("position %d is out of bounds for axis %d of size %d", q, axis, n))
			}
			if q < 0 {
				q += n
			}
			if q == i {
				order = append(order, n+k)
			}
		}
		if i < n {
			order = append(order, i)
		}
	}
	return Take(Concatenate([]*Array{a, v}, Axis(axis)), order, Axis(axis))
}
