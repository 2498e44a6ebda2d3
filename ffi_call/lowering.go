package ffi

import (
	"fmt"
	"maps"
	"slices"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/lower/hlo"
)

// Lowering is the lowering rule of a primitive that is one foreign call, the counterpart of the reference's ffi_lowering.
// A primitive of your own uses it in its Lower method:
//
//	func (p RmsNormP) Lower(b *hlo.Builder, in []*hlo.Value, out []array.Aval) ([]*hlo.Value, error) {
//		return ffi.Lowering{Target: "rms_norm"}.Lower(b, in, out, ffi.Attrs{"eps": p.Eps})
//	}
//
// The zero value of every field but Target is the common case.
type Lowering struct {
	Target string

	// APIVersion is that of Spec: 0 means 4, the typed interface.
	APIVersion int

	// Config is the backend configuration: attributes (a map, or a struct with ffi tags) for the typed interface, a string
	// for the others. The parameters given to Lower are added to it, and win.
	Config any

	HasSideEffect bool

	// Aliases maps operands to the results that begin in their memory.
	Aliases map[int]int

	// OperandLayouts and ResultLayouts are nil for row-major or have an entry for each: nil, a []int that lists the
	// dimensions minor to major (a Spec has them the other way round), or a Layout. SkipLayouts writes none at all, and
	// leaves them to Extra.
	OperandLayouts, ResultLayouts []any
	SkipLayouts                   bool

	// ResultTypes replaces the types that follow from the results' avals.
	ResultTypes []hlo.Type

	// ResultShapes are the sizes of each result, as tensor<rank x i32> each, where some size is known at run time only.
	// They become operands behind the others, which the compiler takes away again once it knows the sizes.
	ResultShapes []*hlo.Value

	// CalledComputations are functions of the module that the handler may run.
	CalledComputations []string

	// Extra are attributes of the operation itself, written as they are.
	Extra hlo.Attrs
}

// Lower writes the custom call. params are the parameters of the equation, as attributes: nil, a map, or a struct with
// ffi tags, which may be the primitive itself. Reports an *array.ArgumentError for parameters of an untyped call, a
// configuration of the wrong kind, attributes without a typed form, layouts that are no permutation, and aliases out of
// range.
func (l Lowering) Lower(b *hlo.Builder, in []*hlo.Value, out []array.Aval, params any) ([]*hlo.Value, error) {
	c, types, err := l.call(in, out, params)
	if err != nil {
		return nil, fmt.Errorf("the foreign call of %q: %w", l.Target, err)
	}
	return c.write(b, append(slices.Clone(in), l.ResultShapes...), types), nil
}

func (l Lowering) call(in []*hlo.Value, out []array.Aval, params any) (c customCall, types []hlo.Type, err error) {
	c = customCall{target: l.Target, version: version(l.APIVersion), sideEffect: l.HasSideEffect, called: l.CalledComputations, extra: l.Extra,
		shapes: len(l.ResultShapes), skipLayouts: l.SkipLayouts}
	if l.Target == "" {
		return c, nil, array.ArgumentErrorf("it names no target")
	}
	if c.config, err = l.config(c.version, params); err != nil {
		return c, nil, err
	}
	if types = l.ResultTypes; types == nil {
		for _, a := range out {
			types = append(types, hlo.TypeOf(a))
		}
	}
	if n := len(l.ResultShapes); n > 0 && n != len(types) {
		return c, nil, array.ArgumentErrorf("%d result shapes are given for %d results; every result needs one as soon as one does", n, len(types))
	}
	if !l.SkipLayouts {
		inTypes := make([]hlo.Type, len(in))
		for i, v := range in {
			inTypes[i] = v.Type
		}
		if c.operandLayouts, err = orders("operand", l.OperandLayouts, inTypes, false); err != nil {
			return c, nil, err
		}
		if c.resultLayouts, err = orders("result", l.ResultLayouts, types, false); err != nil {
			return c, nil, err
		}
		for range l.ResultShapes {
			c.operandLayouts = append(c.operandLayouts, []int{0})
		}
	}
	for _, i := range slices.Sorted(maps.Keys(l.Aliases)) {
		r := l.Aliases[i]
		if i < 0 || i >= len(in) || r < 0 || r >= len(types) {
			return c, nil, array.ArgumentErrorf("alias {%d: %d}: there are %d operands and %d results", i, r, len(in), len(types))
		}
		c.aliases = c.aliases.Append(i, r)
	}
	return c, types, nil
}

// config merges the parameters over the configuration.
func (l Lowering) config(version int, params any) (hlo.Attr, error) {
	given := hlo.Dict{}
	if params != nil {
		a, err := Attribute(params)
		if err != nil {
			return nil, err
		}
		d, ok := a.(hlo.Dict)
		if !ok {
			return nil, array.ArgumentErrorf("the parameters are %s; they should be a map or a struct with ffi tags", hlo.AttrString(a))
		}
		given = d
	}
	if version != typedVersion {
		text, ok := l.Config.(string)
		switch {
		case len(given) > 0:
			return nil, array.ArgumentErrorf("parameters need the typed interface, API version 4; version %d takes a string", version)
		case !ok && l.Config != nil:
			return nil, array.ArgumentErrorf("the configuration of API version %d is a string, not a %T", version, l.Config)
		}
		return hlo.Str(text), nil
	}
	if l.Config == nil {
		return given, nil
	}
	a, err := Attribute(l.Config)
	if err != nil {
		return nil, err
	}
	base, ok := a.(hlo.Dict)
	if !ok {
		return nil, array.ArgumentErrorf("the configuration of the typed interface is a dictionary of attributes, not %s", hlo.AttrString(a))
	}
	merged := hlo.Attrs(base)
	for _, n := range given {
		merged = merged.Set(n.Name, n.Value)
	}
	return hlo.Dict(merged), nil
}

// customCall is what there is to write about a custom call besides its operands and results.
type customCall struct {
	target         string
	version        int
	config         hlo.Attr
	sideEffect     bool
	aliases        array.Ints // pairs of operand and result
	operandLayouts [][]int    // minor to major
	resultLayouts  [][]int
	skipLayouts    bool
	shapes         int // how many of the last operands are shapes of results
	called         []string
	extra          hlo.Attrs
}

func (c customCall) write(b *hlo.Builder, in []*hlo.Value, out []hlo.Type) []*hlo.Value {
	attrs := hlo.Attrs{}.
		Set("api_version", hlo.I32(c.version)).
		Set("backend_config", c.config).
		Set("call_target_name", hlo.Str(c.target))
	if !c.skipLayouts {
		attrs = attrs.Set("operand_layouts", layoutAttr(c.operandLayouts)).Set("result_layouts", layoutAttr(c.resultLayouts))
	}
	if c.sideEffect {
		attrs = attrs.Set("has_side_effect", hlo.Bool(true))
	}
	if c.shapes > 0 {
		places := make([]int, c.shapes)
		for i := range places {
			places[i] = len(in) - c.shapes + i
		}
		attrs = attrs.Set("indices_of_shape_operands", integers(places, "i64"))
	}
	var list hlo.Array
	for k := 0; k < c.aliases.Len(); k += 2 {
		a := hlo.OutputAlias{Operand: c.aliases.At(k)}
		if len(out) > 1 {
			a.OutputTuple = []int{c.aliases.At(k + 1)}
		}
		list = append(list, a)
	}
	if list != nil {
		attrs = attrs.Set("output_operand_aliases", list)
	}
	var called hlo.Array
	for _, name := range c.called {
		called = append(called, hlo.Ref(name))
	}
	if called != nil {
		attrs = attrs.Set("called_computations", called)
	}
	for _, e := range c.extra {
		attrs = attrs.Set(e.Name, e.Value)
	}
	return b.Append(&hlo.Op{Name: "stablehlo.custom_call", Operands: in, Attrs: attrs}, out...).Results
}
