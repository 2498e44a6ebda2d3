package random

import (
	"strings"
	"sync"

	"github.com/pantograph-go/pantograph/array"
)

// Generator says how random numbers come from a key, as DefinePRNG takes it. All functions are traced: they take and
// return arrays, and must be pure. K is KeyShape, of rank 1 or more.
type Generator struct {
	Name string      // for messages
	Tag  string      // the dtype prints as key<Tag>
	Key  array.Shape // K, the shape of the uint32 words of one key

	Seed       func(seed *array.Array) *array.Array                                 // integer scalar → uint32[K]
	Split      func(key *array.Array, shape array.Shape) *array.Array               // uint32[K] → uint32[shape, K]
	RandomBits func(key *array.Array, bitWidth int, shape array.Shape) *array.Array // uint32[K] → uintW[shape], W one of 8, 16, 32, 64
	FoldIn     func(key *array.Array, data *array.Array) *array.Array               // uint32[K], uint32 scalar → uint32[K]
}

// PRNG is a generator that keys can be made for; it is opaque and compared by identity. Safe for concurrent use.
type PRNG struct {
	gen   Generator
	dtype array.DType
}

// prngs finds the generator of a key's dtype. Dtypes are made here only, one for each PRNG.
var prngs sync.Map // array.DType → *PRNG

// builtin lists the generators that have a name.
var builtin = []*PRNG{Threefry, ThreefrySequential, RBG, UnsafeRBG}

// implNamed finds the generator that the optional parameter of Key and WrapKeyData means.
func implNamed(op string, v []any) *PRNG {
	if len(v) == 0 || v[0] == nil {
		return Threefry
	}
	var err error
	switch v := v[0].(type) {
	case *PRNG:
		if v != nil {
			return v
		}
		err = array.ArgumentErrorf("the generator is nil")
	case array.DType:
		if p, ok := prngs.Load(v); ok {
			return p.(*PRNG)
		}
		err = array.DTypeErrorf("%s is no dtype of keys", v)
	case string:
		names := make([]string, len(builtin))
		for i, p := range builtin {
			if names[i] = p.gen.Name; names[i] == v {
				return p
			}
		}
		err = array.ArgumentErrorf("there is no generator named %q; those with a name are %s, and what DefinePRNG returns is given itself", v, strings.Join(names, ", "))
	default:
		err = array.DTypeErrorf("a generator is what DefinePRNG returns, a name or the dtype of a key, not a %T", v)
	}
	panic(array.Wrap(op, err))
}

// DefinePRNG makes a generator; each call makes a new one with a dtype of its own. Panics with an *array.Error where a
// function is missing or the key has no axis.
func DefinePRNG(g Generator) *PRNG {
	if g.Seed == nil || g.Split == nil || g.RandomBits == nil || g.FoldIn == nil {
		panic(array.Wrap("random.DefinePRNG", array.ArgumentErrorf("generator %q: Seed, Split, RandomBits and FoldIn are all needed", g.Name)))
	}
	if g.Key.Rank() == 0 || g.Key.Size() == 0 {
		panic(array.Wrap("random.DefinePRNG", array.ShapeErrorf("generator %q: a key of shape %s has no words; give a shape of rank 1 or more", g.Name, g.Key)))
	}
	if g.Name == "" {
		g.Name = "<unnamed>"
	}
	if g.Tag == "" {
		g.Tag = "?"
	}
	p := &PRNG{g, array.NewKeyType(g.Tag, g.Key)}
	prngs.Store(p.dtype, p)
	return p
}

// Name is the generator's name, by which Key finds those of this package.
func (p *PRNG) Name() string { return p.gen.Name }

// String is the generator's tag.
func (p *PRNG) String() string { return p.gen.Tag }

// DType is the dtype of its keys.
func (p *PRNG) DType() array.DType { return p.dtype }

// KeyImpl returns the generator of a key array. Panics with a DTypeError where key is none.
func KeyImpl(key *array.Array) *PRNG {
	p, err := implOf(key.Aval())
	if err != nil {
		panic(array.Wrap("random.KeyImpl", err))
	}
	return p
}

func implOf(a array.Aval) (*PRNG, error) {
	if p, ok := prngs.Load(a.DType); ok {
		return p.(*PRNG), nil
	}
	return nil, array.DTypeErrorf("a key is wanted, got %s; make one with random.Key, or wrap uint32 words with random.WrapKeyData", a)
}
