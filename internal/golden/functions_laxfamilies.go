package golden

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/pantograph-go/pantograph/array"
	p "github.com/pantograph-go/pantograph/primitive"
)

// laxFamilies are the functions of jax.lax that reduce, sort, multiply, index, slide windows and transform.
var laxFamilies = map[string]Func{
	"lax.reduce_sum": laxReduction(p.ReduceSum), "lax.reduce_prod": laxReduction(p.ReduceProd), "lax.reduce_max": laxReduction(p.ReduceMax),
	"lax.reduce_min": laxReduction(p.ReduceMin), "lax.reduce_and": laxReduction(p.ReduceAnd), "lax.reduce_or": laxReduction(p.ReduceOr),
	"lax.reduce_xor": laxReduction(p.ReduceXor),
	"lax.argmax":     func(c *Call) any { return p.Argmax(c.X(0), c.Int("axis", 0), c.DType("index_dtype", array.Int32)) },
	"lax.argmin":     func(c *Call) any { return p.Argmin(c.X(0), c.Int("axis", 0), c.DType("index_dtype", array.Int32)) },
	"lax.cumsum":     laxCumulative(p.CumSum), "lax.cumprod": laxCumulative(p.CumProd), "lax.cummax": laxCumulative(p.CumMax),
	"lax.cummin": laxCumulative(p.CumMin), "lax.cumlogsumexp": laxCumulative(p.CumLogSumExp),

	"lax.sort": func(c *Call) any {
		if _, ok := c.Args[0].([]any); ok {
			return laxSort(c, c.Xs(0))
		}
		return laxSort(c, c.All())
	},
	"lax.sort_key_val": func(c *Call) any { return laxSort(c, c.All()) },
	"lax.top_k": func(c *Call) any {
		values, indices := p.TopK(c.X(0), c.Int("k", 0))
		return []*array.Array{values, indices}
	},

	"lax.dot": func(c *Call) any {
		x, y := c.X(0), c.X(1)
		return p.DotGeneral(x, y, p.Contract([]int{x.Rank() - 1}, []int{0}), c.DType("preferred_element_type", array.Invalid))
	},
	"lax.dot_general": func(c *Call) any {
		n := pairsOfLists(c.Any("dimension_numbers"))
		return p.DotGeneral(c.X(0), c.X(1), p.Contract(n[0][0], n[0][1]).WithBatch(n[1][0], n[1][1]), c.DType("preferred_element_type", array.Invalid))
	},
	"lax.batch_matmul": func(c *Call) any {
		x, y := c.X(0), c.X(1)
		batch := upTo(x.Rank() - 2)
		return p.DotGeneral(x, y, p.Contract([]int{x.Rank() - 1}, []int{x.Rank() - 2}).WithBatch(batch, batch), array.Invalid)
	},
	"lax.conv_general_dilated": func(c *Call) any { return p.ConvGeneralDilated(c.X(0), c.X(1), convolution(c, c.X(0), c.X(1))) },

	"lax.gather":  gather,
	"lax.scatter": scatter(p.CombineReplace), "lax.scatter_add": scatter(p.CombineAdd), "lax.scatter_mul": scatter(p.CombineMul),
	"lax.scatter_min": scatter(p.CombineMin), "lax.scatter_max": scatter(p.CombineMax),
	"lax.scatter_sub": func(c *Call) any {
		c.Args = slices.Clone(c.Args)
		c.Args[2] = p.Neg(c.X(2))
		return scatter(p.CombineAdd)(c)
	},

	"lax.reduce_window": func(c *Call) any {
		body := c.Str("computation", "")
		f := windowReductions[body]
		if f == nil {
			return reduceWindow(c, body)
		}
		c.Any("init_value") // the identity, in each of these cases
		return f(c.X(0), window(c, c.X(0)))
	},
	"lax.select_and_scatter_add": func(c *Call) any {
		op := p.CombineMax
		if c.Str("select", "") == "le" {
			op = p.CombineMin
		}
		return p.SelectAndScatterAdd(c.X(0), c.X(1), op, window(c, c.X(1)))
	},
	"lax.rng_bit_generator": func(c *Call) any {
		a := map[string]p.RngAlgorithm{"RNG_DEFAULT": p.RngDefault, "RNG_THREE_FRY": p.RngThreeFry, "RNG_PHILOX": p.RngPhilox}
		state, bits := p.RngBitGenerator(c.X(0), c.Ints("shape"), c.DType("dtype", array.Uint32), a[c.Str("algorithm", "RNG_DEFAULT")])
		return []*array.Array{state, bits}
	},
	"lax.fft": func(c *Call) any {
		t := map[string]p.FFTType{"FFT": p.FFT, "IFFT": p.IFFT, "RFFT": p.RFFT, "IRFFT": p.IRFFT}
		return p.Fourier(c.X(0), t[c.Str("fft_type", "")], c.Ints("fft_lengths")...)
	},
}

func laxReduction(f func(x *array.Array, axes ...int) *array.Array) Func {
	return func(c *Call) any { return f(c.X(0), c.Ints("axes")...) }
}

func laxCumulative(f func(x *array.Array, axis int, reverse bool) *array.Array) Func {
	return func(c *Call) any { return f(c.X(0), c.Int("axis", 0), c.Bool("reverse", false)) }
}

func laxSort(c *Call, xs []*array.Array) any {
	dim := c.Int("dimension", -1)
	if dim < 0 {
		dim += xs[0].Rank()
	}
	return p.BindAll(p.SortP{Dimension: dim, NumKeys: c.Int("num_keys", 1), Stable: c.Bool("is_stable", true)}, xs...)
}

func pairsOfLists(v any) (out [2][2][]int) {
	for i, e := range v.([]any) {
		for k, l := range e.([]any) {
			out[i][k] = ints(l.([]any))
		}
	}
	return out
}

func upTo(n int) []int {
	v := make([]int, max(n, 0))
	for i := range v {
		v[i] = i
	}
	return v
}

// mode reads the parameter of gathers and scatters.
func mode(c *Call, or p.IndexMode) p.IndexMode {
	switch s := c.Str("mode", ""); s {
	case "clip":
		return p.Clip
	case "fill", "drop":
		return p.FillOrDrop
	case "promise_in_bounds":
		return p.PromiseInBounds
	case "":
		return or
	default:
		panic(missing{fmt.Errorf("mode %s", s)})
	}
}

func gather(c *Call) any {
	d := dims(c)
	l := func(name string) array.Ints { return array.MakeInts(d[name]...) }
	g := p.GatherDims{Offset: l("offset_dims"), CollapsedSlice: l("collapsed_slice_dims"), StartIndexMap: l("start_index_map"),
		OperandBatching: l("operand_batching_dims"), StartIndicesBatching: l("start_indices_batching_dims")}
	m, sizes := mode(c, p.PromiseInBounds), c.Ints("slice_sizes")
	sorted, unique := c.Bool("indices_are_sorted", false), c.Bool("unique_indices", false)
	if c.Has("fill_value") && m == p.FillOrDrop {
		return p.GatherFill(c.X(0), c.X(1), g, sizes, c.Float("fill_value", math.NaN()))
	}
	if m == p.FillOrDrop {
		return p.Gather(c.X(0), c.X(1), g, sizes, m)
	}
	return p.Bind(p.GatherP{Dims: g, SliceSizes: array.MakeInts(sizes...), Mode: m, Sorted: sorted, Unique: unique}, c.X(0), c.X(1))
}

func scatter(op p.Combine) Func {
	return func(c *Call) any {
		d := dims(c)
		l := func(name string) array.Ints { return array.MakeInts(d[name]...) }
		return p.Bind(p.ScatterP{
			Op: op,
			Dims: p.ScatterDims{UpdateWindow: l("update_window_dims"), InsertedWindow: l("inserted_window_dims"), ScatterToOperand: l("scatter_dims_to_operand_dims"),
				OperandBatching: l("operand_batching_dims"), ScatterIndicesBatching: l("scatter_indices_batching_dims")},
			Mode: mode(c, p.FillOrDrop), Sorted: c.Bool("indices_are_sorted", false), Unique: c.Bool("unique_indices", false),
		}, c.X(0), c.X(1), c.X(2))
	}
}

// windowReductions are the computations that are primitives of their own.
var windowReductions = map[string]func(x *array.Array, w p.Window) *array.Array{
	"lambda x, y: x + y":             p.ReduceWindowSum,
	"lambda x, y: x * y":             p.ReduceWindowProd,
	"lambda x, y: maximum(x, y)":     p.ReduceWindowMax,
	"lambda x, y: jnp.minimum(x, y)": p.ReduceWindowMin,
}

func window(c *Call, x *array.Array) p.Window {
	size, strides, base, dilation := c.Ints("window_dimensions"), c.Ints("window_strides"), c.Ints("base_dilation"), c.Ints("window_dilation")
	lo, hi := windowPadding(c, dilate(x.Shape(), base), dilate(size, dilation), strides)
	return p.Window{Size: array.MakeInts(size...), Strides: array.MakeInts(strides...), PadLo: array.MakeInts(lo...), PadHi: array.MakeInts(hi...),
		BaseDilation: array.MakeInts(base...), Dilation: array.MakeInts(dilation...)}
}

// convDims are the places of the axes of input, kernel and result.
func convDims(c *Call, rank int) [3][]int {
	spec := [3][]int{upTo(rank), upTo(rank), upTo(rank)}
	if list, ok := c.Any("dimension_numbers").([]any); ok {
		names := [3]string{list[0].(string), list[1].(string), list[2].(string)}
		spatial := strings.NewReplacer("O", "", "I", "").Replace(names[1])
		for i, letters := range [3]string{"NC" + spatial, "OI" + spatial, "NC" + spatial} {
			for k, l := range []byte(letters) {
				spec[i][k] = strings.IndexByte(names[i], l)
			}
		}
	}
	return spec
}

func convolution(c *Call, x, w *array.Array) p.ConvParams {
	rank := x.Rank()
	spec := convDims(c, rank)
	var size, kernel []int
	for i := range rank - 2 {
		size, kernel = append(size, x.Shape()[spec[0][i+2]]), append(kernel, w.Shape()[spec[1][i+2]])
	}
	strides, rhs := c.Ints("window_strides"), c.Ints("rhs_dilation")
	lo, hi := windowPadding(c, size, dilate(kernel, rhs), strides)
	return p.ConvParams{
		Strides: array.MakeInts(strides...), PadLo: array.MakeInts(lo...), PadHi: array.MakeInts(hi...),
		LHSDilation: array.MakeInts(c.Ints("lhs_dilation")...), RHSDilation: array.MakeInts(rhs...),
		Dims:          p.ConvDims{LHS: array.MakeInts(spec[0]...), RHS: array.MakeInts(spec[1]...), Out: array.MakeInts(spec[2]...)},
		FeatureGroups: c.Int("feature_group_count", 1), BatchGroups: c.Int("batch_group_count", 1),
		Preferred: c.DType("preferred_element_type", array.Invalid),
	}
}

// windowPadding reads pairs, or the words SAME, SAME_LOWER and VALID.
func windowPadding(c *Call, size, window, strides []int) (lo, hi []int) {
	lo, hi = make([]int, len(size)), make([]int, len(size))
	word, ok := c.Any("padding").(string)
	switch {
	case !ok:
		for i, pair := range c.Pairs("padding") {
			lo[i], hi[i] = pair[0], pair[1]
		}
	case strings.HasPrefix(word, "SAME"):
		for i, n := range size {
			out := (n + strides[i] - 1) / strides[i]
			total := max((out-1)*strides[i]+window[i]-n, 0)
			if lo[i] = total / 2; word == "SAME_LOWER" {
				lo[i] = total - total/2
			}
			hi[i] = total - lo[i]
		}
	}
	return lo, hi
}

// dilate gives the extents of elements that are so far apart.
func dilate(size, by []int) []int {
	out := slices.Clone(size)
	for i := range by {
		out[i] = (size[i]-1)*by[i] + 1
	}
	return out
}
