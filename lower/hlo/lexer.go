package hlo

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// SyntaxError says where a text stops being MLIR: what was expected, and the line with a caret under the place.
//
//	3:14: expected ':' and the types of the operation, found '}'
//	    %0 = stablehlo.add %a, %b }
//	                              ^
type SyntaxError struct {
	Line, Col int    // from 1; Col counts bytes
	Msg       string // what was expected or is wrong
	Source    string // the line, shortened around the place where it is long
	Caret     int    // where in Source the place is
}

func (e *SyntaxError) Error() string {
	pad := make([]byte, e.Caret)
	for i := range pad {
		pad[i] = ' '
		if e.Source[i] == '\t' {
			pad[i] = '\t'
		}
	}
	return fmt.Sprintf("%d:%d: %s\n%s\n%s^", e.Line, e.Col, e.Msg, e.Source, pad)
}

// The kinds of tokens; a punctuation mark is its own kind.
const (
	tEOF = iota
	tIdent
	tInt
	tFloat
	tString
	tValue     // %name or %name#2
	tSymbol    // @name or @"name"
	tHash      // #name
	tBang      // !name
	tCaret     // ^name
	tArrow     // ->
	tColons    // ::
	tMetaBegin // {-#
	tMetaEnd   // #-}
)

type token struct {
	kind       byte
	start, end int
}

// lexer cuts the text into tokens, one ahead of the parser.
type lexer struct {
	src string
	tok token
}

// shownWidth is how much of a long line an error shows.
const shownWidth = 100

// errorAt makes the error of a place.
func (l *lexer) errorAt(pos int, format string, args ...any) *SyntaxError {
	pos = min(pos, len(l.src))
	start := strings.LastIndexByte(l.src[:pos], '\n') + 1
	e := &SyntaxError{Line: 1 + strings.Count(l.src[:pos], "\n"), Col: pos - start + 1, Msg: fmt.Sprintf(format, args...)}
	line := l.src[start:]
	if i := strings.IndexByte(line, '\n'); i >= 0 {
		line = line[:i]
	}
	e.Caret = pos - start
	if e.Caret > shownWidth/2 && len(line) > shownWidth {
		cut := e.Caret - shownWidth/2
		for cut < e.Caret && !utf8.RuneStart(line[cut]) {
			cut++
		}
		line, e.Caret = line[cut:], e.Caret-cut
	}
	if len(line) > shownWidth {
		cut := max(shownWidth, e.Caret)
		for cut < len(line) && !utf8.RuneStart(line[cut]) {
			cut++
		}
		line = line[:cut]
	}
	e.Source = strings.TrimRight(line, "\r")
	e.Caret = min(e.Caret, len(e.Source))
	return e
}

// fail stops the parse; Parse recovers the error.
func (l *lexer) fail(pos int, format string, args ...any) {
	panic(l.errorAt(pos, format, args...))
}

// expected fails at the current token.
func (l *lexer) expected(what string) {
	l.fail(l.tok.start, "expected %s, found %s", what, l.found())
}

func (l *lexer) found() string {
	if l.tok.kind == tEOF {
		return "the end of the text"
	}
	s := l.text()
	if len(s) > 40 {
		s = strings.ToValidUTF8(s[:40], "") + "…"
	}
	return "'" + s + "'"
}

func (l *lexer) text() string { return l.src[l.tok.start:l.tok.end] }

// is reports that the current token is spelt s.
func (l *lexer) is(s string) bool { return l.src[l.tok.start:l.tok.end] == s }

// accept goes past the token if it is of the kind.
func (l *lexer) accept(kind byte) bool {
	if l.tok.kind == kind {
		l.next()
		return true
	}
	return false
}

// acceptWord goes past the token if it is spelt s.
func (l *lexer) acceptWord(s string) bool {
	if l.is(s) {
		l.next()
		return true
	}
	return false
}

func (l *lexer) expect(kind byte) {
	if l.tok.kind != kind {
		l.expected("'" + string(rune(kind)) + "'")
	}
	l.next()
}

func (l *lexer) expectWord(s string) {
	if !l.acceptWord(s) {
		l.expected("'" + s + "'")
	}
}

// take returns the token's text if it is of the kind and goes on.
func (l *lexer) take(kind byte, what string) string {
	if l.tok.kind != kind {
		l.expected(what)
	}
	s := l.text()
	l.next()
	return s
}

// reset makes the token at pos, or the first behind it, the current one.
func (l *lexer) reset(pos int) {
	l.tok.end = pos
	l.next()
}

const (
	letterClass = 1 << iota // a letter or _
	digitClass
	identClass // may stand inside an identifier
	nameClass  // may stand inside the name of a value, alias or block
	hexClass
	spaceClass
)

var class = func() (t [256]byte) {
	for c := range 256 {
		switch b := byte(c); {
		case isLetter(b):
			t[c] = letterClass | identClass | nameClass
		case isDigit(b):
			t[c] = digitClass | identClass | nameClass | hexClass
		case b == '$' || b == '.':
			t[c] = identClass | nameClass
		case b == '-':
			t[c] = nameClass
		case b == ' ' || b == '\t' || b == '\n' || b == '\r':
			t[c] = spaceClass
		}
		if 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F' {
			t[c] |= hexClass
		}
	}
	return t
}()

// run returns the end of the characters of a class from i on.
func (l *lexer) run(i int, c byte) int {
	for i < len(l.src) && class[l.src[i]]&c != 0 {
		i++
	}
	return i
}

// lineEnd is where the line around i ends.
func (l *lexer) lineEnd(i int) int {
	if n := strings.IndexByte(l.src[i:], '\n'); n >= 0 {
		return i + n
	}
	return len(l.src)
}

// next reads the following token.
func (l *lexer) next() {
	s, i := l.src, l.tok.end
	for {
		i = l.run(i, spaceClass)
		if i+1 >= len(s) || s[i] != '/' || s[i+1] != '/' {
			break
		}
		i = l.lineEnd(i)
	}
	l.tok.start = i
	if i >= len(s) {
		l.tok = token{tEOF, len(s), len(s)}
		return
	}
	c := s[i]
	switch {
	case class[c]&letterClass != 0:
		l.tok.kind, l.tok.end = tIdent, l.run(i+1, identClass)
	case class[c]&digitClass != 0:
		l.number(i)
	default:
		l.mark(c, i)
	}
}

// number reads 12, 0x1F or 1.5e-3.
func (l *lexer) number(i int) {
	s := l.src
	l.tok.kind = tInt
	if s[i] == '0' && i+2 < len(s) && s[i+1] == 'x' && class[s[i+2]]&hexClass != 0 {
		l.tok.end = l.run(i+2, hexClass)
		return
	}
	i = l.run(i, digitClass)
	if i < len(s) && s[i] == '.' {
		l.tok.kind = tFloat
		i = l.run(i+1, digitClass)
		if i < len(s) && (s[i] == 'e' || s[i] == 'E') {
			j := i + 1
			if j < len(s) && (s[j] == '+' || s[j] == '-') {
				j++
			}
			if k := l.run(j, digitClass); k > j {
				i = k
			}
		}
	}
	l.tok.end = i
}

// mark reads what begins with a mark: names with a sigil, strings, arrows, punctuation.
func (l *lexer) mark(c byte, i int) {
	s := l.src
	name := func(kind byte) {
		end := l.run(i+1, nameClass)
		if end == i+1 {
			l.fail(i, "expected a name behind '%c'", c)
		}
		l.tok.kind, l.tok.end = kind, end
	}
	switch c {
	case '%':
		name(tValue)
		if e := l.tok.end; e+1 < len(s) && s[e] == '#' && class[s[e+1]]&digitClass != 0 {
			l.tok.end = l.run(e+1, digitClass)
		}
	case '!':
		name(tBang)
	case '^':
		name(tCaret)
	case '#':
		if strings.HasPrefix(s[i:], "#-}") {
			l.tok.kind, l.tok.end = tMetaEnd, i+3
			return
		}
		name(tHash)
	case '@':
		if i+1 < len(s) && s[i+1] == '"' {
			l.tok.kind, l.tok.end = tSymbol, l.stringEnd(i+1)
			return
		}
		name(tSymbol)
	case '"':
		l.tok.kind, l.tok.end = tString, l.stringEnd(i)
	case '-':
		l.two(c, i, '>', tArrow)
	case ':':
		l.two(c, i, ':', tColons)
	case '{':
		if strings.HasPrefix(s[i:], "{-#") {
			l.tok.kind, l.tok.end = tMetaBegin, i+3
			return
		}
		l.tok.kind, l.tok.end = c, i+1
	default:
		if c < ' ' || c >= 0x7f {
			l.fail(i, "unexpected character %q", s[i:i+1])
		}
		l.tok.kind, l.tok.end = c, i+1
	}
}

// two reads a mark of two characters, or its first alone.
func (l *lexer) two(c byte, i int, second, kind byte) {
	l.tok.kind, l.tok.end = c, i+1
	if i+1 < len(l.src) && l.src[i+1] == second {
		l.tok.kind, l.tok.end = kind, i+2
	}
}

// stringEnd finds the end of the string that opens at i.
func (l *lexer) stringEnd(i int) int {
	for j := i + 1; j < len(l.src); j++ {
		switch l.src[j] {
		case '"':
			return j + 1
		case '\\':
			j++
		case '\n':
			l.fail(i, "the string is not closed on its line")
		}
	}
	l.fail(i, "the string is not closed")
	return 0
}

// balanced skips to the bracket that closes the one at i and returns the place behind it. Strings and comments are
// skipped whole, and the > of an arrow or of >= closes nothing.
func (l *lexer) balanced(i int) int {
	open := make([]byte, 0, 8)
	for j := i; j < len(l.src); j++ {
		switch c := l.src[j]; c {
		case '"':
			j = l.stringEnd(j) - 1
		case '/':
			if strings.HasPrefix(l.src[j:], "//") {
				j = l.lineEnd(j)
			}
		case '<', '(', '[', '{':
			open = append(open, c)
		case '>', ')', ']', '}':
			if c == '>' && (l.src[j-1] == '-' || j+1 < len(l.src) && l.src[j+1] == '=') {
				continue
			}
			if len(open) == 0 || closes[open[len(open)-1]] != c {
				l.fail(j, "'%c' closes nothing that is open", c)
			}
			open = open[:len(open)-1]
			if len(open) == 0 {
				return j + 1
			}
		}
	}
	l.fail(i, "'%c' is not closed", l.src[i])
	return 0
}

var closes = map[byte]byte{'<': '>', '(': ')', '[': ']', '{': '}'}

// unquote gives the bytes of a string token.
func (l *lexer) unquote(pos int, s string) string {
	s = s[1 : len(s)-1]
	if strings.IndexByte(s, '\\') < 0 {
		return strings.Clone(s)
	}
	b := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c != '\\' {
			b = append(b, c)
			continue
		}
		i++
		switch c = s[i]; {
		case c == '"' || c == '\\':
			b = append(b, c)
		case c == 'n':
			b = append(b, '\n')
		case c == 't':
			b = append(b, '\t')
		case i+1 < len(s) && class[c]&hexClass != 0 && class[s[i+1]]&hexClass != 0:
			b = append(b, hexValue(c)<<4|hexValue(s[i+1]))
			i++
		default:
			l.fail(pos+i, "unknown escape \\%c in a string", c)
		}
	}
	return string(b)
}

func hexValue(c byte) byte {
	switch {
	case c <= '9':
		return c - '0'
	case c <= 'F':
		return c - 'A' + 10
	}
	return c - 'a' + 10
}
