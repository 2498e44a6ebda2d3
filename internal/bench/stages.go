package main

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/pantograph-go/pantograph/jit"
	"github.com/pantograph-go/pantograph/np"
	"github.com/pantograph-go/pantograph/trace"
	"github.com/pantograph-go/pantograph/vjp"
	"github.com/pantograph-go/pantograph/vmap"
)

// runCompile times one stage of making a program ready, or all of them. A new jit.Func has nothing cached.
func (w *workload) runCompile(l *line, all []*workload) error {
	parts := strings.Split(w.Name, "/")
	program, stage := parts[1], parts[2]
	var f any
	var args []any
	if program == "mlp_step" {
		f = list(mlpStep)
		for _, o := range all {
			if o.Name == "programs/mlp_step" {
				in, err := o.inputs()
				if err != nil {
					return err
				}
				args = []any{in}
			}
		}
	} else {
		n, err := strconv.Atoi(strings.TrimPrefix(program, "chain_"))
		if err != nil {
			return fmt.Errorf("unknown program %s", program)
		}
		f = func(x, y *np.Array) *np.Array { return chain(n, x, y) }
		args = chainArgs()
	}
	var samples []float64
	for range max(2, w.minReps()) {
		start := time.Now()
		t, err := jit.Of(f).Trace(args...)
		if err != nil {
			return err
		}
		traced := time.Now()
		lowered, err := t.Lower()
		if err != nil {
			return err
		}
		text := time.Now()
		if _, err := lowered.Compile(); err != nil {
			return err
		}
		ready := time.Now()
		d, ok := map[string]time.Duration{"total": ready.Sub(start), "trace": traced.Sub(start), "lower": text.Sub(traced), "backend": ready.Sub(text)}[stage]
		if !ok {
			return fmt.Errorf("unknown stage %s", stage)
		}
		samples = append(samples, d.Seconds())
	}
	l.summarise(samples)
	return nil
}

func chainArgs() []any {
	x := np.Linspace(0, 1, 16, np.As(np.Float32))
	return []any{x, x.Mul(0.5)}
}

// runTrace times tracing to a jaxpr, an equation of the chain.
func (w *workload) runTrace(l *line) error {
	f := func(x, y *np.Array) *np.Array { return chain(w.Per, x, y) }
	args := chainArgs()
	var call func()
	switch w.Name {
	case "trace/jaxpr_per_eq":
		call = func() { trace.Of(f, args...) }
	case "trace/vmap_per_eq":
		x := np.Linspace(0, 1, 64, np.As(np.Float32)).Reshape(4, 16)
		call = func() { trace.Of(vmap.Of(f, vmap.In(0, nil)), x, args[1]) }
	case "trace/grad_per_eq":
		call = func() {
			trace.Of(vjp.Grad(func(x, y *np.Array) *np.Array { return f(x, y).Sum() }), args...)
		}
	default:
		return fmt.Errorf("not written yet")
	}
	l.measure(call, w.minReps())
	for _, v := range []*float64{l.Median, l.Min, l.IQR} {
		*v /= float64(w.Per)
	}
	return nil
}
