package golden

import (
	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/np"
	"github.com/pantograph-go/pantograph/primitive"
)

// options turns the keywords of a reduction and its like into options.
func (c *Call) options(names ...string) []np.Option {
	var opts []np.Option
	for _, name := range names {
		switch name {
		case "axis":
			if _, given := c.kwargs["axis"]; given {
				if axes := c.Ints("axis"); axes != nil {
					opts = append(opts, np.Axis(axes...))
				}
			}
		case "keepdims":
			if c.Bool("keepdims", false) {
				opts = append(opts, np.KeepDims())
			}
		case "dtype":
			if d := c.DType("dtype", array.Invalid); d != array.Invalid {
				opts = append(opts, np.As(d))
			}
		case "initial":
			if v := c.Any("initial"); v != nil {
				opts = append(opts, np.Initial(v))
			}
		case "where":
			if v := c.Any("where"); v != nil {
				opts = append(opts, np.Masked(v))
			}
		case "ddof":
			if c.Has("ddof") {
				opts = append(opts, np.DDof(c.Float("ddof", 0)))
			}
		case "weights":
			if v := c.Any("weights"); v != nil {
				opts = append(opts, np.Weights(v))
			}
		case "mode":
			if m := c.Str("mode", ""); m != "" {
				opts = append(opts, np.Mode(m))
			}
		case "method":
			if m := c.Str("method", ""); m != "" {
				opts = append(opts, np.Method(m))
			}
		case "size":
			if c.Has("size") {
				opts = append(opts, np.Length(c.Int("size", 0)))
			}
		case "fill_value":
			if v := c.Any("fill_value"); v != nil {
				opts = append(opts, np.FillValue(v))
			}
		case "descending":
			if c.Bool("descending", false) {
				opts = append(opts, np.Descending())
			}
		case "right":
			if c.Bool("right", false) {
				opts = append(opts, np.Right())
			}
		case "side":
			if c.Str("side", "left") == "right" {
				opts = append(opts, np.Right())
			}
		case "equal_nan":
			if c.Bool("equal_nan", false) {
				opts = append(opts, np.EqualNaN())
			}
		case "tolerance":
			if c.Has("rtol") || c.Has("atol") {
				opts = append(opts, np.Tolerance(c.Float("rtol", 1e-5), c.Float("atol", 1e-8)))
			}
		case "endpoint":
			if !c.Bool("endpoint", true) {
				opts = append(opts, np.NoEndpoint())
			}
		case "density":
			if c.Bool("density", false) {
				opts = append(opts, np.Density())
			}
		case "range":
			if v, ok := c.Any("range").([]any); ok {
				opts = append(opts, np.Range(v[0], v[1]))
			}
		case "before", "prepend":
			if v := c.Any(map[string]string{"before": "to_begin", "prepend": "prepend"}[name]); v != nil {
				opts = append(opts, np.Before(v))
			}
		case "after", "append":
			if v := c.Any(map[string]string{"after": "to_end", "append": "append"}[name]); v != nil {
				opts = append(opts, np.After(v))
			}
		case "bitorder":
			if m := c.Str("bitorder", ""); m != "" {
				opts = append(opts, np.Mode(m))
			}
		}
	}
	return opts
}

// sortOptions is options where a null axis flattens.
func (c *Call) sortOptions(names ...string) []np.Option {
	opts := c.options(append(names, "axis")...)
	if raw, given := c.kwargs["axis"]; given && string(raw) == "null" {
		opts = append(opts, np.Axis())
	}
	return opts
}

func elementwise(f func(x any) *array.Array) Func { return func(c *Call) any { return f(c.Args[0]) } }

func elementwise2(f func(x, y any) *array.Array) Func {
	return func(c *Call) any { return f(c.Args[0], c.Args[1]) }
}

func reduction(f func(x any, opts ...np.Option) *array.Array, names ...string) Func {
	return func(c *Call) any {
		if names == nil {
			return f(c.Args[0], c.options("axis", "keepdims", "dtype", "initial", "where")...)
		}
		return f(c.Args[0], c.options(names...)...)
	}
}

func lists(xs []*array.Array) any {
	out := make([]any, len(xs))
	for i, x := range xs {
		out[i] = x
	}
	return out
}

func joined(f func(xs []*array.Array, opts ...np.Option) *array.Array) Func {
	return func(c *Call) any { return f(c.Xs(0), c.sortOptions()...) }
}

func stacked(f func(xs []*array.Array) *array.Array) Func {
	return func(c *Call) any { return f(c.Xs(0)) }
}

func splitting(f func(x any, sections any) []*array.Array) Func {
	return func(c *Call) any { return lists(f(c.Args[0], c.sections())) }
}

func (c *Call) sections() any {
	if v := c.Ints("indices_or_sections"); len(v) > 0 {
		if _, isInt := c.Any("indices_or_sections").(int); isInt {
			return v[0]
		}
		return v
	}
	return nil
}

// dtypeArgs is a dtype keyword as a variadic argument.
func (c *Call) dtypeArgs() []array.DType {
	if d := c.DType("dtype", array.Invalid); d != array.Invalid {
		return []array.DType{d}
	}
	return nil
}

// at are the index arguments that the keyword index describes; arrays are positional arguments from first on.
func (c *Call) at(first int) []any {
	list, _ := c.Any("index").([]any)
	var idx []any
	for _, e := range list {
		m := e.(map[string]any)
		switch {
		case m["newaxis"] != nil:
			idx = append(idx, np.NewAxis)
		case m["ellipsis"] != nil:
			idx = append(idx, np.Ellipsis)
		case m["slice"] != nil:
			idx = append(idx, sliceOf(m["slice"].([]any)))
		case m["array"] != nil:
			idx = append(idx, c.X(first+m["array"].(int)))
		default: // an int, or a number that is refused
			for _, v := range m {
				idx = append(idx, v)
			}
		}
	}
	return idx
}

func sliceOf(v []any) np.Slice {
	s := np.Slice{Start: np.Begin, Stop: np.End, Step: 1}
	if n, ok := v[2].(int); ok {
		s.Step = n
	}
	if s.Step < 0 {
		s.Start, s.Stop = np.End, np.Begin
	}
	if n, ok := v[0].(int); ok {
		s.Start = n
	}
	if n, ok := v[1].(int); ok {
		s.Stop = n
	}
	return s
}

func (c *Call) mode() array.IndexMode {
	c.Bool("unique_indices", false)
	return map[string]array.IndexMode{"clip": array.ClipMode, "fill": array.FillMode, "drop": array.FillMode,
		"promise_in_bounds": array.PromiseInBounds}[c.Str("mode", "")]
}

func updating(f func(r array.Indexed, y any) *array.Array) Func {
	return func(c *Call) any {
		r := c.X(0).At(c.at(2)...).Mode(c.mode())
		if c.Bool("unique_indices", false) {
			r = r.Unique()
		}
		return f(r, c.Args[1])
	}
}

// npFunctions are the functions of jax.numpy.
var npFunctions = map[string]Func{
	"np.abs": elementwise(np.Abs), "np.absolute": elementwise(np.Absolute), "np.acos": elementwise(np.Acos), "np.acosh": elementwise(np.Acosh),
	"np.add": elementwise2(np.Add), "np.all": reduction(np.All, "axis", "keepdims", "where"), "np.any": reduction(np.Any, "axis", "keepdims", "where"),
	"np.allclose": func(c *Call) any { return np.AllClose(c.Args[0], c.Args[1], c.options("tolerance", "equal_nan")...) },
	"np.amax":     reduction(np.Amax, "axis", "keepdims"), "np.amin": reduction(np.Amin, "axis", "keepdims"),
	"np.angle": func(c *Call) any {
		if c.Bool("deg", false) {
			return np.Degrees(np.Angle(c.Args[0]))
		}
		return np.Angle(c.Args[0])
	},
	"np.append": func(c *Call) any { return np.Append(c.Args[0], c.Args[1], c.options("axis")...) },
	"np.arange": func(c *Call) any {
		var args []any
		for _, k := range []string{"start", "stop", "step"} {
			if v := c.Any(k); v != nil {
				args = append(args, v)
			}
		}
		if d := c.DType("dtype", array.Invalid); d != array.Invalid {
			args = append(args, d)
		}
		return np.Arange(args...)
	},
	"np.apply_along_axis": func(c *Call) any {
		f := map[string]func(*array.Array) *array.Array{
			"lambda x: x - mean(x)": func(x *array.Array) *array.Array { return x.Sub(x.Mean()) },
			"lambda x: x.max()":     func(x *array.Array) *array.Array { return x.Max() },
		}[c.Str("func", "")]
		return np.ApplyAlongAxis(f, c.Int("axis", 0), c.Args[0])
	},
	"np.apply_over_axes": func(c *Call) any {
		c.Str("func", "") // the sum over an axis
		return np.ApplyOverAxes(func(x *array.Array, axis int) *array.Array { return np.Sum(x, np.Axis(axis), np.KeepDims()) },
			c.Args[0], c.Ints("axes")...)
	},
	"np.complex_arith": func(c *Call) any {
		c.Str("body", "") // (z x + i) / (z - 2)
		return c.X(0).Mul(c.Args[1]).Add(1i).Div(c.X(0).Sub(2.0))
	},
	"np.fromfunction": func(c *Call) any {
		c.Str("function", "") // 10 i + j
		return np.Fromfunction(func(i ...*array.Array) *array.Array { return i[0].Mul(10).Add(i[1]) }, c.Ints("shape"))
	},
	"np.piecewise": func(c *Call) any {
		c.Any("conds")
		c.Any("funcs")
		return np.Piecewise(c.Args[0], []*array.Array{c.X(0).Less(-1), c.X(0).Greater(1)}, []any{
			func(x *array.Array) *array.Array { return x.Neg() },
			func(x *array.Array) *array.Array { return x.Mul(x) },
			func(x *array.Array) *array.Array { return np.Sin(x) }})
	},
	"np.arccos": elementwise(np.Arccos), "np.arccosh": elementwise(np.Arccosh), "np.arcsin": elementwise(np.Arcsin), "np.arcsinh": elementwise(np.Arcsinh),
	"np.arctan": elementwise(np.Arctan), "np.arctan2": elementwise2(np.Arctan2), "np.arctanh": elementwise(np.Arctanh),
	"np.argmax": reduction(np.Argmax, "axis", "keepdims"), "np.argmin": reduction(np.Argmin, "axis", "keepdims"),
	"np.argpartition": func(c *Call) any { return np.Argpartition(c.Args[0], c.Int("kth", 0), c.options("axis")...) },
	"np.partition":    func(c *Call) any { return np.Partition(c.Args[0], c.Int("kth", 0), c.options("axis")...) },
	"np.argsort": func(c *Call) any {
		c.Bool("stable", true)
		return np.Argsort(c.Args[0], c.sortOptions("descending")...)
	},
	"np.sort":         func(c *Call) any { return np.Sort(c.Args[0], c.sortOptions("descending")...) },
	"np.sort_complex": elementwise(np.SortComplex),
	"np.lexsort":      func(c *Call) any { return np.Lexsort(c.Xs(0), c.options("axis")...) },
	"np.argwhere":     func(c *Call) any { return np.Argwhere(c.Args[0], c.options("size", "fill_value")...) },
	"np.around":       func(c *Call) any { return np.Around(c.Args[0], c.Int("decimals", 0)) },
	"np.round":        func(c *Call) any { return np.Round(c.Args[0], c.Int("decimals", 0)) },
	"np.array_equal":  func(c *Call) any { return np.ArrayEqual(c.Args[0], c.Args[1], c.options("equal_nan")...) },
	"np.array_equiv":  elementwise2(np.ArrayEquiv),
	"np.array":        func(c *Call) any { return np.Stack(c.Xs(0)) },
	"np.array_split":  splitting(func(x, s any) []*array.Array { return np.ArraySplit(x, s) }),
	"np.asarray":      func(c *Call) any { return np.Asarray(c.Args[0], c.dtypeArgs()...) },
	"np.astype":       func(c *Call) any { return np.Asarray(c.Args[0], c.dtypeArgs()...) },
	"np.asin":         elementwise(np.Asin), "np.asinh": elementwise(np.Asinh), "np.atan": elementwise(np.Atan), "np.atan2": elementwise2(np.Atan2), "np.atanh": elementwise(np.Atanh),
	"np.atleast_1d": elementwise(np.Atleast1d), "np.atleast_2d": elementwise(np.Atleast2d), "np.atleast_3d": elementwise(np.Atleast3d),
	"np.average": func(c *Call) any {
		opts := c.options("axis", "keepdims", "weights")
		if c.Bool("returned", false) {
			a, w := np.AverageAndWeight(c.Args[0], opts...)
			return []any{a, w}
		}
		return np.Average(c.Args[0], opts...)
	},
	"np.bartlett": func(c *Call) any { return np.Bartlett(c.Int("M", 0)) }, "np.blackman": func(c *Call) any { return np.Blackman(c.Int("M", 0)) },
	"np.hamming": func(c *Call) any { return np.Hamming(c.Int("M", 0)) }, "np.hanning": func(c *Call) any { return np.Hanning(c.Int("M", 0)) },
	"np.bincount": func(c *Call) any {
		opts := c.options("weights")
		if c.Has("length") {
			opts = append(opts, np.Length(c.Int("length", 0)))
		}
		return np.Bincount(c.Args[0], c.Int("minlength", 0), opts...)
	},
	"np.bitwise_and": elementwise2(np.BitwiseAnd), "np.bitwise_or": elementwise2(np.BitwiseOr), "np.bitwise_xor": elementwise2(np.BitwiseXor),
	"np.bitwise_count": elementwise(np.BitwiseCount), "np.bitwise_invert": elementwise(np.BitwiseInvert), "np.bitwise_not": elementwise(np.BitwiseNot), "np.invert": elementwise(np.Invert),
	"np.bitwise_left_shift": elementwise2(np.BitwiseLeftShift), "np.bitwise_right_shift": elementwise2(np.BitwiseRightShift),
	"np.left_shift": elementwise2(np.LeftShift), "np.right_shift": elementwise2(np.RightShift),
	"np.block":            func(c *Call) any { return np.Block(c.Args[0]) },
	"np.broadcast_arrays": func(c *Call) any { return lists(np.BroadcastArrays(c.All()...)) },
	"np.broadcast_to":     func(c *Call) any { return np.BroadcastTo(c.Args[0], c.Ints("shape")...) },
	"np.cbrt":             elementwise(np.Cbrt), "np.ceil": elementwise(np.Ceil),
	"np.choose": func(c *Call) any { return np.Choose(c.Args[0], c.Xs(1), c.options("mode")...) },
	"np.clip": func(c *Call) any {
		return np.Clip(c.Args[0], c.Args[1], c.Args[2])
	},
	"np.column_stack": stacked(np.ColumnStack),
	"np.compress": func(c *Call) any {
		return np.Compress(c.Args[0], c.Args[1], c.options("axis", "size", "fill_value")...)
	},
	"np.concat": joined(np.Concat), "np.concatenate": joined(np.Concatenate), "np.stack": joined(np.Stack),
	"np.conj": elementwise(np.Conj), "np.conjugate": elementwise(np.Conjugate), "np.real": elementwise(np.Real), "np.imag": elementwise(np.Imag),
	"np.convolve":  func(c *Call) any { return np.Convolve(c.Args[0], c.Args[1], c.options("mode")...) },
	"np.correlate": func(c *Call) any { return np.Correlate(c.Args[0], c.Args[1], c.options("mode")...) },
	"np.copy":      elementwise(np.Copy), "np.copysign": elementwise2(np.Copysign),
	"np.corrcoef": func(c *Call) any {
		var y any
		if len(c.Args) > 1 {
			y = c.Args[1]
		}
		return np.Corrcoef(c.Args[0], y, !c.Bool("rowvar", true))
	},
	"np.cov": func(c *Call) any {
		var y any
		if len(c.Args) > 1 {
			y = c.Args[1]
		}
		return np.Cov(c.Args[0], y, np.CovarianceParams{Columns: !c.Bool("rowvar", true), Bias: c.Bool("bias", false),
			FrequencyWeights: c.Any("fweights"), AnalyticWeights: c.Any("aweights")})
	},
	"np.cos": elementwise(np.Cos), "np.cosh": elementwise(np.Cosh),
	"np.count_nonzero": reduction(np.CountNonzero, "axis", "keepdims"),
	"np.cross":         func(c *Call) any { return np.Cross(c.Args[0], c.Args[1], c.options("axis")...) },
	"np.cumprod":       reduction(np.Cumprod, "axis", "dtype"), "np.cumsum": reduction(np.Cumsum, "axis", "dtype"),
	"np.nancumprod": reduction(np.NaNCumprod, "axis", "dtype"), "np.nancumsum": reduction(np.NaNCumsum, "axis", "dtype"),
	"np.cumulative_sum": func(c *Call) any {
		return np.CumulativeSum(c.Args[0], c.Bool("include_initial", false), c.options("axis", "dtype")...)
	},
	"np.cumulative_prod": func(c *Call) any {
		return np.CumulativeProd(c.Args[0], c.Bool("include_initial", false), c.options("axis", "dtype")...)
	},
	"np.deg2rad": elementwise(np.Deg2rad), "np.degrees": elementwise(np.Degrees), "np.rad2deg": elementwise(np.Rad2deg), "np.radians": elementwise(np.Radians),
	"np.delete": func(c *Call) any {
		c.Bool("assume_unique_indices", false)
		return np.Delete(c.Args[0], c.Args[1], c.options("axis")...)
	},
	"np.diag":              func(c *Call) any { return np.Diag(c.Args[0], c.Int("k", 0)) },
	"np.diagflat":          func(c *Call) any { return np.Diagflat(c.Args[0], c.Int("k", 0)) },
	"np.diag_indices":      func(c *Call) any { return lists(np.DiagIndices(c.Int("n", 0), c.Int("ndim", 2))) },
	"np.diag_indices_from": func(c *Call) any { return lists(np.DiagIndicesFrom(c.Args[0])) },
	"np.diagonal": func(c *Call) any {
		return np.Diagonal(c.Args[0], c.Int("offset", 0), np.Axis(c.Int("axis1", 0), c.Int("axis2", 1)))
	},
	"np.trace": func(c *Call) any {
		return np.Trace(c.Args[0], c.Int("offset", 0), np.Axis(c.Int("axis1", 0), c.Int("axis2", 1)))
	},
	"np.diff":     func(c *Call) any { return np.Diff(c.Args[0], c.Int("n", 1), c.options("axis", "prepend", "append")...) },
	"np.digitize": func(c *Call) any { return np.Digitize(c.Args[0], c.Args[1], c.options("right")...) },
	"np.divide":   elementwise2(np.Divide), "np.true_divide": elementwise2(np.TrueDivide),
	"np.divmod": func(c *Call) any {
		q, r := np.Divmod(c.Args[0], c.Args[1])
		return []any{q, r}
	},
	"np.dot": elementwise2(np.Dot), "np.vdot": elementwise2(np.Vdot), "np.inner": elementwise2(np.Inner), "np.outer": elementwise2(np.Outer),
	"np.kron": elementwise2(np.Kron), "np.matmul": elementwise2(np.MatMul), "np.matvec": elementwise2(np.Matvec), "np.vecmat": elementwise2(np.Vecmat),
	"np.vecdot": func(c *Call) any { return np.Vecdot(c.Args[0], c.Args[1], c.options("axis")...) },
	"np.dsplit": splitting(np.Dsplit), "np.hsplit": splitting(np.Hsplit), "np.vsplit": splitting(np.Vsplit),
	"np.split":  func(c *Call) any { return lists(np.Split(c.Args[0], c.sections(), c.options("axis")...)) },
	"np.dstack": stacked(np.Dstack), "np.hstack": stacked(np.Hstack), "np.vstack": stacked(np.Vstack),
	"np.ediff1d": func(c *Call) any { return np.Ediff1d(c.Args[0], c.options("before", "after")...) },
	"np.einsum": func(c *Call) any {
		if d := c.DType("preferred_element_type", array.Invalid); d != array.Invalid {
			return np.Einsum(c.Args[0].(string), c.Args[1:]...).AsType(d)
		}
		return np.Einsum(c.Args[0].(string), c.Args[1:]...)
	},
	"np.equal": elementwise2(np.Equal), "np.not_equal": elementwise2(np.NotEqual), "np.less": elementwise2(np.Less), "np.less_equal": elementwise2(np.LessEqual),
	"np.greater": elementwise2(np.Greater), "np.greater_equal": elementwise2(np.GreaterEqual),
	"np.exp": elementwise(np.Exp), "np.exp2": elementwise(np.Exp2), "np.expm1": elementwise(np.Expm1),
	"np.expand_dims": func(c *Call) any { return np.ExpandDims(c.Args[0], c.Ints("axis")...) },
	"np.extract":     func(c *Call) any { return np.Extract(c.Args[0], c.Args[1], c.options("size", "fill_value")...) },
	"np.eye": func(c *Call) any {
		n := c.Int("N", 0)
		return np.EyeOffset(n, c.Int("M", n), c.Int("k", 0), c.dtypeArgs()...)
	},
	"np.identity": func(c *Call) any { return np.Identity(c.Int("n", 0), c.dtypeArgs()...) },
	"np.tri": func(c *Call) any {
		n := c.Int("N", 0)
		return np.Tri(n, c.Int("M", n), c.Int("k", 0), c.dtypeArgs()...)
	},
	"np.fabs": elementwise(np.Fabs),
	"np.fill_diagonal": func(c *Call) any {
		c.Bool("inplace", false)
		return np.FillDiagonal(c.Args[0], c.Args[1])
	},
	"np.flatnonzero": func(c *Call) any { return np.Flatnonzero(c.Args[0], c.options("size", "fill_value")...) },
	"np.nonzero":     func(c *Call) any { return lists(np.Nonzero(c.Args[0], c.options("size", "fill_value")...)) },
	"np.flip":        func(c *Call) any { return np.Flip(c.Args[0], c.Ints("axis")...) },
	"np.fliplr":      elementwise(np.Fliplr), "np.flipud": elementwise(np.Flipud),
	"np.float_power": elementwise2(np.FloatPower), "np.floor": elementwise(np.Floor), "np.floor_divide": elementwise2(np.FloorDivide),
	"np.fmax": elementwise2(np.Fmax), "np.fmin": elementwise2(np.Fmin), "np.fmod": elementwise2(np.Fmod),
	"np.frexp": func(c *Call) any {
		m, e := np.Frexp(c.Args[0])
		return []any{m, e}
	},
	"np.full": func(c *Call) any { return np.Full(c.Ints("shape"), c.Any("fill_value"), c.dtypeArgs()...) },
	"np.full_like": func(c *Call) any {
		return np.FullLike(c.Args[0], c.Args[1], c.dtypeArgs()...)
	},
	"np.gcd": elementwise2(np.Gcd), "np.lcm": elementwise2(np.Lcm),
	"np.geomspace": func(c *Call) any {
		return np.Geomspace(c.Args[0], c.Args[1], c.Int("num", 50), c.options("endpoint", "dtype", "axis")...)
	},
	"np.logspace": func(c *Call) any {
		return np.Logspace(c.Args[0], c.Args[1], c.Int("num", 50), c.Float("base", 10), c.options("endpoint", "dtype", "axis")...)
	},
	"np.linspace": func(c *Call) any {
		x, step := np.LinspaceStep(c.Args[0], c.Args[1], c.Int("num", 50), c.options("endpoint", "dtype", "axis")...)
		if c.Bool("retstep", false) {
			return []any{x, step}
		}
		return x
	},
	"np.getitem": func(c *Call) any { return c.X(0).At(c.at(1)...).Get() },
	"np.gradient": func(c *Call) any {
		g := np.Gradient(c.Args[0], c.Args[1:], c.options("axis")...)
		if len(g) == 1 {
			return g[0]
		}
		return lists(g)
	},
	"np.heaviside": elementwise2(np.Heaviside), "np.hypot": elementwise2(np.Hypot),
	"np.histogram": func(c *Call) any {
		n, e := np.Histogram(c.Args[0], c.bins(), c.options("range", "weights", "density")...)
		return []any{n, e}
	},
	"np.histogram_bin_edges": func(c *Call) any { return np.HistogramBinEdges(c.Args[0], c.bins(), c.options("range")...) },
	"np.histogram2d": func(c *Call) any {
		bins, ok := c.Any("bins").([]any)
		if !ok {
			n, x, y := np.Histogram2d(c.Args[0], c.Args[1], c.bins())
			return []any{n, x, y}
		}
		n, e := np.Histogramdd(np.Stack([]*array.Array{c.X(0), c.X(1)}, np.Axis(1)), bins)
		return []any{n, e[0], e[1]}
	},
	"np.histogramdd": func(c *Call) any {
		bins, ok := c.Any("bins").([]any)
		for !ok && len(bins) < c.X(0).Shape()[1] {
			bins = append(bins, c.bins())
		}
		n, _ := np.Histogramdd(c.Args[0], bins)
		return n // the edges were not recorded
	},
	"np.indices": func(c *Call) any { return np.Indices(c.Ints("dimensions"), c.dtypeArgs()...) },
	"np.insert":  func(c *Call) any { return np.Insert(c.Args[0], c.Args[1], c.Args[2], c.options("axis")...) },
	"np.interp": func(c *Call) any {
		return np.InterpWith(c.Args[0], c.Args[1], c.Args[2], c.Any("left"), c.Any("right"), c.Any("period"))
	},
	"np.intersect1d": func(c *Call) any {
		if c.Bool("return_indices", false) {
			panic(missing{errNotOffered("np.intersect1d with indices")})
		}
		return np.Intersect1d(c.Args[0], c.Args[1], c.options("size", "fill_value")...)
	},
	"np.setdiff1d": func(c *Call) any { return np.Setdiff1d(c.Args[0], c.Args[1], c.options("size", "fill_value")...) },
	"np.setxor1d":  func(c *Call) any { return np.Setxor1d(c.Args[0], c.Args[1], c.options("size", "fill_value")...) },
	"np.union1d":   func(c *Call) any { return np.Union1d(c.Args[0], c.Args[1], c.options("size", "fill_value")...) },
	"np.isclose":   func(c *Call) any { return np.IsClose(c.Args[0], c.Args[1], c.options("tolerance", "equal_nan")...) },
	"np.iscomplex": elementwise(np.IsComplex), "np.isreal": elementwise(np.IsReal), "np.isfinite": elementwise(np.IsFinite), "np.isinf": elementwise(np.IsInf),
	"np.isnan": elementwise(np.IsNaN), "np.isneginf": elementwise(np.IsNegInf), "np.isposinf": elementwise(np.IsPosInf),
	"np.iscomplexobj": func(c *Call) any { return np.IsComplexObj(c.Args[0]) }, "np.isrealobj": func(c *Call) any { return np.IsRealObj(c.Args[0]) },
	"np.isin": func(c *Call) any {
		c.Str("method", "")
		y := np.IsIn(c.Args[0], c.Args[1])
		if c.Bool("invert", false) {
			y = y.Not()
		}
		return y
	},
	"np.ix_":   func(c *Call) any { return lists(np.Ix(c.All()...)) },
	"np.ldexp": elementwise2(np.Ldexp), "np.log": elementwise(np.Log), "np.log10": elementwise(np.Log10), "np.log1p": elementwise(np.Log1p), "np.log2": elementwise(np.Log2),
	"np.logaddexp": elementwise2(np.Logaddexp), "np.logaddexp2": elementwise2(np.Logaddexp2),
	"np.logical_and": elementwise2(np.LogicalAnd), "np.logical_not": elementwise(np.LogicalNot), "np.logical_or": elementwise2(np.LogicalOr), "np.logical_xor": elementwise2(np.LogicalXor),
	"np.mask_indices": func(c *Call) any {
		keep := map[string]func(any, int) *array.Array{"triu": np.Triu, "tril": np.Tril}[c.Str("mask_func", "")]
		if keep == nil {
			panic(missing{errNotOffered("np.mask_indices of " + c.Str("mask_func", ""))})
		}
		i, j := np.MaskIndices(c.Int("n", 0), keep, c.Int("k", 0), c.options("size")...)
		return []any{i, j}
	},
	"np.matrix_transpose": elementwise(np.MatrixTranspose),
	"np.max":              reduction(np.Max, "axis", "keepdims", "initial", "where"), "np.min": reduction(np.Min, "axis", "keepdims", "initial", "where"),
	"np.maximum": elementwise2(np.Maximum), "np.minimum": elementwise2(np.Minimum),
	"np.maximum.accumulate": func(c *Call) any { return primitive.CumMax(c.X(0), c.Int("axis", 0), false) },
	"np.maximum.reduce":     reduction(np.Max, "axis", "keepdims"),
	"np.mean":               reduction(np.Mean, "axis", "keepdims", "dtype", "where"),
	"np.median":             reduction(np.Median, "axis", "keepdims"), "np.nanmedian": reduction(np.NaNMedian, "axis", "keepdims"),
	"np.meshgrid": func(c *Call) any {
		mode := c.Str("indexing", "xy")
		if c.Bool("sparse", false) {
			mode += ",sparse"
		}
		return lists(np.Meshgrid(c.All(), np.Mode(mode)))
	},
	"np.mod": elementwise2(np.Mod), "np.remainder": elementwise2(np.Remainder),
	"np.modf": func(c *Call) any {
		f, w := np.Modf(c.Args[0])
		return []any{f, w}
	},
	"np.moveaxis":   func(c *Call) any { return np.Moveaxis(c.Args[0], c.Ints("source"), c.Ints("destination")) },
	"np.multiply":   elementwise2(np.Multiply),
	"np.nan_to_num": func(c *Call) any { return np.NaNToNumWith(c.Args[0], c.Any("nan"), c.Any("posinf"), c.Any("neginf")) },
	"np.nanargmax":  reduction(np.NaNArgmax, "axis", "keepdims"), "np.nanargmin": reduction(np.NaNArgmin, "axis", "keepdims"),
	"np.nanmax": reduction(np.NaNMax, "axis", "keepdims", "initial", "where"), "np.nanmin": reduction(np.NaNMin, "axis", "keepdims", "initial", "where"),
	"np.nanmean": reduction(np.NaNMean, "axis", "keepdims", "dtype", "where"),
	"np.nanprod": reduction(np.NaNProd), "np.nansum": reduction(np.NaNSum), "np.prod": reduction(np.Prod),
	"np.nanstd": reduction(np.NaNStd, "axis", "keepdims", "dtype", "ddof", "where"), "np.nanvar": reduction(np.NaNVar, "axis", "keepdims", "dtype", "ddof", "where"),
	"np.std": reduction(np.Std, "axis", "keepdims", "dtype", "ddof", "where"), "np.var": reduction(np.Var, "axis", "keepdims", "dtype", "ddof", "where"),
	"np.sum": func(c *Call) any {
		opts := c.options("axis", "keepdims", "dtype", "initial", "where")
		if !c.Bool("promote_integers", true) {
			opts = append(opts, np.As(c.X(0).DType()))
		}
		return np.Sum(c.Args[0], opts...)
	},
	"np.add.reduce": reduction(np.Sum, "axis", "keepdims"), "np.multiply.reduce": reduction(np.Prod, "axis", "keepdims"),
	"np.add.accumulate": accumulate(np.Cumsum), "np.multiply.accumulate": accumulate(np.Cumprod),
	"np.add.outer": outer(np.Add), "np.multiply.outer": outer(np.Multiply), "np.maximum.outer": outer(np.Maximum), "np.logaddexp.outer": outer(np.Logaddexp),
	"np.add.at":        func(c *Call) any { return c.X(0).At(c.Args[1]).Add(c.Args[2]) },
	"np.nanpercentile": quantile(np.NaNPercentile), "np.nanquantile": quantile(np.NaNQuantile), "np.percentile": quantile(np.Percentile), "np.quantile": quantile(np.Quantile),
	"np.ndarray.at.add": updating(array.Indexed.Add), "np.ndarray.at.divide": updating(array.Indexed.Div), "np.ndarray.at.max": updating(array.Indexed.Max),
	"np.ndarray.at.min": updating(array.Indexed.Min), "np.ndarray.at.multiply": updating(array.Indexed.Mul), "np.ndarray.at.power": updating(array.Indexed.Pow),
	"np.ndarray.at.set": updating(array.Indexed.Set), "np.ndarray.at.subtract": updating(array.Indexed.Sub),
	"np.ndarray.at.apply": func(c *Call) any {
		c.Str("func", "") // 2 sin x
		r := c.X(0).At(c.at(1)...).Mode(c.mode())
		return r.Set(np.Sin(r.Get()).Mul(2))
	},
	"np.ndarray.at.get": func(c *Call) any {
		r := c.X(0).At(c.at(1)...).Mode(c.mode())
		if c.Has("fill_value") {
			return r.GetOr(c.Float("fill_value", 0))
		}
		return r.Get()
	},
	"np.negative": elementwise(np.Negative), "np.nextafter": elementwise2(np.Nextafter),
	"np.ones": func(c *Call) any { return np.Ones(c.Ints("shape"), c.dtypeArgs()...) }, "np.zeros": func(c *Call) any { return np.Zeros(c.Ints("shape"), c.dtypeArgs()...) },
	"np.ones_like": func(c *Call) any { return np.OnesLike(c.Args[0], c.dtypeArgs()...) },
	"np.zeros_like": func(c *Call) any {
		if c.Has("shape") {
			return np.Full(c.Ints("shape"), 0, append(c.dtypeArgs(), c.X(0).DType())[0])
		}
		return np.ZerosLike(c.Args[0], c.dtypeArgs()...)
	},
	"np.packbits": func(c *Call) any { return np.Packbits(c.Args[0], c.options("axis", "bitorder")...) }, "np.unpackbits": func(c *Call) any { return np.Unpackbits(c.Args[0], c.options("axis", "bitorder")...) },
	"np.pad":          padding,
	"np.permute_dims": func(c *Call) any { return np.PermuteDims(c.Args[0], c.Ints("axes")...) },
	"np.transpose":    func(c *Call) any { return np.Transpose(c.Args[0], c.Ints("axes")...) },
	"np.place": func(c *Call) any {
		c.Bool("inplace", false)
		return np.Place(c.Args[0], c.Args[1], c.Args[2])
	},
	"np.put": func(c *Call) any {
		c.Bool("inplace", false)
		return np.Put(c.Args[0], c.Args[1], c.Args[2], c.options("mode")...)
	},
	"np.put_along_axis": func(c *Call) any {
		c.Bool("inplace", false)
		return np.PutAlongAxis(c.Args[0], c.Args[1], c.Args[2], c.options("axis")...)
	},
	"np.poly": func(c *Call) any {
		if c.X(0).Rank() > 1 {
			panic(missing{errNotOffered("np.poly of a matrix")})
		}
		return np.Poly(c.Args[0])
	},
	"np.polyadd": elementwise2(np.Polyadd), "np.polysub": elementwise2(np.Polysub), "np.polymul": elementwise2(np.Polymul), "np.polyval": elementwise2(np.Polyval),
	"np.polyder": func(c *Call) any { return np.Polyder(c.Args[0], c.Int("m", 1)) },
	"np.polyint": func(c *Call) any { return np.Polyint(c.Args[0], c.Int("m", 1), nested(c.Any("k"))) },
	"np.polydiv": func(c *Call) any {
		q, r := np.Polydiv(c.Args[0], c.Args[1])
		return []any{q, r}
	},
	"np.positive": elementwise(np.Positive), "np.pow": elementwise2(np.Pow), "np.power": elementwise2(np.Power),
	"np.ptp": reduction(np.Ptp, "axis", "keepdims"),
	"np.ravel": func(c *Call) any {
		if c.Str("order", "C") == "F" {
			return np.RavelF(c.Args[0])
		}
		return np.Ravel(c.Args[0])
	},
	"np.reshape": func(c *Call) any {
		if c.Str("order", "C") == "F" {
			return np.ReshapeF(c.Args[0], c.Ints("shape")...)
		}
		return np.Reshape(c.Args[0], c.Ints("shape")...)
	},
	"np.ravel_multi_index": func(c *Call) any {
		if c.Str("order", "C") == "F" {
			return np.RavelMultiIndexF(c.Xs(0), c.Ints("dims"), c.options("mode")...)
		}
		return np.RavelMultiIndex(c.Xs(0), c.Ints("dims"), c.options("mode")...)
	},
	"np.add.reduceat":  func(c *Call) any { return np.AddReduceat(c.Args[0], c.Args[1], c.options("axis")...) },
	"np.i0":            elementwise(np.I0),
	"np.kaiser":        func(c *Call) any { return np.Kaiser(c.Int("M", 0), c.Float("beta", 0)) },
	"np.unravel_index": func(c *Call) any { return lists(np.UnravelIndex(c.Args[0], c.Ints("shape")...)) },
	"np.reciprocal":    elementwise(np.Reciprocal), "np.rint": elementwise(np.Rint),
	"np.repeat": func(c *Call) any {
		opts := c.options("axis")
		if c.Has("total_repeat_length") {
			opts = append(opts, np.Length(c.Int("total_repeat_length", 0)))
		}
		return np.Repeat(c.Args[0], c.Any("repeats"), opts...)
	},
	"np.resize": func(c *Call) any { return np.Resize(c.Args[0], c.Ints("new_shape")...) },
	"np.roll": func(c *Call) any {
		shift := c.Ints("shift")
		if _, one := c.Any("shift").(int); one {
			return np.Roll(c.Args[0], shift[0], c.options("axis")...)
		}
		return np.Roll(c.Args[0], shift, c.options("axis")...)
	},
	"np.rollaxis": func(c *Call) any { return np.Rollaxis(c.Args[0], c.Int("axis", 0), c.Int("start", 0)) },
	"np.rot90": func(c *Call) any {
		axes := c.Ints("axes")
		if axes == nil {
			axes = []int{0, 1}
		}
		return np.Rot90(c.Args[0], c.Int("k", 1), axes[0], axes[1])
	},
	"np.searchsorted": func(c *Call) any {
		c.Str("method", "")
		x := c.X(0)
		if s := c.Any("sorter"); s != nil {
			x = x.At(s).Get()
		}
		return np.Searchsorted(x, c.Args[1], c.options("side")...)
	},
	"np.select": func(c *Call) any {
		var otherwise any = 0
		if v := c.Any("default"); v != nil {
			otherwise = v
		}
		return np.Select(c.Xs(0), c.Xs(1), otherwise)
	},
	"np.sign": elementwise(np.Sign), "np.signbit": elementwise(np.Signbit), "np.sin": elementwise(np.Sin), "np.sinc": elementwise(np.Sinc), "np.sinh": elementwise(np.Sinh),
	"np.size": func(c *Call) any { return np.Size(c.Args[0]) },
	"np.sqrt": elementwise(np.Sqrt), "np.square": elementwise(np.Square),
	"np.squeeze":  func(c *Call) any { return np.Squeeze(c.Args[0], c.Ints("axis")...) },
	"np.subtract": elementwise2(np.Subtract),
	"np.swapaxes": func(c *Call) any { return np.Swapaxes(c.Args[0], c.Int("axis1", 0), c.Int("axis2", 1)) },
	"np.take":     func(c *Call) any { return np.Take(c.Args[0], c.Args[1], c.options("axis", "mode", "fill_value")...) },
	"np.take_along_axis": func(c *Call) any {
		return np.TakeAlongAxis(c.Args[0], c.Args[1], c.sortOptions("mode", "fill_value")...)
	},
	"np.tan": elementwise(np.Tan), "np.tanh": elementwise(np.Tanh),
	"np.tensordot": func(c *Call) any {
		if axes, ok := c.Any("axes").([]any); ok {
			return np.TensordotAxes(c.Args[0], c.Args[1], intsOf(axes[0]), intsOf(axes[1]))
		}
		return np.Tensordot(c.Args[0], c.Args[1], c.Int("axes", 2))
	},
	"np.tile": func(c *Call) any { return np.Tile(c.Args[0], c.Ints("reps")...) },
	"np.trapezoid": func(c *Call) any {
		var x any
		if len(c.Args) > 1 {
			x = c.Args[1]
		}
		return np.Trapezoid(c.Args[0], x, c.options("axis")...)
	},
	"np.tril": func(c *Call) any { return np.Tril(c.Args[0], c.Int("k", 0)) }, "np.triu": func(c *Call) any { return np.Triu(c.Args[0], c.Int("k", 0)) },
	"np.tril_indices": func(c *Call) any {
		return pair(np.TrilIndices(c.Int("n", 0), c.Int("m", c.Int("n", 0)), c.Int("k", 0)))
	},
	"np.triu_indices": func(c *Call) any {
		return pair(np.TriuIndices(c.Int("n", 0), c.Int("m", c.Int("n", 0)), c.Int("k", 0)))
	},
	"np.tril_indices_from": func(c *Call) any { return pair(np.TrilIndicesFrom(c.Args[0], c.Int("k", 0))) },
	"np.triu_indices_from": func(c *Call) any { return pair(np.TriuIndicesFrom(c.Args[0], c.Int("k", 0))) },
	"np.trim_zeros":        func(c *Call) any { return np.TrimZeros(nested(c.Any("filt")), c.Str("trim", "fb")) },
	"np.trunc":             elementwise(np.Trunc),
	"np.unique": func(c *Call) any {
		opts := c.options("size", "fill_value", "axis")
		if !c.Bool("equal_nan", true) {
			opts = append(opts, np.DistinctNaN())
		}
		var u np.UniqueResult
		if c.Has("axis") {
			u = np.UniqueAxis(c.Args[0], opts...)
		} else {
			u = np.UniqueAll(c.Args[0], opts...)
		}
		out := []any{u.Values}
		for _, part := range []struct {
			name string
			x    *array.Array
		}{{"return_index", u.Index}, {"return_inverse", u.Inverse}, {"return_counts", u.Counts}} {
			if c.Bool(part.name, false) {
				out = append(out, part.x)
			}
		}
		return out
	},
	"np.unique_all": func(c *Call) any {
		u := np.UniqueAll(c.Args[0], c.options("size", "fill_value")...)
		return []any{u.Values, u.Index, u.Inverse, u.Counts}
	},
	"np.unique_counts":  func(c *Call) any { return pair(np.UniqueCounts(c.Args[0], c.options("size", "fill_value")...)) },
	"np.unique_inverse": func(c *Call) any { return pair(np.UniqueInverse(c.Args[0], c.options("size", "fill_value")...)) },
	"np.unique_values":  func(c *Call) any { return np.UniqueValues(c.Args[0], c.options("size", "fill_value")...) },
	"np.unstack":        func(c *Call) any { return lists(np.Unstack(c.Args[0], c.options("axis")...)) },
	"np.unwrap": func(c *Call) any {
		if c.Has("period") {
			return np.UnwrapPeriod(c.Args[0], c.Any("period"), c.Any("discont"), c.options("axis")...)
		}
		return np.UnwrapPeriod(c.Args[0], 6.283185307179586, c.Any("discont"), c.options("axis")...)
	},
	"np.vander": func(c *Call) any {
		return np.Vander(c.Args[0], c.Int("N", c.X(0).Size()), c.Bool("increasing", false))
	},
	"np.vectorize": func(c *Call) any {
		c.Str("func", "") // the dot product
		return np.Vectorize(func(x, y *array.Array) *array.Array { return y.MatMul(x) }, c.Str("signature", "")).CallTree(c.Args...)
	},
	"np.where": func(c *Call) any {
		if len(c.Args) == 1 {
			return lists(np.Nonzero(c.Args[0], c.options("size", "fill_value")...))
		}
		return np.Where(c.Args[0], c.Args[1], c.Args[2])
	},
}

func pair(x, y *array.Array) any { return []any{x, y} }

func accumulate(f func(x any, opts ...np.Option) *array.Array) Func {
	return func(c *Call) any { return f(c.Args[0], np.Axis(c.Int("axis", 0))) }
}

func outer(f func(x, y any) *array.Array) Func {
	return func(c *Call) any {
		x, y := c.X(0), c.X(1)
		shape := append(array.Shape{}, x.Shape()...)
		for range y.Rank() {
			shape = append(shape, 1)
		}
		return f(x.Reshape(shape...), y)
	}
}

func quantile(f func(x, q any, opts ...np.Option) *array.Array) Func {
	return func(c *Call) any { return f(c.Args[0], c.Args[1], c.options("axis", "keepdims", "method")...) }
}

// bins is the keyword bins, 10 where absent.
func (c *Call) bins() any {
	switch v := c.Any("bins").(type) {
	case nil:
		return 10
	case []any:
		return floatsOf(v)
	default:
		return v
	}
}

func floatsOf(v []any) []float64 {
	out := make([]float64, len(v))
	for i, e := range v {
		switch e := e.(type) {
		case int:
			out[i] = float64(e)
		case float64:
			out[i] = e
		}
	}
	return out
}

func intsOf(v any) []int {
	if n, ok := v.(int); ok {
		return []int{n}
	}
	return ints(v.([]any))
}

// nested turns a JSON number or nested list of numbers into a Go value that np takes.
func nested(v any) any {
	list, ok := v.([]any)
	if !ok {
		return v
	}
	if len(list) > 0 {
		if _, deep := list[0].([]any); deep {
			var out [][]float64
			whole := true
			for _, e := range list {
				row := e.([]any)
				out = append(out, floatsOf(row))
				for _, n := range row {
					_, isInt := n.(int)
					whole = whole && isInt
				}
			}
			if !whole {
				return out
			}
			rows := make([][]int, len(out))
			for i, e := range list {
				rows[i] = ints(e.([]any))
			}
			return rows
		}
	}
	for _, e := range list {
		if _, isInt := e.(int); !isInt {
			return floatsOf(list)
		}
	}
	return ints(list)
}

func padding(c *Call) any {
	opts := c.options("mode")
	for _, k := range []string{"constant_values", "end_values"} {
		if c.Has(k) {
			opts = append(opts, np.FillValue(nested(c.Any(k))))
		}
	}
	if c.Has("stat_length") {
		opts = append(opts, np.Lengths(nested(c.Any("stat_length"))))
	}
	if m := c.Str("reflect_type", ""); m != "" {
		opts = append(opts, np.Method(m))
	}
	return np.Pad(c.Args[0], nested(c.Any("pad_width")), opts...)
}

func errNotOffered(what string) error { return &Skipped{what + " is not offered"} }
