package primitive_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"math"
	"math/cmplx"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/jit"
	"github.com/pantograph-go/pantograph/trace"
	"github.com/pantograph-go/pantograph/vjp"
	"github.com/pantograph-go/pantograph/vmap"
)

// The reference's values, derivatives and batched results of its lax functions, in the format of goldens/README.md.

type golden struct {
	ID                string
	Fn                string
	Args              []json.RawMessage
	Kwargs            params
	DiffArgs          []int `json:"diff_args"`
	Out               leaves
	JVP               *struct{ Tangents, Out leaves }
	VJP               *struct{ Cotangents, Out leaves }
	HVP               *struct{ Out leaves }
	VMap              []batch
	Tol               struct{ RTol, ATol float64 }
	Invariant         string
	Error             string
	Out64             leaves
	DerivativeSuspect string `json:"derivative_suspect"`

	flushed *subnormal // what the reference took for zero
}

// batch is a case mapped along some axes of its arguments.
type batch struct {
	InAxes []*int `json:"in_axes"`
	Args   []json.RawMessage
	Out    leaves
	VJP    *struct{ Cotangents, Out leaves }
}

// mapped are the arguments and mapped axes, in one list as in, of which argument k has the arrays span[k].
func (b batch) mapped(t *testing.T, in []*array.Array, span [][2]int) (args []*array.Array, axes []any) {
	args, axes = slices.Clone(in), make([]any, len(in))
	for k, axis := range b.InAxes {
		if axis == nil {
			continue
		}
		copy(args[span[k][0]:], argument(t, b.Args[k]))
		for i := span[k][0]; i < span[k][1]; i++ {
			axes[i] = *axis
		}
	}
	return args, axes
}

// values is one array of a case.
type values struct {
	DType string
	Shape []int
	Data  []json.RawMessage
}

// leaves are the arrays of nested lists, one after the other; nil where there is null.
type leaves []*values

// UnmarshalJSON implements json.Unmarshaler.
func (l *leaves) UnmarshalJSON(raw []byte) error {
	switch raw[0] {
	case '[':
		var list []leaves
		if err := json.Unmarshal(raw, &list); err != nil {
			return err
		}
		for _, k := range list {
			*l = append(*l, k...)
		}
		return nil
	case 'n':
		*l = append(*l, nil)
		return nil
	}
	v := new(values)
	*l = append(*l, v)
	return json.Unmarshal(raw, v)
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func (v *values) array(t *testing.T) *array.Array {
	t.Helper()
	d, err := array.ParseDType(v.DType)
	must(t, err)
	b := array.NewBuffer(d, v.Shape)
	for i, raw := range v.Data {
		setElement(t, b, i, raw)
	}
	return array.Of(b)
}

func setElement(t *testing.T, b *array.Buffer, i int, raw json.RawMessage) {
	t.Helper()
	s := strings.Trim(string(raw), `"`)
	switch {
	case b.DType() == array.Bool:
		b.SetBool(i, s == "true")
	case b.DType().IsComplex():
		var parts []json.RawMessage
		must(t, json.Unmarshal(raw, &parts))
		b.SetComplex(i, complex(number(t, parts[0]), number(t, parts[1])))
	case b.DType().Kind() == array.KindUint:
		n, err := strconv.ParseUint(s, 10, 64)
		must(t, err)
		b.SetUint(i, n)
	case b.DType().Kind() == array.KindInt:
		n, err := strconv.ParseInt(s, 10, 64)
		must(t, err)
		b.SetInt(i, n)
	default:
		b.SetFloat(i, number(t, raw))
	}
}

func number(t *testing.T, raw json.RawMessage) float64 {
	t.Helper()
	f, err := strconv.ParseFloat(strings.Trim(string(raw), `"`), 64)
	must(t, err)
	return f
}

// argument reads an argument: an array, a list of them, a number.
func argument(t *testing.T, raw json.RawMessage) []*array.Array {
	t.Helper()
	if raw[0] == '{' || raw[0] == '[' {
		var l leaves
		must(t, json.Unmarshal(raw, &l))
		return arrays(t, l)
	}
	var v any
	if s := string(raw); !strings.ContainsAny(s, ".e") {
		n, err := strconv.Atoi(s)
		must(t, err)
		v = n
	} else {
		v = number(t, raw)
	}
	x, err := array.FromValue(v)
	must(t, err)
	return []*array.Array{x}
}

// params are the static parameters of a case.
type params map[string]json.RawMessage

func get[T any](p params, name string, otherwise T) T {
	raw, ok := p[name]
	if !ok || string(raw) == "null" {
		return otherwise
	}
	var v T
	if err := json.Unmarshal(raw, &v); err != nil {
		panic(fmt.Sprintf("parameter %s=%s: %v", name, raw, err))
	}
	return v
}

func (p params) int(name string) int { return get(p, name, 0) }

func (p params) ints(name string) []int { return get[[]int](p, name, nil) }

func (p params) list(name string) array.Ints { return array.MakeInts(p.ints(name)...) }

func (p params) dtype(name string) array.DType {
	s := get(p, name, "")
	if s == "" {
		return array.Invalid
	}
	d, err := array.ParseDType(s)
	if err != nil {
		panic(err)
	}
	return d
}

// function is a lax function under its parameters; in is one flat list of the arguments' arrays.
type function func(p params, in []*array.Array) []*array.Array

func TestGoldens(t *testing.T) {
	path := filepath.Join("..", "..", "shared", "goldens", "lax.jsonl")
	f, err := os.Open(path)
	if err != nil {
		t.Skipf("the reference's values are not here: %v", err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<26)
	for lines.Scan() {
		var g golden
		must(t, json.Unmarshal(lines.Bytes(), &g))
		for id, why := range wrongDerivatives {
			if strings.HasPrefix(g.ID, id) {
				g.DerivativeSuspect = why
			}
		}
		fn, ok := laxFunctions[g.Fn]
		if !ok {
			continue
		}
		if f := get(g.Kwargs, "computation", ""); f != "" && windowReductions[f] == nil {
			continue // a computation of any other form is no primitive of this package
		}
		t.Run(g.ID, func(t *testing.T) { g.check(t, fn) })
	}
	must(t, lines.Err())
}

func (g *golden) check(t *testing.T, fn function) {
	defer func() {
		if e := recover(); e != nil && g.Error == "" {
			t.Fatalf("%v", e)
		}
	}()
	var in []*array.Array
	var span [][2]int // the arrays of each argument
	for _, raw := range g.Args {
		xs := argument(t, raw)
		span = append(span, [2]int{len(in), len(in) + len(xs)})
		in = append(in, xs...)
	}
	g.flushed = subnormals(in)
	f := func(xs []*array.Array) []*array.Array { return fn(g.Kwargs, xs) }
	if g.Error != "" {
		if trace.Try(func() { f(in) }) == nil {
			t.Errorf("got no error; the reference says: %s", g.Error)
		}
		return
	}
	want := g.Out
	if g.Out64 != nil {
		want = g.Out64
	}
	g.compare(t, "value", jit.Of(f).CallAll(in), want, 1)
	g.compare(t, "value, at once", f(in), want, 1)
	for i, v := range g.VMap {
		args, axes := v.mapped(t, in, span)
		what := fmt.Sprintf("vmap %d %v", i, axes)
		g.compare(t, what, jit.Of(vmap.Of(f, vmap.In(axes))).CallAll(args), v.Out, 1)
	}
	if len(g.DiffArgs) == 0 || g.DerivativeSuspect != "" {
		return
	}
	var diff []int
	for _, a := range g.DiffArgs {
		for i := span[a][0]; i < span[a][1]; i++ {
			diff = append(diff, i)
		}
	}
	d := derivative{f, in, diff}
	if g.JVP != nil {
		g.compare(t, "jvp", jit.Of(d.jvp).CallAll(d.point(), arrays(t, g.JVP.Tangents)), present(g.JVP.Out), 1)
	}
	if g.VJP != nil {
		g.compare(t, "vjp", jit.Of(d.vjp).CallAll(d.point(), arrays(t, g.VJP.Cotangents)), present(g.VJP.Out), 1)
	}
	if g.HVP != nil && g.VJP != nil && g.JVP != nil {
		g.compare(t, "hvp", jit.Of(d.hvp).CallAll(d.point(), arrays(t, g.VJP.Cotangents), arrays(t, g.JVP.Tangents)), present(g.HVP.Out), 50)
	}
	for i, v := range g.VMap {
		if v.VJP == nil {
			continue
		}
		args, axes := v.mapped(t, in, span)
		pull := func(xs, ct []*array.Array) []*array.Array { return derivative{f, xs, diff}.vjp(at(xs, diff), ct) }
		got := jit.Of(vmap.Of(pull, vmap.In(axes, 0))).CallAll(args, arrays(t, v.VJP.Cotangents))
		g.compare(t, fmt.Sprintf("vmap %d of vjp", i), got, present(v.VJP.Out), 1)
	}
}

// derivative is a function of some of the arguments at a point, its results restricted to inexact ones.
type derivative struct {
	f    func(xs []*array.Array) []*array.Array
	in   []*array.Array
	diff []int
}

func at(xs []*array.Array, which []int) []*array.Array {
	var out []*array.Array
	for _, i := range which {
		out = append(out, xs[i])
	}
	return out
}

func (d derivative) point() []*array.Array { return at(d.in, d.diff) }

func (d derivative) restricted(xs []*array.Array) []*array.Array {
	in := slices.Clone(d.in)
	for k, i := range d.diff {
		in[i] = xs[k]
	}
	return slices.DeleteFunc(d.f(in), func(y *array.Array) bool { return !y.DType().IsInexact() })
}

func (d derivative) jvp(xs, dxs []*array.Array) []*array.Array {
	_, dy := vjp.JVP(d.restricted, []any{xs}, []any{dxs})
	return dy.([]*array.Array)
}

func (d derivative) vjp(xs, ct []*array.Array) []*array.Array {
	_, pull := vjp.VJP(d.restricted, xs)
	return pull.CallAll(ct)
}

func (d derivative) hvp(xs, ct, dxs []*array.Array) []*array.Array {
	_, dy := vjp.JVP(func(xs []*array.Array) []*array.Array { return d.vjp(xs, ct) }, []any{xs}, []any{dxs})
	return dy.([]*array.Array)
}

func present(vs []*values) []*values {
	return slices.DeleteFunc(slices.Clone(vs), func(v *values) bool { return v == nil })
}

func arrays(t *testing.T, vs []*values) []*array.Array {
	var xs []*array.Array
	for _, v := range present(vs) {
		xs = append(xs, v.array(t))
	}
	return xs
}

// compare applies the tolerance of goldens/README.md. Only kinds of dtypes are compared, for some cases were recorded
// with 64-bit types off.
func (g *golden) compare(t *testing.T, what string, got []*array.Array, want []*values, factor float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: got %d results, want %d", what, len(got), len(want))
	}
	for i, v := range want {
		w := v.array(t)
		x, err := got[i].Host()
		must(t, err)
		y, err := w.Host()
		must(t, err)
		if !x.Shape().Equal(y.Shape()) || x.DType().Kind() != y.DType().Kind() {
			t.Errorf("%s: result %d: got %s, want %s", what, i, x.Aval(), y.Aval())
			continue
		}
		largest := 0.0
		for k := range y.Len() {
			if m := cmplx.Abs(y.Complex(k)); !math.IsInf(m, 0) && m > largest {
				largest = m
			}
		}
		rtol, atol := factor*g.Tol.RTol, factor*g.Tol.ATol
		for k := range y.Len() {
			if g.flushed.at(y.Shape(), k) {
				continue
			}
			if !y.DType().IsInexact() {
				if x.Int(k) != y.Int(k) {
					t.Errorf("%s: result %d, element %d: got %d, want %d", what, i, k, x.Int(k), y.Int(k))
					break
				}
				continue
			}
			a, b := x.Complex(k), y.Complex(k)
			close := func(a, b float64) bool {
				return a == b || math.IsNaN(a) && math.IsNaN(b) || math.Abs(a-b) <= atol+rtol*math.Max(cmplx.Abs(y.Complex(k)), 0.05*largest)
			}
			if !close(real(a), real(b)) || !close(imag(a), imag(b)) {
				t.Errorf("%s: result %d, element %d: got %v, want %v", what, i, k, a, b)
				break
			}
		}
	}
}

// subnormal are the places where an argument is too small for the reference, which takes such numbers for zero and so
// puts them on the wrong side of a kink or pole.
type subnormal struct {
	shape  array.Shape
	places map[int]bool
}

func subnormals(in []*array.Array) *subnormal {
	s := &subnormal{places: map[int]bool{}}
	for _, x := range in {
		if !x.DType().IsFloat() || x.Rank() == 0 {
			continue
		}
		smallest := map[array.DType]float64{array.Float16: 0, array.BFloat16: 0x1p-126, array.Float32: 0x1p-126, array.Float64: 0x1p-1022}[x.DType()]
		s.shape = x.Shape()
		for i, b := 0, host(x); i < b.Len(); i++ {
			if v := math.Abs(b.Float(i)); v > 0 && v < smallest {
				s.places[i] = true
			}
		}
	}
	return s
}

func (s *subnormal) at(shape array.Shape, i int) bool { return s.places[i] && shape.Equal(s.shape) }

func just(y *array.Array) []*array.Array { return []*array.Array{y} }
