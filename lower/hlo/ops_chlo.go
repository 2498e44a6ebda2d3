package hlo

// The CHLO dialect: operations above StableHLO that the verifier knows and an engine legalises.

func chloOps() []opSpec {
	const arrow, broadcast = "%* attr-dict : <arrow>", "%* attr-dict : <functional>"
	unary := func(in, out string) opSpec {
		return opSpec{in: "operand:" + in + "/u", out: "result:" + out + "/u", form: arrow}
	}
	binary := func(elem string) opSpec {
		return opSpec{in: "lhs:" + elem + "/u rhs:" + elem + "/u", out: "result:" + elem + "/u", form: arrow}
	}
	wide := func(in, out string) opSpec {
		return opSpec{in: "lhs:" + in + "/u rhs:" + in + "/u", out: "result:" + out + "/u", attrs: "broadcast_dimensions:i64s?", form: broadcast}
	}
	ops := rows(unary("fc", "fc"), "chlo.acos", "chlo.acosh", "chlo.asin", "chlo.asinh", "chlo.atan", "chlo.atanh", "chlo.bessel_i1e",
		"chlo.conj", "chlo.cosh", "chlo.sinh", "chlo.tan", "chlo.square")
	ops = append(ops, rows(unary("c", "c"), "chlo._asin_acos_kernel")...)
	ops = append(ops, rows(unary("f", "f"), "chlo.digamma", "chlo.erf", "chlo.erf_inv", "chlo.erfc", "chlo.lgamma")...)
	ops = append(ops, rows(unary("f", "p"), "chlo.is_inf", "chlo.is_neg_inf", "chlo.is_pos_inf")...)
	ops = append(ops, rows(binary("f"), "chlo.next_after", "chlo.polygamma", "chlo.zeta")...)
	ops = append(ops, rows(wide("fpicqQ", "fpicqQ"), "chlo.broadcast_add", "chlo.broadcast_atan2", "chlo.broadcast_divide",
		"chlo.broadcast_maximum", "chlo.broadcast_minimum", "chlo.broadcast_multiply", "chlo.broadcast_next_after",
		"chlo.broadcast_polygamma", "chlo.broadcast_power", "chlo.broadcast_remainder", "chlo.broadcast_shift_left",
		"chlo.broadcast_shift_right_arithmetic", "chlo.broadcast_shift_right_logical", "chlo.broadcast_subtract")...)
	ops = append(ops, rows(wide("f", "f"), "chlo.broadcast_zeta")...)
	ops = append(ops, rows(wide("pi", "pi"), "chlo.broadcast_and", "chlo.broadcast_or", "chlo.broadcast_xor")...)
	ops = append(ops, rows(wide("f", "c"), "chlo.broadcast_complex")...)
	return append(ops,
		opSpec{name: "chlo.mulhi", in: "lhs:i rhs:i", out: "result:i", form: arrow},
		opSpec{name: "chlo.broadcast_compare", in: "lhs:fpicqQ/u rhs:fpicqQ/u", out: "result:p/u", form: broadcast,
			attrs: "broadcast_dimensions:i64s? comparison_direction:comparison_direction compare_type:comparison_type?"},
		opSpec{name: "chlo.broadcast_select", in: "pred:p on_true:fpicqQ/u on_false:fpicqQ/u", out: "result:fpicqQ/u", form: broadcast},
		opSpec{name: "chlo.constant", out: "output:fpicq/s", attrs: "value:elements", form: "<constant>"},
		opSpec{name: "chlo.constant_like", in: "operand:fpicqQ/u", out: "result:fpicqQ/u", attrs: "value:any"},
		opSpec{name: "chlo.ragged_dot", in: "lhs:fpicqQ/u rhs:fpicqQ/u group_sizes:i", out: "result:fpicqQ/u",
			attrs: "ragged_dot_dimension_numbers:ragged_dot precision_config:precisions?"},
		opSpec{name: "chlo.top_k", in: "operand:fpicqQ/u", out: "values:fpicqQ/u indices:fpicqQ/u", attrs: "k:i64 is_stable:bool?",
			form: "( %0 , k = $k ( , is_stable = $is_stable )? ) attr-dict : <arrow>"},
		opSpec{name: "chlo.scan", in: "inputs*:fpicqQ/u inits*:fpicqQ/u", out: "outputs*:fpicqQ/u carries*:fpicqQ/u",
			attrs: "dimension:i64>=0 scan_dim_size:i64>=0? is_reverse:bool? is_associative:bool? " +
				"operandSegmentSizes:i32s? resultSegmentSizes:i32s?",
			regions: "1", form: "<scan>"},
	)
}
