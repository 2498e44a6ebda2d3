package hlo

import "github.com/pantograph-go/pantograph/array"

// Elementwise operations.

func elementwiseOps() []opSpec {
	unary := func(in, out string) opSpec {
		return opSpec{in: "operand:" + in, out: "result:" + out, form: sameForm, check: (*checker).elementwise}
	}
	precise := unary("fcq", "fcq")
	precise.attrs, precise.check = "result_accuracy:accuracy?", (*checker).precise
	part := unary("fc", "f")
	part.check = (*checker).complexPart
	binary := func(in, out string) opSpec {
		return opSpec{in: "lhs:" + in + " rhs:" + in, out: "result:" + out, form: sameForm, check: (*checker).elementwise}
	}
	ops := rows(precise, "stablehlo.cbrt", "stablehlo.cosine", "stablehlo.exponential", "stablehlo.exponential_minus_one",
		"stablehlo.log", "stablehlo.log_plus_one", "stablehlo.logistic", "stablehlo.rsqrt", "stablehlo.sine", "stablehlo.sqrt",
		"stablehlo.tan", "stablehlo.tanh")
	ops = append(ops, rows(unary("fq", "fq"), "stablehlo.ceil", "stablehlo.floor", "stablehlo.round_nearest_afz",
		"stablehlo.round_nearest_even")...)
	ops = append(ops, rows(unary("i", "i"), "stablehlo.count_leading_zeros", "stablehlo.popcnt")...)
	ops = append(ops, rows(part, "stablehlo.imag", "stablehlo.real")...)
	ops = append(ops, rows(binary("fcq", "fcq"), "stablehlo.atan2")...)
	ops = append(ops, rows(binary("ifcq", "ifcq"), "stablehlo.divide", "stablehlo.power", "stablehlo.remainder", "stablehlo.subtract")...)
	ops = append(ops, rows(binary("fpicq", "fpicq"), "stablehlo.maximum", "stablehlo.minimum", "stablehlo.multiply")...)
	ops = append(ops, rows(binary("i", "i"), "stablehlo.shift_left", "stablehlo.shift_right_arithmetic", "stablehlo.shift_right_logical")...)
	ops = append(ops, rows(binary("pi", "pi"), "stablehlo.and", "stablehlo.or", "stablehlo.xor")...)
	return append(ops,
		opSpec{name: "stablehlo.add", in: "lhs:fpicqQ rhs:fpicqQ", out: "result:fpicqQ", form: sameForm, check: (*checker).add},
		opSpec{name: "stablehlo.abs", in: "operand:sfcq", out: "result:sfq", form: sameForm, check: (*checker).complexPart},
		opSpec{name: "stablehlo.convert", in: "operand:fpic", out: "result:fpic", form: sameForm, check: (*checker).convert},
		opSpec{name: "stablehlo.not", in: "operand:pi", out: "result:pi", form: sameForm, check: (*checker).elementwise},
		opSpec{name: "stablehlo.negate", in: "operand:ifcq", out: "result:ifcq", form: sameForm, check: (*checker).elementwise},
		opSpec{name: "stablehlo.sign", in: "operand:sfcq", out: "result:sfcq", form: sameForm, check: (*checker).elementwise},
		opSpec{name: "stablehlo.is_finite", in: "x:fq", out: "y:p", form: functionalForm, check: (*checker).convert},
		opSpec{name: "stablehlo.complex", in: "lhs:f rhs:f", out: "result:c", form: "%* attr-dict : <complex>", check: (*checker).complex},
		opSpec{name: "stablehlo.compare", in: "lhs:fpicq rhs:fpicq", out: "result:p",
			attrs: "comparison_direction:comparison_direction compare_type:comparison_type?",
			form:  "$comparison_direction , %0 , %1 ( , $compare_type )? attr-dict : <functional>", check: (*checker).compare},
		opSpec{name: "stablehlo.select", in: "pred:p on_true:fpicq on_false:fpicq", out: "result:fpicq",
			form: "%* attr-dict : <select>", check: (*checker).selectOp},
		opSpec{name: "stablehlo.clamp", in: "min:fpicq operand:fpicq max:fpicq", out: "result:fpicq", form: sameForm, check: (*checker).clamp},
		opSpec{name: "stablehlo.reduce_precision", in: "operand:fq", out: "output:fq",
			attrs: "exponent_bits:i32>=1 mantissa_bits:i32>=0",
			form:  "%0 , format = <exponent-mantissa> attr-dict : <same>", check: (*checker).elementwise},
		opSpec{name: "stablehlo.map", in: "inputs*:fpicq", out: "result:fpicq", attrs: "dimensions:i64s", regions: "1",
			check: (*checker).mapOp},
	)
}

// elementwise: operands and result have compatible types, and the result knows no less than the operands together.
func (c *checker) elementwise(o *Op) {
	c.sameShapes("C1")
	c.compatibleElems("C1")
	if ts := c.rankedOperands(); len(ts) == len(o.Operands) {
		t, ok := narrowestOf(ts)
		c.check(ok, "C1", "the operands contradict each other in size: %s and %s", ts[0], ts[len(ts)-1])
		c.result(0, "C1", t)
	}
}

// rankedOperands are the tensor types among the operands' types.
func (c *checker) rankedOperands() []Tensor {
	var ts []Tensor
	for _, v := range c.op.Operands {
		if t, ok := v.Type.(Tensor); ok {
			ts = append(ts, t)
		}
	}
	return ts
}

// precise: an elementwise function whose accuracy may be asked for.
func (c *checker) precise(o *Op) {
	if a, ok := o.Attr("result_accuracy").(ResultAccuracy); ok {
		c.check(a.ATol >= 0 && a.RTol >= 0 && a.ULPs >= 0, "attribute result_accuracy", "a tolerance is negative")
		switch a.Mode {
		case "DEFAULT", "HIGHEST":
			c.check(a.ATol == 0 && a.RTol == 0 && a.ULPs == 0, "attribute result_accuracy",
				"mode %s takes no tolerances", a.Mode)
		case "TOLERANCE":
		default:
			c.fail("attribute result_accuracy", "the mode is DEFAULT, HIGHEST or TOLERANCE, not %s", a.Mode)
		}
	}
	c.elementwise(o)
}

// complexPart: real, imag and abs give the real type of a complex operand.
func (c *checker) complexPart(o *Op) {
	c.sameShapes("C1")
	t := c.in(0)
	if t.Quant == nil {
		t = t.With(t.Elem.Real())
	}
	c.result(0, "C2", t)
}

func (c *checker) convert(*Op) { c.sameShapes("C1") }

func (c *checker) complex(o *Op) {
	c.sameShapes("C2")
	c.sameElems("C1", o.Operands...)
	t := c.in(0)
	c.check(t.Elem == array.Float32 || t.Elem == array.Float64, "operand lhs", "the parts are f32 or f64, not %s", t.Elem.HLO())
	c.result(0, "C3", t.With(t.Elem.Complex()))
}

// add differs from the others in the types that quantized operands may have.
func (c *checker) add(o *Op) {
	c.sameShapes("C1")
	l, r, y := c.in(0), c.in(1), c.out(0)
	if l.Quant == nil && r.Quant == nil && y.Quant == nil {
		c.sameElems("C1", o.Operands[0], o.Operands[1], o.Results[0])
		c.elementwise(o)
		return
	}
	c.check(l.Quant != nil && r.Quant != nil && y.Quant != nil, "C2", "operands and result are all quantized or none is")
	a, b, z := l.Quant, r.Quant, y.Quant
	c.check(a.Storage == b.Storage && a.Storage == z.Storage, "C3", "the storage types differ")
	c.check(a.Expressed == b.Expressed && a.Expressed == z.Expressed, "C4", "the expressed types differ")
	c.check((a.Axis >= 0 || b.Axis >= 0) == (z.Axis >= 0), "C5", "the result is quantized along an axis exactly when an operand is")
	c.check(a.Axis < 0 || a.Axis == z.Axis, "C6", "lhs is quantized along axis %d, the result along %d", a.Axis, z.Axis)
	c.check(b.Axis < 0 || b.Axis == z.Axis, "C7", "rhs is quantized along axis %d, the result along %d", b.Axis, z.Axis)
}

func (c *checker) compare(o *Op) {
	c.check(compatibleElem(c.in(0), c.in(1)), "C1", "the element types of %s and %s differ", c.in(0), c.in(1))
	c.sameShapes("C2")
	c.result(0, "C2", c.in(0).With(array.Bool))
}

func (c *checker) selectOp(o *Op) {
	pred, x, y := c.in(0), c.in(1), c.in(2)
	c.check(compatibleShape(x.Shape, y.Shape) && sameElem(x, y), "C2", "on_true is %s, on_false %s", x, y)
	c.check(len(pred.Shape) == 0 || compatibleShape(pred.Shape, x.Shape), "C1",
		"the predicate %s is neither a scalar nor of the shape of %s", pred, x)
	t, ok := narrowestOf([]Tensor{x, y})
	c.check(ok, "C2", "on_true and on_false contradict each other in size: %s and %s", x, y)
	c.result(0, "C2", t)
}

func (c *checker) clamp(o *Op) {
	lo, x, hi := c.in(0), c.in(1), c.in(2)
	c.check(len(lo.Shape) == 0 || compatibleShape(lo.Shape, x.Shape), "C1", "min is %s, neither a scalar nor of the shape of %s", lo, x)
	c.check(len(hi.Shape) == 0 || compatibleShape(hi.Shape, x.Shape), "C2", "max is %s, neither a scalar nor of the shape of %s", hi, x)
	c.compatibleElems("C3")
	c.result(0, "C4", x)
}

func (c *checker) mapOp(o *Op) {
	c.check(len(o.Operands) > 0, "C2", "at least one operand is needed")
	c.sameShapes("C1")
	body := o.Regions[0].Block()
	c.check(len(body.Args) == len(o.Operands), "C4", "%d operands, but the computation takes %d arguments", len(o.Operands), len(body.Args))
	for i, a := range body.Args {
		t := a.Tensor()
		c.check(isScalarTensor(a.Type) && sameElem(t, c.in(i)), "C4", "argument %d is %s, the operand %s", i, a.Type, c.in(i))
	}
	out := body.Terminator().Operands
	c.check(len(out) == 1 && isScalarTensor(out[0].Type), "C4", "the computation returns one scalar")
	dims := c.ints("dimensions")
	rank := len(c.in(0).Shape)
	for i, d := range dims {
		c.check(d == i, "C3", "the dimensions are to be 0, 1, …, not %v", dims)
	}
	c.check(len(dims) == rank, "C3", "%d dimensions are named of %d", len(dims), rank)
	c.result(0, "C4", c.in(0).withElem(out[0].Tensor()))
}

// isScalarTensor reports a tensor of rank 0.
func isScalarTensor(t Type) bool {
	x, ok := t.(Tensor)
	return ok && len(x.Shape) == 0
}
