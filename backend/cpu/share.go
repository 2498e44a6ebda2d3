package cpu

import "github.com/pantograph-go/pantograph/lower/hlo"

// share lets the results of r's nodes take over the memory of operands that nothing reads afterwards, and lets the
// values that a loop carries and the results of branches be computed where they are needed.
func share(r *region) {
	for _, n := range r.nodes {
		switch {
		case n.rule.over != nil:
			for k, i := range n.rule.over(n) {
				overwrite(n, i, k)
			}
		case n.rule.elementwise:
			overwriteAny(n)
		}
		for _, sub := range n.regions {
			if n.rule.keepArgs || n.rule.carries && sub == n.regions[0] {
				for _, v := range sub.args { // a condition leaves the carried values as they are
					v.store.readOnly = true
				}
			}
			share(sub)
		}
		switch {
		case n.rule.carries:
			carry(n)
		case n.rule.branches:
			for _, sub := range n.regions {
				for k, v := range sub.results {
					settle(sub, v.store.root(), n.out[k].store.root())
				}
			}
		}
	}
}

// dies reports that storage s, read by n, may be written by n: it belongs to the region, and nothing reads it later, nor
// do n's own regions.
func dies(n *node, s *storage) bool {
	return s.region == n.within && !s.readOnly && s.last <= n.pos && (s.kind == temporary || s.kind == argument)
}

// overwriteAny gives the result of an elementwise node the memory of one of its operands.
func overwriteAny(n *node) {
	out := n.out[0]
	for _, v := range n.in {
		if s := v.store.root(); dies(n, s) && s.size == out.store.size && v.dtype.Size() == out.dtype.Size() {
			takeOver(out, s)
			return
		}
	}
}

// overwrite gives result k of n the memory of operand i, unless another operand lies in it too.
func overwrite(n *node, i, k int) {
	if i < 0 {
		return
	}
	s := n.in[i].store.root()
	if !dies(n, s) || s.size != n.out[k].store.size {
		return
	}
	for j, v := range n.in {
		if j != i && v.store.root() == s {
			return
		}
	}
	takeOver(n.out[k], s)
}

func takeOver(out *value, s *storage) {
	out.store.in = s
	s.last = max(s.last, out.store.last)
	s.hold = max(s.hold, out.store.hold)
}

// carry puts the parameters of a loop's condition and body into the memory of the loop's results, which hold the carried values,
// and the results of the body too where the old value is not read any more when the new one is written.
func carry(n *node) {
	cond, body := n.regions[0], n.regions[1]
	for k, out := range n.out {
		w := out.store.root()
		arg := body.args[k].store
		lastRead := arg.last
		if res := body.results[k].store.root(); res.def > lastRead {
			settle(body, res, w)
		}
		arg.in = w
		cond.args[k].store.in = w
	}
}

// settle puts a result of a region into the memory where the region's owner wants it, if it has memory of its own.
func settle(r *region, res, want *storage) {
	if res.region != r || res.kind != temporary || res.in != nil || res == want || res.size != want.size {
		return
	}
	for _, v := range r.args {
		if v.store.root() == res {
			return
		}
	}
	res.in = want
}

// deliver gives the results of the program memory that the caller can keep.
func (c *compiler) deliver() {
	r := c.main
	taken := map[*storage]bool{}
	for i, v := range r.results {
		s := v.store.root()
		if taken[s] || s.kind == constant || s.kind == argument && s.readOnly {
			out := &value{shape: v.shape, dtype: v.dtype, n: v.n}
			out.store = &storage{size: v.size(), region: r, def: r.end, last: r.end}
			c.storages = append(c.storages, out.store)
			r.nodes = append(r.nodes, &node{op: &hlo.Op{Name: "func.return"}, rule: rule{emit: emitCopy}, in: []*value{v}, out: []*value{out}, within: r, pos: r.end, end: r.end})
			r.results[i], s = out, out.store
		}
		taken[s] = true
		if s.kind == temporary {
			s.kind = result
		}
	}
}
