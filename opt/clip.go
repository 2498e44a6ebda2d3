package opt

import (
	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/np"
)

// GlobalNorm is the Euclidean norm of all arrays of a tree together, a scalar of their common dtype; 0 for an empty tree.
func GlobalNorm(tree any) *array.Array {
	leaves, _ := flatten("GlobalNorm", tree)
	return norm(leaves)
}

func norm(leaves []*array.Array) *array.Array {
	if len(leaves) == 0 {
		return np.Zeros(nil)
	}
	var sum *array.Array
	for _, x := range leaves {
		a := x.Abs()
		s := a.Mul(a).Sum()
		if sum != nil {
			s = sum.Add(s)
		}
		sum = s
	}
	return np.Sqrt(sum)
}

// ClipByGlobalNorm scales all arrays of a tree of gradients by one number so that their norm together is at most most
// (Pascanu et al., arXiv:1211.5063). The result has the Go type of grads. Gradients that are not finite stay so.
func ClipByGlobalNorm(grads any, most float64) any {
	leaves, tree := flatten("ClipByGlobalNorm", grads)
	n := norm(leaves)
	out := make([]*array.Array, len(leaves))
	for i, g := range leaves {
		scaled := g.Div(n.AsType(g.DType().Real())).Mul(most)
		out[i] = np.Where(n.LessEqual(most), g, scaled)
	}
	return rebuilt("ClipByGlobalNorm", tree, out)
}

// Clip limits every element of a tree of gradients to [-most, most]. The result has the Go type of grads.
func Clip(grads any, most float64) any {
	leaves, tree := flatten("Clip", grads)
	out := make([]*array.Array, len(leaves))
	for i, g := range leaves {
		out[i] = np.Clip(g, -most, most)
	}
	return rebuilt("Clip", tree, out)
}

// Clipped is an optimiser that clips gradients by their global norm first.
func Clipped(o Optimizer, most float64) Optimizer { return clipped{o, most} }

type clipped struct {
	Optimizer
	most float64
}

func (c clipped) Update(params, grads any, s State) (any, State) {
	return c.Optimizer.Update(params, ClipByGlobalNorm(grads, c.most), s)
}
