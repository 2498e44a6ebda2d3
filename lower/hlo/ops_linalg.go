package hlo

// Factorisations, transforms and batch normalisation.

func linalgOps() []opSpec {
	return []opSpec{
		{name: "stablehlo.cholesky", in: "a:fcq", out: "result:fcq", attrs: "lower:bool?",
			form: "%0 ( , lower = $lower )? attr-dict : <same>"},
		{name: "stablehlo.triangular_solve", in: "a:fc b:fc", out: "result:fc",
			attrs: "left_side:bool lower:bool unit_diagonal:bool transpose_a:transpose"},
		{name: "stablehlo.fft", in: "operand:fc", out: "result:fc", attrs: "fft_type:fft_type fft_length:i64s",
			form: "%0 , type = $fft_type , length = $fft_length attr-dict : <functional>"},
		{name: "stablehlo.batch_norm_inference", in: "operand:fq scale:fq/1 offset:fq/1 mean:fq/1 variance:fq/1", out: "result:fq",
			attrs: "epsilon:f32 feature_index:i64>=0"},
		{name: "stablehlo.batch_norm_training", in: "operand:fq scale:fq/1 offset:fq/1",
			out: "output:fq batch_mean:fq/1 batch_var:fq/1", attrs: "epsilon:f32 feature_index:i64>=0"},
		{name: "stablehlo.batch_norm_grad", in: "operand:fq scale:fq/1 mean:fq/1 variance:fq/1 grad_output:fq",
			out: "grad_operand:fq grad_scale:fq/1 grad_offset:fq/1", attrs: "epsilon:f32 feature_index:i64>=0"},
	}
}
