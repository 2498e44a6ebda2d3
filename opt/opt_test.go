package opt_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/jit"
	"github.com/pantograph-go/pantograph/np"
	"github.com/pantograph-go/pantograph/opt"
	"github.com/pantograph-go/pantograph/trace"
	"github.com/pantograph-go/pantograph/vjp"
	"github.com/pantograph-go/pantograph/vmap"
)

type params struct {
	W *np.Array
	B []*np.Array
}

// TestRules runs each optimiser beside the same formula on Go numbers, one parameter at a time.
func TestRules(t *testing.T) {
	type number struct{ x, m, v float64 }
	for _, tt := range []struct {
		name string
		o    opt.Optimizer
		step func(p *number, g float64, t float64)
	}{
		{"sgd", opt.SGD(0.1), func(p *number, g, _ float64) { p.x -= 0.1 * g }},
		{"momentum", opt.Momentum(0.1, 0.9), func(p *number, g, _ float64) { p.m = 0.9*p.m + g; p.x -= 0.1 * p.m }},
		{"nesterov", opt.Nesterov(0.1, 0.9), func(p *number, g, _ float64) { p.m = 0.9*p.m + g; p.x -= 0.1 * (0.9*p.m + g) }},
		{"adagrad", opt.AdaGrad(0.1), func(p *number, g, _ float64) { p.v += g * g; p.x -= 0.1 * g / math.Sqrt(p.v+1e-7) }},
		{"rmsprop", opt.RMSProp(0.1, 0.8), func(p *number, g, _ float64) {
			p.v = 0.8*p.v + 0.2*g*g
			p.x -= 0.1 * g / math.Sqrt(p.v+1e-8)
		}},
		{"adam", opt.Adam(0.1), func(p *number, g, t float64) {
			p.m, p.v = 0.9*p.m+0.1*g, 0.999*p.v+0.001*g*g
			p.x -= 0.1 * p.m / (1 - math.Pow(0.9, t)) / (math.Sqrt(p.v/(1-math.Pow(0.999, t))) + 1e-8)
		}},
		{"adamw", opt.AdamW(0.1, 0.05), func(p *number, g, t float64) {
			p.m, p.v = 0.9*p.m+0.1*g, 0.999*p.v+0.001*g*g
			p.x -= 0.1 * (p.m/(1-math.Pow(0.9, t))/(math.Sqrt(p.v/(1-math.Pow(0.999, t)))+1e-8) + 0.05*p.x)
		}},
		{"adam with parameters", opt.AdamParams{Beta1: 0.5, Beta2: 0.9, Eps: 0.1}.Optimizer(0.1), func(p *number, g, t float64) {
			p.m, p.v = 0.5*p.m+0.5*g, 0.9*p.v+0.1*g*g
			p.x -= 0.1 * p.m / (1 - math.Pow(0.5, t)) / (math.Sqrt(p.v/(1-math.Pow(0.9, t))) + 0.1)
		}},
		{"scheduled", opt.SGD(opt.Linear(0.2, 0.1, 4)), func(p *number, g, t float64) { p.x -= (0.2 - 0.1*math.Min((t-1)/4, 1)) * g }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			// The gradient of Σ w⁴/4 + b² is w³, 2b.
			p := params{np.Of([]float64{1, -2}), []*np.Array{np.Of(3.0).AsType(np.Float64)}}
			want := []*number{{x: 1}, {x: -2}, {x: 3}}
			loss := func(p params) *np.Array { return p.W.Pow(4).Sum().Div(4).Add(p.B[0].Mul(p.B[0])) }
			update := jit.Of(func(p params, s opt.State) (params, opt.State) {
				next, s := tt.o.Update(p, vjp.Grad(loss).CallTree(p), s)
				return next.(params), s
			})
			s := tt.o.Init(p)
			for step := 1.0; step <= 6; step++ {
				r := update.CallTree(p, s).([]any)
				p, s = r[0].(params), r[1].(opt.State)
				for i, w := range want {
					g := w.x * w.x * w.x
					if i == 2 {
						g = 2 * w.x
					}
					tt.step(w, g, step)
				}
				got := append(p.W.Float64s(), p.B[0].Float())
				require.InDeltaSlice(t, []float64{want[0].x, want[1].x, want[2].x}, got, 1e-12, "step %v", step)
				require.Equal(t, int(step), s.Step.Int())
			}
		})
	}
}

// TestDTypes checks that parameters keep theirs, whatever the learning rate is.
func TestDTypes(t *testing.T) {
	for _, rate := range []any{0.1, float32(0.1), np.Of(0.1), opt.Cosine(0.1, 0, 10), func(step *np.Array) *np.Array { return np.Of([]float64{0.1}).At(0).Get() }} {
		for _, d := range []np.DType{np.BFloat16, np.Float16, np.Float32, np.Float64} {
			x := np.Ones([]int{2}, d)
			for _, o := range []opt.Optimizer{opt.SGD(rate), opt.Momentum(rate, 0.9), opt.AdamW(rate, 0.1), opt.RMSProp(rate, 0.9), opt.AdaGrad(rate), opt.Nesterov(rate, 0.5)} {
				next, s := o.Update(x, x, o.Init(x))
				require.Equal(t, d, next.(*np.Array).DType())
				for _, m := range s.Moments {
					require.Equal(t, d, m[0].DType())
				}
			}
		}
	}
}

func TestSchedules(t *testing.T) {
	for _, tt := range []struct {
		name string
		s    opt.Schedule
		want func(step float64) float64
	}{
		{"constant", opt.Constant(0.3), func(float64) float64 { return 0.3 }},
		{"linear", opt.Linear(1, 0.2, 10), func(n float64) float64 { return 1 - 0.8*math.Min(n/10, 1) }},
		{"exponential", opt.Exponential(0.5, 0.9, 4, false), func(n float64) float64 { return 0.5 * math.Pow(0.9, n/4) }},
		{"staircase", opt.Exponential(0.5, 0.9, 4, true), func(n float64) float64 { return 0.5 * math.Pow(0.9, math.Floor(n/4)) }},
		{"cosine", opt.Cosine(2, 0.5, 12), func(n float64) float64 { return 0.5 + 1.5*(1+math.Cos(math.Pi*math.Min(n/12, 1)))/2 }},
		{"warmup", opt.Warmup(5, opt.Cosine(2, 0, 10)), func(n float64) float64 {
			if n < 5 {
				return 2 * n / 5
			}
			return 1 + math.Cos(math.Pi*math.Min((n-5)/10, 1))
		}},
		{"piecewise", opt.Piecewise(1, map[int]float64{3: 0.1, 8: 0.5}), func(n float64) float64 {
			return map[bool]float64{true: 0.1, false: 1}[n >= 3] * map[bool]float64{true: 0.5, false: 1}[n >= 8]
		}},
	} {
		compiled := jit.Of(func(step *np.Array) *np.Array { return tt.s(step) })
		for n := range 20 {
			require.InDelta(t, tt.want(float64(n)), compiled.Call(int32(n)).Float(), 1e-12, "%s at step %d", tt.name, n)
		}
	}
}

func TestClipping(t *testing.T) {
	g := params{np.Of([]float64{3, 0}), []*np.Array{np.Of([]float64{-4})}}
	require.Equal(t, 5.0, opt.GlobalNorm(g).Float())
	short := opt.ClipByGlobalNorm(g, 1).(params)
	require.InDeltaSlice(t, []float64{0.6, 0, -0.8}, append(short.W.Float64s(), short.B[0].Float64s()...), 1e-15)
	same := opt.ClipByGlobalNorm(g, 5).(params)
	require.Equal(t, []float64{3, 0, -4}, append(same.W.Float64s(), same.B[0].Float64s()...))
	cut := opt.Clip(g, 3.5).(params)
	require.Equal(t, []float64{3, 0, -3.5}, append(cut.W.Float64s(), cut.B[0].Float64s()...))
	zero := opt.ClipByGlobalNorm(np.Zeros([]int{2}), 1).(*np.Array)
	require.Equal(t, []float64{0, 0}, zero.Float64s(), "nothing is divided by a norm of 0")
	require.Equal(t, 0.0, opt.GlobalNorm([]*np.Array{}).Float())
	require.Equal(t, 5.0, opt.GlobalNorm(np.Of([]complex128{3 + 4i})).Float())

	o := opt.Clipped(opt.SGD(1), 1)
	next, _ := o.Update(g, g, o.Init(g))
	require.InDeltaSlice(t, []float64{2.4, 0}, next.(params).W.Float64s(), 1e-15)
}

func rosenbrock(x *np.Array) *np.Array {
	a, b := x.At(":-1").Get(), x.At("1:").Get()
	return np.Sum(np.Square(b.Sub(a.Mul(a))).Mul(100).Add(np.Square(a.Neg().Add(1))))
}

func TestLBFGS(t *testing.T) {
	start := np.Of([]float64{-1.2, 1, -1.2, 1, 0.5})
	m := opt.LBFGS{}.Minimize(rosenbrock, start)
	require.True(t, m.Converged.Bool())
	require.InDeltaSlice(t, []float64{1, 1, 1, 1, 1}, m.X.(*np.Array).Float64s(), 1e-7)
	require.InDelta(t, 0, m.Value.Float(), 1e-14)
	require.Less(t, m.Iterations.Int(), 80)

	compiled := jit.Of(func(x *np.Array) *np.Array { return opt.LBFGS{}.Minimize(rosenbrock, x).X.(*np.Array) })
	require.InDeltaSlice(t, []float64{1, 1, 1, 1, 1}, compiled.Call(start).Float64s(), 1e-7)
	starts := np.Stack([]*np.Array{start, np.Zeros([]int{5}), np.Ones([]int{5})})
	each := vmap.Of(func(x *np.Array) *np.Array { return opt.LBFGS{}.Minimize(rosenbrock, x).X.(*np.Array) }).Call(starts)
	require.InDeltaSlice(t, np.Ones([]int{15}).Float64s(), each.Ravel().Float64s(), 1e-7)

	// A quadratic in a tree of two dtypes, ill-conditioned.
	type tree struct {
		A *np.Array
		B map[string]*np.Array
	}
	scales := np.Of([]float64{1, 100, 1e4})
	f := func(p tree) *np.Array {
		return np.Square(p.A.Sub(2)).Mul(scales).Sum().Add(np.Square(p.B["b"].Add(1)).Sum())
	}
	q := opt.LBFGS{Tolerance: 1e-6}.Minimize(f, tree{np.Zeros([]int{3}), map[string]*np.Array{"b": np.Zeros([]int{2, 2}, np.Float32)}})
	got := q.X.(tree)
	require.True(t, q.Converged.Bool())
	require.InDeltaSlice(t, []float64{2, 2, 2}, got.A.Float64s(), 1e-6)
	require.Equal(t, array.Shape{2, 2}, got.B["b"].Shape())
	require.Equal(t, np.Float32, got.B["b"].DType())
	require.InDelta(t, -1, got.B["b"].Mean().Float(), 1e-6)

	single := opt.LBFGS{}.Minimize(func(x *np.Array) *np.Array { return np.Cosh(x.Sub(1)).Sum() }, np.Zeros([]int{2}, np.Float32))
	require.True(t, single.Converged.Bool())
	require.InDelta(t, 1, single.X.(*np.Array).At(0).Get().Float(), 1e-3)

	already := opt.LBFGS{}.Minimize(rosenbrock, np.Ones([]int{3}))
	require.Equal(t, 0, already.Iterations.Int())
	linear := opt.LBFGS{Iterations: 3}.Minimize(func(x *np.Array) *np.Array { return x.Sum() }, np.Zeros([]int{2}))
	require.False(t, linear.Converged.Bool(), "a function without a minimum")
	kink := opt.LBFGS{}.Minimize(func(x *np.Array) *np.Array { return x.Abs().Sum() }, np.Of([]float64{0.3, -2}))
	require.InDelta(t, 0, kink.Value.Float(), 1e-6)
}

func TestErrors(t *testing.T) {
	x := np.Ones([]int{2})
	var shape *array.ShapeError
	var tree *array.TreeError
	for _, tt := range []struct {
		call  func()
		kind  any
		words string
	}{
		{func() { opt.SGD([]float64{1, 2}) }, &shape, "f64[2]"},
		{func() { opt.SGD(0.1).Update(x, []*np.Array{x, x}, opt.SGD(0.1).Init(x)) }, &tree, "gradients"},
		{func() { opt.Adam(0.1).Update(x, x, opt.SGD(0.1).Init(x)) }, &tree, "0 kinds of moments"},
		{func() { opt.SGD(0.1).Update(x, np.Ones([]int{3}), opt.SGD(0.1).Init(x)) }, &shape, "f64[3]"},
		{func() { opt.LBFGS{}.Minimize(func(x *np.Array) *np.Array { return x }, x) }, &shape, "scalar"},
		{func() { opt.LBFGS{}.Minimize(rosenbrock, np.Arange(3)) }, new(*array.DTypeError), "i64[3]"},
		{func() { opt.LBFGS{}.Minimize(rosenbrock, []*np.Array{}) }, &tree, "no arrays"},
	} {
		err := trace.Try(tt.call)
		require.Error(t, err, tt.words)
		require.ErrorAs(t, err, tt.kind)
		require.Contains(t, err.Error(), tt.words)
		require.Contains(t, err.Error(), "opt_test.go:")
	}
}
