package hlo

import (
	"math"
	"strings"
)

// hashAttr reads what begins with #: an alias, an enumeration, a structured attribute of StableHLO, or an attribute of
// another dialect, which is kept as text.
func (p *parser) hashAttr() Attr {
	start, end := p.tok.start, p.tok.end
	name := p.text()
	bracket := end < len(p.src) && p.src[end] == '<'
	if strings.IndexByte(name, '.') < 0 && !bracket {
		return p.attrAlias()
	}
	switch name {
	case "#stablehlo", "#chlo":
		return p.enum(name[1:])
	case "#stablehlo.bounds":
		p.next()
		return p.bounds()
	}
	if read := structured[name]; read != nil {
		p.next()
		p.expect('<')
		return read(p)
	}
	if bracket {
		end = p.balanced(end)
	}
	p.reset(end)
	return Raw{strings.Clone(p.src[start:end])}
}

// enum reads <kind VALUE>; anything else in the brackets is kept as text.
func (p *parser) enum(dialect string) Attr {
	start := p.tok.start
	p.next()
	p.expect('<')
	if p.tok.kind == tIdent {
		e := Enum{Dialect: dialect, Kind: p.word(p.text())}
		p.next()
		if p.tok.kind == tIdent && isEnum(e.Kind) {
			e.Value = p.word(p.text())
			p.next()
			p.expect('>')
			return e
		}
	}
	end := p.balanced(start + 1 + len(dialect))
	p.reset(end)
	return Raw{strings.Clone(p.src[start:end])}
}

// structured reads attributes by name; the parser stands behind the opening bracket.
var structured map[string]func(*parser) Attr

func init() {
	structured = map[string]func(*parser) Attr{
		"#stablehlo.scatter":              (*parser).scatterDims,
		"#stablehlo.gather":               (*parser).gatherDims,
		"#stablehlo.dot":                  (*parser).dotDims,
		"#chlo.ragged_dot":                (*parser).raggedDotDims,
		"#stablehlo.dot_algorithm":        (*parser).dotAlgorithm,
		"#stablehlo.conv":                 (*parser).convAttr,
		"#stablehlo.channel_handle":       (*parser).channelHandle,
		"#stablehlo.output_operand_alias": (*parser).outputAlias,
		"#stablehlo.type_extensions":      (*parser).typeExtensions,
		"#stablehlo.result_accuracy":      (*parser).resultAccuracy,

		"#stablehlo.replica_group_mesh_axes": (*parser).meshGroups,
		"#stablehlo.axis_ref":                (*parser).axisRef,
		"#stablehlo.mesh":                    (*parser).mesh,
		"#stablehlo.mesh_axis":               (*parser).meshAxis,
	}
}

// field is a name of a structured attribute and what reads its value.
type field struct {
	name string
	read func()
}

// allFields reads name = value, … in any order, none left out, up to the closing bracket.
func (p *parser) allFields(fields ...field) {
	if p.fieldsUntil(fields...) != 1<<len(fields)-1 {
		names := make([]string, len(fields))
		for i, f := range fields {
			names[i] = f.name
		}
		p.fail(p.tok.start, "expected all of %s before this", strings.Join(names, ", "))
	}
}

// fieldsUntil reads name = value, … in any order up to the closing bracket and returns which were there, a bit each.
func (p *parser) fieldsUntil(fields ...field) (seen int) {
	for p.tok.kind != '>' {
		found := false
		for i, f := range fields {
			if !p.is(f.name) {
				continue
			}
			if seen&(1<<i) != 0 {
				p.fail(p.tok.start, "%s is given twice", f.name)
			}
			seen |= 1 << i
			found = true
			p.next()
			p.expect('=')
			f.read()
			break
		}
		if !found {
			names := make([]string, len(fields))
			for i, f := range fields {
				names[i] = f.name
			}
			p.expected("one of " + strings.Join(names, ", "))
		}
		if !p.accept(',') {
			break
		}
	}
	p.expect('>')
	return seen
}

func (p *parser) dimsField(name string, to *[]int) field {
	return field{name, func() { *to = p.ints() }}
}

func (p *parser) intField(name string, to *int) field {
	return field{name, func() { *to = p.smallInt() }}
}

// smallInt reads an integer that numbers a dimension or counts something.
func (p *parser) smallInt() int {
	pos := p.tok.start
	v := p.integer()
	if v > math.MaxInt32 || v < math.MinInt32 {
		p.fail(pos, "%d is out of range", v)
	}
	return int(v)
}

func (p *parser) scatterDims() Attr {
	var d ScatterDims
	p.fieldsUntil(p.dimsField("update_window_dims", &d.UpdateWindow), p.dimsField("inserted_window_dims", &d.InsertedWindow),
		p.dimsField("input_batching_dims", &d.InputBatching),
		p.dimsField("scatter_indices_batching_dims", &d.ScatterIndicesBatching),
		p.dimsField("scatter_dims_to_operand_dims", &d.ScatterToOperand), p.intField("index_vector_dim", &d.IndexVectorDim))
	return d
}

func (p *parser) gatherDims() Attr {
	var d GatherDims
	p.fieldsUntil(p.dimsField("offset_dims", &d.Offset), p.dimsField("collapsed_slice_dims", &d.CollapsedSlice),
		p.dimsField("operand_batching_dims", &d.OperandBatching),
		p.dimsField("start_indices_batching_dims", &d.StartIndicesBatching), p.dimsField("start_index_map", &d.StartIndexMap),
		p.intField("index_vector_dim", &d.IndexVectorDim))
	return d
}

func (p *parser) dotDims() Attr {
	var d DotDims
	p.fieldsUntil(p.dimsField("lhs_batching_dimensions", &d.LHSBatch), p.dimsField("rhs_batching_dimensions", &d.RHSBatch),
		p.dimsField("lhs_contracting_dimensions", &d.LHSContracting),
		p.dimsField("rhs_contracting_dimensions", &d.RHSContracting))
	return d
}

func (p *parser) raggedDotDims() Attr {
	var d RaggedDotDims
	p.fieldsUntil(p.dimsField("lhs_batching_dimensions", &d.LHSBatch), p.dimsField("rhs_batching_dimensions", &d.RHSBatch),
		p.dimsField("lhs_contracting_dimensions", &d.LHSContracting),
		p.dimsField("rhs_contracting_dimensions", &d.RHSContracting),
		p.dimsField("lhs_ragged_dimensions", &d.LHSRagged), p.dimsField("rhs_group_dimensions", &d.RHSGroup))
	return d
}

func (p *parser) dotAlgorithm() Attr {
	var a DotAlgorithm
	typ := func(name string, to *string) field { return field{name, func() { *to = p.typ().String() }} }
	p.allFields(typ("lhs_precision_type", &a.LHSPrecision), typ("rhs_precision_type", &a.RHSPrecision),
		typ("accumulation_type", &a.Accumulation), p.intField("lhs_component_count", &a.LHSComponents),
		p.intField("rhs_component_count", &a.RHSComponents), p.intField("num_primitive_operations", &a.Primitive),
		field{"allow_imprecise_accumulation", func() { a.AllowImprecise = p.boolean() }})
	return a
}

func (p *parser) boolean() bool {
	if p.acceptWord("true") {
		return true
	}
	if !p.acceptWord("false") {
		p.expected("true or false")
	}
	return false
}

func (p *parser) channelHandle() Attr {
	var c ChannelHandle
	p.allFields(field{"handle", func() { c.Handle = p.integer() }}, field{"type", func() { c.Type = p.integer() }})
	return c
}

func (p *parser) outputAlias() Attr {
	var a OutputAlias
	p.allFields(p.dimsField("output_tuple_indices", &a.OutputTuple), p.intField("operand_index", &a.Operand),
		p.dimsField("operand_tuple_indices", &a.OperandTuple))
	return a
}

func (p *parser) typeExtensions() Attr {
	var b []int
	p.allFields(p.dimsField("bounds", &b))
	return Bounds(b)
}

// bounds reads <3, ?>.
func (p *parser) bounds() Attr {
	b := Bounds{}
	p.expect('<')
	for p.tok.kind != '>' {
		if p.accept('?') {
			b = append(b, Dynamic)
		} else {
			b = append(b, int(p.integer()))
		}
		if !p.accept(',') {
			break
		}
	}
	p.expect('>')
	return b
}

func (p *parser) resultAccuracy() Attr {
	var a ResultAccuracy
	seen := p.fieldsUntil(field{"atol", func() { a.ATol = p.float() }}, field{"rtol", func() { a.RTol = p.float() }},
		field{"ulps", func() { a.ULPs = p.integer() }},
		field{"mode", func() {
			if !p.is("#stablehlo.result_accuracy_mode") {
				p.expected("#stablehlo.result_accuracy_mode<…>")
			}
			p.next()
			p.expect('<')
			a.Mode = p.word(p.take(tIdent, "DEFAULT, HIGHEST or TOLERANCE"))
			p.expect('>')
		}})
	if seen < 1<<3 {
		p.fail(p.tok.start, "expected the mode of an accuracy before this")
	}
	return a
}

// convAttr reads [b, 0, f]x[0, i, o]->[b, 0, f] or the raw form with a field for each number.
func (p *parser) convAttr() Attr {
	if !p.acceptWord("raw") {
		d := p.convDims()
		p.expect('>')
		return d
	}
	var d ConvDims
	p.fieldsUntil(p.intField("input_batch_dimension", &d.InputBatch), p.intField("input_feature_dimension", &d.InputFeature),
		p.dimsField("input_spatial_dimensions", &d.InputSpatial),
		p.intField("kernel_input_feature_dimension", &d.KernelInputFeature),
		p.intField("kernel_output_feature_dimension", &d.KernelOutputFeature),
		p.dimsField("kernel_spatial_dimensions", &d.KernelSpatial), p.intField("output_batch_dimension", &d.OutputBatch),
		p.intField("output_feature_dimension", &d.OutputFeature), p.dimsField("output_spatial_dimensions", &d.OutputSpatial))
	return d
}

func (p *parser) convDims() ConvDims {
	var d ConvDims
	d.InputBatch, d.InputFeature, d.InputSpatial = p.convSide("b", "f")
	p.expectWord("x")
	d.KernelInputFeature, d.KernelOutputFeature, d.KernelSpatial = p.convSide("i", "o")
	if p.tok.kind != tArrow {
		p.expected("'->'")
	}
	p.next()
	d.OutputBatch, d.OutputFeature, d.OutputSpatial = p.convSide("b", "f")
	return d
}

// convSide reads [b, 0, 1, f]: which place has which meaning.
func (p *parser) convSide(first, second string) (a, b int, spatial []int) {
	a, b = -1, -1
	place := map[int]int{}
	p.expect('[')
	for i := 0; ; i++ {
		switch {
		case p.tok.kind == tInt:
			pos := p.tok.start
			n := p.smallInt()
			if _, twice := place[n]; twice {
				p.fail(pos, "the spatial dimension %d is given twice", n)
			}
			place[n] = i
		case p.is(first) && a < 0:
			a = i
			p.next()
		case p.is(second) && b < 0:
			b = i
			p.next()
		default:
			p.expected("a spatial dimension, " + first + " or " + second)
		}
		if !p.accept(',') {
			break
		}
	}
	if a < 0 || b < 0 {
		p.expected("the dimensions " + first + " and " + second)
	}
	spatial = make([]int, len(place))
	for n := range spatial {
		i, ok := place[n]
		if !ok {
			p.fail(p.tok.start, "the spatial dimension %d is missing", n)
		}
		spatial[n] = i
	}
	p.expect(']')
	return a, b, spatial
}
