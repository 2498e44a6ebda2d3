// Package primitive holds the operations everything is made of. A Primitive is a small comparable struct: its exported
// fields are its parameters, its methods are its rules (shape, derivative, transpose, batch, lowering). Bind applies
// one; the innermost open trace of the goroutine decides what that means, and with none open it runs at once.
//
// Each family of primitives is one file: trig.go, reduce.go, dot.go … The struct carries JAX's name with its suffix,
// SinP for sin_p; the function Sin applies it. The functions are strict as those of jax.lax are: operands must have
// equal shapes and dtypes, so a rule written with them never broadcasts or promotes by accident. NumPy's forgiving
// behaviour is in methods.go, once. Where StableHLO has no operation for a primitive, its lowering is written with other
// primitives, which compose.go lowers on the spot. Read primitive.go, stack.go, then any family.
package primitive
