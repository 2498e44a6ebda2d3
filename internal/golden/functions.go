package golden

import (
	"maps"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/primitive"
	"github.com/pantograph-go/pantograph/random"
)

// functions finds the Go call of a function of the reference.
var functions = func() map[string]Func {
	all := map[string]Func{}
	for _, table := range []map[string]Func{laxFunctions, fftFunctions, laxFamilies, laxForms, randomFunctions, nnFunctions, npFunctions, specialFunctions, statsFunctions, controlFunctions, linalgFunctions} {
		maps.Copy(all, table)
	}
	return all
}()

// Functions lists the names of the functions that have a Go call, in no order.
func Functions() []string {
	var names []string
	for n := range functions {
		names = append(names, n)
	}
	return names
}

func keyData(x *array.Array) *array.Array { return random.KeyData(x) }

func unary(f func(*array.Array) *array.Array) Func {
	return func(c *Call) any { return f(c.X(0)) }
}

// binary is a strict function of two operands. A bare number takes the dtype of the array beside it, as in the reference.
func binary(f func(x, y *array.Array) *array.Array) Func {
	return func(c *Call) any {
		x, y := c.X(0), c.X(1)
		if x.Aval().Weak && !y.Aval().Weak {
			x = primitive.Convert(x, y.DType())
		}
		if y.Aval().Weak && !x.Aval().Weak {
			y = primitive.Convert(y, x.DType())
		}
		return f(x, y)
	}
}
