package initializers_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/nn/initializers"
	"github.com/pantograph-go/pantograph/np"
	"github.com/pantograph-go/pantograph/random"
	"github.com/pantograph-go/pantograph/trace"
)

// TestVariance states what the initializers are for: mean 0 and a variance by the numbers of inputs and outputs.
func TestVariance(t *testing.T) {
	shape := []int{3, 3, 40, 90}
	in, out := 9*40., 9*90.
	for _, tt := range []struct {
		name     string
		init     initializers.Initializer
		variance float64
	}{
		{"he_normal", initializers.HeNormal, 2 / in},
		{"he_uniform", initializers.HeUniform, 2 / in},
		{"lecun_normal", initializers.LecunNormal, 1 / in},
		{"lecun_uniform", initializers.LecunUniform, 1 / in},
		{"glorot_normal", initializers.GlorotNormal, 2 / (in + out)},
		{"glorot_uniform", initializers.GlorotUniform, 2 / (in + out)},
		{"fan out", initializers.VarianceScaling{Scale: 3, Mode: initializers.FanOut, Distribution: initializers.Normal}.Init, 3 / out},
		{"geometric mean", initializers.VarianceScaling{Scale: 3, Mode: initializers.FanGeoAvg}.Init, 3 / math.Sqrt(in*out)},
		{"other axes", initializers.VarianceScaling{Scale: 1, In: []int{0, -1}, Out: []int{2}, Batch: []int{1}}.Init, 1. / (3 * 90)},
		{"normal", initializers.NormalOf(0.5), 0.25},
		{"uniform", initializers.UniformOn(0.5), 0.25 / 3},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := tt.init(random.Key(1), shape, np.Float32)
			require.Equal(t, array.Shape(shape), w.Shape())
			require.Equal(t, np.Float32, w.DType())
			w = w.AsType(np.Float64)
			require.InEpsilon(t, tt.variance, w.Mul(w).Mean().Float(), 0.03)
			if tt.name != "uniform" {
				require.InDelta(t, 0, w.Mean().Float(), 5*math.Sqrt(tt.variance/float64(w.Size())))
			}
		})
	}
}

func TestComplex(t *testing.T) {
	for _, d := range []initializers.Distribution{initializers.Normal, initializers.Uniform, initializers.TruncatedNormal} {
		w := initializers.VarianceScaling{Scale: 1, Distribution: d}.Init(random.Key(2), []int{100, 100}, np.Complex64)
		require.Equal(t, np.Complex64, w.DType())
		require.InEpsilon(t, 1./100, np.Mean(np.Square(np.Abs(w))).Float(), 0.04)
		require.InDelta(t, 0, w.Real().Mean().Float(), 0.005)
	}
}

func TestOrthogonal(t *testing.T) {
	w := initializers.Orthogonal(2, 1)(random.Key(3), []int{2, 3, 5}, np.Float64)
	require.Equal(t, array.Shape{2, 3, 5}, w.Shape())
	columns := np.Moveaxis(w, []int{1}, []int{-1}).Reshape(10, 3)
	require.True(t, np.AllClose(columns.T().MatMul(columns), np.Eye(3).Mul(4), np.Tolerance(0, 1e-12)).Bool())
	d := initializers.DeltaOrthogonal(1, -1)(random.Key(3), []int{3, 3, 2, 4})
	require.InDelta(t, 2, d.Mul(d).Sum().Float(), 1e-12)
	middle := d.At(1, 1).Get()
	require.True(t, np.AllClose(middle.MatMul(middle.T()), np.Eye(2), np.Tolerance(0, 1e-12)).Bool())
	require.Equal(t, array.Shape{0, 3}, initializers.Orthogonal(1, -1)(random.Key(0), []int{0, 3}).Shape())
}

func TestErrors(t *testing.T) {
	var shape *array.ShapeError
	err := trace.Try(func() { initializers.HeNormal(random.Key(0), []int{5}) })
	require.ErrorAs(t, err, &shape)
	require.Contains(t, err.Error(), "[5]")
	require.ErrorAs(t, trace.Try(func() { initializers.Orthogonal(1, -1)(random.Key(0), []int{5}) }), &shape)
	require.ErrorAs(t, trace.Try(func() { initializers.DeltaOrthogonal(1, -1)(random.Key(0), []int{3, 4, 2}) }), &shape)
	err = trace.Try(func() { initializers.VarianceScaling{In: []int{4}}.Init(random.Key(0), []int{5, 2}) })
	require.ErrorAs(t, err, new(*array.AxisError))
}

func ExampleHeNormal() {
	w := initializers.HeNormal(random.Key(0), []int{784, 128}, np.Float32)
	fmt.Println(w.Aval())
	// Output: f32[784,128]
}
