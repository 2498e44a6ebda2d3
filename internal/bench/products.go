package main

import (
	"strings"

	"github.com/pantograph-go/pantograph/fft"
	"github.com/pantograph-go/pantograph/flow"
	"github.com/pantograph-go/pantograph/nn"
	"github.com/pantograph-go/pantograph/np"
	"github.com/pantograph-go/pantograph/primitive"
	"github.com/pantograph-go/pantograph/vjp"
)

func init() {
	product := func(a, b *np.Array) *np.Array { return a.MatMul(b) }
	for name := range strings.FieldsSeq(`dispatch/jit_matmul_8 matmul/f32_8 matmul/f32_64 matmul/f32_128 matmul/f32_256 matmul/f32_512
		matmul/f32_1024 matmul/f32_2048 matmul/f64_512 matmul/f64_1024 matmul/bf16_1024 matmul/batched_128x64 matmul/tall_skinny
		matmul/long_k matmul/matvec_4096`) {
		computations[name] = product
	}
	computations["matmul/tn_512"] = func(a, b *np.Array) *np.Array { return a.T().MatMul(b) }
	computations["matmul/einsum_attn"] = func(q, k *np.Array) *np.Array { return np.Einsum("bqhd,bkhd->bhqk", q, k) }

	same := conv(1, 1)
	computations["conv/3x3_fwd"], computations["conv/1x1_fwd"] = same, same
	computations["conv/depthwise_3x3"] = conv(1, 64)
	computations["conv/3x3_stride2"] = conv(2, 1)
	computations["conv/3x3_fwd_bwd"] = func(x, w, ct *np.Array) (y, dx, dw *np.Array) {
		out, back := vjp.VJP(same, x, w)
		d := back.CallAll(ct)
		return out.(*np.Array), d[0], d[1]
	}

	computations["gather/embedding_1e5x64"] = func(t, i *np.Array) *np.Array { return t.At(i).Get() }
	computations["gather/scatter_add_1e5x64"] = func(u, i *np.Array) *np.Array { return np.ZerosLike(u).At(i).Add(u) }
	computations["gather/take_along_axis"] = func(x, i *np.Array) *np.Array { return np.TakeAlongAxis(x, i, np.Axis(1)) }
	computations["gather/dynamic_slice_loop"] = func(x, i *np.Array) *np.Array {
		return flow.Fori(0, 10000, func(k, acc *np.Array) *np.Array {
			return acc.Add(primitive.DynamicSlice(x, []*np.Array{i.At(k).Get()}, []int{64}))
		}, np.Zeros([]int{64}, np.Float32)).(*np.Array)
	}
	computations["fft/c2c_1024x1024"] = func(x *np.Array) *np.Array { return fft.FFT2(x) }
	computations["fft/r2c_1e6"] = func(x *np.Array) *np.Array { return fft.RFFT(x) }
}

// conv is a two-dimensional convolution with features last and zeros around.
func conv(stride, groups int) func(x, w *np.Array) *np.Array {
	return func(x, w *np.Array) *np.Array {
		return nn.Conv(x, w, nn.ConvParams{Strides: []int{stride, stride}, Padding: nn.Same, Groups: groups})
	}
}
