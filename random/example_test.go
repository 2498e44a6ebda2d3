package random_test

import (
	"fmt"

	"github.com/pantograph-go/pantograph/np"
	"github.com/pantograph-go/pantograph/random"
	"github.com/pantograph-go/pantograph/vmap"
)

func Example() {
	key := random.Key(0)
	fmt.Println(random.Uniform(key, []int{3}, np.Float32))
	fmt.Println(random.Randint(key, []int{5}, 0, 10, np.Int32))
	// Output:
	// [0.947667   0.9785799  0.33229148]
	// [9 0 2 3 1]
}

func ExampleSplit() {
	keys := random.Split(random.Key(42))
	fmt.Println(keys.Aval())
	fmt.Println(random.KeyData(keys))
	// Output:
	// key<fry>[2]
	// [[1832780943  270669613]
	//  [  64467757 2916123636]]
}

func ExampleChoice() {
	weights := []float64{0, 0.5, 0.5, 0}
	two := random.Choice(random.Key(1), []int{2}, 4, random.Weights(weights), random.WithoutReplacement())
	fmt.Println(np.Sort(two))
	// Output: [1 2]
}

// Samplers take one key; a batch of them is mapped.
func ExampleUniform_vmap() {
	keys := random.Split(random.Key(7), 3)
	draw := func(key *np.Array) *np.Array { return random.Uniform(key, []int{2}, np.Float32) }
	fmt.Println(vmap.Of(draw).Call(keys).Shape())
	// Output: [3,2]
}

// ExampleDefinePRNG makes a generator that counts: no good one.
func ExampleDefinePRNG() {
	counting := random.DefinePRNG(random.Generator{
		Name: "counting", Tag: "cnt", Key: np.Shape{1},
		Seed: func(seed *np.Array) *np.Array { return seed.AsType(np.Uint32).Reshape(1) },
		Split: func(key *np.Array, shape np.Shape) *np.Array {
			n := np.Arange(1, shape.Size()+1).AsType(np.Uint32)
			return key.Add(n.Reshape(append(shape.Clone(), 1)...))
		},
		RandomBits: func(key *np.Array, width int, shape np.Shape) *np.Array {
			d := map[int]np.DType{8: np.Uint8, 16: np.Uint16, 32: np.Uint32, 64: np.Uint64}[width]
			return key.AsType(d).BroadcastTo(shape...)
		},
		FoldIn: func(key, data *np.Array) *np.Array { return key.Add(data) },
	})
	key := random.FoldIn(random.Key(40, counting), 2)
	fmt.Println(key.DType(), random.Bits(key, np.Uint8, 3))
	// Output: key<cnt> [42 42 42]
}
