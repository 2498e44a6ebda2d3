package tree

import (
	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/trace"
)

// Structure is a tree without its leaves. Equal structures take the same leaves.
type Structure = trace.Tree

// Flatten returns the arrays of v in order and the structure that remains.
func Flatten(v any) ([]*array.Array, *Structure) { return flatten("tree.Flatten", v) }

// Leaves returns the arrays of v in order: fields as declared, elements by index, entries by key.
func Leaves(v any) []*array.Array {
	leaves, _ := flatten("tree.Leaves", v)
	return leaves
}

// Unflatten puts leaves, as many as the structure has, into it and returns a value of the Go type that was flattened.
func Unflatten(s *Structure, leaves []*array.Array) any {
	return unflatten("tree.Unflatten", s, leaves)
}

// Map applies f to every leaf of v and returns a value of v's Go type. Static parts are kept.
func Map(f func(x *array.Array) *array.Array, v any) any {
	leaves, s := flatten("tree.Map", v)
	out := make([]*array.Array, len(leaves))
	for i, x := range leaves {
		out[i] = f(x)
	}
	return unflatten("tree.Map", s, out)
}

// Map2 applies f to the leaves of v and w, which must have equal structures, pairwise, and returns a value of v's Go type.
func Map2(f func(x, y *array.Array) *array.Array, v, w any) any {
	xs, s := flatten("tree.Map2", v)
	ys, sw := flatten("tree.Map2", w)
	if !s.Equal(sw) {
		panic(array.Wrap("tree.Map2", array.TreeErrorf("the structures differ: %s and %s", s, sw)))
	}
	out := make([]*array.Array, len(xs))
	for i, x := range xs {
		out[i] = f(x, ys[i])
	}
	return unflatten("tree.Map2", s, out)
}

// Paths names each leaf by the Go expression that selects it: .Layers[2].W
func Paths(v any) []string {
	_, s := flatten("tree.Paths", v)
	return s.Paths()
}

func flatten(op string, v any) ([]*array.Array, *Structure) {
	leaves, s, err := trace.Flatten(v)
	if err != nil {
		panic(array.Wrap(op, err))
	}
	return leaves, s
}

func unflatten(op string, s *Structure, leaves []*array.Array) any {
	v, err := s.Unflatten(leaves)
	if err != nil {
		panic(array.Wrap(op, err))
	}
	return v
}
