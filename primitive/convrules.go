package primitive

import (
	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/lower/hlo"
)

// JVP implements vjp.Differentiable.
func (p ConvGeneralDilatedP) JVP(x, dx []*array.Array) (y, dy []*array.Array, err error) {
	return bilinearJVP(p, x, dx)
}

// Transpose implements vjp.Linear. Both cotangents are convolutions again, with the roles of input, kernel and result
// exchanged (Dumoulin and Visin, A guide to convolution arithmetic for deep learning, 2016).
func (p ConvGeneralDilatedP) Transpose(ct []*array.Array, in []Operand) ([]*array.Array, error) {
	out := make([]*array.Array, 2)
	if in[0].Value == nil {
		out[0] = p.transposeLHS(ct[0], in[0].Aval, in[1].Value)
	}
	if in[1].Value == nil {
		out[1] = p.transposeRHS(ct[0], in[1].Aval, in[0].Value)
	}
	return out, nil
}

// transposeLHS spreads the cotangent through the reversed kernel: what was a stride becomes a dilation of the input and
// the reverse, and a kernel's input features become its output features.
func (p ConvGeneralDilatedP) transposeLHS(g *array.Array, x array.Aval, w *array.Array) *array.Array {
	d := p.Dims
	spatial := d.RHS.Slice()[2:]
	groups := max(p.FeatureGroups, p.BatchGroups)
	kernel := Rev(w, spatial...)
	if groups > 1 { // from [G outputs, inputs] to [outputs, G inputs]
		kernel = mergeAxis(splitAxis(kernel, d.RHS.At(0), groups), d.RHS.At(0), d.RHS.At(1))
	}
	lo, hi := make([]int, len(spatial)), make([]int, len(spatial))
	for i := range spatial {
		n, k := x.Shape[d.LHS.At(i+2)], w.Shape()[d.RHS.At(i+2)]
		window := dilated(k, p.RHSDilation.At(i))
		lo[i] = window - 1 - p.PadLo.At(i)
		hi[i] = dilated(n, p.LHSDilation.At(i)) + window - 1 - dilated(g.Shape()[d.Out.At(i+2)], p.Strides.At(i)) - lo[i]
	}
	g, kernel = widened(g, kernel)
	y := ConvGeneralDilated(g, kernel, ConvParams{
		Strides: p.LHSDilation, PadLo: array.MakeInts(lo...), PadHi: array.MakeInts(hi...),
		LHSDilation: p.Strides, RHSDilation: p.RHSDilation,
		Dims:          ConvDims{LHS: d.Out, RHS: swapped(d.RHS), Out: d.LHS},
		FeatureGroups: groups, Precision: p.Precision,
	})
	if p.BatchGroups > 1 { // each group of features belongs to its group of the batch
		y = mergeAxis(splitAxis(y, d.LHS.At(1), groups), d.LHS.At(1), d.LHS.At(0))
	}
	return Convert(y, x.DType)
}

// transposeRHS slides the cotangent over the input: the batch is what is summed over, so that it takes the place of the
// features, and the features that of the batch.
func (p ConvGeneralDilatedP) transposeRHS(g *array.Array, w array.Aval, x *array.Array) *array.Array {
	d := p.Dims
	n := d.RHS.Len() - 2
	hi := make([]int, n)
	for i := range n {
		hi[i] = dilated(g.Shape()[d.Out.At(i+2)], p.Strides.At(i)) + dilated(w.Shape[d.RHS.At(i+2)], p.RHSDilation.At(i)) - 1 -
			p.PadLo.At(i) - dilated(x.Shape()[d.LHS.At(i+2)], p.LHSDilation.At(i))
	}
	x, g = widened(x, g)
	return Convert(ConvGeneralDilated(x, g, ConvParams{
		Strides: p.RHSDilation, PadLo: p.PadLo, PadHi: array.MakeInts(hi...),
		LHSDilation: p.LHSDilation, RHSDilation: p.Strides,
		Dims:          ConvDims{LHS: swapped(d.LHS), RHS: swapped(d.Out), Out: swapped(d.RHS)},
		FeatureGroups: p.BatchGroups, BatchGroups: p.FeatureGroups, Precision: p.Precision,
	}), w.DType)
}

// swapped exchanges the first two entries: batch and feature axis, or output and input feature axis.
func swapped(spec array.Ints) array.Ints {
	v := spec.Slice()
	v[0], v[1] = v[1], v[0]
	return array.MakeInts(v...)
}

// splitAxis makes of one axis two, the outer one of the given size.
func splitAxis(x *array.Array, axis, outer int) *array.Array {
	s := x.Shape().Insert(axis, outer)
	s[axis+1] /= outer
	return Reshape(x, s)
}

// mergeAxis takes the axis src out of x and makes it the outer part of axis dst of what is left.
func mergeAxis(x *array.Array, src, dst int) *array.Array {
	s := x.Shape().Without(src)
	s[dst] *= x.Shape()[src]
	return Reshape(moveAxis(x, src, dst), s)
}

// Batch implements vmap.Batcher. A batch axis of the input joins the input's batch, one of the kernel its output
// features; where both have one, the batch elements are groups.
func (p ConvGeneralDilatedP) Batch(size int, in []*array.Array, dims []int) ([]*array.Array, []int, error) {
	if size == 0 {
		return emptyBatch(p, in, dims)
	}
	x, w, d := in[0], in[1], p.Dims
	c := p.ConvParams
	groups := max(p.FeatureGroups, p.BatchGroups)
	switch {
	case dims[0] != notMapped && dims[1] != notMapped:
		joins := d.LHS.At(1)
		if p.BatchGroups > 1 {
			joins = d.LHS.At(0)
			c.BatchGroups *= size
		} else {
			c.FeatureGroups *= size
		}
		y := ConvGeneralDilated(mergeAxis(x, dims[0], joins), mergeAxis(w, dims[1], d.RHS.At(0)), c)
		return []*array.Array{splitAxis(y, d.Out.At(1), size)}, []int{d.Out.At(1)}, nil
	case dims[0] != notMapped:
		batch := d.LHS.At(0)
		x = joinInside(x, dims[0], batch, p.BatchGroups)
		y := ConvGeneralDilated(x, w, c)
		return []*array.Array{splitAxis(y, d.Out.At(0), size)}, []int{d.Out.At(0)}, nil
	}
	y := ConvGeneralDilated(x, joinInside(w, dims[1], d.RHS.At(0), groups), c)
	feature := d.Out.At(1)
	if groups == 1 {
		return []*array.Array{splitAxis(y, feature, size)}, []int{feature}, nil
	}
	// The features of y are [groups, batch axis, features of a group].
	y = splitAxis(splitAxis(y, feature, groups), feature+1, size)
	return []*array.Array{mergeAxis(y, feature, feature+1)}, []int{feature}, nil
}

// joinInside makes the batch axis at dim part of axis dst, the axis of that number without it, which is made of groups:
// dst becomes [groups, batch axis, elements of a group].
func joinInside(x *array.Array, dim, dst, groups int) *array.Array {
	if groups == 1 {
		return mergeAxis(x, dim, dst)
	}
	x = moveAxis(x, dim, dst) // dst: batch axis, dst+1: groups and elements
	x = moveAxis(splitAxis(x, dst+1, groups), dst+1, dst)
	s := x.Shape()
	return Reshape(x, append(append(s[:dst:dst], s[dst]*s[dst+1]*s[dst+2]), s[dst+3:]...))
}

// Lower implements Lowerable. Complex convolutions, which few backends have, are four real ones.
func (p ConvGeneralDilatedP) Lower(b *hlo.Builder, in []*hlo.Value, out []array.Aval) ([]*hlo.Value, error) {
	if in[0].Tensor().Shape.Size() == 0 || in[1].Tensor().Shape.Size() == 0 { // sums of nothing; StableHLO has no empty windows
		return []*hlo.Value{b.Splat(out[0], 0)}, nil
	}
	if in[0].Tensor().Elem.IsComplex() {
		c := p.ConvParams
		c.Preferred = c.Preferred.Real()
		return compose(b, in, func(in []*array.Array) []*array.Array {
			conv := func(x, w *array.Array) *array.Array { return ConvGeneralDilated(x, w, c) }
			xr, xi, wr, wi := Real(in[0]), Imag(in[0]), Real(in[1]), Imag(in[1])
			return []*array.Array{Complex(Sub(conv(xr, wr), conv(xi, wi)), Add(conv(xr, wi), conv(xi, wr)))}
		})
	}
	d := p.Dims
	spatial := func(l array.Ints) []int { return l.Slice()[2:] }
	return b.Op("stablehlo.convolution", out[0], in,
		hlo.NamedAttr{Name: "dimension_numbers", Value: hlo.ConvDims{
			InputBatch: d.LHS.At(0), InputFeature: d.LHS.At(1), InputSpatial: spatial(d.LHS),
			KernelOutputFeature: d.RHS.At(0), KernelInputFeature: d.RHS.At(1), KernelSpatial: spatial(d.RHS),
			OutputBatch: d.Out.At(0), OutputFeature: d.Out.At(1), OutputSpatial: spatial(d.Out),
		}},
		hlo.NamedAttr{Name: "feature_group_count", Value: hlo.I64(p.FeatureGroups)},
		hlo.NamedAttr{Name: "batch_group_count", Value: hlo.I64(p.BatchGroups)},
		hlo.NamedAttr{Name: "window_strides", Value: hlo.I64s(p.Strides.Slice()...)},
		hlo.NamedAttr{Name: "padding", Value: paddingAttr(p.PadLo, p.PadHi)},
		hlo.NamedAttr{Name: "lhs_dilation", Value: hlo.I64s(p.LHSDilation.Slice()...)},
		hlo.NamedAttr{Name: "rhs_dilation", Value: hlo.I64s(p.RHSDilation.Slice()...)},
		hlo.NamedAttr{Name: "window_reversal", Value: hlo.Bools(make([]bool, d.RHS.Len()-2)...)},
		p.Precision.config(),
	), nil
}
