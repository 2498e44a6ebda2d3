package hlo

import (
	"strconv"
	"strings"

	"github.com/pantograph-go/pantograph/array"
)

// Attributes inside a pretty form: the kind is known, so only the value is written.

// isEnum reports that a kind is the name of an enumeration of StableHLO.
func isEnum(kind string) bool {
	switch kind {
	case "comparison_direction", "comparison_type", "precision", "fft_type", "transpose", "rng_distribution", "rng_algorithm":
		return true
	}
	return false
}

// isInt reports an integer kind and that the value has that type.
func isInt(kind string) bool {
	return strings.TrimLeft(kind, "ui") != kind && len(strings.Trim(kind, "ui0123456789")) == 0
}

// appendStripped writes a's value; false where a is not of the kind.
func appendStripped(b []byte, a Attr, kind string) ([]byte, bool) {
	switch a := a.(type) {
	case Int:
		if kind != a.Type {
			return b, false
		}
		if strings.HasPrefix(a.Type, "u") {
			return strconv.AppendUint(b, uint64(a.Value), 10), true
		}
		return strconv.AppendInt(b, a.Value, 10), true
	case Float:
		return appendFloat(b, a.Value, array.Float64), kind == "f64" && a.Type == "f64"
	case Bool:
		return strconv.AppendBool(b, bool(a)), kind == "bool"
	case String:
		return appendString(b, a.Value), kind == "str"
	case Enum:
		return append(b, a.Value...), kind == a.Kind
	case DenseArray:
		if a.Elem != array.Int64 || kind != "i64s" {
			return b, false
		}
		b = append(b, '[')
		for i, v := range a.Ints {
			if i > 0 {
				b = append(b, ", "...)
			}
			b = strconv.AppendInt(b, v, 10)
		}
		return append(b, ']'), true
	case Symbol:
		return appendAttr(b, a, false), kind == "sym"
	}
	return appendAttr(b, a, false), kind == "elements" || kind == "any"
}
