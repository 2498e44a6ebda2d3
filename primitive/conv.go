package primitive

import (
	"fmt"
	"slices"

	"github.com/pantograph-go/pantograph/array"
)

// ConvDims says what each axis of a convolution is. LHS lists the batch axis, the feature axis, then the spatial axes of
// the input; RHS the output feature axis, the input feature axis, then the spatial axes of the kernel; Out as LHS.
// An empty list is 0, 1, 2, …: NCHW for input and result, OIHW for the kernel.
type ConvDims struct{ LHS, RHS, Out array.Ints }

// ConvParams are the parameters of a convolution. Lists have an element for each spatial axis, in the order of
// ConvDims; an empty list is ones (strides, dilations) or zeros (padding). A zero group count is 1.
type ConvParams struct {
	Strides      array.Ints // steps of the window
	PadLo, PadHi array.Ints // zeros put before and behind the input; negative ones cut
	LHSDilation  array.Ints // the input's elements are that far apart, with zeros between: a transposed convolution
	RHSDilation  array.Ints // the kernel's elements are that far apart
	Dims         ConvDims
	// FeatureGroups splits the input's features and the output's; each group of outputs sees its group of inputs only.
	FeatureGroups int
	// BatchGroups splits the input's batch and the output's features; each group of outputs sees its group of the batch.
	BatchGroups int
	Preferred   array.DType // of the sums and the result; Invalid: that of the operands
	Precision   Precision
}

// ConvGeneralDilatedP is the convolution of deep learning, a correlation: the kernel is not reversed.
//
//	lhs [batch, feature, spatial...], rhs [out feature, feature / FeatureGroups, spatial...], axes placed by Dims
//	→ [batch / BatchGroups, out feature, spatial...]
//
// A spatial size of the result is (padded - window) / stride + 1 rounded down, where padded = (n-1) LHSDilation + 1 + PadLo +
// PadHi and window = (k-1) RHSDilation + 1; it is 0 where the window does not fit.
//
// JVP: bilinear, d(x*w) = dx*w + x*dw.
type ConvGeneralDilatedP struct{ ConvParams }

// Name implements Primitive.
func (ConvGeneralDilatedP) Name() string { return "conv_general_dilated" }

// Params implements Parametric.
func (p ConvGeneralDilatedP) Params() []Param {
	var precision, preferred any
	if p.Precision != PrecisionDefault {
		precision = p.Precision
	}
	if p.Preferred != array.Invalid {
		preferred = p.Preferred
	}
	return []Param{{"batch_group_count", p.BatchGroups}, {"dimension_numbers", p.Dims}, {"feature_group_count", p.FeatureGroups}, {"lhs_dilation", p.LHSDilation},
		{"padding", pairs{p.PadLo, p.PadHi}}, {"precision", precision}, {"preferred_element_type", preferred}, {"rhs_dilation", p.RHSDilation}, {"window_strides", p.Strides}}
}

// String prints as JAX does.
func (d ConvDims) String() string {
	return fmt.Sprintf("ConvDimensionNumbers(lhs_spec=%s, rhs_spec=%s, out_spec=%s)", d.LHS, d.RHS, d.Out)
}

// canonical returns the parameters for operands of the given rank with nothing left to defaults.
func (c ConvParams) canonical(rank int) ConvParams {
	n := max(rank-2, 0)
	fill := func(l *array.Ints, v int) {
		if l.Len() == 0 {
			*l = array.MakeInts(slices.Repeat([]int{v}, n)...)
		}
	}
	fill(&c.Strides, 1)
	fill(&c.PadLo, 0)
	fill(&c.PadHi, 0)
	fill(&c.LHSDilation, 1)
	fill(&c.RHSDilation, 1)
	for _, l := range []*array.Ints{&c.Dims.LHS, &c.Dims.RHS, &c.Dims.Out} {
		if l.Len() == 0 {
			*l = iotaInts(rank)
		}
	}
	c.FeatureGroups, c.BatchGroups = max(c.FeatureGroups, 1), max(c.BatchGroups, 1)
	return c
}

func iotaInts(n int) array.Ints {
	v := make([]int, n)
	for i := range v {
		v[i] = i
	}
	return array.MakeInts(v...)
}

// Shape implements Primitive.
func (p ConvGeneralDilatedP) Shape(in []array.Aval) ([]array.Aval, error) {
	if len(in) != 2 {
		return nil, array.ArgumentErrorf("takes two operands, got %d", len(in))
	}
	x, w := in[0], in[1]
	rank := x.Shape.Rank()
	if w.Shape.Rank() != rank || rank < 2 {
		return nil, array.ShapeErrorf("lhs %s and rhs %s must have one rank, at least 2: batch, feature and the spatial axes", x, w)
	}
	if x.DType != w.DType {
		return nil, array.DTypeErrorf("lhs is %s, rhs is %s; the operands must have one dtype: convert one of them", x.DType, w.DType)
	}
	if !x.DType.IsInteger() && !x.DType.IsInexact() {
		return nil, array.DTypeErrorf("operands are %s; it takes numbers", x.DType)
	}
	if p.Preferred != array.Invalid && (p.Preferred.IsInteger() != x.DType.IsInteger() || p.Preferred.IsFloat() != x.DType.IsFloat() || !holdsProducts(p.Preferred, x.DType)) {
		return nil, array.DTypeErrorf("preferred element type %s cannot hold products of %s: integers give integers at least as wide, floating-point numbers floating-point numbers, complex ones complex ones", p.Preferred, x.DType)
	}
	c := p.ConvParams
	if err := c.check(rank); err != nil {
		return nil, err
	}
	d := c.Dims
	batch, feature := x.Shape[d.LHS.At(0)], x.Shape[d.LHS.At(1)]
	outFeature, inFeature := w.Shape[d.RHS.At(0)], w.Shape[d.RHS.At(1)]
	fg, bg := c.FeatureGroups, c.BatchGroups
	if feature%fg != 0 || outFeature%fg != 0 || feature/fg != inFeature {
		return nil, array.ShapeErrorf("features do not fit: lhs axis %d has %d in %d groups, rhs axis %d takes %d and rhs axis %d makes %d; the input's features are FeatureGroups times what the kernel takes, and the kernel's output a multiple of FeatureGroups",
			d.LHS.At(1), feature, fg, d.RHS.At(1), inFeature, d.RHS.At(0), outFeature)
	}
	if batch%bg != 0 || outFeature%bg != 0 {
		return nil, array.ShapeErrorf("batch group count %d must divide the batch size %d of lhs axis %d and the %d output features of rhs axis %d", bg, batch, d.LHS.At(0), outFeature, d.RHS.At(0))
	}
	out := make(array.Shape, rank)
	out[d.Out.At(0)], out[d.Out.At(1)] = batch/bg, outFeature
	for i := range rank - 2 {
		n, k := x.Shape[d.LHS.At(i+2)], w.Shape[d.RHS.At(i+2)]
		padded := dilated(n, c.LHSDilation.At(i)) + c.PadLo.At(i) + c.PadHi.At(i)
		if padded < 0 {
			return nil, array.ShapeErrorf("padding %d, %d cuts more than lhs axis %d has: its size is %d", c.PadLo.At(i), c.PadHi.At(i), d.LHS.At(i+2), n)
		}
		out[d.Out.At(i+2)] = windows(padded, dilated(k, c.RHSDilation.At(i)), c.Strides.At(i))
	}
	dtype := x.DType
	if p.Preferred != array.Invalid {
		dtype = p.Preferred
	}
	return []array.Aval{{Shape: out, DType: dtype, Weak: x.Weak && w.Weak}}, nil
}

// check refuses parameters that do not belong to operands of the given rank, or leave something to defaults, which only
// the function ConvGeneralDilated fills in: so equal primitives mean the same.
func (c ConvParams) check(rank int) error {
	for _, l := range []struct {
		name string
		v    array.Ints
		min  int
	}{{"strides", c.Strides, 1}, {"low padding", c.PadLo, -1 << 62}, {"high padding", c.PadHi, -1 << 62}, {"lhs dilation", c.LHSDilation, 1}, {"rhs dilation", c.RHSDilation, 1}} {
		if l.v.Len() != rank-2 {
			return array.ArgumentErrorf("%s %s must have an element for each of the %d spatial axes", l.name, l.v, rank-2)
		}
		for _, v := range l.v.Slice() {
			if v < l.min {
				return array.ArgumentErrorf("%s %s must be at least %d", l.name, l.v, l.min)
			}
		}
	}
	for _, l := range []struct {
		name string
		v    array.Ints
	}{{"lhs dimension numbers", c.Dims.LHS}, {"rhs dimension numbers", c.Dims.RHS}, {"output dimension numbers", c.Dims.Out}} {
		if l.v.Len() != rank {
			return array.AxisErrorf("%s %s must name each of the %d axes", l.name, l.v, rank)
		}
		if err := distinctAxes(l.name, l.v, rank); err != nil {
			return err
		}
	}
	if err := known("precision", c.Precision, len(precisions)); err != nil {
		return err
	}
	if c.FeatureGroups < 1 || c.BatchGroups < 1 {
		return array.ArgumentErrorf("feature groups (%d) and batch groups (%d) must be at least 1", c.FeatureGroups, c.BatchGroups)
	}
	if c.FeatureGroups > 1 && c.BatchGroups > 1 {
		return array.ArgumentErrorf("feature groups (%d) and batch groups (%d) exclude each other: one must be 1", c.FeatureGroups, c.BatchGroups)
	}
	return nil
}

// dilated is the extent of n elements that are step apart.
func dilated(n, step int) int {
	if n == 0 {
		return 0
	}
	return (n-1)*step + 1
}

// windows counts the positions of a window in n elements.
func windows(n, window, stride int) int {
	if n < window {
		return 0
	}
	return (n-window)/stride + 1
}

// ConvGeneralDilated convolves x with the kernel w. See ConvGeneralDilatedP.
func ConvGeneralDilated(x, w *array.Array, c ConvParams) *array.Array {
	return Bind(ConvGeneralDilatedP{c.canonical(x.Rank())}, x, w)
}
