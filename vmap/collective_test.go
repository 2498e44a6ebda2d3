package vmap_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/flow"
	"github.com/pantograph-go/pantograph/jit"
	"github.com/pantograph-go/pantograph/np"
	"github.com/pantograph-go/pantograph/trace"
	"github.com/pantograph-go/pantograph/vjp"
	"github.com/pantograph-go/pantograph/vmap"
)

// collectives are functions of one element along the axis i, and what they are on all of x at once.
var collectives = []struct {
	name string
	f    func(x arr) arr
	all  func(x arr) arr // x [4, 4] → result with the mapped axis at 0
}{
	{"psum", func(x arr) arr { return vmap.PSum(x, "i") }, func(x arr) arr { return x.Sum(0).BroadcastTo(4, 4) }},
	{"psum of a number", func(x arr) arr { return x.Mul(vmap.PSum(2.0, "i")) }, func(x arr) arr { return x.Mul(8.0) }},
	{"pmean", func(x arr) arr { return x.Sub(vmap.PMean(x, "i")) }, func(x arr) arr { return x.Sub(x.Mean(0)) }},
	{"pmax", func(x arr) arr { return vmap.PMax(x, "i").Mul(x) }, func(x arr) arr { return x.Max(0).Mul(x) }},
	{"pmin", func(x arr) arr { return vmap.PMin(x, "i").Mul(x) }, func(x arr) arr { return x.Min(0).Mul(x) }},
	{"axis_index", func(x arr) arr { return x.Mul(vmap.AxisIndex("i")) }, func(x arr) arr { return x.Mul(np.Arange(4).Reshape(4, 1)) }},
	{"all_gather", func(x arr) arr { return vmap.AllGather(x, "i", -1).MatMul(x) }, func(x arr) arr {
		return byLoop(4, func(i int) arr { return x.T().MatMul(x.At(i).Get()) })
	}},
	{"ppermute", func(x arr) arr { return vmap.PPermute(x, "i", [2]int{0, 1}, [2]int{1, 2}, [2]int{3, 0}).Mul(x) }, func(x arr) arr {
		return np.Stack([]arr{x.At(3).Get(), x.At(0).Get(), x.At(1).Get(), np.Zeros([]int{4})}).Mul(x)
	}},
	{"all_to_all", func(x arr) arr { return np.Sin(vmap.AllToAll(x, "i", 0, 0)) }, func(x arr) arr { return np.Sin(x.T()) }},
	{"inside a scan", func(x arr) arr {
		c, _ := flow.Scan(func(c, _ arr) (arr, arr) { return vmap.PMean(np.Sin(c), "i").Add(c), nil }, x, nil, flow.Length(2))
		return c.(arr)
	}, func(x arr) arr {
		for range 2 {
			x = np.Sin(x).Mean(0).Add(x)
		}
		return x
	}},
	{"inside jit", func(x arr) arr {
		return jit.Of(func(x arr) arr { return x.Div(vmap.PSum(x, "i")).Add(vmap.AxisIndex("i")) }).Call(x)
	}, func(x arr) arr { return x.Div(x.Sum(0)).Add(np.Arange(4).Reshape(4, 1)) }},
	{"inside jit without arguments", func(x arr) arr {
		return x.Mul(jit.Of(func() arr { return vmap.AxisIndex("i").Add(vmap.PSum(1, "i")) }).Call())
	}, func(x arr) arr { return x.Mul(np.Arange(4).Add(4).Reshape(4, 1)) }},
	{"under another axis", func(x arr) arr {
		return vmap.Of(func(e arr) arr { return vmap.PSum(e, "i").Mul(vmap.PMean(e, "j")) }, vmap.Axis("j")).Call(x)
	}, func(x arr) arr { return x.Sum(0).Mul(x.Mean(1).Reshape(4, 1)) }},
	{"of two axes", func(x arr) arr {
		return vmap.Of(func(e arr) arr { return e.Div(vmap.PSum(vmap.PSum(e, "j"), "i")) }, vmap.Axis("j")).Call(x)
	}, func(x arr) arr { return x.Div(x.Sum()) }},
}

func TestCollectives(t *testing.T) {
	x := ramp(4, 4).Add(3.0)
	for _, tt := range collectives {
		t.Run(tt.name, func(t *testing.T) {
			f := vmap.Of(tt.f, vmap.Axis("i"))
			equal(t, f.Call(x), tt.all(x))
			equal(t, vmap.Of(tt.f, vmap.Axis("i"), vmap.In(1), vmap.Out(1)).Call(x.T()), tt.all(x).T())
			equal(t, jit.Of(f).Call(x), tt.all(x))
			check(t, trace.Of(f, x))
			// Around the derivative, and inside it.
			loss := func(f func(arr) arr) func(x arr) arr {
				return func(x arr) arr { y := f(x); return y.Mul(y).Sum() }
			}
			want := vjp.Grad(loss(tt.all)).Call(x)
			equal(t, vjp.Grad(loss(func(x arr) arr { return f.Call(x) })).Call(x), want)
			pulled := vmap.Of(func(x arr) arr {
				y, pull := vjp.VJP(tt.f, x)
				return pull.Call(y.(arr).Mul(2.0))
			}, vmap.Axis("i"))
			equal(t, pulled.Call(x), want)
			_, dy := vjp.JVP(f, []any{x}, []any{x})
			_, wantDy := vjp.JVP(tt.all, []any{x}, []any{x})
			equal(t, dy.(arr), wantDy.(arr))
			pushed := vmap.Of(func(x arr) any { _, dy := vjp.JVP(tt.f, []any{x}, []any{x}); return dy }, vmap.Axis("i"))
			equal(t, pushed.Call(x), wantDy.(arr))
			many := np.Stack([]arr{x, x.Mul(2.0)})
			equal(t, vmap.Of(f).Call(many), np.Stack([]arr{tt.all(x), tt.all(x.Mul(2.0))}))
		})
	}
}

func TestAxisSize(t *testing.T) {
	g := jit.Of(func() any { return vmap.AxisSize("i") })
	h := jit.Of(func(x arr) arr { return x.Div(vmap.PSum(1, "i")) })
	for _, n := range []int{2, 3} {
		equal(t, vmap.Of(g, vmap.Axis("i"), vmap.Size(n), vmap.Out(nil)).Call().AsType(array.Float64), np.Full(nil, float64(n), array.Float64))
		equal(t, vmap.Of(h, vmap.Axis("i")).Call(np.Ones([]int{n})), np.Full([]int{n}, 1/float64(n)))
	}
}

func TestUnboundAxes(t *testing.T) {
	for name, f := range map[string]func(){
		"no axis": func() { vmap.Of(func(x arr) arr { return vmap.PSum(x, "batch") }).Call(np.Ones([]int{2})) },
		"no vmap": func() { vmap.AxisIndex("batch") },
		"size":    func() { vmap.AxisSize("batch") },
		"other": func() {
			vmap.Of(func(x arr) arr { return vmap.PMean(x, "batch") }, vmap.Axis("i")).Call(np.Ones([]int{2}))
		},
		"in scan": func() { flow.Map(func(x arr) arr { return vmap.PMax(x, "batch") }, np.Ones([]int{2})) },
		"in a pair": func() {
			vmap.Of(func(x arr) arr { return vmap.PPermute(x, "batch", [2]int{0, 7}) }, vmap.Axis("batch")).Call(np.Ones([]int{2}))
		},
	} {
		t.Run(name, func(t *testing.T) {
			err := trace.Try(f)
			if argument := new(array.ArgumentError); !errors.As(err, &argument) {
				t.Fatalf("%v", err)
			}
			for _, m := range []string{"collective_test.go:", "batch"} {
				if !strings.Contains(err.Error(), m) {
					t.Errorf("%q is not in: %v", m, err)
				}
			}
		})
	}
}
