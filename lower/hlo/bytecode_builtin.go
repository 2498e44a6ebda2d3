package hlo

import (
	"encoding/binary"
	"math"
	"slices"
	"strconv"

	"github.com/pantograph-go/pantograph/array"
)

// The builtin dialect in bytecode: the attributes of modules and the locations.

// The codes of builtin attributes.
const (
	bcArray = iota
	bcDictionary
	bcString
	bcTypedString
	bcFlatSymbol
	bcSymbol
	bcType
	bcUnit
	bcInteger
	bcFloat
	bcCallSite
	bcFileLine
	bcFused
	bcFusedWithMetadata
	bcName
	bcUnknown
	bcResource
	bcDenseArray
	bcDense
	bcDenseStrings
	bcSparse
	bcDistinct
	bcFileRange
)

// The codes of builtin types.
const (
	btInteger = iota
	btIndex
	btFunction
	btBF16
	btF16
	btF32
	btF64
	btF80
	btF128
	btComplex
	btMemRef
	btMemRefInSpace
	btNone
	btTensor
	btTensorWithEncoding
	btTuple
	btUnrankedMemRef
	btUnrankedMemRefInSpace
	btUnrankedTensor
	btVector
	btScalableVector
)

func (r *bytecodeReader) builtinAttr(c *cursor) Attr {
	switch code := c.varint(); code {
	case bcArray:
		return Array(r.attrList(c))
	case bcDictionary:
		d := make(Attrs, c.count("attributes"))
		for i := range d {
			d[i].Name = r.stringAttr(c)
			d[i].Value = r.attr(c)
		}
		return Dict(r.dictionary(c, d))
	case bcString:
		return String{r.string(c)}
	case bcTypedString:
		s := String{r.string(c)}
		r.typ(c)
		return s
	case bcFlatSymbol:
		return Symbol{[]string{r.stringAttr(c)}}
	case bcSymbol:
		s := Symbol{[]string{r.stringAttr(c)}}
		for _, a := range r.attrList(c) {
			inner, ok := a.(Symbol)
			if !ok {
				c.fail("a symbol inside a symbol is to stand here")
			}
			s.Path = append(s.Path, inner.Path...)
		}
		return s
	case bcType:
		return TypeAttr{r.typ(c)}
	case bcUnit:
		return Unit{}
	case bcInteger, bcFloat:
		return r.number(c)
	case bcCallSite:
		l := r.loc(c)
		return LocAttr{l.within(r.loc(c))}
	case bcFileLine:
		l := Loc{File: r.stringAttr(c)}
		l.Line, l.Col = r.small(c), r.small(c)
		return LocAttr{l}
	case bcFileRange:
		l := Loc{File: r.stringAttr(c)}
		for i := range c.count("places") {
			switch v := r.small(c); i {
			case 0:
				l.Line = v
			case 1:
				l.Col = v
			}
		}
		return LocAttr{l}
	case bcFused, bcFusedWithMetadata:
		var l Loc
		for range c.count("locations") {
			l = l.within(r.loc(c))
		}
		if code == bcFusedWithMetadata {
			r.attr(c)
		}
		return LocAttr{l}
	case bcName:
		l := Loc{Name: r.stringAttr(c)}
		return LocAttr{l.within(r.loc(c))}
	case bcUnknown:
		return LocAttr{}
	case bcResource:
		t, ok := r.typ(c).(Tensor)
		i := c.varint()
		if !ok || i >= uint64(len(r.handles)) {
			c.fail("a resource is to have a tensor type and a key")
		}
		return DenseResource{r.handles[i], t}
	case bcDenseArray:
		return r.denseArray(c)
	case bcDense:
		t := r.typ(c)
		return r.dense(c, t, c.bytes(c.varint()))
	case bcDenseStrings:
		t, ok := r.typ(c).(Tensor)
		if !ok || !t.IsStatic() {
			c.fail("strings cannot have this type")
		}
		n := t.Shape.Size()
		if splat := c.varint() != 0; splat {
			n = 1
		}
		if n > c.left() {
			c.fail("%d strings cannot stand in %d bytes", n, c.left())
		}
		a := DenseStrings{Type: t}
		for range n {
			a.Values = append(a.Values, r.string(c))
		}
		return a
	default:
		c.fail("the builtin attribute %d is not known", code)
	}
	return nil
}

// loc reads a location. An unknown one is the zero Loc.
func (r *bytecodeReader) loc(c *cursor) Loc {
	l, ok := r.attr(c).(LocAttr)
	if !ok {
		c.fail("a location is to stand here")
	}
	return l.Loc
}

// small reads a number that fits 32 bits.
func (r *bytecodeReader) small(c *cursor) int {
	v := c.varint()
	if v > math.MaxInt32 {
		c.fail("%d is out of range", v)
	}
	return int(v)
}

// denseArray reads array<i64: …>.
func (r *bytecodeReader) denseArray(c *cursor) Attr {
	t := r.typ(c)
	d, ok := elementTypes[t.String()]
	if !ok || !d.IsInteger() && !d.IsFloat() && d != array.Bool {
		c.fail("an array cannot hold %s", t)
	}
	n := c.varint()
	blob := c.bytes(c.varint())
	if n > uint64(len(blob)) || int(n)*d.Size() != len(blob) {
		c.fail("an array of %d %s has %d bytes", n, t, len(blob))
	}
	a := DenseArray{Elem: d}
	b, err := array.WrapBuffer(d, array.Shape{int(n)}, slices.Clone(blob))
	if err != nil {
		c.fail("%v", err)
	}
	for i := range int(n) {
		switch {
		case d.IsFloat():
			a.Floats = append(a.Floats, b.Float(i))
		case d == array.Bool:
			a.Ints = append(a.Ints, int64(min(b.Bytes()[i], 1)))
		default:
			a.Ints = append(a.Ints, b.Int(i))
		}
	}
	return a
}

// littleInts reads 64-bit integers.
func littleInts(b []byte) []int64 {
	out := make([]int64, len(b)/8)
	for i := range out {
		out[i] = int64(binary.LittleEndian.Uint64(b[8*i:]))
	}
	return out
}

func (r *bytecodeReader) builtinType(c *cursor) Type {
	switch code := c.varint(); code {
	case btInteger:
		v := c.varint()
		name := strconv.FormatUint(v>>2, 10)
		switch v & 3 {
		case 0:
			name = "i" + name
		case 1:
			name = "si" + name
		case 2:
			name = "ui" + name
		}
		if !isScalar(name) {
			c.fail("%s is no integer type", name)
		}
		return Scalar{r.word(name)}
	case btIndex:
		return Scalar{"index"}
	case btFunction:
		in := r.typeList(c)
		return FuncType{in, r.typeList(c)}
	case btBF16, btF16, btF32, btF64, btF80, btF128:
		return Scalar{[...]string{"bf16", "f16", "f32", "f64", "f80", "f128"}[code-btBF16]}
	case btComplex:
		return Scalar{r.around(c, "complex<")}
	case btNone:
		return Scalar{"none"}
	case btTensor:
		return r.tensor(c, r.shape(c), nil)
	case btTensorWithEncoding:
		encoding := r.attr(c)
		return r.tensor(c, r.shape(c), encoding)
	case btTuple:
		return Tuple{r.typeList(c)}
	case btUnrankedTensor:
		return Opaque{r.around(c, "tensor<*x")}
	default:
		c.fail("the builtin type %d is not known", code)
	}
	return nil
}
