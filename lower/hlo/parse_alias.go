package hlo

import "strings"

// alias is #name or !name with the place of its definition. Definitions may stand before or behind their uses, so the
// first use looks through the text for all of them, and each is read when it is asked for.
type alias struct {
	pos   int // behind the =
	state aliasState
	attr  Attr
	typ   Type
}

type aliasState uint8

const (
	unread aliasState = iota
	reading
	read
)

// aliasDefinition passes over #name = … or !name = … at the top level, reading it if no use has.
func (p *parser) aliasDefinition() {
	name, pos := p.word(p.text()), p.tok.start
	p.next()
	if p.tok.kind != '=' {
		p.expected("'=' behind the name of an alias")
	}
	p.findAliases()
	a := p.aliases[name]
	if a == nil {
		a = &alias{pos: p.tok.end}
		p.aliases[name] = a
	}
	if a.pos != p.tok.end {
		p.fail(pos, "%s is defined twice", name)
	}
	p.next()
	if name[0] == '#' {
		a.attr = p.attr()
	} else {
		a.typ = p.typ()
	}
	a.state = read
}

// findAliases notes where the lines that define aliases are.
func (p *parser) findAliases() {
	if p.aliases != nil {
		return
	}
	p.aliases = map[string]*alias{}
	for i := p.first; i < len(p.src); {
		if c := p.src[i]; (c == '#' || c == '!') && i+1 < len(p.src) {
			end := p.run(i+1, nameClass)
			eq := p.run(end, spaceClass)
			if end > i+1 && eq < len(p.src) && p.src[eq] == '=' {
				if name := p.word(p.src[i:end]); p.aliases[name] == nil {
					p.aliases[name] = &alias{pos: eq + 1}
				}
			}
		}
		n := strings.IndexByte(p.src[i:], '\n')
		if n < 0 {
			break
		}
		i += n + 1
	}
}

// use returns the alias that the current token names, read, and goes past the token.
func (p *parser) use() *alias {
	name, pos := p.text(), p.tok.start
	p.findAliases()
	a := p.aliases[name]
	switch {
	case a == nil:
		p.fail(pos, "%s is not defined", name)
	case a.state == reading:
		p.fail(pos, "%s is defined by itself", name)
	case a.state == unread:
		a.state = reading
		after := p.tok.end
		p.reset(a.pos)
		if name[0] == '#' {
			a.attr = p.attr()
		} else {
			a.typ = p.typ()
		}
		a.state = read
		p.tok.end = after
	}
	p.next()
	return a
}

func (p *parser) attrAlias() Attr { return p.use().attr }

func (p *parser) typeAlias() Type { return p.use().typ }

// optionalLoc reads loc(…) where there is one.
func (p *parser) optionalLoc() Loc {
	if p.tok.kind != tIdent || !p.is("loc") {
		return Loc{}
	}
	p.next()
	p.expect('(')
	l := p.loc()
	p.expect(')')
	return l
}

// loc reads a location. Of a call chain and of a fusion only the innermost place that is known is kept.
func (p *parser) loc() Loc {
	p.enter()
	defer p.leave()
	switch {
	case p.tok.kind == tHash:
		pos := p.tok.start
		l, ok := p.attrAlias().(LocAttr)
		if !ok {
			p.fail(pos, "the alias is no location")
		}
		return l.Loc
	case p.tok.kind == tString:
		return p.namedLoc()
	case p.acceptWord("unknown"):
		return Loc{}
	case p.acceptWord("callsite"):
		p.expect('(')
		l := p.loc()
		p.expectWord("at")
		l = l.within(p.loc())
		p.expect(')')
		return l
	case p.acceptWord("fused"):
		if p.tok.kind == '<' {
			p.reset(p.balanced(p.tok.start))
		}
		var l Loc
		p.expect('[')
		for p.tok.kind != ']' {
			l = l.within(p.loc())
			if !p.accept(',') {
				break
			}
		}
		p.expect(']')
		return l
	}
	p.expected("a location")
	return Loc{}
}

// namedLoc reads "file":1:2, "file":1:2 to 3:4, "name" or "name"(location).
func (p *parser) namedLoc() Loc {
	s := p.text()
	if strings.IndexByte(s, '\\') >= 0 {
		s = p.unquote(p.tok.start, s)
	} else {
		s = p.word(s[1 : len(s)-1])
	}
	p.next()
	if p.accept(':') {
		l := Loc{File: s, Line: p.smallInt()}
		if p.accept(':') {
			l.Col = p.smallInt()
		}
		if p.acceptWord("to") {
			if p.tok.kind == tInt {
				p.smallInt()
			}
			p.expect(':')
			p.smallInt()
		}
		return l
	}
	l := Loc{Name: s}
	if p.accept('(') {
		l = l.within(p.loc())
		p.expect(')')
	}
	return l
}

// within fills what l lacks from an outer location.
func (l Loc) within(outer Loc) Loc {
	if l.Name == "" {
		l.Name = outer.Name
	}
	if l.File == "" {
		l.File, l.Line, l.Col = outer.File, outer.Line, outer.Col
	}
	return l
}

// metadata reads the section {-# … #-}, of which the blobs of dense_resource are kept.
func (p *parser) metadata(m *Module) {
	p.next()
	for p.tok.kind != tMetaEnd {
		section := p.take(tIdent, "the name of a section")
		p.expect(':')
		if section == "dialect_resources" {
			p.dialectResources(m)
		} else {
			p.skipSection()
		}
		if !p.accept(',') {
			break
		}
	}
	if p.tok.kind != tMetaEnd {
		p.expected("'#-}'")
	}
	p.next()
}

// skipSection passes over { … }.
func (p *parser) skipSection() {
	if p.tok.kind != '{' {
		p.expected("'{'")
	}
	p.reset(p.balanced(p.tok.start))
}

func (p *parser) dialectResources(m *Module) {
	p.expect('{')
	for p.tok.kind != '}' {
		dialect := p.take(tIdent, "the name of a dialect")
		p.expect(':')
		if dialect == "builtin" {
			p.expect('{')
			for p.tok.kind != '}' {
				m.Resources = append(m.Resources, p.resource())
				if !p.accept(',') {
					break
				}
			}
			p.expect('}')
		} else {
			p.skipSection()
		}
		if !p.accept(',') {
			break
		}
	}
	p.expect('}')
}

// resource reads key: "0x…", four bytes of alignment and the data.
func (p *parser) resource() Resource {
	var r Resource
	if p.tok.kind == tString {
		r.Key = p.unquote(p.tok.start, p.text())
	} else if p.tok.kind == tIdent || p.tok.kind == tInt {
		r.Key = p.word(p.text())
	} else {
		p.expected("the key of a resource")
	}
	p.next()
	p.expect(':')
	pos := p.tok.start
	text := p.take(tString, "a blob \"0x…\"")
	if len(text) < 4+8 || text[1:3] != "0x" || len(text)%2 != 0 {
		p.fail(pos, "expected \"0x…\" with two digits a byte and at least four bytes")
	}
	text = text[3 : len(text)-1]
	raw := make([]byte, len(text)/2)
	for i := range raw {
		hi, lo := text[2*i], text[2*i+1]
		if class[hi]&hexClass == 0 || class[lo]&hexClass == 0 {
			p.fail(pos+3+2*i, "expected hexadecimal digits")
		}
		raw[i] = hexValue(hi)<<4 | hexValue(lo)
	}
	r.Align = int(raw[0]) | int(raw[1])<<8 | int(raw[2])<<16 | int(raw[3])<<24
	r.Data = raw[4:]
	return r
}
