// Package lower turns a jaxpr into a StableHLO module for a platform.
//
// Module walks the equations once. A primitive says itself what it becomes: through primitive.Lowerable, or, where it
// holds jaxprs, through trace.JaxprLowerable, which receives the Lowering this package implements. Every operation
// carries the line of the user's program as its location, so that errors of an engine can name it. Operations that only
// move elements of random keys about are lowered here, by one mechanism, over the words the keys are made of (keys.go).
//
// # Export
//
// Export makes of a function what other programs can load: the container that jax.export.deserialize reads, with the module as
// a portable artifact and, where asked, its pull-back. Import reads what JAX exported; its Func is called like any other and
// is one equation inside of them (export.go, export_call.go; container.go is the format, pytree.go Python's structures).
//
// What is not done here: no optimisation beyond leaving dead equations out; engines see to the rest.
package lower
