package array

import (
	"fmt"
	"sync"
)

// DType is an element type. The names are NumPy's and JAX's; HLO gives StableHLO's spelling.
//
// Numbers below FirstKey are the fixed types; larger ones are the opaque types of random keys, which NewKeyType makes.
type DType uint16

// The element types. Types narrower than a byte are stored one element a byte.
const (
	Invalid DType = iota
	Bool
	Int2
	Int4
	Int8
	Int16
	Int32
	Int64
	Uint2
	Uint4
	Uint8
	Uint16
	Uint32
	Uint64
	Float4E2M1FN
	Float6E2M3FN
	Float6E3M2FN
	Float8E3M4
	Float8E4M3
	Float8E4M3FN
	Float8E4M3FNUZ
	Float8E4M3B11FNUZ
	Float8E5M2
	Float8E5M2FNUZ
	Float8E8M0FNU
	BFloat16
	Float16
	Float32
	Float64
	Complex64
	Complex128
	Float0 // the tangent type of integers and bools: no information, no storage
	Token  // orders effects; a value without elements or storage, always of rank 0
	numDTypes
)

// FirstKey is the first number given to the element type of a random key.
const FirstKey DType = 1 << 8

// Kind sorts the element types by what arithmetic means on them.
type Kind uint8

// The kinds of element types.
const (
	KindInvalid Kind = iota
	KindBool
	KindInt
	KindUint
	KindFloat
	KindComplex
	KindKey
	KindFloat0
	KindToken
)

type dtypeInfo struct {
	name  string // NumPy's name
	short string // the name in a jaxpr
	hlo   string // StableHLO's name
	kind  Kind
	size  uint8 // bytes an element takes in a host buffer
	bits  uint8 // bits of information
}

var dtypes = [numDTypes]dtypeInfo{
	Invalid:           {"invalid", "invalid", "invalid", KindInvalid, 0, 0},
	Bool:              {"bool", "bool", "i1", KindBool, 1, 1},
	Int2:              {"int2", "i2", "i2", KindInt, 1, 2},
	Int4:              {"int4", "i4", "i4", KindInt, 1, 4},
	Int8:              {"int8", "i8", "i8", KindInt, 1, 8},
	Int16:             {"int16", "i16", "i16", KindInt, 2, 16},
	Int32:             {"int32", "i32", "i32", KindInt, 4, 32},
	Int64:             {"int64", "i64", "i64", KindInt, 8, 64},
	Uint2:             {"uint2", "u2", "ui2", KindUint, 1, 2},
	Uint4:             {"uint4", "u4", "ui4", KindUint, 1, 4},
	Uint8:             {"uint8", "u8", "ui8", KindUint, 1, 8},
	Uint16:            {"uint16", "u16", "ui16", KindUint, 2, 16},
	Uint32:            {"uint32", "u32", "ui32", KindUint, 4, 32},
	Uint64:            {"uint64", "u64", "ui64", KindUint, 8, 64},
	Float4E2M1FN:      {"float4_e2m1fn", "f4_e2m1fn", "f4E2M1FN", KindFloat, 1, 4},
	Float6E2M3FN:      {"float6_e2m3fn", "f6_e2m3fn", "f6E2M3FN", KindFloat, 1, 6},
	Float6E3M2FN:      {"float6_e3m2fn", "f6_e3m2fn", "f6E3M2FN", KindFloat, 1, 6},
	Float8E3M4:        {"float8_e3m4", "f8_e3m4", "f8E3M4", KindFloat, 1, 8},
	Float8E4M3:        {"float8_e4m3", "f8_e4m3", "f8E4M3", KindFloat, 1, 8},
	Float8E4M3FN:      {"float8_e4m3fn", "f8_e4m3fn", "f8E4M3FN", KindFloat, 1, 8},
	Float8E4M3FNUZ:    {"float8_e4m3fnuz", "f8_e4m3fnuz", "f8E4M3FNUZ", KindFloat, 1, 8},
	Float8E4M3B11FNUZ: {"float8_e4m3b11fnuz", "f8_e4m3b11fnuz", "f8E4M3B11FNUZ", KindFloat, 1, 8},
	Float8E5M2:        {"float8_e5m2", "f8_e5m2", "f8E5M2", KindFloat, 1, 8},
	Float8E5M2FNUZ:    {"float8_e5m2fnuz", "f8_e5m2fnuz", "f8E5M2FNUZ", KindFloat, 1, 8},
	Float8E8M0FNU:     {"float8_e8m0fnu", "f8_e8m0fnu", "f8E8M0FNU", KindFloat, 1, 8},
	BFloat16:          {"bfloat16", "bf16", "bf16", KindFloat, 2, 16},
	Float16:           {"float16", "f16", "f16", KindFloat, 2, 16},
	Float32:           {"float32", "f32", "f32", KindFloat, 4, 32},
	Float64:           {"float64", "f64", "f64", KindFloat, 8, 64},
	Complex64:         {"complex64", "c64", "complex<f32>", KindComplex, 8, 64},
	Complex128:        {"complex128", "c128", "complex<f64>", KindComplex, 16, 128},
	Float0:            {"float0", "float0", "i1", KindFloat0, 0, 0},
	Token:             {"token", "Tok", "token", KindToken, 0, 0},
}

// keyTypes holds the opaque element types of random keys in the order of their numbers; mu guards both fields.
var keyTypes struct {
	mu   sync.RWMutex
	list []keyInfo
}

type keyInfo struct {
	name  string
	shape Shape // trailing uint32 words of one key
}

// NewKeyType makes an opaque element type key<name> whose elements are arrays of uint32 words of the given shape. Every
// call makes a new type, also for the same name: keys of two generators never mix. Safe for concurrent use.
func NewKeyType(name string, words Shape) DType {
	keyTypes.mu.Lock()
	defer keyTypes.mu.Unlock()
	keyTypes.list = append(keyTypes.list, keyInfo{name, words.Clone()})
	return FirstKey + DType(len(keyTypes.list)-1)
}

func (d DType) key() (keyInfo, bool) {
	if d < FirstKey {
		return keyInfo{}, false
	}
	keyTypes.mu.RLock()
	defer keyTypes.mu.RUnlock()
	if i := int(d - FirstKey); i < len(keyTypes.list) {
		return keyTypes.list[i], true
	}
	return keyInfo{}, false
}

// KeyShape is the shape of the uint32 words behind one element of a key type, nil for any other type.
func (d DType) KeyShape() Shape {
	k, _ := d.key()
	return k.shape
}

func (d DType) info() *dtypeInfo {
	if d < numDTypes {
		return &dtypes[d]
	}
	return &dtypes[Invalid]
}

// String is NumPy's name, such as float32 or key<fry>.
func (d DType) String() string {
	if k, ok := d.key(); ok {
		return "key<" + k.name + ">"
	}
	return d.info().name
}

// Short is the name in a jaxpr, such as f32.
func (d DType) Short() string {
	if d >= FirstKey {
		return d.String()
	}
	return d.info().short
}

// HLO is StableHLO's name, such as f32, ui8, i1 or complex<f32>.
func (d DType) HLO() string { return d.info().hlo }

// Kind tells which arithmetic the type has.
func (d DType) Kind() Kind {
	if d >= FirstKey {
		return KindKey
	}
	return d.info().kind
}

// Size is the number of bytes an element takes in a host buffer.
func (d DType) Size() int {
	if k, ok := d.key(); ok {
		return 4 * k.shape.Size()
	}
	return int(d.info().size)
}

// Bits is the number of bits of information in an element.
func (d DType) Bits() int {
	if d >= FirstKey {
		return 8 * d.Size()
	}
	return int(d.info().bits)
}

// IsFloat reports a real floating-point type of any width.
func (d DType) IsFloat() bool { return d.Kind() == KindFloat }

// IsComplex reports complex64 and complex128.
func (d DType) IsComplex() bool { return d.Kind() == KindComplex }

// IsInexact reports a floating-point or complex type: the types that carry derivatives.
func (d DType) IsInexact() bool { return d.IsFloat() || d.IsComplex() }

// IsInteger reports a signed or unsigned integer; bool is none.
func (d DType) IsInteger() bool { k := d.Kind(); return k == KindInt || k == KindUint }

// IsKey reports the opaque element type of random keys.
func (d DType) IsKey() bool { return d >= FirstKey }

// Real is the type of the real part: float32 for complex64, float64 for complex128, the type itself otherwise.
func (d DType) Real() DType {
	switch d {
	case Complex64:
		return Float32
	case Complex128:
		return Float64
	}
	return d
}

// Complex is the complex type with parts of type d: complex128 for float64, complex64 for narrower types.
func (d DType) Complex() DType {
	if d == Float64 || d == Complex128 {
		return Complex128
	}
	return Complex64
}

// ParseDType finds a type by its NumPy, jaxpr or StableHLO name.
func ParseDType(name string) (DType, error) {
	for d := Bool; d < numDTypes; d++ {
		if i := &dtypes[d]; i.name == name || i.short == name || (i.hlo == name && d != Float0) {
			return d, nil
		}
	}
	return Invalid, fmt.Errorf("unknown dtype %q", name)
}
