//go:build !amd64 || noasm

package cpu

// hasTiles reports that there are kernels for this processor: there are none, and gemm is plain Go.
func hasTiles() bool { return false }

func (t *tile) run(rows, size int) { panic("cpu: no kernels for this processor") }
