package hlo

import (
	"math/bits"
	"slices"

	"github.com/pantograph-go/pantograph/array"
)

// Constants and operations that move elements without computing.

func shapeOps() []opSpec {
	return []opSpec{
		{name: "stablehlo.constant", out: "output:fpicqQ/s", attrs: "value:elements", form: "<constant>", check: (*checker).constant},
		{name: "stablehlo.iota", out: "output:ifcq/s", attrs: "iota_dimension:i64>=0",
			form: "dim = $iota_dimension attr-dict : <result>", check: (*checker).iota},
		{name: "stablehlo.broadcast", in: "operand:fpicq", out: "result:fpicqQ", attrs: "broadcast_sizes:i64s",
			form: "%0 , sizes = $broadcast_sizes attr-dict : <functional>", check: (*checker).broadcast},
		{name: "stablehlo.broadcast_in_dim", in: "operand:fpicqQ", out: "result:fpicqQ/b", attrs: "broadcast_dimensions:i64s",
			form: "%0 , dims = $broadcast_dimensions attr-dict : <functional>", check: (*checker).broadcastInDim},
		{name: "stablehlo.reshape", in: "operand:fpicqQ", out: "result:fpicqQ/b", form: functionalForm, check: (*checker).reshape},
		{name: "stablehlo.transpose", in: "operand:fpicqQ", out: "result:fpicqQ", attrs: "permutation:i64s",
			form: "%0 , dims = $permutation attr-dict : <functional>", check: (*checker).transpose},
		{name: "stablehlo.reverse", in: "operand:fpicq", out: "result:fpicq", attrs: "dimensions:i64s",
			form: "%0 , dims = $dimensions attr-dict : <same>", check: (*checker).reverse},
		{name: "stablehlo.bitcast_convert", in: "operand:fpicqQ", out: "result:fpicqQ", form: functionalForm,
			check: (*checker).bitcastConvert},
		{name: "stablehlo.concatenate", in: "inputs*:fpicq", out: "result:fpicq", attrs: "dimension:i64>=0",
			form: "%0*, dim = $dimension attr-dict : <functional>", check: (*checker).concatenate},
		{name: "stablehlo.pad", in: "operand:fpicq padding_value:fpicq/0", out: "result:fpicq",
			attrs: "edge_padding_low:i64s edge_padding_high:i64s interior_padding:i64s",
			form:  "%0 , %1 , low = $edge_padding_low , high = $edge_padding_high , interior = $interior_padding attr-dict : <functional>",
			check: (*checker).pad},
	}
}

func (c *checker) constant(o *Op) {
	t, ok := attrType(o.Attr("value")).(Tensor)
	c.check(ok && t.IsStatic(), "C1", "the value is no static tensor")
	y := c.out(0)
	if y.Quant != nil && t.Quant == nil && t.Elem == y.Quant.Storage { // the storage of a quantized constant
		t = t.withElem(y)
	}
	c.result(0, "C1", t)
}

func (c *checker) iota(*Op) {
	rank := len(c.out(0).Shape)
	c.check(rank > 0, "C1", "a scalar has no dimension to count along")
	c.check(c.int("iota_dimension", 0) < rank, "C1", "dimension %d of a result of rank %d", c.int("iota_dimension", 0), rank)
}

func (c *checker) broadcast(*Op) {
	x := c.in(0)
	var sizes []size
	for _, n := range c.ints("broadcast_sizes") {
		c.check(n >= 0, "C1", "the size %d is negative", n)
		sizes = append(sizes, size{n, Dynamic})
	}
	c.check(sameElem(x, c.out(0)), "C1", "the element types of %s and %s differ", x, c.out(0))
	c.result(0, "C1", x.withSizes(append(sizes, x.sizes()...)))
}

func (c *checker) broadcastInDim(*Op) {
	x, y, dims := c.in(0), c.out(0), c.ints("broadcast_dimensions")
	c.compatibleElems("C1")
	c.sameScales("C1", x, y)
	c.check(len(dims) == len(x.Shape), "C2", "%d broadcast dimensions for an operand of rank %d", len(dims), len(x.Shape))
	c.unique("C4", "broadcast_dimensions", dims)
	c.inRange("C3", "broadcast_dimensions", dims, len(y.Shape))
	for i, d := range dims {
		n := x.Shape[i]
		c.check(n < 0 || n == 1 || n == y.Shape[d], "C5", "operand dimension %d has size %d, neither 1 nor the %s of result dimension %d",
			i, n, sizeText(y.Shape[d]), d)
	}
	c.broadcastAxis("C6", x, y, dims)
}

func sizeText(n int) string { return string(appendSize(nil, n)) }

// sameScales: two types quantized as a whole have the same scale and zero point.
func (c *checker) sameScales(constraint string, x, y Tensor) {
	if x.Quant != nil && y.Quant != nil && x.Quant.Axis < 0 && y.Quant.Axis < 0 {
		c.check(x.Quant.equal(y.Quant), constraint, "the scales and zero points of %s and %s differ", x, y)
	}
}

// sameAxisScales: two types quantized along an axis have the same scales and zero points.
func (c *checker) sameAxisScales(constraint string, x, y Tensor) {
	if x.Quant != nil && y.Quant != nil && x.Quant.Axis >= 0 && y.Quant.Axis >= 0 {
		c.check(slices.Equal(x.Quant.Scales, y.Quant.Scales) && slices.Equal(x.Quant.ZeroPoints, y.Quant.ZeroPoints), constraint,
			"the scales and zero points of %s and %s differ", x, y)
	}
}

// broadcastAxis: a quantized axis goes where the broadcast takes it, its scale repeated where it has size 1.
func (c *checker) broadcastAxis(constraint string, x, y Tensor, dims []int) {
	p, q := x.Quant, y.Quant
	if p == nil || q == nil || p.Axis < 0 || q.Axis < 0 {
		return
	}
	c.check(q.Axis == dims[p.Axis], constraint, "the result is quantized along %d, the operand's axis %d goes to %d", q.Axis, p.Axis, dims[p.Axis])
	if x.Shape[p.Axis] != 1 {
		return
	}
	for i := range q.Scales {
		c.check(q.Scales[i] == p.Scales[0] && q.ZeroPoints[i] == p.ZeroPoints[0], constraint,
			"scale %d of the result is %g:%d, of the operand %g:%d", i, q.Scales[i], q.ZeroPoints[i], p.Scales[0], p.ZeroPoints[0])
	}
}

func (c *checker) reshape(*Op) {
	x, y := c.in(0), c.out(0)
	c.compatibleElems("C1")
	if x.IsStatic() && y.IsStatic() {
		c.check(x.Shape.Size() == y.Shape.Size(), "C2", "%s has %d elements, %s has %d", x, x.Shape.Size(), y, y.Shape.Size())
		c.reshapedScales(x, y)
	}
}

// reshapedScales: a reshape keeps scales, and the elements before a quantized axis.
func (c *checker) reshapedScales(x, y Tensor) {
	c.sameScales("C1", x, y)
	if x.Quant == nil || y.Quant == nil || x.Quant.Axis < 0 || y.Quant.Axis < 0 {
		return
	}
	a, b := x.Quant.Axis, y.Quant.Axis
	c.check(compatibleSize(x.Shape[a], y.Shape[b]), "C3", "the quantized dimensions of %s and %s differ in size", x, y)
	if x.IsStatic() && y.IsStatic() {
		c.check(x.Shape[:a].Size() == y.Shape[:b].Size(), "C3", "%d elements stand before the quantized axis of %s, %d before that of %s",
			x.Shape[:a].Size(), x, y.Shape[:b].Size(), y)
	}
	c.sameAxisScales("C1", x, y)
}

func (c *checker) transpose(*Op) {
	x, y, perm := c.in(0), c.out(0), c.ints("permutation")
	c.compatibleElems("C1")
	c.check(len(perm) == len(x.Shape), "C2", "a permutation of %d dimensions for an operand of rank %d", len(perm), len(x.Shape))
	c.inRange("C2", "permutation", perm, len(x.Shape))
	c.unique("C2", "permutation", perm)
	sizes := make([]size, len(perm))
	for i, p := range perm {
		sizes[i] = x.size(p)
	}
	c.result(0, "C3", x.withSizes(sizes))
	if q := y.Quant; q != nil && q.Axis >= 0 {
		c.check(x.Quant.Axis == perm[q.Axis], "C4", "the operand is quantized along %d, the result along what was %d", x.Quant.Axis, perm[q.Axis])
	}
	c.sameScales("C1", x, y)
	c.sameAxisScales("C1", x, y)
}

func (c *checker) reverse(o *Op) {
	dims := c.ints("dimensions")
	c.sameElems("C1", o.Operands[0], o.Results[0])
	c.unique("C2", "dimensions", dims)
	c.inRange("C3", "dimensions", dims, len(c.in(0).Shape))
	c.result(0, "C1", c.in(0))
}

// elemBits is the width of an element, of the storage for a quantized one.
func elemBits(t Tensor) int { return t.Elem.Bits() }

func (c *checker) bitcastConvert(*Op) {
	x, y := c.in(0), c.out(0)
	c.check(x.Elem.IsComplex() == y.Elem.IsComplex(), "C2", "%s and %s: only one is complex", x, y)
	small, big := y, x
	if elemBits(x) < elemBits(y) {
		small, big = x, y
	}
	prefix := small.Shape
	if elemBits(small) != elemBits(big) {
		n := len(small.Shape)
		c.check(n == len(big.Shape)+1, "C1", "%s is to have one dimension more than %s", small, big)
		last := small.Shape[n-1]
		c.check(last < 0 || last*elemBits(small) == elemBits(big), "C1", "%s elements of %d bits do not make one of %d", sizeText(last),
			elemBits(small), elemBits(big))
		prefix = small.Shape[:n-1]
	}
	c.check(compatibleShape(prefix, big.Shape), "C1", "%s and %s differ in more than the last dimension of the narrower", x, y)
}

func (c *checker) concatenate(o *Op) {
	c.check(len(o.Operands) > 0, "C3", "at least one operand is needed")
	dim, first := c.int("dimension", 0), c.in(0)
	rank := len(first.Shape)
	c.check(dim < rank, "C4", "dimension %d of operands of rank %d", dim, rank)
	c.sameElems("C1", append(slices.Clone(o.Operands), o.Results...)...)
	sizes := first.sizes()
	for i := range o.Operands[1:] {
		x := c.in(i + 1)
		c.check(len(x.Shape) == rank, "C2", "operands of rank %d and %d", rank, len(x.Shape))
		for d := range sizes {
			if d == dim {
				sizes[d] = sumOf(sizes[d], x.size(d))
				continue
			}
			var ok bool
			sizes[d], ok = narrowest(sizes[d], x.size(d))
			c.check(ok, "C2", "%s and %s differ in dimension %d", first, x, d)
		}
	}
	c.result(0, "C5", first.withSizes(sizes))
}

// sumOf is the size of two pieces in a row.
func sumOf(a, b size) size {
	switch {
	case a.n >= 0 && b.n >= 0:
		return size{a.n + b.n, Dynamic}
	case a.limit() >= 0 && b.limit() >= 0:
		return size{Dynamic, a.limit() + b.limit()}
	}
	return size{Dynamic, Dynamic}
}

func (c *checker) pad(o *Op) {
	x := c.in(0)
	lo, hi, inner := c.ints("edge_padding_low"), c.ints("edge_padding_high"), c.ints("interior_padding")
	c.sameElems("C1", o.Operands[0], o.Operands[1], o.Results[0])
	rank := len(x.Shape)
	c.check(len(lo) == rank && len(hi) == rank && len(inner) == rank, "C2", "%d low, %d high and %d interior paddings for rank %d",
		len(lo), len(hi), len(inner), rank)
	sizes := x.sizes()
	for i := range sizes {
		c.check(inner[i] >= 0, "C3", "the interior padding %d of dimension %d is negative", inner[i], i)
		c.check(max(lo[i], hi[i], -lo[i], -hi[i], inner[i]) <= maxElements, "C4", "the padding of dimension %d is too large", i)
		if n := sizes[i].limit(); n >= 0 {
			hi64, holes := bits.Mul64(uint64(max(n-1, 0)), uint64(inner[i]))
			c.check(hi64 == 0 && holes <= maxElements, "C4", "dimension %d would be too large", i)
			m := n + lo[i] + hi[i] + int(holes)
			c.check(m >= 0, "C4", "dimension %d would have size %d", i, m)
			if sizes[i].n >= 0 {
				sizes[i] = size{m, Dynamic}
			} else {
				sizes[i].bound = m
			}
		}
	}
	c.result(0, "C4", x.withSizes(sizes))
}

// sizesOf are known sizes without bounds.
func sizesOf(s array.Shape) []size {
	out := make([]size, len(s))
	for i, n := range s {
		out[i] = size{n, Dynamic}
	}
	return out
}
