package hlo

// Dot products and convolutions.

func dotOps() []opSpec {
	const conv = "window_strides:i64s? padding:elements? lhs_dilation:i64s? rhs_dilation:i64s? window_reversal:bools? " +
		"dimension_numbers:conv feature_group_count:i64>=1 batch_group_count:i64>=1 precision_config:precisions?"
	return []opSpec{
		{name: "stablehlo.dot", in: "lhs:fpicq rhs:fpicqQ", out: "result:fpicqQ", attrs: "precision_config:precisions?",
			form: "%0 , %1 <precision> attr-dict : <functional>"},
		{name: "stablehlo.dot_general", in: "lhs:fpicq rhs:fpicqQ", out: "result:fpicqQ",
			attrs: "dot_dimension_numbers:dot precision_config:precisions? algorithm:algorithm?",
			form:  "%0 , %1 , <dot-dims> <precision-algorithm> attr-dict : <functional>"},
		{name: "stablehlo.convolution", in: "lhs:fpicq rhs:fpicqQ", out: "result:fpicqQ", attrs: conv,
			form: "( %* ) dim_numbers = <conv-dims> , window = { <window> } attr-dict : <functional>"},
		{name: "stablehlo.dynamic_conv", in: "lhs:fpicq rhs:fpicq padding:i/2s", out: "result:fpicq", attrs: conv},
		{name: "stablehlo.einsum", in: "lhs:fpicq rhs:fpicq", out: "result:fpicq", attrs: "einsum_config:str",
			form: "%0 , %1 , config = $einsum_config attr-dict : <functional>"},
		{name: "stablehlo.unary_einsum", in: "operand:fpicq", out: "result:fpicq", attrs: "einsum_config:str",
			form: "%0 , config = $einsum_config attr-dict : <functional>"},
	}
}
