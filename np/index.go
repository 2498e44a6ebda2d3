package np

import (
	"slices"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/primitive"
)

func axisNeeded(a *Array) error {
	return array.AxisErrorf("an array with %d axes needs an Axis", a.Rank())
}

// Where is x where the condition is true (not zero) and y elsewhere; all three broadcast, x and y promote. Both x and y
// are computed: where one of them is NaN or infinite its derivative may be so too, though the other is chosen.
func Where(condition, x, y any) *Array {
	xy := promote("where", x, y)
	all := broadcast("where", mask("where", condition), xy[0], xy[1])
	return primitive.Select(all[0], all[1], all[2])
}

// Select is the choice whose condition is the first that is true, or otherwise.
func Select(conditions, choices []*Array, otherwise any) *Array {
	if len(conditions) != len(choices) || len(conditions) == 0 {
		fail("select", array.ArgumentErrorf("%d conditions for %d choices", len(conditions), len(choices)))
	}
	vs := []any{otherwise}
	for _, c := range choices {
		vs = append(vs, c)
	}
	xs := promote("select", vs...)
	out := xs[0]
	for i := len(conditions) - 1; i >= 0; i-- {
		out = Where(conditions[i], xs[i+1], out)
	}
	return out
}

// Piecewise is f[i](x) where conditions[i] is true, the last true one counting; one more function than conditions holds
// where none is. Functions are func(*Array) *Array or numbers.
func Piecewise(x any, conditions []*Array, functions []any) *Array {
	a := arr("piecewise", x)
	if n := len(functions); n != len(conditions) && n != len(conditions)+1 {
		fail("piecewise", array.ArgumentErrorf("%d functions for %d conditions", n, len(conditions)))
	}
	value := func(f any) *Array {
		if g, ok := f.(func(*Array) *Array); ok {
			return convert(g(a), a.DType(), false)
		}
		return convert(arr("piecewise", f), a.DType(), false)
	}
	out := ZerosLike(a)
	if len(functions) > len(conditions) {
		out = value(functions[len(conditions)])
	}
	for i, c := range conditions {
		out = Where(c, value(functions[i]), out)
	}
	return out.BroadcastTo(a.Shape()...)
}

// Choose is choices[index], element by element; all broadcast. Out-of-bounds indices clip, or wrap with Mode("wrap").
func Choose(index any, choices []*Array, opts ...Option) *Array {
	s := gather("choose", opts, optMode)
	i := arr("choose", index)
	n := len(choices)
	if n == 0 || !i.DType().IsInteger() {
		fail("choose", array.ArgumentErrorf("takes integers and at least one choice, got %s and %d", i.Aval(), n))
	}
	if s.mode == "wrap" {
		i = Mod(i, n)
	}
	out := promoteAll("choose", choices)
	y := out[n-1]
	for k := n - 2; k >= 0; k-- {
		y = Where(i.LessEqual(k), out[k], y)
	}
	return y.BroadcastTo(BroadcastShapes(i.Shape(), y.Shape())...)
}

// Take is x at positions along Axis, or in the flattened array: the axis is replaced by those of index. A position out
// of bounds gives NaN (for integers the smallest value of a signed and the largest of an unsigned type), with FillValue
// that, with Mode("clip") the nearest element, with Mode("wrap") the element modulo the size. Negative positions count
// from the end, except under clip. It takes Axis, Mode and FillValue.
func Take(x, index any, opts ...Option) *Array {
	s := gather("take", opts, optAxis|optMode|optFill)
	a, i := arr("take", x), arr("take", index)
	if !s.has(optAxis) {
		a = a.Ravel()
	}
	axis := s.axis("take", a.Rank(), 0)
	idx := make([]any, axis+1)
	for k := range axis {
		idx[k] = ":"
	}
	i, mode, valid := positions("take", i, a.Shape()[axis], s)
	idx[axis] = i
	y := a.At(idx...).Mode(mode).Get()
	if valid != nil {
		valid = valid.Reshape(append(i.Shape().Clone(), ones(a.Rank()-axis-1)...)...)
		y = Where(valid, y, convert(arr("take", s.fill), y.DType(), false))
	}
	return y
}

func ones(n int) Shape {
	s := make(Shape, n)
	for i := range s {
		s[i] = 1
	}
	return s
}

// positions prepares an index array of an axis of n elements for a mode. valid says, under FillValue, which are inside.
func positions(op string, i *Array, n int, s *settings) (*Array, array.IndexMode, *Array) {
	if !i.DType().IsInteger() {
		fail(op, array.DTypeErrorf("positions must be integers, got %s", i.DType()))
	}
	switch s.mode {
	case "", "fill":
		if s.has(optFill) {
			wrapped := Where(i.Less(0), i.Add(n), i)
			return i, array.ClipMode, wrapped.GreaterEqual(0).And(wrapped.Less(n))
		}
		return i, array.FillMode, nil
	case "clip":
		return Clip(i, 0, max(n-1, 0)), array.PromiseInBounds, nil
	case "wrap":
		return Mod(i, n), array.PromiseInBounds, nil
	case "promise_in_bounds":
		return i, array.PromiseInBounds, nil
	}
	fail(op, array.ArgumentErrorf("mode %q is none of fill, clip, wrap, promise_in_bounds", s.mode))
	return nil, 0, nil
}

// alongAxis gives the index expression that selects x[…, index[…], …] along an axis, the other axes broadcast together.
func alongAxis(op string, a, i *Array, axis int) []any {
	if a.Rank() != i.Rank() {
		fail(op, array.ShapeErrorf("index of shape %s must have as many axes as %s", i.Shape(), a.Shape()))
	}
	idx := make([]any, a.Rank())
	for k, n := range a.Shape() {
		switch {
		case k == axis:
			idx[k] = i
			continue
		case n != i.Shape()[k] && n != 1 && i.Shape()[k] != 1:
			fail(op, array.ShapeErrorf("axis %d has %d elements in the array and %d in the index", k, n, i.Shape()[k]))
		}
		shape := ones(a.Rank())
		shape[k] = n
		idx[k] = primitive.Iota(Int64, Shape{n}, 0).Reshape(shape...)
	}
	return idx
}

// TakeAlongAxis picks along Axis the elements at positions that are given for every place of the other axes, which
// broadcast together. It takes Axis, the last if absent, and Mode and FillValue of Take; negative positions count from the
// end in every mode. Axis() with no axis takes from the flattened array.
func TakeAlongAxis(x, index any, opts ...Option) *Array {
	s := gather("take_along_axis", opts, optAxis|optMode|optFill)
	a, i := arr("take_along_axis", x), arr("take_along_axis", index)
	if s.has(optAxis) && len(s.axes) == 0 {
		a, s.axes = a.Ravel(), []int{0}
	}
	axis := s.axis("take_along_axis", a.Rank(), -1)
	if s.mode == "clip" {
		i = Where(i.Less(0), i.Add(a.Shape()[axis]), i)
	}
	i, mode, valid := positions("take_along_axis", i, a.Shape()[axis], s)
	y := a.At(alongAxis("take_along_axis", a, i, axis)...).Mode(mode).Get()
	if valid != nil {
		y = Where(valid, y, convert(arr("take_along_axis", s.fill), y.DType(), false))
	}
	return y
}

// PutAlongAxis is x with the elements that TakeAlongAxis would pick replaced by values.
func PutAlongAxis(x, index, values any, opts ...Option) *Array {
	s := gather("put_along_axis", opts, optAxis)
	a, i := arr("put_along_axis", x), arr("put_along_axis", index)
	axis := s.axis("put_along_axis", a.Rank(), -1)
	return a.At(alongAxis("put_along_axis", a, i, axis)...).Set(values)
}

// Put is x with the elements at positions of the flattened array replaced by values, repeated as needed. Positions out
// of bounds are dropped, with Mode("clip") or Mode("wrap") brought inside.
func Put(x, index, values any, opts ...Option) *Array {
	s := gather("put", opts, optMode)
	a, i, v := arr("put", x), arr("put", index).Ravel(), arr("put", values).Ravel()
	if i.Size() == 0 || v.Size() == 0 {
		return a
	}
	switch s.mode {
	case "clip":
		i = Clip(i, 0, a.Size()-1)
	case "wrap":
		i = Mod(i, a.Size())
	}
	return a.Ravel().At(i).Set(Resize(v, i.Size())).Reshape(a.Shape()...)
}

// Place is x with the elements where the condition is true replaced by the values in turn.
func Place(x, condition, values any) *Array {
	a, m, v := arr("place", x), mask("place", condition).Ravel(), arr("place", values).Ravel()
	if m.Size() != a.Size() || v.Size() == 0 {
		fail("place", array.ShapeErrorf("%d conditions and %d values for %d elements", m.Size(), v.Size(), a.Size()))
	}
	rank := Cumsum(m).Sub(1) // how many true ones are before
	chosen := Take(v, Mod(rank, v.Size()), Mode("promise_in_bounds"))
	return Where(m, convert(chosen, a.DType(), false), a.Ravel()).Reshape(a.Shape()...)
}

// FillDiagonal is x, of two or more axes of which all are equal where there are more than two, with its main diagonal
// replaced by v.
func FillDiagonal(x, v any) *Array {
	a := arr("fill_diagonal", x)
	atLeast("fill_diagonal", a, 2)
	n := a.Shape()[0]
	for _, d := range a.Shape() {
		if a.Rank() > 2 && d != n {
			fail("fill_diagonal", array.ShapeErrorf("all axes must be of one size, got %s", a.Shape()))
		}
		n = min(n, d)
	}
	values := arr("fill_diagonal", v)
	if values.Rank() > 0 {
		values = Resize(values, n)
	}
	idx := make([]any, a.Rank())
	for k := range idx {
		idx[k] = Arange(n)
	}
	return a.At(idx...).Set(values)
}

// Nonzero lists the positions where x differs from zero, one array for each axis, in row-major order. Their number must
// be known: x must not be traced, unless Length is given; then missing ones are 0 or FillValue. It takes Length and
// FillValue.
func Nonzero(x any, opts ...Option) []*Array {
	s := gather("nonzero", opts, optSize|optFill)
	a := arr("nonzero", x)
	atLeast("nonzero", a, 1)
	m := mask("nonzero", a).Ravel()
	n := s.size
	if !s.has(optSize) {
		n = int(CountNonzero(m).Int())
	}
	count := Cumsum(m)
	k := Arange(n)
	flat := Searchsorted(count, k.Add(1)).AsType(Int64)
	missing := k.GreaterEqual(Sum(m))
	out := make([]*Array, a.Rank())
	for ax, stride := range a.Shape().Strides() {
		var fill any = 0
		if s.has(optFill) {
			fill = s.fill
		}
		out[ax] = Where(missing, fill, flat.FloorDiv(max(stride, 1)).Mod(max(a.Shape()[ax], 1)))
	}
	return out
}

// Flatnonzero is Nonzero of the flattened array.
func Flatnonzero(x any, opts ...Option) *Array {
	return Nonzero(arr("flatnonzero", x).Ravel(), opts...)[0]
}

// Argwhere is the result of Nonzero as one array with a row for each position.
func Argwhere(x any, opts ...Option) *Array {
	a := arr("argwhere", x)
	if a.Rank() == 0 {
		return Zeros([]int{Flatnonzero(a, opts...).Size(), 0}, Int64)
	}
	return Stack(Nonzero(a, opts...), Axis(1))
}

// Compress keeps along Axis, or of the flattened array, the positions where the condition, a vector, is true. It takes
// Axis, Length and FillValue; see Nonzero.
func Compress(condition, x any, opts ...Option) *Array {
	s := gather("compress", opts, optAxis|optSize|optFill)
	a, c := arr("compress", x), mask("compress", condition)
	if c.Rank() != 1 {
		fail("compress", array.ShapeErrorf("the condition must be a vector, got shape %s", c.Shape()))
	}
	if !s.has(optAxis) {
		a = a.Ravel()
	}
	axis := s.axis("compress", a.Rank(), 0)
	if !s.has(optSize) {
		return Take(a, Flatnonzero(c), Axis(axis))
	}
	var fill any = 0
	if s.has(optFill) {
		fill = s.fill
	}
	return Take(a, Flatnonzero(c, Length(s.size), FillValue(a.Shape()[axis])), Axis(axis), FillValue(fill))
}

// Extract is Compress of the flattened array by a condition of its size.
func Extract(condition, x any, opts ...Option) *Array {
	return Compress(arr("extract", condition).Ravel(), x, opts...)
}

// Ix turns vectors into arrays that index the grid they span: x.At(Ix(i, j)...) is the submatrix. Bool vectors stand for
// the positions where they are true.
func Ix(vectors ...*Array) []*Array {
	out := make([]*Array, len(vectors))
	for k, v := range vectors {
		if v.Rank() != 1 {
			fail("ix_", array.ShapeErrorf("takes vectors, got shape %s", v.Shape()))
		}
		if v.DType() == Bool {
			v = Flatnonzero(v)
		}
		shape := ones(len(vectors))
		shape[k] = v.Size()
		out[k] = v.Reshape(shape...)
	}
	return out
}

// RavelMultiIndex turns positions on a grid into positions in its flattened array. Mode("clip") and Mode("wrap") bring
// them inside; without one they must be known and inside.
func RavelMultiIndex(index []*Array, shape []int, opts ...Option) *Array {
	s := gather("ravel_multi_index", opts, optMode)
	if len(index) != len(shape) {
		fail("ravel_multi_index", array.ShapeErrorf("%d index arrays for shape %s", len(index), Shape(shape)))
	}
	out := Of(0, Int64)
	for k, st := range Shape(shape).Strides() {
		i := index[k]
		switch s.mode {
		case "clip":
			i = Clip(i, 0, shape[k]-1)
		case "wrap":
			i = Mod(i, shape[k])
		case "":
			if !i.GreaterEqual(0).And(i.Less(shape[k])).All().Bool() {
				fail("ravel_multi_index", array.ArgumentErrorf("a position of axis %d is outside its size %d", k, shape[k]))
			}
		default:
			fail("ravel_multi_index", array.ArgumentErrorf("mode %q is neither clip nor wrap", s.mode))
		}
		out = out.Add(i.AsType(Int64).Mul(st))
	}
	return out
}

// RavelMultiIndexF is RavelMultiIndex of an array that is flattened with its first axis running fastest.
func RavelMultiIndexF(index []*Array, shape []int, opts ...Option) *Array {
	index, shape = slices.Clone(index), slices.Clone(shape)
	slices.Reverse(index)
	slices.Reverse(shape)
	return RavelMultiIndex(index, shape, opts...)
}

// UnravelIndex turns positions in the flattened array of a shape into positions along its axes. Those out of bounds clip.
func UnravelIndex(index any, shape ...int) []*Array {
	i := arr("unravel_index", index)
	out := make([]*Array, len(shape))
	for k := len(shape) - 1; k >= 0; k-- {
		i, out[k] = Divmod(i, shape[k])
	}
	above, below := i.Greater(0), i.Less(-1)
	for k := range out {
		out[k] = Where(above, shape[k]-1, Where(below, 0, out[k]))
	}
	return out
}

// DiagIndices lists the positions of the main diagonal of an array with ndim axes of size n.
func DiagIndices(n, ndim int) []*Array {
	out := make([]*Array, ndim)
	for i := range out {
		out[i] = Arange(n)
	}
	return out
}

// DiagIndicesFrom is DiagIndices for the axes of x, which must be of one size.
func DiagIndicesFrom(x any) []*Array {
	a := arr("diag_indices_from", x)
	atLeast("diag_indices_from", a, 2)
	for _, d := range a.Shape() {
		if d != a.Shape()[0] {
			fail("diag_indices_from", array.ShapeErrorf("all axes must be of one size, got %s", a.Shape()))
		}
	}
	return DiagIndices(a.Shape()[0], a.Rank())
}

// TrilIndices lists the positions at and below the k-th diagonal of a matrix, row by row.
func TrilIndices(rows, cols, k int) (i, j *Array) {
	return matrixIndices(rows, cols, func(i, j int) bool { return j-i <= k })
}

// TriuIndices lists the positions at and above the k-th diagonal of a matrix, row by row.
func TriuIndices(rows, cols, k int) (i, j *Array) {
	return matrixIndices(rows, cols, func(i, j int) bool { return j-i >= k })
}

func matrixIndices(rows, cols int, keep func(i, j int) bool) (i, j *Array) {
	is, js := []int{}, []int{}
	for a := range rows {
		for b := range cols {
			if keep(a, b) {
				is, js = append(is, a), append(js, b)
			}
		}
	}
	return Of(is), Of(js)
}

// TrilIndicesFrom is TrilIndices for the matrix x.
func TrilIndicesFrom(x any, k int) (i, j *Array) {
	s := matrixShape("tril_indices_from", x)
	return TrilIndices(s[0], s[1], k)
}

// TriuIndicesFrom is TriuIndices for the matrix x.
func TriuIndicesFrom(x any, k int) (i, j *Array) {
	s := matrixShape("triu_indices_from", x)
	return TriuIndices(s[0], s[1], k)
}

func matrixShape(op string, x any) Shape {
	a := arr(op, x)
	if a.Rank() != 2 {
		fail(op, array.ShapeErrorf("takes a matrix, got shape %s", a.Shape()))
	}
	return a.Shape()
}

// MaskIndices lists the positions where keep(ones(n, n), k) differs from zero, as with Triu.
func MaskIndices(n int, keep func(x any, k int) *Array, k int, opts ...Option) (i, j *Array) {
	at := Nonzero(keep(Ones([]int{n, n}, Int64), k), opts...)
	return at[0], at[1]
}
