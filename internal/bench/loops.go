package main

import (
	"github.com/pantograph-go/pantograph/flow"
	"github.com/pantograph-go/pantograph/np"
	"github.com/pantograph-go/pantograph/primitive"
	"github.com/pantograph-go/pantograph/random"
	"github.com/pantograph-go/pantograph/vjp"
)

func init() {
	computations["random/normal_1e6"] = func(key *np.Array) *np.Array { return random.Normal(key, []int{1e6}, np.Float32) }
	computations["random/uniform_1e7"] = func(key *np.Array) *np.Array { return random.Uniform(key, []int{1e7}, np.Float32) }
	computations["random/permutation_1e6"] = func(key *np.Array) *np.Array { return random.Permutation(key, int(1e6)).AsType(np.Int32) }

	zero := func() *np.Array { return np.Zeros(nil, np.Float32) }
	computations["control/scan_10k_scalar"] = func(x *np.Array) (last, all *np.Array) {
		c, y := flow.Scan(func(c, x *np.Array) (*np.Array, *np.Array) {
			c = c.Mul(0.999).Add(x)
			return c, c
		}, zero(), x)
		return c.(*np.Array), y.(*np.Array)
	}
	computations["control/scan_rnn_fwd"] = rnn
	computations["control/scan_rnn_grad"] = func(h0, wh, wx, b, x *np.Array) []*np.Array {
		return vjp.Grad(func(h0, wh, wx, b, x *np.Array) *np.Array {
			h := rnn(h0, wh, wx, b, x)
			return h.Mul(h).Mean()
		}, vjp.Args(0, 1, 2, 3)).CallAll(h0, wh, wx, b, x)
	}
	computations["control/while_1e6"] = func(x *np.Array) *np.Array {
		r := flow.While(func(s []*np.Array) *np.Array { return s[0].Less(1000000) },
			func(s []*np.Array) []*np.Array { return []*np.Array{s[0].Add(1), s[1].Mul(0.99999).Add(0.001)} },
			[]*np.Array{np.Zeros(nil, np.Int32), x})
		return r.([]*np.Array)[1]
	}
	computations["control/fori_dus_10k"] = func(x *np.Array) *np.Array {
		r := flow.Fori(0, 10000, func(i *np.Array, s []*np.Array) []*np.Array {
			c := s[0].Mul(0.5).Add(x.At(i).Get())
			return []*np.Array{c, primitive.DynamicUpdateSlice(s[1], c.ExpandDims(0), []*np.Array{i})}
		}, []*np.Array{zero(), np.Zeros([]int{10000}, np.Float32)})
		return r.([]*np.Array)[1]
	}
	computations["control/scan_cond_10k"] = func(x *np.Array) (last, all *np.Array) {
		c, y := flow.Scan(func(c, x *np.Array) (*np.Array, *np.Array) {
			r := flow.Cond(x.Greater(0), func(c, x *np.Array) *np.Array { return c.Mul(0.9).Add(x) },
				func(c, x *np.Array) *np.Array { return np.Sin(c).Sub(x.Mul(0.5)) }, c, x).(*np.Array)
			return r, r
		}, zero(), x)
		return c.(*np.Array), y.(*np.Array)
	}
}

func rnn(h0, wh, wx, b, x *np.Array) *np.Array {
	_, h := flow.Scan(func(h, x *np.Array) (*np.Array, *np.Array) {
		h = np.Tanh(h.MatMul(wh).Add(x.MatMul(wx)).Add(b))
		return h, h
	}, h0, x)
	return h.(*np.Array)
}
