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

func block(x, w arr) arr {
	return np.Sin(vjp.CheckpointName(np.Tanh(np.Sin(x).MatMul(w)), "hidden")).Sum()
}

func TestCheckpointValues(t *testing.T) {
	x, w := ramp(2, 3), ramp(3, 3)
	want := vjp.Grad(block, vjp.Args(0, 1)).CallAll(x, w)
	for name, p := range map[string]vjp.Policy{
		"nothing": vjp.NothingSaveable, "everything": vjp.EverythingSaveable, "dots": vjp.DotsSaveable,
		"dots without batch": vjp.DotsWithNoBatchDimsSaveable, "names": vjp.SaveNames("hidden"),
	} {
		t.Run(name, func(t *testing.T) {
			f := vjp.Checkpoint(block, vjp.Save(p))
			near(t, f.Call(x, w), block(x, w))
			nearAll(t, vjp.Grad(f, vjp.Args(0, 1)).CallAll(x, w), want)
			nearAll(t, jit.Of(vjp.Grad(f, vjp.Args(0, 1))).CallAll(x, w), want)
			checked(t, vjp.Grad(f), x, w)
			checked(t, vjp.Hessian(f), x, w)
			if err := vjp.CheckGrads(f, []any{x, w}); err != nil {
				t.Error(err)
			}
			near(t, vmap.Of(vjp.Grad(f), vmap.In(0, nil)).Call(np.Stack([]arr{x, x}), w).At(1).Get(), want[0])
		})
	}
}

// What is kept between the two passes, by policy: constants of the pull-back.
func TestCheckpointKeepsWhatThePolicySays(t *testing.T) {
	x, w := ramp(2, 3), ramp(3, 3)
	kept := func(f any) (elements int) {
		_, pull := vjp.VJP(f, x, w)
		for _, c := range trace.Of(pull, 1.0).ConstVals {
			elements += c.Size()
		}
		return elements
	}
	operands := x.Size() + w.Size()
	for _, tt := range []struct {
		name string
		f    any
		want int
	}{
		{"nothing", vjp.Checkpoint(block), operands},
		{"dots", vjp.Checkpoint(block, vjp.Save(vjp.DotsSaveable)), operands + 6},
		{"names", vjp.Checkpoint(block, vjp.Save(vjp.SaveNames("hidden"))), operands + 6},
		{"other names", vjp.Checkpoint(block, vjp.Save(vjp.SaveNames("other"))), operands},
	} {
		if got := kept(tt.f); got != tt.want {
			t.Errorf("%s: %d elements are kept, want %d", tt.name, got, tt.want)
		}
	}
	// With nothing saved the sines are computed again; with their tanh saved the product is not.
	again := checked(t, vjp.Grad(vjp.Checkpoint(block)), x, w)
	if n := count(again.Jaxpr, "dot_general"); n != 3 {
		t.Errorf("%d products, want 3: forward, again, backward\n%s", n, again)
	}
	saved := checked(t, vjp.Grad(vjp.Checkpoint(block, vjp.Save(vjp.SaveNames("hidden")))), x, w)
	if n := count(saved.Jaxpr, "tanh"); n != 1 {
		t.Errorf("tanh is computed %d times, want once\n%s", n, saved)
	}
}

func TestCheckpointInScan(t *testing.T) {
	f := func(x arr) arr {
		step := vjp.Checkpoint(func(c, x arr) arr { return np.Sin(c.Mul(x)) })
		c, _ := flow.Scan(func(c, x arr) (arr, arr) { return step.Call(c, x), nil }, x.At(0).Get(), x)
		return c.(arr)
	}
	if err := vjp.CheckGrads(f, []any{ramp(4)}); err != nil {
		t.Error(err)
	}
	checked(t, vjp.Grad(f), trace.Spec(array.Float32, 4))
}
