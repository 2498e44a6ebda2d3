package main

import (
	"math"

	"github.com/pantograph-go/pantograph/flow"
	"github.com/pantograph-go/pantograph/nn"
	"github.com/pantograph-go/pantograph/np"
	"github.com/pantograph-go/pantograph/primitive"
	"github.com/pantograph-go/pantograph/vjp"
	"github.com/pantograph-go/pantograph/vmap"
)

func init() {
	computations["programs/mlp_step"] = list(mlpStep)
	computations["programs/mlp_per_example_grads"] = list(func(in []*np.Array) []*np.Array {
		one := vjp.Grad(func(p []*np.Array, x, label *np.Array) *np.Array {
			return mlpLoss(p, x.ExpandDims(0), label.ExpandDims(0))
		})
		return vmap.Of(one, vmap.In(nil, 0, 0)).CallAll(in[:6], in[6], in[7])
	})
	computations["programs/transformer_block"] = list(func(in []*np.Array) []*np.Array {
		return vjp.ValueAndGrad(func(p []*np.Array) *np.Array {
			return block(p).Mul(in[13]).Sum().Div(65536)
		}).CallAll(in[:13])
	})
	computations["programs/nbody_1024"] = func(p, v, m *np.Array) (p1, v1 *np.Array) {
		d := p.ExpandDims(0).Sub(p.ExpandDims(1))
		r2 := d.Mul(d).Sum(-1).Add(0.01)
		s := m.ExpandDims(0).Mul(primitive.Rsqrt(r2)).Div(r2)
		v = v.Add(np.Einsum("ij,ijk->ik", s, d).Mul(0.01).Div(1024))
		return p.Add(v.Mul(0.01)), v
	}
	computations["programs/black_scholes_1e6"] = func(s, k, t *np.Array) *np.Array {
		const r, sigma = 0.03, 0.25
		cdf := func(z *np.Array) *np.Array { return primitive.Erf(z.Mul(math.Sqrt(0.5))).Add(1).Mul(0.5) }
		q := np.Sqrt(t).Mul(sigma)
		d1 := np.Log(s.Div(k)).Add(t.Mul(r + sigma*sigma/2)).Div(q)
		return s.Mul(cdf(d1)).Sub(k.Mul(np.Exp(t.Mul(-r))).Mul(cdf(d1.Sub(q))))
	}
	computations["programs/hessian_rosenbrock_64"] = func(x *np.Array) *np.Array {
		return vjp.Hessian(func(x *np.Array) *np.Array {
			a, b := x.At(np.Slice{Start: 1, Stop: np.End}).Get(), x.At(np.Slice{Stop: x.Size() - 1}).Get()
			d, e := b.Neg().Add(1), a.Sub(b.Mul(b))
			return e.Mul(e).Mul(100).Add(d.Mul(d)).Sum()
		}).Call(x)
	}
	computations["programs/ode_rk4_1000"] = func(q *np.Array) *np.Array {
		return flow.Fori(0, 1000, func(_, q *np.Array) *np.Array {
			k1 := vanDerPol(q)
			k2 := vanDerPol(q.Add(k1.Mul(0.005)))
			k3 := vanDerPol(q.Add(k2.Mul(0.005)))
			k4 := vanDerPol(q.Add(k3.Mul(0.01)))
			return q.Add(k1.Add(k2.Mul(2)).Add(k3.Mul(2)).Add(k4).Mul(0.01 / 6))
		}, q).(*np.Array)
	}
	computations["programs/mandelbrot_512"] = mandelbrot
	computations["programs/kmeans_1e5x16"] = func(x, c *np.Array) *np.Array {
		xx := np.Sum(x.Mul(x), np.Axis(1), np.KeepDims())
		return flow.Fori(0, 5, func(_, c *np.Array) *np.Array {
			a := xx.Sub(x.MatMul(c.T()).Mul(2)).Add(c.Mul(c).Sum(1)).Argmin(1)
			s := np.ZerosLike(c).At(a).Add(x)
			n := np.Zeros([]int{32}, np.Float32).At(a).Add(np.Ones([]int{100000}, np.Float32))
			return s.Div(n.Maximum(1).ExpandDims(1))
		}, c).(*np.Array)
	}
	computations["programs/lenet_step"] = list(func(in []*np.Array) []*np.Array {
		return sgd(lenetLoss, in[:10], in[10], in[11])
	})
}

// sgd is one step of gradient descent: the loss and the new parameters.
func sgd(loss func(p []*np.Array, x, label *np.Array) *np.Array, p []*np.Array, x, label *np.Array) []*np.Array {
	r := vjp.ValueAndGrad(loss).CallAll(p, x, label)
	for i := range p {
		r[i+1] = p[i].Sub(r[i+1].Mul(0.1))
	}
	return r
}

func mlpStep(in []*np.Array) []*np.Array { return sgd(mlpLoss, in[:6], in[6], in[7]) }

func mlpLoss(p []*np.Array, x, label *np.Array) *np.Array {
	h := nn.Relu(x.MatMul(p[0]).Add(p[1]))
	h = nn.Relu(h.MatMul(p[2]).Add(p[3]))
	return crossEntropy(h.MatMul(p[4]).Add(p[5]), label)
}

func crossEntropy(z, label *np.Array) *np.Array {
	return np.TakeAlongAxis(nn.LogSoftmax(z), label.ExpandDims(1), np.Axis(1)).Mean().Neg()
}

// block is a pre-norm transformer block with 4 heads.
func block(p []*np.Array) *np.Array {
	x := p[12]
	b, t, d := x.Shape()[0], x.Shape()[1], x.Shape()[2]
	h := layerNorm(x, p[0], p[1])
	head := func(w *np.Array) *np.Array { return h.MatMul(w).Reshape(b, t, 4, d/4) }
	s := np.Einsum("bqhd,bkhd->bhqk", head(p[2]), head(p[3])).Div(8)
	s = np.Where(np.Tril(np.Ones([]int{t, t}, np.Bool), 0), s, -1e30)
	o := np.Einsum("bhqk,bkhd->bqhd", nn.Softmax(s, -1), head(p[4])).Reshape(b, t, d)
	h1 := x.Add(o.MatMul(p[5]))
	u := nn.Gelu(layerNorm(h1, p[6], p[7]).MatMul(p[8]).Add(p[9]))
	return h1.Add(u.MatMul(p[10])).Add(p[11])
}

func vanDerPol(q *np.Array) *np.Array {
	a, b := q.At(np.Slice{Stop: np.End}, 0).Get(), q.At(np.Slice{Stop: np.End}, 1).Get()
	return np.Stack([]*np.Array{b, a.Mul(a).Neg().Add(1).Mul(b).Sub(a)}, np.Axis(1))
}

func mandelbrot() *np.Array {
	i := np.Arange(512, np.Float32)
	re := np.BroadcastTo(i.Mul(2.5).Div(511).Sub(2).ExpandDims(0), 512, 512)
	im := np.BroadcastTo(i.Mul(2.5).Div(511).Sub(1.25).ExpandDims(1), 512, 512)
	z := np.Zeros([]int{512, 512}, np.Float32)
	r := flow.Fori(0, 100, func(_ *np.Array, s []*np.Array) []*np.Array {
		a, b, n := s[0], s[1], s[2]
		m := a.Mul(a).Add(b.Mul(b)).LessEqual(4)
		return []*np.Array{np.Where(m, a.Mul(a).Sub(b.Mul(b)).Add(re), a), np.Where(m, a.Mul(2).Mul(b).Add(im), b), n.Add(m.AsType(np.Int32))}
	}, []*np.Array{z, z, z.AsType(np.Int32)})
	return r.([]*np.Array)[2]
}

func lenetLoss(p []*np.Array, x, label *np.Array) *np.Array {
	pool := nn.PoolParams{Window: []int{2, 2}, Strides: []int{2, 2}}
	h := nn.AvgPool(np.Tanh(nn.Conv(x, p[0], nn.ConvParams{Padding: nn.Same}).Add(p[1])), pool)
	h = nn.AvgPool(np.Tanh(nn.Conv(h, p[2], nn.ConvParams{}).Add(p[3])), pool).Reshape(x.Shape()[0], 400)
	h = np.Tanh(np.Tanh(h.MatMul(p[4]).Add(p[5])).MatMul(p[6]).Add(p[7]))
	return crossEntropy(h.MatMul(p[8]).Add(p[9]), label)
}
