package ffi

import (
	"fmt"
	"maps"
	"slices"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/flow"
	"github.com/pantograph-go/pantograph/lower/hlo"
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

	// InputLayouts and OutputLayouts give the memory order of each operand and result as a list of dimensions, major to
	// minor; a nil list, or a nil entry, is row-major. What the handler sees as dimensions does not change.
	InputLayouts, OutputLayouts [][]int

	// Aliases maps an operand to the result that may take its memory; both have one type and layout.
	Aliases map[int]int
}

// Result is the type of one result.
type Result struct {
	Shape array.Shape
	DType array.DType
}

// Call makes a foreign call with one result; see CallAll.
func Call(s Spec, operands ...*array.Array) *array.Array {
	if len(s.Results) != 1 {
		panic(array.Wrap("ffi.Call", array.ArgumentErrorf("the call of %q has %d results; use ffi.CallAll", s.Target, len(s.Results))))
	}
	return CallAll(s, operands...)[0]
}

// CallAll makes a foreign call and returns its results. Panics with an *array.Error where the specification cannot be
// meant: no target, an attribute without a typed form, layouts that are no permutation, aliases of different types.
func CallAll(s Spec, operands ...*array.Array) []*array.Array {
	p, err := s.primitive(operands)
	if err != nil {
		panic(array.Wrap("ffi_call", fmt.Errorf("target %q: %w", s.Target, err)))
	}
	return primitive.BindAll(p, operands...)
}

func (s Spec) primitive(operands []*array.Array) (p CallP, err error) {
	if s.Target == "" {
		return p, array.ArgumentErrorf("the call names no target")
	}
	if s.Vmap > LegacyVectorized {
		return p, array.ArgumentErrorf("unknown vmap method %d; it is one of %s", s.Vmap, methodList)
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
		if r.DType == array.Invalid {
			return p, array.ArgumentErrorf("result %d has no dtype", i)
		}
		if slices.Min(append(r.Shape.Clone(), 0)) < 0 {
			return p, array.ArgumentErrorf("result %d has the shape %s", i, r.Shape)
		}
		out[i] = array.Aval{Shape: r.Shape, DType: r.DType}
	}
	p = CallP{TargetName: s.Target, HasSideEffect: s.HasSideEffect, ResultAvals: array.MakeAvals(out...), VmapMethod: s.Vmap}
	if p.Attributes, err = freeze(s.Attrs); err != nil {
		return p, err
	}
	if p.InputLayouts, err = resolve("operand", "operands", s.InputLayouts, in); err != nil {
		return p, err
	}
	if p.OutputLayouts, err = resolve("result", "results", s.OutputLayouts, out); err != nil {
		return p, err
	}
	p.InputOutputAliases, err = aliases(s.Aliases, in, out, p.InputLayouts, p.OutputLayouts)
	return p, err
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

// CallP is the equation of a foreign call. Its fields are the reference's parameters; layouts are minor to major and
// always explicit.
type CallP struct {
	Attributes         Frozen
	HasSideEffect      bool
	InputLayouts       Layouts
	InputOutputAliases array.Ints // pairs of operand and result, sorted by operand
	OutputLayouts      Layouts
	ResultAvals        array.Avals
	TargetName         string
	VmapMethod         VmapMethod
}

// Name implements primitive.Primitive.
func (CallP) Name() string { return "ffi_call" }

// Shape returns the avals that the call was made with.
func (p CallP) Shape(in []array.Aval) ([]array.Aval, error) {
	if len(in) != p.InputLayouts.Len() {
		return nil, array.ArgumentErrorf("the call of %q was made with %d operands and is given %d", p.TargetName, p.InputLayouts.Len(), len(in))
	}
	return p.ResultAvals.Slice(), nil
}

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
	return nil, nil, &array.NoRuleError{Transformation: "jvp", Primitive: fmt.Sprintf("the foreign call of %q", p.TargetName), Advice: attach}
}

// Transpose refuses for the same reason.
func (p CallP) Transpose([]*array.Array, []primitive.Operand) ([]*array.Array, error) {
	return nil, &array.NoRuleError{Transformation: "transpose", Primitive: fmt.Sprintf("the foreign call of %q", p.TargetName), Advice: attach}
}

// Batch follows the call's VmapMethod.
func (p CallP) Batch(size int, in []*array.Array, dims []int) ([]*array.Array, []int, error) {
	if p.VmapMethod == NoVmap {
		return nil, nil, &array.NoRuleError{Transformation: "vmap", Primitive: fmt.Sprintf("the foreign call of %q", p.TargetName),
			Advice: "set Spec.Vmap to one of " + methodList}
	}
	in = slices.Clone(in)
	for i, d := range dims {
		if d > 0 {
			in[i] = toFront(in[i], d)
		}
	}
	results := p.ResultAvals.Slice()
	outDims := make([]int, len(results)) // results are batched at axis 0
	if p.VmapMethod == Sequential || p.VmapMethod == SequentialUnrolled {
		out, err := p.loop(size, in, dims)
		return out, outDims, err
	}
	q := p
	for i, d := range dims {
		mapped := d >= 0
		if !mapped && p.VmapMethod != LegacyVectorized {
			n := 1
			if p.VmapMethod == BroadcastAll {
				n = size
			}
			shape := in[i].Shape()
			axes := make([]int, len(shape))
			for k := range axes {
				axes[k] = k + 1
			}
			in[i], mapped = primitive.BroadcastInDim(in[i], shape.Insert(0, n), axes), true
		}
		if mapped {
			q.InputLayouts = q.InputLayouts.batched(i)
		}
	}
	for i := range results {
		results[i].Shape = results[i].Shape.Insert(0, size)
		q.OutputLayouts = q.OutputLayouts.batched(i)
	}
	q.ResultAvals = array.MakeAvals(results...)
	for k := 0; k < p.InputOutputAliases.Len(); k += 2 {
		i, r := p.InputOutputAliases.At(k), p.InputOutputAliases.At(k+1)
		if !in[i].Shape().Equal(results[r].Shape) {
			return nil, nil, array.ShapeErrorf("alias {%d: %d} of the call of %q: after vmap with %s the operand is %s and the result %s; map the operand too, or use BroadcastAll",
				i, r, p.TargetName, p.VmapMethod, in[i].Aval(), results[r])
		}
	}
	return primitive.BindAll(q, in...), outDims, nil
}

// loop makes one call an element, as a scan over axis 0 of the mapped operands.
func (p CallP) loop(size int, in []*array.Array, dims []int) ([]*array.Array, error) {
	var xs []*array.Array
	for i, d := range dims {
		if d >= 0 {
			xs = append(xs, in[i])
		}
	}
	one := func(x []*array.Array) []*array.Array {
		args, k := slices.Clone(in), 0
		for i, d := range dims {
			if d >= 0 {
				args[i] = x[k]
				k++
			}
		}
		return primitive.BindAll(p, args...)
	}
	opts := []flow.ScanOption{flow.Length(size)}
	if p.VmapMethod == SequentialUnrolled {
		opts = append(opts, flow.Unroll(max(size, 1)))
	}
	return flow.Map(one, xs, opts...).([]*array.Array), nil
}

func toFront(x *array.Array, d int) *array.Array {
	perm := []int{d}
	for i := range x.Rank() {
		if i != d {
			perm = append(perm, i)
		}
	}
	return primitive.Transpose(x, perm)
}

// Lower writes the typed custom call, in its native form.
func (p CallP) Lower(b *hlo.Builder, in []*hlo.Value, out []array.Aval) ([]*hlo.Value, error) {
	results := make([]hlo.Type, len(out))
	for i, a := range out {
		results[i] = hlo.TensorOf(a)
	}
	attrs := hlo.Attrs{}.
		Set("api_version", hlo.I32(4)).
		Set("backend_config", p.Attributes.dict()).
		Set("call_target_name", hlo.Str(p.TargetName)).
		Set("operand_layouts", p.InputLayouts.attr(in)).
		Set("result_layouts", p.OutputLayouts.attr(nil))
	if p.HasSideEffect {
		attrs = attrs.Set("has_side_effect", hlo.Bool(true))
	}
	var list hlo.Array
	for k := 0; k < p.InputOutputAliases.Len(); k += 2 {
		a := hlo.OutputAlias{Operand: p.InputOutputAliases.At(k)}
		if len(out) > 1 {
			a.OutputTuple = []int{p.InputOutputAliases.At(k + 1)}
		}
		list = append(list, a)
	}
	if list != nil {
		attrs = attrs.Set("output_operand_aliases", list)
	}
	return b.Append(&hlo.Op{Name: "stablehlo.custom_call", Operands: in, Attrs: attrs}, results...).Results, nil
}
