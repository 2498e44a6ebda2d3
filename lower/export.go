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

// ExportOptions are the settings of one export. The zero value exports for the CPU, without a derivative.
type ExportOptions struct {
	Platforms []string        // cpu (the default), cuda, rocm, tpu; the module of several takes the number of one
	Disabled  []DisabledCheck // what is not checked
	VJPOrder  int             // how often the function may be differentiated in reverse mode where it is imported
	Version   hlo.Version     // of the artifact; 1.13.0 where it is zero, which readers of a year ago take
}

// exportVersion is the version of artifacts where none is asked for.
var exportVersion = hlo.Version{Major: 1, Minor: 13}

// callingConvention is the version of the rules about parameters that export follows.
const callingConvention = 10

// platformIndex is the attribute of the parameter that takes the number of the platform.
const platformIndex = "_platform_index"

// Export traces f on arguments of the types of args, lowers it, and gives what other programs can load: Serialize writes the
// container that jax.export.deserialize reads. args are as for trace.Of: arrays, trace.Spec where only the type is known, and
// trees of them. In Python, structs and maps are dicts, slices lists, several results a tuple.
//
// Reports a TargetError where the module calls foreign functions that are not promised to stay, unless opts let them through.
func Export(f any, args []any, opts ExportOptions) (e *Exported, err error) {
	defer trace.Recover(&err)
	c, err := trace.CallableOf(f)
	if err != nil {
		return nil, array.Wrap("lower.Export", err)
	}
	leaves, in, err := trace.FlattenArgs(trace.SignatureOf(c), args)
	if err != nil {
		return nil, array.Wrap("lower.Export", fmt.Errorf("%s: %w", c.Name(), err))
	}
	avals := make([]array.Aval, len(leaves))
	for i, x := range leaves {
		avals[i] = x.Aval()
	}
	j, out, err := trace.RecordTree("export("+c.Name()+")", c, avals, in)
	if err != nil {
		return nil, err
	}
	next := 0
	inTree, inOrder := pyTree(in, &next, true)
	next = 0
	t := reflect.TypeOf(f)
	outTree, outOrder := pyTree(out, &next, t.Kind() != reflect.Func || t.NumOut() > 1)
	j = reordered(j, inOrder, outOrder)
	e, err = exportJaxpr(c.Name(), j, opts)
	if err != nil {
		return nil, err
	}
	e.InTree = &PyTree{Kind: PyTuple, Children: []*PyTree{inTree, {Kind: PyDict}}}
	e.OutTree = outTree
	return e, nil
}

// reordered is the jaxpr with inputs and results in another order.
func reordered(c *trace.Closed, in, out []int) *trace.Closed {
	j := &trace.Jaxpr{Consts: c.Consts, Eqns: c.Eqns}
	for _, i := range in {
		j.In = append(j.In, c.In[i])
	}
	for _, i := range out {
		j.Out = append(j.Out, c.Out[i])
	}
	return &trace.Closed{Jaxpr: j, ConstVals: c.ConstVals}
}

// exportJaxpr exports a function of flat arguments and results; the trees are set by who knows them.
func exportJaxpr(name string, j *trace.Closed, opts ExportOptions) (*Exported, error) {
	if len(opts.Platforms) == 0 {
		opts.Platforms = []string{"cpu"}
	}
	if opts.Version == (hlo.Version{}) {
		opts.Version = exportVersion
	}
	e := &Exported{Name: name, Platforms: opts.Platforms, Devices: 1, Disabled: opts.Disabled, CallingConvention: callingConvention,
		SerializationVersion: containerVersion}
	for i, v := range j.In {
		e.Kept = append(e.Kept, i)
		a, err := leafOf(v.Aval)
		if err != nil {
			return nil, fmt.Errorf("argument %d: %w", i, err)
		}
		e.In = append(e.In, a)
	}
	for i, v := range j.Out {
		a, err := leafOf(v.AvalOf())
		if err != nil {
			return nil, fmt.Errorf("result %d: %w", i, err)
		}
		e.Out = append(e.Out, a)
	}
	m, err := exportModule(name, j, opts.Platforms)
	if err != nil {
		return nil, err
	}
	if err := CheckTargets(m, opts.Disabled...); err != nil {
		return nil, err
	}
	if e.Artifact, err = hlo.WriteBytecode(m, opts.Version); err != nil {
		return nil, err
	}
	if effectOf(j.Jaxpr) != 0 {
		e.UnorderedEffects = []string{foreignEffect}
	}
	if opts.VJPOrder > 0 {
		if e.VJP, err = exportVJP(name, j, opts); err != nil {
			return nil, err
		}
	}
	return e, nil
}

// foreignEffect is JAX's name of the effect that keeps a call whose results nobody uses.
const foreignEffect = "<class 'jax._src.ffi.FfiEffect'>"

func effectOf(j *trace.Jaxpr) (e primitive.Effect) {
	for _, eqn := range j.Eqns {
		e |= trace.EffectOf(eqn.Prim)
	}
	return e
}

// leafOf describes an argument or result; random keys by the name of their generator.
func leafOf(a array.Aval) (ExportedAval, error) {
	out := exportedAval(a)
	if a.DType.IsKey() {
		out.Key = strings.TrimSuffix(strings.TrimPrefix(a.DType.String(), "key<"), ">")
		if keyWords[out.Key] == 0 {
			return out, array.DTypeErrorf("%s: keys of a generator of one's own cannot be exported", a)
		}
		out.DType = array.Uint32
	} else if !slices.Contains(containerDTypes, a.DType) {
		return out, array.DTypeErrorf("%s: arrays of this type cannot be exported", a)
	}
	return out, nil
}

// exportModule lowers j for each platform. The module for several chooses by its first parameter, where they differ.
func exportModule(name string, j *trace.Closed, platforms []string) (*hlo.Module, error) {
	modules := make([]*hlo.Module, len(platforms))
	for i, p := range platforms {
		m, err := Module(name, j, Options{Platform: p, Embed: true})
		if err != nil {
			return nil, err
		}
		m.Attrs = m.Attrs.Set("jax.uses_shape_polymorphism", hlo.Bool(false))
		if modules[i] = m; i > 0 && hlo.Equal(m, modules[0]) == nil {
			modules[i] = modules[0]
		}
	}
	if len(platforms) == 1 {
		return modules[0], nil
	}
	first := modules[0].Func("main")
	m := &hlo.Module{Name: modules[0].Name, Attrs: modules[0].Attrs}
	b := hlo.NewBuilder(m, platforms[0])
	index := hlo.Tensor{Elem: array.Int32}
	main, err := b.Func("main", false, append([]hlo.Type{index}, first.In...), func(args []*hlo.Value) ([]*hlo.Value, error) {
		funcs := map[*hlo.Module]*hlo.Func{}
		branches := make([]*hlo.Region, len(modules))
		for i, part := range modules {
			if funcs[part] == nil {
				f, err := b.Merge(part, "main_"+platforms[i])
				if err != nil {
					return nil, err
				}
				funcs[part] = f
			}
			if len(funcs) == 1 && i == len(modules)-1 {
				return b.Call(funcs[part], args[1:]...), nil
			}
			r, err := b.Region(nil, func([]*hlo.Value) ([]*hlo.Value, error) { return b.Call(funcs[part], args[1:]...), nil })
			if err != nil {
				return nil, err
			}
			branches[i] = r
		}
		return b.Append(&hlo.Op{Name: "stablehlo.case", Operands: args[:1], Regions: branches}, first.Out...).Results, nil
	})
	if err != nil {
		return nil, err
	}
	main.ArgAttrs = make([]hlo.Attrs, len(main.In))
	main.ArgAttrs[0] = hlo.Attrs{{Name: "jax.global_constant", Value: hlo.Str(platformIndex)}}
	return m, nil
}

// exportVJP exports the pull-back of j: from its inputs and the cotangents of its results to the cotangents of its inputs.
// That of an integer has type float0, which is a bool in the module.
func exportVJP(name string, j *trace.Closed, opts ExportOptions) (*Exported, error) {
	var avals []array.Aval
	for _, v := range j.In {
		avals = append(avals, moduleAval(v.Aval))
	}
	for _, v := range j.Out {
		avals = append(avals, moduleAval(vjp.TangentOf(v.AvalOf())))
	}
	n := len(j.In)
	flat := func(x []*array.Array) []*array.Array {
		out, err := trace.Eval(j.Jaxpr, j.ConstVals, x)
		if err != nil {
			panic(array.Wrap(name, err))
		}
		return inexact(out)
	}
	pull, err := trace.Record("vjp("+name+")", avals, func(in []*array.Array) ([]*array.Array, error) {
		_, pullback := vjp.VJP(flat, in[:n])
		ct := []*array.Array{}
		for i, v := range j.Out {
			if v.AvalOf().DType.IsInexact() {
				ct = append(ct, in[n+i])
			}
		}
		out, _, err := trace.Flatten(pullback.CallTree(ct))
		if err != nil {
			return nil, err
		}
		for i, x := range out {
			if a := x.Aval(); a.DType == array.Float0 {
				out[i] = primitive.Full(moduleAval(a), 0)
			}
		}
		return out, nil
	})
	if err != nil {
		return nil, err
	}
	opts.VJPOrder--
	e, err := exportJaxpr(name, pull, opts)
	if err != nil {
		return nil, err
	}
	for i, v := range j.Out {
		if !v.AvalOf().DType.IsInexact() {
			e.In[n+i].DType = array.Float0
		}
	}
	for i, v := range j.In {
		if !v.Aval.DType.IsInexact() {
			e.Out[i].DType = array.Float0
		}
	}
	e.InTree = &PyTree{Kind: PyTuple, Children: []*PyTree{flatTuple(len(e.In)), {Kind: PyDict}}}
	e.OutTree = flatTuple(len(e.Out))
	return e, nil
}

// inexact are the arrays that have cotangents.
func inexact(x []*array.Array) []*array.Array {
	return slices.DeleteFunc(x, func(x *array.Array) bool { return !x.DType().IsInexact() })
}

// moduleAval is what a module has for a value: bools for float0.
func moduleAval(a array.Aval) array.Aval {
	if a.DType == array.Float0 {
		a.DType = array.Bool
	}
	return a.Strong()
}
