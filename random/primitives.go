package random

import (
	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/lower/hlo"
	"github.com/pantograph-go/pantograph/primitive"
	"github.com/pantograph-go/pantograph/trace"
	"github.com/pantograph-go/pantograph/vmap"
)

// The primitives on keys hold their generator, which is a pointer, so that they compare by identity.
type (
	// SeedP: integer [...] → key [...].
	SeedP struct{ Impl *PRNG }
	// SplitP: key [...] → key [..., shape].
	SplitP struct {
		Impl *PRNG
		Size array.Ints
	}
	// FoldInP: key [...], uint32 [...] → key [...].
	FoldInP struct{ Impl *PRNG }
	// BitsP: key [...] → unsigned integer [..., shape] of BitWidth bits.
	BitsP struct {
		Impl     *PRNG
		BitWidth int
		Size     array.Ints
	}
	// CloneP: key [...] → key [...], the same.
	CloneP struct{}
	// WrapP: uint32 [..., K] → key [...].
	WrapP struct{ Impl *PRNG }
	// UnwrapP: key [...] → uint32 [..., K].
	UnwrapP struct{ Impl *PRNG }
)

// Name implements primitive.Primitive.
func (SeedP) Name() string { return "random_seed" }

// Name implements primitive.Primitive.
func (SplitP) Name() string { return "random_split" }

// Name implements primitive.Primitive.
func (FoldInP) Name() string { return "random_fold_in" }

// Name implements primitive.Primitive.
func (BitsP) Name() string { return "random_bits" }

// Name implements primitive.Primitive.
func (CloneP) Name() string { return "random_clone" }

// Name implements primitive.Primitive.
func (WrapP) Name() string { return "random_wrap" }

// Name implements primitive.Primitive.
func (UnwrapP) Name() string { return "random_unwrap" }

// Params implements primitive.Parametric.
func (p SeedP) Params() []primitive.Param { return []primitive.Param{{Name: "impl", Value: p.Impl}} }

// Params implements primitive.Parametric.
func (p SplitP) Params() []primitive.Param { return []primitive.Param{{Name: "shape", Value: p.Size}} }

// Params implements primitive.Parametric.
func (FoldInP) Params() []primitive.Param { return nil }

// Params implements primitive.Parametric.
func (p BitsP) Params() []primitive.Param {
	return []primitive.Param{{Name: "bit_width", Value: p.BitWidth}, {Name: "shape", Value: p.Size}}
}

// Params implements primitive.Parametric.
func (p WrapP) Params() []primitive.Param { return []primitive.Param{{Name: "impl", Value: p.Impl}} }

// Params implements primitive.Parametric.
func (UnwrapP) Params() []primitive.Param { return nil }

// Shape refuses seeds that are no integers.
func (p SeedP) Shape(in []array.Aval) ([]array.Aval, error) {
	if !in[0].DType.IsInteger() {
		return nil, array.DTypeErrorf("a seed is an integer, got %s", in[0])
	}
	return []array.Aval{{Shape: in[0].Shape, DType: p.Impl.dtype}}, nil
}

// Shape implements primitive.Primitive.
func (p SplitP) Shape(in []array.Aval) ([]array.Aval, error) {
	if err := p.Impl.owns(in[0]); err != nil {
		return nil, err
	}
	return []array.Aval{{Shape: append(in[0].Shape.Clone(), p.Size.Slice()...), DType: p.Impl.dtype}}, nil
}

// Shape implements primitive.Primitive.
func (p FoldInP) Shape(in []array.Aval) ([]array.Aval, error) {
	if err := p.Impl.owns(in[0]); err != nil {
		return nil, err
	}
	if in[1].DType != array.Uint32 || !in[1].Shape.Equal(in[0].Shape) {
		return nil, array.ShapeErrorf("the keys are %s and the data %s; the data must be uint32 of the keys' shape", in[0], in[1])
	}
	return []array.Aval{in[0]}, nil
}

// Shape implements primitive.Primitive.
func (p BitsP) Shape(in []array.Aval) ([]array.Aval, error) {
	if err := p.Impl.owns(in[0]); err != nil {
		return nil, err
	}
	d, ok := map[int]array.DType{8: array.Uint8, 16: array.Uint16, 32: array.Uint32, 64: array.Uint64}[p.BitWidth]
	if !ok {
		return nil, array.ArgumentErrorf("random bits come in widths of 8, 16, 32 and 64, not %d", p.BitWidth)
	}
	return []array.Aval{{Shape: append(in[0].Shape.Clone(), p.Size.Slice()...), DType: d}}, nil
}

// Shape implements primitive.Primitive.
func (CloneP) Shape(in []array.Aval) ([]array.Aval, error) {
	if _, err := implOf(in[0]); err != nil {
		return nil, err
	}
	return in, nil
}

// Shape implements primitive.Primitive.
func (p WrapP) Shape(in []array.Aval) ([]array.Aval, error) {
	words, n := p.Impl.gen.Key, len(in[0].Shape)-p.Impl.gen.Key.Rank()
	if in[0].DType != array.Uint32 || n < 0 || !in[0].Shape[n:].Equal(words) {
		return nil, array.DTypeErrorf("the words of a %s key are uint32%s behind the axes of the array, got %s", p.Impl, words, in[0])
	}
	return []array.Aval{{Shape: in[0].Shape[:n].Clone(), DType: p.Impl.dtype}}, nil
}

// Shape implements primitive.Primitive.
func (p UnwrapP) Shape(in []array.Aval) ([]array.Aval, error) {
	if err := p.Impl.owns(in[0]); err != nil {
		return nil, err
	}
	return []array.Aval{{Shape: append(in[0].Shape.Clone(), p.Impl.gen.Key...), DType: array.Uint32}}, nil
}

func (p *PRNG) owns(a array.Aval) error {
	if a.DType != p.dtype {
		return array.DTypeErrorf("a key of the generator %s is wanted, got %s", p.gen.Name, a)
	}
	return nil
}

// All of them work on each key alone: keys in front, so a mapped axis goes to the front.

// Batch implements vmap.Batcher.
func (p SeedP) Batch(n int, in []*array.Array, dims []int) ([]*array.Array, []int, error) {
	return batchKeys(p, n, in, dims)
}

// Batch implements vmap.Batcher.
func (p SplitP) Batch(n int, in []*array.Array, dims []int) ([]*array.Array, []int, error) {
	return batchKeys(p, n, in, dims)
}

// Batch implements vmap.Batcher.
func (p FoldInP) Batch(n int, in []*array.Array, dims []int) ([]*array.Array, []int, error) {
	return batchKeys(p, n, in, dims)
}

// Batch implements vmap.Batcher.
func (p BitsP) Batch(n int, in []*array.Array, dims []int) ([]*array.Array, []int, error) {
	return batchKeys(p, n, in, dims)
}

// Elementwise implements vmap.Elementwise.
func (CloneP) Elementwise() {}

// Batch implements vmap.Batcher.
func (p WrapP) Batch(n int, in []*array.Array, dims []int) ([]*array.Array, []int, error) {
	return batchKeys(p, n, in, dims)
}

// Batch implements vmap.Batcher.
func (p UnwrapP) Batch(n int, in []*array.Array, dims []int) ([]*array.Array, []int, error) {
	return batchKeys(p, n, in, dims)
}

func batchKeys(p primitive.Primitive, n int, in []*array.Array, dims []int) ([]*array.Array, []int, error) {
	front := make([]*array.Array, len(in))
	for i, x := range in {
		front[i] = vmap.Put(x, dims[i], 0, n)
	}
	return primitive.BindAll(p, front...), []int{0}, nil
}

// LowerJaxpr implements trace.JaxprLowerable.
func (p SeedP) LowerJaxpr(c trace.Lowering, in []*hlo.Value, _ []array.Aval) ([]*hlo.Value, error) {
	return p.Impl.lower(c, in, in[0].Aval().Shape.Rank(), []array.Shape{nil}, p.Impl.gen.Key, array.Uint32,
		func(x []*array.Array) *array.Array { return p.Impl.gen.Seed(x[0]) })
}

// LowerJaxpr implements trace.JaxprLowerable.
func (p SplitP) LowerJaxpr(c trace.Lowering, in []*hlo.Value, _ []array.Aval) ([]*hlo.Value, error) {
	shape := p.Size.Shape()
	return p.Impl.lower(c, in, p.Impl.rank(in[0]), []array.Shape{p.Impl.gen.Key}, append(shape.Clone(), p.Impl.gen.Key...), array.Uint32,
		func(x []*array.Array) *array.Array { return p.Impl.gen.Split(x[0], shape) })
}

// LowerJaxpr implements trace.JaxprLowerable.
func (p FoldInP) LowerJaxpr(c trace.Lowering, in []*hlo.Value, _ []array.Aval) ([]*hlo.Value, error) {
	return p.Impl.lower(c, in, p.Impl.rank(in[0]), []array.Shape{p.Impl.gen.Key, nil}, p.Impl.gen.Key, array.Uint32,
		func(x []*array.Array) *array.Array { return p.Impl.gen.FoldIn(x[0], x[1]) })
}

// LowerJaxpr implements trace.JaxprLowerable.
func (p BitsP) LowerJaxpr(c trace.Lowering, in []*hlo.Value, out []array.Aval) ([]*hlo.Value, error) {
	shape := p.Size.Shape()
	return p.Impl.lower(c, in, p.Impl.rank(in[0]), []array.Shape{p.Impl.gen.Key}, shape, out[0].DType,
		func(x []*array.Array) *array.Array { return p.Impl.gen.RandomBits(x[0], p.BitWidth, shape) })
}

// LowerJaxpr implements trace.JaxprLowerable.
func (CloneP) LowerJaxpr(_ trace.Lowering, in []*hlo.Value, _ []array.Aval) ([]*hlo.Value, error) {
	return in, nil
}

// LowerJaxpr implements trace.JaxprLowerable: keys are their words.
func (WrapP) LowerJaxpr(_ trace.Lowering, in []*hlo.Value, _ []array.Aval) ([]*hlo.Value, error) {
	return in, nil
}

// LowerJaxpr implements trace.JaxprLowerable: keys are their words.
func (UnwrapP) LowerJaxpr(_ trace.Lowering, in []*hlo.Value, _ []array.Aval) ([]*hlo.Value, error) {
	return in, nil
}

func (p *PRNG) rank(keys *hlo.Value) int { return keys.Tensor().Shape.Rank() - p.gen.Key.Rank() }

// lower traces a function of the generator on one key and maps it over the leading axes of the operands, of which there
// are rank. elems are the shapes of the operands of one element; the function must return shape and dtype.
func (p *PRNG) lower(c trace.Lowering, in []*hlo.Value, rank int, elems []array.Shape, shape array.Shape, d array.DType, f func([]*array.Array) *array.Array) ([]*hlo.Value, error) {
	avals := make([]array.Aval, len(in))
	for i, v := range in {
		avals[i] = array.Aval{Shape: elems[i], DType: v.Tensor().Elem}
	}
	r, err := trace.Record(p.gen.Name, avals, func(x []*array.Array) ([]*array.Array, error) {
		y := f(x)
		if y == nil || !y.Shape().Equal(shape) || y.DType() != d {
			return nil, array.RuleErrorf("the generator %s returned %s where %s%s is wanted", p.gen.Name, y, d, shape)
		}
		return []*array.Array{y}, nil
	})
	if err != nil {
		return nil, err
	}
	j := r.Jaxpr
	front := make([]int, len(in)) // axis 0 of every operand
	for axis := rank - 1; axis >= 0; axis-- {
		if j, err = vmap.JaxprAt(j, in[0].Tensor().Shape[axis], front, 0); err != nil {
			return nil, err
		}
	}
	return c.Inline(j, in)
}
