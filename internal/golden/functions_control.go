package golden

import (
	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/flow"
	"github.com/pantograph-go/pantograph/jit"
	"github.com/pantograph-go/pantograph/nn"
	"github.com/pantograph-go/pantograph/np"
	"github.com/pantograph-go/pantograph/trace"
	"github.com/pantograph-go/pantograph/vjp"
	"github.com/pantograph-go/pantograph/vmap"
)

type arr = *array.Array

// controlFunctions are the transformations and the functions of control flow. The Python functions among their
// arguments are found by their text.
var controlFunctions = map[string]Func{
	"lax.scan": func(c *Call) any {
		opts := []flow.ScanOption{}
		if c.Bool("reverse", false) {
			opts = append(opts, flow.Reverse())
		}
		if c.Has("length") {
			opts = append(opts, flow.Length(c.Int("length", 0)))
		}
		opts = append(opts, flow.Unroll(c.Int("unroll", 1)))
		carry, ys := flow.Scan(text(scanBodies, c.Str("body", "")), c.Args[0], c.Args[1], opts...)
		if y, ok := ys.(arr); ok && y == nil {
			return carry
		}
		return []any{carry, ys}
	},
	"lax.while_loop": func(c *Call) any {
		return flow.While(text(whileBodies, c.Str("cond", "")), text(whileBodies, c.Str("body", "")), carryOf(c.Args))
	},
	"lax.fori_loop": func(c *Call) any {
		body := text(foriBodies, c.Str("body", ""))
		if len(c.Args) == 2 { // a number of steps that is not known
			return flow.Fori(0, c.X(1), body, c.X(0))
		}
		return flow.Fori(c.Int("lower", 0), c.Int("upper", 0), body, c.X(0))
	},
	"lax.cond": func(c *Call) any {
		pred, args := c.X(0), c.Args[1:]
		if pred.DType().IsFloat() { // the number itself is an argument too
			pred, args = pred.Greater(0.0), c.Args
		}
		return flow.Cond(pred, text(branches, c.Str("true", "")), text(branches, c.Str("false", "")), args...)
	},
	"lax.switch": func(c *Call) any {
		list, _ := c.Any("branches").([]any)
		fs := make([]any, len(list))
		for i, b := range list {
			fs[i] = text(branches, b.(string))
		}
		return flow.Switch(c.X(0), fs, c.Args[1:]...)
	},
	"lax.map": func(c *Call) any {
		return flow.Map(text(mapBodies, c.Str("body", "")), c.Args[0], flow.BatchSize(c.Int("batch_size", 0)))
	},
	"lax.associative_scan": func(c *Call) any {
		opts := []flow.ScanOption{flow.Along(c.Int("axis", 0))}
		if c.Bool("reverse", false) {
			opts = append(opts, flow.Reverse())
		}
		return flow.AssociativeScan(text(combiners, c.Str("body", "")), c.Args[0], opts...)
	},
	"lax.psum":       collective(func(x arr) arr { return vmap.PSum(x, "i") }),
	"lax.pmean":      collective(func(x arr) arr { return vmap.PMean(x, "i") }),
	"lax.pmax":       collective(func(x arr) arr { return vmap.PMax(x, "i") }),
	"lax.pmin":       collective(func(x arr) arr { return vmap.PMin(x, "i") }),
	"lax.all_gather": collective(func(x arr) arr { return vmap.AllGather(x, "i", 0) }),
	"lax.all_to_all": collective(func(x arr) arr { return vmap.AllToAll(x, "i", 0, 0) }),
	"lax.axis_index": collective(func(x arr) arr { return x.Add(vmap.AxisIndex("i")) }),
	"lax.ppermute": collective(func(x arr) arr {
		return vmap.PPermute(x, "i", [2]int{0, 1}, [2]int{1, 2}, [2]int{2, 0})
	}),
	"lax.reduce": func(c *Call) any {
		return flow.Reduce(c.Xs(0), c.Args[1], pairwise(text(combiners, c.Str("computation", ""))), c.Ints("dimensions")...)
	},
	"lax.custom_linear_solve": func(c *Call) any {
		if c.Str("solve", "") != "dense" || !c.Bool("symmetric", false) {
			panic(missing{&Skipped{"another solver"}})
		}
		a := c.X(0)
		solve := func(a arr) func(*trace.Func, arr) arr {
			return func(_ *trace.Func, b arr) arr { return cramer(a, b) }
		}
		return flow.LinearSolve(func(v arr) arr { return a.MatMul(v) }, c.X(1), solve(a), solve(a.T()))
	},
	"lax.custom_root": func(c *Call) any {
		if c.Str("f", "") != "lambda x, a: x ** 3 - a" {
			panic(missing{&Skipped{"the equation " + c.Str("f", "")}})
		}
		a := c.X(0)
		newton := func(f *trace.Func, x arr) arr {
			return flow.Fori(0, 30, func(_, x arr) arr { return x.Sub(f.Call(x).Div(x.Mul(x).Mul(3.0))) }, x).(arr)
		}
		return flow.Root(func(x arr) arr { return x.Pow(3).Sub(a) }, np.FullLike(a, 1.5), newton,
			func(g *trace.Func, y arr) arr { return y.Div(g.Call(1.0)) })
	},
	"jax.custom_jvp": func(c *Call) any {
		f, rule := text(bodies, c.Str("f", "")), text(rules, c.Str("jvp", ""))
		return vjp.CustomJVP(f, rule).CallTree(c.Args...)
	},
	"jax.custom_vjp": func(c *Call) any {
		rule := vjp.Rule{Fwd: text(rules, c.Str("fwd", "")), Bwd: text(rules, c.Str("bwd", ""))}
		return vjp.Custom(text(bodies, c.Str("f", "")), rule).CallTree(c.Args...)
	},
	"jax.grad": func(c *Call) any { return transformed(c, vjp.Grad, "body") },
	"jax.hessian": func(c *Call) any {
		return transformed(c, vjp.Hessian, "body")
	},
	"jax.value_and_grad": func(c *Call) any { return transformed(c, vjp.ValueAndGrad, "body") },
	"jax.jacfwd":         func(c *Call) any { return transformed(c, vjp.JacFwd, "body") },
	"jax.jacrev":         func(c *Call) any { return transformed(c, vjp.JacRev, "body") },
	"jax.checkpoint": func(c *Call) any {
		return vjp.Checkpoint(text(bodies, c.Str("body", ""))).CallTree(c.Args...)
	},
	"jax.jit": func(c *Call) any {
		return jit.Of(text(bodies, c.Str("body", ""))).CallTree(c.Args...)
	},
	"jax.linearize": func(c *Call) any {
		y, f := vjp.Linearize(text(bodies, c.Str("body", "")), c.Args[0])
		return []any{y, f.CallTree(c.Args[1])}
	},
	"jax.linear_transpose": func(c *Call) any {
		return vjp.LinearTranspose(text(bodies, c.Str("body", "")), c.Args[0]).CallTree(c.Args[1])
	},
	"jax.vmap": func(c *Call) any {
		opts := []vmap.Option{vmap.Out(c.Int("out_axes", 0))}
		switch axes := c.Any("in_axes").(type) {
		case []any:
			opts = append(opts, vmap.In(axes...))
		case int:
			opts = append(opts, vmap.In(axes))
		}
		return vmap.Of(text(bodies, c.Str("body", "")), opts...).CallTree(c.Args...)
	},
	"program": func(c *Call) any {
		f, err := trace.CallableOf(text(bodies, c.Str("body", "")))
		if err != nil {
			panic(missing{err})
		}
		return trace.NewFunc("program", nil, f.Apply).CallTree(c.Args...)
	},
	"compose": func(c *Call) any {
		f := text(bodies, c.Str("body", ""))
		list, _ := c.Any("transforms").([]any)
		for _, t := range list {
			f = transform(t.(string), f)
		}
		g, err := trace.CallableOf(f)
		if err != nil {
			panic(missing{err})
		}
		return trace.NewFunc("compose", nil, g.Apply).CallTree(c.Args...)
	},
}

// pairwise makes a function of two lists of one that may be of two arrays.
func pairwise(f any) func(x, y []arr) []arr {
	if f, ok := f.(func(x, y []arr) []arr); ok {
		return f
	}
	return func(x, y []arr) []arr { return []arr{f.(func(x, y arr) arr)(x[0], y[0])} }
}

// reduceWindow is lax.reduce_window with any computation.
func reduceWindow(c *Call, computation string) any {
	f := pairwise(text(combiners, computation))
	if _, list := c.Args[0].([]any); list {
		xs := c.Xs(0)
		return flow.ReduceWindow(xs, c.Args[1], f, window(c, xs[0]))
	}
	return flow.ReduceWindow([]arr{c.X(0)}, []any{c.Any("init_value")}, f, window(c, c.X(0)))
}

// cramer solves three equations.
func cramer(a, b arr) arr {
	x, y, z := a.At(":", 0).Get(), a.At(":", 1).Get(), a.At(":", 2).Get()
	det := func(x, y, z arr) arr { return x.Dot(np.Cross(y, z)) }
	return np.Stack([]arr{det(b, y, z), det(x, b, z), det(x, y, b)}).Div(det(x, y, z))
}

// collective maps a function along an axis named i.
func collective(f func(x arr) arr) Func {
	return func(c *Call) any {
		if name := c.Str("axis_name", "i"); name != "i" {
			panic(missing{&Skipped{"axis " + name}})
		}
		return vmap.Of(f, vmap.Axis("i")).Call(c.X(0))
	}
}

// carryOf is the carry of a while loop: the argument itself, or all of them.
func carryOf(args []any) any {
	if len(args) == 1 {
		return args[0]
	}
	return args
}

// text finds a Python function's Go form.
func text(table map[string]any, lambda string) any {
	f, ok := table[lambda]
	if !ok {
		panic(missing{&Skipped{"the function " + lambda}})
	}
	return f
}

func transformed(c *Call, t func(any, ...vjp.Option) *trace.Func, key string) any {
	var opts []vjp.Option
	if c.Bool("holomorphic", false) {
		opts = append(opts, vjp.Holomorphic())
	}
	return t(text(bodies, c.Str(key, "")), opts...).CallTree(c.Args...)
}

// transform applies a transformation of a compose case.
func transform(name string, f any) any {
	ones := func(x arr) arr { return np.OnesLike(x) }
	switch name {
	case "grad":
		return vjp.Grad(f)
	case "value_and_grad":
		return vjp.ValueAndGrad(f)
	case "hessian":
		return vjp.Hessian(f)
	case "jacfwd":
		return vjp.JacFwd(f)
	case "jacrev":
		return vjp.JacRev(f)
	case "jit":
		return jit.Of(f)
	case "vmap":
		return vmap.Of(f)
	case "checkpoint":
		return vjp.Checkpoint(f)
	case "map":
		return func(x any) any { return flow.Map(f, x) }
	case "sum":
		return func(x arr) arr { return apply(f, x).Sum() }
	case "jvp1":
		return func(x arr) arr {
			_, dy := vjp.JVP(f, []any{x}, []any{ones(x)})
			return dy.(arr)
		}
	case "linearize1":
		return func(x arr) arr {
			_, g := vjp.Linearize(f, x)
			return g.Call(ones(x))
		}
	case "vjp1":
		return func(x arr) arr {
			y, pull := vjp.VJP(f, x)
			return pull.Call(ones(y.(arr)))
		}
	}
	panic(missing{&Skipped{"transformation " + name}})
}

func apply(f any, args ...any) arr {
	c, err := trace.CallableOf(f)
	if err != nil {
		panic(missing{err})
	}
	return trace.NewFunc(c.Name(), trace.SignatureOf(c), c.Apply).Call(args...)
}

func sinMul(x arr) arr   { return np.Sin(x).Mul(x).Sum() }
func sinTwo(x arr) arr   { return np.Sin(x).Mul(2.0) }
func square(x arr) arr   { return x.Mul(x) }
func reversed(x arr) arr { return x.At("::-1").Get() }
func one(x arr) arr      { return np.Sin(x) }

// scanBodies are the bodies of scans by their text.
var scanBodies = map[string]any{
	"lambda c, x: (c * x + 1.0, sin(c))":          func(c, x arr) (arr, arr) { return c.Mul(x).Add(1.0), np.Sin(c) },
	"lambda c, x: (tanh(c + x), None)":            func(c, x arr) (arr, arr) { return np.Tanh(c.Add(x)), nil },
	"lambda c, x: (c + x, c * x)":                 func(c, x arr) (arr, arr) { return c.Add(x), c.Mul(x) },
	"lambda c, x: (c * 0.5 + sum(x), (c, x * c))": func(c, x arr) (arr, []arr) { return c.Mul(0.5).Add(x.Sum()), []arr{c, x.Mul(c)} },
	"lambda c, x: (c[::-1] * x, x.sum())":         func(c, x arr) (arr, arr) { return reversed(c).Mul(x), x.Sum() },
	"lambda c, x: (cond(x.sum() > 0, lambda a: a * 2.0, lambda a: sin(a), c), c)": func(c, x arr) (arr, arr) {
		return flow.Cond(x.Sum().Greater(0), func(a arr) arr { return a.Mul(2.0) }, one, c).(arr), c
	},
	"lambda c, x: ((c[0], tanh(c[0] @ c[1] + x)), c[1])": func(c []any, x arr) ([]any, arr) {
		w, h := c[0].(arr), c[1].(arr)
		return []any{w, np.Tanh(w.MatMul(h).Add(x))}, h
	},
	"lambda c, x: ((where(c[1] % 2 == 0, c[0] * x, c[0] + x), c[1] + 1), c[0])": func(c []any, x arr) ([]any, arr) {
		v, n := c[0].(arr), c[1].(arr)
		return []any{np.Where(n.Mod(2).Equal(0), v.Mul(x), v.Add(x)), n.Add(1)}, v
	},
	"lambda c, _: (c * 1.5 - 0.1, c)": func(c, _ arr) (arr, arr) { return c.Mul(1.5).Sub(0.1), c },
	"lambda c, x: (c * 3 + x, c)":     func(c, x arr) (arr, arr) { return c.Mul(3).Add(x), c },
	"lambda c, x: (c * x, c.real)":    func(c, x arr) (arr, arr) { return c.Mul(x), c.Real() },
	"lambda c, x: (c + 1j, x)":        func(c, x arr) (arr, arr) { return c.Add(1i), x },
	"lambda c, x: (stack([c, c]), x)": func(c, x arr) (arr, arr) { return np.Stack([]arr{c, c}), x },
	"lambda c, x: (c, x[0])":          func(c arr, x []any) (arr, any) { return c, x[0] },
	"lambda c, x: scan(lambda d, y: (d * y + c, d), c, stack([x, x * 2]))": func(c, x arr) (any, any) {
		return flow.Scan(func(d, y arr) (arr, arr) { return d.Mul(y).Add(c), d }, c, np.Stack([]arr{x, x.Mul(2)}))
	},
	"lambda c, x: ({'a': c['a'] * x['u'], 'b': c['b'] + x['v'] * c['a']}, c['b'].sum())": func(c, x map[string]any) (map[string]any, arr) {
		a, b := c["a"].(arr), c["b"].(arr)
		return map[string]any{"a": a.Mul(x["u"]), "b": b.Add(x["v"].(arr).Mul(a))}, b.Sum()
	},
}

// whileBodies are the conditions and bodies of while loops.
var whileBodies = map[string]any{
	"lambda x: x < 50.0":                         func(x arr) arr { return x.Less(50.0) },
	"lambda x: x * 1.7 + 0.1":                    func(x arr) arr { return x.Mul(1.7).Add(0.1) },
	"lambda x: x > 0.05":                         func(x arr) arr { return x.Greater(0.05) },
	"lambda x: x * 0.6":                          func(x arr) arr { return x.Mul(0.6) },
	"lambda c: c[0] > 0":                         func(n, _ arr) arr { return n.Greater(0) },
	"lambda c: (c[0] - 1, sin(c[1]) * 1.3)":      func(n, x arr) (arr, arr) { return n.Sub(1), np.Sin(x).Mul(1.3) },
	"lambda c: (c[0] > 0) & (c[1].sum() < 30.0)": func(n, x arr) arr { return n.Greater(0).And(x.Sum().Less(30.0)) },
	"lambda c: (c[0] - 1, c[1] * c[1] + 0.5)":    func(n, x arr) (arr, arr) { return n.Sub(1), x.Mul(x).Add(0.5) },
	"lambda c: abs(c[1] * c[1] - c[0]) > 1e-3":   func(a, x, _ arr) arr { return x.Mul(x).Sub(a).Abs().Greater(1e-3) },
	"lambda c: (c[0], 0.5 * (c[1] + c[0] / c[1]), c[2] + 1)": func(a, x, n arr) (arr, arr, arr) {
		return a, x.Add(a.Div(x)).Mul(0.5), n.Add(1)
	},
	"lambda c: c[0] != 1": func(n, _ arr) arr { return n.NotEqual(1) },
	"lambda c: (where(c[0] % 2 == 0, c[0] // 2, 3 * c[0] + 1), c[1] + 1)": func(n, k arr) (arr, arr) {
		return np.Where(n.Mod(2).Equal(0), n.FloorDiv(2), n.Mul(3).Add(1)), k.Add(1)
	},
	"lambda c: False":       func(arr) bool { return false },
	"lambda c: (c[0] * 2,)": func(x arr) arr { return x.Mul(2) },
	"lambda x: x > 0":       func(x arr) arr { return x.Greater(0) },
	"lambda x: x":           func(x arr) arr { return x },
	"lambda x: True":        func(x arr) bool { return true },
	"lambda x: x.sum()":     func(x arr) arr { return x.Sum() },
}

// combiners are the functions of associative scans.
var combiners = map[string]any{
	"lambda a, b: a + b":               func(a, b arr) arr { return a.Add(b) },
	"lambda a, b: a * b":               func(a, b arr) arr { return a.Mul(b) },
	"lambda a, b: maximum(a, b)":       func(a, b arr) arr { return np.Maximum(a, b) },
	"lambda a, b: jnp.logaddexp(a, b)": func(a, b arr) arr { return np.Logaddexp(a, b) },
	"lambda a, b: jnp.matmul(a, b)":    func(a, b arr) arr { return a.MatMul(b) },
	"lambda x, y: x + y":               func(a, b arr) arr { return a.Add(b) },
	"lambda x, y: x * y":               func(a, b arr) arr { return a.Mul(b) },
	"lambda x, y: x ^ y":               func(a, b arr) arr { return a.Xor(b) },
	"lambda x, y: maximum(x, y)":       func(a, b arr) arr { return np.Maximum(a, b) },
	"lambda x, y: jnp.hypot(x, y)":     func(a, b arr) arr { return np.Hypot(a, b) },
	"lambda x, y: (x[0] + y[0], x[1] + y[1])": func(x, y []arr) []arr {
		return []arr{x[0].Add(y[0]), x[1].Add(y[1])}
	},
	"lambda x, y: (where(x[0] >= y[0], x[0], y[0]), where(x[0] >= y[0], x[1], y[1]))": func(x, y []arr) []arr {
		first := x[0].GreaterEqual(y[0])
		return []arr{np.Where(first, x[0], y[0]), np.Where(first, x[1], y[1])}
	},
	"lambda l, r: [r[0] * l[0], r[0] * l[1] + r[1]]": func(l, r []any) []any {
		a, b := l[0].(arr), l[1].(arr)
		c, d := r[0].(arr), r[1].(arr)
		return []any{c.Mul(a), c.Mul(b).Add(d)}
	},
}

var foriBodies = map[string]any{
	"lambda i, x: x * 0.9 + i":               func(i, x arr) arr { return x.Mul(0.9).Add(i) },
	"lambda i, x: x * 2":                     func(i, x arr) arr { return x.Mul(2) },
	"lambda i, x: x.at[i % 2].add(x[i % 3])": func(i, x arr) arr { return x.At(i.Mod(2)).Add(x.At(i.Mod(3)).Get()) },
	"lambda i, x: sin(x) + i":                func(i, x arr) arr { return np.Sin(x).Add(i) },
}

// branches are those of conditionals.
var branches = map[string]any{
	"lambda x: sin(x) * 2.0":            sinTwo,
	"lambda x: x * x":                   square,
	"lambda x: x.sum() * x":             func(x arr) arr { return x.Sum().Mul(x) },
	"lambda x: zeros(x.shape, x.dtype)": func(x arr) arr { return np.ZerosLike(x) },
	"lambda x, y: (x + y, x)":           func(x, y arr) (arr, arr) { return x.Add(y), x },
	"lambda x, y: (x * y, y)":           func(x, y arr) (arr, arr) { return x.Mul(y), y },
	"lambda x, y: (jnp.int32(1), x)":    func(x, y arr) (arr, arr) { return np.Of(int32(1)), x },
	"lambda x, y: (jnp.int32(2), y)":    func(x, y arr) (arr, arr) { return np.Of(int32(2)), y },
	"lambda x, y: y * x":                func(x, y arr) arr { return y.Mul(x) },
	"lambda x, y: cond(x < -1, lambda z: z * 3, lambda z: z + 1, y)": func(x, y arr) arr {
		return flow.Cond(x.Less(-1), func(z arr) arr { return z.Mul(3) }, func(z arr) arr { return z.Add(1) }, y).(arr)
	},
	"lambda x: sin(x)":  one,
	"lambda x: x + 1.0": func(x arr) arr { return x.Add(1.0) },
	"lambda x: exp(x)":  func(x arr) arr { return np.Exp(x) },
	"lambda x: x":       func(x arr) arr { return x },
	"lambda x: -x":      func(x arr) arr { return x.Neg() },
	"lambda x: x.sum()": func(x arr) arr { return x.Sum() },
}

var mapBodies = map[string]any{
	"lambda x: sin(x).sum() * x": func(x arr) arr { return np.Sin(x).Sum().Mul(x) },
	"lambda x: x.max()":          func(x arr) arr { return x.Max() },
	"lambda x: (x * 2, x.sum())": func(x arr) (arr, arr) { return x.Mul(2), x.Sum() },
}

// rules are the derivatives that users attach.
var rules = map[string]any{
	"lambda x, t: (sin(x), 3.0 * cos(x) * t)": func(x, t arr) (arr, arr) { return np.Sin(x), np.Cos(x).Mul(3.0).Mul(t) },
	"lambda x, t: (jnp.clip(x, -1, 1), t)":    func(x, t arr) (arr, arr) { return np.Clip(x, -1, 1), t },
	"lambda x, y, tx, ty: (x * y, 2.0 * tx * y + 0.5 * ty * x)": func(x, y, tx, ty arr) (arr, arr) {
		return x.Mul(y), tx.Mul(2.0).Mul(y).Add(ty.Mul(0.5).Mul(x))
	},
	"lambda x: (sin(x), cos(x))":             func(x arr) (arr, arr) { return np.Sin(x), np.Cos(x) },
	"lambda c, g: (5.0 * c * g,)":            func(c, g arr) arr { return c.Mul(5.0).Mul(g) },
	"lambda x: (x, None)":                    func(x arr) (arr, any) { return x, nil },
	"lambda r, g: (jnp.clip(g, -0.5, 0.5),)": func(_ any, g arr) arr { return np.Clip(g, -0.5, 0.5) },
	"lambda x, y: (x * y, (x, y))":           func(x, y arr) (arr, []arr) { return x.Mul(y), []arr{x, y} },
	"lambda r, g: (g * r[1] * 2.0, -g * r[0])": func(r []arr, g arr) (arr, arr) {
		return g.Mul(r[1]).Mul(2.0), g.Neg().Mul(r[0])
	},
}

// bodies are the functions that transformations are applied to.
var bodies = map[string]any{
	"lambda x: sum(sin(x) * x)":            sinMul,
	"lambda x: prod(tanh(x) + 2.0)":        func(x arr) arr { return np.Tanh(x).Add(2.0).Prod() },
	"lambda x: jnp.dot(x, x[::-1]) * x[0]": func(x arr) arr { return x.Dot(reversed(x)).Mul(x.At(0).Get()) },
	"lambda x: jax.nn.logsumexp(x * x)":    func(x arr) arr { return np.LogSumExp(x.Mul(x)) },
	"lambda x: sin(x) * x[0]":              func(x arr) arr { return np.Sin(x).Mul(x.At(0).Get()) },
	"lambda x: x[:, None] * x[None, :]":    outerProduct,
	"lambda x: (x.sum(), x * x)":           func(x arr) (arr, arr) { return x.Sum(), x.Mul(x) },
	"lambda z: z * z * 1j":                 func(z arr) arr { return z.Mul(z).Mul(1i) },
	"lambda z: sum(jnp.abs(z) ** 2)":       func(z arr) arr { return z.Abs().Pow(2).Sum() },
	"lambda z: sum((z * z).real + z.imag)": func(z arr) arr { return z.Mul(z).Real().Add(z.Imag()).Sum() },
	"lambda x: stack([x.sum(), 2.0 * x[0] - x[-1]])": func(x arr) arr {
		return np.Stack([]arr{x.Sum(), x.At(0).Get().Mul(2.0).Sub(x.At(-1).Get())})
	},
	"lambda x, y: x * y":            func(x, y arr) arr { return x.Mul(y) },
	"lambda x, y: jnp.dot(x, y)":    func(x, y arr) arr { return x.Dot(y) },
	"lambda x, y: x + y":            func(x, y arr) arr { return x.Add(y) },
	"lambda x, y: (x.sum(), y * x)": func(x, y arr) (arr, arr) { return x.Sum(), y.Mul(x) },
	"lambda x: jax.vmap(lambda r: r / r.sum())(x)": func(x arr) arr {
		return vmap.Of(func(r arr) arr { return r.Div(r.Sum()) }).Call(x)
	},
	"lambda x: x * x":              square,
	"lambda x: x * 2":              func(x arr) arr { return x.Mul(2) },
	"lambda x: x.sum()":            func(x arr) arr { return x.Sum() },
	"lambda x: x":                  func(x arr) arr { return x },
	"lambda x: sin(x)":             one,
	"lambda x: jnp.clip(x, -1, 1)": func(x arr) arr { return np.Clip(x, -1, 1) },
	"lambda x: while_loop(lambda v: v.sum() < 9, lambda v: v * 2, x).sum()": func(x arr) arr {
		return flow.While(func(v arr) arr { return v.Sum().Less(9) }, func(v arr) arr { return v.Mul(2) }, x).(arr).Sum()
	},
	"lambda x: x if x.sum() > 0 else -x": func(x arr) arr {
		if x.Sum().Greater(0).Bool() {
			return x
		}
		return x.Neg()
	},
	"lambda x: [0.0, 1.0][x.astype(int)[0]]": func(x arr) arr {
		return np.Of([]float64{0, 1}[x.AsType(array.Int64).At(0).Get().Int()])
	},

	"lambda w, x: tanh(x @ w).sum()":                             func(w, x arr) arr { return np.Tanh(x.MatMul(w)).Sum() },
	"lambda w, x: jax.nn.log_softmax(jax.nn.relu(x @ w)).mean()": func(w, x arr) arr { return nn.LogSoftmax(nn.Relu(x.MatMul(w))).Mean() },
	"lambda w, x: (lambda h: (h / sqrt(mean(h * h) + 1e-3)).max())(x @ w)": func(w, x arr) arr {
		h := x.MatMul(w)
		return h.Div(np.Sqrt(h.Mul(h).Mean().Add(1e-3))).Max()
	},
	"lambda w, x: scan(lambda c, r: (tanh(c @ w[:w.shape[1]] + r.sum()), c.sum()), zeros(w.shape[1], w.dtype), x)[1].sum()": func(w, x arr) arr {
		n := w.Shape()[1]
		_, ys := flow.Scan(func(c, r arr) (arr, arr) {
			return np.Tanh(c.MatMul(w.At(array.Slice{Stop: n}).Get()).Add(r.Sum())), c.Sum()
		}, np.Zeros([]int{n}, w.DType()), x)
		return ys.(arr).Sum()
	},
	"lambda w, x: where(x @ w > 0, exp(x @ w), 0.0).sum()": func(w, x arr) arr {
		h := x.MatMul(w)
		return np.Where(h.Greater(0), np.Exp(h), 0.0).Sum()
	},
	"lambda w, x: jnp.sort((x @ w).ravel())[::2].sum() + jnp.cumsum(x)[-1]": func(w, x arr) arr {
		return np.Sort(x.MatMul(w).Ravel()).At("::2").Get().Sum().Add(np.Cumsum(x).At(-1).Get())
	},

	"lambda x: jnp.sort(x)[0] * jnp.cumsum(x)[-1]": func(x arr) arr { return np.Sort(x).At(0).Get().Mul(np.Cumsum(x).At(-1).Get()) },
	"lambda x: scan(lambda c, v: (tanh(c + v), c * v), x[0], x)[1].sum()": func(x arr) arr {
		_, ys := flow.Scan(func(c, v arr) (arr, arr) { return np.Tanh(c.Add(v)), c.Mul(v) }, x.At(0).Get(), x)
		return ys.(arr).Sum()
	},
	"lambda x: cond(x[0] > 0, lambda v: sum(sin(v)), lambda v: sum(v * v), x)": func(x arr) arr {
		return flow.Cond(x.At(0).Get().Greater(0), func(v arr) arr { return np.Sin(v).Sum() }, func(v arr) arr { return v.Mul(v).Sum() }, x).(arr)
	},
	"lambda x: fori_loop(0, 3, lambda i, v: sin(v) * v[i], x).sum()": func(x arr) arr {
		return flow.Fori(0, 3, func(i, v arr) arr { return np.Sin(v).Mul(v.At(i).Get()) }, x).(arr).Sum()
	},
	"lambda x: (x[:, None] * x[None, :]).at[0].set(0.0).sum()": func(x arr) arr { return outerProduct(x).At(0).Set(0.0).Sum() },
	"lambda x: dot(x[jnp.array([2, 0, 1])], x ** 2)": func(x arr) arr {
		return x.At([]int{2, 0, 1}).Get().Dot(x.Pow(2))
	},
	"lambda x: lax.associative_scan(lambda a, b: a * b, x + 2.0).sum()": func(x arr) arr {
		return flow.AssociativeScan(func(a, b arr) arr { return a.Mul(b) }, x.Add(2.0)).(arr).Sum()
	},
	"lambda x: where(x > 0, exp(x), x * x).sum()": func(x arr) arr { return np.Where(x.Greater(0), np.Exp(x), x.Mul(x)).Sum() },
	"lambda x: jax.nn.softmax(x)[0] * jax.nn.gelu(x).sum()": func(x arr) arr {
		return nn.Softmax(x).At(0).Get().Mul(nn.Gelu(x).Sum())
	},
	"lambda x: jnp.convolve(x, x, mode='same').sum() + jnp.interp(x[0], jnp.array([-3., 0., 3.]), x)": func(x arr) arr {
		points := np.Of([]float64{-3, 0, 3}, x.DType())
		return np.Convolve(x, x, np.Mode("same")).Sum().Add(np.Interp(x.At(0).Get(), points, x))
	},
	"lambda x: jax.checkpoint(lambda v: sin(sin(v)))(x).sum()": func(x arr) arr {
		return vjp.Checkpoint(func(v arr) arr { return np.Sin(np.Sin(v)) }).Call(x).Sum()
	},
	"lambda x: switch(jnp.int32(x[0] > 0) + jnp.int32(x[1] > 0), [lambda v: v.sum(), lambda v: sin(v).sum(), lambda v: (v * v * v).sum()], x)": func(x arr) arr {
		positive := x.Greater(0).AsType(array.Int32)
		return flow.Switch(positive.At(0).Get().Add(positive.At(1).Get()), []any{
			func(v arr) arr { return v.Sum() },
			func(v arr) arr { return np.Sin(v).Sum() },
			func(v arr) arr { return v.Mul(v).Mul(v).Sum() },
		}, x).(arr)
	},
}

func outerProduct(x arr) arr { return x.At(":", "newaxis").Get().Mul(x.At("newaxis", ":").Get()) }
