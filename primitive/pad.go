package primitive

import (
	"fmt"
	"strings"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/lower/hlo"
)

// PadDim is the padding of one axis: Lo elements in front, Hi behind, and Interior between each two. Negative Lo and Hi
// cut elements off.
type PadDim struct{ Lo, Hi, Interior int }

// padding is a list of PadDims that can be compared: three numbers an axis.
type padding struct{ list array.Ints }

func makePadding(dims []PadDim) padding {
	v := make([]int, 0, 3*len(dims))
	for _, d := range dims {
		v = append(v, d.Lo, d.Hi, d.Interior)
	}
	return padding{array.MakeInts(v...)}
}

func (p padding) dims() []PadDim {
	out := make([]PadDim, p.list.Len()/3)
	for i := range out {
		out[i] = PadDim{p.list.At(3 * i), p.list.At(3*i + 1), p.list.At(3*i + 2)}
	}
	return out
}

// String prints as JAX does.
func (p padding) String() string {
	var s []string
	for _, d := range p.dims() {
		s = append(s, fmt.Sprintf("(%d, %d, %d)", d.Lo, d.Hi, d.Interior))
	}
	if len(s) == 1 {
		return "(" + s[0] + ",)"
	}
	return "(" + strings.Join(s, ", ") + ")"
}

// PadP puts a value around and between the elements of an array, or cuts elements off.
//
//	x [...], value scalar of x's dtype   →   [...] same dtype: an axis of n elements gets Lo + n + (n-1) Interior + Hi
//
// JVP: linear in both.
type PadP struct{ config padding }

// Pads makes the primitive that pads each axis as dims says.
func Pads(dims ...PadDim) PadP { return PadP{makePadding(dims)} }

// Dims lists the padding of each axis.
func (p PadP) Dims() []PadDim { return p.config.dims() }

// Name implements Primitive.
func (PadP) Name() string { return "pad" }

// Params implements Parametric.
func (p PadP) Params() []Param { return []Param{{"padding_config", p.config}} }

// Shape implements Primitive.
func (p PadP) Shape(in []array.Aval) ([]array.Aval, error) {
	if len(in) != 2 {
		return nil, array.ArgumentErrorf("takes an operand and a padding value, got %d operands", len(in))
	}
	x, v, dims := in[0], in[1], p.Dims()
	if x.DType != v.DType {
		return nil, array.DTypeErrorf("operand is %s, padding value is %s; they must have one dtype: convert the value", x, v)
	}
	if v.Shape.Rank() != 0 {
		return nil, array.ShapeErrorf("padding value is %s; it must be a scalar", v)
	}
	if len(dims) != x.Shape.Rank() {
		return nil, array.ArgumentErrorf("padding %s must have an entry for each of the %d axes of %s", p.config, x.Shape.Rank(), x)
	}
	s := make(array.Shape, len(dims))
	for i, d := range dims {
		if d.Interior < 0 {
			return nil, array.ArgumentErrorf("interior padding %d of axis %d is negative; only the edges can be cut: use Slice with strides", d.Interior, i)
		}
		s[i] = d.Lo + dilated(x.Shape[i], d.Interior+1) + d.Hi
		if s[i] < 0 {
			return nil, array.ShapeErrorf("padding %d, %d cuts more than axis %d of %s has", d.Lo, d.Hi, i, x)
		}
	}
	return []array.Aval{{Shape: s, DType: x.DType, Weak: x.Weak && v.Weak}}, nil
}

// JVP implements vjp.Differentiable.
func (p PadP) JVP(x, dx []*array.Array) (y, dy []*array.Array, err error) {
	return single(Bind(p, x...), Bind(p, instantiate(dx[0], x[0].Aval()), instantiate(dx[1], x[1].Aval())))
}

// Transpose implements vjp.Linear: the operand's cotangent is cut out again; what is left is the value's.
func (p PadP) Transpose(ct []*array.Array, in []Operand) ([]*array.Array, error) {
	t := ct[0]
	cut := make([]PadDim, t.Rank())
	start, strides := make([]int, t.Rank()), make([]int, t.Rank())
	for i, d := range p.Dims() {
		cut[i] = PadDim{Lo: -d.Lo, Hi: -d.Hi}
		strides[i] = d.Interior + 1
	}
	inner := Pad(t, like(t, 0), cut)
	inner = Slice(inner, start, inner.Shape(), strides)
	out := make([]*array.Array, 2)
	if in[0].Value == nil {
		out[0] = inner
	}
	if in[1].Value == nil {
		all := iotaInts(t.Rank()).Slice()
		out[1] = Sub(ReduceSum(t, all...), ReduceSum(inner, all...))
	}
	return out, nil
}

// Batch implements vmap.Batcher. Where each element has a value of its own, zeros are put in its place and replaced.
func (p PadP) Batch(size int, in []*array.Array, dims []int) ([]*array.Array, []int, error) {
	at := max(dims[0], 0)
	x := batchAt(in[0], size, dims[0], at)
	list := p.Dims()
	list = append(list[:at:at], append([]PadDim{{}}, list[at:]...)...)
	if dims[1] == notMapped {
		return []*array.Array{Pad(x, in[1], list)}, []int{at}, nil
	}
	inside := array.Aval{DType: array.Bool}
	padded := Pad(x, like(x, 0), list)
	mask := Pad(Full(inside.WithShape(x.Shape()), 1), Full(inside.WithShape(array.Shape{}), 0), list)
	return []*array.Array{Select(mask, padded, BroadcastInDim(in[1], padded.Shape(), []int{at}))}, []int{at}, nil
}

// Lower implements Lowerable.
func (p PadP) Lower(b *hlo.Builder, in []*hlo.Value, out []array.Aval) ([]*hlo.Value, error) {
	dims := p.Dims()
	lo, hi, interior := make([]int, len(dims)), make([]int, len(dims)), make([]int, len(dims))
	for i, d := range dims {
		lo[i], hi[i], interior[i] = d.Lo, d.Hi, d.Interior
	}
	return b.Op("stablehlo.pad", out[0], in,
		hlo.NamedAttr{Name: "edge_padding_low", Value: hlo.I64s(lo...)},
		hlo.NamedAttr{Name: "edge_padding_high", Value: hlo.I64s(hi...)},
		hlo.NamedAttr{Name: "interior_padding", Value: hlo.I64s(interior...)}), nil
}

// Pad puts value around and between the elements of x. See PadP.
func Pad(x, value *array.Array, dims []PadDim) *array.Array { return Bind(Pads(dims...), x, value) }

// ConcatenateP joins arrays along an axis.
//
//	xs [..., n_i, ...] of one dtype, equal but for the sizes along Dimension   →   [..., Σ n_i, ...] same dtype
//
// JVP: linear in all. Its transpose cuts the cotangent apart.
type ConcatenateP struct{ Dimension int }

// Name implements Primitive.
func (ConcatenateP) Name() string { return "concatenate" }

// Shape implements Primitive.
func (p ConcatenateP) Shape(in []array.Aval) ([]array.Aval, error) {
	if len(in) == 0 {
		return nil, array.ArgumentErrorf("takes at least one operand")
	}
	out := in[0]
	if err := distinctAxes("dimension", array.MakeInts(p.Dimension), out.Shape.Rank()); err != nil {
		return nil, err
	}
	rest, n := out.Shape.Without(p.Dimension), 0
	for i, a := range in {
		if a.DType != in[0].DType {
			return nil, array.DTypeErrorf("operand 0 is %s, operand %d is %s; the operands must have one dtype: convert one of them with AsType", in[0], i, a)
		}
		if a.Shape.Rank() != out.Shape.Rank() || !a.Shape.Without(p.Dimension).Equal(rest) {
			return nil, array.ShapeErrorf("operand 0 is %s, operand %d is %s; the sizes may differ along axis %d only", in[0], i, a, p.Dimension)
		}
		n += a.Shape[p.Dimension]
		out.Weak = out.Weak && a.Weak
	}
	out.Shape = out.Shape.Clone()
	out.Shape[p.Dimension] = n
	return []array.Aval{out}, nil
}

// JVP implements vjp.Differentiable.
func (p ConcatenateP) JVP(x, dx []*array.Array) (y, dy []*array.Array, err error) {
	tangents := make([]*array.Array, len(x))
	for i, d := range dx {
		tangents[i] = instantiate(d, x[i].Aval())
	}
	return single(Bind(p, x...), Bind(p, tangents...))
}

// Transpose implements vjp.Linear.
func (p ConcatenateP) Transpose(ct []*array.Array, in []Operand) ([]*array.Array, error) {
	out, from := make([]*array.Array, len(in)), 0
	for i, o := range in {
		n := o.Aval.Shape[p.Dimension]
		if o.Value == nil {
			out[i] = sliceAlong(ct[0], p.Dimension, from, from+n, 1)
		}
		from += n
	}
	return out, nil
}

// Batch implements vmap.Batcher.
func (p ConcatenateP) Batch(size int, in []*array.Array, dims []int) ([]*array.Array, []int, error) {
	at := firstMapped(dims)
	xs := make([]*array.Array, len(in))
	for i, x := range in {
		xs[i] = batchAt(x, size, dims[i], at)
	}
	axis := beside(array.MakeInts(p.Dimension), at).At(0)
	return []*array.Array{Concatenate(axis, xs...)}, []int{at}, nil
}

// Lower implements Lowerable.
func (p ConcatenateP) Lower(b *hlo.Builder, in []*hlo.Value, out []array.Aval) ([]*hlo.Value, error) {
	if len(in) == 1 {
		return in, nil
	}
	return b.Op("stablehlo.concatenate", out[0], in, hlo.NamedAttr{Name: "dimension", Value: hlo.I64(p.Dimension)}), nil
}

// Concatenate joins xs along dim. See ConcatenateP.
func Concatenate(dim int, xs ...*array.Array) *array.Array { return Bind(ConcatenateP{dim}, xs...) }
