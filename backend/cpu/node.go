package cpu

import (
	"strings"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/backend"
	"github.com/pantograph-go/pantograph/lower/hlo"
)

// node adds an operation that runs: a node with its operands, results and regions.
func (b *builder) node(op *hlo.Op) error {
	r := ruleOf(op.Name)
	if r.emit == nil {
		return &backend.Unsupported{Feature: op.Name}
	}
	in, err := b.operands(op)
	if err != nil {
		return err
	}
	_, err = b.nodeOn(op, r, in)
	return err
}

// nodeOn is node with the operands given.
func (b *builder) nodeOn(op *hlo.Op, r rule, in []*value) (*node, error) {
	if len(in) < r.operands {
		return nil, array.ArgumentErrorf("takes %d operands, got %d", r.operands, len(in))
	}
	n := &node{op: op, rule: r, within: b.region}
	var err error
	if r.elementwise {
		err = b.elementwiseNode(n, in)
	} else {
		err = b.ordinaryNode(n, in)
	}
	if err != nil {
		return nil, err
	}
	b.region.nodes = append(b.region.nodes, n)
	return n, b.bind(op, n.out)
}

// elementwiseNode fills in a node that computes element i of its result from element i of its operands. Operands with
// one element stand for all; where every operand has one value for all elements, so has the result.
func (b *builder) elementwiseNode(n *node, in []*value) error {
	if len(n.op.Results) != 1 {
		return array.ArgumentErrorf("has %d results, not 1", len(n.op.Results))
	}
	out, err := shapedAs(n.op.Results[0].Tensor())
	if err != nil {
		return err
	}
	if b.region.lanes > 1 && len(out.shape) == 0 {
		out.shape, out.n = array.Shape{b.region.lanes}, b.region.lanes
	}
	out.uniform = out.n > 1
	for _, v := range in {
		if v.n != out.n && v.n != 1 {
			return array.ShapeErrorf("operand of shape %s, result of shape %s", v.shape, out.shape)
		}
		out.uniform = out.uniform && v.scalar()
	}
	for _, v := range in {
		if v.n != out.n {
			v = &value{shape: out.shape, dtype: v.dtype, n: out.n, uniform: true, store: v.store}
		}
		n.in = append(n.in, v)
	}
	b.give(out)
	n.out = []*value{out}
	return nil
}

// ordinaryNode fills in any other node. Its operands have all their elements in memory.
func (b *builder) ordinaryNode(n *node, in []*value) error {
	for _, v := range in {
		v, err := b.full(v)
		if err != nil {
			return err
		}
		n.in = append(n.in, v)
	}
	for _, r := range n.op.Results {
		vs, err := b.make(r.Type)
		if err != nil {
			return err
		}
		n.out = append(n.out, vs...)
	}
	for i, hr := range n.op.Regions {
		if len(hr.Blocks) != 1 {
			return &backend.Unsupported{Feature: "regions of several blocks"}
		}
		if name := directBody(hr); n.rule.direct && name != "" && (name != "update" || n.rule.update) {
			continue
		}
		r, err := b.subRegion(n, i, hr.Block())
		if err != nil {
			return err
		}
		n.regions = append(n.regions, r)
	}
	if n.rule.temps == nil {
		return nil
	}
	sizes, err := n.rule.temps(b.compiler, n)
	for _, size := range sizes {
		if size > maxBytes {
			return array.ShapeErrorf("needs %d bytes of temporary memory, more than the limit of %d GiB", size, maxBytes>>30)
		}
		v := &value{shape: array.Shape{size}, dtype: array.Uint8, n: size}
		b.give(v)
		n.temps = append(n.temps, v)
	}
	return err
}

// subRegion builds the region of a node. Its values are computed one by one, or several lanes at once where the node
// can use that and the computation is elementwise.
func (b *builder) subRegion(n *node, i int, blk *hlo.Block) (*region, error) {
	r := &region{owner: n, lanes: 1}
	if n.rule.lanes != nil && b.elementwise(blk) {
		r.lanes = max(1, n.rule.lanes(n, i))
	}
	inner := &builder{b.compiler, r, b.env, b.depth}
	for _, a := range blk.Args {
		vs, err := inner.define(a)
		if err != nil {
			return nil, err
		}
		r.args = append(r.args, vs...)
	}
	if n.rule.carries && i == 1 {
		b.passedOn(n, blk)
	}
	out, err := inner.block(blk)
	if err != nil {
		return nil, err
	}
	for i, v := range out {
		if v, err = inner.full(v); err != nil {
			return nil, err
		}
		if r.lanes > 1 && v.n == 1 { // a scalar captured from outside
			v = inner.fill(&value{shape: array.Shape{r.lanes}, dtype: v.dtype, n: r.lanes, uniform: true, store: v.store})
		}
		out[i] = v
	}
	r.results = out
	return r, nil
}

// full returns v with all elements in memory.
func (b *builder) full(v *value) (*value, error) {
	if !v.uniform {
		return v, nil
	}
	return b.fill(v), nil
}

// fill adds a node that writes the one element of v to all places.
func (b *builder) fill(v *value) *value {
	out := &value{shape: v.shape, dtype: v.dtype, n: v.n}
	b.give(out)
	b.region.nodes = append(b.region.nodes, &node{rule: rule{emit: emitFill}, in: []*value{v}, out: []*value{out}, within: b.region})
	return out
}

// elementwise reports that every operation of blk works element by element on scalars, so that running it on arrays
// is running it on each of their elements.
func (b *builder) elementwise(blk *hlo.Block) bool {
	for _, op := range blk.Ops {
		for _, r := range op.Results {
			if t, ok := r.Type.(hlo.Tensor); !ok || len(t.Shape) != 0 {
				return false
			}
		}
		switch {
		case isTerminator(op.Name), op.Name == "stablehlo.constant", op.Name == "stablehlo.reshape", op.Name == "stablehlo.optimization_barrier":
		case op.Name == "func.call" || op.Name == "call":
			f := b.mod.Func(symbol(op, "callee"))
			if f == nil || f.Body == nil || len(b.inlining) > maxDepth || !b.elementwiseCall(f) {
				return false
			}
		default:
			if !ruleOf(op.Name).elementwise {
				return false
			}
		}
	}
	return true
}

func (b *builder) elementwiseCall(f *hlo.Func) bool {
	b.inlining = append(b.inlining, f.Name)
	defer func() { b.inlining = b.inlining[:len(b.inlining)-1] }()
	return b.elementwise(f.Body.Block())
}

// inlineMap runs the computation of a map on whole arrays: each of its scalars becomes an array of the map's shape.
func (b *builder) inlineMap(op *hlo.Op) error {
	in, err := b.operands(op)
	if err != nil {
		return err
	}
	out, err := shapedAs(op.Results[0].Tensor())
	if err != nil {
		return err
	}
	if out.n <= 1 || b.region.lanes > 1 {
		return b.node(op)
	}
	blk := op.Regions[0].Block()
	for i, a := range blk.Args {
		b.env[a] = []*value{in[i]}
	}
	var res []*value
	if err := b.onLanes(out.n, func() (err error) { res, err = b.block(blk); return err }); err != nil {
		return err
	}
	for i, v := range res {
		res[i] = &value{shape: out.shape, dtype: v.dtype, n: out.n, uniform: v.scalar(), store: v.store}
	}
	return b.bind(op, res)
}

// onLanes builds operations on scalars as operations on n elements.
func (b *builder) onLanes(n int, build func() error) error {
	b.region.lanes = n
	defer func() { b.region.lanes = 1 }()
	return build()
}

// directBody is the name of the operation where a computation of two scalars is that one operation on them, such as
// stablehlo.add, or "update" where it is its second argument; else the empty string.
func directBody(r *hlo.Region) string {
	blk := r.Block()
	if len(blk.Args) != 2 || len(blk.Ops) == 0 {
		return ""
	}
	ret := blk.Terminator()
	if len(ret.Operands) != 1 {
		return ""
	}
	if len(blk.Ops) == 1 && ret.Operands[0] == blk.Args[1] {
		return "update"
	}
	op := blk.Ops[0]
	if len(blk.Ops) != 2 || len(op.Operands) != 2 || len(op.Results) != 1 || ret.Operands[0] != op.Results[0] {
		return ""
	}
	x, y := blk.Args[0], blk.Args[1]
	if !(op.Operands[0] == x && op.Operands[1] == y || op.Operands[0] == y && op.Operands[1] == x) {
		return ""
	}
	switch name := strings.TrimPrefix(op.Name, "stablehlo."); name {
	case "add", "multiply", "maximum", "minimum", "and", "or", "xor":
		if op.Results[0].Tensor().Elem != x.Tensor().Elem {
			return ""
		}
		return op.Name
	}
	return ""
}
