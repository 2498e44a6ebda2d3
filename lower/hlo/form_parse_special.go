package hlo

import (
	"encoding/binary"
	"strconv"
	"strings"

	"github.com/pantograph-go/pantograph/array"
)

// How the special pieces of single operations are read.

func (constantPiece) parse(s *opParser) {
	if s.tok.kind == '(' { // stablehlo.constant() {value = …} : () -> …
		s.generic()
		return
	}
	dictPiece{}.parse(s)
	pos := s.tok.start
	v := s.attr()
	t, ok := attrType(v).(Tensor)
	if !ok {
		s.fail(pos, "expected a constant with a tensor type")
	}
	s.set("value", v)
	s.out = append(s.out, t)
}

func (typedConstant) parse(s *opParser) {
	dictPiece{}.parse(s)
	pos := s.tok.start
	v := s.attr()
	t := attrType(v)
	if t == nil {
		s.fail(pos, "expected a constant with a type")
	}
	s.set("value", v)
	s.out = append(s.out, t)
}

func (exponentMantissa) parse(s *opParser) {
	pos := s.tok.start
	text := s.take(tIdent, "a format such as e5m10")
	e, m, ok := strings.Cut(strings.TrimPrefix(text, "e"), "m")
	exponent, err1 := strconv.ParseInt(e, 10, 32)
	mantissa, err2 := strconv.ParseInt(m, 10, 32)
	if !ok || text[0] != 'e' || err1 != nil || err2 != nil {
		s.fail(pos, "expected a format such as e5m10, found '%s'", text)
	}
	s.set("exponent_bits", Int{exponent, "i32"})
	s.set("mantissa_bits", Int{mantissa, "i32"})
}

func (sliceRanges) parse(s *opParser) {
	var start, limit, stride []int
	s.expect('[')
	for s.tok.kind != ']' {
		start = append(start, int(s.integer()))
		s.expect(':')
		limit = append(limit, int(s.integer()))
		step := 1
		if s.accept(':') {
			step = int(s.integer())
		}
		stride = append(stride, step)
		if !s.accept(',') {
			break
		}
	}
	s.expect(']')
	s.set("start_indices", I64s(start...))
	s.set("limit_indices", I64s(limit...))
	s.set("strides", I64s(stride...))
}

func (callTarget) parse(s *opParser) { s.set("call_target_name", String{s.symbolName()}) }

func (compositeRegions) parse(s *opParser) {
	if !s.accept('(') {
		return
	}
	for {
		s.op.Regions = append(s.op.Regions, s.region(nil))
		if !s.accept(',') {
			break
		}
	}
	s.expect(')')
}

func (meshPiece) parse(s *opParser) {
	s.set("sym_name", String{s.symbolName()})
	s.expect('=')
	if s.tok.kind != '<' {
		s.expected("'<' and the axes of the mesh")
	}
	start := s.tok.start
	end := s.balanced(start)
	s.reset(end)
	s.set("mesh", Raw{meshAttr + s.src[start:end]})
}

func (returnPiece) parse(s *opParser) {
	s.operands()
	dictPiece{}.parse(s)
	if len(s.refs) > 0 {
		s.expect(':')
		s.in = s.typeList(s.in, tEOF)
	}
}

// pair reads = [0] x [1].
func (s *opParser) pair() (lhs, rhs []int) {
	s.expect('=')
	lhs = s.ints()
	s.expectWord("x")
	return lhs, s.ints()
}

func (dotDimsPiece) parse(s *opParser) {
	var d DotDims
	if s.acceptWord("batching_dims") || s.acceptWord("batch_dims") {
		d.LHSBatch, d.RHSBatch = s.pair()
		s.expect(',')
	}
	s.expectWord("contracting_dims")
	d.LHSContracting, d.RHSContracting = s.pair()
	s.set("dot_dimension_numbers", d)
}

func (q precisionPiece) parse(s *opParser) {
	if !s.accept(',') {
		return
	}
	if !q.algorithm || !s.is("algorithm") {
		s.expectWord("precision")
		s.expect('=')
		list := Array{}
		s.expect('[')
		for s.tok.kind != ']' {
			list = append(list, SHLO("precision", s.word(s.take(tIdent, "DEFAULT, HIGH or HIGHEST"))))
			if !s.accept(',') {
				break
			}
		}
		s.expect(']')
		s.set("precision_config", list)
		if !q.algorithm || !s.accept(',') {
			return
		}
	}
	s.expectWord("algorithm")
	s.expect('=')
	s.expect('<')
	s.set("algorithm", s.dotAlgorithm())
}

func (convDimsPiece) parse(s *opParser) { s.set("dimension_numbers", s.convDims()) }

func (windowPiece) parse(s *opParser) {
	for s.tok.kind != '}' {
		pos := s.tok.start
		name := s.take(tIdent, "stride, pad, lhs_dilate, rhs_dilate or reverse")
		s.expect('=')
		found := false
		for _, f := range windowFields {
			if f.short != name {
				continue
			}
			found = true
			switch name {
			case "pad":
				s.set(f.attr, s.padding())
			case "reverse":
				s.set(f.attr, s.reversal())
			default:
				s.set(f.attr, I64s(s.ints()...))
			}
		}
		if !found {
			s.fail(pos, "expected stride, pad, lhs_dilate, rhs_dilate or reverse, found '%s'", name)
		}
		if !s.accept(',') {
			break
		}
	}
}

// padding reads [[0, 1], [2, 3]] as an n×2 tensor.
func (s *opParser) padding() Attr {
	var flat []int
	s.expect('[')
	for s.tok.kind != ']' {
		pos := s.tok.start
		pair := s.ints()
		if len(pair) != 2 {
			s.fail(pos, "expected a low and a high padding, found %d numbers", len(pair))
		}
		flat = append(flat, pair...)
		if !s.accept(',') {
			break
		}
	}
	s.expect(']')
	t := Tensor{Shape: array.Shape{len(flat) / 2, 2}, Elem: array.Int64}
	d := &Dense{Type: t, Data: array.NewBuffer(t.Elem, t.Shape)}
	for i, v := range flat {
		binary.LittleEndian.PutUint64(d.Data.Bytes()[8*i:], uint64(v))
	}
	return canonical(d)
}

// reversal reads [true, false], or numbers that are zero for false.
func (s *opParser) reversal() Attr {
	var list []bool
	s.expect('[')
	for s.tok.kind != ']' {
		if s.tok.kind == tInt {
			list = append(list, s.integer() != 0)
		} else {
			list = append(list, s.boolean())
		}
		if !s.accept(',') {
			break
		}
	}
	s.expect(']')
	return Bools(list...)
}
