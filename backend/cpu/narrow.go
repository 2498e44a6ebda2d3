package cpu

import (
	"math"
	"math/bits"

	"github.com/pantograph-go/pantograph/array"
)

// codec converts between a narrow float type and float32. put rounds to nearest, ties to even; decode and encode are
// get and put for many elements.
type codec[S any] struct {
	get    func(S) float32
	put    func(float32) S
	decode func(dst []float32, src []S)
	encode func(dst []S, src []float32)
}

var (
	float16  = codec[uint16]{fromFloat16, toFloat16, decodeFloat16, encodeFloat16}
	bfloat16 = codec[uint16]{fromBFloat16, toBFloat16, decodeBFloat16, encodeBFloat16}
)

func decodeBFloat16(dst []float32, src []uint16) {
	src = src[:len(dst)]
	for i := range dst {
		dst[i] = fromBFloat16(src[i])
	}
}

func encodeBFloat16(dst []uint16, src []float32) {
	src = src[:len(dst)]
	for i := range dst {
		dst[i] = toBFloat16(src[i])
	}
}

func fromBFloat16(x uint16) float32 { return math.Float32frombits(uint32(x) << 16) }

func toBFloat16(x float32) uint16 {
	b := math.Float32bits(x)
	if x != x {
		return uint16(b>>16) | 0x40 // keep a quiet NaN one
	}
	return uint16((b + 0x7fff + b>>16&1) >> 16)
}

func decodeFloat16(dst []float32, src []uint16) {
	src = src[:len(dst)]
	for i := range dst {
		dst[i] = fromFloat16(src[i])
	}
}

func encodeFloat16(dst []uint16, src []float32) {
	src = src[:len(dst)]
	for i := range dst {
		dst[i] = toFloat16(src[i])
	}
}

func fromFloat16(h uint16) float32 {
	sign := uint32(h&0x8000) << 16
	exp := uint32(h>>10) & 0x1f
	frac := uint32(h & 0x3ff)
	switch exp {
	case 0x1f:
		return math.Float32frombits(sign | 0x7f800000 | frac<<13)
	case 0:
		if frac == 0 {
			return math.Float32frombits(sign)
		}
		shift := uint32(bits.LeadingZeros32(frac)) - 21 // until bit 10 is set
		return math.Float32frombits(sign | (113-shift)<<23 | frac<<(13+shift)&0x7fffff)
	}
	return math.Float32frombits(sign | (exp+112)<<23 | frac<<13)
}

func toFloat16(x float32) uint16 {
	b := math.Float32bits(x)
	sign := uint16(b >> 16 & 0x8000)
	b &= 0x7fffffff
	switch {
	case b > 0x7f800000:
		return sign | 0x7e00 | uint16(b>>13&0x3ff)
	case b >= 0x47800000: // 65536 and more
		return sign | 0x7c00
	case b < 0x38800000: // below 2^-14: subnormal in float16
		if b < 0x33000000 { // below 2^-25
			return sign
		}
		shift := 126 - b>>23 // 14 for 2^-14·…, up to 24
		m := b&0x7fffff | 0x800000
		q := m >> shift
		rest, half := m&(1<<shift-1), uint32(1)<<(shift-1)
		if rest > half || rest == half && q&1 == 1 {
			q++
		}
		return sign | uint16(q)
	}
	b += 0xfff + b>>13&1
	return sign | uint16((b-0x38000000)>>13)
}

// is16 finds the codec of the 16-bit float types.
func is16(d array.DType) (codec[uint16], bool) {
	switch d {
	case array.Float16:
		return float16, true
	case array.BFloat16:
		return bfloat16, true
	}
	return codec[uint16]{}, false
}

// is8 finds the codec of the float types of 8 and fewer bits.
func is8(d array.DType) (codec[uint8], bool) {
	if !d.IsFloat() || d.Size() != 1 {
		return codec[uint8]{}, false
	}
	table := new([256]float32)
	for i := range table {
		b, _ := array.WrapBuffer(d, nil, []byte{byte(i)})
		table[i] = float32(b.Float(0))
	}
	put := func(v float32) uint8 {
		b := array.NewBuffer(d, nil)
		b.SetFloat(0, float64(v))
		return b.Bytes()[0]
	}
	return codec[uint8]{
		get: func(x uint8) float32 { return table[x] },
		put: put,
		decode: func(dst []float32, src []uint8) {
			for i := range dst {
				dst[i] = table[src[i]]
			}
		},
		encode: func(dst []uint8, src []float32) {
			b, _ := array.WrapBuffer(d, array.Shape{len(dst)}, dst)
			for i, v := range src[:len(dst)] {
				b.SetFloat(i, float64(v))
			}
		},
	}, true
}
