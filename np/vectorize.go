package np

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/trace"
	"github.com/pantograph-go/pantograph/vmap"
)

// Vectorize makes of f, a function of arrays with the axes that signature names, one that takes any further axes in
// front, which broadcast, and applies f to each element of these: "(m,n),(n)->(m)" for a product of matrix and vector.
// An empty signature means that f takes and returns scalars. Axes of one name must have one size.
func Vectorize(f any, signature string) *trace.Func {
	inputs, err := parseSignature(signature)
	if err != nil {
		fail("vectorize", err)
	}
	return trace.NewFunc("vectorize", nil, func(args []any) (any, error) {
		return vectorized(f, inputs, args)
	})
}

func vectorized(f any, inputs [][]string, args []any) (any, error) {
	if inputs == nil {
		inputs = make([][]string, len(args))
	}
	if len(args) != len(inputs) {
		return nil, array.ArgumentErrorf("the signature has %d operands, got %d", len(inputs), len(args))
	}
	xs, fronts := make([]*Array, len(args)), make([]Shape, len(args))
	sizes := map[string]int{}
	for i, a := range args {
		x, err := array.FromValue(a)
		if err != nil {
			return nil, err
		}
		n := x.Rank() - len(inputs[i])
		if n < 0 {
			return nil, array.ShapeErrorf("operand %d of shape %s lacks axes of (%s)", i, x.Shape(), strings.Join(inputs[i], ","))
		}
		for k, name := range inputs[i] {
			d := x.Shape()[n+k]
			if old, ok := sizes[name]; ok && old != d {
				return nil, array.ShapeErrorf("axis %s has sizes %d and %d", name, old, d)
			}
			sizes[name] = d
		}
		xs[i], fronts[i] = x, x.Shape()[:n]
	}
	front, err := array.Broadcast(fronts...)
	if err != nil {
		return nil, err
	}
	flat, axes := make([]any, len(xs)), make([]any, len(xs))
	mapped := false
	for i, x := range xs {
		core := x.Shape()[len(fronts[i]):]
		flat[i] = x
		if len(fronts[i]) > 0 {
			x = x.BroadcastTo(slices.Concat(front, core)...)
			flat[i], axes[i], mapped = x.Reshape(append(Shape{front.Size()}, core...)...), 0, true
		}
	}
	if !mapped {
		c, err := trace.CallableOf(f)
		if err != nil {
			return nil, err
		}
		return c.Apply(flat)
	}
	out, err := vmap.Of(f, vmap.In(axes...)).Apply(flat)
	if err != nil {
		return nil, err
	}
	leaves, tree, err := trace.Flatten(out)
	if err != nil {
		return nil, err
	}
	for i, y := range leaves {
		leaves[i] = y.Reshape(slices.Concat(front, y.Shape()[1:])...)
	}
	return tree.Unflatten(leaves)
}

// parseSignature reads the operands of "(m,n),(n)->(m)"; nil for an empty signature.
func parseSignature(s string) ([][]string, error) {
	s = strings.ReplaceAll(s, " ", "")
	if s == "" {
		return nil, nil
	}
	left, right, ok := strings.Cut(s, "->")
	bad := array.ArgumentErrorf("signature %q is not of the form (m,n),(n)->(m)", s)
	if !ok {
		return nil, bad
	}
	inputs, err := parseOperands(left)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", bad, err)
	}
	if _, err := parseOperands(right); err != nil {
		return nil, fmt.Errorf("%w: %w", bad, err)
	}
	return inputs, nil
}

func parseOperands(s string) ([][]string, error) {
	var out [][]string
	for s != "" {
		body, rest, ok := strings.Cut(s, ")")
		if !ok || !strings.HasPrefix(body, "(") {
			return nil, array.ArgumentErrorf("unmatched brackets")
		}
		var names []string
		if body = body[1:]; body != "" {
			names = strings.Split(body, ",")
		}
		if slices.Contains(names, "") {
			return nil, array.ArgumentErrorf("an axis has no name")
		}
		out = append(out, names)
		s = strings.TrimPrefix(rest, ",")
	}
	return out, nil
}
