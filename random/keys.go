package random

import (
	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/primitive"
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
		x = as(x, x.DType())
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
	d := integer(op, data)
	if d.Rank() != 0 {
		panic(array.Wrap(op, array.ShapeErrorf("the number to fold in is a scalar, got %s; use vmap.Of for several", d.Aval())))
	}
	return primitive.Bind(FoldInP{one(op, key)}, key, as(d, array.Uint32))
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
