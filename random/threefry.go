package random

import (
	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/primitive"
)

// Threefry is the default generator: a counter encrypted by Threefry-2x32 (Salmon et al., Parallel random numbers: as easy
// as 1, 2, 3, 2011). Every element's bits depend on the key and its own position only, so that a part of an array can
// be drawn alone.
var Threefry = DefinePRNG(Generator{
	Name: "threefry2x32", Tag: "fry", Key: array.Shape{2},
	Seed:   threefrySeed,
	FoldIn: threefryFoldIn,
	Split:  threefrySplit,
	RandomBits: func(key *array.Array, width int, shape array.Shape) *array.Array {
		y1, y2 := primitive.Threefry2x32(word(key, 0), word(key, 1), counters(shape, true), counters(shape, false))
		if width == 64 {
			return join64(y1, y2)
		}
		y := primitive.Xor(y1, y2)
		switch width {
		case 8:
			y = primitive.Convert(y, array.Uint8)
		case 16:
			y = primitive.Convert(y, array.Uint16)
		}
		return y
	},
})

// ThreefrySequential is Threefry as the reference drew before its bits became independent of each other's positions
// (its setting threefry_partitionable = false): one long stream of blocks, cut in half.
var ThreefrySequential = DefinePRNG(Generator{
	Name: "threefry2x32_sequential", Tag: "fry_seq", Key: array.Shape{2},
	Seed:   threefrySeed,
	FoldIn: threefryFoldIn,
	Split: func(key *array.Array, shape array.Shape) *array.Array {
		return primitive.Reshape(stream(key, 2*shape.Size()), append(shape.Clone(), 2))
	},
	RandomBits: sequentialBits,
})

func threefrySplit(key *array.Array, shape array.Shape) *array.Array {
	y1, y2 := primitive.Threefry2x32(word(key, 0), word(key, 1), counters(shape, true), counters(shape, false))
	n := shape.Rank()
	return primitive.Concatenate(n, primitive.ExpandDims(y1, n), primitive.ExpandDims(y2, n))
}

func threefrySeed(seed *array.Array) *array.Array {
	high := primitive.Full(array.Aval{DType: array.Uint32}, 0)
	if seed.DType().Bits() == 64 {
		shift := primitive.Full(array.Aval{DType: seed.DType()}, 32)
		high = primitive.Convert(primitive.ShiftRightLogical(seed, shift), array.Uint32)
	}
	return pair(high, primitive.Convert(seed, array.Uint32))
}

func threefryFoldIn(key, data *array.Array) *array.Array {
	zero := primitive.Full(array.Aval{DType: array.Uint32}, 0)
	return pair(primitive.Threefry2x32(word(key, 0), word(key, 1), zero, data))
}

func pair(a, b *array.Array) *array.Array {
	return primitive.Concatenate(0, primitive.ExpandDims(a, 0), primitive.ExpandDims(b, 0))
}

func word(key *array.Array, i int) *array.Array {
	return primitive.Squeeze(primitive.Slice(key, []int{i}, []int{i + 1}, nil), 0)
}

func join64(high, low *array.Array) *array.Array {
	h := primitive.Convert(high, array.Uint64)
	h = primitive.ShiftLeft(h, primitive.Full(h.Aval(), 32))
	return primitive.Or(h, primitive.Convert(low, array.Uint64))
}

// counters numbers the elements of a shape in row-major order and gives one half of the 64-bit numbers.
func counters(shape array.Shape, high bool) *array.Array {
	if shape.Size() <= 1<<32 {
		if high {
			return primitive.Full(array.Aval{Shape: shape, DType: array.Uint32}, 0)
		}
		return primitive.Reshape(primitive.Iota(array.Uint32, array.Shape{shape.Size()}, 0), shape)
	}
	n := primitive.Reshape(primitive.Iota(array.Uint64, array.Shape{shape.Size()}, 0), shape)
	if high {
		n = primitive.ShiftRightLogical(n, primitive.Full(n.Aval(), 32))
	}
	return primitive.Convert(n, array.Uint32)
}

// stream encrypts the counters 0 … n-1: the first half of them with the second, so that two words come from each block.
func stream(key *array.Array, n int) *array.Array {
	half := (n + 1) / 2
	all := primitive.Iota(array.Uint32, array.Shape{n}, 0)
	if n%2 == 1 {
		all = primitive.Concatenate(0, all, primitive.Full(array.Aval{Shape: array.Shape{1}, DType: array.Uint32}, 0))
	}
	x1 := primitive.Slice(all, []int{0}, []int{half}, nil)
	x2 := primitive.Slice(all, []int{half}, []int{2 * half}, nil)
	y1, y2 := primitive.Threefry2x32(word(key, 0), word(key, 1), x1, x2)
	return primitive.Slice(primitive.Concatenate(0, y1, y2), []int{0}, []int{n}, nil)
}

func sequentialBits(key *array.Array, width int, shape array.Shape) *array.Array {
	size := shape.Size()
	words := (width*size + 31) / 32
	bits := stream(key, words)
	switch width {
	case 64:
		bits = join64(primitive.Slice(bits, []int{0}, []int{size}, nil), primitive.Slice(bits, []int{size}, []int{2 * size}, nil))
	case 8, 16:
		per := 32 / width // a word gives its low part first
		wide := array.Shape{words, per}
		shifts := primitive.Mul(primitive.Iota(array.Uint32, wide, 1), primitive.Full(array.Aval{Shape: wide, DType: array.Uint32}, float64(width)))
		bits = primitive.ShiftRightLogical(primitive.BroadcastInDim(bits, wide, []int{0}), shifts)
		d := array.Uint8
		if width == 16 {
			d = array.Uint16
		}
		bits = primitive.Convert(primitive.Reshape(bits, array.Shape{words * per}), d)
		bits = primitive.Slice(bits, []int{0}, []int{size}, nil)
	}
	return primitive.Reshape(bits, shape)
}
