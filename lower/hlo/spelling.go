package hlo

import (
	"encoding/hex"
	"math"
	"math/big"
	"math/bits"
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
	if math.Signbit(v) {
		b = append(b, '-')
	}
	if v == 0 {
		return append(b, "0.000000e+00"...)
	}
	x := math.Abs(v)
	var scratch [32]byte
	digits, exp := decimal(scratch[:0], x, 6)
	if readsBack(digits, exp, x, d) {
		for len(digits) < 7 { // six decimals, of which the last is always a zero
			digits = append(digits, '0')
		}
		b = append(append(append(b, digits[0], '.'), digits[1:]...), 'e')
		return appendExponent(b, exp, 2)
	}
	n := floatDigits(d)
	digits, exp = decimal(scratch[:0], x, n)
	scientific := false
	switch low := exp - len(digits) + 1; { // low: the decimal exponent of the last digit
	case low >= 0:
		scientific = low > 3 || exp+1 > n
	case exp < 0:
		scientific = -exp > 3
	}
	switch {
	case scientific:
		if len(digits) == 1 {
			digits = append(digits, '0')
		}
		b = append(append(append(b, digits[0], '.'), digits[1:]...), 'E')
		return appendExponent(b, exp, 1)
	case exp >= len(digits)-1:
		// A plain form without a point would not read back as a float.
		if math.Signbit(v) {
			b = b[:len(b)-1]
		}
		return appendFloatBits(b, v, d)
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

func appendExponent(b []byte, exp, width int) []byte {
	sign := byte('+')
	if exp < 0 {
		sign, exp = '-', -exp
	}
	b = append(b, sign)
	if exp < 10 && width == 2 {
		b = append(b, '0')
	}
	return strconv.AppendInt(b, int64(exp), 10)
}

// decimal appends at most n significant digits of x > 0, without trailing zeros, and gives the exponent of the first:
// x ≈ d.ddd × 10^exp. It rounds as LLVM does, whose digits MLIR's text consists of: the exact decimal significand is
// first cut, not rounded, to about the bits that n digits need, and what is left rounds half up. 0.01 as a float32 is
// therefore 9.99999e-3 in six digits.
func decimal(b []byte, x float64, n int) (digits []byte, exp int) {
	frac, e2 := math.Frexp(x)
	sig := uint64(frac * (1 << 53))
	e2 -= 53
	zeros := bits.TrailingZeros64(sig)
	sig, e2 = sig>>zeros, e2+zeros
	s := new(big.Int).SetUint64(sig)
	e10 := 0
	if e2 >= 0 {
		s.Lsh(s, uint(e2))
	} else {
		s.Mul(s, new(big.Int).Exp(big.NewInt(5), big.NewInt(int64(-e2)), nil))
		e10 = e2
	}
	if need := (n*196 + 58) / 59; s.BitLen() > need {
		if cut := (s.BitLen() - need) * 59 / 196; cut > 0 {
			s.Quo(s, new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(cut)), nil))
			e10 += cut
		}
	}
	b = s.Append(b, 10)
	exp = e10 + len(b) - 1
	if len(b) > n {
		up := b[n] >= '5'
		b = b[:n]
		for i := n - 1; up && i >= 0; i-- {
			if b[i]++; b[i] <= '9' {
				up = false
			} else {
				b = b[:i]
			}
		}
		if up {
			b = append(b[:0], '1')
			exp++
		}
	}
	for len(b) > 1 && b[len(b)-1] == '0' {
		b = b[:len(b)-1]
	}
	return b, exp
}

// readsBack reports that the digits are read as x again.
func readsBack(digits []byte, exp int, x float64, d array.DType) bool {
	var scratch [40]byte
	s := append(append(append(scratch[:0], digits[0], '.'), digits[1:]...), 'e')
	text := string(strconv.AppendInt(s, int64(exp), 10))
	switch d {
	case array.Float64:
		w, err := strconv.ParseFloat(text, 64)
		return err == nil && w == x
	case array.Float32:
		w, err := strconv.ParseFloat(text, 32)
		return err == nil && w == x
	}
	w, err := strconv.ParseFloat(text, 64)
	return err == nil && array.RoundTo(d, w) == x
}

// floatDigits is how many digits LLVM writes where six are too few: two more than the significand is sure to hold.
func floatDigits(d array.DType) int {
	switch d {
	case array.Float64:
		return 17
	case array.Float32:
		return 9
	case array.Float16:
		return 5
	case array.BFloat16:
		return 4
	}
	return 3
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
	case n == 0:
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
