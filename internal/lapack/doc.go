// Package lapack computes the matrix factorisations of LAPACK in Go, and offers them as the foreign functions by which
// programs of the reference call them: lapack_sgetrf_ffi, lapack_zheevd_ffi and so on.
//
//	h, ok := lapack.Handlers.Handler("lapack_dgeqrf_ffi", "cpu", 4)
//
// A program names the routine, its element type (s, d, c, z for float32, float64, complex64, complex128), and gives
// matrices in column-major order with any number of leading batch axes; the attributes are LAPACK's characters as
// numbers. The table of routines with their operands and results is in handlers.go.
//
// Every routine works in float64 or complex128 on a row-major copy of one matrix at a time and rounds its results once
// (batch.go). For real matrices gonum's LAPACK does the factorisations; the complex ones are here: lu.go, qr.go,
// hermitian.go, svd.go, schur.go, eig.go. What is not finite makes all results NaN.
package lapack
