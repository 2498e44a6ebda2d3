// Package elementary computes elementary and special functions of float64 and complex128 where Go's math has none or
// is off by more than two units in the last place. Narrower types are computed through these and rounded once. Every
// function keeps subnormals, signed zeros, infinities and NaN as IEEE 754 and C's Annex G have them.
//
// Where a sum cancels, the terms are kept as unevaluated pairs of floats (file pair.go), which carry about 106 bits.
package elementary
