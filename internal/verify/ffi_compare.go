package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/lower/hlo"
)

// customCallsOf lists the custom calls of a module in its order.
func customCallsOf(m *hlo.Module) []*hlo.Op {
	var list []*hlo.Op
	var region func(r *hlo.Region)
	region = func(r *hlo.Region) {
		if r == nil {
			return
		}
		for _, b := range r.Blocks {
			for _, op := range b.Ops {
				if op.Name == "stablehlo.custom_call" {
					list = append(list, op)
				}
				for _, inner := range op.Regions {
					region(inner)
				}
			}
		}
	}
	for _, f := range m.Funcs {
		region(f.Body)
	}
	return list
}

// compareCalls compares custom calls with the recorded ones. The reference outlines the body of a loop, so that a call in
// it appears once however often the loop is unrolled; such a call may stand here several times in a row.
func compareCalls(got []*hlo.Op, want []ffiCustomCall, narrow bool) error {
	k := 0
	for i, w := range want {
		if k == len(got) {
			return fmt.Errorf("%d custom calls, want %d", len(got), len(want))
		}
		if err := compareCall(got[k], w, narrow); err != nil {
			return fmt.Errorf("custom call %d, @%s: %w", i, w.Target, err)
		}
		outlined := len(w.Enclosing) > 0 && w.Enclosing[0] != "func @main"
		for k++; outlined && len(got)-k > len(want)-i-1 && compareCall(got[k], w, narrow) == nil; k++ {
		}
	}
	if k != len(got) {
		return fmt.Errorf("%d custom calls, want %d", len(got), len(want))
	}
	return nil
}

func compareCall(op *hlo.Op, want ffiCustomCall, narrow bool) error {
	var problems []string
	differ := func(what string, got, want any) {
		if g, w := fmt.Sprint(got), fmt.Sprint(want); g != w {
			problems = append(problems, fmt.Sprintf("%s: got %s, want %s", what, g, w))
		}
	}
	target, _ := op.Attr("call_target_name").(hlo.String)
	differ("target", target.Value, want.Target)
	version := 1
	if v, ok := op.Attr("api_version").(hlo.Int); ok {
		version = int(v.Value)
	}
	if want.Typed != nil {
		differ("API version of a typed call", version, 4)
		config, ok := op.Attr("backend_config").(hlo.Dict)
		if !ok {
			problems = append(problems, "the configuration is no dictionary")
		} else if p := compareTyped(config, want.Typed); p != "" {
			problems = append(problems, p)
		}
	} else {
		config, _ := op.Attr("backend_config").(hlo.String)
		if want.APIVersion != nil {
			differ("API version", version, *want.APIVersion)
		}
		if want.Config != nil {
			differ("configuration", config.Value, *want.Config)
		}
	}
	effect, _ := op.Attr("has_side_effect").(hlo.Bool)
	differ("side effect", bool(effect), want.SideEffect)
	differ("operand layouts", layoutsIn(op, "operand_layouts"), want.Operands)
	differ("result layouts", layoutsIn(op, "result_layouts"), want.Results)
	var aliases, wantAliases []string
	list, _ := op.Attr("output_operand_aliases").(hlo.Array)
	for _, a := range list {
		alias := a.(hlo.OutputAlias)
		aliases = append(aliases, fmt.Sprintf("%d to %v", alias.Operand, slices.Clone(alias.OutputTuple)))
	}
	for _, a := range want.Aliases {
		wantAliases = append(wantAliases, fmt.Sprintf("%d to %v", a.Operand, a.Output))
	}
	differ("aliases", aliases, wantAliases)
	var in, out []hlo.Type
	for _, v := range op.Operands {
		in = append(in, v.Type)
	}
	for _, v := range op.Results {
		out = append(out, v.Type)
	}
	differ("operand types", typeTexts(in, narrow), narrowTexts(want.OperandTypes, narrow))
	differ("result types", typeTexts(out, narrow), narrowTexts(want.ResultTypes, narrow))
	for name, text := range want.Other {
		a := op.Attr(name)
		if a == nil {
			problems = append(problems, "attribute "+name+" is missing")
			continue
		}
		differ("attribute "+name, hlo.AttrString(a), text)
	}
	if problems == nil {
		return nil
	}
	return fmt.Errorf("%s", strings.Join(problems, "; "))
}

// layoutsIn are the layouts of an attribute, nil where the operation has none.
func layoutsIn(op *hlo.Op, name string) [][]int {
	list, ok := op.Attr(name).(hlo.Array)
	if !ok {
		return nil
	}
	out := [][]int{}
	for _, a := range list {
		d := a.(*hlo.Dense)
		order := []int{}
		for i := range d.Type.Shape.Size() {
			if d.Splat {
				i = 0
			}
			order = append(order, int(d.Data.Int(i)))
		}
		out = append(out, order)
	}
	return out
}

func typeTexts(types []hlo.Type, narrow bool) []string {
	var texts []string
	for _, t := range types {
		texts = append(texts, t.String())
	}
	return narrowTexts(texts, narrow)
}

var narrower = strings.NewReplacer("xi64>", "xi32>", "<i64>", "<i32>", "xui64>", "xui32>", "<ui64>", "<ui32>", "xf64>", "xf32>", "<f64>", "<f32>")

func narrowTexts(texts []string, narrow bool) []string {
	if !narrow {
		return texts
	}
	var out []string
	for _, t := range texts {
		out = append(out, narrower.Replace(t))
	}
	return out
}

// recordedAttr is a typed attribute of the case file.
type recordedAttr struct {
	Kind    string
	MLIR    string
	Items   []json.RawMessage
	Entries map[string]json.RawMessage
}

func compareTyped(got hlo.Dict, want map[string]json.RawMessage) string {
	if len(got) != len(want) {
		return fmt.Sprintf("attributes %s, want %d", hlo.AttrString(got), len(want))
	}
	for i, n := range got {
		if i > 0 && n.Name <= got[i-1].Name {
			return "attributes are not sorted by name"
		}
		w, ok := want[n.Name]
		if !ok {
			return "attribute " + n.Name + " is not expected"
		}
		if p := compareAttr(n.Value, w); p != "" {
			return "attribute " + n.Name + ": " + p
		}
	}
	return ""
}

func compareAttr(got hlo.Attr, text json.RawMessage) string {
	var w recordedAttr
	if err := json.Unmarshal(text, &w); err != nil {
		return err.Error()
	}
	switch w.Kind {
	case "dictionary":
		d, ok := got.(hlo.Dict)
		if !ok {
			return "it is " + hlo.AttrString(got) + ", want a dictionary"
		}
		return compareTyped(d, w.Entries)
	case "array":
		list, ok := got.(hlo.Array)
		if !ok || len(list) != len(w.Items) {
			return fmt.Sprintf("it is %s, want a list of %d", hlo.AttrString(got), len(w.Items))
		}
		for i := range list {
			if p := compareAttr(list[i], w.Items[i]); p != "" {
				return p
			}
		}
		return ""
	}
	want, err := parseAttr(w.MLIR)
	if err != nil {
		return err.Error()
	}
	if g, w := canonical(got), canonical(want); g != w {
		return fmt.Sprintf("it is %s, want %s", g, w)
	}
	return ""
}

// parseAttr reads an attribute by putting it into a module.
func parseAttr(text string) (hlo.Attr, error) {
	m, err := hlo.Parse("func.func @main() {\n  stablehlo.custom_call @x() {api_version = 4 : i32, backend_config = {v = " + text + "}} : () -> ()\n  return\n}")
	if err != nil {
		return nil, err
	}
	return hlo.Attrs(customCallsOf(m)[0].Attr("backend_config").(hlo.Dict)).Get("v"), nil
}

// canonical is the text of an attribute in which every value has one spelling.
func canonical(a hlo.Attr) string {
	switch a := a.(type) {
	case hlo.Float:
		d, err := array.ParseDType(a.Type)
		if err == nil {
			a.Value = array.RoundTo(d, a.Value)
		}
		return hlo.AttrString(a)
	case *hlo.Dense:
		var b strings.Builder
		fmt.Fprintf(&b, "dense %s:", a.Type)
		for i := range a.Type.Shape.Size() {
			if a.Splat {
				i = 0
			}
			size := a.Type.Elem.Size()
			fmt.Fprintf(&b, " %x", a.Data.Bytes()[i*size:(i+1)*size])
		}
		return b.String()
	}
	return hlo.AttrString(a)
}
