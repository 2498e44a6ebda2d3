package hlo

import (
	"bytes"
	"io"
	"strconv"
	"strings"
)

// Options control printing. The zero value is what String uses.
type Options struct {
	Locations bool // write loc(…) behind every operation and function that has one
	Generic   bool // write every operation in the generic form
}

// String prints the module in the form MLIR's own printer gives it; Parse reads it back.
func (m *Module) String() string { return string(Options{}.Append(nil, m)) }

// Print writes the module to w.
func (m *Module) Print(w io.Writer) error {
	_, err := w.Write(Options{}.Append(nil, m))
	return err
}

// Format prints the module under the options.
func (o Options) Format(m *Module) string { return string(o.Append(nil, m)) }

// Append prints the module behind b.
func (o Options) Append(b []byte, m *Module) []byte {
	p := &printer{b: b, opt: o, namer: newNamer()}
	p.module(m)
	p.resources(m)
	return p.b
}

// String prints the operation alone: its operands are numbered as if it were all there is.
func (o *Op) String() string {
	p := &printer{namer: newNamer()}
	for _, v := range o.Operands {
		if _, ok := p.names[v]; !ok {
			p.names[v] = p.unique("arg" + strconv.Itoa(p.arg))
			p.arg++
		}
	}
	p.region(&Region{Blocks: []*Block{{Ops: []*Op{o}}}}, "")
	p.op(o)
	return string(bytes.TrimSpace(p.b))
}

type printer struct {
	namer
	b      []byte
	opt    Options
	depth  int
	inFunc bool // directly in a function's body, where call and return go without their dialect
}

func (p *printer) text(s string) { p.b = append(p.b, s...) }
func (p *printer) attr(a Attr)   { p.b = appendAttr(p.b, a, false) }

func (p *printer) newline() {
	p.b = append(p.b, '\n')
	for range p.depth {
		p.b = append(p.b, "  "...)
	}
}

// start begins a line.
func (p *printer) start() {
	for range p.depth {
		p.b = append(p.b, "  "...)
	}
}

func (p *printer) loc(l Loc) {
	if p.opt.Locations && l != (Loc{}) {
		p.b = appendLoc(append(p.b, ' '), l)
	}
}

// keywordAttrs writes ` attributes {…}` where there are any.
func (p *printer) keywordAttrs(a Attrs) {
	if len(a) > 0 {
		p.text(" attributes ")
		p.b = appendDict(p.b, a)
	}
}

func (p *printer) module(m *Module) {
	p.start()
	p.text("module")
	if m.Name != "" {
		p.b = appendSymbol(append(p.b, ' '), m.Name)
	}
	p.keywordAttrs(m.Attrs)
	p.text(" {\n")
	p.depth++
	p.namer.start(&Region{Blocks: []*Block{{Ops: m.Other}}})
	for _, op := range m.Other {
		p.op(op)
	}
	for _, f := range m.Funcs {
		p.function(f)
	}
	for _, n := range m.Nested {
		p.module(n)
	}
	p.depth--
	p.start()
	p.text("}\n")
}

func (p *printer) function(f *Func) {
	p.start()
	p.text("func.func ")
	attrs := f.Attrs
	switch v := attrs.Get("sym_visibility"); {
	case f.Private:
		p.text("private ")
	case v == String{"public"} || v == String{"nested"}:
		p.text(v.(String).Value + " ")
		attrs = attrs.Set("sym_visibility", nil)
	}
	p.b = appendSymbol(p.b, f.Name)
	p.text("(")
	if f.Body != nil {
		p.namer.start(f.Body)
	}
	for i, t := range f.In {
		if i > 0 {
			p.text(", ")
		}
		if f.Body != nil {
			p.value(f.Args()[i])
			p.text(": ")
		}
		p.b = appendType(p.b, t)
		p.attrsOf(f.ArgAttrs, i)
	}
	p.text(")")
	p.functionResults(f)
	p.keywordAttrs(attrs)
	if f.Body != nil {
		p.text(" ")
		p.inFunc = true
		p.block(f.Body, false)
		p.inFunc = false
	}
	p.loc(f.Loc)
	p.text("\n")
}

func (p *printer) functionResults(f *Func) {
	if len(f.Out) == 0 {
		return
	}
	p.text(" -> ")
	if f.ResultAttrs == nil {
		p.b = appendResults(p.b, f.Out)
		return
	}
	p.text("(")
	for i, t := range f.Out {
		if i > 0 {
			p.text(", ")
		}
		p.b = appendType(p.b, t)
		p.attrsOf(f.ResultAttrs, i)
	}
	p.text(")")
}

// attrsOf writes ` {…}` of parameter or result i, where it has attributes.
func (p *printer) attrsOf(a []Attrs, i int) {
	if i < len(a) && len(a[i]) > 0 {
		p.b = appendDict(append(p.b, ' '), a[i])
	}
}

// block writes a region in braces. header asks for the first block's label, which a form that names the arguments
// elsewhere leaves away.
func (p *printer) block(r *Region, header bool) {
	p.text("{\n")
	for i, b := range r.Blocks {
		if i > 0 || header && len(b.Args) > 0 || len(r.Blocks) > 1 {
			p.start()
			p.text("^bb" + strconv.Itoa(i))
			if len(b.Args) > 0 {
				p.text("(")
				for j, a := range b.Args {
					if j > 0 {
						p.text(", ")
					}
					p.value(a)
					p.text(": ")
					p.b = appendType(p.b, a.Type)
				}
				p.text(")")
			}
			p.text(":\n")
		}
		p.depth++
		for _, op := range b.Ops {
			p.op(op)
		}
		p.depth--
	}
	p.start()
	p.text("}")
}

func (p *printer) value(v *Value) {
	name, ok := p.names[v]
	if !ok {
		name = "<<unknown>>"
	}
	p.b = append(append(p.b, '%'), name...)
}

func (p *printer) values(vs []*Value) {
	for i, v := range vs {
		if i > 0 {
			p.text(", ")
		}
		p.value(v)
	}
}

// op writes an operation on its own line.
func (p *printer) op(o *Op) {
	p.start()
	if len(o.Results) > 0 {
		name := p.names[o.Results[0]]
		if group, ok := strings.CutSuffix(name, "#0"); ok {
			p.text("%" + group + ":" + strconv.Itoa(len(o.Results)))
		} else {
			p.values(o.Results)
		}
		p.text(" = ")
	}
	outer := p.inFunc
	form := p.forms[o.Name]
	if p.opt.Generic || form == nil || !form.print(p, o) {
		p.generic(o)
	}
	p.inFunc = outer
	p.loc(o.Loc)
	p.text("\n")
}

// generic writes "dialect.op"(operands) <{properties}> ({regions}) {attributes} : types.
func (p *printer) generic(o *Op) {
	p.b = append(appendString(p.b, o.Name), '(')
	p.values(o.Operands)
	p.text(")")
	inherent, other := p.forms[o.Name].split(o.Attrs)
	if len(inherent) > 0 {
		p.text(" <")
		p.b = append(appendDict(p.b, inherent), '>')
	}
	p.inFunc = false
	for i, r := range o.Regions {
		if i == 0 {
			p.text(" (")
		} else {
			p.text(", ")
		}
		p.block(r, true)
	}
	if len(o.Regions) > 0 {
		p.text(")")
	}
	if len(other) > 0 {
		p.b = appendDict(append(p.b, ' '), other)
	}
	p.text(" : ")
	p.functional(o)
}

// functional writes (operand types) -> result types.
func (p *printer) functional(o *Op) {
	p.text("(")
	for i, v := range o.Operands {
		if i > 0 {
			p.text(", ")
		}
		p.b = appendType(p.b, v.Type)
	}
	p.text(") -> ")
	if len(o.Results) == 1 {
		p.b = appendResults(p.b, []Type{o.Results[0].Type})
		return
	}
	p.text("(")
	p.resultTypes(o)
	p.text(")")
}

func (p *printer) resultTypes(o *Op) {
	for i, v := range o.Results {
		if i > 0 {
			p.text(", ")
		}
		p.b = appendType(p.b, v.Type)
	}
}

// resources writes the section of blobs that dense_resource attributes name.
func (p *printer) resources(m *Module) {
	if len(m.Resources) == 0 {
		return
	}
	p.text("\n{-#\n  dialect_resources: {\n    builtin: {\n")
	for i, r := range m.Resources {
		if i > 0 {
			p.text(",\n")
		}
		p.b = append(appendKeyword(append(p.b, "      "...), r.Key), `: "0x`...)
		align := r.Align
		blob := append([]byte{byte(align), byte(align >> 8), byte(align >> 16), byte(align >> 24)}, r.Data...)
		for _, c := range blob {
			p.b = append(p.b, upperHex[c>>4], upperHex[c&15])
		}
		p.text(`"`)
	}
	p.text("\n    }\n  }\n#-}\n")
}
