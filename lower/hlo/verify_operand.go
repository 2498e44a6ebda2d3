package hlo

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/pantograph-go/pantograph/array"
)

// The types of operands and results, and the kinds of attributes, that the tables ask for.

// operandSpec is one entry of opSpec.in or out.
type operandSpec struct {
	name     string
	variadic bool
	kinds    string // of elements, empty where no tensor is allowed
	exact    string // one element type, instead of kinds
	limits   string
	others   []string // token, tuple, future, buffer, any
}

func parseOperandSpecs(s string) []operandSpec {
	var out []operandSpec
	for _, f := range strings.Fields(s) {
		name, typ, _ := strings.Cut(f, ":")
		o := operandSpec{}
		o.name, o.variadic = strings.CutSuffix(name, "*")
		parts := strings.Split(typ, "|")
		o.kinds, o.limits, _ = strings.Cut(parts[0], "/")
		if exact, ok := strings.CutPrefix(o.kinds, "="); ok {
			o.kinds, o.exact = "", exact
		}
		o.others = parts[1:]
		out = append(out, o)
	}
	return out
}

// operands checks the number and types of operands and results.
func (c *checker) operands(f *opForm) {
	c.list("operand", f.inSpecs, c.op.Operands)
	c.list("result", f.outSpecs, c.op.Results)
}

func (c *checker) list(what string, specs []operandSpec, vs []*Value) {
	fixed, variadic := 0, 0
	for _, s := range specs {
		if s.variadic {
			variadic++
		} else {
			fixed++
		}
	}
	rest := len(vs) - fixed
	switch {
	case variadic == 0:
		c.check(rest == 0, what, "there are %d %ss, not %d", len(vs), what, fixed)
	default:
		c.check(rest >= 0, what, "there are %d %ss, at least %d are needed", len(vs), what, fixed)
		c.check(rest%variadic == 0, what, "%d %ss cannot be split evenly between %s", rest, what, variadicNames(specs))
		rest /= variadic
	}
	at := 0
	for _, s := range specs {
		n := 1
		if s.variadic {
			n = rest
		}
		for i, v := range vs[at : at+n] {
			if t, ok := v.Type.(Tensor); ok && t.Quant != nil {
				c.quantized(t)
			}
			if !s.allows(v.Type) {
				c.fail(fmt.Sprintf("%s %d (%s)", what, at+i, s.name), "it is to be %s, not %s", s.String(), v.Type)
			}
		}
		at += n
	}
}

func variadicNames(specs []operandSpec) string {
	var names []string
	for _, s := range specs {
		if s.variadic {
			names = append(names, s.name)
		}
	}
	return strings.Join(names, " and ")
}

// group returns the operands of a name that the tables give; the others share a length.
func (c *checker) group(name string) []*Value {
	specs := c.forms[c.op.Name].inSpecs
	fixed, variadic := 0, 0
	for _, s := range specs {
		if s.variadic {
			variadic++
		} else {
			fixed++
		}
	}
	at := 0
	for _, s := range specs {
		n := 1
		if s.variadic {
			n = (len(c.op.Operands) - fixed) / variadic
		}
		if s.name == name {
			return c.op.Operands[at : at+n]
		}
		at += n
	}
	panic("hlo: " + c.op.Name + " has no operand " + name)
}

func (s *operandSpec) allows(t Type) bool {
	for _, o := range s.others {
		if o == "any" || isOther(t, o) {
			return true
		}
	}
	x, ok := t.(Tensor)
	if !ok {
		u, unranked := unrankedElem(t)
		return unranked && strings.Contains(s.limits, "u") && s.allowsElem(u)
	}
	if s.kinds == "" && s.exact == "" || !s.allowsElem(x) {
		return false
	}
	for _, l := range s.limits {
		switch l {
		case '0', '1', '2':
			ok = len(x.Shape) == int(l-'0')
		case 's':
			ok = x.IsStatic()
		case 'b':
			ok = x.IsStatic() || boundedOnce(x)
		}
		if !ok {
			return false
		}
	}
	return true
}

func isOther(t Type, kind string) bool {
	switch t := t.(type) {
	case Token:
		return kind == "token"
	case Tuple:
		return kind == "tuple"
	case Future:
		return kind == "future"
	case Opaque:
		return kind == "buffer" && strings.HasPrefix(t.Text, "memref<")
	}
	return false
}

// boundedOnce reports one dynamic dimension, which has a bound.
func boundedOnce(t Tensor) bool {
	n := 0
	for i, d := range t.Shape {
		if d < 0 {
			n++
			if t.bound(i) < 0 {
				return false
			}
		}
	}
	return n == 1
}

// unrankedElem reads the elements of tensor<*x…>, as a scalar.
func unrankedElem(t Type) (Tensor, bool) {
	o, ok := t.(Opaque)
	elem, cut := strings.CutPrefix(o.Text, "tensor<*x")
	if !ok || !cut {
		return Tensor{}, false
	}
	d, known := elementTypes[strings.TrimSuffix(elem, ">")]
	return Tensor{Elem: d}, known
}

// allowsElem checks the element type.
func (s *operandSpec) allowsElem(t Tensor) bool {
	if s.exact != "" {
		return t.Quant == nil && t.ElemName == "" && t.Elem.HLO() == s.exact
	}
	switch {
	case t.Quant != nil && t.Quant.Axis >= 0:
		return strings.Contains(s.kinds, "Q")
	case t.Quant != nil:
		return strings.Contains(s.kinds, "q")
	case t.ElemName == "index":
		return strings.Contains(s.kinds, "x")
	}
	switch t.Elem.Kind() {
	case array.KindBool:
		return strings.Contains(s.kinds, "p")
	case array.KindInt:
		return strings.ContainsAny(s.kinds, "is")
	case array.KindUint:
		return strings.Contains(s.kinds, "i")
	case array.KindFloat:
		return strings.Contains(s.kinds, "f")
	case array.KindComplex:
		return strings.Contains(s.kinds, "c")
	}
	return false
}

// quantized checks the parameters of a quantized element type and that they fit the tensor; the constraints are those of
// the specification's section on quantized types.
func (c *checker) quantized(t Tensor) {
	q := t.Quant
	c.check(q.Storage.Bits() <= 32, "C1", "%s is stored in %d bits, at most 32 are possible", t, q.Storage.Bits())
	for _, z := range q.ZeroPoints {
		c.check(z >= q.Min && z <= q.Max, "C8", "the zero point %d of %s is out of the range [%d, %d]", z, t, q.Min, q.Max)
	}
	if q.Axis >= 0 {
		c.check(q.Axis < len(t.Shape), "C12", "%s is quantized along %d, its rank is %d", t, q.Axis, len(t.Shape))
		n := t.Shape[q.Axis]
		c.check(n < 0 || n == len(q.Scales), "C13", "%s has %d scales for the %d elements of dimension %d", t, len(q.Scales), n, q.Axis)
	}
}

var kindNames = []struct {
	kind byte
	name string
}{{'f', "float"}, {'p', "bool"}, {'i', "integer"}, {'s', "signed integer"}, {'c', "complex"}, {'q', "quantized"},
	{'Q', "quantized along an axis"}, {'x', "index"}}

// String says in words what is allowed.
func (s *operandSpec) String() string {
	var names []string
	for _, k := range kindNames {
		if strings.IndexByte(s.kinds, k.kind) >= 0 {
			names = append(names, k.name)
		}
	}
	if s.exact != "" {
		names = []string{s.exact}
	}
	var parts []string
	if len(names) > 0 {
		what := "a ranked tensor of "
		for _, l := range s.limits {
			switch l {
			case '0', '1', '2':
				what = "a tensor of rank " + string(l) + " of "
			case 's':
				what = strings.Replace(what, "tensor", "static tensor", 1)
			case 'b':
				what = strings.Replace(what, "tensor", "tensor, static or bounded in its one dynamic dimension,", 1)
			case 'u':
				what = "a tensor of "
			}
		}
		parts = append(parts, what+strings.Join(names, ", "))
	}
	for _, o := range s.others {
		parts = append(parts, "a "+o)
	}
	return strings.Join(parts, " or ")
}

// typ checks a type by itself: bounds and quantization parameters.
func (c *checker) typ(t Type) {
	switch t := t.(type) {
	case Tuple:
		for _, e := range t.Elems {
			c.typ(e)
		}
	case Future:
		for _, e := range t.Elems {
			c.typ(e)
		}
	case Opaque:
		c.check(!strings.HasPrefix(t.Text, "!stablehlo."), "type", "%s is no type of StableHLO", t)
	case Tensor:
		if b, ok := t.Encoding.(Bounds); ok {
			c.check(len(b) == len(t.Shape), "type", "%s has %d bounds for rank %d", t, len(b), len(t.Shape))
			for i, n := range b {
				c.check(n < 0 || t.Shape[i] < 0, "type", "dimension %d of %s is static and has a bound", i, t)
			}
		}
		if t.Quant != nil {
			lo, hi := floatRange(t.Quant.Expressed)
			for _, s := range t.Quant.Scales {
				c.check(s >= lo && s <= hi, "C6", "the scale %g is out of the range of %s", s, t.Quant.Expressed.HLO())
			}
			c.check(len(t.Quant.Scales) > 0, "type", "%s has no scales", t)
		}
	}
}

// floatRange is the smallest and largest positive finite number of a float type.
func floatRange(d array.DType) (lo, hi float64) {
	switch d {
	case array.Float16:
		return 0x1p-24, 65504
	case array.BFloat16:
		return 0x1p-133, 0x1.fep127
	case array.Float32:
		return math.SmallestNonzeroFloat32, math.MaxFloat32
	case array.Float64:
		return math.SmallestNonzeroFloat64, math.MaxFloat64
	}
	return 0, math.Inf(1)
}

// attributes checks the operation's own attributes.
func (c *checker) attributes(f *opForm) {
	for i := range f.attrSpecs {
		s := &f.attrSpecs[i]
		a := c.op.Attr(s.name)
		if a == nil {
			c.check(s.optional, "attribute "+s.name, "it is missing")
			continue
		}
		c.check(hasKind(a, s.kind), "attribute "+s.name, "it is to be %s, not %s", kindText(s.kind), AttrString(a))
		if n, ok := a.(Int); ok && s.bounded {
			c.check(n.Value >= s.min, "attribute "+s.name, "it is %d, at least %d is needed", n.Value, s.min)
		}
	}
}

// enumValues are the values of each enumeration.
var enumValues = map[string][]string{
	"comparison_direction": {"EQ", "NE", "GE", "GT", "LE", "LT"},
	"comparison_type":      {"NOTYPE", "FLOAT", "TOTALORDER", "SIGNED", "UNSIGNED"},
	"precision":            {"DEFAULT", "HIGH", "HIGHEST"},
	"fft_type":             {"FFT", "IFFT", "RFFT", "IRFFT"},
	"transpose":            {"TRANSPOSE_INVALID", "NO_TRANSPOSE", "TRANSPOSE", "ADJOINT"},
	"rng_distribution":     {"UNIFORM", "NORMAL"},
	"rng_algorithm":        {"DEFAULT", "THREE_FRY", "PHILOX"},
}

func isKindOfEnum(a Attr, kind string) bool {
	e, ok := a.(Enum)
	return ok && e.Kind == kind && slices.Contains(enumValues[kind], e.Value)
}

// hasKind reports that an attribute is of a kind of the tables.
func hasKind(a Attr, kind string) (ok bool) {
	switch kind {
	case "any":
		return true
	case "bool":
		_, ok = a.(Bool)
	case "f32", "f64":
		f, isFloat := a.(Float)
		return isFloat && f.Type == kind
	case "str":
		_, ok = a.(String)
	case "i64s":
		_, ok = int64s(a)
	case "bools", "i32s":
		d, isArray := a.(DenseArray)
		return isArray && d.Elem.HLO()+"s" == map[string]string{"bools": "i1s", "i32s": "i32s"}[kind]
	case "elements":
		switch a.(type) {
		case *Dense, DenseResource, DenseStrings:
			return true
		}
	case "i64elements":
		d, isDense := a.(*Dense)
		return isDense && d.Type.Elem == array.Int64 && d.Type.ElemName == "" && d.Type.Quant == nil
	case "groups":
		_, isMesh := a.(MeshGroups)
		return isMesh || hasKind(a, "i64elements")
	case "dot":
		_, ok = a.(DotDims)
	case "ragged_dot":
		_, ok = a.(RaggedDotDims)
	case "algorithm":
		_, ok = a.(DotAlgorithm)
	case "conv":
		_, ok = a.(ConvDims)
	case "gather":
		_, ok = a.(GatherDims)
	case "scatter":
		_, ok = a.(ScatterDims)
	case "channel":
		_, ok = a.(ChannelHandle)
	case "accuracy":
		_, ok = a.(ResultAccuracy)
	case "precisions":
		list, isArray := a.(Array)
		return isArray && !slices.ContainsFunc(list, func(x Attr) bool { return !isKindOfEnum(x, "precision") })
	case "array":
		_, ok = a.(Array)
	case "dict":
		_, ok = a.(Dict)
	case "sym":
		s, isSymbol := a.(Symbol)
		return isSymbol && len(s.Path) == 1
	case "unit":
		_, ok = a.(Unit)
	default:
		if isEnum(kind) {
			return isKindOfEnum(a, kind)
		}
		n, isInt := a.(Int)
		return isInt && n.Type == kind
	}
	return ok
}

// kindText says in words what a kind is.
func kindText(kind string) string {
	switch kind {
	case "str":
		return "a string"
	case "i64s":
		return "array<i64: …>"
	case "bools":
		return "array<i1: …>"
	case "i32s":
		return "array<i32: …>"
	case "elements":
		return "a constant"
	case "i64elements":
		return "a constant of i64"
	case "groups":
		return "a constant of i64 or axes of a mesh"
	case "sym":
		return "the @name of a function"
	case "precisions":
		return "a list of DEFAULT, HIGH, HIGHEST"
	}
	if v := enumValues[kind]; v != nil {
		return "one of " + strings.Join(v, ", ")
	}
	return "of kind " + kind
}
