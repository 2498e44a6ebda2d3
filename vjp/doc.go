// Package vjp differentiates functions, forward and in reverse, and attaches derivatives of the user's own.
//
//	loss := func(w *np.Array, x, y *np.Array) *np.Array { return np.Dot(x, w).Sub(y).Square().Mean() }
//	g := vjp.Grad(loss).Call(w, x, y)
//
// Forward mode runs the function on tracers that carry a tangent beside the value (jvp.go); each primitive's rule,
// Differentiable, says how. Zero tangents are nil and cost nothing.
//
// Reverse mode is that and two small steps more; there is no tape. Below the forward trace stands another (linear.go),
// through which operations on values pass and which writes those on tangents into a jaxpr: the linearized function,
// whose constants are the residuals. Then transpose.go walks that jaxpr backwards with each primitive's transpose rule,
// Linear.
//
// Primitives that hold jaxprs differentiate them with the functions of body.go. Custom and CustomJVP attach rules
// (custom.go, customjvp.go); Checkpoint computes again instead of keeping. What users call is in vjp.go, pullback.go
// and jacobian.go. Read jvp.go first.
//
// Complex derivatives follow the reference: a cotangent is transposed without conjugation, so the gradient of a real
// function of z is ∂f/∂re - i ∂f/∂im.
package vjp
