package hlo

import (
	"math"
	"sort"
	"strconv"
	"strings"

	"github.com/pantograph-go/pantograph/array"
)

// attr reads an attribute in its generic spelling.
func (p *parser) attr() Attr {
	p.enter()
	defer p.leave()
	switch p.tok.kind {
	case tString:
		s := String{p.unquote(p.tok.start, p.text())}
		p.next()
		if p.accept(':') {
			p.typ()
		}
		return s
	case tInt, tFloat, '-':
		return p.number()
	case '[':
		p.next()
		list := Array{}
		for p.tok.kind != ']' {
			list = append(list, p.attr())
			if !p.accept(',') {
				break
			}
		}
		p.expect(']')
		return list
	case '{':
		return Dict(p.dict())
	case tSymbol:
		s := Symbol{[]string{p.symbolName()}}
		for p.accept(tColons) {
			s.Path = append(s.Path, p.symbolName())
		}
		return s
	case tHash:
		return p.hashAttr()
	case tIdent:
		return p.wordAttr()
	case tBang, '(':
		return TypeAttr{p.typ()}
	}
	p.expected("an attribute")
	return nil
}

// wordAttr reads an attribute that begins with a word.
func (p *parser) wordAttr() Attr {
	switch p.text() {
	case "true", "false":
		v := Bool(p.is("true"))
		p.next()
		return v
	case "unit":
		p.next()
		return Unit{}
	case "dense":
		return p.dense()
	case "dense_resource":
		p.next()
		p.expect('<')
		r := DenseResource{}
		if p.tok.kind == tString {
			r.Key = p.unquote(p.tok.start, p.text())
		} else {
			r.Key = p.word(p.text())
		}
		p.next()
		p.expect('>')
		p.expect(':')
		pos := p.tok.start
		t, ok := p.typ().(Tensor)
		if !ok {
			p.fail(pos, "expected a tensor type")
		}
		r.Type = t
		return r
	case "array":
		return p.denseArray()
	case "loc":
		return LocAttr{p.optionalLoc()}
	case "affine_map", "affine_set", "strided", "sparse", "opaque", "distinct":
		start := p.tok.start
		end := p.tok.end
		if p.is("distinct") {
			p.next()
			p.tok.end = p.balanced(p.tok.start)
			end = p.tok.end
		}
		if end < len(p.src) && p.src[end] == '<' {
			end = p.balanced(end)
		}
		p.reset(end)
		return Raw{strings.Clone(p.src[start:end])}
	}
	return TypeAttr{p.typ()}
}

// number reads 3 : i32, -1.5 : f32, 0x7F800000 : f32.
func (p *parser) number() Attr {
	pos := p.tok.start
	negative := p.accept('-')
	kind, text := p.tok.kind, p.text()
	if kind != tInt && kind != tFloat {
		p.expected("a number")
	}
	p.next()
	typ := ""
	if p.accept(':') {
		at := p.tok.start
		t, ok := p.typ().(Scalar)
		if !ok {
			p.fail(at, "expected the type of a number")
		}
		typ = t.Name
	}
	d, known := elementTypes[typ]
	switch {
	case kind == tFloat || known && d.IsFloat():
		if typ == "" {
			typ, d = "f64", array.Float64
		}
		if !known && typ != "f64" || !d.IsFloat() {
			p.fail(pos, "a number with a point cannot have type %s", typ)
		}
		buf := array.NewBuffer(d, nil)
		if !setFloat(buf, 0, text, negative) {
			p.fail(pos, "%s is no number of type %s", text, typ)
		}
		return Float{buf.Float(0), typ}
	case typ == "":
		typ = "i64"
	}
	v, ok := parseInt(text, negative, typ)
	if !ok {
		p.fail(pos, "%s does not fit %s", p.src[pos:pos+len(text)], typ)
	}
	if typ == "i1" {
		return Bool(v != 0)
	}
	return Int{v, typ}
}

// parseInt reads an integer of a type; wide unsigned values become their two's complement, and a signless type takes the
// signed and the unsigned range.
func parseInt(text string, negative bool, typ string) (int64, bool) {
	base := 10
	if strings.HasPrefix(text, "0x") {
		text, base = text[2:], 16
	}
	u, err := strconv.ParseUint(text, base, 64)
	if err != nil {
		return 0, false
	}
	width, unsigned, signed := 64, strings.HasPrefix(typ, "ui"), strings.HasPrefix(typ, "si") || typ == "index"
	if typ != "index" {
		if width, err = strconv.Atoi(strings.TrimLeft(typ, "usi")); err != nil {
			return 0, false
		}
	}
	width = min(width, 64)
	if negative {
		if unsigned && u != 0 || u > 1<<(width-1) {
			return 0, false
		}
		return -int64(u), true
	}
	switch {
	case width < 64 && u >= 1<<width, signed && u >= 1<<(width-1):
		return 0, false
	case unsigned:
		return int64(u), true
	}
	shift := 64 - width
	return int64(u<<shift) >> shift, true
}

// integer reads an optional minus and an integer of 64 bits.
func (p *parser) integer() int64 {
	pos := p.tok.start
	negative := p.accept('-')
	if p.tok.kind != tInt {
		p.expected("an integer")
	}
	text := p.text()
	v, ok := parseInt(text, negative, "si64")
	if !ok {
		p.fail(pos, "%s does not fit 64 bits", text)
	}
	p.next()
	return v
}

// float reads an optional minus and a number.
func (p *parser) float() float64 {
	pos := p.tok.start
	negative := p.accept('-')
	if p.tok.kind != tInt && p.tok.kind != tFloat {
		p.expected("a number")
	}
	buf := array.NewBuffer(array.Float64, nil)
	if text := p.text(); !strings.HasPrefix(text, "0x") && p.tok.kind == tInt {
		v, err := strconv.ParseFloat(text, 64)
		if err != nil {
			p.fail(pos, "%s is no number", text)
		}
		if negative {
			v = -v
		}
		p.next()
		return v
	} else if !setFloat(buf, 0, text, negative) {
		p.fail(pos, "%s is no number", text)
	}
	p.next()
	return buf.Float(0)
}

// ints reads [0, 1, ?].
func (p *parser) ints() []int {
	list := []int{}
	p.expect('[')
	for p.tok.kind != ']' {
		if p.accept('?') {
			list = append(list, Dynamic)
		} else {
			list = append(list, int(p.integer()))
		}
		if !p.accept(',') {
			break
		}
	}
	p.expect(']')
	return list
}

// dict reads {a = 1, b}, sorted by name.
func (p *parser) dict() Attrs {
	p.expect('{')
	d := Attrs{}
	for p.tok.kind != '}' {
		pos := p.tok.start
		var n NamedAttr
		switch p.tok.kind {
		case tString:
			n.Name = p.unquote(pos, p.text())
		case tIdent:
			n.Name = p.word(p.text())
		default:
			p.expected("the name of an attribute")
		}
		p.next()
		if p.accept('=') {
			n.Value = p.attr()
		} else {
			n.Value = Unit{}
		}
		d = append(d, n)
		if !p.accept(',') {
			break
		}
	}
	p.expect('}')
	return p.sorted(d)
}

func (p *parser) sorted(d Attrs) Attrs {
	if !sort.SliceIsSorted(d, func(i, j int) bool { return d[i].Name < d[j].Name }) {
		sort.SliceStable(d, func(i, j int) bool { return d[i].Name < d[j].Name })
	}
	for i := 1; i < len(d); i++ {
		if d[i].Name == d[i-1].Name {
			p.fail(p.tok.start, "the attribute %s is given twice", d[i].Name)
		}
	}
	return d
}

// merge joins two dictionaries.
func (p *parser) merge(a, b Attrs) Attrs {
	if len(a) == 0 {
		return b
	}
	if len(b) == 0 {
		return a
	}
	return p.sorted(append(append(make(Attrs, 0, len(a)+len(b)), a...), b...))
}

// optionalDict reads a dictionary where there is one.
func (p *parser) optionalDict() Attrs {
	if p.tok.kind != '{' {
		return nil
	}
	return p.dict()
}

// properties reads <{…}> where there is one.
func (p *parser) properties() Attrs {
	if p.tok.kind != '<' {
		return nil
	}
	p.next()
	d := p.dict()
	p.expect('>')
	return d
}

// denseArray reads array<i64: 1, 2>.
func (p *parser) denseArray() Attr {
	start := p.tok.start
	p.next()
	p.expect('<')
	d, ok := elementTypes[p.text()]
	if !ok {
		p.reset(start)
		return Raw{p.bracketed()}
	}
	if d.IsComplex() {
		p.expected("an integer or float type")
	}
	p.next()
	a := DenseArray{Elem: d, Ints: []int64{}}
	if d.IsFloat() {
		a.Ints, a.Floats = nil, []float64{}
	}
	if p.accept(':') {
		for {
			p.arrayElement(&a, d)
			if !p.accept(',') {
				break
			}
		}
	}
	p.expect('>')
	return a
}

func (p *parser) arrayElement(a *DenseArray, d array.DType) {
	pos := p.tok.start
	if p.is("true") || p.is("false") {
		v := int64(0)
		if p.is("true") {
			v = 1
		}
		if d != array.Bool {
			p.expected("a number")
		}
		a.Ints = append(a.Ints, v)
		p.next()
		return
	}
	negative := p.accept('-')
	if p.tok.kind != tInt && p.tok.kind != tFloat {
		p.expected("a number")
	}
	text := p.text()
	if d.IsFloat() {
		buf := array.NewBuffer(d, nil)
		if !setFloat(buf, 0, text, negative) {
			p.fail(pos, "%s is no number of type %s", text, d.HLO())
		}
		a.Floats = append(a.Floats, buf.Float(0))
	} else {
		v, ok := parseInt(text, negative, d.HLO())
		if !ok {
			p.fail(pos, "%s does not fit %s", text, d.HLO())
		}
		if d == array.Bool && v != 0 {
			v = 1
		}
		a.Ints = append(a.Ints, v)
	}
	p.next()
}

// setFloat stores a number with a point, or an integer in hex that gives the bits.
func setFloat(b *array.Buffer, i int, text string, negative bool) bool {
	d := b.DType()
	if strings.HasPrefix(text, "0x") {
		u, err := strconv.ParseUint(text[2:], 16, 64)
		if err != nil || negative || d.Bits() < 64 && u>>d.Bits() != 0 {
			return false
		}
		setBits(b.Bytes()[i*d.Size():(i+1)*d.Size()], u)
		return true
	}
	v, err := strconv.ParseFloat(text, 64)
	if err != nil && !math.IsInf(v, 0) {
		return false
	}
	if negative {
		v = -v
	}
	b.SetFloat(i, v)
	return true
}

func setBits(b []byte, u uint64) {
	for i := range b {
		b[i] = byte(u)
		u >>= 8
	}
}
