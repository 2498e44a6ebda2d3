// Package np offers NumPy's functions on arrays, with the meaning they have in jax.numpy: they run at once on data and are
// recorded or transformed where a trace is open. It brings the engine: a program that imports np can compute.
//
//	x := np.Linspace(0, 1, 5)
//	y := np.Sum(np.Sin(x).Mul(2), np.KeepDims())
//	fmt.Println(y, np.Where(x.Greater(0.5), x, 0))
//
// Operands are of type any: an Array, a Go number, which is weakly typed (it takes the type of the array it meets), or a
// slice of numbers. Arithmetic is also a method: x.Add(y). Keyword arguments are options, such as Axis(0), KeepDims() and
// As(Float32); a function refuses options it does not take. The last arguments of functions that create arrays may be a
// dtype; without one, numbers are float64.
//
// Names are NumPy's, with a capital for each word that an underscore begins (np.take_along_axis is TakeAlongAxis) and for
// the words of IsNaN, NaNSum and the like. Mistakes panic with an *array.Error that names the caller's line; see
// trace.Try. What depends on values in its shape, as Nonzero and Unique, needs them known, or the option Length.
//
// The files are by subject: create.go, arithmetic.go, explog.go, trig.go, logic.go, round.go (elementwise), reduce.go,
// nan.go, stats.go, shape.go, join.go, pad.go, index.go, sort.go, sets.go, linear.go, einsum.go, calculus.go, poly.go.
// Promotion of operands is in operands.go, options are in options.go.
package np

import _ "github.com/pantograph-go/pantograph/jit" // runs operations on data
