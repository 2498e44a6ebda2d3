package hlo

// Random numbers.

func randomOps() []opSpec {
	return []opSpec{
		{name: "stablehlo.rng", in: "a:pif/0 b:pif/0 shape:ix/1s", out: "result:pif", attrs: "rng_distribution:rng_distribution",
			form: "%0 , %1 , %2 , distribution = $rng_distribution attr-dict : <functional>", check: (*checker).rng},
		{name: "stablehlo.rng_bit_generator", in: "initial_state:if", out: "output_state:if output:if/s",
			attrs: "rng_algorithm:rng_algorithm",
			form:  "%0 , algorithm = $rng_algorithm attr-dict : <functional>", check: (*checker).rngBitGenerator},
	}
}

func (c *checker) rng(o *Op) {
	a, b := c.in(0), c.in(1)
	c.sameElems("C1", o.Operands[0], o.Operands[1], o.Results[0])
	if o.Attr("rng_distribution").(Enum).Value == "NORMAL" {
		c.check(a.Elem.IsFloat() && b.Elem.IsFloat(), "C2", "a normal distribution is of floats, not of %s", a.Elem.HLO())
	}
	shape, known := constInts(o.Operands[2])
	if !known {
		shape = make([]int, c.in(2).Shape[0])
		for i := range shape {
			shape[i] = Dynamic
		}
	}
	c.result(0, "C3", a.withSizes(sizesOf(shape)))
}

func (c *checker) rngBitGenerator(*Op) {
	c.check(compatibleShape(c.in(0).Shape, c.out(0).Shape), "C1", "the state goes in as %s and comes out as %s", c.in(0), c.out(0))
}
