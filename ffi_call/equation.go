package ffi

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/lower/hlo"
	"github.com/pantograph-go/pantograph/primitive"
)

// CallP is the equation of a foreign call. Its fields are the reference's parameters; layouts are minor to major and
// always explicit.
type CallP struct {
	Attributes           Frozen
	CustomCallAPIVersion int
	HasSideEffect        bool
	InputLayouts         Layouts
	InputOutputAliases   array.Ints // pairs of operand and result, sorted by operand
	LegacyBackendConfig  string
	OutputLayouts        Layouts
	ResultAvals          array.Avals
	TargetName           string
	VmapMethod           VmapMethod
}

// Name implements primitive.Primitive.
func (CallP) Name() string { return "ffi_call" }

// Params implements primitive.Parametric: the reference's parameters in its order and spelling.
func (p CallP) Params() []primitive.Param {
	config := any(nil)
	if p.LegacyBackendConfig != "" {
		config = p.LegacyBackendConfig
	}
	return []primitive.Param{
		{Name: "attributes", Value: p.Attributes},
		{Name: "custom_call_api_version", Value: p.CustomCallAPIVersion},
		{Name: "has_side_effect", Value: p.HasSideEffect},
		{Name: "input_layouts", Value: p.InputLayouts},
		{Name: "input_output_aliases", Value: aliasPairs(p.InputOutputAliases)},
		{Name: "legacy_backend_config", Value: config},
		{Name: "output_layouts", Value: p.OutputLayouts},
		{Name: "result_avals", Value: shapedArrays(p.ResultAvals)},
		{Name: "target_name", Value: p.TargetName},
		{Name: "vmap_method", Value: p.VmapMethod},
	}
}

// aliasPairs prints as the reference does: ((0, 0), (1, 0)).
type aliasPairs array.Ints

func (a aliasPairs) String() string {
	list := array.Ints(a)
	var parts []string
	for k := 0; k < list.Len(); k += 2 {
		parts = append(parts, fmt.Sprintf("(%d, %d)", list.At(k), list.At(k+1)))
	}
	return tuple(parts)
}

// shapedArrays prints as the reference does: (ShapedArray(float32[3]), AbstractToken()).
type shapedArrays array.Avals

func (a shapedArrays) String() string {
	var parts []string
	for _, v := range array.Avals(a).Slice() {
		if v.DType == array.Token {
			parts = append(parts, "AbstractToken()")
			continue
		}
		parts = append(parts, "ShapedArray("+v.DType.String()+v.Shape.String()+")")
	}
	return tuple(parts)
}

// tuple joins printed elements as Python does.
func tuple(parts []string) string {
	if len(parts) == 1 {
		return "(" + parts[0] + ",)"
	}
	return "(" + strings.Join(parts, ", ") + ")"
}

// Shape returns the avals that the call was made with.
func (p CallP) Shape(in []array.Aval) ([]array.Aval, error) {
	if len(in) != p.InputLayouts.Len() {
		return nil, array.ArgumentErrorf("the call of %q was made with %d operands and is given %d", p.TargetName, p.InputLayouts.Len(), len(in))
	}
	return p.ResultAvals.Slice(), nil
}

// KeyAware implements lower.KeyAware: the call sees the words of keys.
func (CallP) KeyAware() {}

// Effect implements primitive.Effectful.
func (p CallP) Effect() primitive.Effect {
	if p.HasSideEffect {
		return primitive.Impure
	}
	return 0
}

const attach = "attach a rule to a function around the call with vjp.Custom (reverse mode) or vjp.CustomJVP (forward and reverse)"

// JVP refuses: nothing is known of the derivative of a foreign function.
func (p CallP) JVP(x, dx []*array.Array) (y, dy []*array.Array, err error) {
	return nil, nil, p.without("jvp", attach)
}

// Transpose refuses for the same reason.
func (p CallP) Transpose([]*array.Array, []primitive.Operand) ([]*array.Array, error) {
	return nil, p.without("transpose", attach)
}

func (p CallP) without(transformation, advice string) error {
	return &array.NoRuleError{Transformation: transformation, Primitive: "the foreign call of " + strconv.Quote(p.TargetName), Advice: advice}
}

// Lower writes the custom call: in its native form for the typed interface, with the string for the others.
func (p CallP) Lower(b *hlo.Builder, in []*hlo.Value, out []array.Aval) ([]*hlo.Value, error) {
	c := customCall{target: p.TargetName, version: p.CustomCallAPIVersion, sideEffect: p.HasSideEffect,
		config: hlo.Str(p.LegacyBackendConfig), operandLayouts: p.InputLayouts.slices(), resultLayouts: p.OutputLayouts.slices(),
		aliases: p.InputOutputAliases}
	if p.CustomCallAPIVersion == typedVersion {
		c.config = p.Attributes.dict()
	}
	types := make([]hlo.Type, len(out))
	for i, a := range out {
		types[i] = hlo.TypeOf(a)
	}
	return c.write(b, in, types), nil
}
