package hlo

import (
	"slices"

	"github.com/pantograph-go/pantograph/array"
)

// Reductions, windows and sorting: operations that apply a computation.

func reduceOps() []opSpec {
	return []opSpec{
		{name: "stablehlo.reduce", in: "inputs*:fpicq init_values*:fpicq", out: "results*:fpicq", attrs: "dimensions:i64s",
			regions: "1", form: "<reduce>", check: (*checker).reduce},
		{name: "stablehlo.reduce_window", in: "inputs*:fpicq init_values*:fpicq", out: "results*:fpicq",
			attrs:   "window_dimensions:i64s window_strides:i64s? base_dilations:i64s? window_dilations:i64s? padding:i64elements?",
			regions: "1", check: (*checker).reduceWindow},
		{name: "stablehlo.select_and_scatter", in: "operand:fpicq source:fpicq init_value:fpicq", out: "result:fpicq",
			attrs: "window_dimensions:i64s? window_strides:i64s? padding:i64elements?", regions: "2", check: (*checker).selectAndScatter},
		{name: "stablehlo.sort", in: "inputs*:fpicq", out: "results*:fpicq", attrs: "dimension:i64? is_stable:bool?", regions: "1",
			check: (*checker).sort},
	}
}

func tensorsOf(vs []*Value) []Tensor {
	ts := make([]Tensor, len(vs))
	for i, v := range vs {
		ts[i] = v.Tensor()
	}
	return ts
}

func (c *checker) reduce(o *Op) {
	inputs, inits, dims := tensorsOf(c.group("inputs")), tensorsOf(c.group("init_values")), c.ints("dimensions")
	c.check(len(inputs) > 0, "C3", "at least one input is needed")
	c.oneShape("C1", inputs)
	first := inputs[0]
	c.inRange("C4", "dimensions", dims, len(first.Shape))
	c.unique("C5", "dimensions", dims)
	var sizes []size
	for i := range first.Shape {
		if !slices.Contains(dims, i) {
			sizes = append(sizes, first.size(i))
		}
	}
	kept := first.withSizes(sizes)
	c.reducer("C6", o.Regions[0], inputs, inits, kept.Shape)
	c.check(len(o.Results) == len(inputs), "C3", "%d results of %d inputs", len(o.Results), len(inputs))
	for i := range inputs {
		c.reduced(i, "C7", "C8", kept)
	}
}

// reduced checks the sizes of result i, and that its elements are those the computation returns.
func (c *checker) reduced(i int, sizes, elem string, t Tensor) {
	t = t.withElem(accumulator(c.op.Regions[0], i))
	c.check(compatibleElem(t, c.out(i)), elem, "result %d is %s, the computation returns %s", i, c.out(i), t.ElemString())
	c.result(i, sizes, t)
}

// oneShape checks that tensors have compatible shapes.
func (c *checker) oneShape(constraint string, ts []Tensor) {
	for _, t := range ts {
		c.check(compatibleShape(ts[0].Shape, t.Shape), constraint, "the shapes of %s and %s differ", ts[0], t)
	}
}

func (c *checker) reduceWindow(o *Op) {
	inputs, inits, dims := tensorsOf(c.group("inputs")), tensorsOf(c.group("init_values")), c.ints("window_dimensions")
	c.check(len(inputs) > 0, "C1", "at least one input is needed")
	c.oneShape("C2", inputs)
	c.check(len(dims) == len(inputs[0].Shape), "C4", "a window of %d dimensions over rank %d", len(dims), len(inputs[0].Shape))
	w := c.window(windowRules{strides: "window_strides", base: "base_dilations", dilations: "window_dilations", positive: "C5",
		strideCount: "C6", stridePositive: "C7", baseCount: "C8", basePositive: "C9", dilationCount: "C10", dilationPositive: "C11",
		paddingCount: "C12"}, dims)
	c.reducer("C13", o.Regions[0], inputs, inits, array.Shape(dims))
	c.check(len(o.Results) == len(inputs), "C1", "%d results of %d inputs", len(o.Results), len(inputs))
	for i, t := range inputs {
		c.reduced(i, "C15", "C16", windowResult(t, w))
	}
}

func (c *checker) selectAndScatter(o *Op) {
	x, source, init, dims := c.in(0), c.in(1), c.in(2), c.ints("window_dimensions")
	choose := o.Regions[0].Block()
	c.check(len(choose.Args) == 2, "C9", "the select computation takes %d arguments, not 2", len(choose.Args))
	for i, a := range choose.Args {
		c.check(isScalarTensor(a.Type) && sameUpToPrecision(a.Tensor(), x), "C9", "argument %d of select is %s, the operand %s", i, a.Type, x)
	}
	out := choose.Terminator().Operands
	c.check(len(out) == 1 && isPredicate(out[0].Type), "C9", "the select computation returns tensor<i1>")
	c.reducer("C10", o.Regions[1], []Tensor{scalarOf(source)}, []Tensor{init}, nil)
	c.check(len(dims) == len(x.Shape), "C4", "a window of %d dimensions over rank %d", len(dims), len(x.Shape))
	w := c.window(windowRules{strides: "window_strides", positive: "C5", strideCount: "C6", stridePositive: "C7", paddingCount: "C8"}, dims)
	places := windowResult(x, w)
	c.check(compatibleShape(places.Shape, source.Shape) && sameUpToPrecision(places, source), "C1", "the source is %s, the window has places %s",
		source, places)
	c.result(0, "C11", x.withElem(accumulator(o.Regions[1], 0)))
}

// isPredicate reports tensor<i1>.
func isPredicate(t Type) bool {
	x, ok := t.(Tensor)
	return ok && len(x.Shape) == 0 && x.Elem == array.Bool && x.Quant == nil
}

func (c *checker) sort(o *Op) {
	c.check(len(o.Operands) > 0, "C1", "at least one input is needed")
	c.sameShapes("C3")
	dim, rank := c.int("dimension", -1), len(c.in(0).Shape)
	c.check(dim >= -rank && dim < rank, "C4", "dimension %d of rank %d", dim, rank)
	body := o.Regions[0].Block()
	n := len(o.Operands)
	c.check(len(body.Args) == 2*n, "C5", "the comparator takes %d arguments, not %d", len(body.Args), 2*n)
	for i, a := range body.Args {
		want := scalarOf(c.in(i / 2))
		c.check(EqualType(a.Type, want), "C5", "argument %d of the comparator is %s, not %s", i, a.Type, want)
	}
	out := body.Terminator().Operands
	c.check(len(out) == 1 && isPredicate(out[0].Type), "C5", "the comparator returns tensor<i1>")
	c.check(len(o.Results) == n, "C2", "%d results of %d inputs", len(o.Results), n)
	for i := range n {
		c.result(i, "C2", c.in(i))
	}
}
