package tree_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/trace"
	"github.com/pantograph-go/pantograph/tree"
)

type layer struct {
	W, B *array.Array
	Act  string
}

func vec(v ...float64) *array.Array {
	return array.Of(array.FromSlice(array.Float64, array.Shape{len(v)}, v))
}

func ExampleMap() {
	params := map[string]layer{"out": {W: vec(1, 2), B: vec(3), Act: "relu"}}
	sizes := tree.Map(func(x *array.Array) *array.Array { return array.MustValue("size", x.Size()) }, params)
	fmt.Println(sizes.(map[string]layer)["out"].W)
	fmt.Println(tree.Paths(params))
	// Output:
	// 2
	// [["out"].W ["out"].B]
}

func TestMap(t *testing.T) {
	x, y := vec(1), vec(2)
	v, w := []layer{{W: x, Act: "a"}, {B: y}}, []layer{{W: y, Act: "a"}, {B: x}}
	got := tree.Map2(func(a, b *array.Array) *array.Array { return b }, v, w).([]layer)
	if got[0].W != y || got[1].B != x || got[0].Act != "a" {
		t.Errorf("got %v", got)
	}
	leaves, s := tree.Flatten(v)
	if back := tree.Unflatten(s, leaves).([]layer); back[0] != v[0] || back[1] != v[1] {
		t.Errorf("got %v", back)
	}
	if n := len(tree.Leaves(w)); n != 2 {
		t.Errorf("%d leaves", n)
	}
}

func TestErrors(t *testing.T) {
	x := vec(1)
	_, s := tree.Flatten([]any{x})
	for name, f := range map[string]func(){
		"flatten":    func() { tree.Leaves(func() {}) },
		"unflatten":  func() { tree.Unflatten(s, nil) },
		"structures": func() { tree.Map2(nil, []any{x}, []any{x, x}) },
	} {
		var e *trace.Error
		var kind *array.TreeError
		if err := trace.Try(f); !errors.As(err, &e) || !errors.As(err, &kind) || e.Pos.File == "" {
			t.Errorf("%s: got %v", name, err)
		}
	}
}
