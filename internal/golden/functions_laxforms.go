package golden

import (
	"slices"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/np"
	p "github.com/pantograph-go/pantograph/primitive"
)

// laxForms are the functions of jax.lax that are written in others.
var laxForms = map[string]Func{
	"lax.slice_in_dim": func(c *Call) any {
		axis := c.Int("axis", 0)
		limit := c.Int("limit_index", c.X(0).Shape()[axis])
		return p.SliceInDim(c.X(0), c.Int("start_index", 0), limit, c.Int("stride", 1), axis)
	},
	"lax.index_in_dim": func(c *Call) any {
		return p.IndexInDim(c.X(0), c.Int("index", 0), c.Int("axis", 0), c.Bool("keepdims", true))
	},
	"lax.dynamic_slice_in_dim": func(c *Call) any {
		return p.DynamicSliceInDim(c.X(0), c.X(1), c.Int("slice_size", 0), c.Int("axis", 0))
	},
	"lax.dynamic_index_in_dim": func(c *Call) any {
		return p.DynamicIndexInDim(c.X(0), c.X(1), c.Int("axis", 0), c.Bool("keepdims", true))
	},
	"lax.dynamic_update_slice_in_dim": func(c *Call) any {
		return p.DynamicUpdateSliceInDim(c.X(0), c.X(1), c.X(2), c.Int("axis", 0))
	},
	"lax.dynamic_update_index_in_dim": func(c *Call) any {
		return p.DynamicUpdateIndexInDim(c.X(0), c.X(1), c.X(2), c.Int("axis", 0))
	},
	"lax.index_take": func(c *Call) any { return p.IndexTake(c.X(0), c.All()[1:], c.Ints("axes")) },
	"lax.tile":       func(c *Call) any { return p.Tile(c.X(0), c.Ints("reps")...) },
	"lax.split":      func(c *Call) any { return p.Split(c.X(0), c.Ints("sizes"), c.Int("axis", 0)) },
	"lax.unstack":    func(c *Call) any { return p.Unstack(c.X(0), c.Int("axis", 0)) },
	"lax.full": func(c *Call) any {
		if v, ok := c.Any("fill_value").(bool); ok {
			return np.Full(c.Ints("shape"), v)
		}
		return np.Full(c.Ints("shape"), c.Any("fill_value"), c.dtypeArgs()...)
	},
	"lax.full_like": func(c *Call) any {
		x := c.X(0)
		shape := x.Shape()
		if c.Has("shape") {
			shape = c.Ints("shape")
		}
		return p.Full(array.Aval{Shape: shape, DType: c.DType("dtype", x.DType())}, c.Float("fill_value", 0))
	},
	"lax.broadcast_shapes": func(c *Call) any {
		var shapes []array.Shape
		for _, s := range c.Any("shapes").([]any) {
			shapes = append(shapes, ints(s.([]any)))
		}
		var out []int32
		for _, n := range np.BroadcastShapes(shapes...) {
			out = append(out, int32(n))
		}
		return np.Asarray(out)
	},
	"lax.scatter_apply": func(c *Call) any {
		d := dims(c)
		l := func(name string) array.Ints { return array.MakeInts(d[name]...) }
		c.Bool("unique_indices", false)
		c.Str("func", "") // 2 sin x
		return p.ScatterApply(c.X(0), c.X(1), func(x *array.Array) *array.Array { return np.Sin(x).Mul(2) }, c.Ints("update_shape"),
			p.ScatterDims{UpdateWindow: l("update_window_dims"), InsertedWindow: l("inserted_window_dims"), ScatterToOperand: l("scatter_dims_to_operand_dims"),
				OperandBatching: l("operand_batching_dims"), ScatterIndicesBatching: l("scatter_indices_batching_dims")}, mode(c, p.FillOrDrop))
	},
	"lax.approx_max_k": func(c *Call) any { return pair(p.ApproxMaxK(c.X(0), c.Int("k", 0))) },
	"lax.approx_min_k": func(c *Call) any { return pair(p.ApproxMinK(c.X(0), c.Int("k", 0))) },
	"lax.ragged_dot":   func(c *Call) any { return p.RaggedDot(c.X(0), c.X(1), c.X(2)) },
	"lax.conv_transpose": func(c *Call) any {
		word, _ := c.Any("padding").(string)
		spec := convDims(c, c.X(0).Rank())
		params := p.ConvParams{
			Strides: array.MakeInts(c.Ints("strides")...), RHSDilation: array.MakeInts(c.Ints("rhs_dilation")...),
			Dims:      p.ConvDims{LHS: array.MakeInts(spec[0]...), RHS: array.MakeInts(spec[1]...), Out: array.MakeInts(spec[2]...)},
			Preferred: c.DType("preferred_element_type", array.Invalid),
		}
		if word == "" {
			var lo, hi []int
			for _, pad := range c.Pairs("padding") {
				lo, hi = append(lo, pad[0]), append(hi, pad[1])
			}
			params.PadLo, params.PadHi = array.MakeInts(lo...), array.MakeInts(hi...)
		}
		return p.ConvTranspose(c.X(0), c.X(1), params, word, c.Bool("transpose_kernel", false))
	},
	"lax.conv_general_dilated_patches": func(c *Call) any {
		return p.ConvGeneralDilatedPatches(c.X(0), c.Ints("filter_shape"), filtered(c))
	},
	"lax.conv_general_dilated_local": func(c *Call) any {
		return p.ConvGeneralDilatedLocal(c.X(0), c.X(1), c.Ints("filter_shape"), filtered(c))
	},
}

// filtered are the parameters of a convolution whose kernel is known by its sizes only.
func filtered(c *Call) p.ConvParams {
	x := c.X(0)
	shape := slices.Concat(array.Shape{1, 1}, array.Shape(c.Ints("filter_shape")))
	return convolution(c, x, p.Full(array.Aval{Shape: shape, DType: array.Float32}, 0))
}
