package cpu

import "github.com/pantograph-go/pantograph/array"

// emitWhile emits stablehlo.while. The carried values lie in the memory of the results; the planner has put the
// parameters of condition and body there, and the body's results where it could.
func emitWhile(_ *compiler, n *node) (run, error) {
	cond, body := n.regions[0], n.regions[1]
	k := len(n.out)
	if len(n.in) != k || len(body.args) != k || len(body.results) != k || len(cond.args) != k || len(cond.results) != 1 || cond.results[0].dtype != array.Bool {
		return nil, array.ArgumentErrorf("carries %d values, condition takes %d, body takes %d and yields %d", len(n.in), len(cond.args), len(body.args), len(body.results))
	}
	carried, init, next := make([]ref, k), make([]ref, k), make([]ref, k)
	sizes := make([]int, k)
	for i, v := range n.out {
		if n.in[i].size() != v.size() || body.results[i].size() != v.size() {
			return nil, array.ShapeErrorf("value %d of the loop changes its type", i)
		}
		carried[i], init[i], next[i], sizes[i] = v.ref(), n.in[i].ref(), body.results[i].ref(), v.size()
	}
	enter, again := movesOf(carried, init, sizes), movesOf(carried, next, sizes)
	test, condSteps, bodySteps := cond.results[0].ref(), n.blocks[0], n.blocks[1]
	return func(f *frame) error {
		enter.run(f)
		for {
			if err := f.cancelled(); err != nil {
				return err
			}
			if err := f.run(condSteps); err != nil {
				return err
			}
			if elems[uint8](f, test)[0] == 0 {
				return nil
			}
			if err := f.run(bodySteps); err != nil {
				return err
			}
			again.run(f)
		}
	}, nil
}

// emitCase emits stablehlo.case and stablehlo.if. An index out of range takes the last branch; true takes the first
// branch of an if.
func emitCase(_ *compiler, n *node) (run, error) {
	leave := make([]moves, len(n.regions))
	for b, r := range n.regions {
		if len(r.results) != len(n.out) {
			return nil, array.ArgumentErrorf("branch %d yields %d values, the operation has %d results", b, len(r.results), len(n.out))
		}
		var dst, src []ref
		var sizes []int
		for i, v := range n.out {
			if r.results[i].size() != v.size() {
				return nil, array.ShapeErrorf("result %d of branch %d has another type", i, b)
			}
			dst, src, sizes = append(dst, v.ref()), append(src, r.results[i].ref()), append(sizes, v.size())
		}
		leave[b] = movesOf(dst, src, sizes)
	}
	if len(n.regions) == 0 {
		return nil, array.ArgumentErrorf("has no branches")
	}
	which, last := indexOf(n.in[0]), len(n.regions)-1
	isIf := n.in[0].dtype == array.Bool
	return func(f *frame) error {
		b := which.at(f, 0)
		if isIf {
			b = 1 - b
		} else if b < 0 || b > last {
			b = last
		}
		if err := f.run(n.blocks[b]); err != nil {
			return err
		}
		leave[b].run(f)
		return nil
	}, nil
}
