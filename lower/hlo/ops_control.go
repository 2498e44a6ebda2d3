package hlo

// Control flow, tokens, tuples and barriers.

func controlOps() []opSpec {
	const value = "fpicqQ|token"
	return []opSpec{
		{name: "stablehlo.if", in: "pred:p", out: "results*:" + value, regions: "2"},
		{name: "stablehlo.case", in: "index:=i32", out: "results*:" + value, regions: "1*"},
		{name: "stablehlo.while", in: "operand*:" + value + "|buffer", out: "results*:" + value + "|buffer", regions: "2", form: "<while>"},
		{name: "stablehlo.return", in: "results*:" + value + "|buffer|tuple", form: "<return>"},
		{name: "stablehlo.optimization_barrier", in: "operand*:fpicq|token", out: "result*:fpicq|token", form: "attr-dict <barrier>"},
		{name: "stablehlo.tuple", in: "val*:" + value + "|tuple|buffer", out: "result:|tuple", form: "%* attr-dict : <tuple>"},
		{name: "stablehlo.get_tuple_element", in: "operand:|tuple", out: "result:" + value + "|tuple|buffer", attrs: "index:i32>=0",
			form: "%0 [ $index ] attr-dict : <functional>"},
		{name: "stablehlo.after_all", in: "inputs*:|token", out: "result:|token", form: sameForm},
		{name: "stablehlo.create_token", out: "result:|token", form: "attr-dict : <result>"},
		{name: "stablehlo.async_start", in: "operands*:fpicq", out: "result:|future", regions: "1"},
		{name: "stablehlo.async_done", in: "operand:|future", out: "result*:fpicq"},
	}
}
