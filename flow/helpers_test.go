package flow_test

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/pantograph-go/pantograph/array"
	_ "github.com/pantograph-go/pantograph/jit" // runs what is not traced
	"github.com/pantograph-go/pantograph/np"
	"github.com/pantograph-go/pantograph/trace"
)

type arr = *array.Array

// ramp is an array of distinct numbers between -1 and 1.
func ramp(shape ...int) arr {
	b := array.NewBuffer(array.Float64, shape)
	for i := range b.Len() {
		b.SetFloat(i, math.Sin(float64(3*i+1)))
	}
	return array.Of(b)
}

func near(t *testing.T, got, want arr) {
	t.Helper()
	if !got.Shape().Equal(want.Shape()) || got.DType() != want.DType() {
		t.Fatalf("got %s, want %s\ngot %v\nwant %v", got.Aval(), want.Aval(), got, want)
	}
	g, w := got.AsType(array.Float64).Float64s(), want.AsType(array.Float64).Float64s()
	for i := range g {
		if math.Abs(g[i]-w[i]) > 1e-10*(1+math.Abs(w[i])) || math.IsNaN(g[i]) != math.IsNaN(w[i]) {
			t.Fatalf("element %d: got %v, want %v\ngot %v\nwant %v", i, g[i], w[i], got, want)
		}
	}
}

func nearAll(t *testing.T, got, want []arr) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%d arrays, want %d", len(got), len(want))
	}
	for i := range got {
		near(t, got[i], want[i])
	}
}

// leaves lists the arrays of a tree.
func leaves(t *testing.T, v ...any) []arr {
	t.Helper()
	x, _, err := trace.Flatten(v)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// checked traces f, verifies the jaxpr and returns it.
func checked(t *testing.T, f any, args ...any) *trace.Closed {
	t.Helper()
	j := trace.Of(f, args...)
	if err := trace.Check(j.Jaxpr); err != nil {
		t.Fatalf("%v\n%s", err, j)
	}
	return j
}

// fails runs f, which must panic with an error of the given kind that mentions the texts and names a line of file.
func fails(t *testing.T, kind any, file string, f func(), mentions ...string) {
	t.Helper()
	err := trace.Try(f)
	if err == nil {
		t.Fatal("no error")
	}
	if !errors.As(err, kind) {
		t.Errorf("%T %v", errors.Unwrap(err), err)
	}
	for _, m := range append(mentions, file+":") {
		if !strings.Contains(err.Error(), m) {
			t.Errorf("%q is not in: %v", m, err)
		}
	}
}

func of(v ...float64) arr { return np.Of(v) }

func scalar(v float64) arr { return np.Full(nil, v) }
