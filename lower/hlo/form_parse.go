package hlo

import "strings"

// How the words of a form are read.

func (l literal) parse(s *opParser) { s.expectWord(string(l)) }

func (operandPiece) parse(s *opParser) { s.operand() }

func (r restPiece) parse(s *opParser) {
	if !r.commas {
		s.operands()
		return
	}
	for s.tok.kind == tValue {
		s.operand()
		s.expect(',')
	}
}

func (a attrPiece) parse(s *opParser) { s.set(a.name, s.stripped(a.kind)) }

func (dictPiece) parse(s *opParser) {
	if s.tok.kind == '{' {
		s.op.Attrs = s.merge(s.op.Attrs, s.dict())
	}
}

func (g groupPiece) parse(s *opParser) {
	if s.is(string(g.pieces[0].(literal))) {
		for _, p := range g.pieces {
			p.parse(s)
		}
	}
}

// set adds an attribute that the form shows.
func (s *opParser) set(name string, v Attr) {
	s.op.Attrs = s.merge(s.op.Attrs, Attrs{{name, v}})
}

// stripped reads an attribute whose kind is known. The generic spelling is read where it begins differently.
func (s *opParser) stripped(kind string) Attr {
	switch {
	case isEnum(kind) && s.tok.kind == tIdent:
		dialect, _, _ := strings.Cut(s.op.Name, ".")
		e := Enum{Dialect: dialect, Kind: kind, Value: s.word(s.text())}
		s.next()
		return e
	case kind == "i64s" && s.tok.kind == '[':
		return I64s(s.ints()...)
	case kind == "f64" && (s.tok.kind == tFloat || s.tok.kind == '-' || s.tok.kind == tInt):
		return Float{s.float(), "f64"}
	case isInt(kind) && (s.tok.kind == tInt || s.tok.kind == '-'):
		pos := s.tok.start
		negative := s.accept('-')
		text := s.take(tInt, "an integer")
		v, ok := parseInt(text, negative, kind)
		if !ok {
			s.fail(pos, "%s does not fit %s", text, kind)
		}
		return Int{v, kind}
	case kind == "bool":
		return Bool(s.boolean())
	case kind == "str" && s.tok.kind == tString:
		v := String{s.unquote(s.tok.start, s.text())}
		s.next()
		return v
	case kind == "sym" && s.tok.kind != tSymbol:
		s.expected("a @name")
	case isEnum(kind), isInt(kind), kind == "f64", kind == "str":
		s.expected("a value of kind " + kind)
	}
	return s.attr()
}

// Types.

func (sameTypes) parse(s *opParser) {
	pos := s.tok.start
	t := s.typ()
	if f, ok := t.(FuncType); ok {
		s.assign(pos, f)
		return
	}
	s.allLike(t)
	if s.form.out != "" {
		s.out = append(s.out, t)
	}
}

// allLike gives every operand the type.
func (s *opParser) allLike(t Type) {
	for range s.refs {
		s.in = append(s.in, t)
	}
}

// assign takes the types of operands and of the one result from a function type.
func (s *opParser) assign(pos int, f FuncType) {
	if len(f.In) != len(s.refs) || len(f.Out) != 1 {
		s.fail(pos, "%s has %d operands and one result, its type %s says otherwise", s.op.Name, len(s.refs), f)
	}
	s.in, s.out = append(s.in, f.In...), append(s.out, f.Out...)
}

func (functionalTypes) parse(s *opParser) { s.functional() }

func (arrowTypes) parse(s *opParser) {
	pos := s.tok.start
	if s.tok.kind == '(' {
		s.functional()
	} else {
		s.in = s.typeList(s.in, tArrow)
		if s.tok.kind != tArrow {
			s.expected("'->'")
		}
		s.next()
		if s.accept('(') {
			s.out = s.typeList(s.out, ')')
			s.expect(')')
		} else {
			s.out = append(s.out, s.typ())
		}
	}
	if len(s.in) == 1 && len(s.refs) > 1 {
		s.fail(pos, "expected the types of %d operands", len(s.refs))
	}
}

func (resultType) parse(s *opParser) { s.out = append(s.out, s.typ()) }

func (operandTypes) parse(s *opParser) { s.in = s.typeList(s.in, tEOF) }

func (complexTypes) parse(s *opParser) {
	pos := s.tok.start
	t := s.typ()
	if f, ok := t.(FuncType); ok {
		s.assign(pos, f)
		return
	}
	c, ok := t.(Tensor)
	if !ok || !c.Elem.IsComplex() {
		s.fail(pos, "expected a tensor with complex elements")
	}
	s.out = append(s.out, t)
	s.allLike(c.With(c.Elem.Real()))
}

func (selectTypes) parse(s *opParser) {
	pos := s.tok.start
	t := s.typ()
	if f, ok := t.(FuncType); ok {
		s.assign(pos, f)
		return
	}
	if s.tok.kind != ',' {
		s.expected("',' and the type of the result")
	}
	s.next()
	r := s.typ()
	s.in, s.out = append(s.in, t, r, r), append(s.out, r)
}

func (tupleType) parse(s *opParser) {
	pos := s.tok.start
	t := s.typ()
	u, ok := t.(Tuple)
	if !ok {
		s.fail(pos, "expected a tuple type")
	}
	s.in, s.out = append(s.in, u.Elems...), append(s.out, t)
}

func (barrier) parse(s *opParser) {
	if s.accept('(') {
		s.expect(')')
		return
	}
	s.operands()
	s.expect(':')
	s.in = s.typeList(s.in, tEOF)
	s.out = append(s.out, s.in...)
}

func (likeValue) parse(s *opParser) {
	if t := attrType(s.op.Attr("value")); t != nil {
		s.allLike(t)
		return
	}
	s.fail(s.tok.start, "expected a constant with a tensor type before this")
}
