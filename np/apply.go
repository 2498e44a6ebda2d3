package np

import (
	"github.com/pantograph-go/pantograph/vmap"
)

// ApplyAlongAxis applies f, a function of a vector, to each vector of x along an axis. The axes of f's result stand in its
// place.
func ApplyAlongAxis(f func(*Array) *Array, axis int, x any) *Array {
	a := arr("apply_along_axis", x)
	axis = normalAxis("apply_along_axis", axis, a.Rank())
	a = Moveaxis(a, []int{axis}, []int{-1})
	lead, n := a.Shape()[:a.Rank()-1], a.Shape()[a.Rank()-1]
	y := vmap.Of(f).Call(a.Reshape(lead.Size(), n))
	rest := y.Shape()[1:]
	y = y.Reshape(append(lead.Clone(), rest...)...)
	from, to := make([]int, len(rest)), make([]int, len(rest))
	for i := range rest {
		from[i], to[i] = len(lead)+i, axis+i
	}
	return Moveaxis(y, from, to)
}

// ApplyOverAxes applies f, a function of an array and an axis that keeps the number of axes, over several axes in turn.
func ApplyOverAxes(f func(x *Array, axis int) *Array, x any, axes ...int) *Array {
	a := arr("apply_over_axes", x)
	for _, axis := range axes {
		axis = normalAxis("apply_over_axes", axis, a.Rank())
		y := f(a, axis)
		if y.Rank() == a.Rank()-1 {
			y = y.ExpandDims(axis)
		}
		a = y
	}
	return a
}
