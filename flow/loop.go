package flow

import (
	"fmt"
	"slices"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/primitive"
	"github.com/pantograph-go/pantograph/trace"
)

// While applies body to a carried value, at first init, as long as cond of it holds, and returns the last one, in the Go
// type of init. cond returns a bool scalar, body what it takes. Where init is a []any, the functions may take its
// elements as parameters, and body return them as results.
//
// The carry keeps its tree, shapes and dtypes; a Go number in init takes the dtype that it gets in the body. Captured
// arrays are differentiated like init, in forward mode; reverse mode is refused: use Scan, or Fori with Go ints.
//
// It panics with *array.Error: a TreeError, ShapeError or DTypeError that names the part of the carry that changes its
// type, or says what cond returned.
func While(cond, body, init any) (result any) {
	try("flow.While", func() error {
		f, err := functionOf(body, parameters(body, init))
		if err != nil {
			return err
		}
		l := &looped{function: f, carryLeaves: len(f.leaves), types: avals(f.leaves), result: f.in}
		if kids := f.in.Children(); len(kids) == 1 {
			l.result = kids[0]
		}
		if err := l.trace("while"); err != nil {
			return err
		}
		c, err := functionOf(cond, parameters(cond, init))
		if err != nil {
			return err
		}
		test, _, err := c.record("while_cond", l.types)
		if err != nil {
			return err
		}
		if out := trace.Avals(test.Out); len(out) != 1 || out[0].DType != array.Bool || out[0].Shape.Rank() != 0 {
			return array.DTypeErrorf("the condition %s must return one bool scalar, it returns %v", c.Name(), out)
		}
		result, err = l.result.Unflatten(bindWhile(test, l.body, loop[*array.Array]{carry: l.carry()}))
		return err
	})
	return result
}

// parameters are the arguments to give f for a carry: its elements where f takes several.
func parameters(f, carry any) []any {
	list, ok := carry.([]any)
	if c, err := trace.CallableOf(f); ok && err == nil {
		if s := trace.SignatureOf(c); s != nil && len(s.In) == len(list) && len(list) > 1 {
			return list
		}
	}
	return []any{carry}
}

// Fori applies body(i, carry) for i from lower up to upper-1 and returns the last carry, in the Go type of init; i is an
// int64 scalar that yields to other integer types where the bounds are Go ints, else of the bounds' type. See While for
// what the carry keeps.
//
// Where both bounds are known, as Go ints are, the loop is a Scan, which has reverse mode; otherwise it is a While.
func Fori(lower, upper any, body, init any) (result any) {
	try("flow.Fori", func() error {
		lo, hi, err := bounds(lower, upper)
		if err != nil {
			return err
		}
		f, err := functionOf(body, []any{lo, init})
		if err != nil {
			return err
		}
		kids := f.in.Children()
		if kids[0].Leaves() != 1 {
			return array.ArgumentErrorf("the first parameter of %s, the counter, must be an *array.Array", f.Name())
		}
		l := &looped{function: f, first: 1, carryLeaves: len(f.leaves) - 1, types: avals(f.leaves), result: kids[1]}
		if err := l.trace("fori"); err != nil {
			return err
		}
		out, err := l.count(lo, hi)
		if err == nil {
			result, err = l.result.Unflatten(out)
		}
		return err
	})
	return result
}

func bounds(lower, upper any) (lo, hi *array.Array, err error) {
	if lo, err = bound("lower", lower); err != nil {
		return nil, nil, err
	}
	if hi, err = bound("upper", upper); err != nil {
		return nil, nil, err
	}
	a, ok := unified(lo.Aval(), hi.Aval())
	if !ok {
		return nil, nil, differ("the bounds must have the same type: lower is %s, upper is %s", lo.Aval(), hi.Aval())
	}
	return as(lo, a), as(hi, a), nil
}

func bound(name string, v any) (*array.Array, error) {
	x, err := array.FromValue(v)
	if err != nil {
		return nil, fmt.Errorf("the %s bound: %w", name, err)
	}
	if a := x.Aval(); a.Shape.Rank() != 0 || !a.DType.IsInteger() {
		return nil, array.DTypeErrorf("the %s bound must be an integer scalar, it is %s", name, a)
	}
	return x, nil
}

// count binds the loop that a Fori is.
func (l *looped) count(lo, hi *array.Array) ([]*array.Array, error) {
	a := lo.Aval()
	next := func(i *array.Array) *array.Array { return as(primitive.Add(i, primitive.Full(a, 1)), a) }
	counter, scalar := []array.Aval{a}, slices.Concat([]array.Aval{a}, l.types[1:])
	if array.TracerOf(lo) == nil && array.TracerOf(hi) == nil {
		body, err := trace.Record("", scalar, func(in []*array.Array) ([]*array.Array, error) {
			out, err := trace.Eval(l.body.Jaxpr, l.body.ConstVals, in)
			return slices.Concat([]*array.Array{next(in[0])}, out), err
		})
		if err != nil {
			return nil, err
		}
		p := ScanP{Length: max(0, hi.Int()-lo.Int()), Unroll: 1}
		return p.bind(body, sections[*array.Array]{carry: slices.Concat([]*array.Array{lo}, l.carry())})[1:], nil
	}
	types := slices.Concat(counter, scalar)
	test, err := trace.Record("", types, func(in []*array.Array) ([]*array.Array, error) {
		return []*array.Array{primitive.Lt(in[0], in[1])}, nil
	})
	if err != nil {
		return nil, err
	}
	body, err := trace.Record("", types, func(in []*array.Array) ([]*array.Array, error) {
		out, err := trace.Eval(l.body.Jaxpr, l.body.ConstVals, slices.Concat(in[:1], in[2:]))
		return slices.Concat([]*array.Array{next(in[0]), in[1]}, out), err
	})
	if err != nil {
		return nil, err
	}
	return bindWhile(test, body, loop[*array.Array]{carry: slices.Concat([]*array.Array{lo, hi}, l.carry())})[2:], nil
}

// ScanOption is a setting of Scan and Map.
type ScanOption func(*scanSettings)

type scanSettings struct {
	reverse   bool
	unroll    int
	length    int
	hasLength bool
	batch     int
	axis      int
}

// Reverse takes the steps from the last to the first; outputs stand where their inputs stood.
func Reverse() ScanOption { return func(s *scanSettings) { s.reverse = true } }

// Unroll makes the compiled loop take n steps in one turn, which can be faster and takes longer to compile.
func Unroll(n int) ScanOption { return func(s *scanSettings) { s.unroll = n } }

// Length is the number of steps, needed where there are no inputs to count.
func Length(n int) ScanOption { return func(s *scanSettings) { s.length, s.hasLength = n, true } }

// BatchSize makes Map apply its function to n elements at once, as vmap does.
func BatchSize(n int) ScanOption { return func(s *scanSettings) { s.batch = n } }

func scanSettingsOf(opts []ScanOption) scanSettings {
	s := scanSettings{unroll: 1}
	for _, o := range opts {
		o(&s)
	}
	return s
}

// Scan applies body(carry, x) to the slices of xs along axis 0 in turn. body returns (carry, y); Scan returns the last
// carry, in the Go type of init, and the outputs y stacked along axis 0, in the Go type in which body returns one.
//
//	xs: a tree of arrays [n, ...], or nil with Length(n)      ys: the tree that body returns, of arrays [n, ...]
//
// body returns a nil *Array for no output. The carry keeps its tree, shapes and dtypes; a Go number in init takes the
// dtype that it gets in the body. Captured arrays are differentiated like init and xs, in both modes; reverse mode keeps
// what the derivative of each step needs.
//
// It panics with *array.Error: a ShapeError where the lengths of xs differ, a TreeError, ShapeError or DTypeError that
// names the part of the carry that changes its type.
func Scan(body, init, xs any, opts ...ScanOption) (carry, ys any) {
	try("flow.Scan", func() error {
		s := scanSettingsOf(opts)
		f, err := functionOf(body, []any{init, xs})
		if err != nil {
			return err
		}
		kids := f.in.Children()
		n := kids[0].Leaves()
		l := &looped{function: f, carryLeaves: n, types: avals(f.leaves), result: kids[0], isScan: true}
		p := ScanP{Reverse: s.reverse, Unroll: s.unroll}
		if p.Length, err = s.steps(l.types[n:], kids[1]); err != nil {
			return err
		}
		if err := l.trace("scan"); err != nil {
			return err
		}
		out := p.bind(l.body, sections[*array.Array]{carry: l.carry(), xs: f.leaves[n:]})
		if carry, err = l.result.Unflatten(out[:n]); err == nil {
			ys, err = l.ys.Unflatten(out[n:])
		}
		return err
	})
	return carry, ys
}

// steps finds the number of steps and makes the types of one step's inputs of those of xs.
func (s scanSettings) steps(xs []array.Aval, tree *trace.Tree) (int, error) {
	n, found := s.length, s.hasLength
	if s.unroll < 1 {
		return 0, array.ArgumentErrorf("flow.Unroll(%d): at least one step is taken in a turn", s.unroll)
	}
	for i, a := range xs {
		if a.Shape.Rank() == 0 {
			return 0, array.ShapeErrorf("the inputs are sliced along axis 0; xs%s is a scalar %s", tree.Paths()[i], a)
		}
		switch m := a.Shape[0]; {
		case !found:
			n, found = m, true
		case m != n && s.hasLength:
			return 0, array.ShapeErrorf("flow.Length says %d steps, xs%s of type %s has %d slices", n, tree.Paths()[i], a, m)
		case m != n:
			return 0, array.ShapeErrorf("the inputs differ in length: xs%s has %d slices, xs%s of type %s has %d", tree.Paths()[0], n, tree.Paths()[i], a, m)
		}
		xs[i] = a.WithShape(a.Shape[1:])
	}
	if !found {
		return 0, array.ArgumentErrorf("there is nothing to scan over; give the number of steps with flow.Length")
	}
	if n < 0 {
		return 0, array.ArgumentErrorf("flow.Length(%d): the number of steps is not negative", n)
	}
	return n, nil
}

// looped is the body of a loop being traced. Its inputs are the leaves of its arguments, of which carryLeaves from first
// on are carried.
type looped struct {
	*function
	first, carryLeaves int
	types              []array.Aval // of the inputs, once traced those that the carry keeps
	result             *trace.Tree  // of the carry
	isScan             bool         // the body returns the carry and outputs
	body               *trace.Closed
	ys                 *trace.Tree // of the outputs
}

// carry is the initial carry, in the types that it keeps.
func (l *looped) carry() []*array.Array {
	c := make([]*array.Array, l.carryLeaves)
	for i := range c {
		c[i] = as(l.leaves[l.first+i], l.types[l.first+i])
	}
	return c
}

// trace traces the body until the carry keeps its types: where a Go number in the initial carry becomes a typed value in
// the body, it is given that type from the beginning.
func (l *looped) trace(op string) error {
	carried := l.types[l.first : l.first+l.carryLeaves]
	for {
		body, tree, err := l.record(op, l.types)
		if err != nil {
			return err
		}
		if err := l.results(tree); err != nil {
			return err
		}
		again := false
		for i, out := range trace.Avals(body.Out[:l.carryLeaves]) {
			u, ok := unified(carried[i], out)
			if !ok {
				return differ("the carry must keep its type: init"+l.result.Paths()[i]+" is %s, the body returns %s", carried[i], out)
			}
			again = again || !u.Equal(carried[i])
			carried[i] = u
		}
		if again {
			continue
		}
		l.body, err = converted(body, slices.Concat(carried, trace.Avals(body.Out[l.carryLeaves:])))
		return err
	}
}

// results checks the tree of what the body returns.
func (l *looped) results(tree *trace.Tree) error {
	carry := tree
	if l.isScan {
		kids := tree.Children()
		if len(kids) != 2 || tree.Leaves() != kids[0].Leaves()+kids[1].Leaves() {
			return array.TreeErrorf("the body %s must return two results, carry and output; it returns %s", l.Name(), tree)
		}
		carry, l.ys = kids[0], kids[1]
	}
	if !carry.Equal(l.result) && carry.String() != l.result.String() {
		return array.TreeErrorf("the carry must keep its structure: init is %s, the body %s returns %s", l.result, l.Name(), carry)
	}
	return nil
}
