package main

import (
	"math"
	"reflect"
	"strings"

	"github.com/pantograph-go/pantograph/array"
	ffi "github.com/pantograph-go/pantograph/ffi_call"
	"github.com/pantograph-go/pantograph/flow"
	"github.com/pantograph-go/pantograph/jit"
	"github.com/pantograph-go/pantograph/linalg"
	"github.com/pantograph-go/pantograph/lower"
	"github.com/pantograph-go/pantograph/lower/hlo"
	"github.com/pantograph-go/pantograph/np"
	"github.com/pantograph-go/pantograph/primitive"
	"github.com/pantograph-go/pantograph/random"
	"github.com/pantograph-go/pantograph/vjp"
	"github.com/pantograph-go/pantograph/vmap"
)

// The programs that cases say in words. The names of the cases tell them apart.

// probe is a call whose results are like its first operand, or of the given type.
func probe(target string, method ffi.VmapMethod, effect bool, results ...ffi.Result) func(x ...*array.Array) *array.Array {
	return func(x ...*array.Array) *array.Array {
		out := results
		if out == nil {
			out = []ffi.Result{ffi.ResultOf(x[0])}
		}
		return ffi.CallAll(ffi.Spec{Target: target, Vmap: method, HasSideEffect: effect, Results: out}, x...)[0]
	}
}

func vector(n int) ffi.Result { return ffi.Result{Shape: array.Shape{n}, DType: array.Float32} }

func one(f func(x *array.Array) *array.Array) arrays {
	return func(x []*array.Array) []*array.Array { return []*array.Array{f(x[0])} }
}

// written is the program of a case in words.
func (c *ffiCase) written() (arrays, error) {
	group, name, _ := strings.Cut(c.ID, "/")
	switch group {
	case "vmap":
		method, what, _ := strings.Cut(name, "/")
		return vmapProgram(methodNamed(method), what, c)
	case "attributes":
		return attributesProgram(name, c)
	case "operands":
		return operandsProgram(name, c)
	case "grad", "custom-vjp", "custom-jvp":
		return derivativeProgram(group, name, c)
	case "lowering-rule":
		return loweringProgram(name, c)
	case "lu-pivots":
		return pivotsProgram(name, c)
	case "export":
		return exportProgram(name, c)
	case "prng":
		return keyProgram(name, c)
	}
	return nil, &unknownProgram{c.ID + ": " + c.Call.Program}
}

func vmapProgram(m ffi.VmapMethod, what string, c *ffiCase) (arrays, error) {
	switch what {
	case "axis-size-0":
		f := probe("probe", m, false)
		return ofFunc(vmap.Of(func(x *array.Array) *array.Array { return f(x) })), nil
	case "result-rank-differs":
		f := probe("probe", m, false, ffi.Result{DType: array.Float32})
		return ofFunc(vmap.Of(func(x *array.Array) *array.Array { return f(x) })), nil
	case "three-operands-middle-batched":
		f := probe("probe", m, false, vector(3))
		return ofFunc(vmap.Of(func(x, y, z *array.Array) *array.Array { return f(x, y, z) }, vmap.In(nil, 1, nil))), nil
	case "triple":
		f := probe("probe", m, false)
		return ofFunc(vmap.Of(vmap.Of(vmap.Of(func(x *array.Array) *array.Array { return f(x) })))), nil
	case "effect-in-cond-batched-predicate":
		f := probe("probe", m, true)
		return ofFunc(vmap.Of(func(p, x *array.Array) *array.Array {
			return flow.Cond(p, func(x *array.Array) *array.Array { return f(x) }, func(x *array.Array) *array.Array { return x }, x).(*array.Array)
		})), nil
	case "effect-in-while-batched-predicate":
		f := probe("probe", m, true)
		return ofFunc(vmap.Of(func(n, x *array.Array) *array.Array {
			return flow.Fori(0, n, func(_, x *array.Array) *array.Array { return f(x) }, x).(*array.Array)
		})), nil
	}
	return nil, &unknownProgram{c.ID}
}

func attributesProgram(name string, c *ffiCase) (arrays, error) {
	twice := func(a, b any) arrays {
		return func(x []*array.Array) (out []*array.Array) {
			for _, v := range []any{a, b} {
				out = append(out, ffi.Call(ffi.Spec{Target: "probe", Attrs: ffi.Attrs{"v": v}, Results: []ffi.Result{vector(3)}}, x...))
			}
			return out
		}
	}
	switch name {
	case "defect-negative-zero":
		return twice(0.0, math.Copysign(0, -1)), nil
	case "equal-arrays-different-dtype":
		return twice([]int64{1}, []int32{1}), nil
	}
	return nil, &unknownProgram{c.ID}
}

func operandsProgram(name string, c *ffiCase) (arrays, error) {
	switch name {
	case "list-refused": // the compiler refuses: operands are arrays
		if t := reflect.TypeOf(ffi.CallAll).In(1); t != reflect.TypeFor[[]*array.Array]() {
			return nil, &unknownProgram{"operands are " + t.String()}
		}
		return nil, array.ArgumentErrorf("a list is no *array.Array")
	case "python-bool":
		return func([]*array.Array) []*array.Array {
			return []*array.Array{ffi.Call(ffi.Spec{Target: "probe", Results: []ffi.Result{vector(3)}}, np.Asarray(true))}
		}, nil
	case "traced-attribute-refused":
		return ofFunc(jit.Of(func(x *array.Array) *array.Array {
			return ffi.Call(ffi.Spec{Target: "probe", Attrs: ffi.Attrs{"v": x}, Results: []ffi.Result{vector(3)}}, x)
		})), nil
	}
	return nil, &unknownProgram{c.ID}
}

// normalised is the function of the custom-vjp cases.
func normalised(m ffi.VmapMethod) *vjpFunc {
	fwd := func(x *array.Array) []*array.Array {
		rows := ffi.Result{Shape: x.Shape()[:x.Rank()-1], DType: array.Float32}
		return ffi.CallAll(ffi.Spec{Target: "fwd", Vmap: m, Attrs: ffi.Attrs{"eps": float32(1e-5)}, Results: []ffi.Result{ffi.ResultOf(x), rows}}, x)
	}
	return &vjpFunc{vjp.Custom(func(x *array.Array) *array.Array { return fwd(x)[0] }, vjp.Rule{
		Fwd: func(x *array.Array) (y *array.Array, residuals []*array.Array) {
			out := fwd(x)
			return out[0], []*array.Array{out[1], x}
		},
		Bwd: func(res []*array.Array, ct *array.Array) *array.Array {
			return ffi.Call(ffi.Spec{Target: "bwd", Vmap: m, Results: []ffi.Result{ffi.ResultOf(res[1])}}, res[0], res[1], ct)
		},
	})}
}

// vjpFunc is a function of one array with a rule.
type vjpFunc struct {
	fn interface {
		Call(args ...any) *array.Array
	}
}

func (f *vjpFunc) sum(x *array.Array) *array.Array { return np.Sum(f.fn.Call(x)) }

func derivativeProgram(group, name string, c *ffiCase) (arrays, error) {
	method := func(prefix string) ffi.VmapMethod { return methodNamed(strings.TrimPrefix(name, prefix)) }
	plain := probe("probe", ffi.NoVmap, false)
	effect := func() *vjpFunc {
		f := probe("probe", ffi.BroadcastAll, true)
		return &vjpFunc{vjp.Custom(func(x *array.Array) *array.Array { return f(x) }, vjp.Rule{
			Fwd: func(x *array.Array) (*array.Array, []*array.Array) { return f(x), nil },
			Bwd: func(_ []*array.Array, ct *array.Array) *array.Array { return ct },
		})}
	}
	withJVP := func(m ffi.VmapMethod, tangent func(x, t *array.Array) *array.Array) *vjpFunc {
		prim := probe("prim", m, false)
		f := func(x *array.Array) *array.Array { return prim(x) }
		return &vjpFunc{vjp.CustomJVP(f, func(x, t *array.Array) (*array.Array, *array.Array) { return f(x), tangent(x, t) })}
	}
	product := func(m ffi.VmapMethod) func(x, t *array.Array) *array.Array {
		d := probe("dprim", m, false)
		return func(x, t *array.Array) *array.Array { return primitive.Mul(d(x), t) }
	}
	foreign := func(x, t *array.Array) *array.Array { return probe("tan", ffi.NoVmap, false)(x, t) }
	switch c.ID {
	case "grad/unused-result-is-still-refused":
		return ofFunc(vjp.Grad(func(x *array.Array) *array.Array { plain(x); return np.Sum(x) })), nil
	case "grad/stop-gradient-is-fine":
		return ofFunc(vjp.Grad(func(x *array.Array) *array.Array { return np.Sum(x.Mul(plain(vjp.StopGradient(x)))) })), nil
	case "custom-vjp/primal":
		f := normalised(ffi.NoVmap)
		return one(func(x *array.Array) *array.Array { return f.fn.Call(x) }), nil
	case "custom-vjp/grad":
		return ofFunc(vjp.Grad(normalised(ffi.NoVmap).sum)), nil
	case "custom-vjp/jvp-is-refused":
		f := normalised(ffi.NoVmap)
		return one(func(x *array.Array) *array.Array {
			_, dy := vjp.JVP(f.fn, []any{x}, []any{x})
			return dy.(*array.Array)
		}), nil
	case "custom-vjp/vmap-of-grad-sequential":
		return ofFunc(vmap.Of(vjp.Grad(normalised(ffi.Sequential).sum))), nil
	case "custom-jvp/grad":
		return ofFunc(vjp.Grad(withJVP(ffi.NoVmap, product(ffi.NoVmap)).sum)), nil
	case "custom-jvp/vmap-grad":
		return ofFunc(vmap.Of(vjp.Grad(withJVP(ffi.BroadcastAll, product(ffi.BroadcastAll)).sum))), nil
	case "custom-jvp/rule-calls-foreign-on-tangent-jvp":
		h := withJVP(ffi.NoVmap, foreign)
		return func(x []*array.Array) []*array.Array {
			y, dy := vjp.JVP(h.fn, []any{x[0]}, []any{x[0]})
			return []*array.Array{y.(*array.Array), dy.(*array.Array)}
		}, nil
	case "custom-jvp/rule-calls-foreign-on-tangent-grad":
		return ofFunc(vjp.Grad(withJVP(ffi.NoVmap, foreign).sum)), nil
	case "custom-vjp/effectful-primal":
		f := effect()
		return one(func(x *array.Array) *array.Array { return f.fn.Call(x) }), nil
	case "custom-vjp/effectful-grad":
		return ofFunc(vjp.Grad(effect().sum)), nil
	case "custom-vjp/effectful-scan-grad":
		f := effect()
		return ofFunc(vjp.Grad(func(x *array.Array) *array.Array {
			return np.Sum(flow.Fori(0, 2, func(_, x *array.Array) *array.Array { return f.fn.Call(x) }, x))
		})), nil
	}
	if strings.HasPrefix(name, "grad-of-vmap-") {
		f := vmap.Of(normalised(method("grad-of-vmap-")).fn)
		return ofFunc(vjp.Grad(func(x *array.Array) *array.Array { return np.Sum(f.Call(x)) })), nil
	}
	return nil, &unknownProgram{c.ID}
}

func loweringProgram(name string, c *ffiCase) (arrays, error) {
	if _, ok := rules[name]; !ok {
		return nil, &unknownProgram{c.ID}
	}
	return func(x []*array.Array) []*array.Array { return primitive.BindAll(ruleP{name}, x...) }, nil
}

func pivotsProgram(name string, c *ffiCase) (arrays, error) {
	sizes := map[string]int{"cpu-rank2": 3, "cpu-rank3": 6, "cuda-rank1": 4, "rocm-rank2": 3, "rocm-rank3": 6, "tpu-rank1": 4, "tpu-rank2": 3, "tpu-rank3": 6,
		"vmap-cuda": 4, "size-too-small": 2, "wrong-dtype": 3, "wrong-rank": 3}
	m, ok := sizes[name]
	if !ok {
		return nil, &unknownProgram{c.ID}
	}
	f := func(x *array.Array) *array.Array { return linalg.LUPivotsToPermutation(x, m) }
	if name == "vmap-cuda" {
		return ofFunc(vmap.Of(f, vmap.In(1))), nil
	}
	return one(f), nil
}

func exportProgram(name string, c *ffiCase) (arrays, error) {
	target, effect := "my_target", false
	switch {
	case strings.HasPrefix(name, "stable-"):
		target = strings.TrimPrefix(name, "stable-")
	case name == "no-longer-stable-old-cpu-names":
		target = "lapack_sgeqrf"
	case name == "side-effect":
		effect = true
	case name == "two-platforms-one-refused":
		target = "my_cuda" // what the program is on the second platform
	}
	f := probe(target, ffi.NoVmap, effect)
	if c.Call.Arguments == nil {
		return func([]*array.Array) []*array.Array { return []*array.Array{f(np.Zeros([]int{3}, np.Float32))} }, nil
	}
	return one(func(x *array.Array) *array.Array { return f(x) }), nil
}

// checkExport makes the check of exporting with what the case disables.
func (c *ffiCase) checkExport(m *hlo.Module) error {
	var disabled []lower.DisabledCheck
	switch strings.TrimPrefix(c.ID, "export/") {
	case "allowed-by-check", "side-effect":
		disabled = append(disabled, lower.DisabledCustomCall("my_target"))
	case "check-for-other-target":
		disabled = append(disabled, lower.DisabledCustomCall("other_target"))
	case "check-is-exact-not-prefix":
		disabled = append(disabled, lower.DisabledCustomCall("my_"))
	}
	return lower.CheckTargets(m, disabled...)
}

func keyProgram(name string, c *ffiCase) (arrays, error) {
	switch name {
	case "key-typed-result":
		return func([]*array.Array) []*array.Array {
			return ffi.CallAll(ffi.Spec{Target: "keys", Results: []ffi.Result{{Shape: array.Shape{3}, DType: toy().DType()}}})
		}, nil
	case "ffi-call-on-key":
		return func(x []*array.Array) []*array.Array {
			return ffi.CallAll(ffi.Spec{Target: "edtype", HasSideEffect: true}, x[0])
		}, nil
	case "ffi-call-on-key-vmap":
		f := probe("edtype", ffi.BroadcastAll, false, ffi.Result{DType: array.Float32})
		return ofFunc(vmap.Of(func(k *array.Array) *array.Array { return f(k) })), nil
	case "error-arithmetic":
		return func([]*array.Array) []*array.Array { return []*array.Array{random.Key(7, toy()).Add(1)} }, nil
	case "seed-float-is-not-checked":
		return func([]*array.Array) []*array.Array { return []*array.Array{random.Key(1.5, toy())} }, nil
	case "error-name-of-defined-impl":
		return func([]*array.Array) []*array.Array { return []*array.Array{random.Key(0, "toy")} }, nil
	case "error-mixed-implementations":
		return func([]*array.Array) []*array.Array {
			return []*array.Array{primitive.Concatenate(0, random.Split(random.Key(0, toy())), random.Split(random.Key(0)))}
		}, nil
	case "error-missing-function":
		return func([]*array.Array) []*array.Array {
			random.DefinePRNG(random.Generator{Key: array.Shape{3}, Seed: toySeed, RandomBits: toyBits, FoldIn: toyFold})
			return nil
		}, nil
	}
	return nil, &unknownProgram{c.ID}
}
