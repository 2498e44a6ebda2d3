package initializers

import (
	"math"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/np"
	"github.com/pantograph-go/pantograph/random"
)

// Initializer makes parameters of a shape, float64 or of the dtype that follows.
type Initializer = func(key *array.Array, shape []int, dtype ...array.DType) *array.Array

// Zeros ignores its key.
func Zeros(_ *array.Array, shape []int, dtype ...array.DType) *array.Array {
	return np.Zeros(shape, dtype...)
}

// Ones ignores its key.
func Ones(_ *array.Array, shape []int, dtype ...array.DType) *array.Array {
	return np.Ones(shape, dtype...)
}

// Constant fills with v, a number or an array that broadcasts; the key is ignored.
func Constant(v any) Initializer {
	return func(_ *array.Array, shape []int, dtype ...array.DType) *array.Array {
		return np.Full(shape, v, typeOf(dtype))
	}
}

// UniformOn draws uniformly on [0, scale).
func UniformOn(scale float64) Initializer {
	return func(key *array.Array, shape []int, dtype ...array.DType) *array.Array {
		return random.Uniform(key, shape, dtype...).Mul(scale)
	}
}

// NormalOf draws from the normal distribution of a standard deviation.
func NormalOf(stddev float64) Initializer {
	return func(key *array.Array, shape []int, dtype ...array.DType) *array.Array {
		return random.Normal(key, shape, dtype...).Mul(stddev)
	}
}

// TruncatedNormalOf draws from the standard normal distribution on (low, high) and multiplies by stddev.
func TruncatedNormalOf(stddev, low, high float64) Initializer {
	return func(key *array.Array, shape []int, dtype ...array.DType) *array.Array {
		return random.TruncatedNormal(key, shape, low, high, dtype...).Mul(stddev)
	}
}

func typeOf(dtype []array.DType) array.DType {
	if len(dtype) == 0 {
		return array.Float64
	}
	return dtype[0]
}

// Mode is which fan the variance is divided by.
type Mode uint8

// The modes. The fans are the numbers of inputs and outputs, each times the size of a convolution's window.
const (
	FanIn     Mode = iota
	FanOut         // the outputs
	FanAvg         // the arithmetic mean of both
	FanGeoAvg      // the geometric mean
)

// Distribution is what VarianceScaling draws from.
type Distribution uint8

// The distributions, all of mean 0 and the same variance. TruncatedNormal is cut at two standard deviations. For complex
// dtypes they are distributions in the plane, Uniform in a disk.
const (
	TruncatedNormal Distribution = iota
	Normal
	Uniform
)

// VarianceScaling draws with the variance Scale / fan.
type VarianceScaling struct {
	Scale        float64
	Mode         Mode
	Distribution Distribution
	// In and Out are the axes of the inputs and the outputs, the last but one and the last where they are nil; Batch axes
	// are many arrays in one. All others are a convolution's window.
	In, Out, Batch []int
}

// Init is the Initializer. It panics with an *array.Error where the shape does not have the axes.
func (v VarianceScaling) Init(key *array.Array, shape []int, dtype ...array.DType) *array.Array {
	d := typeOf(dtype)
	in, out := v.fans(shape)
	fan := map[Mode]float64{FanIn: in, FanOut: out, FanAvg: (in + out) / 2, FanGeoAvg: math.Sqrt(in * out)}[v.Mode]
	stddev := math.Sqrt(v.Scale / fan)
	switch {
	case v.Distribution == Normal:
		return random.Normal(key, shape, d).Mul(stddev)
	case v.Distribution == Uniform && d.IsComplex():
		return disk(key, shape, d, func(u *array.Array) *array.Array { return np.Sqrt(u.Mul(2)) }).Mul(stddev)
	case v.Distribution == Uniform:
		return random.UniformRange(key, shape, -1, 1, d).Mul(math.Sqrt(3) * stddev)
	case d.IsComplex():
		within := 1 - math.Exp(-4) // the probability of the disk of radius 2
		cut := func(u *array.Array) *array.Array { return np.Sqrt(np.Log1p(u.Mul(-within)).Neg()) }
		return disk(key, shape, d, cut).Mul(stddev / truncatedDisk)
	}
	return random.TruncatedNormal(key, shape, -2, 2, d).Mul(stddev / truncated)
}

// The standard deviations of the standard normal distribution cut at ±2, and of the complex one cut at the radius 2: for that
// one the reference leaves out the division by 1 - e⁻⁴, and so do we, for equal parameters.
var (
	truncated     = math.Sqrt(1 - 4*math.Exp(-2)/math.Sqrt(2*math.Pi)/math.Erf(math.Sqrt2))
	truncatedDisk = math.Sqrt(1 - 5*math.Exp(-4))
)

// disk draws points of a random direction at a distance that radius makes of a uniform number.
func disk(key *array.Array, shape []int, d array.DType, radius func(*array.Array) *array.Array) *array.Array {
	keys := random.Keys(key, 2)
	r := radius(random.Uniform(keys[0], shape, d.Real()))
	angle := random.Uniform(keys[1], shape, d.Real()).Mul(2 * math.Pi)
	return r.AsType(d).Mul(np.Exp(angle.AsType(d).Mul(complex(0, 1))))
}

func (v VarianceScaling) fans(shape []int) (in, out float64) {
	const op = "initializers.VarianceScaling"
	axes := func(axes []int, otherwise int) float64 {
		if axes == nil {
			if len(shape) < 2 {
				panic(array.Wrap(op, array.ShapeErrorf("the shape %v has no axes of inputs and outputs; it needs two, or In and Out that say which they are", shape)))
			}
			return float64(shape[len(shape)+otherwise])
		}
		normal, err := array.NormalAxes(axes, len(shape))
		if err != nil {
			panic(array.Wrap(op, err))
		}
		n := 1.
		for _, a := range normal {
			n *= float64(shape[a])
		}
		return n
	}
	in, out = axes(v.In, -2), axes(v.Out, -1)
	window := float64(array.Shape(shape).Size()) / in / out
	if v.Batch != nil {
		window /= axes(v.Batch, 0)
	}
	return in * window, out * window
}

// GlorotUniform draws uniformly with the variance 2/(inputs + outputs) (Glorot and Bengio, Understanding the difficulty
// of training deep feedforward neural networks, 2010).
func GlorotUniform(key *array.Array, shape []int, dtype ...array.DType) *array.Array {
	return VarianceScaling{Scale: 1, Mode: FanAvg, Distribution: Uniform}.Init(key, shape, dtype...)
}

// GlorotNormal is GlorotUniform with a truncated normal distribution.
func GlorotNormal(key *array.Array, shape []int, dtype ...array.DType) *array.Array {
	return VarianceScaling{Scale: 1, Mode: FanAvg}.Init(key, shape, dtype...)
}

// LecunUniform draws uniformly with the variance 1/inputs (LeCun, Bottou, Orr and Müller, Efficient backprop, 1998).
func LecunUniform(key *array.Array, shape []int, dtype ...array.DType) *array.Array {
	return VarianceScaling{Scale: 1, Distribution: Uniform}.Init(key, shape, dtype...)
}

// LecunNormal is LecunUniform with a truncated normal distribution.
func LecunNormal(key *array.Array, shape []int, dtype ...array.DType) *array.Array {
	return VarianceScaling{Scale: 1}.Init(key, shape, dtype...)
}

// HeUniform draws uniformly with the variance 2/inputs, for layers with Relu (He et al., arXiv:1502.01852).
func HeUniform(key *array.Array, shape []int, dtype ...array.DType) *array.Array {
	return VarianceScaling{Scale: 2, Distribution: Uniform}.Init(key, shape, dtype...)
}

// HeNormal is HeUniform with a truncated normal distribution.
func HeNormal(key *array.Array, shape []int, dtype ...array.DType) *array.Array {
	return VarianceScaling{Scale: 2}.Init(key, shape, dtype...)
}

// Orthogonal draws matrices whose rows or columns, whichever are fewer, are orthonormal, times scale (Saxe et al.,
// arXiv:1312.6120). The columns lie along an axis, -1 commonly; all others together are the rows. It panics with a
// ShapeError for fewer than two axes.
func Orthogonal(scale float64, columnAxis int) Initializer {
	return func(key *array.Array, shape []int, dtype ...array.DType) *array.Array {
		const op = "initializers.Orthogonal"
		if len(shape) < 2 {
			panic(array.Wrap(op, array.ShapeErrorf("the shape %v is no matrix; it needs two axes or more", shape)))
		}
		at, err := array.NormalAxis(columnAxis, len(shape))
		if err != nil {
			panic(array.Wrap(op, err))
		}
		size := array.Shape(shape).Size()
		if size == 0 {
			return np.Zeros(shape, dtype...)
		}
		others := array.Shape(shape).Without(at)
		q := random.Orthogonal(key, nil, size/shape[at], shape[at], dtype...)
		q = q.Reshape(append(others, shape[at])...)
		return np.Moveaxis(q, []int{-1}, []int{at}).Mul(scale)
	}
}

// DeltaOrthogonal puts an orthogonal matrix of inputs and outputs, times scale, in the middle of a convolution's window,
// and zeros around it (Xiao et al., arXiv:1806.05393). It panics with a ShapeError where the shape is not [window...,
// inputs, outputs] of 3 to 5 axes, or has more inputs than outputs.
func DeltaOrthogonal(scale float64, columnAxis int) Initializer {
	return func(key *array.Array, shape []int, dtype ...array.DType) *array.Array {
		n := len(shape)
		if n < 3 || n > 5 || shape[n-1] < shape[n-2] {
			panic(array.Wrap("initializers.DeltaOrthogonal", array.ShapeErrorf("the shape %v must be [window..., inputs, outputs] of 3 to 5 axes, with no more inputs than outputs", shape)))
		}
		middle := make([]any, n-2)
		for i := range middle {
			middle[i] = (shape[i] - 1) / 2
		}
		m := Orthogonal(scale, columnAxis)(key, shape[n-2:], dtype...)
		return np.Zeros(shape, m.DType()).At(middle...).Set(m)
	}
}
