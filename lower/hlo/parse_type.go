package hlo

import (
	"math/bits"
	"strconv"
	"strings"

	"github.com/pantograph-go/pantograph/array"
)

// maxElements bounds the elements of a tensor type, so that sizes in bytes do not overflow either.
const maxElements = 1 << 56

// maxRank bounds the dimensions of a tensor type.
const maxRank = 64

// typ reads a type.
func (p *parser) typ() Type {
	p.enter()
	defer p.leave()
	switch p.tok.kind {
	case '(':
		return p.functionType()
	case tBang:
		return p.dialectType()
	case tIdent:
	default:
		p.expected("a type")
	}
	switch word := p.text(); word {
	case "tensor":
		return p.tensor()
	case "tuple":
		p.next()
		p.expect('<')
		t := Tuple{p.typeList(nil, '>')}
		p.expect('>')
		return t
	case "complex", "vector", "memref":
		text := p.bracketed()
		if word == "complex" {
			return Scalar{text}
		}
		return Opaque{text}
	default:
		if !isScalar(word) {
			p.expected("a type")
		}
		p.next()
		return Scalar{p.word(word)}
	}
}

// bracketed reads the current word with the brackets <…> behind it as text.
func (p *parser) bracketed() string {
	start := p.tok.start
	p.next()
	if p.tok.kind != '<' {
		p.expected("'<'")
	}
	end := p.balanced(p.tok.start)
	p.reset(end)
	return strings.Clone(p.src[start:end])
}

// functionType reads (a, b) -> c.
func (p *parser) functionType() FuncType {
	var t FuncType
	p.expect('(')
	t.In = p.typeList(nil, ')')
	p.expect(')')
	if p.tok.kind != tArrow {
		p.expected("'->'")
	}
	p.next()
	if p.accept('(') {
		t.Out = p.typeList(nil, ')')
		p.expect(')')
	} else {
		t.Out = []Type{p.typ()}
	}
	return t
}

// isScalar reports a builtin type of one word.
func isScalar(w string) bool {
	if w == "index" || w == "none" {
		return true
	}
	if _, ok := elementTypes[w]; ok {
		return true
	}
	digits := strings.TrimLeft(w, "usi")
	if kind := w[:len(w)-len(digits)]; kind == "i" || kind == "si" || kind == "ui" {
		n, err := strconv.Atoi(digits)
		return err == nil && n > 0 && n < 1<<24
	}
	return w == "tf32" || w == "f80" || w == "f128"
}

// elementTypes are the fixed element types by StableHLO's name.
var elementTypes = func() map[string]array.DType {
	m := map[string]array.DType{}
	for d := array.Bool; d < array.Float0; d++ {
		m[d.HLO()] = d
	}
	return m
}()

// dialectType reads !name, an alias or a type of a dialect.
func (p *parser) dialectType() Type {
	name := p.text()
	next := p.tok.end
	if strings.IndexByte(name, '.') < 0 && (next >= len(p.src) || p.src[next] != '<') {
		return p.typeAlias()
	}
	switch name {
	case "!stablehlo.token":
		p.next()
		return Token{}
	case "!stablehlo.future":
		p.next()
		p.expect('<')
		t := Future{p.typeList(nil, '>')}
		p.expect('>')
		return t
	}
	start := p.tok.start
	end := p.tok.end
	if end < len(p.src) && p.src[end] == '<' {
		end = p.balanced(end)
	}
	p.reset(end)
	return Opaque{strings.Clone(p.src[start:end])}
}

// tensor reads tensor<…>. The same text gives the same type again without reading it.
func (p *parser) tensor() Type {
	start, open := p.tok.start, p.tok.end
	if open >= len(p.src) || p.src[open] != '<' {
		p.next()
		p.expected("'<'")
	}
	end := p.balanced(open)
	text := p.src[start:end]
	if t, ok := p.types[text]; ok {
		p.reset(end)
		return t
	}
	t := p.tensorBody(open + 1)
	if p.tok.kind != '>' || p.tok.end != end {
		p.expected("'>'")
	}
	p.next()
	p.types[text] = t
	return t
}

// tensorBody reads 2x?xf32, encoding and stands at the closing bracket then.
func (p *parser) tensorBody(i int) Type {
	var t Tensor
	if strings.HasPrefix(p.src[i:], "*x") {
		end := p.balanced(i - 1)
		text := strings.Clone("tensor" + p.src[i-1:end])
		p.reset(end - 1)
		return Opaque{text}
	}
	count := uint64(1)
	for {
		j := p.run(i, spaceClass)
		k := p.run(j, digitClass)
		size := Dynamic
		switch {
		case k > j:
			n, err := strconv.ParseInt(p.src[j:k], 10, 64)
			if err != nil || n > maxElements {
				p.fail(j, "the size %s is too large", p.src[j:k])
			}
			size = int(n)
		case j < len(p.src) && p.src[j] == '?':
			k = j + 1
		default:
			p.reset(j)
		}
		if k == j {
			break
		}
		if k >= len(p.src) || p.src[k] != 'x' {
			p.fail(k, "expected 'x' behind a size")
		}
		if size > 0 {
			hi, lo := bits.Mul64(count, uint64(size))
			if count = lo; hi != 0 || lo > maxElements {
				p.fail(j, "the tensor has more than 2^56 elements")
			}
		}
		if len(t.Shape) >= maxRank {
			p.fail(j, "the tensor has more than %d dimensions", maxRank)
		}
		t.Shape = append(t.Shape, size)
		i = k + 1
	}
	p.elementType(&t)
	if p.accept(',') {
		t.Encoding = p.attr()
	}
	return t
}

// elementType reads the type behind the sizes.
func (p *parser) elementType(t *Tensor) {
	if p.tok.kind == tBang && p.is("!quant.uniform") {
		pos := p.tok.start
		if t.Quant = p.quantized(); t.Quant != nil {
			t.Elem = t.Quant.Storage
			return
		}
		p.reset(pos)
	}
	if p.tok.kind == tIdent {
		if d, ok := elementTypes[p.text()]; ok {
			t.Elem = d
			p.next()
			return
		}
	}
	e := p.typ()
	switch name := e.String(); {
	case name == "index":
		t.Elem, t.ElemName = array.Int64, name
	default:
		if d, ok := elementTypes[name]; ok {
			t.Elem = d
			return
		}
		t.ElemName = name
	}
}

// quantized reads !quant.uniform<i8<-128:127>:f32:0, {0.1:2, 0.3}>; nil where the type is of another form.
func (p *parser) quantized() *Quantized {
	q := &Quantized{Axis: -1}
	p.next()
	p.expect('<')
	storage := p.text()
	if strings.HasPrefix(storage, "u") && !strings.HasPrefix(storage, "ui") {
		storage = "ui" + storage[1:]
	}
	var ok bool
	if q.Storage, ok = elementTypes[storage]; !ok || !q.Storage.IsInteger() {
		return nil
	}
	p.next()
	q.Min, q.Max = storageRange(q.Storage)
	if p.accept('<') {
		pos := p.tok.start
		lo := p.integer()
		p.expect(':')
		hi := p.integer()
		p.expect('>')
		if lo < q.Min || hi > q.Max || lo > hi {
			p.fail(pos, "the range %d:%d does not fit %s", lo, hi, storage)
		}
		q.HasRange = lo != q.Min || hi != q.Max
		q.Min, q.Max = lo, hi
	}
	p.expect(':')
	if q.Expressed, ok = elementTypes[p.text()]; !ok || !q.Expressed.IsFloat() {
		return nil
	}
	p.next()
	if p.accept(':') {
		if p.tok.kind != tInt {
			return nil // scales of blocks
		}
		pos := p.tok.start
		axis := p.integer()
		if axis > maxRank {
			p.fail(pos, "the quantized axis %d is out of range", axis)
		}
		q.Axis = int(axis)
	}
	p.expect(',')
	if q.Axis < 0 {
		p.scale(q)
	} else {
		p.expect('{')
		for p.tok.kind != '}' {
			p.scale(q)
			if !p.accept(',') {
				break
			}
		}
		p.expect('}')
	}
	p.expect('>')
	return q
}

// scale reads 0.1:2.
func (p *parser) scale(q *Quantized) {
	q.Scales = append(q.Scales, p.float())
	zero := int64(0)
	if p.accept(':') {
		zero = p.integer()
	}
	q.ZeroPoints = append(q.ZeroPoints, zero)
}
