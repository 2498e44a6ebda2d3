package main

import (
	"math"
	"os"
	"testing"

	"github.com/pantograph-go/pantograph/np"
	"github.com/pantograph-go/pantograph/vjp"
)

func Example() {
	run(os.Stdout)
	// Output:
	// normalised:
	// [[1.0392 1.3856 0.    ]
	//  [0.7071 0.7071 1.4142]]
	// row by row:
	// [[1.0392 1.3856 0.    ]
	//  [0.7071 0.7071 1.4142]]
	// gradient of the sum of cubes:
	// [[-0.2394  0.1796  0.    ]
	//  [-0.7071 -0.7071  0.7071]]
}

// The derivative of the handlers is that of the same formula in operations of np.
func TestDerivative(t *testing.T) {
	if err := run(discard{}); err != nil {
		t.Fatal(err)
	}
	formula := func(x *np.Array) *np.Array {
		r := np.Sqrt(x.Mul(x).Mean(-1).Add(1e-5))
		return x.Div(np.ExpandDims(r, -1)).Pow(3).Sum()
	}
	x := np.Sin(np.Arange(12.0)).AsType(np.Float32).Reshape(3, 4)
	got := vjp.Grad(func(x *np.Array) *np.Array { return rmsNorm.Call(x).Pow(3).Sum() }).Call(x).Float32s()
	want := vjp.Grad(formula).Call(x).Float32s()
	for i := range want {
		if math.Abs(float64(got[i]-want[i])) > 1e-4 {
			t.Errorf("element %d: %v, want %v", i, got[i], want[i])
		}
	}
}

type discard struct{}

func (discard) Write(p []byte) (int, error) { return len(p), nil }
