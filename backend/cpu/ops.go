package cpu

// rule says how the engine runs an operation.
type rule struct {
	operands    int                                                 // how many it has at least
	emit        func(c *compiler, n *node) (run, error)             // makes the step
	elementwise bool                                                // result element i needs only element i of the operands
	effect      bool                                                // runs even if nothing reads its results
	direct      bool                                                // has a faster form for a computation that is one operation (directBody)
	update      bool                                                // … also for one that yields its second argument
	keepArgs    bool                                                // the computation must leave its arguments as they are
	carries     bool                                                // a loop: regions are condition and body, on the values of the results
	branches    bool                                                // its regions yield its results
	over        func(n *node) []int                                 // by result: the operand whose memory it may take over, or -1
	lanes       func(n *node, i int) int                            // how many elements at a time region i may compute
	temps       func(c *compiler, n *node) (bytes []int, err error) // scratch memory it needs
}

// ruleOf finds the rule of an operation; one without emit is not supported. The operations that need no step (calls,
// tuples, reshapes, constants) are handled where the plan is built.
func ruleOf(name string) rule {
	switch name {
	case "stablehlo.add", "stablehlo.subtract", "stablehlo.multiply", "stablehlo.divide", "stablehlo.remainder",
		"stablehlo.maximum", "stablehlo.minimum", "stablehlo.power", "stablehlo.atan2", "stablehlo.and", "stablehlo.or",
		"stablehlo.xor", "stablehlo.shift_left", "stablehlo.shift_right_logical", "stablehlo.shift_right_arithmetic",
		"chlo.next_after", "chlo.polygamma", "chlo.zeta", "chlo.mulhi":
		return rule{operands: 2, emit: emitBinary, elementwise: true}
	case "stablehlo.abs", "stablehlo.negate", "stablehlo.sign", "stablehlo.not", "stablehlo.popcnt", "stablehlo.count_leading_zeros",
		"stablehlo.floor", "stablehlo.ceil", "stablehlo.round_nearest_afz", "stablehlo.round_nearest_even",
		"stablehlo.sqrt", "stablehlo.rsqrt", "stablehlo.cbrt", "stablehlo.exponential", "stablehlo.exponential_minus_one",
		"stablehlo.log", "stablehlo.log_plus_one", "stablehlo.logistic", "stablehlo.tanh", "stablehlo.sine", "stablehlo.cosine",
		"stablehlo.tan", "chlo.acos", "chlo.acosh", "chlo.asin", "chlo.asinh", "chlo.atan", "chlo.atanh", "chlo.bessel_i1e",
		"chlo.conj", "chlo.cosh", "chlo.digamma", "chlo.erf", "chlo.erf_inv", "chlo.erfc", "chlo.lgamma", "chlo.sinh",
		"chlo.square", "chlo.tan":
		return rule{operands: 1, emit: emitUnary, elementwise: true}
	case "stablehlo.is_finite", "chlo.is_inf", "chlo.is_pos_inf", "chlo.is_neg_inf":
		return rule{operands: 1, emit: emitClassify, elementwise: true}
	case "stablehlo.compare":
		return rule{operands: 2, emit: emitCompare, elementwise: true}
	case "stablehlo.select":
		return rule{operands: 3, emit: emitSelect, elementwise: true}
	case "stablehlo.clamp":
		return rule{operands: 3, emit: emitClamp, elementwise: true, over: func(*node) []int { return []int{1} }}
	case "stablehlo.convert":
		return rule{operands: 1, emit: emitConvert, elementwise: true}
	case "stablehlo.bitcast_convert":
		return rule{operands: 1, emit: emitBitcast}
	case "stablehlo.reduce_precision":
		return rule{operands: 1, emit: emitReducePrecision, elementwise: true}
	case "stablehlo.complex":
		return rule{operands: 2, emit: emitComplex, elementwise: true}
	case "stablehlo.real", "stablehlo.imag":
		return rule{operands: 1, emit: emitPart, elementwise: true}
	case "stablehlo.broadcast_in_dim":
		return rule{operands: 1, emit: emitBroadcastInDim}
	case "stablehlo.broadcast":
		return rule{operands: 1, emit: emitBroadcast}
	case "stablehlo.transpose":
		return rule{operands: 1, emit: emitTranspose}
	case "stablehlo.reverse":
		return rule{operands: 1, emit: emitReverse}
	case "stablehlo.slice":
		return rule{operands: 1, emit: emitSlice}
	case "stablehlo.pad":
		return rule{operands: 2, emit: emitPad}
	case "stablehlo.concatenate":
		return rule{operands: 1, emit: emitConcatenate}
	case "stablehlo.iota":
		return rule{emit: emitIota}
	case "stablehlo.dynamic_slice":
		return rule{operands: 1, emit: emitDynamicSlice}
	case "stablehlo.dynamic_update_slice":
		return rule{operands: 2, emit: emitDynamicUpdateSlice, over: func(*node) []int { return []int{0} }}
	case "stablehlo.gather":
		return rule{operands: 2, emit: emitGather}
	case "stablehlo.scatter":
		return rule{operands: 3, emit: emitScatter, direct: true, update: true, over: first}
	case "stablehlo.reduce":
		return rule{operands: 2, emit: emitReduce, direct: true, lanes: resultLanes}
	case "stablehlo.reduce_window":
		return rule{operands: 2, emit: emitReduceWindow, direct: true, lanes: resultLanes, temps: windowTemps}
	case "stablehlo.select_and_scatter":
		return rule{operands: 3, emit: emitSelectAndScatter, direct: true, keepArgs: true, temps: selectTemps,
			lanes: func(n *node, i int) int {
				if i > 0 {
					return 1
				}
				return lanesFor(n.in[1].shape)
			}}
	case "stablehlo.map":
		return rule{operands: 1, emit: emitMap}
	case "stablehlo.sort":
		return rule{operands: 1, emit: emitSort}
	case "chlo.top_k":
		return rule{operands: 1, emit: emitTopK}
	case "chlo.scan":
		return rule{operands: 1, emit: emitScan}
	case "stablehlo.dot_general", "stablehlo.dot":
		return rule{operands: 2, emit: emitDot, temps: dotTemps}
	case "stablehlo.convolution":
		return rule{operands: 2, emit: emitConvolution, temps: convTemps}
	case "stablehlo.fft":
		return rule{operands: 1, emit: emitFFT}
	case "stablehlo.cholesky":
		return rule{operands: 1, emit: emitCholesky}
	case "stablehlo.triangular_solve":
		return rule{operands: 2, emit: emitTriangularSolve}
	case "stablehlo.rng_bit_generator":
		return rule{operands: 1, emit: emitRngBitGenerator}
	case "stablehlo.while":
		return rule{emit: emitWhile, carries: true, over: first}
	case "stablehlo.case", "stablehlo.if":
		return rule{operands: 1, emit: emitCase, branches: true}
	case "stablehlo.custom_call":
		return rule{emit: emitCustomCall, over: customCallOver, temps: customCallTemps}
	case "stablehlo.partition_id", "stablehlo.replica_id":
		return rule{emit: emitZero}
	}
	return rule{}
}

// first lets result k take over the memory of operand k.
func first(n *node) []int {
	out := make([]int, len(n.out))
	for k := range out {
		out[k] = k
	}
	return out
}

func resultLanes(n *node, _ int) int { return lanesFor(n.out[0].shape) }
