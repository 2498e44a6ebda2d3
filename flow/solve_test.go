package flow_test

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

// richardson solves A x = b for A near the identity by x ← x + b - A x, a loop that has no reverse mode.
func richardson(matvec *trace.Func, b arr) arr {
	out := flow.While(func(n, x arr) arr { return n.Less(60) }, func(n, x arr) (arr, arr) {
		return n.Add(1), x.Add(b.Sub(matvec.Call(x)))
	}, []any{0, np.ZerosLike(b)}).([]any)
	return out[1].(arr)
}

func solved(w, b arr) arr {
	a := np.Eye(2).Add(w.Mul(0.2))
	return flow.LinearSolve(func(x arr) arr { return a.MatMul(x) }, b, richardson, richardson).(arr)
}

// cramer solves the same by formula.
func cramer(w, b arr) arr {
	a := np.Eye(2).Add(w.Mul(0.2))
	e := func(i, k int) arr { return a.At(i, k).Get() }
	x, y := b.At(0).Get(), b.At(1).Get()
	det := e(0, 0).Mul(e(1, 1)).Sub(e(0, 1).Mul(e(1, 0)))
	return np.Stack([]arr{x.Mul(e(1, 1)).Sub(y.Mul(e(0, 1))), y.Mul(e(0, 0)).Sub(x.Mul(e(1, 0)))}).Div(det)
}

func TestLinearSolve(t *testing.T) {
	w, b := ramp(2, 2), ramp(2)
	near(t, solved(w, b), cramer(w, b))
	near(t, jit.Of(solved).Call(w, b), cramer(w, b))
	nearAll(t, vjp.JacRev(solved, vjp.Args(0, 1)).CallAll(w, b), vjp.JacRev(cramer, vjp.Args(0, 1)).CallAll(w, b))
	nearAll(t, vjp.JacFwd(solved, vjp.Args(0, 1)).CallAll(w, b), vjp.JacRev(cramer, vjp.Args(0, 1)).CallAll(w, b))
	if err := vjp.CheckGrads(solved, []any{w, b}); err != nil {
		t.Error(err)
	}
	for _, in := range [][]any{{0, nil}, {nil, 0}, {0, 0}} {
		args := []arr{w, b}
		for i, a := range in {
			if a != nil {
				args[i] = np.Stack([]arr{args[i], args[i].Mul(0.5)})
			}
		}
		near(t, vmap.Of(solved, vmap.In(in...)).Call(args[0], args[1]), vmap.Of(cramer, vmap.In(in...)).Call(args[0], args[1]))
		loss := func(f func(w, b arr) arr) func(w, b arr) arr {
			return func(w, b arr) arr { return vmap.Of(f, vmap.In(in...)).Call(w, b).Sum() }
		}
		nearAll(t, vjp.Grad(loss(solved), vjp.Args(0, 1)).CallAll(args[0], args[1]), vjp.Grad(loss(cramer), vjp.Args(0, 1)).CallAll(args[0], args[1]))
	}
	checked(t, vmap.Of(vjp.Grad(func(w, b arr) arr { return solved(w, b).Sum() })), np.Stack([]arr{w, w}), np.Stack([]arr{b, b}))

	// Trees, and no reverse mode without transposeSolve.
	type pair struct{ A, B arr }
	half := func(_ *trace.Func, b pair) pair { return pair{b.A.Mul(0.5), b.B.Mul(0.5)} }
	f := func(b pair) pair {
		return flow.LinearSolve(func(x pair) pair { return pair{x.A.Mul(2.0), x.B.Mul(2.0)} }, b, half, nil).(pair)
	}
	near(t, f(pair{w, b}).B, b.Mul(0.5))
	fails(t, new(*array.NoRuleError), "solve_test.go", func() { vjp.Grad(func(b arr) arr { return f(pair{w, b}).B.Sum() }).Call(b) }, "transposeSolve")
	fails(t, new(*array.ShapeError), "solve_test.go", func() { flow.LinearSolve(func(x arr) arr { return x.Sum() }, b, richardson, nil) }, "matvec must return what b is")
	fails(t, new(*array.DTypeError), "solve_test.go", func() {
		flow.LinearSolve(func(x arr) arr { return x }, b, func(_ *trace.Func, b arr) arr { return b.AsType(array.Float32) }, nil)
	}, "solve must return what b is")
}

// newton finds a root of one equation.
func newton(f *trace.Func, x0 arr) arr {
	return flow.While(func(n, _ arr) arr { return n.Less(30) }, func(n, x arr) (arr, arr) {
		y, dy := vjp.JVP(f, []any{x}, []any{np.OnesLike(x)})
		return n.Add(1), x.Sub(y.(arr).Div(dy.(arr)))
	}, []any{0, x0}).([]any)[1].(arr)
}

func TestRoot(t *testing.T) {
	cbrt := func(a arr) arr {
		return flow.Root(func(x arr) arr { return x.Mul(x).Mul(x).Sub(a) }, np.FullLike(a, 1.5), newton, func(g *trace.Func, y arr) arr { return y.Div(g.Call(1.0)) }).(arr)
	}
	want := func(a arr) arr { return np.Cbrt(a) }
	near(t, cbrt(scalar(5)), want(scalar(5)))
	near(t, vjp.Grad(cbrt).Call(5.0), vjp.Grad(want).Call(5.0))
	near(t, vjp.JacFwd(cbrt).Call(5.0), vjp.Grad(want).Call(5.0))
	near(t, vjp.Grad(vjp.Grad(cbrt)).Call(5.0), vjp.Grad(vjp.Grad(want)).Call(5.0))
	near(t, jit.Of(vjp.Grad(cbrt)).Call(5.0), vjp.Grad(want).Call(5.0))
	a := of(2, 5)
	near(t, vmap.Of(cbrt).Call(a), want(a))
	near(t, vmap.Of(vjp.Grad(cbrt)).Call(a), vmap.Of(vjp.Grad(want)).Call(a))
	near(t, vjp.Grad(func(a arr) arr { return vmap.Of(cbrt).Call(a).Sum() }).Call(a), vmap.Of(vjp.Grad(want)).Call(a))
	checked(t, vmap.Of(vjp.Grad(cbrt)), a)

	// Two equations, whose tangents are found by a LinearSolve.
	f := func(w arr) arr {
		fixed := func(_ *trace.Func, x0 arr) arr {
			return flow.Fori(0, np.Of(80), func(_, x arr) arr { return np.Cos(w.MatMul(x).Mul(0.4)) }, x0).(arr)
		}
		tangent := func(g *trace.Func, y arr) arr { return flow.LinearSolve(g, y, richardson, richardson).(arr) }
		return flow.Root(func(x arr) arr { return x.Sub(np.Cos(w.MatMul(x).Mul(0.4))) }, np.Zeros([]int{2}), fixed, tangent).(arr)
	}
	if err := vjp.CheckGrads(f, []any{ramp(2, 2)}); err != nil {
		t.Error(err)
	}
	fails(t, new(*array.RuleError), "solve_test.go", func() {
		vjp.Grad(func(a arr) arr {
			return flow.Root(func(x arr) arr { return x.Sub(a) }, scalar(0), func(_ *trace.Func, x arr) arr { return x }, func(g *trace.Func, y arr) arr { return np.Stack([]arr{y, y}) }).(arr)
		}).Call(1.0)
	}, "tangentSolve")
}
