package hlo

import (
	"strconv"

	"github.com/pantograph-go/pantograph/array"
)

// The special pieces of operations with regions: reduce, while, scan.

type (
	reducePiece struct{} // (%x init: %i) applies stablehlo.add across dimensions = [0] : …, or with a reducer region
	whilePiece  struct{} // (%arg = %init) : types cond {…} do {…}
	scanPiece   struct{} // (%xs) inits (%is) dimension=0 {…} : …
)

// commutative are the operations that reduce may name instead of writing a region.
var commutative = map[string]bool{
	"stablehlo.add": true, "stablehlo.multiply": true, "stablehlo.maximum": true, "stablehlo.minimum": true,
	"stablehlo.and": true, "stablehlo.or": true, "stablehlo.xor": true,
}

func (reducePiece) print(p *formPrinter) bool {
	dims, ok := int64s(p.Attr("dimensions"))
	n := len(p.Operands) / 2
	if !ok || n == 0 || len(p.Operands) != 2*n || len(p.Regions) != 1 || len(p.Regions[0].Blocks) != 1 {
		return false
	}
	body := p.Regions[0].Block()
	if len(body.Args) != 2*n || len(body.Ops) == 0 {
		return false
	}
	for i := range n {
		if i > 0 {
			p.text(", ")
		}
		p.text("(")
		p.value(p.Operands[i])
		p.text(" init: ")
		p.value(p.Operands[n+i])
		p.text(")")
	}
	inner := appliedOp(p.Op)
	if inner != "" {
		p.text(" applies " + inner)
	}
	p.text(" across dimensions = [")
	for i, d := range dims {
		if i > 0 {
			p.text(", ")
		}
		p.b = strconv.AppendInt(p.b, d, 10)
	}
	p.text("]")
	dictPiece{}.print(p)
	p.text(" : ")
	p.functional(p.Op)
	if inner != "" {
		return true
	}
	p.newline()
	p.text(" reducer")
	for i := range n {
		p.text("(")
		p.argument(body.Args[i])
		p.text(", ")
		p.argument(body.Args[n+i])
		p.text(") ")
	}
	p.text(" ")
	p.block(p.Regions[0], false)
	return true
}

func (p *formPrinter) argument(v *Value) {
	p.value(v)
	p.text(": ")
	p.b = appendType(p.b, v.Type)
}

// appliedOp is the name of the one commutative operation that a reduction's region consists of, or empty.
func appliedOp(o *Op) string {
	body := o.Regions[0].Block()
	if len(body.Ops) != 2 || len(body.Args) != 2 {
		return ""
	}
	inner, ret := body.Ops[0], body.Ops[1]
	if !commutative[inner.Name] || len(inner.Attrs) > 0 || len(inner.Operands) != 2 || len(inner.Results) != 1 ||
		ret.Name != "stablehlo.return" || len(ret.Operands) != 1 || ret.Operands[0] != inner.Results[0] || len(ret.Attrs) > 0 {
		return ""
	}
	elem := scalarOf(o.Operands[0].Tensor())
	for i, v := range inner.Operands {
		if v != body.Args[i] || !EqualType(v.Type, elem) {
			return ""
		}
	}
	if !EqualType(inner.Results[0].Type, elem) {
		return ""
	}
	return inner.Name
}

// scalarOf is the rank-0 tensor of t's elements.
func scalarOf(t Tensor) Tensor {
	t.Shape, t.Encoding = nil, nil
	return t
}

func (whilePiece) print(p *formPrinter) bool {
	if len(p.Regions) != 2 || len(p.Regions[0].Blocks) != 1 || len(p.Regions[1].Blocks) != 1 || len(p.Results) != len(p.Operands) {
		return false
	}
	cond, body := p.Regions[0].Block(), p.Regions[1].Block()
	if len(cond.Args) != len(p.Operands) || len(body.Args) != len(p.Operands) {
		return false
	}
	for i, v := range p.Operands {
		for _, u := range []*Value{p.Results[i], cond.Args[i], body.Args[i]} {
			if !EqualType(u.Type, v.Type) {
				return false
			}
		}
		if p.names[cond.Args[i]] != p.names[body.Args[i]] {
			return false
		}
	}
	p.text("(")
	for i, v := range p.Operands {
		if i > 0 {
			p.text(", ")
		}
		p.value(body.Args[i])
		p.text(" = ")
		p.value(v)
	}
	p.text(")")
	if len(p.Operands) > 0 {
		p.text(" : ")
		p.punct, p.space = true, false
		operandTypes{}.print(p)
	}
	p.keywordAttrs(p.Attrs)
	p.newline()
	p.text("cond ")
	p.block(p.Regions[0], false)
	p.text(" do ")
	p.block(p.Regions[1], false)
	return true
}

func (scanPiece) print(p *formPrinter) bool {
	sizes, ok1 := p.Attr("operandSegmentSizes").(DenseArray)
	outs, ok2 := p.Attr("resultSegmentSizes").(DenseArray)
	dim, ok3 := p.Attr("dimension").(Int)
	if !ok1 || !ok2 || !ok3 || dim.Type != "i64" || sizes.Elem != array.Int32 || outs.Elem != array.Int32 || len(sizes.Ints) != 2 || len(outs.Ints) != 2 || len(p.Regions) != 1 ||
		outs.Ints[1] != sizes.Ints[1] || sizes.Ints[0]+sizes.Ints[1] != int64(len(p.Operands)) ||
		outs.Ints[0]+outs.Ints[1] != int64(len(p.Results)) || sizes.Ints[0] < 0 || sizes.Ints[1] < 0 {
		return false
	}
	n := int(sizes.Ints[0])
	p.text("(")
	p.values(p.Operands[:n])
	p.text(") inits (")
	p.values(p.Operands[n:])
	p.text(") dimension=" + strconv.FormatInt(dim.Value, 10) + " ")
	var rest Attrs
	for _, a := range p.Attrs {
		if !p.form.shown[a.Name] {
			rest = append(rest, a)
		}
	}
	p.keywordAttrs(rest)
	p.text(" ")
	p.block(p.Regions[0], true)
	p.text(" : ")
	p.functional(p.Op)
	return true
}
