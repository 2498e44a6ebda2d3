// Package flow has the control flow that can be traced: branches and loops whose course is decided by values.
//
//	carry, ys := flow.Scan(func(c, x *np.Array) (*np.Array, *np.Array) { c = c.Mul(w).Add(x); return c, c }, c0, xs)
//	y := flow.Cond(x.Greater(0), np.Sqrt, np.Negative, x).(*np.Array)
//
// Functions take and return trees in the Go types of the user's functions: a single *Array stays one. Each construct is
// one equation, cond, while or scan, that holds the traced functions as jaxprs; what they captured becomes operands, so
// it is differentiated and mapped like arguments.
//
// What users call is in branch.go, loop.go and map.go. The primitives with their rules are cond.go, while.go and scan.go;
// the reverse mode of a scan is in scanlinear.go and scantranspose.go, its lowering to a while loop in scanlower.go.
//
// Beside them are scans and reductions with functions of the user (associative.go, reduce.go, window.go), the solutions
// of equations with derivatives of their own (linearsolve.go, root.go), and choices by platform (platform.go).
package flow
