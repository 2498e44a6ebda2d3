package flow

import (
	"slices"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/primitive"
	"github.com/pantograph-go/pantograph/trace"
)

// Along chooses the axis of an AssociativeScan, negative ones counting from the end; the default is 0.
func Along(axis int) ScanOption { return func(s *scanSettings) { s.axis = axis } }

// AssociativeScan combines the elements of xs along an axis from the first up to each: result i is
// f(…f(f(x0, x1), x2)…, xi). f must be associative, f(a, f(b, c)) = f(f(a, b), c), but need not commute. It is given many
// elements at once, arrays with the scanned axis, and combines them one by one. xs and the result are trees of arrays
// of one length along the axis, in the Go type of xs. With Reverse, result i combines from element i to the last, in
// the order f(…f(x_last, …)…, xi).
//
// It takes about 2 log2(n) calls of f on arrays, where a Scan takes n steps one after the other.
//
// It panics with *array.Error: a ShapeError where lengths differ, a TreeError, ShapeError or DTypeError where f does not
// return what it takes.
func AssociativeScan(f, xs any, opts ...ScanOption) (ys any) {
	try("flow.AssociativeScan", func() error {
		s := scanSettingsOf(opts)
		fn, err := functionOf(f, []any{xs, xs})
		if err != nil {
			return err
		}
		tree := fn.in.Children()[0]
		a := &associative{function: fn, tree: tree}
		in := slices.Clone(fn.leaves[:tree.Leaves()])
		if a.n, err = a.axes(in, s.axis); err != nil {
			return err
		}
		flip := func(x []*array.Array) {
			for i := range x {
				if s.reverse {
					x[i] = primitive.Rev(x[i], a.axis[i])
				}
			}
		}
		flip(in)
		out, err := a.scan(in, a.n)
		if err != nil {
			return err
		}
		flip(out)
		ys, err = tree.Unflatten(out)
		return err
	})
	return ys
}

// associative is one such scan.
type associative struct {
	*function
	tree *trace.Tree
	axis []int // of each leaf
	n    int   // its length
}

// axes finds the axis of each leaf and the length that all have along it.
func (a *associative) axes(xs []*array.Array, axis int) (n int, err error) {
	for i, x := range xs {
		at := axis
		if at < 0 {
			at += x.Rank()
		}
		if at < 0 || at >= x.Rank() {
			return 0, array.AxisErrorf("axis %d is out of range for xs%s of type %s", axis, a.tree.Paths()[i], x.Aval())
		}
		switch m := x.Shape()[at]; {
		case i == 0:
			n = m
		case m != n:
			return 0, array.ShapeErrorf("the inputs differ in length: xs%s has %d elements along axis %d, xs%s of type %s has %d", a.tree.Paths()[0], n, axis, a.tree.Paths()[i], x.Aval(), m)
		}
		a.axis = append(a.axis, at)
	}
	return n, nil
}

// scan combines pairs of neighbours, scans the results, which are the results at odd places, and combines those with
// the elements at even places.
func (a *associative) scan(xs []*array.Array, n int) ([]*array.Array, error) {
	if n < 2 {
		return xs, nil
	}
	half := n / 2
	pairs, err := a.combine(a.part(xs, 0, 2*half, 2), a.part(xs, 1, 2*half, 2))
	if err != nil {
		return nil, err
	}
	odd, err := a.scan(pairs, half)
	if err != nil {
		return nil, err
	}
	even := a.part(xs, 0, 1, 1)
	if n > 2 {
		later, err := a.combine(a.part(odd, 0, (n-1)/2, 1), a.part(xs, 2, n, 2))
		if err != nil {
			return nil, err
		}
		for i := range even {
			even[i] = primitive.Concatenate(a.axis[i], even[i], later[i])
		}
	}
	out := make([]*array.Array, len(xs))
	for i := range out {
		out[i] = interleaved(even[i], odd[i], a.axis[i], n)
	}
	return out, nil
}

// combine applies the user's function and checks that it returns what it took.
func (a *associative) combine(x, y []*array.Array) ([]*array.Array, error) {
	out, tree, err := trace.CallTree(a.Callable, a.in, slices.Concat(x, y))
	if err != nil {
		return nil, err
	}
	if !tree.Equal(a.tree) && tree.String() != a.tree.String() {
		return nil, array.TreeErrorf("%s must return what it takes: it takes %s and returns %s", a.Name(), a.tree, tree)
	}
	for i, v := range out {
		if u, ok := unified(x[i].Aval(), v.Aval()); !ok || u.DType != x[i].DType() {
			return nil, differ("the function must return what it takes: xs"+a.tree.Paths()[i]+" is %s, it returns %s", x[i].Aval(), v.Aval())
		}
		out[i] = as(v, x[i].Aval())
	}
	return out, nil
}

// part is x[lo:hi:step] of every leaf along its axis.
func (a *associative) part(xs []*array.Array, lo, hi, step int) []*array.Array {
	out := make([]*array.Array, len(xs))
	for i, x := range xs {
		start, limit, strides := make([]int, x.Rank()), x.Shape().Clone(), make([]int, x.Rank())
		for k := range strides {
			strides[k] = 1
		}
		start[a.axis[i]], limit[a.axis[i]], strides[a.axis[i]] = lo, hi, step
		out[i] = primitive.Slice(x, start, limit, strides)
	}
	return out
}

// interleaved is even[0], odd[0], even[1], odd[1], …, n elements along axis in all.
func interleaved(even, odd *array.Array, axis, n int) *array.Array {
	m := even.Shape()[axis]
	if odd.Shape()[axis] < m { // one more that is cut off again
		start := make([]int, even.Rank())
		start[axis] = m - 1
		odd = primitive.Concatenate(axis, odd, primitive.Slice(even, start, even.Shape(), nil))
	}
	shape := even.Shape().Insert(axis+1, 1)
	both := primitive.Concatenate(axis+1, primitive.Reshape(even, shape), primitive.Reshape(odd, shape))
	long := even.Shape().Clone()
	long[axis] = 2 * m
	limit := long.Clone()
	limit[axis] = n
	return primitive.Slice(primitive.Reshape(both, long), make([]int, len(long)), limit, nil)
}
