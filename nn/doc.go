// Package nn has the functions that neural networks are made of, as jax.nn does: activations, softmax and its relatives,
// losses and initialisers. They are plain functions of arrays; layers and models are Go structs of arrays that a program
// writes itself. Operands may be Go numbers, integers become floating point, and nothing here has a state.
package nn
