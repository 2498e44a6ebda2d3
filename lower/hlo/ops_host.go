package hlo

// Transfers to and from the host and other programs.

func hostOps() []opSpec {
	return []opSpec{
		{name: "stablehlo.infeed", in: "token:|token", out: "results*:fpicqQ/s|token", attrs: "infeed_config:str? layout:array?"},
		{name: "stablehlo.outfeed", in: "inputs*:fpicqQ token:|token", out: "result:|token", attrs: "outfeed_config:str?"},
		{name: "stablehlo.send", in: "inputs*:fpicqQ token:|token", out: "result:|token",
			attrs: "channel_handle:channel is_host_transfer:bool? source_target_pairs:elements?"},
		{name: "stablehlo.recv", in: "token:|token", out: "results*:fpicqQ/s|token",
			attrs: "channel_handle:channel is_host_transfer:bool? source_target_pairs:elements?"},
	}
}
