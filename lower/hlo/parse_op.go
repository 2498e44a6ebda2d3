package hlo

import (
	"strconv"
	"strings"
)

// argument is the name and type of a block argument.
type argument struct {
	name string // %name
	typ  Type
	pos  int
}

// opParser is the state of one operation while its text is read: operands are names until their types are known.
type opParser struct {
	*parser
	op   *Op
	form *opForm
	refs []operandRef
	in   []Type
	out  []Type
	loc  Loc
}

type operandRef struct {
	name string // %name or %name#2
	pos  int
}

// resultName is %name:2 on the left of an operation.
type resultName struct {
	name  string
	count int
	pos   int
}

// op reads one operation with its results and location.
func (p *parser) op() *Op {
	p.enter()
	defer p.leave()
	var few [2]resultName
	names := few[:0]
	if p.tok.kind == tValue {
		names = p.resultNames(names)
	}
	pos := p.tok.start
	s := p.opParser()
	switch p.tok.kind {
	case tString:
		s.op.Name = p.word(p.unquote(pos, p.text()))
		if s.op.Name == "" {
			p.fail(pos, "an operation has a name")
		}
		p.next()
		s.generic()
	case tIdent:
		name := p.text()
		if !strings.Contains(name, ".") {
			name = "func." + name
		}
		if s.form = p.forms[name]; s.form == nil || s.form.pieces == nil {
			if p.forms[name] == nil && strings.HasPrefix(name, "stablehlo.") {
				p.fail(pos, "%s is no operation of StableHLO", name)
			}
			p.fail(pos, "%s has no pretty form that is known here: write it in the generic form, \"%s\"(…)", name, name)
		}
		s.op.Name = s.form.name
		p.next()
		for _, piece := range s.form.pieces {
			piece.parse(s)
		}
	default:
		p.expected("an operation")
	}
	s.resolve(pos)
	op := s.op
	op.Loc = p.optionalLoc()
	if op.Loc == (Loc{}) {
		op.Loc = s.loc
	}
	p.results(op, s.out, names, pos)
	p.pool = append(p.pool, s)
	return op
}

// opParser returns an empty state, with the lists of an earlier operation to fill again.
func (p *parser) opParser() *opParser {
	if len(p.ops) == 0 {
		p.ops = make([]Op, 64)
	}
	op := &p.ops[0]
	p.ops = p.ops[1:]
	if n := len(p.pool); n > 0 {
		s := p.pool[n-1]
		p.pool = p.pool[:n-1]
		*s = opParser{parser: p, op: op, refs: s.refs[:0], in: s.in[:0], out: s.out[:0]}
		return s
	}
	return &opParser{parser: p, op: op}
}

// resultNames reads %a, %b:2 =.
func (p *parser) resultNames(names []resultName) []resultName {
	for {
		n := resultName{pos: p.tok.start, count: 1}
		n.name = p.take(tValue, "a result's %name")
		if p.accept(':') {
			pos := p.tok.start
			count, err := strconv.Atoi(p.take(tInt, "the number of results"))
			if err != nil || count < 1 || count > len(p.src) {
				p.fail(pos, "expected a number of results of at least 1")
			}
			n.count = count
		}
		names = append(names, n)
		if !p.accept(',') {
			break
		}
	}
	p.expect('=')
	return names
}

// results makes the values of an operation and brings their names into scope.
func (p *parser) results(op *Op, types []Type, names []resultName, pos int) {
	if len(types) > 0 {
		op.Results = make([]*Value, len(types))
		for i, t := range types {
			op.Results[i] = p.value(Value{Type: t, Def: op, Num: i})
		}
	}
	if len(names) == 0 {
		return
	}
	at := 0
	for _, n := range names {
		if at+n.count > len(op.Results) {
			p.fail(n.pos, "%s has %d results, more are named here", op.Name, len(op.Results))
		}
		p.define(n.name, n.pos, op.Results[at:at+n.count:at+n.count])
		at += n.count
	}
	if at < len(op.Results) {
		p.fail(pos, "%s has %d results, %d are named", op.Name, len(op.Results), at)
	}
}

// value puts a value beside others, for a module has many.
func (p *parser) value(v Value) *Value {
	if len(p.slab) == 0 {
		p.slab = make([]Value, 128)
	}
	p.slab[0] = v
	out := &p.slab[0]
	p.slab = p.slab[1:]
	return out
}

func (p *parser) define(name string, pos int, vs []*Value) {
	if strings.IndexByte(name, '#') >= 0 {
		p.fail(pos, "a name being defined has no #")
	}
	if p.values[name] != nil {
		p.fail(pos, "%s is defined twice", name)
	}
	p.values[name] = vs
	p.defined = append(p.defined, name)
}

func (p *parser) openScope() int { return len(p.defined) }

func (p *parser) closeScope(mark int) {
	for _, name := range p.defined[mark:] {
		delete(p.values, name)
	}
	p.defined = p.defined[:mark]
}

// operand reads %name.
func (s *opParser) operand() {
	r := operandRef{pos: s.tok.start}
	r.name = s.take(tValue, "an operand")
	s.refs = append(s.refs, r)
}

// operands reads a list that may be empty.
func (s *opParser) operands() {
	if s.tok.kind != tValue {
		return
	}
	s.operand()
	for s.accept(',') {
		s.operand()
	}
}

// resolve finds the values of the operands and checks their types.
func (s *opParser) resolve(pos int) {
	if len(s.refs) != len(s.in) {
		s.fail(pos, "%s has %d operands, but types for %d", s.op.Name, len(s.refs), len(s.in))
	}
	if len(s.refs) == 0 {
		return
	}
	s.op.Operands = make([]*Value, len(s.refs))
	for i, r := range s.refs {
		v := s.lookup(r)
		if !EqualType(v.Type, s.in[i]) {
			s.fail(r.pos, "%s is %s, but %s takes it as %s", r.name, v.Type, s.op.Name, s.in[i])
		}
		s.op.Operands[i] = v
	}
}

func (p *parser) lookup(r operandRef) *Value {
	name, num := r.name, 0
	hash := strings.IndexByte(name, '#')
	if hash >= 0 {
		n, err := strconv.Atoi(name[hash+1:])
		if err != nil {
			p.fail(r.pos, "expected a small number behind #")
		}
		name, num = name[:hash], n
	}
	vs := p.values[name]
	switch {
	case vs == nil:
		p.fail(r.pos, "%s is not defined here", name)
	case hash < 0 && len(vs) > 1:
		p.fail(r.pos, "%s stands for %d results: say which, as in %s#0", name, len(vs), name)
	case num >= len(vs):
		p.fail(r.pos, "%s has %d results, there is no #%d", name, len(vs), num)
	}
	return vs[num]
}

// generic reads what follows the quoted name.
func (s *opParser) generic() {
	s.expect('(')
	s.operands()
	s.expect(')')
	if s.tok.kind == '[' {
		s.fail(s.tok.start, "branches to other blocks are not supported")
	}
	attrs := s.properties()
	if s.accept('(') {
		for {
			s.op.Regions = append(s.op.Regions, s.region(nil))
			if !s.accept(',') {
				break
			}
		}
		s.expect(')')
	}
	s.op.Attrs = s.merge(attrs, s.optionalDict())
	if s.tok.kind != ':' {
		s.expected("':' and the types of the operation")
	}
	s.next()
	s.functional()
}

// functional reads (a, b) -> c as the types of operands and results.
func (s *opParser) functional() {
	s.expect('(')
	s.in = s.typeList(s.in, ')')
	s.expect(')')
	if s.tok.kind != tArrow {
		s.expected("'->'")
	}
	s.next()
	if !s.accept('(') {
		s.out = append(s.out, s.typ())
		return
	}
	s.out = s.typeList(s.out, ')')
	s.expect(')')
}

// typeList reads types with commas between up to the closing token.
func (p *parser) typeList(list []Type, end byte) []Type {
	if p.tok.kind == end {
		return list
	}
	list = append(list, p.typ())
	for p.accept(',') {
		list = append(list, p.typ())
	}
	return list
}

// region reads { … }. The arguments of its first block are given where a form names them before the region; where they
// are nil, braces with nothing between hold no block at all.
func (p *parser) region(args []argument) *Region {
	p.enter()
	defer p.leave()
	p.expect('{')
	r := &Region{}
	mark := p.openScope()
	if len(args) > 0 || p.tok.kind != tCaret && (args != nil || p.tok.kind != '}') {
		b := &Block{}
		p.blockArgs(b, args)
		p.blockOps(b)
		r.Blocks = append(r.Blocks, b)
	}
	for p.tok.kind == tCaret {
		p.next()
		b := &Block{}
		if p.accept('(') {
			var list []argument
			for p.tok.kind != ')' {
				a := argument{pos: p.tok.start}
				a.name = p.take(tValue, "a block argument")
				p.expect(':')
				a.typ = p.typ()
				p.optionalLoc()
				list = append(list, a)
				if !p.accept(',') {
					break
				}
			}
			p.expect(')')
			p.blockArgs(b, list)
		}
		p.expect(':')
		p.blockOps(b)
		r.Blocks = append(r.Blocks, b)
	}
	p.expect('}')
	p.closeScope(mark)
	return r
}

func (p *parser) blockArgs(b *Block, args []argument) {
	b.Args = make([]*Value, len(args))
	for i, a := range args {
		b.Args[i] = p.value(Value{Type: a.typ, Num: i})
		p.define(a.name, a.pos, b.Args[i:i+1:i+1])
	}
}

func (p *parser) blockOps(b *Block) {
	for p.tok.kind != '}' && p.tok.kind != tCaret {
		if p.tok.kind == tEOF {
			p.expected("'}' to close the region")
		}
		b.Ops = append(b.Ops, p.op())
	}
}
