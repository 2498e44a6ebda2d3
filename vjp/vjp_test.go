package vjp_test

import (
	"sync"
	"testing"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/jit"
	"github.com/pantograph-go/pantograph/np"
	"github.com/pantograph-go/pantograph/primitive"
	"github.com/pantograph-go/pantograph/trace"
	"github.com/pantograph-go/pantograph/vjp"
	"github.com/pantograph-go/pantograph/vmap"
)

// smooth are functions of arrays for which all derivatives are compared.
var smooth = []struct {
	name string
	f    any
	args []any
}{
	{"sin x x", func(x arr) arr { return np.Sin(x).Mul(x) }, []any{ramp(3)}},
	{"reused value", func(x arr) arr { y := np.Exp(x); return y.Mul(y).Add(y).Sum() }, []any{ramp(2, 2)}},
	{"two arguments", func(x, y arr) (arr, arr) { return x.MatMul(y), np.Tanh(x).Sum(0) }, []any{ramp(2, 3), ramp(3, 2)}},
	{"broadcast", func(x, y arr) arr { return x.Mul(y).Div(y.Mul(y).Add(1.5)) }, []any{ramp(3, 1), ramp(4)}},
	{"constant result", func(x arr) (arr, arr) { return np.Ones([]int{2}), x.Sum() }, []any{ramp(3)}},
	{"unused argument", func(x, y arr) arr { return np.Cos(y) }, []any{ramp(3), ramp(2)}},
	{"the argument itself", func(x arr) (arr, arr) { return x, x }, []any{ramp(3)}},
	{"indexing", func(x arr) arr { return x.At("::-1").Get().Mul(x.At(0).Get()) }, []any{ramp(4)}},
	{"update", func(x arr) arr { return x.At(1).Mul(x.At(2).Get()).Sum() }, []any{ramp(4)}},
	{"integers on the way", func(x arr) arr { return x.Mul(np.Arange(3)).At([]int{2, 0}).Get() }, []any{ramp(3)}},
	{"complex", func(x arr) (arr, arr) {
		z := primitive.Complex(x, x.Mul(x))
		w := z.Mul(z).Add(1i)
		return w.Real(), w.Abs()
	}, []any{ramp(3)}},
	{"complex argument", func(z arr) arr { return z.Mul(z.Conj()).Real().Sum().Add(np.Exp(z).Imag().Sum()) }, []any{np.Of([]complex128{1 + 2i, -0.5i})}},
	{"max without ties", func(x arr) arr { return x.Max(0) }, []any{ramp(3, 2)}},
	{"softmax", func(x arr) arr { e := np.Exp(x); return e.Div(e.Sum()) }, []any{ramp(4)}},
	{"sort", func(x arr) arr { return np.Sort(x).Mul(np.Arange(5)) }, []any{ramp(5)}},
	{"vmap inside", func(x, w arr) arr { return vmap.Of(func(r arr) arr { return np.Tanh(w.MatMul(r)).Sum() }).Call(x) }, []any{ramp(3, 2), ramp(2, 2)}},
	{"grad inside", func(x arr) arr { return vjp.Grad(func(v arr) arr { return np.Exp(v).Mul(x).Sum() }).Call(x) }, []any{ramp(3)}},
	{"jit inside", func(x arr) arr {
		f := jit.Of(func(v, w arr) (arr, arr) { return np.Sin(v).Mul(w), w })
		y := f.CallAll(x, np.Cos(x))
		return y[0].Mul(y[1])
	}, []any{ramp(3)}},
	{"stop gradient", func(x arr) arr { return x.Add(vjp.StopGradient(np.Zeros([]int{3}))).Mul(2.0) }, []any{ramp(3)}},
}

func TestAgainstDifferences(t *testing.T) {
	for _, tt := range smooth {
		t.Run(tt.name, func(t *testing.T) {
			if err := vjp.CheckGrads(tt.f, tt.args); err != nil {
				t.Error(err)
			}
			if err := vjp.CheckGrads(jit.Of(tt.f), tt.args); err != nil {
				t.Errorf("under jit: %v", err)
			}
		})
	}
}

// Every derivative of every function is a well-formed jaxpr.
func TestJaxprsAreWellFormed(t *testing.T) {
	for _, tt := range smooth {
		t.Run(tt.name, func(t *testing.T) {
			all := func(args []any) any {
				y, pull := vjp.VJP(tt.f, args...)
				_, dy := vjp.JVP(tt.f, args, args)
				return []any{y, dy, pull.CallTree(dy)}
			}
			checked(t, all, tt.args)
		})
	}
}

func TestCheckGradsFindsMistakes(t *testing.T) {
	wrong := vjp.CustomJVP(np.Sin, func(x, dx arr) (arr, arr) { return np.Sin(x), dx.Mul(np.Cos(x)).Mul(1.01) })
	if err := vjp.CheckGrads(wrong, []any{ramp(3)}); err == nil {
		t.Error("a wrong first derivative is accepted")
	}
	second := vjp.CustomJVP(np.Sin, func(x, dx arr) (arr, arr) { return np.Sin(x), dx.Mul(vjp.StopGradient(np.Cos(x))) })
	if err := vjp.CheckGrads(second, []any{ramp(3)}, vjp.Order(1)); err != nil {
		t.Error(err)
	}
	if err := vjp.CheckGrads(second, []any{ramp(3)}); err == nil {
		t.Error("a wrong second derivative is accepted")
	}
	reverse := vjp.Custom(np.Sin, vjp.Rule{
		Fwd: func(x arr) (arr, arr) { return np.Sin(x), x },
		Bwd: func(x, ct arr) arr { return ct.Mul(np.Sin(x)) },
	})
	if err := vjp.CheckGrads(reverse, []any{ramp(3)}, vjp.ReverseOnly()); err == nil {
		t.Error("a wrong reverse rule is accepted")
	}
}

func TestGradArguments(t *testing.T) {
	f := func(x, y arr, n int) arr { return x.Mul(y).Mul(n).Sum() }
	x, y := ramp(2), ramp(2).Mul(3.0)
	near(t, vjp.Grad(f).Call(x, y, 2), y.Mul(2.0))
	near(t, vjp.Grad(f, vjp.Args(1)).Call(x, y, 2), x.Mul(2.0))
	near(t, vjp.Grad(f, vjp.Args(-2)).Call(x, y, 2), x.Mul(2.0))
	nearAll(t, vjp.Grad(f, vjp.Args(1, 0)).CallAll(x, y, 2), []arr{x.Mul(2.0), y.Mul(2.0)})
	nearAll(t, vjp.ValueAndGrad(f).CallAll(x, y, 2), []arr{f(x, y, 2), y.Mul(2.0)})

	var g func(x, y arr, n int) (gx, gy arr)
	vjp.Grad(f, vjp.Args(0, 1)).Into(&g)
	gx, gy := g(x, y, 3)
	nearAll(t, []arr{gx, gy}, []arr{y.Mul(3.0), x.Mul(3.0)})
}

type model struct {
	W, B arr
	Act  string
}

func TestGradOfTrees(t *testing.T) {
	f := func(m model, x arr) arr { return np.Tanh(x.MatMul(m.W).Add(m.B)).Sum() }
	m := model{ramp(3, 2), ramp(2), "tanh"}
	g := vjp.Grad(f).CallTree(m, ramp(4, 3)).(model)
	if g.Act != "tanh" {
		t.Errorf("static field %q", g.Act)
	}
	near(t, g.B, vjp.Grad(func(b arr) arr { return f(model{m.W, b, ""}, ramp(4, 3)) }).Call(m.B))
	h := vjp.Grad(func(x map[string]any) arr { return x["a"].(arr).Mul(x["b"].([]any)[0]).Sum() })
	got := h.CallTree(map[string]any{"a": ramp(2), "b": []any{ramp(2).Mul(2.0)}}).(map[string]any)
	near(t, got["a"].(arr), ramp(2).Mul(2.0))
	near(t, got["b"].([]any)[0].(arr), ramp(2))
}

func TestAux(t *testing.T) {
	f := func(x arr) (arr, struct{ Double, N arr }) {
		return x.Mul(x).Sum(), struct{ Double, N arr }{x.Mul(2.0), np.Of(int32(7))}
	}
	x := ramp(3)
	nearAll(t, vjp.Grad(f, vjp.HasAux()).CallAll(x), []arr{x.Mul(2.0), x.Mul(2.0), np.Of(int32(7))})
	nearAll(t, vjp.ValueAndGrad(f, vjp.HasAux()).CallAll(x), []arr{x.Mul(x).Sum(), x.Mul(2.0), np.Of(int32(7)), x.Mul(2.0)})
	nearAll(t, vjp.JacRev(f, vjp.HasAux()).CallAll(x), []arr{x.Mul(2.0), x.Mul(2.0), np.Of(int32(7))})
	nearAll(t, vjp.JacFwd(f, vjp.HasAux()).CallAll(x), []arr{x.Mul(2.0), x.Mul(2.0), np.Of(int32(7))})
	fails(t, new(*array.TreeError), "vjp_test.go", func() { vjp.Grad(np.Sum, vjp.HasAux()).Call(x) }, "two results")
}

// Under an eager derivative the value is known and may decide the course of the function; under jit it is not.
func TestKnownValues(t *testing.T) {
	f := func(x arr) arr {
		if x.Sum().Float() > 0 {
			return x.Mul(x).Sum()
		}
		return x.Mul(-3.0).Sum()
	}
	near(t, vjp.Grad(f).Call(of(1, 2)), of(2, 4))
	near(t, vjp.Grad(f).Call(of(-1, -2)), of(-3, -3))
	near(t, vjp.Grad(vjp.Grad(func(x arr) arr { return f(x).Mul(f(x)) })).Call(scalar(2)), scalar(48))
	fails(t, new(*array.ConcretizationError), "vjp_test.go", func() { jit.Of(vjp.Grad(f)).Call(of(1, 2)) }, "flow.Cond")
	fails(t, new(*array.ConcretizationError), "vjp_test.go", func() { vmap.Of(vjp.Grad(f)).Call(ramp(2, 2)) }, "grad(")
}

// Derivatives of one level stay apart from those of another.
func TestLevelsStayApart(t *testing.T) {
	inner := func(x arr) arr { return vjp.Grad(func(y arr) arr { return x.Add(y) }).Call(scalar(1)) }
	near(t, vjp.Grad(func(x arr) arr { return x.Mul(inner(x)) }).Call(scalar(2)), scalar(1))
	f := func(x arr) arr { return x.Mul(x).Mul(x) }
	third := vjp.Grad(vjp.Grad(vjp.Grad(f)))
	near(t, third.Call(scalar(5)), scalar(6))
	near(t, vmap.Of(vjp.Grad(vjp.Grad(f))).Call(of(1, 2)), of(6, 12))
	near(t, jit.Of(vmap.Of(vjp.Grad(jit.Of(vjp.Grad(f))))).Call(of(1, 2)), of(6, 12))
}

func TestComplex(t *testing.T) {
	z := np.Of([]complex128{1 + 2i, 3 - 1i})
	// The cotangent of a real function: df/dre - i df/dim.
	near(t, vjp.Grad(func(z arr) arr { return z.Mul(z.Conj()).Real().Sum() }).Call(z), z.Conj().Mul(2.0))
	cube := func(z arr) arr { return z.Mul(z).Mul(z).Sum() }
	near(t, vjp.Grad(cube, vjp.Holomorphic()).Call(z), z.Mul(z).Mul(3.0))
	near(t, vjp.JacFwd(cube, vjp.Holomorphic()).Call(z), z.Mul(z).Mul(3.0))
	fails(t, new(*array.DTypeError), "vjp_test.go", func() { vjp.Grad(cube).Call(z) }, "must be real", "vjp.Holomorphic")
	fails(t, new(*array.DTypeError), "vjp_test.go", func() { vjp.Grad(cube, vjp.Holomorphic()).Call(ramp(2)) }, "argument 0", "complex")
	fails(t, new(*array.DTypeError), "vjp_test.go", func() { vjp.JacFwd(cube).Call(z) }, "vjp.Holomorphic")
}

func TestIntegers(t *testing.T) {
	f := func(x, n arr) arr { return x.Mul(n).Sum() }
	x, n := ramp(2), np.Of([]int{3, 4})
	near(t, vjp.Grad(f).Call(x, n), of(3, 4))
	g := vjp.Grad(f, vjp.Args(0, 1), vjp.AllowInt()).CallAll(x, n)
	if g[1].DType() != array.Float0 || !g[1].Shape().Equal(n.Shape()) {
		t.Errorf("gradient for integers: %s", g[1].Aval())
	}
	_, pull := vjp.VJP(f, x, n)
	if g := pull.CallAll(1.0); g[1].DType() != array.Float0 {
		t.Errorf("cotangent of integers: %s", g[1].Aval())
	}
	y, dy := vjp.JVP(func(x, n arr) (arr, arr) { return f(x, n), n.Add(1) }, []any{x, n}, []any{x, nil})
	if d := dy.([]any)[1].(arr); d.DType() != array.Float0 {
		t.Errorf("tangent of integers: %s", d.Aval())
	}
	near(t, y.([]any)[1].(arr), np.Of([]int{4, 5}))
	fails(t, new(*array.DTypeError), "vjp_test.go", func() { vjp.Grad(f, vjp.Args(1)).Call(x, n) }, "argument 1", "i64[2]", "vjp.AllowInt")
	fails(t, new(*array.DTypeError), "vjp_test.go", func() { vjp.Grad(func(x arr) arr { return np.Argmax(x) }).Call(x) }, "i64[]")
}

func TestErrors(t *testing.T) {
	x := ramp(3)
	sum := func(x arr) arr { return x.Sum() }
	for _, tt := range []struct {
		name     string
		kind     any
		f        func()
		mentions []string
	}{
		{"vector result", new(*array.ShapeError), func() { vjp.Grad(np.Sin).Call(x) }, []string{"f64[3]", "vjp.JacRev", "grad(Sin)"}},
		{"two results", new(*array.ShapeError), func() { vjp.Grad(func(x arr) (arr, arr) { return sum(x), x }).Call(x) }, []string{"2 arrays"}},
		{"no argument", new(*array.ArgumentError), func() { vjp.Grad(func() arr { return x }).Call() }, []string{"no argument"}},
		{"argument number", new(*array.ArgumentError), func() { vjp.Grad(sum, vjp.Args(1)).Call(x) }, []string{"vjp.Args(1)", "1 arguments"}},
		{"argument twice", new(*array.ArgumentError), func() { vjp.Grad(sum, vjp.Args(0, -1)).Call(x) }, []string{"argument 0 twice"}},
		{"tangent shape", new(*array.ShapeError), func() { vjp.JVP(np.Sin, []any{x}, []any{ramp(2)}) }, []string{"tangent of argument 0", "f64[2]", "f64[3]"}},
		{"tangent dtype", new(*array.ShapeError), func() { vjp.JVP(np.Sin, []any{x}, []any{x.AsType(array.Float32)}) }, []string{"f32[3]", "f64[3]"}},
		{"tangent tree", new(*array.TreeError), func() { vjp.JVP(sum, []any{x}, []any{[]any{x, x}}) }, []string{"[*, *]"}},
		{"tangent count", new(*array.ArgumentError), func() { vjp.JVP(sum, []any{x}, []any{x, x}) }, []string{"2 tangents"}},
		{"cotangent shape", new(*array.ShapeError), func() { _, pull := vjp.VJP(np.Sin, x); pull.Call(1.0) }, []string{"cotangent of the result", "f64[3]"}},
		{"cotangent count", new(*array.ArgumentError), func() { _, pull := vjp.VJP(np.Sin, x); pull.Call(x, x, x) }, []string{"3 cotangents"}},
		{"inside", new(*array.DTypeError), func() { vjp.Grad(func(x arr) arr { return primitive.And(x, x).Sum() }).Call(x) }, []string{"and", "grad("}},
		{"not linear", new(*array.Error), func() { vjp.LinearTranspose(func(x arr) arr { return x.Mul(x) }, x).Call(x) }, []string{"mul"}},
		{"static argument", new(*array.ArgumentError), func() { vjp.Grad(func(x float64) arr { return scalar(x) }).Call(2.0) }, []string{"argument 0", "static", "*array.Array"}},
		{"no function", new(*array.ArgumentError), func() { vjp.Grad(3) }, []string{"a function is wanted"}},
	} {
		t.Run(tt.name, func(t *testing.T) { fails(t, tt.kind, "vjp_test.go", tt.f, tt.mentions...) })
	}
}

// blunt has no derivative.
type blunt struct{}

func (blunt) Name() string                                { return "blunt" }
func (blunt) Shape(in []array.Aval) ([]array.Aval, error) { return in[:1], nil }

// lying has a rule that returns the wrong shape.
type lying struct{ blunt }

func (p lying) JVP(x, dx []arr) (y, dy []arr, err error) {
	return x, []arr{np.Ones([]int{7})}, nil
}

func TestRulesAreChecked(t *testing.T) {
	use := func(p primitive.Primitive) func() {
		return func() { vjp.Grad(func(x arr) arr { return primitive.Bind(p, x).Sum() }).Call(ramp(3)) }
	}
	fails(t, new(*array.NoRuleError), "vjp_test.go", use(blunt{}), "blunt", "JVP", "vjp.Custom")
	fails(t, new(*array.RuleError), "vjp_test.go", use(lying{}), "f64[7]", "f64[3]")
}

func TestLinearize(t *testing.T) {
	calls := 0
	f := func(x, y arr) (arr, arr) { calls++; return np.Sin(x).Mul(y), y.Sum() }
	x, y := ramp(3), ramp(3).Mul(2.0)
	out, d := vjp.Linearize(f, x, y)
	nearAll(t, []arr{out.([]any)[0].(arr), out.([]any)[1].(arr)}, []arr{np.Sin(x).Mul(y), y.Sum()})
	for range 2 {
		got := d.CallAll(x, y)
		near(t, got[0], np.Cos(x).Mul(x).Mul(y).Add(np.Sin(x).Mul(y)))
		near(t, got[1], y.Sum())
	}
	nearAll(t, d.CallAll(nil, y), []arr{np.Sin(x).Mul(y), y.Sum()})
	if calls != 1 {
		t.Errorf("the function ran %d times", calls)
	}
}

func TestVJPRunsOnce(t *testing.T) {
	calls := 0
	f := func(x arr) arr { calls++; return np.Exp(x) }
	y, pull := vjp.VJP(f, ramp(3))
	near(t, pull.Call(ramp(3)), ramp(3).Mul(y))
	near(t, pull.Call(nil), np.Zeros([]int{3}))
	if calls != 1 {
		t.Errorf("the function ran %d times", calls)
	}
	// The residual is the result itself.
	j := checked(t, pull, ramp(3))
	if len(j.ConstVals) != 1 || len(j.Eqns) != 1 {
		t.Errorf("pull-back of exp:\n%s", j)
	}
}

func TestLinearTranspose(t *testing.T) {
	f := func(x arr) arr {
		return np.Stack([]arr{x.At(0).Get().Mul(2.0).Add(x.At(1).Get()), x.At(1).Get().Mul(3.0)})
	}
	near(t, vjp.LinearTranspose(f, np.Zeros([]int{2})).Call(of(1, 10)), of(2, 31))
	// A result that is not linear does no harm where it is not used, nor does one behind a call.
	g := func(x arr) arr {
		return jit.Of(func(x arr) (arr, arr) { return x.Mul(2.0), x.Greater(0) }).CallAll(x)[0]
	}
	near(t, vjp.LinearTranspose(g, 1.0).Call(1.0), scalar(2))
}

func TestJacobians(t *testing.T) {
	x, y := ramp(3), ramp(2)
	f := func(x, y arr) arr { return np.Outer(np.Sin(x), y.Mul(y)) }
	// Rows of the Jacobian by hand, in reverse.
	wantX := np.Stack([]arr{
		vjp.Grad(func(x arr) arr { return f(x, y).At(0, 1).Get() }).Call(x),
		vjp.Grad(func(x arr) arr { return f(x, y).At(2, 0).Get() }).Call(x),
	})
	for name, jac := range map[string]func(any, ...vjp.Option) *trace.Func{"fwd": vjp.JacFwd, "rev": vjp.JacRev} {
		t.Run(name, func(t *testing.T) {
			j := jac(f).Call(x, y)
			if !j.Shape().Equal(array.Shape{3, 2, 3}) {
				t.Fatalf("shape %s", j.Shape())
			}
			near(t, np.Stack([]arr{j.At(0, 1).Get(), j.At(2, 0).Get()}), wantX)
			both := jac(f, vjp.Args(0, 1)).CallTree(x, y).([]any)
			near(t, both[0].(arr), j)
			near(t, both[1].(arr), jac(func(y arr) arr { return f(x, y) }).Call(y))

			// One array as argument: the result's type. One as result: the argument's type.
			pair := jac(func(x arr) struct{ S, V arr } { return struct{ S, V arr }{x.Sum(), x.Mul(x)} }).CallTree(x).(struct{ S, V arr })
			near(t, pair.S, np.Ones([]int{3}))
			near(t, pair.V, np.Diag(x.Mul(2.0), 0))
			m := jac(func(m model) arr { return m.W.MatMul(m.B) }).CallTree(model{W: ramp(2, 2), B: y}).(model)
			near(t, m.B, ramp(2, 2))
			// Both trees: a list of the argument's type for each result.
			list := jac(func(m model) (arr, arr) { return m.W.Sum(), m.B }).CallTree(model{W: ramp(2, 2), B: y}).([]any)
			near(t, list[1].(model).B, np.Eye(2))
			near(t, list[0].(model).W, np.Ones([]int{2, 2}))
			near(t, jac(np.Sin).Call(scalar(0.5)), np.Cos(scalar(0.5)))
			checked(t, jac(f), x, y)
			near(t, jit.Of(jac(f)).Call(x, y), j)
		})
	}
}

func TestHessian(t *testing.T) {
	f := func(x arr) arr { return x.Prod().Add(np.Exp(x).Sum()) }
	x := of(2, 3, 5)
	off := np.Of([][]float64{{0, 5, 3}, {5, 0, 2}, {3, 2, 0}})
	want := off.Add(np.Diag(np.Exp(x), 0))
	near(t, vjp.Hessian(f).Call(x), want)
	near(t, vjp.JacRev(vjp.JacFwd(f)).Call(x), want)
	near(t, vjp.JacRev(vjp.JacRev(f)).Call(x), want)
	near(t, vjp.JacFwd(vjp.JacFwd(f)).Call(x), want)
	near(t, vjp.HVP(f).Call(x, ramp(3)), want.MatMul(ramp(3)))
	near(t, vmap.Of(vjp.Hessian(f)).Call(np.Stack([]arr{x, x})), np.Stack([]arr{want, want}))

	g := func(x, y arr) arr { return x.Mul(x).Dot(y) }
	blocks := vjp.Hessian(g, vjp.Args(0, 1)).CallTree(x, ramp(3)).([]any)
	near(t, blocks[0].([]any)[1].(arr), np.Diag(x.Mul(2.0), 0))
	near(t, blocks[1].([]any)[1].(arr), np.Zeros([]int{3, 3}))
	hv := vjp.HVP(g, vjp.Args(1, 0)).CallAll(x, ramp(3), ramp(3), x)
	near(t, hv[0], x.Mul(2.0).Mul(x))
}

// vjp and jvp agree on every function: <w, J v> = <J' w, v>, in float32 too.
func TestTransposeIsAdjoint(t *testing.T) {
	for _, tt := range smooth {
		t.Run(tt.name, func(t *testing.T) {
			var args []any
			for _, a := range tt.args {
				if x := a.(arr); x.DType() == array.Float64 {
					a = x.AsType(array.Float32)
				}
				args = append(args, a)
			}
			if err := vjp.CheckGrads(tt.f, args, vjp.Order(1), vjp.Tolerance(0.05)); err != nil {
				t.Error(err)
			}
		})
	}
}

// The gradient of a scalar that is captured under vmap is a scalar.
func TestCapturedUnderVmap(t *testing.T) {
	y := np.Ones([]int{3, 2})
	f := func(z arr) arr {
		return vmap.Of(func(r arr) arr { return np.Logaddexp(z, r.Sum().Add(z)) }).Call(y).Sum()
	}
	got := vjp.Grad(f).Call(scalar(0.5))
	near(t, got, scalar(3))
	near(t, vmap.Of(vjp.Grad(f)).Call(of(0.5, 1)), of(3, 3))
}

// The gradient for a Go number yields to other types as the number does.
func TestGradientOfGoNumber(t *testing.T) {
	g := vjp.Grad(func(x arr) arr { return x.Mul(x) }).Call(3.0)
	if !g.Aval().Weak {
		t.Errorf("gradient %s", g.Aval())
	}
	if p := g.Mul(ramp(2).AsType(array.Float32)); p.DType() != array.Float32 {
		t.Errorf("product %s", p.Aval())
	}
}

// Derivatives may be taken on many goroutines at once, of functions that share everything.
func TestManyGoroutines(t *testing.T) {
	f := vjp.Grad(func(x arr) arr { return slope100.Call(np.Sin(x)).Mul(x).Sum() })
	g := vmap.Of(jit.Of(f))
	x := ramp(4)
	want, wantMapped := f.Call(x), g.Call(np.Stack([]arr{x, x.Mul(2.0)}))
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 5 {
				near(t, f.Call(x), want)
				near(t, g.Call(np.Stack([]arr{x, x.Mul(2.0)})), wantMapped)
			}
		})
	}
	wg.Wait()
}
