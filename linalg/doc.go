// Package linalg holds linear algebra on stacks of matrices. Where a platform has a library for an operation, the operation is
// a foreign call of it, with ffi.Lowering; elsewhere it is made of other operations.
package linalg
