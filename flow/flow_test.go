package flow_test

import (
	"fmt"
	"testing"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/flow"
	"github.com/pantograph-go/pantograph/jit"
	"github.com/pantograph-go/pantograph/np"
	"github.com/pantograph-go/pantograph/random"
	"github.com/pantograph-go/pantograph/trace"
	"github.com/pantograph-go/pantograph/vjp"
	"github.com/pantograph-go/pantograph/vmap"
)

// A step that does not commute: the order of the steps shows in the result, and every operand in the derivative.
func step(w, c, x arr) (carry, y arr) {
	return np.Tanh(w.MatMul(c).Add(x)).Mul(c.Sum()), c.Mul(x).Add(w.At(0).Get())
}

// unrolled is the scan over step as a Go loop.
func unrolled(w, c, xs arr, reverse bool) (arr, arr) {
	n := xs.Shape()[0]
	ys := make([]arr, n)
	for k := range n {
		i := k
		if reverse {
			i = n - 1 - k
		}
		c, ys[i] = step(w, c, xs.At(i).Get())
	}
	return c, np.Stack(ys)
}

func scanned(opts ...flow.ScanOption) func(w, c, xs arr) (arr, arr) {
	return func(w, c, xs arr) (arr, arr) {
		carry, ys := flow.Scan(func(c, x arr) (arr, arr) { return step(w, c, x) }, c, xs, opts...)
		return carry.(arr), ys.(arr)
	}
}

// pulled is the reverse-mode derivative of f at x for fixed cotangents, as a function.
func pulled(f any) func(w, c, xs arr) []any {
	return func(w, c, xs arr) []any {
		y, pull := vjp.VJP(f, w, c, xs)
		out := y.([]any)
		ct := []any{np.Cos(np.Arange(2.0)).Mul(np.OnesLike(out[0])), np.OnesLike(out[1])}
		return pull.CallTree(ct).([]any)
	}
}

func TestScanAgainstUnrolledLoop(t *testing.T) {
	w, c, xs := ramp(2, 2), ramp(2).Add(0.5), ramp(5, 2)
	for _, tt := range []struct {
		opts    []flow.ScanOption
		reverse bool
	}{
		{nil, false}, {[]flow.ScanOption{flow.Reverse()}, true}, {[]flow.ScanOption{flow.Unroll(2)}, false},
		{[]flow.ScanOption{flow.Unroll(3), flow.Reverse()}, true}, {[]flow.ScanOption{flow.Unroll(9), flow.Length(5)}, false},
	} {
		t.Run(fmt.Sprint(len(tt.opts), tt.reverse), func(t *testing.T) {
			f := scanned(tt.opts...)
			plain := func(w, c, xs arr) (arr, arr) { return unrolled(w, c, xs, tt.reverse) }
			gc, gy := f(w, c, xs)
			wc, wy := plain(w, c, xs)
			nearAll(t, []arr{gc, gy}, []arr{wc, wy})

			// First derivatives in both modes, the second as reverse over reverse and forward over reverse, vmap.
			compare := func(name string, got, want any, args ...any) {
				t.Run(name, func(t *testing.T) {
					g := trace.NewFunc("got", nil, callable(t, got).Apply)
					w := trace.NewFunc("want", nil, callable(t, want).Apply)
					checked(t, got, args...)
					nearAll(t, g.CallAll(args...), w.CallAll(args...))
					nearAll(t, jit.Of(got).CallAll(args...), w.CallAll(args...))
				})
			}
			tangents := func(f any) any {
				return func(w, c, xs arr) any {
					_, dy := vjp.JVP(f, []any{w, c, xs}, []any{w, nil, xs})
					return dy
				}
			}
			compare("jvp", tangents(f), tangents(plain), w, c, xs)
			compare("vjp", pulled(f), pulled(plain), w, c, xs)
			sum := func(f any) any {
				return func(w, c, xs arr) arr {
					total := scalar(0)
					for _, g := range pulled(f)(w, c, xs) {
						total = total.Add(np.Sin(g.(arr)).Sum())
					}
					return total
				}
			}
			compare("grad of vjp", vjp.Grad(sum(f), vjp.Args(0, 1, 2)), vjp.Grad(sum(plain), vjp.Args(0, 1, 2)), w, c, xs)
			forward := func(f any) any {
				return func(w, c, xs arr) any {
					_, d := vjp.JVP(pulled(f), []any{w, c, xs}, []any{w, c, nil})
					return d
				}
			}
			compare("jvp of vjp", forward(f), forward(plain), w, c, xs)
			many := np.Stack([]arr{xs, xs.Mul(2.0), xs.Neg()})
			compare("vmap xs", vmap.Of(f, vmap.In(nil, nil, 0)), vmap.Of(plain, vmap.In(nil, nil, 0)), w, c, many)
			compare("vmap xs last", vmap.Of(f, vmap.In(nil, nil, -1), vmap.Out([]any{1, 2})), vmap.Of(plain, vmap.In(nil, nil, -1), vmap.Out([]any{1, 2})), w, c, many.Transpose(1, 2, 0))
			compare("vmap w", vmap.Of(f, vmap.In(0, nil, nil)), vmap.Of(plain, vmap.In(0, nil, nil)), np.Stack([]arr{w, w.T()}), c, xs)
			compare("vmap of vjp", vmap.Of(pulled(f), vmap.In(nil, 0, nil)), vmap.Of(pulled(plain), vmap.In(nil, 0, nil)), w, np.Stack([]arr{c, c.Neg()}), xs)
			mapped := func(f any) any {
				return func(w, c, xs arr) arr {
					out := vmap.Of(f, vmap.In(nil, 0, nil)).CallAll(w, c, xs)
					return out[0].Mul(out[0]).Sum().Add(out[1].Sum())
				}
			}
			compare("vjp of vmap", vjp.Grad(mapped(f), vjp.Args(0, 1, 2)), vjp.Grad(mapped(plain), vjp.Args(0, 1, 2)), w, np.Stack([]arr{c, c.Neg()}), xs)
		})
	}
}

func callable(t *testing.T, f any) trace.Callable {
	t.Helper()
	c, err := trace.CallableOf(f)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// loops are functions with control flow whose derivatives are compared with differences, to second order.
var loops = []struct {
	name string
	f    any
	args []any
}{
	{"scan captures", func(w, x arr) arr {
		c, ys := flow.Scan(func(c, x arr) (arr, arr) { return np.Sin(c.Mul(w)).Add(x), c.Mul(w) }, w, x)
		return c.(arr).Add(ys.(arr).Sum())
	}, []any{0.7, ramp(4)}},
	{"scan without inputs", func(x arr) any {
		c, ys := flow.Scan(func(c arr, _ any) (arr, []arr) { return np.Cos(c), []arr{c, c.Mul(c)} }, x, nil, flow.Length(3))
		return []any{c, ys}
	}, []any{ramp(2)}},
	{"scan without outputs", func(x arr) any {
		c, _ := flow.Scan(func(c, x arr) (arr, arr) { return c.Mul(x), nil }, scalar(1.5), x, flow.Reverse())
		return c
	}, []any{ramp(3)}},
	{"scan without carry", func(x arr) any {
		_, ys := flow.Scan(func(_ any, x arr) (any, arr) { return nil, np.Exp(x) }, nil, x)
		return ys
	}, []any{ramp(3)}},
	{"carry with integers", func(x arr) any {
		c, _ := flow.Scan(func(c []any, x arr) ([]any, arr) {
			n := c[0].(arr)
			return []any{n.Add(1), np.Where(n.Mod(2).Equal(0), c[1].(arr).Mul(x), c[1].(arr).Add(x))}, nil
		}, []any{0, 1.0}, x)
		return c.([]any)[1]
	}, []any{ramp(5)}},
	{"a tangent enters the carry late", func(x arr) any {
		c, ys := flow.Scan(func(c []arr, _ any) ([]arr, arr) { return []arr{c[1], c[2], c[0].Add(c[2].Mul(x))}, c[0] },
			[]arr{scalar(1), scalar(2), scalar(3)}, nil, flow.Length(4))
		return []any{c, ys}
	}, []any{0.3}},
	{"work that is the same in every step", func(w, x arr) any {
		c, _ := flow.Scan(func(c, x arr) (arr, arr) { return np.Tanh(np.Exp(w).T().MatMul(c).Add(x)), nil }, ramp(2), x)
		return c
	}, []any{ramp(2, 2), ramp(3, 2)}},
	{"nested scans", func(x arr) any {
		c, ys := flow.Scan(func(c, x arr) (arr, any) {
			d, zs := flow.Scan(func(d, y arr) (arr, arr) { return np.Sin(d.Mul(y)).Add(c), d }, c, np.Stack([]arr{x, x.Mul(2.0)}))
			return d.(arr), zs
		}, scalar(0.4), x)
		return []any{c, ys}
	}, []any{ramp(3)}},
	{"cond in scan", func(x arr) any {
		c, _ := flow.Scan(func(c, x arr) (arr, arr) {
			return flow.Cond(x.Greater(0), func(c arr) arr { return c.Mul(x) }, func(c arr) arr { return np.Sin(c) }, c).(arr), nil
		}, scalar(0.8), x)
		return c
	}, []any{ramp(6)}},
	{"scan in cond", func(x arr) any {
		cum := func(x arr) any {
			_, ys := flow.Scan(func(c, x arr) (arr, arr) { c = c.Mul(x); return c, c }, scalar(2), x)
			return ys
		}
		return flow.Cond(x.Sum().Less(100), cum, func(x arr) any { return x }, x)
	}, []any{ramp(4)}},
	{"fori", func(x arr) any {
		return flow.Fori(1, 4, func(i, c arr) arr { return np.Sin(c.Mul(i)).Mul(x) }, x)
	}, []any{ramp(2)}},
	{"cond, true", func(x, y arr) any { return chooses(true, x, y) }, []any{ramp(3), ramp(3).Add(1.0)}},
	{"cond, false", func(x, y arr) any { return chooses(false, x, y) }, []any{ramp(3), ramp(3).Add(1.0)}},
	{"cond with a constant branch", func(x arr) any {
		return flow.Cond(x.Sum().Less(0), func(x arr) arr { return np.Zeros([]int{3}) }, func(x arr) arr { return x.Mul(x).Mul(x) }, x)
	}, []any{np.Abs(ramp(3))}},
	{"cond twice the same operand", func(x arr) any {
		return flow.Cond(true, func(a, b arr) arr { return np.Sin(a).Mul(np.Exp(b)) }, func(a, b arr) arr { return np.Cos(b).Mul(a) }, x, x)
	}, []any{ramp(3)}},
	{"switch", func(x arr) any {
		return flow.Switch(1, []any{np.Sin, func(x any) arr { return np.Exp(x).Mul(x) }, np.Cos}, x)
	}, []any{ramp(3)}},
	{"map", func(x arr) any {
		return flow.Map(func(r arr) arr { return np.Sin(r).Sum().Mul(r) }, x)
	}, []any{ramp(3, 2)}},
	{"map in batches", func(x arr) any {
		return flow.Map(func(r arr) arr { return np.Sin(r).Sum().Mul(r).Mul(x.At(0).Get()) }, x, flow.BatchSize(2))
	}, []any{ramp(5, 2)}},
}

func chooses(p bool, x, y arr) any {
	return flow.Cond(p, func(a arr) []arr { return []arr{np.Sin(a).Mul(y), a} }, func(a arr) []arr { return []arr{y, np.Exp(np.Sin(a))} }, x)
}

func TestAgainstDifferences(t *testing.T) {
	for _, tt := range loops {
		t.Run(tt.name, func(t *testing.T) {
			if err := vjp.CheckGrads(tt.f, tt.args); err != nil {
				t.Error(err)
			}
			if err := vjp.CheckGrads(jit.Of(tt.f), tt.args); err != nil {
				t.Errorf("under jit: %v", err)
			}
			all := func(args []any) any {
				y, pull := vjp.VJP(tt.f, args...)
				_, dy := vjp.JVP(tt.f, args, args)
				return []any{y, dy, pull.CallTree(dy)}
			}
			checked(t, all, tt.args)
			checked(t, vmap.Of(all, vmap.Size(2), vmap.In(nil)), tt.args)
		})
	}
}

// vmap gives what a Go loop over the elements gives, for values and gradients, also where predicates are mapped.
func TestVmapAgainstLoop(t *testing.T) {
	x := np.Of([][]float64{{-0.5, 0.3}, {0.7, 1.5}, {0.1, -2}})
	for name, f := range map[string]any{
		"cond": func(x arr) arr {
			return flow.Cond(x.Sum().Greater(0), func(x arr) arr { return np.Sin(x).Mul(2.0) }, func(x arr) arr { return x.Mul(x) }, x).(arr)
		},
		"switch": func(x arr) arr {
			i := np.Floor(x.Sum()).AsType(array.Int32)
			return flow.Switch(i, []any{np.Sin, np.Cos, np.Exp}, x).(arr)
		},
		"while": func(x arr) arr {
			out := flow.While(func(n, c arr) arr { return c.Sum().Less(9.0) }, func(n, c arr) (arr, arr) { return n.Add(1), c.Mul(c).Add(1.0) }, []any{0, x}).([]any)
			return out[1].(arr).Add(out[0].(arr))
		},
		"while, condition on a captured value": func(x arr) arr {
			return flow.While(func(n, _ arr) arr { return n.Less(x.Sum()) }, func(n, c arr) (arr, arr) { return n.Add(1.0), np.Sin(c) }, []any{0.0, x}).([]any)[1].(arr)
		},
		"fori": func(x arr) arr {
			return flow.Fori(0, np.Floor(x.Sum()).AsType(array.Int64), func(i, c arr) arr { return np.Sin(c).Add(i) }, x).(arr)
		},
		"scan": func(x arr) arr {
			c, ys := flow.Scan(func(c, v arr) (arr, arr) { return np.Tanh(c.Add(v)), c.Mul(v) }, x.At(0).Get(), x)
			return ys.(arr).Add(c.(arr))
		},
		"cond in while": func(x arr) arr {
			return flow.While(func(c arr) arr { return np.Abs(c).Sum().Less(20.0) }, func(c arr) arr {
				return flow.Cond(c.Sum().Less(0), func(c arr) arr { return c.Mul(3.0) }, func(c arr) arr { return c.Add(1.0) }, c).(arr)
			}, x).(arr)
		},
	} {
		t.Run(name, func(t *testing.T) {
			single := trace.NewFunc(name, nil, callable(t, f).Apply)
			rows := []arr{single.Call(x.At(0).Get()), single.Call(x.At(1).Get()), single.Call(x.At(2).Get())}
			near(t, vmap.Of(f).Call(x), np.Stack(rows))
			near(t, vmap.Of(f, vmap.In(1)).Call(x.T()), np.Stack(rows))
			near(t, jit.Of(vmap.Of(f)).Call(x), np.Stack(rows))
			checked(t, vmap.Of(f), x)
			jac := vjp.JacFwd(f)
			near(t, vmap.Of(jac).Call(x), np.Stack([]arr{jac.Call(x.At(0).Get()), jac.Call(x.At(1).Get()), jac.Call(x.At(2).Get())}))
			checked(t, vmap.Of(jac), x)
			// Two mapped axes.
			near(t, vmap.Of(vmap.Of(f)).Call(np.Stack([]arr{x, x})), np.Stack([]arr{np.Stack(rows), np.Stack(rows)}))
		})
	}
}

// Values and derivatives of a while loop, which captures the value that is differentiated.
func TestWhile(t *testing.T) {
	power := func(w arr) arr {
		return flow.While(func(n, _ arr) arr { return n.Less(3) }, func(n, c arr) (arr, arr) { return n.Add(1), c.Mul(w) }, []any{0, 1.0}).([]any)[1].(arr)
	}
	near(t, power(scalar(2)), scalar(8))
	y, dy := vjp.JVP(power, []any{2.0}, []any{1.0})
	nearAll(t, leaves(t, y, dy), []arr{scalar(8), scalar(12)})
	near(t, vjp.JacFwd(power).Call(3.0), scalar(27))
	near(t, vjp.JacFwd(vjp.JacFwd(power)).Call(3.0), scalar(18))
	_, d := vjp.Linearize(power, 2.0)
	near(t, d.Call(1.0), scalar(12))
	near(t, jit.Of(vjp.JacFwd(power)).Call(3.0), scalar(27))
	fails(t, new(*array.NoRuleError), "flow_test.go", func() { vjp.Grad(power).Call(2.0) }, "reverse-mode", "while", "flow.Scan")
	fails(t, new(*array.NoRuleError), "flow_test.go", func() { jit.Of(vjp.Grad(power)).Call(2.0) }, "reverse-mode", "flow.Fori")
	n := func(x, n arr) arr {
		return flow.Fori(0, n, func(_, c arr) arr { return c.Mul(x) }, 1.0).(arr)
	}
	near(t, vjp.JacFwd(n).Call(2.0, 3), scalar(12))
	near(t, jit.Of(vjp.JacFwd(n)).Call(2.0, 3), scalar(12))
	near(t, vjp.Grad(n).Call(2.0, 3), scalar(12)) // eagerly the bound is known
	fails(t, new(*array.NoRuleError), "flow_test.go", func() { jit.Of(vjp.Grad(n)).Call(2.0, 3) }, "reverse-mode")
	// A loop without tangents does no harm.
	near(t, vjp.Grad(func(x arr) arr { return x.Mul(power(vjp.StopGradient(x))) }).Call(2.0), scalar(8))
}

// Bodies that permute what they carry.
func TestCarriesMoveInCycles(t *testing.T) {
	fib := flow.Fori(0, 5, func(_ arr, c []arr) []arr { return []arr{c[1], c[0].Add(c[1])} }, []arr{np.Of(0), np.Of(1)}).([]arr)
	nearAll(t, fib, []arr{np.Of(5), np.Of(8)})
	gcd := jit.Of(func(a, b arr) any {
		return flow.While(func(_, b arr) arr { return b.Greater(0) }, func(a, b arr) (arr, arr) { return b, a.Mod(b) }, []any{a, b})
	})
	nearAll(t, gcd.CallAll(48, 36), []arr{np.Of(12), np.Of(0)})
	rotate := flow.Fori(0, 3, func(_ arr, c []any) []any { return []any{c[1], c[2], c[0]} }, []any{1, 2, 3})
	nearAll(t, leaves(t, rotate), []arr{np.Of(1), np.Of(2), np.Of(3)})
	swap := vjp.Grad(func(x arr) arr {
		c := flow.Fori(0, 3, func(_ arr, c []arr) []arr { return []arr{c[1], c[0].Mul(2.0)} }, []arr{x, x.Mul(x)}).([]arr)
		return c[0].Add(c[1].Mul(10.0))
	})
	near(t, swap.Call(3.0), scalar(2*6+4*10))
}

func TestZeroLength(t *testing.T) {
	c, ys := flow.Scan(func(c, x arr) (arr, arr) { return c.Add(x), c.Mul(2.0) }, 1.0, np.Zeros([]int{0}))
	nearAll(t, leaves(t, c, ys), []arr{scalar(1), np.Zeros([]int{0})})
	near(t, flow.Map(func(x arr) arr { return x.Mul(x) }, np.Zeros([]int{0, 2})).(arr), np.Zeros([]int{0, 2}))
	near(t, flow.Fori(5, 2, func(_, c arr) arr { return c.Add(1) }, 7).(arr), np.Of(7))
	near(t, vjp.Grad(func(x arr) arr {
		c, _ := flow.Scan(func(c, t arr) (arr, arr) { return c.Mul(t), nil }, x, np.Zeros([]int{0}))
		return c.(arr)
	}).Call(3.0), scalar(1))
}

func TestSwitchClamps(t *testing.T) {
	f := func(i arr) arr {
		return flow.Switch(i, []any{func(x arr) arr { return x }, func(x arr) arr { return x.Mul(10.0) }, func(x arr) arr { return x.Mul(100.0) }}, 1.5).(arr)
	}
	for i, want := range map[int]float64{-5: 1.5, 0: 1.5, 1: 15, 2: 150, 9: 150} {
		near(t, f(np.Of(i)), scalar(want))
	}
	near(t, vmap.Of(f).Call(np.Of([]int{-5, 1, 9})), of(1.5, 15, 150))
	near(t, jit.Of(vmap.Of(f)).Call(np.Of([]uint8{0, 1, 255})), of(1.5, 15, 150))
	near(t, flow.Switch(3, []any{np.Exp}, 0.0).(arr), scalar(1))
}

// Only the branch that is chosen runs.
func TestOneBranchRuns(t *testing.T) {
	f := func(p, x arr) arr {
		return flow.Cond(p, np.Sin, func(x any) arr {
			return flow.While(func(arr) bool { return true }, func(c arr) arr { return c }, x).(arr) // for ever
		}, x).(arr)
	}
	near(t, f(np.Of(true), ramp(2)), np.Sin(ramp(2)))
	near(t, jit.Of(f).Call(true, ramp(2)), np.Sin(ramp(2)))
}

func TestCondOperands(t *testing.T) {
	a := np.Arange(3.0)
	f := func(p any, x, y arr) arr {
		return flow.Cond(p, func(x, y arr) arr { return x.Add(y).Add(a) }, func(x, y arr) arr { return x.Mul(y).Sub(a) }, x, y).(arr)
	}
	x, y := scalar(2), scalar(3)
	near(t, f(true, x, y), of(5, 6, 7))
	near(t, jit.Of(f).Call(false, x, y), of(6, 5, 4))
	near(t, f(np.Of(int32(2)), x, y), of(5, 6, 7))
	near(t, f(0.0, x, y), of(6, 5, 4))
	near(t, vjp.Grad(func(x arr) arr { return f(false, x, y).Sum() }).Call(2.0), scalar(9))
	near(t, flow.Cond(true, func() arr { return a }, func() arr { return a.Neg() }).(arr), a)
	type pair struct {
		S string
		X arr
	}
	got := flow.Cond(false, func(p pair) pair { return p }, func(p pair) pair { return pair{p.S, p.X.Neg()} }, pair{"s", a}).(pair)
	if got.S != "s" {
		t.Errorf("static part %q", got.S)
	}
	near(t, got.X, a.Neg())
}

// A Go number takes the type of what it meets in the other branch or in the loop.
func TestGoNumbersYield(t *testing.T) {
	x := ramp(2).AsType(array.Float32)
	near(t, flow.Cond(true, func(x arr) arr { return x.Sum() }, func(arr) float64 { return 0 }, x).(arr), x.Sum())
	near(t, flow.Cond(false, func(x arr) any { return 1.0 }, func(x arr) any { return x.Sum() }, x).(arr), x.Sum())
	c, _ := flow.Scan(func(c, x arr) (arr, arr) { return c.Add(x), nil }, 0.0, x)
	near(t, c.(arr), x.Sum())
	near(t, flow.While(func(c arr) arr { return c.Less(3) }, func(c arr) arr { return c.Add(x.Max()) }, 0).(arr).AsType(array.Float64), func() arr {
		c := scalar(0).AsType(array.Float32)
		for c.Float() < 3 {
			c = c.Add(x.Max())
		}
		return c.AsType(array.Float64)
	}())
	near(t, flow.Fori(0, 3, func(i, c arr) arr { return i.Mul(2) }, np.Of(int32(1))).(arr), np.Of(int32(4)))
}

func TestMap(t *testing.T) {
	type out struct{ A, B arr }
	f := func(x struct{ U, V arr }) out { return out{x.U.Mul(2.0), x.V.Sum().Add(x.U)} }
	u, v := ramp(7), ramp(7, 2)
	want := vmap.Of(f).CallTree(struct{ U, V arr }{u, v}).(out)
	for _, size := range []int{0, 1, 2, 3, 7, 100} {
		got := flow.Map(f, struct{ U, V arr }{u, v}, flow.BatchSize(size)).(out)
		nearAll(t, []arr{got.A, got.B}, []arr{want.A, want.B})
	}
	near(t, flow.Map(np.Sin, []float64{1, 2}).(arr), np.Sin(of(1, 2)))
}

// What reverse mode keeps of a loop does not grow with what every step only reads.
func TestResidualsOfScan(t *testing.T) {
	const n, steps = 50, 20
	w := np.Ones([]int{n, n})
	f := func(x, w arr) arr {
		c, _ := flow.Scan(func(c, _ arr) (arr, arr) { return np.Tanh(w.MatMul(c)), nil }, x, nil, flow.Length(steps))
		return c.(arr)
	}
	_, pull := vjp.VJP(f, np.Ones([]int{n}), w)
	elements := 0
	j := checked(t, pull, np.Ones([]int{n}))
	for _, c := range j.ConstVals {
		elements += c.Size()
	}
	if elements > n*n+3*steps*n {
		t.Errorf("%d elements are kept\n%s", elements, j)
	}
}

// Loops that are traced twice are one primitive, so that an eager loop is compiled once.
func TestEqualLoopsAreEqual(t *testing.T) {
	f := func(x arr) arr {
		c, _ := flow.Scan(func(c, x arr) (arr, arr) { return c.Mul(x).Add(2.0), nil }, 1.0, x)
		return flow.Cond(c.(arr).Greater(1), np.Sin, np.Cos, flow.While(func(c arr) arr { return c.Less(3) }, func(c arr) arr { return c.Add(1) }, c)).(arr)
	}
	a, b := trace.Of(f, trace.Spec(array.Float32, 3)), trace.Of(f, trace.Spec(array.Float32, 3))
	for i, e := range a.Eqns {
		if e.Prim != b.Eqns[i].Prim {
			t.Errorf("equation %d, %s, differs", i, e.Prim.Name())
		}
	}
}

// Dead code elimination reaches into loops and branches.
func TestPruned(t *testing.T) {
	f := func(w, x arr) arr {
		c, ys := flow.Scan(func(c []arr, x arr) ([]arr, []arr) {
			return []arr{c[0].Add(1.0), np.Sin(c[1]).Mul(w)}, []arr{c[0], np.Exp(x)}
		}, []arr{scalar(0), scalar(1)}, x)
		_ = c
		r := flow.Cond(x.Sum().Less(0), func(a, b arr) []arr { return []arr{np.Tanh(a), b} }, func(a, b arr) []arr { return []arr{a, np.Cos(b)} }, x, w).([]arr)
		return ys.([]arr)[0].Add(r[0])
	}
	j := checked(t, f, scalar(1), ramp(3))
	k, used := trace.DCE(j.Jaxpr, []bool{true})
	if err := trace.Check(k); err != nil {
		t.Fatal(err)
	}
	if used[0] {
		t.Errorf("w is not needed\n%s", k)
	}
	text := k.String()
	for _, gone := range []string{"sin", "exp", "cos"} {
		if contains(k, gone) {
			t.Errorf("%s is left\n%s", gone, text)
		}
	}
	got, err := trace.Eval(k, j.ConstVals, []arr{ramp(3)})
	if err != nil {
		t.Fatal(err)
	}
	near(t, got[0], f(scalar(1), ramp(3)))
}

func contains(j *trace.Jaxpr, prim string) bool {
	for _, e := range j.Eqns {
		if e.Prim.Name() == prim {
			return true
		}
		for _, body := range trace.Jaxprs(e.Prim) {
			if contains(body, prim) {
				return true
			}
		}
	}
	return false
}

// Random keys may be carried, stacked, chosen and mapped.
func TestKeys(t *testing.T) {
	split := func(k arr) (arr, arr) {
		_, ks := flow.Scan(func(k, _ arr) (arr, arr) { s := random.Split(k, 2); return s.At(0).Get(), s.At(1).Get() }, k, nil, flow.Length(3))
		k = flow.Cond(random.Uniform(k, nil).Less(2), func(k arr) arr { return k }, func(k arr) arr { return random.FoldIn(k, 1) }, k).(arr)
		return k, flow.Map(func(k arr) arr { return random.Uniform(k, []int{2}) }, ks).(arr)
	}
	key := random.Key(3)
	var want []arr
	for k := key; len(want) < 3; {
		s := random.Split(k, 2)
		k = s.At(0).Get()
		want = append(want, random.Uniform(s.At(1).Get(), []int{2}))
	}
	for _, f := range []any{split, jit.Of(split)} {
		out := trace.NewFunc("split", nil, callable(t, f).Apply).CallAll(key)
		near(t, out[1], np.Stack(want))
		if !out[0].DType().IsKey() {
			t.Errorf("key %s", out[0].Aval())
		}
	}
	checked(t, split, key)
	near(t, vmap.Of(split).CallAll(np.Stack([]arr{key, key}))[1], np.Stack([]arr{np.Stack(want), np.Stack(want)}))
}
