package array

// Convert returns b's elements in another type, as stablehlo.convert on XLA's CPU: floats round once; a float becomes an
// integer by truncation and saturation, NaN becomes 0; integers keep their low bits; bool is x != 0; complex to real
// drops the imaginary part. With to == b.DType() it is b itself.
func Convert(b *Buffer, to DType) *Buffer {
	if b.dtype == to {
		return b
	}
	dst := NewBuffer(to, b.shape)
	if !convertFast(b, dst) {
		convertEach(b, dst)
	}
	return dst
}

func convertEach(b, dst *Buffer) {
	n := b.Len()
	switch from, to := b.dtype.Kind(), dst.dtype.Kind(); {
	case from == KindComplex && to == KindComplex:
		for i := range n {
			dst.SetComplex(i, b.Complex(i))
		}
	case from == KindFloat || from == KindComplex:
		for i := range n {
			dst.SetFloat(i, b.Float(i))
		}
	case from == KindUint:
		for i := range n {
			dst.SetUint(i, b.Uint(i))
		}
	default:
		for i := range n {
			dst.SetInt(i, b.Int(i))
		}
	}
}

type integer interface {
	int8 | int16 | int32 | int64 | uint8 | uint16 | uint32 | uint64
}

type number interface{ integer | float32 | float64 }

// convertFast handles the pairs for which Go's own conversion means the same, all but from float to integer.
func convertFast(b, dst *Buffer) bool {
	switch b.dtype {
	case Bool, Uint8, Uint4, Uint2:
		return convertInts(View[uint8](b), dst)
	case Int8, Int4, Int2:
		return convertInts(View[int8](b), dst)
	case Int16:
		return convertInts(View[int16](b), dst)
	case Int32:
		return convertInts(View[int32](b), dst)
	case Int64:
		return convertInts(View[int64](b), dst)
	case Uint16:
		return convertInts(View[uint16](b), dst)
	case Uint32:
		return convertInts(View[uint32](b), dst)
	case Uint64:
		return convertInts(View[uint64](b), dst)
	case Float32:
		return convertFloats(View[float32](b), dst)
	case Float64:
		return convertFloats(View[float64](b), dst)
	}
	return false
}

func convertInts[S integer](src []S, dst *Buffer) bool {
	switch dst.dtype {
	case Int8:
		return convertSlice(View[int8](dst), src)
	case Uint8:
		return convertSlice(View[uint8](dst), src)
	case Int16:
		return convertSlice(View[int16](dst), src)
	case Uint16:
		return convertSlice(View[uint16](dst), src)
	case Int32:
		return convertSlice(View[int32](dst), src)
	case Uint32:
		return convertSlice(View[uint32](dst), src)
	case Int64:
		return convertSlice(View[int64](dst), src)
	case Uint64:
		return convertSlice(View[uint64](dst), src)
	}
	return convertFloats(src, dst)
}

func convertFloats[S number](src []S, dst *Buffer) bool {
	switch dst.dtype {
	case Float32:
		return convertSlice(View[float32](dst), src)
	case Float64:
		return convertSlice(View[float64](dst), src)
	case Bool:
		for i, v := range src {
			if v != 0 {
				dst.data[i] = 1
			}
		}
		return true
	}
	return false
}

func convertSlice[D, S number](dst []D, src []S) bool {
	for i, v := range src {
		dst[i] = D(v)
	}
	return true
}
