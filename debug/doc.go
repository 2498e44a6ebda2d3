// Package debug looks into traced programs while they run. A traced function runs once, on values that are not known
// yet, so fmt.Println in it prints types, once; Print prints the values, each time.
//
//	step := jit.Of(func(x *np.Array) *np.Array {
//		y := np.Sin(x)
//		debug.Print("mean %.3f of %v", y.Mean(), y)
//		return y
//	})
//
// Print is an operation like any other: an equation with an ordered effect, which no pass removes or moves past another.
// Under jit it is a call of a Go function out of the compiled program; under vmap it prints a line for each element;
// derivatives leave it alone, and it prints the values, not the tangents. The engine of this module prints in the order
// of the program; XLA may print independent lines in another.
package debug
