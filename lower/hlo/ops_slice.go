package hlo

// Slices with static and dynamic starts.

func sliceOps() []opSpec {
	return []opSpec{
		{name: "stablehlo.slice", in: "operand:fpicq", out: "result:fpicq",
			attrs: "start_indices:i64s limit_indices:i64s strides:i64s",
			form:  "%0 <slice-ranges> attr-dict : <functional>"},
		{name: "stablehlo.dynamic_slice", in: "operand:fpicq start_indices*:i/0", out: "result:fpicq",
			attrs: "slice_sizes:i64s", form: "%0 , %1*, sizes = $slice_sizes attr-dict : <functional>"},
		{name: "stablehlo.dynamic_update_slice", in: "operand:fpicq update:fpicq start_indices*:i/0", out: "result:fpicq",
			form: functionalForm},
	}
}
