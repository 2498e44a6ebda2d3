package cpu

import (
	"context"
	"math/bits"
	"slices"
	"strings"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/backend"
	"github.com/pantograph-go/pantograph/lower/hlo"
)

// Limits that keep a hostile or mistaken module from exhausting the machine at compile time.
const (
	maxBytes = 1 << 36 // of one tensor, and of the arena
	maxNodes = 1 << 22 // operations after inlining
	maxDepth = 256     // calls and regions inside one another
)

// compiler holds what is known of a module while its plan is being made. It is owned by one Compile.
type compiler struct {
	mod      *hlo.Module
	opts     backend.Options
	main     *region
	storages []*storage
	nodes    int
	fusing   bool     // elementwise nodes run together
	tiled    bool     // products of floats run on the kernels of this processor
	inlining []string // the functions being inlined, outermost first

	invariant map[*value]*value  // parameters of loop bodies that every round passes on: what the loop begins with
	foreign   map[string][]*node // custom calls without effect, by what they compute
	sites     int                // custom calls emitted
	instances []backend.Instance // of their handlers
	ctx       context.Context    // of the compilation
}

// builder adds the operations of one function, or of one region of it, to a region of the plan.
type builder struct {
	*compiler
	region *region
	env    map[*hlo.Value][]*value // tuples are flattened; a token is a value without elements
	depth  int
}

// build reads the function main into c.main.
func (c *compiler) build() error {
	f := c.mod.Func("main")
	if f == nil && len(c.mod.Funcs) == 1 {
		f = c.mod.Funcs[0]
	}
	if f == nil || f.Body == nil {
		return array.ArgumentErrorf("module %q has no function main", c.mod.Name)
	}
	c.main = &region{lanes: 1}
	b := &builder{compiler: c, region: c.main, env: map[*hlo.Value][]*value{}}
	for _, a := range f.Args() {
		vs, err := b.define(a)
		if err != nil {
			return err
		}
		for _, v := range vs {
			v.store.kind, v.store.readOnly = argument, true
			if slices.Contains(c.opts.Donate, len(c.main.args)) {
				v.store.readOnly = false
			}
			c.main.args = append(c.main.args, v)
		}
	}
	out, err := b.block(f.Body.Block())
	if err != nil {
		return err
	}
	for i, v := range out {
		if out[i], err = b.full(v); err != nil {
			return err
		}
	}
	c.main.results = out
	return nil
}

// block adds the operations of blk and returns what its terminator passes on.
func (b *builder) block(blk *hlo.Block) ([]*value, error) {
	if b.depth++; b.depth > maxDepth {
		return nil, array.ArgumentErrorf("functions and regions are nested more than %d deep", maxDepth)
	}
	defer func() { b.depth-- }()
	for _, op := range blk.Ops {
		if isTerminator(op.Name) {
			return b.operands(op)
		}
		if err := b.op(op); err != nil {
			return nil, located(op, err)
		}
	}
	return nil, array.ArgumentErrorf("a block has no terminator")
}

func isTerminator(name string) bool {
	return name == "func.return" || name == "stablehlo.return" || name == "return"
}

// operands looks up the values of all operands, tuples flattened.
func (b *builder) operands(op *hlo.Op) ([]*value, error) {
	var in []*value
	for i, o := range op.Operands {
		vs, ok := b.env[o]
		if !ok {
			return nil, array.ArgumentErrorf("operand %d of %s is used before it is defined", i, op.Name)
		}
		in = append(in, vs...)
	}
	return in, nil
}

// define makes the values of an operation's result or of a parameter, with storage of their own.
func (b *builder) define(h *hlo.Value) ([]*value, error) {
	vs, err := b.make(h.Type)
	if err == nil {
		b.env[h] = vs
	}
	return vs, err
}

func (b *builder) make(t hlo.Type) ([]*value, error) {
	switch t := t.(type) {
	case hlo.Tensor:
		v, err := b.value(t)
		if err != nil {
			return nil, err
		}
		return []*value{v}, nil
	case hlo.Tuple:
		var vs []*value
		for _, e := range t.Elems {
			more, err := b.make(e)
			if err != nil {
				return nil, err
			}
			vs = append(vs, more...)
		}
		return vs, nil
	case hlo.Token:
		v := &value{dtype: array.Token}
		b.give(v)
		return []*value{v}, nil
	}
	return nil, &backend.Unsupported{Feature: "type " + t.String()}
}

// value makes a value of a tensor type with a storage of its own.
func (b *builder) value(t hlo.Tensor) (*value, error) {
	v, err := shapedAs(t)
	if err != nil {
		return nil, err
	}
	if b.region.lanes > 1 && len(t.Shape) == 0 {
		v.shape, v.n = array.Shape{b.region.lanes}, b.region.lanes
	}
	b.give(v)
	return v, nil
}

// give puts v into a new storage.
func (b *builder) give(v *value) {
	v.store = &storage{size: v.size(), region: b.region}
	b.storages = append(b.storages, v.store)
}

// shapedAs checks that the engine can hold a tensor and returns a value without storage.
func shapedAs(t hlo.Tensor) (*value, error) {
	switch {
	case t.Quant != nil:
		return nil, &backend.Unsupported{Feature: "quantized types"}
	case !t.IsStatic():
		return nil, &backend.Unsupported{Feature: "dynamic shapes"}
	case t.Elem.Size() == 0:
		return nil, &backend.Unsupported{Feature: "element type " + t.Elem.String()}
	}
	if _, bounded := t.Encoding.(hlo.Bounds); bounded {
		return nil, &backend.Unsupported{Feature: "bounded dynamic shapes"}
	}
	size := uint64(t.Elem.Size())
	empty := slices.Contains(t.Shape, 0)
	for _, d := range t.Shape {
		hi, lo := bits.Mul64(size, uint64(d))
		if !empty && (hi != 0 || lo > maxBytes) || d > maxBytes {
			return nil, array.ShapeErrorf("%s takes more than the %d GiB that one array may have", t, maxBytes>>30)
		}
		if !empty {
			size = lo
		}
	}
	return &value{shape: t.Shape, dtype: t.Elem, n: t.Shape.Size()}, nil
}

// op adds one operation.
func (b *builder) op(op *hlo.Op) error {
	if b.nodes++; b.nodes > maxNodes {
		return array.ArgumentErrorf("the program has more than %d operations after inlining", maxNodes)
	}
	switch op.Name {
	case "stablehlo.constant":
		return b.constant(op)
	case "func.call", "call":
		return b.call(op, "callee")
	case "stablehlo.composite":
		return b.composite(op)
	case "stablehlo.tuple", "stablehlo.optimization_barrier":
		return b.forward(op)
	case "stablehlo.after_all", "stablehlo.create_token":
		_, err := b.define(op.Results[0])
		return err
	case "stablehlo.get_tuple_element":
		return b.tupleElement(op)
	case "stablehlo.reshape":
		return b.reinterpret(op)
	case "stablehlo.bitcast_convert":
		from, to := op.Operands[0].Tensor().Elem, op.Results[0].Tensor().Elem
		if from == to || plainBits(from) && plainBits(to) {
			return b.reinterpret(op)
		}
	case "stablehlo.convert":
		from, to := op.Operands[0].Tensor(), op.Results[0].Tensor()
		switch {
		case from.Elem == to.Elem:
			return b.reinterpret(op)
		case from.Elem.IsComplex() && !to.Elem.IsComplex() && to.Elem != from.Elem.Real():
			return b.convertReal(op, from)
		}
	case "stablehlo.broadcast_in_dim":
		if ok, err := b.uniform(op); ok || err != nil {
			return err
		}
	case "stablehlo.map":
		if b.elementwise(op.Regions[0].Block()) {
			return b.inlineMap(op)
		}
	case "stablehlo.sort":
		if ok, err := b.keyedSort(op); ok || err != nil {
			return err
		}
	case "stablehlo.custom_call":
		if passesThrough[str(op, "call_target_name")] {
			return b.forward(op)
		}
		return b.foreignCall(op)
	}
	return b.node(op)
}

// plainBits reports types that fill their bytes, so that any bits are an element.
func plainBits(d array.DType) bool { return d.Bits() == 8*d.Size() }

// convertReal converts the real parts of complex numbers.
func (b *builder) convertReal(op *hlo.Op, from hlo.Tensor) error {
	part := &hlo.Op{Name: "stablehlo.real", Operands: op.Operands, Loc: op.Loc}
	part.Results = []*hlo.Value{{Type: from.With(from.Elem.Real()), Def: part}}
	if err := b.node(part); err != nil {
		return err
	}
	return b.node(&hlo.Op{Name: op.Name, Operands: part.Results, Results: op.Results, Loc: op.Loc})
}

// constant puts the elements into the plan.
func (b *builder) constant(op *hlo.Op) error {
	d, ok := op.Attr("value").(*hlo.Dense)
	if !ok {
		return &backend.Unsupported{Feature: "constants other than dense"}
	}
	t := op.Results[0].Tensor()
	v, err := shapedAs(t)
	if err != nil {
		return err
	}
	v.uniform = d.Splat && v.n != 1
	if b.region.lanes > 1 && len(t.Shape) == 0 {
		v.shape, v.n, v.uniform = array.Shape{b.region.lanes}, b.region.lanes, true
	}
	if v.n == 0 {
		v.uniform = false
	}
	b.give(v)
	v.store.kind, v.store.readOnly = constant, true
	if v.store.data = d.Data.Bytes(); len(v.store.data) < v.store.size {
		return array.ArgumentErrorf("a constant of type %s holds %d bytes, needs %d", t, len(v.store.data), v.store.size)
	}
	b.env[op.Results[0]] = []*value{v}
	return nil
}

// call inlines a function. StableHLO has no recursion.
func (b *builder) call(op *hlo.Op, attr string) error {
	name := symbol(op, attr)
	f := b.mod.Func(name)
	if f == nil || f.Body == nil {
		return array.ArgumentErrorf("function @%s is not defined in the module", name)
	}
	if slices.Contains(b.inlining, name) {
		return array.ArgumentErrorf("function @%s calls itself", name)
	}
	if len(f.Args()) != len(op.Operands) {
		return array.ArgumentErrorf("@%s takes %d operands, got %d", name, len(f.Args()), len(op.Operands))
	}
	b.inlining = append(b.inlining, name)
	defer func() { b.inlining = b.inlining[:len(b.inlining)-1] }()
	inner := &builder{b.compiler, b.region, map[*hlo.Value][]*value{}, b.depth}
	for i, a := range f.Args() {
		inner.env[a] = b.env[op.Operands[i]]
	}
	out, err := inner.block(f.Body.Block())
	if err != nil {
		return err
	}
	return b.bind(op, out)
}

// composite runs the operation that the composite is named after where the engine has it, else its decomposition.
func (b *builder) composite(op *hlo.Op) error {
	name := str(op, "name")
	if strings.HasPrefix(name, "chlo.") && ruleOf(name).emit != nil && len(op.Results) == 1 {
		d, _ := op.Attr("composite_attributes").(hlo.Dict)
		return b.node(&hlo.Op{Name: name, Operands: op.Operands, Results: op.Results, Attrs: hlo.Attrs(d), Loc: op.Loc})
	}
	return b.call(op, "decomposition")
}

// bind distributes values over the results of op.
func (b *builder) bind(op *hlo.Op, out []*value) error {
	for _, r := range op.Results {
		n := leaves(r.Type)
		if n > len(out) {
			return array.ArgumentErrorf("%s yields fewer values than it has results", op.Name)
		}
		b.env[r] = out[:n:n]
		out = out[n:]
	}
	return nil
}

// leaves is the number of tensors in a type.
func leaves(t hlo.Type) int {
	switch t := t.(type) {
	case hlo.Tensor, hlo.Token:
		return 1
	case hlo.Tuple:
		n := 0
		for _, e := range t.Elems {
			n += leaves(e)
		}
		return n
	}
	return 0
}

// forward makes the results the operands themselves.
func (b *builder) forward(op *hlo.Op) error {
	in, err := b.operands(op)
	if err != nil {
		return err
	}
	return b.bind(op, in)
}

func (b *builder) tupleElement(op *hlo.Op) error {
	in, err := b.operands(op)
	if err != nil {
		return err
	}
	t, ok := op.Operands[0].Type.(hlo.Tuple)
	index := num(op, "index", 0)
	if !ok || index < 0 || index >= len(t.Elems) {
		return array.ArgumentErrorf("element %d of %s", index, op.Operands[0].Type)
	}
	at := 0
	for _, e := range t.Elems[:index] {
		at += leaves(e)
	}
	return b.bind(op, in[at:at+leaves(t.Elems[index])])
}

// reinterpret makes the result the bytes of the operand under another shape or element type.
func (b *builder) reinterpret(op *hlo.Op) error {
	in, err := b.operands(op)
	if err != nil {
		return err
	}
	v, err := shapedAs(op.Results[0].Tensor())
	if err != nil {
		return err
	}
	if b.region.lanes > 1 && len(v.shape) == 0 {
		v.shape, v.n = array.Shape{b.region.lanes}, b.region.lanes
	}
	x := in[0]
	switch {
	case b.region.lanes > 1 && x.n == 1: // a scalar from outside
		v.uniform = v.n > 1
	case v.n*v.dtype.Size() != x.n*x.dtype.Size():
		return array.ShapeErrorf("%s%s has other bytes than %s%s", v.dtype.Short(), v.shape, x.dtype.Short(), x.shape)
	case x.uniform && v.n == x.n:
		v.uniform = true
	default:
		if x, err = b.full(x); err != nil {
			return err
		}
	}
	v.store = x.store
	b.env[op.Results[0]] = []*value{v}
	return nil
}

// uniform makes the result of a broadcast of one element share its storage.
func (b *builder) uniform(op *hlo.Op) (bool, error) {
	in, err := b.operands(op)
	if err != nil {
		return false, err
	}
	v, err := shapedAs(op.Results[0].Tensor())
	if err != nil || !in[0].scalar() || v.n == 0 || b.region.lanes > 1 {
		return false, err
	}
	v.store, v.uniform = in[0].store, v.n > 1
	b.env[op.Results[0]] = []*value{v}
	return true, nil
}

// passesThrough are the custom calls that only say where a value should live; on one device they do nothing.
var passesThrough = map[string]bool{
	"Sharding": true, "SPMDFullToShardShape": true, "SPMDShardToFullShape": true, "annotate_device_placement": true,
	"LayoutConstraint": true, "MoveToHost": true, "MoveToDevice": true, "xla.sdy.FuncResultSharding": true,
}
