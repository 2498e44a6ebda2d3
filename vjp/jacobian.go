package vjp

import (
	"fmt"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/primitive"
	"github.com/pantograph-go/pantograph/trace"
	"github.com/pantograph-go/pantograph/vmap"
)

// JacFwd returns the function that computes the Jacobian of f column by column, in forward mode: good where f has more
// results than arguments. The Jacobian of a result of shape s for an argument of shape t has shape s+t.
//
// Where the differentiated argument is one array, the Jacobian has the Go type of the result; where the result is one
// array, the Go type of the argument (a []any for several, see Args); otherwise it is a []any with one entry of the
// argument's type for each array of the result, in order.
func JacFwd(f any, opts ...Option) *trace.Func {
	d := newDerivative("jacfwd", f, opts)
	return d.fn(func(p *point) (any, error) { return p.jacobian(p.columns) })
}

// JacRev returns the function that computes the Jacobian of f row by row, in reverse mode: good where f has more
// arguments than results. See JacFwd for its form.
func JacRev(f any, opts ...Option) *trace.Func {
	d := newDerivative("jacrev", f, opts)
	return d.fn(func(p *point) (any, error) { return p.jacobian(p.rows) })
}

// Hessian returns the function that computes the second derivatives of f, whose result is usually one number: the
// JacFwd of its JacRev.
func Hessian(f any, opts ...Option) *trace.Func { return JacFwd(JacRev(f, opts...), opts...) }

// HVP returns the function that multiplies the Hessian of f, whose result is one number, with a vector: its arguments
// are those of f, then one vector for each differentiated argument, of that argument's type. It costs a few evaluations
// of f: the forward derivative of the gradient.
func HVP(f any, opts ...Option) *trace.Func {
	grad := Grad(f, opts...)
	d := newDerivative("hvp", f, opts)
	d.name = "hvp(" + d.f.Name() + ")"
	return trace.NewFunc(d.name, nil, func(args []any) (any, error) {
		n := len(d.args)
		if d.args == nil {
			n = 1
		}
		if len(args) <= n {
			return nil, array.ArgumentErrorf("the arguments are those of %s, then %d vectors; got %d in all", d.f.Name(), n, len(args))
		}
		args, vectors := args[:len(args)-n], args[len(args)-n:]
		chosen, err := d.choose(len(args))
		if err != nil {
			return nil, err
		}
		tangents := make([]any, len(args))
		for i, k := range chosen {
			tangents[k] = vectors[i]
		}
		_, hv := JVP(grad, args, tangents)
		return hv, nil
	})
}

// jacobian arranges the blocks that compute returns: the Jacobian of result i for active leaf k is blocks[i][k].
func (p *point) jacobian(compute func() (out []*array.Array, blocks [][]*array.Array, err error)) (any, error) {
	out, blocks, err := compute()
	if err != nil {
		return nil, err
	}
	_, aux, err := p.result(out)
	if err != nil {
		return nil, err
	}
	outTree := p.outTree
	if p.hasAux {
		outTree = outTree.Children()[0]
	}
	var result any
	switch {
	case p.oneArray():
		flat := make([]*array.Array, len(blocks))
		for i, b := range blocks {
			flat[i] = b[0]
		}
		result, err = outTree.Unflatten(flat)
	case len(blocks) == 1:
		result, err = p.ofArgs(blocks[0])
	default:
		list := make([]any, len(blocks))
		for i := range list {
			if list[i], err = p.ofArgs(blocks[i]); err != nil {
				break
			}
		}
		result = list
	}
	if err != nil || !p.hasAux {
		return result, err
	}
	return []any{result, aux}, nil
}

// oneArray reports that what is differentiated is one array, not a tree.
func (p *point) oneArray() bool {
	if len(p.chosen) != 1 {
		return false
	}
	arg := p.tree.Children()[p.chosen[0]]
	return arg.Leaves() == 1 && arg.Children() == nil && len(p.activeLeaves()) == 1
}

func (p *point) activeLeaves() []*array.Array {
	var in []*array.Array
	for i, x := range p.leaves {
		if p.active[i] {
			in = append(in, x)
		}
	}
	return in
}

// columns differentiates forward, along all unit vectors of the arguments at once.
func (p *point) columns() (out []*array.Array, blocks [][]*array.Array, err error) {
	in := p.activeLeaves()
	for _, x := range in {
		if x.DType().IsComplex() && !p.holomorphic {
			return nil, nil, array.DTypeErrorf("an argument is %s; use vjp.Holomorphic for a holomorphic function, or vjp.JacRev", x.Aval())
		}
	}
	along := vmap.Of(func(unit []*array.Array) (tangents, values []*array.Array, err error) {
		dx := make([]*array.Array, len(p.leaves))
		for i := range dx {
			if p.active[i] {
				dx[i], unit = unit[0], unit[1:]
			}
		}
		y, dy, err := p.forward(dx)
		if err != nil {
			return nil, nil, err
		}
		for i, v := range y[:p.numValue] {
			if a := v.Aval(); !a.DType.IsInexact() || p.holomorphic && !a.DType.IsComplex() {
				return nil, nil, fmt.Errorf("result %d: %w", i, p.checkResult(a))
			}
		}
		return writtenOut(y, dy)[:p.numValue], y, nil
	}, vmap.Size(totalSize(in)), vmap.Out([]any{0, nil}))
	res, err := along.Apply([]any{units(in)})
	if err != nil {
		return nil, nil, err
	}
	cols, out := res.([]any)[0].([]*array.Array), res.([]any)[1].([]*array.Array)
	for i, col := range cols {
		col = vmap.Put(col, 0, col.Rank()-1, totalSize(in))
		blocks = append(blocks, cut(col, col.Rank()-1, in, func(k int) array.Shape {
			return append(out[i].Shape().Clone(), in[k].Shape()...)
		}))
	}
	return out, blocks, nil
}

// rows differentiates in reverse, from all unit vectors of the results at once.
func (p *point) rows() (out []*array.Array, blocks [][]*array.Array, err error) {
	out, lin, err := linearize(p.name, p.leaves, p.active, p.call)
	if err != nil {
		return nil, nil, err
	}
	value := out[:p.numValue]
	for i, y := range value {
		if err := p.checkResult(y.Aval()); err != nil {
			return nil, nil, fmt.Errorf("result %d: %w", i, err)
		}
	}
	lin.first(p.numValue)
	in := p.activeLeaves()
	pull := vmap.Of(func(unit []*array.Array) ([]*array.Array, error) {
		ct, err := lin.pull(p.name, unit)
		if err != nil {
			return nil, err
		}
		return writtenOut(in, ct), nil
	}, vmap.Size(totalSize(value)))
	res, err := pull.Apply([]any{units(value)})
	if err != nil {
		return nil, nil, err
	}
	blocks = make([][]*array.Array, len(value))
	for k, row := range res.([]*array.Array) {
		for i, b := range cut(row, 0, value, func(i int) array.Shape { return append(value[i].Shape().Clone(), in[k].Shape()...) }) {
			blocks[i] = append(blocks[i], b)
		}
	}
	return out, blocks, nil
}

func totalSize(x []*array.Array) int {
	n := 0
	for _, v := range x {
		n += v.Size()
	}
	return n
}

// units gives all unit vectors of the space that arrays like x span together, stacked along axis 0.
func units(x []*array.Array) []*array.Array {
	n, first := totalSize(x), 0
	out := make([]*array.Array, len(x))
	for i, v := range x {
		a := TangentOf(v.Aval())
		at := array.Shape{n, v.Size()}
		row := primitive.Iota(array.Int64, at, 0)
		col := primitive.Add(primitive.Iota(array.Int64, at, 1), primitive.Full(array.Aval{DType: array.Int64, Shape: at}, float64(first)))
		out[i] = primitive.Reshape(primitive.Convert(primitive.Eq(row, col), a.DType), a.Shape.Insert(0, n))
		first += v.Size()
	}
	return out
}

// cut slices x along axis into pieces as long as each of like and gives each its shape.
func cut(x *array.Array, axis int, like []*array.Array, shape func(i int) array.Shape) []*array.Array {
	out := make([]*array.Array, len(like))
	start, limit := make([]int, x.Rank()), x.Shape().Clone()
	for i, v := range like {
		limit[axis] = start[axis] + v.Size()
		out[i] = primitive.Reshape(primitive.Slice(x, start, limit, nil), shape(i))
		start[axis] = limit[axis]
	}
	return out
}
