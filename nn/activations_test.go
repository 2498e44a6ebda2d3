package nn_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pantograph-go/pantograph/nn"
	"github.com/pantograph-go/pantograph/np"
	"github.com/pantograph-go/pantograph/vjp"
)

// TestActivations compares with formulas in float64, and the slopes with finite differences.
func TestActivations(t *testing.T) {
	sigmoid := func(x float64) float64 { return 1 / (1 + math.Exp(-x)) }
	softplus := func(x float64) float64 { return math.Max(x, 0) + math.Log1p(math.Exp(-math.Abs(x))) }
	for _, tt := range []struct {
		name string
		f    func(any) *np.Array
		want func(x float64) float64
	}{
		{"relu", nn.Relu, func(x float64) float64 { return math.Max(x, 0) }},
		{"relu6", nn.Relu6, func(x float64) float64 { return math.Min(math.Max(x, 0), 6) }},
		{"sigmoid", nn.Sigmoid, sigmoid},
		{"log_sigmoid", nn.LogSigmoid, func(x float64) float64 { return -softplus(-x) }},
		{"softplus", nn.Softplus, softplus},
		{"soft_sign", nn.SoftSign, func(x float64) float64 { return x / (1 + math.Abs(x)) }},
		{"silu", nn.Silu, func(x float64) float64 { return x * sigmoid(x) }},
		{"mish", nn.Mish, func(x float64) float64 { return x * math.Tanh(softplus(x)) }},
		{"gelu", nn.GeluExact, func(x float64) float64 { return x * 0.5 * math.Erfc(-x/math.Sqrt2) }},
		{"gelu by tanh", nn.Gelu, func(x float64) float64 { return x / 2 * (1 + math.Tanh(math.Sqrt(2/math.Pi)*(x+0.044715*x*x*x))) }},
		{"elu", func(x any) *np.Array { return nn.Elu(x, 1.5) }, func(x float64) float64 {
			if x > 0 {
				return x
			}
			return 1.5 * math.Expm1(x)
		}},
		{"celu", func(x any) *np.Array { return nn.Celu(x, 1.5) }, func(x float64) float64 {
			return math.Max(x, 0) + math.Min(0, 1.5*math.Expm1(x/1.5))
		}},
		{"hard_tanh", nn.HardTanh, func(x float64) float64 { return math.Min(math.Max(x, -1), 1) }},
		{"hard_sigmoid", nn.HardSigmoid, func(x float64) float64 { return math.Min(math.Max(x+3, 0), 6) / 6 }},
		{"squareplus", func(x any) *np.Array { return nn.Squareplus(x, 4) }, func(x float64) float64 { return (x + math.Sqrt(x*x+4)) / 2 }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var xs, want []float64
			for x := -7.3; x < 7.5; x += 0.61 {
				xs, want = append(xs, x), append(want, tt.want(x))
			}
			near(t, want, tt.f(np.Of(xs)), 1e-13)
			derivatives(t, func(x *np.Array) *np.Array { return tt.f(x) }, np.Of(xs))
			require.Equal(t, np.Float32, tt.f(np.Of(float32(1))).DType())
			require.True(t, tt.f(1.0).Aval().Weak, "a Go number stays weak")
		})
	}
}

// TestKinks has the slopes where the left and the right one differ.
func TestKinks(t *testing.T) {
	slope := func(f func(any) *np.Array, x float64) float64 {
		return vjp.Grad(func(x *np.Array) *np.Array { return f(x) }).Call(x).Float()
	}
	require.Equal(t, 0.0, slope(nn.Relu, 0))
	require.Equal(t, 0.0, slope(nn.Relu6, 0))
	require.Equal(t, 0.0, slope(nn.Relu6, 6))
	require.Equal(t, 1.0, slope(nn.Softplus, math.Inf(1)))
	require.Equal(t, 0.0, slope(nn.Softplus, math.Inf(-1)))
	require.True(t, math.IsNaN(slope(nn.Softplus, math.NaN())))
	require.InDelta(t, -math.Log(2), nn.Log1mexp(math.Ln2).Float(), 1e-15)
	require.InDelta(t, -1e-300, nn.Log1mexp(math.Log(1e300)).Float(), 1e-313)
}

func TestMaskedSoftmax(t *testing.T) {
	x := np.Of([][]float64{{1, 2, 3}, {1, math.NaN(), 3}})
	mask := np.Of([]bool{true, false, true})
	e := math.Exp(-2)
	near(t, []float64{e / (1 + e), 0, 1 / (1 + e), e / (1 + e), 0, 1 / (1 + e)}, nn.SoftmaxMasked(x, mask), 1e-15)
	slope := vjp.Grad(func(x *np.Array) *np.Array { return nn.SoftmaxMasked(x, mask).At(0, 0).Get() }).Call(x)
	p := e / (1 + e)
	near(t, []float64{p * (1 - p), 0, -p * (1 - p)}, slope.At(0).Get(), 1e-15)

	log, sign := nn.LogsumexpSign([]float64{1000, 1000, -math.MaxFloat64}, []float64{1, -3, 5})
	near(t, []float64{1000 + math.Log(2), -1}, np.Stack([]*np.Array{log, sign}), 1e-12)
	near(t, []float64{1000, 1000}, nn.Logmeanexp(np.Full([]int{2, 3}, 1000.), np.Axis(1)), 1e-12)
	require.True(t, math.IsInf(nn.Logsumexp(np.Zeros([]int{0})).Float(), -1))
}

func TestLosses(t *testing.T) {
	logits, labels := np.Of([][]float64{{1, 2, 3}, {0, 0, 1000}}), np.Of([]int{2, 2})
	z := math.Exp(1) + math.Exp(2) + math.Exp(3)
	near(t, []float64{math.Log(z) - 3, 0}, nn.CrossEntropy(logits, labels), 1e-14)
	near(t, []float64{math.Log(z) - 3, 0}, nn.SoftmaxCrossEntropy(logits, nn.OneHot(labels, 3)), 1e-14)
	near(t, []float64{math.Log(2), 50, 0.25 * 3}, np.Stack([]*np.Array{
		nn.SigmoidBinaryCrossEntropy(0.0, 0.3), nn.SigmoidBinaryCrossEntropy(-50.0, 1.0), nn.SquaredError(1.0, 1+math.Sqrt(0.75))}), 1e-12)
	near(t, []float64{0.125, 2*3 - 2}, nn.Huber([]float64{0.5, 3}, 0.0, 2), 1e-15)
	gradient := vjp.Grad(func(x *np.Array) *np.Array { return nn.CrossEntropy(x, labels).Sum() }).Call(logits)
	near(t, []float64{math.Exp(1) / z, math.Exp(2) / z, math.Exp(3)/z - 1, 0, 0, 0}, gradient, 1e-15)
}
