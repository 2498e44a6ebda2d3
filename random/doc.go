// Package random draws random numbers from explicit keys, with the bits of the reference.
//
//	key := random.Key(0)
//	w := random.Normal(key, []int{64, 10}) // float64; a dtype may follow the shape
//	keys := random.Split(key, 3)           // a key array of shape [3]
//
// A key is a scalar array of an opaque dtype; equal keys give equal numbers, so a key is used once and split for more.
// Keys can be batched, scanned, indexed and stacked like other arrays, and refuse arithmetic. The generator behind a
// key is a PRNG (prng.go): Threefry is the default, RBG and UnsafeRBG are the backend's own, DefinePRNG makes others. keys.go has
// the functions on keys and primitives.go what they bind; uniform.go and the other files have the distributions, each a
// composition of them.
//
// A distribution is a function of a key, the shape of the result, its parameters and a dtype. Parameters are Go numbers or
// arrays that broadcast to the shape; a nil shape is theirs, or that of a scalar.
//
//	random.Gamma(key, nil, np.Of([]float64{0.5, 2})) // of shape [2]
package random
