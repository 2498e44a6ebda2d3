package callframe

import "github.com/pantograph-go/pantograph/array"

// codes are the numbers of the element types in this interface; PJRT has others for the same types. Missing here are the
// types without one: single bits (30, 31), the token (17) and the six-bit floats.
var codes = [...]array.DType{
	1: array.Bool, 2: array.Int8, 3: array.Int16, 4: array.Int32, 5: array.Int64,
	6: array.Uint8, 7: array.Uint16, 8: array.Uint32, 9: array.Uint64,
	10: array.Float16, 11: array.Float32, 12: array.Float64, 15: array.Complex64, 16: array.BFloat16, 18: array.Complex128,
	19: array.Float8E5M2, 20: array.Float8E4M3FN, 21: array.Int4, 22: array.Uint4,
	23: array.Float8E4M3B11FNUZ, 24: array.Float8E5M2FNUZ, 25: array.Float8E4M3FNUZ, 26: array.Int2, 27: array.Uint2,
	28: array.Float8E4M3, 29: array.Float8E3M4, 32: array.Float4E2M1FN, 33: array.Float8E8M0FNU,
}

// tokenType is the number of the token, which is no element type.
const tokenType = 17

// dtypeOf is the element type behind a number, Invalid for one that has none here.
func dtypeOf(code int32) array.DType {
	if code < 0 || int(code) >= len(codes) {
		return array.Invalid
	}
	return codes[code]
}

// codeOf is the number of an element type, 0 where the interface has none.
func codeOf(d array.DType) int32 {
	for c, t := range codes {
		if t == d && d != array.Invalid {
			return int32(c)
		}
	}
	return 0
}

// packed tells how many elements share a byte in a frame, 1 for the types of a byte or more. Host buffers never pack.
func packed(d array.DType) int {
	if b := d.Bits(); b == 2 || b == 4 {
		return 8 / b
	}
	return 1
}
