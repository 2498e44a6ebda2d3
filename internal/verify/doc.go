// Command verify holds an engine against recorded results: modules that carry their own checks, whole programs with
// inputs and outputs, and whatever suite is added to the table in main.go.
//
//	go run ./internal/verify -suite mlir -list ../shared/conformance/milestone-1.txt ../shared/conformance
//	go run ./internal/verify -suite programs -v ../shared/conformance/programs
//	go run ./internal/verify -suite ffi ../shared/spec/ffi_cases.jsonl
//
// It prints a line for each failure and as its last line the counts. A case that needs what the engine reports as
// unsupported is skipped; -v counts the skips by reason. The exit code is 1 after a failure and 2 after misuse.
//
// Read main.go for what a suite is, then mlir.go, programs.go and ffi.go; check.go says when two arrays agree.
package main
