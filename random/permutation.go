package random

import (
	"math"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/primitive"
)

// Permutation returns the numbers 0 … n-1 in random order, int64, or, given an array, its entries along axis 0 in random
// order (whole rows: what is within a row stays).
func Permutation(key *array.Array, x any) *array.Array {
	switch x := x.(type) {
	case *array.Array:
		if x.Rank() == 1 {
			return shuffle(key, x)
		}
		if x.Rank() > 1 {
			return x.At(shuffle(key, primitive.Iota(array.Int64, array.Shape{x.Shape()[0]}, 0))).Get()
		}
	case int:
		if x >= 0 {
			return shuffle(key, primitive.Iota(array.Int64, array.Shape{x}, 0))
		}
	}
	panic(array.Wrap("random.Permutation", array.ArgumentErrorf("wants a number of entries or an array of rank 1 or more, got %v", x)))
}

// shuffle sorts by random keys, often enough that equal keys, which leave entries in order, do not show.
func shuffle(key, x *array.Array) *array.Array {
	rounds := int(math.Ceil(3 * math.Log(math.Max(1, float64(x.Size()))) / math.Log(math.MaxUint32)))
	for range rounds {
		keys := Keys(key, 2)
		key = keys[0]
		x = primitive.Sort(0, 1, Bits(keys[1], array.Uint32, x.Size()), x)[1]
	}
	return x
}
