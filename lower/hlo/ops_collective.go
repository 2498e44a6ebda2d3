package hlo

import "github.com/pantograph-go/pantograph/array"

// Communication between the devices that run a program.

func collectiveOps() []opSpec {
	const groups = "replica_groups:groups channel_handle:channel? "
	return []opSpec{
		{name: "stablehlo.replica_id", out: "result:=ui32/0", form: "attr-dict : <result>"},
		{name: "stablehlo.partition_id", out: "result:=ui32/0", form: "attr-dict : <result>"},
		{name: "stablehlo.all_gather", in: "operands*:fpicq", out: "results*:fpicq",
			attrs: "all_gather_dim:i64>=0 " + groups + "use_global_device_ids:unit?", check: (*checker).allGather},
		{name: "stablehlo.all_reduce", in: "operands*:fpicq", out: "results*:fpicq",
			attrs: groups + "use_global_device_ids:unit?", regions: "1", check: (*checker).allReduce},
		{name: "stablehlo.reduce_scatter", in: "operand:fpicq", out: "result:fpicq",
			attrs: "scatter_dimension:i64>=0 " + groups + "use_global_device_ids:unit?", regions: "1", check: (*checker).reduceScatter},
		{name: "stablehlo.all_to_all", in: "operands*:fpicq", out: "results*:fpicq",
			attrs: "split_dimension:i64>=0 concat_dimension:i64>=0 split_count:i64>=1 " + groups, check: (*checker).allToAll},
		{name: "stablehlo.collective_broadcast", in: "operands*:fpicq", out: "results*:fpicq",
			attrs: groups + "has_dynamic_root:unit?", check: (*checker).collectiveBroadcast},
		{name: "stablehlo.collective_reduce", in: "operands*:fpicq", out: "results*:fpicq",
			attrs: groups + "use_global_device_ids:unit? has_dynamic_root:unit?", regions: "1", check: (*checker).collectiveReduce},
		{name: "stablehlo.collective_permute", in: "operand:fpicq", out: "result:fpicq",
			attrs: "source_target_pairs:i64elements channel_handle:channel?", check: (*checker).collectivePermute},
		{name: "stablehlo.cross-replica-sum", in: "operand:fpicq", out: "result:fpicq", attrs: "replica_groups:i64elements",
			check: (*checker).elementwise},
		{name: "sdy.mesh", attrs: "sym_name:str mesh:any", form: "<mesh> attr-dict"},
	}
}

// groupRules are the constraints on replica groups, by their numbers in one operation.
type groupRules struct {
	unique, all string // each id once; the ids are 0, 1, …
	even        bool   // groups have one size, so that no place is empty
	partial     bool   // ids may be left out
	size        int    // of each group, 0 where any
	sizeRule    string
}

// groups checks replica_groups: a matrix of ids, one row a group, −1 for an empty place.
func (c *checker) groups(r groupRules) {
	if g, ok := c.op.Attr("replica_groups").(MeshGroups); ok {
		c.meshExists(g)
		return
	}
	d := c.op.Attr("replica_groups").(*Dense)
	s := d.Type.Shape
	c.check(len(s) == 2, "attribute replica_groups", "it is to be a matrix, not %s", d.Type)
	global := c.op.Attr("use_global_device_ids") != nil
	c.check(!global || s.Size() > 0, "C3", "with use_global_device_ids the groups are not empty")
	seen := map[int]bool{}
	for i := range min(s.Size(), 2*d.Data.Len()+2) {
		at := i
		if d.Splat {
			at = 0
		}
		id := int(d.Data.Int(at))
		if id == -1 && !r.even {
			continue
		}
		c.check(id >= 0, r.all, "the replica id %d is negative", id)
		c.check(!seen[id], r.unique, "the replica id %d occurs twice", id)
		seen[id] = true
	}
	for id := range len(seen) {
		if r.partial {
			break
		}
		c.check(seen[id], r.all, "the replica id %d is missing", id)
	}
	if r.size > 0 {
		c.check(s[0] > 0 && s[1] == r.size, r.sizeRule, "groups of %d, of %d are needed", s[1], r.size)
	}
}

// channel is the channel's number, 0 where there is none.
func (c *checker) channel() int64 {
	h, _ := c.op.Attr("channel_handle").(ChannelHandle)
	return h.Handle
}

// globalIDs: use_global_device_ids needs a channel.
func (c *checker) globalIDs(constraint string, least int64) {
	if c.op.Attr("use_global_device_ids") != nil {
		c.check(c.channel() >= least, constraint, "use_global_device_ids needs a channel of at least %d, not %d", least, c.channel())
	}
}

// sameCount: as many results as operands, of the same elements.
func (c *checker) sameCount(constraint string) {
	c.check(len(c.op.Operands) == len(c.op.Results), constraint, "%d results of %d operands", len(c.op.Results), len(c.op.Operands))
	c.check(len(c.op.Operands) > 0, constraint, "at least one operand is needed")
}

func (c *checker) allGather(o *Op) {
	c.sameCount("C6")
	c.groups(groupRules{unique: "C2", all: "C4", even: true})
	c.globalIDs("C5", 0)
	dim := c.int("all_gather_dim", 0)
	for i := range o.Operands {
		x, y := c.in(i), c.out(i)
		c.check(sameElem(x, y), "C6", "the element types of %s and %s differ", x, y)
		c.check(dim < len(x.Shape), "C1", "dimension %d of %s", dim, x)
		c.check(x.Shape[dim] != 0, "C6", "the gathered dimension of %s is empty", x)
		c.check(len(x.Shape) == len(y.Shape), "C6", "%s and %s differ in rank", x, y)
		for d := range x.Shape {
			c.check(d == dim || compatibleSize(x.Shape[d], y.Shape[d]), "C6", "%s and %s differ in dimension %d", x, y, d)
		}
		c.check(x.Shape[dim] < 0 || y.Shape[dim] < 0 || y.Shape[dim]%x.Shape[dim] == 0, "C6", "%d is no multiple of %d", y.Shape[dim], x.Shape[dim])
	}
}

func (c *checker) allReduce(o *Op) {
	c.sameCount("C6")
	c.groups(groupRules{unique: "C1", all: "C3"})
	c.globalIDs("C4", 1)
	for i := range o.Operands {
		x := c.in(i)
		c.reducer("C5", o.Regions[0], []Tensor{x}, []Tensor{scalarOf(x)}, nil)
		c.result(i, "C6", x.withElem(accumulator(o.Regions[0], 0)))
	}
}

func (c *checker) reduceScatter(o *Op) {
	x, y, dim := c.in(0), c.out(0), c.int("scatter_dimension", 0)
	c.groups(groupRules{unique: "C3", all: "C5", even: true})
	c.reducer("C7", o.Regions[0], []Tensor{x}, []Tensor{scalarOf(x)}, nil)
	c.check(len(x.Shape) == len(y.Shape), "C8", "%s and %s differ in rank", x, y)
	c.check(dim < len(x.Shape), "C2", "dimension %d of %s", dim, x)
	c.globalIDs("C6", 1)
	c.check(x.Shape[dim] != 0 && y.Shape[dim] != 0, "C8", "the scattered dimension of %s or %s is empty", x, y)
	for d := range x.Shape {
		c.check(d == dim || compatibleSize(x.Shape[d], y.Shape[d]), "C8", "%s and %s differ in dimension %d", x, y, d)
	}
	c.check(x.Shape[dim] < 0 || y.Shape[dim] < 0 || x.Shape[dim]%y.Shape[dim] == 0, "C8", "%d is no multiple of %d", x.Shape[dim], y.Shape[dim])
	c.check(sameElem(y, accumulator(o.Regions[0], 0)), "C9", "the result's elements are not those of %s", accumulator(o.Regions[0], 0))
}

func (c *checker) allToAll(o *Op) {
	c.sameCount("C9")
	count, split, concat := c.int("split_count", 1), c.int("split_dimension", 0), c.int("concat_dimension", 0)
	c.groups(groupRules{unique: "C5", all: "C7", even: true, size: count, sizeRule: "C8"})
	for i := range o.Operands {
		x := c.in(i)
		c.check(sameElem(x, c.out(i)), "C9", "the element types of %s and %s differ", x, c.out(i))
		c.check(split < len(x.Shape), "C1", "split_dimension %d of %s", split, x)
		c.check(concat < len(x.Shape), "C3", "concat_dimension %d of %s", concat, x)
		sizes := x.sizes()
		c.check(sizes[split].n < 0 || sizes[split].n%count == 0, "C2", "dimension %d of %s is not split evenly by %d", split, x, count)
		sizes[split] = sizes[split].times(1, count)
		sizes[concat] = sizes[concat].times(count, 1)
		c.result(i, "C9", x.withSizes(sizes))
	}
}

// times multiplies and divides what is known of a size.
func (s size) times(by, over int) size {
	if s.n >= 0 {
		s.n = s.n / over * by
	}
	if s.bound >= 0 {
		s.bound = s.bound / over * by
	}
	return s
}

// dataOperands are the operands without the root that has_dynamic_root puts last.
func (c *checker) dataOperands(constraint string) []*Value {
	vs := c.op.Operands
	if c.op.Attr("has_dynamic_root") == nil {
		c.check(len(vs) > 0, constraint, "at least one operand is needed")
		return vs
	}
	c.check(len(vs) >= 2, constraint, "with a dynamic root at least two operands are needed")
	root := vs[len(vs)-1].Tensor()
	c.check(root.Elem == array.Int32 && len(root.Shape) == 1 && root.Shape[0] == len(vs)-1, constraint,
		"the root is to be tensor<%dxi32>, not %s", len(vs)-1, root)
	return vs[:len(vs)-1]
}

func (c *checker) collectiveBroadcast(o *Op) {
	c.groups(groupRules{unique: "C1", all: "C2", even: true, partial: true})
	data := c.dataOperands("C4")
	c.check(len(o.Results) == len(data), "C3", "%d results of %d operands", len(o.Results), len(data))
	for i, v := range data {
		c.result(i, "C3", v.Type)
	}
}

func (c *checker) collectiveReduce(o *Op) {
	c.groups(groupRules{unique: "C1", all: "C3"})
	c.globalIDs("C4", 1)
	data := c.dataOperands("C5")
	c.check(len(o.Results) == len(data), "C6", "%d results of %d operands", len(o.Results), len(data))
	for i, v := range data {
		x := v.Tensor()
		c.reducer("C5", o.Regions[0], []Tensor{x}, []Tensor{scalarOf(x)}, nil)
		c.result(i, "C6", x.withElem(accumulator(o.Regions[0], 0)))
	}
}

func (c *checker) collectivePermute(o *Op) {
	d := o.Attr("source_target_pairs").(*Dense)
	c.pairs(d)
	c.check(sameElem(c.in(0), c.out(0)), "C5", "the element types of %s and %s differ", c.in(0), c.out(0))
	c.result(0, "C5", c.in(0))
}

func (c *checker) pairs(d *Dense) {
	s := d.Type.Shape
	c.check(len(s) == 2 && s[1] == 2, "C1", "source_target_pairs are to be of shape n×2, not %s", s)
	var seen [2]map[int]bool
	seen[0], seen[1] = map[int]bool{}, map[int]bool{}
	for i := range min(s.Size(), 2*d.Data.Len()+2) {
		at := i
		if d.Splat {
			at = 0
		}
		id := int(d.Data.Int(at))
		c.check(id >= 0, "C4", "the id %d is negative", id)
		c.check(!seen[i%2][id], []string{"C2", "C3"}[i%2], "the id %d is a %s twice", id, []string{"source", "target"}[i%2])
		seen[i%2][id] = true
	}
}
