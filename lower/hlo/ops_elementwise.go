package hlo

// Elementwise operations.

func elementwiseOps() []opSpec {
	unary := func(in, out string) opSpec {
		return opSpec{in: "operand:" + in, out: "result:" + out, form: sameForm}
	}
	precise := unary("fcq", "fcq")
	precise.attrs = "result_accuracy:accuracy?"
	binary := func(in, out string) opSpec {
		return opSpec{in: "lhs:" + in + " rhs:" + in, out: "result:" + out, form: sameForm}
	}
	ops := rows(precise, "stablehlo.cbrt", "stablehlo.cosine", "stablehlo.exponential", "stablehlo.exponential_minus_one",
		"stablehlo.log", "stablehlo.log_plus_one", "stablehlo.logistic", "stablehlo.rsqrt", "stablehlo.sine", "stablehlo.sqrt",
		"stablehlo.tan", "stablehlo.tanh")
	ops = append(ops, rows(unary("fq", "fq"), "stablehlo.ceil", "stablehlo.floor", "stablehlo.round_nearest_afz",
		"stablehlo.round_nearest_even")...)
	ops = append(ops, rows(unary("i", "i"), "stablehlo.count_leading_zeros", "stablehlo.popcnt")...)
	ops = append(ops, rows(unary("fc", "f"), "stablehlo.imag", "stablehlo.real")...)
	ops = append(ops, rows(binary("fpicq", "fpicq"), "stablehlo.add")...)
	ops = append(ops, rows(binary("fcq", "fcq"), "stablehlo.atan2")...)
	ops = append(ops, rows(binary("ifcq", "ifcq"), "stablehlo.divide", "stablehlo.power", "stablehlo.remainder", "stablehlo.subtract")...)
	ops = append(ops, rows(binary("fpicq", "fpicq"), "stablehlo.maximum", "stablehlo.minimum", "stablehlo.multiply")...)
	ops = append(ops, rows(binary("i", "i"), "stablehlo.shift_left", "stablehlo.shift_right_arithmetic", "stablehlo.shift_right_logical")...)
	ops = append(ops, rows(binary("pi", "pi"), "stablehlo.and", "stablehlo.or", "stablehlo.xor")...)
	return append(ops,
		opSpec{name: "stablehlo.abs", in: "operand:sfcq", out: "result:sfq", form: sameForm},
		opSpec{name: "stablehlo.convert", in: "operand:fpic", out: "result:fpic", form: sameForm},
		opSpec{name: "stablehlo.not", in: "operand:pi", out: "result:pi", form: sameForm},
		opSpec{name: "stablehlo.negate", in: "operand:ifcq", out: "result:ifcq", form: sameForm},
		opSpec{name: "stablehlo.sign", in: "operand:sfcq", out: "result:sfcq", form: sameForm},
		opSpec{name: "stablehlo.is_finite", in: "x:fq", out: "y:p", form: functionalForm},
		opSpec{name: "stablehlo.complex", in: "lhs:f rhs:f", out: "result:c", form: "%* attr-dict : <complex>"},
		opSpec{name: "stablehlo.compare", in: "lhs:fpicq rhs:fpicq", out: "result:p",
			attrs: "comparison_direction:comparison_direction compare_type:comparison_type?",
			form:  "$comparison_direction , %0 , %1 ( , $compare_type )? attr-dict : <functional>"},
		opSpec{name: "stablehlo.select", in: "pred:p on_true:fpicq on_false:fpicq", out: "result:fpicq",
			form: "%* attr-dict : <select>"},
		opSpec{name: "stablehlo.clamp", in: "min:fpicq operand:fpicq max:fpicq", out: "result:fpicq", form: sameForm},
		opSpec{name: "stablehlo.reduce_precision", in: "operand:fq", out: "output:fq",
			attrs: "exponent_bits:i32>=1 mantissa_bits:i32>=0",
			form:  "%0 , format = <exponent-mantissa> attr-dict : <same>"},
		opSpec{name: "stablehlo.map", in: "inputs*:fpicq", out: "result:fpicq", attrs: "dimensions:i64s", regions: "1"},
	)
}
