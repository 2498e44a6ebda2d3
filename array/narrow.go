package array

import "math"

// narrow describes a binary floating-point format of at most 16 bits. Its codes, sign aside, are in the order of their
// values: code = (exponent field << mant) + fraction, and a carry out of the fraction raises the exponent.
type narrow struct {
	mant      uint   // bits of the fraction
	bias      int    // of the exponent
	sign      uint16 // the sign bit, 0 where there is none
	maxFinite uint16 // code of the largest number
	inf       uint16 // code of +Inf, or of what an overflow becomes where there is no Inf
	nan       uint16 // code of the NaN; noNaN where there is none
	unsigned0 bool   // FNUZ: one zero, and the code of -0 is the only NaN
}

const noNaN = 0xffff

// narrows holds the formats as ml_dtypes and StableHLO define them: IEEE 754's rules for f16, bf16, f8E5M2, f8E4M3 and
// f8E3M4; FN: no infinities, overflow is NaN; FNUZ: no infinities, no negative zero; f4 and f6: neither infinities nor
// NaN, overflow saturates.
var narrows = [numDTypes]*narrow{
	Float4E2M1FN:      {mant: 1, bias: 1, sign: 0x8, maxFinite: 0x7, inf: 0x7, nan: noNaN},
	Float6E2M3FN:      {mant: 3, bias: 1, sign: 0x20, maxFinite: 0x1f, inf: 0x1f, nan: noNaN},
	Float6E3M2FN:      {mant: 2, bias: 3, sign: 0x20, maxFinite: 0x1f, inf: 0x1f, nan: noNaN},
	Float8E3M4:        {mant: 4, bias: 3, sign: 0x80, maxFinite: 0x6f, inf: 0x70, nan: 0x78},
	Float8E4M3:        {mant: 3, bias: 7, sign: 0x80, maxFinite: 0x77, inf: 0x78, nan: 0x7c},
	Float8E4M3FN:      {mant: 3, bias: 7, sign: 0x80, maxFinite: 0x7e, inf: 0x7f, nan: 0x7f},
	Float8E4M3FNUZ:    {mant: 3, bias: 8, sign: 0x80, maxFinite: 0x7f, inf: 0x80, nan: 0x80, unsigned0: true},
	Float8E4M3B11FNUZ: {mant: 3, bias: 11, sign: 0x80, maxFinite: 0x7f, inf: 0x80, nan: 0x80, unsigned0: true},
	Float8E5M2:        {mant: 2, bias: 15, sign: 0x80, maxFinite: 0x7b, inf: 0x7c, nan: 0x7e},
	Float8E5M2FNUZ:    {mant: 2, bias: 16, sign: 0x80, maxFinite: 0x7f, inf: 0x80, nan: 0x80, unsigned0: true},
	Float8E8M0FNU:     {mant: 0, bias: 127, sign: 0, maxFinite: 0xfe, inf: 0xff, nan: 0xff},
	BFloat16:          {mant: 7, bias: 127, sign: 0x8000, maxFinite: 0x7f7f, inf: 0x7f80, nan: 0x7fc0},
	Float16:           {mant: 10, bias: 15, sign: 0x8000, maxFinite: 0x7bff, inf: 0x7c00, nan: 0x7e00},
}

// encode rounds v once, to nearest with ties to even.
func (f *narrow) encode(v float64) uint16 {
	b := math.Float64bits(v)
	var sign uint16
	if b>>63 != 0 {
		sign = f.sign
	}
	abs := b &^ (1 << 63)
	switch {
	case f.sign == 0:
		return f.encodeScale(v)
	case abs > 0x7ff<<52:
		if f.nan == noNaN {
			return f.sign
		}
		return f.nan | sign
	}
	e, m := int(abs>>52), abs&(1<<52-1)
	if e > 0 {
		m |= 1 << 52
	} else {
		e = 1
	}
	// |v| = m · 2^(e-1075); field is the exponent field it gets, at least that of the subnormals.
	field, shift := e-1023+f.bias, 52-f.mant
	if field < 1 {
		shift += uint(min(1-field, 64))
		field = 1
	}
	var n uint64
	if shift < 54 { // beyond, m is less than half a unit
		n = m >> shift
		rest, half := m&(1<<shift-1), uint64(1)<<(shift-1)
		if rest > half || rest == half && n&1 == 1 {
			n++
		}
	}
	code := uint64(field-1)<<f.mant + n
	if code > uint64(f.maxFinite) {
		return f.inf | sign
	}
	if code == 0 && f.unsigned0 {
		return 0
	}
	return uint16(code) | sign
}

// encodeScale is encode for f8E8M0FNU: powers of two alone, neither zero nor sign. Numbers below the smallest power
// become it; zero, negative numbers, and those that are too large are NaN.
func (f *narrow) encodeScale(v float64) uint16 {
	if !(v > 0) || math.IsInf(v, 1) {
		return f.nan
	}
	fr, e := math.Frexp(v) // v = fr · 2^e, fr in [½, 1)
	e--
	if fr >= 0.75 { // half way goes up: the lower neighbour's fraction is odd
		e++
	}
	code := max(e+f.bias, 0)
	if code > int(f.maxFinite) {
		return f.nan
	}
	return uint16(code)
}

// decode is exact.
func (f *narrow) decode(c uint16) float64 {
	if f.unsigned0 && c == f.nan {
		return math.NaN()
	}
	abs := c &^ f.sign
	var v float64
	switch {
	case abs > f.maxFinite && f.nan != noNaN:
		if abs != f.inf || f.inf == f.nan {
			return math.NaN()
		}
		v = math.Inf(1)
	case f.sign == 0:
		v = math.Ldexp(1, int(c)-f.bias)
	default:
		field, m := int(abs>>f.mant), uint64(abs)&(1<<f.mant-1)
		if field == 0 {
			v = float64(m) * pow2(1-f.bias-int(f.mant))
		} else {
			v = math.Float64frombits(uint64(field-f.bias+1023)<<52 | m<<(52-f.mant))
		}
	}
	if c&f.sign != 0 {
		return -v
	}
	return v
}

// pow2 is 2^e for an exponent of a normal float64.
func pow2(e int) float64 { return math.Float64frombits(uint64(e+1023) << 52) }

// NarrowBits rounds v once to a float type of at most 16 bits and returns its code. It panics for any other type.
func NarrowBits(d DType, v float64) uint16 { return narrows[d].encode(v) }

// NarrowFromBits is the value of a code of a float type of at most 16 bits. It is exact.
func NarrowFromBits(d DType, code uint16) float64 { return narrows[d].decode(code) }

// Float16Bits rounds v once to IEEE half precision.
func Float16Bits(v float64) uint16 { return narrows[Float16].encode(v) }

// Float16FromBits is the value of a half precision number.
func Float16FromBits(c uint16) float64 { return narrows[Float16].decode(c) }

// BFloat16Bits rounds v once to bfloat16.
func BFloat16Bits(v float64) uint16 { return narrows[BFloat16].encode(v) }

// BFloat16FromBits is the value of a bfloat16 number.
func BFloat16FromBits(c uint16) float64 {
	return float64(math.Float32frombits(uint32(c) << 16))
}

// MaxFinite is the largest finite number of a float type, of the parts of a complex one, or the largest integer; 0 for
// other types.
func (d DType) MaxFinite() float64 {
	switch d.Kind() {
	case KindFloat, KindComplex:
		switch d.Real() {
		case Float64:
			return math.MaxFloat64
		case Float32:
			return math.MaxFloat32
		}
		return narrows[d].decode(narrows[d].maxFinite)
	case KindInt, KindUint:
		return RoundTo(d, math.Inf(1))
	}
	return 0
}
