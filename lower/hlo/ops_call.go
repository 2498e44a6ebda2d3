package hlo

// Calls of functions, of composites and of foreign targets.

func callOps() []opSpec {
	return []opSpec{
		{name: "func.call", in: "operands*:|any", out: "results*:|any", attrs: "callee:sym no_inline:unit? arg_attrs:any? res_attrs:any?",
			form: "$callee ( %* ) attr-dict : <functional>"},
		{name: "func.return", in: "operands*:|any", form: "<return>"},
		{name: "stablehlo.custom_call", in: "inputs*:fpicqQ/u|buffer|token|tuple|future", out: "results*:fpicqQ/u|buffer|token|tuple|future",
			attrs: "call_target_name:str has_side_effect:bool? backend_config:any? api_version:i32? called_computations:array? " +
				"operand_layouts:array? result_layouts:array? output_operand_aliases:array? result_tilings:array?",
			form: "<target> ( %* ) attr-dict : <functional>"},
		{name: "stablehlo.composite", in: "inputs*:fpicqQ|token|tuple", out: "results*:fpicqQ|token|tuple",
			attrs:   "name:str composite_attributes:dict? decomposition:sym version:i32?",
			regions: "0*", form: "$name %* <composite-regions> attr-dict : <functional>"},
	}
}
