package primitive

import (
	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/lower/hlo"
)

// SliceP takes the elements Start, Start+Strides, … below Limit along each axis.
//
//	x [...]   →   [...] ceil((Limit - Start) / Strides) elements along each axis, same dtype
//
// JVP: linear. Its transpose pads with zeros.
type SliceP struct {
	Start, Limit array.Ints
	Strides      array.Ints // empty: all 1
}

// Name implements Primitive.
func (SliceP) Name() string { return "slice" }

// Params implements Parametric.
func (p SliceP) Params() []Param {
	strides := Param{"strides", nil}
	if p.Strides.Len() > 0 {
		strides.Value = p.Strides
	}
	return []Param{{"limit_indices", p.Limit}, {"start_indices", p.Start}, strides}
}

// steps are the strides, 1 where none is given.
func (p SliceP) steps() []int {
	if p.Strides.Len() == 0 {
		return onesList(p.Start.Len())
	}
	return p.Strides.Slice()
}

// Shape implements Primitive.
func (p SliceP) Shape(in []array.Aval) ([]array.Aval, error) {
	x, err := oneOperand(in)
	if err != nil {
		return nil, err
	}
	rank := x.Shape.Rank()
	for _, l := range []struct {
		name string
		n    int
	}{{"start indices", p.Start.Len()}, {"limit indices", p.Limit.Len()}, {"strides", len(p.steps())}} {
		if l.n != rank {
			return nil, array.ArgumentErrorf("%d %s for the %d axes of %s; there is one for each axis", l.n, l.name, rank, x)
		}
	}
	s := make(array.Shape, rank)
	for i, step := range p.steps() {
		lo, hi := p.Start.At(i), p.Limit.At(i)
		if lo < 0 || hi < lo || hi > x.Shape[i] {
			return nil, array.ShapeErrorf("slice %d:%d does not lie inside axis %d of %s, which has %d elements", lo, hi, i, x, x.Shape[i])
		}
		if step < 1 {
			return nil, array.ArgumentErrorf("stride %d of axis %d; a stride is at least 1: use Rev to go backwards", step, i)
		}
		s[i] = (hi - lo + step - 1) / step
	}
	return []array.Aval{x.WithShape(s)}, nil
}

// JVP implements vjp.Differentiable.
func (p SliceP) JVP(x, dx []*array.Array) (y, dy []*array.Array, err error) {
	return single(Bind(p, x...), Bind(p, dx...))
}

// Transpose implements vjp.Linear.
func (p SliceP) Transpose(ct []*array.Array, in []Operand) ([]*array.Array, error) {
	t, shape := ct[0], in[0].Aval.Shape
	dims := make([]PadDim, len(shape))
	for i, step := range p.steps() {
		lo := p.Start.At(i)
		dims[i] = PadDim{Lo: lo, Hi: shape[i] - lo - dilated(t.Shape()[i], step), Interior: step - 1}
	}
	return []*array.Array{Pad(t, like(t, 0), dims)}, nil
}

// Batch implements vmap.Batcher.
func (p SliceP) Batch(size int, in []*array.Array, dims []int) ([]*array.Array, []int, error) {
	at := dims[0]
	q := SliceP{Start: insertAt(p.Start, at, 0), Limit: insertAt(p.Limit, at, size)}
	if p.Strides.Len() > 0 {
		q.Strides = insertAt(p.Strides, at, 1)
	}
	return BindAll(q, in...), dims, nil
}

// Lower implements Lowerable.
func (p SliceP) Lower(b *hlo.Builder, in []*hlo.Value, out []array.Aval) ([]*hlo.Value, error) {
	return b.Op("stablehlo.slice", out[0], in,
		hlo.NamedAttr{Name: "start_indices", Value: hlo.I64s(p.Start.Slice()...)},
		hlo.NamedAttr{Name: "limit_indices", Value: hlo.I64s(p.Limit.Slice()...)},
		hlo.NamedAttr{Name: "strides", Value: hlo.I64s(p.steps()...)}), nil
}

// Slice takes a part of x; strides may be nil. x itself where that is all of it. See SliceP.
func Slice(x *array.Array, start, limit, strides []int) *array.Array {
	p := SliceP{array.MakeInts(start...), array.MakeInts(limit...), array.MakeInts(strides...)}
	ones := array.MakeInts(onesList(len(start))...)
	if p.Strides == ones {
		p.Strides = array.Ints{}
	}
	if p == (SliceP{Start: array.MakeInts(make([]int, x.Rank())...), Limit: array.MakeInts(x.Shape()...)}) {
		return x
	}
	return Bind(p, x)
}

// DynamicSliceP takes a block of fixed size whose place is known at run time.
//
//	x [...], a scalar integer start for each axis, all of one dtype   →   SliceSizes, same dtype as x
//
// A start is moved so that the block lies inside x; a negative one does not count from the end. JVP: linear in x. Its
// transpose writes into zeros.
type DynamicSliceP struct{ SliceSizes array.Ints }

// Name implements Primitive.
func (DynamicSliceP) Name() string { return "dynamic_slice" }

// Shape implements Primitive.
func (p DynamicSliceP) Shape(in []array.Aval) ([]array.Aval, error) {
	if len(in) == 0 {
		return nil, array.ArgumentErrorf("takes an operand and a start for each of its axes")
	}
	x := in[0]
	if err := starts(x, in[1:]); err != nil {
		return nil, err
	}
	if p.SliceSizes.Len() != x.Shape.Rank() {
		return nil, array.ArgumentErrorf("slice sizes %s must have an element for each axis of %s", p.SliceSizes, x)
	}
	for i, n := range p.SliceSizes.Slice() {
		if n < 0 || n > x.Shape[i] {
			return nil, array.ShapeErrorf("slice size %d of axis %d is out of range: %s has %d elements there", n, i, x, x.Shape[i])
		}
	}
	return []array.Aval{x.WithShape(p.SliceSizes.Shape())}, nil
}

// starts checks the start indices of a block of x.
func starts(x array.Aval, idx []array.Aval) error {
	if len(idx) != x.Shape.Rank() {
		return array.ArgumentErrorf("%d start indices for the %d axes of %s; there is one for each axis", len(idx), x.Shape.Rank(), x)
	}
	for i, a := range idx {
		if a.Shape.Rank() != 0 || !a.DType.IsInteger() {
			return array.DTypeErrorf("start index %d is %s; it must be a scalar integer", i, a)
		}
		if a.DType != idx[0].DType {
			return array.DTypeErrorf("start index 0 is %s, start index %d is %s; they must have one dtype: convert one of them", idx[0], i, a)
		}
	}
	return nil
}

// JVP implements vjp.Differentiable.
func (p DynamicSliceP) JVP(x, dx []*array.Array) (y, dy []*array.Array, err error) {
	return single(Bind(p, x...), DynamicSlice(dx[0], x[1:], p.SliceSizes.Slice()))
}

// Transpose implements vjp.Linear.
func (p DynamicSliceP) Transpose(ct []*array.Array, in []Operand) ([]*array.Array, error) {
	out := make([]*array.Array, len(in))
	out[0] = DynamicUpdateSlice(zerosOf(in[0].Aval), ct[0], startValues(in[1:]))
	return out, nil
}

func startValues(in []Operand) []*array.Array {
	v := make([]*array.Array, len(in))
	for i, o := range in {
		v[i] = o.Value
	}
	return v
}

// Batch implements vmap.Batcher. Where the starts are mapped, each element has a block of its own: a gather.
func (p DynamicSliceP) Batch(size int, in []*array.Array, dims []int) ([]*array.Array, []int, error) {
	at := dims[0]
	if firstMapped(dims[1:]) == notMapped {
		zero := like(in[1], 0)
		q := DynamicSliceP{insertAt(p.SliceSizes, at, size)}
		idx := append(append(append([]*array.Array{in[0]}, in[1:at+1]...), zero), in[at+1:]...)
		return BindAll(q, idx...), []int{at}, nil
	}
	rank := p.SliceSizes.Len()
	g := GatherP{
		Dims:       GatherDims{Offset: iotaInts(rank), StartIndexMap: iotaInts(rank)},
		SliceSizes: p.SliceSizes, Mode: Clip, Sorted: true, Unique: true,
	}
	return g.Batch(size, []*array.Array{in[0], startVectors(in[1:], dims[1:], size)}, []int{at, 0})
}

// startVectors puts starts, some of them mapped, together: one index vector for each element.
func startVectors(starts []*array.Array, dims []int, size int) *array.Array {
	columns := make([]*array.Array, len(starts))
	for i, s := range starts {
		columns[i] = ExpandDims(batchAt(s, size, dims[i], 0), 1)
	}
	return Concatenate(1, columns...)
}

// Lower implements Lowerable.
func (p DynamicSliceP) Lower(b *hlo.Builder, in []*hlo.Value, out []array.Aval) ([]*hlo.Value, error) {
	if len(in) == 1 {
		return in, nil
	}
	return b.Op("stablehlo.dynamic_slice", out[0], in, hlo.NamedAttr{Name: "slice_sizes", Value: hlo.I64s(p.SliceSizes.Slice()...)}), nil
}

// DynamicSlice takes the block of the given sizes at starts. See DynamicSliceP.
func DynamicSlice(x *array.Array, starts []*array.Array, sizes []int) *array.Array {
	return Bind(DynamicSliceP{array.MakeInts(sizes...)}, append([]*array.Array{x}, starts...)...)
}

// DynamicUpdateSliceP replaces a block whose place is known at run time.
//
//	x [...], update [...] of x's dtype and rank, not larger, a scalar integer start for each axis   →   as x
//
// A start is moved so that the block lies inside x; a negative one does not count from the end. JVP: linear in x and
// update.
type DynamicUpdateSliceP struct{}

// Name implements Primitive.
func (DynamicUpdateSliceP) Name() string { return "dynamic_update_slice" }

// Shape implements Primitive.
func (DynamicUpdateSliceP) Shape(in []array.Aval) ([]array.Aval, error) {
	if len(in) < 2 {
		return nil, array.ArgumentErrorf("takes an operand, an update and a start for each axis, got %d operands", len(in))
	}
	x, u := in[0], in[1]
	if x.DType != u.DType {
		return nil, array.DTypeErrorf("operand is %s, update is %s; they must have one dtype: convert the update", x, u)
	}
	if x.Shape.Rank() != u.Shape.Rank() {
		return nil, array.ShapeErrorf("operand is %s, update is %s; they must have one rank: reshape the update", x, u)
	}
	for i, n := range u.Shape {
		if n > x.Shape[i] {
			return nil, array.ShapeErrorf("axis %d of update %s has %d elements, more than the %d of operand %s", i, u, n, x.Shape[i], x)
		}
	}
	x.Weak = x.Weak && u.Weak
	return []array.Aval{x}, starts(x, in[2:])
}

// JVP implements vjp.Differentiable.
func (p DynamicUpdateSliceP) JVP(x, dx []*array.Array) (y, dy []*array.Array, err error) {
	return single(Bind(p, x...), DynamicUpdateSlice(instantiate(dx[0], x[0].Aval()), instantiate(dx[1], x[1].Aval()), x[2:]))
}

// Transpose implements vjp.Linear.
func (DynamicUpdateSliceP) Transpose(ct []*array.Array, in []Operand) ([]*array.Array, error) {
	out, at := make([]*array.Array, len(in)), startValues(in[2:])
	if in[0].Value == nil {
		out[0] = DynamicUpdateSlice(ct[0], zerosOf(in[1].Aval), at)
	}
	if in[1].Value == nil {
		out[1] = DynamicSlice(ct[0], at, in[1].Aval.Shape)
	}
	return out, nil
}

// Batch implements vmap.Batcher. Where the starts are mapped, each element has a block of its own: a scatter.
func (p DynamicUpdateSliceP) Batch(size int, in []*array.Array, dims []int) ([]*array.Array, []int, error) {
	if firstMapped(dims[2:]) == notMapped {
		at := firstMapped(dims[:2])
		ops := []*array.Array{batchAt(in[0], size, dims[0], at), batchAt(in[1], size, dims[1], at)}
		ops = append(ops, in[2:at+2]...)
		ops = append(ops, like(in[2], 0))
		return BindAll(p, append(ops, in[at+2:]...)...), []int{at}, nil
	}
	rank := len(in) - 2
	s := ScatterP{
		Op:   CombineReplace,
		Dims: ScatterDims{UpdateWindow: iotaInts(rank), ScatterToOperand: iotaInts(rank)},
		Mode: Clip, Sorted: true, Unique: true,
	}
	return s.Batch(size, []*array.Array{in[0], startVectors(in[2:], dims[2:], size), in[1]}, []int{dims[0], 0, dims[1]})
}

// Lower implements Lowerable.
func (DynamicUpdateSliceP) Lower(b *hlo.Builder, in []*hlo.Value, out []array.Aval) ([]*hlo.Value, error) {
	return b.Op("stablehlo.dynamic_update_slice", out[0], in), nil
}

// DynamicUpdateSlice replaces the block at starts. See DynamicUpdateSliceP.
func DynamicUpdateSlice(x, update *array.Array, starts []*array.Array) *array.Array {
	return Bind(DynamicUpdateSliceP{}, append([]*array.Array{x, update}, starts...)...)
}
