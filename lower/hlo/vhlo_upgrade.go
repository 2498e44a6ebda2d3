package hlo

import (
	"sort"
	"strings"

	"github.com/pantograph-go/pantograph/array"
)

// From VHLO to StableHLO: parts become structured attributes, constants become lists where StableHLO has them, and what
// says no more than its absence is left out.

// upgrade turns the attributes of an operation into those of StableHLO; defect says what is wrong with them.
func (f *opForm) upgrade(in Attrs) (out Attrs, defect string) {
	used := map[string]bool{}
	take := func(name string) Attr {
		used[name] = true
		return in.Get(name)
	}
	for _, spec := range f.attrSpecs {
		var a Attr
		switch spec.kind {
		case "algorithm":
			a, defect = upgradeAlgorithm(take)
		case "channel":
			a, defect = upgradeChannel(take)
		case "dot", "gather", "scatter", "conv":
			a, defect = upgradeParts(spec.kind, take)
		default:
			if a = take(spec.name); a != nil {
				a = upgradeAttr(spec, a)
			}
		}
		if defect != "" {
			return nil, defect
		}
		if a != nil && !(spec.optional && isDefault(spec.name, a)) {
			out = append(out, NamedAttr{spec.name, a})
		}
	}
	for _, n := range in {
		if !used[n.Name] && !(f.name == "stablehlo.dynamic_conv" && n.Name == "padding") {
			out = append(out, n)
		}
	}
	sort.SliceStable(out, func(i, j int) bool { return out[i].Name < out[j].Name })
	return dropLayouts(out), ""
}

// upgradeAttr gives an attribute the form that StableHLO has for its kind. A value of another kind stays as it is: the
// verifier names it.
func upgradeAttr(spec attrSpec, a Attr) Attr {
	switch spec.kind {
	case "i64s", "bools":
		if d, ok := a.(*Dense); ok && len(d.Type.Shape) == 1 && (d.Type.Elem == array.Int64 && d.Type.ElemName == "" || d.Type.Elem == array.Bool) {
			return listOf(d)
		}
	case "sym":
		if s, ok := a.(String); ok {
			return Symbol{[]string{s.Value}}
		}
	case "unit":
		if b, ok := a.(Bool); ok {
			if !b {
				return nil
			}
			return Unit{}
		}
	}
	if list, ok := a.(Array); ok && spec.name == "called_computations" {
		out := make(Array, len(list))
		for i, x := range list {
			out[i] = x
			if s, ok := x.(String); ok {
				out[i] = Symbol{[]string{s.Value}}
			}
		}
		return out
	}
	return a
}

// maxList bounds the lists of dimensions, which a splat could make longer than the file.
const maxList = 1 << 10

// listOf makes array<…> of a constant of rank 1; a splat that is too long for one stays.
func listOf(d *Dense) Attr {
	n := d.Type.Shape[0]
	if d.Splat && n > maxList {
		return d
	}
	out := DenseArray{Elem: d.Type.Elem, Ints: make([]int64, n)}
	for i := range out.Ints {
		at := i
		if d.Splat {
			at = 0
		}
		out.Ints[i] = d.Data.Int(at)
	}
	return out
}

func upgradeParts(kind string, take func(string) Attr) (Attr, string) {
	parts, done := vhloParts(kind, nil)
	for _, p := range parts {
		switch a := take(p.name).(type) {
		case nil:
			if p.one != nil {
				return nil, p.name + " is missing"
			}
		case *Dense:
			if p.list == nil || a.Type.Elem != array.Int64 || len(a.Type.Shape) != 1 || a.Splat && a.Type.Shape[0] > maxList {
				return nil, p.name + " is " + AttrString(a)
			}
			for _, v := range listOf(a).(DenseArray).Ints {
				*p.list = append(*p.list, int(v))
			}
		case Int:
			if p.one == nil {
				return nil, p.name + " is " + AttrString(a)
			}
			*p.one = int(a.Value)
		default:
			return nil, p.name + " is " + AttrString(a)
		}
	}
	return done(), ""
}

func upgradeChannel(take func(string) Attr) (Attr, string) {
	id, ok1 := take("channel_id").(Int)
	kind := take("channel_type")
	n, ok2 := kind.(Int)
	if !ok1 || !ok2 && kind != nil {
		return nil, "channel_id and channel_type are to be integers"
	}
	return ChannelHandle{id.Value, n.Value}, ""
}

func upgradeAlgorithm(take func(string) Attr) (Attr, string) {
	var values [7]Attr
	for i, name := range algorithmParts {
		values[i] = take(name)
	}
	none := 0
	for _, v := range values {
		if v == nil || isNone(v) {
			none++
		}
	}
	if none == len(values) {
		return nil, ""
	}
	var a DotAlgorithm
	for i, to := range []*string{&a.LHSPrecision, &a.RHSPrecision, &a.Accumulation} {
		t, ok := values[i].(TypeAttr)
		if s, isScalar := t.Type.(Scalar); ok && isScalar {
			*to = s.Name
		} else {
			return nil, algorithmParts[i] + " is to be a type"
		}
	}
	for i, to := range []*int{&a.LHSComponents, &a.RHSComponents, &a.Primitive} {
		n, ok := values[3+i].(Int)
		if !ok || n.Value < 0 || n.Value > 1<<31 {
			return nil, algorithmParts[3+i] + " is to be a small number"
		}
		*to = int(n.Value)
	}
	b, ok := values[6].(Bool)
	if !ok {
		return nil, algorithmParts[6] + " is to be true or false"
	}
	a.AllowImprecise = bool(b)
	return a, ""
}

func isNone(a Attr) bool {
	t, ok := a.(TypeAttr)
	return ok && t.Type == Scalar{"none"}
}

// isDefault reports that an optional attribute of this name and value says what its absence says.
func isDefault(name string, a Attr) bool {
	switch a := a.(type) {
	case Bool:
		return !bool(a)
	case Int:
		switch name {
		case "dimension":
			return a.Value == -1
		case "api_version":
			return a.Value == 1
		}
		return a.Value == 0
	case String:
		return a.Value == ""
	case Dict:
		return len(a) == 0
	case Enum:
		return a.Value == "NOTYPE"
	case ChannelHandle:
		return a.Handle == 0
	case ResultAccuracy:
		return a == ResultAccuracy{Mode: "DEFAULT"}
	case DenseArray:
		want := int64(0)
		switch name {
		case "window_strides", "lhs_dilation", "rhs_dilation", "base_dilations", "window_dilations":
			want = 1
		}
		for _, v := range a.Ints {
			if v != want {
				return false
			}
		}
		return want == 1 || name == "window_reversal" || len(a.Ints) == 0
	case *Dense:
		zero := a.Splat && a.Data.DType().IsInteger() && a.Data.Int(0) == 0
		return name == "padding" && zero || a.Data.Len() == 0
	case Array:
		if name == "operand_layouts" || name == "result_layouts" { // judged together
			return false
		}
		for _, x := range a {
			if e, ok := x.(Enum); !ok || e.Kind != "precision" || e.Value != "DEFAULT" {
				return false
			}
		}
		return true
	}
	return false
}

// dropLayouts removes the layouts of a call that has none for operands and none for results.
func dropLayouts(a Attrs) Attrs {
	in, ok1 := a.Get("operand_layouts").(Array)
	out, ok2 := a.Get("result_layouts").(Array)
	if ok1 && ok2 && len(in)+len(out) == 0 {
		return a.Set("operand_layouts", nil).Set("result_layouts", nil)
	}
	return a
}

// DropDefaults removes attributes of StableHLO operations that say no more than their absence does, as precision_config =
// [DEFAULT, DEFAULT] and the reduction of a channel that is 0. It is what writing and reading a portable artifact does.
func DropDefaults(m *Module) {
	for _, f := range m.Funcs {
		if f.Body != nil {
			dropDefaults(f.Body)
		}
	}
	for _, n := range m.Nested {
		DropDefaults(n)
	}
}

func dropDefaults(r *Region) {
	for _, blk := range r.Blocks {
		for _, op := range blk.Ops {
			if form := forms()[op.Name]; form != nil && strings.HasPrefix(op.Name, "stablehlo.") {
				for _, spec := range form.attrSpecs {
					if a := op.Attr(spec.name); a != nil && spec.optional && isDefault(spec.name, a) {
						op.Attrs = op.Attrs.Set(spec.name, nil)
					}
				}
				op.Attrs = dropLayouts(op.Attrs)
			}
			for _, sub := range op.Regions {
				dropDefaults(sub)
			}
		}
	}
}
