package trace_test

import (
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/primitive"
	"github.com/pantograph-go/pantograph/trace"
)

func TestRecord(t *testing.T) {
	captured := vec(1, 2, 3)
	tests := []struct {
		name string
		f    any
		args []any
		want string
	}{
		{"one equation", sin, []any{f32(3)},
			"{ lambda ; a:f32[3]. let b:f32[3] = sin a in (b,) }"},
		{"none", func(x *array.Array) *array.Array { return x }, []any{f32(3)},
			"{ lambda ; a:f32[3]. let  in (a,) }"},
		{"a captured array is one constant", func(x *array.Array) *array.Array { return mul(mul(x, captured), captured) }, []any{f32(3)},
			"{ lambda a:f32[3]; b:f32[3]. let\n    c:f32[3] = mul b a\n    d:f32[3] = mul c a\n  in (d,) }"},
		{"scalar data is a literal", func(x *array.Array) *array.Array { return mul(x, scalar(2)) }, []any{f32(3)},
			"{ lambda ; a:f32[3]. let b:f32[3] = mul a 2.0:f32[] in (b,) }"},
		{"so is a result", func(x *array.Array) []any { return []any{x, 3.0, captured} }, []any{f32(3)},
			"{ lambda a:f32[3]; b:f32[3]. let  in (b, 3.0:f64[], a) }"},
		{"a Go number given for an array is traced", mul, []any{f32(3), 2.0},
			"{ lambda ; a:f32[3] b:f64[]. let c:f32[3] = mul a b in (c,) }"},
		{"operations on constants are recorded", func(x *array.Array) *array.Array { return sin(captured) }, []any{f32(3)},
			"{ lambda a:f32[3]; b:f32[3]. let c:f32[3] = sin a in (c,) }"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := trace.Of(tt.f, tt.args...)
			check(t, c.Jaxpr)
			if diff := cmp.Diff(tt.want, c.String()); diff != "" {
				t.Error(diff)
			}
			if len(c.Consts) != len(c.ConstVals) {
				t.Errorf("%d constants with %d values", len(c.Consts), len(c.ConstVals))
			}
		})
	}
}

func TestOuterValuesAreConstants(t *testing.T) {
	var inner *trace.Closed
	outer := trace.Of(func(x *array.Array) *array.Array {
		y := sin(x)
		inner = trace.Of(func(z *array.Array) *array.Array { return mul(z, y) }, f32(3))
		out, err := trace.Eval(inner.Jaxpr, inner.ConstVals, []*array.Array{x})
		if err != nil {
			t.Fatal(err)
		}
		return out[0]
	}, f32(3))
	check(t, inner.Jaxpr)
	check(t, outer.Jaxpr)
	if got, want := inner.String(), "{ lambda a:f32[3]; b:f32[3]. let c:f32[3] = mul b a in (c,) }"; got != want {
		t.Errorf("inner %s, want %s", got, want)
	}
	if got, want := outer.String(), "{ lambda ; a:f32[3]. let b:f32[3] = sin a; c:f32[3] = mul a b in (c,) }"; got != want {
		t.Errorf("outer %s, want %s", got, want)
	}
	j, vals := inner.Hoist()
	if len(j.Consts) != 0 || len(j.In) != 2 || len(vals) != 1 {
		t.Errorf("hoisted %s with %d values", j, len(vals))
	}
}

func TestEvalKeepsLines(t *testing.T) {
	want := line() + 1
	f := func(x *array.Array) *array.Array { return primitive.Bind(sinP, x) }
	c := trace.Of(f, f32(3))
	again, err := trace.Record("again", []array.Aval{f32(3).Aval()}, func(in []*array.Array) ([]*array.Array, error) {
		return trace.Eval(c.Jaxpr, nil, in)
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, j := range []*trace.Jaxpr{c.Jaxpr, again.Jaxpr} {
		if pos := j.Eqns[0].Pos; pos.Line != want || !strings.HasSuffix(pos.File, "record_test.go") {
			t.Errorf("equation at %s, want line %d", pos, want)
		}
	}
	if again.Eqns[0].Scope != "again" {
		t.Errorf("scope %q", again.Eqns[0].Scope)
	}
	// An error on the way names the original line too.
	_, err = trace.Record("again", []array.Aval{trace.Spec(array.Int32, 3).Aval()}, func(in []*array.Array) ([]*array.Array, error) {
		return trace.Eval(c.Jaxpr, nil, in)
	})
	var e *trace.Error
	if !errors.As(err, &e) || e.Pos.Line != want {
		t.Errorf("error %v, want line %d", err, want)
	}
	if _, err := trace.Eval(c.Jaxpr, nil, nil); err == nil {
		t.Error("Eval with too few arguments succeeds")
	}
}

func TestErrors(t *testing.T) {
	var leaked *array.Array
	trace.Of(func(x *array.Array) *array.Array { leaked = primitive.Bind(sinP, x); return x }, f32(3))
	step := func(f func(x *array.Array)) func() {
		return func() {
			_, err := trace.Record("jit(step)", []array.Aval{f32(3).Aval()}, func(in []*array.Array) ([]*array.Array, error) {
				f(in[0])
				return nil, nil
			})
			if err != nil {
				panic(err)
			}
		}
	}
	ints := array.Of(array.FromSlice(array.Int32, array.Shape{2}, []int32{1, 2}))
	tests := []struct {
		name string
		line int
		kind any
		f    func()
		want []string
	}{
		{"shapes", line(), new(*array.ShapeError), step(func(x *array.Array) { primitive.Bind(addP, sin(x), vec(1, 2)) }),
			[]string{"add: shapes differ: lhs [3], rhs [2]", "add b:f32[3] f32[2]", "in jit(step)"}},
		{"dtypes", line(), new(*array.DTypeError), step(func(x *array.Array) { primitive.Bind(sinP, ints) }),
			[]string{"sin: takes floating-point operands, got i32[2]"}},
		{"nil operand", line(), new(*array.ArgumentError), step(func(x *array.Array) { primitive.Bind(addP, x, nil) }),
			[]string{"add: an operand is a nil array"}},
		{"a Go if on a traced value", line(), new(*array.ConcretizationError), step(func(x *array.Array) { _ = primitive.Bind(maxP, x).Bool() }),
			[]string{"traced value f32[] of jit(step) (max at record_test.go:", "Where", "Cond"}},
		{"escaped", line(), new(*array.LeakError), func() { primitive.Bind(sinP, leaked) },
			[]string{"traced value f32[3] of trace(TestErrors.func1) (sin at record_test.go:", "escaped"}},
		{"escaped, returned from another function", line(), new(*array.LeakError), func() { trace.Of(func() *array.Array { return leaked }) },
			[]string{"result 0", "escaped"}},
		{"used on another goroutine", line(), new(*array.LeakError), step(func(x *array.Array) { other(func() { primitive.Bind(sinP, x) }) }),
			[]string{"another goroutine"}},
		{"a value of an inner trace", line(), new(*array.LeakError), step(func(x *array.Array) { useInside(x, func(y *array.Array) { primitive.Bind(sinP, y) }) }),
			[]string{"belongs to a transformation inside the one that is at work"}},
		{"a nil result", line(), new(*array.TreeError), func() { trace.EvalShape(func(x *array.Array) chan int { return make(chan int) }, f32(3)) },
			[]string{"result: a chan int can be neither traced nor compared"}},
		{"a spec has no values", line(), new(*array.ArgumentError), func() { primitive.Bind(sinP, f32(3)) },
			[]string{"trace.Spec of f32[3], which has no values"}},
		{"too few arguments", line(), new(*array.ArgumentError), func() { trace.Of(mul, f32(3)) },
			[]string{"mul: takes 2 arguments (*array.Array, *array.Array), got 1"}},
		{"wrong type of argument", line(), new(*array.ArgumentError), func() { trace.Of(sin, "x") },
			[]string{"argument 0 is a string; the function takes (*array.Array)"}},
		{"no function", line(), new(*array.ArgumentError), func() { trace.Of(3) },
			[]string{"a function is wanted, got a int"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			err := trace.Try(tt.f)
			var e *trace.Error
			if !errors.As(err, &e) {
				t.Fatalf("got %v, want *Error", err)
			}
			if !errors.As(err, tt.kind) {
				t.Errorf("got a %T, want %T", e.Err, tt.kind)
			}
			if e.Pos.Line != tt.line || !strings.HasSuffix(e.Pos.File, "record_test.go") {
				t.Errorf("at %s, want line %d", e.Pos, tt.line)
			}
			for _, w := range tt.want {
				if !strings.Contains(err.Error(), w) {
					t.Errorf("%q does not say %q", err.Error(), w)
				}
			}
		})
	}
}

// other runs f on another goroutine and panics with what it panics with.
func other(f func()) {
	done := make(chan error)
	go func() { done <- trace.Try(f) }()
	if err := <-done; err != nil {
		panic(err)
	}
}

// useInside lets a value of an inner trace reach the outer one, as a wrong rule might.
func useInside(x *array.Array, f func(inner *array.Array)) {
	_, err := trace.Record("inner", []array.Aval{x.Aval()}, func(in []*array.Array) ([]*array.Array, error) {
		frame := array.TracerOf(in[0]).(primitive.Tracer).Frame()
		return nil, frame.Below(func() error { f(in[0]); return nil })
	})
	if err != nil {
		panic(err)
	}
}

func TestTryPassesOtherPanics(t *testing.T) {
	defer func() {
		if v := recover(); v != "mine" {
			t.Errorf("recovered %v", v)
		}
		if primitive.Top() != nil {
			t.Error("a trace is still open")
		}
	}()
	trace.Of(func(x *array.Array) *array.Array { panic("mine") }, f32(3))
}

func TestManyGoroutines(t *testing.T) {
	want := trace.Of(deep, f32(3)).String()
	var wg sync.WaitGroup
	for range 16 {
		wg.Go(func() {
			for range 20 {
				c := trace.Of(deep, f32(3))
				if got := c.String(); got != want {
					t.Errorf("got %s", got)
					return
				}
				trace.Intern(c.Jaxpr)
			}
		})
	}
	wg.Wait()
}

func deep(x *array.Array) *array.Array {
	for range 5 {
		x = jitted("f", func(y *array.Array) *array.Array { return mul(sin(y), x) })(x)
	}
	return x
}

func TestIntern(t *testing.T) {
	record := func(k float32) *trace.Jaxpr {
		return trace.Of(func(x *array.Array) *array.Array { return mul(sin(x), scalar(k)) }, f32(3)).Jaxpr
	}
	a := trace.Intern(record(2))
	if b := trace.Intern(record(2)); b != a {
		t.Error("equal jaxprs are two")
	}
	if b := trace.Intern(record(3)); b == a {
		t.Error("jaxprs with different literals are one")
	}
	swap := func(x, y *array.Array) *array.Array { return mul(x, y) }
	flip := func(x, y *array.Array) *array.Array { return mul(y, x) }
	if trace.Intern(trace.Of(swap, f32(), f32()).Jaxpr) == trace.Intern(trace.Of(flip, f32(), f32()).Jaxpr) {
		t.Error("jaxprs with different operands are one")
	}
	if p, q := (call{"f", a}), (call{"f", trace.Intern(record(2))}); primitive.Primitive(p) != primitive.Primitive(q) {
		t.Error("primitives with equal bodies differ")
	}
}

func TestDCE(t *testing.T) {
	f := func(x, y *array.Array) []*array.Array {
		primitive.BindAll(note{"seen"}, x)
		return []*array.Array{sin(x), cos(y), jitted("g", func(x *array.Array) *array.Array { cos(x); return sin(x) })(x)}
	}
	c := trace.Of(f, f32(3), f32(3))
	j, in := trace.DCE(c.Jaxpr, []bool{false, false, true})
	check(t, j)
	if !slices.Equal(in, []bool{true, false}) {
		t.Errorf("used inputs %v", in)
	}
	want := `{ lambda ; a:f32[3]. let
    note[text=seen] a
    b:f32[3] = jit[
      name=g
      jaxpr={ lambda ; a:f32[3]. let b:f32[3] = sin a in (b,) }
    ] a
  in (b,) }`
	if diff := cmp.Diff(want, j.String()); diff != "" {
		t.Error(diff)
	}
	two := trace.Of(func(x *array.Array) *array.Array { return primitive.BindAll(topK{0, 2}, x)[1] }, f32(3))
	j, _ = trace.DCE(two.Jaxpr, []bool{true})
	if got, want := j.String(), "{ lambda ; a:f32[3]. let _ b:i32[2] = top_k[axis=0 k=2] a in (b,) }"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if j.Effect() != 0 || c.Effect() != primitive.Ordered {
		t.Error("effects are lost")
	}
}

func TestCheck(t *testing.T) {
	aval := f32(3).Aval()
	x, y := &trace.Var{Aval: aval}, &trace.Var{Aval: aval}
	eqn := func(p primitive.Primitive, out *trace.Var, in ...trace.Atom) *trace.Eqn {
		return &trace.Eqn{Prim: p, In: in, Out: []*trace.Var{out}}
	}
	in := []*trace.Var{x}
	tests := []struct {
		name, want string
		j          *trace.Jaxpr
	}{
		{"unbound", "operand 0 is read before it is bound", &trace.Jaxpr{In: in, Eqns: []*trace.Eqn{eqn(unary{"sin"}, y, y)}}},
		{"bound twice", "is bound twice", &trace.Jaxpr{In: in, Eqns: []*trace.Eqn{eqn(unary{"sin"}, x, x)}}},
		{"type", "result 0 has the type i32[], the shape rule gives f32[3]", &trace.Jaxpr{In: in, Eqns: []*trace.Eqn{eqn(unary{"sin"}, &trace.Var{Aval: array.Aval{DType: array.Int32}}, x)}}},
		{"count", "binds 1 results, the shape rule gives 2", &trace.Jaxpr{In: in, Eqns: []*trace.Eqn{eqn(topK{0, 2}, y, x)}}},
		{"output", "outputs: operand 0 is read", &trace.Jaxpr{Out: []trace.Atom{x}}},
		{"nil operand", "operand 0 is nil", &trace.Jaxpr{Eqns: []*trace.Eqn{eqn(unary{"sin"}, y, nil)}}},
		{"nil input", "inputs: variable 0 is nil", &trace.Jaxpr{In: []*trace.Var{nil}}},
		{"literal", "not scalar data", &trace.Jaxpr{Out: []trace.Atom{&trace.Literal{Value: vec(1, 2)}}}},
		{"comparable", "cannot be compared", &trace.Jaxpr{In: in, Eqns: []*trace.Eqn{eqn(listed{}, y, x)}}},
		{"inside", "operand 0 is read before", &trace.Jaxpr{In: in, Eqns: []*trace.Eqn{eqn(call{"f", &trace.Jaxpr{Out: []trace.Atom{x}}}, y, x)}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if err := trace.Check(tt.j); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want %s", err, tt.want)
			}
		})
	}
}

// listed cannot be compared.
type listed struct{ list []int }

func (listed) Name() string                                { return "listed" }
func (listed) Shape(in []array.Aval) ([]array.Aval, error) { return in, nil }
