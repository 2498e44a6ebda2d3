package hlo

// Operations whose shapes are operands.

func dynamicOps() []opSpec {
	return []opSpec{
		{name: "stablehlo.dynamic_iota", in: "output_shape:ix/1s", out: "result:fpicq", attrs: "iota_dimension:i64>=0",
			form: "%0 , dim = $iota_dimension attr-dict : <functional>"},
		{name: "stablehlo.dynamic_broadcast_in_dim", in: "operand:fpicqQ output_dimensions:ix/1s", out: "result:fpicqQ",
			attrs: "broadcast_dimensions:i64s known_expanding_dimensions:i64s? known_nonexpanding_dimensions:i64s?",
			form:  "%0 , %1 , dims = $broadcast_dimensions attr-dict : <functional>"},
		{name: "stablehlo.dynamic_reshape", in: "operand:fpicqQ output_shape:ix/1s", out: "result:fpicqQ", form: functionalForm},
		{name: "stablehlo.dynamic_pad",
			in:  "operand:fpicq padding_value:fpicq/0 edge_padding_low:ix/1s edge_padding_high:ix/1s interior_padding:ix/1s",
			out: "result:fpicq", form: functionalForm},
		{name: "stablehlo.real_dynamic_slice", in: "operand:fpicq start_indices:ix/1 limit_indices:ix/1 strides:ix/1",
			out: "result:fpicq", form: functionalForm},
		{name: "stablehlo.get_dimension_size", in: "operand:fpicqQ", out: "result:=i32", attrs: "dimension:i64>=0",
			form: "%0 , dim = $dimension attr-dict : <functional>"},
		{name: "stablehlo.set_dimension_size", in: "operand:fpicq size:=i32", out: "result:fpicq", attrs: "dimension:i64>=0",
			form: "%0 , %1 , dim = $dimension attr-dict : <functional>"},
	}
}
