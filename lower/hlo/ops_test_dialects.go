package hlo

// The dialects of StableHLO's own test programs: check, interpreter, and constants of arith.

func testOps() []opSpec {
	return []opSpec{
		{name: "check.expect_eq", in: "lhs:fpicq rhs:fpicq", form: sameForm, check: (*checker).sameTypes},
		{name: "check.expect_eq_const", in: "lhs:fpicq", attrs: "value:elements", form: "%0 , $value <operands-like-value> attr-dict",
			check: (*checker).likeValue},
		{name: "check.expect_almost_eq", in: "lhs:fc rhs:fc", attrs: "tolerance:f64?",
			form: "%0 , %1 ( , tolerance = $tolerance )? attr-dict : <same>", check: (*checker).sameTypes},
		{name: "check.expect_almost_eq_const", in: "lhs:fc", attrs: "value:elements tolerance:f64?",
			form: "%0 , $value <operands-like-value> ( , tolerance = $tolerance )? attr-dict", check: (*checker).likeValue},
		{name: "check.expect_close", in: "actual:fc expected:fc", attrs: "max_ulp_difference:ui64 min_ulp_difference:ui64?",
			form:  "%0 , %1 , max_ulp_difference = $max_ulp_difference ( , min_ulp_difference = $min_ulp_difference )? : attr-dict <operand-types>",
			check: (*checker).sameTypes},
		{name: "check.expect_serialized_eq", in: "expected:fpicq", attrs: "probe_id:str iteration:ui32?",
			form: "%0 , probe_id = $probe_id ( , iter = $iteration )? attr-dict : <same>"},
		{name: "interpreter.print", in: "operand:fpicq", form: sameForm, check: (*checker).sameTypes},
		{name: "interpreter.probe", in: "operand:fpicq", out: "result:fpicq", attrs: "probe_id:str",
			form: "%0 , probe_id = $probe_id attr-dict : <same>"},
		{name: "interpreter.run_parallel", in: "inputs*:|any", out: "results*:|any", attrs: "infeed:array? programs:array"},
		{name: "arith.constant", out: "result:|any", attrs: "value:any", form: "<typed-constant>"},
	}
}

// sameTypes: both operands have one type.
func (c *checker) sameTypes(o *Op) {
	for _, v := range o.Operands {
		c.check(EqualType(v.Type, o.Operands[0].Type), "operand", "the operands are %s and %s", o.Operands[0].Type, v.Type)
	}
}

// likeValue: the operand has the type of the attribute value.
func (c *checker) likeValue(o *Op) {
	t := attrType(o.Attr("value"))
	c.check(EqualType(t, o.Operands[0].Type), "operand lhs", "it is %s, the value %s", o.Operands[0].Type, t)
}
