package array

import (
	"math"
	"strconv"
	"strings"
)

// Slice selects the positions Start, Start+Step, … before Stop of one axis, as Python's start:stop:step does: negative
// bounds count from the end, bounds outside are clipped. A Step of 0 is 1. Begin and End stand for bounds left out: the
// whole axis is Slice{Stop: End}, and reversed it is Slice{Start: End, Stop: Begin, Step: -1}.
type Slice struct{ Start, Stop, Step int }

// Bounds of a Slice beyond the first and the last element.
const (
	Begin = math.MinInt
	End   = math.MaxInt
)

// Strings that may stand in an index expression besides slices such as "1:-1" and "::2".
const (
	Ellipsis = "..."     // as many whole axes as are left
	NewAxis  = "newaxis" // a new axis of size 1
)

// Indexed is the part of an array that an index expression selects: x.At(…). Get reads it; the other methods return a
// copy of the whole array in which that part is changed. x itself never changes.
type Indexed struct {
	x   *Array
	idx Index
	// shape is that of the selected part, newAxes the axes of it that NewAxis put in.
	shape   Shape
	newAxes []int
}

// At selects a part of x, one argument for each axis, missing ones meaning whole axes. An argument is
//
//	int             a position, negative ones counting from the end; its axis leaves the result
//	Slice or "1:5"  a range; several may stand in one string: "1:5, ::2"
//	"..."           Ellipsis: as many whole axes as are left
//	"newaxis"       NewAxis: a new axis of size 1
//	*Array, []int   positions of an integer type, also traced ones; several broadcast together, as in NumPy
//	bool array      a mask over as many axes as it has: the positions where it is true. It must not be traced
//
// It panics with an ArgumentError for a position or a count of arguments that does not fit. Positions in arrays are
// checked only while running: see Mode.
func (x *Array) At(index ...any) Indexed {
	r, err := parseIndex(x, index)
	if err != nil {
		panic(Wrap("at", err))
	}
	return r
}

// Mode says what positions in arrays do out of bounds. The default clips when reading and drops when updating.
func (r Indexed) Mode(m IndexMode) Indexed {
	r.idx.Mode = m
	return r
}

// Unique promises that the arrays in the index select no element twice, which gives Mul a derivative for its operand.
func (r Indexed) Unique() Indexed {
	r.idx.Unique = true
	return r
}

// Shape is the shape of the selected part.
func (r Indexed) Shape() Shape { return r.shape }

// Get returns the selected part.
func (r Indexed) Get() *Array {
	y := means("getitem").Index(r.x, r.idx)
	if len(r.newAxes) > 0 {
		y = methods.Reshape(y, r.shape)
	}
	return y
}

// GetOr is Get with fill where a position in an array is out of bounds.
func (r Indexed) GetOr(fill float64) *Array {
	r.idx.Mode, r.idx.Fill = FillMode, &fill
	return r.Get()
}

// Set returns the array with the selected part replaced by y, broadcast and converted to the array's type. Where one
// element is selected twice, either value may stay.
func (r Indexed) Set(y any) *Array { return r.update("set", y) }

// Add returns the array with y added to the selected part; an element selected twice is increased twice.
func (r Indexed) Add(y any) *Array { return r.update("add", y) }

// Sub returns the array with y subtracted from the selected part.
func (r Indexed) Sub(y any) *Array { return r.update("add", MustValue("at", y).Neg()) }

// Mul returns the array with the selected part multiplied by y.
func (r Indexed) Mul(y any) *Array { return r.update("multiply", y) }

// Div returns the array with the selected part divided by y.
func (r Indexed) Div(y any) *Array { return r.x.Div(r.ones().update("multiply", y)) }

// Pow returns the array with the selected part raised to the power y.
func (r Indexed) Pow(y any) *Array { return r.x.Pow(r.ones().update("multiply", y)) }

// Min returns the array with the selected part replaced by the smaller of it and y.
func (r Indexed) Min(y any) *Array { return r.update("min", y) }

// Max returns the array with the selected part replaced by the larger of it and y.
func (r Indexed) Max(y any) *Array { return r.update("max", y) }

func (r Indexed) ones() Indexed {
	one := NewBuffer(r.x.DType(), Shape{})
	one.SetInt(0, 1)
	r.x = means("at").BroadcastTo(Of(one), r.x.Shape())
	return r
}

func (r Indexed) update(op string, y any) *Array {
	m := means("at")
	if len(r.newAxes) > 0 {
		y = m.Reshape(m.BroadcastTo(y, r.shape), r.shape.Without(r.newAxes...))
	}
	return m.Update(op, r.x, r.idx, y)
}

// parseIndex checks an index expression against x by NumPy's rules.
func parseIndex(x *Array, index []any) (Indexed, error) {
	items, err := expandIndex(x, index)
	if err != nil {
		return Indexed{}, err
	}
	anyArray := false
	for _, it := range items {
		if _, ok := it.(*Array); ok {
			anyArray = true
		}
	}
	r := Indexed{x: x}
	var (
		parts     []Shape // of the arrays
		place     = -1    // where the arrays' axes go in the result
		separated bool    // a slice or new axis has come after an array
	)
	for _, it := range items {
		axis := len(r.idx.Axes)
		switch it := it.(type) {
		case newAxis:
			r.newAxes = append(r.newAxes, len(r.shape))
			r.shape = append(r.shape, 1)
			separated = place >= 0
			continue
		case Slice:
			a, err := it.resolve(x.Shape()[axis])
			if err != nil {
				return Indexed{}, err
			}
			r.idx.Axes = append(r.idx.Axes, a)
			r.shape = append(r.shape, a.Size)
			separated = place >= 0
			continue
		case int:
			n := x.Shape()[axis]
			if it < -n || it >= n {
				return Indexed{}, ArgumentErrorf("index %d is out of bounds for axis %d of size %d", it, axis, n)
			}
			if it < 0 {
				it += n
			}
			if !anyArray {
				r.idx.Axes = append(r.idx.Axes, AxisIndex{Start: it, Step: 1, Size: 1, Drop: true})
				continue
			}
			r.idx.Axes = append(r.idx.Axes, AxisIndex{At: Of(scalarInt(Int64, int64(it)))})
		case *Array:
			r.idx.Axes = append(r.idx.Axes, AxisIndex{At: it})
		}
		parts = append(parts, r.idx.Axes[axis].At.Shape())
		if place < 0 {
			place = len(r.shape)
		} else if separated {
			r.idx.Front = true
		}
	}
	if place >= 0 {
		common, err := Broadcast(parts...)
		if err != nil {
			return Indexed{}, err
		}
		if r.idx.Front {
			place = 0
		}
		r.shape = append(append(r.shape[:place:place], common...), r.shape[place:]...)
		for i, a := range r.newAxes {
			if a >= place {
				r.newAxes[i] += len(common)
			}
		}
	}
	return r, nil
}

type newAxis struct{}

type ellipsis struct{}

// expandIndex turns the arguments of At into one item for each axis of x, an int, Slice or integer *Array, and newAxis
// between them.
func expandIndex(x *Array, index []any) ([]any, error) {
	var items []any
	used, open := 0, -1
	for _, v := range index {
		more, err := indexItems(v)
		if err != nil {
			return nil, err
		}
		for _, it := range more {
			switch it := it.(type) {
			case newAxis:
			case ellipsis:
				if open >= 0 {
					return nil, ArgumentErrorf("an index can have only one ellipsis")
				}
				open = len(items)
				continue
			case *Array:
				if it.DType() == Bool {
					used += it.Rank()
				} else {
					used++
				}
			default:
				used++
			}
			items = append(items, it)
		}
	}
	left := x.Rank() - used
	if left < 0 {
		return nil, ArgumentErrorf("%d indices for an array of shape %s with %d axes", used, x.Shape(), x.Rank())
	}
	if open < 0 {
		open = len(items)
	}
	out := make([]any, 0, len(items)+left)
	axis := 0
	for i := range len(items) + 1 {
		for ; i == open && left > 0; left-- {
			out = append(out, Slice{Stop: End})
			axis++
		}
		if i == len(items) {
			break
		}
		mask, ok := items[i].(*Array)
		if ok && mask.DType() == Bool {
			positions, err := maskPositions(mask, x.Shape(), axis)
			if err != nil {
				return nil, err
			}
			out = append(out, positions...)
			axis += len(positions)
			continue
		}
		out = append(out, items[i])
		if _, ok := items[i].(newAxis); !ok {
			axis++
		}
	}
	return out, nil
}

func indexItems(v any) ([]any, error) {
	switch v := v.(type) {
	case int, Slice:
		return []any{v}, nil
	case string:
		return parseIndexString(v)
	case nil:
		return nil, ArgumentErrorf("an index is nil; use array.NewAxis for a new axis")
	}
	a, err := FromValue(v)
	if err != nil {
		return nil, err
	}
	if !a.DType().IsInteger() && a.DType() != Bool {
		if a.Size() == 0 && TracerOf(a) == nil { // an empty slice of any type selects nothing
			return []any{Of(NewBuffer(Int64, a.Shape()))}, nil
		}
		return nil, DTypeErrorf("an index must be integer or bool, got %s", a.Aval())
	}
	return []any{a}, nil
}

func parseIndexString(s string) ([]any, error) {
	var items []any
	for part := range strings.SplitSeq(s, ",") {
		part = strings.TrimSpace(part)
		switch part {
		case "":
			continue
		case Ellipsis:
			items = append(items, ellipsis{})
			continue
		case NewAxis, "None":
			items = append(items, newAxis{})
			continue
		}
		fields := strings.Split(part, ":")
		var n [3]int
		var set [3]bool
		for i, f := range fields {
			f = strings.TrimSpace(f)
			if f == "" && len(fields) > 1 {
				continue
			}
			v, err := strconv.Atoi(f)
			if err != nil || i > 2 {
				return nil, ArgumentErrorf("index %q is no integer, slice, ... or newaxis", part)
			}
			n[i], set[i] = v, true
		}
		if len(fields) == 1 {
			items = append(items, n[0])
			continue
		}
		if set[2] && n[2] == 0 {
			return nil, ArgumentErrorf("the step of slice %q is 0", part)
		}
		sl := Slice{n[0], n[1], n[2]}
		back := sl.Step < 0
		if !set[0] {
			sl.Start = Begin
			if back {
				sl.Start = End
			}
		}
		if !set[1] {
			sl.Stop = End
			if back {
				sl.Stop = Begin
			}
		}
		items = append(items, sl)
	}
	return items, nil
}

// resolve gives the positions that s selects on an axis of n elements.
func (s Slice) resolve(n int) (AxisIndex, error) {
	step := s.Step
	if step == 0 {
		step = 1
	}
	lo, hi := 0, n // the bounds to which start and stop are clipped
	if step < 0 {
		lo, hi = -1, n-1
	}
	clip := func(b int) int {
		if b < 0 && b != Begin {
			b += n
		}
		return min(max(b, lo), hi)
	}
	start, stop := clip(s.Start), clip(s.Stop)
	size := 0
	switch {
	case step > 0 && stop > start:
		size = (stop-start-1)/step + 1
	case step < 0 && stop < start:
		size = (start-stop-1)/-step + 1
	}
	if size == 0 {
		start, step = 0, 1
	}
	return AxisIndex{Start: start, Step: step, Size: size}, nil
}

// maskPositions turns a mask over the axes of shape that begin at axis into one array of positions for each.
func maskPositions(mask *Array, shape Shape, axis int) ([]any, error) {
	b, err := mask.Host()
	if err != nil {
		return nil, ConcretizationErrorf("a traced mask selects a number of elements that is not known while tracing; choose with np.Where, or give np.Nonzero a size")
	}
	if mask.Rank() == 0 {
		return nil, ArgumentErrorf("a mask needs at least one axis")
	}
	if !mask.Shape().Equal(shape[axis : axis+mask.Rank()]) {
		return nil, ArgumentErrorf("a mask of shape %s does not fit the axes of shape %s from axis %d", mask.Shape(), shape, axis)
	}
	positions := make([][]int64, mask.Rank())
	strides := mask.Shape().Strides()
	for i := range b.Len() {
		if b.Bool(i) {
			for k := range positions {
				positions[k] = append(positions[k], int64(i/strides[k]%mask.Shape()[k]))
			}
		}
	}
	items := make([]any, len(positions))
	for k, p := range positions {
		items[k] = Of(FromSlice(Int64, Shape{len(p)}, p))
	}
	return items, nil
}
