package cpu

// prune drops the nodes whose results nothing reads and that have no effect of their own.
func (c *compiler) prune() {
	used := map[*storage]bool{}
	for _, v := range c.main.results {
		used[v.store] = true
	}
	pruneRegion(c.main, used)
}

// pruneRegion goes through r backwards; used holds the storages that something later reads.
func pruneRegion(r *region, used map[*storage]bool) (effect bool) {
	for _, v := range r.results {
		used[v.store] = true
	}
	var kept []*node
	for i := len(r.nodes) - 1; i >= 0; i-- {
		n := r.nodes[i]
		inner := n.rule.effect || n.op != nil && flag(n.op, "has_side_effect")
		needed := false
		for _, v := range n.out {
			needed = needed || used[v.store]
		}
		if !needed && !inner {
			for _, sub := range n.regions {
				inner = hasEffect(sub) || inner
			}
		}
		if !needed && !inner {
			continue
		}
		effect = effect || inner
		for _, sub := range n.regions {
			effect = pruneRegion(sub, used) || effect
		}
		for _, v := range n.in {
			used[v.store] = true
		}
		kept = append(kept, n)
	}
	r.nodes = r.nodes[:0]
	for i := len(kept) - 1; i >= 0; i-- {
		r.nodes = append(r.nodes, kept[i])
	}
	return effect
}

func hasEffect(r *region) bool {
	for _, n := range r.nodes {
		if n.rule.effect || n.op != nil && flag(n.op, "has_side_effect") {
			return true
		}
		for _, sub := range n.regions {
			if hasEffect(sub) {
				return true
			}
		}
	}
	return false
}

// number gives every node its position in execution order.
func number(r *region, pos int) int {
	r.start = pos
	for _, n := range r.nodes {
		pos++
		n.pos = pos
		for _, sub := range n.regions {
			pos = number(sub, pos)
		}
		n.end = pos
	}
	pos++
	r.end = pos
	return pos
}

// liveness finds for each storage the first write and the last read. A value that a region reads from outside is
// needed until the region's owner has ended, for the region may run again.
func liveness(r *region) {
	for _, v := range r.args {
		v.store.def = r.start
	}
	for _, n := range r.nodes {
		for _, v := range n.in {
			read(v, r, n.pos)
			v.store.hold = max(v.store.hold, n.end) // the node may read it while its regions run
		}
		for _, v := range n.out {
			v.store.def = n.pos
			v.store.last = max(v.store.last, n.end)
		}
		for _, v := range n.temps {
			v.store.def, v.store.hold = n.pos, n.end
		}
		for _, sub := range n.regions {
			liveness(sub)
			for _, v := range sub.args {
				// The owner writes them before it runs the region and may keep an accumulator in them.
				v.store.def, v.store.hold = n.pos, n.end
			}
			for _, v := range sub.results {
				if v.store.region == sub {
					v.store.hold = n.end
				}
			}
		}
	}
	for _, v := range r.results {
		read(v, r, r.end)
	}
}

// read notes that region r reads v at position pos.
func read(v *value, r *region, pos int) {
	for s := v.store; s.region != r && r.owner != nil; r = r.owner.within {
		pos = r.owner.end
	}
	v.store.last = max(v.store.last, pos)
}
