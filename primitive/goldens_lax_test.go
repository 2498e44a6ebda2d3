package primitive_test

import (
	"encoding/json"
	"math"
	"strings"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/primitive"
)

// laxFunctions are the functions of jax.lax, by our strict functions and the parameters of a case.
var laxFunctions = map[string]function{
	"lax.reduce_sum":  reduction(primitive.ReduceSum),
	"lax.reduce_prod": reduction(primitive.ReduceProd),
	"lax.reduce_max":  reduction(primitive.ReduceMax),
	"lax.reduce_min":  reduction(primitive.ReduceMin),
	"lax.reduce_and":  reduction(primitive.ReduceAnd),
	"lax.reduce_or":   reduction(primitive.ReduceOr),
	"lax.reduce_xor":  reduction(primitive.ReduceXor),
	"lax.argmax": func(p params, in []*array.Array) []*array.Array {
		return just(primitive.Argmax(in[0], p.int("axis"), p.dtype("index_dtype")))
	},
	"lax.argmin": func(p params, in []*array.Array) []*array.Array {
		return just(primitive.Argmin(in[0], p.int("axis"), p.dtype("index_dtype")))
	},
	"lax.cumsum":       cumulative(primitive.CumSum),
	"lax.cumprod":      cumulative(primitive.CumProd),
	"lax.cummax":       cumulative(primitive.CumMax),
	"lax.cummin":       cumulative(primitive.CumMin),
	"lax.cumlogsumexp": cumulative(primitive.CumLogSumExp),
	"lax.sort": func(p params, in []*array.Array) []*array.Array {
		dim := get(p, "dimension", -1)
		if dim < 0 {
			dim += in[0].Rank()
		}
		return primitive.BindAll(primitive.SortP{Dimension: dim, NumKeys: get(p, "num_keys", 1), Stable: get(p, "is_stable", true)}, in...)
	},
	"lax.sort_key_val": func(p params, in []*array.Array) []*array.Array { return primitive.Sort(p.int("dimension"), 1, in...) },
	"lax.top_k": func(p params, in []*array.Array) []*array.Array {
		v, i := primitive.TopK(in[0], p.int("k"))
		return []*array.Array{v, i}
	},
	"lax.dot_general": func(p params, in []*array.Array) []*array.Array {
		n := get[[2][2][]int](p, "dimension_numbers", [2][2][]int{})
		return just(primitive.DotGeneral(in[0], in[1], primitive.Contract(n[0][0], n[0][1]).WithBatch(n[1][0], n[1][1]), p.dtype("preferred_element_type")))
	},
	"lax.batch_matmul": func(p params, in []*array.Array) []*array.Array {
		r := in[0].Rank()
		batch := make([]int, r-2)
		for i := range batch {
			batch[i] = i
		}
		return just(primitive.DotGeneral(in[0], in[1], primitive.Contract([]int{r - 1}, []int{r - 2}).WithBatch(batch, batch), array.Invalid))
	},
	"lax.conv_general_dilated": func(p params, in []*array.Array) []*array.Array {
		return just(primitive.ConvGeneralDilated(in[0], in[1], convolution(p, in[0], in[1])))
	},
	"lax.gather": func(p params, in []*array.Array) []*array.Array {
		d := get[map[string][]int](p, "dimension_numbers", nil)
		l := func(name string) array.Ints { return array.MakeInts(d[name]...) }
		g := primitive.GatherP{
			Dims: primitive.GatherDims{Offset: l("offset_dims"), CollapsedSlice: l("collapsed_slice_dims"), StartIndexMap: l("start_index_map"),
				OperandBatching: l("operand_batching_dims"), StartIndicesBatching: l("start_indices_batching_dims")},
			SliceSizes: p.list("slice_sizes"), Mode: indexMode(p, primitive.PromiseInBounds),
			Sorted: get(p, "indices_are_sorted", false), Unique: get(p, "unique_indices", false),
		}
		if g.Mode == primitive.FillOrDrop {
			if raw, ok := p["fill_value"]; ok && string(raw) != "null" {
				v := math.NaN()
				if string(raw) != `"nan"` {
					v = get(p, "fill_value", 0.0)
				}
				return just(primitive.GatherFill(in[0], in[1], g.Dims, p.ints("slice_sizes"), v))
			}
			return just(primitive.Gather(in[0], in[1], g.Dims, p.ints("slice_sizes"), g.Mode))
		}
		return just(primitive.Bind(g, in...))
	},
	"lax.scatter":     scattering(primitive.CombineReplace),
	"lax.scatter_add": scattering(primitive.CombineAdd),
	"lax.scatter_mul": scattering(primitive.CombineMul),
	"lax.scatter_min": scattering(primitive.CombineMin),
	"lax.scatter_max": scattering(primitive.CombineMax),
	"lax.scatter_sub": func(p params, in []*array.Array) []*array.Array {
		return scattering(primitive.CombineAdd)(p, []*array.Array{in[0], in[1], primitive.Neg(in[2])})
	},
	"lax.select_and_scatter_add": func(p params, in []*array.Array) []*array.Array {
		op := primitive.CombineMax
		if get(p, "select", "") == "le" {
			op = primitive.CombineMin
		}
		return just(primitive.SelectAndScatterAdd(in[0], in[1], op, window(p, in[1])))
	},
	"lax.rng_bit_generator": func(p params, in []*array.Array) []*array.Array {
		a := map[string]primitive.RngAlgorithm{"RNG_DEFAULT": primitive.RngDefault, "RNG_THREE_FRY": primitive.RngThreeFry, "RNG_PHILOX": primitive.RngPhilox}
		state, bits := primitive.RngBitGenerator(in[0], p.ints("shape"), p.dtype("dtype"), a[get(p, "algorithm", "RNG_DEFAULT")])
		return []*array.Array{state, bits}
	},
	"lax.fft": func(p params, in []*array.Array) []*array.Array {
		t := map[string]primitive.FFTType{"FFT": primitive.FFT, "IFFT": primitive.IFFT, "RFFT": primitive.RFFT, "IRFFT": primitive.IRFFT}
		return just(primitive.Fourier(in[0], t[get(p, "fft_type", "")], p.ints("fft_lengths")...))
	},
	"lax.reduce_window": func(p params, in []*array.Array) []*array.Array {
		return just(windowReductions[get(p, "computation", "")](in[0], window(p, in[0])))
	},
}

// windowReductions are the computations of windows that are primitives of their own; they are recorded with their
// identity as initial value.
var windowReductions = map[string]func(x *array.Array, w primitive.Window) *array.Array{
	"lambda x, y: x + y":             primitive.ReduceWindowSum,
	"lambda x, y: x * y":             primitive.ReduceWindowProd,
	"lambda x, y: maximum(x, y)":     primitive.ReduceWindowMax,
	"lambda x, y: jnp.minimum(x, y)": primitive.ReduceWindowMin,
}

func reduction(f func(x *array.Array, axes ...int) *array.Array) function {
	return func(p params, in []*array.Array) []*array.Array { return just(f(in[0], p.ints("axes")...)) }
}

func cumulative(f func(x *array.Array, axis int, reverse bool) *array.Array) function {
	return func(p params, in []*array.Array) []*array.Array {
		return just(f(in[0], p.int("axis"), get(p, "reverse", false)))
	}
}

func indexMode(p params, otherwise primitive.IndexMode) primitive.IndexMode {
	switch get(p, "mode", "") {
	case "clip":
		return primitive.Clip
	case "fill", "drop":
		return primitive.FillOrDrop
	case "promise_in_bounds":
		return primitive.PromiseInBounds
	}
	return otherwise
}

func scattering(op primitive.Combine) function {
	return func(p params, in []*array.Array) []*array.Array {
		d := get[map[string][]int](p, "dimension_numbers", nil)
		l := func(name string) array.Ints { return array.MakeInts(d[name]...) }
		return just(primitive.Bind(primitive.ScatterP{
			Op: op,
			Dims: primitive.ScatterDims{UpdateWindow: l("update_window_dims"), InsertedWindow: l("inserted_window_dims"), ScatterToOperand: l("scatter_dims_to_operand_dims"),
				OperandBatching: l("operand_batching_dims"), ScatterIndicesBatching: l("scatter_indices_batching_dims")},
			Mode: indexMode(p, primitive.FillOrDrop), Unique: get(p, "unique_indices", false),
		}, in...))
	}
}

// pads reads padding: pairs, or the words SAME and VALID.
func pads(raw json.RawMessage, size, window, strides []int) (lo, hi []int) {
	lo, hi = make([]int, len(size)), make([]int, len(size))
	if strings.HasPrefix(string(raw), `"`) {
		if strings.Contains(string(raw), "SAME") {
			for i, n := range size {
				out := (n + strides[i] - 1) / strides[i]
				total := max((out-1)*strides[i]+window[i]-n, 0)
				lo[i], hi[i] = total/2, total-total/2
			}
		}
		return lo, hi
	}
	for i, p := range get(params{"p": raw}, "p", [][2]int(nil)) {
		lo[i], hi[i] = p[0], p[1]
	}
	return lo, hi
}

func dilate(size, by []int) []int {
	out := append([]int{}, size...)
	for i := range by {
		out[i] = (size[i]-1)*by[i] + 1
	}
	return out
}

func window(p params, x *array.Array) primitive.Window {
	w := primitive.Window{Size: p.list("window_dimensions"), Strides: p.list("window_strides"), BaseDilation: p.list("base_dilation"), Dilation: p.list("window_dilation")}
	lo, hi := pads(p["padding"], dilate(x.Shape(), p.ints("base_dilation")), dilate(p.ints("window_dimensions"), p.ints("window_dilation")), p.ints("window_strides"))
	w.PadLo, w.PadHi = array.MakeInts(lo...), array.MakeInts(hi...)
	return w
}

func convolution(p params, x, w *array.Array) primitive.ConvParams {
	c := primitive.ConvParams{
		Strides: p.list("window_strides"), LHSDilation: p.list("lhs_dilation"), RHSDilation: p.list("rhs_dilation"),
		FeatureGroups: get(p, "feature_group_count", 1), BatchGroups: get(p, "batch_group_count", 1), Preferred: p.dtype("preferred_element_type"),
	}
	rank := x.Rank()
	iota := make([]int, rank)
	for i := range iota {
		iota[i] = i
	}
	dims := [3][]int{iota, iota, iota}
	if names := get[[]string](p, "dimension_numbers", nil); names != nil {
		spatial := strings.NewReplacer("O", "", "I", "").Replace(names[1])
		for i, letters := range [3]string{"NC" + spatial, "OI" + spatial, "NC" + spatial} {
			dims[i] = nil
			for _, l := range letters {
				dims[i] = append(dims[i], strings.IndexRune(names[i], l))
			}
		}
	}
	c.Dims = primitive.ConvDims{LHS: array.MakeInts(dims[0]...), RHS: array.MakeInts(dims[1]...), Out: array.MakeInts(dims[2]...)}
	var size, kernel []int
	for i := range rank - 2 {
		size, kernel = append(size, x.Shape()[dims[0][i+2]]), append(kernel, w.Shape()[dims[1][i+2]])
	}
	lo, hi := pads(p["padding"], size, dilate(kernel, p.ints("rhs_dilation")), p.ints("window_strides"))
	c.PadLo, c.PadHi = array.MakeInts(lo...), array.MakeInts(hi...)
	return c
}
