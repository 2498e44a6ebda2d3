package hlo

// Conversion to and from quantized elements.

func quantizedOps() []opSpec {
	return []opSpec{
		{name: "stablehlo.uniform_quantize", in: "operand:fqQ", out: "result:qQ", form: sameForm, check: (*checker).uniformQuantize},
		{name: "stablehlo.uniform_dequantize", in: "operand:qQ", out: "result:f", form: sameForm, check: (*checker).uniformDequantize},
	}
}

func (c *checker) uniformQuantize(*Op) {
	x, q := c.in(0), c.out(0).Quant
	c.sameShapes("C1")
	want := x.Elem
	if x.Quant != nil {
		want = x.Quant.Expressed
	}
	c.check(q.Expressed == want, "C2", "the result expresses %s, the operand %s", q.Expressed.HLO(), want.HLO())
}

func (c *checker) uniformDequantize(*Op) {
	c.sameShapes("C1")
	x := c.in(0)
	c.result(0, "C2", x.With(x.Quant.Expressed))
}
