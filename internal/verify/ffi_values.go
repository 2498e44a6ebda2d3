package main

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"sync/atomic"

	"github.com/pantograph-go/pantograph/array"
	ffi "github.com/pantograph-go/pantograph/ffi_call"
	"github.com/pantograph-go/pantograph/flow"
	"github.com/pantograph-go/pantograph/jit"
	"github.com/pantograph-go/pantograph/linalg"
	"github.com/pantograph-go/pantograph/lower"
	"github.com/pantograph-go/pantograph/lower/hlo"
	"github.com/pantograph-go/pantograph/np"
	"github.com/pantograph-go/pantograph/random"
	"github.com/pantograph-go/pantograph/trace"
	"github.com/pantograph-go/pantograph/vmap"
)

// ffiDepartures are the facts of cases in which the specification departs from the reference.
var ffiDepartures = map[string]ffiExpect{
	// Lists, and nested lists, dictionaries and arrays, are frozen deeply.
	"attributes/error-list":                accepts(`{"v": {"kind": "array", "items": [{"kind": "integer", "mlir": "1 : i64"}]}}`),
	"attributes/error-tuple-holding-array": accepts(`{"v": {"kind": "array", "items": [{"kind": "dense", "mlir": "dense<1> : tensor<1xi32>"}]}}`),
	"attributes/error-dict-holding-array":  accepts(`{"v": {"kind": "dictionary", "entries": {"x": {"kind": "dense", "mlir": "dense<[1, 2]> : tensor<2xi32>"}}}}`),
	"attributes/error-dict-holding-list":   accepts(`{"v": {"kind": "dictionary", "entries": {"x": {"kind": "array", "items": [{"kind": "integer", "mlir": "1 : i64"}]}}}}`),
	// Zeros of different sign are different attributes.
	"attributes/defect-negative-zero": {OK: true, Results: []ffiType{{Shape: []int{3}, DType: "f32"}, {Shape: []int{3}, DType: "f32"}},
		CustomCalls: []ffiCustomCall{probeCall(`{"v": {"kind": "float", "mlir": "0.000000e+00 : f64"}}`), probeCall(`{"v": {"kind": "float", "mlir": "-0.000000e+00 : f64"}}`)}},
	// Odd scalars do not silently become types.
	"ir-attribute/f8-scalar": {Phase: "convert"},
	"ir-attribute/i4-scalar": {Phase: "convert"},
	// Seeds are integers.
	"prng/seed-float-is-not-checked": {Phase: "call"},
}

// accepts are the facts of a call of probe on f32[3] with the given attributes.
func accepts(attributes string) ffiExpect {
	return ffiExpect{OK: true, Results: []ffiType{{Shape: []int{3}, DType: "f32"}}, CustomCalls: []ffiCustomCall{probeCall(attributes)}}
}

func probeCall(attributes string) ffiCustomCall {
	c := ffiCustomCall{Target: "probe", Operands: [][]int{{0}}, Results: [][]int{{0}}, OperandTypes: []string{"tensor<3xf32>"}, ResultTypes: []string{"tensor<3xf32>"}}
	if err := json.Unmarshal([]byte(attributes), &c.Typed); err != nil {
		panic(err)
	}
	return c
}

// runAttribute converts a Go value and compares the attribute.
func (c *ffiCase) runAttribute() error {
	type integer int
	type text string
	values := map[string]any{
		"list": []any{1, 2}, "list-mixed": []any{1, "a", true, []any{0.5}}, "zero-stride": np.BroadcastTo(np.Asarray(1.0), 3),
		"int-subclass": integer(4), "int-enum": integer(3), "str-subclass": text("s"), "set": map[int]struct{}{1: {}},
		"dtype-class": reflect.TypeFor[float32](), "f8-scalar": hlo.Float{Value: 1, Type: "f8E4M3FN"}, "i4-scalar": hlo.Int{Value: 1, Type: "i4"},
	}
	v, ok := values[strings.TrimPrefix(c.ID, "ir-attribute/")]
	if !ok {
		return &unknownProgram{c.ID}
	}
	a, err := ffi.Attribute(v)
	if !c.Expect.OK {
		if err == nil {
			return fmt.Errorf("accepted as %s", hlo.AttrString(a))
		}
		return nil
	}
	if err != nil {
		return err
	}
	if p := compareAttr(a, c.Expect.Attribute); p != "" {
		return fmt.Errorf("%s", p)
	}
	return nil
}

// runExecutions counts how often a handler runs. For calls without an effect the recorded number is an upper bound.
func (c *ffiCase) runExecutions() error {
	var n atomic.Int64
	if err := ffi.Register("Counted", func(x, y ffi.Buffer) error {
		n.Add(1)
		copy(y.Bytes(), x.Bytes())
		return nil
	}); err != nil {
		return err
	}
	defer ffi.Unregister("Counted")
	method := ffi.NoVmap
	effect := strings.Contains(c.ID, "side-effect")
	counted := func(layouts ...[]int) func(x *array.Array) *array.Array {
		return func(x *array.Array) *array.Array {
			s := ffi.Spec{Target: "Counted", Vmap: method, HasSideEffect: effect, Results: []ffi.Result{ffi.ResultOf(x)}}
			for _, l := range layouts {
				s.InputLayouts, s.OutputLayouts = []any{l}, []any{l}
			}
			return ffi.Call(s, x)
		}
	}
	f := counted()
	x := np.Ones([]int{3}, np.Float32)
	var program any
	args := []any{x}
	switch name := strings.TrimPrefix(c.ID, "runtime/"); name {
	case "identical-pure-calls-are-merged", "identical-side-effect-calls-are-kept":
		program = func(x *array.Array) []*array.Array { return []*array.Array{f(x), f(x)} }
	case "pure-call-is-hoisted-out-of-a-loop", "side-effect-call-stays-in-the-loop":
		program = func(x *array.Array) any {
			return flow.Fori(0, 3, func(_, y *array.Array) *array.Array { return y.Add(f(x)) }, np.Zeros([]int{3}, np.Float32))
		}
	case "constant-operand-is-not-folded":
		program = func(y *array.Array) *array.Array { return f(np.Ones([]int{3}, np.Float32)).Add(y) }
	case "cond-branch-not-taken":
		program = func(p, x *array.Array) any {
			return flow.Cond(p, func(x *array.Array) *array.Array { return f(x) }, func(x *array.Array) *array.Array { return x }, x)
		}
		args = []any{np.Asarray(false), x}
	case "vmapped-cond-runs-both-sides":
		method = ffi.Sequential
		program = vmap.Of(func(p, x *array.Array) any {
			return flow.Cond(p, func(x *array.Array) *array.Array { return f(x) }, func(x *array.Array) *array.Array { return x }, x)
		})
		args = []any{np.Zeros([]int{4}, np.Bool), np.Ones([]int{4, 3}, np.Float32)}
	case "different-layouts-are-not-merged":
		program = func(x *array.Array) []*array.Array {
			return []*array.Array{counted([]int{0, 1})(x), counted([]int{1, 0})(x)}
		}
		args = []any{np.Ones([]int{4, 3}, np.Float32)}
	default:
		if method = methodNamed(strings.TrimPrefix(name, "executions-under-vmap-")); method == 99 {
			return &unknownProgram{c.ID}
		}
		program, args = vmap.Of(f), []any{np.Ones([]int{4, 3}, np.Float32)}
	}
	for _, y := range jit.Of(program).CallAll(args...) {
		if _, err := y.Host(); err != nil {
			return err
		}
	}
	if got, want := n.Load(), *c.Expect.Executions; got > want || effect && got != want {
		return fmt.Errorf("%d executions, want %d", got, want)
	}
	return nil
}

// runValue compares the value of a program.
func (c *ffiCase) runValue() error {
	var got any
	var err error
	if e := trace.Try(func() { got, err = c.value() }); e != nil {
		return e
	}
	if err != nil {
		return err
	}
	text, err := json.Marshal(got)
	if err != nil {
		return err
	}
	var g, w any
	if err := json.Unmarshal(text, &g); err != nil {
		return err
	}
	if err := json.Unmarshal(c.Expect.Value, &w); err != nil {
		return err
	}
	if !reflect.DeepEqual(g, w) {
		return fmt.Errorf("got %s, want %s", text, c.Expect.Value)
	}
	return nil
}

func (c *ffiCase) value() (any, error) {
	switch group, name, _ := strings.Cut(c.ID, "/"); group {
	case "lu-pivots":
		return numbers(linalg.LUPivotsToPermutation(np.Asarray(c.Call.Pivots), c.Call.Size))
	case "caching":
		return loweringsAfterEach(name)
	case "prng":
		return keyValue(name)
	}
	return nil, &unknownProgram{c.ID}
}

// numbers are the elements of an integer array, nested as its axes are.
func numbers(x *array.Array) (any, error) {
	b, err := x.Host()
	if err != nil {
		return nil, err
	}
	at := 0
	var nested func(shape array.Shape) any
	nested = func(shape array.Shape) any {
		if len(shape) == 0 {
			at++
			return b.Int(at - 1)
		}
		list := []any{}
		for range shape[0] {
			list = append(list, nested(shape[1:]))
		}
		return list
	}
	return nested(b.Shape()), nil
}

// loweringsAfterEach counts how often calls are compiled: a handler is instantiated for each.
func loweringsAfterEach(name string) (any, error) {
	target := "lowered." + name
	var n int
	err := ffi.Register(target, ffi.Bundle{
		Instantiate: func(hlo.Attrs) (int, error) { n++; return n, nil },
		Execute:     func(x, y ffi.Buffer) error { return nil },
	})
	if err != nil {
		return nil, err
	}
	defer ffi.Unregister(target)
	var after []int
	call := func(v any) {
		ffi.Call(ffi.Spec{Target: target, Attrs: ffi.Attrs{"v": v}, Results: []ffi.Result{vector(3)}}, np.Ones([]int{3}, np.Float32))
		after = append(after, n)
	}
	switch name {
	case "eager-calls-share-one-lowering":
		for _, v := range []int{1, 1, 1, 2} {
			call(v)
		}
		return []int{after[2], after[3]}, nil
	case "array-attributes-compare-by-value":
		for _, v := range []any{[]int{1, 2}, []int{1, 2}, []int{1, 3}, []int32{1, 2}} {
			call(v)
		}
		return after, nil
	}
	return nil, &unknownProgram{name}
}

// The generator of the prng cases: its keys are three words, all of them the seed.
func toySeed(seed *array.Array) *array.Array {
	return np.BroadcastTo(seed.AsType(np.Uint32), 3)
}

func toySplit(key *array.Array, shape array.Shape) *array.Array {
	positions := np.Arange(shape.Size()).AsType(np.Uint32).Reshape(append(shape.Clone(), 1)...)
	return key.Add(positions).Add(uint32(1))
}

func toyBits(key *array.Array, width int, shape array.Shape) *array.Array {
	d := map[int]array.DType{8: np.Uint8, 16: np.Uint16, 32: np.Uint32, 64: np.Uint64}[width]
	return np.BroadcastTo(np.Sum(key).AsType(d), shape...)
}

func toyFold(key, data *array.Array) *array.Array { return key.Add(data.AsType(np.Uint32)) }

var toyPRNG *random.PRNG

// toy is the generator, defined once.
func toy() *random.PRNG {
	if toyPRNG == nil {
		toyPRNG = newToy()
	}
	return toyPRNG
}

func newToy() *random.PRNG {
	return random.DefinePRNG(random.Generator{Name: "toy", Tag: "ty", Key: array.Shape{3}, Seed: toySeed, Split: toySplit, RandomBits: toyBits, FoldIn: toyFold})
}

// described are the recorded facts of an array of keys.
func described(keys *array.Array) (any, error) {
	data := random.KeyData(keys)
	words, err := numbers(data)
	return map[string]any{"shape": append([]int{}, keys.Shape()...), "dtype": keys.DType().String(), "ndim": keys.Rank(), "size": keys.Size(),
		"key_data_shape": append([]int{}, data.Shape()...), "key_data_dtype": data.DType().HLO(), "key_data": words}, err
}

func keyValue(name string) (any, error) {
	key := func() *array.Array { return random.Key(7, toy()) }
	switch name {
	case "key-builtin":
		return described(random.Key(7))
	case "wrap":
		return described(random.WrapKeyData(np.Arange(6).AsType(np.Uint32).Reshape(2, 3), toy()))
	case "split":
		return described(random.Split(key(), 2))
	case "fold-in":
		return described(random.FoldIn(key(), 5))
	case "bits":
		return numbers(random.Bits(key(), np.Uint32, 2))
	case "bits8":
		return numbers(random.Bits(key(), np.Uint8, 2))
	case "key-impl-round-trip":
		return random.Key(7, random.KeyImpl(key())).DType() == key().DType(), nil
	case "key-impl-builtin-is-a-name":
		return random.KeyImpl(random.Key(0)).Name(), nil
	case "key-impl-custom-is-opaque": // the reference calls the type PRNGSpec
		impl := random.KeyImpl(key())
		return []any{strings.Replace(reflect.TypeOf(impl).Elem().Name(), "PRNG", "PRNGSpec", 1), impl == toy()}, nil
	case "distinct-definitions-differ":
		return newToy().DType() == newToy().DType(), nil
	case "vmap":
		return numbers(vmap.Of(func(k *array.Array) *array.Array { return random.Bits(k, np.Uint32) }).Call(random.Split(key(), 2)))
	case "indexing-and-concatenation":
		tail := random.Split(key(), 3).At("1:").Get()
		return described(np.Concatenate([]*array.Array{tail, tail}))
	case "jit-jaxpr":
		return trace.Of(func(k *array.Array) *array.Array { return random.Bits(random.FoldIn(k, uint32(1)), np.Uint32) }, trace.Spec(toy().DType())).String(), nil
	case "lowered-type":
		m, err := lower.Module("f", trace.Of(func(k *array.Array) *array.Array { return k }, trace.Spec(toy().DType(), 2)), lower.Options{})
		if err != nil {
			return nil, err
		}
		return "%arg0: " + m.Func("main").In[0].String(), nil
	}
	return nil, &unknownProgram{name}
}
