package golden

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/jit"
	"github.com/pantograph-go/pantograph/np"
	"github.com/pantograph-go/pantograph/trace"
	"github.com/pantograph-go/pantograph/vjp"
	"github.com/pantograph-go/pantograph/vmap"
)

// Skipped is returned for a case that needs what is not built yet; the text names it.
type Skipped struct{ Reason string }

func (e *Skipped) Error() string { return e.Reason }

// Run makes the call of a case and compares every part of the record. It returns nil, a *Skipped, or what differs.
func Run(c *Case) error {
	f, ok := functions[c.Fn]
	if !ok {
		return &Skipped{"function " + c.Fn}
	}
	r := &run{Case: c, f: f}
	if err := r.decode(); err != nil {
		var skip *Skipped
		if errors.As(err, &skip) {
			return err
		}
		return fmt.Errorf("reading the case: %w", err)
	}
	if c.Error != "" {
		return r.refused()
	}
	if why := disputed[c.ID]; why != "" {
		return &Skipped{why}
	}
	for _, part := range []struct {
		name  string
		check func() error
	}{{"value", r.value}, {"jvp", r.jvp}, {"vjp", r.vjp}, {"hvp", r.hvp}, {"vmap", r.vmap}} {
		if err := part.check(); err != nil {
			var skip *Skipped
			if errors.As(err, &skip) {
				return err
			}
			return fmt.Errorf("%s: %w", part.name, err)
		}
	}
	return nil
}

type run struct {
	*Case
	f    Func
	args []any
	// leaves are the arrays in args, with the position of the argument each belongs to.
	leaves []*array.Array
	of     []int
}

func (r *run) decode() error {
	for i, raw := range r.Args {
		v, err := Value(raw)
		if err != nil {
			return err
		}
		r.args = append(r.args, v)
		for range arraysIn(v) {
			r.of = append(r.of, i)
		}
		r.leaves = append(r.leaves, arraysIn(v)...)
	}
	return nil
}

// arraysIn lists the arrays of an argument in the order of trees.
func arraysIn(v any) []*array.Array {
	switch v := v.(type) {
	case *array.Array:
		return []*array.Array{v}
	case []any:
		var out []*array.Array
		for _, e := range v {
			out = append(out, arraysIn(e)...)
		}
		return out
	case map[string]any:
		var out []*array.Array
		for _, k := range sortedKeys(v) {
			out = append(out, arraysIn(v[k])...)
		}
		return out
	}
	return nil
}

func sortedKeys(m map[string]any) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// replace returns v with its arrays taken in order from *from.
func replace(v any, from *[]*array.Array) any {
	switch v := v.(type) {
	case *array.Array:
		x := (*from)[0]
		*from = (*from)[1:]
		return x
	case []any:
		out := make([]any, len(v))
		for i, e := range v {
			out[i] = replace(e, from)
		}
		return out
	case map[string]any:
		out := map[string]any{}
		for _, k := range sortedKeys(v) {
			out[k] = replace(v[k], from)
		}
		return out
	}
	return v
}

// call applies the function to leaves in place of the case's own and returns the arrays of its result, after the map that
// was applied before recording.
func (r *run) call(leaves []*array.Array) []*array.Array {
	out := r.raw(leaves)
	if r.Post == "" {
		return out
	}
	post, ok := posts[r.Post]
	if !ok {
		panic(missing{&Skipped{"post " + r.Post}})
	}
	return post(out)
}

// raw is call without that map.
func (r *run) raw(leaves []*array.Array) []*array.Array {
	c := &Call{X64: r.X64, config: r.Config, kwargs: r.Kwargs, read: map[string]bool{}}
	for _, v := range r.args {
		c.Args = append(c.Args, replace(v, &leaves))
	}
	result := r.f(c)
	if names := c.unread(); len(names) > 0 {
		panic(missing{&Skipped{fmt.Sprintf("%s with %s", r.Fn, strings.Join(names, ", "))}})
	}
	out, err := flatten(result)
	if err != nil {
		panic(missing{err})
	}
	return out
}

// mode is the keyword that says which factors are asked for.
func (r *run) mode() string {
	mode, _ := Value(r.Kwargs["mode"])
	name, _ := mode.(string)
	return name
}

func flatten(v any) ([]*array.Array, error) {
	switch v := v.(type) {
	case *array.Array:
		return []*array.Array{v}, nil
	case []*array.Array:
		return v, nil
	case []any:
		var out []*array.Array
		for _, e := range v {
			x, err := flatten(e)
			if err != nil {
				return nil, err
			}
			out = append(out, x...)
		}
		return out, nil
	}
	if x, err := array.FromValue(v); err == nil {
		return []*array.Array{x}, nil
	}
	out, _, err := trace.Flatten(v)
	return out, err
}

// guard returns what fn panics with as an error.
func guard(fn func() error) (err error) {
	defer func() {
		switch v := recover().(type) {
		case nil:
		case missing:
			err = v.error
		case *array.Error:
			err = v
		case error:
			err = fmt.Errorf("panic: %w", v)
		default:
			err = fmt.Errorf("panic: %v", v)
		}
	}()
	return fn()
}

func (r *run) refused() error {
	var skip *Skipped
	call := r.call
	if strings.HasPrefix(r.Error, "Concretization") || strings.HasPrefix(r.Error, "Tracer") { // it was refused under jit
		call = func(leaves []*array.Array) []*array.Array { return jit.Of(r.call).CallAll(leaves) }
	}
	err := guard(func() error {
		for _, x := range call(r.leaves) {
			if _, err := x.Host(); err != nil {
				return err
			}
		}
		return nil
	})
	switch {
	case err == nil:
		return fmt.Errorf("it is accepted; the reference refuses it: %s", r.Message)
	case errors.As(err, &skip):
		return err
	case strings.HasPrefix(err.Error(), "panic:"):
		return fmt.Errorf("it is refused by a Go panic: %w", err)
	}
	return nil
}

func (r *run) compareAll(got []*array.Array, want []json.RawMessage, tol Tolerance) error {
	if len(got) != len(want) {
		return fmt.Errorf("%d results, want %d", len(got), len(want))
	}
	for i, raw := range want {
		if isNull(raw) {
			continue
		}
		w, err := Array(raw)
		if err != nil {
			return err
		}
		if w.DType().IsKey() {
			if got[i].DType().IsKey() {
				got[i], w = keyData(got[i]), keyData(w)
			}
		}
		if w.DType() == array.Float0 {
			continue
		}
		t := tol
		if !w.DType().IsInexact() {
			t = Tolerance{}
		}
		if got[i], err = r.flushed(got[i], w); err != nil {
			return err
		}
		if err := compare(got[i], w, t, !r.X64); err != nil {
			return fmt.Errorf("result %d: %w", i, err)
		}
	}
	return nil
}

// flushed is got with the recorded value where an argument of got's shape is subnormal: the reference takes such numbers
// for zero, which is not the goal, so those elements are not judged.
func (r *run) flushed(got, want *array.Array) (*array.Array, error) {
	for _, x := range r.leaves {
		if !x.DType().IsFloat() || !x.Shape().Equal(want.Shape()) || !got.Shape().Equal(want.Shape()) || got.DType() != want.DType() {
			continue
		}
		h, err := x.Host()
		if err != nil {
			return nil, err
		}
		var edited *array.Buffer
		for i := range h.Len() {
			if v := h.Float(i); v == 0 || math.Abs(v) >= smallestNormal(x.DType()) || v != v {
				continue
			}
			if edited == nil {
				g, err := got.Host()
				if err != nil {
					return nil, err
				}
				edited = array.NewBuffer(g.DType(), g.Shape())
				copy(edited.Bytes(), g.Bytes())
			}
			w, err := want.Host()
			if err != nil {
				return nil, err
			}
			n := w.DType().Size()
			copy(edited.Bytes()[i*n:(i+1)*n], w.Bytes()[i*n:(i+1)*n])
		}
		if edited != nil {
			got = array.Of(edited)
		}
	}
	return got, nil
}

func smallestNormal(d array.DType) float64 {
	switch d {
	case array.Float64:
		return 0x1p-1022
	case array.Float16:
		return 0x1p-14
	}
	return 0x1p-126 // float32 and bfloat16
}

func isNull(raw json.RawMessage) bool { return len(raw) == 0 || string(raw) == "null" }

func (r *run) value() error {
	return guard(func() error {
		out := r.call(r.leaves)
		if r.Exact != nil {
			return r.exact(out)
		}
		want := r.Out
		if r.Out64 != nil {
			want = r.Out64
			for i := range out {
				if out[i].DType().IsInexact() {
					out[i] = out[i].AsType(wide(out[i].DType()))
				}
			}
		}
		if r.Invariant != "" {
			if err := invariant(r.Invariant, r.mode(), r.leaves[0], r.raw(r.leaves)); err != nil || r.Post == "" {
				return err
			}
		}
		return r.compareAll(out, want, r.Tol)
	})
}

func wide(d array.DType) array.DType {
	if d.IsComplex() {
		return array.Complex128
	}
	return array.Float64
}

func (r *run) exact(out []*array.Array) error {
	decode := func(raw json.RawMessage) ([]float64, error) {
		var elems []json.RawMessage
		if err := json.Unmarshal(raw, &elems); err != nil {
			return nil, err
		}
		v := make([]float64, len(elems))
		for i, e := range elems {
			var err error
			if v[i], err = parseFloat(e); err != nil {
				return nil, err
			}
		}
		return v, nil
	}
	data, err := decode(r.Exact.Data)
	if err != nil {
		return err
	}
	var low []float64
	if !isNull(r.Exact.Lo) {
		if low, err = decode(r.Exact.Lo); err != nil {
			return err
		}
	}
	return compareExact(out[0], data, low)
}

// derivatives reports whether the part of the record can be asked for.
func (r *run) derivatives(part string) bool {
	return !strings.Contains(string(r.Unsupported), part) && len(r.Suspect) == 0 && (r.Exact == nil || departures[r.Fn] == "") && departures[r.ID] == ""
}

// departures are functions whose recorded slopes at special values are not the goal, and cases whose slopes are not, with the
// reason.
var departures = map[string]string{
	// At -10.5 it records 2.9e12; by reflection ψ′(x) = π²/sin²(πx) − ψ′(1−x) = 9.8696 − 0.0908 = 9.7788.
	"lax.digamma": "the reference's trigamma is wrong for negative arguments and NaN at poles",
	// The slope is ψ, whose exact table has ψ(±0) = ∓∞; the reference's ψ is NaN there.
	"lax.lgamma": "the reference's slope at 0 is NaN, the limit is infinite",
	// It computes exp(x log 2), whose error grows with x: 28 ulp of float32 at x = 88.
	"special.gamma/002":    "the reference's slope at 0 is NaN, the limit is infinite",
	"special.gammaln/002":  "the reference's slope at 0 is NaN, the limit is infinite",
	"special.log_ndtr/002": "the reference takes the slope at -30 from a difference of logarithms near 450: 2.3e-5 off",
	"special.spence/000":   "the reference's slope is NaN from a branch that is not taken",
	"lax.exp2":             "the reference loses accuracy with the size of the argument",
}

// disputed are cases whose recorded value is not the goal, with the reason.
var disputed = map[string]string{
	// The exact table of lax.digamma has ψ(±0) = ∓∞, as SciPy does.
	"special.digamma/002": "the reference's digamma is NaN at 0, the limit is infinite",
}

// diff returns the arrays that are differentiated, and the function of them alone, restricted to inexact results.
func (r *run) diff(leaves []*array.Array) (xs []*array.Array, f func(xs []*array.Array) []*array.Array) {
	var at []int
	for i, arg := range r.of {
		if slices.Contains(r.DiffArgs, arg) {
			at = append(at, i)
			xs = append(xs, leaves[i])
		}
	}
	return xs, func(xs []*array.Array) []*array.Array {
		all := slices.Clone(leaves)
		for k, i := range at {
			all[i] = xs[k]
		}
		return inexact(r.call(all))
	}
}

func inexact(xs []*array.Array) []*array.Array {
	return slices.DeleteFunc(slices.Clone(xs), func(x *array.Array) bool { return !x.DType().IsInexact() })
}

// decodeTree decodes recorded values, each an array or a tree of arrays, into the list of all their arrays; null is
// left out.
func decodeTree(raw []json.RawMessage) ([]*array.Array, error) {
	var out []*array.Array
	for _, e := range raw {
		v, err := Value(e)
		if err != nil {
			return nil, err
		}
		out = append(out, arraysIn(v)...)
	}
	return slices.DeleteFunc(out, func(x *array.Array) bool { return x.DType() == array.Float0 }), nil
}

func (r *run) compareTree(got []*array.Array, raw []json.RawMessage, tol Tolerance) error {
	want, err := decodeTree(raw)
	if err != nil {
		return err
	}
	got = inexact(got)
	if len(got) != len(want) {
		return fmt.Errorf("%d arrays, want %d", len(got), len(want))
	}
	for i := range want {
		if got[i], err = r.flushed(got[i], want[i]); err != nil {
			return err
		}
		if err := compare(got[i], want[i], tol, !r.X64); err != nil {
			return fmt.Errorf("array %d: %w", i, err)
		}
	}
	return nil
}

func (r *run) jvp() error {
	if r.JVP == nil || !r.derivatives("jvp") {
		return nil
	}
	return guard(func() error {
		xs, f := r.diff(r.leaves)
		dx, err := decodeTree(r.JVP.Tangents)
		if err != nil {
			return err
		}
		_, dy := vjp.JVP(f, []any{xs}, []any{dx})
		return r.compareTree(dy.([]*array.Array), r.JVP.Out, r.Tol)
	})
}

func pull(f func([]*array.Array) []*array.Array, xs, ct []*array.Array) []*array.Array {
	y, back := vjp.VJP(f, xs)
	for i, v := range y.([]*array.Array) { // with 64-bit types off the record is narrower than a default dtype
		if i < len(ct) && ct[i].DType() != v.DType() {
			ct[i] = ct[i].AsType(v.DType())
		}
	}
	return back.CallTree(ct).([]*array.Array)
}

func (r *run) vjp() error {
	if r.VJP == nil || !r.derivatives("vjp") {
		return nil
	}
	return guard(func() error {
		xs, f := r.diff(r.leaves)
		ct, err := decodeTree(r.VJP.Cotangents)
		if err != nil {
			return err
		}
		return r.compareTree(pull(f, xs, ct), r.VJP.Out, r.Tol)
	})
}

func (r *run) hvp() error {
	if r.HVP == nil || r.JVP == nil || r.VJP == nil || !r.derivatives("hvp") {
		return nil
	}
	return guard(func() error {
		xs, f := r.diff(r.leaves)
		dx, err := decodeTree(r.JVP.Tangents)
		if err != nil {
			return err
		}
		ct, err := decodeTree(r.VJP.Cotangents)
		if err != nil {
			return err
		}
		_, h := vjp.JVP(func(xs []*array.Array) []*array.Array { return pull(f, xs, slices.Clone(ct)) }, []any{xs}, []any{dx})
		return r.compareTree(h.([]*array.Array), r.HVP.Out, Tolerance{50 * r.Tol.RTol, 50 * r.Tol.ATol})
	})
}

func (r *run) vmap() error {
	if strings.Contains(string(r.Unsupported), "vmap") {
		return nil
	}
	for k, v := range r.Vmap {
		if err := guard(func() error { return r.variant(v) }); err != nil {
			return fmt.Errorf("variant %d: %w", k, err)
		}
	}
	return nil
}

func (r *run) variant(v Variant) error {
	var leaves []*array.Array
	var axes []any
	for i, raw := range v.Args {
		arg := r.args[i]
		if !isNull(raw) {
			var err error
			if arg, err = Value(raw); err != nil {
				return err
			}
		}
		for _, x := range arraysIn(arg) {
			leaves = append(leaves, x)
			if v.InAxes[i] == nil {
				axes = append(axes, nil)
			} else {
				axes = append(axes, *v.InAxes[i])
			}
		}
	}
	if !slices.ContainsFunc(axes, func(a any) bool { return a != nil }) {
		return nil
	}
	if r.Invariant != "" && r.Post == "" {
		a := leaves[0]
		if axis, ok := axes[0].(int); ok {
			a = np.Moveaxis(a, []int{axis}, []int{0})
		}
		return invariant(r.Invariant, r.mode(), a, vmap.Of(r.raw, vmap.In(axes)).CallAll(leaves))
	}
	out := vmap.Of(r.call, vmap.In(axes)).CallAll(leaves)
	if err := r.compareAll(out, v.Out, r.Tol); err != nil {
		return err
	}
	if v.VJP == nil || !r.derivatives("vjp") {
		return nil
	}
	ct, err := decodeTree(v.VJP.Cotangents)
	if err != nil {
		return err
	}
	g := vmap.Of(func(leaves, ct []*array.Array) []*array.Array {
		xs, f := r.diff(leaves)
		return pull(f, xs, slices.Clone(ct))
	}, vmap.In(axes, 0)).CallAll(leaves, ct)
	if err := r.compareTree(g, v.VJP.Out, r.Tol); err != nil {
		return fmt.Errorf("vjp: %w", err)
	}
	return nil
}
