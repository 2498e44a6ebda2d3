package hlo

// The special pieces that write types, each leaving out what follows from the rest.

// special is a piece and the attributes it shows.
type special struct {
	piece piece
	attrs []string
}

var specials = map[string]special{
	"<same>":                {piece: sameTypes{}},
	"<functional>":          {piece: functionalTypes{}},
	"<arrow>":               {piece: arrowTypes{}},
	"<result>":              {piece: resultType{}},
	"<operand-types>":       {piece: operandTypes{}},
	"<complex>":             {piece: complexTypes{}},
	"<select>":              {piece: selectTypes{}},
	"<tuple>":               {piece: tupleType{}},
	"<barrier>":             {piece: barrier{}},
	"<return>":              {piece: returnPiece{}},
	"<operands-like-value>": {piece: likeValue{}},
	"<constant>":            {constantPiece{}, []string{"value"}},
	"<typed-constant>":      {typedConstant{}, []string{"value"}},
	"<exponent-mantissa>":   {exponentMantissa{}, []string{"exponent_bits", "mantissa_bits"}},
	"<slice-ranges>":        {sliceRanges{}, []string{"start_indices", "limit_indices", "strides"}},
	"<target>":              {callTarget{}, []string{"call_target_name"}},
	"<mesh>":                {meshPiece{}, []string{"sym_name", "mesh"}},
	"<composite-regions>":   {piece: compositeRegions{}},
	"<precision>":           {precisionPiece{}, []string{"precision_config"}},
	"<precision-algorithm>": {precisionPiece{algorithm: true}, []string{"precision_config", "algorithm"}},
	"<dot-dims>":            {dotDimsPiece{}, []string{"dot_dimension_numbers"}},
	"<conv-dims>":           {convDimsPiece{}, []string{"dimension_numbers"}},
	"<window>":              {windowPiece{}, []string{"window_strides", "padding", "lhs_dilation", "rhs_dilation", "window_reversal"}},
	"<reduce>":              {reducePiece{}, []string{"dimensions"}},
	"<while>":               {piece: whilePiece{}},
	"<scan>":                {scanPiece{}, []string{"dimension", "operandSegmentSizes", "resultSegmentSizes"}},
}

type (
	sameTypes       struct{} // one type for all operands and results, or the function type
	functionalTypes struct{} // (a, b) -> c
	arrowTypes      struct{} // a, b -> c
	resultType      struct{} // the one result's type
	operandTypes    struct{} // a, b
	complexTypes    struct{} // the result's type, whose parts are the operands
	selectTypes     struct{} // the predicate's and the result's type
	tupleType       struct{} // the result's type, whose elements are the operands
	barrier         struct{} // %0, %1 : a, b or ()
	likeValue       struct{} // nothing: operands have the type of the attribute value
)

// sameType reports that all operands and results have one type, which the form's type stands for.
func sameType(o *Op) (Type, bool) {
	var t Type
	if len(o.Results) > 0 {
		t = o.Results[0].Type
	} else if len(o.Operands) > 0 {
		t = o.Operands[0].Type
	} else {
		return nil, false
	}
	for _, v := range o.Operands {
		if !EqualType(v.Type, t) {
			return nil, false
		}
	}
	return t, len(o.Results) <= 1
}

func (sameTypes) print(p *formPrinter) bool {
	t, ok := sameType(p.Op)
	switch {
	case ok:
		p.gap()
		p.b = appendType(p.b, t)
		return true
	case len(p.Results) == 1 && len(p.Operands) > 0:
		return functionalTypes{}.print(p)
	}
	return false
}

func (functionalTypes) print(p *formPrinter) bool {
	p.gap()
	p.functional(p.Op)
	return true
}

func (arrowTypes) print(p *formPrinter) bool {
	p.gap()
	operandTypes{}.print(&formPrinter{printer: p.printer, Op: p.Op, punct: true})
	p.text(" -> ")
	if len(p.Results) != 1 {
		p.text("(")
		p.resultTypes(p.Op)
		p.text(")")
		return true
	}
	p.b = appendType(p.b, p.Results[0].Type)
	return true
}

func (resultType) print(p *formPrinter) bool {
	if len(p.Results) != 1 || len(p.Operands) != 0 {
		return false
	}
	p.gap()
	p.b = appendType(p.b, p.Results[0].Type)
	return true
}

func (operandTypes) print(p *formPrinter) bool {
	p.gap()
	for i, v := range p.Operands {
		if i > 0 {
			p.text(", ")
		}
		p.b = appendType(p.b, v.Type)
	}
	return true
}

func (complexTypes) print(p *formPrinter) bool {
	if len(p.Results) != 1 || len(p.Operands) != 2 {
		return false
	}
	t := p.Results[0].Tensor()
	if part := t.With(t.Elem.Real()); !EqualType(p.Operands[0].Type, part) || !EqualType(p.Operands[1].Type, part) {
		return functionalTypes{}.print(p)
	}
	p.gap()
	p.b = appendType(p.b, t)
	return true
}

func (selectTypes) print(p *formPrinter) bool {
	if len(p.Results) != 1 || len(p.Operands) != 3 {
		return false
	}
	t := p.Results[0].Type
	if !EqualType(p.Operands[1].Type, t) || !EqualType(p.Operands[2].Type, t) {
		return functionalTypes{}.print(p)
	}
	p.gap()
	p.b = appendType(append(appendType(p.b, p.Operands[0].Type), ", "...), t)
	return true
}

func (tupleType) print(p *formPrinter) bool {
	if len(p.Results) != 1 {
		return false
	}
	t, ok := p.Results[0].Type.(Tuple)
	if !ok || len(t.Elems) != len(p.Operands) {
		return false
	}
	for i, e := range t.Elems {
		if !EqualType(e, p.Operands[i].Type) {
			return false
		}
	}
	p.gap()
	p.b = appendType(p.b, t)
	return true
}

func (barrier) print(p *formPrinter) bool {
	if len(p.Operands) != len(p.Results) {
		return false
	}
	if len(p.Operands) == 0 {
		p.text("()")
		return true
	}
	for i, v := range p.Operands {
		if !EqualType(v.Type, p.Results[i].Type) {
			return false
		}
	}
	p.gap()
	p.values(p.Operands)
	p.text(" : ")
	p.punct, p.space = true, false
	return operandTypes{}.print(p)
}

func (likeValue) print(p *formPrinter) bool {
	d, ok := p.Attr("value").(*Dense)
	if !ok {
		return false
	}
	for _, v := range p.Operands {
		if !EqualType(v.Type, d.Type) {
			return false
		}
	}
	return true
}
