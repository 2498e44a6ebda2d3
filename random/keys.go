package random

import (
	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/lower/hlo"
	"github.com/pantograph-go/pantograph/primitive"
	"github.com/pantograph-go/pantograph/trace"
	"github.com/pantograph-go/pantograph/vmap"
)

// Key makes a key from a seed, an integer or an integer scalar array. The generator is Threefry, or what follows: a *PRNG,
// the name of one ("threefry2x32", "rbg", "unsafe_rbg") or the dtype of its keys.
//
//	seed [] integer   →   [] key
//
// It panics with a DTypeError where the seed is no integer and a ShapeError where it is no scalar: map Key over seeds.
func Key(seed any, impl ...any) *array.Array {
	const op = "random.Key"
	p, s := implNamed(op, impl), integer(op, seed)
	if s.Rank() != 0 {
		panic(array.Wrap(op, array.ShapeErrorf("a seed is a scalar, got %s; use vmap.Of for several", s.Aval())))
	}
	return primitive.Bind(SeedP{p}, s)
}

// integer turns a seed or counter into an array; a Go int is an int64.
func integer(op string, v any) *array.Array {
	x := array.MustValue(op, v)
	if !x.DType().IsInteger() {
		panic(array.Wrap(op, array.DTypeErrorf("wants an integer, got %s", x.Aval())))
	}
	if x.Aval().Weak {
		x = primitive.Convert(x, x.DType())
	}
	return x
}

// Split makes a key array of the given shape, [2] by default, of keys that are independent of each other and of key.
//
//	key []   →   [shape] key
func Split(key *array.Array, shape ...int) *array.Array {
	if len(shape) == 0 {
		shape = []int{2}
	}
	const op = "random.Split"
	return split(op, key, fit(op, shape))
}

func split(op string, key *array.Array, shape array.Shape) *array.Array {
	return primitive.Bind(SplitP{one(op, key), array.MakeInts(shape...)}, key)
}

// Keys is Split into a slice of n scalar keys.
func Keys(key *array.Array, n int) []*array.Array {
	const op = "random.Keys"
	return list(split(op, key, fit(op, []int{n})))
}

// list is the entries of an array along its first axis.
func list(x *array.Array) []*array.Array {
	out := make([]*array.Array, x.Shape()[0])
	for i := range out {
		out[i] = row(x, i)
	}
	return out
}

// pairOf splits a key in two.
func pairOf(op string, key *array.Array) []*array.Array { return list(split(op, key, array.Shape{2})) }

// FoldIn makes a key from a key and an integer scalar, of which the low 32 bits count: FoldIn(key, step).
//
//	key [], data [] integer   →   [] key
func FoldIn(key *array.Array, data any) *array.Array {
	const op = "random.FoldIn"
	d := primitive.Convert(integer(op, data), array.Uint32)
	if d.Rank() != 0 {
		panic(array.Wrap(op, array.ShapeErrorf("the number to fold in is a scalar, got %s; use vmap.Of for several", d.Aval())))
	}
	return primitive.Bind(FoldInP{one(op, key)}, key, d)
}

// Clone returns the same key, for a second use that is meant.
func Clone(key *array.Array) *array.Array {
	return primitive.Bind(CloneP{}, key)
}

// KeyData returns the uint32 words of keys.
//
//	key [...]   →   [..., K] uint32
func KeyData(key *array.Array) *array.Array {
	return primitive.Bind(UnwrapP{impl("random.KeyData", key)}, key)
}

// WrapKeyData makes keys of uint32 words [..., K]. The generator is Threefry, or what follows, as for Key.
//
//	data [..., K] uint32   →   [...] key
//
// It panics with a DTypeError where data is not uint32 or its last axes are not the words of a key.
func WrapKeyData(data *array.Array, impl ...any) *array.Array {
	return primitive.Bind(WrapP{implNamed("random.WrapKeyData", impl)}, data)
}

// Bits draws unsigned integers of a dtype (uint8, uint16, uint32, uint64) all of whose bits are random.
//
//	key []   →   [shape]
func Bits(key *array.Array, d array.DType, shape ...int) *array.Array {
	const op = "random.Bits"
	if d.Kind() != array.KindUint {
		panic(array.Wrap(op, array.DTypeErrorf("bits are unsigned integers, not %s; convert or bitcast them", d)))
	}
	return draw(op, key, d.Bits(), fit(op, append([]int{}, shape...)))
}

func draw(op string, key *array.Array, width int, shape array.Shape) *array.Array {
	return primitive.Bind(BitsP{one(op, key), width, array.MakeInts(shape...)}, key)
}

// one is the generator of a single key.
func one(op string, key *array.Array) *PRNG {
	p := impl(op, key)
	if key.Rank() != 0 {
		panic(array.Wrap(op, array.ShapeErrorf("takes one key, got %s; use vmap.Of for several", key.Aval())))
	}
	return p
}

func impl(op string, key *array.Array) *PRNG {
	p, err := implOf(key.Aval())
	if err != nil {
		panic(array.Wrap(op, err))
	}
	return p
}

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
