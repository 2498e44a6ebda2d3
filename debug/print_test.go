package debug_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/debug"
	"github.com/pantograph-go/pantograph/flow"
	"github.com/pantograph-go/pantograph/jit"
	"github.com/pantograph-go/pantograph/lower"
	"github.com/pantograph-go/pantograph/primitive"
	"github.com/pantograph-go/pantograph/trace"
	"github.com/pantograph-go/pantograph/vjp"
	"github.com/pantograph-go/pantograph/vmap"
)

func vec(v ...float32) *array.Array {
	return array.Of(array.FromSlice(array.Float32, array.Shape{len(v)}, v))
}

func scalar(v float32) *array.Array {
	return array.Of(array.FromSlice(array.Float32, array.Shape{}, []float32{v}))
}

func ExamplePrint() {
	step := jit.Of(func(x *array.Array) *array.Array {
		debug.Print("%s: sum %.2f of %v", "step", primitive.ReduceSum(x, 0), x)
		return x
	})
	step.Call(vec(1, 2))
	step.Call(vec(3, 4))
	// Output:
	// step: sum 3.00 of [1. 2.]
	// step: sum 7.00 of [3. 4.]
}

func TestPrint(t *testing.T) {
	x, m := vec(0.1, 2, 3), array.Of(array.FromSlice(array.Int32, array.Shape{2, 2}, []int32{1, 2, 3, 4}))
	var out *strings.Builder
	show := func(x *array.Array) *array.Array {
		debug.Fprint(out, "x=%v", x)
		return primitive.Sin(x)
	}
	sum := func(x *array.Array) *array.Array { return primitive.ReduceSum(show(x), 0) }
	tests := []struct {
		name string
		run  func()
		want string
	}{
		{"eager", func() { show(x) }, "x=[0.1 2.  3. ]\n"},
		{"jit", func() { jit.Of(show).Call(x) }, "x=[0.1 2.  3. ]\n"},
		{"results that nobody uses", func() { jit.Of(func(x *array.Array) *array.Array { show(x); return x }).Call(x) }, "x=[0.1 2.  3. ]\n"},
		{"order", func() {
			jit.Of(func(x *array.Array) *array.Array {
				for i := range 5 {
					debug.Fprint(out, "%d", i)
				}
				return x
			}).Call(x)
		}, "0\n1\n2\n3\n4\n"},
		{"jit in jit", func() { jit.Of(func(x *array.Array) *array.Array { return jit.Of(show).Call(x) }).Call(x) }, "x=[0.1 2.  3. ]\n"},
		{"vmap", func() { vmap.Of(show).Call(x) }, "x=0.1\nx=2.0\nx=3.0\n"},
		{"vmap twice, partly", func() {
			f := vmap.Of(func(x, y *array.Array) *array.Array {
				return vmap.Of(func(y *array.Array) *array.Array { debug.Fprint(out, "%v %v", x, y); return y }).Call(y)
			}, vmap.In(nil, 1))
			f.Call(scalar(7), m)
		}, "7.0 1\n7.0 3\n7.0 2\n7.0 4\n"},
		{"jit of vmap", func() { jit.Of(vmap.Of(show)).Call(x) }, "x=0.1\nx=2.0\nx=3.0\n"},
		{"grad", func() { vjp.Grad(sum).Call(x) }, "x=[0.1 2.  3. ]\n"},
		{"jit of grad", func() { jit.Of(vjp.Grad(sum)).Call(x) }, "x=[0.1 2.  3. ]\n"},
		{"scan", func() {
			jit.Of(func(x *array.Array) *array.Array {
				carry, _ := flow.Scan(func(c, e *array.Array) (*array.Array, *array.Array) {
					debug.Fprint(out, "%v", e)
					return primitive.Add(c, e), e
				}, scalar(0), x)
				return carry.(*array.Array)
			}).Call(x)
		}, "0.1\n2.0\n3.0\n"},
		{"a branch", func() {
			f := jit.Of(func(p, x *array.Array) any {
				return flow.Cond(p, show, func(x *array.Array) *array.Array { return x }, x)
			})
			f.Call(false, x)
			f.Call(true, x)
		}, "x=[0.1 2.  3. ]\n"},
		{"grad of scan", func() {
			vjp.Grad(func(x *array.Array) *array.Array {
				carry, _ := flow.Scan(func(c, e *array.Array) (*array.Array, *array.Array) {
					debug.Fprint(out, "%v", c)
					return primitive.Mul(c, e), e
				}, scalar(1), x)
				return carry.(*array.Array)
			}).Call(vec(2, 3))
		}, "1.0\n2.0\n"},
		{"verbs", func() {
			debug.Fprint(out, "%d|%5.1f|%v|%t|%q|%v|%s\n", m, scalar(0.25), 3, true, "a b", array.Float32, []float32{1, 2})
		}, "[[1 2]\n [3 4]]|  0.2|3|true|\"a b\"|float32|[1. 2.]\n"},
		{"precision", func() { debug.Fprint(out, "%.2f %6v|%-6v|", vec(1.0/3, 2.0/3), scalar(0.5), scalar(0.5)) }, "[0.33 0.67]    0.5|0.5   |\n"},
		{"no arguments", func() { debug.Fprint(out, "here") }, "here\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			out = new(strings.Builder)
			tt.run()
			if diff := cmp.Diff(tt.want, out.String()); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestEquation(t *testing.T) {
	c := trace.Of(func(x *array.Array) *array.Array { debug.Print("x=%v", x); return x }, vec(1))
	if err := trace.Check(c.Jaxpr); err != nil {
		t.Error(err)
	}
	if got, want := c.Text(100), "{ lambda ; a:f32[1]. let debug_print[fmt=\"x=%v\" ordered=True] a in (a,) }"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if c.Effect() != primitive.Ordered {
		t.Error("the effect is not ordered")
	}
	m, err := lower.Module("f", c, lower.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if s := m.String(); !strings.Contains(s, "pantograph.debug_print") || !strings.Contains(s, "has_side_effect = true") {
		t.Errorf("the call is not in\n%s", s)
	}
}

func TestErrors(t *testing.T) {
	key := trace.Spec(array.NewKeyType("fry", array.Shape{2}))
	for name, tt := range map[string]struct {
		f    func()
		kind any
	}{
		"key":    {func() { debug.Print("%v", key) }, new(*array.DTypeError)},
		"writer": {func() { debug.Fprint(nil, "") }, new(*array.ArgumentError)},
		"nil":    {func() { debug.Print("%v", (*array.Array)(nil)) }, new(*array.ArgumentError)},
	} {
		var e *trace.Error
		if err := trace.Try(tt.f); !errors.As(err, &e) || !errors.As(err, tt.kind) || !strings.HasSuffix(e.Pos.File, "print_test.go") {
			t.Errorf("%s: got %v", name, err)
		}
	}
}
