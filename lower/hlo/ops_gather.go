package hlo

// Gather and scatter.

func gatherOps() []opSpec {
	return []opSpec{
		{name: "stablehlo.gather", in: "operand:fpicq start_indices:i", out: "result:fpicq",
			attrs: "dimension_numbers:gather slice_sizes:i64s indices_are_sorted:bool?"},
		{name: "stablehlo.dynamic_gather", in: "operand:fpicq start_indices:i slice_sizes:i/1s", out: "result:fpicq",
			attrs: "dimension_numbers:gather indices_are_sorted:bool?"},
		{name: "stablehlo.scatter", in: "inputs*:fpicq scatter_indices:ix updates*:fpicq", out: "results*:fpicq",
			attrs: "scatter_dimension_numbers:scatter indices_are_sorted:bool? unique_indices:bool?", regions: "1"},
		{name: "stablehlo.torch_index_select", in: "operand:fpicq index:fpicq", out: "result:fpicq",
			attrs: "dim:i64 batch_dims:i64"},
	}
}
