package array

import (
	"fmt"
	"strconv"
	"strings"
)

// PrintOptions are the settings of NumPy's array2string. The zero value means NumPy's defaults.
type PrintOptions struct {
	Precision     int    // digits after the point, 8 where 0
	Threshold     int    // the number of elements above which the middle is left out, 1000 where 0
	EdgeItems     int    // elements shown at each end of an axis then, 3 where 0
	LineWidth     int    // columns, 75 where 0
	Suppress      bool   // print small numbers in positional notation
	Separator     string // between elements, a space where empty
	continuedLine int    // columns that a prefix takes
}

// String prints the values as NumPy does; a traced array prints its type, as Traced<f32[3]>. It never forces a traced
// value and never panics.
func (x *Array) String() string { return x.Text(PrintOptions{}) }

// GoString prints the values with the dtype, as NumPy's repr does: Array([1., 2.], dtype=float32).
func (x *Array) GoString() string {
	s := x.Text(PrintOptions{Separator: ", ", continuedLine: len("Array(")})
	if x == nil || x.data == nil {
		return s
	}
	d := x.DType().String()
	if x.aval.Weak {
		d += ", weak_type=True"
	}
	if x.Size() == 0 && x.Rank() != 1 {
		d = "shape=" + MakeInts(x.Shape()...).String() + ", dtype=" + d
	} else {
		d = "dtype=" + d
	}
	return "Array(" + s + ", " + d + ")"
}

// Text is String with settings.
func (x *Array) Text(o PrintOptions) (s string) {
	if x == nil {
		return "<nil>"
	}
	if x.data == nil {
		return "Traced<" + x.aval.String() + ">"
	}
	defer func() {
		if r := recover(); r != nil {
			s = fmt.Sprintf("%s (values cannot be read: %v)", x.aval, r)
		}
	}()
	b, err := x.data.Host()
	if err != nil {
		return fmt.Sprintf("%s (values cannot be read: %v)", x.aval, err)
	}
	if x.aval.DType.IsKey() {
		words := &Buffer{Uint32, append(x.aval.Shape.Clone(), x.aval.DType.KeyShape()...), b.data}
		return x.aval.String() + " of\n" + words.text(o)
	}
	return b.text(o)
}

// String prints the values as NumPy does.
func (b *Buffer) String() string { return Of(b).String() }

func (b *Buffer) text(o PrintOptions) string {
	o = o.withDefaults()
	switch {
	case b.dtype == Float0:
		return "float0" + b.shape.String()
	case b.dtype == Token:
		return "Tok"
	case b.Len() == 0:
		return "[]"
	case len(b.shape) == 0 && o.continuedLine == 0:
		return b.scalarText()
	}
	p := arrayPrinter{b: b, o: o, strides: b.shape.Strides(), summary: b.Len() > o.Threshold}
	p.format = b.elementFormat(p.shown(nil, 0, 0), o)
	return p.print(0, 0, strings.Repeat(" ", 1+o.continuedLine), o.LineWidth)
}

func (o PrintOptions) withDefaults() PrintOptions {
	set := func(p *int, v int) {
		if *p == 0 {
			*p = v
		}
	}
	set(&o.Precision, 8)
	set(&o.Threshold, 1000)
	set(&o.EdgeItems, 3)
	set(&o.LineWidth, 75)
	if o.Separator == "" {
		o.Separator = " "
	}
	return o
}

// arrayPrinter lays out nested brackets: NumPy's _formatArray.
type arrayPrinter struct {
	b       *Buffer
	o       PrintOptions
	strides []int
	summary bool
	format  func(i int) string
}

// ends gives how many elements at each end of an axis are shown; all where the second is the whole size.
func (p *arrayPrinter) ends(axis int) (lead, trail int, cut bool) {
	n := p.b.shape[axis]
	if p.summary && n > 2*p.o.EdgeItems {
		return p.o.EdgeItems, p.o.EdgeItems, true
	}
	return 0, n, false
}

// shown lists the flat positions that will be printed.
func (p *arrayPrinter) shown(list []int, axis, base int) []int {
	if axis == len(p.b.shape) {
		return append(list, base)
	}
	lead, trail, _ := p.ends(axis)
	for i := range lead {
		list = p.shown(list, axis+1, base+i*p.strides[axis])
	}
	for i := p.b.shape[axis] - trail; i < p.b.shape[axis]; i++ {
		list = p.shown(list, axis+1, base+i*p.strides[axis])
	}
	return list
}

func (p *arrayPrinter) print(axis, base int, indent string, width int) string {
	left := len(p.b.shape) - axis
	if left == 0 {
		return p.format(base)
	}
	lead, trail, cut := p.ends(axis)
	n := p.b.shape[axis]
	item := func(i int) string {
		return p.print(axis+1, base+i*p.strides[axis], indent+" ", width-1)
	}
	var s strings.Builder
	if left > 1 {
		sep := strings.TrimRight(p.o.Separator, " ") + strings.Repeat("\n", left-1)
		for i := range lead {
			s.WriteString(indent + item(i) + sep)
		}
		if cut {
			s.WriteString(indent + "..." + sep)
		}
		for i := n - trail; i < n; i++ {
			s.WriteString(indent + item(i))
			if i < n-1 {
				s.WriteString(sep)
			}
		}
		return "[" + s.String()[len(indent):] + "]"
	}
	line := indent
	limit := width - max(len(strings.TrimRight(p.o.Separator, " ")), 1)
	word := func(w string) {
		if len(line)+len(w) > limit && len(line) > len(indent) {
			s.WriteString(strings.TrimRight(line, " ") + "\n")
			line = indent
		}
		line += w
	}
	for i := range lead {
		word(item(i))
		line += p.o.Separator
	}
	if cut {
		word("...")
		line += p.o.Separator
	}
	for i := n - trail; i < n; i++ {
		word(item(i))
		if i < n-1 {
			line += p.o.Separator
		}
	}
	s.WriteString(line)
	return "[" + s.String()[len(indent):] + "]"
}

// elementFormat chooses one layout for all the elements at these positions.
func (b *Buffer) elementFormat(at []int, o PrintOptions) func(int) string {
	switch b.dtype.Kind() {
	case KindBool:
		width := 5
		if len(b.shape) == 0 {
			width = 0
		}
		return func(i int) string { return fmt.Sprintf("%*s", width, boolText(b.Bool(i))) }
	case KindComplex:
		d := b.dtype.Real()
		re, im := floatLayout{d: d, o: o}, floatLayout{d: d, o: o, plus: true}
		re.fit(at, func(i int) float64 { return real(b.Complex(i)) })
		im.fit(at, func(i int) float64 { return imag(b.Complex(i)) })
		return func(i int) string {
			c := b.Complex(i)
			s := im.format(imag(c))
			end := len(strings.TrimRight(s, " "))
			return re.format(real(c)) + s[:end] + "j" + s[end:]
		}
	case KindFloat:
		l := floatLayout{d: b.dtype, o: o}
		l.fit(at, b.Float)
		return func(i int) string { return l.format(b.Float(i)) }
	}
	width := 0
	for _, i := range at {
		width = max(width, len(b.integerText(i)))
	}
	return func(i int) string { return fmt.Sprintf("%*s", width, b.integerText(i)) }
}

func (b *Buffer) integerText(i int) string {
	if b.dtype == Uint64 {
		return strconv.FormatUint(b.Uint(i), 10)
	}
	return strconv.FormatInt(b.Int(i), 10)
}
