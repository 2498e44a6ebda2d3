package trace_test

import (
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/trace"
)

type activation int

const relu activation = 1

type layer struct {
	W, B *array.Array
	Act  activation
}

type model struct {
	Layers []layer
	Scale  any
	Name   string
	Best   *model
	Named  map[string]*array.Array
	Axes   array.Ints
	Config any `pantograph:"static"`
}

func TestFlatten(t *testing.T) {
	x, y := vec(1), vec(2)
	tests := []struct {
		name string
		v    any
		tree string
		want []*array.Array
	}{
		{"array", x, "*", []*array.Array{x}},
		{"nil array", (*array.Array)(nil), "nil", nil},
		{"nothing", nil, "nil", nil},
		{"list", []*array.Array{x, y, x}, "[*, *, *]", []*array.Array{x, y, x}},
		{"any list", []any{x, []any{}, nil, y}, "[*, [], nil, *]", []*array.Array{x, y}},
		{"Go array", [2]*array.Array{y, x}, "[*, *]", []*array.Array{y, x}},
		{"map in key order", map[string]any{"w": x, "b": y}, "{b: *, w: *}", []*array.Array{y, x}},
		{"integer keys", map[int]*array.Array{10: x, 9: y}, "{9: *, 10: *}", []*array.Array{y, x}},
		{"struct", layer{x, y, relu}, "{W: *, B: *, Act: 1}", []*array.Array{x, y}},
		{"unnamed struct", struct{ A, B *array.Array }{x, y}, "{A: *, B: *}", []*array.Array{x, y}},
		{"pointer", &layer{W: x}, "&{W: *, B: nil, Act: 0}", []*array.Array{x}},
		{"static slice", struct{ Dims []int }{[]int{1, 2}}, "{Dims: [1, 2]}", nil},
		{"nested", model{Layers: []layer{{W: x}}, Scale: y, Name: "m", Best: &model{Named: map[string]*array.Array{"k": x}}, Axes: array.MakeInts(1), Config: relu},
			"{Layers: [{W: *, B: nil, Act: 0}], Scale: *, Name: m, Best: &{Layers: nil, Scale: nil, Name: , Best: nil, Named: {k: *}, Axes: (), Config: nil}, Named: nil, Axes: (1,), Config: 1}",
			[]*array.Array{x, y, x}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			leaves, tree, err := trace.Flatten(tt.v)
			if err != nil {
				t.Fatal(err)
			}
			if len(leaves) != len(tt.want) || tree.Leaves() != len(leaves) || len(tree.Paths()) != len(leaves) {
				t.Fatalf("%d leaves, the tree says %d, want %d", len(leaves), tree.Leaves(), len(tt.want))
			}
			for i := range leaves {
				if leaves[i] != tt.want[i] {
					t.Errorf("leaf %d is another array", i)
				}
			}
			if tree.String() != tt.tree {
				t.Errorf("tree %s, want %s", tree, tt.tree)
			}
			back, err := tree.Unflatten(leaves)
			if err != nil {
				t.Fatal(err)
			}
			if tt.v != nil && reflect.TypeOf(tt.v) != arrayType && !reflect.DeepEqual(back, tt.v) {
				t.Errorf("unflattened %#v, want %#v", back, tt.v)
			}
			_, again, _ := trace.Flatten(back)
			if !again.Equal(tree) || again.Key() != tree.Key() {
				t.Errorf("tree of what was unflattened is %s", again)
			}
			if _, err := tree.Unflatten(make([]*array.Array, len(leaves)+1)); err == nil {
				t.Error("too many leaves are taken")
			}
		})
	}
}

var arrayType = reflect.TypeFor[*array.Array]()

func TestFlattenNumbers(t *testing.T) {
	tests := []struct {
		v    any
		want string // avals of the leaves, or the tree where there are none
	}{
		{2.0, "f64*[]"},
		{2, "i64*[]"},
		{true, "bool[]"},
		{float32(2), "f32[]"},
		{2i, "c128*[]"},
		{[]float64{1, 2}, "f64[2]"},
		{[][]float32{{1}, {2}}, "f32[2,1]"},
		{[3]int32{}, "i32[3]"},
		{[]float64{}, "f64[0]"},
		{array.NewBuffer(array.Int8, array.Shape{2}), "i8[2]"},
		{map[string]any{"a": 1, "b": []int{1}}, "i64*[] i64[1]"},
		{"relu", "relu"},
		{relu, "1"},
		{array.Shape{2, 3}, "[2, 3]"},
		{struct{ N float64 }{0.5}, "{N: 0.5}"},
		{array.Float32, "float32"},
	}
	for _, tt := range tests {
		leaves, tree, err := trace.Flatten(tt.v)
		if err != nil {
			t.Errorf("%#v: %v", tt.v, err)
			continue
		}
		got := tree.String()
		if len(leaves) > 0 {
			var avals []string
			for _, x := range leaves {
				avals = append(avals, x.Aval().String())
			}
			got = strings.Join(avals, " ")
		}
		if got != tt.want {
			t.Errorf("%#v gives %s, want %s", tt.v, got, tt.want)
		}
	}
}

func TestFlattenErrors(t *testing.T) {
	type loop struct{ Next any }
	cycle := &loop{}
	cycle.Next = []any{nil, cycle}
	type closed struct {
		W     *array.Array
		count int
	}
	tests := []struct {
		name string
		v    any
		want string
	}{
		{"func", struct{ F struct{ G func() } }{struct{ G func() }{func() {}}}, ".F.G: a func() can be neither traced nor compared"},
		{"channel", map[string]any{"c": make(chan int)}, `["c"]: a chan int can be neither`},
		{"cycle", cycle, ".Next[1]: the *trace_test.loop points back to itself"},
		{"unexported", []closed{{}, {nil, 1}}, "[1].count: the field is not exported"},
		{"keys", map[float64]any{1: nil}, "a map with keys of type float64 has no order"},
		{"static slice", struct {
			S any `pantograph:"static"`
		}{[]int{1}}, ".S: a static []int cannot be compared"},
		{"ragged", [][]float64{{1}, {1, 2}}, "ragged"},
		{"ragged inside", []any{[][]float64{{1}, {1, 2}}}, "[0]: ragged"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, _, err := trace.Flatten(tt.v)
			if err == nil || !strings.HasPrefix(err.Error(), tt.want) {
				t.Errorf("got %v, want %s", err, tt.want)
			}
			var kind *array.TreeError
			if !strings.HasPrefix(tt.name, "ragged") && !errors.As(err, &kind) {
				t.Errorf("got a %T", err)
			}
		})
	}
	// Nil funcs and unexported fields that are zero are nothing to lose; a pointer used twice is no cycle.
	x := &layer{}
	if _, _, err := trace.Flatten([]any{closed{}, struct{ F func() }{}, x, x}); err != nil {
		t.Error(err)
	}
}

func TestTreeKey(t *testing.T) {
	x := vec(1)
	p, q := new(int), new(int)
	type held struct {
		V any `pantograph:"static"`
	}
	different := []any{
		x, nil, (*array.Array)(nil), []any{x}, []*array.Array{x}, [1]any{x}, &layer{}, layer{}, layer{W: x}, layer{B: x},
		layer{Act: 1}, layer{Act: 2}, layer{Act: 258}, "a", "b", relu, activation(2), array.Float32,
		map[string]any{"a": x}, map[string]any{"b": x}, map[string]*array.Array{"a": x}, map[string]any{},
		held{1}, held{1.0}, held{0.0}, held{math.Copysign(0, -1)}, held{p}, held{q}, held{"1"}, held{true}, held{false}, held{2i}, held{uint8(1)},
		held{[2]string{"ab", "c"}}, held{[2]string{"a", "bc"}}, held{struct{ A any }{1}}, held{struct{ A any }{nil}}, held{array.MakeInts(1)},
		[]layer{{}, {}}, []layer{{}}, []layer(nil), []layer{},
	}
	keys := map[string]int{}
	for i, v := range different {
		_, tree, err := trace.Flatten(v)
		if err != nil {
			t.Fatal(err)
		}
		if k, ok := keys[tree.Key()]; ok {
			t.Errorf("%#v and %#v have one key", different[k], v)
		}
		keys[tree.Key()] = i
	}
	// An array and a number given for any are the same structure.
	_, a, _ := trace.Flatten([]any{x})
	_, b, _ := trace.Flatten([]any{2.0})
	if !a.Equal(b) {
		t.Error("[x] and [2.0] differ")
	}
}

func TestPrefix(t *testing.T) {
	x := vec(1)
	m := model{Layers: []layer{{W: x, B: x}, {W: x}}, Scale: x, Best: &model{Scale: x}}
	list := []any{x, map[string]any{"W": x, "b": x}}
	tests := []struct {
		name    string
		v, spec any
		want    []any
		err     string
	}{
		{"number", list, 0, []any{0, 0, 0}, ""},
		{"nil", list, nil, []any{nil, nil, nil}, ""},
		{"per element", list, []any{1, nil}, []any{1, nil, nil}, ""},
		{"ints", list, []int{1, 2}, []any{1, 2, 2}, ""},
		{"map", list, []any{nil, map[string]any{"W": 0, "b": nil}}, []any{nil, 0, nil}, ""},
		{"map of ints", list, []any{nil, map[string]int{"W": 0, "b": 1}}, []any{nil, 0, 1}, ""},
		{"fields by name", m, map[string]any{"Layers": []any{0, 1}, "Scale": nil, "Best": 2}, []any{0, 0, 1, nil, 2}, ""},
		{"a struct", layer{W: x, B: x}, struct{ W, B any }{0, nil}, []any{0, nil}, ""},
		{"pointers are seen through", &layer{W: x, B: x}, struct{ W, B any }{0, nil}, []any{0, nil}, ""},
		{"one array", x, []int{0}, nil, "one array is given a []int with 1 parts"},
		{"count", list, []any{1}, nil, "[*, {W: *, b: *}] has 2 parts, the []interface {} given for it 1"},
		{"missing", list, []any{0, map[string]any{"W": 0}}, nil, `[1]: nothing is given for ["b"]`},
		{"unknown", list, []any{0, map[string]any{"W": 0, "b": 0, "c": 0}}, nil, "[1]: the map[string]interface {} given for {W: *, b: *} names a part that is not there"},
		{"a map for a list", list, map[string]any{"W": 0}, nil, "is a list"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, tree, err := trace.Flatten(tt.v)
			if err != nil {
				t.Fatal(err)
			}
			got, err := tree.Prefix(tt.spec)
			if tt.err != "" {
				if err == nil || !strings.Contains(err.Error(), tt.err) {
					t.Errorf("got %v, want %s", err, tt.err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestPaths(t *testing.T) {
	x := vec(1)
	_, tree, _ := trace.Flatten(model{Layers: []layer{{}, {W: x}}, Best: &model{Named: map[string]*array.Array{"k": x}}})
	want := []string{".Layers[1].W", `.Best.Named["k"]`}
	if diff := cmp.Diff(want, tree.Paths()); diff != "" {
		t.Error(diff)
	}
}

func BenchmarkFlatten(b *testing.B) {
	x := vec(1)
	for name, v := range map[string]any{
		"array":  x,
		"struct": &layer{x, x, relu},
		"model":  model{Layers: []layer{{x, x, relu}, {x, x, relu}}, Scale: x},
		"map":    map[string]any{"W": x, "b": x},
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				trace.Flatten(v)
			}
		})
	}
}
