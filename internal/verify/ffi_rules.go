package main

import (
	"github.com/pantograph-go/pantograph/array"
	ffi "github.com/pantograph-go/pantograph/ffi_call"
	"github.com/pantograph-go/pantograph/lower/hlo"
)

// rules are the cases of the default lowering rule: the rule and the equation's parameters.
var rules = map[string]struct {
	rule   ffi.Lowering
	params any
}{
	"defaults":               {ffi.Lowering{}, nil},
	"none-layouts":           {ffi.Lowering{OperandLayouts: []any{nil}, ResultLayouts: []any{nil}}, nil},
	"skip-layout-processing": {ffi.Lowering{SkipLayouts: true}, nil},
	"backend-config-merged":  {ffi.Lowering{Config: ffi.Attrs{"a": int32(7), "c": "base"}}, ffi.Attrs{"a": 1, "b": true}},
	"api-version-2-string":   {ffi.Lowering{APIVersion: 2, Config: "raw"}, nil},
	"side-effect-and-extra-attributes": {ffi.Lowering{HasSideEffect: true, Extra: hlo.Attrs{
		{Name: "mhlo.frontend_attributes", Value: hlo.Dict{{Name: "num_batch_dims", Value: hlo.Str("1")}}}}}, nil},
}

// ruleP is a primitive whose lowering is the default rule.
type ruleP struct{ which string }

func (ruleP) Name() string { return "rule" }

// Shape is that of the operands.
func (ruleP) Shape(in []array.Aval) ([]array.Aval, error) { return in, nil }

// Lower implements primitive.Lowerable.
func (p ruleP) Lower(b *hlo.Builder, in []*hlo.Value, out []array.Aval) ([]*hlo.Value, error) {
	r := rules[p.which]
	r.rule.Target = "rule_target"
	return r.rule.Lower(b, in, out, r.params)
}
