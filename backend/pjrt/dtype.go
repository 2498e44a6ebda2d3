package pjrt

import "github.com/pantograph-go/pantograph/array"

// elementTypes are PJRT's numbers of the element types, which are not those of call frames.
var elementTypes = map[array.DType]int32{
	array.Bool: 1, array.Int8: 2, array.Int16: 3, array.Int32: 4, array.Int64: 5,
	array.Uint8: 6, array.Uint16: 7, array.Uint32: 8, array.Uint64: 9,
	array.Float16: 10, array.Float32: 11, array.Float64: 12, array.BFloat16: 13, array.Complex64: 14, array.Complex128: 15,
	array.Float8E5M2: 16, array.Float8E4M3FN: 17, array.Float8E4M3B11FNUZ: 18, array.Float8E5M2FNUZ: 19,
	array.Float8E4M3FNUZ: 20, array.Int4: 21, array.Uint4: 22, array.Int2: 24, array.Uint2: 25,
	array.Float8E4M3: 26, array.Float8E3M4: 27, array.Float8E8M0FNU: 28, array.Float4E2M1FN: 29,
}

// elementType is the number of the type in which an array of dtype d travels, 0 where PJRT has none. Keys travel as the
// uint32 words behind them.
func elementType(d array.DType) int32 {
	if d.IsKey() {
		d = array.Uint32
	}
	return elementTypes[d]
}
