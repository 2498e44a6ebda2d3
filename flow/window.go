package flow

import (
	"slices"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/primitive"
)

// ReduceWindow combines with f, beginning with init, the elements under a window at each of its positions over xs. xs,
// init and f are as for Reduce; w says how the window lies, the lists that it leaves out being those of a plain one.
// Padding and the gaps that dilation makes are init.
//
//	xs [...]   →   [positions of the window along each axis]
//
// For sums and extremes use primitive.ReduceWindowSum and its relatives, which are faster. This one is written in slices, one for each element
// of the window, so that everything that is known of these holds for it. It panics with *array.Error where shapes and
// types do not fit.
func ReduceWindow(xs, init, f any, w primitive.Window) (result any) {
	try("flow.ReduceWindow", func() error {
		c, err := combinerOf(f, xs, init)
		if err != nil {
			return err
		}
		v, err := viewOf(w, c.xs[0].Shape())
		if err != nil {
			return err
		}
		padded := make([]*array.Array, len(c.xs))
		acc := make([]*array.Array, len(c.xs))
		for i, x := range c.xs {
			padded[i] = primitive.Pad(x, c.init[i], v.pad)
			acc[i] = primitive.BroadcastInDim(c.init[i], v.positions, nil)
		}
		for place := range v.places {
			elems := make([]*array.Array, len(padded))
			for i, x := range padded {
				elems[i] = v.at(x, place)
			}
			if acc, err = combine(c.body, acc, elems); err != nil {
				return err
			}
		}
		result, err = c.tree.Unflatten(acc)
		return err
	})
	return result
}

// view is a window over an array of a certain shape, nothing left out.
type view struct {
	size, strides, dilation []int
	pad                     []primitive.PadDim
	positions               array.Shape
}

func viewOf(w primitive.Window, shape array.Shape) (*view, error) {
	rank := len(shape)
	v := &view{size: w.Size.Slice()}
	if len(v.size) != rank {
		return nil, array.ShapeErrorf("the window has %d axes, the arrays have %d", len(v.size), rank)
	}
	list := func(l array.Ints, fill int) []int {
		if l.Len() == 0 {
			return slices.Repeat([]int{fill}, rank)
		}
		return l.Slice()
	}
	v.strides, v.dilation = list(w.Strides, 1), list(w.Dilation, 1)
	lo, hi, base := list(w.PadLo, 0), list(w.PadHi, 0), list(w.BaseDilation, 1)
	for _, l := range [][]int{v.strides, v.dilation, lo, hi, base} {
		if len(l) != rank {
			return nil, array.ShapeErrorf("a list of the window has %d entries, the arrays have %d axes", len(l), rank)
		}
	}
	for i, n := range shape {
		if v.size[i] < 1 || v.strides[i] < 1 || v.dilation[i] < 1 || base[i] < 1 {
			return nil, array.ArgumentErrorf("axis %d of the window: size %d, stride %d, dilations %d and %d must be positive", i, v.size[i], v.strides[i], v.dilation[i], base[i])
		}
		v.pad = append(v.pad, primitive.PadDim{Lo: lo[i], Hi: hi[i], Interior: base[i] - 1})
		long := lo[i] + hi[i] + n + max(0, n-1)*(base[i]-1)
		span := (v.size[i]-1)*v.dilation[i] + 1
		positions := 0
		if long >= span {
			positions = (long-span)/v.strides[i] + 1
		}
		v.positions = append(v.positions, positions)
	}
	return v, nil
}

// places visits the elements of the window, row by row.
func (v *view) places(yield func(place []int) bool) {
	place := make([]int, len(v.size))
	for range array.Shape(v.size).Size() {
		if !yield(place) {
			return
		}
		for i := len(place) - 1; i >= 0; i-- {
			if place[i]++; place[i] < v.size[i] {
				break
			}
			place[i] = 0
		}
	}
}

// at is the element of the window at a place, for all positions.
func (v *view) at(padded *array.Array, place []int) *array.Array {
	start, limit := make([]int, len(place)), make([]int, len(place))
	for i, k := range place {
		start[i] = k * v.dilation[i]
		limit[i] = start[i] + max(0, (v.positions[i]-1)*v.strides[i]+1)
		if v.positions[i] == 0 {
			start[i], limit[i] = 0, 0
		}
	}
	return primitive.Slice(padded, start, limit, v.strides)
}
