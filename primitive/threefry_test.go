package primitive_test

import (
	"testing"

	"github.com/pantograph-go/pantograph/array"
	. "github.com/pantograph-go/pantograph/primitive"
)

// The known answers that the authors of Threefry publish with Random123, for two words and 20 rounds.
func TestThreefryKnownAnswers(t *testing.T) {
	word := func(v uint32) *array.Array {
		b := array.NewBuffer(array.Uint32, array.Shape{1})
		b.SetUint(0, uint64(v))
		return array.Of(b)
	}
	for _, tt := range [][6]uint32{
		{0, 0, 0, 0, 0x6b200159, 0x99ba4efe},
		{0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0x1cb996fc, 0xbb002be7},
		{0x13198a2e, 0x03707344, 0x243f6a88, 0x85a308d3, 0xc4923a9c, 0x483df7a0},
	} {
		y1, y2 := Threefry2x32(word(tt[0]), word(tt[1]), word(tt[2]), word(tt[3]))
		if got := [2]uint64{host(y1).Uint(0), host(y2).Uint(0)}; got != [2]uint64{uint64(tt[4]), uint64(tt[5])} {
			t.Errorf("key %x %x, counters %x %x: got %x, want %x", tt[0], tt[1], tt[2], tt[3], got, tt[4:])
		}
	}
}
