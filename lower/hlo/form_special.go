package hlo

import (
	"strconv"
	"strings"

	"github.com/pantograph-go/pantograph/array"
)

// The special pieces of single operations: constants, slices, calls, dots, convolutions.

type (
	constantPiece    struct{}                 // dense<…> : type, which is the result's type
	typedConstant    struct{}                 // arith: any typed attribute, whose type is the result's
	exponentMantissa struct{}                 // e5m10
	sliceRanges      struct{}                 // [0:2, 1:7:2]
	callTarget       struct{}                 // @target
	compositeRegions struct{}                 // ({…}, {…})
	meshPiece        struct{}                 // @mesh = <["x"=2]>
	returnPiece      struct{}                 // %0, %1 {attrs} : a, b
	dotDimsPiece     struct{}                 // batching_dims = [0] x [0], contracting_dims = [1] x [0]
	convDimsPiece    struct{}                 // [b, 0, f]x[0, i, o]->[b, 0, f]
	windowPiece      struct{}                 // stride = [1, 1], pad = [[0, 1], [0, 1]]
	precisionPiece   struct{ algorithm bool } // , precision = [HIGH, HIGH], algorithm = <…>
)

func (constantPiece) print(p *formPrinter) bool {
	if len(p.Results) != 1 || len(p.Operands) != 0 {
		return false
	}
	v := p.Attr("value")
	switch v := v.(type) {
	case *Dense:
		if !EqualType(v.Type, p.Results[0].Type) {
			return false
		}
	case DenseResource:
		if !EqualType(v.Type, p.Results[0].Type) {
			return false
		}
	default:
		return false
	}
	dictPiece{}.print(p)
	p.gap()
	p.attr(v)
	return true
}

func (typedConstant) print(p *formPrinter) bool {
	if len(p.Results) != 1 {
		return false
	}
	v := p.Attr("value")
	if t := attrType(v); t == nil || !EqualType(t, p.Results[0].Type) {
		return false
	}
	dictPiece{}.print(p)
	p.gap()
	p.attr(v)
	return true
}

// attrType is the type that the spelling of a typed attribute ends in.
func attrType(a Attr) Type {
	switch a := a.(type) {
	case *Dense:
		return a.Type
	case DenseResource:
		return a.Type
	case DenseStrings:
		return a.Type
	case Int:
		return Scalar{a.Type}
	case Float:
		return Scalar{a.Type}
	case Bool:
		return Scalar{"i1"}
	}
	return nil
}

func (exponentMantissa) print(p *formPrinter) bool {
	e, ok1 := p.Attr("exponent_bits").(Int)
	m, ok2 := p.Attr("mantissa_bits").(Int)
	if !ok1 || !ok2 || e.Value < 0 || m.Value < 0 || e.Type != "i32" || m.Type != "i32" {
		return false
	}
	p.gap()
	p.text("e" + strconv.FormatInt(e.Value, 10) + "m" + strconv.FormatInt(m.Value, 10))
	return true
}

func (sliceRanges) print(p *formPrinter) bool {
	start, ok1 := int64s(p.Attr("start_indices"))
	limit, ok2 := int64s(p.Attr("limit_indices"))
	stride, ok3 := int64s(p.Attr("strides"))
	if !ok1 || !ok2 || !ok3 || len(start) != len(limit) || len(start) != len(stride) {
		return false
	}
	p.gap()
	p.text("[")
	for i := range start {
		if i > 0 {
			p.text(", ")
		}
		p.b = strconv.AppendInt(p.b, start[i], 10)
		p.b = strconv.AppendInt(append(p.b, ':'), limit[i], 10)
		if stride[i] != 1 {
			p.b = strconv.AppendInt(append(p.b, ':'), stride[i], 10)
		}
	}
	p.text("]")
	return true
}

// int64s is the list behind array<i64: …>.
func int64s(a Attr) ([]int64, bool) {
	d, ok := a.(DenseArray)
	return d.Ints, ok && d.Elem == array.Int64
}

func (callTarget) print(p *formPrinter) bool {
	s, ok := p.Attr("call_target_name").(String)
	if !ok {
		return false
	}
	p.gap()
	p.b = appendSymbol(p.b, s.Value)
	p.space, p.punct = true, false
	return true
}

func (compositeRegions) print(p *formPrinter) bool {
	if len(p.Regions) == 0 {
		return true
	}
	p.text(" (")
	for i, r := range p.Regions {
		if i > 0 {
			p.text(", ")
		}
		p.block(r, true)
	}
	p.text(")")
	return true
}

const meshAttr = "#sdy.mesh"

func (meshPiece) print(p *formPrinter) bool {
	name, ok1 := p.Attr("sym_name").(String)
	mesh, ok2 := p.Attr("mesh").(Raw)
	body, ok3 := strings.CutPrefix(mesh.Text, meshAttr)
	if !ok1 || !ok2 || !ok3 {
		return false
	}
	p.gap()
	p.b = appendSymbol(p.b, name.Value)
	p.text(" = " + body)
	return true
}

func (returnPiece) print(p *formPrinter) bool {
	if len(p.Operands) > 0 {
		p.gap()
		p.values(p.Operands)
	}
	dictPiece{}.print(p)
	if len(p.Operands) > 0 {
		p.text(" : ")
		p.punct, p.space = true, false
		return operandTypes{}.print(p)
	}
	return true
}

// pairOfDims writes name = [0] x [1].
func (p *formPrinter) pairOfDims(name string, lhs, rhs []int) {
	p.text(name + " = ")
	p.b = appendDims(p.b, lhs)
	p.b = appendDims(append(p.b, " x "...), rhs)
}

func (dotDimsPiece) print(p *formPrinter) bool {
	d, ok := p.Attr("dot_dimension_numbers").(DotDims)
	if !ok {
		return false
	}
	p.gap()
	if len(d.LHSBatch)+len(d.RHSBatch) > 0 {
		p.pairOfDims("batching_dims", d.LHSBatch, d.RHSBatch)
		p.text(", ")
	}
	p.pairOfDims("contracting_dims", d.LHSContracting, d.RHSContracting)
	return true
}

func (q precisionPiece) print(p *formPrinter) bool {
	if a := p.Attr("precision_config"); a != nil {
		list, ok := a.(Array)
		if !ok {
			return false
		}
		p.text(", precision = [")
		for i, x := range list {
			e, ok := x.(Enum)
			if !ok || e.Kind != "precision" || e.Dialect != "stablehlo" {
				return false
			}
			if i > 0 {
				p.text(", ")
			}
			p.text(e.Value)
		}
		p.text("]")
	}
	if a := p.Attr("algorithm"); q.algorithm && a != nil {
		alg, ok := a.(DotAlgorithm)
		if !ok {
			return false
		}
		p.text(", algorithm = ")
		p.b = appendAlgorithm(p.b, alg)
	}
	p.space, p.punct = true, false
	return true
}

func (convDimsPiece) print(p *formPrinter) bool {
	d, ok := p.Attr("dimension_numbers").(ConvDims)
	if !ok {
		return false
	}
	p.gap()
	at := len(p.b)
	p.b = appendConvDims(p.b, d)
	return !strings.HasPrefix(string(p.b[at:]), "raw")
}

// windowFields are the names in the form, in order, with those of the attributes.
var windowFields = [...]struct{ short, attr string }{
	{"stride", "window_strides"}, {"pad", "padding"}, {"lhs_dilate", "lhs_dilation"}, {"rhs_dilate", "rhs_dilation"},
	{"reverse", "window_reversal"},
}

func (windowPiece) print(p *formPrinter) bool {
	some := false
	for _, f := range windowFields {
		a := p.Attr(f.attr)
		if a == nil {
			continue
		}
		if some {
			p.text(", ")
		}
		some = true
		p.text(f.short + " = [")
		switch a := a.(type) {
		case DenseArray:
			for i, v := range a.Ints {
				if i > 0 {
					p.text(", ")
				}
				if a.Elem == array.Bool {
					p.b = strconv.AppendBool(p.b, v != 0)
				} else {
					p.b = strconv.AppendInt(p.b, v, 10)
				}
			}
		case *Dense:
			if !printPadding(p, a) {
				return false
			}
		default:
			return false
		}
		p.text("]")
	}
	p.space, p.punct = false, true // nothing before the closing brace
	return true
}

// printPadding writes [0, 1], [0, 1] of an n×2 tensor.
func printPadding(p *formPrinter, d *Dense) bool {
	s := d.Type.Shape
	if len(s) != 2 || s[1] != 2 || d.Type.Elem != array.Int64 || d.Splat && (s[0] == 0 || s[0] > maxRank) {
		return false
	}
	for i := range s[0] {
		if i > 0 {
			p.text(", ")
		}
		lo, hi := 2*i, 2*i+1
		if d.Splat {
			lo, hi = 0, 0
		}
		p.b = strconv.AppendInt(append(p.b, '['), d.Data.Int(lo), 10)
		p.b = strconv.AppendInt(append(p.b, ", "...), d.Data.Int(hi), 10)
		p.text("]")
	}
	return true
}
