package nn

import (
	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/np"
	"github.com/pantograph-go/pantograph/primitive"
	"github.com/pantograph-go/pantograph/random"
)

// LayerNorm standardises over the last axis and then scales and shifts (Ba et al., arXiv:1607.06450). A nil scale or bias is left
// out; 1e-5 is a common eps.
//
//	x [..., n] floating point, scale, bias [n]   →   [..., n]
func LayerNorm(x, scale, bias any, eps float64) *array.Array {
	return affine(Standardize(x, eps), scale, bias)
}

// RMSNorm divides by the root mean square √(mean x² + eps) over the last axis and scales (Zhang and Sennrich,
// arXiv:1910.07467). A nil scale is left out.
//
//	x [..., n] floating point, scale [n]   →   [..., n]
func RMSNorm(x, scale any, eps float64) *array.Array {
	v := inexact(x)
	square := np.Mean(v.Mul(v), np.Axis(-1), np.KeepDims())
	return affine(v.Mul(primitive.Rsqrt(square.Add(eps))), scale, nil)
}

// BatchNorm standardises each feature, the last axis, by the mean and variance of all others, and then scales and shifts
// (Ioffe and Szegedy, arXiv:1502.03167). It also returns the two, for a running average that Normalize uses in the place of
// the batch's when the network is applied. A nil scale or bias is left out.
//
//	x [..., n] floating point, scale, bias [n]   →   [..., n], mean [n], variance [n]
func BatchNorm(x, scale, bias any, eps float64) (y, mean, variance *array.Array) {
	v := inexact(x)
	if v.Rank() < 2 {
		panic(array.Wrap("nn.BatchNorm", array.ShapeErrorf("the array is %s; it must have a batch before the features", v.Aval())))
	}
	axes := make([]int, v.Rank()-1)
	for i := range axes {
		axes[i] = i
	}
	mean, variance = moments(v, np.Axis(axes...))
	y = affine(Normalize(v, mean, variance, eps), scale, bias)
	return y, mean.Squeeze(axes...), variance.Squeeze(axes...)
}

// GroupNorm standardises the features, the last axis, in groups, each together with all axes but the first (Wu and He,
// arXiv:1803.08494), and then scales and shifts. A nil scale or bias is left out. It panics with a ShapeError where the groups do
// not divide the features.
//
//	x [batch, ..., n] floating point, scale, bias [n]   →   [batch, ..., n]
func GroupNorm(x any, groups int, scale, bias any, eps float64) *array.Array {
	v := inexact(x)
	s := v.Shape()
	if len(s) < 2 || groups < 1 || s[len(s)-1]%groups != 0 {
		panic(array.Wrap("nn.GroupNorm", array.ShapeErrorf("the features of %s cannot be divided into %d groups", v.Aval(), groups)))
	}
	n := s[len(s)-1]
	split := append(s[:len(s)-1].Clone(), groups, n/groups)
	var axes []int
	for i := 1; i < len(split); i++ {
		if i != len(split)-2 {
			axes = append(axes, i)
		}
	}
	return affine(Standardize(v.Reshape(split...), eps, axes...).Reshape(s...), scale, bias)
}

func affine(x *array.Array, scale, bias any) *array.Array {
	if scale != nil {
		x = x.Mul(scale)
	}
	if bias != nil {
		x = x.Add(bias)
	}
	return x
}

// Dropout sets elements to 0 with a probability, and divides the others by what is left of it, so that the mean stays
// (Srivastava et al., Dropout, 2014). It is for training: an application leaves it out. It panics with an ArgumentError where
// rate is not in [0, 1].
//
//	key [], x [...] floating point   →   [...] same dtype
func Dropout(key *array.Array, x any, rate float64) *array.Array {
	v := inexact(x)
	switch {
	case !(rate >= 0 && rate <= 1):
		panic(array.Wrap("nn.Dropout", array.ArgumentErrorf("the probability to drop an element is in [0, 1], got %v", rate)))
	case rate == 0:
		return v
	case rate == 1:
		return np.ZerosLike(v)
	}
	keep := random.Bernoulli(key, v.Shape(), np.Asarray(1-rate).AsType(v.DType().Real()))
	return np.Where(keep, v.Div(1-rate), 0.0)
}

// Embedding looks rows of a table up. A number outside the table gives NaN.
//
//	table [n, ...], x [...] integer   →   [..., ...]
func Embedding(table, x any) *array.Array { return np.Take(table, x, np.Axis(0)) }
