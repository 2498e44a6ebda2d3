// Package special has the special functions of scipy.special: those of gamma and beta, of errors and the normal
// distribution, of entropies, Bessel functions and integrals without a closed form.
//
//	y := special.Ndtr(x)
//
// Functions take arrays or Go numbers, promote and broadcast them as np does, with integers as floats, and work element by
// element. What is summed or iterated is computed in float64 and rounded once to the type of the operands. Derivatives are
// the mathematical ones, written as rules where differentiating the computation would lose them.
package special
