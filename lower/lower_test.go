package lower_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/jit"
	"github.com/pantograph-go/pantograph/lower"
	"github.com/pantograph-go/pantograph/lower/hlo"
	"github.com/pantograph-go/pantograph/np"
	"github.com/pantograph-go/pantograph/primitive"
	"github.com/pantograph-go/pantograph/random"
	"github.com/pantograph-go/pantograph/trace"
	"github.com/pantograph-go/pantograph/vmap"
)

func module(t *testing.T, c *trace.Closed, opts lower.Options) *hlo.Module {
	t.Helper()
	m, err := lower.Module("test", c, opts)
	if err != nil {
		t.Fatal(err)
	}
	if err := hlo.Verify(m); err != nil {
		t.Fatalf("%v\n%s", err, m)
	}
	return m
}

func ops(m *hlo.Module, fn string) string {
	var names []string
	for _, op := range m.Func(fn).Body.Block().Ops {
		names = append(names, strings.TrimPrefix(op.Name, "stablehlo."))
	}
	return strings.Join(names, " ")
}

func TestEquationsBecomeOperations(t *testing.T) {
	c := trace.Of(func(x, y *array.Array) *array.Array { return np.Sin(x).MatMul(y) }, trace.Spec(np.Float32, 2, 3), trace.Spec(np.Float32, 3))
	m := module(t, c, lower.Options{})
	if got := ops(m, "main"); got != "sine dot_general func.return" {
		t.Errorf("%s\n%s", got, m)
	}
	again, err := hlo.Parse([]byte(m.String()))
	if err != nil {
		t.Fatalf("what is printed is not read: %v", err)
	}
	if err := hlo.Equal(m, again); err != nil {
		t.Error(err)
	}
}

func TestDeadEquationsAreLeftOut(t *testing.T) {
	c := trace.Of(func(x *array.Array) *array.Array { np.Exp(x).Sum(); return x.Neg() }, trace.Spec(np.Float32, 2))
	if got := ops(module(t, c, lower.Options{}), "main"); got != "negate func.return" {
		t.Error(got)
	}
}

func TestConstantsAreParametersOrEmbedded(t *testing.T) {
	w := np.Asarray([]float64{1, 2, 3})
	c := trace.Of(func(x *array.Array) *array.Array { return x.Mul(w) }, trace.Spec(np.Float64, 3))
	if m := module(t, c, lower.Options{}); len(m.Func("main").In) != 2 {
		t.Errorf("the captured array is no parameter:\n%s", m)
	}
	m := module(t, c, lower.Options{Embed: true})
	if len(m.Func("main").In) != 1 || !strings.Contains(m.String(), "dense<[1.000000e+00, 2.000000e+00, 3.000000e+00]>") {
		t.Errorf("the captured array is not embedded:\n%s", m)
	}
}

func TestDonationIsWrittenDown(t *testing.T) {
	c := trace.Of(func(x, y *array.Array) (*array.Array, *array.Array) { return x.Add(1), y.Sum() }, trace.Spec(np.Float32, 2), trace.Spec(np.Float32, 5))
	m := module(t, c, lower.Options{Donate: []bool{true, true}})
	for _, want := range []string{"%arg0: tensor<2xf32> {tf.aliasing_output = 0 : i32}", "%arg1: tensor<5xf32> {jax.buffer_donor = true}"} {
		if !strings.Contains(m.String(), want) {
			t.Errorf("%s is missing in\n%s", want, m)
		}
	}
}

func TestEqualCallsShareAFunction(t *testing.T) {
	f := jit.Of(func(x *array.Array) *array.Array { return np.Sin(x) })
	c := trace.Of(func(x *array.Array) *array.Array { return f.Call(f.Call(x)) }, trace.Spec(np.Float32))
	m := module(t, c, lower.Options{})
	if len(m.Funcs) != 2 || ops(m, "main") != "func.call func.call func.return" {
		t.Errorf("%s", m)
	}
}

func TestOperationsCarryTheUsersLine(t *testing.T) {
	c := trace.Of(func(x *array.Array) *array.Array { return np.Cos(x) }, trace.Spec(np.Float32))
	loc := module(t, c, lower.Options{}).Func("main").Body.Block().Ops[0].Loc
	if !strings.HasSuffix(loc.File, "lower_test.go") || loc.Line == 0 || !strings.HasSuffix(loc.Name, "cos") {
		t.Errorf("%+v", loc)
	}
}

// noLowering is a user's primitive that lacks the rule.
type noLowering struct{}

func (noLowering) Name() string                                { return "no_lowering" }
func (noLowering) Shape(in []array.Aval) ([]array.Aval, error) { return in, nil }

// wrongLowering returns a value of another type.
type wrongLowering struct{ noLowering }

func (wrongLowering) Lower(b *hlo.Builder, in []*hlo.Value, out []array.Aval) ([]*hlo.Value, error) {
	return []*hlo.Value{b.Splat(array.Aval{DType: array.Int32}, 1)}, nil
}

func TestMissingAndWrongRules(t *testing.T) {
	for p, kind := range map[primitive.Primitive]any{noLowering{}: new(*array.NoRuleError), wrongLowering{}: new(*array.RuleError)} {
		c := trace.Of(func(x *array.Array) *array.Array { return primitive.Bind(p, x) }, trace.Spec(np.Float32))
		_, err := lower.Module("test", c, lower.Options{})
		if !errors.As(err, kind) || !strings.Contains(err.Error(), "lower_test.go:") || !strings.Contains(err.Error(), "no_lowering") {
			t.Errorf("%T: %v", p, err)
		}
	}
}

// Moving keys about gives the words that moving each key would.
func TestKeysMoveAsTheirWords(t *testing.T) {
	keys := random.Split(random.Key(7), 2, 3)
	words := random.KeyData(keys) // [2, 3, 2]
	other := random.Split(random.Key(8), 2, 3)
	for name, c := range map[string]struct {
		keys, words func(k, o *array.Array) *array.Array
	}{
		"transpose": {func(k, _ *array.Array) *array.Array { return primitive.Transpose(k, []int{1, 0}) },
			func(w, _ *array.Array) *array.Array { return primitive.Transpose(w, []int{1, 0, 2}) }},
		"reshape": {func(k, _ *array.Array) *array.Array { return primitive.Reshape(k, array.Shape{6}) },
			func(w, _ *array.Array) *array.Array { return primitive.Reshape(w, array.Shape{6, 2}) }},
		"slice": {func(k, _ *array.Array) *array.Array { return k.At(1, np.Slice{Start: 1, Stop: 3}).Get() },
			func(w, _ *array.Array) *array.Array { return w.At(1, np.Slice{Start: 1, Stop: 3}).Get() }},
		"gather": {func(k, _ *array.Array) *array.Array { return k.At(np.Asarray([]int{1, 0, 1})).Get() },
			func(w, _ *array.Array) *array.Array { return w.At(np.Asarray([]int{1, 0, 1})).Get() }},
		"concatenate": {func(k, o *array.Array) *array.Array { return primitive.Concatenate(1, k, o) },
			func(w, o *array.Array) *array.Array { return primitive.Concatenate(1, w, o) }},
		"select": {func(k, o *array.Array) *array.Array {
			return primitive.Select(np.Asarray([][]bool{{true, false, true}, {false, true, false}}), k, o)
		}, func(w, o *array.Array) *array.Array {
			return np.Where(np.Asarray([][][]bool{{{true}, {false}, {true}}, {{false}, {true}, {false}}}), w, o)
		}},
		"broadcast": {func(k, _ *array.Array) *array.Array {
			return primitive.BroadcastInDim(k, array.Shape{4, 2, 3}, []int{1, 2})
		},
			func(w, _ *array.Array) *array.Array {
				return primitive.BroadcastInDim(w, array.Shape{4, 2, 3, 2}, []int{1, 2, 3})
			}},
	} {
		want := c.words(words, random.KeyData(other))
		for how, f := range map[string]any{"eager": c.keys, "jit": jit.Of(c.keys)} {
			got := random.KeyData(trace.NewFunc(how, nil, func(args []any) (any, error) {
				if g, ok := f.(*jit.Func); ok {
					return g.Call(args...), nil
				}
				return c.keys(args[0].(*array.Array), args[1].(*array.Array)), nil
			}).Call(keys, other))
			if !got.Shape().Equal(want.Shape()) || !np.ArrayEqual(got, want).Bool() {
				t.Errorf("%s, %s: %v, want %v", name, how, got, want)
			}
		}
	}
	per := vmap.Of(vmap.Of(func(k *array.Array) *array.Array { return random.Bits(k, np.Uint32, 2) })).Call(keys)
	if one := random.Bits(keys.At(1, 2).Get(), np.Uint32, 2); !np.ArrayEqual(per.At(1, 2).Get(), one).Bool() {
		t.Errorf("bits of a batch of keys: %v, of one: %v", per.At(1, 2).Get(), one)
	}
}
