package hlo

// Conversion to and from quantized elements.

func quantizedOps() []opSpec {
	return []opSpec{
		{name: "stablehlo.uniform_quantize", in: "operand:fqQ", out: "result:qQ", form: sameForm},
		{name: "stablehlo.uniform_dequantize", in: "operand:qQ", out: "result:f", form: sameForm},
	}
}
