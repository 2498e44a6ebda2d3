//go:build amd64 && !noasm

package cpu

import "unsafe"

// The kernels compute, for R rows i and the columns j of two vectors that the masks admit,
//
//	c[i*ldc+j] = Σ_p a[i*ars+p*acs] b[p*ldb+j]        plus the old c[i*ldc+j] where add is not 0
//
// with one fused multiply-add for each p in order. k is at least 1. The fields are in bytes.

//go:noescape
func rows14Float32(t *tile)

//go:noescape
func rows8Float32(t *tile)

//go:noescape
func rows4Float32(t *tile)

//go:noescape
func rows2Float32(t *tile)

//go:noescape
func rows1Float32(t *tile)

//go:noescape
func rows14Float64(t *tile)

//go:noescape
func rows8Float64(t *tile)

//go:noescape
func rows4Float64(t *tile)

//go:noescape
func rows2Float64(t *tile)

//go:noescape
func rows1Float64(t *tile)

// hasTiles reports that the kernels can run here.
func hasTiles() bool { return hasAVX512 }

// run calls the kernel for a number of rows and the size of an element.
func (t *tile) run(rows, size int) {
	if size == int(unsafe.Sizeof(float32(0))) {
		switch rows {
		case 14:
			rows14Float32(t)
		case 8:
			rows8Float32(t)
		case 4:
			rows4Float32(t)
		case 2:
			rows2Float32(t)
		default:
			rows1Float32(t)
		}
		return
	}
	switch rows {
	case 14:
		rows14Float64(t)
	case 8:
		rows8Float64(t)
	case 4:
		rows4Float64(t)
	case 2:
		rows2Float64(t)
	default:
		rows1Float64(t)
	}
}
