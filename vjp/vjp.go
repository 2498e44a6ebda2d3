package vjp

import (
	"fmt"
	"slices"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/primitive"
	"github.com/pantograph-go/pantograph/trace"
)

// Option is a setting of Grad and its relatives.
type Option func(*settings)

type settings struct {
	args        []int // nil where Args was not given: the first, on its own
	hasAux      bool
	holomorphic bool
	allowInt    bool
	all         bool // the arguments are all that there are, whatever they hold
}

// Args chooses the arguments to differentiate, by number from 0; the default is the first. Negative numbers count from
// the end. The gradients of several are a []any.
func Args(numbers ...int) Option {
	return func(s *settings) { s.args = append([]int{}, numbers...) }
}

// HasAux says that the function has two results, of which the second is not differentiated but returned as it is.
func HasAux() Option { return func(s *settings) { s.hasAux = true } }

// Holomorphic says that the function is a holomorphic one of complex arguments, so that it has a complex derivative.
func Holomorphic() Option { return func(s *settings) { s.holomorphic = true } }

// AllowInt takes arguments of integer or bool type; their gradients have the type float0, which has no values.
func AllowInt() Option { return func(s *settings) { s.allowInt = true } }

// Grad returns the function that computes the gradient of f, whose result is one real number. The gradient has the Go
// type of the argument, without aux; with HasAux the results are the gradient and aux.
//
// For complex arguments it is the reference's: ∂f/∂re - i ∂f/∂im, the cotangent of f. It panics with *array.Error when
// called: a ShapeError or DTypeError where f's result is no real number, a DTypeError for integer arguments.
func Grad(f any, opts ...Option) *trace.Func {
	return gradient("grad", f, opts, func(value, aux, grads any, hasAux bool) any {
		if hasAux {
			return []any{grads, aux}
		}
		return grads
	})
}

// ValueAndGrad returns the function that computes f and its gradient: the results are value, gradient, or with HasAux
// value, aux, gradient. See Grad.
func ValueAndGrad(f any, opts ...Option) *trace.Func {
	return gradient("value_and_grad", f, opts, func(value, aux, grads any, hasAux bool) any {
		if hasAux {
			return []any{value, aux, grads}
		}
		return []any{value, grads}
	})
}

func gradient(what string, f any, opts []Option, arrange func(value, aux, grads any, hasAux bool) any) *trace.Func {
	d := newDerivative(what, f, opts)
	return d.fn(func(p *point) (any, error) {
		out, lin, err := linearize(d.name, p.leaves, p.active, p.call)
		if err != nil {
			return nil, err
		}
		if err := d.checkValue(p.numValue, out); err != nil {
			return nil, err
		}
		lin.first(1)
		one := primitive.Full(TangentOf(out[0].Aval()), 1)
		ct, err := lin.pull(d.name, []*array.Array{one})
		if err != nil {
			return nil, err
		}
		grads, err := p.ofArgs(ct)
		if err != nil {
			return nil, err
		}
		value, aux, err := p.result(out)
		if err != nil {
			return nil, err
		}
		return arrange(value, aux, grads, d.hasAux), nil
	})
}

// checkValue refuses results that have no gradient.
func (d *derivative) checkValue(n int, out []*array.Array) error {
	if n != 1 {
		return array.ShapeErrorf("a gradient is that of a scalar, the function returns %d arrays; choose one, or use vjp.VJP or vjp.JacRev", n)
	}
	switch a := out[0].Aval(); {
	case a.Shape.Rank() != 0:
		return array.ShapeErrorf("a gradient is that of a scalar, the function returns %s; reduce it, for instance with Sum, or use vjp.VJP or vjp.JacRev", a)
	default:
		return d.checkResult(a)
	}
}

// checkResult refuses results whose type does not suit the kind of derivative.
func (d *derivative) checkResult(a array.Aval) error {
	switch {
	case d.holomorphic && !a.DType.IsComplex():
		return array.DTypeErrorf("with vjp.Holomorphic the result must be complex, it is %s", a)
	case !d.holomorphic && a.DType.IsComplex():
		return array.DTypeErrorf("the result must be real, it is %s; take its real part, use vjp.Holomorphic for a holomorphic function, or vjp.VJP", a)
	case !a.DType.IsInexact():
		return array.DTypeErrorf("the result must be a real number of floating-point type, it is %s", a)
	}
	return nil
}

// StopGradient is x as a constant: every derivative of it is zero.
func StopGradient(x *array.Array) *array.Array { return primitive.StopGradient(x) }

// derivative is a function with the settings of its differentiation.
type derivative struct {
	settings
	name string // grad(loss)
	f    trace.Callable
	sig  *trace.Signature
}

func newDerivative(what string, f any, opts []Option) *derivative {
	c, err := trace.CallableOf(f)
	if err != nil {
		panic(array.Wrap("vjp."+what, err))
	}
	d := &derivative{name: what + "(" + c.Name() + ")", f: c, sig: trace.SignatureOf(c)}
	for _, o := range opts {
		o(&d.settings)
	}
	return d
}

// fn makes a Func of what is computed at a point.
func (d *derivative) fn(compute func(p *point) (any, error)) *trace.Func {
	return trace.NewFunc(d.name, d.sig, func(args []any) (any, error) {
		p, err := d.at(args)
		if err != nil {
			return nil, err
		}
		return compute(p)
	})
}

// point is a derivative together with the arguments it is taken at. It belongs to one call.
type point struct {
	*derivative
	tree     *trace.Tree // of the arguments
	leaves   []*array.Array
	active   []bool // the leaves that are differentiated
	chosen   []int  // the arguments
	outTree  *trace.Tree
	numValue int // leaves of the result before aux
}

func (d *derivative) at(args []any) (*point, error) {
	leaves, tree, err := trace.FlattenArgs(d.sig, args)
	if err != nil {
		return nil, err
	}
	p := &point{derivative: d, tree: tree, leaves: leaves, active: make([]bool, len(leaves))}
	if p.chosen, err = d.choose(len(args)); err != nil {
		return nil, err
	}
	for _, n := range p.chosen {
		lo, hi := p.span(n)
		if lo == hi && !d.all {
			return nil, array.ArgumentErrorf("argument %d, %s, holds no array to differentiate; Go numbers are static where the parameter has a number type: declare it *array.Array", n, tree.Children()[n])
		}
		paths := tree.Children()[n].Paths()
		for i := lo; i < hi; i++ {
			a := leaves[i].Aval()
			p.active[i] = a.DType.IsInexact()
			switch {
			case !p.active[i] && !d.allowInt:
				return nil, array.DTypeErrorf("argument %d%s is %s: a derivative is taken with respect to real (floating-point) or complex arguments; "+
					"convert it, choose others with vjp.Args, or use vjp.AllowInt", n, paths[i-lo], a)
			case d.holomorphic && p.active[i] && !a.DType.IsComplex():
				return nil, array.DTypeErrorf("with vjp.Holomorphic argument %d%s must be complex, it is %s", n, paths[i-lo], a)
			}
		}
	}
	return p, nil
}

// choose lists the arguments to differentiate.
func (d *derivative) choose(n int) ([]int, error) {
	if d.args == nil {
		if n == 0 {
			return nil, array.ArgumentErrorf("there is no argument to differentiate")
		}
		return []int{0}, nil
	}
	chosen := make([]int, len(d.args))
	for i, a := range d.args {
		if a < -n || a >= n {
			return nil, array.ArgumentErrorf("vjp.Args(%d): the function is called with %d arguments", a, n)
		}
		if a < 0 {
			a += n
		}
		if slices.Contains(chosen[:i], a) {
			return nil, array.ArgumentErrorf("vjp.Args names argument %d twice", a)
		}
		chosen[i] = a
	}
	return chosen, nil
}

// span is the range of leaves of argument n.
func (p *point) span(n int) (lo, hi int) {
	for i, arg := range p.tree.Children() {
		hi = lo + arg.Leaves()
		if i == n {
			break
		}
		lo = hi
	}
	return lo, hi
}

// call applies the function; leaves of aux follow those of the value.
func (p *point) call(in []*array.Array) ([]*array.Array, error) {
	out, tree, err := trace.CallTree(p.f, p.tree, in)
	if err != nil {
		return nil, err
	}
	p.outTree, p.numValue = tree, tree.Leaves()
	if p.hasAux {
		kids := tree.Children()
		if len(kids) != 2 || tree.Leaves() != kids[0].Leaves()+kids[1].Leaves() {
			return nil, array.TreeErrorf("with vjp.HasAux the function must have two results, value and aux; the result is %s", tree)
		}
		p.numValue = kids[0].Leaves()
	}
	return out, nil
}

// result rebuilds the function's result: the value, and aux where there is one.
func (p *point) result(out []*array.Array) (value, aux any, err error) {
	if !p.hasAux {
		value, err = p.outTree.Unflatten(out)
		return value, nil, err
	}
	kids := p.outTree.Children()
	if value, err = kids[0].Unflatten(out[:p.numValue]); err == nil {
		aux, err = kids[1].Unflatten(out[p.numValue:])
	}
	return value, aux, err
}

// ofArgs arranges one array for each active leaf, nil for zero, as the differentiated arguments: one on its own unless
// Args was given with several.
func (p *point) ofArgs(x []*array.Array) (any, error) {
	all := make([]*array.Array, len(p.leaves))
	for i, leaf := range p.leaves {
		if p.active[i] {
			all[i], x = x[0], x[1:]
		}
		switch {
		case all[i] == nil:
			all[i] = Zeros(leaf.Aval())
		case leaf.Aval().Weak: // the gradient for a Go number yields as the number does
			all[i] = primitive.ConvertWeak(all[i], all[i].DType())
		}
	}
	return p.arrange(func(lo, hi int, arg *trace.Tree) (any, error) { return arg.Unflatten(all[lo:hi]) })
}

// arrange collects something for each differentiated argument.
func (p *point) arrange(of func(lo, hi int, arg *trace.Tree) (any, error)) (any, error) {
	var list []any
	for _, n := range p.chosen {
		lo, hi := p.span(n)
		v, err := of(lo, hi, p.tree.Children()[n])
		if err != nil {
			return nil, fmt.Errorf("argument %d: %w", n, err)
		}
		list = append(list, v)
	}
	if len(list) == 1 {
		return list[0], nil
	}
	return list, nil
}
