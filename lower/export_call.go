package lower

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/lower/hlo"
	"github.com/pantograph-go/pantograph/primitive"
	"github.com/pantograph-go/pantograph/trace"
	"github.com/pantograph-go/pantograph/vjp"
)

// Func is the function to call: eagerly, or inside any other, where it is one equation. It takes what the function was
// exported with: an array (or a Go number) for a leaf, a map or struct for a dict, a slice for a list or tuple, nil for None;
// a map[string]any behind the positional arguments holds named ones. It gives a map[string]any for a dict and a []any for a
// list or tuple. Its derivative in reverse mode is what was exported with it; without that it has none.
func (e *Exported) Func() *trace.Func {
	return trace.NewFunc(e.Name, nil, func(args []any) (any, error) {
		leaves, err := e.Leaves(args)
		if err != nil {
			return nil, err
		}
		out, err := e.Apply(leaves)
		if err != nil {
			return nil, err
		}
		return e.OutTree.unflatten(&out), nil
	})
}

// Leaves takes the arguments of a call apart, as the tree says; a Go number becomes an array of the type that is wanted.
func (e *Exported) Leaves(args []any) ([]*array.Array, error) {
	if len(e.InTree.Children) != 2 || e.InTree.Children[1].Kind != PyDict {
		return nil, array.TreeErrorf("the function takes %s, which is no tuple of positional and named arguments", e.InTree)
	}
	positional, named := e.InTree.Children[0], e.InTree.Children[1]
	given := [2]any{args, nil}
	if len(named.Children) > 0 {
		if len(args) != len(positional.Children)+1 {
			return nil, array.ArgumentErrorf("%d arguments are given; the function takes %d, and a map of the named ones %s",
				len(args), len(positional.Children), strings.Join(named.Names, ", "))
		}
		given = [2]any{args[:len(args)-1], args[len(args)-1]}
	} else if len(args) != len(positional.Children) {
		return nil, array.ArgumentErrorf("%d arguments are given, the function takes %d", len(args), len(positional.Children))
	}
	var values []any
	for i, t := range e.InTree.Children {
		if err := t.flatten(reflect.ValueOf(given[i]), [2]string{"args", "kwargs"}[i], &values); err != nil {
			return nil, err
		}
	}
	leaves := make([]*array.Array, len(values))
	for i, v := range values {
		x, err := array.FromValue(v)
		if err != nil {
			return nil, fmt.Errorf("argument %d: %w", i, err)
		}
		if want, err := e.In[i].Aval(); err == nil && x.Aval().Weak && x.Aval().DType != want.DType && len(want.Shape) == 0 {
			x = primitive.Convert(x, want.DType)
		}
		leaves[i] = x
	}
	return leaves, nil
}

// Apply calls the function on the leaves of its arguments and gives those of its result.
func (e *Exported) Apply(leaves []*array.Array) ([]*array.Array, error) {
	if e.VJP == nil {
		return primitive.BindAll(ExportedCallP{e}, leaves...), nil
	}
	return e.withRule().CallAll(leaves), nil
}

// withRule is the call with the exported pull-back as its rule of reverse mode.
func (e *Exported) withRule() *trace.Func {
	e.ruleOnce.Do(func() {
		primal := func(x []*array.Array) []*array.Array { return primitive.BindAll(ExportedCallP{e}, x...) }
		e.call = vjp.Custom(primal, vjp.Rule{
			Fwd: func(x []*array.Array) (out, residuals []*array.Array) { return e.mustApply(x), x },
			Bwd: e.pull,
		})
	})
	return e.call
}

func (e *Exported) mustApply(x []*array.Array) []*array.Array {
	out, err := e.Apply(x)
	if err != nil {
		panic(array.Wrap(e.Name, err))
	}
	return out
}

// pull applies the exported pull-back. What has no derivative has cotangents of bools.
func (e *Exported) pull(x, ct []*array.Array) []*array.Array {
	in := slices.Concat(x, ct)
	for i, a := range in {
		if want, err := e.VJP.In[i].Aval(); err == nil && (a == nil || e.VJP.In[i].DType == array.Float0) {
			in[i] = primitive.Full(want, 0)
		}
	}
	return e.VJP.mustApply(in)
}

// ExportedCallP is the call of an exported function on its leaves.
type ExportedCallP struct{ Function *Exported }

// Name implements primitive.Primitive.
func (ExportedCallP) Name() string { return "call_exported" }

// Params prints the function by name.
func (p ExportedCallP) Params() []primitive.Param {
	return []primitive.Param{{Name: "exported", Value: p.Function.Name}}
}

// Effect keeps the calls of functions that do something.
func (p ExportedCallP) Effect() primitive.Effect {
	switch {
	case len(p.Function.OrderedEffects) > 0:
		return primitive.Ordered
	case len(p.Function.UnorderedEffects) > 0:
		return primitive.Impure
	}
	return 0
}

// Shape implements primitive.Primitive.
func (p ExportedCallP) Shape(in []array.Aval) ([]array.Aval, error) {
	e := p.Function
	if len(in) != len(e.In) {
		return nil, array.ArgumentErrorf("%s takes %d arrays, not %d", e.Name, len(e.In), len(in))
	}
	for i, a := range in {
		want, err := e.In[i].Aval()
		if err != nil {
			return nil, err
		}
		if got := hlo.TensorOf(a); got.Elem != want.DType || !got.Shape.Equal(want.Shape) {
			return nil, array.ArgumentErrorf("argument %d is %s, %s was exported for %s", i, a, e.Name, e.In[i])
		}
	}
	out := make([]array.Aval, len(e.Out))
	for i, a := range e.Out {
		var err error
		if out[i], err = a.Aval(); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// LowerJaxpr adds the functions of the module to the one being made and calls main.
func (p ExportedCallP) LowerJaxpr(c trace.Lowering, in []*hlo.Value, out []array.Aval) ([]*hlo.Value, error) {
	e, b := p.Function, c.Builder()
	m, err := e.Module()
	if err != nil {
		return nil, err
	}
	index := slices.Index(e.Platforms, b.Platform)
	if index < 0 {
		if !slices.Contains(e.Disabled, DisabledPlatform) {
			return nil, array.ArgumentErrorf("%s was exported for %s and is used on %s", e.Name, strings.Join(e.Platforms, ", "), b.Platform)
		}
		index = 0
	}
	if e.Devices != 1 {
		return nil, array.ArgumentErrorf("%s was exported for %d devices and is called on one", e.Name, e.Devices)
	}
	var args []*hlo.Value
	if len(e.Platforms) > 1 {
		args = append(args, b.Splat(array.Aval{DType: array.Int32}, float64(index)))
	}
	for range e.OrderedEffects {
		args = append(args, b.Append(&hlo.Op{Name: "stablehlo.create_token"}, hlo.Token{}).Results...)
	}
	for _, i := range e.Kept {
		args = append(args, in[i])
	}
	f, err := p.merged(c, b, m)
	if err != nil {
		return nil, err
	}
	if len(f.In) != len(args) || len(f.Out) != len(e.OrderedEffects)+len(e.Out) {
		return nil, array.ArgumentErrorf("the module of %s takes %d values and gives %d, its description says %d and %d",
			e.Name, len(f.In), len(f.Out), len(args), len(e.OrderedEffects)+len(e.Out))
	}
	for i, t := range f.In {
		if !hlo.EqualType(args[i].Type, t) {
			if e.UsesGlobalConstants { // the module takes tensors of unknown sizes
				args[i] = b.Append(&hlo.Op{Name: "stablehlo.convert", Operands: args[i : i+1 : i+1]}, t).Results[0]
				continue
			}
			return nil, array.ArgumentErrorf("the module of %s takes %s for value %d, which is %s", e.Name, t, i, args[i].Type)
		}
	}
	results := b.Call(f, args...)[len(e.OrderedEffects):]
	for i, v := range results {
		if t := hlo.TypeOf(out[i]); !hlo.EqualType(v.Type, t) && e.UsesGlobalConstants {
			results[i] = b.Append(&hlo.Op{Name: "stablehlo.convert", Operands: []*hlo.Value{v}}, t).Results[0]
		}
	}
	return results, nil
}

// merged adds the module's functions once for all calls.
func (p ExportedCallP) merged(c trace.Lowering, b *hlo.Builder, m *hlo.Module) (*hlo.Func, error) {
	l, ok := c.(*lowering)
	if ok && l.imported[p.Function] != nil {
		return l.imported[p.Function], nil
	}
	f, err := b.Merge(m, identifier("call_exported_"+p.Function.Name))
	if err == nil && ok {
		l.imported[p.Function] = f
	}
	return f, err
}
