package trace_test

import (
	"math"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/primitive"
	"github.com/pantograph-go/pantograph/trace"
)

// shown is a primitive with any parameters and results, to be printed.
type shown struct {
	name string
	*shownAs
}

type shownAs struct {
	out    []array.Aval
	params []primitive.Param
	bodies []*trace.Jaxpr
}

func (p shown) Name() string                             { return p.name }
func (p shown) Shape([]array.Aval) ([]array.Aval, error) { return p.out, nil }
func (p shown) Params() []primitive.Param                { return p.params }
func (p shown) Jaxprs() []*trace.Jaxpr                   { return p.bodies }

// show binds a shown primitive with one result; params are names and values in turn.
func show(name string, out array.Aval, in []*array.Array, params ...any) *array.Array {
	s := &shownAs{out: []array.Aval{out}}
	for i := 0; i < len(params); i += 2 {
		s.params = append(s.params, primitive.Param{Name: params[i].(string), Value: params[i+1]})
		switch v := params[i+1].(type) {
		case *trace.Jaxpr:
			s.bodies = append(s.bodies, v)
		case []*trace.Jaxpr:
			s.bodies = append(s.bodies, v...)
		}
	}
	return primitive.Bind(shown{name, s}, in...)
}

func chain(x *array.Array) *array.Array {
	for range 30 {
		x = sin(x)
	}
	return x
}

func repeat[T any](n int, x T) (xs []T) {
	for range n {
		xs = append(xs, x)
	}
	return xs
}

func anys[T any](xs []T) (as []any) {
	for _, x := range xs {
		as = append(as, x)
	}
	return as
}

func c64(v complex64) *array.Array {
	return array.Of(array.FromSlice(array.Complex64, array.Shape{}, []complex64{v}))
}

func value(v any) *array.Array { return array.MustValue("value", v) }

// jaxprs are the programs of testdata/jax.txt.
func jaxprs() map[string]*trace.Closed {
	type A = *array.Array
	c := vec(0, 1, 2)
	of := trace.Of
	x3 := f32(3)
	called := jitted("<lambda>", sin)
	return map[string]*trace.Closed{
		"short":        of(sin, x3),
		"no equations": of(func(x A) []A { return []A{x, x} }, x3),
		"nothing":      of(func() []A { return nil }),
		"constant":     of(func(x A) A { return mul(x, c) }, x3),
		"literals": of(func(x A) (out []A) {
			for _, v := range []float32{1.5, 1e-5, 1e20, 123456789, float32(math.Copysign(0, -1)), float32(math.Inf(1))} {
				out = append(out, mul(x, scalar(v)))
			}
			return out
		}, f32()),
		"complex literals": of(func(x A) []A {
			return []A{mul(x, c64(1+2i)), mul(x, c64(2i)), mul(x, c64(0.5-1i))}
		}, trace.Spec(array.Complex64)),
		"integer and bool results": of(func() []A { return []A{value(int32(3)), value(uint8(200)), value(true), value(false)} }),
		"dropped":                  of(func(x A) A { return primitive.BindAll(topK{0, 2}, x)[0] }, x3),
		"names":                    of(chain, x3),
		"many inputs":              of(func(x ...A) A { return add(x[0], x[11]) }, anys(repeat(12, f32(3, 100)))...),
		"many operands": of(func(x A) A {
			return show("concatenate", f32(90).Aval(), repeat(30, x), "dimension", 0)
		}, x3),
		"many results": of(func(x ...A) []A { return append(x, x...) }, anys(repeat(30, x3))...),
		"many parameters": of(func(x, y A) A {
			return show("dot_general", f32(3, 5).Aval(), []A{x, y},
				"dimension_numbers", "(([1], [0]), ([], []))", "preferred_element_type", array.Float32)
		}, f32(3, 4), f32(4, 5)),
		"key": of(func(k A) A {
			return show("random_split", k.Aval().WithShape(array.Shape{2}), []A{k}, "shape", array.Shape{2})
		}, trace.Spec(array.NewKeyType("fry", array.Shape{2}))),
		"scan": of(func(x, y A) []A {
			body := of(func(c, y A) []A { return []A{add(c, y), mul(c, y)} }, x3, x3)
			s := &shownAs{[]array.Aval{x.Aval(), y.Aval()}, []primitive.Param{{Name: "jaxpr", Value: body},
				{Name: "length", Value: 4}, {Name: "num_carry", Value: 1}, {Name: "num_consts", Value: 0},
				{Name: "reverse", Value: false}, {Name: "unroll", Value: 1}}, []*trace.Jaxpr{body.Jaxpr}}
			return primitive.BindAll(shown{"scan", s}, x, y)
		}, x3, f32(4, 3)),
		"branches": of(func(i, x A) A {
			n := show("convert_element_type", trace.Spec(array.Int32).Aval(), []A{i}, "new_dtype", array.Int32, "weak_type", false)
			no, yes := of(func(y A) A { return mul(y, cos(y)) }, x3), of(sin, x3)
			return show("cond", x.Aval(), []A{n, x}, "branches", []*trace.Jaxpr{no.Jaxpr, yes.Jaxpr})
		}, trace.Spec(array.Bool), x3),
		"called":       of(func(x A) A { return add(called(x), x) }, x3),
		"called twice": of(func(x A) []A { return []A{called(x), called(cos(x))} }, x3),
		"called long":  of(func(x A) A { return jitted("chain", chain)(x) }, x3),
	}
}

func TestPrintAsJAX(t *testing.T) {
	recorded, err := os.ReadFile("testdata/jax.txt")
	if err != nil {
		t.Fatal(err)
	}
	got := jaxprs()
	sections := strings.Split(string(recorded), "\n-- ")[1:]
	if len(sections) != len(got) {
		t.Errorf("%d sections, %d programs", len(sections), len(got))
	}
	for _, section := range sections {
		name, rest, _ := strings.Cut(section, " --\n")
		_, want, _ := strings.Cut(rest, "\n") // the program
		t.Run(name, func(t *testing.T) {
			c, ok := got[name]
			if !ok {
				t.Fatal("no program of this name")
			}
			check(t, c.Jaxpr)
			if diff := cmp.Diff(strings.TrimSuffix(want, "\n"), c.String()); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestParams(t *testing.T) {
	p := fielded{
		Axes: array.MakeInts(0, 2), One: array.MakeInts(1), Eps: array.F64(1e-5), Flag: true, NumJVPs: 2,
		typed: typed{array.Float32},
	}
	var got []string
	for _, q := range trace.Params(p) {
		got = append(got, q.Name)
	}
	want := []string{"axes", "eps", "flag", "list", "new_dtype", "num_jvps", "one"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	c := trace.Of(func(x *array.Array) *array.Array { return primitive.Bind(p, x) }, f32(3))
	const text = "fielded[axes=(0, 2) eps=1e-05 flag=True list=() new_dtype=float32 num_jvps=2 one=(1,)] a"
	if s := c.Text(200); !strings.Contains(s, text) {
		t.Errorf("%s does not have %s", s, text)
	}
}

type fielded struct {
	Axes, One, List array.Ints
	Eps             array.F64Bits
	Flag            bool
	NumJVPs         int
	hidden          int
	typed
}

func (fielded) Name() string                                { return "fielded" }
func (fielded) Shape(in []array.Aval) ([]array.Aval, error) { return in, nil }

type typed struct{ NewDType array.DType }
