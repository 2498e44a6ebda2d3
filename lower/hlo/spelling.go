package hlo

import (
	"bytes"
	"encoding/hex"
	"math"
	"strconv"
	"strings"

	"github.com/pantograph-go/pantograph/array"
)

// How MLIR spells numbers, strings and attributes. Everything appends to a byte slice, for a printed module may be large.

// AttrString spells an attribute as MLIR does, with its type where it has one.
func AttrString(a Attr) string { return string(appendAttr(nil, a, false)) }

// FloatString spells v, a number of element type d, as MLIR does: six digits in exponent form where they are enough to
// read the same number back, otherwise as many digits as the type can need; infinities and NaN as the bits in hex.
func FloatString(v float64, d array.DType) string { return string(appendFloat(nil, v, d)) }

func appendFloat(b []byte, v float64, d array.DType) []byte {
	if math.IsInf(v, 0) || math.IsNaN(v) {
		return appendFloatBits(b, v, d)
	}
	if v == 0 {
		if math.Signbit(v) {
			b = append(b, '-')
		}
		return append(b, "0.000000e+00"...)
	}
	var scratch [40]byte
	short := appendRounded(scratch[:0], v, 6)
	if readsBack(short, v, d) {
		// d.ddddde±xx has five decimals; MLIR always writes six.
		e := len(short) - 1
		for short[e] != 'e' {
			e--
		}
		b = append(append(b, short[:e]...), '0')
		return append(b, short[e:]...)
	}
	return appendLong(b, v, d)
}

// appendRounded writes v with n significant digits in the form d.ddde±xx; a tie goes away from zero, as LLVM rounds.
func appendRounded(b []byte, v float64, n int) []byte {
	var scratch [64]byte
	if more := strconv.AppendFloat(scratch[:0], v, 'e', n, 64); more[bytes.IndexByte(more, 'e')-1] == '5' {
		if exact := strconv.AppendFloat(scratch[:0], v, 'e', n+25, 64); allZero(exact[bytes.IndexByte(exact, 'e')-25:]) {
			v = math.Nextafter(v, math.Copysign(math.Inf(1), v))
		}
	}
	return strconv.AppendFloat(b, v, 'e', n-1, 64)
}

// allZero reports that the digits before the exponent are zeros.
func allZero(s []byte) bool {
	for _, c := range s {
		if c == 'e' {
			return true
		}
		if c != '0' {
			return false
		}
	}
	return true
}

func readsBack(s []byte, v float64, d array.DType) bool {
	switch d {
	case array.Float64:
		w, err := strconv.ParseFloat(string(s), 64)
		return err == nil && w == v
	case array.Float32:
		w, err := strconv.ParseFloat(string(s), 32)
		return err == nil && w == v
	}
	return true // six digits are more than a type of at most 11 significant bits can tell apart
}

// floatDigits is how many digits LLVM writes where six are too few.
func floatDigits(d array.DType) int {
	if d == array.Float64 {
		return 17
	}
	return 9
}

// appendLong writes v with n digits, without trailing zeros, in LLVM's default form: plain while at most three zeros
// must be added, scientific with a capital E beyond. A plain form without a point would not read back as a float, so
// such a number becomes its bits.
func appendLong(b []byte, v float64, d array.DType) []byte {
	var scratch [40]byte
	n := floatDigits(d)
	s := appendRounded(scratch[:0], math.Abs(v), n)
	e := bytes.IndexByte(s, 'e')
	exp, _ := strconv.Atoi(string(s[e+1:]))
	digits := append([]byte{s[0]}, s[2:e]...)
	for len(digits) > 1 && digits[len(digits)-1] == '0' {
		digits = digits[:len(digits)-1]
	}
	scientific := false
	switch low := exp - len(digits) + 1; { // low: the decimal exponent of the last digit
	case low >= 0:
		scientific = low > 3 || exp+1 > n
	case exp < 0:
		scientific = -exp > 3
	}
	if !scientific && exp >= len(digits)-1 {
		return appendFloatBits(b, v, d)
	}
	if math.Signbit(v) {
		b = append(b, '-')
	}
	switch {
	case scientific:
		b = append(append(b, digits[0]), '.')
		if len(digits) == 1 {
			b = append(b, '0')
		}
		b = append(append(b, digits[1:]...), 'E')
		if exp >= 0 {
			b = append(b, '+')
		}
		return strconv.AppendInt(b, int64(exp), 10)
	case exp >= 0:
		b = append(append(b, digits[:exp+1]...), '.')
		return append(b, digits[exp+1:]...)
	}
	b = append(b, "0."...)
	for range -exp - 1 {
		b = append(b, '0')
	}
	return append(b, digits...)
}

// appendFloatBits writes the bits of v as a hexadecimal number, the spelling of numbers that decimals cannot write.
func appendFloatBits(b []byte, v float64, d array.DType) []byte {
	buf := array.NewBuffer(d, nil)
	buf.SetFloat(0, v)
	return appendBits(b, buf.Bytes())
}

// appendBits writes little-endian bytes as 0x7F800000.
func appendBits(b, le []byte) []byte {
	var u uint64
	for i := len(le) - 1; i >= 0; i-- {
		u = u<<8 | uint64(le[i])
	}
	return append(append(b, "0x"...), strings.ToUpper(strconv.FormatUint(u, 16))...)
}

// appendString writes a quoted string; bytes that are not printable ASCII become \XX.
func appendString(b []byte, s string) []byte {
	b = append(b, '"')
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '\\':
			b = append(b, `\\`...)
		case c == '"' || c < ' ' || c > '~':
			b = append(b, '\\', upperHex[c>>4], upperHex[c&15])
		default:
			b = append(b, c)
		}
	}
	return append(b, '"')
}

const upperHex = "0123456789ABCDEF"

// appendKeyword writes an attribute name, quoted where it is no identifier.
func appendKeyword(b []byte, s string) []byte {
	if isBareIdent(s) {
		return append(b, s...)
	}
	return appendString(b, s)
}

// appendSymbol writes @name, quoted where it must be.
func appendSymbol(b []byte, s string) []byte { return appendKeyword(append(b, '@'), s) }

func isBareIdent(s string) bool {
	for i := 0; i < len(s); i++ {
		c := s[i]
		if !isLetter(c) && (i == 0 || !isDigit(c) && c != '$' && c != '.') {
			return false
		}
	}
	return s != ""
}

func isLetter(c byte) bool { return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c == '_' }
func isDigit(c byte) bool  { return '0' <= c && c <= '9' }

// appendAttr spells a. Inside an array MLIR leaves i64 and f64 away as the types of plain numbers: elide says so.
func appendAttr(b []byte, a Attr, elide bool) []byte {
	switch a := a.(type) {
	case nil:
		return append(b, "<<nil>>"...)
	case Int:
		return appendInt(b, a, elide)
	case Float:
		d, err := array.ParseDType(a.Type)
		if err != nil {
			d = array.Float64
		}
		b = appendFloat(b, a.Value, d)
		if elide && a.Type == "f64" {
			return b
		}
		return append(append(b, " : "...), a.Type...)
	case Bool:
		return strconv.AppendBool(b, bool(a))
	case String:
		return appendString(b, a.Value)
	case Unit:
		return append(b, "unit"...)
	case Array:
		b = append(b, '[')
		for i, x := range a {
			if i > 0 {
				b = append(b, ", "...)
			}
			b = appendAttr(b, x, true)
		}
		return append(b, ']')
	case Dict:
		return appendDict(b, Attrs(a))
	case DenseArray:
		return appendDenseArray(b, a)
	case *Dense:
		return appendType(append(appendDense(b, a), " : "...), a.Type)
	case DenseStrings:
		return appendType(append(appendDenseStrings(b, a), " : "...), a.Type)
	case DenseResource:
		b = append(append(append(b, "dense_resource<"...), a.Key...), "> : "...)
		return appendType(b, a.Type)
	case TypeAttr:
		return appendType(b, a.Type)
	case Symbol:
		for i, s := range a.Path {
			if i > 0 {
				b = append(b, "::"...)
			}
			b = appendSymbol(b, s)
		}
		return b
	case Enum:
		b = append(append(append(b, '#'), a.Dialect...), '<')
		b = append(append(append(b, a.Kind...), ' '), a.Value...)
		return append(b, '>')
	case Raw:
		return append(b, a.Text...)
	case LocAttr:
		return appendLoc(b, a.Loc)
	}
	return appendStructured(b, a)
}

func appendInt(b []byte, a Int, elide bool) []byte {
	switch {
	case a.Type == "i1":
		return strconv.AppendBool(b, a.Value != 0)
	case strings.HasPrefix(a.Type, "ui"):
		b = strconv.AppendUint(b, uint64(a.Value), 10)
	default:
		b = strconv.AppendInt(b, a.Value, 10)
	}
	if elide && a.Type == "i64" {
		return b
	}
	return append(append(b, " : "...), a.Type...)
}

// appendDict writes {a = 1, b}; a unit attribute is its name alone.
func appendDict(b []byte, d Attrs) []byte {
	b = append(b, '{')
	for i, n := range d {
		if i > 0 {
			b = append(b, ", "...)
		}
		b = appendKeyword(b, n.Name)
		if _, unit := n.Value.(Unit); !unit {
			b = appendAttr(append(b, " = "...), n.Value, false)
		}
	}
	return append(b, '}')
}

func appendDenseArray(b []byte, a DenseArray) []byte {
	b = append(append(b, "array<"...), a.Elem.HLO()...)
	for i := range max(len(a.Ints), len(a.Floats)) {
		if i == 0 {
			b = append(b, ": "...)
		} else {
			b = append(b, ", "...)
		}
		switch {
		case a.Elem.IsFloat():
			b = appendFloat(b, a.Floats[i], a.Elem)
		case a.Elem == array.Bool:
			b = strconv.AppendBool(b, a.Ints[i] != 0)
		default:
			b = strconv.AppendInt(b, a.Ints[i], 10)
		}
	}
	return append(b, '>')
}

// hexAbove is the number of elements from which on MLIR writes a dense constant as its bytes in hex.
const hexAbove = 100

// appendDense writes dense<…> without the type.
func appendDense(b []byte, a *Dense) []byte {
	b = append(b, "dense<"...)
	n := a.Data.Len()
	switch {
	case n == 0 || a.Type.IsStatic() && a.Type.Shape.Size() == 0:
	case a.Splat || isSplat(a.Data):
		b = appendElement(b, a.Data, 0)
	case n > hexAbove:
		data := a.Data.Bytes()
		b = append(b, `"0x`...)
		at := len(b)
		b = append(b, make([]byte, 2*len(data))...)
		hex.Encode(b[at:], data)
		for i := at; i < len(b); i++ {
			if b[i] >= 'a' {
				b[i] -= 'a' - 'A'
			}
		}
		b = append(b, '"')
	default:
		b, _ = appendNested(b, a.Type.Shape, 0, func(b []byte, i int) []byte { return appendElement(b, a.Data, i) })
	}
	return append(b, '>')
}

func appendDenseStrings(b []byte, a DenseStrings) []byte {
	b = append(b, "dense<"...)
	if len(a.Values) == 1 {
		b = appendString(b, a.Values[0])
	} else if len(a.Values) > 1 {
		b, _ = appendNested(b, a.Type.Shape, 0, func(b []byte, i int) []byte { return appendString(b, a.Values[i]) })
	}
	return append(b, '>')
}

// appendNested writes the elements from number at on as lists nested by shape and returns the number after the last.
func appendNested(b []byte, s array.Shape, at int, elem func([]byte, int) []byte) ([]byte, int) {
	if len(s) == 0 {
		return elem(b, at), at + 1
	}
	b = append(b, '[')
	for i := range s[0] {
		if i > 0 {
			b = append(b, ", "...)
		}
		b, at = appendNested(b, s[1:], at, elem)
	}
	return append(b, ']'), at
}

// isSplat reports that all elements have the same bytes.
func isSplat(d *array.Buffer) bool {
	data, size := d.Bytes(), d.DType().Size()
	for i := size; i < len(data); i++ {
		if data[i] != data[i-size] {
			return false
		}
	}
	return len(data) > 0
}

// appendElement writes element i of a buffer.
func appendElement(b []byte, d *array.Buffer, i int) []byte {
	t := d.DType()
	switch t {
	case array.Bool:
		return strconv.AppendBool(b, d.Bytes()[i] != 0)
	case array.Float32, array.Float64:
		return appendReal(b, d.Bytes(), i, t)
	case array.Complex64, array.Complex128:
		b = appendReal(append(b, '('), d.Bytes(), 2*i, t.Real())
		b = appendReal(append(b, ','), d.Bytes(), 2*i+1, t.Real())
		return append(b, ')')
	}
	switch t.Kind() {
	case array.KindInt:
		return strconv.AppendInt(b, d.Int(i), 10)
	case array.KindUint:
		return strconv.AppendUint(b, d.Uint(i), 10)
	}
	if v := d.Float(i); !math.IsNaN(v) && !math.IsInf(v, 0) {
		return appendFloat(b, v, t)
	}
	return appendBits(b, d.Bytes()[i*t.Size():(i+1)*t.Size()])
}

// appendReal writes number i of little-endian float32 or float64 data, keeping the bits of a NaN.
func appendReal(b, data []byte, i int, t array.DType) []byte {
	size := t.Size()
	bits := data[i*size : (i+1)*size]
	v := littleFloat(bits)
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return appendBits(b, bits)
	}
	return appendFloat(b, v, t)
}
