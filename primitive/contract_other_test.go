package primitive_test

import (
	"github.com/pantograph-go/pantograph/array"
	. "github.com/pantograph-go/pantograph/primitive"
)

func u32(shape ...int) operand { return typed(array.Uint32, small, shape) }

var otherRows = []row{
	of(Threefry2x32P{}, u32(), u32(), u32(2, 3), u32(2, 3)),
	of(Threefry2x32P{}, u32(2), u32(2), u32(), u32(2)),
	of(Threefry2x32P{}, u32(), u32(), u32(), u32()),
	of(RngBitGeneratorP{ints(3, 2), array.Uint32, RngThreeFry}, u32(4)),
	of(RngBitGeneratorP{ints(5), array.Uint64, RngPhilox}, typed(array.Uint64, small, []int{2})),
	of(RngBitGeneratorP{ints(2), array.Uint8, RngThreeFry}, u32(4)),

	of(FFTP{FFT, ints(4)}, c128(2, 4)).linearIn(0),
	of(FFTP{FFT, ints(3, 5)}, c128(3, 5)).linearIn(0),
	of(FFTP{IFFT, ints(2, 3)}, c128(2, 2, 3)).linearIn(0),
	of(FFTP{RFFT, ints(5)}, f64(2, 5)).linearIn(0),
	of(FFTP{RFFT, ints(3, 4)}, f64(3, 4)).linearIn(0),
	of(FFTP{IRFFT, ints(5)}, c128(2, 3)).linearIn(0),
	of(FFTP{IRFFT, ints(3, 4)}, c128(3, 3)).linearIn(0),
	of(FFTP{IRFFT, ints(1)}, c128(1)).linearIn(0),
}
