// Package linalg has the factorisations, solvers and norms of numpy.linalg and scipy.linalg, and the primitives behind
// them with the rules of every transformation.
//
//	x := linalg.Solve(a, b)
//	w, v := linalg.Eigh(a)
//	g := vjp.Grad(func(a *np.Array) *np.Array { _, l := linalg.Slogdet(a); return l }).Call(a)
//
// Matrices are the last two axes of an array; all axes before them are batch axes. Elements are float32, float64, complex64
// or complex128; narrower floats are refused, integers become floats. What has no answer is NaN, not an error: the
// factor of a matrix that is not positive definite, the derivative of an eigenvector whose eigenvalue is multiple.
// Products inside derivatives are computed with the highest precision of the backend.
//
// A primitive (CholeskyP, TriangularSolveP, LuP, QrP, EighP, SvdP, EigP …) is a struct as in package primitive, a file
// each. On processors most are foreign calls of LAPACK's routines by the reference's names (foreign.go), which the cpu
// engine finds in itself.
package linalg
