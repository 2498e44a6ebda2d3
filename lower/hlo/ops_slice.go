package hlo

import "github.com/pantograph-go/pantograph/array"

// Slices with static and dynamic starts.

func sliceOps() []opSpec {
	return []opSpec{
		{name: "stablehlo.slice", in: "operand:fpicq", out: "result:fpicq",
			attrs: "start_indices:i64s limit_indices:i64s strides:i64s",
			form:  "%0 <slice-ranges> attr-dict : <functional>", check: (*checker).slice},
		{name: "stablehlo.dynamic_slice", in: "operand:fpicq start_indices*:i/0", out: "result:fpicq",
			attrs: "slice_sizes:i64s", form: "%0 , %1*, sizes = $slice_sizes attr-dict : <functional>", check: (*checker).dynamicSlice},
		{name: "stablehlo.dynamic_update_slice", in: "operand:fpicq update:fpicq start_indices*:i/0", out: "result:fpicq",
			form: functionalForm, check: (*checker).dynamicUpdateSlice},
	}
}

func (c *checker) slice(o *Op) {
	x := c.in(0)
	start, limit, stride := c.ints("start_indices"), c.ints("limit_indices"), c.ints("strides")
	c.sameElems("C1", o.Operands[0], o.Results[0])
	rank := len(x.Shape)
	c.check(len(start) == rank && len(limit) == rank && len(stride) == rank, "C2", "%d starts, %d limits and %d strides for rank %d",
		len(start), len(limit), len(stride), rank)
	shape := make(array.Shape, rank)
	for i := range rank {
		c.check(start[i] >= 0, "C3", "the start %d in dimension %d is negative", start[i], i)
		if n := x.size(i).limit(); n >= 0 {
			c.check(limit[i] <= n, "C3", "the limit %d is behind the end, dimension %d has size %d", limit[i], i, n)
		}
		c.check(start[i] <= limit[i], "C3", "the start %d is behind the limit %d in dimension %d", start[i], limit[i], i)
		c.check(stride[i] > 0, "C4", "the stride %d in dimension %d is not positive", stride[i], i)
		if shape[i] = 0; limit[i] > start[i] {
			shape[i] = (limit[i]-start[i]-1)/stride[i] + 1
		}
	}
	c.result(0, "C5", x.withSizes(sizesOf(shape)))
}

func (c *checker) dynamicSlice(o *Op) {
	x, sizes, starts := c.in(0), c.ints("slice_sizes"), o.Operands[1:]
	c.sameElems("C1", o.Operands[0], o.Results[0])
	c.check(len(starts) == len(x.Shape) && len(sizes) == len(starts), "C2", "%d starts and %d sizes for rank %d",
		len(starts), len(sizes), len(x.Shape))
	c.starts("C3", starts)
	for i, n := range sizes {
		c.check(n >= 0 && (x.Shape[i] < 0 || n <= x.Shape[i]), "C4", "the size %d is not within dimension %d of %s", n, i, x)
	}
	c.result(0, "C5", x.withSizes(sizesOf(sizes)))
}

// starts checks that start indices have one type.
func (c *checker) starts(constraint string, starts []*Value) {
	if len(starts) > 0 {
		c.sameElems(constraint, starts...)
	}
}

func (c *checker) dynamicUpdateSlice(o *Op) {
	x, u, starts := c.in(0), c.in(1), o.Operands[2:]
	c.sameElems("C2", o.Operands[0], o.Operands[1], o.Results[0])
	c.check(len(u.Shape) == len(x.Shape), "C3", "the update %s has another rank than %s", u, x)
	c.check(len(starts) == len(x.Shape), "C4", "%d starts for rank %d", len(starts), len(x.Shape))
	c.starts("C5", starts)
	for i, n := range u.Shape {
		c.check(n < 0 || x.Shape[i] < 0 || n <= x.Shape[i], "C6", "dimension %d of the update %s is larger than that of %s", i, u, x)
	}
	c.result(0, "C1", x)
}
