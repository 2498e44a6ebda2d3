package hlo

import (
	"sort"
	"strings"
)

// The operations of a bytecode file.

// What an operation's mask says to be there.
const (
	hasAttrs      = 1 << iota
	hasResults    // types
	hasOperands   // numbers of values
	hasSuccessors // blocks, which StableHLO does not have
	hasRegions
	hasUseOrders
	hasProperties
)

// valueScope holds the values that can be named by number: those of a region that sees nothing around it, and of the regions
// inside, each of which has its numbers behind those of the region around it.
type valueScope struct {
	values []*Value
	open   int // numbers that are promised and not defined yet
}

// valueRange is where the values of one region have their numbers.
type valueRange struct{ next, end int }

// irReader reads operations; its slabs hold values and operations side by side, for a module has many.
type irReader struct {
	*bytecodeReader
	byName map[string]*vhloOp
	scope  *valueScope
	isFunc bool // the operations read stand in a function, not in a region of an operation
	slab   []Value
	opSlab []Op
	cache  map[attrKey]Attrs
	work   int // discardable attributes that were put together
}

// attrKey is what the attributes of an operation follow from.
type attrKey struct{ name, dict, props uint64 }

const absent = ^uint64(0)

func (r *bytecodeReader) readIR(c cursor) *Module {
	byName, _ := vhloTables()
	ir := &irReader{bytecodeReader: r, byName: byName, cache: map[attrKey]Attrs{}, scope: &valueScope{}}
	at := c
	blk := ir.block(&c, &valueRange{})
	if !c.empty() {
		c.fail("%d bytes are left behind the module", c.left())
	}
	if len(blk.Ops) != 1 || blk.Ops[0].Name != "builtin.module" {
		at.fail("the file is to hold one module")
	}
	m := ir.module(&at, blk.Ops[0])
	m.Resources = r.blobs
	return m
}

// module makes a module of its operation.
func (r *irReader) module(c *cursor, op *Op) *Module {
	m := &Module{Attrs: op.Attrs}
	if s, ok := m.Attrs.Get("sym_name").(String); ok {
		m.Name = s.Value
		m.Attrs = m.Attrs.Set("sym_name", nil)
	}
	if len(op.Regions) != 1 || len(op.Regions[0].Blocks) > 1 {
		c.fail("a module has one region of one block")
	}
	for _, blk := range op.Regions[0].Blocks {
		for _, op := range blk.Ops {
			switch op.Name {
			case "builtin.module":
				m.Nested = append(m.Nested, r.module(c, op))
			case "func.func":
				f, defect := functionOf(op)
				if defect != "" {
					c.fail("%s", defect)
				}
				m.Funcs = append(m.Funcs, f)
			default:
				m.Other = append(m.Other, op)
			}
		}
	}
	return m
}

func (r *irReader) region(c *cursor) *Region {
	out := &Region{}
	n := c.count("blocks")
	if n == 0 {
		return out
	}
	if r.depth++; r.depth > maxDepth {
		c.fail("regions are nested more than %d deep", maxDepth)
	}
	count := c.varint()
	if count > uint64(c.left()-min(r.scope.open, c.left())) {
		c.fail("%d values cannot be defined in the %d bytes that are left", count, c.left())
	}
	s := r.scope
	start := len(s.values)
	vs := &valueRange{start, start + int(count)}
	s.values = append(s.values, make([]*Value, count)...)
	s.open += int(count)
	for range n {
		out.Blocks = append(out.Blocks, r.block(c, vs))
	}
	s.open -= vs.end - vs.next
	s.values = s.values[:start]
	r.depth--
	return out
}

// define gives a value the next number of its region.
func (r *irReader) define(c *cursor, vs *valueRange, v Value) *Value {
	if vs.next >= vs.end {
		c.fail("more values are defined than the region promises")
	}
	if len(r.slab) == 0 {
		r.slab = make([]Value, 128)
	}
	r.slab[0] = v
	out := &r.slab[0]
	r.slab = r.slab[1:]
	r.scope.values[vs.next] = out
	vs.next++
	r.scope.open--
	return out
}

func (r *irReader) block(c *cursor, vs *valueRange) *Block {
	head := c.varint()
	n := head >> 1
	if n > uint64(c.left()) {
		c.fail("%d operations cannot stand in %d bytes", n, c.left())
	}
	blk := &Block{}
	if head&1 != 0 {
		args := c.count("block arguments")
		for i := range args {
			t, located := c.varint(), true
			if r.version >= elidesArgLocations {
				located = t&1 != 0
				t >>= 1
			}
			v := Value{Type: r.typeEntry(c, t).typ, Num: i}
			if located {
				r.loc(c)
			}
			blk.Args = append(blk.Args, r.define(c, vs, v))
		}
		if r.version >= encodesUseOrders && c.byte() != 0 {
			r.useOrders(c, args)
		}
	}
	if n > 0 {
		blk.Ops = make([]*Op, 0, n)
	}
	for range n {
		op := r.op(c, vs)
		if op.Name != castName {
			blk.Ops = append(blk.Ops, op)
		}
	}
	return blk
}

// useOrders passes over the orders in which values list their uses, which this package does not keep.
func (r *irReader) useOrders(c *cursor, values int) {
	n := 1
	if values > 1 {
		n = c.count("orders of uses")
	}
	for range n {
		if values > 1 {
			c.varint()
		}
		head := c.varint()
		if head>>1 > uint64(c.left()) {
			c.fail("an order of %d uses cannot stand in %d bytes", head>>1, c.left())
		}
		for range head >> 1 {
			c.varint()
		}
	}
}

func (r *irReader) op(c *cursor, vs *valueRange) *Op {
	at := *c
	number := c.varint()
	if number >= uint64(len(r.ops)) {
		c.fail("the index %d is behind the %d operation names", number, len(r.ops))
	}
	stored := r.ops[number]
	mask := c.byte()
	if len(r.opSlab) == 0 {
		r.opSlab = make([]Op, 64)
	}
	op := &r.opSlab[0]
	r.opSlab = r.opSlab[1:]
	op.Loc = r.loc(c)
	key := attrKey{number, absent, absent}
	if mask&hasAttrs != 0 {
		key.dict = c.varint()
	}
	if mask&hasProperties != 0 {
		key.props = c.varint()
	}
	op.Name, op.Attrs = r.opAttrs(c, stored, key)
	var types []Type
	if mask&hasResults != 0 {
		types = r.typeList(c)
	}
	if mask&hasOperands != 0 {
		op.Operands = make([]*Value, c.count("operands"))
		for i := range op.Operands {
			n := c.varint()
			if n >= uint64(len(r.scope.values)) || r.scope.values[n] == nil {
				c.fail("%s takes value %d, which is not defined before", op.Name, n)
			}
			op.Operands[i] = r.scope.values[n]
		}
	}
	if mask&hasSuccessors != 0 && c.varint() != 0 {
		c.fail("%s branches to other blocks, which is not supported", op.Name)
	}
	if mask&hasUseOrders != 0 && r.version >= encodesUseOrders {
		r.useOrders(c, len(types))
	}
	if mask&hasRegions != 0 {
		r.regions(c, op)
	}
	if op.Name == castName {
		r.cast(c, vs, op, types)
		return op
	}
	if len(types) > 0 {
		op.Results = make([]*Value, len(types))
		for i, t := range types {
			op.Results[i] = r.define(&at, vs, Value{Type: t, Def: op, Num: i})
		}
	}
	return op
}

// castName is the operation that takes a value from the types of one dialect to the same types of another.
const castName = "builtin.unrealized_conversion_cast"

// cast lets the result of a cast be its operand, for the two types are one here.
func (r *irReader) cast(c *cursor, vs *valueRange, op *Op, types []Type) {
	if len(op.Operands) != 1 || len(types) != 1 || !EqualType(op.Operands[0].Type, types[0]) {
		c.fail("a cast is to take a value to the same type of another dialect")
	}
	r.define(c, vs, Value{Type: types[0]})
	r.scope.values[vs.next-1] = op.Operands[0]
}

// regions reads the regions of an operation; those that see nothing around them have numbers of their own.
func (r *irReader) regions(c *cursor, op *Op) {
	head := c.varint()
	isolated := head&1 != 0
	body := *c
	if isolated {
		if r.version >= encodesRegionSections {
			id, section := c.section()
			if id != irSection {
				c.fail("section %d stands where the regions of %s are to be", id, op.Name)
			}
			body = section
		}
		outer := r.scope
		r.scope = &valueScope{}
		defer func() { r.scope = outer }()
	}
	if head>>1 > uint64(body.left()) {
		body.fail("%d regions cannot stand in %d bytes", head>>1, body.left())
	}
	inFunc := r.isFunc
	r.isFunc = op.Name == "func.func"
	for range head >> 1 {
		op.Regions = append(op.Regions, r.region(&body))
	}
	r.isFunc = inFunc
	if !isolated || r.version < encodesRegionSections {
		*c = body
	} else if !body.empty() {
		body.fail("%d bytes are left behind the regions of %s", body.left(), op.Name)
	}
}

// opAttrs gives the name and attributes of an operation in StableHLO. Operations that are alike share their attributes.
func (r *irReader) opAttrs(c *cursor, stored string, key attrKey) (string, Attrs) {
	v := r.byName[stored]
	name := stored
	switch {
	case v == nil && strings.HasPrefix(stored, "vhlo."):
		c.fail("%s is no operation of VHLO up to version %s", stored, CurrentVersion)
	case v == nil:
	case v.form == nil:
		name = "func.func"
	case v.form.name == "stablehlo.return" && r.isFunc:
		name = "func.return"
	default:
		name = v.form.name
	}
	if key.dict == absent && key.props == absent {
		if v != nil && len(v.attrs) > 0 && r.version >= encodesProperties {
			c.fail("%s is to have attributes", stored)
		}
		return name, nil
	}
	if a, ok := r.cache[key]; ok {
		return name, a
	}
	var attrs Attrs
	if key.dict != absent {
		d, ok := r.attrAt(c, key.dict).(Dict)
		if !ok {
			c.fail("the attributes of %s are to be a dictionary", stored)
		}
		attrs = Attrs(d)
	}
	if key.props != absent {
		r.spend(c, len(attrs))
		attrs = r.merge(c, stored, v, key.props, attrs)
	}
	if v != nil {
		var defect string
		if v.form != nil {
			attrs, defect = v.form.upgrade(attrs)
		} else {
			attrs = upgradeFunc(attrs)
		}
		if defect != "" {
			c.fail("%s: %s", stored, defect)
		}
	}
	r.cache[key] = attrs
	return name, attrs
}

// sdyProperties are the properties of operations of sdy that programs hold.
var sdyProperties = map[string][]string{
	"sdy.sharding_constraint": {"sharding"},
	"sdy.reshard":             {"sharding"},
	"sdy.manual_computation":  {"in_shardings", "manual_axes", "out_shardings"},
}

// merge adds the properties of an operation, which are its own attributes in the order of their names.
func (r *irReader) merge(c *cursor, stored string, v *vhloOp, props uint64, other Attrs) Attrs {
	if props >= uint64(len(r.props)) {
		c.fail("the index %d is behind the %d properties", props, len(r.props))
	}
	body := r.props[props]
	attrs := append(Attrs{}, other...)
	add := func(name string, a Attr) {
		if a != nil {
			attrs = append(attrs, NamedAttr{name, a})
		}
	}
	form := r.forms[stored]
	switch {
	case v != nil:
		for _, name := range v.attrs {
			add(name, r.attr(&body))
		}
	case stored == "builtin.module":
		add("sym_name", r.optionalAttr(&body))
		add("sym_visibility", r.optionalAttr(&body))
	case form != nil:
		specs := append([]attrSpec{}, form.attrSpecs...)
		sort.Slice(specs, func(i, j int) bool { return specs[i].name < specs[j].name })
		for _, s := range specs {
			if s.optional {
				add(s.name, r.optionalAttr(&body))
			} else {
				add(s.name, r.attr(&body))
			}
		}
	default:
		names, ok := sdyProperties[stored]
		if !ok {
			c.fail("the properties of %s are not known", stored)
		}
		for _, name := range names {
			add(name, r.attr(&body))
		}
	}
	if !body.empty() {
		body.fail("%d bytes are left behind the properties of %s", body.left(), stored)
	}
	return r.dictionary(c, attrs)
}

// upgradeFunc removes what a function does not say.
func upgradeFunc(attrs Attrs) Attrs {
	out := attrs[:0:0]
	for _, n := range attrs {
		if n.Value == (String{}) && n.Name == "sym_visibility" {
			continue
		}
		out = append(out, n)
	}
	return out
}
