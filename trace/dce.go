package trace

import (
	"slices"

	"github.com/pantograph-go/pantograph/primitive"
)

// Pruner is implemented by primitives that can do with fewer results and operands, such as those that hold a jaxpr.
type Pruner interface {
	// Prune returns the primitive that computes the used results, and which of the operands it takes and which of the
	// results it gives: at least the used ones.
	Prune(used []bool) (p primitive.Primitive, in, out []bool)
}

// DCE leaves out what the used outputs do not need: equations without effect, inputs, and results of pruned primitives.
// The jaxpr it returns has the used outputs and those inputs that remain, which the second result marks. Constants all
// stay, for Closed.ConstVals belong to them.
func DCE(j *Jaxpr, usedOutputs []bool) (*Jaxpr, []bool) {
	live := map[*Var]bool{}
	mark := func(atoms []Atom) {
		for _, a := range atoms {
			if v, ok := a.(*Var); ok {
				live[v] = true
			}
		}
	}
	k := &Jaxpr{Consts: j.Consts, Out: keep(j.Out, usedOutputs)}
	mark(k.Out)
	for _, e := range slices.Backward(j.Eqns) {
		used := make([]bool, len(e.Out))
		for i, v := range e.Out {
			used[i] = v != nil && live[v]
		}
		if !slices.Contains(used, true) && EffectOf(e.Prim) == 0 {
			continue
		}
		e = pruned(e, used)
		mark(e.In)
		k.Eqns = append(k.Eqns, e)
	}
	slices.Reverse(k.Eqns)
	usedInputs := make([]bool, len(j.In))
	for i, v := range j.In {
		usedInputs[i] = live[v]
	}
	k.In = keep(j.In, usedInputs)
	return k, usedInputs
}

// pruned is e without the results that are not used, as far as that can be.
func pruned(e *Eqn, used []bool) *Eqn {
	n := *e
	if p, ok := e.Prim.(Pruner); ok && EffectOf(e.Prim) == 0 {
		prim, in, out := p.Prune(used)
		n.Prim, n.In, n.Out, used = prim, keep(e.In, in), keep(e.Out, out), keep(used, out)
	} else if !slices.Contains(used, false) {
		return e
	}
	n.Out = slices.Clone(n.Out)
	for i := range n.Out {
		if !used[i] {
			n.Out[i] = nil
		}
	}
	return &n
}

// keep returns the elements of s that are marked.
func keep[T any](s []T, marked []bool) []T {
	kept := make([]T, 0, len(s))
	for i, x := range s {
		if marked[i] {
			kept = append(kept, x)
		}
	}
	return kept
}
