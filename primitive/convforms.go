package primitive

import (
	"slices"

	"github.com/pantograph-go/pantograph/array"
)

// ConvTranspose is the transposed, or fractionally strided, convolution: the input's elements are c.Strides apart and the
// window moves by 1. padding is that of the convolution it undoes in shape, "SAME" or "VALID"; empty, c.PadLo and c.PadHi hold
// for the spread input. With transposeKernel the kernel is flipped and its features are swapped, which makes it the
// gradient of that convolution.
//
//	x [batch, feature, n...], w [out feature, feature, k...], axes placed by c.Dims
//	→ SAME: [batch, out feature, n stride...], VALID: [batch, out feature, n stride + max(k - stride, 0)...]
func ConvTranspose(x, w *array.Array, c ConvParams, padding string, transposeKernel bool) *array.Array {
	if x.Rank() != w.Rank() || x.Rank() < 2 {
		panic(array.Wrap("conv_transpose", array.ShapeErrorf("operands are %s and %s; they must have one rank, at least 2", x.Aval(), w.Aval())))
	}
	c = c.canonical(x.Rank())
	kernel := c.Dims.RHS.Slice()
	if padding != "" {
		var lo, hi []int
		for i := range x.Rank() - 2 {
			k, s := dilated(w.Shape()[kernel[i+2]], c.RHSDilation.At(i)), c.Strides.At(i)
			total, before := k+s-2, k-1
			switch padding {
			case "SAME":
				if s <= k-1 {
					before = (total + 1) / 2
				}
			case "VALID":
				total += max(k-s, 0)
			default:
				panic(array.Wrap("conv_transpose", array.ArgumentErrorf("the padding is %q; it is SAME, VALID or given in numbers", padding)))
			}
			lo, hi = append(lo, before), append(hi, total-before)
		}
		c.PadLo, c.PadHi = array.MakeInts(lo...), array.MakeInts(hi...)
	}
	if transposeKernel {
		w = Rev(w, kernel[2:]...)
		swap := iotaInts(w.Rank()).Slice()
		swap[kernel[0]], swap[kernel[1]] = kernel[1], kernel[0]
		w = Transpose(w, swap)
	}
	c.LHSDilation, c.Strides = c.Strides, array.Ints{}
	return ConvGeneralDilated(x, w, c)
}

// ConvGeneralDilatedPatches are the windows that a convolution with a filter of the given sizes would see: feature f of
// the input becomes the features f·K … f·K+K-1 of the result, K being the number of elements of the filter.
//
//	x [batch, feature, n...], axes placed by c.Dims   →   [batch, feature · K, positions...]
func ConvGeneralDilatedPatches(x *array.Array, filter []int, c ConvParams) *array.Array {
	if len(filter) != x.Rank()-2 {
		panic(array.Wrap("conv_general_dilated_patches", array.ArgumentErrorf("a filter of %d axes for %s, which has two more", len(filter), x.Aval())))
	}
	c = c.canonical(x.Rank())
	features, size := x.Shape()[c.Dims.LHS.At(1)], array.Shape(filter).Size()
	grid := array.Shape{size, size}
	one := Convert(Eq(Iota(array.Int32, grid, 0), Iota(array.Int32, grid, 1)), x.DType())
	w := BroadcastInDim(one, array.Shape{features, size, size}, []int{1, 2})
	w = Reshape(w, slices.Concat(array.Shape{features * size, 1}, array.Shape(filter)))
	order := make([]int, w.Rank()) // from [out, in, spatial...] to the places of c.Dims
	for i, at := range c.Dims.RHS.Slice() {
		order[at] = i
	}
	c.FeatureGroups = features
	return ConvGeneralDilated(x, Transpose(w, order), c)
}

// ConvGeneralDilatedLocal is a convolution with a kernel of its own at each position.
//
//	x [batch, feature, n...], w [out feature, feature · K, positions...], axes placed by c.Dims
//	→ [batch, out feature, positions...], K being the number of elements of the filter
func ConvGeneralDilatedLocal(x, w *array.Array, filter []int, c ConvParams) *array.Array {
	patches := ConvGeneralDilatedPatches(x, filter, c)
	c = c.canonical(x.Rank())
	out, kernel := c.Dims.Out.Slice(), c.Dims.RHS.Slice()
	y := DotGeneral(patches, w, Contract(out[1:2], kernel[1:2]).WithBatch(out[2:], kernel[2:]), c.Preferred)
	// The product has the positions first, then batch and out feature.
	n := len(out) - 2
	order := make([]int, len(out))
	order[out[0]], order[out[1]] = n, n+1
	for i, at := range out[2:] {
		order[at] = i
	}
	return Transpose(y, order)
}
