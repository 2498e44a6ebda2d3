package cpu

import "github.com/pantograph-go/pantograph/lower/hlo"

// This file runs elementwise nodes that follow each other together: a block of elements goes through all of them while it is in
// the cache, and the work is split over processors once. Every element is computed as it is without fusion.

const (
	fuseLeast = 4096 // elements from which fusing pays
	fuseBlock = 2048 // elements that go through all nodes at a time
	fuseMost  = 64   // nodes in a group: what they do to memory is compared pairwise
)

// ranged computes elements lo to hi of an elementwise node.
type ranged func(f *frame, lo, hi int)

// group is a run of nodes that can be fused.
type group struct {
	n      int // elements of each
	nodes  []*node
	steps  block
	read   []*value
	wrote  []*value
	fusing bool
}

// admits reports that node n can join: its memory is that of the others element by element, or no part of it.
func (g *group) admits(n *node) bool {
	if !g.fusing || n.ranged == nil || !n.rule.elementwise || n.out[0].ref().n < fuseLeast || len(g.nodes) == fuseMost {
		return false
	}
	if len(g.nodes) == 0 {
		return true
	}
	if n.out[0].ref().n != g.n {
		return false
	}
	for _, w := range g.wrote {
		for _, v := range n.in {
			if clashes(v, w) {
				return false
			}
		}
		if clashes(n.out[0], w) {
			return false
		}
	}
	for _, v := range g.read {
		if clashes(v, n.out[0]) {
			return false
		}
	}
	return true
}

func (g *group) add(n *node, s step) {
	g.n = n.out[0].ref().n
	g.nodes, g.steps = append(g.nodes, n), append(g.steps, s)
	g.read, g.wrote = append(g.read, n.in...), append(g.wrote, n.out[0])
}

// flush appends the steps of the group to b and empties it.
func (g *group) flush(b block) block {
	if len(g.nodes) < 2 {
		b = append(b, g.steps...)
	} else {
		b = append(b, step{fusedRun(g.nodes, g.n), opOf(g.nodes)})
	}
	*g = group{fusing: g.fusing}
	return b
}

// opOf is the operation that stands for a group in messages: the last.
func opOf(nodes []*node) *hlo.Op { return nodes[len(nodes)-1].op }

// clashes reports that u and w share memory in another way than element by element.
func clashes(u, w *value) bool {
	a, b := u.store.root(), w.store.root()
	if a == b {
		return u.ref().n != w.ref().n || u.dtype.Size() != w.dtype.Size()
	}
	return a.kind == temporary && b.kind == temporary && a.offset < b.offset+b.size && b.offset < a.offset+a.size
}

// fusedRun runs nodes of n elements each, block by block.
func fusedRun(nodes []*node, n int) run {
	list := make([]ranged, len(nodes))
	for i, m := range nodes {
		list[i] = m.ranged
	}
	return func(f *frame) error {
		parallel(n, max(fuseBlock, grain/len(list)), func(lo, hi int) {
			for ; lo < hi; lo += fuseBlock {
				end := min(lo+fuseBlock, hi)
				for _, r := range list {
					r(f, lo, end)
				}
			}
		})
		return nil
	}
}
