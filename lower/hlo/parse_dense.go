package hlo

import (
	"strconv"
	"strings"

	"github.com/pantograph-go/pantograph/array"
)

// dense reads dense<…> : type. The type stands behind the literal, so the literal is skipped first and read when the
// type is known; a buffer is made only after the literal's length has shown that it can hold that many elements.
func (p *parser) dense() Attr {
	start := p.tok.start
	p.next()
	if p.tok.kind != '<' {
		p.expected("'<'")
	}
	from := p.tok.end
	to := p.denseEnd(from)
	p.reset(to)
	p.expect('>')
	p.expect(':')
	typ := p.typ()
	end := p.tok.start
	t, ok := typ.(Tensor)
	if !ok || t.Elem == array.Invalid && !strings.HasPrefix(t.ElemName, "!") {
		return Raw{strings.TrimSpace(strings.Clone(p.src[start:end]))}
	}
	if !t.IsStatic() {
		p.fail(from, "a constant has a static shape, not %s", t)
	}
	l := literalParser{lexer: lexer{src: p.src[:to]}, t: t}
	l.reset(from)
	if t.Elem == array.Invalid {
		return l.strings()
	}
	return l.dense()
}

// denseEnd finds the bracket that closes the literal; only a string may hold one too.
func (p *parser) denseEnd(i int) int {
	for ; i < len(p.src); i++ {
		switch p.src[i] {
		case '"':
			i = p.stringEnd(i) - 1
		case '>':
			return i
		}
	}
	p.expected("'>' to close dense<")
	return 0
}

// literalParser reads the elements of a dense literal; its text ends with the literal.
type literalParser struct {
	lexer
	t   Tensor
	buf *array.Buffer
	n   int // elements read
}

func (l *literalParser) dense() Attr {
	a := &Dense{Type: l.t}
	size := l.t.Shape.Size()
	switch {
	case l.tok.kind == tEOF:
		if size != 0 {
			l.fail(l.tok.start, "%s has %d elements, none are given", l.t, size)
		}
		a.Data = array.NewBuffer(l.t.Elem, l.t.Shape)
		return a
	case l.tok.kind == tString:
		return l.blob(a, size)
	case l.tok.kind != '[':
		l.buf = array.NewBuffer(l.t.Elem, nil)
		l.element()
		a.Splat = true
	default:
		if room := len(l.src) - l.tok.start; size > room {
			l.fail(l.tok.start, "%s has %d elements, more than are given", l.t, size)
		}
		l.buf = array.NewBuffer(l.t.Elem, l.t.Shape)
		l.list(l.t.Shape, l.element)
	}
	if l.tok.kind != tEOF {
		l.expected("the end of the constant")
	}
	a.Data = l.buf
	return canonical(a)
}

// canonical makes a splat of a constant whose elements are all alike, as MLIR does.
func canonical(a *Dense) *Dense {
	if !a.Splat && isSplat(a.Data) {
		first := array.NewBuffer(a.Type.Elem, nil)
		copy(first.Bytes(), a.Data.Bytes())
		a.Data, a.Splat = first, true
	}
	return a
}

// list reads lists nested as the shape says.
func (l *literalParser) list(s array.Shape, element func()) {
	if len(s) == 0 {
		element()
		return
	}
	pos := l.tok.start
	l.expect('[')
	count := 0
	for l.tok.kind != ']' {
		if count == s[0] {
			l.expected("']': the list is to have " + strconv.Itoa(s[0]) + " elements by its type")
		}
		l.list(s[1:], element)
		count++
		if !l.accept(',') {
			break
		}
	}
	if count != s[0] {
		l.fail(pos, "the list has %d elements, %s wants %d here", count, l.t, s[0])
	}
	l.expect(']')
}

// element reads one element into the buffer.
func (l *literalParser) element() {
	d := l.t.Elem
	i := l.n
	l.n++
	if !d.IsComplex() {
		l.real(l.buf, i)
		return
	}
	part := array.NewBuffer(d.Real(), array.Shape{2})
	if l.tok.kind == '(' {
		l.next()
		l.real(part, 0)
		l.expect(',')
		l.real(part, 1)
		l.expect(')')
	} else {
		l.expected("a complex number (re, im)")
	}
	copy(l.buf.Bytes()[i*d.Size():], part.Bytes())
}

// real reads a number or bool.
func (l *literalParser) real(b *array.Buffer, i int) {
	d := b.DType()
	pos := l.tok.start
	if l.tok.kind == tIdent {
		if d != array.Bool || !l.is("true") && !l.is("false") {
			l.expected("an element of type " + l.t.ElemString())
		}
		if l.is("true") {
			b.Bytes()[i] = 1
		}
		l.next()
		return
	}
	negative := l.accept('-')
	if l.tok.kind != tInt && l.tok.kind != tFloat {
		l.expected("an element of type " + l.t.ElemString())
	}
	text := l.text()
	ok := false
	switch {
	case d.IsFloat():
		ok = (l.tok.kind == tFloat || strings.HasPrefix(text, "0x")) && setFloat(b, i, text, negative)
	case l.tok.kind == tInt:
		var v int64
		if v, ok = parseInt(text, negative, d.HLO()); d == array.Bool && v != 0 {
			v = 1
		}
		setBits(b.Bytes()[i*d.Size():(i+1)*d.Size()], uint64(v))
	}
	if !ok {
		l.fail(pos, "%s is no element of type %s", l.src[pos:l.tok.end], d.HLO())
	}
	l.next()
}

// blob reads "0x…", the bytes of all elements or of the one that fills the constant. Bools may come eight to a byte, as
// older writers have them.
func (l *literalParser) blob(a *Dense, size int) Attr {
	pos := l.tok.start
	text := l.text()
	if len(text) < 4 || text[1:3] != "0x" || len(text)%2 != 0 {
		l.fail(pos, "expected \"0x…\" with two digits a byte")
	}
	text = text[3 : len(text)-1]
	d := a.Type.Elem
	n := len(text) / 2
	shape := a.Type.Shape
	packed := false
	switch {
	case d == array.Bool && n == (size+7)/8 && n != size:
		packed = true
	case size < 1<<40 && n == size*d.Size():
	case n == d.Size():
		a.Splat, shape = true, nil
	default:
		l.fail(pos, "the blob has %d bytes, %s wants %d", n, a.Type, size*d.Size())
	}
	a.Data = array.NewBuffer(d, shape)
	data := a.Data.Bytes()
	for i := range n {
		hi, lo := text[2*i], text[2*i+1]
		if class[hi]&hexClass == 0 || class[lo]&hexClass == 0 {
			l.fail(pos+3+2*i, "expected hexadecimal digits")
		}
		v := hexValue(hi)<<4 | hexValue(lo)
		switch {
		case packed:
			for k := 8 * i; k < min(8*i+8, size); k++ {
				data[k] = v >> (k % 8) & 1
			}
		case d == array.Bool && v != 0:
			data[i] = 1
		default:
			data[i] = v
		}
	}
	l.next()
	if l.tok.kind != tEOF {
		l.expected("the end of the constant")
	}
	return canonical(a)
}

// strings reads a constant of strings.
func (l *literalParser) strings() Attr {
	a := DenseStrings{Type: l.t}
	one := func() {
		pos := l.tok.start
		a.Values = append(a.Values, l.unquote(pos, l.take(tString, "a string")))
	}
	if l.tok.kind == '[' {
		l.list(l.t.Shape, one)
	} else if l.tok.kind != tEOF {
		one()
	}
	if l.tok.kind != tEOF {
		l.expected("the end of the constant")
	}
	return a
}
