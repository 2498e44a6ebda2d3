// Package random draws random numbers from explicit keys, with the bits of the reference.
//
//	key := random.Key(0)
//	w := random.Normal(key, []int{64, 10}) // float64; a dtype may follow the shape
//	keys := random.Split(key, 3)           // a key array of shape [3]
//
// A key is a scalar array of an opaque dtype; equal keys give equal numbers, so a key is used once and split for more.
// Keys can be batched, scanned, indexed and stacked like other arrays, and refuse arithmetic. The generator behind a
// key is a PRNG (prng.go): Threefry is the default, DefinePRNG makes others. keys.go has the primitives on keys, uniform.go
// and the other files the distributions, each a composition of them.
package random
