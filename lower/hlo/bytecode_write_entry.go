package hlo

import (
	"math"
	"slices"
	"strings"

	"github.com/pantograph-go/pantograph/array"
)

// Attributes and types on their way into a bytecode file.

// vhloAdded are the types and enumerations that came after 0.9.
var vhloAdded = map[string]Version{
	"f8E4M3FNUZ": {0, 10, 0}, "f8E5M2FNUZ": {0, 10, 0}, "f8E4M3B11FNUZ": {0, 11, 0},
	"i2": {1, 2, 0}, "ui2": {1, 2, 0}, "none": {1, 6, 0}, "tf32": {1, 6, 0}, "f8E4M3": {1, 7, 0}, "f8E3M4": {1, 7, 0},
	"f4E2M1FN": {1, 8, 0}, "f6E2M3FN": {1, 8, 0}, "f6E3M2FN": {1, 8, 0}, "f8E8M0FNU": {1, 8, 0},
	"a quantized axis": {0, 18, 0}, "memref": {1, 13, 0}, "!stablehlo.future": {1, 15, 0}, "result_accuracy": {1, 9, 0},
	"axes of a mesh": {1, 16, 0}, "a dictionary as backend_config": {1, 3, 0}, "the typed interface of custom calls": {1, 3, 0},
	"a reduction to another element type": {0, 17, 0}, "other dialects": {1, 11, 0},
}

// needs refuses what the target does not have.
func (w *bytecodeWriter) needs(what string) {
	if since, ok := vhloAdded[what]; ok && w.target.Less(since) {
		w.refuse("%s needs version %s of StableHLO, the target is %s", what, since, w.target)
	}
}

// refuse reports what cannot be written, with the operation.
func (w *bytecodeWriter) refuse(format string, args ...any) {
	if w.op != nil {
		at := ""
		if w.op.Loc.File != "" {
			at = " (" + w.op.Loc.File + ":" + sizeText(w.op.Loc.Line) + ")"
		}
		refuse("%s: "+format+"%s", append(append([]any{w.op.Name}, args...), at)...)
	}
	refuse(format, args...)
}

// vhloCodes are the codes of the types of one name.
var vhloCodes = func() map[string]uint64 {
	m := map[string]uint64{}
	for code, name := range vhloScalars {
		m[name] = code
	}
	return m
}()

func (w *bytecodeWriter) typeRef(t Type) atom { return w.types.ref(typeAtom, w.typ(t)) }

// typ notes a type.
func (w *bytecodeWriter) typ(t Type) int {
	w.key = appendType(w.key[:0], t)
	if id, ok := w.typeIDs[string(w.key)]; ok {
		return id
	}
	key := string(w.key)
	id := w.newType(t, key)
	w.typeIDs[key] = id
	return id
}

func (w *bytecodeWriter) newType(t Type, text string) int {
	vhlo := func(parts ...atom) int { return w.add(w.types, "vhlo", true, parts...) }
	switch t := t.(type) {
	case Tensor:
		if t.Encoding != nil {
			return vhlo(slices.Concat([]atom{number(vtTensorWithEncoding), w.attrRef(t.Encoding)}, w.shape(t.Shape), []atom{w.elem(t)})...)
		}
		return vhlo(slices.Concat([]atom{number(vtTensor)}, w.shape(t.Shape), []atom{w.elem(t)})...)
	case Token:
		return vhlo(number(vtToken))
	case Tuple:
		return vhlo(append([]atom{number(vtTuple)}, w.typeList(t.Elems)...)...)
	case Future:
		w.needs("!stablehlo.future")
		return vhlo(append([]atom{number(vtFuture)}, w.typeList(t.Elems)...)...)
	case FuncType:
		return vhlo(slices.Concat([]atom{number(vtFunction)}, w.typeList(t.In), w.typeList(t.Out))...)
	case Scalar:
		return w.scalar(t.Name)
	case Opaque:
		return w.opaque(t.Text)
	}
	w.refuse("the type %s cannot be stored", text)
	return 0
}

// scalar notes a type of one name.
func (w *bytecodeWriter) scalar(name string) int {
	w.needs(name)
	if code, ok := vhloCodes[name]; ok {
		return w.add(w.types, "vhlo", true, atom{numberAtom, code})
	}
	if inner, ok := strings.CutPrefix(name, "complex<"); ok {
		return w.add(w.types, "vhlo", true, number(vtComplex), w.types.ref(typeAtom, w.scalar(strings.TrimSuffix(inner, ">"))))
	}
	w.refuse("the type %s cannot be stored", name)
	return 0
}

// opaque notes a type that the package keeps as text.
func (w *bytecodeWriter) opaque(text string) int {
	if text == witness {
		return w.add(w.types, "vhlo", true, number(vtWitness))
	}
	if inner, ok := strings.CutPrefix(text, "tensor<*x"); ok {
		return w.add(w.types, "vhlo", true, number(vtUnrankedTensor), w.types.ref(typeAtom, w.scalar(strings.TrimSuffix(inner, ">"))))
	}
	if inner, ok := strings.CutPrefix(text, "memref<"); ok {
		w.needs("memref")
		var t Tensor
		tensor := isText("tensor<"+inner, func(p *parser) string { t, _ = p.typ().(Tensor); return t.String() })
		if tensor && t.Encoding == nil {
			return w.add(w.types, "vhlo", true, slices.Concat([]atom{number(vtBuffer)}, w.shape(t.Shape), []atom{w.elem(t)})...)
		}
	}
	if name, ok := strings.CutPrefix(text, "!"); ok && isText(text, func(p *parser) string { return p.typ().String() }) {
		w.needs("other dialects")
		dialect, _, _ := strings.Cut(name, ".")
		return w.add(w.types, dialect, false, w.text(text))
	}
	w.refuse("the type %s cannot be stored", text)
	return 0
}

// isText reports that a text is what is read back from it: some attributes and types cannot stand alone.
func isText(text string, read func(*parser) string) (ok bool) {
	defer func() {
		if e := recover(); e != nil {
			if _, syntax := e.(*SyntaxError); !syntax {
				panic(e)
			}
			ok = false
		}
	}()
	p := newParser(text, 0)
	p.reset(0)
	return read(p) == text && p.tok.kind == tEOF && strings.IndexByte(text, 0) < 0
}

// text is what ends with a zero.
func (w *bytecodeWriter) text(s string) atom { return w.blob(append([]byte(s), 0)) }

func (w *bytecodeWriter) shape(s array.Shape) []atom {
	parts := []atom{number(len(s))}
	for _, d := range s {
		parts = append(parts, signedAtom(dynamicSize(d)))
	}
	return parts
}

// dynamicSize is how the format says that a size is unknown.
func dynamicSize(d int) int64 {
	if d == Dynamic {
		return math.MinInt64
	}
	return int64(d)
}

func (w *bytecodeWriter) elem(t Tensor) atom {
	var id int
	switch {
	case t.Quant != nil:
		id = w.quantized(t.Quant)
	case t.ElemName == "":
		id = w.scalar(t.Elem.HLO())
	case strings.HasPrefix(t.ElemName, "!"):
		id = w.opaque(t.ElemName)
	default:
		id = w.scalar(t.ElemName)
	}
	return w.types.ref(typeAtom, id)
}

func (w *bytecodeWriter) quantized(q *Quantized) int {
	signed := 0
	storage := q.Storage.HLO()
	if q.Storage.Kind() == array.KindInt {
		signed = 1
	}
	storage = strings.TrimPrefix(storage, "u")
	head := []atom{number(signed), w.types.ref(typeAtom, w.scalar(storage)), w.types.ref(typeAtom, w.scalar(q.Expressed.HLO()))}
	float := func(v float64) atom { return signedAtom(int64(math.Float64bits(v))) }
	if q.Axis < 0 {
		return w.add(w.types, "vhlo", true, slices.Concat([]atom{number(vtQuantized)}, head, []atom{float(q.Scales[0]),
			signedAtom(q.ZeroPoints[0]), signedAtom(q.Min), signedAtom(q.Max)})...)
	}
	w.needs("a quantized axis")
	parts := slices.Concat([]atom{number(vtQuantizedPerAxis)}, head, []atom{number(q.Axis), signedAtom(q.Min), signedAtom(q.Max)})
	parts = append(parts, number(len(q.Scales)))
	for _, s := range q.Scales {
		parts = append(parts, float(s))
	}
	parts = append(parts, number(len(q.ZeroPoints)))
	for _, z := range q.ZeroPoints {
		parts = append(parts, signedAtom(z))
	}
	return w.add(w.types, "vhlo", true, parts...)
}

func (w *bytecodeWriter) typeList(ts []Type) []atom {
	parts := []atom{number(len(ts))}
	for _, t := range ts {
		parts = append(parts, w.typeRef(t))
	}
	return parts
}

func (w *bytecodeWriter) attrRef(a Attr) atom { return w.attrs.ref(attrAtom, w.attr(a)) }

// attr notes an attribute as VHLO has it.
func (w *bytecodeWriter) attr(a Attr) int {
	vhlo := func(parts ...atom) int { return w.add(w.attrs, "vhlo", true, parts...) }
	switch a := a.(type) {
	case Bool:
		v := 0
		if a {
			v = 1
		}
		return vhlo(number(vaBool), number(v))
	case Int:
		if a.Type == "i1" {
			return w.attr(Bool(a.Value != 0))
		}
		return vhlo(append([]atom{number(vaInteger)}, w.intParts(a)...)...)
	case apiVersion:
		return vhlo(number(vaAPIVersion), number(int(a)))
	case Float:
		return vhlo(append([]atom{number(vaFloat)}, w.floatParts(a)...)...)
	case String:
		return vhlo(number(vaString), w.str(a.Value))
	case Symbol:
		if len(a.Path) != 1 {
			w.refuse("the symbol %s cannot be stored", AttrString(a))
		}
		return w.attr(String{a.Path[0]})
	case Array:
		parts := []atom{number(vaArray), number(len(a))}
		for _, x := range a {
			parts = append(parts, w.attrRef(x))
		}
		return vhlo(parts...)
	case Dict:
		parts := []atom{number(vaDictionary), number(len(a))}
		for _, n := range a {
			parts = append(parts, w.attrRef(String{n.Name}), w.attrRef(n.Value))
		}
		return vhlo(parts...)
	case TypeAttr:
		return vhlo(number(vaType), w.typeRef(a.Type))
	case *Dense:
		return w.dense(a)
	case DenseResource:
		data, ok := w.resources[a.Key]
		if !ok {
			w.refuse("the resource %s is not there", a.Key)
		}
		return w.add(w.attrs, "vhlo", true, w.tensorParts(a.Type, data)...)
	case DenseArray:
		if a.Elem == array.Int64 || a.Elem == array.Bool {
			return w.dense(tensorOfList(a))
		}
	case Enum:
		if e := enumOf(a.Kind); e != nil && a.Dialect == "stablehlo" {
			if v := slices.Index(e.values, a.Value); v >= 0 {
				return vhlo(atom{kind: numberAtom, value: e.code}, number(v))
			}
		}
	case OutputAlias:
		return vhlo(slices.Concat([]atom{number(vaOutputAlias)}, signedList(a.OutputTuple), []atom{signedAtom(int64(a.Operand))},
			signedList(a.OperandTuple))...)
	case Bounds:
		return vhlo(append([]atom{number(vaBounds)}, signedList(a)...)...)
	case ResultAccuracy:
		w.needs("result_accuracy")
		return vhlo(number(vaAccuracy), signedAtom(int64(math.Float64bits(a.ATol))), signedAtom(int64(math.Float64bits(a.RTol))),
			signedAtom(a.ULPs), w.attrRef(Enum{"stablehlo", accuracyMode, a.Mode}))
	case MeshGroups, AxisRef, Mesh, MeshAxis:
		w.needs("axes of a mesh")
		return vhlo(w.meshParts(a)...)
	case Unit:
		w.needs("other dialects")
		return w.add(w.attrs, "builtin", true, number(bcUnit))
	case Raw:
		if name, ok := strings.CutPrefix(a.Text, "#"); ok && isText(a.Text, func(p *parser) string { return AttrString(p.attr()) }) {
			w.needs("other dialects")
			dialect, _, _ := strings.Cut(name, ".")
			return w.add(w.attrs, dialect, false, w.text(a.Text))
		}
	}
	w.refuse("the attribute %s cannot be stored", AttrString(a))
	return 0
}

func signedList(list []int) []atom {
	parts := []atom{number(len(list))}
	for _, v := range list {
		parts = append(parts, signedAtom(dynamicSize(v)))
	}
	return parts
}

// fixedAtom is an integer of a known width: a byte, or its bits as a signed number.
func fixedAtom(v uint64, width int) atom {
	if width < 64 {
		v &= 1<<width - 1
	}
	if width <= 8 {
		return atom{kind: byteAtom, value: v}
	}
	return signedAtom(int64(v))
}

func (w *bytecodeWriter) intParts(a Int) []atom {
	width := 64
	if a.Type != "index" {
		d, ok := elementTypes[a.Type]
		if !ok || !d.IsInteger() {
			w.refuse("the integer %s cannot be stored", AttrString(a))
		}
		width = d.Bits()
	}
	return []atom{w.typeRef(Scalar{a.Type}), fixedAtom(uint64(a.Value), width)}
}

func (w *bytecodeWriter) floatParts(a Float) []atom {
	d, ok := elementTypes[a.Type]
	if !ok || !d.IsFloat() {
		w.refuse("the number %s cannot be stored", AttrString(a))
	}
	b := array.NewBuffer(d, nil)
	b.SetFloat(0, a.Value)
	bits := uint64(0)
	for i, x := range b.Bytes() {
		bits |= uint64(x) << (8 * i)
	}
	return []atom{w.typeRef(Scalar{a.Type}), fixedAtom(bits, d.Bits())}
}

// tensorOfList is the constant as which VHLO stores a list.
func tensorOfList(a DenseArray) *Dense {
	d := &Dense{Type: Tensor{Shape: array.Shape{len(a.Ints)}, Elem: a.Elem}}
	d.Data = array.NewBuffer(a.Elem, d.Type.Shape)
	for i, v := range a.Ints {
		if a.Elem == array.Bool {
			d.Data.SetBool(i, v != 0)
		} else {
			d.Data.SetInt(i, v)
		}
	}
	return canonical(d)
}

// dense notes a constant.
func (w *bytecodeWriter) dense(a *Dense) int {
	if id, ok := w.denseIDs[a]; ok {
		return id
	}
	data := a.Data.Bytes()
	if !a.Splat && isSplat(a.Data) {
		data = data[:a.Type.Elem.Size()]
	}
	id := w.add(w.attrs, "vhlo", true, w.tensorParts(a.Type, data)...)
	w.denseIDs[a] = id
	return id
}

// tensorParts are the type and bytes of a constant: bools eight to a byte, one that fills it as 0 or 0xFF, numbers
// narrower than a byte without their sign's copies.
func (w *bytecodeWriter) tensorParts(t Tensor, data []byte) []atom {
	size := t.Shape.Size()
	switch bits := t.Elem.Bits(); {
	case t.Elem == array.Bool && len(data) == 1 && size != 1:
		data = []byte{-(data[0] & 1)}
	case t.Elem == array.Bool:
		packed := make([]byte, (size+7)/8)
		for i := range size {
			packed[i/8] |= data[i] & 1 << (i % 8)
		}
		data = packed
	case t.Elem.IsInteger() && bits < 8:
		data = slices.Clone(data)
		for i := range data {
			data[i] &= 1<<bits - 1
		}
	}
	return []atom{number(vaTensor), w.typeRef(t), number(len(data)), w.blob(data)}
}

func (w *bytecodeWriter) meshParts(a Attr) []atom {
	axes := func(n int, at func(int) Attr) atom {
		parts := []atom{number(vaArray), number(n)}
		for i := range n {
			parts = append(parts, w.attrRef(at(i)))
		}
		return w.attrs.ref(attrAtom, w.add(w.attrs, "vhlo", true, parts...))
	}
	switch a := a.(type) {
	case MeshGroups:
		return []atom{number(vaMeshGroups), w.attrRef(a.Mesh), axes(len(a.Axes), func(i int) Attr { return a.Axes[i] })}
	case AxisRef:
		parts := []atom{number(vaAxisRef), w.attrRef(String{a.Name})}
		if a.Size == 0 {
			return append(parts, number(0))
		}
		sub := w.add(w.attrs, "vhlo", true, number(vaSubAxis), signedAtom(a.PreSize), signedAtom(a.Size))
		return append(parts, number(1), w.attrs.ref(attrAtom, sub))
	case MeshAxis:
		return []atom{number(vaMeshAxis), w.attrRef(String{a.Name}), signedAtom(a.Size)}
	}
	m := a.(Mesh)
	parts := []atom{number(vaMesh), axes(len(m.Axes), func(i int) Attr { return m.Axes[i] })}
	if m.DeviceIDs == nil {
		return append(parts, number(0))
	}
	return append(parts, w.attrs.ref(flaggedAttr, w.attr(m.DeviceIDs)))
}

// builtin notes an attribute in builtin's own encoding, as the dictionaries of operations and modules have them, or as text
// where that is rare.
func (w *bytecodeWriter) builtin(a Attr) int {
	add := func(parts ...atom) int { return w.add(w.attrs, "builtin", true, parts...) }
	ref := func(a Attr) atom { return w.attrs.ref(attrAtom, w.builtin(a)) }
	switch a := a.(type) {
	case String:
		return add(number(bcString), w.str(a.Value))
	case Unit:
		return add(number(bcUnit))
	case Bool:
		v := uint64(0)
		if a {
			v = 1
		}
		return add(number(bcInteger), w.builtinScalar("i1"), fixedAtom(v, 1))
	case Int:
		parts := w.intParts(Int{a.Value, strings.TrimPrefix(a.Type, "s")})
		return add(number(bcInteger), w.builtinScalar(a.Type), parts[1])
	case Float:
		return add(number(bcFloat), w.builtinScalar(a.Type), w.floatParts(a)[1])
	case Array:
		parts := []atom{number(bcArray), number(len(a))}
		for _, x := range a {
			parts = append(parts, ref(x))
		}
		return add(parts...)
	case Dict:
		return w.dictionary(Attrs(a), w.builtin)
	case Symbol:
		if len(a.Path) == 1 {
			return add(number(bcFlatSymbol), ref(String{a.Path[0]}))
		}
	}
	text := AttrString(a)
	dialect := "builtin"
	if !isText(text, func(p *parser) string { return AttrString(p.attr()) }) {
		w.refuse("the attribute %s cannot be stored", text)
	}
	if name, ok := strings.CutPrefix(text, "#"); ok {
		dialect = name[:strings.IndexAny(name, ".<")]
	}
	return w.add(w.attrs, dialect, false, w.text(text))
}

// dictionary notes the attributes of an operation, each value by note.
func (w *bytecodeWriter) dictionary(d Attrs, note func(Attr) int) int {
	parts := []atom{number(bcDictionary), number(len(d))}
	for _, n := range d {
		parts = append(parts, w.attrs.ref(attrAtom, w.builtin(String{n.Name})), w.attrs.ref(attrAtom, note(n.Value)))
	}
	return w.add(w.attrs, "builtin", true, parts...)
}

// builtinScalar is a type of one name in builtin's encoding.
func (w *bytecodeWriter) builtinScalar(name string) atom {
	var parts []atom
	switch i := slices.Index([]string{"bf16", "f16", "f32", "f64"}, name); {
	case i >= 0:
		parts = []atom{number(btBF16 + i)}
	case name == "index":
		parts = []atom{number(btIndex)}
	default:
		sign, digits := 0, strings.TrimPrefix(name, "i")
		if s, ok := strings.CutPrefix(name, "si"); ok {
			sign, digits = 1, s
		} else if s, ok := strings.CutPrefix(name, "ui"); ok {
			sign, digits = 2, s
		}
		width, ok := parseInt(digits, false, "si64")
		if !ok || width <= 0 || width > 64 {
			w.refuse("a number of type %s cannot be stored", name)
		}
		parts = []atom{number(btInteger), number(int(width)<<2 | sign)}
	}
	return w.types.ref(typeAtom, w.add(w.types, "builtin", true, parts...))
}

// builtinType is a tensor type in builtin's encoding.
func (w *bytecodeWriter) builtinType(t Type) atom {
	x, ok := t.(Tensor)
	if !ok || x.Quant != nil || x.Encoding != nil || x.ElemName != "" {
		text, dialect := t.String(), "builtin"
		if name, ok := strings.CutPrefix(text, "!"); ok {
			dialect, _, _ = strings.Cut(name, ".")
		}
		return w.types.ref(typeAtom, w.add(w.types, dialect, false, w.text(text)))
	}
	elem := atom{}
	switch d := x.Elem; {
	case d.IsComplex():
		id := w.add(w.types, "builtin", true, number(btComplex), w.builtinScalar(d.Real().HLO()))
		elem = w.types.ref(typeAtom, id)
	case d.IsFloat() && d.Bits() < 16:
		elem = w.types.ref(typeAtom, w.add(w.types, "builtin", false, w.text(d.HLO())))
	default:
		elem = w.builtinScalar(d.HLO())
	}
	parts := slices.Concat([]atom{number(btTensor)}, w.shape(x.Shape), []atom{elem})
	return w.types.ref(typeAtom, w.add(w.types, "builtin", true, parts...))
}

// loc notes a location.
func (w *bytecodeWriter) loc(l Loc) atom {
	a, ok := w.locs[l]
	if !ok {
		a = atom{attrAtom, uint64(w.newLoc(l))}
		w.locs[l] = a
	}
	w.attrs.list[a.value].uses++
	return a
}

func (w *bytecodeWriter) newLoc(l Loc) int {
	add := func(parts ...atom) int { return w.add(w.attrs, "builtin", true, parts...) }
	place := func() int {
		if l.File == "" {
			return add(number(bcUnknown))
		}
		file := w.attrs.ref(attrAtom, w.builtin(String{l.File}))
		return add(number(bcFileLine), file, number(l.Line), number(l.Col))
	}
	if l.Name == "" {
		return place()
	}
	name := w.attrs.ref(attrAtom, w.builtin(String{l.Name}))
	return add(number(bcName), name, w.attrs.ref(attrAtom, place()))
}
