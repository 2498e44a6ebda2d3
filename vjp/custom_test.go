package vjp_test

import (
	"testing"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/flow"
	"github.com/pantograph-go/pantograph/jit"
	"github.com/pantograph-go/pantograph/np"
	"github.com/pantograph-go/pantograph/trace"
	"github.com/pantograph-go/pantograph/vjp"
	"github.com/pantograph-go/pantograph/vmap"
)

// clip is the identity whose cotangent is clipped: nil for the bounds.
var clip = vjp.Custom(func(lo, hi, x arr) arr { return x }, vjp.Rule{
	Fwd: func(lo, hi, x arr) (arr, []arr) { return x, []arr{lo, hi} },
	Bwd: func(r []arr, g arr) (lo, hi, x arr) { return nil, nil, np.Clip(g, r[0], r[1]) },
})

// slope100 is sin with a wrong slope that shows whether the rule is used.
var slope100 = vjp.CustomJVP(np.Sin, func(x, dx arr) (arr, arr) { return np.Sin(x), dx.Mul(100.0) })

// reverse100 is the same by a reverse rule.
var reverse100 = vjp.Custom(np.Sin, vjp.Rule{
	Fwd: func(x arr) (arr, any) { return np.Sin(x), nil },
	Bwd: func(_ any, g arr) arr { return g.Mul(100.0) },
})

func TestCustom(t *testing.T) {
	near(t, clip.Call(-1.0, 1.0, 3.0), scalar(3))
	near(t, vjp.Grad(func(x arr) arr { return clip.Call(-1.0, 1.0, x).Mul(10.0) }).Call(3.0), scalar(1))
	near(t, vmap.Of(vjp.Grad(func(x arr) arr { return clip.Call(-1.0, 1.0, x).Mul(-5.0) })).Call(of(0, 1)), of(-1, -1))
	near(t, jit.Of(vjp.Grad(func(x arr) arr { return clip.Call(-1.0, 1.0, x).Mul(0.5) })).Call(2.0), scalar(0.5))
	// The bounds are mapped, the argument is not: its cotangents add up.
	f := func(x arr) arr {
		return vmap.Of(func(lo arr) arr { return clip.Call(lo, 1.0, x).Mul(-5.0) }).Call(of(-1, -2, -3)).Sum()
	}
	near(t, vjp.Grad(f).Call(3.0), scalar(-6))
}

// The rule is used under every composition.
func TestCustomEverywhere(t *testing.T) {
	for name, f := range map[string]*trace.Func{"jvp": slope100, "vjp": reverse100} {
		t.Run(name, func(t *testing.T) {
			x := of(0.5, 1)
			hundred := of(100, 100)
			sum := func(x arr) arr { return f.Call(x).Sum() }
			near(t, vjp.Grad(sum).Call(x), hundred)
			near(t, vjp.Grad(jit.Of(sum)).Call(x), hundred)
			near(t, jit.Of(vjp.Grad(sum)).Call(x), hundred)
			near(t, vmap.Of(vjp.Grad(f)).Call(x), hundred)
			near(t, vjp.Grad(func(x arr) arr { return vmap.Of(f).Call(x).Sum() }).Call(x), hundred)
			near(t, vjp.Grad(func(x arr) arr { return vmap.Of(jit.Of(vmap.Of(f))).Call(x.Reshape(2, 1)).Sum() }).Call(x), hundred)
			twice := func(x arr) arr {
				c, _ := flow.Scan(func(c, _ arr) (arr, arr) { return f.Call(c), nil }, x, nil, flow.Length(2))
				return c.(arr)
			}
			near(t, vjp.Grad(twice).Call(0.5), scalar(1e4))
			near(t, vmap.Of(vjp.Grad(twice)).Call(x), hundred.Mul(100.0))
			near(t, vjp.Grad(func(x arr) arr { return vmap.Of(twice).Call(x).Sum() }).Call(x), hundred.Mul(100.0))
			near(t, vjp.Grad(vjp.Checkpoint(f)).Call(0.5), scalar(100))
			near(t, vjp.Grad(func(x arr) arr { return flow.Cond(true, f, f, x).(arr) }).Call(0.5), scalar(100))
			near(t, vjp.Grad(func(x arr) arr { return flow.Fori(0, 2, func(_, c arr) arr { return f.Call(c) }, x).(arr) }).Call(0.5), scalar(1e4))
			checked(t, vjp.Grad(twice), trace.Spec(array.Float32))
			checked(t, vmap.Of(vjp.Grad(sum)), trace.Spec(array.Float32, 2, 3))
		})
	}
	near(t, vjp.JacFwd(slope100).Call(0.5), scalar(100))
}

// Until it is differentiated the call is one equation.
func TestCustomIsOneEquation(t *testing.T) {
	j := checked(t, func(x arr) arr { return reverse100.Call(slope100.Call(x)) }, trace.Spec(array.Float32, 3))
	if len(j.Eqns) != 2 || count(j.Jaxpr, "custom_vjp_call") != 1 || count(j.Jaxpr, "custom_jvp_call") != 1 {
		t.Errorf("\n%s", j)
	}
}

func TestCustomTrees(t *testing.T) {
	type state struct{ A, B arr }
	f := vjp.Custom(func(s state, x map[string]arr) (state, arr) { return state{s.A.Mul(x["k"]), s.B}, x["k"] }, vjp.Rule{
		Fwd: func(s state, x map[string]arr) ([]any, struct {
			S state
			N int
		}) {
			return []any{state{s.A.Mul(x["k"]), s.B}, x["k"]}, struct {
				S state
				N int
			}{s, 3}
		},
		Bwd: func(r struct {
			S state
			N int
		}, ct []any) (state, map[string]arr) {
			g := ct[0].(state)
			return state{A: g.A.Mul(r.N), B: g.B}, map[string]arr{"k": ct[1].(arr)}
		},
	})
	loss := func(s state, x map[string]arr) arr {
		out := f.CallTree(s, x).([]any)
		return out[0].(state).A.Sum().Add(out[1].(arr).Sum().Mul(2.0))
	}
	g := vjp.Grad(loss, vjp.Args(0, 1)).CallTree(state{ramp(2), ramp(3)}, map[string]arr{"k": ramp(2)}).([]any)
	near(t, g[0].(state).A, of(3, 3))
	near(t, g[0].(state).B, np.Zeros([]int{3}))
	near(t, g[1].(map[string]arr)["k"], of(2, 2))
}

// Integers and bools have no cotangent: nil.
func TestCustomWithIntegers(t *testing.T) {
	type residuals struct {
		N    int
		I, M arr
	}
	pick := vjp.Custom(func(x, i, m arr) arr { return np.Where(m, x.At(i).Get(), 0.0) }, vjp.Rule{
		Fwd: func(x, i, m arr) (arr, residuals) { return np.Where(m, x.At(i).Get(), 0.0), residuals{x.Size(), i, m} },
		Bwd: func(r residuals, g arr) (x, i, m arr) {
			return np.Zeros([]int{r.N}).At(r.I).Add(np.Where(r.M, g, 0.0)), nil, nil
		},
	})
	near(t, vjp.Grad(func(x arr) arr { return pick.Call(x, 1, true).Mul(3.0) }).Call(ramp(3)), of(0, 3, 0))
	got := vmap.Of(vjp.Grad(func(x, i arr) arr { return pick.Call(x, i, true) }), vmap.In(nil, 0)).Call(ramp(3), np.Of([]int{0, 2}))
	near(t, got, np.Of([][]float64{{1, 0, 0}, {0, 0, 1}}))
}

func TestNondiff(t *testing.T) {
	// A Go number and an array that are not differentiated; they come first in Bwd.
	f := vjp.Custom(func(x arr, n int, w arr) arr { return x.Mul(n).Mul(w) }, vjp.Rule{
		Fwd: func(x arr, n int, w arr) (arr, any) { return x.Mul(n).Mul(w), nil },
		Bwd: func(n int, w arr, _ any, g arr) arr { return g.Mul(10 * n).Mul(w) },
	}, vjp.Nondiff(1, 2))
	w := of(1, 2)
	near(t, vjp.Grad(func(x arr) arr { return f.Call(x, 3, w).Sum() }).Call(ramp(2)), w.Mul(30.0))
	near(t, vmap.Of(vjp.Grad(func(x, w arr) arr { return f.Call(x, 3, w) })).Call(ramp(2), w), w.Mul(30.0))
	near(t, vjp.Grad(func(x arr) arr {
		return vmap.Of(func(x, w arr) arr { return f.Call(x, 3, w) }, vmap.In(nil, 0)).Call(x, w).Sum()
	}).Call(1.0), scalar(90))
	fails(t, new(*array.RuleError), "custom_test.go", func() {
		vjp.Grad(func(w arr) arr { return f.Call(ramp(2), 3, w).Sum() }).Call(w)
	}, "vjp.Nondiff", "vjp.StopGradient")

	g := vjp.CustomJVP(func(x arr, n int) arr { return x.Mul(n) }, func(x arr, n int, dx arr) (arr, arr) { return x.Mul(n), dx.Mul(10 * n) }, vjp.Nondiff(1))
	near(t, vjp.Grad(func(x arr) arr { return g.Call(x, 2) }).Call(1.0), scalar(20))
	fails(t, new(*array.ArgumentError), "custom_test.go", func() {
		h := vjp.CustomJVP(np.Sin, func(x, dx arr) (arr, arr) { return x, dx }, vjp.Nondiff(1))
		vjp.Grad(h).Call(1.0)
	}, "vjp.Nondiff(1)")
}

// Plain values may be captured; what carries a tangent may not, wherever it is captured.
func TestCaptured(t *testing.T) {
	a := of(1, 2)
	f := vjp.CustomJVP(func(x arr) arr { return a.Mul(x) }, func(x, dx arr) (arr, arr) { return a.Mul(x), a.Mul(dx) })
	near(t, vjp.Grad(func(x arr) arr { return f.Call(x).Sum() }).Call(5.0), scalar(3))
	near(t, jit.Of(vjp.Grad(func(x arr) arr { return f.Call(x).Sum() })).Call(5.0), scalar(3))
	scan := func(x arr) arr {
		c, _ := flow.Scan(func(c, _ arr) (arr, arr) { return f.Call(c).Sum(), nil }, x, nil, flow.Length(2))
		return c.(arr)
	}
	near(t, vjp.Grad(scan).Call(5.0), scalar(9))
	near(t, jit.Of(vjp.Grad(scan)).Call(5.0), scalar(9))

	inBody := func(x arr) arr {
		f := vjp.CustomJVP(func(y arr) arr { return x.Mul(y) }, func(y, dy arr) (arr, arr) { return y, dy })
		return f.Call(2.0)
	}
	fails(t, new(*array.RuleError), "custom_test.go", func() { vjp.Grad(inBody).Call(3.0) }, "captured", "argument")
	inReverseBody := func(x arr) arr {
		f := vjp.Custom(func(y arr) arr { return x.Mul(y) }, vjp.Rule{Fwd: func(y arr) (arr, arr) { return y, y }, Bwd: func(y, g arr) arr { return g }})
		return f.Call(2.0)
	}
	fails(t, new(*array.RuleError), "custom_test.go", func() { vjp.Grad(inReverseBody).Call(3.0) }, "captured", "argument")
	inFwd := func(x arr) arr {
		f := vjp.Custom(func(y arr) arr { return y }, vjp.Rule{Fwd: func(y arr) (arr, arr) { return y, x.Mul(2.0) }, Bwd: func(r, g arr) arr { return g.Mul(r) }})
		return f.Call(x)
	}
	fails(t, new(*array.LeakError), "custom_test.go", func() { vjp.Grad(inFwd).Call(3.0) }, "argument")
	inBwd := func(x arr) arr {
		f := vjp.Custom(func(y arr) arr { return y }, vjp.Rule{Fwd: func(y arr) (arr, arr) { return y, y }, Bwd: func(r, g arr) arr { return g.Mul(x) }})
		return f.Call(x)
	}
	fails(t, new(*array.LeakError), "custom_test.go", func() { vjp.Grad(inBwd).Call(3.0) })
	inJVP := func(x arr) arr {
		f := vjp.CustomJVP(func(y arr) arr { return y }, func(y, dy arr) (arr, arr) { return y, dy.Mul(x) })
		return f.Call(x)
	}
	fails(t, new(*array.LeakError), "custom_test.go", func() { vjp.Grad(inJVP).Call(3.0) }, "argument")
	stopped := func(x arr) arr {
		k := vjp.StopGradient(x)
		f := vjp.CustomJVP(func(y arr) arr { return k.Mul(y) }, func(y, dy arr) (arr, arr) { return k.Mul(y), dy.Mul(k) })
		return f.Call(x)
	}
	near(t, vjp.Grad(stopped).Call(3.0), scalar(3))
	// A captured value of an outer function is fine.
	near(t, jit.Of(func(w arr) arr {
		f := vjp.Custom(func(y arr) arr { return w.Mul(y) }, vjp.Rule{Fwd: func(y arr) (arr, arr) { return w.Mul(y), w }, Bwd: func(w, g arr) arr { return g.Mul(w).Mul(10.0) }})
		return vjp.Grad(f).Call(1.0)
	}).Call(3.0), scalar(30))
}

func TestForwardThroughReverseRule(t *testing.T) {
	for name, f := range map[string]func(){
		"jvp":    func() { vjp.JVP(reverse100, []any{1.0}, []any{1.0}) },
		"jit":    func() { vjp.JVP(jit.Of(reverse100), []any{1.0}, []any{1.0}) },
		"jacfwd": func() { vjp.JacFwd(reverse100).Call(1.0) },
		"linearize": func() {
			_, d := vjp.Linearize(reverse100, 1.0)
			d.Call(1.0)
		},
		"scan": func() {
			vjp.JVP(func(x arr) any {
				c, _ := flow.Scan(func(c, _ arr) (arr, arr) { return reverse100.Call(c), nil }, x, nil, flow.Length(2))
				return c
			}, []any{1.0}, []any{1.0})
		},
	} {
		t.Run(name, func(t *testing.T) {
			fails(t, new(*array.NoRuleError), "custom_test.go", f, "Sin", "vjp.CustomJVP", "reverse rule only")
		})
	}
	// Forward over reverse goes through the rule itself.
	cube := vjp.Custom(func(x arr) arr { return x.Mul(x).Mul(x) }, vjp.Rule{
		Fwd: func(x arr) (arr, arr) { return x.Mul(x).Mul(x), x },
		Bwd: func(x, g arr) arr { return g.Mul(x).Mul(x).Mul(3.0) },
	})
	near(t, vjp.Hessian(cube).Call(2.0), scalar(12))
	near(t, vjp.Grad(vjp.Grad(vjp.Grad(cube))).Call(2.0), scalar(6))
	if err := vjp.CheckGrads(cube, []any{ramp(3)}, vjp.ReverseOnly()); err != nil {
		t.Error(err)
	}
}

// What rules return is checked; the error names which.
func TestRuleErrors(t *testing.T) {
	type fwd = func(x arr) (arr, arr)
	double := func(x arr) arr { return x.Mul(2.0) }
	good := func(x arr) (arr, arr) { return x.Mul(2.0), x }
	grad := func(f *trace.Func) func() {
		return func() { vjp.Grad(func(x arr) arr { return f.Call(x).Sum() }).Call(ramp(3)) }
	}
	reverse := func(fwd, bwd any) func() { return grad(vjp.Custom(double, vjp.Rule{Fwd: fwd, Bwd: bwd})) }
	for _, tt := range []struct {
		name     string
		f        func()
		mentions []string
	}{
		{"cotangent shape", reverse(good, func(x, g arr) arr { return np.Ones([]int{10}) }), []string{"Bwd", "argument 0", "f64[10]", "f64[3]"}},
		{"cotangent dtype", reverse(good, func(x, g arr) arr { return g.AsType(array.Float32) }), []string{"argument 0", "f32[3]", "f64[3]"}},
		{"cotangent count", reverse(good, func(x, g arr) (arr, arr) { return g, g }), []string{"Bwd", "argument 0"}},
		{"forward result shape", reverse(fwd(func(x arr) (arr, arr) { return x.Sum(), x }), good), []string{"first result of Fwd", "f64[]", "f64[3]"}},
		{"forward result tree", reverse(func(x arr) ([]arr, arr) { return []arr{x}, x }, good), []string{"first result of Fwd", "[*]"}},
		{"no residuals", reverse(double, good), []string{"Fwd must return two results"}},
		{"jvp no pair", grad(vjp.CustomJVP(double, func(x, dx arr) arr { return dx })), []string{"pair", "out and tangent"}},
		{"jvp result", grad(vjp.CustomJVP(double, func(x, dx arr) (arr, arr) { return x.Sum(), dx })), []string{"first result of the rule", "f64[]"}},
		{"jvp tangent", grad(vjp.CustomJVP(double, func(x, dx arr) (arr, arr) { return x, dx.Sum() })), []string{"tangent", "f64[]", "f64[3]"}},
	} {
		t.Run(tt.name, func(t *testing.T) { fails(t, new(*array.RuleError), "custom_test.go", tt.f, tt.mentions...) })
	}
	two := vjp.Custom(func(x, y arr) arr { return x.Mul(y) }, vjp.Rule{
		Fwd: func(x, y arr) (arr, []arr) { return x.Mul(y), []arr{x, y} },
		Bwd: func(r []arr, g arr) (arr, arr) { return g.Mul(r[1]), r[0].Sum() },
	})
	fails(t, new(*array.RuleError), "custom_test.go", func() {
		vjp.Grad(func(x arr) arr { return two.Call(x, x).Sum() }).Call(ramp(3))
	}, "argument 1")
}

// A user's rule may use control flow on values and tangents together; what is known is separated from what is linear.
func TestControlFlowInRules(t *testing.T) {
	f := vjp.CustomJVP(func(x arr) arr { return x.Mul(x).Mul(x) }, func(x, dx arr) (arr, arr) {
		// The scan carries a value (x^2 after two steps) beside a tangent.
		c, _ := flow.Scan(func(c []arr, _ arr) ([]arr, arr) { return []arr{c[0].Mul(x), c[1]}, nil }, []arr{np.OnesLike(x), dx}, nil, flow.Length(2))
		p := c.([]arr)
		t := flow.Cond(x.Sum().Greater(0), func(s, d arr) []arr { return []arr{s, d.Mul(3.0)} }, func(s, d arr) []arr { return []arr{s, d.Mul(3.0)} }, p[0], p[1]).([]arr)
		u := jit.Of(func(s, d arr) (arr, arr) { return s.Mul(1.0), d.Mul(1.0) }).CallAll(t[0], t[1])
		v := vjp.Checkpoint(func(s, d arr) []arr { return []arr{s, d} }).CallAll(u[0], u[1])
		return x.Mul(x).Mul(x), v[0].Mul(v[1])
	})
	near(t, vjp.Grad(f).Call(2.0), scalar(12))
	near(t, vjp.Grad(vjp.Grad(f)).Call(2.0), scalar(12))
	near(t, jit.Of(vjp.Grad(f)).Call(-2.0), scalar(12))
	near(t, vmap.Of(vjp.Grad(f)).Call(of(1, 2)), of(3, 12))
	if err := vjp.CheckGrads(f, []any{2.0}); err != nil {
		t.Error(err)
	}
}

// A carried tangent that becomes a constant in the first step.
func TestTangentEndsInRule(t *testing.T) {
	f := vjp.CustomJVP(func(x arr) arr { return x.Mul(3.0) }, func(x, dx arr) (arr, arr) {
		out := jit.Of(func(x, d arr) []any {
			c, ys := flow.Scan(func(c, _ arr) (arr, arr) { return np.Zeros(nil), c.Mul(3.0) }, d, nil, flow.Length(2))
			n := flow.While(func(n, _ arr) arr { return n.Less(2) }, func(n, v arr) (arr, arr) { return n.Add(1), v.Mul(2.0) }, []any{0, x}).([]any)
			return []any{c, ys, n[1]}
		}).CallAll(x, dx)
		return x.Mul(3.0), out[0].Add(out[1].Sum()).Mul(out[2]).Div(x.Mul(4.0))
	})
	near(t, vjp.Grad(f).Call(2.0), scalar(3))
	near(t, vjp.JacFwd(f).Call(2.0), scalar(3))
}

// Equal calls of a rule are equal primitives, so that they are compiled once.
func TestEqualCallsAreEqual(t *testing.T) {
	f := func(x arr) arr { return slope100.Call(x) }
	a, b := trace.Of(f, trace.Spec(array.Float32)), trace.Of(f, trace.Spec(array.Float32))
	if a.Eqns[0].Prim != b.Eqns[0].Prim {
		t.Error("two calls differ")
	}
	g := vmap.Of(f)
	a, b = trace.Of(g, trace.Spec(array.Float32, 2)), trace.Of(g, trace.Spec(array.Float32, 2))
	if a.Eqns[0].Prim != b.Eqns[0].Prim {
		t.Error("two mapped calls differ")
	}
}

func TestStraightThrough(t *testing.T) {
	f := func(x arr) arr { return x.Add(vjp.StopGradient(np.Round(x, 0).Sub(x))) }
	near(t, f(scalar(2.6)), scalar(3))
	near(t, vjp.Grad(func(x arr) arr { return f(x).Mul(f(x)) }).Call(2.6), scalar(6))
	near(t, vjp.Grad(func(x arr) arr { return np.Round(x, 0) }).Call(2.6), scalar(0))
	near(t, vjp.Grad(vjp.Grad(func(x arr) arr { return x.Mul(vjp.StopGradient(x)) })).Call(3.0), scalar(0))
}
