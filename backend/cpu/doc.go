// Package cpu is the engine in pure Go: it compiles a StableHLO module to a plan and runs the plan's steps.
//
//	engine := cpu.New()
//	exe, err := engine.Compile(ctx, module, backend.Options{})
//	results, err := exe.Execute(ctx, args)
//
// Compile reads the module once: calls are inlined, tensors become values with a place in memory, operations become
// steps, which are Go closures chosen by operation and element type. Execute takes an idle frame (the memory of one run),
// points it to arguments and results, and runs the steps in order; it allocates nothing but the results, and any number
// of executions may run at once. A value's memory is free for others after its last use, and a result takes over the memory
// of an operand that dies, so that a loop which updates a large array in place does not copy it.
//
// Steps that follow each other element by element run together, block by block (fuse.go). Products of floats run on tiles
// in AVX-512 where the processor has it (tiles.go, gemm_amd64.s). PANTOGRAPH=cpu=interp leaves both out.
//
// The steps are the reference for what StableHLO means: plain loops, any platform, any element type. Arithmetic on floats narrower than
// float32 is done in float32 and rounded once an operation, functions of float32 in float64. Subnormals are kept.
// Results do not depend on the number of processors.
//
// Not built yet: dynamic and bounded shapes, quantized types, collectives over several devices.
//
// Read plan.go first, for the structures and the phases that fill them; then build.go, emit.go and any family.
package cpu
