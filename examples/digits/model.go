package main

import (
	"math"

	ffi "github.com/pantograph-go/pantograph/ffi_call"
	"github.com/pantograph-go/pantograph/nn"
	"github.com/pantograph-go/pantograph/np"
	"github.com/pantograph-go/pantograph/random"
	"github.com/pantograph-go/pantograph/vjp"

	"github.com/pantograph-go/pantograph/examples/digits/data"
)

const (
	hidden  = 128
	classes = 10
	eps     = float32(1e-5)
)

// Params are the weights: a struct of arrays is a tree, so it can be differentiated, batched, saved and loaded whole.
type Params struct {
	W1, B1, Scale, W2, B2 *np.Array
}

func newParams(key *np.Array) Params {
	keys := random.Keys(key, 2)
	dense := func(key *np.Array, in, out int) *np.Array {
		return random.Normal(key, []int{in, out}, np.Float32).Mul(math.Sqrt(2 / float64(in)))
	}
	zeros := func(n int) *np.Array { return np.Zeros([]int{n}, np.Float32) }
	return Params{
		W1: dense(keys[0], data.Pixels, hidden), B1: zeros(hidden), Scale: np.Ones([]int{hidden}, np.Float32),
		W2: dense(keys[1], hidden, classes), B2: zeros(classes),
	}
}

// logits is the classifier for one image: a layer, an RMS norm, and a layer.
func logits(p Params, image *np.Array) *np.Array {
	h := nn.Relu(image.MatMul(p.W1).Add(p.B1))
	return rmsNorm.Call(h).Mul(p.Scale).MatMul(p.W2).Add(p.B2)
}

// loss is the cross entropy of one image and its label.
func loss(p Params, image, label *np.Array) *np.Array {
	return nn.LogSoftmax(logits(p, image)).Mul(nn.OneHot(label, classes, np.Float32)).Sum().Neg()
}

// rmsNorm divides a vector by its root mean square. The forward pass is a foreign function in Go (rmsNormHandler);
// nothing is known of its derivative, so a rule is attached: for y = x/r with r = √(mean x² + ε),
// the cotangent of x is (ct - y mean(y ct))/r.
var rmsNorm = vjp.Custom(rmsNormCall, vjp.Rule{
	Fwd: func(x *np.Array) (y, residual *np.Array) {
		y = rmsNormCall(x)
		r := np.Sqrt(x.Mul(x).Mean().Add(eps))
		return y, np.Concatenate([]*np.Array{y, r.Reshape(1)})
	},
	Bwd: func(residual, ct *np.Array) *np.Array {
		n := residual.Shape()[0] - 1
		y, r := residual.At(np.Slice{Stop: n}).Get(), residual.At(n).Get()
		return ct.Sub(y.Mul(y.Mul(ct).Mean())).Div(r)
	},
})

func rmsNormCall(x *np.Array) *np.Array {
	return ffi.Call(ffi.Spec{
		Target:  "example.rms_norm",
		Attrs:   ffi.Attrs{"eps": eps},
		Vmap:    ffi.BroadcastAll, // the handler takes any number of leading axes
		Results: []ffi.Result{{Shape: x.Shape(), DType: x.DType()}},
	}, x)
}

// rmsNormHandler normalises the last axis.
func rmsNormHandler(x, y ffi.Buffer, attrs struct {
	Eps float32 `ffi:"eps"`
}) error {
	n := x.Shape()[x.Shape().Rank()-1]
	in, out := x.Float32s(), y.Float32s()
	for row := 0; row < len(in); row += n {
		var sum float32
		for _, v := range in[row : row+n] {
			sum += v * v
		}
		r := float32(1 / math.Sqrt(float64(sum/float32(n)+attrs.Eps)))
		for i, v := range in[row : row+n] {
			out[row+i] = v * r
		}
	}
	return nil
}
