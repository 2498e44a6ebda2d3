package hlo

import (
	"strings"
	"testing"

	"github.com/pantograph-go/pantograph/array"
)

func TestMerge(t *testing.T) {
	m, err := Parse(`module @inner {
  sdy.mesh @mesh = <["x"=2]>
  func.func public @main(%arg0: tensor<f32> {tf.aliasing_output = 0 : i32}) -> tensor<f32> {
    %0 = call @f(%arg0) : (tensor<f32>) -> tensor<f32>
    return %0 : tensor<f32>
  }
  func.func private @f(%arg0: tensor<f32>) -> tensor<f32> {
    %0 = stablehlo.custom_call @target(%arg0) {called_computations = [@f]} : (tensor<f32>) -> tensor<f32>
    return %0 : tensor<f32>
  }
}`)
	if err != nil {
		t.Fatal(err)
	}
	before := m.String()
	outer := &Module{Name: "outer"}
	b := NewBuilder(outer, "cpu")
	scalar := Tensor{Elem: array.Float32}
	_, err = b.Func("f", false, []Type{scalar}, func(args []*Value) ([]*Value, error) {
		for range 2 {
			g, err := b.Merge(m, "imported")
			if err != nil {
				return nil, err
			}
			args = b.Call(g, args...)
		}
		return args, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if m.String() != before {
		t.Error("the merged module has changed")
	}
	text := outer.String()
	for _, want := range []string{"func.func public @f", "@imported(", "@imported_0(", "func.func private @f_0", "call @f_0(", "called_computations = [@f_1]"} {
		if !strings.Contains(text, strings.Replace(want, "func.func public", "func.func", 1)) {
			t.Errorf("there is no %q in\n%s", want, text)
		}
	}
	if strings.Count(text, "sdy.mesh") != 1 || strings.Contains(text, "aliasing") {
		t.Errorf("one mesh and no donation:\n%s", text)
	}
	if err := Verify(outer); err != nil {
		t.Errorf("%v\n%s", err, text)
	}
	if back, err := Parse(text); err != nil || Equal(outer, back) != nil {
		t.Errorf("%v\n%s", err, text)
	}
}
