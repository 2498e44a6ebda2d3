package vjp_test

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
	g, w := numbers(got), numbers(want)
	for i := range g {
		if d := g[i] - w[i]; math.Hypot(real(d), imag(d)) > 1e-10*(1+math.Hypot(real(w[i]), imag(w[i]))) {
			t.Fatalf("element %d: got %v, want %v\ngot %v\nwant %v", i, g[i], w[i], got, want)
		}
	}
}

func numbers(x arr) []complex128 {
	if x.DType().IsComplex() {
		return x.Complex128s()
	}
	out := make([]complex128, x.Size())
	for i, v := range x.AsType(array.Float64).Float64s() {
		out[i] = complex(v, 0)
	}
	return out
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

// checked traces f, verifies the jaxpr and returns it.
func checked(t *testing.T, f any, args ...any) *trace.Closed {
	t.Helper()
	j := trace.Of(f, args...)
	if err := trace.Check(j.Jaxpr); err != nil {
		t.Fatalf("%v\n%s", err, j)
	}
	return j
}

// count is how often a primitive stands in a jaxpr and those inside it.
func count(j *trace.Jaxpr, prim string) int {
	n := 0
	for _, e := range j.Eqns {
		if e.Prim.Name() == prim {
			n++
		}
		for _, body := range trace.Jaxprs(e.Prim) {
			n += count(body, prim)
		}
	}
	return n
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
