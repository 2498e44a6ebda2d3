package hlo

import (
	"slices"
	"strings"
)

// A pretty form is a line of words read by printer and parser alike, so that what one writes the other reads:
//
//	%0 %1         an operand by number
//	%* %1*        all operands, operands from number 1 on; %1*, with a comma behind each
//	$name         an attribute, spelt by its kind without its type
//	attr-dict     the attributes that the form does not show, in braces where there are any
//	( … )?        a group that is there when its attribute is; the group begins with a literal
//	<name>        one of the special pieces of form_types.go and form_special.go
//	anything else a literal
type opForm struct {
	*opSpec
	attrSpecs []attrSpec
	pieces    []piece // nil: the generic form only
	shown     map[string]bool
	outNames  []string // of several results, of which none is variadic
	inSpecs   []operandSpec
	outSpecs  []operandSpec
}

// piece is one word of a form. print reports whether the piece can write this operation; parse panics
// with a *SyntaxError where the text does not fit.
type piece interface {
	print(p *formPrinter) bool
	parse(s *opParser)
}

type (
	literal      string
	operandPiece int
	restPiece    struct {
		from   int
		commas bool // a comma behind each, for the attribute that follows
	}
	attrPiece  struct{ attrSpec }
	dictPiece  struct{}
	groupPiece struct {
		attr   string
		pieces []piece
	}
)

func compileForm(spec *opSpec) *opForm {
	f := &opForm{opSpec: spec, attrSpecs: parseAttrSpecs(spec.attrs), shown: map[string]bool{}}
	f.pieces, _ = f.compile(strings.Fields(spec.form))
	f.inSpecs, f.outSpecs = parseOperandSpecs(spec.in), parseOperandSpecs(spec.out)
	if out := strings.Fields(spec.out); len(out) > 1 && !strings.Contains(spec.out, "*:") {
		for _, o := range out {
			name, _, _ := strings.Cut(o, ":")
			f.outNames = append(f.outNames, name)
		}
	}
	return f
}

// compile reads words up to the end of a group.
func (f *opForm) compile(words []string) (pieces []piece, rest []string) {
	for len(words) > 0 {
		w := words[0]
		words = words[1:]
		switch {
		case w == ")?":
			return pieces, words
		case w == "(" && f.opensGroup(words):
			var g groupPiece
			g.pieces, words = f.compile(words)
			for _, p := range g.pieces {
				if a, ok := p.(attrPiece); ok {
					g.attr = a.name
				}
			}
			pieces = append(pieces, g)
		case w == "attr-dict":
			pieces = append(pieces, dictPiece{})
		case w[0] == '$':
			pieces = append(pieces, attrPiece{f.attr(w[1:])})
			f.shown[w[1:]] = true
		case w[0] == '%' && strings.Contains(w, "*"):
			from := 0
			if w[1] != '*' {
				from = int(w[1] - '0')
			}
			pieces = append(pieces, restPiece{from, strings.HasSuffix(w, ",")})
		case w[0] == '%':
			pieces = append(pieces, operandPiece(w[1]-'0'))
		case len(w) > 2 && w[0] == '<':
			s := specials[w]
			for _, name := range s.attrs {
				f.shown[name] = true
			}
			pieces = append(pieces, s.piece)
		default:
			pieces = append(pieces, literal(w))
		}
	}
	return pieces, nil
}

// opensGroup reports that the parenthesis before words closes with )? and not with ).
func (f *opForm) opensGroup(words []string) bool {
	for _, w := range words {
		switch w {
		case ")":
			return false
		case ")?":
			return true
		case "(":
			return false
		}
	}
	return false
}

func (f *opForm) attr(name string) attrSpec {
	for _, a := range f.attrSpecs {
		if a.name == name {
			return a
		}
	}
	panic("hlo: the form of " + f.name + " names the attribute " + name + ", which it lacks")
}

// split separates the operation's own attributes from the discardable ones. Those of an operation that a reader may not
// know all count as discardable, for an unknown operation has no others.
func (f *opForm) split(attrs Attrs) (inherent, other Attrs) {
	if f == nil || !strings.HasPrefix(f.name, "stablehlo.") && !strings.HasPrefix(f.name, "chlo.") {
		return nil, attrs
	}
	for _, n := range attrs {
		if f.has(n.Name) {
			inherent = append(inherent, n)
		} else {
			other = append(other, n)
		}
	}
	return inherent, other
}

func (f *opForm) has(name string) bool {
	for i := range f.attrSpecs {
		if f.attrSpecs[i].name == name {
			return true
		}
	}
	return false
}

// formPrinter writes one operation in its pretty form. space and punct say what stands before, as MLIR's generated
// printers do: nothing is put between an opening bracket and what follows, or before a comma.
type formPrinter struct {
	*printer
	*Op
	form  *opForm
	space bool
	punct bool
}

// fits reports that the operation has as many operands, results and regions as the form writes.
func (f *opForm) fits(o *Op) bool {
	count := func(specs []operandSpec, vs []*Value) bool {
		return len(vs) == len(specs) || slices.ContainsFunc(specs, func(s operandSpec) bool { return s.variadic })
	}
	return count(f.inSpecs, o.Operands) && count(f.outSpecs, o.Results) && (f.regions != "" || len(o.Regions) == 0)
}

// print writes the operation, or nothing and false where the form cannot say all of it.
func (f *opForm) print(p *printer, o *Op) bool {
	if f.pieces == nil || !f.fits(o) {
		return false
	}
	start := len(p.b)
	name := o.Name
	if p.inFunc && strings.HasPrefix(name, "func.") {
		name = name[len("func."):]
	}
	p.text(name)
	p.inFunc = false
	fp := formPrinter{printer: p, Op: o, form: f, space: true}
	for _, piece := range f.pieces {
		if !piece.print(&fp) {
			p.b = p.b[:start]
			return false
		}
	}
	return true
}

// gap writes the space before a variable or special piece.
func (p *formPrinter) gap() {
	if p.space || !p.punct {
		p.text(" ")
	}
	p.space, p.punct = true, false
}

func (l literal) print(p *formPrinter) bool {
	const closing, all = ">)}],", "<>(){}[],"
	var before bool
	switch {
	case len(l) != 1 && l != "->":
		before = true
	case p.punct:
		before = !strings.ContainsRune(closing, rune(l[0]))
	default:
		before = !strings.ContainsRune(all, rune(l[0]))
	}
	if p.space && before {
		p.text(" ")
	}
	p.text(string(l))
	p.space = len(l) != 1 || !strings.ContainsRune("<({[", rune(l[0]))
	p.punct = !isLetter(l[0])
	return true
}

func (n operandPiece) print(p *formPrinter) bool {
	if int(n) >= len(p.Operands) {
		return false
	}
	p.gap()
	p.value(p.Operands[n])
	return true
}

func (r restPiece) print(p *formPrinter) bool {
	if r.from > len(p.Operands) {
		return false
	}
	vs := p.Operands[r.from:]
	if len(vs) == 0 && r.commas {
		return false // a comma with nothing before it cannot be read
	}
	p.gap()
	p.values(vs)
	if r.commas {
		p.text(",")
	}
	return true
}

func (a attrPiece) print(p *formPrinter) bool {
	v := p.Attr(a.name)
	if v == nil {
		return false
	}
	if e, ok := v.(Enum); ok && !strings.HasPrefix(p.Name, e.Dialect+".") {
		return false
	}
	p.gap()
	b, ok := appendStripped(p.b, v, a.kind)
	p.b = b
	return ok
}

func (dictPiece) print(p *formPrinter) bool {
	var rest Attrs
	for _, n := range p.Attrs {
		if !p.form.shown[n.Name] {
			rest = append(rest, n)
		}
	}
	if len(rest) > 0 {
		p.b = appendDict(append(p.b, ' '), rest)
		p.space, p.punct = true, false
	}
	return true
}

func (g groupPiece) print(p *formPrinter) bool {
	if p.Attr(g.attr) == nil {
		return true
	}
	for _, piece := range g.pieces {
		if !piece.print(p) {
			return false
		}
	}
	return true
}
