package hlo

import (
	"slices"

	"github.com/pantograph-go/pantograph/array"
)

// The CHLO dialect: operations above StableHLO that the verifier knows and an engine legalises.

func chloOps() []opSpec {
	const arrow, broadcast = "%* attr-dict : <arrow>", "%* attr-dict : <functional>"
	unary := func(in, out string) opSpec {
		return opSpec{in: "operand:" + in + "/u", out: "result:" + out + "/u", form: arrow, check: (*checker).elementwise}
	}
	test := unary("f", "p")
	test.check = (*checker).convert
	binary := func(elem string) opSpec {
		return opSpec{in: "lhs:" + elem + "/u rhs:" + elem + "/u", out: "result:" + elem + "/u", form: arrow, check: (*checker).elementwise}
	}
	wide := func(in, out string) opSpec {
		return opSpec{in: "lhs:" + in + "/u rhs:" + in + "/u", out: "result:" + out + "/u", attrs: "broadcast_dimensions:i64s?",
			form: broadcast, check: (*checker).broadcastBinary}
	}
	ops := rows(unary("fc", "fc"), "chlo.acos", "chlo.acosh", "chlo.asin", "chlo.asinh", "chlo.atan", "chlo.atanh", "chlo.bessel_i1e",
		"chlo.conj", "chlo.cosh", "chlo.sinh", "chlo.tan", "chlo.square")
	ops = append(ops, rows(unary("c", "c"), "chlo._asin_acos_kernel")...)
	ops = append(ops, rows(unary("f", "f"), "chlo.digamma", "chlo.erf", "chlo.erf_inv", "chlo.erfc", "chlo.lgamma")...)
	ops = append(ops, rows(test, "chlo.is_inf", "chlo.is_neg_inf", "chlo.is_pos_inf")...)
	ops = append(ops, rows(binary("f"), "chlo.next_after", "chlo.polygamma", "chlo.zeta")...)
	ops = append(ops, rows(wide("fpicqQ", "fpicqQ"), "chlo.broadcast_add", "chlo.broadcast_atan2", "chlo.broadcast_divide",
		"chlo.broadcast_maximum", "chlo.broadcast_minimum", "chlo.broadcast_multiply", "chlo.broadcast_next_after",
		"chlo.broadcast_polygamma", "chlo.broadcast_power", "chlo.broadcast_remainder", "chlo.broadcast_shift_left",
		"chlo.broadcast_shift_right_arithmetic", "chlo.broadcast_shift_right_logical", "chlo.broadcast_subtract")...)
	ops = append(ops, rows(wide("f", "f"), "chlo.broadcast_zeta")...)
	ops = append(ops, rows(wide("pi", "pi"), "chlo.broadcast_and", "chlo.broadcast_or", "chlo.broadcast_xor")...)
	ops = append(ops, rows(wide("f", "c"), "chlo.broadcast_complex")...)
	return append(ops,
		opSpec{name: "chlo.mulhi", in: "lhs:i rhs:i", out: "result:i", form: arrow, check: (*checker).elementwise},
		opSpec{name: "chlo.broadcast_compare", in: "lhs:fpicqQ/u rhs:fpicqQ/u", out: "result:p/u", form: broadcast,
			attrs: "broadcast_dimensions:i64s? comparison_direction:comparison_direction compare_type:comparison_type?",
			check: (*checker).broadcastBinary},
		opSpec{name: "chlo.broadcast_select", in: "pred:p on_true:fpicqQ/u on_false:fpicqQ/u", out: "result:fpicqQ/u", form: broadcast,
			check: (*checker).broadcastSelect},
		opSpec{name: "chlo.constant", out: "output:fpicq/s", attrs: "value:elements", form: "<constant>", check: (*checker).constant},
		opSpec{name: "chlo.constant_like", in: "operand:fpicqQ/u", out: "result:fpicqQ/u", attrs: "value:any", check: (*checker).constantLike},
		opSpec{name: "chlo.ragged_dot", in: "lhs:fpicqQ/u rhs:fpicqQ/u group_sizes:i", out: "result:fpicqQ/u",
			attrs: "ragged_dot_dimension_numbers:ragged_dot precision_config:precisions?", check: (*checker).raggedDot},
		opSpec{name: "chlo.top_k", in: "operand:fpicqQ/u", out: "values:fpicqQ/u indices:fpicqQ/u", attrs: "k:i64>=0 is_stable:bool?",
			form: "( %0 , k = $k ( , is_stable = $is_stable )? ) attr-dict : <arrow>", check: (*checker).topK},
		opSpec{name: "chlo.scan", in: "operands*:fpicqQ", out: "results*:fpicqQ",
			attrs: "dimension:i64>=0 scan_dim_size:i64>=0? is_reverse:bool? is_associative:bool? " +
				"operandSegmentSizes:i32s resultSegmentSizes:i32s",
			regions: "1", form: "<scan>", check: (*checker).scan},
	)
}

// broadcastBinary: operands are stretched to one shape, aligned at their last dimensions or as broadcast_dimensions says.
func (c *checker) broadcastBinary(o *Op) {
	x, y := scalarOrSelf(o.Operands[0].Type), scalarOrSelf(o.Operands[1].Type)
	c.check(compatible(x, y), "element type", "the element types of %s and %s differ", o.Operands[0].Type, o.Operands[1].Type)
	elem := scalarOrSelf(o.Results[0].Type).(Tensor)
	switch o.Name {
	case "chlo.broadcast_compare":
	case "chlo.broadcast_complex":
		c.check(elem.Elem == x.(Tensor).Elem.Complex(), "element type", "the result of %s and %s is not %s", x, y, o.Results[0].Type)
	default:
		c.check(compatibleElem(x.(Tensor), elem), "element type", "the element types of %s and %s differ", o.Operands[0].Type, o.Results[0].Type)
	}
	ts := c.rankedOperands()
	if len(ts) < 2 {
		return
	}
	if dims := c.ints("broadcast_dimensions"); dims != nil {
		small, large := &ts[0], &ts[1]
		if len(small.Shape) > len(large.Shape) {
			small, large = large, small
		}
		if len(dims) != len(small.Shape) { // of no meaning, but the dialect lets it stand: nothing follows for the result
			return
		}
		c.inRange("attribute broadcast_dimensions", "broadcast_dimensions", dims, len(large.Shape))
		c.ascending("attribute broadcast_dimensions", "broadcast_dimensions", dims)
		sizes := make([]size, len(large.Shape))
		for i := range sizes {
			sizes[i] = size{1, Dynamic}
		}
		for i, d := range dims {
			sizes[d] = small.size(i)
		}
		*small = small.withSizes(sizes)
	}
	c.broadcastResult(ts)
}

// broadcastResult checks the result's sizes against operands that are stretched as NumPy does.
func (c *checker) broadcastResult(ts []Tensor) {
	rank := 0
	for _, t := range ts {
		rank = max(rank, len(t.Shape))
	}
	sizes := make([]size, rank)
	for i := range sizes {
		sizes[i] = size{1, Dynamic}
	}
	for _, t := range ts {
		for i := range t.Shape {
			at := rank - len(t.Shape) + i
			s, ok := stretched(sizes[at], t.size(i))
			c.check(ok, "shape", "dimension %d of %s does not fit the size %s of another operand", i, t, sizeText(sizes[at].n))
			sizes[at] = s
		}
	}
	if y, ranked := c.op.Results[0].Type.(Tensor); ranked {
		c.result(0, "shape", y.withSizes(sizes))
	}
}

// stretched is the size that two broadcast sizes give; an unknown one may turn out to be 1.
func stretched(a, b size) (size, bool) {
	switch {
	case a.n == 1:
		return b, true
	case b.n == 1:
		return a, true
	case a.n >= 0 && b.n >= 0:
		return a, a.n == b.n
	case a.n >= 0:
		return a, true
	case b.n >= 0:
		return b, true
	case a.bound >= 0 && b.bound >= 0:
		return size{Dynamic, max(a.bound, b.bound)}, true
	}
	return size{Dynamic, Dynamic}, true
}

func (c *checker) broadcastSelect(o *Op) {
	x, y := scalarOrSelf(o.Operands[1].Type), scalarOrSelf(o.Operands[2].Type)
	c.check(EqualType(x, y), "element type", "on_true is %s, on_false %s", o.Operands[1].Type, o.Operands[2].Type)
	c.check(compatible(x, scalarOrSelf(o.Results[0].Type)), "element type", "the element types of %s and %s differ", o.Operands[1].Type, o.Results[0].Type)
	if ts := c.rankedOperands(); len(ts) == 3 {
		c.broadcastResult(ts)
	}
}

func (c *checker) constantLike(o *Op) {
	c.sameShapes("shape")
	t, ok := attrType(o.Attr("value")).(Scalar)
	elem := scalarOrSelf(o.Results[0].Type).(Tensor)
	if _, isRaw := o.Attr("value").(Raw); isRaw { // a complex number
		return
	}
	c.check(ok && t.Name == elem.ElemString(), "attribute value", "%s is no element of %s", AttrString(o.Attr("value")), o.Results[0].Type)
}

func (c *checker) topK(o *Op) {
	x, ranked := o.Operands[0].Type.(Tensor)
	if !ranked {
		return
	}
	n, k := len(x.Shape), c.int("k", 0)
	c.check(n >= 1, "operand 0 (operand)", "a scalar has no largest elements")
	last := x.Shape[n-1]
	c.check(last < 0 || last >= k, "attribute k", "%d elements of %d", k, last)
	sizes := x.sizes()
	sizes[n-1] = size{k, Dynamic}
	c.result(0, "result values", x.withSizes(sizes))
	c.result(1, "result indices", x.withSizes(sizes).With(array.Int32))
}

func (c *checker) raggedDot(o *Op) {
	x, ok1 := o.Operands[0].Type.(Tensor)
	y, ok2 := o.Operands[1].Type.(Tensor)
	if !ok1 || !ok2 {
		return
	}
	d := o.Attr("ragged_dot_dimension_numbers").(RaggedDotDims)
	c.precisionConfig("attribute precision_config")
	plain := DotDims{d.LHSBatch, d.RHSBatch, d.LHSContracting, d.RHSContracting}
	c.dotDims(x, y, plain)
	c.check(len(d.LHSRagged) == 1, "lhs_ragged_dimensions", "exactly one ragged dimension is needed, not %d", len(d.LHSRagged))
	c.inRange("lhs_ragged_dimensions", "lhs_ragged_dimensions", d.LHSRagged, len(x.Shape))
	groups := c.in(2)
	c.groupSizes(x, groups, d)
	c.inRange("rhs_group_dimensions", "rhs_group_dimensions", d.RHSGroup, len(y.Shape))
	c.unique("rhs_group_dimensions", "group and batching dimensions", d.RHSGroup, d.RHSBatch)
	c.unique("rhs_group_dimensions", "group and contracting dimensions", d.RHSGroup, d.RHSContracting)
	ragged, n := d.LHSRagged[0], groups.Shape[len(groups.Shape)-1]
	contracted := slices.Contains(d.LHSContracting, ragged)
	var sizes []size
	if contracted || slices.Contains(d.LHSBatch, ragged) {
		c.check(len(d.RHSGroup) == 0, "rhs_group_dimensions", "with a batched or contracted ragged dimension rhs has no groups")
		if contracted {
			sizes = append(sizes, size{n, Dynamic})
		}
	} else {
		c.check(len(d.RHSGroup) == 1, "rhs_group_dimensions", "with a free ragged dimension rhs has one group dimension, not %d", len(d.RHSGroup))
		c.check(compatibleSize(n, y.Shape[d.RHSGroup[0]]), "rhs_group_dimensions", "rhs has %d groups, group_sizes %d", y.Shape[d.RHSGroup[0]], n)
	}
	plain.RHSBatch = append(slices.Clone(plain.RHSBatch), d.RHSGroup...) // the group dimension is in the result no more
	c.resultShape("result", x.withSizes(append(sizes, dotSizes(x, y, plain)...)))
}

// groupSizes checks that group_sizes is a vector, or has what stands before the ragged dimension in front.
func (c *checker) groupSizes(x, groups Tensor, d RaggedDotDims) {
	c.check(len(groups.Shape) > 0, "operand group_sizes", "a scalar gives no sizes")
	if len(groups.Shape) == 1 {
		return
	}
	ragged := d.LHSRagged[0]
	prefix := slices.Clone(d.LHSBatch)
	if i := slices.Index(d.LHSBatch, ragged); i >= 0 {
		prefix = prefix[:i]
	} else if i := slices.Index(d.LHSContracting, ragged); i >= 0 {
		prefix = append(prefix, d.LHSContracting[:i]...)
	} else {
		for i := range ragged {
			if !slices.Contains(d.LHSBatch, i) && !slices.Contains(d.LHSContracting, i) {
				prefix = append(prefix, i)
			}
		}
	}
	c.check(len(groups.Shape) == len(prefix)+1, "operand group_sizes", "it has rank %d, not %d", len(groups.Shape), len(prefix)+1)
	for i, p := range prefix {
		c.check(groups.Shape[i] == x.Shape[p], "operand group_sizes", "dimension %d has size %d, not %d", i, groups.Shape[i], x.Shape[p])
	}
}

func (c *checker) scan(o *Op) {
	in, out := o.Attr("operandSegmentSizes").(DenseArray).Ints, o.Attr("resultSegmentSizes").(DenseArray).Ints
	c.check(len(in) == 2 && in[0] >= 0 && in[1] >= 0 && in[0]+in[1] == int64(len(o.Operands)), "attribute operandSegmentSizes",
		"%v do not cover the %d operands", in, len(o.Operands))
	c.check(len(out) == 2 && out[0] >= 0 && out[1] == in[1] && out[0]+out[1] == int64(len(o.Results)), "attribute resultSegmentSizes",
		"%v do not cover the %d results, or the carries are not %d", out, len(o.Results), in[1])
	c.check(in[0]+out[0] > 0, "operand", "at least one input or output is needed")
	dim, length := c.int("dimension", 0), c.int("scan_dim_size", Dynamic)
	body := o.Regions[0].Block()
	c.check(len(body.Args) == len(o.Operands), "regions", "the body takes %d arguments, not %d", len(body.Args), len(o.Operands))
	for i, v := range o.Operands {
		t := v.Tensor()
		if i < int(in[0]) {
			c.check(dim < len(t.Shape), "attribute dimension", "dimension %d of %s", dim, t)
			c.check(compatibleSize(length, t.Shape[dim]), "attribute dimension", "operand %d has length %d, not %d", i, t.Shape[dim], length)
			if length < 0 {
				length = t.Shape[dim]
			}
			t = t.withSizes(slices.Delete(t.sizes(), dim, dim+1))
		}
		c.check(compatible(t, body.Args[i].Type), "regions", "argument %d of the body is %s, not %s", i, body.Args[i].Type, t)
	}
	ret := body.Terminator().Operands
	c.check(len(ret) == len(o.Results), "regions", "the body returns %d values, there are %d results", len(ret), len(o.Results))
	for i, v := range ret {
		t, ok := v.Type.(Tensor)
		c.check(ok, "regions", "the body returns %s, no tensor", v.Type)
		if i < int(out[0]) {
			c.check(dim <= len(t.Shape), "attribute dimension", "dimension %d of the outputs", dim)
			t = t.withSizes(slices.Insert(t.sizes(), dim, size{length, Dynamic}))
		}
		c.result(i, "result", t)
	}
}
