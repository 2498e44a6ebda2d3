package main

import (
	"github.com/pantograph-go/pantograph/nn"
	"github.com/pantograph-go/pantograph/np"
	"github.com/pantograph-go/pantograph/primitive"
	"github.com/pantograph-go/pantograph/vjp"
)

func init() {
	for name, f := range map[string]func(x *np.Array, axes ...int) *np.Array{
		"sum": (*np.Array).Sum, "max": (*np.Array).Max, "argmax": (*np.Array).Argmax} {
		computations["reductions/"+name+"_all_4M"] = func(x *np.Array) *np.Array { return f(x) }
		computations["reductions/"+name+"_axis0_4M"] = func(x *np.Array) *np.Array { return f(x, 0) }
		computations["reductions/"+name+"_axis1_4M"] = func(x *np.Array) *np.Array { return f(x, 1) }
	}
	computations["reductions/mean_var_axis1_4M"] = func(x *np.Array) (mean, variance *np.Array) { return x.Mean(1), x.Var(1) }
	computations["reductions/logsumexp_axis1_4M"] = func(x *np.Array) *np.Array { return nn.Logsumexp(x, np.Axis(1)) }
	computations["reductions/softmax_1024"] = func(x *np.Array) *np.Array { return nn.Softmax(x, 1) }
	computations["reductions/layernorm_4096x768"] = layerNorm
	computations["reductions/layernorm_grad_4096x768"] = func(x, g, b, ct *np.Array) (dx, dg, db *np.Array) {
		_, back := vjp.VJP(layerNorm, x, g, b)
		d := back.CallAll(ct)
		return d[0], d[1], d[2]
	}
	computations["reductions/cumsum_1e6"] = func(x *np.Array) *np.Array { return np.Cumsum(x) }
	computations["reductions/sort_1e6"] = func(x *np.Array) *np.Array { return np.Sort(x) }
	computations["reductions/argsort_1e6"] = func(x *np.Array) *np.Array { return np.Argsort(x).AsType(np.Int32) }
	computations["reductions/top_k_64x16384"] = func(x *np.Array) (values, indices *np.Array) { return primitive.TopK(x, 64) }
}

func layerNorm(x, g, b *np.Array) *np.Array {
	m := np.Mean(x, np.Axis(-1), np.KeepDims())
	d := x.Sub(m)
	v := np.Mean(d.Mul(d), np.Axis(-1), np.KeepDims())
	return d.Mul(primitive.Rsqrt(v.Add(1e-5))).Mul(g).Add(b)
}
