package hlo

// Constants and operations that move elements without computing.

func shapeOps() []opSpec {
	return []opSpec{
		{name: "stablehlo.constant", out: "output:fpicqQ/s", attrs: "value:elements", form: "<constant>"},
		{name: "stablehlo.iota", out: "output:ifcq/s", attrs: "iota_dimension:i64>=0",
			form: "dim = $iota_dimension attr-dict : <result>"},
		{name: "stablehlo.broadcast", in: "operand:fpicq", out: "result:fpicqQ", attrs: "broadcast_sizes:i64s",
			form: "%0 , sizes = $broadcast_sizes attr-dict : <functional>"},
		{name: "stablehlo.broadcast_in_dim", in: "operand:fpicqQ", out: "result:fpicqQ/b", attrs: "broadcast_dimensions:i64s",
			form: "%0 , dims = $broadcast_dimensions attr-dict : <functional>"},
		{name: "stablehlo.reshape", in: "operand:fpicqQ", out: "result:fpicqQ/b", form: functionalForm},
		{name: "stablehlo.transpose", in: "operand:fpicqQ", out: "result:fpicqQ", attrs: "permutation:i64s",
			form: "%0 , dims = $permutation attr-dict : <functional>"},
		{name: "stablehlo.reverse", in: "operand:fpicq", out: "result:fpicq", attrs: "dimensions:i64s",
			form: "%0 , dims = $dimensions attr-dict : <same>"},
		{name: "stablehlo.bitcast_convert", in: "operand:fpicqQ", out: "result:fpicqQ", form: functionalForm},
		{name: "stablehlo.concatenate", in: "inputs*:fpicq", out: "result:fpicq", attrs: "dimension:i64>=0",
			form: "%0*, dim = $dimension attr-dict : <functional>"},
		{name: "stablehlo.pad", in: "operand:fpicq padding_value:fpicq/0", out: "result:fpicq",
			attrs: "edge_padding_low:i64s edge_padding_high:i64s interior_padding:i64s",
			form:  "%0 , %1 , low = $edge_padding_low , high = $edge_padding_high , interior = $interior_padding attr-dict : <functional>"},
	}
}
