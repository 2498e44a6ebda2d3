package flow_test

import (
	"bufio"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/flow"
	"github.com/pantograph-go/pantograph/jit"
	"github.com/pantograph-go/pantograph/np"
	"github.com/pantograph-go/pantograph/primitive"
	"github.com/pantograph-go/pantograph/trace"
	"github.com/pantograph-go/pantograph/vjp"
	"github.com/pantograph-go/pantograph/vmap"
)

func ones(shape ...int) arr { return np.Ones(shape) }

func double(c arr) arr { return c.Mul(2) }

// caseOf are the programs of the case file on mapping, custom rules and control flow, as a user would write them. Each
// returns what the case prints, or panics.
var caseOf = map[string]func() any{
	"vmap-001": func() any {
		return vmap.Of(func(a, b arr) arr { return a.Sum().Add(b.Sum()) }, vmap.In(0, 1)).Call(np.Zeros([]int{10, 4}), np.Zeros([]int{10, 2}))
	},
	"vmap-002": func() any { return vmap.Of(np.Add, vmap.In(0, 0, nil)).Call(ones(2), ones(2)) },
	"vmap-003": func() any {
		t, x := np.Arange(3.0), np.Zeros([]int{4, 2})
		return []any{vmap.Of(func(arr) arr { return t }, vmap.Out(-1)).Call(x), vmap.Of(func(arr) any { return 7.0 }, vmap.Out(-1)).Call(x),
			vmap.Of(func(r arr) arr { return r }, vmap.Out(-1)).Call(np.Arange(6.0).Reshape(3, 2))}
	},
	"vmap-004": func() any { return vmap.Of(func(x arr) arr { return x }, vmap.Out(3)).Call(np.Zeros([]int{2, 3, 5})) },
	"vmap-005": func() any {
		r := vmap.Of(np.Add).Call(np.Arange(6.0).Reshape(6, 1), np.Arange(24.0).Reshape(6, 1, 1, 4))
		var out []any
		for _, n := range r.Shape() {
			out = append(out, np.Of(float32(n)))
		}
		return append(out, r.At(3, 0, 0).Get())
	},
	"vmap-006": func() any {
		return vmap.Of(func(x arr) any {
			return flow.While(func(c, _ arr) arr { return c.Less(10.0) }, func(c, n arr) (arr, arr) { return c.Mul(2.0), n.Add(1) }, []any{x, 0})
		}).CallTree([]float64{1, 3, 20})
	},
	"vmap-007": func() any {
		f := func(x arr) arr {
			return flow.Cond(x.Greater(0), func(t arr) arr { return t.Pow(2) }, func(t arr) arr { return t.Pow(3) }, x).(arr)
		}
		x := of(-2, 0, 3)
		return []any{vmap.Of(f).Call(x), vmap.Of(vjp.Grad(f)).Call(x)}
	},
	"vmap-008": func() any {
		x, y := np.Arange(5), np.Of([]int{7, 8})
		return vmap.Of(func(i arr) arr { return primitive.DynamicUpdateSlice(x, y, []arr{i}) }).Call([]int{0, 2, 4})
	},
	"vmap-009": func() any {
		b := np.Of([][]int{{1, 4, 5, 7}, {1, 2, 5, 7}})
		find := func(b, x arr) arr { return np.Searchsorted(b, x) }
		return []any{vmap.Of(find, vmap.In(0, nil)).Call(b, 3), vmap.Of(find, vmap.In(nil, 0)).Call(b.At(0).Get(), np.Of([][]int{{0, 9}, {4, 5}}))}
	},
	"vmap-010": func() any {
		x := np.Zeros([]int{0, 3})
		return []any{vmap.Of(np.Sin).Call(x), vmap.Of(func(x arr) arr { return x.Sum() }).Call(x)}
	},
	"vmap-011": func() any {
		a, i := np.Arange(12).Reshape(4, 3), np.Of([][][]int{{{0, 1, 2}}, {{3, 3, 3}}})
		return vmap.Of(func(x, i arr) arr { return np.TakeAlongAxis(x, i, np.Axis(0)) }, vmap.In(nil, 0)).Call(a, i)
	},
	"vmap-012": func() any {
		return vmap.Of(func(x arr) []arr {
			return []arr{vmap.PSum(x, "i"), vmap.PMean(x, "i"), vmap.PMax(x, "i"), vmap.AxisIndex("i"), vmap.PSum(1, "i")}
		}, vmap.Axis("i")).CallTree([]float64{1, 2, 6})
	},
	"vmap-013": func() any { return vmap.Of(func(x arr) arr { return vmap.PSum(x, "batch") }).Call(ones(2)) },
	"vmap-014": func() any {
		g := jit.Of(func() any { return vmap.AxisSize("i") })
		h := jit.Of(func(x arr) arr { return x.Div(vmap.PSum(1, "i")) })
		var out []any
		for _, n := range []int{2, 3} {
			out = append(out, vmap.Of(g, vmap.Axis("i"), vmap.Size(n), vmap.Out(nil)).Call())
		}
		for _, n := range []int{2, 4} {
			out = append(out, vmap.Of(h, vmap.Axis("i")).Call(ones(n)).At(0).Get())
		}
		return out
	},
	"vmap-015": func() any {
		f := func(z arr) arr {
			return vmap.Of(func(r arr) arr { return np.Logaddexp(z, r.Sum().Add(z)) }).Call(ones(3, 2)).Sum()
		}
		return vjp.ValueAndGrad(f).CallTree(0.5)
	},

	"custom_rules-001": func() any {
		clip := vjp.Custom(func(lo, hi, x arr) arr { return x }, vjp.Rule{
			Fwd: func(lo, hi, x arr) (arr, []arr) { return x, []arr{lo, hi} },
			Bwd: func(r []arr, g arr) (lo, hi, x arr) { return nil, nil, np.Clip(g, r[0], r[1]) },
		})
		scaled := func(s float64) func(x arr) arr {
			return func(x arr) arr { return clip.Call(-1.0, 1.0, x).Mul(s) }
		}
		return []any{vjp.Grad(scaled(10)).Call(3.0), vmap.Of(vjp.Grad(scaled(-5))).Call(np.Arange(2.0)), jit.Of(vjp.Grad(scaled(0.5))).Call(2.0)}
	},
	"custom_rules-002": func() any {
		f := vjp.Custom(double, vjp.Rule{Fwd: func(x arr) (arr, any) { return double(x), nil }, Bwd: func(any, arr) arr { return ones(10) }})
		return vjp.Grad(func(x arr) arr { return f.Call(x).Sum() }).Call(ones(3))
	},
	"custom_rules-003": func() any {
		f := vjp.Custom(np.Sin, vjp.Rule{Fwd: func(x arr) (arr, arr) { return np.Sin(x), x }, Bwd: func(x, g arr) arr { return g.Mul(np.Cos(x)) }})
		_, dy := vjp.JVP(jit.Of(f), []any{1.0}, []any{1.0})
		return dy
	},
	"custom_rules-004": func() any {
		return vjp.Grad(vjp.CustomJVP(func(x arr) arr { return x.Mul(x) }, func(_, dx arr) arr { return dx })).Call(2.0)
	},
	"custom_rules-005": func() any {
		f := vjp.CustomJVP(func(x, y arr) arr { return x.Sub(y.Pow(3)) }, func(x, y, _, dy arr) (arr, arr) { return x.Sub(y.Pow(3)), dy.Mul(7.0) })
		_, dz := vjp.JVP(f, []any{2.0, 3.0}, []any{1.0, 1.0})
		return []any{vjp.Grad(f, vjp.Args(1)).Call(2.0, 3.0), vjp.Grad(f).Call(2.0, 3.0), dz}
	},
	"custom_rules-006": func() any {
		f := vjp.CustomJVP(np.Sin, func(x, dx arr) (arr, arr) { return np.Sin(x), dx.Mul(100.0) })
		x := np.Arange(2.0)
		scan := func(x arr) arr {
			c, _ := flow.Scan(func(c, _ arr) (arr, arr) { return f.Call(c), nil }, x, nil, flow.Length(2))
			return c.(arr)
		}
		return []any{vjp.Grad(f).Call(0.5), vjp.Grad(jit.Of(f)).Call(0.5), vmap.Of(vjp.Grad(f)).Call(x),
			vjp.Grad(func(x arr) arr { return vmap.Of(f).Call(x).Sum() }).Call(x), vjp.Grad(scan).Call(0.5), vjp.Grad(vjp.Checkpoint(f)).Call(0.5),
			vjp.Grad(func(x arr) arr { return flow.Cond(true, f, f, x).(arr) }).Call(0.5)}
	},
	"custom_rules-007": func() any {
		a := of(1, 2)
		f := vjp.CustomJVP(func(x arr) arr { return a.Mul(x) }, func(x, dx arr) (arr, arr) { return a.Mul(x), a.Mul(dx) })
		return vjp.Grad(func(x arr) arr { return f.Call(x).Sum() }).Call(float32(5))
	},
	"custom_rules-008": func() any {
		return vjp.Grad(func(x arr) arr {
			f := vjp.CustomJVP(func(y arr) arr { return x.Mul(y) }, func(y, dy arr) (arr, arr) { return x.Mul(y), x.Mul(dy) })
			return f.Call(2.0)
		}).Call(3.0)
	},
	"custom_rules-009": func() any {
		type residuals struct {
			N    int
			I, M arr
		}
		pick := vjp.Custom(func(x, i, m arr) arr { return np.Where(m, x.At(i).Get(), 0.0) }, vjp.Rule{
			Fwd: func(x, i, m arr) (arr, residuals) {
				return np.Where(m, x.At(i).Get(), 0.0), residuals{x.Size(), i, m}
			},
			Bwd: func(r residuals, g arr) (x, i, m arr) {
				return np.Zeros([]int{r.N}).At(r.I).Add(np.Where(r.M, g, 0.0)), nil, nil
			},
		})
		return []any{vjp.Grad(func(x arr) arr { return pick.Call(x, 1, true).Mul(3.0) }).Call(np.Arange(3.0)),
			vmap.Of(vjp.Grad(func(x, i arr) arr { return pick.Call(x, i, true) }), vmap.In(nil, 0)).Call(np.Arange(3.0), []int{0, 2})}
	},
	"custom_rules-010": func() any {
		f := func(x arr) arr { return x.Add(vjp.StopGradient(np.Round(x, 0).Sub(x))) }
		return []any{f(np.Of(2.6)), vjp.Grad(func(x arr) arr { return f(x).Pow(2) }).Call(2.6), vjp.Grad(func(x arr) arr { return np.Round(x, 0) }).Call(2.6),
			vjp.Grad(vjp.Grad(func(x arr) arr { return x.Mul(vjp.StopGradient(x)) })).Call(3.0)}
	},
	"custom_rules-011": func() any {
		f := func(x arr) arr {
			return np.Stack([]arr{x.At(0).Get().Mul(2.0).Add(x.At(1).Get()), x.At(1).Get().Mul(3.0)})
		}
		g := func(x arr) arr {
			return jit.Of(func(x arr) (arr, arr) { return double(x), x.Greater(0) }).CallAll(x)[0]
		}
		return []any{vjp.LinearTranspose(f, np.Zeros([]int{2})).Call(of(1, 10)), vjp.LinearTranspose(g, 1.0).Call(1.0)}
	},
	"custom_rules-012": func() any { _, dy := vjp.JVP(np.Sin, []any{ones(3)}, []any{ones(2)}); return dy },

	"control_flow-001": func() any {
		return vjp.Grad(func(x arr) arr { return flow.While(func(c arr) arr { return c.Less(10.0) }, double, x).(arr) }).Call(1.0)
	},
	"control_flow-002": func() any {
		f := func(w arr) arr {
			return flow.While(func(n, _ arr) arr { return n.Less(3) }, func(n, c arr) (arr, arr) { return n.Add(1), c.Mul(w) }, []any{0, 1.0}).([]any)[1].(arr)
		}
		y, dy := vjp.JVP(f, []any{2.0}, []any{1.0})
		return []any{y, dy, vjp.JacFwd(f).Call(3.0)}
	},
	"control_flow-003": func() any {
		f := func(w, x0, xs arr) arr {
			c, ys := flow.Scan(func(c, x arr) (arr, arr) { return c.Mul(w).Add(x), c.Mul(x) }, x0, xs)
			return c.(arr).Add(ys.(arr).Sum())
		}
		return vjp.ValueAndGrad(f, vjp.Args(0, 1, 2)).CallTree(2.0, 1.0, []float64{1, 3})
	},
	"control_flow-004": func() any {
		c, _ := flow.Scan(func(c, x arr) (arr, arr) { return c.Add(x.AsType(np.Float16)), c }, np.Of(int32(0)), np.Arange(3.0))
		return c
	},
	"control_flow-005": func() any {
		c, _ := flow.Scan(func(c arr, _ []arr) (arr, arr) { return c, nil }, 0.0, []arr{np.Arange(3.0), np.Arange(4.0)})
		return c
	},
	"control_flow-006": func() any {
		c, ys := flow.Scan(func(c, x arr) (arr, arr) { return c.Add(x), double(c) }, 1.0, np.Zeros([]int{0}))
		return []any{c, ys, flow.Map(func(x arr) arr { return x.Mul(x) }, np.Zeros([]int{0, 2})),
			flow.Fori(5, 2, func(_, c arr) arr { return c.Add(1) }, 7),
			vjp.Grad(func(x arr) arr {
				c, _ := flow.Scan(func(c, t arr) (arr, arr) { return c.Mul(t), nil }, x, np.Zeros([]int{0}))
				return c.(arr)
			}).Call(3.0)}
	},
	"control_flow-007": func() any {
		f := func(i arr) arr {
			return flow.Switch(i, []any{func(x arr) arr { return x }, func(x arr) arr { return x.Mul(10.0) }, func(x arr) arr { return x.Mul(100.0) }}, 1.5).(arr)
		}
		var out []any
		for _, i := range []int{-5, 0, 1, 2, 9} {
			out = append(out, f(np.Of(i)))
		}
		return append(out, vmap.Of(f).Call([]int{-5, 1, 9}))
	},
	"control_flow-008": func() any {
		return flow.Cond(true, func(x arr) arr { return x }, func(x arr) arr { return x.AsType(np.Int32) }, float32(1))
	},
	"control_flow-009": func() any {
		return flow.Cond([]bool{true, false}, func(x arr) arr { return x }, func(x arr) arr { return x.Neg() }, 1.0)
	},
	"control_flow-010": func() any {
		gcd := jit.Of(func(a, b arr) any {
			return flow.While(func(_, b arr) arr { return b.Greater(0) }, func(a, b arr) (arr, arr) { return b, a.Mod(b) }, []any{a, b})
		})
		return []any{flow.Fori(0, 5, func(_ arr, c []any) []any { return []any{c[1], c[0].(arr).Add(c[1])} }, []any{0, 1}), gcd.CallTree(48, 36),
			flow.Fori(0, 3, func(_ arr, c []any) []any { return []any{c[1], c[2], c[0]} }, []any{1, 2, 3})}
	},
	"control_flow-011": func() any {
		a := np.Arange(3.0)
		f := func(p any, x, y any) arr {
			return flow.Cond(p, func(x, y arr) arr { return x.Add(y).Add(a) }, func(x, y arr) arr { return x.Mul(y).Sub(a) }, x, y).(arr)
		}
		return []any{f(true, 2.0, 3.0), jit.Of(f).Call(false, 2.0, 3.0), vjp.Grad(func(x arr) arr { return f(false, x, 3.0).Sum() }).Call(2.0)}
	},
	"control_flow-012": func() any {
		m := np.Of([][][]float64{{{1, 1}, {0, 1}}, {{2, 0}, {0, 1}}, {{0, 1}, {1, 0}}, {{1, 3}, {0, 1}}, {{1, 0}, {5, 1}}})
		r := flow.AssociativeScan(np.MatMul, m).(arr)
		return []any{r.At(2).Get(), r.At(4).Get(), flow.AssociativeScan(np.Maximum, []int{3, 1, 4, 1, 5}, flow.Reverse()), flow.AssociativeScan(np.Add, np.Zeros([]int{0}))}
	},
	"control_flow-013": func() any {
		f := func(x, w arr) arr {
			c, _ := flow.Scan(func(c, _ arr) (arr, arr) { return np.Tanh(w.MatMul(c)), nil }, x, nil, flow.Length(20))
			return c.(arr)
		}
		_, pull := vjp.VJP(f, ones(50), ones(50, 50))
		n := 0
		for _, c := range trace.Of(pull, ones(50)).ConstVals {
			n += c.Size()
		}
		return np.Of(n < 3*2500+20*50*4)
	},
}

// spelt is how what the cases mention in Python's words is called here.
var spelt = map[string]string{
	"in_axes": "In gives axes", "jvp": "forward mode", "custom_vjp": "vjp.Custom", "closed-over": "captured", "while_loop": "while",
	"(3,)": "[3]", "(2,)": "[2]", "int32": "i32", "float16": "f16", "float32": "f32",
}

func TestCases(t *testing.T) {
	f, err := os.Open("../../shared/cases/cases.jsonl")
	if err != nil {
		t.Skip("../shared/cases is not beside the project")
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		var c struct {
			ID, Category, Title string
			Expect              json.RawMessage
			Tolerance           struct{ RTol, ATol float64 }
		}
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			t.Fatal(err)
		}
		if c.Category != "vmap" && c.Category != "custom_rules" && c.Category != "control_flow" {
			continue
		}
		t.Run(c.ID, func(t *testing.T) {
			run := caseOf[c.ID]
			if run == nil {
				t.Fatalf("no program: %s", c.Title)
			}
			var fails struct{ Mentions []string }
			if json.Unmarshal(c.Expect, &fails) == nil && fails.Mentions != nil {
				refuses(t, run, fails.Mentions)
				return
			}
			var want any
			if err := json.Unmarshal(c.Expect, &want); err != nil {
				t.Fatal(err)
			}
			expects(t, leaves(t, run()), want, c.Tolerance.RTol+c.Tolerance.ATol)
		})
	}
}

func refuses(t *testing.T, run func() any, mentions []string) {
	err := trace.Try(func() { run() })
	if err == nil {
		t.Fatal("it is accepted")
	}
	for _, m := range mentions {
		if s, ok := spelt[m]; ok {
			m = s
		}
		if !strings.Contains(strings.ToLower(err.Error()), strings.ToLower(m)) {
			t.Errorf("%q is not in: %v", m, err)
		}
	}
}

// expects compares arrays with the recorded ones, in order.
func expects(t *testing.T, got []arr, want any, tol float64) {
	var recorded []arr
	var collect func(v any)
	collect = func(v any) {
		switch v := v.(type) {
		case bool:
			recorded = append(recorded, np.Of(v))
		case float64:
			recorded = append(recorded, np.Of(v, array.Float32))
		case map[string]any:
			var flat []float64
			var walk func(v any)
			walk = func(v any) {
				switch v := v.(type) {
				case []any:
					for _, e := range v {
						walk(e)
					}
				case float64:
					flat = append(flat, v)
				case bool:
					flat = append(flat, map[bool]float64{true: 1}[v])
				}
			}
			walk(v["data"])
			var shape array.Shape
			for _, n := range v["shape"].([]any) {
				shape = append(shape, int(n.(float64)))
			}
			d, err := array.ParseDType(v["dtype"].(string))
			if err != nil {
				t.Fatal(err)
			}
			recorded = append(recorded, array.Of(array.FromSlice(array.Float64, shape, flat)).AsType(d))
		case []any:
			for _, e := range v {
				collect(e)
			}
		}
	}
	collect(want)
	if len(got) != len(recorded) {
		t.Fatalf("%d arrays, want %d", len(got), len(recorded))
	}
	narrow := map[array.DType]array.DType{array.Float64: array.Float32, array.Int64: array.Int32} // the cases have 64-bit types off
	for i, w := range recorded {
		g := got[i]
		if n, ok := narrow[g.DType()]; ok {
			g = g.AsType(n)
		}
		if g.DType() != w.DType() || !g.Shape().Equal(w.Shape()) {
			t.Fatalf("result %d is %s, want %s", i, got[i].Aval(), w.Aval())
		}
		a, b := g.AsType(array.Float64).Float64s(), w.AsType(array.Float64).Float64s()
		for k := range a {
			if d := a[k] - b[k]; d > tol*(1+b[k]*b[k]) || -d > tol*(1+b[k]*b[k]) {
				t.Fatalf("result %d: got %v, want %v", i, g, w)
			}
		}
	}
}
