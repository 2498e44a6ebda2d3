package primitive

import (
	"github.com/pantograph-go/pantograph/array"
)

// Reduce implements array.Methods. Sums and means of 16-bit floats are made in float32.
func (methods) Reduce(op string, x *array.Array, keepDims bool, axes ...int) *array.Array {
	if op == "argmax" || op == "argmin" {
		return argReduce(op, x, keepDims, axes)
	}
	if axes == nil {
		axes = iotaInts(x.Rank()).Slice()
	}
	axes, err := array.NormalAxes(axes, x.Rank())
	if err != nil {
		panic(array.Wrap(op, err))
	}
	y := reduction(op, x, axes)
	if keepDims {
		shape := x.Shape().Clone()
		for _, a := range axes {
			shape[a] = 1
		}
		y = broadcastKept(y, shape, axes)
	}
	return y
}

// broadcastKept puts axes of size 1 back where a reduction left them out.
func broadcastKept(y *array.Array, shape array.Shape, axes []int) *array.Array {
	return BroadcastInDim(y, shape, array.Shape(iotaInts(len(shape)).Slice()).Without(axes...))
}

func reduction(op string, x *array.Array, axes []int) *array.Array {
	d := x.DType()
	switch op {
	case "sum":
		return cast(ReduceSum(cast(x, wide(summed(d)), false), axes...), summed(d), false)
	case "prod":
		return cast(ReduceProd(cast(x, wide(summed(d)), false), axes...), summed(d), false)
	case "max", "min":
		for _, a := range axes {
			if x.Shape()[a] == 0 {
				panic(array.Wrap(op, array.ShapeErrorf("axis %d of shape %s is empty: there is no %s of no elements", a, x.Shape(), op)))
			}
		}
		if op == "max" {
			return ReduceMax(x, axes...)
		}
		return ReduceMin(x, axes...)
	case "any":
		return ReduceOr(truth(x), axes...)
	case "all":
		return ReduceAnd(truth(x), axes...)
	case "mean":
		to := inexactDType(d)
		return cast(mean(cast(x, wide(to), false), axes), to, false)
	case "var":
		return variance(x, axes)
	case "std":
		return Sqrt(variance(x, axes))
	}
	panic(unknownMethod(op))
}

// summed is the type of a sum of elements of type d: that of bools and integers has 64 bits.
func summed(d array.DType) array.DType {
	switch d.Kind() {
	case array.KindBool, array.KindInt:
		return array.Int64
	case array.KindUint:
		return array.Uint64
	}
	return d
}

// wide is the type in which elements of type d are summed.
func wide(d array.DType) array.DType {
	if d.IsFloat() && d.Bits() <= 16 {
		return array.Float32
	}
	return d
}

func mean(x *array.Array, axes []int) *array.Array {
	return Div(ReduceSum(x, axes...), like(x, float64(count(x, axes))))
}

func count(x *array.Array, axes []int) int {
	n := 1
	for _, a := range axes {
		n *= x.Shape()[a]
	}
	return n
}

// variance is the mean squared distance from the mean, a real number also of complex ones.
func variance(x *array.Array, axes []int) *array.Array {
	to := inexactDType(x.DType())
	x = cast(x, wide(to), false)
	centered := Sub(x, BroadcastInDim(mean(x, axes), x.Shape(), array.Shape(iotaInts(x.Rank()).Slice()).Without(axes...)))
	squared := centered
	if to.IsComplex() {
		squared = Real(Mul(centered, Conj(centered)))
	} else {
		squared = Square(centered)
	}
	return cast(mean(squared, axes), to.Real(), false)
}

// argReduce finds the position of an extreme element along one axis, or in the flattened array.
func argReduce(op string, x *array.Array, keepDims bool, axes []int) *array.Array {
	if len(axes) > 1 {
		panic(array.Wrap(op, array.AxisErrorf("takes one axis, got %d: reshape the array so that they are one, or name none for the whole array", len(axes))))
	}
	flat, axis, err := Reshape(x, array.Shape{x.Size()}), 0, error(nil)
	if len(axes) == 1 {
		flat = x
		axis, err = array.NormalAxis(axes[0], x.Rank())
	}
	if err != nil {
		panic(array.Wrap(op, err))
	}
	f := Argmax
	if op == "argmin" {
		f = Argmin
	}
	y := f(flat, axis, array.Int64)
	if keepDims {
		shape := x.Shape().Clone()
		if len(axes) == 1 {
			shape[axis] = 1
		} else {
			for i := range shape {
				shape[i] = 1
			}
		}
		y = Reshape(y, shape)
	}
	return y
}
