// Package nn has the functions that neural networks are made of, as jax.nn does: activations, softmax and its relatives,
// attention, convolution and pooling, normalisation, losses. They are plain functions of arrays; layers and models are Go
// structs of arrays that a program writes itself. Operands may be Go numbers, integers become floating point, and nothing here
// has a state; the first values of parameters come from the package initializers below this one.
//
//	h := nn.Relu(x.MatMul(p.W1).Add(p.B1))
//	loss := nn.CrossEntropy(h.MatMul(p.W2), labels).Mean()
package nn
