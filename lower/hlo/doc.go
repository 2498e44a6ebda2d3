// Package hlo is StableHLO as Go data: modules, functions, operations, types and attributes; a builder for those who
// lower to it, a printer and a parser of MLIR's text, and a verifier of the specification's constraints. It stands on its
// own: it knows element types and shapes, and nothing of jaxprs, engines or devices.
//
//	m, err := hlo.Parse(text)             // what jax.jit(f).lower(…).as_text() prints, or any tool of the ecosystem
//	err = hlo.Verify(m)                   // @main: stablehlo.slice: C3: the start 3 is behind the limit 2 in dimension 0
//	for _, op := range m.Func("main").Body.Block().Ops {
//		fmt.Println(op.Name, op.Results[0].Type, op.Attr("dimension"))
//	}
//	fmt.Print(m)                          // the bytes that MLIR's own printer would write
//
// # The model
//
// A [Module] holds functions; a [Func] a body, which is a [Region] of one [Block]; a block values that are its arguments
// and operations in order, the last of which returns. An [Op] has operands, results, attributes and regions. A [Value] is
// defined once, by the operation or block that it points back to, and used by pointer: names like %0 exist in text only.
// Everything about an operation but operands and regions is in its attributes, under the names of the generic form,
// whether it was read in the pretty form or not: the 0 in "stablehlo.iota dim = 0" is the attribute iota_dimension. Types
// and attributes never change once made and are shared freely; a module belongs to whoever builds or rewrites it, and may
// be read by many goroutines at once.
//
// # One table
//
// What is known of an operation stands in one line of a table, in the ops_*.go file of its family: operands and results
// with the types they may have, attributes with their kinds, the number of regions, the pretty form, and the function that
// checks its constraints. Printer, parser and verifier all read that line, so that a new operation is added in one place.
//
// # Text
//
// The printer follows MLIR's in every byte: names of values, digits of floats, elided types, hex for what decimals cannot
// say. The parser reads pretty and generic forms of StableHLO, CHLO, func, and the dialects of StableHLO's tests; attribute
// and type aliases, locations, resources, nested modules, dynamic shapes, bounds, quantized types. What belongs to other
// dialects is kept as text ([Raw], [Opaque]) or as operations in the generic form. An error is a [*SyntaxError] with line,
// column, what was expected, and the line with a caret. Time and memory are linear in the text: nesting is limited, and no
// buffer is made that the text is too short to fill.
//
// # Bytecode
//
// Portable artifacts, what StableHLO is stored as, are MLIR bytecode of the VHLO dialect. [ReadBytecode] reads those of every
// version from 0.9 on. What an operation has in VHLO follows from its line in the table too, and from a list of the changes
// between versions.
//
// # What is not here
//
// Blocks that branch to each other, which StableHLO does not have. Of a location only the outermost name and the innermost
// place in a file are kept.
//
// Read module.go, types.go and attrs.go first, then form.go for the forms and verify.go for the checks, vhlo.go and
// bytecode.go for the stored form.
package hlo
