package vjp

import (
	"fmt"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/primitive"
	"github.com/pantograph-go/pantograph/trace"
)

// JVP computes f at primals and its derivative along tangents, forward: the result and its tangent, both of the Go type
// of f's result (a []any where f has several). A nil tangent is zero, as for an argument of integers. It panics with
// *array.Error where a tangent's type is not that of its primal.
func JVP(f any, primals, tangents []any) (out, tangent any) {
	p := mustAt("jvp", f, primals)
	dx, err := p.tangents(tangents)
	if err == nil {
		var y, dy []*array.Array
		if y, dy, err = p.forward(dx); err == nil {
			out, tangent, err = p.pair(y, dy)
		}
	}
	p.must(err)
	return out, tangent
}

// Linearize computes f at args and returns, with the result, its derivative there as a function of tangents. f runs
// once; the function may be applied many times. Its arguments are one tangent for each argument of f.
func Linearize(f any, args ...any) (out any, derivative *trace.Func) {
	p := mustAt("linearize", f, args)
	y, lin, err := linearize(p.name, p.leaves, p.active, p.call)
	p.must(err)
	out, err = p.outTree.Unflatten(y)
	p.must(err)
	return out, trace.NewFunc(p.name, p.sig, func(tangents []any) (any, error) {
		dx, err := p.tangents(tangents)
		if err != nil {
			return nil, err
		}
		dy, err := lin.apply(p.written(dx))
		if err != nil {
			return nil, err
		}
		return p.outTree.Unflatten(writtenOut(y, dy))
	})
}

// VJP computes f at args and returns, with the result, the pull-back: the function from cotangents of the result to
// those of the arguments, reverse-mode differentiation. f runs once.
//
// The pull-back takes what f returns, as one argument or as many as f has results; a nil cotangent is zero. Its result
// is the cotangent of the argument, or a []any where f has several arguments. Integers and bools have cotangents of
// type float0.
func VJP(f any, args ...any) (out any, pullback *trace.Func) {
	p := mustAt("vjp", f, args)
	y, lin, err := linearize(p.name, p.leaves, p.active, p.call)
	p.must(err)
	out, err = p.outTree.Unflatten(y)
	p.must(err)
	return out, trace.NewFunc(p.name, nil, func(cts []any) (any, error) {
		ct, err := p.cotangents(y, cts)
		if err != nil {
			return nil, err
		}
		sent, err := lin.pull(p.name, ct)
		if err != nil {
			return nil, err
		}
		return p.ofArgs(sent)
	})
}

// LinearTranspose returns the transpose of f, which must be linear in all its arguments: the function from cotangents
// of f's result to those of args, of which only types matter. f is traced once.
func LinearTranspose(f any, args ...any) *trace.Func {
	p := mustAt("linear_transpose", f, args)
	t := openLinear(p.name)
	defer t.frame.Close()
	in := make([]*array.Array, len(p.leaves))
	for i, x := range p.leaves {
		if in[i] = x; p.active[i] {
			in[i] = t.input(TangentOf(x.Aval()))
		}
	}
	y, err := p.call(in)
	p.must(err)
	lin := &linearized{}
	for i, x := range y {
		lin.result = append(lin.result, i)
		t.jaxpr.Out = append(t.jaxpr.Out, t.atom(x))
	}
	t.finish(lin)
	return trace.NewFunc(p.name, nil, func(cts []any) (any, error) {
		ct, err := p.cotangents(y, cts)
		if err != nil {
			return nil, err
		}
		sent, err := lin.pull(p.name, ct)
		if err != nil {
			return nil, err
		}
		return p.ofArgs(sent)
	})
}

// mustAt prepares the derivative of f in all its arguments.
func mustAt(what string, f any, args []any) *point {
	d := newDerivative(what, f, []Option{AllowInt()})
	d.all = true
	d.args = make([]int, len(args))
	for i := range d.args {
		d.args[i] = i
	}
	p, err := d.at(args)
	d.must(err)
	return p
}

// must panics with the user's line where there is an error.
func (d *derivative) must(err error) {
	if err != nil {
		panic(array.Wrap(d.name, err))
	}
}

// forward computes the function and its tangents; dx has a tangent for each leaf, nil for zero.
func (p *point) forward(dx []*array.Array) (y, dy []*array.Array, err error) {
	t := openJVP(p.name, false)
	defer t.frame.Close()
	in := make([]*array.Array, len(dx))
	for i, x := range p.leaves {
		in[i] = t.lift(x, dx[i])
	}
	out, err := p.call(in)
	if err != nil {
		return nil, nil, err
	}
	y, dy = make([]*array.Array, len(out)), make([]*array.Array, len(out))
	for i, x := range out {
		if x == nil {
			return nil, nil, array.ArgumentErrorf("result %d is a nil array", i)
		}
		y[i], dy[i] = t.lower(x)
	}
	return y, dy, nil
}

// pair arranges results and tangents, zeros written out.
func (p *point) pair(y, dy []*array.Array) (out, tangent any, err error) {
	if out, err = p.outTree.Unflatten(y); err == nil {
		tangent, err = p.outTree.Unflatten(writtenOut(y, dy))
	}
	return out, tangent, err
}

func writtenOut(y, dy []*array.Array) []*array.Array {
	out := make([]*array.Array, len(dy))
	for i, d := range dy {
		if out[i] = d; d == nil {
			out[i] = Zeros(y[i].Aval())
		}
	}
	return out
}

// tangents flattens one tangent for each argument: one array for each leaf, nil for zero.
func (p *point) tangents(args []any) ([]*array.Array, error) {
	kids := p.tree.Children()
	if len(args) != len(kids) {
		return nil, array.ArgumentErrorf("%d tangents are given for %d arguments", len(args), len(kids))
	}
	dx := make([]*array.Array, 0, len(p.leaves))
	for i, arg := range args {
		lo, hi := p.span(i)
		d, err := like(arg, kids[i], avalsOf(p.leaves[lo:hi]))
		if err != nil {
			return nil, fmt.Errorf("tangent of argument %d%w", i, err)
		}
		dx = append(dx, d...)
	}
	return dx, nil
}

// written lists the tangents of the active leaves, zeros written out.
func (p *point) written(dx []*array.Array) []*array.Array {
	var out []*array.Array
	for i, d := range dx {
		if p.active[i] {
			if d == nil {
				d = Zeros(p.leaves[i].Aval())
			}
			out = append(out, d)
		}
	}
	return out
}

// cotangents flattens the cotangents of the results y: one array for each, nil for zero.
func (p *point) cotangents(y []*array.Array, args []any) ([]*array.Array, error) {
	if len(args) == 1 {
		ct, err := like(args[0], p.outTree, avalsOf(y))
		if err != nil {
			err = fmt.Errorf("cotangent of the result%w", err)
		}
		return ct, err
	}
	kids := p.outTree.Children()
	if len(args) != len(kids) {
		return nil, array.ArgumentErrorf("%d cotangents are given for the result %s", len(args), p.outTree)
	}
	var ct []*array.Array
	for i, arg := range args {
		lo := len(ct)
		c, err := like(arg, kids[i], avalsOf(y[lo:lo+kids[i].Leaves()]))
		if err != nil {
			return nil, fmt.Errorf("cotangent of result %d%w", i, err)
		}
		ct = append(ct, c...)
	}
	return ct, nil
}

// like flattens a tangent of something with the given tree and types of leaves: the same tree, or nil for zero. Of a
// leaf of integers it may hold anything that is not floating-point; the tangent is nil. Errors begin with the path.
func like(v any, tree *trace.Tree, avals []array.Aval) ([]*array.Array, error) {
	out := make([]*array.Array, len(avals))
	given, t, err := trace.Flatten(v)
	switch {
	case err != nil:
		return nil, fmt.Errorf(": %w", err)
	case t.Leaves() == 0 && t.Children() == nil && tree.Leaves() > 0:
		return out, nil // nil
	case t.Leaves() != tree.Leaves() || !sameStructure(t, tree):
		return nil, fmt.Errorf(": %w", array.TreeErrorf("it is %s, wanted is %s", t, tree))
	}
	for i, d := range given {
		want := TangentOf(avals[i])
		if want.DType == array.Float0 && !d.DType().IsInexact() {
			continue
		}
		if out[i], err = typed(d, want); err != nil {
			return nil, fmt.Errorf("%s: %w", tree.Paths()[i], err)
		}
	}
	return out, nil
}

// typed returns x, which must have the wanted shape and dtype; a Go number takes the dtype.
func typed(x *array.Array, want array.Aval) (*array.Array, error) {
	a := x.Aval()
	if a.Weak && a.DType != want.DType && a.Shape.Equal(want.Shape) {
		if d, _, err := array.Promote(a, want.Strong()); err == nil && d == want.DType {
			return primitive.Convert(x, d), nil
		}
	}
	if !sameType(a, want) {
		return nil, array.ShapeErrorf("it is %s, wanted is %s", a, want)
	}
	return x, nil
}

func avalsOf(x []*array.Array) []array.Aval {
	a := make([]array.Aval, len(x))
	for i, v := range x {
		a[i] = v.Aval()
	}
	return a
}

// sameStructure compares trees as printed: the Go types may differ, as a []any from a []*Array.
func sameStructure(t, u *trace.Tree) bool { return t.Equal(u) || t.String() == u.String() }
