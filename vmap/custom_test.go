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

func TestCustom(t *testing.T) {
	var sizes []int
	var seen []bool
	product := vmap.Custom(func(w, x arr) arr { return w.MatMul(x) }, func(size int, mapped []bool, w, x arr) arr {
		sizes, seen = append(sizes, size), mapped
		if mapped[0] {
			return np.Einsum("bij,bj->bi", w, np.Add(x, np.Zeros([]int{size, 1})))
		}
		return x.MatMul(w.T())
	})
	w, x := ramp(2, 3), ramp(4, 3)
	want := x.MatMul(w.T())
	equal(t, vmap.Of(product, vmap.In(nil, 0)).Call(w, x), want)
	equal(t, vmap.Of(product, vmap.In(nil, 1)).Call(w, x.T()), want)
	equal(t, jit.Of(vmap.Of(jit.Of(product), vmap.In(nil, 0))).Call(w, x), want)
	equal(t, vmap.Of(product).Call(np.Stack([]arr{w, w}), x.At(":2").Get()), want.At(":2").Get())
	if len(sizes) != 4 || sizes[0] != 4 || sizes[3] != 2 || !seen[0] || !seen[1] {
		t.Errorf("the rule was called with %v, %v", sizes, seen)
	}
	// Two axes: the rule is mapped itself.
	equal(t, vmap.Of(vmap.Of(product, vmap.In(nil, 0)), vmap.In(nil, 0)).Call(w, np.Stack([]arr{x, x})), np.Stack([]arr{want, want}))
	scanned := func(w, x arr) arr {
		_, ys := flow.Scan(func(c, x arr) (arr, arr) { return c, product.Call(w, x) }, 0.0, np.Stack([]arr{x, x}))
		return ys.(arr).At(0).Get()
	}
	equal(t, vmap.Of(scanned, vmap.In(nil, 0)).Call(w, x), want)
	// Derivatives are those of the function.
	loss := func(f func(w, x arr) arr) func(w, x arr) arr {
		return func(w, x arr) arr { y := f(w, x); return y.Mul(y).Sum() }
	}
	plain := func(w, x arr) arr { return w.MatMul(x) }
	custom := func(w, x arr) arr { return product.Call(w, x) }
	equal(t, vjp.Grad(loss(custom)).Call(w, x.At(0).Get()), vjp.Grad(loss(plain)).Call(w, x.At(0).Get()))
	equal(t, vmap.Of(vjp.Grad(loss(custom)), vmap.In(nil, 0)).Call(w, x), vmap.Of(vjp.Grad(loss(plain)), vmap.In(nil, 0)).Call(w, x))
	all := func(f func(w, x arr) arr) func(w, x arr) arr {
		return loss(func(w, x arr) arr { return vmap.Of(f, vmap.In(nil, 0)).Call(w, x) })
	}
	equal(t, vjp.Grad(all(custom)).Call(w, x), vjp.Grad(all(plain)).Call(w, x))
	check(t, trace.Of(vjp.Grad(all(custom)), w, x))
}

func TestCustomErrors(t *testing.T) {
	x := ramp(3, 2)
	f := func(x arr) arr { return x.Mul(2.0) }
	for name, tt := range map[string]struct {
		f        func()
		mentions []string
	}{
		"shape": {func() { vmap.Of(vmap.Custom(f, func(int, []bool, arr) arr { return x.T() })).Call(x) }, []string{"f64[2,3]", "f64[3,2]", "3 elements"}},
		"tree":  {func() { vmap.Of(vmap.Custom(f, func(int, []bool, arr) []arr { return []arr{x} })).Call(x) }, []string{"[*]"}},
		"captured": {func() {
			vmap.Of(func(x arr) arr {
				return vmap.Custom(func(y arr) arr { return x.Mul(y) }, func(_ int, _ []bool, y arr) arr { return y }).Call(x)
			}).Call(x)
		}, []string{"captured", "argument"}},
	} {
		t.Run(name, func(t *testing.T) {
			err := trace.Try(tt.f)
			if rule := new(array.RuleError); !errors.As(err, &rule) {
				t.Fatalf("%v", err)
			}
			for _, m := range append(tt.mentions, "custom_test.go:") {
				if !strings.Contains(err.Error(), m) {
					t.Errorf("%q is not in: %v", m, err)
				}
			}
		})
	}
}
