package hlo

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/pantograph-go/pantograph/array"
)

// Type is the type of a value: Tensor, Tuple, Token, Future, or Opaque for the types of other dialects; FuncType and Scalar
// stand in attributes.
type Type interface {
	fmt.Stringer // MLIR's spelling
	isType()
}

// Dynamic is the size of a dimension that is only known at run time, printed as ?.
const Dynamic = -1 << 62

// Tensor is a ranked tensor: tensor<2x?xf32>. Elem is one of the fixed element types unless Quant is set.
type Tensor struct {
	Shape    array.Shape // sizes; Dynamic where unknown
	Elem     array.DType
	Quant    *Quantized // non-nil for quantized elements; Elem is then the storage type
	ElemName string     // an element type that is none of the fixed ones, by its name: index, i17, !dialect.type; Elem is Int64 for index, else Invalid
	Encoding Attr       // bounds or another encoding, nil where absent
}

// Quantized is a quantized element type: !quant.uniform<i8:f32:0, {0.1:2, 0.3}>. Axis is -1 for a per-tensor scale.
type Quantized struct {
	Storage    array.DType
	Expressed  array.DType
	Min, Max   int64
	HasRange   bool // Min and Max were written
	Axis       int
	Scales     []float64
	ZeroPoints []int64
}

type (
	// Token orders side effects: !stablehlo.token.
	Token struct{}
	// Tuple is tuple<...>.
	Tuple struct{ Elems []Type }
	// Future is !stablehlo.future<…>, what an operation that runs beside others will give.
	Future struct{ Elems []Type }
	// FuncType is (f32) -> f32 as it stands in a type attribute.
	FuncType struct{ In, Out []Type }
	// Scalar is an element type that stands alone, as i32 in an attribute; index and none are the scalars of those names.
	Scalar struct{ Name string }
	// Opaque is a type of a dialect that is kept as text: !dialect.name<...>.
	Opaque struct{ Text string }
)

func (Tensor) isType()   {}
func (Token) isType()    {}
func (Tuple) isType()    {}
func (Future) isType()   {}
func (FuncType) isType() {}
func (Scalar) isType()   {}
func (Opaque) isType()   {}

// TensorOf is the type of an array with the given aval. A key type becomes the uint32 array behind it.
func TensorOf(a array.Aval) Tensor {
	if a.DType.IsKey() {
		return Tensor{Shape: append(a.Shape.Clone(), a.DType.KeyShape()...), Elem: array.Uint32}
	}
	if a.DType == array.Float0 {
		return Tensor{Shape: a.Shape, Elem: array.Bool}
	}
	return Tensor{Shape: a.Shape, Elem: a.DType}
}

// TypeOf is the type of a value with the given aval: TensorOf, or a token.
func TypeOf(a array.Aval) Type {
	if a.DType == array.Token {
		return Token{}
	}
	return TensorOf(a)
}

// Aval is the abstract value of a static tensor.
func (t Tensor) Aval() array.Aval { return array.Aval{Shape: t.Shape, DType: t.Elem} }

// IsStatic reports that every size is known.
func (t Tensor) IsStatic() bool {
	for _, d := range t.Shape {
		if d < 0 {
			return false
		}
	}
	return true
}

// With returns the type with another element type.
func (t Tensor) With(d array.DType) Tensor { t.Elem, t.Quant, t.ElemName = d, nil, ""; return t }

func (t Tensor) String() string { return string(appendTensor(nil, t)) }

// ElemString spells the element type.
func (t Tensor) ElemString() string {
	if t.Quant != nil {
		return t.Quant.String()
	}
	if t.ElemName != "" {
		return t.ElemName
	}
	return t.Elem.HLO()
}

func appendTensor(b []byte, t Tensor) []byte {
	b = append(b, "tensor<"...)
	for _, d := range t.Shape {
		if d < 0 {
			b = append(b, '?')
		} else {
			b = strconv.AppendInt(b, int64(d), 10)
		}
		b = append(b, 'x')
	}
	b = append(b, t.ElemString()...)
	if t.Encoding != nil {
		b = appendAttr(append(b, ", "...), t.Encoding, false)
	}
	return append(b, '>')
}

func appendType(b []byte, t Type) []byte {
	switch t := t.(type) {
	case nil:
		return append(b, "<<nil>>"...)
	case Tensor:
		return appendTensor(b, t)
	}
	return append(b, t.String()...)
}

func appendTypes(b []byte, ts []Type) []byte {
	for i, t := range ts {
		if i > 0 {
			b = append(b, ", "...)
		}
		b = appendType(b, t)
	}
	return b
}

// appendResults writes what stands behind an arrow: one type bare, any other number in parentheses.
func appendResults(b []byte, ts []Type) []byte {
	if len(ts) == 1 {
		if _, function := ts[0].(FuncType); !function {
			return appendType(b, ts[0])
		}
	}
	return append(appendTypes(append(b, '('), ts), ')')
}

func (q *Quantized) String() string {
	var b strings.Builder
	storage := q.Storage.HLO()
	if unsigned, ok := strings.CutPrefix(storage, "ui"); ok {
		storage = "u" + unsigned
	}
	b.WriteString("!quant.uniform<" + storage)
	if q.HasRange {
		fmt.Fprintf(&b, "<%d:%d>", q.Min, q.Max)
	}
	b.WriteString(":" + q.Expressed.HLO())
	if q.Axis >= 0 {
		fmt.Fprintf(&b, ":%d", q.Axis)
	}
	b.WriteString(", ")
	if q.Axis >= 0 {
		b.WriteByte('{')
	}
	for i, s := range q.Scales {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(FloatString(s, array.Float64))
		if q.ZeroPoints[i] != 0 {
			fmt.Fprintf(&b, ":%d", q.ZeroPoints[i])
		}
	}
	if q.Axis >= 0 {
		b.WriteByte('}')
	}
	return b.String() + ">"
}

func (Token) String() string   { return "!stablehlo.token" }
func (t Tuple) String() string { return string(append(appendTypes([]byte("tuple<"), t.Elems), '>')) }
func (t Future) String() string {
	return string(append(appendTypes([]byte("!stablehlo.future<"), t.Elems), '>'))
}
func (t Scalar) String() string { return t.Name }
func (t Opaque) String() string { return t.Text }
func (t FuncType) String() string {
	return string(appendResults(append(appendTypes([]byte{'('}, t.In), ") -> "...), t.Out))
}
