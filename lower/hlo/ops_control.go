package hlo

import "slices"

// Control flow, tokens, tuples and barriers.

func controlOps() []opSpec {
	const value = "fpicqQ|token"
	return []opSpec{
		{name: "stablehlo.if", in: "pred:p", out: "results*:" + value, regions: "2", check: (*checker).conditional},
		{name: "stablehlo.case", in: "index:=i32", out: "results*:" + value, regions: "1*", check: (*checker).conditional},
		{name: "stablehlo.while", in: "operand*:" + value + "|buffer", out: "results*:" + value + "|buffer", regions: "2", form: "<while>",
			check: (*checker).while},
		{name: "stablehlo.return", in: "results*:" + value + "|buffer|tuple", form: "<return>"},
		{name: "stablehlo.optimization_barrier", in: "operand*:fpicq|token", out: "result*:fpicq|token", form: "attr-dict <barrier>",
			check: (*checker).pairwise},
		{name: "stablehlo.tuple", in: "val*:" + value + "|tuple|buffer", out: "result:|tuple", form: "%* attr-dict : <tuple>", check: (*checker).tuple},
		{name: "stablehlo.get_tuple_element", in: "operand:|tuple", out: "result:" + value + "|tuple|buffer", attrs: "index:i32>=0",
			form: "%0 [ $index ] attr-dict : <functional>", check: (*checker).getTupleElement},
		{name: "stablehlo.after_all", in: "inputs*:|token", out: "result:|token", form: sameForm},
		{name: "stablehlo.create_token", out: "result:|token", form: "attr-dict : <result>"},
		{name: "stablehlo.async_start", in: "operands*:fpicq", out: "result:|future", regions: "1", check: (*checker).asyncStart},
		{name: "stablehlo.async_done", in: "operand:|future", out: "result*:fpicq", check: (*checker).asyncDone},
	}
}

// conditional checks if and case: branches take nothing and return values of the same types. The constraints of case
// are one further on, for its first asks for a branch.
func (c *checker) conditional(o *Op) {
	empty, alike, result := "C1", "C2", "C3"
	if o.Name == "stablehlo.case" {
		empty, alike, result = "C2", "C3", "C4"
	}
	c.check(len(c.in(0).Shape) == 0, "operand 0", "the choice is to be a scalar, not %s", c.in(0))
	first := typesOf(o.Regions[0].Block().Terminator().Operands)
	for i, r := range o.Regions {
		c.check(len(r.Block().Args) == 0, empty, "branch %d takes %d arguments, none are given", i, len(r.Block().Args))
		types := typesOf(r.Block().Terminator().Operands)
		c.check(compatibleTypes(first, types), alike, "branch 0 returns %s, branch %d %s", typesText(first), i, typesText(types))
	}
	c.check(len(o.Results) == len(first), result, "%d results, the branches return %d", len(o.Results), len(first))
	for i, t := range first {
		x, ok := t.(Tensor)
		if !ok {
			c.result(i, result, t)
			continue
		}
		sizes := x.sizes()
		for _, r := range o.Regions[1:] {
			y := r.Block().Terminator().Operands[i].Tensor()
			for d := range sizes {
				sizes[d] = widest(sizes[d], y.size(d))
			}
		}
		c.result(i, result, x.withSizes(sizes))
	}
}

func typesText(ts []Type) string { return string(append(appendTypes([]byte{'('}, ts), ')')) }

func (c *checker) while(o *Op) {
	cond, body := o.Regions[0].Block(), o.Regions[1].Block()
	in := typesOf(o.Operands)
	c.check(compatibleTypes(in, typesOf(cond.Args)), "C1", "the condition takes %s, the loop carries %s", typesText(typesOf(cond.Args)), typesText(in))
	c.check(compatibleTypes(in, typesOf(body.Args)), "C2", "the body takes %s, the loop carries %s", typesText(typesOf(body.Args)), typesText(in))
	out := typesOf(body.Terminator().Operands)
	c.check(compatibleTypes(in, out), "C2", "the body returns %s, the loop carries %s", typesText(out), typesText(in))
	again := cond.Terminator().Operands
	c.check(len(again) == 1 && isPredicate(again[0].Type), "C1", "the condition returns tensor<i1>, not %s", typesText(typesOf(again)))
	c.check(len(o.Results) == len(in), "C3", "%d results of %d operands", len(o.Results), len(in))
	for i, t := range in {
		c.result(i, "C3", t)
	}
}

// pairwise: each result has the type of its operand.
func (c *checker) pairwise(o *Op) {
	c.check(len(o.Results) == len(o.Operands), "C1", "%d results of %d operands", len(o.Results), len(o.Operands))
	for i, v := range o.Operands {
		c.result(i, "C1", v.Type)
	}
}

func (c *checker) tuple(o *Op) {
	want := Tuple{typesOf(o.Operands)}
	got := o.Results[0].Type.(Tuple)
	c.check(compatibleTypes(want.Elems, got.Elems), "C1", "the result is %s, from the operands follows %s", got, want)
}

func (c *checker) getTupleElement(o *Op) {
	t, i := o.Operands[0].Type.(Tuple), c.int("index", 0)
	c.check(i < len(t.Elems), "C1", "element %d of %d", i, len(t.Elems))
	c.result(0, "C2", t.Elems[i])
}

// asyncOps are what may run beside the rest of a program.
var asyncOps = []string{"stablehlo.all_gather", "stablehlo.all_reduce", "stablehlo.all_to_all", "stablehlo.collective_broadcast",
	"stablehlo.collective_permute", "stablehlo.collective_reduce", "stablehlo.reduce_scatter", "stablehlo.slice",
	"stablehlo.dynamic_slice", "stablehlo.dynamic_update_slice"}

func (c *checker) asyncStart(o *Op) {
	body := o.Regions[0].Block()
	c.check(len(body.Ops) == 2 && slices.Contains(asyncOps, body.Ops[0].Name), "C1", "the region is to hold one collective or slice")
	c.check(len(body.Args) == len(o.Operands), "C2", "%d operands, the region takes %d arguments", len(o.Operands), len(body.Args))
	for i, a := range body.Args {
		c.check(EqualType(a.Type, o.Operands[i].Type), "C2", "operand %d is %s, the region takes %s", i, o.Operands[i].Type, a.Type)
	}
	want := Future{typesOf(body.Terminator().Operands)}
	got := o.Results[0].Type.(Future)
	c.check(compatibleTypes(want.Elems, got.Elems), "C3", "the result is %s, from the region follows %s", got, want)
}

func (c *checker) asyncDone(o *Op) {
	f := o.Operands[0].Type.(Future)
	c.check(compatibleTypes(f.Elems, typesOf(o.Results)), "C1", "the results are %s, the future gives %s", typesText(typesOf(o.Results)), typesText(f.Elems))
}
