package hlo

import (
	"slices"

	"github.com/pantograph-go/pantograph/array"
)

// Operations whose shapes are operands.

func dynamicOps() []opSpec {
	return []opSpec{
		{name: "stablehlo.dynamic_iota", in: "output_shape:ix/1s", out: "result:fpicq", attrs: "iota_dimension:i64>=0",
			form: "%0 , dim = $iota_dimension attr-dict : <functional>", check: (*checker).dynamicIota},
		{name: "stablehlo.dynamic_broadcast_in_dim", in: "operand:fpicqQ output_dimensions:ix/1s", out: "result:fpicqQ",
			attrs: "broadcast_dimensions:i64s known_expanding_dimensions:i64s? known_nonexpanding_dimensions:i64s?",
			form:  "%0 , %1 , dims = $broadcast_dimensions attr-dict : <functional>", check: (*checker).dynamicBroadcastInDim},
		{name: "stablehlo.dynamic_reshape", in: "operand:fpicqQ output_shape:ix/1s", out: "result:fpicqQ", form: functionalForm,
			check: (*checker).dynamicReshape},
		{name: "stablehlo.dynamic_pad",
			in:  "operand:fpicq padding_value:fpicq/0 edge_padding_low:ix/1s edge_padding_high:ix/1s interior_padding:ix/1s",
			out: "result:fpicq", form: functionalForm, check: (*checker).dynamicPad},
		{name: "stablehlo.real_dynamic_slice", in: "operand:fpicq start_indices:ix/1 limit_indices:ix/1 strides:ix/1",
			out: "result:fpicq", form: functionalForm, check: (*checker).realDynamicSlice},
		{name: "stablehlo.get_dimension_size", in: "operand:fpicqQ", out: "result:=i32/0", attrs: "dimension:i64>=0",
			form: "%0 , dim = $dimension attr-dict : <functional>", check: (*checker).getDimensionSize},
		{name: "stablehlo.set_dimension_size", in: "operand:fpicq size:=i32/0", out: "result:fpicq", attrs: "dimension:i64>=0",
			form: "%0 , %1 , dim = $dimension attr-dict : <functional>", check: (*checker).setDimensionSize},
	}
}

// shapeOperand checks that a shape that is known fits the result.
func (c *checker) shapeOperand(constraint string, v *Value) {
	shape, known := constInts(v)
	if !known {
		return
	}
	y := c.out(0)
	for _, n := range shape {
		c.check(n >= 0, constraint, "the shape has the negative size %d", n)
	}
	c.check(compatible(y.withSizes(sizesOf(shape)), y), constraint, "the shape %s does not fit the result %s", array.Shape(shape), y)
}

func (c *checker) dynamicIota(o *Op) {
	dim, rank := c.int("iota_dimension", 0), len(c.out(0).Shape)
	c.check(dim < rank, "C1", "dimension %d of a result of rank %d", dim, rank)
	c.shapeOperand("C2", o.Operands[0])
}

func (c *checker) dynamicBroadcastInDim(o *Op) {
	x, y, dims := c.in(0), c.out(0), c.ints("broadcast_dimensions")
	c.check(x.Quant != nil || y.Quant != nil || compatibleElem(x, y), "C1", "the element types of %s and %s differ", x, y)
	c.check(len(dims) == len(x.Shape), "C2", "%d broadcast dimensions for an operand of rank %d", len(dims), len(x.Shape))
	c.check(len(y.Shape) >= len(x.Shape), "C3", "%s has more dimensions than %s", x, y)
	c.unique("C4", "broadcast_dimensions", dims)
	c.inRange("C5", "broadcast_dimensions", dims, len(y.Shape))
	shape, known := constInts(o.Operands[1])
	for i, d := range dims {
		n := x.Shape[i]
		c.check(n == 1 || compatibleSize(n, y.Shape[d]), "C5", "operand dimension %d has size %s, result dimension %d has %s", i, sizeText(n), d, sizeText(y.Shape[d]))
		if known && d < len(shape) && x.IsStatic() {
			c.check(n == 1 || n == shape[d], "C5", "operand dimension %d has size %d, the shape asks for %d", i, n, shape[d])
		}
	}
	c.shapeOperand("C7", o.Operands[1])
	expanding, fixed := c.ints("known_expanding_dimensions"), c.ints("known_nonexpanding_dimensions")
	c.unique("C8", "known_expanding_dimensions and known_nonexpanding_dimensions", expanding, fixed)
	c.inRange("C9", "known_expanding_dimensions", expanding, len(x.Shape))
	c.inRange("C10", "known_nonexpanding_dimensions", fixed, len(x.Shape))
	c.broadcastAxis("C6", x, y, dims)
}

func (c *checker) dynamicReshape(o *Op) {
	x, y := c.in(0), c.out(0)
	c.check(x.Quant != nil || y.Quant != nil || compatibleElem(x, y), "C1", "the element types of %s and %s differ", x, y)
	if x.IsStatic() && y.IsStatic() {
		c.check(x.Shape.Size() == y.Shape.Size(), "C2", "%s has %d elements, %s has %d", x, x.Shape.Size(), y, y.Shape.Size())
	}
	c.shapeOperand("C4", o.Operands[1])
	c.check(c.in(1).Shape[0] == len(y.Shape), "C4", "a shape of %d sizes for a result of rank %d", c.in(1).Shape[0], len(y.Shape))
	if shape, known := constInts(o.Operands[1]); known && x.IsStatic() {
		c.check(x.Shape.Size() == array.Shape(shape).Size(), "C2", "%s has %d elements, the shape %s has %d", x, x.Shape.Size(), array.Shape(shape), array.Shape(shape).Size())
	}
	c.reshapedScales(x, y)
}

func (c *checker) dynamicPad(o *Op) {
	x, y := c.in(0), c.out(0)
	c.sameElems("C1", o.Operands[0], o.Operands[1], o.Results[0])
	c.check(len(x.Shape) == len(y.Shape), "C4", "%s and %s differ in rank", x, y)
	for _, v := range o.Operands[3:] {
		c.check(EqualType(v.Type, o.Operands[2].Type), "C2", "the paddings are %s and %s", o.Operands[2].Type, v.Type)
	}
	c.check(c.in(2).Shape[0] == len(x.Shape), "C2", "paddings of %d dimensions for rank %d", c.in(2).Shape[0], len(x.Shape))
	lo, ok1 := constInts(o.Operands[2])
	hi, ok2 := constInts(o.Operands[3])
	inner, ok3 := constInts(o.Operands[4])
	for i, n := range inner {
		c.check(n >= 0, "C3", "the interior padding %d of dimension %d is negative", n, i)
	}
	if !ok1 || !ok2 || !ok3 || !x.IsStatic() || !y.IsStatic() {
		return
	}
	for i, n := range x.Shape {
		want := n + lo[i] + hi[i] + max(n-1, 0)*inner[i]
		c.check(want == y.Shape[i], "C4", "dimension %d of the result is to have size %d, not %d", i, want, y.Shape[i])
	}
}

func (c *checker) realDynamicSlice(o *Op) {
	x := c.in(0)
	c.sameElems("C1", o.Operands[0], o.Results[0])
	for _, v := range o.Operands[1:] {
		c.check(EqualType(v.Type, o.Operands[1].Type), "C2", "the indices are %s and %s", o.Operands[1].Type, v.Type)
		n := v.Tensor().Shape[0]
		c.check(compatibleSize(n, len(x.Shape)), "C3", "%d indices for rank %d", n, len(x.Shape))
	}
}

func (c *checker) getDimensionSize(*Op) {
	d := c.int("dimension", 0)
	c.check(d < len(c.in(0).Shape), "C1", "dimension %d of %s", d, c.in(0))
}

func (c *checker) setDimensionSize(o *Op) {
	x, d := c.in(0), c.int("dimension", 0)
	c.check(d < len(x.Shape), "C1", "dimension %d of %s", d, x)
	c.check(sameElem(x, c.out(0)), "C1", "the element types of %s and %s differ", x, c.out(0))
	sizes := slices.Clone(x.sizes())
	limit := sizes[d].limit()
	sizes[d] = size{Dynamic, limit}
	if n, known := constInts(o.Operands[1]); known && len(n) == 1 && n[0] == limit {
		sizes[d] = size{limit, Dynamic}
	}
	c.result(0, "C2", x.withSizes(sizes))
}
