package fft

import (
	"slices"

	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/np"
)

// Option is a keyword argument.
type Option func(*settings)

type settings struct {
	op      string
	lengths []int
	axes    []int
	norm    string
}

// Length sets the length of each transformed axis: the input is cut or padded with zeros. For the inverses of real
// transforms the last length is that of the output.
func Length(n ...int) Option { return func(s *settings) { s.lengths = slices.Clone(n) } }

// Axis names the transformed axes; negative ones count from the end.
func Axis(axes ...int) Option { return func(s *settings) { s.axes = slices.Clone(axes) } }

// Norm says which direction is divided by the number of points: "backward" (the default, the inverse), "forward", or
// "ortho", each by its square root.
func Norm(name string) Option { return func(s *settings) { s.norm = name } }

func fail(op string, err error) { panic(array.Wrap("fft."+op, err)) }

// settingsFor resolves options for an array of rank axes. count is the number of axes transformed by default, 0 for all.
func settingsFor(op string, x *array.Array, count int, opts []Option) settings {
	s := settings{op: op, norm: "backward"}
	for _, o := range opts {
		o(&s)
	}
	rank := x.Rank()
	switch {
	case s.axes != nil:
		for i, a := range s.axes {
			if a < 0 {
				s.axes[i] = a + rank
			}
			if s.axes[i] < 0 || s.axes[i] >= rank {
				fail(op, array.AxisErrorf("axis %d is out of range for an array with %d axes", a, rank))
			}
			if slices.Contains(s.axes[:i], s.axes[i]) {
				fail(op, array.AxisErrorf("axis %d is named twice", a))
			}
		}
	default:
		if count == 0 {
			count = rank
			if s.lengths != nil {
				count = len(s.lengths)
			}
		}
		if rank < count {
			fail(op, array.AxisErrorf("transforms %d axes, the array has %d", count, rank))
		}
		for i := rank - count; i < rank; i++ {
			s.axes = append(s.axes, i)
		}
	}
	if s.lengths != nil && len(s.lengths) != len(s.axes) {
		fail(op, array.ArgumentErrorf("%d lengths are given for %d axes", len(s.lengths), len(s.axes)))
	}
	for _, n := range s.lengths {
		if n < 1 {
			fail(op, array.ArgumentErrorf("the length %d of a transformed axis is not positive", n))
		}
	}
	if !slices.Contains([]string{"backward", "forward", "ortho"}, s.norm) {
		fail(op, array.ArgumentErrorf("the norm %q is none of backward, forward, ortho", s.norm))
	}
	return s
}

// resized cuts axis to n elements or pads it with zeros behind.
func resized(x *array.Array, axis, n int) *array.Array {
	switch have := x.Shape()[axis]; {
	case n < have:
		index := make([]any, axis+1)
		for i := range index {
			index[i] = np.Slice{Stop: array.End}
		}
		index[axis] = np.Slice{Stop: n}
		return x.At(index...).Get()
	case n > have:
		widths := make([][2]int, x.Rank())
		widths[axis] = [2]int{0, n - have}
		return np.Pad(x, widths)
	}
	return x
}
