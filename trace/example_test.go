package trace_test

import (
	"fmt"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/trace"
)

func ExampleOf() {
	f := func(x *array.Array) *array.Array { return x.Mul(2) }
	fmt.Println(trace.Of(f, trace.Spec(array.Float32, 3)))
	// Output:
	// { lambda ; a:f32[3]. let b:f32[3] = mul a 2.0:f32[] in (b,) }
}

func ExampleEvalShape() {
	type out struct{ Sum, Scaled *array.Array }
	f := func(x *array.Array, n int) out { return out{x.Sum(0), x.Mul(n)} }
	o := trace.EvalShape(f, trace.Spec(array.Float32, 3, 4), 2).(out)
	fmt.Println(o.Sum.Shape(), o.Scaled.Aval())
	// Output:
	// [4] f32[3,4]
}
