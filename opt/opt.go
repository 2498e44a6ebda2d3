package opt

import (
	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/primitive"
	"github.com/pantograph-go/pantograph/trace"
)

// Optimizer is a rule for changing parameters along gradients. Safe for concurrent use.
type Optimizer interface {
	// Init makes the state for a tree of parameters.
	Init(params any) State
	// Update returns the parameters after one step, in the Go type of params, and the state after it. grads is a tree of the
	// same structure. It panics with an *array.Error where trees or shapes differ.
	Update(params, grads any, s State) (any, State)
}

// State is what an optimiser remembers between steps: a tree, so it can be an argument of a traced function, saved and
// loaded.
type State struct {
	Step    *array.Array     // int32, how many updates were made
	Moments [][]*array.Array // for each kind of moment one array a parameter, in the parameters' order
}

// rule is an optimiser by what it does to one parameter.
type rule struct {
	rate    Schedule
	moments int
	// update returns the new value of one parameter x with gradient g, and its new moments m. step counts from 1, in
	// x's dtype, and lr is the learning rate, weak or of x's dtype.
	update func(x, g, lr, step *array.Array, m []*array.Array) (*array.Array, []*array.Array)
}

func (r rule) Init(params any) State {
	leaves, _ := flatten("Init", params)
	s := State{Step: primitive.Full(array.Aval{DType: array.Int32}, 0), Moments: make([][]*array.Array, r.moments)}
	for k := range s.Moments {
		s.Moments[k] = make([]*array.Array, len(leaves))
		for i, x := range leaves {
			s.Moments[k][i] = primitive.Full(x.Aval().Strong(), 0)
		}
	}
	return s
}

func (r rule) Update(params, grads any, s State) (any, State) {
	xs, tree := flatten("Update", params)
	gs, gradTree := flatten("Update", grads)
	if len(xs) != len(gs) || len(s.Moments) != r.moments || (r.moments > 0 && len(s.Moments[0]) != len(xs)) {
		panic(array.Wrap("opt.Update", array.TreeErrorf("the parameters are %s, the gradients %s, and the state has %d kinds of moments; all three must fit together", tree, gradTree, len(s.Moments))))
	}
	lr := r.rate(s.Step)
	next := State{Step: s.Step.Add(int32(1)), Moments: make([][]*array.Array, r.moments)}
	out := make([]*array.Array, len(xs))
	for i, x := range xs {
		if !x.Shape().Equal(gs[i].Shape()) {
			panic(array.Wrap("opt.Update", array.ShapeErrorf("the parameter%s is %s, its gradient %s", tree.Paths()[i], x.Aval(), gs[i].Aval())))
		}
		rate := lr
		if !rate.Aval().Weak {
			rate = rate.AsType(x.DType())
		}
		m := make([]*array.Array, r.moments)
		for k := range m {
			m[k] = s.Moments[k][i]
		}
		out[i], m = r.update(x, gs[i], rate, next.Step.AsType(x.DType()), m)
		for k := range m {
			next.Moments[k] = append(next.Moments[k], m[k])
		}
	}
	return rebuilt("Update", tree, out), next
}

func flatten(op string, v any) ([]*array.Array, *trace.Tree) {
	leaves, tree, err := trace.Flatten(v)
	if err != nil {
		panic(array.Wrap("opt."+op, err))
	}
	return leaves, tree
}

func rebuilt(op string, tree *trace.Tree, leaves []*array.Array) any {
	v, err := tree.Unflatten(leaves)
	if err != nil {
		panic(array.Wrap("opt."+op, err))
	}
	return v
}

// SGD is gradient descent: x − lr g. The learning rate, here and below, is a number, a scalar array or a Schedule.
func SGD(learningRate any) Optimizer {
	return rule{rate: rate("SGD", learningRate), update: func(x, g, lr, _ *array.Array, _ []*array.Array) (*array.Array, []*array.Array) {
		return x.Sub(g.Mul(lr)), nil
	}}
}

// Momentum is gradient descent along a decaying sum of gradients: v ← µ v + g, x − lr v (Polyak, Some methods of speeding
// up the convergence of iteration methods, 1964).
func Momentum(learningRate any, mu float64) Optimizer {
	return rule{rate: rate("Momentum", learningRate), moments: 1, update: func(x, g, lr, _ *array.Array, m []*array.Array) (*array.Array, []*array.Array) {
		v := m[0].Mul(mu).Add(g)
		return x.Sub(v.Mul(lr)), []*array.Array{v}
	}}
}

// Nesterov is Momentum that looks one step ahead: v ← µ v + g, x − lr (µ v + g) (Nesterov, A method of solving a convex
// programming problem with convergence rate O(1/k²), 1983, in the form of Sutskever et al., 2013).
func Nesterov(learningRate any, mu float64) Optimizer {
	return rule{rate: rate("Nesterov", learningRate), moments: 1, update: func(x, g, lr, _ *array.Array, m []*array.Array) (*array.Array, []*array.Array) {
		v := m[0].Mul(mu).Add(g)
		return x.Sub(v.Mul(mu).Add(g).Mul(lr)), []*array.Array{v}
	}}
}

// AdaGrad divides by the root of the sum of squares of all gradients so far: s ← s + g², x − lr g/√(s + ε), ε = 1e-7
// (Duchi, Hazan and Singer, Adaptive subgradient methods, 2011).
func AdaGrad(learningRate any) Optimizer {
	return rule{rate: rate("AdaGrad", learningRate), moments: 1, update: func(x, g, lr, _ *array.Array, m []*array.Array) (*array.Array, []*array.Array) {
		s := m[0].Add(g.Mul(g))
		return x.Sub(g.Mul(primitive.Rsqrt(s.Add(1e-7))).Mul(lr)), []*array.Array{s}
	}}
}

// RMSProp divides by the root of a decaying mean of squares: s ← ρ s + (1-ρ) g², x − lr g/√(s + ε), ε = 1e-8 (Tieleman
// and Hinton, lecture 6.5 of Neural networks for machine learning, 2012); ρ is commonly 0.9.
func RMSProp(learningRate any, rho float64) Optimizer {
	return rule{rate: rate("RMSProp", learningRate), moments: 1, update: func(x, g, lr, _ *array.Array, m []*array.Array) (*array.Array, []*array.Array) {
		s := m[0].Mul(rho).Add(g.Mul(g).Mul(1 - rho))
		return x.Sub(g.Mul(primitive.Rsqrt(s.Add(1e-8))).Mul(lr)), []*array.Array{s}
	}}
}

// Adam is the method of Kingma and Ba (arXiv:1412.6980, algorithm 1) with β₁ = 0.9, β₂ = 0.999, ε = 1e-8.
func Adam(learningRate any) Optimizer { return AdamParams{}.Optimizer(learningRate) }

// AdamW is Adam with decoupled weight decay (Loshchilov and Hutter, arXiv:1711.05101): each step also takes
// lr · decay · x from a parameter.
func AdamW(learningRate any, decay float64) Optimizer {
	return AdamParams{Decay: decay}.Optimizer(learningRate)
}

// AdamParams are the parameters of Adam that have defaults: zeros stand for 0.9, 0.999, 1e-8 and no decay.
type AdamParams struct {
	Beta1, Beta2, Eps float64
	Decay             float64 // of AdamW
}

// Optimizer is the method with these parameters.
func (p AdamParams) Optimizer(learningRate any) Optimizer {
	for _, d := range []struct {
		v         *float64
		otherwise float64
	}{{&p.Beta1, 0.9}, {&p.Beta2, 0.999}, {&p.Eps, 1e-8}} {
		if *d.v == 0 {
			*d.v = d.otherwise
		}
	}
	return rule{rate: rate("Adam", learningRate), moments: 2, update: func(x, g, lr, step *array.Array, m []*array.Array) (*array.Array, []*array.Array) {
		first := m[0].Mul(p.Beta1).Add(g.Mul(1 - p.Beta1))
		second := m[1].Mul(p.Beta2).Add(g.Mul(g).Mul(1 - p.Beta2))
		unbias := func(v *array.Array, beta float64) *array.Array {
			b := array.Of(scalar(step.DType(), beta))
			return v.Div(b.Pow(step).Neg().Add(1.0))
		}
		denominator := primitive.Sqrt(unbias(second, p.Beta2)).Add(p.Eps)
		update := unbias(first, p.Beta1).Div(denominator)
		if p.Decay != 0 {
			update = update.Add(x.Mul(p.Decay))
		}
		return x.Sub(update.Mul(lr)), []*array.Array{first, second}
	}}
}

func scalar(d array.DType, v float64) *array.Buffer {
	b := array.NewBuffer(d, nil)
	b.SetFloat(0, v)
	return b
}
