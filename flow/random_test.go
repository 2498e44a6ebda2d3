package flow_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/flow"
	"github.com/pantograph-go/pantograph/jit"
	"github.com/pantograph-go/pantograph/np"
	"github.com/pantograph-go/pantograph/trace"
	"github.com/pantograph-go/pantograph/vjp"
	"github.com/pantograph-go/pantograph/vmap"
)

// vec is a function of vectors of three numbers; text says which.
type vec struct {
	f    func(x arr) arr
	text string
}

// gen makes random functions out of control flow and transformations. All are smooth where they are tried.
type gen struct{ *rand.Rand }

func (g gen) vec(depth int) vec {
	if depth == 0 {
		return [...]vec{
			{func(x arr) arr { return np.Sin(x) }, "sin"},
			{func(x arr) arr { return np.Tanh(x.Mul(x)) }, "tanh²"},
			{func(x arr) arr { return x.At("::-1").Get().Mul(x) }, "rev·"},
			{func(x arr) arr { return x.Sub(x.Sum().Mul(0.2)) }, "centre"},
			{func(x arr) arr { return np.Cumsum(x).Mul(0.5) }, "cumsum"},
			{func(x arr) arr { return x.At(np.Of([]int{1, 1, 0})).Get() }, "take"},
		}[g.IntN(6)]
	}
	a, b := g.vec(depth-1), g.vec(g.IntN(depth))
	n := 1 + g.IntN(3)
	switch g.IntN(14) {
	case 0:
		return vec{func(x arr) arr { return a.f(b.f(x)) }, a.text + "(" + b.text + ")"}
	case 1:
		return vec{func(x arr) arr { return a.f(x).Mul(b.f(x)) }, a.text + "*" + b.text}
	case 2:
		return vec{func(x arr) arr {
			c, ys := flow.Scan(func(c, i arr) (arr, arr) { c = a.f(c).Add(x.Mul(0.3)).Mul(i); return c, b.f(c) }, x, np.Linspace(0.5, 1, n))
			return c.(arr).Add(ys.(arr).Sum(0))
		}, fmt.Sprintf("scan%d{%s; %s}", n, a.text, b.text)}
	case 3:
		return vec{func(x arr) arr {
			_, ys := flow.Scan(func(c, e arr) (arr, arr) { return a.f(c).Mul(e), c.Sum() }, b.f(x), x, flow.Reverse())
			return ys.(arr)
		}, fmt.Sprintf("rscan{%s}(%s)", a.text, b.text)}
	case 4:
		return vec{func(x arr) arr { return flow.Cond(x.Sum().Greater(0.1), a.f, b.f, x).(arr) }, "cond{" + a.text + "; " + b.text + "}"}
	case 5:
		return vec{func(x arr) arr {
			return flow.Switch(np.Floor(x.Sum().Mul(3.0)).AsType(array.Int32).Mod(3), []any{a.f, b.f, func(v arr) arr { return v.Mul(x) }}, x).(arr)
		}, "switch{" + a.text + "; " + b.text + "}"}
	case 6:
		return vec{func(x arr) arr { return jit.Of(a.f).Call(b.f(x)) }, "jit{" + a.text + "}(" + b.text + ")"}
	case 7:
		return vec{func(x arr) arr { return vjp.Checkpoint(func(v arr) arr { return a.f(v).Mul(x) }).Call(b.f(x)) }, "remat{" + a.text + "}(" + b.text + ")"}
	case 8:
		return vec{func(x arr) arr {
			return vmap.Of(func(s arr) arr { return a.f(x.Mul(s)).Sum() }).Call(b.f(x))
		}, "vmap{" + a.text + "}(" + b.text + ")"}
	case 9:
		return vec{func(x arr) arr { return vjp.Grad(func(v arr) arr { return a.f(v).Mul(b.f(x)).Sum() }).Call(x) }, "grad{" + a.text + "}(" + b.text + ")"}
	case 10:
		return vec{func(x arr) arr { _, d := vjp.JVP(a.f, []any{x}, []any{b.f(x)}); return d.(arr) }, "jvp{" + a.text + "}(" + b.text + ")"}
	case 11:
		return vec{func(x arr) arr {
			return flow.Fori(0, n, func(i, c arr) arr { return a.f(c.Add(i)).Mul(x) }, b.f(x)).(arr)
		}, fmt.Sprintf("fori%d{%s}(%s)", n, a.text, b.text)}
	case 12:
		f := vjp.CustomJVP(a.f, func(x, dx arr) (arr, arr) {
			y, dy := vjp.JVP(a.f, []any{x}, []any{dx})
			return y.(arr), dy.(arr)
		})
		return vec{func(x arr) arr { return f.Call(b.f(x)) }, "custom{" + a.text + "}(" + b.text + ")"}
	}
	return vec{func(x arr) arr { return flow.Map(func(s arr) arr { return a.f(x.Add(s)).Sum() }, b.f(x)).(arr) }, "map{" + a.text + "}(" + b.text + ")"}
}

// Random programs: derivatives against differences to second order, jit against no jit, vmap against a loop, and every
// jaxpr well-formed. PANTOGRAPH_PROGRAMS says how many.
func TestRandomPrograms(t *testing.T) {
	programs := 12
	if s := os.Getenv("PANTOGRAPH_PROGRAMS"); s != "" {
		programs, _ = strconv.Atoi(s)
	}
	x := of(0.31, -0.42, 0.77)
	for seed := range programs {
		g := gen{rand.New(rand.NewPCG(uint64(seed), 17))}
		p := g.vec(1 + g.IntN(3))
		t.Run(fmt.Sprintf("%d %s", seed, p.text), func(t *testing.T) {
			want := p.f(x)
			near(t, jit.Of(p.f).Call(x), want)
			if err := vjp.CheckGrads(p.f, []any{x}, vjp.Tolerance(1e-4)); err != nil {
				t.Error(err)
			}
			rows := []arr{x, x.Mul(0.5), x.Add(0.4)}
			near(t, vmap.Of(p.f).Call(np.Stack(rows)), np.Stack([]arr{p.f(rows[0]), p.f(rows[1]), p.f(rows[2])}))
			grad := vjp.Grad(func(x arr) arr { return p.f(x).Sum() })
			near(t, vmap.Of(grad).Call(np.Stack(rows)), np.Stack([]arr{grad.Call(rows[0]), grad.Call(rows[1]), grad.Call(rows[2])}))
			near(t, vjp.Grad(func(x arr) arr { return vmap.Of(p.f).Call(x).Sum() }).Call(np.Stack(rows)), np.Stack([]arr{grad.Call(rows[0]), grad.Call(rows[1]), grad.Call(rows[2])}))
			near(t, jit.Of(grad).Call(x), grad.Call(x))
			checked(t, vmap.Of(vjp.Hessian(func(x arr) arr { return p.f(x).Sum() })), trace.Spec(array.Float64, 2, 3))
		})
	}
}
