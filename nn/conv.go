package nn

import (
	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/primitive"
)

// Padding is how many zeros a window sees around an array: the zero value none, Same as many as make the result as
// large as the array divided by the strides, rounded up.
type Padding struct {
	same  bool
	pairs [][2]int
}

// Same pads so that with strides of 1 the result has the size of the array; what is odd goes behind it.
var Same = Padding{same: true}

// Pad pads each spatial axis with numbers of zeros before and behind.
func Pad(pairs ...[2]int) Padding { return Padding{pairs: pairs} }

// ConvParams are the options of a convolution: lists with an element for each spatial axis; an empty one is ones.
type ConvParams struct {
	Strides       []int   // steps of the window
	Padding       Padding // zeros around the input
	InputDilation []int   // the input's elements are that far apart, for a transposed convolution
	Dilation      []int   // the kernel's elements are that far apart
	Groups        int     // each group of output features sees its group of input features; 0 is 1
}

// Conv is the convolution of deep learning, a correlation: the kernel is not reversed. Features are the last axis.
//
//	x [batch, spatial..., in], kernel [spatial..., in / Groups, out]   →   [batch, spatial..., out]
//
// It panics with a ShapeError or ArgumentError where they do not fit.
func Conv(x, kernel any, p ConvParams) *array.Array {
	const op = "nn.Conv"
	xw := primitive.PromoteInexact(x, kernel)
	in, w := xw[0], xw[1]
	n := in.Rank() - 2
	if n < 0 || w.Rank() != in.Rank() {
		panic(array.Wrap(op, array.ShapeErrorf("input %s and kernel %s must be [batch, spatial..., in] and [spatial..., in, out]", in.Aval(), w.Aval())))
	}
	g := geometry{op: op, in: in.Shape()[1 : n+1], window: w.Shape()[:n],
		strides: p.Strides, padding: p.Padding, inputDilation: p.InputDilation, dilation: p.Dilation}
	g.check()
	lo, hi := g.pads()
	image, filter := []int{0, n + 1}, []int{n + 1, n}
	for i := range n {
		image, filter = append(image, i+1), append(filter, i)
	}
	return primitive.ConvGeneralDilated(in, w, primitive.ConvParams{
		Strides: array.MakeInts(g.strides...), PadLo: array.MakeInts(lo...), PadHi: array.MakeInts(hi...),
		LHSDilation: array.MakeInts(g.inputDilation...), RHSDilation: array.MakeInts(g.dilation...),
		Dims:          primitive.ConvDims{LHS: array.MakeInts(image...), RHS: array.MakeInts(filter...), Out: array.MakeInts(image...)},
		FeatureGroups: max(p.Groups, 1), BatchGroups: 1,
	})
}

// PoolParams are the options of pooling: lists with an element for each spatial axis; an empty one is ones.
type PoolParams struct {
	Window  []int // extent; required
	Strides []int // steps of the window
	Padding Padding
	// CountPadding makes AvgPool divide by the size of the window also where part of it is padding.
	CountPadding bool
}

// MaxPool takes the largest element in each window over the spatial axes. Padding never is the largest.
//
//	x [batch, spatial..., features]   →   [batch, spatial..., features] same dtype
func MaxPool(x any, p PoolParams) *array.Array {
	v, w := p.over("nn.MaxPool", x)
	return primitive.ReduceWindowMax(v, w)
}

// MinPool takes the smallest element in each window.
func MinPool(x any, p PoolParams) *array.Array {
	v, w := p.over("nn.MinPool", x)
	return primitive.ReduceWindowMin(v, w)
}

// AvgPool takes the mean of the elements in each window, of padding only with CountPadding.
//
//	x [batch, spatial..., features]   →   [batch, spatial..., features] same dtype
func AvgPool(x any, p PoolParams) *array.Array {
	v, w := p.over("nn.AvgPool", inexact(x))
	sum := primitive.ReduceWindowSum(v, w)
	if p.CountPadding {
		return sum.Div(float64(w.Size.Shape().Size()))
	}
	ones := array.Shape{1}
	ones = append(append(ones, v.Shape()[1:v.Rank()-1]...), 1)
	count := primitive.ReduceWindowSum(primitive.Full(array.Aval{Shape: ones, DType: v.DType()}, 1), w)
	return sum.Div(count)
}

func (p PoolParams) over(op string, x any) (*array.Array, primitive.Window) {
	v := array.MustValue(op, x)
	n := v.Rank() - 2
	if n < 0 {
		panic(array.Wrap(op, array.ShapeErrorf("the array is %s; it must be [batch, spatial..., features]", v.Aval())))
	}
	g := geometry{op: op, in: v.Shape()[1 : n+1], window: p.Window, strides: p.Strides, padding: p.Padding}
	g.check()
	lo, hi := g.pads()
	around := func(l []int, with int) array.Ints {
		return array.MakeInts(append(append([]int{with}, l...), with)...)
	}
	return v, primitive.Window{Size: around(g.window, 1), Strides: around(g.strides, 1), PadLo: around(lo, 0), PadHi: around(hi, 0)}
}

// geometry is a window over spatial axes.
type geometry struct {
	op                               string
	in, window                       []int
	strides, inputDilation, dilation []int
	padding                          Padding
}

// check refuses lists of the wrong length and fills in those that are empty.
func (g *geometry) check() {
	n := len(g.in)
	for _, l := range []struct {
		name string
		v    *[]int
	}{{"window", &g.window}, {"strides", &g.strides}, {"input dilation", &g.inputDilation}, {"dilation", &g.dilation}} {
		if len(*l.v) == 0 && l.v != &g.window {
			for range n {
				*l.v = append(*l.v, 1)
			}
		}
		if len(*l.v) != n {
			panic(array.Wrap(g.op, array.ArgumentErrorf("%s %v must have an element for each of the %d spatial axes", l.name, *l.v, n)))
		}
		for _, v := range *l.v {
			if v < 1 {
				panic(array.Wrap(g.op, array.ArgumentErrorf("%s %v must be at least 1", l.name, *l.v)))
			}
		}
	}
	if len(g.padding.pairs) != 0 && len(g.padding.pairs) != n {
		panic(array.Wrap(g.op, array.ArgumentErrorf("padding %v must have a pair for each of the %d spatial axes", g.padding.pairs, n)))
	}
}

func (g *geometry) pads() (lo, hi []int) {
	lo, hi = make([]int, len(g.in)), make([]int, len(g.in))
	for i, p := range g.padding.pairs {
		lo[i], hi[i] = p[0], p[1]
	}
	if !g.padding.same {
		return lo, hi
	}
	for i, n := range g.in {
		size := max((n-1)*g.inputDilation[i]+1, 0)
		window := (g.window[i]-1)*g.dilation[i] + 1
		out := (size + g.strides[i] - 1) / g.strides[i]
		total := max((out-1)*g.strides[i]+window-size, 0)
		lo[i], hi[i] = total/2, total-total/2
	}
	return lo, hi
}
