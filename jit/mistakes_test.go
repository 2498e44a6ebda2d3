package jit_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/pantograph-go/pantograph/array"
	ffi "github.com/pantograph-go/pantograph/ffi_call"
	"github.com/pantograph-go/pantograph/flow"
	"github.com/pantograph-go/pantograph/jit"
	"github.com/pantograph-go/pantograph/np"
	"github.com/pantograph-go/pantograph/primitive"
	"github.com/pantograph-go/pantograph/trace"
	"github.com/pantograph-go/pantograph/vjp"
	"github.com/pantograph-go/pantograph/vmap"
)

// leaked keeps a traced value, which nobody should.
var leaked *array.Array

// mistakes are what users get wrong, each with the kind of error it must give. The line that the error must name is the
// one with the comment HERE and the mistake's name. Each is made eagerly and under jit.
var mistakes = []struct {
	name string
	kind error
	says []string
	make func(x *array.Array) any
}{
	{"shapes", new(array.ShapeError), []string{"[3]", "[4]"}, func(x *array.Array) any {
		return x.Add(np.Ones([]int{4})) // HERE shapes
	}},
	{"strict shapes", new(array.ShapeError), []string{"f64[3]", "f64[1]"}, func(x *array.Array) any {
		return primitive.Mul(x, np.Ones([]int{1})) // HERE strict shapes
	}},
	{"contracted sizes", new(array.ShapeError), []string{"3", "2"}, func(x *array.Array) any {
		return x.MatMul(np.Ones([]int{2, 2})) // HERE contracted sizes
	}},
	{"dtypes", new(array.DTypeError), []string{"f64", "f32"}, func(x *array.Array) any {
		return primitive.Add(x, np.Ones([]int{3}, np.Float32)) // HERE dtypes
	}},
	{"dtype of sin", new(array.DTypeError), []string{"i64"}, func(x *array.Array) any {
		return primitive.Sin(x.AsType(np.Int64)) // HERE dtype of sin
	}},
	{"axis", new(array.AxisError), []string{"axis 5", "1 axes"}, func(x *array.Array) any {
		return x.Sum(5) // HERE axis
	}},
	{"reshape", new(array.ShapeError), []string{"3", "[2,2]"}, func(x *array.Array) any {
		return x.Reshape(2, 2) // HERE reshape
	}},
	{"unknown target", new(array.TargetError), []string{"mistakes.nobody"}, func(x *array.Array) any {
		return ffi.Call(ffi.Spec{Target: "mistakes.nobody", Results: []ffi.Result{{Shape: x.Shape(), DType: x.DType()}}}, x) // HERE unknown target
	}},
	{"branches", new(array.ShapeError), []string{"f64[3]", "f64[]"}, func(x *array.Array) any {
		return flow.Cond(x.Sum().Greater(0), // HERE branches
			func(x *array.Array) *array.Array { return x },
			func(x *array.Array) *array.Array { return x.Sum() }, x)
	}},
	{"carry", new(array.DTypeError), []string{"f32", "f64"}, func(x *array.Array) any {
		c, _ := flow.Scan(func(c, v *array.Array) (*array.Array, *array.Array) { return c.AsType(np.Float64).Add(v), v }, // HERE carry
			np.Asarray(float32(0)), x)
		return c
	}},
	{"vmap sizes", new(array.ShapeError), []string{"3", "4"}, func(x *array.Array) any {
		return vmap.Of(func(a, b *array.Array) *array.Array { return a.Add(b) }).Call(x, np.Ones([]int{4})) // HERE vmap sizes
	}},
	{"rule", new(array.RuleError), []string{"f64[3]", "f64[]"}, func(x *array.Array) any {
		f := vjp.Custom(func(x *array.Array) *array.Array { return x.Mul(x) }, vjp.Rule{
			Fwd: func(x *array.Array) (*array.Array, *array.Array) { return x.Mul(x), x },
			Bwd: func(x, ct *array.Array) *array.Array { return x.Mul(ct).Sum() },
		})
		return vjp.Grad(func(x *array.Array) *array.Array { return f.Call(x).Sum() }).Call(x) // HERE rule
	}},
	{"gradient of an array", new(array.ShapeError), []string{"f64[3]"}, func(x *array.Array) any {
		return vjp.Grad(func(x *array.Array) *array.Array { return x.Mul(2) }).Call(x) // HERE gradient of an array
	}},
	{"escaped", new(array.LeakError), []string{"mistakes_test.go:"}, func(x *array.Array) any {
		vmap.Of(func(v *array.Array) *array.Array { leaked = v.Mul(2); return v }).Call(x)
		return leaked.Add(x) // HERE escaped
	}},
}

// mistakesOfTracing exist under a trace only.
var mistakesOfTracing = []struct {
	name string
	kind error
	says []string
	make func(x *array.Array) any
}{
	{"if", new(array.ConcretizationError), []string{"flow.Cond", "np.Where"}, func(x *array.Array) any {
		if x.Sum().Greater(0).Bool() { // HERE if
			return x
		}
		return x.Neg()
	}},
	{"number", new(array.ConcretizationError), nil, func(x *array.Array) any {
		return x.Mul(x.Sum().Float()) // HERE number
	}},
	{"goroutine", new(array.LeakError), []string{"goroutine"}, func(x *array.Array) any {
		var err error
		done := make(chan bool)
		go func() {
			defer close(done)
			err = trace.Try(func() { x.Mul(2) }) // HERE goroutine
		}()
		<-done
		if err != nil {
			panic(err)
		}
		return x
	}},
}

func TestMistakesNameKindAndLine(t *testing.T) {
	source, err := os.ReadFile("mistakes_test.go")
	if err != nil {
		t.Fatal(err)
	}
	lineOf := func(name string) string {
		for i, l := range strings.Split(string(source), "\n") {
			if strings.HasSuffix(l, "// HERE "+name) {
				return fmt.Sprintf("mistakes_test.go:%d", i+1)
			}
		}
		t.Fatalf("no line is marked HERE %s", name)
		return ""
	}
	check := func(t *testing.T, name string, kind error, says []string, err error) {
		t.Helper()
		if err == nil {
			t.Fatal("no error")
		}
		if target := reflect.New(reflect.TypeOf(kind)); !errors.As(err, target.Interface()) {
			t.Errorf("%T is wanted, got %v", kind, err)
		}
		var e *array.Error
		if !errors.As(err, &e) {
			t.Fatalf("it is no *array.Error: %v", err)
		}
		if got := e.Pos.String(); got != lineOf(name) {
			t.Errorf("it names %s, the mistake is at %s: %v", got, lineOf(name), err)
		}
		for _, s := range says {
			if !strings.Contains(err.Error(), s) {
				t.Errorf("the message lacks %q: %v", s, err)
			}
		}
	}
	x := np.Asarray([]float64{1, 2, 3})
	for _, m := range mistakes {
		t.Run(m.name+"/eager", func(t *testing.T) {
			check(t, m.name, m.kind, m.says, trace.Try(func() { m.make(x) }))
		})
	}
	for _, m := range append(mistakes[:len(mistakes):len(mistakes)], mistakesOfTracing...) {
		t.Run(m.name+"/jit", func(t *testing.T) {
			_, err := jit.Of(m.make).Run(context.Background(), x)
			check(t, m.name, m.kind, m.says, err)
		})
	}
}
