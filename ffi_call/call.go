package ffi

import (
	"fmt"
	"maps"
	"slices"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/primitive"
)

// Spec says what a foreign call is. The zero value of every field but Target is the common case.
type Spec struct {
	Target  string
	Results []Result // the types of the results, which the handler cannot change; none is legal
	Attrs   Attrs    // static inputs, fixed when the call is traced
	Vmap    VmapMethod

	// HasSideEffect keeps the call where nobody uses its results, and keeps equal calls apart. Set it for a handler that
	// reads or writes outside state.
	HasSideEffect bool

	// InputLayouts and OutputLayouts give the memory order of each operand and result: nil for row-major, a []int that
	// lists the dimensions major to minor, or a Layout. A nil list is all row-major. What the handler sees as dimensions
	// does not change.
	InputLayouts, OutputLayouts []any

	// Aliases maps an operand to the result that begins in its memory; both have one type and layout. The caller's
	// operand is never lost: it is copied where it is still needed.
	Aliases map[int]int

	// APIVersion is the version of the interface that the target has: 0 means 4, the typed one. 1 to 3 are the untyped
	// ones, which take no attributes; APIUnspecified is written as 0, which no platform compiles.
	APIVersion int

	// Opaque is the configuration of an untyped call.
	Opaque string
}

// APIUnspecified is the version that says nothing.
const APIUnspecified = -1

// typedVersion is the version of the custom call that carries typed attributes.
const typedVersion = 4

// version is the number that the custom call carries.
func version(api int) int {
	switch api {
	case 0:
		return typedVersion
	case APIUnspecified:
		return 0
	}
	return api
}

// Result is the type of one result.
type Result struct {
	Shape array.Shape
	DType array.DType
}

// ResultOf is the type of x, or of its gradient.
func ResultOf(x *array.Array) Result { return Result{x.Shape(), x.DType()} }

// Token is a result that only orders calls: give it to the call that is to come after as an operand.
var Token = Result{DType: array.Token}

// Call makes a foreign call with one result; see CallAll.
func Call(s Spec, operands ...*array.Array) *array.Array {
	if len(s.Results) != 1 {
		panic(array.Wrap("ffi_call", array.ArgumentErrorf("the call of %q has %d results; use ffi.CallAll", s.Target, len(s.Results))))
	}
	return CallAll(s, operands...)[0]
}

// CallAll makes a foreign call and returns its results. It panics with an *array.Error where the specification cannot be
// meant: no target, a result without a dtype, an attribute without a typed form, layouts that are no permutation, aliases
// of different types, attributes for an untyped call.
func CallAll(s Spec, operands ...*array.Array) []*array.Array {
	p, err := s.primitive(operands)
	if err != nil {
		panic(array.Wrap("ffi_call", fmt.Errorf("target %q: %w", s.Target, err)))
	}
	return primitive.BindAll(p, operands...)
}

func (s Spec) primitive(operands []*array.Array) (p CallP, err error) {
	if err := s.check(); err != nil {
		return p, err
	}
	in := make([]array.Aval, len(operands))
	for i, x := range operands {
		if x == nil {
			return p, array.ArgumentErrorf("operand %d is a nil array", i)
		}
		in[i] = x.Aval().Strong()
	}
	out := make([]array.Aval, len(s.Results))
	for i, r := range s.Results {
		out[i] = array.Aval{Shape: r.Shape, DType: r.DType}
	}
	p = CallP{TargetName: s.Target, HasSideEffect: s.HasSideEffect, ResultAvals: array.MakeAvals(out...), VmapMethod: s.Vmap,
		CustomCallAPIVersion: version(s.APIVersion), LegacyBackendConfig: s.Opaque}
	if p.Attributes, err = freeze(s.Attrs); err != nil {
		return p, err
	}
	if p.InputLayouts, err = resolve("operand", s.InputLayouts, in); err != nil {
		return p, err
	}
	if p.OutputLayouts, err = resolve("result", s.OutputLayouts, out); err != nil {
		return p, err
	}
	p.InputOutputAliases, err = aliases(s.Aliases, in, out, p.InputLayouts, p.OutputLayouts)
	return p, err
}

// check finds what is wrong with the specification whatever the operands.
func (s Spec) check() error {
	v := version(s.APIVersion)
	switch {
	case s.Target == "":
		return array.ArgumentErrorf("the call names no target")
	case s.Vmap > LegacyVectorized:
		return array.ArgumentErrorf("unknown vmap method %d; it is one of %s", s.Vmap, methodList)
	case v < 0 || v > typedVersion:
		return array.ArgumentErrorf("API version %d is not known; the typed interface is 4, the untyped ones are 1 to 3", v)
	case v == typedVersion && s.Opaque != "":
		return array.ArgumentErrorf("Opaque goes with API versions below 4; the typed interface takes Attrs")
	case v != typedVersion && len(s.Attrs) > 0:
		return array.ArgumentErrorf("attributes need the typed interface, API version 4; version %d takes a string, Opaque", v)
	}
	for i, r := range s.Results {
		switch {
		case r.DType == array.Invalid:
			return array.ArgumentErrorf("result %d has no dtype; it needs a shape and a dtype", i)
		case r.DType == array.Token && len(r.Shape) > 0:
			return array.ArgumentErrorf("result %d is a token of shape %s; a token has no shape", i, r.Shape)
		case slices.Min(append(r.Shape.Clone(), 0)) < 0:
			return array.ArgumentErrorf("result %d has the shape %s", i, r.Shape)
		}
	}
	return nil
}

// aliases checks the pairs and lists them in the order of the operands.
func aliases(pairs map[int]int, in, out []array.Aval, inLayouts, outLayouts Layouts) (array.Ints, error) {
	var list array.Ints
	for _, i := range slices.Sorted(maps.Keys(pairs)) {
		r := pairs[i]
		switch {
		case i < 0 || i >= len(in):
			return list, array.ArgumentErrorf("alias {%d: %d}: there are %d operands", i, r, len(in))
		case r < 0 || r >= len(out):
			return list, array.ArgumentErrorf("alias {%d: %d}: there are %d results", i, r, len(out))
		case !in[i].Equal(out[r]):
			return list, array.ShapeErrorf("alias {%d: %d}: the operand is %s and the result %s; they must be equal", i, r, in[i], out[r])
		case inLayouts.At(i) != outLayouts.At(r):
			return list, array.ArgumentErrorf("alias {%d: %d}: the operand's layout is %s and the result's %s (minor to major); they must be equal",
				i, r, inLayouts.At(i), outLayouts.At(r))
		}
		list = list.Append(i, r)
	}
	return list, nil
}
