package main

import (
	"github.com/pantograph-go/pantograph/np"
	"github.com/pantograph-go/pantograph/primitive"
)

func init() {
	add := func(x, y *np.Array) *np.Array { return x.Add(y) }
	computations["dispatch/jit_add_scalar"] = add
	computations["dispatch/eager_add_scalar"] = eager(add)
	computations["dispatch/eager_add_1k"] = eager(add)
	computations["dispatch/jit_10_args"] = func(x0, x1, x2, x3, x4, x5, x6, x7, x8, x9 *np.Array) *np.Array {
		for _, x := range []*np.Array{x1, x2, x3, x4, x5, x6, x7, x8, x9} {
			x0 = x0.Add(x)
		}
		return x0
	}
	computations["dispatch/jit_chain_100"] = func(x, y *np.Array) *np.Array { return chain(100, x, y) }

	for _, name := range []string{"1e3", "1e5", "1e6", "1e7", "bf16_1e6"} {
		computations["elementwise/chain12_"+name] = chain12
	}
	for name, f := range map[string]func(any) *np.Array{"exp": np.Exp, "tanh": np.Tanh, "sin": np.Sin, "log": np.Log,
		"erf": func(x any) *np.Array { return primitive.Erf(x.(*np.Array)) }} {
		for _, d := range []string{"f32", "f64"} {
			computations["elementwise/"+name+"_"+d+"_1e6"] = func(x *np.Array) *np.Array { return f(x) }
		}
	}
	computations["elementwise/int32_chain_1e6"] = func(x, y *np.Array) *np.Array {
		return x.Mul(3).Add(7).Xor(x.ShiftRight(2)).And(y)
	}
	computations["elementwise/add_row_2048"] = func(x, r *np.Array) *np.Array { return x.Add(r.ExpandDims(0)) }
	computations["elementwise/add_col_2048"] = func(x, c *np.Array) *np.Array { return x.Add(c.ExpandDims(1)) }
	computations["elementwise/where_2048"] = func(x, y *np.Array) *np.Array { return np.Where(x.Greater(0), x, y) }
	computations["elementwise/transpose_2048"] = func(x *np.Array) *np.Array { return x.T() }
	computations["elementwise/strided_slice_2048"] = func(x *np.Array) *np.Array {
		return x.At(np.Slice{Stop: np.End, Step: 2}, np.Slice{Stop: np.End, Step: 2}).Get()
	}
}

// chain is n equations on x and y.
func chain(n int, x, y *np.Array) *np.Array {
	for i := range n {
		switch i % 4 {
		case 0:
			x = x.Mul(0.75)
		case 1:
			x = x.Add(y)
		case 2:
			x = x.Maximum(-0.5)
		default:
			x = x.Sub(0.125)
		}
	}
	return x
}

func chain12(x, y *np.Array) *np.Array {
	t := x.Mul(1.5).Add(0.25).Sub(y).Maximum(-1)
	t = t.Mul(t).Add(x)
	t = np.Abs(t).Mul(0.5).Minimum(4).Add(1)
	return np.Sqrt(t).Sub(x)
}
