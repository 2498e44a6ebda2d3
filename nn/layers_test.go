package nn_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/jit"
	"github.com/pantograph-go/pantograph/nn"
	"github.com/pantograph-go/pantograph/np"
	"github.com/pantograph-go/pantograph/random"
	"github.com/pantograph-go/pantograph/trace"
	"github.com/pantograph-go/pantograph/vjp"
	"github.com/pantograph-go/pantograph/vmap"
)

// image is a random array, the same for the same seed.
func image(seed int, shape ...int) *np.Array { return random.Normal(random.Key(seed), shape) }

func near(t *testing.T, want []float64, got *np.Array, tolerance float64) {
	t.Helper()
	require.InDeltaSlice(t, want, got.AsType(np.Float64).Ravel().Float64s(), tolerance)
}

// at reads an element of a row-major array, 0 outside.
func at(x []float64, shape []int, index ...int) float64 {
	k := 0
	for i, n := range shape {
		if index[i] < 0 || index[i] >= n {
			return 0
		}
		k = k*n + index[i]
	}
	return x[k]
}

// TestConv compares with six loops.
func TestConv(t *testing.T) {
	const batch, h, w, in, out, kh, kw = 2, 6, 5, 4, 6, 3, 2
	x := image(1, batch, h, w, in)
	for _, tt := range []struct {
		name           string
		p              nn.ConvParams
		rows, cols     int // of the result
		top, left      int // padding
		sy, sx, dy, dx int // strides and dilation
		groups         int
	}{
		{"valid", nn.ConvParams{}, 4, 4, 0, 0, 1, 1, 1, 1, 1},
		{"same", nn.ConvParams{Padding: nn.Same}, 6, 5, 1, 0, 1, 1, 1, 1, 1},
		{"same, strided", nn.ConvParams{Padding: nn.Same, Strides: []int{2, 3}}, 3, 2, 0, 0, 2, 3, 1, 1, 1},
		{"padded", nn.ConvParams{Padding: nn.Pad([2]int{2, 1}, [2]int{0, 3})}, 7, 7, 2, 0, 1, 1, 1, 1, 1},
		{"dilated", nn.ConvParams{Dilation: []int{2, 3}}, 2, 2, 0, 0, 1, 1, 2, 3, 1},
		{"grouped", nn.ConvParams{Groups: 2}, 4, 4, 0, 0, 1, 1, 1, 1, 2},
	} {
		t.Run(tt.name, func(t *testing.T) {
			kernel := image(2, kh, kw, in/tt.groups, out)
			xs, ks := x.Float64s(), kernel.Float64s()
			var want []float64
			for b := range batch {
				for i := range tt.rows {
					for j := range tt.cols {
						for o := range out {
							sum, group := 0.0, o/(out/tt.groups)
							for y := range kh {
								for z := range kw {
									for c := range in / tt.groups {
										sum += at(xs, []int{batch, h, w, in}, b, i*tt.sy-tt.top+y*tt.dy, j*tt.sx-tt.left+z*tt.dx, group*(in/tt.groups)+c) *
											at(ks, []int{kh, kw, in / tt.groups, out}, y, z, c, o)
									}
								}
							}
							want = append(want, sum)
						}
					}
				}
			}
			conv := func(x, k *np.Array) *np.Array { return nn.Conv(x, k, tt.p) }
			y := conv(x, kernel)
			require.Equal(t, array.Shape{batch, tt.rows, tt.cols, out}, y.Shape())
			near(t, want, y, 1e-12)
			derivatives(t, conv, x, kernel)

			mapped := vmap.Of(conv, vmap.In(0, nil)).Call(np.Stack([]*np.Array{x.Mul(2), x}), kernel)
			near(t, want, mapped.At(1).Get(), 1e-12)
		})
	}
}

// derivatives compares the directional derivative of f with a finite difference, and the pull-back with it.
func derivatives(t *testing.T, f any, xs ...*np.Array) {
	t.Helper()
	c, err := trace.CallableOf(f)
	require.NoError(t, err)
	call := func(xs []*np.Array) *np.Array {
		args := make([]any, len(xs))
		for i, x := range xs {
			args[i] = x
		}
		y, err := c.Apply(args)
		require.NoError(t, err)
		return y.(*np.Array)
	}
	const h = 1e-6
	dx, ahead, behind := make([]*np.Array, len(xs)), make([]*np.Array, len(xs)), make([]*np.Array, len(xs))
	for i, x := range xs {
		dx[i] = image(50+i, x.Shape()...)
		ahead[i], behind[i] = x.Add(dx[i].Mul(h)), x.Sub(dx[i].Mul(h))
	}
	y, dy := vjp.JVP(call, []any{xs}, []any{dx})
	slope := dy.(*np.Array)
	near(t, call(ahead).Sub(call(behind)).Div(2*h).Ravel().Float64s(), slope, 1e-6)

	_, back := vjp.VJP(call, xs)
	ct := image(60, y.(*np.Array).Shape()...)
	sum := 0.0
	for i, g := range back.CallTree(ct).([]*np.Array) {
		sum += g.Mul(dx[i]).Sum().Float()
	}
	require.InDelta(t, ct.Mul(slope).Sum().Float(), sum, 1e-9)
}

// TestTransposedConv puts zeros between the elements.
func TestTransposedConv(t *testing.T) {
	x := np.Of([]float64{1, 2, 3}).Reshape(1, 3, 1)
	kernel := np.Of([]float64{1, 10}).Reshape(2, 1, 1)
	y := nn.Conv(x, kernel, nn.ConvParams{InputDilation: []int{2}, Padding: nn.Pad([2]int{1, 1})})
	near(t, []float64{10, 1, 20, 2, 30, 3}, y, 0)
}

func TestPooling(t *testing.T) {
	x := image(3, 2, 5, 4, 3)
	xs, shape := x.Float64s(), []int{2, 5, 4, 3}
	pool := func(rows, cols, top, left, sy, sx int, of func(v []float64) float64) []float64 {
		var out []float64
		for b := range 2 {
			for i := range rows {
				for j := range cols {
					for c := range 3 {
						var seen []float64
						for y := range 3 {
							for z := range 2 {
								if r, s := i*sy-top+y, j*sx-left+z; r >= 0 && r < 5 && s >= 0 && s < 4 {
									seen = append(seen, at(xs, shape, b, r, s, c))
								}
							}
						}
						out = append(out, of(seen))
					}
				}
			}
		}
		return out
	}
	most := func(v []float64) float64 {
		m := math.Inf(-1)
		for _, e := range v {
			m = max(m, e)
		}
		return m
	}
	least := func(v []float64) float64 {
		m := math.Inf(1)
		for _, e := range v {
			m = min(m, e)
		}
		return m
	}
	total := func(v []float64) float64 {
		s := 0.0
		for _, e := range v {
			s += e
		}
		return s
	}
	window := []int{3, 2}
	near(t, pool(3, 3, 0, 0, 1, 1, most), nn.MaxPool(x, nn.PoolParams{Window: window}), 0)
	near(t, pool(3, 2, 1, 0, 2, 2, most), nn.MaxPool(x, nn.PoolParams{Window: window, Strides: []int{2, 2}, Padding: nn.Same}), 0)
	near(t, pool(5, 4, 1, 0, 1, 1, least), nn.MinPool(x, nn.PoolParams{Window: window, Padding: nn.Same}), 0)
	near(t, pool(5, 4, 1, 0, 1, 1, func(v []float64) float64 { return total(v) / float64(len(v)) }),
		nn.AvgPool(x, nn.PoolParams{Window: window, Padding: nn.Same}), 1e-14)
	near(t, pool(5, 4, 1, 0, 1, 1, func(v []float64) float64 { return total(v) / 6 }),
		nn.AvgPool(x, nn.PoolParams{Window: window, Padding: nn.Same, CountPadding: true}), 1e-14)
	require.Equal(t, np.Int32, nn.MaxPool(np.Arange(6).AsType(np.Int32).Reshape(1, 6, 1), nn.PoolParams{Window: []int{2}}).DType())

	same := nn.PoolParams{Window: window, Strides: []int{2, 1}, Padding: nn.Same}
	derivatives(t, func(x *np.Array) *np.Array { return nn.MaxPool(x, same) }, x)
	derivatives(t, func(x *np.Array) *np.Array { return nn.MinPool(x, same) }, x)
	derivatives(t, func(x *np.Array) *np.Array { return nn.AvgPool(x, same) }, x)
	each := vmap.Of(func(x *np.Array) *np.Array { return nn.MaxPool(x, same) }).Call(np.Stack([]*np.Array{x, x.Neg()}))
	near(t, nn.MaxPool(x.Neg(), same).Ravel().Float64s(), each.At(1).Get(), 0)
}

// TestNormalization states what each function is for: means and mean squares of its result.
func TestNormalization(t *testing.T) {
	x := image(4, 3, 5, 4).Mul(2).Add(7)
	scale, bias := np.Of([]float64{1, 2, 3, 4}), np.Of([]float64{4, 3, 2, 1})
	zero, one := func(n int) []float64 { return make([]float64, n) }, func(n int) []float64 { return np.Ones([]int{n}).Float64s() }

	y := nn.LayerNorm(x, nil, nil, 0)
	near(t, zero(15), y.Mean(-1), 1e-12)
	near(t, one(15), y.Var(-1), 1e-12)
	near(t, y.Mul(scale).Add(bias).Ravel().Float64s(), nn.LayerNorm(x, scale, bias, 0), 1e-14)
	near(t, one(15), nn.LayerNorm(x, nil, nil, 4).Var(-1).Mul(x.Var(-1).Add(4)).Div(x.Var(-1)), 1e-12)

	near(t, one(15), np.Mean(np.Square(nn.RMSNorm(x, nil, 0)), np.Axis(-1)), 1e-12)
	near(t, nn.RMSNorm(x, nil, 0.5).Mul(scale).Ravel().Float64s(), nn.RMSNorm(x, scale, 0.5), 1e-14)

	y, mean, variance := nn.BatchNorm(x, nil, nil, 0)
	near(t, zero(4), y.Mean(0, 1), 1e-12)
	near(t, one(4), y.Var(0, 1), 1e-12)
	near(t, x.Mean(0, 1).Float64s(), mean, 1e-12)
	near(t, x.Var(0, 1).Float64s(), variance, 1e-10)
	near(t, y.Ravel().Float64s(), nn.Normalize(x, mean, variance, 0), 1e-12)

	y = nn.GroupNorm(x, 2, nil, nil, 0)
	near(t, zero(3), y.At("...", ":2").Get().Mean(1, 2), 1e-12)
	near(t, one(3), y.At("...", "2:").Get().Var(1, 2), 1e-12)

	derivatives(t, func(x, s, b *np.Array) *np.Array { return nn.LayerNorm(x, s, b, 1e-5) }, x, scale, bias)
	derivatives(t, func(x, s *np.Array) *np.Array { return nn.RMSNorm(x, s, 1e-5) }, x, scale)
	derivatives(t, func(x, s, b *np.Array) *np.Array { y, _, _ := nn.BatchNorm(x, s, b, 1e-5); return y }, x, scale, bias)
	derivatives(t, func(x, s, b *np.Array) *np.Array { return nn.GroupNorm(x, 2, s, b, 1e-5) }, x, scale, bias)
}

func TestDropout(t *testing.T) {
	x := np.Ones([]int{100, 200}, np.Float32)
	y := nn.Dropout(random.Key(0), x, 0.25)
	require.Equal(t, np.Float32, y.DType())
	require.InDelta(t, 1, y.Mean().Float(), 0.02)
	kept := y.NotEqual(0)
	require.InDelta(t, 0.75, kept.AsType(np.Float32).Mean().Float(), 0.02)
	near(t, []float64{4. / 3}, y.Max(), 1e-6)
	slope := vjp.Grad(func(x *np.Array) *np.Array { return nn.Dropout(random.Key(0), x, 0.25).Sum() }).Call(x)
	require.True(t, np.ArrayEqual(slope, y).Bool(), "what is kept has the slope 1/(1-rate)")
	require.Equal(t, 0.0, nn.Dropout(random.Key(0), x, 1).Sum().Float())
	require.Equal(t, x.String(), nn.Dropout(random.Key(0), x, 0).String())
}

func TestEmbedding(t *testing.T) {
	table := np.Arange(6.).Reshape(3, 2)
	ids := np.Of([][]int{{2, 0}, {1, 1}})
	near(t, []float64{4, 5, 0, 1, 2, 3, 2, 3}, nn.Embedding(table, ids), 0)
	counts := vjp.Grad(func(table *np.Array) *np.Array { return nn.Embedding(table, ids).Sum() }).Call(table)
	near(t, []float64{1, 1, 2, 2, 1, 1}, counts, 0)
	require.True(t, np.All(np.IsNaN(nn.Embedding(table, np.Of([]int{3})))).Bool())
}

// TestAttention compares with loops over queries and keys.
func TestAttention(t *testing.T) {
	const b, tt, s, n, k, h = 2, 4, 5, 4, 2, 3
	q, key, v := image(5, b, tt, n, h), image(6, b, s, k, h), image(7, b, s, k, h)
	bias := image(8, b, n, tt, s)
	qs, ks, vs, bs := q.Float64s(), key.Float64s(), v.Float64s(), bias.Float64s()
	loops := func(p nn.AttentionParams, sees func(b, i, j int) bool) []float64 {
		var out []float64
		scale := p.Scale
		if scale == 0 {
			scale = 1 / math.Sqrt(h)
		}
		for bi := range b {
			for i := range tt {
				for ni := range n {
					w, sum := make([]float64, s), 0.0
					for j := range s {
						dot := 0.0
						for f := range h {
							dot += at(qs, []int{b, tt, n, h}, bi, i, ni, f) * at(ks, []int{b, s, k, h}, bi, j, ni/(n/k), f)
						}
						if sees(bi, i, j) {
							logit := dot * scale
							if p.Bias != nil {
								logit += at(bs, []int{b, n, tt, s}, bi, ni, i, j)
							}
							w[j] = math.Exp(logit)
						}
						sum += w[j]
					}
					for f := range h {
						y := 0.0
						for j := range s {
							y += w[j] / sum * at(vs, []int{b, s, k, h}, bi, j, ni/(n/k), f)
						}
						out = append(out, y)
					}
				}
			}
		}
		return out
	}
	mask := np.Of([]bool{true, true, false, true, false})
	for _, c := range []struct {
		name string
		p    nn.AttentionParams
		sees func(b, i, j int) bool
	}{
		{"plain", nn.AttentionParams{}, func(_, _, _ int) bool { return true }},
		{"biased", nn.AttentionParams{Bias: bias, Scale: 0.3}, func(_, _, _ int) bool { return true }},
		{"causal", nn.AttentionParams{Causal: true}, func(_, i, j int) bool { return j <= i }},
		{"windowed", nn.AttentionParams{Window: []int{1, 2}}, func(_, i, j int) bool { return i-1 <= j && j <= i+2 }},
		{"masked", nn.AttentionParams{Mask: mask, Causal: true}, func(_, i, j int) bool { return j <= i && j != 2 && j != 4 }},
		{"lengths", nn.AttentionParams{KeyLengths: []int{2, 5}}, func(b, _, j int) bool { return j < []int{2, 5}[b] }},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := func(q, k, v *np.Array) *np.Array { return nn.DotProductAttention(q, k, v, c.p) }
			want := loops(c.p, c.sees)
			near(t, want, f(q, key, v), 1e-12)
			near(t, want, jit.Of(f).Call(q, key, v), 1e-12)
			derivatives(t, f, q, key, v)
		})
	}
	short := nn.DotProductAttention(q, key, v, nn.AttentionParams{QueryLengths: []int{1, 4}})
	near(t, make([]float64, 3*n*h), short.At(0, "1:").Get(), 0)
	one := nn.DotProductAttention(q.At(1).Get(), key.At(1).Get(), v.At(1).Get(), nn.AttentionParams{})
	near(t, loops(nn.AttentionParams{}, func(_, _, _ int) bool { return true })[tt*n*h:], one, 1e-12)
	half := nn.DotProductAttention(q.AsType(np.BFloat16), key.AsType(np.BFloat16), v.AsType(np.BFloat16), nn.AttentionParams{})
	require.Equal(t, np.BFloat16, half.DType())
	near(t, loops(nn.AttentionParams{}, func(_, _, _ int) bool { return true }), half, 0.05)
}

func TestErrors(t *testing.T) {
	x, q := np.Ones([]int{1, 4, 4, 2}), np.Ones([]int{1, 3, 4, 2})
	kernel := np.Ones([]int{3, 3, 2, 5})
	var shape *array.ShapeError
	var dtype *array.DTypeError
	var argument *array.ArgumentError
	for _, tt := range []struct {
		call  func()
		kind  any
		words string
	}{
		{func() { nn.Conv(x, np.Ones([]int{3, 3, 3, 5}), nn.ConvParams{}) }, &shape, "3"},
		{func() { nn.Conv(x, np.Ones([]int{3, 2, 5}), nn.ConvParams{}) }, &shape, "f64[3,2,5]"},
		{func() { nn.Conv(x, kernel, nn.ConvParams{Strides: []int{1}}) }, &argument, "strides [1]"},
		{func() { nn.Conv(x, kernel, nn.ConvParams{Dilation: []int{0, 1}}) }, &argument, "dilation [0 1]"},
		{func() { nn.Conv(x, kernel, nn.ConvParams{Padding: nn.Pad([2]int{1, 1})}) }, &argument, "padding"},
		{func() { nn.MaxPool(x, nn.PoolParams{}) }, &argument, "window"},
		{func() { nn.MaxPool(np.Ones([]int{3}), nn.PoolParams{Window: []int{1}}) }, &shape, "f64[3]"},
		{func() { nn.BatchNorm(np.Ones([]int{3}), nil, nil, 0) }, &shape, "f64[3]"},
		{func() { nn.CrossEntropy(1.0, 0) }, &shape, "vector"},
		{func() { nn.GroupNorm(x, 3, nil, nil, 0) }, &shape, "3 groups"},
		{func() { nn.Dropout(random.Key(0), x, 1.5) }, &argument, "1.5"},
		{func() { nn.OneHotAt(np.Arange(3), 3, 2) }, new(*array.AxisError), "2"},
		{func() { nn.OneHot(np.Arange(3), -1) }, &argument, "-1"},
		{func() { nn.DotProductAttention(q, x, x, nn.AttentionParams{Mask: np.Ones([]int{4})}) }, &dtype, "bool"},
		{func() { nn.DotProductAttention(q, x.AsType(np.Float32), x, nn.AttentionParams{}) }, &dtype, "float32"},
		{func() { nn.DotProductAttention(q, x.At("...", ":1").Get(), x, nn.AttentionParams{}) }, &shape, "values"},
		{func() {
			nn.DotProductAttention(q, np.Ones([]int{1, 4, 3, 2}), np.Ones([]int{1, 4, 3, 2}), nn.AttentionParams{})
		}, &shape, "4 heads"},
		{func() { nn.DotProductAttention(np.Ones([]int{3, 2}), x, x, nn.AttentionParams{}) }, &shape, "f64[3,2]"},
		{func() { nn.DotProductAttention(q, x, x, nn.AttentionParams{Window: []int{1}}) }, &argument, "[1]"},
		{func() { nn.DotProductAttention(q, x, x, nn.AttentionParams{KeyLengths: []int{1, 2}}) }, &shape, "1 sequences"},
	} {
		err := trace.Try(tt.call)
		require.Error(t, err, tt.words)
		require.ErrorAs(t, err, tt.kind)
		require.Contains(t, err.Error(), tt.words)
		require.Contains(t, err.Error(), "layers_test.go:")
	}
}
