// Package jit compiles traced functions and runs them.
//
//	step := jit.Of(func(x *np.Array) *np.Array { return np.Sin(x).Mul(2) })
//	y := step.Call(x)
//
// Of traces the function once for each combination of argument shapes, dtypes, tree and static values, lowers the jaxpr
// to StableHLO, has the backend compile it, and keeps the executable in the function itself. Under another
// transformation the call is one equation, pjit, which call.go defines with its rules. The stages are there one by one:
// Trace, Lower, Compile (stages.go).
//
// The package also gives primitives their meaning on plain data: eager.go lowers one equation, compiles it and keeps it,
// so that the engine is the one place where numbers are computed. backend.go chooses the engine.
package jit
