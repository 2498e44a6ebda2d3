package hlo

// Reductions, windows and sorting: operations that apply a computation.

func reduceOps() []opSpec {
	return []opSpec{
		{name: "stablehlo.reduce", in: "inputs*:fpicq init_values*:fpicq", out: "results*:fpicq", attrs: "dimensions:i64s",
			regions: "1", form: "<reduce>"},
		{name: "stablehlo.reduce_window", in: "inputs*:fpicq init_values*:fpicq", out: "results*:fpicq",
			attrs:   "window_dimensions:i64s window_strides:i64s? base_dilations:i64s? window_dilations:i64s? padding:elements?",
			regions: "1"},
		{name: "stablehlo.select_and_scatter", in: "operand:fpicq source:fpicq init_value:fpicq", out: "result:fpicq",
			attrs: "window_dimensions:i64s? window_strides:i64s? padding:elements?", regions: "2"},
		{name: "stablehlo.sort", in: "inputs*:fpicq", out: "results*:fpicq", attrs: "dimension:i64? is_stable:bool?", regions: "1"},
	}
}
