package trace

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/primitive"
)

// Params are the parameters of p as they are printed: what p's own Params says, else its exported fields, those of
// embedded structs among them, sorted by their names in snake case.
func Params(p primitive.Primitive) []primitive.Param {
	if p, ok := p.(primitive.Parametric); ok {
		return p.Params()
	}
	v := reflect.ValueOf(p)
	if v.Kind() == reflect.Pointer {
		v = v.Elem()
	}
	if v.Kind() != reflect.Struct {
		return nil
	}
	ps := fields(nil, v)
	slices.SortFunc(ps, func(a, b primitive.Param) int { return strings.Compare(a.Name, b.Name) })
	return ps
}

func fields(ps []primitive.Param, v reflect.Value) []primitive.Param {
	for i := range v.NumField() {
		f := v.Type().Field(i)
		switch {
		case f.Anonymous && f.Type.Kind() == reflect.Struct:
			ps = fields(ps, v.Field(i))
		case f.IsExported():
			ps = append(ps, primitive.Param{Name: snake(f.Name), Value: v.Field(i).Interface()})
		}
	}
	return ps
}

// snake turns NewDType into new_dtype and NumJVPs into num_jvps.
func snake(name string) string {
	r := []rune(strings.NewReplacer("DType", "Dtype", "JVPs", "Jvps").Replace(name))
	var b strings.Builder
	for i, c := range r {
		if unicode.IsUpper(c) && i > 0 && (!unicode.IsUpper(r[i-1]) || i+1 < len(r) && unicode.IsLower(r[i+1])) {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(c))
	}
	return b.String()
}

// nameParam is the parameter called name.
func nameParam(p primitive.Primitive) (string, bool) {
	if _, ok := p.(HasJaxprs); !ok {
		return "", false
	}
	for _, q := range Params(p) {
		if s, ok := q.Value.(string); ok && q.Name == "name" {
			return strings.Trim(s, "<>"), true
		}
	}
	return "", false
}

func (p *printer) params(prim primitive.Primitive) doc {
	ps := Params(prim)
	if len(ps) == 0 {
		return concat{}
	}
	docs := make([]doc, len(ps))
	for i, q := range ps {
		docs[i] = concat{text(q.Name + "="), p.value(q.Value)}
	}
	return group{concat{nest{concat{text("["), brk(""), join(brk(" "), docs)}}, brk(""), text("]")}}
}

// value prints a parameter as Python prints what JAX has there.
func (p *printer) value(v any) doc {
	switch v := v.(type) {
	case *Jaxpr:
		if v == nil {
			return text("None")
		}
		return p.jaxpr(v)
	case *Closed:
		return p.jaxpr(v.Jaxpr)
	case []*Jaxpr:
		docs := make([]doc, len(v))
		for i, j := range v {
			docs[i] = p.jaxpr(j)
		}
		return group{concat{nest{concat{text("("), brk(""), join(brk(" "), docs)}}, brk(""), text(")")}}
	}
	return text(valueString(v))
}

func valueString(v any) string {
	switch v := v.(type) {
	case nil:
		return "None"
	case bool:
		return pyBool(v)
	case float64:
		return pyFloat(v)
	case array.F64Bits:
		return pyFloat(v.Float())
	case array.Shape:
		return array.MakeInts(v...).String()
	case array.Aval:
		return v.Strong().String()
	case fmt.Stringer:
		return v.String()
	}
	if r := reflect.ValueOf(v); r.Kind() == reflect.Slice || r.Kind() == reflect.Array {
		parts := make([]string, r.Len())
		for i := range parts {
			parts[i] = valueString(r.Index(i).Interface())
		}
		if len(parts) == 1 {
			return "(" + parts[0] + ",)"
		}
		return "(" + strings.Join(parts, ", ") + ")"
	}
	return fmt.Sprint(v)
}

// scalarString prints the first element of b as Python does.
func scalarString(b *array.Buffer) string {
	switch b.DType().Kind() {
	case array.KindBool:
		return pyBool(b.Bool(0))
	case array.KindFloat:
		return pyFloat(b.Float(0))
	case array.KindComplex:
		z := b.Complex(0)
		im := strings.TrimSuffix(pyFloat(imag(z)), ".0") + "j"
		if real(z) == 0 && !math.Signbit(real(z)) {
			return im
		}
		if !strings.HasPrefix(im, "-") {
			im = "+" + im
		}
		return "(" + strings.TrimSuffix(pyFloat(real(z)), ".0") + im + ")"
	case array.KindUint:
		return strconv.FormatUint(uint64(b.Int(0)), 10)
	}
	return strconv.FormatInt(b.Int(0), 10)
}

func pyBool(v bool) string {
	if v {
		return "True"
	}
	return "False"
}

// pyFloat is Python's repr: the shortest digits that give v back, with an exponent below 1e-4 and from 1e16.
func pyFloat(v float64) string {
	switch a := math.Abs(v); {
	case math.IsNaN(v):
		return "nan"
	case math.IsInf(v, 0):
		return strings.TrimPrefix(strings.ToLower(strconv.FormatFloat(v, 'g', -1, 64)), "+")
	case a != 0 && (a < 1e-4 || a >= 1e16):
		return strconv.FormatFloat(v, 'e', -1, 64)
	}
	s := strconv.FormatFloat(v, 'f', -1, 64)
	if !strings.Contains(s, ".") {
		s += ".0"
	}
	return s
}
