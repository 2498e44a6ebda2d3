package cpu

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pantograph-go/pantograph/lower/hlo"
)

// foreignCall adds a custom call. One without an effect is a function of its operands like any other operation, and its
// handler may be slow: it is made once where another call is the same, and before a loop that does not change its operands.
func (b *builder) foreignCall(op *hlo.Op) error {
	in, err := b.operands(op)
	if err != nil {
		return err
	}
	if flag(op, "has_side_effect") {
		_, err = b.nodeOn(op, ruleOf(op.Name), in)
		return err
	}
	in = slices.Clone(in)
	for i, v := range in {
		for b.invariant[v] != nil {
			v = b.invariant[v]
		}
		in[i] = v
	}
	home := *b
	for home.region.inLoop() && !slices.ContainsFunc(in, func(v *value) bool { return v.store.region == home.region }) {
		home.region = home.region.owner.within
	}
	key := callKey(op, in)
	for _, n := range b.foreign[key] {
		if n.within.around(home.region) {
			return b.bind(op, n.out)
		}
	}
	n, err := home.nodeOn(op, ruleOf(op.Name), in)
	if err == nil {
		b.foreign[key] = append(b.foreign[key], n)
	}
	return err
}

// callKey is equal for calls of one target on the same values in the same way.
func callKey(op *hlo.Op, in []*value) string {
	var b strings.Builder
	b.WriteString(hlo.AttrString(hlo.Dict(op.Attrs)))
	for _, v := range in {
		fmt.Fprintf(&b, " %p", v)
	}
	for _, r := range op.Results {
		b.WriteString(" " + r.Type.String())
	}
	return b.String()
}

// passedOn notes the parameters of a loop's body that every round passes on as they are.
func (b *builder) passedOn(loop *node, blk *hlo.Block) {
	next, at := blk.Terminator().Operands, 0
	for k, a := range blk.Args {
		for _, v := range b.env[a] {
			if k < len(next) && next[k] == a && at < len(loop.in) {
				b.invariant[v] = loop.in[at]
			}
			at++
		}
	}
}

// inLoop reports that r is computed once a round of a loop.
func (r *region) inLoop() bool { return r.owner != nil && r.owner.rule.carries }

// around reports that s is r or lies in it.
func (r *region) around(s *region) bool {
	for s != r && s.owner != nil {
		s = s.owner.within
	}
	return s == r
}
