package hlo

import (
	"bytes"
	"math"
	"sort"
	"strings"

	"github.com/pantograph-go/pantograph/array"
)

// entry is an attribute or type of a file's table. It is read when it is first asked for.
type entry struct {
	dialect string
	custom  bool // in the encoding of its dialect; otherwise as text
	body    cursor
	state   byte
	nodes   int        // attributes and types in it, itself included
	attr    Attr       // of an attribute
	typ     Type       // of a type
	quant   *Quantized // of a quantized element type
}

const (
	notRead = iota
	beingRead
	wasRead
)

// readEntries finds the attributes and types, whose sizes stand in a section of their own, grouped by dialect.
func (r *bytecodeReader) readEntries(sizes, c cursor) {
	attrs, types := sizes.count("attributes"), sizes.count("types")
	if attrs+types > sizes.left() {
		sizes.fail("%d attributes and types cannot stand in %d bytes", attrs+types, sizes.left())
	}
	all := make([]entry, attrs+types)
	for i := 0; i < len(all); {
		dialect := r.dialect(&sizes)
		n := sizes.count("attributes and types")
		if n > len(all)-i {
			sizes.fail("there are more than the %d attributes and types promised", len(all))
		}
		for range n {
			v := sizes.varint()
			all[i] = entry{dialect: dialect, custom: v&1 != 0, body: c.sub(v >> 1)}
			i++
		}
	}
	r.attrs, r.types = all[:attrs:attrs], all[attrs:]
}

// attrAt returns attribute i. Attributes do not change and are shared.
func (r *bytecodeReader) attrAt(c *cursor, i uint64) Attr {
	if i >= uint64(len(r.attrs)) {
		c.fail("the index %d is behind the %d attributes", i, len(r.attrs))
	}
	e := &r.attrs[i]
	r.enter(c, e, func(body *cursor) {
		switch {
		case !e.custom:
			e.attr = r.attrText(body)
		case e.dialect == "builtin":
			e.attr = r.builtinAttr(body)
		case e.dialect == "vhlo":
			e.attr = r.vhloAttr(body)
		case e.dialect == "sdy":
			e.attr = r.sdyAttr(body)
		default:
			body.fail("attributes of dialect %s are not known in this encoding", e.dialect)
		}
	})
	return e.attr
}

// typeEntry returns type i.
func (r *bytecodeReader) typeEntry(c *cursor, i uint64) *entry {
	if i >= uint64(len(r.types)) {
		c.fail("the index %d is behind the %d types", i, len(r.types))
	}
	e := &r.types[i]
	r.enter(c, e, func(body *cursor) {
		switch {
		case !e.custom:
			e.typ = r.typeText(body)
		case e.dialect == "builtin":
			e.typ = r.builtinType(body)
		case e.dialect == "vhlo":
			r.vhloType(body, e)
		default:
			body.fail("types of dialect %s are not known in this encoding", e.dialect)
		}
	})
	return e
}

// enter reads an entry unless that is done. An entry may stand in many others, so that a short file can describe an
// attribute that is large when written out: the total is bounded as the file is.
func (r *bytecodeReader) enter(c *cursor, e *entry, read func(*cursor)) {
	switch e.state {
	case beingRead:
		c.fail("an attribute or type holds itself")
	case notRead:
		if r.depth++; r.depth > maxDepth {
			c.fail("attributes and types are nested more than %d deep", maxDepth)
		}
		outer := r.nodes
		r.nodes = 1
		e.state = beingRead
		body := e.body
		read(&body)
		if !body.empty() {
			body.fail("%d bytes are left behind an attribute or type", body.left())
		}
		e.state = wasRead
		e.nodes, r.nodes = r.nodes, outer
		r.depth--
	}
	if r.nodes += e.nodes; r.nodes > 1<<20+16*r.size {
		c.fail("the attributes are too large when written out")
	}
}

func (r *bytecodeReader) attr(c *cursor) Attr { return r.attrAt(c, c.varint()) }
func (r *bytecodeReader) typ(c *cursor) Type  { return r.typeEntry(c, c.varint()).typ }

// optionalAttr reads an attribute that may be absent, nil then.
func (r *bytecodeReader) optionalAttr(c *cursor) Attr {
	v := c.varint()
	if v&1 == 0 {
		return nil
	}
	return r.attrAt(c, v>>1)
}

func (r *bytecodeReader) attrList(c *cursor) []Attr {
	list := make([]Attr, c.count("attributes"))
	for i := range list {
		list[i] = r.attr(c)
	}
	return list
}

func (r *bytecodeReader) typeList(c *cursor) []Type {
	list := make([]Type, c.count("types"))
	for i := range list {
		list[i] = r.typ(c)
	}
	return list
}

// stringAttr reads an attribute that is to be a string.
func (r *bytecodeReader) stringAttr(c *cursor) string {
	s, ok := r.attr(c).(String)
	if !ok {
		c.fail("a string is to stand here")
	}
	return s.Value
}

// dictionary sorts attributes by name.
func (r *bytecodeReader) dictionary(c *cursor, d Attrs) Attrs {
	sort.SliceStable(d, func(i, j int) bool { return d[i].Name < d[j].Name })
	for i := 1; i < len(d); i++ {
		if d[i].Name == d[i-1].Name {
			c.fail("the attribute %s is given twice", d[i].Name)
		}
	}
	return d
}

// attrText reads an attribute from MLIR's text.
func (r *bytecodeReader) attrText(c *cursor) (a Attr) {
	r.text(c, func(p *parser) { a = p.attr() })
	return a
}

func (r *bytecodeReader) typeText(c *cursor) (t Type) {
	r.text(c, func(p *parser) { t = p.typ() })
	return t
}

// text hands a string that ends with a zero to the parser.
func (r *bytecodeReader) text(c *cursor, read func(*parser)) {
	end := bytes.IndexByte(c.data[c.at:], 0)
	if end < 0 {
		c.fail("a text does not end")
	}
	at := *c
	p := newParser(string(c.bytes(uint64(end))), 0)
	c.at++
	defer func() {
		if e := recover(); e != nil {
			se, ok := e.(*SyntaxError)
			if !ok {
				panic(e)
			}
			at.fail("%s", se.Error())
		}
	}()
	p.reset(0)
	read(p)
	if p.tok.kind != tEOF {
		p.expected("the end of the text")
	}
}

// word returns s as the one copy of it.
func (r *bytecodeReader) word(s string) string {
	if w, ok := r.names[s]; ok {
		return w
	}
	r.names[s] = s
	return s
}

// shape reads the sizes of a tensor.
func (r *bytecodeReader) shape(c *cursor) array.Shape {
	n := c.count("sizes")
	if n > maxRank {
		c.fail("the tensor has more than %d dimensions", maxRank)
	}
	var s array.Shape
	count := 1.0
	for range n {
		switch v := c.signed(); {
		case v == math.MinInt64:
			s = append(s, Dynamic)
		case v < 0 || v > maxElements:
			c.fail("a dimension cannot have size %d", v)
		default:
			s = append(s, int(v))
			if v > 0 {
				if count *= float64(v); count > maxElements {
					c.fail("the tensor has more than 2^56 elements")
				}
			}
		}
	}
	return s
}

// tensor makes a tensor type of an element type.
func (r *bytecodeReader) tensor(c *cursor, s array.Shape, encoding Attr) Type {
	t := Tensor{Shape: s, Encoding: encoding}
	e := r.typeEntry(c, c.varint())
	if e.quant != nil {
		t.Quant, t.Elem = e.quant, e.quant.Storage
		return t
	}
	switch name := r.elemName(c, e.typ); name {
	case "index":
		t.Elem, t.ElemName = array.Int64, name
	default:
		var ok bool
		if t.Elem, ok = elementTypes[name]; !ok {
			t.Elem, t.ElemName = array.Invalid, name
		}
	}
	return t
}

// elemName is the name of a type that others are made of.
func (r *bytecodeReader) elemName(c *cursor, t Type) string {
	switch t := t.(type) {
	case Scalar:
		return t.Name
	case Opaque:
		return t.Text
	}
	c.fail("%T is no element type", t)
	return ""
}

// around makes the name of a type around an element type, such as complex<f32>.
func (r *bytecodeReader) around(c *cursor, before string) string {
	name := r.elemName(c, r.typ(c))
	if len(name) > 100 {
		c.fail("the name of an element type is too long")
	}
	return r.word(before + name + ">")
}

// dense makes a constant of its bytes: one element, or all of them. Bools may come eight to a byte.
func (r *bytecodeReader) dense(c *cursor, typ Type, blob []byte) Attr {
	t, ok := typ.(Tensor)
	if !ok || t.Elem == array.Invalid || !t.IsStatic() {
		c.fail("a constant cannot have type %s", typ)
	}
	size, width := t.Shape.Size(), t.Elem.Size()
	a := &Dense{Type: t}
	shape := t.Shape
	packed := false
	switch {
	case t.Elem == array.Bool && len(blob) == 1 && (blob[0] == 0xFF || blob[0] == 0 && size != 1):
		a.Splat, shape = true, nil
	case t.Elem == array.Bool && len(blob) == (size+7)/8 && len(blob) != size:
		packed = true
	case len(blob) == width:
		a.Splat, shape = true, nil
	case len(blob) != size*width:
		c.fail("a constant of type %s has %d bytes", t, len(blob))
	}
	a.Data = array.NewBuffer(t.Elem, shape)
	data := a.Data.Bytes()
	switch {
	case packed:
		for i := range data {
			data[i] = blob[i/8] >> (i % 8) & 1
		}
	case t.Elem == array.Bool:
		for i, b := range blob {
			if b != 0 {
				data[i] = 1
			}
		}
	default:
		copy(data, blob)
		if shift := 8 - t.Elem.Bits(); shift > 0 && t.Elem.Kind() == array.KindInt { // the sign fills the byte
			for i, b := range data {
				data[i] = byte(int8(b<<shift) >> shift)
			}
		}
	}
	return canonical(a)
}

// number reads an integer, bool or float behind its type.
func (r *bytecodeReader) number(c *cursor) Attr {
	t := r.typ(c)
	s, ok := t.(Scalar)
	if !ok {
		c.fail("a number cannot have type %s", t)
	}
	d, known := elementTypes[s.Name]
	switch {
	case s.Name == "index":
		return Int{int64(c.fixed(64)), s.Name}
	case s.Name == "i1":
		return Bool(c.fixed(1) != 0)
	case known && d.IsFloat():
		b := array.NewBuffer(d, nil)
		setBits(b.Bytes(), c.fixed(d.Bits()))
		return Float{b.Float(0), s.Name}
	case known && d.IsInteger():
		v := c.fixed(d.Bits())
		if shift := 64 - d.Bits(); d.Kind() == array.KindInt {
			return Int{int64(v<<shift) >> shift, s.Name}
		}
		return Int{int64(v), s.Name}
	case strings.HasPrefix(s.Name, "si"):
		if d, ok = elementTypes[s.Name[1:]]; ok {
			shift := 64 - d.Bits()
			return Int{int64(c.fixed(d.Bits())<<shift) >> shift, s.Name}
		}
	}
	c.fail("a number cannot have type %s", t)
	return nil
}
