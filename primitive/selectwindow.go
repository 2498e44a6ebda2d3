package primitive

import (
	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/lower/hlo"
)

// SelectAndGatherAddP takes, in every position of a window, the value that stands where the operand is extreme: the
// derivative of windowed max and min.
//
//	values [...], operand [...] of values' shape   →   [...] one for each position, dtype of values
//
// Op is CombineMax or CombineMin; the first of equals counts. Positions that see no element yield 0.
//
// JVP: linear in values; the choice has no derivative.
type SelectAndGatherAddP struct {
	Op     Combine
	Window Window
}

// SelectAndScatterAddP adds, for every position of a window, a source value to the element where the operand is extreme:
// the transpose of SelectAndGatherAddP.
//
//	source [...] one for each position, operand [...]   →   [...] shape of operand, same dtype
//
// The window is not dilated. JVP: linear in source; the choice has no derivative.
type SelectAndScatterAddP struct {
	Op     Combine
	Window Window
}

// Name implements Primitive.
func (SelectAndGatherAddP) Name() string { return "select_and_gather_add" }

// Name implements Primitive.
func (SelectAndScatterAddP) Name() string { return "select_and_scatter_add" }

// Params implements Parametric.
func (p SelectAndGatherAddP) Params() []Param {
	w := p.Window.params()
	return append(append(w[:2:2], p.Op.comparison()), w[2:]...)
}

// Params implements Parametric.
func (p SelectAndScatterAddP) Params() []Param {
	w := p.Window
	return []Param{{"padding", pairs{w.PadLo, w.PadHi}}, p.Op.comparison(), {"window_dimensions", w.Size}, {"window_strides", w.Strides}}
}

// comparison is the parameter by which JAX says which of two elements a window prefers.
func (c Combine) comparison() Param {
	if c == CombineMin {
		return Param{"select_prim", "le"}
	}
	return Param{"select_prim", "ge"}
}

func (c Combine) checkExtreme(d array.DType) error {
	if c != CombineMax && c != CombineMin {
		return array.ArgumentErrorf("a window can prefer its largest or its smallest element, CombineMax or CombineMin")
	}
	if !d.IsInteger() && !d.IsFloat() {
		return array.DTypeErrorf("operand is %s; it takes integers and real floating-point numbers, which have an order", d)
	}
	return nil
}

// Shape implements Primitive.
func (p SelectAndGatherAddP) Shape(in []array.Aval) ([]array.Aval, error) {
	if len(in) != 2 {
		return nil, array.ArgumentErrorf("takes values and an operand, got %d operands", len(in))
	}
	values, x := in[0], in[1]
	if err := p.Op.checkExtreme(x.DType); err != nil {
		return nil, err
	}
	if !values.Shape.Equal(x.Shape) {
		return nil, array.ShapeErrorf("values are %s, operand is %s; they must have one shape", values, x)
	}
	s, err := p.Window.shape(x)
	if err != nil {
		return nil, err
	}
	return []array.Aval{values.WithShape(s)}, nil
}

// Shape implements Primitive.
func (p SelectAndScatterAddP) Shape(in []array.Aval) ([]array.Aval, error) {
	if len(in) != 2 {
		return nil, array.ArgumentErrorf("takes a source and an operand, got %d operands", len(in))
	}
	source, x := in[0], in[1]
	if err := p.Op.checkExtreme(x.DType); err != nil {
		return nil, err
	}
	w := p.Window
	s, err := w.shape(x)
	if err != nil {
		return nil, err
	}
	if w.dilated() {
		return nil, array.ArgumentErrorf("base dilation %s and window dilation %s must be ones", w.BaseDilation, w.Dilation)
	}
	if source.DType != x.DType {
		return nil, array.DTypeErrorf("source is %s, operand is %s; they must have one dtype", source.DType, x.DType)
	}
	if !s.Equal(source.Shape) {
		return nil, array.ShapeErrorf("source is %s; the window has positions %s over the operand %s", source, s, x)
	}
	return []array.Aval{source.WithShape(x.Shape)}, nil
}

func (w Window) dilated() bool {
	ones := array.MakeInts(onesList(w.Size.Len())...)
	return w.BaseDilation != ones || w.Dilation != ones
}

// JVP implements vjp.Differentiable.
func (p SelectAndGatherAddP) JVP(x, dx []*array.Array) (y, dy []*array.Array, err error) {
	return choiceJVP(p, x, dx)
}

// JVP implements vjp.Differentiable.
func (p SelectAndScatterAddP) JVP(x, dx []*array.Array) (y, dy []*array.Array, err error) {
	return choiceJVP(p, x, dx)
}

// choiceJVP is the derivative of a primitive that is linear in operand 0 and constant in operand 1 almost everywhere.
func choiceJVP(p Primitive, x, dx []*array.Array) (y, dy []*array.Array, err error) {
	if dx[0] == nil {
		return BindAll(p, x...), []*array.Array{nil}, nil
	}
	return BindAll(p, x...), BindAll(p, dx[0], x[1]), nil
}

// Transpose implements vjp.Linear.
func (p SelectAndGatherAddP) Transpose(ct []*array.Array, in []Operand) ([]*array.Array, error) {
	x := in[1].Value
	if !p.Window.dilated() {
		return []*array.Array{SelectAndScatterAdd(ct[0], x, p.Op, p.Window), nil}, nil
	}
	// A dilated window: number the elements from 1, see which was chosen at each position, and add the cotangents there.
	// Positions that chose none have the number 0; less 1 that is out of bounds and dropped.
	n := x.Size()
	index := array.Aval{Shape: array.Shape{n}, DType: array.Int64}
	number := Add(Iota(array.Int64, index.Shape, 0), Full(index, 1))
	chosen := SelectAndGatherAdd(Reshape(number, x.Shape()), x, p.Op, p.Window)
	where := Reshape(Sub(chosen, Full(chosen.Aval(), 1)), []int{chosen.Size(), 1})
	dims := ScatterDims{InsertedWindow: array.MakeInts(0), ScatterToOperand: array.MakeInts(0)}
	flat := Full(array.Aval{Shape: array.Shape{n}, DType: ct[0].DType()}, 0)
	sum := ScatterAdd(flat, where, Reshape(ct[0], []int{ct[0].Size()}), dims, FillOrDrop)
	return []*array.Array{Reshape(sum, x.Shape()), nil}, nil
}

// Transpose implements vjp.Linear.
func (p SelectAndScatterAddP) Transpose(ct []*array.Array, in []Operand) ([]*array.Array, error) {
	return []*array.Array{SelectAndGatherAdd(ct[0], in[1].Value, p.Op, p.Window), nil}, nil
}

// Batch implements vmap.Batcher.
func (p SelectAndGatherAddP) Batch(size int, in []*array.Array, dims []int) ([]*array.Array, []int, error) {
	at := firstMapped(dims)
	p.Window = p.Window.batched(at)
	return BindAll(p, batchAt(in[0], size, dims[0], at), batchAt(in[1], size, dims[1], at)), []int{at}, nil
}

// Batch implements vmap.Batcher.
func (p SelectAndScatterAddP) Batch(size int, in []*array.Array, dims []int) ([]*array.Array, []int, error) {
	at := firstMapped(dims)
	p.Window = p.Window.batched(at)
	return BindAll(p, batchAt(in[0], size, dims[0], at), batchAt(in[1], size, dims[1], at)), []int{at}, nil
}

// Lower implements Lowerable: a window over pairs of an element and its value. XLA on GPUs has no windows over pairs;
// there the places of the window are compared one after the other.
func (p SelectAndGatherAddP) Lower(b *hlo.Builder, in []*hlo.Value, out []array.Aval) ([]*hlo.Value, error) {
	d := in[1].Tensor().Elem
	if b.Platform == "cuda" || b.Platform == "rocm" {
		return compose(b, in, func(in []*array.Array) []*array.Array { return p.compareTaps(in[0], in[1], out[0].Shape) })
	}
	elem, value := hlo.Tensor{Elem: d}, hlo.Tensor{Elem: out[0].DType}
	pair := []array.Aval{{Shape: out[0].Shape, DType: d}, out[0]}
	init := []*hlo.Value{p.Op.identity(b, d), b.Splat(array.Aval{DType: out[0].DType}, 0)}
	body, err := b.Region([]hlo.Type{elem, value, elem, value}, func(args []*hlo.Value) ([]*hlo.Value, error) {
		return compose(b, args, func(in []*array.Array) []*array.Array {
			first := p.Op.prefers(in[0], in[2])
			return []*array.Array{Select(first, in[0], in[2]), Select(first, in[1], in[3])}
		})
	})
	if err != nil {
		return nil, err
	}
	return p.Window.reduce(b, []*hlo.Value{in[1], in[0]}, init, pair, body)[1:], nil
}

// prefers tells where a window keeps x when it meets y after it.
func (c Combine) prefers(x, y *array.Array) *array.Array {
	if c == CombineMin {
		return Le(x, y)
	}
	return Ge(x, y)
}

func (p SelectAndGatherAddP) compareTaps(values, x *array.Array, shape array.Shape) []*array.Array {
	w := p.Window
	xs := w.taps(w.padded(x, array.Of(p.Op.identityOf(x.DType()))), shape)
	vs := w.taps(w.padded(values, Full(array.Aval{DType: values.DType()}, 0)), shape)
	best, value := xs[0], vs[0]
	for i := 1; i < len(xs); i++ {
		first := p.Op.prefers(best, xs[i])
		best, value = Select(first, best, xs[i]), Select(first, value, vs[i])
	}
	return []*array.Array{value}
}

// Lower implements Lowerable. XLA's select_and_scatter does not choose in padding of its own; the operand is padded
// before it and the result cut to size behind it.
func (p SelectAndScatterAddP) Lower(b *hlo.Builder, in []*hlo.Value, out []array.Aval) ([]*hlo.Value, error) {
	w := p.Window
	none := array.MakeInts(make([]int, w.Size.Len())...)
	if w.PadLo != none || w.PadHi != none {
		return compose(b, in, func(in []*array.Array) []*array.Array {
			source, x := in[0], in[1]
			inner := w
			inner.PadLo, inner.PadHi = none, none
			sum := SelectAndScatterAdd(source, w.padded(x, array.Of(p.Op.identityOf(x.DType()))), p.Op, inner)
			inner.PadLo = w.PadLo.Map(func(n int) int { return -n })
			inner.PadHi = w.PadHi.Map(func(n int) int { return -n })
			return []*array.Array{inner.padded(sum, Full(array.Aval{DType: source.DType()}, 0))}
		})
	}
	elem, value := hlo.Tensor{Elem: in[1].Tensor().Elem}, hlo.Tensor{Elem: out[0].DType}
	choose, err := b.Region([]hlo.Type{elem, elem}, func(args []*hlo.Value) ([]*hlo.Value, error) {
		return compose(b, args, func(in []*array.Array) []*array.Array { return []*array.Array{p.Op.prefers(in[0], in[1])} })
	})
	if err != nil {
		return nil, err
	}
	add, err := CombineAdd.region(b, value.Elem)
	if err != nil {
		return nil, err
	}
	return b.Append(&hlo.Op{
		Name:     "stablehlo.select_and_scatter",
		Operands: []*hlo.Value{in[1], in[0], b.Splat(array.Aval{DType: value.Elem}, 0)},
		Attrs: hlo.Attrs{
			{Name: "padding", Value: paddingAttr(none, none)},
			{Name: "window_dimensions", Value: hlo.I64s(w.Size.Slice()...)},
			{Name: "window_strides", Value: hlo.I64s(w.Strides.Slice()...)},
		},
		Regions: []*hlo.Region{choose, add},
	}, hlo.TensorOf(out[0])).Results, nil
}

// SelectAndGatherAdd takes the values that stand where op finds x extreme in every position of w. See SelectAndGatherAddP.
func SelectAndGatherAdd(values, x *array.Array, op Combine, w Window) *array.Array {
	return Bind(SelectAndGatherAddP{op, w.canonical()}, values, x)
}

// SelectAndScatterAdd adds source to where op finds x extreme in every position of w. See SelectAndScatterAddP.
func SelectAndScatterAdd(source, x *array.Array, op Combine, w Window) *array.Array {
	return Bind(SelectAndScatterAddP{op, w.canonical()}, source, x)
}
