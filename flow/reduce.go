package flow

import (
	"slices"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/lower/hlo"
	"github.com/pantograph-go/pantograph/primitive"
	"github.com/pantograph-go/pantograph/trace"
	"github.com/pantograph-go/pantograph/vjp"
	"github.com/pantograph-go/pantograph/vmap"
)

// Reduce combines the elements of xs along axes with f, beginning with init: f(…f(f(init, x0), x1)…), in an order that
// the engine chooses, so f must be associative and commute, and init its identity. Without axes it combines all
// elements. xs is an array or a tree of arrays of one shape; init as many scalars, which take the dtypes of xs; f takes two
// such trees of scalars and returns one. It may not capture arrays.
//
//	xs [...]   →   [... without axes], in the Go type of xs
//
// For sums, products, extremes and the like use the methods of arrays, which are faster. Derivatives are those of a tree
// of f's. It panics with *array.Error where shapes, types or axes do not fit.
func Reduce(xs, init, f any, axes ...int) (result any) {
	try("flow.Reduce", func() error {
		c, err := combinerOf(f, xs, init)
		if err != nil {
			return err
		}
		dims, err := normalAxes(axes, c.xs[0].Rank())
		if err != nil {
			return err
		}
		p := ReduceP{c.body, array.MakeInts(dims...)}
		result, err = c.tree.Unflatten(primitive.BindAll(p, slices.Concat(c.xs, c.init)...))
		return err
	})
	return result
}

// normalAxes counts axes from the beginning; none given means all.
func normalAxes(axes []int, rank int) ([]int, error) {
	if len(axes) == 0 {
		return upTo(0, rank), nil
	}
	out := make([]int, len(axes))
	for i, a := range axes {
		if a < -rank || a >= rank {
			return nil, array.AxisErrorf("axis %d is out of range for arrays of rank %d", a, rank)
		}
		if out[i] = a; a < 0 {
			out[i] += rank
		}
		if slices.Contains(out[:i], out[i]) {
			return nil, array.AxisErrorf("axis %d is named twice", a)
		}
	}
	slices.Sort(out)
	return out, nil
}

// combiner is a traced function of two trees of scalars, with the arrays it is to combine.
type combiner struct {
	body     *trace.Jaxpr
	tree     *trace.Tree // of the result
	xs, init []*array.Array
}

func combinerOf(f, xs, init any) (*combiner, error) {
	fn, err := functionOf(f, []any{xs, xs})
	if err != nil {
		return nil, err
	}
	c := &combiner{tree: fn.in.Children()[0]}
	n := c.tree.Leaves()
	c.xs = fn.leaves[:n]
	first, tree, err := trace.Flatten(init)
	switch {
	case err != nil:
		return nil, err
	case len(first) != n || n == 0:
		return nil, array.TreeErrorf("xs and init must have the same structure: xs is %s, init is %s", c.tree, tree)
	}
	paths, scalars := c.tree.Paths(), make([]array.Aval, n)
	for i, x := range c.xs {
		if !x.Shape().Equal(c.xs[0].Shape()) {
			return nil, array.ShapeErrorf("the arrays must have one shape: xs%s is %s, xs%s is %s", paths[0], c.xs[0].Aval(), paths[i], x.Aval())
		}
		scalars[i] = array.Aval{Shape: array.Shape{}, DType: x.DType()}
		a := first[i].Aval()
		if u, ok := unified(scalars[i], a); !ok || u.DType != x.DType() {
			return nil, differ("init must be scalars of the types of xs: wanted is %s, init"+paths[i]+" is %s", scalars[i], a)
		}
		c.init = append(c.init, as(first[i], scalars[i]))
	}
	body, out, err := fn.record("reduce", slices.Concat(scalars, scalars))
	if err != nil {
		return nil, err
	}
	if len(body.ConstVals) > 0 {
		return nil, array.ArgumentErrorf("%s captured an array of type %s; what combines two elements sees nothing else: put it in xs", fn.Name(), body.ConstVals[0].Aval())
	}
	if !out.Equal(c.tree) && out.String() != c.tree.String() {
		return nil, array.TreeErrorf("%s must return what it takes: it takes %s and returns %s", fn.Name(), c.tree, out)
	}
	for i, a := range trace.Avals(body.Out) {
		if u, ok := unified(scalars[i], a); !ok || u.DType != scalars[i].DType {
			return nil, differ("the function must return what it takes: it takes %s and returns %s", scalars[i], a)
		}
	}
	body, err = converted(body, scalars)
	if err != nil {
		return nil, err
	}
	c.body = trace.Intern(body.Jaxpr)
	return c, nil
}

// ReduceP combines elements along Axes with Body, a function of two lists of scalars. Operands are the arrays, then the
// initial scalars.
//
//	Body: (acc, x) → acc      xs [...], init   →   [... without Axes]
//
// JVP: that of a tree of Body's.
type ReduceP struct {
	Body *trace.Jaxpr
	Axes array.Ints
}

// Name implements primitive.Primitive.
func (ReduceP) Name() string { return "reduce" }

// Params implements primitive.Parametric.
func (p ReduceP) Params() []primitive.Param {
	return []primitive.Param{{Name: "dimensions", Value: p.Axes}, {Name: "jaxpr", Value: p.Body}}
}

// Jaxprs implements trace.HasJaxprs.
func (p ReduceP) Jaxprs() []*trace.Jaxpr { return []*trace.Jaxpr{p.Body} }

// Shape implements primitive.Primitive.
func (p ReduceP) Shape(in []array.Aval) ([]array.Aval, error) {
	n := len(p.Body.Out)
	if len(in) != 2*n {
		return nil, array.ArgumentErrorf("takes %d operands, got %d", 2*n, len(in))
	}
	out := make([]array.Aval, n)
	for i := range out {
		x, scalar := in[i], p.Body.In[i].Aval
		if x.DType != scalar.DType || !x.Shape.Equal(in[0].Shape) || in[n+i].DType != scalar.DType || in[n+i].Shape.Rank() != 0 {
			return nil, array.ShapeErrorf("operand %d is %s with the initial value %s, its body takes %s", i, x, in[n+i], scalar)
		}
		out[i] = array.Aval{Shape: x.Shape.Without(p.Axes.Slice()...), DType: x.DType}
	}
	return out, nil
}

// JVP implements vjp.Differentiable.
func (p ReduceP) JVP(x, dx []*array.Array) (y, dy []*array.Array, err error) {
	tree, err := trace.Record("", avals(x), p.asTree)
	if err != nil {
		return nil, nil, err
	}
	c, nonzero, err := vjp.JVPJaxpr(tree.Jaxpr, notNil(dx), nil)
	if err != nil {
		return nil, nil, err
	}
	out, err := trace.Eval(c.Jaxpr, c.ConstVals, slices.Concat(x, present(dx)))
	if err != nil {
		return nil, nil, err
	}
	n := len(nonzero)
	return out[:n:n], vjp.Spread(out[n:], nonzero), nil
}

// asTree computes the reduction by combining the first half of the elements with the second until one is left.
func (p ReduceP) asTree(in []*array.Array) ([]*array.Array, error) {
	n := len(p.Body.Out)
	xs, init := make([]*array.Array, n), make([]*array.Array, n)
	axes := p.Axes.Slice()
	rest := in[0].Shape().Without(axes...)
	front := slices.Clone(axes)
	for i := range in[0].Rank() {
		if !slices.Contains(axes, i) {
			front = append(front, i)
		}
	}
	size := in[0].Size() / max(1, rest.Size())
	if rest.Size() == 0 {
		size = 0
	}
	for i := range xs {
		xs[i] = primitive.Reshape(primitive.Transpose(in[i], front), rest.Insert(0, size))
		init[i] = primitive.BroadcastInDim(in[n+i], rest, nil)
	}
	for size > 1 {
		half := size / 2
		var lo, hi, left []*array.Array
		for _, x := range xs {
			lo, hi, left = append(lo, rows(x, 0, half)), append(hi, rows(x, half, 2*half)), append(left, rows(x, 2*half, size))
		}
		both, err := combine(p.Body, lo, hi)
		if err != nil {
			return nil, err
		}
		for i := range xs {
			if xs[i] = both[i]; size%2 == 1 {
				xs[i] = primitive.Concatenate(0, both[i], left[i])
			}
		}
		size -= half
	}
	if size == 0 {
		return init, nil
	}
	for i := range xs {
		xs[i] = primitive.Reshape(xs[i], rest)
	}
	return combine(p.Body, init, xs)
}

// combine applies body, a function of scalars, to each pair of elements of arrays of one shape.
func combine(body *trace.Jaxpr, x, y []*array.Array) ([]*array.Array, error) {
	shape := x[0].Shape()
	flat := func(x *array.Array) *array.Array { return primitive.Reshape(x, array.Shape{shape.Size()}) }
	var in []*array.Array
	for _, v := range slices.Concat(x, y) {
		in = append(in, flat(v))
	}
	c, _, err := vmap.Jaxpr(body, vmap.AxisData{Size: shape.Size()}, make([]int, len(in)), trues(len(x)))
	if err != nil {
		return nil, err
	}
	out, err := trace.Eval(c.Jaxpr, c.ConstVals, in)
	for i := range out {
		out[i] = primitive.Reshape(out[i], shape)
	}
	return out, err
}

// Batch implements vmap.Batcher.
func (p ReduceP) Batch(size int, in []*array.Array, dims []int) ([]*array.Array, []int, error) {
	n := len(p.Body.Out)
	if slices.Contains(isMapped(dims[n:]), true) { // each element begins with its own scalar: the operation has but one
		c, err := trace.Record("", p.elements(in, dims), p.asTree)
		if err != nil {
			return nil, nil, err
		}
		all, outDims, err := vmap.Jaxpr(c.Jaxpr, vmap.AxisData{Size: size}, dims, trues(n))
		if err != nil {
			return nil, nil, err
		}
		out, err := trace.Eval(all.Jaxpr, all.ConstVals, in)
		return out, outDims, err
	}
	in = slices.Clone(in)
	for i, x := range in[:n] {
		in[i] = vmap.Put(x, dims[i], 0, size)
	}
	p.Axes = p.Axes.Map(func(a int) int { return a + 1 })
	return primitive.BindAll(p, in...), make([]int, n), nil
}

// elements are the types of the operands without their mapped axes.
func (p ReduceP) elements(in []*array.Array, dims []int) []array.Aval {
	types := avals(in)
	for i, d := range dims {
		if d != vmap.NotMapped {
			types[i].Shape = types[i].Shape.Without(d)
		}
	}
	return types
}

// LowerJaxpr implements trace.JaxprLowerable.
func (p ReduceP) LowerJaxpr(c trace.Lowering, in []*hlo.Value, out []array.Aval) ([]*hlo.Value, error) {
	b := c.Builder()
	scalars, types := make([]hlo.Type, len(p.Body.In)), make([]hlo.Type, len(out))
	for i, v := range p.Body.In {
		scalars[i] = hlo.TensorOf(v.Aval)
	}
	for i, a := range out {
		types[i] = hlo.TensorOf(a)
	}
	body, err := b.Region(scalars, func(args []*hlo.Value) ([]*hlo.Value, error) { return c.Inline(p.Body, args) })
	if err != nil {
		return nil, err
	}
	op := &hlo.Op{Name: "stablehlo.reduce", Operands: in, Regions: []*hlo.Region{body}}
	op.Attrs = op.Attrs.Set("dimensions", hlo.I64s(p.Axes.Slice()...))
	return b.Append(op, types...).Results, nil
}
