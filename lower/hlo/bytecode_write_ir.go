package hlo

import (
	"encoding/binary"
	"slices"
	"strings"

	"github.com/pantograph-go/pantograph/array"
)

// Operations on their way into a bytecode file.

func (w *bytecodeWriter) opName(name string) atom {
	id, ok := w.ops[name]
	if !ok {
		id = len(w.opNames)
		w.ops[name] = id
		w.opNames = append(w.opNames, name)
	}
	return atom{kind: opAtom, value: uint64(id)}
}

// head writes the beginning of an operation: its name, what it has, its place, attributes and properties. In an encoding
// without properties the operation's own attributes stand with the others.
func (w *bytecodeWriter) head(name string, mask int, l Loc, own, other Attrs, note func(Attr) int) {
	props := -1
	var dict Attrs
	if w.version >= encodesProperties {
		dict = other
		if own != nil {
			mask |= hasProperties
			var parts []atom
			for _, n := range own {
				parts = append(parts, w.property(name, n, note))
			}
			props = w.propertyID(parts)
		}
	} else {
		for _, n := range own {
			if n.Value != nil {
				dict = append(dict, n)
			}
		}
		dict = append(dict, other...)
		slices.SortFunc(dict, func(a, b NamedAttr) int { return strings.Compare(a.Name, b.Name) })
	}
	if len(dict) > 0 {
		mask |= hasAttrs
	}
	w.ir = append(w.ir, w.opName(name), atom{byteAtom, uint64(mask)}, w.loc(l))
	if len(dict) > 0 {
		w.ir = append(w.ir, w.attrs.ref(attrAtom, w.dictionary(dict, note)))
	}
	if props >= 0 {
		w.ir = append(w.ir, number(props))
	}
}

// property is one property: an attribute, or one that may be absent where the operation is not of VHLO.
func (w *bytecodeWriter) property(op string, n NamedAttr, note func(Attr) int) atom {
	required := strings.HasPrefix(op, "vhlo.")
	if f := forms()[op]; f != nil {
		required = !f.attr(n.Name).optional
	}
	switch {
	case required:
		return w.attrs.ref(attrAtom, note(n.Value))
	case n.Value == nil:
		return number(0)
	}
	return w.attrs.ref(flaggedAttr, note(n.Value))
}

func (w *bytecodeWriter) propertyID(parts []atom) int {
	w.key = w.key[:0]
	for _, p := range parts {
		w.key = binary.AppendUvarint(append(w.key, byte(p.kind)), p.value)
	}
	id, ok := w.propIDs[string(w.key)]
	if !ok {
		id = len(w.props)
		w.propIDs[string(w.key)] = id
		w.props = append(w.props, parts)
	}
	return id
}

func (w *bytecodeWriter) module(m *Module) {
	var name Attr
	if m.Name != "" {
		name = String{m.Name}
	}
	w.op = nil
	w.head("builtin.module", hasRegions, Loc{}, Attrs{{"sym_name", name}, {"sym_visibility", nil}}, m.Attrs, w.builtin)
	w.ir = append(w.ir, number(1<<1|1)) // one region that sees nothing around it
	if w.version >= encodesRegionSections {
		w.ir = append(w.ir, atom{kind: sectionStart})
	}
	outer, next := w.values, w.next
	w.values, w.next = map[*Value]int{}, 0
	results := 0
	for _, op := range m.Other {
		results += len(op.Results)
	}
	w.ir = append(w.ir, number(1), number(results)) // blocks, values
	w.next = results
	w.ir = append(w.ir, number((len(m.Other)+len(m.Funcs)+len(m.Nested))<<1))
	at := 0
	for _, op := range m.Other {
		w.operation(op, &at)
	}
	for _, f := range m.Funcs {
		w.function(f)
	}
	for _, n := range m.Nested {
		w.module(n)
	}
	w.values, w.next = outer, next
	if w.version >= encodesRegionSections {
		w.ir = append(w.ir, atom{kind: sectionEnd})
	}
}

func (w *bytecodeWriter) function(f *Func) {
	visibility, attrs := "", Attrs{}
	if f.Private {
		visibility = "private"
	}
	for _, n := range f.Attrs {
		if s, ok := n.Value.(String); ok && n.Name == "sym_visibility" {
			visibility = s.Value
			continue
		}
		attrs = append(attrs, n)
	}
	w.op = nil
	w.head("vhlo.func_v1", hasRegions, f.Loc, Attrs{
		{"arg_attrs", dictArray(f.ArgAttrs)}, {"function_type", TypeAttr{FuncType{f.In, f.Out}}},
		{"res_attrs", dictArray(f.ResultAttrs)}, {"sym_name", String{f.Name}}, {"sym_visibility", String{visibility}},
	}, attrs, w.attr)
	w.ir = append(w.ir, number(1<<1))
	if f.Body == nil {
		w.ir = append(w.ir, number(0))
		return
	}
	w.inFunc = true
	w.region(f.Body)
	w.inFunc = false
}

func dictArray(list []Attrs) Attr {
	if someAttrs(list) == nil {
		return Array{}
	}
	out := make(Array, len(list))
	for i, a := range list {
		out[i] = Dict(a)
	}
	return out
}

// region writes blocks; the values defined in them get the numbers behind those of the regions around.
func (w *bytecodeWriter) region(r *Region) {
	w.ir = append(w.ir, number(len(r.Blocks)))
	if len(r.Blocks) == 0 {
		return
	}
	count := 0
	for _, blk := range r.Blocks {
		count += len(blk.Args)
		for _, op := range blk.Ops {
			count += w.resultsOf(op)
		}
	}
	w.ir = append(w.ir, number(count))
	start := w.next
	w.next += count
	at := start
	for _, blk := range r.Blocks {
		w.block(blk, &at)
	}
	w.next = start
}

func (w *bytecodeWriter) block(blk *Block, at *int) {
	count := 0
	for _, op := range blk.Ops {
		count += 1 + w.castsOf(op)
	}
	head := count << 1
	if len(blk.Args) > 0 {
		head |= 1
	}
	w.ir = append(w.ir, number(head))
	if len(blk.Args) > 0 {
		w.ir = append(w.ir, number(len(blk.Args)))
		for _, v := range blk.Args {
			if w.version >= elidesArgLocations {
				w.ir = append(w.ir, w.types.ref(flaggedType, w.typ(v.Type)))
			} else {
				w.ir = append(w.ir, w.typeRef(v.Type), w.loc(Loc{}))
			}
			w.define(v, at)
		}
		if w.version >= encodesUseOrders {
			w.ir = append(w.ir, atom{kind: byteAtom})
		}
	}
	for _, op := range blk.Ops {
		w.operation(op, at)
	}
}

func (w *bytecodeWriter) define(v *Value, at *int) {
	w.values[v] = *at
	*at++
}

// resultsOf and castsOf count the values and operations that stand for one operation, itself not counted. An operation of
// another dialect has builtin types: its operands and results are cast from and to those of VHLO.
func (w *bytecodeWriter) resultsOf(op *Op) int { return len(op.Results) + w.castsOf(op) }

func (w *bytecodeWriter) castsOf(op *Op) int {
	if w.isForeign(op) {
		return len(op.Operands) + len(op.Results)
	}
	return 0
}

func (w *bytecodeWriter) isForeign(op *Op) bool {
	_, byOp := vhloTables()
	return byOp[op.Name] == nil && op.Name != "func.return"
}

func (w *bytecodeWriter) operation(op *Op, at *int) {
	w.op = op
	operands := make([]int, len(op.Operands))
	for i, v := range op.Operands {
		var ok bool
		if operands[i], ok = w.values[v]; !ok {
			w.refuse("operand %d is not defined before", i)
		}
	}
	if w.isForeign(op) {
		w.foreign(op, operands, at)
		return
	}
	name, own, other := w.legalize(op)
	results := make([]atom, len(op.Results))
	for i, v := range op.Results {
		results[i] = w.typeRef(v.Type)
	}
	w.head(name, maskOf(op), op.Loc, own, other, w.attr)
	w.results(results)
	w.operands(operands)
	if len(op.Regions) > 0 {
		w.ir = append(w.ir, number(len(op.Regions)<<1))
		inFunc := w.inFunc
		w.inFunc = false
		for _, r := range op.Regions {
			w.region(r)
		}
		w.inFunc = inFunc
	}
	for _, v := range op.Results {
		w.define(v, at)
	}
}

// maskOf says what an operation has beside attributes.
func maskOf(op *Op) (mask int) {
	if len(op.Results) > 0 {
		mask |= hasResults
	}
	if len(op.Operands) > 0 {
		mask |= hasOperands
	}
	if len(op.Regions) > 0 {
		mask |= hasRegions
	}
	return mask
}

func (w *bytecodeWriter) results(types []atom) {
	if len(types) > 0 {
		w.ir = append(append(w.ir, number(len(types))), types...)
	}
}

func (w *bytecodeWriter) operands(numbers []int) {
	if len(numbers) > 0 {
		w.ir = append(w.ir, number(len(numbers)))
		for _, n := range numbers {
			w.ir = append(w.ir, number(n))
		}
	}
}

// foreign writes an operation of another dialect, with casts around it.
func (w *bytecodeWriter) foreign(op *Op, operands []int, at *int) {
	form := forms()[op.Name]
	if form == nil || len(op.Regions) > 0 {
		w.refuse("it is not of StableHLO and has no place in a portable artifact")
	}
	w.needs("other dialects")
	if strings.HasPrefix(op.Name, "chlo.") && len(form.attrSpecs) > 0 {
		w.refuse("it has attributes, whose order in a file is not the same for every reader")
	}
	var own, other Attrs
	specs := slices.Clone(form.attrSpecs)
	slices.SortFunc(specs, func(a, b attrSpec) int { return strings.Compare(a.name, b.name) })
	for _, s := range specs {
		own = append(own, NamedAttr{s.name, op.Attr(s.name)})
	}
	for _, n := range op.Attrs {
		if !form.has(n.Name) {
			other = append(other, n)
		}
	}
	for i, v := range op.Operands {
		operands[i] = w.cast(w.builtinType(v.Type), operands[i], at)
	}
	results := make([]atom, len(op.Results))
	for i, v := range op.Results {
		results[i] = w.builtinType(v.Type)
	}
	w.head(op.Name, maskOf(op), op.Loc, own, other, w.builtin)
	w.results(results)
	w.operands(operands)
	first := *at
	*at += len(op.Results)
	for i, v := range op.Results {
		w.values[v] = w.cast(w.typeRef(v.Type), first+i, at)
	}
}

// cast writes an operation that takes a value to the same type of another dialect.
func (w *bytecodeWriter) cast(to atom, from int, at *int) int {
	w.head("builtin.unrealized_conversion_cast", hasResults|hasOperands, Loc{}, nil, nil, w.builtin)
	w.results([]atom{to})
	w.operands([]int{from})
	*at++
	return *at - 1
}

// legalize gives an operation its name and attributes in VHLO; other are the discardable ones.
func (w *bytecodeWriter) legalize(op *Op) (name string, own, other Attrs) {
	key := op.Name
	if key == "func.return" {
		key = "stablehlo.return"
	}
	_, byOp := vhloTables()
	versions := byOp[key]
	var v *vhloOp
	for _, candidate := range versions {
		if !w.target.Less(candidate.since) {
			v = candidate
		}
	}
	if v == nil {
		w.refuse("it needs version %s of StableHLO, the target is %s", versions[0].since, w.target)
	}
	values := w.explode(op, v.form)
	own = make(Attrs, 0, len(v.attrs))
	for _, name := range v.attrs {
		a, ok := values[name]
		if !ok {
			w.refuse("the attribute %s is missing", name)
		}
		own = append(own, NamedAttr{name, a})
	}
	w.lost(op, v, values)
	if len(own) == 0 {
		own = nil
	}
	for _, n := range op.Attrs {
		if !v.form.has(n.Name) {
			other = append(other, n)
		}
	}
	w.constraints(op)
	return v.name, own, other
}

// lost refuses attributes that say something and have no place in the version.
func (w *bytecodeWriter) lost(op *Op, v *vhloOp, values map[string]Attr) {
	_, byOp := vhloTables()
	versions := byOp[v.form.name]
	newest := versions[len(versions)-1]
	if newest == v {
		return
	}
	for _, name := range newest.attrs {
		if slices.Contains(v.attrs, name) {
			continue
		}
		if a := values[name]; a != nil && !isNone(a) && !isDefault(name, a) {
			w.refuse("the attribute %s needs version %s of StableHLO, the target is %s", name, newest.since, w.target)
		}
	}
	switch {
	case len(op.Operands) != 1 && slices.Contains([]string{"vhlo.all_gather_v1", "vhlo.all_reduce_v1", "vhlo.all_to_all_v1",
		"vhlo.collective_broadcast_v1"}, v.name):
		w.refuse("several operands need version %s of StableHLO, the target is %s", newest.since, w.target)
	case op.Name == "stablehlo.composite" && len(op.Regions) > 0:
		w.refuse("regions need version %s of StableHLO, the target is %s", newest.since, w.target)
	}
}

// constraints refuses operands and results that the target's operations could not have.
func (w *bytecodeWriter) constraints(op *Op) {
	switch op.Name {
	case "stablehlo.custom_call":
		if _, ok := op.Attr("backend_config").(Dict); ok {
			w.needs("a dictionary as backend_config")
		}
		if v, ok := op.Attr("api_version").(Int); ok && v.Value == typedFFI {
			w.needs("the typed interface of custom calls")
		}
	case "stablehlo.all_reduce", "stablehlo.reduce", "stablehlo.reduce_scatter", "stablehlo.reduce_window", "stablehlo.scatter",
		"stablehlo.select_and_scatter":
		for i, v := range op.Results {
			if i < len(op.Operands) && !sameElem(op.Operands[i].Tensor(), v.Tensor()) {
				w.needs("a reduction to another element type")
			}
		}
	}
}

// explode gives the attributes of an operation as VHLO has them: parts of structured ones, lists as constants, and what is
// left out.
func (w *bytecodeWriter) explode(op *Op, f *opForm) map[string]Attr {
	values := map[string]Attr{}
	for _, spec := range f.attrSpecs {
		a := op.Attr(spec.name)
		if a != nil && !hasKind(a, spec.kind) && spec.kind != "elements" {
			w.refuse("the attribute %s is to be %s, not %s", spec.name, kindText(spec.kind), AttrString(a))
		}
		switch spec.kind {
		case "dot", "gather", "scatter", "conv":
			parts, _ := vhloParts(spec.kind, a)
			for _, p := range parts {
				if p.one != nil {
					values[p.name] = I64(*p.one)
				} else {
					values[p.name] = tensorOfList(I64s(*p.list...).(DenseArray))
				}
			}
		case "channel":
			c, _ := a.(ChannelHandle)
			values["channel_id"], values["channel_type"] = Int{c.Handle, "i64"}, Int{c.Type, "i64"}
		case "algorithm":
			explodeAlgorithm(a, values)
		case "unit":
			values[spec.name] = Bool(a != nil)
		default:
			if a == nil && spec.optional {
				a = w.absent(op, spec)
			}
			if a != nil {
				values[spec.name] = a
			}
		}
	}
	if v, ok := values["api_version"].(Int); ok {
		values["api_version"] = apiVersion(v.Value)
	}
	if op.Name == "stablehlo.dynamic_conv" { // older versions have it beside the operand
		n := len(op.Operands[0].Tensor().Shape) - 2
		values["padding"] = zeros(max(n, 0))
	}
	return values
}

// apiVersion is the enumeration of custom calls' interfaces, which StableHLO has as an integer.
type apiVersion int64

func (apiVersion) isAttr() {}

func explodeAlgorithm(a Attr, values map[string]Attr) {
	g, ok := a.(DotAlgorithm)
	if !ok {
		for _, name := range algorithmParts {
			values[name] = TypeAttr{Scalar{"none"}}
		}
		return
	}
	for i, v := range []Attr{TypeAttr{Scalar{g.LHSPrecision}}, TypeAttr{Scalar{g.RHSPrecision}}, TypeAttr{Scalar{g.Accumulation}},
		I64(g.LHSComponents), I64(g.RHSComponents), I64(g.Primitive), Bool(g.AllowImprecise)} {
		values[algorithmParts[i]] = v
	}
}

// zeros is a padding of nothing.
func zeros(n int) *Dense {
	t := Tensor{Shape: array.Shape{n, 2}, Elem: array.Int64}
	if n == 0 {
		return &Dense{Type: t, Data: array.NewBuffer(array.Int64, t.Shape)}
	}
	return &Dense{Type: t, Data: array.NewBuffer(array.Int64, nil), Splat: true}
}

// absent is what the absence of an optional attribute says.
func (w *bytecodeWriter) absent(op *Op, spec attrSpec) Attr {
	dims := 0 // the number of dimensions of a window
	if d, ok := op.Attr("dimension_numbers").(ConvDims); ok {
		dims = len(d.InputSpatial)
	} else if d, ok := op.Attr("window_dimensions").(DenseArray); ok {
		dims = len(d.Ints)
	}
	list := func(elem array.DType, n int, v int64) Attr {
		a := DenseArray{Elem: elem, Ints: make([]int64, n)}
		for i := range a.Ints {
			a.Ints[i] = v
		}
		return a
	}
	switch spec.name {
	case "window_strides", "lhs_dilation", "rhs_dilation", "base_dilations", "window_dilations":
		return list(array.Int64, dims, 1)
	case "window_reversal":
		return list(array.Bool, dims, 0)
	case "padding":
		return zeros(dims)
	case "known_expanding_dimensions", "known_nonexpanding_dimensions", "source_target_pairs":
		return list(array.Int64, 0, 0)
	case "precision_config":
		return Array{SHLO("precision", "DEFAULT"), SHLO("precision", "DEFAULT")}
	case "compare_type":
		return SHLO("comparison_type", "NOTYPE")
	case "api_version":
		return I32(1)
	case "backend_config":
		if v, ok := op.Attr("api_version").(Int); ok && v.Value == typedFFI {
			return Dict{}
		}
		return String{}
	case "dimension":
		return I64(-1)
	case "result_accuracy":
		return ResultAccuracy{Mode: "DEFAULT"}
	}
	switch spec.kind {
	case "bool":
		return Bool(false)
	case "str":
		return String{}
	case "array":
		return Array{}
	case "dict":
		return Dict{}
	}
	return I64(0)
}
