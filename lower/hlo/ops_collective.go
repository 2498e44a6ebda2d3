package hlo

// Communication between the devices that run a program.

func collectiveOps() []opSpec {
	const groups = "replica_groups:groups channel_handle:channel? "
	return []opSpec{
		{name: "stablehlo.replica_id", out: "result:=ui32", form: "attr-dict : <result>"},
		{name: "stablehlo.partition_id", out: "result:=ui32", form: "attr-dict : <result>"},
		{name: "stablehlo.all_gather", in: "operands*:fpicq", out: "results*:fpicq",
			attrs: "all_gather_dim:i64>=0 " + groups + "use_global_device_ids:unit?"},
		{name: "stablehlo.all_reduce", in: "operands*:fpicq", out: "results*:fpicq",
			attrs: groups + "use_global_device_ids:unit?", regions: "1"},
		{name: "stablehlo.reduce_scatter", in: "operand:fpicq", out: "result:fpicq",
			attrs: "scatter_dimension:i64>=0 " + groups + "use_global_device_ids:unit?", regions: "1"},
		{name: "stablehlo.all_to_all", in: "operands*:fpicq", out: "results*:fpicq",
			attrs: "split_dimension:i64>=0 concat_dimension:i64>=0 split_count:i64>=1 " + groups},
		{name: "stablehlo.collective_broadcast", in: "operands*:fpicq", out: "results*:fpicq",
			attrs: groups + "has_dynamic_root:unit?"},
		{name: "stablehlo.collective_reduce", in: "operands*:fpicq", out: "results*:fpicq",
			attrs: groups + "use_global_device_ids:unit? has_dynamic_root:unit?", regions: "1"},
		{name: "stablehlo.collective_permute", in: "operand:fpicq", out: "result:fpicq",
			attrs: "source_target_pairs:elements channel_handle:channel?"},
		{name: "sdy.mesh", attrs: "sym_name:str mesh:any", form: "<mesh> attr-dict"},
		{name: "stablehlo.cross-replica-sum", in: "operand:fpicq", out: "result:fpicq", attrs: "replica_groups:elements"},
	}
}
