package hlo

import (
	"errors"
	"strings"
)

// Parse reads one module. A text of functions without a module around them is the body of a nameless module. The error
// is a *SyntaxError.
func Parse[T string | []byte](src T) (*Module, error) {
	return parsePiece(string(src), 0)
}

// ParseAll reads a text that holds several modules, cut at lines that begin with "// -----". A piece without anything but
// comments is left out.
func ParseAll[T string | []byte](src T) ([]*Module, error) {
	text := string(src)
	var all []*Module
	for start := 0; start <= len(text); {
		end, next := len(text), len(text)+1
		if i := strings.Index(text[start:], "\n// -----"); i >= 0 {
			end = start + i + 1
			next = end + len("// -----")
		}
		m, err := parsePiece(text[:end], start)
		switch {
		case errors.Is(err, errNothing):
		case err != nil:
			return nil, err
		default:
			all = append(all, m)
		}
		start = next
		if start <= len(text) {
			if i := strings.IndexByte(text[start:], '\n'); i >= 0 { // the rest of the dashes
				start += i
			} else {
				break
			}
		}
	}
	return all, nil
}

var errNothing = errors.New("hlo: the text holds no module")

func newParser(src string, start int) *parser {
	return &parser{
		lexer:  lexer{src: src},
		first:  start,
		forms:  forms(),
		values: map[string][]*Value{},
		types:  map[string]Type{},
		words:  map[string]string{},
	}
}

func parsePiece(src string, start int) (m *Module, err error) {
	p := newParser(src, start)
	defer func() {
		if e := recover(); e != nil {
			se, ok := e.(*SyntaxError)
			if !ok {
				panic(e)
			}
			m, err = nil, se
		}
	}()
	p.reset(start)
	if p.tok.kind == tEOF {
		return nil, errNothing
	}
	return p.file(), nil
}

// parser is a recursive descent over the tokens. An error is a panic with a *SyntaxError, which parsePiece recovers.
type parser struct {
	lexer
	first   int // where the piece begins in the text
	forms   map[string]*opForm
	values  map[string][]*Value // the results or argument behind a name in scope
	defined []string            // the names of values, innermost scope last
	types   map[string]Type     // tensor types by their text
	words   map[string]string   // names, so that the text itself need not be kept
	aliases map[string]*alias   // #name and !name, found when the first is asked for
	depth   int
	pool    []*opParser
	slab    []Value
	ops     []Op
}

// maxDepth bounds the nesting of types, attributes and regions, and with it the stack.
const maxDepth = 256

func (p *parser) enter() {
	if p.depth++; p.depth > maxDepth {
		p.fail(p.tok.start, "nested more than %d deep", maxDepth)
	}
}

func (p *parser) leave() { p.depth-- }

// word returns s as a string that does not keep the text alive.
func (p *parser) word(s string) string {
	if w, ok := p.words[s]; ok {
		return w
	}
	w := strings.Clone(s)
	p.words[w] = w
	return w
}

// file reads everything up to the end of the text.
func (p *parser) file() *Module {
	top := &Module{}
	p.moduleBody(top, tEOF)
	if len(top.Nested) == 1 && len(top.Funcs) == 0 && len(top.Other) == 0 {
		inner := top.Nested[0]
		inner.Resources = top.Resources
		return inner
	}
	return top
}

// moduleBody reads operations up to the closing token.
func (p *parser) moduleBody(m *Module, end byte) {
	for p.tok.kind != end {
		switch p.tok.kind {
		case tEOF:
			p.expected("'}' to close the module")
		case tHash, tBang:
			if end != tEOF {
				p.expected("an operation")
			}
			p.aliasDefinition()
		case tMetaBegin:
			if end != tEOF {
				p.expected("an operation")
			}
			p.metadata(m)
		default:
			p.moduleItem(m)
		}
	}
}

func (p *parser) moduleItem(m *Module) {
	switch p.text() {
	case "module", "builtin.module":
		m.Nested = append(m.Nested, p.module())
	case "func.func", "func":
		m.Funcs = append(m.Funcs, p.function())
	case `"builtin.module"`:
		m.Nested = append(m.Nested, p.genericModule())
	case `"func.func"`:
		m.Funcs = append(m.Funcs, p.genericFunction())
	default:
		m.Other = append(m.Other, p.op())
	}
}

func (p *parser) module() *Module {
	p.enter()
	defer p.leave()
	p.next()
	m := &Module{}
	if p.tok.kind == tSymbol {
		m.Name = p.symbolName()
	}
	if p.acceptWord("attributes") {
		m.Attrs = p.dict()
	}
	p.expect('{')
	p.moduleBody(m, '}')
	p.next()
	p.optionalLoc()
	return m
}

// genericModule reads "builtin.module"() ({ … }) {…} : () -> ().
func (p *parser) genericModule() *Module {
	p.enter()
	defer p.leave()
	p.next()
	m := &Module{}
	p.expect('(')
	p.expect(')')
	attrs := p.properties()
	p.expect('(')
	p.expect('{')
	if p.accept(tCaret) {
		p.expect(':')
	}
	p.moduleBody(m, '}')
	p.next()
	p.expect(')')
	attrs = p.merge(attrs, p.optionalDict())
	p.expect(':')
	p.functionType()
	p.optionalLoc()
	if s, ok := attrs.Get("sym_name").(String); ok {
		m.Name = s.Value
		attrs = attrs.Set("sym_name", nil)
	}
	m.Attrs = attrs
	return m
}

// function reads func.func.
func (p *parser) function() *Func {
	p.next()
	f := &Func{}
	pos := p.tok.start
	if p.tok.kind == tIdent {
		f.Attrs = Attrs{{"sym_visibility", String{p.word(p.text())}}}
		p.next()
	}
	f.Name = p.symbolName()
	mark := p.openScope()
	p.expect('(')
	args := []argument{}
	for p.tok.kind != ')' {
		a := argument{pos: p.tok.start}
		if p.tok.kind == tValue {
			a.name = p.text()
			p.next()
			p.expect(':')
		}
		a.typ = p.typ()
		attrs := p.optionalDict()
		p.optionalLoc()
		if len(args) > 0 && (args[0].name == "") != (a.name == "") {
			p.fail(a.pos, "either all parameters have a name or none has")
		}
		args = append(args, a)
		f.In = append(f.In, a.typ)
		f.ArgAttrs = append(f.ArgAttrs, attrs)
		if !p.accept(',') {
			break
		}
	}
	p.expect(')')
	if p.accept(tArrow) {
		p.functionResults(f)
	}
	if p.acceptWord("attributes") {
		f.Attrs = p.merge(f.Attrs, p.dict())
	}
	if defect := f.takeVisibility(); defect != "" {
		p.fail(pos, "%s", defect)
	}
	f.ArgAttrs, f.ResultAttrs = someAttrs(f.ArgAttrs), someAttrs(f.ResultAttrs)
	if p.tok.kind == '{' {
		if len(args) > 0 && args[0].name == "" {
			p.fail(args[0].pos, "the parameters of a function with a body need names")
		}
		f.Body = p.region(args)
	}
	p.closeScope(mark)
	f.Loc = p.optionalLoc()
	return f
}

// takeVisibility makes a field of the attribute that says private.
func (f *Func) takeVisibility() (defect string) {
	switch a := f.Attrs.Get("sym_visibility"); a {
	case nil, String{"public"}, String{"nested"}:
	case String{"private"}:
		f.Private = true
		f.Attrs = f.Attrs.Set("sym_visibility", nil)
	default:
		return "a function is public, private or nested, not " + AttrString(a)
	}
	return ""
}

func (p *parser) functionResults(f *Func) {
	if p.tok.kind != '(' {
		f.Out, f.ResultAttrs = []Type{p.typ()}, []Attrs{nil}
		return
	}
	p.next()
	for p.tok.kind != ')' {
		f.Out = append(f.Out, p.typ())
		f.ResultAttrs = append(f.ResultAttrs, p.optionalDict())
		p.optionalLoc()
		if !p.accept(',') {
			break
		}
	}
	p.expect(')')
}

// someAttrs is the list, or nil where no entry has an attribute.
func someAttrs(a []Attrs) []Attrs {
	for _, x := range a {
		if len(x) > 0 {
			return a
		}
	}
	return nil
}

// genericFunction reads "func.func"() <{function_type = …, sym_name = "…"}> ({ … }) : () -> ().
func (p *parser) genericFunction() *Func {
	pos := p.tok.start
	mark := p.openScope()
	op := p.op()
	p.closeScope(mark)
	f, defect := functionOf(op)
	if defect != "" {
		p.fail(pos, "%s", defect)
	}
	return f
}

// functionOf makes a function of func.func as an operation, or says what is wrong with it.
func functionOf(op *Op) (f *Func, defect string) {
	f = &Func{Loc: op.Loc, Attrs: op.Attrs}
	take := func(name string) Attr {
		a := f.Attrs.Get(name)
		if a != nil {
			f.Attrs = f.Attrs.Set(name, nil)
		}
		return a
	}
	name, ok1 := take("sym_name").(String)
	t, ok2 := take("function_type").(TypeAttr)
	ft, ok3 := t.Type.(FuncType)
	if !ok1 || !ok2 || !ok3 || len(op.Operands)+len(op.Results) > 0 || len(op.Regions) > 1 {
		return nil, "func.func needs sym_name, function_type and one region"
	}
	f.Name, f.In, f.Out = name.Value, ft.In, ft.Out
	f.ArgAttrs, f.ResultAttrs = dictList(take("arg_attrs")), dictList(take("res_attrs"))
	if defect := f.takeVisibility(); defect != "" {
		return nil, defect
	}
	if len(op.Regions) == 1 && len(op.Regions[0].Blocks) > 0 {
		f.Body = op.Regions[0]
		args := f.Args()
		same := len(args) == len(f.In)
		for i := 0; same && i < len(args); i++ {
			same = EqualType(args[i].Type, f.In[i])
		}
		if !same {
			return nil, "the entry block's arguments are not those of the function's type"
		}
	}
	return f, ""
}

func dictList(a Attr) []Attrs {
	list, _ := a.(Array)
	out := make([]Attrs, len(list))
	for i, x := range list {
		d, _ := x.(Dict)
		out[i] = Attrs(d)
	}
	return someAttrs(out)
}

// symbolName reads @name.
func (p *parser) symbolName() string {
	pos := p.tok.start
	s := p.take(tSymbol, "a @name")[1:]
	if s[0] == '"' {
		return p.unquote(pos+1, s)
	}
	return p.word(s)
}
