package array

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
)

// The .npy format, versions 1 to 3: https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html

const (
	npyMagic     = "\x93NUMPY"
	npyMaxHeader = 1 << 20
)

// ReadNpy reads one array in NumPy's .npy format: versions 1 to 3, either order of bytes and of axes. Two-byte void
// elements are bfloat16, as ml_dtypes writes them. Nothing that the file says about its size is trusted: memory is taken
// as the data arrives. It reads no byte beyond the array.
func ReadNpy(r io.Reader) (*Array, error) { return ReadNpyAs(r, Invalid) }

// ReadNpyAs is ReadNpy for files whose elements have no name in NumPy: void elements of one or two bytes, as ml_dtypes
// writes its types, are read as d.
func ReadNpyAs(r io.Reader, d DType) (*Array, error) {
	b, err := readNpy(r, d)
	if err != nil {
		return nil, fmt.Errorf("npy: %w", err)
	}
	return Of(b), nil
}

func readNpy(r io.Reader, as DType) (*Buffer, error) {
	text, err := readNpyHeader(r)
	if err != nil {
		return nil, err
	}
	h, err := parseNpyHeader(text)
	if err != nil {
		return nil, err
	}
	d, big, err := parseDescr(h.descr, as)
	if err != nil {
		return nil, err
	}
	n := uint64(d.Size())
	for _, s := range h.shape {
		if s != 0 && n > math.MaxInt64/2/uint64(s) {
			return nil, fmt.Errorf("shape %s of %s is larger than any memory", h.shape, d)
		}
		n *= uint64(s)
	}
	raw, err := readExactly(r, int(n))
	if err != nil {
		return nil, fmt.Errorf("%s%s takes %d bytes: %w", d.Short(), h.shape, n, err)
	}
	b := &Buffer{d, h.shape, raw}
	if big {
		swapBytes(raw, d)
	}
	switch d {
	case Bool:
		for i, v := range raw {
			if v != 0 {
				raw[i] = 1
			}
		}
	case Int2, Int4, Uint2, Uint4:
		for i, v := range raw {
			b.SetInt(i, int64(int8(v)))
		}
	}
	if h.fortran && len(h.shape) > 1 {
		b = fromFortran(b)
	}
	return b, nil
}

func readNpyHeader(r io.Reader) (string, error) {
	var start [8]byte
	if _, err := io.ReadFull(r, start[:]); err != nil {
		return "", fmt.Errorf("no header: %w", noEOF(err))
	}
	if string(start[:6]) != npyMagic {
		return "", errors.New("not a .npy file: the first bytes are not \\x93NUMPY")
	}
	var size uint32
	switch start[6] {
	case 1:
		var n uint16
		if err := binary.Read(r, binary.LittleEndian, &n); err != nil {
			return "", fmt.Errorf("no header: %w", noEOF(err))
		}
		size = uint32(n)
	case 2, 3:
		if err := binary.Read(r, binary.LittleEndian, &size); err != nil {
			return "", fmt.Errorf("no header: %w", noEOF(err))
		}
	default:
		return "", fmt.Errorf("version %d.%d is not known", start[6], start[7])
	}
	if size > npyMaxHeader {
		return "", fmt.Errorf("the header claims %d bytes, more than %d", size, npyMaxHeader)
	}
	text, err := readExactly(r, int(size))
	if err != nil {
		return "", fmt.Errorf("header of %d bytes: %w", size, err)
	}
	return string(text), nil
}

func noEOF(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}

// readExactly reads n bytes into aligned memory that grows with what has arrived.
func readExactly(r io.Reader, n int) ([]byte, error) {
	data := alignedBytes(min(n, 1<<20))
	for have := 0; ; {
		k, err := io.ReadFull(r, data[have:])
		have += k
		if err != nil {
			return nil, fmt.Errorf("the data ends after %d bytes: %w", have, noEOF(err))
		}
		if have == n {
			return data, nil
		}
		more := alignedBytes(min(n, 2*len(data)))
		copy(more, data)
		data = more
	}
}

type npyHeader struct {
	descr   string
	fortran bool
	shape   Shape
}

// parseNpyHeader reads the Python literal {'descr': '<f8', 'fortran_order': False, 'shape': (2, 3), }.
func parseNpyHeader(text string) (h npyHeader, err error) {
	p := literalParser{s: text}
	seen := map[string]bool{}
	p.want("{")
	for p.err == nil && !p.take("}") {
		key := p.quoted()
		p.want(":")
		switch key {
		case "descr":
			if p.peek("[") {
				p.fail("structured elements are not supported")
			}
			h.descr = p.quoted()
		case "fortran_order":
			switch {
			case p.take("True"):
				h.fortran = true
			case !p.take("False"):
				p.fail("fortran_order is neither True nor False")
			}
		case "shape":
			h.shape = p.tuple()
		default:
			p.fail(fmt.Sprintf("unknown key %q", key))
		}
		if seen[key] {
			p.fail(fmt.Sprintf("key %q is there twice", key))
		}
		seen[key] = true
		if !p.take(",") && !p.peek("}") {
			p.fail("expected , or }")
		}
	}
	if p.err == nil && strings.TrimSpace(p.s) != "" {
		p.fail("unexpected text after }")
	}
	if p.err == nil && len(seen) != 3 {
		p.fail("descr, fortran_order or shape is missing")
	}
	if p.err != nil {
		return h, fmt.Errorf("header %.200q: %w", text, p.err)
	}
	return h, nil
}

// literalParser reads Python literals from the front of s; the first failure stays.
type literalParser struct {
	s   string
	err error
}

func (p *literalParser) fail(msg string) {
	if p.err == nil {
		p.err = errors.New(msg)
	}
}

func (p *literalParser) peek(token string) bool {
	p.s = strings.TrimLeft(p.s, " \t\n\r")
	return p.err == nil && strings.HasPrefix(p.s, token)
}

func (p *literalParser) take(token string) bool {
	if !p.peek(token) {
		return false
	}
	p.s = p.s[len(token):]
	return true
}

func (p *literalParser) want(token string) {
	if !p.take(token) {
		p.fail("expected " + token)
	}
}

func (p *literalParser) quoted() string {
	for _, q := range []string{"'", `"`} {
		if p.take(q) {
			body, rest, ok := strings.Cut(p.s, q)
			if !ok || strings.Contains(body, `\`) {
				p.fail("unfinished string")
			}
			p.s = rest
			return body
		}
	}
	p.fail("expected a string")
	return ""
}

func (p *literalParser) tuple() Shape {
	s := Shape{}
	p.want("(")
	for p.err == nil && !p.take(")") {
		p.peek("")
		end := 0
		for end < len(p.s) && p.s[end] >= '0' && p.s[end] <= '9' {
			end++
		}
		n, err := strconv.Atoi(p.s[:end])
		if err != nil {
			p.fail("a size is no number")
			break
		}
		s = append(s, n)
		p.s = strings.TrimPrefix(p.s[end:], "L") // Python 2's long
		if !p.take(",") && !p.peek(")") {
			p.fail("expected , or )")
		}
		if len(s) > 64 {
			p.fail("more than 64 axes")
		}
	}
	return s
}

var npyCodes = map[string]DType{
	"b1": Bool, "i1": Int8, "i2": Int16, "i4": Int32, "i8": Int64, "u1": Uint8, "u2": Uint16, "u4": Uint32, "u8": Uint64,
	"f2": Float16, "f4": Float32, "f8": Float64, "c8": Complex64, "c16": Complex128, "f1": Float8E5M2, "V2": BFloat16,
}

func parseDescr(s string, as DType) (d DType, big bool, err error) {
	order, code := "|", s
	if s != "" && strings.Contains("<>|=", s[:1]) {
		order, code = s[:1], s[1:]
	}
	d, ok := npyCodes[code]
	if code == "V1" || code == "V2" {
		if as != Invalid {
			if narrow := as.Kind() == KindFloat || as.IsInteger(); !narrow || strconv.Itoa(as.Size()) != code[1:] {
				return Invalid, false, fmt.Errorf("elements of %s cannot be read as %s", s, as)
			}
			d, ok = as, true
		} else if !ok {
			return Invalid, false, fmt.Errorf("elements of %s are some type of ml_dtypes, but the file does not say which; name it with ReadNpyAs", s)
		}
	}
	if !ok {
		return Invalid, false, fmt.Errorf("elements of type %q are not supported: only bool, integers, floats and complex numbers are", s)
	}
	return d, order == ">", nil
}

func swapBytes(raw []byte, d DType) {
	size := d.Real().Size()
	for i := 0; i+size <= len(raw); i += size {
		slices.Reverse(raw[i : i+size])
	}
}

// fromFortran copies data in column-major order to row-major.
func fromFortran(b *Buffer) *Buffer {
	out := NewBuffer(b.dtype, b.shape)
	size, rank := b.dtype.Size(), len(b.shape)
	steps := make([]int, rank) // of each axis in the source
	n := 1
	for a, d := range b.shape {
		steps[a] = n
		n *= d
	}
	index := make([]int, rank)
	src := 0
	for dst := 0; dst < len(out.data); dst += size {
		copy(out.data[dst:dst+size], b.data[src*size:])
		for a := rank - 1; a >= 0; a-- {
			index[a]++
			src += steps[a]
			if index[a] < b.shape[a] {
				break
			}
			src -= index[a] * steps[a]
			index[a] = 0
		}
	}
	return out
}

// WriteNpy writes x in NumPy's .npy format, little-endian and row-major. bfloat16 and the narrower types, which NumPy has
// no names for, are written as ml_dtypes does. It reports a ConcretizationError for a traced value and a DTypeError for
// keys: save their words.
func WriteNpy(w io.Writer, x *Array) error {
	b, err := x.Host()
	if err != nil {
		return err
	}
	descr, err := npyDescr(b.dtype)
	if err != nil {
		return err
	}
	header := fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': %s, }", descr, MakeInts(b.shape...))
	// Magic, version, length and header together fill a multiple of 64 bytes, so that the data is aligned in the file.
	start, version := len(npyMagic)+4, byte(1)
	if len(header)+64 > math.MaxUint16 {
		start, version = start+2, 2
	}
	header += strings.Repeat(" ", 63-(start+len(header))%64) + "\n"
	out := append([]byte(npyMagic), version, 0)
	if version == 1 {
		out = binary.LittleEndian.AppendUint16(out, uint16(len(header)))
	} else {
		out = binary.LittleEndian.AppendUint32(out, uint32(len(header)))
	}
	if _, err := w.Write(append(out, header...)); err != nil {
		return err
	}
	_, err = w.Write(b.data)
	return err
}

func npyDescr(d DType) (string, error) {
	for code, t := range npyCodes {
		if t == d {
			if d.Size() == 1 && d != Float8E5M2 {
				return "|" + code, nil
			}
			return "<" + code, nil
		}
	}
	switch d.Kind() {
	case KindFloat, KindInt, KindUint:
		return "<V" + strconv.Itoa(d.Size()), nil
	}
	return "", DTypeErrorf("npy cannot hold elements of %s; for keys save their uint32 words", d)
}
