package array

import "slices"

// NormalAxis turns an axis of an array of the given rank, negative ones counting from the end, into 0 … rank-1. It reports
// an AxisError where there is no such axis.
func NormalAxis(axis, rank int) (int, error) {
	if axis < -rank || axis >= rank {
		return 0, AxisErrorf("axis %d is out of range for an array with %d axes", axis, rank)
	}
	if axis < 0 {
		axis += rank
	}
	return axis, nil
}

// NormalAxes is NormalAxis of each axis of a list. It reports an AxisError also where an axis is named twice.
func NormalAxes(axes []int, rank int) ([]int, error) {
	out := make([]int, len(axes))
	for i, a := range axes {
		n, err := NormalAxis(a, rank)
		if err != nil {
			return nil, err
		}
		if slices.Contains(out[:i], n) {
			return nil, AxisErrorf("axis %d is named twice", n)
		}
		out[i] = n
	}
	return out, nil
}

// Resolve returns s with a size of -1 replaced by what makes the number of elements n. It reports a ShapeError where
// that cannot be.
func (s Shape) Resolve(n int) (Shape, error) {
	known, hole := 1, -1
	for i, d := range s {
		switch {
		case d == -1 && hole < 0:
			hole = i
		case d < 0:
			return nil, ShapeErrorf("shape %s has a size of %d; one size may be -1 and stands for what is left", s, d)
		default:
			known *= d
		}
	}
	out := s.Clone()
	if hole >= 0 && known > 0 && n%known == 0 {
		out[hole] = n / known
		known = n
	}
	if known != n || hole >= 0 && out[hole] < 0 {
		return nil, ShapeErrorf("%d elements do not fit the shape %s", n, s)
	}
	return out, nil
}

// Broadcast is the shape that arrays of these shapes have in common by NumPy's rule: aligned at the last axis, a size of
// 1 or a missing axis repeats. It reports a ShapeError where two sizes differ and neither is 1.
func Broadcast(shapes ...Shape) (Shape, error) {
	rank := 0
	for _, s := range shapes {
		rank = max(rank, len(s))
	}
	out := make(Shape, rank)
	for i := range out {
		out[i] = 1
	}
	for _, s := range shapes {
		for i, d := range s {
			k := rank - len(s) + i
			switch {
			case d == 1 || d == out[k]:
			case out[k] == 1:
				out[k] = d
			default:
				return nil, ShapeErrorf("shapes %s do not broadcast: axis %d from the end has sizes %d and %d",
					shapeList(shapes), rank-k, out[k], d)
			}
		}
	}
	return out, nil
}

func shapeList(shapes []Shape) string {
	out := ""
	for i, s := range shapes {
		if i > 0 {
			out += " and "
		}
		out += s.String()
	}
	return out
}

// Reshape gives x another shape of as many elements, in row-major order; one size may be -1.
func (x *Array) Reshape(sizes ...int) *Array {
	s, err := Shape(sizes).Resolve(x.Size())
	if err != nil {
		panic(Wrap("reshape", err))
	}
	return means("reshape").Reshape(x, s)
}

// Ravel is x as a vector in row-major order.
func (x *Array) Ravel() *Array { return x.Reshape(-1) }

// T reverses the axes.
func (x *Array) T() *Array { return x.Transpose() }

// Transpose permutes the axes: axis i of the result is axis axes[i] of x; without axes it reverses them.
func (x *Array) Transpose(axes ...int) *Array {
	perm := make([]int, x.Rank())
	for i := range perm {
		perm[i] = len(perm) - 1 - i
	}
	if len(axes) > 0 || x.Rank() == 0 {
		var err error
		if perm, err = NormalAxes(axes, x.Rank()); err == nil && len(perm) != x.Rank() {
			err = AxisErrorf("a transpose of %d axes was given %d", x.Rank(), len(axes))
		}
		if err != nil {
			panic(Wrap("transpose", err))
		}
	}
	return means("transpose").Transpose(x, perm)
}

// Swapaxes exchanges two axes.
func (x *Array) Swapaxes(a, b int) *Array {
	ab, err := NormalAxes([]int{a}, x.Rank())
	if err == nil {
		b, err = NormalAxis(b, x.Rank())
	}
	if err != nil {
		panic(Wrap("swapaxes", err))
	}
	perm := make([]int, x.Rank())
	for i := range perm {
		perm[i] = i
	}
	perm[ab[0]], perm[b] = b, ab[0]
	return means("swapaxes").Transpose(x, perm)
}

// Squeeze leaves out axes of size 1: the given ones, or all where none is given.
func (x *Array) Squeeze(axes ...int) *Array {
	s := x.Shape()
	drop, err := NormalAxes(axes, len(s))
	if len(axes) == 0 {
		for i, d := range s {
			if d == 1 {
				drop = append(drop, i)
			}
		}
	}
	for _, a := range drop {
		if err == nil && s[a] != 1 {
			err = ShapeErrorf("axis %d of shape %s has size %d; only an axis of size 1 can be squeezed", a, s, s[a])
		}
	}
	if err != nil {
		panic(Wrap("squeeze", err))
	}
	return means("squeeze").Reshape(x, s.Without(drop...))
}

// ExpandDims inserts an axis of size 1, which is axis in the result; -1 puts it last.
func (x *Array) ExpandDims(axis int) *Array {
	a, err := NormalAxis(axis, x.Rank()+1)
	if err != nil {
		panic(Wrap("expand_dims", err))
	}
	return means("expand_dims").Reshape(x, x.Shape().Insert(a, 1))
}

// BroadcastTo repeats x to a shape by NumPy's rule: see Broadcast.
func (x *Array) BroadcastTo(sizes ...int) *Array {
	return means("broadcast_to").BroadcastTo(x, Shape(sizes))
}
