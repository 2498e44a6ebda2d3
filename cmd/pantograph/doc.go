// Command pantograph works on StableHLO modules from files: text, portable artifacts, and the containers of exported
// functions.
//
//	pantograph run model.mlirbc -input x.npy -output y.npz
//	pantograph show -stats model.mlir
//	pantograph opt -pass verify,defaults model.mlir
//	pantograph translate -to bytecode -target 1.9.0 -o model.mlirbc model.mlir
//	pantograph version
//	pantograph doctor
//
// A file named - is standard input. Results go to standard output, diagnostics to standard error; the exit code is 0, 1
// where a problem was found, 2 after misuse. Flags may stand before and behind the file. `pantograph COMMAND -help` lists
// the flags of a command.
//
// Read main.go for the table of commands, module.go for how a file is read; each command has a file of its own.
package main
