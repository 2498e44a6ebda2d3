package hlo

// Random numbers.

func randomOps() []opSpec {
	return []opSpec{
		{name: "stablehlo.rng", in: "a:pif/0 b:pif/0 shape:ix/1s", out: "result:pif", attrs: "rng_distribution:rng_distribution",
			form: "%0 , %1 , %2 , distribution = $rng_distribution attr-dict : <functional>"},
		{name: "stablehlo.rng_bit_generator", in: "initial_state:if", out: "output_state:if output:if/s",
			attrs: "rng_algorithm:rng_algorithm",
			form:  "%0 , algorithm = $rng_algorithm attr-dict : <functional>"},
	}
}
