package hlo

// How reduce, while and scan are read.

func (reducePiece) parse(s *opParser) {
	var inits []operandRef
	if s.tok.kind == '(' && s.src[s.tok.end:min(s.tok.end+1, len(s.src))] == ")" {
		s.expected("an operand")
	}
	for {
		s.expect('(')
		s.operand()
		s.expectWord("init")
		s.expect(':')
		inits = append(inits, operandRef{name: s.text(), pos: s.tok.start})
		s.take(tValue, "an operand")
		s.expect(')')
		if !s.accept(',') {
			break
		}
	}
	n := len(s.refs)
	s.refs = append(s.refs, inits...)
	inner, innerPos := "", s.tok.start
	if s.acceptWord("applies") {
		innerPos = s.tok.start
		inner = s.word(s.take(tIdent, "the name of an operation"))
	}
	s.expectWord("across")
	s.expectWord("dimensions")
	s.expect('=')
	s.set("dimensions", I64s(s.ints()...))
	dictPiece{}.parse(s)
	s.expect(':')
	typePos := s.tok.start
	s.functional()
	s.loc = s.optionalLoc()
	if inner != "" {
		s.applied(inner, innerPos, typePos)
		return
	}
	s.expectWord("reducer")
	args := make([]argument, 2*n)
	for i := 0; s.tok.kind == '('; i++ {
		if i >= n {
			s.fail(s.tok.start, "the reducer has more pairs of arguments than the %d inputs", n)
		}
		s.next()
		args[i] = s.argument()
		s.expect(',')
		args[n+i] = s.argument()
		s.expect(')')
		if i == n-1 {
			break
		}
	}
	if args[2*n-1].typ == nil {
		s.expected("a pair of arguments for each of the inputs")
	}
	s.op.Regions = []*Region{s.region(args)}
}

// argument reads %name: type.
func (s *opParser) argument() argument {
	a := argument{pos: s.tok.start}
	a.name = s.take(tValue, "a block argument")
	s.expect(':')
	a.typ = s.typ()
	s.optionalLoc()
	return a
}

// applied makes the region of one operation that `applies` stands for.
func (s *opParser) applied(name string, pos, typePos int) {
	if !commutative[name] {
		s.fail(pos, "reduce applies one of add, multiply, maximum, minimum, and, or, xor of StableHLO, not %s", name)
	}
	if len(s.in) == 0 {
		s.fail(typePos, "expected the types of the operands")
	}
	t, ok := s.in[0].(Tensor)
	if !ok {
		s.fail(typePos, "expected a tensor type")
	}
	var elem Type = scalarOf(t)
	b := &Block{Args: []*Value{s.value(Value{Type: elem}), s.value(Value{Type: elem, Num: 1})}}
	op := &Op{Name: name, Operands: b.Args, Loc: s.loc}
	op.Results = []*Value{s.value(Value{Type: elem, Def: op})}
	b.Ops = []*Op{op, {Name: "stablehlo.return", Operands: op.Results, Loc: s.loc}}
	s.op.Regions = []*Region{{Blocks: []*Block{b}}}
}

func (whilePiece) parse(s *opParser) {
	args := []argument{}
	s.expect('(')
	for s.tok.kind != ')' {
		a := argument{name: s.text(), pos: s.tok.start}
		s.take(tValue, "a loop variable")
		s.expect('=')
		s.operand()
		args = append(args, a)
		if !s.accept(',') {
			break
		}
	}
	s.expect(')')
	if len(args) > 0 {
		pos := s.tok.start
		s.expect(':')
		s.in = s.typeList(s.in, tEOF)
		if len(s.in) != len(args) {
			s.fail(pos, "%d loop variables, but %d types", len(args), len(s.in))
		}
		for i := range args {
			args[i].typ = s.in[i]
		}
		s.out = append(s.out, s.in...)
	}
	if s.acceptWord("attributes") {
		s.op.Attrs = s.dict()
	}
	s.expectWord("cond")
	cond := s.region(args)
	s.expectWord("do")
	s.op.Regions = []*Region{cond, s.region(args)}
}

func (scanPiece) parse(s *opParser) {
	s.expect('(')
	s.operands()
	s.expect(')')
	inputs := len(s.refs)
	s.expectWord("inits")
	s.expect('(')
	s.operands()
	s.expect(')')
	inits := len(s.refs) - inputs
	s.expectWord("dimension")
	s.expect('=')
	s.set("dimension", Int{s.integer(), "i64"})
	if s.acceptWord("attributes") {
		s.op.Attrs = s.merge(s.op.Attrs, s.dict())
	}
	s.op.Regions = []*Region{s.region(nil)}
	pos := s.tok.start
	s.expect(':')
	s.functional()
	if len(s.out) < inits {
		s.fail(pos, "scan has %d results, fewer than its %d carries", len(s.out), inits)
	}
	s.set("operandSegmentSizes", i32s(inputs, inits))
	s.set("resultSegmentSizes", i32s(len(s.out)-inits, inits))
}
