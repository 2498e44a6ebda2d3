package opt_test

import (
	"fmt"

	"github.com/pantograph-go/pantograph/jit"
	"github.com/pantograph-go/pantograph/np"
	"github.com/pantograph-go/pantograph/opt"
	"github.com/pantograph-go/pantograph/vjp"
)

// Example fits a line to points by a compiled training step.
func Example() {
	type Line struct{ W, B *np.Array }
	xs := np.Linspace(-1, 1, 21)
	ys := xs.Mul(3).Add(0.5)
	loss := func(p Line) *np.Array {
		e := xs.Mul(p.W).Add(p.B).Sub(ys)
		return e.Mul(e).Mean()
	}
	optimizer := opt.Adam(opt.Cosine(0.2, 0.001, 300))
	line := Line{W: np.Zeros(nil), B: np.Zeros(nil)}
	state := optimizer.Init(line)
	step := jit.Of(func(p Line, s opt.State) (Line, opt.State) {
		next, s := optimizer.Update(p, vjp.Grad(loss).CallTree(p), s)
		return next.(Line), s
	})
	for range 300 {
		r := step.CallTree(line, state).([]any)
		line, state = r[0].(Line), r[1].(opt.State)
	}
	fmt.Printf("w = %.3f, b = %.3f after %d steps\n", line.W.Float(), line.B.Float(), state.Step.Int())
	// Output: w = 3.000, b = 0.500 after 300 steps
}

func ExampleWarmup() {
	rate := opt.Warmup(2, opt.Linear(1, 0, 4))
	for step := range 7 {
		fmt.Print(rate(np.Of(step)).Float(), " ")
	}
	// Output: 0 0.5 1 0.75 0.5 0.25 0
}

func ExampleClipByGlobalNorm() {
	grads := []*np.Array{np.Of([]float64{3}), np.Of([]float64{4})}
	fmt.Println(opt.GlobalNorm(grads), opt.ClipByGlobalNorm(grads, 1))
	// Output: 5.0 [[0.6] [0.8]]
}

func ExampleLBFGS_Minimize() {
	rosenbrock := func(x *np.Array) *np.Array {
		a, b := x.At(0).Get(), x.At(1).Get()
		return np.Square(b.Sub(a.Mul(a))).Mul(100).Add(np.Square(a.Sub(1)))
	}
	m := opt.LBFGS{}.Minimize(rosenbrock, []float64{-1.2, 1})
	x := m.X.(*np.Array)
	fmt.Printf("%.4f %.4f\n", x.At(0).Get().Float(), x.At(1).Get().Float())
	// Output: 1.0000 1.0000
}
