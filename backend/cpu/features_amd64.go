//go:build amd64 && !noasm

package cpu

func cpuid(leaf, sub uint32) (a, b, c, d uint32)

func xgetbv() (lo, hi uint32)

// hasAVX512 reports that the processor has AVX-512 F, DQ, BW and VL and that the system keeps the registers.
var hasAVX512 = detectAVX512()

func detectAVX512() bool {
	const (
		osxsave = 1 << 27                          // leaf 1, ecx
		wanted  = 1<<16 | 1<<17 | 1<<30 | 1<<31    // leaf 7, ebx: F, DQ, BW, VL
		state   = 1<<1 | 1<<2 | 1<<5 | 1<<6 | 1<<7 // XMM, YMM, masks, upper halves, upper registers
	)
	if most, _, _, _ := cpuid(0, 0); most < 7 {
		return false
	}
	if _, _, c, _ := cpuid(1, 0); c&osxsave == 0 {
		return false
	}
	lo, _ := xgetbv()
	_, b, _, _ := cpuid(7, 0)
	return lo&state == state && b&wanted == wanted
}
