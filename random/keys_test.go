package random_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/flow"
	"github.com/pantograph-go/pantograph/jit"
	"github.com/pantograph-go/pantograph/np"
	"github.com/pantograph-go/pantograph/primitive"
	"github.com/pantograph-go/pantograph/random"
	"github.com/pantograph-go/pantograph/trace"
	"github.com/pantograph-go/pantograph/vmap"
)

func words(keys *np.Array) string { return random.KeyData(keys).String() }

func equal(t *testing.T, want, got *np.Array) {
	t.Helper()
	require.Equal(t, want.Aval().String(), got.Aval().String())
	a, err := want.Host()
	require.NoError(t, err)
	b, err := got.Host()
	require.NoError(t, err)
	require.Equal(t, a.Bytes(), b.Bytes(), "want %v, got %v", want, got)
}

// TestMovingKeys compares an operation on keys with the same on their words, which have one more axis.
func TestMovingKeys(t *testing.T) {
	key, keys := random.Key(7), random.Split(random.Key(7), 4)
	index := np.Of([]int{2, 0})
	mask := np.Of([]bool{true, false, false, true})
	for _, tt := range []struct {
		name    string
		ofKeys  func(x, one *np.Array) *np.Array
		ofWords func(x, one *np.Array) *np.Array // nil: the same
	}{
		{"index", func(x, _ *np.Array) *np.Array { return x.At(1).Get() }, nil},
		{"index by arrays", func(x, _ *np.Array) *np.Array { return x.At(index).Get() }, nil},
		{"slice", func(x, _ *np.Array) *np.Array { return x.At("1:").Get() }, nil},
		{"mask", func(x, _ *np.Array) *np.Array { return x.At(mask).Get() }, nil},
		{"set", func(x, one *np.Array) *np.Array { return x.At(2).Set(one) }, nil},
		{"set a slice", func(x, one *np.Array) *np.Array { return x.At("1:3").Set(one) }, nil},
		{"take", func(x, _ *np.Array) *np.Array { return np.Take(x, index, np.Axis(0)) }, nil},
		{"concatenate", func(x, _ *np.Array) *np.Array { return np.Concatenate([]*np.Array{x, x}) }, nil},
		{"stack", func(x, _ *np.Array) *np.Array { return np.Stack([]*np.Array{x, x}) }, nil},
		{"flip", func(x, _ *np.Array) *np.Array { return np.Flip(x, 0) }, nil},
		{"roll", func(x, _ *np.Array) *np.Array { return np.Roll(x, 1, np.Axis(0)) }, nil},
		{"repeat", func(x, _ *np.Array) *np.Array { return np.Repeat(x, 2, np.Axis(0)) }, nil},
		{"expand", func(x, _ *np.Array) *np.Array { return x.ExpandDims(0) }, nil},
		{"reshape", func(x, _ *np.Array) *np.Array { return x.Reshape(2, 2) }, func(x, _ *np.Array) *np.Array { return x.Reshape(2, 2, 2) }},
		{"transpose", func(x, _ *np.Array) *np.Array { return x.Reshape(2, 2).T() },
			func(x, _ *np.Array) *np.Array { return x.Reshape(2, 2, 2).Transpose(1, 0, 2) }},
		{"broadcast", func(_, one *np.Array) *np.Array { return one.BroadcastTo(3) }, func(_, one *np.Array) *np.Array { return one.BroadcastTo(3, 2) }},
		{"where", func(x, one *np.Array) *np.Array { return np.Where(mask, x, one) },
			func(x, one *np.Array) *np.Array { return np.Where(mask.ExpandDims(1), x, one) }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if tt.ofWords == nil {
				tt.ofWords = tt.ofKeys
			}
			want := tt.ofWords(random.KeyData(keys), random.KeyData(key))
			equal(t, want, random.KeyData(tt.ofKeys(keys, key)))
			compiled := jit.Of(func(x, one *np.Array) *np.Array { return random.KeyData(tt.ofKeys(x, one)) })
			if tt.name != "mask" { // whose size is not known while tracing, unless the mask is a constant
				equal(t, want, compiled.Call(keys, key))
			}
		})
	}
}

func TestKeysThroughTransformations(t *testing.T) {
	keys := random.Split(random.Key(3), 4)
	each := make([]*np.Array, 4)
	for i := range each {
		each[i] = random.Uniform(keys.At(i).Get(), []int{2})
	}
	want := np.Stack(each)
	draw := func(k *np.Array) *np.Array { return random.Uniform(k, []int{2}) }

	equal(t, want, vmap.Of(draw).Call(keys))
	equal(t, want, jit.Of(vmap.Of(draw)).Call(keys))
	equal(t, want.Reshape(2, 2, 2), vmap.Of(vmap.Of(draw)).Call(keys.Reshape(2, 2)))
	equal(t, want.Reshape(2, 2, 2).Swapaxes(0, 1), vmap.Of(vmap.Of(draw), vmap.In(1)).Call(keys.Reshape(2, 2)))
	equal(t, want, flow.Map(draw, keys).(*np.Array))

	_, ys := flow.Scan(func(n, k *np.Array) (*np.Array, *np.Array) { return n, draw(k) }, 0, keys)
	equal(t, want, ys.(*np.Array))

	chain := func(k *np.Array, _ *np.Array) (*np.Array, *np.Array) {
		next := random.Keys(k, 2)
		return next[0], random.Uniform(next[1], nil)
	}
	k, drawn := random.Key(1), []*np.Array{}
	for range 3 {
		var u *np.Array
		k, u = chain(k, nil)
		drawn = append(drawn, u)
	}
	last, us := flow.Scan(chain, random.Key(1), np.Arange(3))
	equal(t, random.KeyData(k), random.KeyData(last.(*np.Array)))
	equal(t, np.Stack(drawn), us.(*np.Array))

	type state struct{ N, Key *np.Array }
	end := flow.While(func(s state) *np.Array { return s.N.Less(3) },
		func(s state) state { return state{s.N.Add(1), random.Keys(s.Key, 2)[0]} }, state{np.Of(0), random.Key(1)}).(state)
	equal(t, random.KeyData(k), random.KeyData(end.Key))

	pick := func(yes, k *np.Array) *np.Array {
		return flow.Cond(yes, func(k *np.Array) *np.Array { return k }, func(k *np.Array) *np.Array { return random.FoldIn(k, 1) }, k).(*np.Array)
	}
	equal(t, random.KeyData(random.FoldIn(k, 1)), random.KeyData(pick(np.Of(false), k)))
	picked := vmap.Of(pick).Call(np.Of([]bool{true, false, true, false}), keys)
	equal(t, random.KeyData(keys.At(2).Get()), random.KeyData(picked.At(2).Get()))
	equal(t, random.KeyData(random.FoldIn(keys.At(3).Get(), 1)), random.KeyData(picked.At(3).Get()))

	seeds := vmap.Of(func(s *np.Array) *np.Array { return random.Key(s) }).Call(np.Arange(3))
	equal(t, random.KeyData(random.Key(2)), random.KeyData(seeds.At(2).Get()))
}

func TestKeyErrors(t *testing.T) {
	key, keys := random.Key(0), random.Split(random.Key(0), 3)
	other := random.Key(0, "rbg")
	wrong := toy(t)
	wrong.Seed = func(*np.Array) *np.Array { return np.Zeros([]int{2}, np.Uint32) }
	for _, tt := range []struct {
		name  string
		call  func()
		kind  any
		words string // separated by |
	}{
		{"add", func() { key.Add(1) }, &dtypeError, "key<fry>|arithmetic"},
		{"add keys", func() { key.Add(key) }, &dtypeError, "key<fry>|random.Split"},
		{"negate", func() { key.Neg() }, &dtypeError, "key<fry>"},
		{"sum", func() { keys.Sum() }, &dtypeError, "key<fry>"},
		{"order", func() { key.Less(key) }, &dtypeError, "key<fry>"},
		{"sort", func() { np.Sort(keys) }, &dtypeError, "key<fry>"},
		{"convert", func() { key.AsType(np.Uint32) }, &dtypeError, "key<fry>"},
		{"sine", func() { np.Sin(key) }, &dtypeError, "key<fry>"},
		{"read", func() { key.Int() }, &dtypeError, "key<fry>|KeyData"},
		{"mix generators", func() { np.Stack([]*np.Array{key, other}) }, &dtypeError, "key<fry>|key<rbg>|do not mix"},
		{"mix with numbers", func() { np.Concatenate([]*np.Array{keys, np.Arange(3)}) }, &dtypeError, "key<fry>|int64"},
		{"float seed", func() { random.Key(1.5) }, &dtypeError, "integer|f64"},
		{"bool seed", func() { random.Key(true) }, &dtypeError, "integer|bool"},
		{"key as a seed", func() { random.Key(key) }, &dtypeError, "integer|key<fry>"},
		{"seeds", func() { random.Key([]int{1, 2}) }, &shapeError, "scalar|i64[2]|vmap"},
		{"float seed of a defined generator", func() { random.Key(1.5, random.DefinePRNG(toy(t))) }, &dtypeError, "integer"},
		{"seed function of another shape", func() { words(random.Key(0, random.DefinePRNG(wrong))) }, &ruleError, "toy|uint32[3]"},
		{"three words", func() { random.WrapKeyData(np.Of([]uint32{1, 2, 3})) }, &dtypeError, "uint32[2]|u32[3]"},
		{"signed words", func() { random.WrapKeyData(np.Of([]int32{1, 2})) }, &dtypeError, "uint32[2]|i32[2]"},
		{"no words", func() { random.WrapKeyData(np.Of(uint32(1))) }, &dtypeError, "uint32[2]"},
		{"name of a defined generator", func() { random.Key(0, "toy") }, &argumentError, `"toy"|threefry2x32|rbg|unsafe_rbg`},
		{"no generator", func() { random.Key(0, 3) }, &dtypeError, "int"},
		{"dtype of no key", func() { random.Key(0, np.Float32) }, &dtypeError, "float32"},
		{"array for a key", func() { random.Uniform(np.Arange(2), nil) }, &dtypeError, "i64[2]|random.Key"},
		{"several keys", func() { random.Normal(keys, nil) }, &shapeError, "key<fry>[3]|vmap"},
		{"split several keys", func() { random.Split(keys) }, &shapeError, "key<fry>[3]|vmap"},
		{"fold in several numbers", func() { random.FoldIn(key, []int{1, 2}) }, &shapeError, "i64[2]"},
		{"fold in a float", func() { random.FoldIn(key, 0.5) }, &dtypeError, "integer"},
		{"bits of floats", func() { random.Bits(key, np.Float32) }, &dtypeError, "float32"},
		{"function missing", func() { random.DefinePRNG(random.Generator{Name: "half", Key: array.Shape{1}}) }, &argumentError, "half|Split"},
		{"key without words", func() { g := toy(t); g.Key = nil; random.DefinePRNG(g) }, &shapeError, "toy|rank 1"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			err := trace.Try(tt.call)
			require.Error(t, err)
			require.True(t, errors.As(err, tt.kind), "%T: %v", errors.Unwrap(err), err)
			require.Contains(t, err.Error(), "keys_test.go:")
			for _, w := range strings.Split(tt.words, "|") {
				require.Contains(t, err.Error(), w)
			}
		})
	}
}

var (
	dtypeError    *array.DTypeError
	shapeError    *array.ShapeError
	argumentError *array.ArgumentError
	ruleError     *array.RuleError
)

// toy is a generator that can be followed by hand: key shape [3], seed fills the key, split adds 1 and the position,
// random bits are the key's sum, fold-in adds the number.
func toy(*testing.T) random.Generator {
	sum := func(key *np.Array, d np.DType, shape array.Shape) *np.Array {
		return key.Sum().AsType(d).BroadcastTo(shape...)
	}
	return random.Generator{
		Name: "toy", Tag: "ty", Key: array.Shape{3},
		Seed: func(seed *np.Array) *np.Array { return seed.AsType(np.Uint32).BroadcastTo(3) },
		Split: func(key *np.Array, shape array.Shape) *np.Array {
			n := primitive.Iota(array.Uint32, array.Shape{shape.Size()}, 0).Reshape(append(shape.Clone(), 1)...)
			return key.Add(n).Add(uint32(1))
		},
		RandomBits: func(key *np.Array, width int, shape array.Shape) *np.Array {
			return sum(key, map[int]np.DType{8: np.Uint8, 16: np.Uint16, 32: np.Uint32, 64: np.Uint64}[width], shape)
		},
		FoldIn: func(key, data *np.Array) *np.Array { return key.Add(data) },
	}
}

// TestDefinePRNG holds a defined generator against the values of the specification, section 19.
func TestDefinePRNG(t *testing.T) {
	p := random.DefinePRNG(toy(t))
	key := random.Key(7, p)
	require.Equal(t, "ty", p.String())
	require.Equal(t, "key<ty>[]", key.Aval().String())
	require.Same(t, p, random.KeyImpl(key))
	require.Equal(t, key.DType(), random.Key(1, random.KeyImpl(key)).DType())
	require.Equal(t, key.DType(), random.Key(1, key.DType()).DType())
	require.NotEqual(t, key.DType(), random.DefinePRNG(toy(t)).DType(), "each definition has a dtype of its own")
	require.Same(t, random.Threefry, random.KeyImpl(random.Key(0)))
	require.Equal(t, "threefry2x32", random.KeyImpl(random.Key(0)).Name())

	two := random.Split(key, 2)
	require.Equal(t, "key<ty>[2]", two.Aval().String())
	equal(t, np.Of([][]uint32{{8, 8, 8}, {9, 9, 9}}), random.KeyData(two))
	equal(t, np.Of([]uint32{12, 12, 12}), random.KeyData(random.FoldIn(key, 5)))
	equal(t, np.Of([]uint32{21, 21}), random.Bits(key, np.Uint32, 2))
	equal(t, np.Of([]uint8{21, 21}), random.Bits(key, np.Uint8, 2))
	equal(t, np.Of([]uint32{24, 27}), vmap.Of(func(k *np.Array) *np.Array { return random.Bits(k, np.Uint32) }).Call(two))
	equal(t, np.Of([][]uint32{{0, 1, 2}, {3, 4, 5}}), random.KeyData(random.WrapKeyData(np.Of([][]uint32{{0, 1, 2}, {3, 4, 5}}), p)))
	rest := random.Split(key, 3).At("1:").Get()
	equal(t, np.Of([][]uint32{{9, 9, 9}, {10, 10, 10}, {9, 9, 9}, {10, 10, 10}}), random.KeyData(np.Concatenate([]*np.Array{rest, rest})))

	j := trace.Of(func(k *np.Array) *np.Array { return random.Bits(random.FoldIn(k, 1), np.Uint32) }, key)
	require.Equal(t, `{ lambda ; a:key<ty>[]. let
    b:key<ty>[] = random_fold_in a 1:u32[]
    c:u32[] = random_bits[bit_width=32 shape=()] b
  in (c,) }`, j.String())

	lowered, err := jit.Of(func(k *np.Array) *np.Array { return k }).Lower(two)
	require.NoError(t, err)
	require.Contains(t, lowered.Text(), "%arg0: tensor<2x3xui32>")

	// Two axes of words.
	g := toy(t)
	g.Key = array.Shape{2, 1}
	g.Seed = func(seed *np.Array) *np.Array { return seed.AsType(np.Uint32).BroadcastTo(2, 1) }
	g.Split = func(key *np.Array, shape array.Shape) *np.Array {
		return key.BroadcastTo(append(shape.Clone(), 2, 1)...)
	}
	wide := random.Split(random.Key(5, random.DefinePRNG(g)), 2, 3)
	require.Equal(t, array.Shape{2, 3}, wide.Shape())
	equal(t, np.Full([]int{3, 2, 2, 1}, uint32(5)), random.KeyData(wide.T()))
}

// TestRBG compares with what the reference draws on its CPU backend.
func TestRBG(t *testing.T) {
	key := random.Key(5, "rbg")
	equal(t, np.Of([]uint32{0, 5, 0, 5}), random.KeyData(key))
	equal(t, np.Of([][]uint32{{2724472204, 3573582090, 2724472204, 3573582090}, {202567368, 3886822060, 202567368, 3886822060}}), random.KeyData(random.Split(key)))
	equal(t, np.Of([]uint32{2939540675, 3076691462, 2939540675, 3076691462}), random.KeyData(random.FoldIn(key, 3)))
	equal(t, np.Of([]uint32{1612232000, 3369602501, 1197273755, 1864225075}), random.Bits(key, np.Uint32, 4))
	equal(t, np.Of([]uint8{64, 197, 155, 51, 135}), random.Bits(key, np.Uint8, 5))
	equal(t, np.Of([]uint16{46400, 3525, 62107}), random.Bits(key, np.Uint16, 3))
	equal(t, np.Of([]uint64{14472332543927039296, 8006785730705420955, 8579999696917084551}), random.Bits(key, np.Uint64, 3))
	require.Equal(t, array.Shape{2, 3}, random.Split(key, 2, 3).Shape())

	key = random.Key(5, "unsafe_rbg")
	equal(t, np.Of([][]uint32{{1612232000, 3369602501, 1197273755, 1864225075}, {3739331121, 2239189395, 1258670070, 2509022470}}), random.KeyData(random.Split(key)))
	equal(t, np.Of([]uint32{56543296, 1826787328, 2453521982, 2503663984}), random.KeyData(random.FoldIn(key, 3)))

	keys := random.Split(random.Key(5, "rbg"), 3)
	mapped := vmap.Of(func(k *np.Array) *np.Array { return random.Uniform(k, []int{2}) }).Call(keys)
	equal(t, random.Uniform(keys.At(1).Get(), []int{2}), mapped.At(1).Get())
}
