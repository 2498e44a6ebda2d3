package primitive

import (
	"slices"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/lower/hlo"
)

// Window is a sliding window over all axes of an array. Lists have an element for each axis; an empty list is ones
// (strides, dilations) or zeros (padding).
type Window struct {
	Size         array.Ints // extent of the window
	Strides      array.Ints // its steps
	PadLo, PadHi array.Ints // identity elements put before and behind; negative ones cut
	BaseDilation array.Ints // the array's elements are that far apart, with identity elements between
	Dilation     array.Ints // the window's elements are that far apart
}

func (w Window) canonical() Window {
	for _, l := range []struct {
		v    *array.Ints
		fill int
	}{{&w.Strides, 1}, {&w.PadLo, 0}, {&w.PadHi, 0}, {&w.BaseDilation, 1}, {&w.Dilation, 1}} {
		if l.v.Len() == 0 {
			*l.v = array.MakeInts(slices.Repeat([]int{l.fill}, w.Size.Len())...)
		}
	}
	return w
}

// shape is the shape of all positions of w over an array x. It leaves nothing to defaults, which only the functions of
// this file fill in: so equal primitives mean the same.
func (w Window) shape(x array.Aval) (array.Shape, error) {
	for _, l := range []struct {
		name string
		v    array.Ints
		min  int
	}{{"window dimensions", w.Size, 1}, {"window strides", w.Strides, 1}, {"low padding", w.PadLo, -1 << 62}, {"high padding", w.PadHi, -1 << 62},
		{"base dilation", w.BaseDilation, 1}, {"window dilation", w.Dilation, 1}} {
		if l.v.Len() != x.Shape.Rank() {
			return nil, array.ArgumentErrorf("%s %s must have an element for each of the %d axes of %s", l.name, l.v, x.Shape.Rank(), x)
		}
		for _, v := range l.v.Slice() {
			if v < l.min {
				return nil, array.ArgumentErrorf("%s %s must be at least %d", l.name, l.v, l.min)
			}
		}
	}
	out := make(array.Shape, x.Shape.Rank())
	for i, n := range x.Shape {
		padded := dilated(n, w.BaseDilation.At(i)) + w.PadLo.At(i) + w.PadHi.At(i)
		if padded < 0 {
			return nil, array.ShapeErrorf("padding %d, %d cuts more than axis %d of %s has", w.PadLo.At(i), w.PadHi.At(i), i, x)
		}
		out[i] = windows(padded, dilated(w.Size.At(i), w.Dilation.At(i)), w.Strides.At(i))
	}
	return out, nil
}

// params are the parameters as JAX prints them.
func (w Window) params() []Param {
	return []Param{{"base_dilation", w.BaseDilation}, {"padding", pairs{w.PadLo, w.PadHi}}, {"window_dilation", w.Dilation},
		{"window_dimensions", w.Size}, {"window_strides", w.Strides}}
}

// pairs prints two lists as Python prints a tuple of pairs.
type pairs [2]array.Ints

// String is ((0, 1), (2, 2)).
func (p pairs) String() string {
	s := "("
	for i := range p[0].Len() {
		if i > 0 {
			s += ", "
		}
		s += array.MakeInts(p[0].At(i), p[1].At(i)).String()
	}
	if p[0].Len() == 1 {
		s += ","
	}
	return s + ")"
}

// batched is the window for an array with a batch axis at position at.
func (w Window) batched(at int) Window {
	return Window{
		Size: insertAt(w.Size, at, 1), Strides: insertAt(w.Strides, at, 1),
		PadLo: insertAt(w.PadLo, at, 0), PadHi: insertAt(w.PadHi, at, 0),
		BaseDilation: insertAt(w.BaseDilation, at, 1), Dilation: insertAt(w.Dilation, at, 1),
	}
}

// padded is x as the window sees it: with value around and between its elements.
func (w Window) padded(x, value *array.Array) *array.Array {
	pads := make([]PadDim, x.Rank())
	for i := range pads {
		pads[i] = PadDim{Lo: w.PadLo.At(i), Hi: w.PadHi.At(i), Interior: w.BaseDilation.At(i) - 1}
	}
	return Pad(x, value, pads)
}

// taps lists, for each place in the window in row-major order, the elements found there at all positions of the window:
// arrays of the given shape, slices of padded.
func (w Window) taps(padded *array.Array, shape array.Shape) []*array.Array {
	var taps []*array.Array
	place := make([]int, w.Size.Len())
	for range w.Size.Shape().Size() {
		start, limit := make([]int, len(place)), make([]int, len(place))
		for i, k := range place {
			if shape[i] > 0 {
				start[i] = k * w.Dilation.At(i)
				limit[i] = start[i] + (shape[i]-1)*w.Strides.At(i) + 1
			}
		}
		taps = append(taps, Slice(padded, start, limit, w.Strides.Slice()))
		for i := len(place) - 1; i >= 0; i-- {
			if place[i]++; place[i] < w.Size.At(i) {
				break
			}
			place[i] = 0
		}
	}
	return taps
}

// reduce appends a stablehlo.reduce_window of the window over the operands.
func (w Window) reduce(b *hlo.Builder, in, init []*hlo.Value, out []array.Aval, body *hlo.Region) []*hlo.Value {
	types := make([]hlo.Type, len(out))
	for i, a := range out {
		types[i] = hlo.TensorOf(a)
	}
	return b.Append(&hlo.Op{
		Name:     "stablehlo.reduce_window",
		Operands: append(slices.Clone(in), init...),
		Attrs: hlo.Attrs{
			{Name: "base_dilations", Value: hlo.I64s(w.BaseDilation.Slice()...)},
			{Name: "padding", Value: paddingAttr(w.PadLo, w.PadHi)},
			{Name: "window_dilations", Value: hlo.I64s(w.Dilation.Slice()...)},
			{Name: "window_dimensions", Value: hlo.I64s(w.Size.Slice()...)},
			{Name: "window_strides", Value: hlo.I64s(w.Strides.Slice()...)},
		},
		Regions: []*hlo.Region{body},
	}, types...).Results
}

// paddingAttr is the list of pairs of low and high padding, a tensor [axes,2].
func paddingAttr(lo, hi array.Ints) hlo.Attr {
	data := array.NewBuffer(array.Int64, array.Shape{lo.Len(), 2})
	splat := lo.Len() > 0
	for i := range lo.Len() {
		data.SetInt(2*i, int64(lo.At(i)))
		data.SetInt(2*i+1, int64(hi.At(i)))
		splat = splat && lo.At(i) == lo.At(0) && hi.At(i) == lo.At(0)
	}
	t := hlo.Tensor{Shape: data.Shape(), Elem: array.Int64}
	if splat {
		one := array.NewBuffer(array.Int64, nil)
		one.SetInt(0, int64(lo.At(0)))
		return &hlo.Dense{Type: t, Data: one, Splat: true}
	}
	return &hlo.Dense{Type: t, Data: data}
}

// ReduceWindowP combines the elements in every position of a window: pooling. Its names are reduce_window_sum,
// reduce_window_prod, reduce_window_max and reduce_window_min.
//
//	x [...]   →   [...] one element for each position, same dtype
//
// JVP: sum is linear; max and min take the tangent of the element found, the first of equals.
type ReduceWindowP struct {
	Op     Combine
	Window Window
}

// Name implements Primitive.
func (p ReduceWindowP) Name() string { return "reduce_window_" + p.Op.word() }

// Shape implements Primitive.
func (p ReduceWindowP) Shape(in []array.Aval) ([]array.Aval, error) {
	x, err := oneOperand(in)
	if err != nil {
		return nil, err
	}
	if err := p.Op.accepts(x.DType, CombineAdd, CombineMul, CombineMax, CombineMin); err != nil {
		return nil, err
	}
	s, err := p.Window.shape(x)
	if err != nil {
		return nil, err
	}
	return []array.Aval{x.WithShape(s)}, nil
}

// Params implements Parametric.
func (p ReduceWindowP) Params() []Param { return p.Window.params() }

// JVP implements vjp.Differentiable.
func (p ReduceWindowP) JVP(x, dx []*array.Array) (y, dy []*array.Array, err error) {
	switch p.Op {
	case CombineAdd:
		return BindAll(p, x...), BindAll(p, dx...), nil
	case CombineMul:
		return p.productJVP(x[0], dx[0])
	}
	return BindAll(p, x...), []*array.Array{SelectAndGatherAdd(dx[0], x[0], p.Op, p.Window)}, nil
}

// productJVP multiplies what each place of the window sees, with tangents.
func (p ReduceWindowP) productJVP(x, dx *array.Array) (y, dy []*array.Array, err error) {
	outs, err := p.Shape([]array.Aval{x.Aval()})
	if err != nil {
		return nil, nil, err
	}
	scalar := array.Aval{DType: x.DType()}
	taps := p.Window.taps(p.Window.padded(x, Full(scalar, 1)), outs[0].Shape)
	dtaps := p.Window.taps(p.Window.padded(dx, Full(scalar, 0)), outs[0].Shape)
	v, dv := taps[0], dtaps[0]
	for i := 1; i < len(taps); i++ {
		v, dv = Mul(v, taps[i]), Add(Mul(dv, taps[i]), Mul(v, dtaps[i])) // both with the old v
	}
	return []*array.Array{v}, []*array.Array{dv}, nil
}

// Transpose implements vjp.Linear: an element collects the cotangents of the positions that cover it, which are the sums
// in a window over the cotangents.
func (p ReduceWindowP) Transpose(ct []*array.Array, in []Operand) ([]*array.Array, error) {
	if p.Op != CombineAdd {
		return nil, notLinear(p)
	}
	w, g := p.Window, ct[0]
	pads := make([]PadDim, g.Rank())
	for i, n := range in[0].Aval.Shape {
		size := dilated(w.Size.At(i), w.Dilation.At(i))
		lo := size - 1 - w.PadLo.At(i)
		pads[i] = PadDim{
			Lo:       lo,
			Hi:       dilated(n, w.BaseDilation.At(i)) + size - 1 - dilated(g.Shape()[i], w.Strides.At(i)) - lo,
			Interior: w.Strides.At(i) - 1,
		}
	}
	spread := Pad(g, Full(array.Aval{DType: g.DType()}, 0), pads)
	return []*array.Array{ReduceWindowSum(spread, Window{Size: w.Size, Strides: w.BaseDilation, Dilation: w.Dilation})}, nil
}

// Batch implements vmap.Batcher.
func (p ReduceWindowP) Batch(_ int, in []*array.Array, dims []int) ([]*array.Array, []int, error) {
	p.Window = p.Window.batched(dims[0])
	return BindAll(p, in...), dims, nil
}

// Lower implements Lowerable.
func (p ReduceWindowP) Lower(b *hlo.Builder, in []*hlo.Value, out []array.Aval) ([]*hlo.Value, error) {
	body, err := p.Op.region(b, out[0].DType)
	if err != nil {
		return nil, err
	}
	return p.Window.reduce(b, in, []*hlo.Value{p.Op.identity(b, out[0].DType)}, out, body), nil
}

// ReduceWindowSum sums the elements in every position of w. See ReduceWindowP.
func ReduceWindowSum(x *array.Array, w Window) *array.Array {
	return Bind(ReduceWindowP{CombineAdd, w.canonical()}, x)
}

// ReduceWindowProd multiplies the elements in every position of w. See ReduceWindowP.
func ReduceWindowProd(x *array.Array, w Window) *array.Array {
	return Bind(ReduceWindowP{CombineMul, w.canonical()}, x)
}

// ReduceWindowMax takes the largest element in every position of w. See ReduceWindowP.
func ReduceWindowMax(x *array.Array, w Window) *array.Array {
	return Bind(ReduceWindowP{CombineMax, w.canonical()}, x)
}

// ReduceWindowMin takes the smallest element in every position of w. See ReduceWindowP.
func ReduceWindowMin(x *array.Array, w Window) *array.Array {
	return Bind(ReduceWindowP{CombineMin, w.canonical()}, x)
}
