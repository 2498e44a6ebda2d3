package random

import (
	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/primitive"
	"github.com/pantograph-go/pantograph/vmap"
)

// RBG draws with the generator that the backend likes best, stablehlo.rng_bit_generator, and splits keys by Threefry. Its bits
// may differ between backends, and under vmap they differ from those of a loop where a backend says so.
var RBG = DefinePRNG(Generator{
	Name: "rbg", Tag: "rbg", Key: array.Shape{4},
	Seed: rbgSeed,
	Split: func(key *array.Array, shape array.Shape) *array.Array {
		n := shape.Rank()
		halves := vmap.Of(func(half *array.Array) *array.Array { return threefrySplit(half, shape) }, vmap.Out(n)).
			Call(primitive.Reshape(key, array.Shape{2, 2}))
		return primitive.Reshape(halves, append(shape.Clone(), 4))
	},
	FoldIn: func(key, data *array.Array) *array.Array {
		halves := vmap.Of(threefryFoldIn, vmap.In(0, nil)).Call(primitive.Reshape(key, array.Shape{2, 2}), data)
		return primitive.Reshape(halves, array.Shape{4})
	},
	RandomBits: rbgBits,
})

// UnsafeRBG is RBG that also makes new keys with the backend's generator: fast, and nothing is proved about how
// independent they are.
var UnsafeRBG = DefinePRNG(Generator{
	Name: "unsafe_rbg", Tag: "urbg", Key: array.Shape{4},
	Seed: rbgSeed,
	Split: func(key *array.Array, shape array.Shape) *array.Array {
		n := shape.Size()
		_, words := primitive.RngBitGenerator(key, []int{10 * n, 4}, array.Uint32, primitive.RngDefault)
		return primitive.Reshape(primitive.Slice(words, []int{0, 0}, []int{10 * n, 4}, []int{10, 1}), append(shape.Clone(), 4))
	},
	FoldIn: func(key, data *array.Array) *array.Array {
		_, words := primitive.RngBitGenerator(rbgSeed(data), []int{10, 4}, array.Uint32, primitive.RngDefault)
		return primitive.Xor(key, row(words, 9))
	},
	RandomBits: rbgBits,
})

func rbgSeed(seed *array.Array) *array.Array {
	half := threefrySeed(seed)
	return primitive.Concatenate(0, half, half)
}

func rbgBits(key *array.Array, width int, shape array.Shape) *array.Array {
	_, bits := primitive.RngBitGenerator(key, shape, unsigned(width), primitive.RngDefault)
	return bits
}
