package vmap

import (
	"fmt"
	"strings"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/trace"
)

// Option is a setting of Of.
type Option func(*settings)

type settings struct {
	in      []any // one spec for each argument, nil where In was not given
	out     any
	axis    string
	size    int
	hasSize bool
}

// In gives the mapped axis of each argument: an int, counted from the end where negative, nil for an argument that is
// the same for every element, or a prefix of the argument's tree with these in it, such as
// map[string]any{"W": 0, "b": nil}. Without In every array is mapped along its axis 0.
func In(axes ...any) Option {
	return func(s *settings) { s.in = append([]any{}, axes...) }
}

// Out gives the axis of the results that the elements are stacked along, in the form of In for the one result, or for
// the list of several. nil is for results that are the same for every element. Without Out it is 0.
func Out(axes any) Option { return func(s *settings) { s.out = axes } }

// Axis names the mapped axis, for collective operations inside the function.
func Axis(name string) Option { return func(s *settings) { s.axis = name } }

// Size is the length of the mapped axis, needed where no argument is mapped.
func Size(n int) Option { return func(s *settings) { s.size, s.hasSize = n, true } }

// Of returns the function that applies f, a Go function or trace.Callable on one element, to all elements of its
// arguments along their mapped axes, at once. What does not depend on a mapped argument is computed once. Of nests; the
// axes of an inner Of are counted on the elements of the outer one.
//
// Calling the function panics with *array.Error: a ShapeError where mapped axes differ in size, which says which
// argument has which size; an AxisError for an axis out of range; a TreeError where In or Out does not match.
func Of(f any, opts ...Option) *trace.Func {
	s := settings{out: 0}
	for _, o := range opts {
		o(&s)
	}
	c, err := trace.CallableOf(f)
	if err != nil {
		panic(array.Wrap("vmap.Of", err))
	}
	name := "vmap(" + c.Name() + ")"
	sig := trace.SignatureOf(c)
	return trace.NewFunc(name, sig, func(args []any) (any, error) {
		leaves, tree, err := trace.FlattenArgs(sig, args)
		if err != nil {
			return nil, err
		}
		dims, err := s.inDims(leaves, tree)
		if err != nil {
			return nil, err
		}
		size, err := s.sizeOf(leaves, tree, dims)
		if err != nil {
			return nil, err
		}
		return s.apply(c, AxisData{s.axis, size}, tree, leaves, dims)
	})
}

func (s *settings) apply(c trace.Callable, axis AxisData, tree *trace.Tree, leaves []*array.Array, dims []int) (any, error) {
	var outTree *trace.Tree
	out, outDims, err := Apply(axis, leaves, dims, func(in []*array.Array) (res []*array.Array, err error) {
		res, outTree, err = trace.CallTree(c, tree, in)
		return res, err
	})
	if err != nil {
		return nil, err
	}
	want, err := s.outDims(outTree)
	if err != nil {
		return nil, err
	}
	for i, y := range out {
		if out[i], err = placed(y, outDims[i], want[i], axis.Size); err != nil {
			return nil, fmt.Errorf("result%s: %w", outTree.Paths()[i], err)
		}
	}
	return outTree.Unflatten(out)
}

// placed brings the mapped axis of a result to where Out wants it.
func placed(y *array.Array, dim int, want any, size int) (*array.Array, error) {
	if want == nil {
		if dim != NotMapped {
			return nil, array.AxisErrorf("Out is nil, but the result depends on a mapped argument; give the axis to stack it along")
		}
		return y, nil
	}
	rank := y.Rank()
	if dim == NotMapped {
		rank++
	}
	at, err := axisOf(want, rank)
	if err != nil {
		return nil, fmt.Errorf("Out: %w", err)
	}
	return Put(y, dim, at, size), nil
}

// axisOf reads an entry of In or Out for an array of the given rank.
func axisOf(spec any, rank int) (int, error) {
	axis, ok := spec.(int)
	if !ok {
		return 0, array.AxisErrorf("%v is no axis; give an int or nil", spec)
	}
	if axis < -rank || axis >= rank {
		return 0, array.AxisErrorf("axis %d is out of range for an array of rank %d", axis, rank)
	}
	if axis < 0 {
		axis += rank
	}
	return axis, nil
}

// inDims finds the mapped axis of each leaf.
func (s *settings) inDims(leaves []*array.Array, tree *trace.Tree) ([]int, error) {
	args := tree.Children()
	if s.in != nil && len(s.in) != len(args) {
		return nil, array.TreeErrorf("In gives axes for %d arguments, the function is called with %d", len(s.in), len(args))
	}
	dims := make([]int, 0, len(leaves))
	for i, arg := range args {
		spec := any(0)
		if s.in != nil {
			spec = s.in[i]
		}
		axes, err := arg.Prefix(spec)
		if err != nil {
			return nil, fmt.Errorf("In, argument %d: %w", i, err)
		}
		for k, a := range axes {
			dim := NotMapped
			if a != nil {
				x := leaves[len(dims)]
				if dim, err = axisOf(a, x.Rank()); err != nil {
					return nil, fmt.Errorf("argument %d%s of type %s: %w", i, arg.Paths()[k], x.Aval(), err)
				}
			}
			dims = append(dims, dim)
		}
	}
	return dims, nil
}

// sizeOf finds the size that all mapped axes must have.
func (s *settings) sizeOf(leaves []*array.Array, tree *trace.Tree, dims []int) (int, error) {
	size, found, differ := s.size, s.hasSize, false
	for i, d := range dims {
		if d == NotMapped {
			continue
		}
		n := leaves[i].Shape()[d]
		differ = differ || found && n != size
		if !found {
			size, found = n, true
		}
	}
	switch {
	case differ:
		return 0, s.sizesDiffer(leaves, tree, dims)
	case !found:
		return 0, array.ArgumentErrorf("no argument is mapped; map one with vmap.In, or give the number of elements with vmap.Size")
	case size < 0:
		return 0, array.ArgumentErrorf("vmap.Size(%d): the size of an axis is not negative", size)
	}
	return size, nil
}

func (s *settings) sizesDiffer(leaves []*array.Array, tree *trace.Tree, dims []int) error {
	var lines strings.Builder
	if s.hasSize {
		fmt.Fprintf(&lines, "\n    vmap.Size says %d", s.size)
	}
	i := 0
	for n, arg := range tree.Children() {
		for _, path := range arg.Paths() {
			if d := dims[i]; d != NotMapped {
				x := leaves[i].Aval()
				fmt.Fprintf(&lines, "\n    argument %d%s has %d: axis %d of %s", n, path, x.Shape[d], d, x)
			}
			i++
		}
	}
	return array.ShapeErrorf("the mapped axes differ in size:%s", lines.String())
}

// outDims reads Out for each leaf of the result.
func (s *settings) outDims(tree *trace.Tree) ([]any, error) {
	axes, err := tree.Prefix(s.out)
	if err != nil {
		return nil, fmt.Errorf("Out: %w", err)
	}
	return axes, nil
}
