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
	// same structure. It panics with an *array.Error where the trees differ.
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
	moments int
	// update returns the new value of one parameter x with gradient g, and its new moments m. step counts from 1, in
	// x's dtype.
	update func(x, g, step *array.Array, m []*array.Array) (*array.Array, []*array.Array)
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
	next := State{Step: s.Step.Add(int32(1)), Moments: make([][]*array.Array, r.moments)}
	out := make([]*array.Array, len(xs))
	for i, x := range xs {
		m := make([]*array.Array, r.moments)
		for k := range m {
			m[k] = s.Moments[k][i]
		}
		out[i], m = r.update(x, gs[i], next.Step.AsType(x.DType()), m)
		for k := range m {
			next.Moments[k] = append(next.Moments[k], m[k])
		}
	}
	result, err := tree.Unflatten(out)
	if err != nil {
		panic(array.Wrap("opt.Update", err))
	}
	return result, next
}

func flatten(op string, v any) ([]*array.Array, *trace.Tree) {
	leaves, tree, err := trace.Flatten(v)
	if err != nil {
		panic(array.Wrap("opt."+op, err))
	}
	return leaves, tree
}

// SGD is gradient descent: x − lr g.
func SGD(learningRate float64) Optimizer {
	return rule{update: func(x, g, _ *array.Array, _ []*array.Array) (*array.Array, []*array.Array) {
		return x.Sub(g.Mul(learningRate)), nil
	}}
}

// Momentum is gradient descent along a decaying sum of gradients: v ← µ v + g, x − lr v (Polyak, 1964).
func Momentum(learningRate, mu float64) Optimizer {
	return rule{moments: 1, update: func(x, g, _ *array.Array, m []*array.Array) (*array.Array, []*array.Array) {
		v := m[0].Mul(mu).Add(g)
		return x.Sub(v.Mul(learningRate)), []*array.Array{v}
	}}
}

// Adam is the method of Kingma and Ba (arXiv:1412.6980, algorithm 1) with β₁ = 0.9, β₂ = 0.999, ε = 1e-8.
func Adam(learningRate float64) Optimizer { return AdamW(learningRate, 0) }

// AdamW is Adam with decoupled weight decay (Loshchilov and Hutter, arXiv:1711.05101): each step also takes
// lr · decay · x from a parameter.
func AdamW(learningRate, decay float64) Optimizer {
	const beta1, beta2, eps = 0.9, 0.999, 1e-8
	return rule{moments: 2, update: func(x, g, step *array.Array, m []*array.Array) (*array.Array, []*array.Array) {
		first := m[0].Mul(beta1).Add(g.Mul(1 - beta1))
		second := m[1].Mul(beta2).Add(g.Mul(g).Mul(1 - beta2))
		unbias := func(v *array.Array, beta float64) *array.Array {
			b := array.Of(scalar(step.DType(), beta))
			return v.Div(b.Pow(step).Neg().Add(1.0))
		}
		denominator := primitive.Sqrt(unbias(second, beta2)).Add(eps)
		update := unbias(first, beta1).Div(denominator)
		if decay != 0 {
			update = update.Add(x.Mul(decay))
		}
		return x.Sub(update.Mul(learningRate)), []*array.Array{first, second}
	}}
}

func scalar(d array.DType, v float64) *array.Buffer {
	b := array.NewBuffer(d, nil)
	b.SetFloat(0, v)
	return b
}
